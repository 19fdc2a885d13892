#include "advise/reading/hardware/part_words.h"

#include "advise/hardware/desk.h"
#include "advise/reading/numbers/units.h"
#include "base/text.h"

#include <algorithm>
#include <cmath>

namespace ridgeline::reading {

std::string singular(std::string_view word) {
    const bool plural =
        word.size() > 2 && word.back() == 's' &&
        !is_any(word, "l40s 1650s 1660s gtx1650s gtx1660s") &&  // names: those of a SUPER
        (word.size() > 3 || has_letter(word.substr(0, 1))) &&
        (is_digit(word[word.size() - 2]) || is_any(word, "l40ss mi300xs mi325xs mi355xs mi250xs"));
    // Parts and computers whose names are words.
    const bool named = is_any(word,
                              "sparks halos trilliums thors orins xaviers gaudis trainiums "
                              "inferentias jetsons studios minis");
    return std::string(word.substr(0, word.size() - (plural || named ? 1 : 0)));
}

/// "80gb" or "80 gb" at token i as a size and its tokens.
std::pair<double, std::size_t> memory_at(const Sentence& sentence, std::size_t i) {
    if (const double one = memory_piece(sentence.word(i)); one > 0) {
        return {one, 1};
    }
    const bool two = all_digits(sentence.word(i)) && sentence.word(i).size() <= 4 &&
                     sentence.follows(i + 1) && is_any(sentence.word(i + 1), "gb gib gig gigs");
    return two ? std::pair{number_with_suffix(sentence.word(i)).value_or(0), std::size_t{2}}
               : std::pair{0.0, std::size_t{0}};
}

bool has_memory(const Accelerator& part, double gb) {
    return std::abs(part.marketed_gb - gb) <= 0.06 * gb;
}

bool is_resoldered(const Accelerator& part, double gb) {
    return is_consumer(part) && std::abs(gb - 2 * part.marketed_gb) < 0.5;
}

bool has_form(const Names::Part& entry, std::string_view form) {
    return std::ranges::any_of(entry.pieces,
                               [&](const std::string& piece) { return piece.starts_with(form); });
}

std::string form_of(std::string_view word) {
    if (word.starts_with("sxm")) {
        return "sxm";
    }
    return is_any(word, "pcie nvl oam") ? std::string(word) : "";
}

/// "4 a100 80": a memory of the family without its unit, before nothing that it could count.
bool bare_memory(const Sentence& sentence, std::size_t i, const Candidates& candidates) {
    const std::string_view word = sentence.word(i);
    const bool slice = sentence.tokens[i].gap == Gap::joint &&
                       candidates.front()->part->id.starts_with("tpu");  // "v5e-16"
    if (!all_digits(word) || word.size() < 2 || word.size() > 3 || slice) {
        return false;
    }
    const double gb = number_with_suffix(word).value_or(0);
    const bool known = std::ranges::any_of(
        candidates, [&](const auto* each) { return each->part->marketed_gb == gb && gb >= 16; });
    const bool times = sentence.word(i + 1) == "x" && sentence.follows(i + 2) &&
                       all_digits(sentence.word(i + 2)) && sentence.tokens[i + 2].gap != Gap::space;
    // "a100-40 seq 8192": the name has the number behind it.
    const bool apart =
        sentence.tokens[i].gap == Gap::joint ||
        (names_number(sentence.word(i + 1)) && amount_in(sentence.word(i + 2)).has_value());
    const bool counts = !times && !apart && sentence.follows(i + 1) &&
                        (unit_after_number(sentence, i + 1, "").field != Field::none ||
                         is_any(sentence.word(i + 1), "x gpu gpus card cards %"));
    return known && !counts;
}

namespace {

/// A family as one name: what all of its parts have in common, with the memory that was said.
std::string family_name(const Candidates& candidates, std::string_view core, double memory) {
    if (candidates.size() == 1) {
        return candidates.front()->part->id;
    }
    std::string name;
    for (const std::string& piece : split(candidates.front()->part->id, '-')) {
        const bool shared = std::ranges::all_of(candidates, [&](const auto* each) {
            const auto own = split(each->part->id, '-');
            return std::ranges::find(own, piece) != own.end();
        });
        if (shared && memory_piece(piece) == 0) {
            name += (name.empty() ? "" : "-") + piece;
        }
    }
    if (name.empty()) {
        name = std::string(core);
    }
    return memory > 0 ? name + "-" + std::to_string(static_cast<int>(memory)) + "gb" : name;
}

}  // namespace

Mention mention_of(const Candidates& candidates, std::string_view core, const Said& said) {
    Mention mention;
    mention.at = said.begin;
    mention.end = said.end;
    mention.form = said.form;
    for (const Names::Part* each : candidates) {
        mention.parts.push_back(each->part);
    }
    const bool sizes = said.memory > 0 && has_memory(*candidates.front()->part, said.memory);
    mention.name = family_name(candidates, core, sizes ? said.memory : 0);
    return mention;
}

}  // namespace ridgeline::reading
