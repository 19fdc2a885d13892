#include "advise/reading/money/purchases.h"

#include "advise/hardware/desk.h"
#include "advise/reading/models/shapes.h"
#include "advise/reading/money/sums.h"
#include "advise/reading/numbers/limits.h"
#include "advise/reading/numbers/units.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

// What a sum pays for: the card alone or the computer around it, one card or several.

namespace ridgeline::reading {
namespace {

/// Whether the words from token i on are of a whole computer: "pc", "entire setup", no "workstation
/// cards".
bool is_computer_word(const Sentence& sentence, std::size_t i) {
    const bool of_cards =
        sentence.follows(i + 1) && is_any(sentence.word(i + 1), "card cards gpu gpus class grade");
    if (sentence.word(i) == "machine" &&
        is_any(sentence.word(i + 1), "learning translation vision")) {
        return false;
    }
    if (sentence.one_machine && i > 0 && is_any(sentence.word(i - 1), "one single same")) {
        return false;  // a bound of the plan
    }
    const bool whole = i > 0 && is_any(sentence.word(i - 1), "whole entire complete total full");
    // "a $1500 build for llms", no "build a rig"
    const bool build = sentence.word(i) == "build" && i > 0 &&
                       (has_digit(sentence.word(i - 1)) ||
                        is_any(sentence.word(i - 1), "a $ budget eur usd euro dollar pc")) &&
                       (!sentence.follows(i + 1) || is_any(sentence.word(i + 1), "for to that"));
    const bool all = is_any(sentence.word(i), "incl including included inclusive") &&
                     is_any(sentence.word(i + 1), "everything all");
    return all || build ||
           (!of_cards &&
            (is_any(sentence.word(i),
                    "pc pcs rig workstation computer box desktop tower server machine") ||
             (whole && is_any(sentence.word(i), "system build kit setup"))));
}

/// "a grant of 50k", "75k to be spent on a training server", "capex", "own hardware": the sum is
/// paid for things that stay.
///
/// kinds  the words for them; empty: any
bool pays_for_hardware(const Sentence& sentence, std::string_view kinds) {
    // A grant for a run whose length is told pays for the run.
    const bool granted = sentence.any_word("grant grants award funder") &&
                         !sentence.reading.tokens && !sentence.reading.samples;
    if (sentence.any_word("capex") ||
        (kinds.empty() &&
         (granted || sentence.any_word("equipment ministry procurement procure")))) {
        return true;
    }
    for (std::size_t i = 1; i < sentence.tokens.size(); ++i) {
        if (!is_any(sentence.word(i),
                    !kinds.empty()
                        ? kinds
                        : "hardware gpus gpu cards card server servers workstation workstations "
                          "machine machines kit accelerators accelerator systems")) {
            continue;
        }
        std::size_t at = i;
        while (
            at > 1 && sentence.follows(at) &&
            is_any(
                sentence.word(at - 1),
                "a an the one new own our some gpu ai training deep learning local compute it")) {
            --at;
        }
        const std::string_view before = sentence.word(at - 1);
        if (at < i ? is_any(before, "on for in of into be as")
                   : is_any(before, "on for in into be as buy")) {
            return true;
        }
    }
    return false;
}

}  // namespace

bool buys_a_computer(const Sentence& sentence) {
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
        const bool computer = is_computer_word(sentence, i) &&
                              !is_any(sentence.word(i + 1), "upgrade upgrades upgrading");
        const std::string_view before = i > 0 ? sentence.word(i - 1) : std::string_view();
        const std::string_view two_before = i > 1 ? sentence.word(i - 2) : std::string_view();
        const auto there = [](std::string_view word) {
            return is_any(word, "my our existing current this his her");
        };
        if (computer && !there(before) && !there(two_before)) {
            return true;
        }
    }
    return false;
}

bool weighs_owning(const Sentence& sentence) {
    const bool rents = sentence.any_word(
        "rent renting rental rentals cloud rented lease leasing leased opex hire");
    const bool buys = sentence.any_word(
        "buy buying bought purchase purchasing purchased own owning owned prem premise premises "
        "capex house");
    return (rents && buys) || sentence.any_word(
                                  "tco even breakeven ownership owning amortize amortise amortizes "
                                  "amortises amortized amortised amortization "
                                  "payback roi");
}

