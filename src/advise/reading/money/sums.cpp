#include "advise/reading/money/sums.h"

#include "advise/reading/words/names.h"

#include <algorithm>

// Numbers with a currency, and what stands behind them: by the hour, for a kWh.

namespace ridgeline::reading {
namespace {

constexpr double usd_per_euro = 1.0824;
constexpr double usd_per_pound = 1.0824 / 0.8466;
/// Others by what a euro was of them in the same averages.
constexpr double dollars(double per_euro) { return usd_per_euro / per_euro; }
constexpr Currency currencies[] = {
    {"$", 1, ""},
    {"usd", 1, ""},
    {"dollar", 1, ""},
    {"dollars", 1, ""},
    {"dolares", 1, ""},
    {"dolar", 1, ""},
    {"dollari", 1, ""},
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
    {"libras", usd_per_pound, "pound"},
    {"livres", usd_per_pound, "pound"},
    {"pfund", usd_per_pound, "pound"},
    {"quid", usd_per_pound, "pound"},
    {"chf", dollars(0.9526), "swiss_franc"},
    {"francs", dollars(0.9526), "swiss_franc"},
    {"franken", dollars(0.9526), "swiss_franc"},
    {"cad", dollars(1.4821), "canadian_dollar"},
    {"aud", dollars(1.6397), "australian_dollar"},
    {"nzd", dollars(1.7880), "new_zealand_dollar"},
    {"sgd", dollars(1.4458), "singapore_dollar"},
    {"hkd", dollars(8.4454), "hong_kong_dollar"},
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
    {"\u00a5", dollars(163.85), "yen"},
    {"cny", dollars(7.7875), "yuan"},
    {"rmb", dollars(7.7875), "yuan"},
    {"yuan", dollars(7.7875), "yuan"},
    {"krw", dollars(1475.40), "won"},
    {"brl", dollars(5.8283), "real"},
    {"reais", dollars(5.8283), "real"},
    {"mxn", dollars(19.8314), "mexican_peso"},
    {"zar", dollars(19.8297), "rand"},
};

/// "pence": the currency of which a hundred of them are one; null: it is no such word.
const Currency* currency_of_hundredths(std::string_view word) {
    return is_any(word, "pence penny") ? currency_of("pound")
           : word == "rappen"          ? currency_of("chf")
           : word == "paise"           ? currency_of("inr")
                                       : nullptr;
}

}  // namespace

const Currency* currency_of(std::string_view word) {
    for (const Currency& currency : currencies) {
        if (currency.word == word) {
            return &currency;
        }
    }
    return nullptr;
}

std::optional<Sum> sum_at(const Sentence& sentence, std::size_t at) {
    // "bang for buck 3060 12gb": such words stand behind their number.
    const bool behind = is_any(sentence.word(at),
                               "buck bucks dollar dollars cent cents ct pence penny rappen paise");
    const Currency* before = behind ? nullptr : currency_of(sentence.word(at));
    const std::size_t number = before != nullptr ? at + 1 : at;
    const auto measure = sentence.open(number) ? measure_at(sentence, number) : std::nullopt;
    if (!measure) {
        return std::nullopt;
    }
    std::size_t end = number + measure->length;
    const Currency* currency = before;
    if (!measure->unit.empty()) {
        const bool hourly =
            sentence.follows(end) && (is_any(sentence.word(end), "an per a hourly") ||
                                      sentence.tokens[end].gap == Gap::slash);
        currency =
            currency_of(measure->unit == "c" && hourly ? std::string_view("cent")
                                                       : measure->unit);  // "500usd", "80c an hour"
    } else if (before == nullptr && sentence.follows(end)) {
        // "200 ct scans": of computed tomography.
        const bool scans =
            sentence.word(end) == "ct" &&
            is_any(sentence.word(end + 1),
                   "scan scans volume volumes image images slice slices study studies exam exams "
                   "dataset datasets series patient patients");
        currency = scans ? nullptr : currency_of(sentence.word(end));
        // "a 5090 ($2600)": the sign is that of the next number.
        const bool of_next = is_any(sentence.word(end), "$ \u20ac \u00a3") &&
                             sentence.tokens[end].gap != Gap::none &&
                             end + 1 < sentence.tokens.size() &&
                             sentence.tokens[end + 1].begin == sentence.tokens[end].end &&
                             has_digit(sentence.word(end + 1));
        currency = of_next ? nullptr : currency;
        currency =
            currency != nullptr || of_next ? currency : currency_of_hundredths(sentence.word(end));
        end += currency != nullptr ? 1 : 0;
    } else if (before != nullptr && sentence.follows(end) && sentence.word(end) != "$" &&
               currency_of(sentence.word(end)) &&
               currency_of(sentence.word(end))->usd == before->usd) {
        ++end;  // "$500 usd"
    }
    if (currency == nullptr || (before != nullptr && !measure->unit.empty())) {
        return std::nullopt;
    }
    // "30 euro cents"
    const bool cents = before == nullptr && currency->usd > 0.1 && sentence.follows(end) &&
                       is_any(sentence.word(end), "cent cents ct");
    end += cents ? 1 : 0;
    const bool parts = cents || is_any(sentence.word(end - 1), "pence penny rappen paise");
    return Sum{measure->value * currency->usd / (parts ? 100 : 1), end, currency,
               sentence.word(number),
               measure->negative || (before != nullptr && sentence.tokens[at].negative)};
}

std::size_t of_each_at(const Sentence& sentence, std::size_t at) {
    const std::string_view word = sentence.follows(at) ? sentence.word(at) : std::string_view();
    const bool per = is_any(word, "per a") && is_any(sentence.word(at + 1), "card gpu piece unit");
    return per ? 2 : is_any(word, "each apiece") ? 1 : 0;
}

std::size_t of_all_at(const Sentence& sentence, std::size_t at) {
    const std::string_view word = sentence.follows(at) ? sentence.word(at) : std::string_view();
    const std::string_view next = sentence.word(at + 1);
    const bool two = (word == "for" && is_any(next, "all both them everything")) ||
                     (word == "in" && is_any(next, "total all"));
    return two ? 2 : is_any(word, "total together altogether combined") ? 1 : 0;
}

namespace {

constexpr std::string_view cards = "gpu card accelerator chip piece unit";

/// "h100", "rtx 4090", "a100 sxm 80gb" from token `at` on: tokens of a part's name; 0: none is
/// there.
std::size_t name_of_part(const Sentence& sentence, std::size_t at) {
    std::size_t i = at;
    bool named = false;
    for (; sentence.follows(i); ++i) {
        const std::string word(sentence.word(i));
        const bool core = std::ranges::any_of(part_pieces(word), [&](const std::string& piece) {
            return sentence.names.parts_by_core.contains(piece);
        });
        const bool beside =
            is_brand(word) || (named && (is_variant(word) || memory_piece(word) > 0 ||
                                         is_any(word, "sxm sxm4 sxm5 pcie nvl")));
        if (!core && !beside) {
            break;
        }
        named = named || core;
    }
    return named ? i - at : 0;
}

}  // namespace

void claim_period(Sentence& sentence, std::size_t at, const Period& period) {
    const auto core_of = [&](std::size_t i) {
        for (const std::string& piece : part_pieces(sentence.word(i))) {
            if (sentence.names.parts_by_core.contains(piece)) {
                return piece;
            }
        }
        return std::string();
    };
    const std::size_t end = at + period.length;
    for (std::size_t i = at; i < end;) {
        const std::size_t name = std::min(name_of_part(sentence, i), end - i);
        bool repeats = name == 0;
        for (std::size_t k = i; k < i + name; ++k) {
            const std::string core = core_of(k);
            for (std::size_t other = 0; other < sentence.tokens.size(); ++other) {
                const bool apart = other < at || other >= end;
                repeats = repeats || (apart && !core.empty() && core_of(other) == core);
            }
        }
        const std::size_t length = std::max<std::size_t>(name, 1);
        if (repeats) {
            sentence.claim(i, length);
        }
        i += length;
    }
}

Period period_at(const Sentence& sentence, std::size_t at) {
    struct Name {
        std::string_view word;
        double hours;
    };
    static constexpr Name names[] = {
        {"hour", 1},    {"hr", 1},        {"h", 1},           {"hourly", 1},
        {"day", 24},    {"daily", 24},    {"week", 168},      {"weekly", 168},
        {"month", 730}, {"mo", 730},      {"monthly", 730},   {"year", 8760},
        {"yr", 8760},   {"yearly", 8760}, {"annually", 8760}, {"annual", 8760},
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
    std::size_t i = at;
    bool of_one = false;
    bool joined = sentence.tokens[at].gap == Gap::slash;
    for (std::size_t length = 1; i < at + 8 && sentence.follows(i) && length > 0; i += length) {
        const bool card = is_any(sentence.word(i), cards);
        const std::size_t part = joined ? name_of_part(sentence, i) : 0;
        length = card || is_any(sentence.word(i), "per a an each every") ? 1 : part;
        of_one = of_one || card || part > 0;
        joined = joined || length > 0;
    }
    // "/gpu-hr" may stand as one word.
    std::string_view name = sentence.word(i);
    for (const std::string_view prefix : {"gpu-", "gpu", "card-"}) {
        if (name.starts_with(prefix) && hours_of(name.substr(prefix.size())) > 0) {
            name.remove_prefix(prefix.size());
            of_one = joined = true;
            break;
        }
    }
    const bool adverb = name.ends_with("ly") || name == "annual";
    const double hours = sentence.follows(i) && (joined || adverb) ? hours_of(name) : 0;
    std::size_t length = hours > 0 ? i + 1 - at : 1;
    for (const std::size_t behind :
         {std::size_t{1}, std::size_t{2}}) {  // "an hour each", "an hour per gpu"
        const std::size_t last = at + length + behind - 1;
        const bool each = behind == 1 ? is_any(sentence.word(last), "each apiece")
                                      : is_any(sentence.word(last - 1), "per a each") &&
                                            is_any(sentence.word(last), cards);
        if (hours > 0 && !of_one && each && sentence.follows(last)) {
            of_one = true;
            length += behind;
        }
    }
    return {hours, length, of_one};
}

std::size_t energy_unit_length(const Sentence& sentence, std::size_t at) {
    if (!sentence.follows(at)) {
        return 0;
    }
    if (is_any(sentence.word(at), "per a each")) {
        return sentence.word(at + 1) == "kwh" ? 2 : 0;
    }
    return sentence.word(at) == "kwh" ? 1 : 0;
}

RoomUnit room_unit_at(const Sentence& sentence, std::size_t at) {
    std::size_t i = at + (is_any(sentence.word(at), "per a each") ? 1 : 0);
    if (!sentence.follows(at) || !is_any(sentence.word(i), "kw kilowatt")) {
        return {};
    }
    ++i;
    const std::size_t name = past_words(sentence, i, "per a each and");
    if (sentence.follows(name) && is_any(sentence.word(name), "month mo monthly months")) {
        return {1, name + 1 - at};
    }
    constexpr double year = 12;
    return sentence.follows(name) && is_any(sentence.word(name), "year yr annually yearly")
               ? RoomUnit{year, name + 1 - at}
               : RoomUnit{1, i - at};
}

}  // namespace ridgeline::reading
