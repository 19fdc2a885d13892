#include "advise/reading/hardware/loose_counts.h"

#include "advise/reading/hardware/one_card.h"
#include "advise/reading/hardware/steps.h"
#include "advise/reading/numbers/count_words.h"
#include "advise/reading/numbers/limits.h"
#include "advise/reading/words/names.h"
#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

// Numbers that count hardware and stand beside no name of it: "two cards", "4gpus", "up to 8", "8
// nodes", "4 of each".

namespace ridgeline::reading {
namespace {

/// "900 gpu hours a month": so many cards as have those hours, and how long each works a day. `end`
/// is the token after "hours".
void take_hours(Sentence& sentence, std::size_t at, std::size_t end, int hours) {
    const bool month = sentence.follows(end) && (is_any(sentence.word(end), "month mo monthly") ||
                                                 (is_any(sentence.word(end), "a per each every") &&
                                                  is_any(sentence.word(end + 1), "month mo")));
    sentence.claim(at, end - at);
    if (!month) {
        sentence.assume("accelerator_hours", std::to_string(hours),
                        "hours on hardware are no number of it: they are paid one by one");
        sentence.reading.part_hours = hours;
        return;
    }
    constexpr double month_hours = 730;
    const int cards = std::max(1, static_cast<int>(std::ceil(hours / month_hours)));
    sentence.claim(end, is_any(sentence.word(end), "a per each every") ? 2 : 1);
    sentence.reading.months.reset();
    sentence.loose_count = cards;
    sentence.reading.hours_per_day = 24.0 * hours / month_hours / cards;
    sentence.assume("hours_per_day", fmt::format("{:.3g}", *sentence.reading.hours_per_day),
                    fmt::format("{} hours a month on {}", hours, cards));
}

/// "4gpus": the unit is cut off its number.
void count_glued(Sentence& sentence, std::size_t i, const std::string& unit) {
    sentence.tokens[i].text = sentence.word(i).substr(0, sentence.word(i).size() - unit.size());
    if (const auto value = whole_at(sentence, i)) {
        (is_most(sentence, i, i + 1) ? sentence.reading.max_count : sentence.loose_count) =
            fewer(sentence, i, *value);
        take_least(sentence, i, i + 1, *value);
        sentence.claim(i);
    }
}

bool is_gigabytes(std::string_view word) { return is_any(word, "gb gib"); }

/// One past what stands between a number and its accelerators: "8 used 24 GB cards".
std::size_t past_adjectives(const Sentence& sentence, std::size_t at) {
    const auto describes = [&](std::size_t i) {
        const std::string_view word = sentence.word(i);
        return is_any(word,
                      "x nvidia amd of used consumer local rented identical the such cheap gaming "
                      "new more pcie sxm workstation server datacenter data center professional "
                      "pro desktop") ||
               memory_piece(word) > 0 || is_gigabytes(word) ||
               (i + 1 < sentence.tokens.size() && all_digits(word) &&
                is_gigabytes(sentence.word(i + 1)));
    };
    while (sentence.follows(at) && describes(at)) {
        ++at;
    }
    return at;
}

/// "8 gpus", "8-gpu", "one 24GB card", "2x 24gb" at token i.
void count_loose_at(Sentence& sentence, std::size_t i) {
    // "4 or more gpus", "4+ gpus"
    const std::size_t more = or_more_length(sentence, i + 1);
    const std::size_t past = sentence.tokens[i].end;
    const bool plus = past < sentence.text.size() && sentence.text[past] == '+';
    const std::size_t things = past_adjectives(sentence, i + 1 + more);
    const bool memory_alone =
        things > i + 1 && sentence.word(i + 1) == "x" &&
        (memory_piece(sentence.word(things - 1)) > 0 || is_gigabytes(sentence.word(things - 1)));
    // "at most 16 units"
    const bool units =
        is_any(sentence.word(things), "units pieces") && is_most(sentence, i, things + 1);
    const bool counts = sentence.follows(things) && (is_gpu_word(sentence.word(things)) || units);
    // "an 8x box with nvlink": so many cards in one machine
    const bool boxed = things == i + 2 && sentence.word(i + 1) == "x" && sentence.follows(things) &&
                       is_any(sentence.word(things), "box node server machine instance vm system");
    if ((!counts && !memory_alone && !boxed) || is_gigabytes(sentence.word(i + 1))) {
        return;  // "24 gb card" is a size
    }
    const auto value = whole_at(sentence, i);
    if (!value) {
        return;
    }
    if (sentence.follows(things + 1) && is_any(sentence.word(things + 1), "hours hrs")) {
        take_hours(sentence, i, things + 2, *value);
        return;
    }
    // "two cards ok" allows them; "are two cards ok" and "how many, two cards ok?" ask.
    const bool allowed =
        sentence.follows(things + 1) &&
        is_any(sentence.word(things + 1), "ok okay fine allowed acceptable") &&
        !is_any(i > 0 ? sentence.word(i - 1) : "", "is are would will best most fastest") &&
        !(sentence.word(0) == "how" && sentence.word(1) == "many");
    if (allowed) {
        sentence.claim(things + 1);
    }
    const bool most = allowed || is_most(sentence, i, things + 1);
    if (!most) {
        take_least(sentence, i, things + 1, *value);
    }
    if ((more > 0 || plus) && !sentence.least_count) {
        sentence.least_count = *value;
        sentence.claim(i + 1, more);
    }
    (most ? sentence.reading.max_count : sentence.loose_count) = fewer(sentence, i, *value);
    if (most) {
        claim_limit_before(sentence, i);
        for (std::size_t k = i - std::min<std::size_t>(i, 7) + 1; k < i; ++k) {
            const auto least = sentence.open(k) && is_least(sentence, k) && sentence.follows(k)
                                   ? whole_at(sentence, k)
                                   : std::nullopt;
            if (least && *least < *value) {  // "at least 4 but at most 8 gpus"
                sentence.least_count = least;
                claim_limit_before(sentence, k);
                sentence.claim(k);
            }
        }
    }
    sentence.claim(i, sentence.word(i + 1) == "x" ? 2 : 1);
}

/// "two cards", "4gpus" wherever a word for hardware stands behind the number.
void count_beside_words(Sentence& sentence) {
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
        const auto glued = amount_in(sentence.word(i));
        if (sentence.open(i) && glued && is_gpu_word(glued->unit)) {
            count_glued(sentence, i, glued->unit);
            continue;
        }
        if (denies_several(sentence, i)) {
            continue;  // "no dual gpu"
        }
        // "two" is a word that phrases may have claimed, "2" is none.
        const bool open = sentence.open(i) || !has_digit(sentence.word(i));
        if (number_word(sentence.word(i)) || (open && amount_in(sentence.word(i)))) {
            count_loose_at(sentence, i);
        }
    }
}

/// "4 nodes" beside no count, "thousands of GPUs".
void count_nodes(Sentence& sentence) {
    for (std::size_t i = 0; i + 1 < sentence.tokens.size(); ++i) {
        if (is_any(sentence.word(i + 1), "nodes node") && !sentence.reading.nodes &&
            sentence.open(i)) {
            if (const auto value = whole_at(sentence, i)) {
                sentence.reading.nodes = *value;
                sentence.claim(i, 2);
                // "mi300x, 8 nodes": none of them has a count of its own.
                if (sentence.mentions.size() == 1 && !sentence.mentions.front().count &&
                    !sentence.loose_count && is_board_of_eight(sentence.mentions.front())) {
                    sentence.mentions.front().count = 8 * *value;
                    sentence.assume("count", std::to_string(8 * *value),
                                    "a node was taken as one of 8");
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
            sentence.assume("count", std::to_string(round),
                            "\"" + std::string(sentence.word(i)) + "\" is a round number");
        }
    }
}

/// "on one machine", "in a single box", "fits on the same server": no plan spans several. "One
/// machine" that somebody has, or that holds parts of a count, bounds nothing more.
void keep_to_one_machine(Sentence& sentence) {
    for (std::size_t i = 1; i < sentence.tokens.size(); ++i) {
        const bool machine = is_any(sentence.word(i), "machine server node box host instance vm") &&
                             is_any(sentence.word(i - 1), "one single same") &&
                             sentence.follows(i) &&
                             !(sentence.follows(i + 1) &&
                               is_any(sentence.word(i + 1),
                                      "learning of with dies die dying fails fail failed "
                                      "failing crashes crashed breaks goes failure outage"));
        if (machine && sentence.mentions.empty() && !sentence.loose_count) {
            sentence.one_machine = true;
            sentence.claim(i - 1, 2);
        }
    }
}

/// "rent h100 3 years vs buy 8": a number alone behind what is done with the hardware.
void count_bought(Sentence& sentence) {
    for (std::size_t i = 1; i < sentence.tokens.size() && !sentence.loose_count; ++i) {
        const bool ends = i + 1 >= sentence.tokens.size() ||
                          sentence.tokens[i + 1].gap == Gap::stop ||
                          is_any(sentence.word(i + 1), "vs or versus");
        const bool counts = sentence.open(i) && ends && all_digits(sentence.word(i)) &&
                            sentence.word(i).size() <= 4 &&
                            is_any(sentence.word(i - 1), "buy buying own rent renting owning");
        if (counts && !sentence.mentions.empty()) {
            sentence.loose_count = whole_at(sentence, i);
            sentence.claim(i);
        }
    }
}

/// "8 of each", "(4 each)", "two apiece": so many of each kind that is named.
void count_each(Sentence& sentence) {
    for (std::size_t i = 1;
         i < sentence.tokens.size() && sentence.mentions.size() > 1 && !sentence.loose_count; ++i) {
        if (!is_any(sentence.word(i), "each apiece")) {
            continue;
        }
        std::size_t at = i - 1;
        while (at > 0 && (is_any(sentence.word(at), "of them") || is_gpu_word(sentence.word(at)))) {
            --at;
        }
        const bool open = !sentence.tokens[at].claimed || !has_digit(sentence.word(at));
        if (const auto value =
                open && (number_word(sentence.word(at)) || amount_in(sentence.word(at)))
                    ? whole_at(sentence, at)
                    : std::nullopt) {
            sentence.loose_count = value;
            sentence.claim(at, i + 1 - at);
        }
    }
}

/// "are v100s worth it, two of them": so many of what is named.
void count_of_them(Sentence& sentence) {
    const bool alone = sentence.mentions.size() == 1 && !sentence.mentions.front().count;
    for (std::size_t i = 1; i + 1 < sentence.tokens.size(); ++i) {
        const bool them = sentence.word(i) == "of" && sentence.follows(i) &&
                          is_any(sentence.word(i + 1), "them those these");
        const bool counts =
            them && (number_word(sentence.word(i - 1)) || amount_in(sentence.word(i - 1)));
        const auto measure = counts ? measure_at(sentence, i - 1) : std::nullopt;
        if (measure && measure->scaled) {  // "100k of them": texts or pictures
            sentence.reading.samples = sentence.reading.samples.value_or(measure->value);
            sentence.claim(i - 1, 3);
        } else if (const auto value = counts && alone ? whole_at(sentence, i - 1) : std::nullopt) {
            sentence.mentions.front().count = value;
            sentence.claim(i - 1, 3);
        }
    }
}

}  // namespace

void count_loose(Sentence& sentence) {
    count_beside_words(sentence);
    count_nodes(sentence);
    keep_to_one_machine(sentence);
    count_bought(sentence);
    count_each(sentence);
    count_of_them(sentence);
}

}  // namespace ridgeline::reading
