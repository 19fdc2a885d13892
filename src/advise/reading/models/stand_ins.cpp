#include "advise/reading/models/stand_ins.h"

#include "advise/reading/models/model_words.h"
#include "advise/reading/models/named_model.h"
#include "advise/reading/words/names.h"

#include <fmt/format.h>

// Models that no profile describes and another is near: "llava-1.5-7b" by its text half,
// "mamba-2.8b" refused with the reason.

namespace ridgeline::reading {
namespace {

/// The longest run of tokens that is such a name; 0 tokens: none stands there.
std::pair<const ModelStandIn*, std::size_t> stand_in_at(const Sentence& sentence, std::size_t at) {
    const auto& known = sentence.names.stand_ins;
    std::pair<const ModelStandIn*, std::size_t> found{nullptr, 0};
    std::string key;
    for (std::size_t n = 0; n < 8 && sentence.open(at + n) && (n == 0 || sentence.follows(at + n));
         ++n) {
        key += sentence.word(at + n);
        if (const auto entry = known.find(key); entry != known.end()) {
            found = {entry->second, n + 1};
        }
    }
    return found;
}

/// Whether token i is another piece of the name before it.
bool goes_on(const Sentence& sentence, std::size_t i) {
    const Gap gap = sentence.tokens[i].gap;
    const bool counts = counts_something(sentence, i) || counts_work(sentence.word(i + 1));
    return gap == Gap::joint || gap == Gap::none ||
           ((is_size_piece(sentence.word(i)) || is_version_piece(sentence.word(i))) && !counts) ||
           is_release_word(sentence.word(i)) ||
           is_any(sentence.word(i), "small medium large base mini nano tiny huge full pro lite xl");
}

std::string joined(const Sentence& sentence, std::size_t at, std::size_t end) {
    std::string name;
    for (std::size_t i = at; i < end; ++i) {
        name += (i == at ? "" : "-") + std::string(sentence.word(i));
    }
    return name;
}

/// The name of another release goes on: "molmo-7b" is no "molmo-7b-o".
bool ends_there(const Sentence& sentence, std::size_t end) {
    const bool size = is_size_piece(sentence.word(end)) && !counts_work(sentence.word(end + 1));
    return !(sentence.open(end) && sentence.follows(end) &&
             (size || sentence.tokens[end].gap == Gap::joint) &&
             !is_release_word(sentence.word(end)) && !is_release_date(sentence.word(end)));
}

void refuse(Sentence& sentence, std::size_t at, std::size_t end, const ModelStandIn& entry) {
    std::string size;
    for (std::size_t i = at; i < end; ++i) {
        for (const std::string& piece : model_pieces(sentence.word(i))) {
            size = is_size_piece(piece) ? piece : size;
        }
    }
    const bool first = sentence.reading.model.empty();
    take_model(sentence, at, end, joined(sentence, at, end), false);
    if (first) {
        sentence.reading.neighbour = entry.why;
        if (!size.empty()) {
            sentence.reading.neighbour +=
                fmt::format("; a transformer of its size can be asked for: --model {}", size);
        }
    }
}

}  // namespace

bool match_stand_in(Sentence& sentence, std::size_t at) {
    const auto [entry, length] = stand_in_at(sentence, at);
    if (entry == nullptr) {
        return false;
    }
    std::size_t end = at + length;
    // "a mamba-free question"; one "in the style of" what nothing describes is not described either
    if (sentence.follows(end) && is_any(sentence.word(end), "free like style inspired") &&
        !(entry->model.empty() && sentence.word(end) == "style")) {
        return false;
    }
    if (!entry->model.empty() && !ends_there(sentence, end)) {
        return false;
    }
    while (end < at + 8 && sentence.open(end) && sentence.follows(end) && goes_on(sentence, end)) {
        ++end;
    }
    if (entry->model.empty()) {
        refuse(sentence, at, end, *entry);
        return true;
    }
    const std::string name = joined(sentence, at, end);
    const bool first = sentence.reading.model.empty();
    take_model(sentence, at, end, first ? name : entry->model, true);
    if (first) {
        forget_assumed(sentence.reading, "model");
        sentence.reading.stands_for = entry->model;
        sentence.reading.image_size = entry->image_size;
        sentence.assume("model", entry->model, fmt::format("for \"{}\": {}", name, entry->why));
    }
    return true;
}

}  // namespace ridgeline::reading
