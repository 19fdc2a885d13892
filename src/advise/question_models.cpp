#include "advise/question_reader.h"
#include "base/text.h"

#include <cctype>

// Names of models as people write them: "llama 3.1 8b", "mixtral 8x7B", "70B".

namespace ridgeline::question {
namespace {

// Letters, digits and dots: what is left to compare when people join words differently.
std::string bare(std::string_view text) {
    std::string result;
    for (const char c : text) {
        if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.') {
            result += c;
        }
    }
    return result;
}

std::string_view without_owner(std::string_view word) {
    const auto slash = word.rfind('/');
    return slash == std::string_view::npos ? word : word.substr(slash + 1);
}

std::string without_suffix(std::string word) {
    for (const std::string_view suffix : {"-instruct", "-chat", "-base", "-hf", "-it", "-model"}) {
        if (word.size() > suffix.size() &&
            word.compare(word.size() - suffix.size(), suffix.size(), suffix) == 0) {
            word.resize(word.size() - suffix.size());
        }
    }
    return word;
}

// "70b", "1.5b", "350m": a number of parameters.
bool is_size(std::string_view word) {
    if (word.size() < 2 || (word.back() != 'b' && word.back() != 'm') || !is_digit(word.front())) {
        return false;
    }
    return number_with_suffix(word).value_or(0) > 0;
}

void take_model(State& state, std::string id) {
    state.query().model_text = id;
    state.workload().model_id = std::move(id);
}

std::string family_of(std::string_view id) {
    std::string family;
    for (const char c : id) {
        if (std::isalpha(static_cast<unsigned char>(c)) == 0) {
            break;
        }
        family += c;
    }
    return family;
}

bool is_family(const State& state, std::string_view word) {
    const std::string family = family_of(word);
    const auto& ids = state.vocabulary.profiles.model_ids;
    return family.size() >= 3 && std::any_of(ids.begin(), ids.end(), [&](const std::string& id) {
               return family_of(id) == family;
           });
}

// "llama 70b": the newest id of that family and size.
std::string newest_of(const State& state, std::string_view family, std::string_view size) {
    std::string best;
    for (const std::string& id : state.vocabulary.profiles.model_ids) {
        const auto pieces = split(id, '-');
        if (family_of(id) == family_of(family) && id.rfind(std::string(family), 0) == 0 &&
            std::find(pieces.begin(), pieces.end(), size) != pieces.end()) {
            best = std::max(best, id);
        }
    }
    return best;
}

std::size_t match_id(State& state, std::size_t at) {
    const auto& ids = state.vocabulary.profiles.model_ids;
    for (std::size_t length = std::min<std::size_t>(5, state.words.size() - at); length > 0;
         --length) {
        std::string joined(without_owner(state.word(at)));
        for (std::size_t i = 1; i < length; ++i) {
            joined += "-" + std::string(state.word(at + i));
        }
        const std::string wanted = bare(without_suffix(joined));
        const std::string whole = bare(joined);
        for (const std::string& id : ids) {
            const std::string key = bare(id);
            if (key == whole || key == wanted) {
                take_model(state, id);
                return length;
            }
        }
    }
    return 0;
}

std::size_t match_size(State& state, std::size_t at) {
    std::string_view word = state.word(at);
    if (is_any(state.word(at + 1), {"billion", "bn"}) && number_in(word).value_or(0) > 0 &&
        *number_in(word) < 1e4) {
        take_model(state, std::string(word) + "b");
        return 2;
    }
    if (word.size() > 6 && word.substr(word.size() - 6) == "-model") {
        word.remove_suffix(6);
    }
    if (word.substr(0, 2) == "8x" && is_size(word.substr(2))) {
        take_model(state, "mixtral-" + std::string(word));
        state.reading.assumptions.push_back("\"" + std::string(word) + "\" was taken as mixtral");
        return 1;
    }
    if (!is_size(word) || !state.query().model_text.empty()) {
        return 0;
    }
    take_model(state, std::string(word));
    return 1;
}

std::size_t match_family(State& state, std::size_t at) {
    const std::string_view word = without_owner(state.word(at));
    if (!is_family(state, word)) {
        return 0;
    }
    const bool size_after = is_size(state.word(at + 1));
    if (size_after || (at > 0 && is_size(state.word(at - 1)))) {
        const std::string_view size = state.word(size_after ? at + 1 : at - 1);
        const std::string id = newest_of(state, word, size);
        if (!id.empty()) {
            take_model(state, id);
            state.reading.assumptions.push_back("\"" + std::string(word) + " " + std::string(size) +
                                                "\" was taken as " + id);
            return size_after ? 2 : 1;
        }
    }
    if (has_digit(word) || size_after) {
        std::string name(word);
        name += size_after ? "-" + std::string(state.word(at + 1)) : "";
        state.fail("no model \"" + name + "\"",
                   did_you_mean(name, state.vocabulary.profiles.model_ids));
        return 0;
    }
    return 0;
}

}  // namespace

std::size_t match_misspelt(State& state, std::size_t at) {
    const std::string word(without_owner(state.word(at)));
    if (word.find('-') == std::string::npos || !has_digit(word)) {
        return 0;
    }
    if (const auto near = nearest(word, state.vocabulary.profiles.model_ids)) {
        state.fail("no model \"" + word + "\"", "Did you mean \"" + *near + "\"?");
    }
    return 0;
}

std::size_t match_model(State& state, std::size_t at) {
    for (const Matcher matcher : {match_id, match_size, match_family}) {
        if (const std::size_t taken = matcher(state, at); taken > 0 || state.error) {
            return taken;
        }
    }
    return 0;
}

}  // namespace ridgeline::question
