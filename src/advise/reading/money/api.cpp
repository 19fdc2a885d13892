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
///
/// api  an API is spoken of: "/M input" is of tokens, of what else
std::pair<double, std::size_t> tokens_bought(const Sentence& sentence, std::size_t at, bool api) {
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
    const std::size_t side = i;
    while (length > 0 && is_any(sentence.word(i), "output input generated total")) {
        ++i;
    }
    if (api && !is_any(sentence.word(i), "token tokens tok toks")) {
        i = side;  // "/M input": the side is told by it
    }
    const bool counted =
        length > 0 && sentence.follows(i) && is_any(sentence.word(i), "token tokens tok toks");
    if (api && length > 0 && !counted && tokens == 1e6) {
        return {tokens, i - at};
    }
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

/// "want to spend", "would I pay", and no "have to pay": money that is not paid yet.
bool is_wish_to_pay(const Sentence& sentence, std::size_t at) {
    if (!is_any(sentence.word(at), "pay spend") || at == 0) {
        return false;
    }
    const std::string_view before = sentence.word(at - 1);
    const std::string_view second = at > 1 ? sentence.word(at - 2) : std::string_view();
    constexpr std::string_view modal = "would will can could should might may";
    return before == "to" ? !is_any(second, "have has had got")
                          : is_any(before, modal) ||
                                (is_any(before, "i we you one they") && is_any(second, modal));
}

/// Whether a sum without a period is one that is paid: a bill is named, or paying that is no wish.
bool is_bill(const Sentence& sentence, std::size_t from, std::size_t at) {
    bool paid = sentence.any_word(
        "bill bills invoice invoices pays paying paid spends spending "
        "spent charged");
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
        const bool wish = is_wish_to_pay(sentence, i);
        if (wish && i >= from && i < at) {
            return false;  // what is to be spent is this sum
        }
        paid = paid || (!wish && is_any(sentence.word(i), "pay spend"));
    }
    return paid;
}

/// "$30000 of hardware", "$2000 for a gpu": what the sum buys is no token.
bool buys_hardware(const Sentence& sentence, std::size_t at) {
    if (!sentence.follows(at) || !is_any(sentence.word(at), "of for on in")) {
        return false;
    }
    const std::size_t noun = at + (is_any(sentence.word(at + 1), "a the new own our my") ? 2 : 1);
    return sentence.follows(noun) &&
           is_any(sentence.word(noun), "hardware gpu gpus card cards server servers");
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
    constexpr double least_bill = 20;  // a million tokens cost less
    const bool bill = period.hours == 0 && sum.usd >= least_bill && is_bill(sentence, from, at);
    if ((period.hours < 24 && !bill) || period.of_one || built ||
        !(is_near_api(sentence, from, at) || is_near_api(sentence, end, end + 4))) {
        return false;
    }
    if (bill) {
        sentence.assume("api_usd_per_month", fmt::format("{:.6g}", sum.usd),
                        "a bill without a period is that of a month");
    }
    sentence.reading.api_usd_per_month = sum.usd * (bill ? 1 : hours_of_month / period.hours);
    sentence.claim(at, sum.end - at);
    claim_period(sentence, sum.end, period);
    ask_for_price(sentence, at, true);
    return true;
}

/// Whether a slash stands between token `at` and the one before it, with spaces around it or not.
bool parted_by_slash(const Sentence& sentence, std::size_t at) {
    if (at == 0 || at >= sentence.tokens.size()) {
        return false;
    }
    const std::size_t from = sentence.tokens[at - 1].end;
    const std::size_t to = std::max(from, sentence.tokens[at].begin);
    return std::string_view(sentence.text).substr(from, to - from).find('/') !=
           std::string_view::npos;
}

/// "$0.15 / $0.60": what is read, then what is written; false: no second sum stands there.
bool take_pair(Sentence& sentence, std::size_t at, const Sum& sum) {
    const auto written =
        parted_by_slash(sentence, sum.end) ? sum_at(sentence, sum.end) : std::nullopt;
    if (!written) {
        return false;
    }
    sentence.reading.usd_per_million_read = sum.usd;
    sentence.reading.usd_per_million = written->usd;
    sentence.assume("usd_per_million",
                    fmt::format("{:g} read, {:g} written", sum.usd, written->usd),
                    "an API's prices are those of a million tokens");
    ask_for_price(sentence, at, true);
    sentence.claim(at, written->end - at);
    return true;
}

