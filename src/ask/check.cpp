#include "advise/placement/placement.h"
#include "ask/commands.h"
#include "ask/imports.h"
#include "ask/remedies.h"
#include "ask/workload_on.h"
#include "ask/workload_options.h"
#include "base/text.h"
#include "estimate/serving/waiting.h"
#include "estimate/time/collective.h"
#include "report/check_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace ridgeline::ask {
namespace {

using report::CheckAnswer;
using report::CheckedStep;
using report::CheckVerdict;

constexpr std::size_t most_remedies = 2;

/// A step that does not fit, and what asks for it.
struct FailingStep {
    WorkloadDocument document;
    Placement placed;
};

/// What a check is about: its answer grows step by step.
struct Checked {
    const World& world;
    const Cluster& cluster;
    double free_gib = 0;  ///< 0: all of the accelerator
    CheckAnswer answer;
    std::optional<FailingStep> failing;  ///< the one that needs most
};

/// The verdict of `estimate`, in which a middle figure alone decides nothing: what is above the
/// memory there may fit where the low end of the range does. Where others hold a part, the range is
/// held against what they leave.
CheckVerdict judged(const MemoryEstimate& memory, const CheckedStep& step, bool shared) {
    const bool low_fits = step.low_gib <= step.free_gib;
    if (shared) {
        return step.high_gib < step.free_gib ? CheckVerdict::fits
               : low_fits                    ? CheckVerdict::may_not_fit
                                             : CheckVerdict::does_not_fit;
    }
    const bool by_card = memory.headroom() < Bytes{};
    return memory.verdict == FitVerdict::yes      ? CheckVerdict::fits
           : memory.fits || (by_card && low_fits) ? CheckVerdict::may_not_fit
                                                  : CheckVerdict::does_not_fit;
}

CheckedStep verdict_of(const MemoryEstimate& memory, double free_gib) {
    const double all = (memory.capacity - memory.unclaimed) / gibibyte;
    CheckedStep step;
    step.peak_gib = memory.process / gibibyte;
    step.low_gib = step.peak_gib * memory.band.low;
    step.high_gib = step.peak_gib * memory.band.high;
    step.free_gib = free_gib > 0 ? std::min(all, free_gib) : all;
    step.verdict = judged(memory, step, free_gib > 0 && free_gib < all);
    return step;
}

std::string sample_words(const Workload& workload) {
    if (workload.task == Task::inference && workload.serving) {
        const double tokens = workload.serving->input_tokens + workload.serving->output_tokens;
        const double requests = workload.serving->concurrency;
        return fmt::format(
            "{} of {:.0f} tokens{}", counted_noun(requests, "request"), tokens,
            workload.quantization.any() ? ", weights in " + workload.quantization.name : "");
    }
    const Batch& batch = workload.batch;
    return batch.sequence_length > 0
               ? fmt::format("{} a rank, {} tokens each", batch.micro, batch.sequence_length)
               : fmt::format("{} a rank", batch.micro);
}

/// A step as `estimate` has it. Where nobody asked for it, it is shown and decides nothing.
Result<Placement> add_step(Checked& checked, const WorkloadDocument& document,
                           const Architecture& architecture, const std::string& name,
                           bool counts = true) {
    const Knowledge knowledge = knowledge_of(checked.world);
    auto placed =
        place_with(PlanChoice::best, knowledge, document, architecture, checked.cluster, nullptr);
    if (!placed) {
        return placed;
    }
    CheckedStep step = verdict_of(placed->estimate.memory, checked.free_gib);
    step.step = name;
    step.what = sample_words(placed->workload);
    step.counts = counts;
    if (!counts) {
        checked.answer.steps.push_back(std::move(step));
        return placed;
    }
    checked.answer.verdict = std::max(checked.answer.verdict, step.verdict);
    const bool more = !checked.failing || placed->estimate.memory.process >
                                              checked.failing->placed.estimate.memory.process;
    if (step.verdict == CheckVerdict::does_not_fit && more) {
        checked.failing = FailingStep{document, *placed};
    }
    checked.answer.steps.push_back(std::move(step));
    return placed;
}

/// Evaluation keeps nothing for a backward pass, as full recomputation keeps least: an upper bound.
Result<void> add_evaluation(Checked& checked, WorkloadDocument document,
                            const Architecture& architecture, int batch) {
    document.micro_batch = batch;
    document.global_batch.reset();
    document.recompute = RecomputeMode::full;
    document.full_recompute_layers.reset();
    const auto placed = add_step(checked, document, architecture, "evaluation step, at most");
    return placed ? Result<void>() : tl::unexpected(placed.error());
}

/// What would help a step that does not fit, tried in the memory that is free.
std::vector<Remedy> best_remedies(const Checked& checked, const FailingStep& step) {
    Accelerator part = *step.placed.cluster.accelerator;
    if (checked.free_gib > 0) {
        part.visible_memory = std::min(part.capacity(), checked.free_gib * gibibyte);
    }
    Cluster cluster = step.placed.cluster;
    cluster.accelerator = &part;
    const auto placed = place(knowledge_of(checked.world), step.document, step.placed.architecture,
                              cluster, nullptr);
    auto found = placed ? remedies_of(checked.world, step.document, *placed)
                        : Result<std::vector<Remedy>>(tl::unexpected(Error{}));
    std::vector<Remedy> best = found.value_or(std::vector<Remedy>());
    // Other hardware only where no change of the workload makes it fit.
    if (placed && (best.empty() || !best.front().fits) && checked.free_gib <= 0) {
        const auto hardware = hardware_remedies(checked.world, step.document, *placed);
        best.insert(best.begin(), hardware.begin(), hardware.end());
    }
    best.resize(std::min(best.size(), most_remedies));
    return best;
}

/// The document with one request of that many tokens, which a server must have room for: more of
/// them wait for each other.
WorkloadDocument with_one_request(WorkloadDocument document, double tokens) {
    const RequestLengths lengths = longest_lengths(tokens);
    Serving& serving = document.serving ? *document.serving : document.serving.emplace();
    serving.concurrency = 1;
    serving.output_tokens = lengths.output;
    serving.input_tokens = lengths.input;
    return document;
}

/// Tokens of the longest request that a server admits; 0: nothing says so.
double longest_request(const Request& request, const Architecture& architecture) {
    const std::string& stated = request.text(longest_request_fact);
    return stated == "model"
               ? std::max(0, architecture.max_positions)
               : length_with_suffix(stated).value_or(
                     stated.empty()
                         ? 0
                         : number_with_suffix(request.text("input-tokens")).value_or(0) +
                               number_with_suffix(request.text("output-tokens")).value_or(0));
}

/// Which length is judged where no file states a longest request.
std::string length_words(const Request& request, double longest, double positions, double room) {
    const std::string& rule = request.text(longest_request_fact);
    if (rule == "model") {
        return fmt::format(
            "the longest request: none is stated, so the {:.0f} tokens of the model "
            "count (its tuned twin's config.json may say fewer)",
            longest);
    }
    if (rule.starts_with(room_rule)) {
        const std::string held =
            room > 0 ? fmt::format(", here of about {:.0f} tokens", std::min(room, positions)) : "";
        return fmt::format(
            "the longest request: none is stated, so what its cache has room for is "
            "admitted{}; one of {:.0f} tokens was asked (the model takes {:.0f})",
            held, longest, positions);
    }
    if (rule.empty() || length_with_suffix(rule)) {
        return "";
    }
    return fmt::format(
        "the longest request: none is stated, so the {:.0f} tokens count that its "
        "tool takes beside this memory",
        longest);
}

/// The largest longest request for which the server has room, in whole blocks of cache.
double longest_that_fits(const Checked& checked, const WorkloadDocument& document,
                         const Architecture& architecture, double most) {
    constexpr double block = 16;
    double fits = 0;
    double fails = std::floor(most / block);
    const Knowledge knowledge = knowledge_of(checked.world);
    while (fails - fits > 1) {
        const double middle = std::floor((fits + fails) / 2);
        const auto placed = place(knowledge, with_one_request(document, middle * block),
                                  architecture, checked.cluster, nullptr);
        const bool room = placed && verdict_of(placed->estimate.memory, checked.free_gib).verdict ==
                                        CheckVerdict::fits;
        (room ? fits : fails) = middle;
    }
    return fits * block;
}

Remedy shorter_requests(double tokens, const std::string& key) {
    Remedy remedy;
    remedy.change = fmt::format("admit requests of at most {:.0f} tokens", tokens);
    remedy.flags = fmt::format("{} {:.0f}", key.empty() ? "--max-model-len" : key, tokens);
    remedy.fits = true;
    return remedy;
}

/// How much of the load that was asked runs at once, or is served: memory alone says nothing of it
/// where an engine lets requests wait.
void tell_load(const Checked& checked, Placement& placed, CheckedStep& step) {
    const auto& serving = placed.workload.serving;
    if (!serving || !placed.estimate.memory.fits) {
        return;
    }
    if (serving->request_rate <= 0) {
        step.running = running_requests(placed.estimate.memory, placed.workload);
        step.requests = serving->concurrency;
        if (step.running < step.requests) {
            step.what += fmt::format("; {:.0f} of {:.0f} at once", step.running, step.requests);
        }
        return;
    }
    if (!placed.estimate.time.load) {
        simulate_load(knowledge_of(checked.world), {}, placed);
    }
    if (const auto& load = placed.estimate.time.load; load && load->sustained) {
        step.served_per_s = *load->sustained;
        step.requests_per_s = serving->request_rate;
        step.what += fmt::format("; of {:.3g} requests/s {:.3g} are served", step.requests_per_s,
                                 step.served_per_s);
    }
}

/// As many requests as run at once, which `estimate` answers for: others wait, so that their number
/// decides nothing.
void add_crowd(Checked& checked, const WorkloadDocument& document, const Architecture& architecture,
               double most) {
    const bool asked = document.serving && document.serving->concurrency > 1;
    if (!asked || most <= 1) {
        return;
    }
    if (const auto all =
            add_step(checked, document, architecture, "as many as run at once", false)) {
        const double running = running_requests(all->estimate.memory, all->workload);
        CheckedStep& step = checked.answer.steps.back();
        step.running = running;
        step.requests = most;
        step.what = running < most
                        ? fmt::format("{:.0f} of {:.0f} requests, others wait", running, most)
                        : fmt::format("{:.0f} requests", most);
    }
}

/// A server whose cache is what is left: weights, activations and one request of the longest that
/// it admits must fit (vLLM does not start else). How many run at once is said, not asked for.
Result<Placement> add_server(Checked& checked, const WorkloadDocument& document,
                             const Architecture& architecture, const Request& request) {
    const double longest = longest_request(request, architecture);
    const double positions = architecture.max_positions;
    const auto software = document.framework
                              ? software_named(checked.world.profiles, *document.framework)
                              : Result<const SoftwareProfile*>(nullptr);
    const bool queues =
        software && *software != nullptr && (*software)->engine.lets_requests_wait();
    const auto tell = [&](double room) {
        if (const std::string words = length_words(request, longest, positions, room);
            !words.empty()) {
            checked.answer.open.push_back(words);
        }
    };
    if (longest < 2 || !queues) {
        tell(0);
        auto all = add_step(checked, document, architecture, "serving");
        if (all) {
            tell_load(checked, *all, checked.answer.steps.back());
        }
        const bool open = all && all->workload.framework.starts_with("llama.cpp") &&
                          !request.given("gpu-layers") && !request.given("host-expert-layers");
        if (open && !all->estimate.memory.fits) {
            checked.answer.open.push_back(
                "the layers on the card: none are stated, so all were asked there; its tool leaves "
                "on the host what has no room, where it is slower");
        }
        return all;
    }
    const WorkloadDocument one = with_one_request(document, longest);
    auto placed = add_step(checked, one, architecture, "serving");
    if (!placed) {
        return placed;
    }
    tell(placed->estimate.memory.kv_capacity_tokens);
    CheckedStep& step = checked.answer.steps.back();
    const double copies = std::max(1, placed->workload.plan.data);
    const double room = std::floor(copies * placed->estimate.memory.kv_capacity_tokens / longest);
    const std::string& cap = request.text("concurrency");
    const double most = cap.empty() ? room : number_with_suffix(cap).value_or(room);
    if (step.verdict != CheckVerdict::does_not_fit) {
        step.what +=
            fmt::format("; room for {:.0f} of them at once{}", std::max(1.0, std::min(room, most)),
                        cap.empty() ? "" : fmt::format(", {} at most", cap));
        add_crowd(checked, document, architecture, most);
        return placed;
    }
    const double less = longest_that_fits(checked, document, architecture, longest);
    if (less > 0) {
        checked.answer.remedies.push_back(shorter_requests(less, request.text(length_key_fact)));
    }
    return placed;
}

/// Something that moves memory and is in no figure leaves nothing to say but "does not fit", where
/// it can only take more.
void hold_back(CheckAnswer& answer, const Request& request) {
    answer.uncounted = request.texts(uncounted_fact);
    const bool surely =
        answer.verdict == CheckVerdict::does_not_fit && !request.flag(needs_less_fact);
    if (!answer.uncounted.empty() && !surely) {
        answer.verdict = CheckVerdict::not_judged;
    }
}

/// What a training run does beside its usual step: the longest sample, where nobody says how long
/// samples are, and its evaluation.
Result<void> add_larger_steps(Checked& checked, const WorkloadDocument& document,
                              const Architecture& architecture, const Placement& placed,
                              const Request& request) {
    const int length = placed.workload.batch.sequence_length;
    if (!document.sequence_length && length > 0 && architecture.max_positions > length) {
        checked.answer.open.push_back(fmt::format(
            "the length of samples: none is cut, {} tokens are usual; one as long as the model "
            "takes is shown and decides nothing",
            length));
        WorkloadDocument longest = document;
        longest.sequence_length = architecture.max_positions;
        if (const auto added =
                add_step(checked, longest, architecture, "longest sample of the model", false);
            !added) {
            return tl::unexpected(added.error());
        }
    }
    if (!request.given("evaluation-batch")) {
        return {};
    }
    const auto batch = number_of("--evaluation-batch", request.text("evaluation-batch"), 1, 1e6);
    if (!batch) {
        return tl::unexpected(batch.error());
    }
    if (const auto added =
            add_evaluation(checked, document, architecture, static_cast<int>(*batch));
        !added) {
        return tl::unexpected(added.error());
    }
    return {};
}

Result<Checked> check_steps(const World& world, const Request& request, const Cluster& cluster) {
    auto document = of_a_model(workload_of(request));
    if (!document) {
        return tl::unexpected(document.error());
    }
    const auto architecture = completed(*document, world);
    if (!architecture) {
        return tl::unexpected(architecture.error());
    }
    Checked checked{world, cluster, 0, {}, {}};
    if (request.given("free-gib")) {
        const auto free = number_of("--free-gib", request.text("free-gib"), 0.01, 1e6);
        if (!free) {
            return tl::unexpected(free.error());
        }
        const double all = cluster.accelerator->capacity() / gibibyte;
        if (*free > all) {
            return usage_error(
                "--free-gib",
                fmt::format("found {}, expected at most the {:.1f} of {}", request.text("free-gib"),
                            all, cluster.accelerator->name),
                "It is what others leave of the card.");
        }
        checked.free_gib = *free;
    }
    const bool training = document->task == Task::train;
    const auto placed = training ? add_step(checked, *document, *architecture, "training step")
                                 : add_server(checked, *document, *architecture, request);
    if (!placed) {
        return tl::unexpected(placed.error());
    }
    if (training) {
        if (const auto added =
                add_larger_steps(checked, *document, *architecture, *placed, request);
            !added) {
            return tl::unexpected(added.error());
        }
    }
    if (checked.answer.verdict == CheckVerdict::does_not_fit && checked.answer.remedies.empty()) {
        checked.answer.remedies =
            best_remedies(checked, checked.failing.value_or(FailingStep{*document, *placed}));
    }
    hold_back(checked.answer, request);
    if (const std::string& crowd = request.text(crowd_fact); !crowd.empty()) {
        checked.answer.verdict = CheckVerdict::does_not_fit;
        checked.answer.open.push_back(crowd + ": the last of them does not start");
    }
    return checked;
}

std::string subject_of(const Request& request) {
    std::string subject;
    for (const std::string& each : request.texts("from")) {
        const std::string name = request.on_command_line ? each : "the configuration";
        append(subject, ", ", name);
    }
    if (const std::string& run = request.text(run_fact); !run.empty()) {
        subject += " (" + run + ")";
    }
    return subject.empty() ? request.text("model") : subject;
}

}  // namespace

