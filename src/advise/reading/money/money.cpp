#include "advise/reading/money/api.h"
#include "advise/reading/money/spent.h"
#include "advise/reading/money/steps.h"
#include "advise/reading/money/sums.h"
#include "advise/reading/numbers/limits.h"
#include "advise/reading/numbers/units.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

// Sums of money: a budget, or what is paid by the hour or the month.

namespace ridgeline::reading {
namespace {

/// "electricity 10 cents", "power costs me 0.35 eur": a price of a kWh without its unit.
bool is_price_of_power(const Sentence& sentence, std::size_t at, const Sum& sum) {
    constexpr double dearest_kwh_usd = 2;
    bool said = false;
    for (std::size_t i = at; i > 0 && at - i < 5 && sentence.tokens[i].gap != Gap::stop; --i) {
        said = said || is_any(sentence.word(i - 1), "electricity electric power energy strom kwh");
    }
    said = said || (sum.usd <= 1 && sentence.any_word("electricity energy power kwh strom"));
    said = said || (sentence.follows(sum.end) &&
                    is_any(sentence.word(sum.end), "electricity power energy strom"));
    return said && sum.usd > 0 && sum.usd <= dearest_kwh_usd &&
           period_at(sentence, sum.end).hours == 0;
}

/// "3500 each", "7000 total", "a total of 7000": whether a sum of several is that of one.
void take_share_of_sum(Sentence& sentence, std::size_t at, std::size_t end) {
    const std::size_t each = of_each_at(sentence, end);
    const std::size_t all = of_all_at(sentence, end);
    const bool before = at > 1 && sentence.word(at - 1) == "of" && sentence.word(at - 2) == "total";
    if (each > 0 || all > 0 || before) {
        sentence.reading.sum_each = each > 0;
    }
    if (each > 0 || (all > 0 && sentence.word(end) != "for")) {
        sentence.claim(end, std::max(each, all));
    }
}

/// "pue 1.3", "a PUE of 1.6"
void take_pue(Sentence& sentence) {
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
        const std::size_t at = i + (is_any(sentence.word(i + 1), "of is") ? 2 : 1);
        const auto number = sentence.word(i) == "pue" ? measure_at(sentence, at) : std::nullopt;
        if (number && number->unit.empty() && number->value >= 1 && number->value <= 5) {
            sentence.reading.pue = number->value;
            sentence.claim(i, at + number->length - i);
        }
    }
}

/// A sum in a currency is answered in it too, at a rate that is told.
void take_currency(Sentence& sentence, const Currency& currency) {
    if (currency.name.empty()) {
        return;
    }
    sentence.reading.currency = currency.name;
    sentence.reading.usd_per_currency = currency.usd;
    sentence.assume("usd_per_" + std::string(currency.name),
                    currency.usd < 0.1 ? fmt::format("{:.4g}", currency.usd)
                                       : fmt::format("{:.4f}", currency.usd),
                    "average of 2024 of the reference rates of the European Central Bank");
}

/// "resale of 50 %", "sells for 40% at the end", "30 percent resale value", "resale value $2000":
/// what is got back, as a share of the price or in dollars.
void take_resale(Sentence& sentence) {
    static constexpr std::string_view names =
        "resale residual resell reselling resold sell sells salvage";
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
        const auto sum = sentence.open(i) ? sum_at(sentence, i) : std::nullopt;
        // "a shop sells the 5090 for $2400": a price, where it is not told when.
        const bool then = near_words(sentence, sum ? sum->end : i, (sum ? sum->end : i) + 5,
                                     "end after afterwards later then");
        const bool got_back =
            sum && sum->usd > 0 && period_at(sentence, sum->end).hours == 0 &&
            (near_words(sentence, clause_start(sentence, i, 4), i,
                        then ? names : "resale residual resell reselling resold salvage") ||
             near_words(sentence, sum->end, sum->end + 2, "resale residual salvage"));
        if (got_back) {
            sentence.reading.resale_usd = sum->usd;
            for (std::size_t k = clause_start(sentence, i, 4); k < i; ++k) {
                if (is_any(sentence.word(k), "sell sells resell")) {
                    sentence.claim(k);
                }
            }
            take_currency(sentence, *sum->currency);
            const std::size_t each = of_each_at(sentence, sum->end);
            sentence.reading.resale_each = each > 0;
            sentence.claim(i, sum->end + each - i);
            continue;
        }
        const auto number = sentence.open(i) ? measure_at(sentence, i) : std::nullopt;
        if (!number || number->value <= 0 || number->value >= 100) {
            continue;
        }
        const std::size_t behind = i + number->length;
        const bool apart = sentence.follows(behind) && is_any(sentence.word(behind), "% percent");
        const std::size_t end = behind + (apart ? 1 : 0);
        const bool share = apart || is_any(number->unit, "% percent");
        if (share && (near_words(sentence, clause_start(sentence, i, 4), i, names) ||
                      near_words(sentence, end, end + 2, names))) {
            sentence.reading.resale = number->value / 100;
            sentence.claim(i, end - i);
        }
    }
}

