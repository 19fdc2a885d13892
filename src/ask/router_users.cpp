#include "advise/fits/replies.h"
#include "advise/hardware/cluster.h"
#include "advise/stacks/stored_weights.h"
#include "ask/router.h"
#include "base/text.h"
#include "estimate/families/families.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

// How many users a sum or a rent serves, where no hardware was named.

namespace ridgeline::ask {
namespace {

/// Tokens a second that each user gets where nobody said: about twice what a person reads (some 250
/// words a minute, three quarters of a word in a token).
constexpr double usual_pace = 10;
/// Seconds to the first token, as MLPerf Inference asks of served Llama 2 70B.
constexpr double usual_first_s = 2;

}  // namespace

std::string Router::serve_most_users() {
    Query& query = asked_.query;
    if (query.workload.task != Task::inference || !query.workload.serving || reading_.concurrency ||
        query.requests_per_s) {
        return "";
    }
    const Query asked = query;
    const Reading read = reading_;
    if (!query.tpot_s && !query.answer_s) {
        query.tpot_s = reading_.tpot_s = 1 / usual_pace;
        assume_first(reading_, "tpot_s", fmt::format("{:g}", *query.tpot_s),
                     fmt::format("{:g} tokens a second for each user", usual_pace));
    }
    if (!query.ttft_s && !query.answer_s) {
        query.ttft_s = reading_.ttft_s = usual_first_s;
        assume_first(reading_, "ttft_s", fmt::format("{:g}", usual_first_s),
                     "nobody said how soon an answer begins");
    }
    std::optional<std::string> weights = query.workload.quantization;
    const auto served = [&](double users) {
        Question trial = asked_;
        trial.query.workload.serving->concurrency = users;
        trial.query.workload.quantization = weights;
        const auto advice = advice_on(trial, world_, AdviceExtent::options);
        return advice && !advice->options.empty() && trial.query.buy == query.buy;
    };
    if (!served(1) && narrow_weights()) {
        weights = query.workload.quantization;
    }
    if (!served(1)) {
        query = asked;
        reading_ = read;
        return "";
    }
    constexpr double growth = 8;
    constexpr double most_users = 65536;
    constexpr double fine = 1.15;  // finer than the estimate
    const auto most = [&](double held) {
        double missed = growth * held;
        while (missed < most_users && served(missed)) {
            held = missed;
            missed *= growth;
        }
        while (missed > std::max(held + 1, held * fine)) {
            const double middle = std::round(std::sqrt(held * missed));
            (served(middle) ? held : missed) = middle;
        }
        return held;
    };
    const double held = most(1);
    // Nobody said how weights are stored: half as wide they may serve more.
    std::string narrower;
    WorkloadDocument document = query.workload;
    const auto architecture = completed(document, world_);
    if (!weights && !query.buy && architecture && leaves_weights_open(document, *architecture)) {
        weights = "fp8";
        const double more = served(std::ceil(held * fine)) ? most(std::ceil(held * fine)) : held;
        narrower = more > held ? fmt::format(" ({:g} with 8-bit weights: --quantization fp8)", more)
                               : std::string();
    }
    query.workload.serving->concurrency = held;
    reading_.concurrency = static_cast<int>(held);
    forget_assumed(reading_, "concurrency");
    assume_first(reading_, "concurrency", fmt::format("{:g}", held), "as many as the money serves");
    reading_.flags = flags_of(reading_, query);
    const std::string money = reading_.usd_per_month && query.budget_usd_per_hour
                                  ? format_usd(*reading_.usd_per_month) + " a month"
                              : query.budget_usd_per_hour
                                  ? format_usd(*query.budget_usd_per_hour) + " an hour"
                                  : format_usd(query.budget_usd.value_or(0));
    const std::string pace =
        query.tpot_s ? fmt::format("each at {:g} tokens/s or more in the middle of the range",
                                   std::round(10 / *query.tpot_s) / 10)
                     : "each answered within " + format_duration(*query.answer_s);
    return fmt::format("{} serves up to {:g} user{} at once{}, {}: ", money, held,
                       held > 1 ? "s" : "", narrower, pace);
}

std::string Router::run_of_each(const Option& best) const {
    const int copies = reading_.copies.value_or(1);
    const double people = copies > 1 ? copies : reading_.concurrency.value_or(1);
    if (reading_.task != Task::train || people <= 1) {
        return "";
    }
    WorkloadDocument document = asked_.query.workload;
    const auto architecture = completed(document, world_);
    if (!architecture) {
        return "";
    }
    if (!has_program(*architecture) && !architecture->reads_images()) {
        train_on_one_sample(document, reading_.keep_activations);
    }
    document.framework = best.workload.framework;
    // Each takes as few as hold one run, however many are recommended for all.
    int cards = 1;
    auto placed = place(knowledge_, document, *architecture, best.cluster, nullptr);
    for (; cards < best.cluster.count; cards *= 2) {
        auto fewer =
            place(knowledge_, document, *architecture,
                  make_cluster(world_.catalog, *best.cluster.accelerator, cards, 0), nullptr);
        if (fewer && fewer->estimate.memory.fits) {
            placed = std::move(fewer);
            break;
        }
    }
    if (!placed || !placed->estimate.memory.fits) {
        return "";
    }
    const MemoryEstimate& memory = placed->estimate.memory;
    cards = std::min(cards, best.cluster.count);
    const double beside =
        cards > 1 ? 1 : std::floor(memory.capacity / (memory.process * memory.band.high));
    const double groups = std::ceil(people / std::max(1.0, beside));
    const std::string sharing =
        beside > 1 ? fmt::format(", {:g} runs on each, which share its speed", beside)
                   : std::string(", a run on each");
    if (copies > 1) {
        return fmt::format(
            "{} runs at once take {} x {}, {} for each{}. One of them: ", copies, copies * cards,
            best.cluster.accelerator->name, cards,
            beside > 1 ? fmt::format(", or {:g} where up to {:g} share a card and its speed",
                                     groups, beside)
                       : "");
    }
    return fmt::format(" {:g} who train at once take {:g} of them{}{}.", people, groups * cards,
                       cards > 1 ? "" : sharing,
                       asked_.query.budget_usd && groups * cards > best.cluster.count
                           ? fmt::format("; on {} they wait for their turn", best.cluster.count)
                           : "");
}

void Router::lead_with_users(const std::string& words, Answer& reply) const {
    if (words.empty()) {
        return;
    }
    const double users = reading_.concurrency.value_or(0);
    reply.headline = words + reply.headline;
    reply.values.insert(reply.values.begin(), {"concurrency", {}, users, {}, "users", ""});
}

}  // namespace ridgeline::ask
