#include "advise/reading/money/sums.h"
#include "advise/reading/numbers/limits.h"
#include "advise/reading/numbers/units.h"
#include "advise/reading/words/names.h"

#include <algorithm>
#include <cmath>

// Sums without a currency: a period, a limit, or what they buy tells that the bare number is money.

namespace ridgeline::reading {
namespace {

/// A number without a unit, and one past its scale.
struct Bare {
    Measure measure;
    std::size_t at = 0;
    std::size_t end = 0;
};

bool has_nothing_behind(const Sentence& sentence, std::size_t end, std::string_view words) {
    const std::size_t past = end > 0 ? sentence.tokens[end - 1].end : 0;
    const bool colon = past < sentence.text.size() && sentence.text[past] == ':';
    return colon || end >= sentence.tokens.size() || sentence.tokens[end].gap == Gap::stop ||
           sentence.tokens[end].gap == Gap::paren || is_any(sentence.word(end), words);
}

bool names_hardware(std::string_view word) {
    return is_any(word,
                  "gpu gpus card cards accelerator accelerators hardware pc pcs rig workstation "
                  "machine server servers machines boxes cluster box setup computer build desktop "
                  "system laptop mac macs macbook macbooks one something hw");
}

bool names_payment(std::string_view word) {
    return is_any(word,
                  "spend spending spent pay paying paid quote quoted bought purchased purchasing "
                  "price priced cost costs costing worth buy buying purchase rent renting rents "
                  "rented rental hire hiring "
                  "lease leasing leased afford budget bill charge charges");
}

/// Whether the clause before token `at` speaks of paying.
bool is_paid(const Sentence& sentence, std::size_t at, std::size_t most) {
    for (std::size_t i = clause_start(sentence, at, most); i < at; ++i) {
        if (names_payment(sentence.word(i))) {
            return true;
        }
    }
    return false;
}

/// "2k per month", "12k monthly cloud spend"; "12k monthly users" are people.
bool is_of_long_period(const Sentence& sentence, const Bare& bare, const Period& period) {
    const std::size_t behind = bare.end + period.length;
    const bool spelt = is_any(sentence.word(bare.end), "per a") &&
                       is_any(sentence.word(bare.end + 1), "month year");
    const bool hardware = std::ranges::any_of(sentence.tokens, [&](const Token& token) {
        std::string part = token.text;
        part.resize(part.size() - (part.size() > 3 && part.ends_with('s') ? 1 : 0));
        return sentence.names.parts_by_core.contains(token.text) ||
               sentence.names.parts_by_core.contains(part);
    });
    const bool paid = std::ranges::any_of(
        sentence.tokens, [](const Token& token) { return names_payment(token.text); });
    const bool slashed = sentence.follows(bare.end) &&
                         sentence.tokens[bare.end].gap == Gap::slash &&
                         (paid || hardware || sentence.any_word("money"));
    const bool adverb =
        period.length == 1 && !slashed &&
        has_nothing_behind(sentence, behind,
                           "cloud spend spending budget bill infra cost costs gpu rent rental "
                           "compute for on to max infrastructure hosting limit all total");
    return period.hours >= 730 && bare.measure.value >= 100 && (spelt || slashed || adverb);
}

/// "not above 2.20 an hour", "rent it for 1.5 hourly", "at 2/h max": no time is told so.
bool is_of_an_hour(const Sentence& sentence, const Bare& bare, const Period& period) {
    constexpr double dearest = 1000;
    const std::size_t behind = bare.end + period.length;
    const bool hardware = sentence.follows(bare.end) &&
                          sentence.tokens[bare.end].gap == Gap::slash &&
                          std::ranges::any_of(sentence.tokens, [&](const Token& token) {
                              return sentence.names.parts_by_core.count(token.text) >
                                     0;  // "is 1.99/hr good for an h100"
                          });
    const bool counts = sentence.follows(behind) && sentence.tokens[behind].gap == Gap::space &&
                        unit_after_number(sentence, behind, "").field != Field::none;
    return period.hours == 1 && bare.measure.value <= dearest && !bare.measure.scaled && !counts &&
           (hardware || is_most(sentence, bare.at, behind) || is_paid(sentence, bare.at, 6) ||
            (period.of_one && bare.at > 0 && is_any(sentence.word(bare.at - 1), "at @")));
}

/// "llama 8b on one a100 at 4k": beside a model a power of two is what it runs at, unless a price
/// is spoken of.
bool is_length_of_run(const Sentence& sentence, std::size_t at) {
    const bool model = std::ranges::any_of(sentence.tokens, [](const Token& token) {
        return token.text.ends_with('b') && parameters_in(token.text).has_value();
    });
    return at > 0 && sentence.word(at - 1) == "at" && model &&
           !sentence.any_word(
               "buy buying used new price priced worth sale deal offer sell selling cost costs "
               "budget each") &&
           std::ranges::none_of(sentence.tokens,
                                [](const Token& token) { return names_payment(token.text); });
}

/// Whether the number is a length, a side or the name of a part, whatever bounds it.
bool is_no_sum(const Sentence& sentence, const Bare& bare) {
    constexpr double least = 100;
    constexpr double most = 1e6;
    const Measure& measure = bare.measure;
    const bool length = !measure.kilo && std::fmod(measure.value, 256) == 0;
    const bool round =
        measure.kilo || std::fmod(measure.value, 50) == 0 || is_paid(sentence, bare.at, 6);
    const bool whole = measure.kilo || sentence.word(bare.end - 1) == "thousand" ||
                       (!measure.scaled && all_digits(sentence.word(bare.at)));
    // "a fair price in 2026": a year; "budget in 2000": a round sum, of what is said before it.
    const bool budget =
        bare.at > 1 && sentence.word(bare.at - 2) == "budget" && std::fmod(measure.value, 50) == 0;
    const bool year = !budget && !measure.scaled && measure.value >= 2000 && measure.value < 2100 &&
                      bare.at > 0 && is_any(sentence.word(bare.at - 1), "in since during year");
    if (year) {
        return true;
    }
    for (std::size_t i = clause_start(sentence, bare.at, 4); i < bare.at; ++i) {
        const Field named = name_before_number(sentence, i).field;
        if (named != Field::none && named != Field::no_effect) {
            return true;  // "context of at most 5000"
        }
    }
    const double thousands = measure.value / 1000;
    const bool context = measure.kilo && std::exp2(std::round(std::log2(thousands))) == thousands &&
                         (sentence.any_word("context ctx tokens seq sequence") ||
                          is_length_of_run(sentence, bare.at));
    return !whole || !round || length || context || measure.value < least || measure.value > most ||
           (std::fmod(measure.value, 100) != 0 &&
            sentence.names.parts_by_core.count(std::string(sentence.word(bare.at))) > 0);
}

/// "3000 into a machine", "900 for a used card", "10k to spend": what the number buys stands behind
/// it.
bool buys_what_follows(const Sentence& sentence, const Bare& bare) {
    // "batch at 2k on one 4090": what something is done at is no sum to spend on what follows.
    const bool done_at = bare.at > 0 && is_any(sentence.word(bare.at - 1), "at @ with");
    if (!sentence.follows(bare.end) || done_at) {
        return false;
    }
    if (sentence.word(bare.end) == "to" && is_any(sentence.word(bare.end + 1), "spend invest")) {
        return true;
    }
    constexpr std::size_t farthest = 4;
    const bool first =
        is_any(sentence.word(bare.end), "for on in into towards toward which what to");
    for (std::size_t i = bare.end + 1; first && i < bare.end + farthest && sentence.follows(i);
         ++i) {
        if (names_hardware(sentence.word(i)) ||
            is_any(sentence.word(i), "node nodes cluster servers boxes machines")) {
            return true;
        }
        // "480k for h100 servers"
        if (sentence.names.parts_by_core.contains(std::string(sentence.word(i)))) {
            continue;
        }
        if (!is_any(sentence.word(i),
                    "a an the some any new used one two buy get which what gaming local home ai "
                    "decent good hpc gpu fp64 compute small inference training")) {
            return false;
        }
    }
    return false;
}

/// "a rig for 6k", "cards worth 20k", "buy it for 650": what is bought stands before it.
bool is_bought_for(const Sentence& sentence, const Bare& bare) {
    std::size_t i = bare.at;
    bool joined = false;
    while (i > 0 && sentence.follows(i) &&
           is_any(sentence.word(i - 1),
                  "for at around about of worth ~ a roughly some all in us me")) {
        joined = joined || !is_any(sentence.word(i - 1), "a all in us me");
        --i;
    }
    const std::string_view noun =
        i > 0 && sentence.follows(i) ? sentence.word(i - 1) : std::string_view();
    std::string part(noun);
    if (part.size() > 3 && part.back() == 's') {
        part.pop_back();
    }
    const bool card = sentence.names.parts_by_core.count(part) > 0 || memory_piece(noun) > 0 ||
                      is_any(noun, "ada ti super xt xtx");  // "a used a100 40gb for 3500"
    return (joined && (names_hardware(noun) || card || is_paid(sentence, bare.at, 5))) ||
           is_any(noun, "spend spending pay paying price cost costs invest purchase");
}

bool speaks_of_buying(const Sentence& sentence) {
    return std::ranges::any_of(sentence.tokens, [&](const Token& token) {
        return sentence.names.providers.contains(token.text) || names_hardware(token.text) ||
               names_payment(token.text) ||
               is_any(token.text,
                      "wallet money cheap bang replace replacement upgrade own savings nvidia amd "
                      "intel apple home owner next");
    });
}

/// "50k including 19% VAT", "10000 before tax": what is taxed is money.
bool is_taxed(const Sentence& sentence, const Bare& bare) {
    return bare.measure.value >= 100 &&
           near_words(sentence, bare.end, bare.end + 5, "vat tax taxes mwst ust tva iva btw gst");
}

/// "4k saved up", "2k set aside", "3000 in savings"
bool is_saved(const Sentence& sentence, const Bare& bare) {
    const bool aside =
        is_any(sentence.word(bare.end), "put set laid") && sentence.word(bare.end + 1) == "aside";
    return sentence.follows(bare.end) &&
           (is_any(sentence.word(bare.end), "saved savings burning") || aside ||
            (sentence.word(bare.end) == "in" && sentence.word(bare.end + 1) == "savings"));
}

/// "own cards for 12 artists, 25k": thousands alone at the end, where nothing else is counted in
/// thousands.
bool is_last_word(const Sentence& sentence, const Bare& bare) {
    return bare.end >= sentence.tokens.size() && sentence.tokens[bare.at].gap == Gap::stop &&
           bare.measure.kilo &&
           !sentence.any_word(
               "context ctx tokens token seq sequence length prompt prompts resolution images "
               "samples examples steps");
}

/// "max 2 cards and 30k": the limit of what stands before it goes on.
bool shares_a_limit(const Sentence& sentence, const Bare& bare) {
    constexpr std::size_t farthest = 6;
    return bare.at > 1 && bare.measure.kilo && sentence.follows(bare.at) &&
           is_any(sentence.word(bare.at - 1), "and &") &&
           near_words(sentence, clause_start(sentence, bare.at, farthest), bare.at,
                      "max maximum most limit");
}

/// "19500 for all of them", "7000 per card", "quote for a dgx: 310k": what it is the price of is
/// said, or that it was quoted.
bool is_price_of_lot(const Sentence& sentence, const Bare& bare) {
    const bool lot = sentence.word(bare.end) == "for" && of_all_at(sentence, bare.end) > 0;
    const bool apart = sentence.tokens[bare.at].gap == Gap::paren;  // "2x 5090 (2600 each)"
    const bool each = of_each_at(sentence, bare.end) > (apart ? 0 : 1);
    bool quoted = false;
    for (std::size_t back = 1; back <= std::min<std::size_t>(bare.at, 7); ++back) {
        quoted = quoted || is_any(sentence.word(bare.at - back), "quote quoted quotation");
    }
    return quoted ||
           ((lot || each) && sentence.any_word("own owning owned buy buying bought rent renting "
                                               "purchase paid pay cost costs payback"));
}

/// "3k max", "under 1500", "1600 in total": a sum where the question speaks of buying.
bool is_bare_total(const Sentence& sentence, const Bare& bare) {
    if (is_taxed(sentence, bare) || is_saved(sentence, bare)) {
        return true;
    }
    if (is_no_sum(sentence, bare) || !speaks_of_buying(sentence)) {
        return false;
    }
    if (is_last_word(sentence, bare) || is_price_of_lot(sentence, bare)) {
        return true;
    }
    const std::size_t total = is_any(sentence.word(bare.end), "in all") &&
                                      is_any(sentence.word(bare.end + 1), "total all in included")
                                  ? 2
                                  : 0;
    const bool ends =
        has_nothing_behind(sentence, bare.end + total,
                           "for to that which what in total with all or and max maximum tops limit "
                           "budget cap at is as on if running from including incl "
                           "new used brand into towards when worth good ok each apiece together "
                           "altogether vs versus instead better buy rent");
    return ends && (total > 0 || is_most(sentence, bare.at, bare.end) ||
                    buys_what_follows(sentence, bare) || is_bought_for(sentence, bare) ||
                    shares_a_limit(sentence, bare));
}

/// "A 20k gpu server", "a 5k workstation": one machine of that price, not so many cards.
bool is_priced_machine(const Sentence& sentence, const Bare& bare) {
    std::size_t noun = bare.end;
    while (sentence.follows(noun) && noun < bare.end + 2 &&
           is_any(sentence.word(noun), "gpu ai ml llm inference training deep learning")) {
        ++noun;
    }
    return bare.measure.kilo && sentence.follows(noun) &&
           is_any(sentence.word(noun), "server workstation rig machine box build pc computer") &&
           !is_any(sentence.word(noun + 1), "cluster farm fleet");
}

/// "1.2M capex", "capex of 1.2M, what to buy": millions that stand right beside the word and count
/// nothing ("capex for 10M tokens", "opex of 7b").
bool is_capital(const Sentence& sentence, const Bare& bare) {
    const std::string_view last = sentence.word(bare.end - 1);
    const bool millions =
        bare.measure.value >= 1e6 && (last.ends_with('m') || is_any(last, "million mm mio mn"));
    const std::size_t before = bare.at - std::min<std::size_t>(bare.at, 1);
    const bool of = bare.at > 1 && is_any(sentence.word(before), "of at is");
    const bool beside =
        is_any(sentence.word(bare.end), "capex opex") ||
        (bare.at > 0 && is_any(sentence.word(of ? bare.at - 2 : before), "capex opex") &&
         unit_after_number(sentence, bare.end, "").field == Field::none);
    return millions && beside;
}

}  // namespace

Period period_before(const Sentence& sentence, std::size_t at) {
    constexpr std::size_t farthest = 7;
    bool paid = false;
    for (std::size_t back = 1; back <= farthest && back <= at && sentence.follows(at - back + 1);
         ++back) {
        const std::string_view word = sentence.word(at - back);
        paid = paid || names_payment(word) || is_any(word, "limit cap ceiling rate max maximum");
        const double hours = is_any(word, "hourly") ? 1 : word == "monthly" ? 730 : 0;
        if (hours > 0) {
            return {paid ? hours : 0, paid ? back : 0};
        }
        if (has_digit(word)) {
            return {};
        }
    }
    return {};
}

std::optional<Sum> bare_sum(const Sentence& sentence, std::size_t at) {
    const auto measure = measure_at(sentence, at);
    if (!measure || !measure->unit.empty() || measure->negative) {
        return std::nullopt;
    }
    const Bare bare{*measure, at, at + measure->length};
    const bool grand = measure->scaled && sentence.word(bare.end - 1) == "grand";
    const bool millions = is_capital(sentence, bare);
    const bool thousands = !measure->scaled || measure->kilo || grand || millions;
    const Period period = sentence.follows(bare.end) ? period_at(sentence, bare.end) : Period{};
    const bool energy = energy_unit_length(sentence, bare.end) > 0 && measure->value <= 10;
    // "30k of cloud credits", "100k capex"
    const bool credits =
        measure->kilo && near_words(sentence, bare.end, bare.end + 4, "credit credits capex");
    // "5k of gpu time", "20k worth of h100 compute"
    const bool rents = measure->kilo && is_any(sentence.word(bare.end), "of worth") &&
                       sentence.follows(bare.end) &&
                       near_words(sentence, bare.end, bare.end + 4, "time compute rental rentals");
    const bool spans = period.hours > 0 && (is_of_long_period(sentence, bare, period) ||
                                            is_of_an_hour(sentence, bare, period));
    const bool named =
        period_before(sentence, at).hours > 0 &&
        has_nothing_behind(sentence, bare.end, "for to in on which what max maximum tops limit");
    const bool money = energy || credits || rents || millions || grand || spans || named ||
                       is_priced_machine(sentence, bare) ||
                       (period.hours == 0 && is_bare_total(sentence, bare));
    return thousands && money ? std::optional(Sum{measure->value, bare.end, currency_of("usd"),
                                                  sentence.word(at), false})
                              : std::nullopt;
}

}  // namespace ridgeline::reading
