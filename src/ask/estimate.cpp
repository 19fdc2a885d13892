#include "advise/placement/largest.h"
#include "advise/placement/placement.h"
#include "ask/commands.h"
#include "ask/idle_fields.h"
#include "ask/imports.h"
#include "ask/kernel_answer.h"
#include "ask/question_options.h"
#include "ask/shared_card.h"
#include "ask/sweep.h"
#include "ask/traced.h"
#include "ask/workload_on.h"
#include "ask/workload_options.h"
#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace ridgeline::ask {
namespace {

/// What --max chose: a sentence, and each size by its field.
struct Largest {
    std::string note;
    std::vector<std::pair<std::string, double>> sizes;
};

/// `--max model`: the document gets that model; none is asked for.
Result<void> choose_model(const World& world, WorkloadDocument& document, const Cluster& cluster,
                          Largest& largest) {
    const LargestModel found =
        largest_model({world.catalog, world.profiles}, document, cluster,
                      [&](const std::string& id) { return model_named(world, id); });
    if (found.id.empty()) {
        return input_error("--max model", "no model of profiles/models fits");
    }
    largest.sizes.emplace_back("parameters", found.parameters);
    // Nobody trains or serves a model of long ago for a few parameters more.
    constexpr double about_as_large = 0.75;
    const bool current = !found.current_id.empty() && found.current_id != found.id &&
                         found.current_parameters >= about_as_large * found.parameters;
    document.model_id = current ? found.current_id : found.id;
    largest.note =
        current
            ? fmt::format("Up to {:.1f}B parameters fit ({}); of today's models {} is the largest.",
                          found.parameters / 1e9, found.id, found.current_id)
            : fmt::format("The largest model that fits is {}, {:.1f}B parameters.", found.id,
                          found.parameters / 1e9);
    return {};
}

/// --ttft and --tpot: goodput and the largest rate within them.
Result<void> hold_to_targets(const World& world, const Request& request,
                             report::EstimateAnswer& answer) {
    LoadTargets targets;
    for (const auto& [name, target] :
         {std::pair{"ttft", &targets.ttft}, std::pair{"tpot", &targets.tpot}}) {
        if (!request.given(name)) {
            continue;
        }
        const auto seconds = duration_of(std::string("--") + name, request.text(name));
        if (!seconds) {
            return tl::unexpected(seconds.error());
        }
        *target = *seconds * second;
    }
    if (!targets.stated()) {
        return {};
    }
    if (!answer.estimate.time.load) {
        return usage_error(request.given("ttft") ? "--ttft" : "--tpot",
                           "found beside a workload without requests",
                           "Targets are those of a served language model (--task inference).");
    }
    simulate_load({world.catalog, world.profiles}, targets, answer);
    return {};
}

/// --max of a field: the document gets that size.
Result<void> choose_size(const World& world, const Request& request, WorkloadDocument& document,
                         const Architecture& architecture, const Cluster& cluster,
                         const std::string& field, Largest& largest) {
    if ((field == "concurrency" || field == "context") && request.text("task") == "train") {
        return usage_error("--max", fmt::format("found \"{}\" beside --task train", field),
                           "Of training: batch, sequence, rank, model.");
    }
    const auto found =
        largest_that_fits({world.catalog, world.profiles}, document, architecture, cluster, field);
    if (!found) {
        return tl::unexpected(found.error());
    }
    largest.sizes.emplace_back(field, *found);
    set_size(document, field, std::max(*found, smallest_size(field)), true);
    const std::string_view size = field == "batch" ? std::string_view("micro-batch") : field;
    largest.note = *found > 0 ? fmt::format("The largest {} that fits is {}.", size, *found)
                              : fmt::format("No {} fits, not even the smallest.", size);
    return {};
}

/// That nobody is known to rent the cluster out in the way that was asked for.
std::string no_offer_words(const Cluster& cluster, const std::string& kind) {
    const Machine* machine = cluster.machine;
    const std::string by =
        machine != nullptr && machine->provider ? " of " + *machine->provider : std::string();
    return fmt::format("No {} offer{} is known.", kind, by);
}

/// A stack without a profile is estimated as the one that stands for it, which the answer says.
void tell_stand_in(const World& world, const WorkloadDocument& document,
                   report::EstimateAnswer& answer) {
    const std::string said = document.framework.value_or("");
    const SoftwareProfile* stack = world.profiles.software_profile(said);
    const std::string bare = said.substr(0, said.find('@'));
    if (stack == nullptr || !std::ranges::any_of(stack->alike, [&bare](const StackAlike& each) {
            return each.id == bare;
        })) {
        return;
    }
    answer.findings.push_back(
        {"stands_for",
         Severity::info,
         fmt::format("{} has no profile of its own: estimated as {}, which is nearest to it", bare,
                     stack->shown_name()),
         {},
         ""});
}

/// Joins a sentence to what is noted already.
void add_note(std::string& note, const std::string& sentence) { append(note, " ", sentence); }

/// Of files that hold something which moves memory and is in no figure; empty where the verdict
/// stands all the same.
std::string unjudged_words(const Request& request, bool fits) {
    const std::vector<std::string>& uncounted = request.texts(uncounted_fact);
    if (uncounted.empty() || (!fits && !request.flag(needs_less_fact))) {
        return "";
    }
    std::string all;
    for (const std::string& each : uncounted) {
        append(all, "; ", each);
    }
    return fmt::format("Not judged: {}. Without it:", all);
}

/// A size that is sought is not stated too; what a file says of it gives way.
Result<void> is_sought_alone(const Request& request) {
    static constexpr std::pair<const char*, const char*> replaced[] = {
        {"batch", "batch"},
        {"batch", "micro-batch"},
        {"micro-batch", "batch"},
        {"context", "input-tokens"},
        {"micro-batch", "micro-batch"}};
    const std::string& max = request.text("max");
    const std::string sweep = request.text("sweep").substr(0, request.text("sweep").find('='));
    if (!max.empty() && !sweep.empty()) {
        return usage_error("--max", fmt::format("found {} beside --sweep {}", max, sweep),
                           "Leave out one: each tries sizes of its own.");
    }
    const auto beside = [&](const char* seeks, const std::string& option) -> Result<void> {
        if (option.empty() || !request.given(option) || request.given("from")) {
            return {};
        }
        return usage_error("--" + option,
                           fmt::format("found {} beside --{} {}, which tries other values of it",
                                       request.text(option), seeks, request.text(seeks)),
                           fmt::format("Leave out --{}, or --{}.", option, seeks));
    };
    for (const auto& [field, option] : replaced) {
        if (max != field) {
            continue;
        }
        if (const auto alone = beside("max", option); !alone) {
            return alone;
        }
    }
    const auto sought = beside("max", max);
    return sought ? beside("sweep", sweep) : sought;
}

/// The estimate of a document that is complete, with what --price, --ttft, --tpot and --timeline
/// ask.
Result<Reply> estimate_reply(const World& world, const Request& request,
                             const WorkloadDocument& document, const Architecture& architecture,
                             const Cluster& cluster, Largest largest) {
    const Offer* offer = offer_for(world.catalog, cluster, request.text("price"));
    const Knowledge knowledge = knowledge_of(world);
    auto placed =
        place_with(plan_choice(request.text("plan")), knowledge, document, architecture, cluster,
                   offer, {.front = request.flag("explain"), .watch = request.watch_search});
    if (!placed) {
        return tl::unexpected(placed.error());
    }
    if (offer == nullptr && request.given("price")) {
        add_note(largest.note, no_offer_words(cluster, request.text("price")));
    }
    if (const auto held = hold_to_targets(world, request, *placed); !held) {
        return tl::unexpected(held.error());
    }
    if (request.flag("timeline")) {
        list_step(knowledge, *placed);
        if (!placed->step) {
            add_note(largest.note,
                     "No step script is written for this workload: --explain lists its parts.");
        }
    }
    tell_stand_in(world, document, *placed);
    if (!request.given("from")) {  // what files of trainers state in passing is told by them
        tell_idle_fields(world, document, *placed);
    }
    const std::string unread = unjudged_words(request, placed->estimate.memory.fits);
    if (request.json() && !unread.empty()) {
        add_note(largest.note, unread);
    }
    if (!largest.note.empty()) {
        add_note(placed->note, largest.note);
    }
    placed->largest = std::move(largest.sizes);
    Reply out;
    out.messages = notes_of(world);
    out.body = request.json() ? report::estimate_json(*placed, stamp_of(world.catalog))
                              : report::estimate_text(*placed, request.style);
    if (!unread.empty() && !request.json()) {
        out.body = unread + "\n" + out.body;
    }
    out.exit_code = placed->estimate.memory.fits || !unread.empty() ? 0 : 3;
    return out;
}

}  // namespace