/// "what do I order on aws": a cloud rents out what is ordered or bought there.
void order_of_cloud(Sentence& sentence) {
    Reading& reading = sentence.reading;
    const bool chosen = reading.intent == Intent::hardware || reading.intent == Intent::budget;
    const bool shop = sentence.any_word("amazon");  // sells cards too
    if (!reading.buy || reading.providers.empty() || !chosen || shop || reading.home ||
        sentence.has(Means::versus) || sentence.has(Means::either)) {
        return;
    }
    reading.buy = false;
    sentence.assume("buy", "false", reading.providers.front() + " rents out what is ordered there");
}

namespace {

/// "what do used a100s sell for", "what could i sell my 4090 for today": the token of the verb,
/// where what is got for a part is asked; no "sell my 3090 for a 4090", "selling for $500".
std::optional<std::size_t> asks_what_is_got(const Sentence& sentence) {
    bool asked = false;
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
        asked = asked || is_any(sentence.word(i), "what whats") ||
                (is_any(sentence.word(i), "much") && i > 0 && sentence.word(i - 1) == "how");
        if (!asked || !is_any(sentence.word(i), "sell sells selling sold resell fetch fetches")) {
            continue;
        }
        for (std::size_t k = i + 1; k < i + 6 && sentence.follows(k); ++k) {
            const bool ends = !sentence.follows(k + 1) ||
                              is_any(sentence.word(k + 1),
                                     "used new second secondhand refurbished now today these "
                                     "nowadays currently on at here");
            if (is_any(sentence.word(k), "for at") && ends) {
                return i;
            }
        }
        if (is_any(sentence.word(i), "fetch fetches") && !sentence.follows(i + 1)) {
            return i;  // "what does a used 3090 fetch"
        }
    }
    return std::nullopt;
}

/// "what is a 5090 going for", "what do used a100s sell for": what is paid for the thing itself.
void fill_going_price(Sentence& sentence) {
    Reading& reading = sentence.reading;
    if (reading.intent != Intent::price || !reading.price_kind.empty() || reading.buy ||
        reading.deadline_s || reading.months || !reading.providers.empty() ||
        sentence.asks("rent cloud per_hour per_month")) {
        return;
    }
    bool goes = asks_what_is_got(sentence).has_value();
    if (goes && reading.owned) {
        ask_for(reading, "used");
    }
    for (std::size_t i = 0; i + 1 < sentence.tokens.size(); ++i) {
        goes = goes || (is_any(sentence.word(i), "going go goes selling sell sells") &&
                        sentence.word(i + 1) == "for" && sentence.follows(i + 1));
    }
    if (goes) {
        reading.price_kind = "purchase";
        reading.buy = true;
    }
}

/// "we have racks with 12 kW each, what do we put in", "10 kW racks in our lab": what stands in
/// racks of one's own is bought.
void fill_own_racks(Sentence& sentence) {
    Reading& reading = sentence.reading;
    const bool chosen = reading.intent == Intent::hardware || reading.intent == Intent::budget;
    const bool rented = !reading.providers.empty() || sentence.asks("rent cloud");
    if (!reading.rack_kw || !chosen || rented || reading.buy) {
        return;
    }
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
        const std::size_t from = clause_start(sentence, i, 5);
        // "our racks", "racks in our lab", "a rack on prem"
        const bool here = is_any(sentence.word(i + 1), "in at of on inside here") &&
                          sentence.follows(i + 1) &&
                          near_words(sentence, i + 1, i + 4, "our my own prem premises here");
        if (is_any(sentence.word(i), "rack racks cabinet cabinets") &&
            (here || near_words(sentence, from, i, "our my own have has got"))) {
            reading.buy = true;
            sentence.assume("buy", "true", "what stands in racks of one's own is bought");
            return;
        }
    }
}

}  // namespace

void recognise_going_prices(Sentence& sentence) {
    const auto verb = asks_what_is_got(sentence);
    if (verb && !sentence.mentions.empty()) {
        sentence.claim(*verb);
        sentence.marks.push_back({Means::ask, "price_of", *verb, 1});
    }
}