Result<Reply> answer_check(const World& world, const Request& request) {
    const auto cluster = cluster_of_request(world, request);
    if (!cluster) {
        return tl::unexpected(cluster.error());
    }
    auto checked = check_steps(world, request, *cluster);
    if (!checked) {
        return tl::unexpected(checked.error());
    }
    CheckAnswer& answer = checked->answer;
    answer.subject = subject_of(request);
    answer.hardware = report::cluster_line(*cluster);
    answer.strict = request.flag("strict");
    Reply reply;
    reply.body = request.json() ? report::check_json(answer, stamp_of(world.catalog))
                                : report::check_text(answer);
    if (answer.verdict == CheckVerdict::may_not_fit) {
        reply.messages = "warning: the memory of the accelerator lies inside the predicted range\n";
    }
    if (answer.verdict == CheckVerdict::not_judged) {
        reply.messages = "warning: what moves memory is not in the figures\n";
    }
    if (answer.waits() && answer.verdict < CheckVerdict::not_judged) {
        reply.messages += "warning: the load that was asked is more than is served at once\n";
    }
    const bool fails = answer.verdict == CheckVerdict::does_not_fit ||
                       (answer.strict && (answer.verdict != CheckVerdict::fits || answer.waits()));
    reply.exit_code = fails ? 3 : 0;
    return reply;
}

}  // namespace ridgeline::ask