Result<Reply> answer_estimate(const World& world, const Request& request) {
    if (request.given("trace")) {
        return answer_trace(world, request);
    }
    if (const auto alone = is_sought_alone(request); !alone) {
        return tl::unexpected(alone.error());
    }
    auto stated = workload_of(request);
    if (stated && stated->task == Task::kernel) {
        return answer_kernel_estimate(world, request, *stated);
    }
    auto document = model_workload(std::move(stated), request);
    if (!document) {
        return tl::unexpected(document.error());
    }
    const auto cluster = cluster_named(world.catalog, request.text("on"), request.on_command_line);
    if (!cluster) {
        return tl::unexpected(cluster.error());
    }
    if (request.given("beside")) {
        return run_shared(request, world, *cluster);
    }
    Largest largest;
    const std::string max = request.text("max") == "micro-batch" ? "batch" : request.text("max");
    if (max == "model") {
        if (const auto chosen = choose_model(world, *document, *cluster, largest); !chosen) {
            return tl::unexpected(chosen.error());
        }
    }
    const auto architecture = completed(*document, world);
    if (!architecture) {
        return tl::unexpected(architecture.error());
    }
    if (request.given("sweep")) {
        return run_sweep(request, world, *document, *architecture, *cluster);
    }
    if (request.given("svg")) {
        return usage_error("--svg", "found without --sweep",
                           "Example: --sweep accelerators=8..512.");
    }
    if (!max.empty() && max != "model") {
        if (const auto chosen =
                choose_size(world, request, *document, *architecture, *cluster, max, largest);
            !chosen) {
            return tl::unexpected(chosen.error());
        }
    }
    return estimate_reply(world, request, *document, *architecture, *cluster, std::move(largest));
}

}  // namespace ridgeline::ask