std::optional<bool> is_rented(const Sentence& sentence, std::size_t of) {
    const Mention& mention = sentence.mentions[of];
    if (!mention.instance.empty()) {
        return true;
    }
    const std::size_t from = of > 0 ? sentence.mentions[of - 1].end : 0;
    const auto rents = [](std::string_view word) {
        return is_any(word, "rent renting rented rental lease leasing cloud hire hiring hourly");
    };
    const auto buys = [](std::string_view word) {
        return is_any(word, "buy buying bought own owned owning purchase purchasing get getting");
    };
    for (std::size_t i = mention.at; i > from; --i) {
        if (rents(sentence.word(i - 1))) {
            return true;
        }
        if (buys(sentence.word(i - 1))) {
            return false;
        }
    }
    const std::size_t next =
        of + 1 < sentence.mentions.size() ? sentence.mentions[of + 1].at : sentence.tokens.size();
    for (std::size_t i = mention.end; i < std::min(next, mention.end + 4) && sentence.follows(i);
         ++i) {
        if (rents(sentence.word(i))) {
            return true;
        }
        if (is_any(sentence.word(i), "owned bought purchased")) {
            return false;
        }
        if (is_any(sentence.word(i), "or vs versus than")) {
            break;
        }
    }
    return std::nullopt;
}

void count_what_is_owned(Sentence& sentence) {
    auto& both = sentence.mentions;
    if (sentence.reading.intent != Intent::own || both.size() != 2 ||
        both.front().instance.empty() || !both.back().instance.empty() ||
        both.front().parts.empty()) {
        return;
    }
    Mention& rented = both.front();
    Mention& owned = both.back();
    const bool same = std::ranges::all_of(rented.parts, [&](const Accelerator* part) {
        return std::ranges::find(owned.parts, part) != owned.parts.end();
    });
    if (same) {
        owned.parts = rented.parts;
        owned.name = rented.name;
        std::swap(rented, owned);
    }
}

void drop_billed_instance(Sentence& sentence) {
    auto& mentions = sentence.mentions;
    if (sentence.reading.intent != Intent::own || !sentence.reading.usd_per_month ||
        mentions.size() != 2) {
        return;
    }
    const auto rented = [](const Mention& each) {
        return !each.provider.empty() && (!each.machine.empty() || !each.instance.empty());
    };
    const std::size_t at = rented(mentions.front()) ? 0 : 1;
    if (!rented(mentions[at]) || !mentions[1 - at].provider.empty()) {
        return;
    }
    add_once(sentence.reading.providers, mentions[at].provider);
    sentence.assume("rented", mentions[at].name + " of " + mentions[at].provider,
                    "what is paid a month is what renting costs");
    mentions.erase(mentions.begin() + static_cast<std::ptrdiff_t>(at));
}

/// "dgx spark ($4k) vs a mac studio": what one side costs is no limit for both.
void drop_price_of_side(Sentence& sentence) {
    Reading& reading = sentence.reading;
    if (reading.intent != Intent::compare || !reading.budget_usd || sentence.mentions.size() < 2) {
        return;
    }
    for (const Mention& each : sentence.mentions) {
        const bool apart = each.end < sentence.tokens.size() &&
                           sentence.tokens[each.end].gap == Gap::paren && !sentence.open(each.end);
        // Of "(128gb) ... under $4000" the bracket holds no sum.
        const auto measure = apart ? measure_at(sentence, each.end) : std::nullopt;
        const bool sum = apart && currency_of(sentence.word(each.end)) != nullptr;
        const bool same =
            measure &&
            (currency_of(measure->unit) != nullptr ||
             (measure->unit.empty() && std::abs(measure->value - *reading.budget_usd) < 1));
        if (sum || same) {
            sentence.assume("price_told", fmt::format("{:g}", *reading.budget_usd),
                            "what one side was said to cost is no limit of the sum");
            reading.budget_usd.reset();
            return;
        }
    }
}

