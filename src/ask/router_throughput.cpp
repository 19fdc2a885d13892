#include "advise/answers/power.h"
#include "advise/answers/rate_words.h"
#include "advise/figure_words.h"
#include "advise/fits/judged.h"
#include "advise/fits/memory_ways.h"
#include "advise/hardware/desk.h"
#include "advise/hardware/offers.h"
#include "advise/placement/waiting.h"
#include "advise/stacks/lean.h"
#include "advise/stacks/stored_weights.h"
#include "ask/router.h"
#include "base/text.h"
#include "spec/hardware_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

// A rate that is asked: tokens, samples, sides and settings.

namespace ridgeline::ask {
namespace {

/// Samples of one pass over what the run learns from: told, or those of its usual run; 0: unknown.
double samples_of_pass(const Reading& reading) {
    const auto usual = reading::usual_run(reading.estimated_model(), reading.framework);
    return reading.samples.value_or(usual && usual->epochs > 1 ? usual->samples : 0);
}

/// How many tokens or samples a time or a sum trains, before all else, with the passes and steps
/// that they are.
void lead_with_tokens(const Reading& reading, const Placement& placement, Answer& reply) {
    const TimeEstimate& time = placement.estimate.time;
    const double hourly = reading.usd_per_hour.value_or(placement.estimate.cost.usd_per_hour);
    const double of_time =
        reading.deadline_s.value_or(reading.months.value_or(0) * hours_of_a_month * 3600);
    const double of_money =
        reading.budget_usd && hourly > 0 ? *reading.budget_usd / hourly * 3600 : 0;
    const double seconds =
        of_time > 0 && of_money > 0 ? std::min(of_time, of_money) : std::max(of_time, of_money);
    const bool texts = time.tokens_per_second > 0 && !reading.counts_samples;
    const double rate = texts ? time.tokens_per_second : time.samples_per_second;
    if (seconds <= 0 || rate <= 0 || !placement.estimate.memory.fits) {
        return;
    }
    const double pass = samples_of_pass(reading);
    const bool passes = asks(reading, "epochs_of_run") && pass > 0;
    const double scale = passes ? time.samples_per_second / pass : rate;
    const std::string unit = passes ? "epochs" : texts ? "tokens" : "samples";
    const double mid = seconds * scale;
    const double high = time.band.low > 0 ? mid / time.band.low : mid;
    const double low = time.band.high > 0 ? mid / time.band.high : mid;
    reply.values.insert(reply.values.begin(), {unit, low, mid, high, unit, ""});
    const std::string money =
        of_money > 0 && seconds == of_money
            ? fmt::format("{} rent {} for {}", format_usd(*reading.budget_usd),
                          cards_words(placement.cluster), format_duration(seconds))
            : fmt::format("{} of {}", format_duration(seconds), cards_words(placement.cluster));
    const auto count = [&](double value) {
        return passes ? figure_words(value) : format_count(value);
    };
    const std::string beside =
        passes ? fmt::format(" of {} samples", format_count(pass))
        : reading.steps || texts
            ? std::string()
            : fmt::format(", {} steps", format_count(seconds / time.step.base()));
    reply.headline = fmt::format("{} {} ({} to {}){}: {}. {}", count(mid), unit, count(low),
                                 count(high), beside, money, reply.headline);
}

}  // namespace

void Router::stream_if_short() {
    WorkloadDocument& document = asked_.query.workload;
    const SoftwareProfile* streams = streaming_stack(world_.profiles);
    const bool open = document.task == Task::inference && !document.framework &&
                      !document.offload_parameters && streams != nullptr && reading_.counts_samples;
    if (!open) {
        return;
    }
    const auto architecture = completed(document, world_);
    if (!architecture || architecture->kind != ModelKind::diffusion) {
        return;
    }
    const auto whole = placed();
    if (!whole || whole->estimate.memory.fits || whole->cluster.count > 1 ||
        !is_home(*whole->cluster.accelerator)) {
        return;
    }
    document.framework = streams->id;
    if (const auto there = placed(); !there || !there->estimate.memory.fits) {
        document.framework.reset();
        return;
    }
    assume_first(reading_, "framework", streams->id,
                 fmt::format("whole it takes {}, which the card lacks: the rest is read from the "
                             "host's memory in each pass",
                             format_gib(whole->estimate.memory.process / gibibyte)));
    reading_.flags = flags_of(reading_, asked_.query);
}

namespace {

/// What requests that come at their rate wait, as the engine's scheduler serves them; empty where
/// the simulated run does not settle.
std::string load_words(const ServedLoad& load, double asked, Answer& reply) {
    constexpr double settled = 0.8;  // of those that come: the run's own end is in it
    if (load.sustained || load.requests_per_second < settled * asked) {
        return "";
    }
    reply.values.push_back({"ttft_p50", {}, load.ttft.p50, {}, "s", ""});
    reply.values.push_back({"ttft_p99", {}, load.ttft.p99, {}, "s", ""});
    reply.values.push_back({"tpot_p50", {}, load.tpot.p50, {}, "s", ""});
    reply.values.push_back({"tpot_p99", {}, load.tpot.p99, {}, "s", ""});
    return fmt::format(
        "At {:g} requests/s at random times the first token comes after {} in the median, {} in "
        "90 % of requests and {} in 99 %; a token each {}, {} in 99 %.",
        asked, format_duration(load.ttft.p50), format_duration(load.ttft.p90),
        format_duration(load.ttft.p99), format_duration(load.tpot.p50),
        format_duration(load.tpot.p99));
}

/// The same work without a draft model.
struct Undrafted {
    Placement alike;                 ///< in the weights that have room beside the draft
    std::optional<Placement> wider;  ///< in wider ones, for which there is room without it
};

/// How much faster a draft model makes it than it is without, before the rest.
void lead_with_draft(const Undrafted& undrafted, const Placement& placement, Answer& reply) {
    const Seconds plain = undrafted.alike.estimate.time.tpot;
    if (plain <= Seconds{} || placement.estimate.time.tpot <= Seconds{}) {
        return;
    }
    const double faster = plain / placement.estimate.time.tpot;
    std::string types;
    if (undrafted.wider && undrafted.wider->estimate.time.tpot > Seconds{}) {
        const auto stored = [](const Placement& one) {
            const std::string& name = one.workload.quantization.name;
            return name.empty() || name == "none" ? std::string("16-bit weights") : name;
        };
        types = fmt::format(" (both in {}; without a draft there is room for {}, {} tokens/s)",
                            stored(undrafted.alike), stored(*undrafted.wider),
                            figure_words(second / undrafted.wider->estimate.time.tpot));
    }
    reply.headline =
        fmt::format("With a draft {:.2g} times as fast as the {} tokens/s without{}: {}", faster,
                    figure_words(second / plain), types, reply.headline);
    reply.values.push_back({"speedup", {}, faster, {}, "times", ""});
}

}  // namespace

std::string Router::fill_racks() {
    std::string fed = keep_to_rack();
    if (const auto most = asked_.query.max_accelerators; !fed.empty() && most) {
        reading_.count = most;
        asked_.query.exact_accelerators = most;
    }
    return fed;
}

void Router::add_load_of_rate(const Placement& placement, Answer& reply) {
    const double asked = reading_.requests_per_s.value_or(0);
    const auto& serving = placement.workload.serving;
    const bool seen = reading_.seen_tokens_per_s || reading_.seen_per_s || reading_.seen_ttft_s;
    // Beside an API's price or bill as many are counted as carry the load.
    const bool priced =
        asks(reading_, "api") || reading_.usd_per_million || reading_.api_usd_per_month;
    const bool comes = asked > 0 && serving && !priced && !reading_.concurrency &&
                       !reading_.counts_samples && !reading_.answers_at_once &&
                       !reading_.family_of_networks && !reading_.draft_parameters && !seen &&
                       placement.estimate.memory.fits;
    if (!comes) {
        return;
    }
    WorkloadDocument document = asked_.query.workload;
    document.framework = placement.workload.framework;
    document.serving = serving;
    Placement most = placement;
    gather_for_rate(asked_.query, tools_, document, placement.cluster, most);
    const TimeEstimate& time = most.estimate.time;
    if (time.samples_per_second < asked) {
        const AnswerValue kept = rate("kept", time.samples_per_second, time.band, "requests/s");
        reply.values.push_back(kept);
        reply.headline =
            fmt::format("Not at that rate: of {:g} requests/s {} serves {} ({} to {}). {}", asked,
                        cards_words(placement.cluster), figure_words(*kept.mid),
                        figure_words(*kept.low), figure_words(*kept.high), reply.headline);
        return;
    }
    document.serving->request_rate = asked;
    const auto flowing = tools_.place(document, placement.architecture, placement.cluster);
    const std::string words = flowing && flowing->estimate.time.load
                                  ? load_words(*flowing->estimate.time.load, asked, reply)
                                  : std::string();
    if (words.empty()) {
        return;
    }
    const bool waits = asks(reading_, "ttft") || asks(reading_, "latency") ||
                       assumed_of(reading_, "percentile") != nullptr;
    reply.headline = waits ? words + " " + reply.headline : reply.headline + " " + words;
    forget_assumed(reading_, "percentile");
}

Result<Routed> Router::throughput() {
    if (compares_settings(reading_)) {
        if (auto each = reply_settings(reading_, tools_)) {
            return estimated([&each](const Placement&) { return *each; });
        }
    }
    WorkloadDocument& document = asked_.query.workload;
    const std::string fed = fill_racks();
    const bool loaded = reading_.full_load && !reading_.counts_samples &&
                        !reading_.answers_at_once && reading_.framework != "llama.cpp";
    // Work for a joule is that of a busy server; a card at a desk writes for one.
    const Accelerator* part = reading_.accelerators.empty()
                                  ? nullptr
                                  : world_.catalog.accelerator(reading_.accelerators.front());
    const bool per_watt = asks(reading_, "per_watt") && part != nullptr && !is_home(*part);
    const bool busy = asks(reading_, "per_million") || per_watt || loaded ||
                      (!fed.empty() && asked_.query.max_accelerators) ||
                      (asks(reading_, "all_day") && !reading_.counts_samples);
    if (busy && !reading_.concurrency && document.serving) {
        document.serving->concurrency =
            (reading_.full_load ? most_of_an_engine : usual_batch_of_requests) *
            reading_.count.value_or(1);
        forget_assumed(reading_, "concurrency");
        assume_first(reading_, "concurrency", fmt::format("{:g}", document.serving->concurrency),
                     loaded ? "at full load"
                     : asks(reading_, "per_million")
                         ? "a server that is paid for is kept busy"
                         : "at once on each: what a server that is kept busy makes");
        if (asks(reading_, "per_million")) {
            rent_what_costs_least();
        }
        serve_as_many_as_fit();
        reading_.flags = flags_of(reading_, asked_.query);
    }
    // A copy works on a request of its own, where no layer can be shared by so many.
    const bool idle = !reading_.concurrency && document.serving && !busy &&
                      reading_.count.value_or(1) > 1 && !placed();
    if (idle) {
        document.serving->concurrency = *reading_.count;
        forget_assumed(reading_, "concurrency");
        assume_first(reading_, "concurrency", fmt::format("{}", *reading_.count),
                     "one request on each of them");
        reading_.flags = flags_of(reading_, asked_.query);
    }
    gather_to_rate();
    stream_if_short();
    std::optional<Undrafted> undrafted;
    if (reading_.draft_parameters && document.serving) {
        const auto drafted = placed();
        const auto said = document.quantization;
        const int proposed = std::exchange(document.serving->draft_tokens, 0);
        auto freely = placed();
        const bool narrower =
            drafted && freely &&
            drafted->workload.quantization.name != freely->workload.quantization.name;
        if (narrower) {
            document.quantization = drafted->workload.quantization.name;
            if (auto alike = placed()) {
                undrafted = Undrafted{*std::move(alike), *std::move(freely)};
            }
        } else if (freely) {
            undrafted = Undrafted{*std::move(freely), std::nullopt};
        }
        document.quantization = said;
        document.serving->draft_tokens = proposed;
    }
    std::optional<Placement> alone;
    if (reading_.in_batches && document.serving) {
        serve_as_many_as_fit();
        const double together = std::exchange(document.serving->concurrency, 1);
        auto one = placed();
        document.serving->concurrency = together;
        if (one && together > 1) {
            alone = *std::move(one);
        }
    }
    return estimated([this, &alone, &undrafted, &fed](const Placement& placement) {
        Answer reply = reply_throughput(reading_, placement);
        if (undrafted) {
            lead_with_draft(*undrafted, placement, reply);
        }
        reply.headline =
            bought_beside_api(placement.cluster, placement.workload, placement.estimate) +
            kept_price(placement.workload, placement.estimate) + reply.headline;
        add_served_adapters(reading_, tools_, reply);
        if (asks(reading_, "tokens_of_run") || asks(reading_, "epochs_of_run")) {
            lead_with_tokens(reading_, placement, reply);
        }
        if (alone) {
            add_one_at_a_time(*alone, reply);
        }
        add_engine(placement, reply);
        reply.headline += busy_words(placement.cluster);
        add_power_and_seen(reading_, placement, reply);
        lead_with_given_share(reading_, placement, reply);
        add_load_of_rate(placement, reply);
        lead_with_lack(placement, reply);
        reply.headline = fed + reply.headline;
        return reply;
    });
}

}  // namespace ridgeline::ask
