#include "data/formats/target_pattern.h"

#include "base/lists.h"
#include "base/text.h"

#include <algorithm>
#include <cctype>

namespace ridgeline {
namespace {

bool is_of_a_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// What stands between the bars that are in no bracket.
std::vector<std::string_view> alternatives(std::string_view pattern) {
    std::vector<std::string_view> found;
    int depth = 0;
    std::size_t start = 0;
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        depth += pattern[i] == '(' ? 1 : pattern[i] == ')' ? -1 : 0;
        if (pattern[i] == '|' && depth == 0) {
            found.push_back(pattern.substr(start, i - start));
            start = i + 1;
        }
    }
    found.push_back(pattern.substr(start));
    return found;
}

bool is_a_name(std::string_view word) {
    return !word.empty() && std::all_of(word.begin(), word.end(), is_of_a_name);
}

/// What the last part of an expression can be: "(q|k)_proj" both words, "q_proj" itself; it is
/// taken off the expression.
std::vector<std::string> take_last_words(std::string_view& expression) {
    std::size_t start = expression.size();
    while (start > 0 && is_of_a_name(expression[start - 1])) {
        --start;
    }
    const std::string tail(expression.substr(start));
    if (start == 0 || expression[start - 1] != ')') {
        expression = expression.substr(0, start);
        return {tail};
    }
    const std::size_t open = expression.rfind('(', start);
    if (open == std::string_view::npos) {
        return {};
    }
    std::string_view choices = expression.substr(open + 1, start - open - 2);
    expression = expression.substr(0, open);
    if (choices.starts_with("?:")) {
        choices.remove_prefix(2);  // a group that is not remembered
    }
    std::vector<std::string> words = split(choices, '|');
    for (std::string& word : words) {
        word += tail;
    }
    return words;
}

/// "(mlp|self_attn).(q|k)_proj" at the end: each of the second after each of the first. What stands
/// before them is the place of a layer.
std::vector<std::string> last_paths(std::string_view alternative) {
    while (alternative.ends_with('$')) {
        alternative.remove_suffix(1);
    }
    std::vector<std::string> words = take_last_words(alternative);
    if (!std::all_of(words.begin(), words.end(), is_a_name) || !alternative.ends_with('.')) {
        return words;
    }
    alternative.remove_suffix(1);
    if (alternative.ends_with('\\')) {
        alternative.remove_suffix(1);
    }
    const std::vector<std::string> modules = take_last_words(alternative);
    if (modules.empty() || !std::all_of(modules.begin(), modules.end(), is_a_name)) {
        return words;
    }
    std::vector<std::string> paths;
    for (const std::string& module : modules) {
        for (const std::string& word : words) {
            paths.push_back(module + "." + word);
        }
    }
    return paths;
}

}  // namespace

bool is_target_pattern(std::string_view targets) {
    return targets.find_first_of("()[]*|\\^$") != std::string_view::npos;
}

std::vector<std::string> projections_of(std::string_view pattern) {
    std::vector<std::string> words;
    for (const std::string_view alternative : alternatives(pattern)) {
        for (std::string& word : last_paths(alternative)) {
            if (!is_a_name(word.substr(word.find('.') + 1))) {
                return {};
            }
            if (!is_among(word, words)) {
                words.push_back(std::move(word));
            }
        }
    }
    return words;
}

}  // namespace ridgeline