/// "500 dollars of gpu credits a month": one past what a sum is for, where its period stands.
std::size_t past_use_of_sum(const Sentence& sentence, std::size_t at) {
    constexpr std::size_t most = 4;
    std::size_t i = at;
    bool named = false;  // "$50 in a week" is a sum and a deadline
    while (i < at + most && sentence.follows(i) &&
           is_any(sentence.word(i), "of in for gpu gpus cloud credit credits compute spending")) {
        named = named || !is_any(sentence.word(i), "of in for");
        ++i;
    }
    return named && i > at && !is_any(sentence.word(i - 1), "of in for") ? i : at;
}

/// "$12/8xh100/hr": where the period stands behind hardware that is joined to the sum; `at`:
/// nothing is.
std::size_t past_joined_part(const Sentence& sentence, std::size_t at) {
    constexpr std::size_t most = 6;
    const bool joined = sentence.follows(at) && sentence.tokens[at].gap == Gap::slash;
    for (std::size_t i = at + 1; joined && i < at + most && sentence.follows(i); ++i) {
        const Gap gap = sentence.tokens[i].gap;
        if (gap == Gap::slash && period_at(sentence, i).hours > 0) {
            return i;
        }
        if (gap != Gap::none && gap != Gap::joint) {
            break;
        }
    }
    return at;
}

/// Hourly rents are listed to a hundredth of a cent at the finest.
double rounded_rent(double usd) {
    constexpr double parts = 1e4;
    return std::max(1 / parts, std::round(usd * parts) / parts);
}

void take_sum(Sentence& sentence, std::size_t at, const Sum& sum) {
    if (take_price_of_api(sentence, at, sum)) {
        return;
    }
    if (is_price_of_power(sentence, at, sum) && energy_unit_length(sentence, sum.end) == 0) {
        sentence.reading.usd_per_kwh = sum.usd;
        sentence.assume("usd_per_kwh", fmt::format("{:g}", sum.usd),
                        "a sum so small beside electricity is what a kWh costs");
        take_currency(sentence, *sum.currency);
        sentence.claim(at, sum.end - at);
        return;
    }
    if (const std::size_t length = energy_unit_length(sentence, sum.end); length > 0) {
        sentence.reading.usd_per_kwh = sum.usd;
        take_currency(sentence, *sum.currency);
        sentence.claim(at, sum.end + length - at);
        return;
    }
    if (const RoomUnit room = room_unit_at(sentence, sum.end); room.length > 0 && sum.usd > 0) {
        sentence.reading.usd_per_kw_month = sum.usd / room.months;
        take_currency(sentence, *sum.currency);
        sentence.claim(at, sum.end + room.length - at);
        return;
    }
    Period behind = period_at(sentence, sum.end);
    std::size_t end = sum.end + (behind.hours > 0 ? behind.length : 0);
    sentence.claim(at, sum.end - at);
    if (behind.hours > 0) {
        claim_period(sentence, sum.end, behind);
    }
    if (const std::size_t joined = past_joined_part(sentence, sum.end); joined > sum.end) {
        behind = period_at(sentence, joined);
        behind.of_one = !measure_at(sentence, sum.end);  // "/h100/hr", "/8xh100/hr"
        claim_period(sentence, joined, behind);
    }
    const std::size_t later = past_use_of_sum(sentence, sum.end);
    const Period far = behind.hours > 0 || later == sum.end ? Period{} : period_at(sentence, later);
    constexpr double week_h = 168;
    if (far.hours >= week_h) {
        behind = far;
        end = later + far.length;
        sentence.claim(later, far.length);
    }
    const Period period = behind.hours > 0 ? behind : period_before(sentence, at);
    constexpr double most_usd = 1e12;  // `beyond_sense` refuses answers of more
    if (sum.negative || !(sum.usd > 0) || sum.usd > most_usd) {
        sentence.fail(fmt::format("found a sum of \"{}{}\", expected money above zero, at most a "
                                  "trillion dollars",
                                  sum.negative ? "-" : "", sum.written),
                      "Example: \"what can I do with $2,000\".");
        return;
    }
    Reading& reading = sentence.reading;
    take_currency(sentence, *sum.currency);
    if (period.hours == 0) {
        reading.budget_usd = std::round(sum.usd * 100) / 100;  // whole cents of a converted sum
        take_share_of_sum(sentence, at, end);
    } else if (period.hours == 730) {
        reading.usd_per_month = sum.usd;
        reading.usd_per_hour = rounded_rent(sum.usd / 730);
        sentence.assume("usd_per_hour", fmt::format("{:.4g}", sum.usd / 730),
                        "a month has 730 hours and every one is paid");
    } else {
        reading.usd_per_hour = rounded_rent(sum.usd / period.hours);
        reading.hourly_each = period.of_one;
        reading.hourly_paid =
            !is_most(sentence, at, end) &&
            !near_words(sentence, clause_start(sentence, at, 4), at, "budget spend afford");
        sentence.rents_told.push_back({at, *reading.usd_per_hour, period.of_one});
        if (period.hours > 1) {
            sentence.assume("usd_per_hour", fmt::format("{:.4g}", sum.usd / period.hours),
                            fmt::format("{} hours, every one is paid", period.hours));
        }
    }
}