/// A sum between a side and what parts it from the next: "3090 ~ 700", "a v100 for $500 or"; 0:
/// there is none, or a limit.
struct PriceBehind {
    double usd = 0;
    std::size_t at = 0;
    std::size_t length = 0;
};
PriceBehind price_behind(const Sentence& sentence, const Mention& side, std::size_t next) {
    constexpr double least = 50;
    constexpr std::size_t farthest = 8;
    for (std::size_t i = side.end; i < std::min(next, side.end + farthest); ++i) {
        const std::string_view word = sentence.word(i);
        const bool apart = i > side.end && sentence.tokens[i].gap == Gap::stop;
        if (apart || is_any(word, "or vs versus and against than")) {
            break;
        }
        const auto measure = measure_at(sentence, i);
        const bool plain = measure && !measure->negative && measure->value >= least &&
                           (measure->unit.empty() || currency_of(measure->unit) != nullptr) &&
                           !parameters_in(word);  // "for 32b"
        if (!plain || is_most(sentence, i, i + measure->length)) {
            continue;
        }
        std::size_t end = i + measure->length;
        const std::size_t sign = sentence.text.find_last_not_of(' ', sentence.tokens[i].begin - 1);
        const bool about = sign != std::string::npos && sentence.text[sign] == '~';
        const Currency* currency = currency_of(measure->unit);
        currency = currency == nullptr && i > 0 ? currency_of(sentence.word(i - 1)) : currency;
        currency = currency == nullptr && sentence.follows(end) ? currency_of(sentence.word(end))
                                                                : currency;
        const bool money = currency != nullptr;
        const bool priced =
            money || about || is_any(sentence.word(i - 1), "for at @ is costs cost");
        end += sentence.follows(end) && currency_of(sentence.word(end)) != nullptr ? 1 : 0;
        // "for 700 bucks still better than": a currency ends the sum, where no rent or part
        // follows.
        const bool whole = money && end < sentence.tokens.size() &&
                           sentence.tokens[end].gap != Gap::slash &&
                           !is_any(sentence.word(end),
                                   "more less extra cheaper dearer total in all together left per "
                                   "a an month monthly hour hourly budget max");
        const bool ends =
            whole || end >= sentence.tokens.size() || sentence.tokens[end].gap == Gap::stop ||
            sentence.tokens[end].gap == Gap::paren || end == next ||
            is_any(sentence.word(end), "or vs versus and against each used new for to");
        if (priced && ends) {
            return {measure->value * (money ? currency->usd : 1), i, end - i};
        }
    }
    return {};
}

/// "a v100 ~ 500 usd or a 3090 ~ 700": each side has its price, and no sum bounds both.
void take_prices_of_sides(Sentence& sentence) {
    Reading& reading = sentence.reading;
    const auto& mentions = sentence.mentions;
    if (reading.intent != Intent::compare || mentions.size() < 2) {
        return;
    }
    std::vector<PriceBehind> prices;
    for (std::size_t k = 0; k < mentions.size(); ++k) {
        prices.push_back(
            price_behind(sentence, mentions[k],
                         k + 1 < mentions.size() ? mentions[k + 1].at : sentence.tokens.size()));
    }
    // A sum behind the last alone may bound all of them: "4090 or 3090 for 700".
    const bool each = std::all_of(prices.begin(), prices.end() - 1,
                                  [](const PriceBehind& price) { return price.usd > 0; });
    if (!each) {
        return;
    }
    std::string words;
    for (std::size_t k = 0; k < prices.size(); ++k) {
        for (ReadSide& side : reading.sides) {
            if (prices[k].usd > 0 && side.accelerator == mentions[k].name &&
                side.count == mentions[k].count) {
                const bool of_each = sentence.word(prices[k].at + prices[k].length) == "each";
                side.usd_told = prices[k].usd * (of_each ? side.count.value_or(1) : 1);
                sentence.claim(prices[k].at, prices[k].length + (of_each ? 1 : 0));
                std::erase(reading.not_understood, std::string(sentence.word(prices[k].at)));
                words += fmt::format("{}{:g} for {}", words.empty() ? "" : ", ", side.usd_told,
                                     mentions[k].name);
            }
        }
    }
    const bool bounds = std::ranges::any_of(prices, [&](const PriceBehind& price) {
        return reading.budget_usd && std::abs(price.usd - *reading.budget_usd) < 1;
    });
    if (!words.empty()) {
        reading.buy = true;
        sentence.assume("price_told", words, "what each side was said to cost, no limit");
    }
    if (bounds) {
        reading.budget_usd.reset();
    }
}

