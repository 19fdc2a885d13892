#include "advise/fits/memory_ways.h"
#include "advise/fits/replies.h"
#include "advise/hardware/cluster.h"
#include "advise/hardware/desk.h"
#include "advise/largest/amount.h"
#include "advise/largest/replies.h"
#include "advise/ranking/standing.h"
#include "ask/open_questions.h"
#include "ask/router.h"
#include "base/text.h"
#include "estimate/families/transformer/parameters.h"
#include "estimate/money/power.h"
#include "report/option_words.h"

#include <fmt/format.h>

#include <string>
#include <utility>

// What a question of hardware is bounded by beside the model: a rack's power, a price of tokens,
// one person at home; and the largest within such bounds.

namespace ridgeline::ask {

std::string Router::keep_to_rack() {
    Query& query = asked_.query;
    const auto clusters = clusters_of(reading_, query, world_.catalog);
    if (!query.rack_kw || clusters.empty() || query.accelerators.empty() ||
        query.exact_accelerators || query.max_accelerators) {
        return "";
    }
    // What a machine of the catalog draws, as its maker states it.
    const auto machine = std::ranges::find_if(world_.catalog.machines, [&](const Machine& each) {
        return each.accelerator == clusters.front().accelerator->id && each.power &&
               each.accelerators == cards_of_a_server;
    });
    const Cluster node =
        make_cluster(world_.catalog, *clusters.front().accelerator, cards_of_a_server, 0,
                     machine == world_.catalog.machines.end() ? nullptr : &*machine);
    const double kw = node_power_of(node) / (1000.0 * watt);
    const int racks = reading_.racks.value_or(1);
    const int of_each = kw > 0 ? static_cast<int>(*query.rack_kw / kw) : 0;
    const int nodes = racks * of_each;
    if (nodes == 0) {
        return kw > 0 ? fmt::format("No whole node of {} is fed by {:g} kW: one draws {:.1f}. ",
                                    node.count, *query.rack_kw, kw)
                      : "";
    }
    query.max_accelerators = nodes * node.count;
    if (racks > 1) {
        return fmt::format(
            "{} racks of {:g} kW feed {} nodes of {} x {} ({} a rack, {:.1f} kW each): {} "
            "accelerators. ",
            racks, *query.rack_kw, nodes, node.count, node.accelerator->name, of_each, kw,
            nodes * node.count);
    }
    return fmt::format("{:g} kW feed {} node{} of {} x {} ({:.1f} kW each). ", *query.rack_kw,
                       nodes, nodes > 1 ? "s" : "", node.count, node.accelerator->name, kw);
}

void Router::serve_for_a_price() {
    auto& serving = asked_.query.workload.serving;
    if (!(reading_.usd_per_million || asks(reading_, "per_million")) || reading_.concurrency ||
        reading_.requests_per_s || !serving || asked_.query.buy) {
        return;
    }
    if (asks(reading_, "api") && !asked_.query.workload.quantization &&
        runs_in_four_bits(asked_.query.workload)) {
        asked_.query.workload.quantization = "fp8";
        assume_first(reading_, "quantization", "fp8",
                     "as servers of APIs hold them; whole weights: --quantization none");
    }
    serving->concurrency = usual_batch_of_requests;
    asked_.query.objective = Objective::cost;
    forget_assumed(reading_, "concurrency");
    assume_first(reading_, "concurrency", std::to_string(usual_batch_of_requests),
                 "a server that is paid for is kept busy");
    reading_.flags = flags_of(reading_, asked_.query);
}

bool Router::take_files_of_one_person() {
    WorkloadDocument& document = asked_.query.workload;
    if (!asks(reading_, "one_person") || !reading_.task || document.quantization ||
        document.compute) {
        return false;
    }
    if (!runs_in_four_bits(document)) {
        return false;
    }
    document.quantization = files_of_four_bits;
    assume_first(reading_, "quantization", files_of_four_bits, files_of_one_person);
    reading_.flags = flags_of(reading_, asked_.query);
    return true;
}

bool Router::runs_in_four_bits(WorkloadDocument document) const {
    const auto architecture = completed(document, world_);
    constexpr double most_in_whole = 4e9;  // weights that fit any card of today in 16 bits
    const bool text = architecture && !architecture->stacks.empty() &&
                      !architecture->makes_vectors && !architecture->reads_sound() &&
                      !architecture->reads_images() && architecture->kind != ModelKind::encoder &&
                      architecture->kind != ModelKind::diffusion;
    return text && !architecture->published.experts_alone &&
           static_cast<double>(count_parameters(*architecture).total) >= most_in_whole;
}

namespace {

constexpr int most_looked_at = 100;

/// Of the cards that do it alone the one that does most for each dollar; null: there is none.
/// What holds it with room goes first, of what recipes are written for.
const Option* most_work_for_its_price(const Advice& advice) {
    const Option* best = nullptr;
    std::pair<bool, double> most{false, 0};
    for (const Option& each : advice.options) {
        const double price = each.purchase_usd.value_or(0);
        const double rate = price > 0 ? each.estimate.time.work_per_second() / price : 0;
        const std::pair worth{!barely_fits(each.estimate.memory), rate};
        if (each.cluster.count == 1 && !is_one_computer(*each.cluster.accelerator) && rate > 0 &&
            off_the_path(advice.query, each) == 0 && worth > most) {
            best = &each;
            most = worth;
        }
    }
    return best;
}

}  // namespace

std::string Router::bought_for_one() {
    if (asked_.query.buy) {
        return "";  // said already
    }
    const Question rented = asked_;
    asked_.query.buy = true;
    asked_.query.objective = Objective::price;
    asked_.query.by_hour = false;
    settle_pictures_at_home();
    Question bought = asked_;
    asked_ = rented;
    const bool any = asks(reading_, "one_person");
    bought.query.top = any ? bought.query.top : most_looked_at;
    const auto advice = advice_on(bought, world_, AdviceExtent::options);
    if (!advice || advice->options.empty()) {
        return "";
    }
    const Option* best = any ? &advice->options.front() : most_work_for_its_price(*advice);
    if (best == nullptr || !best->purchase_usd) {
        return "";
    }
    const auto& type = bought.query.workload.quantization;
    const bool narrower = type && type != asked_.query.workload.quantization;
    return fmt::format(" To buy: {} x {} for about {} ({}), {}{}.", best->cluster.count,
                       best->cluster.accelerator->name, format_usd(*best->purchase_usd),
                       best->bought, report::rate_words(*best), narrower ? " in " + *type : "");
}

Result<Routed> Router::largest() {
    const std::string fed = keep_to_rack();
    if (const auto most = asked_.query.max_accelerators; !fed.empty() && most) {
        reading_.count = most;  // "a rack of 15 kW, what can we train": on all that it feeds
        asked_.query.exact_accelerators = most;
    }
    auto reply = reply_largest(reading_, asked_.query, tools_);
    if (!reply) {
        return tl::unexpected(reply.error());
    }
    reply->headline = fed + reply->headline;
    if (reading_.model.empty()) {
        if (reading_.less_memory_gib) {
            Reading less = reading_;
            less.memory_gib = reading_.less_memory_gib;
            const auto held = reply_largest(less, query_of(less), tools_);
            reply->headline += held ? " Of the smaller: " + held->headline : "";
        }
        return alone(std::move(*reply));
    }
    add_served_adapters(reading_, tools_, *reply);
    show_at_the_largest(*reply);
    lead_with_class(reading_, tools_, *reply);
    return with_advice(std::move(*reply));
}

void Router::share_as_placed(WorkloadDocument& work, const Architecture& architecture,
                             const AnswerChoice& choice) const {
    const Accelerator* part = world_.catalog.accelerator(choice.accelerator);
    if (reading_.extreme != Extreme::users || part == nullptr || choice.count < 2 || work.tensor ||
        work.pipeline) {
        return;
    }
    const auto placed =
        place(knowledge_, work, architecture,
              make_cluster(world_.catalog, *part, choice.count, 0, nullptr), nullptr);
    if (placed && placed->estimate.memory.fits) {
        work.tensor = placed->workload.plan.tensor;
        work.pipeline = placed->workload.plan.pipeline;
    }
}

void Router::show_at_the_largest(const Answer& reply) {
    const double value = reply.values.empty() ? 0 : reply.values.front().mid.value_or(0);
    const bool amount = reading_.extreme != Extreme::model && reading_.extreme != Extreme::copies &&
                        reading_.extreme != Extreme::frames && reply.choice;
    if (!amount) {
        return;
    }
    // One that a person has stays one: the table is of the hardware that the answer is of.
    asked_.query.exact_accelerators = reply.choice->count;
    if (value > 0 && reply.values.front().unit == "streams") {
        // The row serves as many at once as the streams were counted with.
        asked_.query.workload.serving->concurrency = reply.values.back().mid.value_or(1);
        asked_.query.requests_per_s.reset();
        forget_assumed(reading_, "concurrency");
    } else if (value > 0) {
        WorkloadDocument& work = asked_.query.workload;
        set_amount(work, reading_.extreme, value);
        // The row is of the plan that the amount was found with.
        if (const auto architecture = completed(work, world_)) {
            train_as_networks_do(work, *architecture, reply.choice->count);
            share_as_placed(work, *architecture, *reply.choice);
        }
        forget_assumed(reading_, reply.values.front().quantity);
    }
    if (!reply.framework.empty()) {
        asked_.query.workload.framework = reply.framework;
    }
    asked_.query.workload.loss = reply.loss ? reply.loss : asked_.query.workload.loss;
    if (!reply.weights.empty()) {
        asked_.query.workload.quantization = reply.weights;
    }
    reading_.flags = flags_of(reading_, asked_.query);
}

}  // namespace ridgeline::ask
