#include "advise/reading/money/spent.h"

#include "advise/reading/money/sums.h"
#include "advise/reading/numbers/units.h"

#include <fmt/format.h>

#include <cmath>
#include <vector>

// Two sums, of which one is what is left or gone of the other.

namespace ridgeline::reading {
namespace {

struct PlacedSum {
    std::size_t at = 0;
    Sum sum;
    std::size_t gone_by = 0;  ///< one past the token of a verb that says that it is spent; 0: none
    bool left = false;        ///< "$300 left", "$300 remaining"
    bool had = false;         ///< "have $5000", "a budget of $5000"
    bool already = false;     ///< "already spent $200", "spent $200 so far"
    bool of_it = false;       ///< "spent $200 of it"
    bool on_thing = false;    ///< "spent $900 on a 3090", "$20k training 8b": what it went to
};

constexpr std::string_view gone_words = "spent burned burnt blown blew";
constexpr std::string_view left_words = "left remaining remain remains";

/// The sums of a question that are of no period, in their order.
std::vector<PlacedSum> sums_of(const Sentence& sentence) {
    std::vector<PlacedSum> found;
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
        const auto sum = sentence.open(i) ? sum_at(sentence, i) : std::nullopt;
        if (!sum || sum->usd <= 0 || sum->negative || period_at(sentence, sum->end).hours > 0 ||
            period_before(sentence, i).hours > 0 || of_each_at(sentence, sum->end) > 0) {
            continue;
        }
        PlacedSum placed{i, *sum};
        for (std::size_t k = clause_start(sentence, i, 3); k < i; ++k) {
            placed.gone_by = is_any(sentence.word(k), gone_words) ? k + 1 : placed.gone_by;
        }
        const std::size_t end = sum->end;
        const std::string_view next = sentence.follows(end) ? sentence.word(end) : "";
        placed.had = next == "budget" ||
                     near_words(sentence, clause_start(sentence, i, 4), i, "have had got budget");
        placed.already = next == "already" || (next == "so" && sentence.word(end + 1) == "far") ||
                         near_words(sentence, clause_start(sentence, i, 3), i, "already");
        placed.of_it = next == "of" && is_any(sentence.word(end + 1), "it that this");
        placed.on_thing = is_any(next, "on for in to at training last renting buying");
        placed.left = near_words(sentence, sum->end, sum->end + 2, left_words);
        found.push_back(placed);
        i = sum->end - 1;
    }
    return found;
}

/// "$2000 of our $5000", "$300 left out of $1000": one is a share of the other.
bool is_of(const Sentence& sentence, const PlacedSum& part, const PlacedSum& whole) {
    const std::size_t of = past_words(sentence, part.sum.end, "left remaining out still");
    return is_any(sentence.word(of), "of from") &&
           past_words(sentence, of + 1, "a an our my the total budget of") == whole.at;
}

/// "have $5000, spent $2000", "spent $2000 of it": what is gone is gone of the sum that was had. Of
/// "spent $900 on a 3090, have $600 for a second" it is another sum.
bool is_gone_of(const PlacedSum& gone, const PlacedSum& whole) {
    const bool first = whole.at < gone.at;
    return whole.had && (gone.of_it || (first && (gone.already || !gone.on_thing)) ||
                         (gone.already && !gone.on_thing));
}

/// "got a p40 for 180 bucks", "paid 180 dollars for it", "eine 3090 für 700 euro gekauft": what was
/// paid for what is there.
bool was_paid_for_it(const Sentence& sentence, std::size_t at, std::size_t end) {
    const std::string_view next = sentence.follows(end) ? sentence.word(end) : "";
    const auto is_thing = [&sentence](std::size_t from, std::size_t to) {
        for (std::size_t i = from; i < to; ++i) {
            const bool crowd =
                is_any(sentence.word(i + 1), "client clients customers people users");
            if ((has_digit(sentence.word(i)) && !crowd) ||
                is_any(sentence.word(i), "card gpu mac one it")) {
                return true;
            }
        }
        return false;
    };
    if (at > 0 && is_any(sentence.word(at - 1), "paid")) {
        return next.empty() || is_any(next, "and so now what") ||
               (next == "for" &&
                is_any(sentence.word(end + 1), "a an both it mine my one that the them this two"));
    }
    if (at == 0 || !is_any(sentence.word(at - 1), "for at fur fuer f\u00fcr pour per por")) {
        return false;
    }
    // "mi50 32gb x4 for 500 dollars total, what can i run on that": so many of one part are priced
    // together, and what they do is asked.
    bool lot = false;
    for (std::size_t i = at - std::min<std::size_t>(at, 6); i < at; ++i) {
        const std::string_view word = sentence.word(i);
        const bool joined = word.size() > 1 &&
                            ((word.front() == 'x' && all_digits(word.substr(1))) ||
                             (word.back() == 'x' && all_digits(word.substr(0, word.size() - 1))));
        lot = lot || joined ||
              (word == "x" &&
               (all_digits(sentence.word(i + 1)) || (i > 0 && all_digits(sentence.word(i - 1)))));
    }
    lot = lot && sentence.any_word("what") && sentence.any_word("run do hold");
    if (lot && (next.empty() || is_any(next, "total in altogether together what"))) {
        return true;
    }
    constexpr std::size_t farthest = 9;
    const std::size_t from = clause_start(sentence, at, farthest);
    for (std::size_t i = from; i + 1 < at; ++i) {
        const bool verb =
            is_any(sentence.word(i),
                   "bagged bought found got grabbed nabbed picked purchased scored snagged");
        const bool can = i > 0 && is_any(sentence.word(i - 1), "be can could being");
        if (verb && !can && is_thing(i + 1, at - 1)) {
            return true;
        }
    }
    return is_any(next, "bought comprada comprado gekauft purchased") && is_thing(from, at - 1);
}

/// What was paid once bounds nothing, unless it is what is weighed.
void drop_what_was_paid(Sentence& sentence) {
    if (sentence.any_word(
            "api approval approved breakeven budget charge cloud cost deal earn even fair overpaid "
            "overpay overpriced "
            "payback price profit "
            "rent rented renting resale resell roi scam sell should steal told worth")) {
        return;
    }
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
        const auto sum = sentence.open(i) ? sum_at(sentence, i) : std::nullopt;
        if (!sum || sum->usd <= 0 || period_at(sentence, sum->end).hours > 0) {
            continue;
        }
        const std::size_t each = of_each_at(sentence, sum->end);
        if (was_paid_for_it(sentence, i, sum->end + each)) {
            sentence.claim(i, sum->end + each - i);
            sentence.assume("price_told", fmt::format("{:g}", sum->usd),
                            "what was paid for it moves no figure");
        }
        i = sum->end - 1;
    }
}

}  // namespace

