#include "advise/reading/count_words.h"
#include "advise/reading/names.h"
#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

// How many: "8 x", "x8", "8-gpu", "dual", "a pair of", "4 nodes of 8", "at most 4 gpus".

namespace ridgeline::reading {
namespace {

/// Modules that are sold eight on a board.
bool is_board_of_eight(const Mention& mention) {
    return !mention.parts.empty() &&
           std::all_of(mention.parts.begin(), mention.parts.end(), [](const Accelerator* part) {
               return part->form_factor.find("SXM") != std::string::npos ||
                      part->form_factor.find("OAM") != std::string::npos;
           });
}

/// "tp8", "--tensor-parallel-size 4 --pipeline-parallel-size 2": what shares a model tells how many there are,
/// where nothing else does; of "tp4 or tp8" the larger.
void count_by_plan(Sentence& sentence) {
    const bool counted = std::any_of(sentence.mentions.begin(), sentence.mentions.end(), [](const Mention& each) {
        return each.count.has_value();
    });
    int most = 0;
    for (const auto& [degree, at] : sentence.degrees) {
        most = std::max(most, static_cast<int>(number_with_suffix(degree.substr(2)).value_or(0)));
    }
    if (counted || sentence.loose_count || most == 0) {
        return;
    }
    sentence.loose_count = most * sentence.reading.pipeline.value_or(1);
    sentence.assume("count", std::to_string(*sentence.loose_count), "as many as tensor parallelism spans");
}

void count_mention(Sentence& sentence, Mention& mention) {
    std::optional<int> value;
    std::size_t begin = mention.at;
    const bool hours = sentence.follows(mention.end) && is_any(sentence.word(mention.end), {"hours", "hrs"});
    if (const auto before = count_before(sentence, mention.at); before && hours && before->value > 64) {
        // "5k H100-hours": so long, not so many.
        sentence.claim(before->begin, mention.end + 1 - before->begin);
        sentence.assume("accelerator_hours",
                        std::to_string(before->value),
                        "hours on hardware are no number of it: one is judged");
        sentence.reading.part_hours = before->value;
        return;
    } else if (before) {
        value = before->value;
        begin = before->begin;
        sentence.claim(begin, mention.at - begin);
    } else if (const auto after = count_after(sentence, mention.end)) {
        value = after->first;
        sentence.claim(mention.end, after->second - mention.end);
        mention.end = after->second;
    }
    if (sentence.error) {
        return;
    }
    // "2x8xH100" is two nodes of eight.
    if (value && !mention.per_machine && begin >= 2 && sentence.word(begin - 1) == "x" &&
        sentence.follows(begin) && amount_in(sentence.word(begin - 2)) &&
        sentence.open(begin - 2)) {
        if (const auto nodes = whole_at(sentence, begin - 2)) {
            mention.nodes = nodes;
            mention.count = *nodes * *value;
            sentence.claim(begin - 2, 2);
            return;
        }
    }
    // "2 dgx h100 nodes"; "4 nodes of 8 h100"
    const bool nodes_after = sentence.follows(mention.end) &&
                             is_node_word(sentence.word(mention.end)) && value && *value > 1;
    if (const auto nodes = nodes_before(sentence, begin); nodes && !mention.per_machine) {
        mention.nodes = nodes->first;
        sentence.claim(nodes->second, begin - nodes->second);
        const bool desks = is_any(sentence.word(nodes->second + 1), {"pcs", "computers", "desktops", "workstations"});
        value = nodes->first * value.value_or(desks ? 1 : 8);
    } else if (mention.per_machine) {
        // "2 nodes dgx h100"
        const auto counted = value ? std::nullopt : nodes_before(sentence, begin);
        if (counted) {
            sentence.claim(counted->second, begin - counted->second);
        }
        const int machines = counted ? counted->first : value.value_or(1);
        mention.nodes = machines;
        // "8 H100 on a DGX H100" counts accelerators, "2 x DGX H100" machines.
        value = machines * *mention.per_machine;
    } else if (!value && is_board_of_eight(mention) && sentence.follows(mention.end) &&
               is_any(sentence.word(mention.end), {"node", "server", "system", "box"})) {
        mention.nodes = 1;
        value = 8;
        sentence.assume("count", "8", "a server of such modules holds 8");
        sentence.claim(mention.end);
    } else if (nodes_after && !sentence.tokens[mention.end].claimed) {
        mention.nodes = value;
        value = *value * 8;
        sentence.assume("count", std::to_string(*value), "a node was taken as one of 8");
        sentence.claim(mention.end);
    }
    // "dual xeon" is the entry of two sockets.
    const bool sockets = !mention.parts.empty() && mention.parts.front()->id.starts_with("cpu-2x");
    mention.count = sockets && value == 2 ? std::nullopt : value;
}

/// "900 gpu hours a month": so many cards as have those hours, and how long each works a day. `end` is
/// the token after "hours".
void take_hours(Sentence& sentence, std::size_t at, std::size_t end, int hours) {
    const bool month = sentence.follows(end) &&
                       (is_any(sentence.word(end), {"month", "mo", "monthly"}) ||
                        (is_any(sentence.word(end), {"a", "per", "each", "every"}) &&
                         is_any(sentence.word(end + 1), {"month", "mo"})));
    sentence.claim(at, end - at);
    if (!month) {
        sentence.assume("accelerator_hours", std::to_string(hours), "hours on hardware are no number of it: they are paid one by one");
        sentence.reading.part_hours = hours;
        return;
    }
    constexpr double month_hours = 730;
    const int cards = std::max(1, static_cast<int>(std::ceil(hours / month_hours)));
    sentence.claim(end, is_any(sentence.word(end), {"a", "per", "each", "every"}) ? 2 : 1);
    sentence.reading.months.reset();
    sentence.loose_count = cards;
    sentence.reading.hours_per_day = 24.0 * hours / month_hours / cards;
    sentence.assume("hours_per_day",
                    fmt::format("{:.3g}", *sentence.reading.hours_per_day),
                    fmt::format("{} hours a month on {}", hours, cards));
}

/// "8 gpus", "8-gpu", "one 24GB card", "2x 24gb".
void count_loose(Sentence& sentence) {
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
        const auto glued = amount_in(sentence.word(i));
        if (sentence.open(i) && glued && is_gpu_word(glued->unit)) {  // "4gpus"
            sentence.tokens[i].text =
                sentence.word(i).substr(0, sentence.word(i).size() - glued->unit.size());
            if (const auto value = whole_at(sentence, i)) {
                (limits(sentence, i) ? sentence.reading.max_count : sentence.loose_count) = *value;
                sentence.claim(i);
            }
            continue;
        }
        // "two" is a word that phrases may have claimed, "2" is none.
        const bool number =
            number_word(sentence.word(i)).has_value() ||
            ((sentence.open(i) || !has_digit(sentence.word(i))) && amount_in(sentence.word(i)));
        if (!number) {
            continue;
        }
        std::size_t k = i + 1;
        while (sentence.follows(k) &&
               (is_any(sentence.word(k),
                       {"x",
                        "nvidia",
                        "amd",
                        "of",
                        "used",
                        "consumer",
                        "local",
                        "rented",
                        "identical",
                        "the",
                        "such",
                        "cheap",
                        "gaming",
                        "new",
                        "more"}) ||
                memory_piece(sentence.word(k)) > 0 || is_any(sentence.word(k), {"gb", "gib"}) ||
                (k + 1 < sentence.tokens.size() && all_digits(sentence.word(k)) &&
                 is_any(sentence.word(k + 1), {"gb", "gib"})))) {
            ++k;
        }
        const bool memory_alone = k > i + 1 &&
                                  (memory_piece(sentence.word(k - 1)) > 0 ||
                                   is_any(sentence.word(k - 1), {"gb", "gib"})) &&
                                  sentence.word(i + 1) == "x";
        // "at most 16 units"
        const bool units = is_any(sentence.word(k), {"units", "pieces"}) && limits(sentence, i);
        if (!(sentence.follows(k) && (is_gpu_word(sentence.word(k)) || units)) && !memory_alone) {
            continue;
        }
        if (is_any(sentence.word(i + 1), {"gb", "gib"})) {
            continue;  // "24 gb card" is a size
        }
        const auto value = whole_at(sentence, i);
        if (!value) {
            continue;
        }
        if (sentence.follows(k + 1) && is_any(sentence.word(k + 1), {"hours", "hrs"})) {
            take_hours(sentence, i, k + 2, *value);
            continue;
        }
        const bool most = limits(sentence, i) || limit_after(sentence, k + 1);
        (most ? sentence.reading.max_count : sentence.loose_count) = *value;
        if (most) {
            for (std::size_t back = 1; back <= 3 && back <= i &&
                                       is_any(sentence.word(i - back),
                                              {"up",
                                               "to",
                                               "at",
                                               "most",
                                               "max",
                                               "maximum",
                                               "no",
                                               "more",
                                               "than",
                                               "fewer",
                                               "less"});
                 ++back) {
                sentence.claim(i - back);
            }
        }
        sentence.claim(i);
        if (sentence.word(i + 1) == "x") {
            sentence.claim(i + 1);
        }
    }
}

/// "rent h100 3 years vs buy 8": a number alone behind what is done with the hardware.
void count_bought(Sentence& sentence) {
    for (std::size_t i = 1; i < sentence.tokens.size() && !sentence.loose_count; ++i) {
        const bool ends = i + 1 >= sentence.tokens.size() || sentence.tokens[i + 1].gap == Gap::stop ||
                          is_any(sentence.word(i + 1), {"vs", "or", "versus"});
        const bool counts = sentence.open(i) && ends && all_digits(sentence.word(i)) && sentence.word(i).size() <= 4 &&
                            is_any(sentence.word(i - 1), {"buy", "buying", "own", "rent", "renting", "owning"});
        if (counts && !sentence.mentions.empty()) {
            sentence.loose_count = whole_at(sentence, i);
            sentence.claim(i);
        }
    }
}

/// "4 nodes" beside no count, "thousands of GPUs".
void count_nodes(Sentence& sentence) {
    for (std::size_t i = 0; i + 1 < sentence.tokens.size(); ++i) {
        if (is_any(sentence.word(i + 1), {"nodes", "node"}) && !sentence.reading.nodes &&
            sentence.open(i)) {
            if (const auto value = whole_at(sentence, i)) {
                sentence.reading.nodes = *value;
                sentence.claim(i, 2);
                // "mi300x, 8 nodes": none of them has a count of its own.
                if (sentence.mentions.size() == 1 && !sentence.mentions.front().count && !sentence.loose_count &&
                    is_board_of_eight(sentence.mentions.front())) {
                    sentence.mentions.front().count = 8 * *value;
                    sentence.assume("count", std::to_string(8 * *value), "a node was taken as one of 8");
                }
            }
        }
        const int round = sentence.word(i) == "hundreds"    ? 512
                          : sentence.word(i) == "thousands" ? 4096
                                                            : 0;
        const std::size_t of = sentence.word(i + 1) == "of" ? 1 : 0;
        if (round > 0 && is_gpu_word(sentence.word(i + 1 + of))) {
            sentence.loose_count = round;
            sentence.claim(i, 2 + of);
            sentence.assume("count",
                            std::to_string(round),
                            "\"" + std::string(sentence.word(i)) + "\" is a round number");
        }
    }
}

}  // namespace

void recognise_counts(Sentence& sentence) {
    for (Mention& mention : sentence.mentions) {
        count_mention(sentence, mention);
    }
    count_loose(sentence);
    count_nodes(sentence);
    count_bought(sentence);
    apply_launch(sentence);
    count_by_plan(sentence);
    for (std::size_t i = 2; i < sentence.tokens.size(); ++i) {
        // "2 a100 are too few: how many more": those in all are asked for.
        if (is_any(sentence.word(i), {"more", "additional", "extra"}) && sentence.word(i - 1) == "many" &&
            sentence.mentions.size() == 1 && sentence.mentions.front().count) {
            sentence.assume("count",
                            "open",
                            fmt::format("{} are there: how many it takes in all is answered",
                                        *sentence.mentions.front().count));
            sentence.mentions.front().count.reset();
        }
    }
}

}  // namespace ridgeline::reading
