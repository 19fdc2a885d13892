#include "advise/answers/answer.h"
#include "advise/figure_words.h"
#include "advise/hardware/desk.h"
#include "ask/router.h"
#include "base/lists.h"
#include "base/text.h"
#include "spec/chip_support.h"

#include <fmt/format.h>

#include <algorithm>

// Networks of pictures: a rate that is asked, how many at once and under which engine; adapters at
// home.

namespace ridgeline::ask {

void Router::gather_to_rate() {
    constexpr double waited_s = 0.1;  // nobody sees it
    auto& serving = asked_.query.workload.serving;
    const double asked = reading_.requests_per_s.value_or(0);
    if (!reading_.counts_samples || reading_.concurrency || !serving) {
        return;
    }
    double fastest = 0, best = serving->concurrency;
    for (double together = 1; together <= std::max(1.0, asked * waited_s); together *= 2) {
        serving->concurrency = together;
        const auto one = placed();
        if (!one || !one->estimate.memory.fits || fastest >= asked) {
            break;
        }
        const double slow = one->estimate.time.samples_per_second / one->estimate.time.band.high;
        best = slow > fastest ? together : best;
        fastest = std::max(fastest, slow);
    }
    serving->concurrency = best;
}

void Router::add_engine(const Placement& eager, Answer& reply) const {
    const SoftwareProfile* engine = world_.profiles.software_profile("tensorrt");
    const bool images = eager.architecture.network && eager.architecture.kind == ModelKind::image;
    if (!reading_.requests_per_s || !reading_.framework.empty() || !images || !engine ||
        !is_made_for(*engine, *eager.cluster.accelerator)) {
        return;
    }
    WorkloadDocument document = asked_.query.workload;
    document.framework = engine->id;
    const auto built = place(knowledge_, document, eager.architecture, eager.cluster, nullptr);
    if (!built || !built->estimate.memory.fits) {
        return;
    }
    const Answer other = reply_throughput(reading_, *built);
    const AnswerValue& rate = other.values.front();
    const std::string made =
        fmt::format("under {} {} {} ({} to {})", engine->name, figure_words(*rate.mid), rate.unit,
                    figure_words(*rate.low), figure_words(*rate.high));
    const auto keeps = [](const Answer& each) {
        return each.verdict == "yes" ? 2 : each.verdict == "barely" ? 1 : 0;
    };
    if (keeps(other) > keeps(reply)) {
        reply.headline =
            fmt::format("{}, {}. Without it, {}: {}", keeps(other) > 1 ? "Yes" : "Barely", made,
                        reply.verdict, reply.headline.substr(reply.headline.find(' ') + 1));
        reply.verdict = other.verdict;
    } else {
        reply.headline += fmt::format(" U{}.", made.substr(1));
    }
    reply.values.push_back(rate);
    reply.values.back().of = engine->id;
}

std::string Router::settle_adapters_at_home() {
    const Query& query = asked_.query;
    const WorkloadDocument& document = query.workload;
    const bool card = is_among("card", query.require) || is_among("consumer", query.require);
    const bool home =
        card || reading_.home || (query.budget_usd && *query.budget_usd <= most_at_home_usd);
    const bool narrows = document.task == Task::train && document.method == Method::lora &&
                         !document.quantization && !document.compute;
    const bool open = query.accelerators.empty() && !query.exact_accelerators &&
                      !query.deadline_s && !query.owned && query.price_kind.empty();
    WorkloadDocument read = document;
    const auto architecture =
        home && narrows && open ? completed(read, world_) : tl::unexpected(Error{});
    if (!architecture || architecture->kind != ModelKind::diffusion) {
        return "";
    }
    Question bought = asked_;
    bought.query.buy = true;
    bought.query.by_hour = false;
    bought.query.objective = reading_.budget_usd ? bought.query.objective : Objective::price;
    bought.query.max_accelerators = 1;
    bought.length_open = false;  // a sum that buys nothing is left to rents
    bought.query.budget_usd = reading_.budget_usd;
    if (!is_among("consumer", bought.query.require)) {
        bought.query.require.emplace_back("consumer");
    }
    const auto held = [&](Method method) {
        bought.query.workload.method = method;
        const auto advice = advice_on(bought, world_, AdviceExtent::options);
        return advice && !advice->options.empty();
    };
    if (held(Method::lora)) {
        asked_.query.max_accelerators = 1;  // at home one card does it where one holds it
        reading_.flags = flags_of(reading_, asked_.query);
        return "";
    }
    if (!held(Method::qlora)) {
        return "";
    }
    Question rented = asked_;
    rented.query.buy = false;
    rented.query.budget_usd.reset();
    rented.query.objective = Objective::cost;
    const auto advice = advice_on(rented, world_, AdviceExtent::options);
    std::string words;
    if (advice && !advice->options.empty()) {
        const Option& wide = advice->options.front();
        words = fmt::format(" On 16-bit weights: rent {} x {} at {}/h.", wide.cluster.count,
                            wide.cluster.accelerator->name,
                            format_usd(wide.estimate.cost.usd_per_hour));
    }
    asked_ = std::move(bought);
    assume_first(reading_, "method", "qlora",
                 "no one consumer card holds 16-bit weights of it; adapters on narrower ones are "
                 "how they are trained at home");
    reading_.flags = flags_of(reading_, asked_.query);
    return words;
}

}  // namespace ridgeline::ask