/// "got a used 3090 for 650": what was paid for what is there moves nothing.
void drop_price_paid(Sentence& sentence) {
    Reading& reading = sentence.reading;
    if (!reading.owned || sentence.mentions.size() != 1 || reading.intent == Intent::own ||
        reading.budget_usd) {
        return;
    }
    const PriceBehind price =
        price_behind(sentence, sentence.mentions.front(), sentence.tokens.size());
    const std::string word(sentence.word(price.at));
    const auto unread = std::ranges::find(reading.not_understood, word);
    if (price.usd > 0 && unread != reading.not_understood.end()) {
        reading.not_understood.erase(unread);
        sentence.claim(price.at, price.length);
        sentence.assume("price_told", fmt::format("{:g}", price.usd),
                        "what was paid for it moves no figure");
    }
}

/// "300 dollars of cloud", "$2000 of rented gpus": the sum rents, as credits do.
static bool pays_rent(const Sentence& sentence) {
    if (sentence.asks("rent cloud") || sentence.any_word("rented")) {
        return true;
    }
    for (std::size_t i = 1; i < sentence.tokens.size(); ++i) {  // "20k of compute"
        if (sentence.word(i) == "compute" && sentence.follows(i) &&
            (is_any(sentence.word(i - 1), "of in") ||
             is_any(sentence.word(i + 1), "grant credit credits budget"))) {
            return true;
        }
    }
    return pays_for_time_on(sentence);
}

/// "what card for $500": one of them.
static void take_one_card(Sentence& sentence) {
    Reading& reading = sentence.reading;
    bool one = false;
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {  // "a gpu server" holds several
        one = one || sentence.word(i) == "card" ||
              (sentence.word(i) == "gpu" &&
               !is_any(sentence.word(i + 1), "server servers node box machine workstation rig"));
    }
    one = one && !sentence.any_word("gpus cards");
    const bool open = !reading.count && !reading.max_count && reading.model.empty();
    if (one && open && reading.intent == Intent::budget) {
        reading.max_count = 1;
        sentence.assume("max_count", "1", "one card is asked for; \"gpus\" weighs several");
    }
}

/// "transcribe 50,000 hours, fastest under $2000": a job that ends, and no hardware to be had.
static bool pays_for_job(const Sentence& sentence) {
    const Reading& reading = sentence.reading;
    return reading.budget_usd && reading.audio_s && !reading.usd_per_month && !reading.buy &&
           !reading.home && reading.accelerators.empty() && !reading.deadline_s &&
           !sentence.any_word(
               "gpu gpus card cards pc computer machine box server workstation rig "
               "build hardware setup laptop mac desktop buy purchase own");
}

/// "amd cards rented", "renting a 7900 xtx": of parts that no listed provider lets the rent is no
/// condition, which would leave nothing.
static void drop_rent_of_what_nobody_lets(Sentence& sentence) {
    Reading& reading = sentence.reading;
    const bool builds = std::ranges::any_of(reading.require,
                                            [](const std::string& each) { return is_build(each); });
    if (!reading.rented_only ||
        (reading.accelerators.empty() && reading.vendors.empty() && !builds)) {
        return;
    }
    const Catalog& catalog = sentence.vocabulary.catalog;
    const auto wanted = [&](const Accelerator& part) {
        return (reading.accelerators.empty() ||
                std::ranges::find(reading.accelerators, part.id) != reading.accelerators.end()) &&
               (reading.vendors.empty() ||
                std::ranges::find(reading.vendors, part.vendor) != reading.vendors.end()) &&
               std::ranges::all_of(reading.require, [&](const std::string& build) {
                   return !is_build(build) || is_built_as(part, build);
               });
    };
    const bool let = std::ranges::any_of(catalog.offers, [&](const Offer& offer) {
        const Accelerator* part = catalog.accelerator(offer.accelerator);
        return part != nullptr && wanted(*part);
    });
    if (!let) {
        reading.rented_only = false;
        sentence.assume("rented_only", "false", "no listed provider lets such a part");
    }
}

