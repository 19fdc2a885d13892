#include "advise/answers/answer.h"
#include "advise/answers/own.h"
#include "advise/answers/rate_words.h"
#include "advise/answers/rents.h"
#include "advise/hardware/cluster.h"
#include "advise/hardware/desk.h"
#include "advise/hardware/offers.h"
#include "ask/router.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

// What a question tells of the place and the price of what is owned.

namespace ridgeline::ask {

void Router::take_price_said(SiteFigures& figures) {
    const double usd = *reading_.budget_usd;
    const int count = reading_.count.value_or(1);
    const Accelerator* part = reading_.accelerators.empty()
                                  ? nullptr
                                  : world_.catalog.accelerator(reading_.accelerators.front());
    const auto listed = part == nullptr ? std::nullopt : purchase_price(world_.catalog, *part);
    // Nobody said whether it is of each: what is nearer to what is listed.
    const bool nearer = listed && std::abs(std::log(usd / listed->usd_each)) <
                                      std::abs(std::log(usd / count / listed->usd_each));
    const bool each = count == 1 || reading_.sum_each.value_or(nearer);
    // Of a family eight are those of a server, whose modules are not sold without it.
    const bool module = std::ranges::any_of(reading_.accelerators, [&](const std::string& id) {
        const Accelerator* form = world_.catalog.accelerator(id);
        return form != nullptr && is_module(*form);
    });
    const bool server = !each && part != nullptr &&
                        (is_module(*part) || (module && count % cards_of_a_server == 0));
    const double price = each ? usd : usd / count;
    figures.given[server ? "system_price_usd" : "card_price_usd"] =
        server ? price * std::min(count, cards_of_a_server) : price;
    reading_.assumed.push_back(
        {"card_price_usd", fmt::format("{:g}", price),
         count == 1 ? "the sum was taken as the price of one card"
         : each     ? "the sum was taken as that of each"
         : server   ? fmt::format("the sum was taken as that of all {} with their server", count)
                    : fmt::format("the sum was taken as that of all {}", count)});
}

namespace {

/// Puts what an hour costs into an estimate, in the place of what is listed.
void bill_hours(Estimate& estimate, double hour_usd) {
    CostEstimate& cost = estimate.cost;
    const TimeEstimate& time = estimate.time;
    cost.offer.reset();
    cost.instances = cost.idle_accelerators = 0;
    cost.usd_per_hour = hour_usd;
    const auto bill = [hour_usd](Seconds length) { return hour_usd * (length / hour); };
    cost.usd_total = bill(time.total);
    cost.usd_total_low = bill(time.run ? time.run->low : time.total * time.band.low);
    cost.usd_total_high = bill(time.run ? time.run->high : time.total * time.band.high);
    const auto each = [hour_usd](double rate) { return rate > 0 ? hour_usd / 3600 / rate : 0; };
    cost.usd_per_sample = each(time.samples_per_second);
    cost.usd_per_million_tokens = 1e6 * each(time.tokens_per_second);
}

}  // namespace

void Router::pay_told_rent(Placement& placement) {
    const bool timed = reading_.intent == Intent::throughput || reading_.intent == Intent::duration;
    if (!pays_told_rent(reading_) || reading_.owned || !timed) {
        return;
    }
    const int count = placement.cluster.count;
    const double listed = placement.estimate.cost.usd_per_hour / count;
    const bool each = count == 1 || is_rate_of_one(reading_, listed, count);
    const double hour_usd = *reading_.usd_per_hour * (each ? count : 1);
    const auto offer = placement.estimate.cost.offer;
    bill_hours(placement.estimate, hour_usd);
    Offer told = offer.value_or(Offer{});
    told.id = told_offer;
    told.provider = "told";
    told.accelerator = placement.cluster.accelerator->id;
    told.count = count;
    told.usd_per_hour = hour_usd;
    placement.estimate.cost.offer = std::move(told);
    placement.estimate.cost.instances = 1;
}

void Router::bill_electricity(Placement& placement) {
    CostEstimate& cost = placement.estimate.cost;
    const bool home = stands_at_a_desk(*placement.cluster.accelerator) &&
                      placement.cluster.count <= cards_of_a_desk;
    const double usd_per_kwh = usd_of_kwh(reading_, world_.catalog, home);
    const double pue = reading_.pue > 0 ? reading_.pue
                       : home           ? 1
                                        : site_of(world_.catalog, {}, nullptr).pue;
    const double hour_usd = cost.watts / 1000 * pue * usd_per_kwh;
    if (hour_usd <= 0) {
        return;
    }
    bill_hours(placement.estimate, hour_usd);
    assume_first(reading_, "usd_per_kwh", fmt::format("{:.3g}", usd_per_kwh),
                 reading_.usd_per_kwh
                     ? "what is owned costs its electricity: what was paid for it is not in it"
                     : "what is owned costs its electricity, at a usual price (yours: \"0.30 per "
                       "kwh\"): what was paid for it is not in it");
}

void Router::take_resale_said(SiteFigures& figures) {
    constexpr double most = 0.99;
    std::vector<Cluster> clusters;
    for (const std::string& id : reading_.accelerators) {
        const Accelerator* part = reading_.resale_usd ? world_.catalog.accelerator(id) : nullptr;
        if (part != nullptr) {
            clusters.push_back(make_cluster(world_.catalog, *part, reading_.count.value_or(1)));
        }
    }
    std::optional<Error> problem;
    const auto forms = owned_forms(clusters, figures, problem);
    if (!forms.empty() && forms.front().cost.capex_usd > 0) {
        const double back =
            *reading_.resale_usd / (reading_.resale_each ? 1 : forms.front().cluster.count);
        figures.given["residual_share"] = std::min(most, back / forms.front().cost.capex_usd);
    }
}

void Router::take_use_of_work(const Cluster& cluster) {
    const bool again = (reading_.samples || reading_.audio_s) && reading_.deadline_s &&
                       assumed_of(reading_, "deadline_s") != nullptr;
    WorkloadDocument document = asked_.query.workload;
    const auto architecture = completed(document, world_);
    if (reading_.hours_per_day || !architecture || !(again || reading_.requests_per_s)) {
        return;
    }
    if (document.serving && !reading_.concurrency) {
        document.serving->concurrency = usual_batch_of_requests;
    }
    const auto placed = place(knowledge_, with_weights_for(document, *architecture, {cluster}),
                              *architecture, cluster, nullptr);
    if (!placed || !placed->estimate.memory.fits) {
        return;
    }
    const TimeEstimate& time = placed->estimate.time;
    const double answer = document.serving ? document.serving->output_tokens : 1;
    const double served =
        time.tokens_per_second > 0 ? time.tokens_per_second / answer : time.samples_per_second;
    const double asked =
        reading_.requests_per_s.value_or(reading_.heard_s.value_or(reading_.audio_s.value_or(0)) /
                                         audio_window_s / reading_.deadline_s.value_or(1));
    const double share = document.task == Task::train
                             ? time.total / second / reading_.deadline_s.value_or(1)
                             : asked / std::max(served, 1e-9);
    if (share <= 0) {
        return;
    }
    constexpr double all_day = 24;
    reading_.hours_per_day = all_day * std::min(1.0, share);
    if (again) {
        reading_.deadline_s.reset();  // no end of owning it
        forget_assumed(reading_, "deadline_s");
    }
    assume_first(reading_, "hours_per_day", fmt::format("{:.2g}", *reading_.hours_per_day),
                 share > 1 ? fmt::format("the work that was told takes {:.0f} of it at all hours",
                                         std::ceil(share))
                           : "what the work that was told takes on it");
}

SiteFigures Router::figures_said() {
    SiteFigures figures;
    if (reading_.months || reading_.deadline_s) {
        figures.given["life_years"] =
            reading_.months
                ? *reading_.months / 12
                : *reading_.deadline_s / (360 * 86400.0);  // of twelve months of 30 days
    }
    if (reading_.usd_per_kwh) {
        figures.given["usd_per_kwh"] = *reading_.usd_per_kwh;
    }
    if (reading_.hours_per_day) {
        figures.given["utilization"] = *reading_.hours_per_day / 24;
    }
    // "bought 4 a6000 in 2022": what was paid is paid, whatever comes.
    if (is_kept(reading_)) {
        figures.given["card_price_usd"] = 1;
        assume(reading_, "card_price_usd", "1", "it is there: what it cost is paid either way");
    }
    if (reading_.pue > 0) {
        figures.given["pue"] = reading_.pue;
    }
    if (reading_.usd_per_kw_month) {
        figures.given["colocation_usd_per_kw_month"] = *reading_.usd_per_kw_month;
    }
    if (reading_.resale) {
        figures.given["residual_share"] = *reading_.resale;
    }
    if (reading_.budget_usd) {
        forget_assumed(reading_, "buy");
        take_price_said(figures);
    }
    take_resale_said(figures);
    return figures;
}

}  // namespace ridgeline::ask