/// A sum without its currency is one of dollars.
void take_dollars(Sentence& sentence, std::size_t at, const Sum& sum) {
    take_sum(sentence, at, sum);
    if (assumed_of(sentence.reading, "currency") == nullptr) {
        sentence.assume("currency", "usd", "no currency was said");
    }
}

/// "budget 500", "budget of 2k": dollars are what people mean.
void take_budget(Sentence& sentence, std::size_t at) {
    while (is_any(sentence.word(at), "of is max around about up to under")) {
        ++at;
    }
    const auto measure = sentence.follows(at) ? measure_at(sentence, at) : std::nullopt;
    if (measure && measure->unit.empty() && !sum_at(sentence, at) &&
        !parameters_in(sentence.word(at)) && measure->value >= 50 &&
        sentence.word(at + measure->length) != "w" &&
        unit_after_number(sentence, at + measure->length, "").field == Field::none &&
        !is_any(sentence.word(at + measure->length), "gpus gpu cards")) {
        take_dollars(sentence, at,
                     {measure->value, at + measure->length, currency_of("usd"), sentence.word(at),
                      measure->negative});
    }
}

/// "including 19% VAT", "incl tax", "before tax": what is left of the sum for hardware, whose
/// prices are listed without tax.
void take_tax(Sentence& sentence) {
    constexpr std::size_t farthest = 4;
    Reading& reading = sentence.reading;
    for (std::size_t i = 1; i < sentence.tokens.size() && reading.budget_usd; ++i) {
        if (!is_any(sentence.word(i), "vat tax taxes mwst ust tva iva btw gst")) {
            continue;
        }
        double percent = 0;
        std::size_t first = i;
        bool within = false;
        bool known = false;
        for (std::size_t k = i; k > 0 && i - k < farthest; --k) {  // across the stop of "incl."
            const std::string_view word = sentence.word(k - 1);
            const auto number = measure_at(sentence, k - 1);
            within =
                within ||
                is_any(word,
                       "incl including includes included inclusive with inkl after gross brutto");
            known = known || within ||
                    is_any(word, "before excl excluding plus without net netto ex no exkl zzgl");
            if (known || (number && (number->unit == "%" || number->unit == "percent" ||
                                     is_any(sentence.word(k), "% percent")))) {
                first = k - 1;
            }
            percent = number && first == k - 1 && !known ? number->value : percent;
            if (known) {
                break;
            }
        }
        sentence.claim(first, i + 1 - first);
        if (within && percent > 0 && percent < 50) {
            reading.budget_usd = std::round(*reading.budget_usd / (1 + percent / 100) * 100) / 100;
            sentence.assume("tax", fmt::format("{:g} %", percent),
                            "taken off the sum: prices are listed without it");
        } else if (within) {
            sentence.assume("tax", "0",
                            "prices are listed without tax: say its rate, as in \"incl 19% VAT\"");
        }
    }
}