/// "$0.025 per image": no price of tokens, and none that is weighed.
bool drop_price_of_work(Sentence& sentence, std::size_t at, const Sum& sum) {
    const bool slash = parted_by_slash(sentence, sum.end);
    const std::size_t noun = sum.end + (slash ? 0 : 1);
    if (!(slash || is_any(sentence.word(sum.end), "per a an each")) ||
        !is_any(sentence.word(noun), "image picture pic video clip minute min request call page")) {
        return false;
    }
    sentence.reading.not_understood.push_back(
        fmt::format("${:g} per {}", sum.usd, sentence.word(noun)));
    sentence.claim(at, noun + 1 - at);
    return true;
}

}  // namespace

bool is_price_of_api(const Sentence& sentence, std::size_t at) {
    constexpr std::size_t farthest = 4;
    return is_near_api(sentence, clause_start(sentence, at, farthest), at);
}

bool is_priced_side(const Sentence& sentence, std::size_t at) {
    return sentence.word(at).find('.') != std::string_view::npos &&
           !side_of_price(sentence, at + 1).empty() && names_api(sentence);
}

bool is_price_of_tokens(const Sentence& sentence, std::size_t end) {
    return names_api(sentence) && tokens_bought(sentence, end, false).second > 0;
}

bool is_bill_of_api(const Sentence& sentence, std::size_t at, std::size_t end) {
    constexpr std::size_t farthest = 4;
    constexpr double days = 24 * 28;
    return period_at(sentence, end).hours >= days &&
           is_near_api(sentence, clause_start(sentence, at, farthest), at);
}

bool ask_price_of_tokens(Sentence& sentence, std::size_t at) {
    const bool slash =
        currency_of(sentence.word(at)) != nullptr && parted_by_slash(sentence, at + 1);
    const std::size_t noun = at + (sentence.word(at + 2).starts_with("tok") ? 2 : 3);
    const bool side = is_any(sentence.word(at + 2), "output input generated");
    // "lowest $/M tokens" is an aim.
    const bool aim =
        at > 0 && is_any(sentence.word(at - 1), "lowest cheapest best least lower minimum per");
    if (!slash || aim || !is_any(sentence.word(at + 1), "1m m million mtok 1mtok mtokens") ||
        !(sentence.word(at + 1).ends_with("tok") || sentence.word(noun).starts_with("tok"))) {
        return false;
    }
    ask_for_price(sentence, at, false);
    sentence.claim(at, sentence.word(noun).starts_with("tok") && (noun == at + 2 || side)
                           ? noun + 1 - at
                           : std::size_t{2});
    return true;
}

bool take_price_of_api(Sentence& sentence, std::size_t at, const Sum& sum) {
    Reading& reading = sentence.reading;
    const bool api = names_api(sentence);
    const auto [tokens, length] = tokens_bought(sentence, sum.end, api);
    if (length == 0 && buys_hardware(sentence, sum.end)) {
        return false;
    }
    if (length == 0 && api && (take_pair(sentence, at, sum) || take_bill(sentence, at, sum))) {
        return true;
    }
    if (length == 0 && api && drop_price_of_work(sentence, at, sum)) {
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
    // "0.59 in and 0.79 out per million": of both.
    if (length == 0 && is_any(sentence.word(end), "per a /") &&
        is_any(sentence.word(end + 1), "m million 1m mtok")) {
        end += 2;
    }
    for (std::size_t i = sum.end; i < end; ++i) {
        if (is_any(sentence.word(i), "output generated")) {
            ask_for(reading, "per_million_written");
        }
    }
    ask_for_price(sentence, at, api);
    sentence.claim(at, end - at);
    return true;
}

namespace {

/// "openai api or host it ourselves", "claude vs self hosted": an API is a side, its price is not
/// said.
void weigh_unpriced_api(Sentence& sentence) {
    const bool hosts = sentence.any_word(
        "host hosting hosted selfhost selfhosted selfhosting ourselves myself own rent renting");
    if (asks(sentence.reading, "api") || !hosts || !sentence.any_word("or vs versus against") ||
        sentence.any_word("compatible style like")) {
        return;
    }
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
        const bool owner = i + 1 < sentence.tokens.size() &&
                           is_any(sentence.word(i + 1), "lpu oss gpt") &&
                           sentence.tokens[i + 1].gap != Gap::space;
        if (!owner && sentence.open(i) && is_any(sentence.word(i), names_of_apis)) {
            ask_for_price(sentence, i, true);
            return;
        }
    }
}

}  // namespace

void claim_names_of_apis(Sentence& sentence) {
    weigh_unpriced_api(sentence);
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
