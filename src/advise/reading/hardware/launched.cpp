#include "advise/reading/hardware/steps.h"
#include "advise/reading/numbers/fields.h"
#include "advise/reading/words/names.h"
#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>

// Rows of nvidia-smi, and what options of launchers say of the number of cards.

namespace ridgeline::reading {
namespace {

/// Whether a piece of a row between two bars holds no name: an address, temperatures, watts, memory
/// in use.
bool is_reading_of_a_card(std::string_view word) {
    std::size_t digits = 0;
    while (digits < word.size() && (is_digit(word[digits]) || word[digits] == '.' ||
                                    (word[digits] >= 'a' && word[digits] <= 'f'))) {
        ++digits;
    }
    const std::string_view unit = word.substr(digits);
    return is_any(word, "on off default n a enabled disabled % p0 p2 p8 p12") ||
           (!word.empty() && is_digit(word.front()) &&
            (unit.empty() || is_any(unit, "c w mib mb %"))) ||
           (digits == word.size() && word.size() <= 8 && has_digit(word));
}

}  // namespace

/// "| 0  Tesla V100-SXM2-32GB  On | 00000000:3B:00.0 Off | 12MiB / 32768MiB |": between bars the
/// number of a card, its name and what is read off it.
void recognise_rows(Sentence& sentence) {
    for (std::size_t i = 0; i + 1 < sentence.tokens.size(); ++i) {
        // "GPU 0: NVIDIA L4 (UUID: GPU-5a1c)"
        const std::size_t number = sentence.tokens[i + 1].end;
        if (sentence.word(i) == "gpu" && all_digits(sentence.word(i + 1)) &&
            number < sentence.text.size() && sentence.text[number] == ':') {
            sentence.claim(i, 2);
            ++sentence.launch.rows;
        }
        for (std::size_t k = i + 1; sentence.word(i) == "uuid" && k < sentence.tokens.size() &&
                                    (k < i + 3 || sentence.tokens[k].gap == Gap::joint);
             ++k) {
            sentence.claim(i, k + 1 - i);
        }
    }
    if (std::count(sentence.text.begin(), sentence.text.end(), '|') < 2) {
        return;
    }
    for (std::size_t from = 0; from < sentence.tokens.size();) {
        std::size_t to = from + 1;
        while (to < sentence.tokens.size() && sentence.tokens[to].gap != Gap::stop) {
            ++to;
        }
        const bool readings =
            std::all_of(sentence.tokens.begin() + static_cast<std::ptrdiff_t>(from),
                        sentence.tokens.begin() + static_cast<std::ptrdiff_t>(to),
                        [](const Token& token) { return is_reading_of_a_card(token.text); });
        if (readings) {
            sentence.claim(from, to - from);
        } else if (to > from + 1 && all_digits(sentence.word(from)) &&
                   is_brand(sentence.word(from + 1))) {
            sentence.claim(from);
            if (is_any(sentence.word(to - 1), "on off")) {
                sentence.claim(to - 1);
            }
            ++sentence.launch.rows;
        }
        from = to;
    }
}

/// Counts of the options over those of the names: nodes times what each has, where the whole was
/// not said.
void apply_launch(Sentence& sentence) {
    const Launch& launch = sentence.launch;
    std::vector<Mention>& mentions = sentence.mentions;
    if (launch.rows > 1 && launch.rows == static_cast<int>(mentions.size()) &&
        std::all_of(mentions.begin(), mentions.end(),
                    [&](const Mention& each) { return each.name == mentions.front().name; })) {
        mentions.resize(1);
        mentions.front().count = launch.rows;
    }
    if ((!launch.nodes && !launch.each && !launch.in_all) || mentions.size() > 1) {
        return;
    }
    Mention* part = mentions.empty() ? nullptr : &mentions.front();
    const std::optional<int> said = part != nullptr ? part->count : sentence.loose_count;
    const bool of_node = said && (launch.each_said || *said <= cards_of_node ||
                                  (part != nullptr && part->per_machine));
    const int nodes = launch.nodes.value_or(1);
    const bool whole_node = !said && launch.nodes && !launch.each;
    const int each =
        launch.each && (!said || of_node) ? *launch.each : said.value_or(cards_of_node);
    const bool times = launch.each ? !said || of_node : of_node || whole_node;
    double count = launch.in_all ? *launch.in_all : times ? 1.0 * each * nodes : said.value_or(0);
    if (count > most_launched) {
        sentence.fail(fmt::format("found {} nodes of {}, expected {:g} accelerators at most", nodes,
                                  each, most_launched),
                      "");
        return;
    }
    if (!launch.in_all && whole_node) {
        sentence.assume("count", fmt::format("{:g}", count), "a node was taken as one of 8");
    }
    if (count > 0) {
        (part != nullptr ? part->count : sentence.loose_count) = static_cast<int>(count);
    }
    if (nodes > 1) {
        (part != nullptr ? part->nodes : sentence.reading.nodes) = nodes;
    }
}

}  // namespace ridgeline::reading
