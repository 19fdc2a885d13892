#include "advise/question_reader.h"
#include "base/text.h"

// Names of accelerators as people write them: "8xh100", "rtx 4090s", "a100 80gb", "one 24GB card".

namespace ridgeline::question {
namespace {

std::vector<std::string> pieces_of(std::string_view id) {
    return split(id, '-');
}

// "sxm" stands for "sxm5"; "80" for nothing.
bool has_piece(const Accelerator& accelerator, std::string_view word) {
    for (const std::string& piece : pieces_of(accelerator.id)) {
        const bool board = piece.rfind("sxm", 0) == 0 && word.rfind("sxm", 0) == 0 &&
                           (word == "sxm" || word == piece);
        if (piece == word || board) {
            return true;
        }
    }
    return false;
}

bool is_part_word(std::string_view word) {
    return word.size() >= 2 && has_digit(word);
}

std::string singular(std::string_view word) {
    const bool plural = word.size() > 3 && word.back() == 's' && is_digit(word[word.size() - 2]);
    const bool letter_plural = is_any(word, {"l40ss", "mi300xs", "mi325xs", "mi355xs"});
    return std::string(word.substr(0, word.size() - (plural || letter_plural ? 1 : 0)));
}

std::vector<const Accelerator*> parts_named(const State& state, const std::string& word) {
    std::vector<const Accelerator*> parts;
    if (!is_part_word(word) && word.size() < 3) {
        return parts;
    }
    if (const Accelerator* exact = state.vocabulary.catalog.accelerator(word)) {
        return {exact};
    }
    for (const Accelerator& accelerator : state.vocabulary.catalog.accelerators) {
        const auto pieces = pieces_of(accelerator.id);
        // The board of "h100-sxm5-80gb" or a bare generation word names no part.
        const bool generic = is_any(word,
                                    {"pcie",
                                     "rtx",
                                     "gtx",
                                     "pro",
                                     "quadro",
                                     "cpu",
                                     "gpu",
                                     "apple",
                                     "tpu",
                                     "ada",
                                     "ultra",
                                     "max",
                                     "server",
                                     "ws"}) ||
                             word.rfind("sxm", 0) == 0 ||
                             (word.size() > 2 && word.substr(word.size() - 2) == "gb");
        if (!generic && std::find(pieces.begin(), pieces.end(), word) != pieces.end()) {
            parts.push_back(&accelerator);
        }
    }
    return parts;
}

// A later word narrows the choice: "a100 80gb", "h100 pcie", "6000 ada".
std::size_t narrow(const State& state, std::size_t at, std::vector<const Accelerator*>& parts) {
    std::size_t taken = 0;
    while (parts.size() > 1) {
        std::string word(state.word(at + taken));
        std::size_t words = 1;
        if (is_any(state.word(at + taken + 1), {"gb"}) && number_in(word)) {
            word += "gb";
            words = 2;
        }
        std::vector<const Accelerator*> left;
        for (const Accelerator* part : parts) {
            if (has_piece(*part, word)) {
                left.push_back(part);
            }
        }
        if (word.empty() || left.empty() || left.size() == parts.size()) {
            const bool same = !word.empty() && left.size() == parts.size();
            return taken + (same ? words : 0);
        }
        parts = std::move(left);
        taken += words;
    }
    // "h100-sxm5 80gb": words that only repeat what is known.
    while (parts.size() == 1 && is_part_word(state.word(at + taken)) &&
           has_piece(*parts.front(), state.word(at + taken))) {
        ++taken;
    }
    return taken;
}

bool named_owned(const State& state, std::size_t at) {
    for (std::size_t back = 1; back <= 5 && back <= at; ++back) {
        const std::string_view word = state.word(at - back);
        const bool have = word == "have" && at - back > 0 &&
                          is_any(state.word(at - back - 1), {"i", "we", "already"});
        if (have || is_any(word, {"my", "our", "own", "owned", "i've"})) {
            return true;
        }
    }
    return false;
}

void take_parts(State& state, std::size_t at, const std::vector<const Accelerator*>& parts) {
    Query& query = state.query();
    for (const Accelerator* part : parts) {
        if (std::find(query.accelerators.begin(), query.accelerators.end(), part->id) ==
            query.accelerators.end()) {
            query.accelerators.push_back(part->id);
        }
    }
    query.owned = query.owned || named_owned(state, at);
    const bool one = singular(state.word(at)) == state.word(at) && at > 0;
    state.one_owned = state.one_owned || (one && is_any(state.word(at - 1), {"my", "our"}));
    if (parts.size() > 1) {
        std::string list;
        for (const Accelerator* part : parts) {
            list += (list.empty() ? "" : ", ") + part->id;
        }
        state.reading.assumptions.push_back("\"" + state.words[at] + "\" names " + list);
    }
}

// "24gb", "24 gb", "24gib": the memory of one card.
std::size_t match_memory(State& state, std::size_t at) {
    std::string_view word = state.word(at);
    std::size_t taken = 1;
    bool found = false;
    for (const std::string_view unit : {"gib", "gb", "g"}) {
        if (word.size() > unit.size() && word.substr(word.size() - unit.size()) == unit &&
            is_digit(word[word.size() - unit.size() - 1])) {
            word.remove_suffix(unit.size());
            found = true;
            break;
        }
    }
    if (!found && is_any(state.word(at + 1), {"gb", "gib"})) {
        found = true;
        taken = 2;
    }
    const auto value = found ? number_in(word) : std::nullopt;
    if (!value) {
        return 0;
    }
    if (!(*value > 0 && *value < 1e6)) {
        state.fail("found \"" + state.words[at] + "\", expected the memory of one card in GB");
        return 0;
    }
    state.query().memory_per_accelerator_gib = *value;
    if (is_any(state.word(at + taken), {"vram", "memory", "ram"})) {
        ++taken;
    }
    state.query().owned = state.query().owned || named_owned(state, at);
    return taken;
}

// "8x", "8xh100", "h100x8", "h100:8": how many, and the part that is glued to it.
struct Glued {
    int count = 0;
    std::string part;
};
Glued unglue(std::string_view word) {
    std::size_t digits = 0;
    while (digits < word.size() && is_digit(word[digits])) {
        ++digits;
    }
    const bool front = digits > 0 && digits < 6 && digits < word.size() && word[digits] == 'x';
    if (front) {
        return {std::stoi(std::string(word.substr(0, digits))),
                std::string(word.substr(digits + 1))};
    }
    const auto mark = word.find_last_of("x:*");
    const bool back =
        mark != std::string_view::npos && mark > 1 && mark + 1 < word.size() &&
        word.size() - mark < 7 &&
        std::all_of(word.begin() + static_cast<std::ptrdiff_t>(mark) + 1, word.end(), is_digit);
    if (back) {
        return {std::stoi(std::string(word.substr(mark + 1))), std::string(word.substr(0, mark))};
    }
    return {};
}

bool counts_hardware(const State& state, std::size_t at) {
    std::size_t i = at;
    while (is_any(state.word(i), {"x", "nvidia", "amd", "of"})) {
        ++i;
    }
    if (is_any(state.word(i),
               {"gpu",
                "gpus",
                "card",
                "cards",
                "accelerator",
                "accelerators",
                "rtx",
                "gtx",
                "geforce"})) {
        return true;
    }
    const Glued glued = unglue(state.word(i));
    return !parts_named(state, singular(state.word(i))).empty() || glued.count > 0 ||
           (has_digit(state.word(i)) && state.word(i).find("gb") != std::string_view::npos) ||
           state.word(i + 1) == "gb";
}

std::size_t match_count(State& state, std::size_t at) {
    const Glued glued = unglue(state.word(at));
    if (glued.count > 0 && glued.part.empty()) {
        state.count = glued.count;
        return 1;
    }
    const auto number = number_in(state.word(at));
    if (!number || !counts_hardware(state, at + 1)) {
        return 0;
    }
    if (const auto count = count_in(state, state.word(at))) {
        state.count = *count;
    }
    return 1;
}

}  // namespace

std::size_t match_hardware(State& state, std::size_t at) {
    if (const std::size_t taken = match_count(state, at); taken > 0 || state.error) {
        return taken;
    }
    if (is_any(state.word(at),
               {"rtx", "gtx", "geforce", "radeon", "quadro", "tesla", "instinct"}) &&
        !parts_named(state, singular(state.word(at + 1))).empty()) {
        return 1;
    }
    const Glued glued = unglue(state.word(at));
    for (const std::string& name :
         {std::string(state.word(at)), singular(state.word(at)), singular(glued.part)}) {
        std::vector<const Accelerator*> parts =
            name.empty() ? std::vector<const Accelerator*>{} : parts_named(state, name);
        if (parts.empty()) {
            continue;
        }
        if (name == singular(glued.part) && glued.count > 0) {
            state.count = glued.count;
        }
        const std::size_t extra = narrow(state, at + 1, parts);
        take_parts(state, at, parts);
        return 1 + extra;
    }
    if (glued.count > 0 && match_memory(state, at) == 0) {
        // "2x24gb"
        const std::string kept = state.words[at];
        state.words[at] = glued.part;
        const std::size_t taken = match_memory(state, at);
        state.words[at] = kept;
        if (taken > 0) {
            state.count = glued.count;
            return taken;
        }
    }
    if (const std::size_t taken = match_memory(state, at); taken > 0 || state.error) {
        return taken;
    }
    return match_misspelt(state, at);
}

}  // namespace ridgeline::question
