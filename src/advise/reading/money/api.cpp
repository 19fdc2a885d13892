#include "advise/reading/money/api.h"

#include "advise/reading/numbers/units.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

// Prices of tokens: what an API asks for a million of them or is paid a month, what one's own may
// cost.

namespace ridgeline::reading {
namespace {

constexpr std::string_view names_of_apis =
    "api apis openai anthropic openrouter groq deepinfra fireworks chatgpt claude gemini";
constexpr std::string_view any_api = "api apis";  // that may be one's own, too

/// "gpt-4o", "gpt4", and no "gpt-oss", "gpt2": a model that is had behind an API alone.
bool is_closed_model(const Sentence& sentence, std::size_t i) {
    const std::string_view word = sentence.word(i);
    if (!word.starts_with("gpt")) {
        return false;
    }
    const std::string_view version = word == "gpt"              ? sentence.word(i + 1)
                                     : word.starts_with("gpt-") ? word.substr(4)
                                                                : word.substr(3);
    return is_any(version.substr(0, 1), "4 5");
}

bool is_near_api(const Sentence& sentence, std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < std::min(to, sentence.tokens.size()); ++i) {
        if (is_any(sentence.word(i), names_of_apis) || is_closed_model(sentence, i)) {
            return true;
        }
    }
    return false;
}

/// Whether an API is spoken of, or hosting a model in the place of one.
bool names_api(const Sentence& sentence) {
    bool hosts = false;
    for (std::size_t i = 1; i < sentence.tokens.size(); ++i) {
        hosts = hosts || (sentence.word(i - 1) == "self" && sentence.word(i).starts_with("host"));
    }
    return hosts || is_near_api(sentence, 0, sentence.tokens.size());
}

/// "per 1M tokens", "/M tokens", "a million tokens", "per 1k tokens", "per mtok": tokens that the
/// sum buys, and the words of it.
std::pair<double, std::size_t> tokens_bought(const Sentence& sentence, std::size_t at) {
    if (!sentence.follows(at)) {
        return {0, 0};
    }
    std::size_t i = at + (is_any(sentence.word(at), "per a for each") ? 1 : 0);
    if (i == at && sentence.tokens[at].gap != Gap::slash) {
        return {0, 0};
    }
    if (is_any(sentence.word(i), "mtok mtoken mtokens")) {
        return {1e6, i + 1 - at};
    }
    double tokens = is_any(sentence.word(i), "m million mil") ? 1e6
                    : is_any(sentence.word(i), "k thousand")  ? 1e3
                                                              : 0;
    std::size_t length = tokens > 0 ? 1 : 0;
    if (const auto measure = length == 0 ? measure_at(sentence, i) : std::nullopt;
        measure && measure->scaled && measure->unit.empty()) {
        tokens = measure->value;
        length = measure->length;
    }
    i += length;
    while (length > 0 && is_any(sentence.word(i), "output input generated total")) {
        ++i;
    }
    const bool counted =
        length > 0 && sentence.follows(i) && is_any(sentence.word(i), "token tokens tok toks");
    return counted && tokens > 0 ? std::pair(tokens, i + 1 - at) : std::pair(0.0, std::size_t{0});
}

/// "in", "input", "out", "completion" behind a price: which tokens it is of; empty: all, or it is a
/// preposition.
std::string_view side_of_price(const Sentence& sentence, std::size_t at) {
    if (!sentence.follows(at)) {
        return {};
    }
    const std::string_view word = sentence.word(at);
    const std::size_t next = at + 1;
    const bool ends = !sentence.follows(next) || sentence.tokens[next].gap == Gap::slash ||
                      is_any(sentence.word(next), "and & $ per vs versus against or compared than");
    return is_any(word, "input inputs prompt prompts") || (word == "in" && ends) ? "in"
           : is_any(word, "output outputs completion completions generated") ||
                   (word == "out" && ends)
               ? "out"
               : "";
}

void ask_for_price(Sentence& sentence, std::size_t at, bool api) {
    sentence.marks.push_back({Means::ask, "per_million", at, 1});
    sentence.marks.push_back({Means::infer, "", at, 1});
    if (api) {
        ask_for(sentence.reading, "api");
    }
}

/// "we pay openai $4k a month", "our api bill is 900 a month": no rent, no budget.
bool take_bill(Sentence& sentence, std::size_t at, const Sum& sum) {
    constexpr std::size_t farthest = 6;
    constexpr double hours_of_month = 730;
    const Period period = period_at(sentence, sum.end);
    const std::size_t end = sum.end + period.length;
    const std::size_t from = clause_start(sentence, at, farthest);
    // "a llama api for $500 a month" is to be built.
    const bool built =
        (near_words(sentence, from, at, any_api) || near_words(sentence, end, end + 4, any_api)) &&
        !sentence.any_word("pay pays paying paid spend spends spending bill bills charge charges");
    if (period.hours < 24 || period.of_one || built ||
        !(is_near_api(sentence, from, at) || is_near_api(sentence, end, end + 4))) {
        return false;
    }
    sentence.reading.api_usd_per_month = sum.usd * hours_of_month / period.hours;
    sentence.claim(at, sum.end - at);
    claim_period(sentence, sum.end, period);
    ask_for_price(sentence, at, true);
    return true;
}

}  // namespace

bool is_price_of_api(const Sentence& sentence, std::size_t at) {
    constexpr std::size_t farthest = 4;
    return is_near_api(sentence, clause_start(sentence, at, farthest), at);
}

bool take_price_of_api(Sentence& sentence, std::size_t at, const Sum& sum) {
    Reading& reading = sentence.reading;
    const auto [tokens, length] = tokens_bought(sentence, sum.end);
    const bool api = names_api(sentence);
    if (length == 0 && api && take_bill(sentence, at, sum)) {
        return true;
    }
    std::size_t end = sum.end + length;
    const std::string_view side = api ? side_of_price(sentence, end) : std::string_view();
    const bool plain = length > 0 || !side.empty() || is_price_of_api(sentence, at);
    if (!plain || period_at(sentence, sum.end).hours > 0) {
        return false;
    }
    const double usd = sum.usd / (tokens > 0 ? tokens : 1e6) * 1e6;
    if (length == 0) {
        sentence.assume("usd_per_million", fmt::format("{:g}", usd),
                        "an API's price is that of a million tokens");
    }
    (side == "in" ? reading.usd_per_million_read : reading.usd_per_million) = usd;
    end += side.empty() ? 0 : 1;
    for (std::size_t i = sum.end; i < end; ++i) {
        if (is_any(sentence.word(i), "output generated")) {
            ask_for(reading, "per_million_written");
        }
    }
    ask_for_price(sentence, at, api);
    sentence.claim(at, end - at);
    return true;
}

void claim_names_of_apis(Sentence& sentence) {
    if (!asks(sentence.reading, "api")) {
        return;
    }
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
        const std::string_view word = sentence.word(i);
        const bool owner = i + 1 < sentence.tokens.size() &&
                           sentence.tokens[i + 1].gap == Gap::slash;  // "openai/gpt-oss-20b"
        if (!sentence.open(i) || owner ||
            !(is_any(word, names_of_apis) || is_closed_model(sentence, i))) {
            continue;
        }
        sentence.claim(i);
        while (sentence.open(i + 1) && sentence.follows(i + 1) &&
               (sentence.word(i) == "gpt" ||
                is_any(sentence.word(i + 1), "mini nano turbo sonnet haiku opus flash pro"))) {
            sentence.claim(++i);
        }
    }
}

}  // namespace ridgeline::reading
