#include "advise/fits/host_split.h"
#include "advise/hardware/offers.h"
#include "advise/search/spending.h"
#include "advise/stacks/lean.h"
#include "advise/stacks/pretraining.h"
#include "advise/stacks/stored_weights.h"
#include "ask/router.h"
#include "base/text.h"
#include "estimate/serving/waiting.h"
#include "spec/hardware_names.h"
#include "spec/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

// Questions that one estimate answers, on hardware that is named or found: how long, how fast.

namespace ridgeline::ask {
namespace {

/// Within which a model is trained from scratch where nobody said: published runs take weeks to two
/// months (LLaMA 65B 21 days, Llama 3.1 405B 54, DeepSeek-V3 below 60), small ones less.
constexpr double usual_run_s = 30 * 86400.0;

/// Of what is offered for a run the first that ends in time, as nobody waits longer; else the
/// one that ends soonest.
const Option& awaited(const Advice& advice) {
    const auto soon = std::ranges::find_if(advice.options, [](const Option& option) {
        return option.estimate.time.total / second <= longest_wait_s;
    });
    return soon != advice.options.end()
               ? *soon
               : *std::ranges::min_element(advice.options, [](const Option& a, const Option& b) {
                     return a.estimate.time.total < b.estimate.time.total;
                 });
}

/// What holds the work before what does not, then the faster.
std::pair<bool, double> pace(const Placement& placement) {
    const Estimate& estimate = placement.estimate;
    return {estimate.memory.fits,
            estimate.time.samples_per_second + estimate.time.tokens_per_second};
}

}  // namespace

WorkloadDocument Router::with_weights_for(const WorkloadDocument& document,
                                          const Architecture& architecture,
                                          const std::vector<Cluster>& clusters) const {
    std::vector<const Accelerator*> parts;
    bool forms = true;
    for (const Cluster& cluster : clusters) {
        parts.push_back(cluster.accelerator);
        forms = forms && same_family(*clusters.front().accelerator, *cluster.accelerator);
    }
    auto types = weights_to_try(document, architecture, parts, world_.profiles);
    // Users that were assumed are fewer before weights are narrower than usual.
    if (reading_.concurrency || !document.serving || document.serving->concurrency <= 1) {
        add_types_below_usual(types, architecture);
    }
    const auto holds = [&](const WorkloadDocument& trial, const Cluster& cluster) {
        const auto placed = place(knowledge_, trial, architecture, cluster, nullptr);
        return placed && placed->estimate.memory.fits;
    };
    const auto any = [&](const WorkloadDocument& trial) {
        return std::ranges::any_of(clusters,
                                   [&](const Cluster& cluster) { return holds(trial, cluster); });
    };
    // Of the forms of one part the usual one decides, which goes first, where it holds any type.
    const auto usual = [&](const WorkloadDocument& trial) {
        return holds(trial, clusters.front());
    };
    if (forms && !any(document)) {
        WorkloadDocument chosen = with_weights_that_fit(document, architecture, types, usual);
        if (chosen.quantization != document.quantization) {
            return chosen;
        }
    }
    return with_weights_that_fit(document, architecture, types, any);
}

Result<Advice> Router::advice_in_usual_time() {
    const Query& query = asked_.query;
    const bool open = is_pretraining(query.workload) && !query.deadline_s &&
                      !query.exact_accelerators && !query.max_accelerators;
    if (open) {
        Question in_time = asked_;
        in_time.query.deadline_s = usual_run_s;
        auto advice = advice_on(in_time, world_, AdviceExtent::text);
        if (advice && !advice->options.empty()) {
            assume_first(
                reading_, "days", fmt::format("{:g} at most", usual_run_s / 86400),
                "neither hardware nor a time was said; with one of them: --on, --deadline");
            return advice;
        }
    }
    return advice_on(asked_, world_);
}

Result<std::vector<Cluster>> Router::clusters_asked(WorkloadDocument& document) {
    auto clusters = clusters_of(reading_, asked_.query, world_.catalog);
    if (!clusters.empty()) {
        return clusters;
    }
    asked_.query.workload = document;
    const auto advice = advice_in_usual_time();
    if (!advice) {
        return tl::unexpected(advice.error());
    }
    if (advice->options.empty()) {
        return input_error("question", "no hardware was named and none holds it",
                           "Name some: \"on 8 h100\".");
    }
    const Option& option = awaited(*advice);
    if (document.serving && option.workload.serving) {
        document.serving->concurrency = option.workload.serving->concurrency;
    }
    return std::vector{option.cluster};
}

std::optional<Placement> Router::on_as_many_as_hold(const WorkloadDocument& document,
                                                    const Architecture& architecture,
                                                    bool refused) {
    const auto advice = advice_on(asked_, world_);
    if (!advice || advice->options.empty()) {
        return std::nullopt;
    }
    const Cluster& cluster = awaited(*advice).cluster;
    auto more = place(knowledge_, document, architecture, cluster, offer_asked(cluster));
    if (!more) {
        return std::nullopt;
    }
    other_forms_.clear();
    assume_first(reading_, "count", std::to_string(cluster.count),
                 refused ? "no number was said, and one does not hold it"
                         : "no number of accelerators was said");
    return *std::move(more);
}

std::optional<Placement> Router::held_by_leaner_way(const WorkloadDocument& document,
                                                    const Architecture& architecture,
                                                    const std::vector<Cluster>& clusters,
                                                    const Placement& usual) {
    for (const LeanWay& way :
         lean_ways(world_.profiles, document, architecture, usual.cluster.count)) {
        auto lean = fastest_of(clusters, way.document, architecture);
        if (!lean || !lean->estimate.memory.fits) {
            continue;
        }
        const std::string needed = format_gib(usual.estimate.memory.process / gibibyte);
        WorkloadDocument& asked = asked_.query.workload;
        asked.framework = way.document.framework;
        asked.loss = way.document.loss;
        asked.offload_parameters = way.document.offload_parameters;
        asked.offload_optimizer = way.document.offload_optimizer;
        assume_first(reading_, way.on_host ? "offload_parameters" : "framework", way.words,
                     fmt::format("{} needs {}, which is not there ({})", usual.workload.framework,
                                 needed, way.flags));
        reading_.flags = flags_of(reading_, asked_.query);
        return *std::move(lean);
    }
    return std::nullopt;
}

Result<Placement> Router::placed() {
    WorkloadDocument document = asked_.query.workload;
    const auto architecture = completed(document, world_);
    if (!architecture) {
        return tl::unexpected(architecture.error());
    }
    const auto clusters = clusters_asked(document);
    if (!clusters) {
        return tl::unexpected(clusters.error());
    }
    const WorkloadDocument usual = document;
    document = with_weights_for(document, *architecture, *clusters);
    auto best = fastest_of(*clusters, document, *architecture);
    if (best && document.quantization != usual.quantization) {
        // Narrow weights that hold all requests are no gain where they serve fewer of them than an
        // engine that lets some wait: their kernels are slower on many rows.
        const std::string forms = other_forms_;
        auto waiting = fastest_of(*clusters, usual, *architecture);
        if (waiting && waiting->estimate.memory.fits &&
            pace(*waiting).second > worth_waiting * pace(*best).second) {
            document = usual;
            best = std::move(waiting);
        } else {
            other_forms_ = forms;
        }
    }
    const bool refused = best && !best->estimate.memory.fits;
    // "with h100s": as many as hold it, where one does not and nobody said how many.
    const bool open = !asked_.query.exact_accelerators && document.task == Task::train;
    // A part without a number is one: what holds the run there goes before more of them.
    if (open && refused && !reading_.several && reading_.method == "lora") {
        WorkloadDocument narrow = document;
        narrow.method = Method::qlora;
        auto one = fastest_of(*clusters, narrow, *architecture);
        if (one && one->estimate.memory.fits) {
            asked_.query.workload.method = Method::qlora;
            assume_first(reading_, "method", "qlora",
                         "one card does not hold LoRA on weights of 16 bits, on 4-bit ones it "
                         "does; more cards: \"4x\"");
            reading_.flags = flags_of(reading_, asked_.query);
            return one;
        }
    }
    if (open && (!best || refused || reading_.several)) {
        if (auto more = on_as_many_as_hold(document, *architecture, refused)) {
            return *std::move(more);
        }
    }
    if (refused) {
        if (auto lean = held_by_leaner_way(document, *architecture, *clusters, *best)) {
            return *std::move(lean);
        }
    }
    // One card at home holds what lies beside it on the host too, as llama.cpp shares files.
    const bool files =
        !document.compute && (!document.quantization || names_file_type(*document.quantization));
    if (refused && (reading_.host_memory_gib || files)) {
        if (auto shared =
                shared_placement(document, *architecture, best->cluster, reading_, tools_)) {
            return *std::move(shared);
        }
    }
    return best;
}

Result<Routed> Router::estimated(const std::function<Answer(const Placement&)>& reply) {
    auto answer = placed();
    if (!answer) {
        return tl::unexpected(answer.error());
    }
    if (reading_.owned) {
        bill_electricity(*answer);
    }
    pay_told_rent(*answer);
    Routed out;
    out.json = report::estimate_json(*answer, stamp());
    out.text = report::time_first_text(*answer, style());
    out.reply = reply(*answer);
    out.reply.headline += other_forms_ + other_kind(*answer);
    add_other_parts(*answer, reply, out.reply);
    out.exit_code = answer->estimate.memory.fits ? 0 : 3;
    return out;
}

void Router::serve_as_many_as_fit() {
    auto& serving = asked_.query.workload.serving;
    while (!reading_.concurrency && serving && serving->concurrency > 1) {
        const double tried = serving->concurrency;
        const auto one = placed();
        if (!one || one->estimate.memory.fits) {
            return;
        }
        serving->concurrency = std::max(1.0, std::floor(tried / 2));
        for (AssumedField& each : reading_.assumed) {
            each.value = each.field == "concurrency" ? fmt::format("{:g}", serving->concurrency)
                                                     : each.value;
        }
    }
}

void Router::rent_what_costs_least() {
    Query& query = asked_.query;
    const bool open = !query.exact_accelerators && !query.max_accelerators && !reading_.owned &&
                      !reading_.nodes && !reading_.single && reading_.machine.empty() &&
                      reading_.instances.empty() && query.workload.serving;
    if (!open) {
        return;
    }
    double least = 0;
    int best = 1;
    for (const int count : {1, 2, 4, 8}) {
        query.exact_accelerators = count;
        const auto one = placed();
        const double usd =
            one && one->estimate.memory.fits ? one->estimate.cost.usd_per_million_tokens : 0;
        if (usd > 0 && (least <= 0 || usd < least)) {
            least = usd;
            best = count;
        }
    }
    query.exact_accelerators.reset();
    if (best > 1) {
        query.exact_accelerators = best;
        assume_first(reading_, "accelerators", std::to_string(best),
                     "of 1, 2, 4 and 8 so many cost least for each token");
    }
}

Error Router::no_known_model() const {
    std::string words;
    for (const std::string& word : reading_.not_understood) {
        words += (words.empty() ? "" : ", ") + word;
    }
    return {ErrorKind::input, "question",
            "no model that is known was named" +
                (words.empty() ? std::string() : fmt::format(", not understood: {}", words)),
            "`ridgeline profiles list` names those that are; a size will do: \"how long to train "
            "7B on 1T tokens on 64 h100\"."};
}

}  // namespace ridgeline::ask