void settle_purchase(Sentence& sentence) {
    drop_price_of_side(sentence);
    drop_price_paid(sentence);
    take_prices_of_sides(sentence);
    Reading& reading = sentence.reading;
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
        if (sentence.word(i) == "capex" && sentence.open(i)) {
            sentence.claim(i);
        }
    }
    order_of_cloud(sentence);
    // "$100 a month for 300 hours of audio a month": the sum pays for that work, not for all hours.
    if (reading.usd_per_month && reading.audio_s && reading.deadline_s && !reading.buy) {
        reading.budget_usd = reading.usd_per_month;
        reading.usd_per_month.reset();
        reading.usd_per_hour.reset();
        forget_assumed(reading, "usd_per_hour");
        reading.intent = reading.intent == Intent::budget ? Intent::hardware : reading.intent;
        reading.rents = true;
        sentence.assume("budget_usd", fmt::format("{:g}", *reading.budget_usd),
                        "for the work of a month, which fills few of its hours");
        return;
    }
    fill_going_price(sentence);
    fill_own_racks(sentence);
    const bool either = sentence.has(Means::either) || sentence.has(Means::versus);
    if (reading.owned && either && sentence.asks("rent cloud") && reading.intent == Intent::fit) {
        ask_for(reading, "own_or_rent");  // "rent or my 3060"
    }
    // "on rented gpus": what nobody lets is no answer.
    bool rented_word = false;
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
        rented_word = rented_word || (is_any(sentence.word(i), "rented rental") &&
                                      (i == 0 || !is_any(sentence.word(i - 1), "not no never")));
    }
    reading.rented_only = (sentence.asks("rent") || rented_word) && !either && !reading.owned &&
                          !reading.buy && !reading.home && !sentence.asks("own on_prem buy");
    drop_rent_of_what_nobody_lets(sentence);
    if (!reading.budget_usd || reading.usd_per_hour || reading.usd_per_month) {
        return;
    }
    const bool lets = pays_rent(sentence);
    const bool run = reading.tokens || reading.samples;
    if (reading.intent == Intent::budget && reading.task == Task::train && run &&
        !reading.model.empty() && !reading.objective && !reading.deadline_s && !reading.buy &&
        has_to_spend(sentence)) {
        reading.objective = Objective::time;
        sentence.assume("objective", "time",
                        "the sum is there to be spent: the fastest that was found within it");
    }
    const bool stays = sentence.asks("own on_prem buy") || reading.home || reading.owned ||
                       sentence.any_word("own owned buy buying purchase or vs versus");
    reading.credits = reading.credits || (lets && !stays);
    if (reading.credits) {
        return;
    }
    reading.rents = sentence.asks("rent cloud") || pays_for_job(sentence);
    // "own server or cloud for it within 10k": what the sum buys, and what renting in its place
    // comes to.
    const bool here =
        sentence.asks("own on_prem buy") || sentence.any_word("own owned buy buying purchase");
    const bool weighed = sentence.asks("own") || (reading.rents && either && here);
    if (weighed && reading.intent == Intent::budget && !reading.model.empty() &&
        reading.accelerators.empty()) {
        reading.rents = false;
        reading.buy = true;
        ask_for(reading, "own_or_rent");
    }
    const bool whole = std::ranges::find(reading.require, "computer") != reading.require.end();
    if (!reading.owned && !whole && buys_a_computer(sentence)) {
        ask_for(reading, "computer");
    }
    const bool rented = reading.rents || !reading.providers.empty() || !reading.price_kind.empty();
    const bool for_hardware =
        reading.task == Task::train
            ? pays_for_hardware(sentence, "") || !reading.replaced.empty()
            : !reading.months && !reading.deadline_s && reading.intent == Intent::budget &&
                  pays_for_hardware(sentence, "server servers workstation machine box rig");
    if (!reading.buy && !rented && for_hardware && reading.accelerators.empty()) {
        reading.buy = true;
        sentence.assume("buy", "true",
                        "the sum is spoken of as one for hardware: what it buys is answered");
    }
    take_one_card(sentence);
}

}  // namespace ridgeline::reading
