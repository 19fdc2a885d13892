#include "advise/figure_words.h"
#include "advise/hardware/cluster.h"
#include "advise/hardware/desk.h"
#include "advise/hardware/offers.h"
#include "advise/stacks/stored_weights.h"
#include "ask/router.h"
#include "base/lists.h"
#include "base/text.h"
#include "spec/hardware_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

// Hardware that is measured against what is named: faster than it, or below its rent; and what
// narrower weights would save.

namespace ridgeline::ask {

std::string Router::outdo_replaced() {
    constexpr double felt = 1.5;
    constexpr double as_fast = 0.95;  // what estimates do not tell apart
    const bool yardstick =
        reading_.replaced_is_slow || reading_.replaced_by_equal || reading_.replaced_count > 1;
    // By its name, else the first form of the family.
    const auto& parts = world_.catalog.accelerators;
    const auto named = std::ranges::find_if(parts, [&](const Accelerator& each) {
        return each.id == reading_.replaced || is_among(reading_.replaced, each.families);
    });
    const Accelerator* part = named != parts.end() ? &*named : nullptr;
    WorkloadDocument document = asked_.query.workload;
    const auto architecture = completed(document, world_);
    if (part == nullptr || !architecture) {
        return "";
    }
    const Cluster cluster =
        make_cluster(world_.catalog, *part, reading_.replaced_count, 0, nullptr);
    const auto placed = place(knowledge_, with_weights_for(document, *architecture, {cluster}),
                              *architecture, cluster, nullptr);
    if (!placed || !placed->estimate.memory.fits) {
        return "";
    }
    const double rate = placed->estimate.time.work_per_second();
    if (yardstick) {
        asked_.query.least_rate = (reading_.replaced_is_slow ? felt : as_fast) * rate;
    }
    return fmt::format(" What is there, {}, makes {} {}.", cards_words(cluster), figure_words(rate),
                       placed->estimate.time.tokens_per_second > 0 ? "tokens/s" : "samples/s");
}

std::string Router::undercut_price() {
    const Accelerator* named = nullptr;
    std::optional<PurchasePrice> price;
    for (const Accelerator* part : known_parts(reading_.undercut.parts, world_.catalog)) {
        const auto one = purchase_price(world_.catalog, *part);
        if (one && one->current && (!price || one->usd_each < price->usd_each)) {
            price = one;
            named = part;
        }
    }
    if (!price) {
        return " What it costs is not known: nothing is held below it.";
    }
    const int count = std::max(1, reading_.undercut.count);
    const double usd = count * price->usd_each;
    asked_.query.buy = true;
    asked_.query.objective = Objective::price;
    // To the dollar, as it is printed.
    asked_.query.budget_usd = reading_.undercut.or_same ? usd : std::ceil(usd) - 1;
    assume_first(reading_, "budget_usd", format_usd(usd),
                 fmt::format("{} the price of {} x {}, which nobody is known to rent out",
                             reading_.undercut.or_same ? "at most" : "below", count, named->name));
    reading_.flags = flags_of(reading_, asked_.query);
    return fmt::format(" {} x {} itself costs {}.", count, named->name, format_usd(usd));
}

std::string Router::undercut_named() {
    if (reading_.undercut.parts.empty() || asked_.query.budget_usd_per_hour) {
        return "";
    }
    Question named = asked_;
    named.query.accelerators = reading_.undercut.parts;
    named.query.accelerators_excluded.clear();
    if (reading_.undercut.count > 0) {
        named.query.exact_accelerators = reading_.undercut.count;
        named.query.min_accelerators.reset();
        named.query.max_accelerators.reset();  // bounds what is sought
    }
    const auto advice = advice_on(named, world_, AdviceExtent::text);
    if (!advice) {
        return "";
    }
    const Option* least = nullptr;
    for (const Option& option : advice->options) {
        const double rent = option.estimate.cost.usd_per_hour;
        if (rent > 0 && (least == nullptr || rent < least->estimate.cost.usd_per_hour)) {
            least = &option;
        }
    }
    if (least == nullptr) {
        return undercut_price();
    }
    constexpr double below = 0.99;   // as dear is not cheaper
    constexpr double as_fast = 0.9;  // what estimates do not tell apart
    const double rent = least->estimate.cost.usd_per_hour;
    const double rate = least->estimate.time.work_per_second();
    // To the cent, as it is printed.
    asked_.query.budget_usd_per_hour =
        reading_.undercut.or_same ? rent : std::floor(below * rent * 100) / 100;
    asked_.query.least_rate = reading_.undercut.as_fast ? as_fast * rate : asked_.query.least_rate;
    const std::string hardware = cards_words(least->cluster);
    assume_first(reading_, "usd_per_hour", fmt::format("{:.4g}", rent),
                 fmt::format("{} the rent of {}", reading_.undercut.or_same ? "at most" : "below",
                             hardware));
    reading_.flags = flags_of(reading_, asked_.query);
    return fmt::format(" {} itself is {}/h: {} {}.", hardware, format_usd(rent), figure_words(rate),
                       least->estimate.time.tokens_per_second > 0 ? "tokens/s" : "samples/s");
}

std::string Router::in_narrow_weights(const Answer& reply) const {
    constexpr double worth_telling = 0.9;   // of the rent
    constexpr double clearly_faster = 0.8;  // of the time of a token
    const Query& query = asked_.query;
    WorkloadDocument document = query.workload;
    const bool rate = query.requests_per_s.has_value();
    // A sum that is fixed asks how fast, all else what costs least.
    const bool sum = query.budget_usd_per_hour && !rate;
    const bool tokens = asks(reading_, "per_million") && !sum;
    const bool least = !reading_.objective || reading_.objective == Objective::cost || tokens;
    const bool quick = reading_.objective == Objective::time && !rate && !sum;
    const bool served = document.serving && document.serving->concurrency > 1;
    const bool told =
        (rate || sum || quick || (least && served)) && document.task == Task::inference;
    if (!told || query.buy || reading_.counts_samples || !reply.choice ||
        !reply.choice->usd_per_hour) {
        return "";
    }
    const auto architecture = completed(document, world_);
    if (!architecture || !leaves_weights_open(document, *architecture)) {
        return "";
    }
    const auto as_asked = advice_on(asked_, world_, AdviceExtent::options);
    if (!as_asked || as_asked->options.empty()) {
        return "";
    }
    const Option& wide = as_asked->options.front();
    const auto price = [tokens](const Option& option) {
        const auto& cost = option.estimate.cost;
        return tokens ? cost.usd_per_million_tokens : cost.usd_per_hour;
    };
    double lowest = price(wide);
    Seconds fastest = wide.estimate.time.tpot;
    std::string words;
    for (const char* type : {"fp8", "awq-int4"}) {
        const bool four_bits = std::string_view(type) != "fp8";
        if (four_bits ? rate || (quick && served) : sum) {
            continue;  // copies of 4 bits are unpacked for each of many requests
        }
        Question narrower = asked_;
        narrower.query.workload.quantization = type;
        const auto advice = advice_on(narrower, world_, AdviceExtent::options);
        if (!advice || advice->options.empty()) {
            continue;
        }
        const Option& best = advice->options.front();
        const Seconds each = best.estimate.time.tpot;
        const double usd = best.estimate.cost.usd_per_hour;
        const bool faster = (sum || quick) && each < clearly_faster * fastest;
        if (usd <= 0 || !(faster || (!quick && price(best) < worth_telling * lowest))) {
            continue;
        }
        lowest = price(best);
        fastest = quick ? each : fastest;
        const std::string gain =
            rate           ? fmt::format(", {} a day", format_usd(24 * usd))
            : sum || quick ? fmt::format(" at {} tokens/s{}", figure_words(second / each),
                                         served ? " each" : "")
            : tokens       ? fmt::format(", {} a million tokens",
                                         format_usd(best.estimate.cost.usd_per_million_tokens))
                           : std::string();
        words = fmt::format(" With {}-bit weights (--quantization {}) {} x {} at {}/h do{} it{}.",
                            four_bits ? 4 : 8, type, best.cluster.count,
                            short_name(*best.cluster.accelerator), format_usd(usd),
                            best.cluster.count == 1 ? "es" : "", gain);
    }
    return words;
}

std::string Router::cheapest_sold() const {
    Question dearer = asked_;
    dearer.query.buy = true;
    dearer.query.budget_usd.reset();
    dearer.query.objective = Objective::price;
    const auto advice = advice_on(dearer, world_, AdviceExtent::options);
    const Option* best = advice && !advice->options.empty() ? &advice->options.front() : nullptr;
    return best == nullptr || !best->purchase_usd
               ? ""
               : fmt::format(" The cheapest sold that runs it: {} for about {}.",
                             cards_words(best->cluster), format_usd(*best->purchase_usd));
}

void Router::assume_price(const Advice& advice) {
    if (advice.query.buy && !advice.options.empty() && !advice.query.owned) {
        assume_price(advice.options.front().cluster);
    }
}

void Router::assume_price(const Cluster& cluster) {
    const Accelerator& part = *cluster.accelerator;
    const auto price = purchase_price(world_.catalog, part, used_wanted(asked_.query));
    constexpr int oldest_months = 36;
    if (price && !price->current && price->months_old > oldest_months) {
        assume_first(reading_, "price", "not known",
                     fmt::format("the last that is listed is of {}, {} for each", price->date,
                                 format_usd(price->usd_each)));
        return;
    }
    const bool server = price && bought_in_servers(asked_.query, part, cluster.count, price->used);
    if (server) {
        assume_first(reading_, "price", format_usd(price->usd_each),
                     purchase_words(*price) +
                         ", each card; the price of all has the server around them in it");
        return;
    }
    if (price && price->basis == PurchaseBasis::card && !is_one_computer(part)) {
        assume_first(reading_, "price", format_usd(price->usd_each),
                     purchase_words(*price) +
                         (asks(reading_, "computer")
                              ? std::string(cluster.count > 1 ? ", each card" : ", the card")
                              : ", for the card alone: the computer around it is not in it"));
    }
}

}  // namespace ridgeline::ask
