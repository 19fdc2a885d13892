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

/// "(q|k)_proj" at the end: both words; "q_proj": itself.
std::vector<std::string> last_words(std::string_view alternative) {
    while (alternative.ends_with('$')) {
        alternative.remove_suffix(1);
    }
    std::size_t start = alternative.size();
    while (start > 0 && is_of_a_name(alternative[start - 1])) {
        --start;
    }
    const std::string tail(alternative.substr(start));
    if (start == 0 || alternative[start - 1] != ')') {
        return {tail};
    }
    const std::size_t open = alternative.rfind('(', start);
    if (open == std::string_view::npos) {
        return {};
    }
    std::string_view choices = alternative.substr(open + 1, start - open - 2);
    if (choices.starts_with("?:")) {
        choices.remove_prefix(2);  // a group that is not remembered
    }
    std::vector<std::string> words = split(choices, '|');
    for (std::string& word : words) {
        word += tail;
    }
    return words;
}

}  // namespace

bool is_target_pattern(std::string_view targets) {
    return targets.find_first_of("()[]*|\\^$") != std::string_view::npos;
}

std::vector<std::string> projections_of(std::string_view pattern) {
    std::vector<std::string> words;
    for (const std::string_view alternative : alternatives(pattern)) {
        for (std::string& word : last_words(alternative)) {
            if (word.empty() || !std::all_of(word.begin(), word.end(), is_of_a_name)) {
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