void take_what_is_left(Sentence& sentence) {
    const std::vector<PlacedSum> sums = sums_of(sentence);
    if (sums.size() != 2) {
        drop_what_was_paid(sentence);
        return;
    }
    const bool share = is_of(sentence, sums[0], sums[1]);
    const bool last_gone = sums[1].gone_by > 0 && sums[0].gone_by == 0;
    const PlacedSum& part = last_gone ? sums[1] : sums[0];
    const PlacedSum& whole = last_gone ? sums[0] : sums[1];
    const bool left = share && (part.left || whole.left);
    if (!left && part.gone_by == 0) {
        return;
    }
    // "$5000 spent, $2000 left": both are told, and what is left is said.
    const bool told = !share && (part.left || whole.left);
    if (!share && !told && !is_gone_of(part, whole)) {
        sentence.claim(part.at, part.sum.end - part.at);
        sentence.claim(part.gone_by - 1);
        return;
    }
    const double rest = left   ? part.sum.usd
                        : told ? (part.left ? part.sum.usd : whole.sum.usd)
                               : whole.sum.usd - part.sum.usd;
    if (rest <= 0 && !share) {
        return;
    }
    if (rest <= 0) {
        sentence.fail(fmt::format("found {} spent of {}, expected less than the sum",
                                  part.sum.written, whole.sum.written),
                      "Name the sum that is left: \"what can I do with $2,000\".");
        return;
    }
    for (const PlacedSum& each : sums) {
        sentence.claim(each.at, each.sum.end - each.at);
        if (each.gone_by > 0) {
            sentence.claim(each.gone_by - 1);
        }
    }
    sentence.reading.budget_usd = std::round(rest * 100) / 100;
    if (!left && !told) {
        sentence.assume("budget_usd", fmt::format("{:g}", *sentence.reading.budget_usd),
                        fmt::format("what is left: {:g} of {:g} dollars are spent", part.sum.usd,
                                    whole.sum.usd));
    }
}

}  // namespace ridgeline::reading
