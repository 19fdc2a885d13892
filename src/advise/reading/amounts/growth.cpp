#include "advise/reading/amounts/steps.h"
#include "advise/reading/words/sentence.h"

#include <fmt/format.h>

#include <cmath>
#include <string>
#include <string_view>

// A load that is expected to grow: what is asked for is the load it will be.

namespace ridgeline::reading {
namespace {

/// By how much a load grows, and the words that said so.
struct Growth {
    double factor = 1;
    std::size_t from = 0;
    std::size_t end = 0;
};

/// Tokens of "next year", "in a year", "within 6 months", "per year", "later" from token `at` on;
/// 0: none stand there.
std::size_t future_at(const Sentence& sentence, std::size_t at) {
    if (!sentence.follows(at)) {
        return 0;
    }
    if (is_any(sentence.word(at), "later soon yearly annually eventually")) {
        return 1;
    }
    std::size_t i = at;
    while (sentence.follows(i) &&
           is_any(sentence.word(i),
                  "by in within over the next this coming following a an per each "
                  "every few end of")) {
        ++i;
    }
    i += i > at && sentence.follows(i) && all_digits(sentence.word(i)) ? 1 : 0;
    // "within a quarter hour": a burst
    return i > at && sentence.follows(i) &&
                   is_any(sentence.word(i), "year years yr quarter quarters months") &&
                   !is_any(sentence.word(i + 1), "hour hours")
               ? i + 1 - at
               : 0;
}

/// "prices will double next year", "10% extra latency", "5% growth in model size": it is no load
/// that grows.
bool grows_other(const Sentence& sentence, std::size_t from, std::size_t end) {
    constexpr std::string_view others =
        "bill budget cost costs dearer electricity fee fees income latency memory model models "
        "performance power price prices profit rent revenue revenues salaries sales size speed tax "
        "throughput turnover vat vram";
    constexpr std::size_t nearest = 4;
    const std::size_t first = clause_start(sentence, from, nearest);
    for (std::size_t i = first; i < from; ++i) {
        if (is_any(sentence.word(i), others)) {
            return true;
        }
    }
    for (std::size_t i = end; i < end + nearest && sentence.follows(i); ++i) {
        if (is_any(sentence.word(i), others)) {
            return true;
        }
    }
    return false;
}

/// "5% growth a month": how long it goes on was not said.
bool grows_monthly(const Sentence& sentence, std::size_t end) {
    return sentence.follows(end) && is_any(sentence.word(end), "a per each every") &&
           is_any(sentence.word(end + 1), "month week day");
}

/// "+20%", "20 % growth", "growing 20% a year": one past the share is no price and no speed.
Growth share_at(const Sentence& sentence, std::size_t at) {
    const auto measure = measure_at(sentence, at);
    constexpr double most = 1000;
    if (!measure || measure->value <= 0 || measure->value > most || measure->negative) {
        return {};
    }
    std::size_t end = at + measure->length;
    const bool glued = is_any(measure->unit, "% percent pct");
    const bool apart = measure->unit.empty() && sentence.follows(end) &&
                       is_any(sentence.word(end), "% percent pct prozent");
    if (!glued && !apart) {
        return {};
    }
    end += apart ? 1 : 0;
    std::size_t from = at;
    constexpr std::string_view grows =
        "+ plus grow grows growing growth increase increases increasing rise rises rising another "
        "extra";
    while (from > 0 &&
           is_any(sentence.word(from - 1), "by of about around roughly ~ with and to")) {
        --from;
    }
    const bool before = from > 0 && is_any(sentence.word(from - 1), grows);
    from = before ? from - 1 : at;
    const bool behind = sentence.follows(end) &&
                        is_any(sentence.word(end), "growth more extra increase headroom higher");
    end += behind ? 1 : 0;
    const bool other =
        sentence.follows(end) &&
        is_any(sentence.word(end),
               "expensive cheaper dearer faster slower quicker price cost costs power memory vram "
               "tokens performance than tax vat");
    const std::size_t future = other ? 0 : future_at(sentence, end);
    const bool load =
        behind || future > 0 ||
        (sentence.follows(end) && is_any(sentence.word(end), "traffic load demand users requests"));
    return (before || behind) && load && !other && !grows_other(sentence, from, end) &&
                   !grows_monthly(sentence, end)
               ? Growth{1 + measure->value / 100, from, end + future}
               : Growth{};
}

/// "twice as many next year", "doubling in a year", "3x by next year".
Growth multiple_at(const Sentence& sentence, std::size_t at) {
    double factor = is_any(sentence.word(at), "twice double doubles doubling doubled")    ? 2
                    : is_any(sentence.word(at), "triple triples tripling tripled thrice") ? 3
                                                                                          : 0;
    std::size_t end = at + 1;
    if (factor == 0) {
        const auto measure = measure_at(sentence, at);
        const bool times = measure && is_any(measure->unit, "x times");
        const bool apart = measure && measure->unit.empty() &&
                           sentence.follows(at + measure->length) &&
                           is_any(sentence.word(at + measure->length), "x times");
        if ((!times && !apart) || measure->value <= 1 || measure->value > 100) {
            return {};
        }
        factor = measure->value;
        end = at + measure->length + (apart ? 1 : 0);
    }
    while (sentence.follows(end) &&
           is_any(sentence.word(end),
                  "as many much that the of it users requests traffic load expected growth")) {
        ++end;
    }
    const std::size_t future = future_at(sentence, end);
    return future > 0 && !grows_other(sentence, at, end) ? Growth{factor, at, end + future}
                                                         : Growth{};
}

std::string growth_words(double factor) {
    return factor >= 2 ? fmt::format("{:g} times as many", factor)
                       : fmt::format("{:.3g} % more", 100 * (factor - 1));
}

/// Puts the load that will be in the place of today's.
void take_growth(Sentence& sentence, double factor, const std::string& words) {
    Reading& reading = sentence.reading;
    if (reading.requests_per_s) {
        const double today = *reading.requests_per_s;
        reading.requests_per_s = today * factor;
        sentence.assume("requests_per_s", fmt::format("{:.4g}", *reading.requests_per_s),
                        fmt::format("{:.4g} a second of today and {}", today, words));
    }
    if (reading.concurrency) {
        const int today = *reading.concurrency;
        reading.concurrency = static_cast<int>(std::ceil(today * factor - 1e-9));
        sentence.assume("concurrency", std::to_string(*reading.concurrency),
                        fmt::format("{} of today and {}", today, words));
    }
}

}  // namespace

void recognise_growth(Sentence& sentence) {
    if (!sentence.reading.requests_per_s && !sentence.reading.concurrency) {
        return;
    }
    if (sentence.grown > 1) {
        take_growth(sentence, sentence.grown, sentence.grown_words);
        return;
    }
    for (std::size_t at = 0; at < sentence.tokens.size(); ++at) {
        // A share is taken for a number with a unit before, whatever became of it.
        Growth growth = share_at(sentence, at);
        growth = growth.factor > 1 || !sentence.open(at) ? growth : multiple_at(sentence, at);
        if (growth.factor > 1) {
            take_growth(sentence, growth.factor, growth_words(growth.factor));
            sentence.claim(growth.from, growth.end - growth.from);
            return;
        }
    }
}

}  // namespace ridgeline::reading
