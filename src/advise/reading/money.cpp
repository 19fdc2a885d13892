#include "advise/reading/names.h"
#include "advise/reading/sentence.h"
#include "advise/reading/units.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

// Sums of money: a budget, or what is paid by the hour or the month.

namespace ridgeline::reading {
namespace {

/// Dollars for one unit of a currency: averages of 2024 of the reference rates of the European
/// Central Bank (1 euro is 1.0824 dollars or 0.8466 pounds). A budget is no more exact than that.
struct Currency {
    std::string_view word;
    double usd;
    std::string_view name;
};
constexpr double usd_per_euro = 1.0824;
constexpr double usd_per_pound = 1.0824 / 0.8466;
/// Others by what a euro was of them in the same averages.
constexpr double dollars(double per_euro) {
    return usd_per_euro / per_euro;
}
constexpr Currency currencies[] = {
    {"$", 1, ""},
    {"usd", 1, ""},
    {"dollar", 1, ""},
    {"dollars", 1, ""},
    {"bucks", 1, ""},
    {"buck", 1, ""},
    {"cents", 0.01, ""},
    {"cent", 0.01, ""},
    {"ct", 0.01, ""},
    {"\u20ac", usd_per_euro, "euro"},
    {"eur", usd_per_euro, "euro"},
    {"euro", usd_per_euro, "euro"},
    {"euros", usd_per_euro, "euro"},
    {"\u00a3", usd_per_pound, "pound"},
    {"gbp", usd_per_pound, "pound"},
    {"pound", usd_per_pound, "pound"},
    {"pounds", usd_per_pound, "pound"},
    {"quid", usd_per_pound, "pound"},
    {"chf", dollars(0.9526), "swiss_franc"},
    {"francs", dollars(0.9526), "swiss_franc"},
    {"cad", dollars(1.4821), "canadian_dollar"},
    {"aud", dollars(1.6397), "australian_dollar"},
    {"nzd", dollars(1.7880), "new_zealand_dollar"},
    {"sgd", dollars(1.4458), "singapore_dollar"},
    {"sek", dollars(11.4325), "swedish_krona"},
    {"nok", dollars(11.6290), "norwegian_krone"},
    {"dkk", dollars(7.4589), "danish_krone"},
    {"pln", dollars(4.3058), "zloty"},
    {"zloty", dollars(4.3058), "zloty"},
    {"czk", dollars(25.120), "czech_koruna"},
    {"inr", dollars(90.5563), "rupee"},
    {"rupees", dollars(90.5563), "rupee"},
    {"\u20b9", dollars(90.5563), "rupee"},
    {"jpy", dollars(163.85), "yen"},
    {"yen", dollars(163.85), "yen"},
    {"cny", dollars(7.7875), "yuan"},
    {"rmb", dollars(7.7875), "yuan"},
    {"yuan", dollars(7.7875), "yuan"},
    {"krw", dollars(1475.40), "won"},
    {"brl", dollars(5.8283), "real"},
    {"mxn", dollars(19.8314), "mexican_peso"},
    {"zar", dollars(19.8297), "rand"},
};

const Currency* currency_of(std::string_view word) {
    for (const Currency& currency : currencies) {
        if (currency.word == word) {
            return &currency;
        }
    }
    return nullptr;
}

struct Sum {
    double usd = 0;
    std::size_t end = 0;
    const Currency* currency = nullptr;
    std::string_view written;
    bool negative = false;
};

std::optional<Sum> sum_at(const Sentence& sentence, std::size_t at) {
    // "bang for buck 3060 12gb": such words stand behind their number.
    const bool behind = is_any(sentence.word(at), "buck bucks dollar dollars cent cents ct");
    const Currency* before = behind ? nullptr : currency_of(sentence.word(at));
    const std::size_t number = before != nullptr ? at + 1 : at;
    const auto measure = sentence.open(number) ? measure_at(sentence, number) : std::nullopt;
    if (!measure) {
        return std::nullopt;
    }
    std::size_t end = number + measure->length;
    const Currency* currency = before;
    if (!measure->unit.empty()) {
        const bool hourly = sentence.follows(end) && (is_any(sentence.word(end), "an per a hourly") || sentence.tokens[end].gap == Gap::slash);
        currency = currency_of(measure->unit == "c" && hourly ? std::string_view("cent") : measure->unit);  // "500usd", "80c an hour"
    } else if (before == nullptr && sentence.follows(end)) {
        currency = currency_of(sentence.word(end));
        end += currency != nullptr ? 1 : 0;
        // "is 1.99/hr good": what hardware costs by the hour, in the currency of the lists.
        const bool by_the_hour = currency == nullptr && sentence.tokens[end].gap == Gap::slash && is_any(sentence.word(end), "hr hour");
        const bool hardware = std::any_of(sentence.tokens.begin(), sentence.tokens.end(), [&](const Token& token) {
            return sentence.names.parts_by_core.count(token.text) > 0;
        });
        if (by_the_hour && hardware) {
            currency = std::begin(currencies);
        }
    } else if (before != nullptr && sentence.follows(end) && currency_of(sentence.word(end)) &&
               currency_of(sentence.word(end))->usd == before->usd) {
        ++end;  // "$500 usd"
    }
    if (currency == nullptr || (before != nullptr && !measure->unit.empty())) {
        return std::nullopt;
    }
    return Sum{measure->value * currency->usd,
               end,
               currency,
               sentence.word(number),
               measure->negative || (before != nullptr && sentence.tokens[at].negative)};
}

/// Hours of the period that stands from token `at` on: "per hour", "/h", "a month", "hourly".
struct Period {
    double hours = 0;
    std::size_t length = 0;
};
Period period_at(const Sentence& sentence, std::size_t at) {
    struct Name {
        std::string_view word;
        double hours;
    };
    static constexpr Name names[] = {
        {"hour", 1},
        {"hr", 1},
        {"h", 1},
        {"hourly", 1},
        {"day", 24},
        {"daily", 24},
        {"week", 168},
        {"weekly", 168},
        {"month", 730},
        {"mo", 730},
        {"monthly", 730},
        {"year", 8760},
        {"yr", 8760},
        {"yearly", 8760},
        {"annually", 8760},
        {"annual", 8760},
    };
    const auto hours_of = [](std::string_view word) {
        for (const Name& name : names) {
            if (name.word == word) {
                return name.hours;
            }
        }
        return 0.0;
    };
    if (!sentence.follows(at)) {
        return {};
    }
    const std::size_t before = at > 0 ? sentence.tokens[at - 1].end : 0;
    const std::string_view between =
        std::string_view(sentence.text).substr(before, sentence.tokens[at].begin - before);
    if (between.find('/') != std::string_view::npos) {  // "4$/h" and "4$ /h"
        return {hours_of(sentence.word(at)), 1};
    }
    std::size_t i = at;
    if (is_any(sentence.word(i), "per a an each every gpu")) {
        i += is_any(sentence.word(i + 1), "gpu card") ? 2 : 1;
        return {hours_of(sentence.word(i)), i + 1 - at};
    }
    const bool adverb = sentence.word(i).ends_with("ly") || sentence.word(i) == "annual";
    return {adverb ? hours_of(sentence.word(i)) : 0.0, 1};
}

/// "per kWh", "a kWh", "/kWh": tokens of it from `at` on, 0: there is none.
std::size_t energy_unit_length(const Sentence& sentence, std::size_t at) {
    if (!sentence.follows(at)) {
        return 0;
    }
    if (is_any(sentence.word(at), "per a each")) {
        return sentence.word(at + 1) == "kwh" ? 2 : 0;
    }
    return sentence.word(at) == "kwh" ? 1 : 0;
}

/// "electricity 10 cents", "power costs me 0.35 eur": a price of a kWh without its unit.
bool is_price_of_power(const Sentence& sentence, std::size_t at, const Sum& sum) {
    constexpr double dearest_kwh_usd = 2;
    bool said = false;
    for (std::size_t i = at; i > 0 && at - i < 5 && sentence.tokens[i].gap != Gap::stop; --i) {
        said = said || is_any(sentence.word(i - 1), "electricity electric power energy strom kwh");
    }
    said = said || (sentence.follows(sum.end) && is_any(sentence.word(sum.end), "electricity power energy strom"));
    return said && sum.usd > 0 && sum.usd <= dearest_kwh_usd && period_at(sentence, sum.end).hours == 0;
}

/// "per 1M tokens", "/M tokens", "a million tokens", "per 1k tokens", "per mtok": tokens that the sum buys, and the words of it.
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
    double tokens = is_any(sentence.word(i), "m million mil") ? 1e6 : is_any(sentence.word(i), "k thousand") ? 1e3 : 0;
    std::size_t length = tokens > 0 ? 1 : 0;
    if (const auto measure = length == 0 ? measure_at(sentence, i) : std::nullopt; measure && measure->scaled && measure->unit.empty()) {
        tokens = measure->value;
        length = measure->length;
    }
    i += length;
    while (length > 0 && is_any(sentence.word(i), "output input generated total")) {
        ++i;
    }
    const bool counted = length > 0 && sentence.follows(i) && is_any(sentence.word(i), "token tokens tok toks");
    return counted && tokens > 0 ? std::pair(tokens, i + 1 - at) : std::pair(0.0, std::size_t{0});
}

void take_sum(Sentence& sentence, std::size_t at, const Sum& sum) {
    if (is_price_of_power(sentence, at, sum) && energy_unit_length(sentence, sum.end) == 0) {
        sentence.reading.usd_per_kwh = sum.usd;
        sentence.assume("usd_per_kwh", fmt::format("{:g}", sum.usd), "so little is the price of a kWh");
        sentence.claim(at, sum.end - at);
        return;
    }
    if (const std::size_t length = energy_unit_length(sentence, sum.end); length > 0) {
        sentence.reading.usd_per_kwh = sum.usd;
        sentence.claim(at, sum.end + length - at);
        return;
    }
    if (const auto [tokens, length] = tokens_bought(sentence, sum.end); length > 0) {
        sentence.reading.usd_per_million = sum.usd / tokens * 1e6;
        sentence.marks.push_back({Means::ask, "per_million", at, 1});
        sentence.marks.push_back({Means::infer, "", at, 1});
        sentence.claim(at, sum.end + length - at);
        return;
    }
    const Period period = period_at(sentence, sum.end);
    const std::size_t end = sum.end + (period.hours > 0 ? period.length : 0);
    sentence.claim(at, end - at);
    if (sum.negative || !(sum.usd > 0) || !std::isfinite(sum.usd) || sum.usd > 1e13) {
        sentence.fail(fmt::format("found a sum of \"{}{}\", expected money above zero",
                                  sum.negative ? "-" : "",
                                  sum.written),
                      "Example: \"what can I do with $2,000\".");
        return;
    }
    Reading& reading = sentence.reading;
    if (!sum.currency->name.empty()) {
        sentence.assume("usd_per_" + std::string(sum.currency->name),
                        fmt::format("{:.4f}", sum.currency->usd),
                        "average of 2024 of the reference rates of the European Central Bank");
    }
    if (period.hours == 0) {
        reading.budget_usd = std::round(sum.usd * 100) / 100;  // whole cents of a converted sum
    } else if (period.hours == 730) {
        reading.usd_per_month = sum.usd;
        // Hourly rents are listed to a hundredth of a cent at the finest.
        reading.usd_per_hour = std::max(1e-4, std::round(sum.usd / 730 * 1e4) / 1e4);
        sentence.assume("usd_per_hour",
                        fmt::format("{:.4g}", sum.usd / 730),
                        "a month has 730 hours and every one is paid");
    } else {
        reading.usd_per_hour = sum.usd / period.hours;
        if (period.hours > 1) {
            sentence.assume("usd_per_hour",
                            fmt::format("{:.4g}", sum.usd / period.hours),
                            fmt::format("{} hours, every one is paid", period.hours));
        }
    }
}

bool speaks_of_buying(const Sentence& sentence) {
    return sentence.any_word("budget spend buy bang afford wallet cheap money price purchase workstation server machine rig pc setup computer "
                             "desktop box build") &&
           !sentence.any_word("context ctx tokens seq sequence");
}

/// Whether a clause ends at token `end`, or one of `words` goes on.
bool ends_or_goes_on(const Sentence& sentence, std::size_t end, std::string_view words) {
    return end >= sentence.tokens.size() || sentence.tokens[end].gap == Gap::stop || is_any(sentence.word(end), words);
}

/// "a rig for 6k to finetune 32b", "pc around 2k": what is bought stands before the sum.
bool is_bought_for(const Sentence& sentence, std::size_t at, std::size_t end, const Measure& measure) {
    const std::size_t article = at > 1 && is_any(sentence.word(at - 2), "of at worth about around") ? 1 : 0;
    const bool round = !measure.kilo && measure.value >= 300 && std::fmod(measure.value, 50) == 0;
    return at > 1 + article && sentence.follows(at) && (measure.kilo || round) &&
           is_any(sentence.word(at - 1), "for at around about of under worth ~") &&
           is_any(sentence.word(at - 2 - article), "pc rig build machine workstation server box setup computer desktop system gpu card") &&
           ends_or_goes_on(sentence, end, "for to that which in total with all or max running");
}

/// "for 25k which workstation": money leads, hardware follows.
bool leads_hardware(const Sentence& sentence, std::size_t at, std::size_t end, const Measure& measure) {
    const std::size_t noun = is_any(sentence.word(end), "which what") ? end + 1 : end;
    return at == 1 && measure.kilo && is_any(sentence.word(0), "for with") &&
           is_any(sentence.word(noun),
                  "workstation server machine rig pc computer box build gpu gpus setup hardware");
}

/// "3k max", "2k budget", "under 1500": a limit without a currency, where the question speaks of
/// buying; its tokens, 0 where there is none.
std::size_t bare_sum_length(const Sentence& sentence, std::size_t at) {
    const auto measure = measure_at(sentence, at);
    const bool whole = measure && measure->unit.empty() && !measure->negative &&
                       (measure->kilo || (!measure->scaled && all_digits(sentence.word(at)))) &&
                       measure->value >= 100 && measure->value <= 1e6;
    if (!whole || !speaks_of_buying(sentence)) {
        return 0;
    }
    const std::size_t end = at + measure->length;
    if (is_bought_for(sentence, at, end, *measure) || leads_hardware(sentence, at, end, *measure)) {
        return measure->length;
    }
    if (sentence.follows(end) && is_any(sentence.word(end), "max tops budget maximum")) {
        return measure->length + 1;
    }
    const bool before = at > 0 && sentence.follows(at) && measure->kilo &&
                        is_any(sentence.word(at - 1), "under below max around about than") &&
                        ends_or_goes_on(sentence, end, "for to all in total");
    return before ? measure->length : 0;
}

/// "gpu under 400", "gpu for a home lab under 3000": of a card that is asked for, a limit without a unit is money.
std::size_t price_limit_length(const Sentence& sentence, std::size_t at) {
    const auto measure = measure_at(sentence, at);
    const std::size_t end = at + (measure ? measure->length : 0);
    const bool last = end >= sentence.tokens.size() || sentence.tokens[end].gap == Gap::stop ||
                      is_any(sentence.word(end), "for to that which");
    const bool card =
        at > 1 && is_any(sentence.word(at - 1), "under below") &&
        sentence.any_word("gpu card gpus cards vram accelerator") &&
        !sentence.any_word("context ctx latency ms tokens seq sequence watts watt power users requests ttft parameters params");
    return measure && measure->unit.empty() && !measure->negative && measure->value >= 100 &&
                   measure->value <= 1e5 && last && card
               ? measure->length
               : 0;
}

/// "2k per month", "0.30 per kWh": a period or energy tells that the bare number is money.
std::optional<Sum> unnamed_sum(const Sentence& sentence, std::size_t at) {
    const auto measure = measure_at(sentence, at);
    const std::size_t end = at + (measure ? measure->length : 1);
    const bool grand = measure && sentence.word(end - 1) == "grand" && measure->scaled;
    if (!measure || !measure->unit.empty() || measure->negative ||
        (measure->scaled && !measure->kilo && !grand)) {
        return std::nullopt;
    }
    const bool energy = energy_unit_length(sentence, end) > 0 && measure->value <= 10;
    const bool rent = sentence.follows(end) && is_any(sentence.word(end), "per a") &&
                      is_any(sentence.word(end + 1), "month year") && measure->value >= 100;
    // "12k monthly cloud spend"; "12k monthly users" are people.
    const bool monthly = sentence.follows(end) && is_any(sentence.word(end), "monthly yearly annual annually") && measure->value >= 100 &&
                         (end + 1 >= sentence.tokens.size() || sentence.tokens[end + 1].gap == Gap::stop ||
                          is_any(sentence.word(end + 1), "cloud spend spending budget bill rent rental gpu compute infra cost costs for on to "
                                                         "max infrastructure hosting limit all total"));
    const bool slashed = sentence.follows(end) && sentence.tokens[end].gap == Gap::slash && measure->value >= 100 &&
                         is_any(sentence.word(end), "month mo mth year yr") && sentence.any_word("spend pay budget afford spending money cost bill rent");
    const bool spends = sentence.any_word("spend pay budget afford spending") &&
                        sentence.follows(end) && is_any(sentence.word(end), "per an a") &&
                        is_any(sentence.word(end + 1), "hour hr") && measure->value <= 1000;
    // "i rent 1 h100 at 2.49 an hour"
    const bool rented = at > 0 && is_any(sentence.word(at - 1), "at for @ paying pay") &&
                        sentence.any_word("rent renting rented pay paying rental") && sentence.follows(end) &&
                        is_any(sentence.word(end), "per an a") && is_any(sentence.word(end + 1), "hour hr") && measure->value <= 1000;
    const bool credits = measure->kilo && near_words(sentence, end, end + 4, "credit credits");  // "30k of cloud credits"
    return energy || rent || monthly || slashed || spends || rented || credits || grand
               ? std::optional(Sum{measure->value, end, &currencies[0], sentence.word(at), false})
               : std::nullopt;
}

/// A sum without its currency is one of dollars.
void take_dollars(Sentence& sentence, std::size_t at, const Sum& sum) {
    take_sum(sentence, at, sum);
    sentence.assume("currency", "usd", "no currency was said");
}

/// "in euros": answers stay in dollars.
void tell_currency(Sentence& sentence, std::size_t at, const Currency& currency) {
    sentence.claim(at);
    if (!currency.name.empty()) {
        sentence.reading.currency = currency.name;
        sentence.reading.usd_per_currency = currency.usd;
        sentence.assume("usd_per_" + std::string(currency.name),
                        fmt::format("{:.4f}", currency.usd),
                        "answers are in dollars: the average of 2024 of the European Central Bank");
    }
}

/// "budget 500", "budget of 2k": dollars are what people mean.
void take_budget(Sentence& sentence, std::size_t at) {
    while (is_any(sentence.word(at), "of is max around about up to under")) {
        ++at;
    }
    const auto measure = sentence.follows(at) ? measure_at(sentence, at) : std::nullopt;
    if (measure && measure->unit.empty() && !sum_at(sentence, at) && !parameters_in(sentence.word(at)) &&
        measure->value >= 50 &&
        !is_any(sentence.word(at + measure->length), "gpus gpu cards tokens users")) {
        take_dollars(sentence, at, {measure->value, at + measure->length, &currencies[0], sentence.word(at), measure->negative});
    }
}

void take_money(Sentence& sentence, std::size_t i) {
    if (const auto sum = sum_at(sentence, i)) {
        take_sum(sentence, i, *sum);
        return;
    }
    if (const auto sum = unnamed_sum(sentence, i)) {
        take_dollars(sentence, i, *sum);
        return;
    }
    if (const std::size_t length = std::max(bare_sum_length(sentence, i), price_limit_length(sentence, i))) {
        take_dollars(sentence, i, {measure_at(sentence, i)->value, i + length, &currencies[0], sentence.word(i), false});
        return;
    }
    const Currency* currency = currency_of(sentence.word(i));
    if (currency != nullptr && i > 0 && sentence.word(i - 1) == "in" && !is_any(currency->word, "cent cents ct")) {
        tell_currency(sentence, i, *currency);
    } else if (is_any(sentence.word(i), "budget spend grant funding funds")) {
        take_budget(sentence, i + 1);
    }
}

}  // namespace

void recognise_money(Sentence& sentence) {
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
        if (sentence.open(i)) {
            take_money(sentence, i);
        }
    }
}

}  // namespace ridgeline::reading
