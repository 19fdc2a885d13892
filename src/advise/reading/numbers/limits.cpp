#include "advise/reading/numbers/limits.h"

#include "advise/reading/numbers/count_words.h"
#include "base/text.h"

#include <algorithm>

// What bounds a number: words before it or behind it, the same of money, power and counts.

namespace ridgeline::reading {
namespace {

/// Words between a comparator and its number, or around it.
bool links(std::string_view word) {
    return is_any(word,
                  "of is be the a an about around roughly at to with only just on than must should "
                  "may stay set or equal it its =");
}

bool denies(std::string_view word) {
    return is_any(
        word,
        "no not never nothing none cannot cant shouldnt mustnt wont dont doesnt may nor without");
}

/// Whether the word at token i ends a comparator: "under", "up to", "no more than", "not above".
bool ends_comparator(const Sentence& sentence, std::size_t i) {
    const std::string_view word = sentence.word(i);
    const auto before = [&](std::size_t back) {
        return i >= back ? sentence.word(i - back) : std::string_view();
    };
    if (is_any(word,
               "under below beneath sub max maximum most within limit limited cap capped ceiling "
               "budget envelope upto <") ||
        (word == "to" && before(1) == "up") ||
        (word == "than" && is_any(before(1), "less fewer cheaper lower smaller"))) {
        return true;
    }
    bool denied = false;
    for (std::size_t back = 1; back <= 3 && back <= i && sentence.follows(i - back + 1); ++back) {
        denied = denied || denies(before(back));
    }
    return denied && (is_any(word, "over above beyond exceed exceeding exceeds past") ||
                      (word == "than" && is_any(before(1), "more higher greater bigger")));
}

bool follows_comparator(const Sentence& sentence, std::size_t at) {
    constexpr std::size_t farthest = 5;
    for (std::size_t i = at; i > 0 && at - i < farthest && sentence.follows(i); --i) {
        if (ends_comparator(sentence, i - 1)) {
            return true;
        }
        if (!links(sentence.word(i - 1))) {
            return false;
        }
    }
    return false;
}

bool precedes_comparator(const Sentence& sentence, std::size_t end) {
    constexpr std::size_t farthest = 4;
    for (std::size_t i = end; i < end + farthest && sentence.follows(i); ++i) {
        const std::string_view word = sentence.word(i);
        const std::string_view next =
            sentence.follows(i + 1) ? sentence.word(i + 1) : std::string_view();
        if (is_any(word, "max maximum tops limit cap ceiling budget") ||
            (word == "at" && is_any(next, "most maximum max")) ||
            (word == "the" && next == "most") ||
            (word == "or" && is_any(next, "less fewer under below lower cheaper"))) {
            return true;
        }
        if (!is_any(word,
                    "as is my our the a at per each in total all of power gpu card together "
                    "altogether")) {
            return false;
        }
    }
    return false;
}

}  // namespace

bool is_most(const Sentence& sentence, std::size_t at, std::size_t end) {
    return follows_comparator(sentence, at) || precedes_comparator(sentence, end);
}

bool is_fewer_than(const Sentence& sentence, std::size_t at) {
    return at > 1 && sentence.follows(at) && sentence.word(at - 1) == "than" &&
           is_any(sentence.word(at - 2), "less fewer") &&
           !(at > 2 && denies(sentence.word(at - 3)));
}

bool is_least(const Sentence& sentence, std::size_t at) {
    const std::string_view last = sentence.word(at - 1);
    const std::string_view before = at > 1 ? sentence.word(at - 2) : std::string_view();
    return (last == "least" && before == "at") ||
           (last == "than" && is_any(before, "less fewer") && at > 2 &&
            sentence.word(at - 3) == "no") ||
           is_any(last, "minimum min >");
}

std::size_t or_more_length(const Sentence& sentence, std::size_t at) {
    if (!sentence.follows(at)) {
        return 0;
    }
    if (is_any(sentence.word(at), "upwards upward minimum min")) {
        return 1;
    }
    return is_any(sentence.word(at), "or and") &&
                   is_any(sentence.word(at + 1),
                          "more larger bigger greater above better up higher over upwards")
               ? 2
               : 0;
}

void claim_limit_before(Sentence& sentence, std::size_t at) {
    for (std::size_t back = 1; back <= 3 && back <= at; ++back) {
        if (!is_any(sentence.word(at - back),
                    "up to at most least minimum min max maximum no more than fewer less")) {
            return;
        }
        sentence.claim(at - back);
    }
}

int fewer(Sentence& sentence, std::size_t at, int value) {
    if (!is_fewer_than(sentence, at)) {
        return value;
    }
    if (value < 2) {
        sentence.fail("found fewer than one accelerator, expected one or more",
                      "Example: \"lora 70b on fewer than 8 h100\".");
    }
    return std::max(1, value - 1);
}

namespace {

/// The token of a smaller number before the one at `at`: "2-4", "2 to 4", "between 2 and 4"; none:
/// `at`.
std::size_t lower_end(const Sentence& sentence, std::size_t at, int value) {
    const bool joint = at > 0 && sentence.tokens[at].gap == Gap::joint;
    const bool word = at > 1 && sentence.follows(at) && sentence.follows(at - 1) &&
                      (is_any(sentence.word(at - 1), "to til till until through bis") ||
                       (at > 2 && is_any(sentence.word(at - 1), "and und et") &&
                        is_any(sentence.word(at - 3), "between from zwischen entre")));
    const std::size_t low = joint ? at - 1 : word ? at - 2 : at;
    const std::string_view text = sentence.word(low);
    const auto named = number_word(text);
    const auto counted =
        all_digits(text) && sentence.open(low) ? number_with_suffix(text) : std::nullopt;
    const double least = named ? *named : counted.value_or(0);
    return low < at && least >= 1 && least < value ? low : at;
}

}  // namespace

void take_least(Sentence& sentence, std::size_t at, std::size_t end, int value) {
    const bool beyond = at > 1 && sentence.follows(at) && sentence.word(at - 1) == "than" &&
                        sentence.word(at - 2) == "more" && !is_most(sentence, at, end);
    const std::size_t more = or_more_length(sentence, end);
    if (const std::size_t low = lower_end(sentence, at, value); low < at) {
        const auto named = number_word(sentence.word(low));
        sentence.least_count =
            named ? *named : static_cast<int>(*number_with_suffix(sentence.word(low)));
        sentence.between_counts = true;
        const bool opens = low > 0 && is_any(sentence.word(low - 1), "between from");
        sentence.claim(opens ? low - 1 : low, at - low + (opens ? 1 : 0));
    } else if (beyond || more > 0 || (at > 0 && is_least(sentence, at))) {
        sentence.least_count = value + (beyond ? 1 : 0);
        sentence.claim(end, more);
        claim_limit_before(sentence, at);
    }
}

}  // namespace ridgeline::reading
