#include "advise/reading/money/steps.h"
#include "advise/reading/numbers/units.h"
#include "advise/reading/words/sentence.h"

#include <fmt/format.h>

#include <algorithm>

// Hardware that is named for its price: "a cheaper card than an a100", "h100 or cheaper",
// "alternatives to 8 h100 with a lower rent".

namespace ridgeline::reading {
namespace {

/// "cheaper", "less expensive", "costs less", "lower rent" at token i: the tokens of it; 0: none.
std::size_t cheaper_at(const Sentence& sentence, std::size_t i) {
    const std::string_view word = sentence.word(i);
    const std::string_view next =
        sentence.follows(i + 1) ? sentence.word(i + 1) : std::string_view();
    if (word == "cheaper") {
        return 1;
    }
    const bool two = (word == "less" && is_any(next, "expensive costly money per")) ||
                     (is_any(word, "cost costs costing") && next == "less") ||
                     (is_any(word, "lower smaller") && is_any(next, "rent price cost costs bill"));
    return two ? 2 : 0;
}

std::size_t find_cheaper(const Sentence& sentence) {
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
        if (cheaper_at(sentence, i) > 0) {
            return i;
        }
    }
    return sentence.tokens.size();
}

/// "cheaper (card) than an h100": the part stands behind.
bool is_measure(const Sentence& sentence, std::size_t cheaper, const Mention& mention) {
    constexpr std::size_t farthest = 6;
    std::size_t i = cheaper + cheaper_at(sentence, cheaper);
    const std::size_t end = i + farthest;
    while (i < end && sentence.follows(i) && sentence.word(i) != "than") {
        ++i;
    }
    if (!sentence.follows(i) || sentence.word(i) != "than") {
        return false;
    }
    const std::size_t than = i;
    do {
        ++i;
    } while (is_any(sentence.word(i), "a an the one our my single"));
    return than < mention.at && mention.at <= i;  // its article may be the count of it
}

/// "h100 or cheaper", "an a100 or something less expensive".
bool is_bound(const Sentence& sentence, std::size_t cheaper, const Mention& mention) {
    std::size_t i = mention.end;
    if (!sentence.follows(i) || sentence.word(i) != "or") {
        return false;
    }
    do {
        ++i;
    } while (is_any(sentence.word(i), "something anything a any one card gpu"));
    return i == cheaper;
}

/// Whether it is to do the work as fast.
bool keeps_speed(const Sentence& sentence) {
    for (std::size_t i = 0; i + 1 < sentence.tokens.size(); ++i) {
        if (is_any(sentence.word(i), "similar same comparable equal") &&
            is_any(sentence.word(i + 1), "speed performance throughput perf")) {
            return true;
        }
        if (sentence.word(i) == "as" && is_any(sentence.word(i + 1), "fast quick")) {
            return true;
        }
    }
    return false;
}

}  // namespace

void recognise_hourly_limit(Sentence& sentence) {
    constexpr double dearest_hour_usd = 50;
    Reading& reading = sentence.reading;
    const bool rented =
        (sentence.asks("rent provider cloud") || !reading.providers.empty() ||
         sentence.any_word("provider providers anyone anybody")) &&
        sentence.any_word("below under less cheaper max maximum most within beneath up");
    const bool timed =
        sentence.any_word("hours hrs days day week month long train training budget spend total");
    const bool spans = reading.deadline_s || reading.months;
    if (spans || !reading.budget_usd || *reading.budget_usd > dearest_hour_usd || !rented ||
        timed || sentence.mentions.size() != 1 || !reading.model.empty() || reading.kernel) {
        return;
    }
    reading.usd_per_hour = reading.budget_usd;
    reading.budget_usd.reset();
    sentence.assume("usd_per_hour", fmt::format("{:g}", *reading.usd_per_hour),
                    "a limit so small on what is rented was taken as that of an hour");
}

void recognise_cheaper(Sentence& sentence) {
    Reading& reading = sentence.reading;
    const std::size_t cheaper = find_cheaper(sentence);
    // "we pay 12k a month for 4 a10g": what is cheaper costs less than that.
    const bool paid = sentence.any_word("pay paying paid spend spending");
    if (cheaper == sentence.tokens.size() || sentence.mentions.size() != 1 ||
        sentence.asks("own") || (!paid && (reading.usd_per_hour || reading.budget_usd))) {
        return;
    }
    const Mention mention = sentence.mentions.front();
    const bool bound = is_bound(sentence, cheaper, mention);
    const bool measure = is_measure(sentence, cheaper, mention);
    if (sentence.has(Means::versus) && !measure) {
        return;
    }
    // "like an l40s but cheaper", "an h100-like card for less money"
    const bool like = near_words(sentence, mention.at - std::min<std::size_t>(mention.at, 4),
                                 mention.at, "like similar comparable equivalent") ||
                      (sentence.follows(mention.end) && sentence.word(mention.end) == "like");
    // "we use 4 h100, what cheaper gpu would do": what is there stands before it.
    const bool wanted =
        mention.end <= cheaper && sentence.follows(cheaper + 1) &&
        is_any(sentence.word(cheaper + 1),
               "gpu gpus card cards accelerator hardware one ones instance machine box part");
    const bool other = bound || measure || like || wanted ||
                       sentence.any_word("alternative alternatives instead substitute else");
    const bool work = !reading.model.empty() || reading.kernel;
    if (!other || !work || mention.parts.empty() || !mention.machine.empty()) {
        return;
    }
    sentence.claim(cheaper, cheaper_at(sentence, cheaper));
    std::erase_if(sentence.marks, [](const Mark& mark) { return mark.means == Means::versus; });
    for (const Accelerator* part : mention.parts) {
        reading.undercut.parts.push_back(part->id);
    }
    reading.undercut.count = mention.count.value_or(sentence.loose_count.value_or(0));
    reading.undercut.or_same = bound;
    reading.undercut.as_fast = keeps_speed(sentence);
    if (!bound) {
        for (const Accelerator* part : mention.parts) {
            add_once(reading.accelerators_excluded, part->id);
        }
    }
    reading.objective = reading.objective.value_or(Objective::cost);
    sentence.mentions.clear();
}

}  // namespace ridgeline::reading