/// "electricity 0.30", "energy cost per month at 0.18": a bare part of one beside what is paid by
/// the kWh; "api price 0.60".
bool is_bare_rate(const Sentence& sentence, std::size_t i, const Measure& measure) {
    constexpr double most = 100;
    if (!measure.unit.empty() || measure.scaled || measure.value <= 0.01 || i == 0) {
        return false;
    }
    if (is_priced_side(sentence, i)) {
        return measure.value < most;
    }
    // "paying 0.60 per million tokens"
    const bool paid = is_any(sentence.word(i - 1),
                             "pay paying pays paid charge charges charged costs cost at for of "
                             "price is asks about around");
    constexpr double least_bill = 5;
    if (paid && measure.value >= least_bill && is_bill_of_api(sentence, i, i + measure.length)) {
        return true;
    }
    if (paid && measure.value < most && is_price_of_tokens(sentence, i + measure.length)) {
        return true;
    }
    if (is_price_of_api(sentence, i)) {
        return measure.value < most &&
               is_any(sentence.word(i - 1), "price at of is costs cost api");
    }
    return measure.value < 1 && sentence.word(i).find('.') != std::string_view::npos &&
           is_any(sentence.word(i - 1),
                  "at @ of is electricity energy power price cost rate strom") &&
           sentence.any_word("electricity energy power strom");
}

/// "price in rand", "how many won per hour": currencies whose names are words of another meaning
/// elsewhere; null: it is none.
const Currency* named_as_currency(const Sentence& sentence, std::size_t i) {
    const std::string_view word = sentence.word(i);
    const std::string_view code = word == "won"    ? "krw"
                                  : word == "rand" ? "zar"
                                  : word == "real" ? "brl"
                                                   : "";
    const std::size_t land = first_of_words(sentence, i, "south korean african brazilian");
    const bool asked = land > 0 && is_any(sentence.word(land - 1), "in many much") &&
                       (!sentence.follows(i + 1) ||
                        is_any(sentence.word(i + 1), "per an a each for is does do to of"));
    return asked && !code.empty() ? currency_of(code) : nullptr;
}

/// "in gbp", "how many euros", "price in pounds", "eur/h", "euro price": a currency without a sum
/// is that of the answer.
bool asks_in_currency(const Sentence& sentence, std::size_t i) {
    if (i > 0 && sentence.word(i - 1) == "per") {
        return false;  // "per dollar": what a sum buys
    }
    if (is_any(sentence.word(i), "cent cents ct $ buck bucks franc pound")) {
        return i > 0 && sentence.word(i - 1) == "in" && !is_any(sentence.word(i), "cent cents ct");
    }
    const bool before =
        i > 0 && is_any(sentence.word(i - 1), "in many much into to of as and plus");
    const bool behind =
        sentence.follows(i + 1) &&
        (is_any(sentence.word(i + 1), "price prices cost costs rate rent rental per an a each") ||
         sentence.tokens[i + 1].gap == Gap::slash);
    const bool last = i + 1 == sentence.tokens.size() && i > 0;
    return before || behind || last;
}

void take_money(Sentence& sentence, std::size_t i) {
    if (ask_price_of_tokens(sentence, i)) {
        return;
    }
    if (const auto bare = measure_at(sentence, i);
        bare && is_bare_rate(sentence, i, *bare) && !sum_at(sentence, i)) {
        take_dollars(sentence, i,
                     {bare->value, i + bare->length, currency_of("usd"), sentence.word(i), false});
        return;
    }
    if (const auto sum = sum_at(sentence, i)) {
        take_sum(sentence, i, *sum);
        return;
    }
    if (const auto sum = bare_sum(sentence, i)) {
        take_dollars(sentence, i, *sum);
        return;
    }
    const Currency* named = named_as_currency(sentence, i);
    const Currency* currency = named != nullptr ? named : currency_of(sentence.word(i));
    if (currency != nullptr && (named != nullptr || asks_in_currency(sentence, i))) {
        const std::size_t land = first_of_words(sentence, i, "south korean african brazilian");
        sentence.claim(land, i + 1 - land);
        take_currency(sentence, *currency);
    } else if (is_any(sentence.word(i), "budget spend grant funding funds")) {
        take_budget(sentence, i + 1);
    }
}

}  // namespace

void recognise_money(Sentence& sentence) {
    take_resale(sentence);
    take_what_is_left(sentence);
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
        if (sentence.open(i)) {
            take_money(sentence, i);
        }
    }
    claim_names_of_apis(sentence);
    take_tax(sentence);
    take_pue(sentence);
}

}  // namespace ridgeline::reading
