#include "advise/fits/in_turn.h"

#include "advise/figure_words.h"
#include "advise/hardware/desk.h"
#include "advise/stacks/lean.h"
#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

// Networks of a pipeline that come to the card one after the other.

namespace ridgeline {
namespace {

/// ComfyUI frees the models that wait before it loads the next (comfy/model_management.py,
/// load_models_gpu); diffusers does where it is told to (enable_model_cpu_offload).
bool may_come_in_turn(const WorkloadDocument& document, const Architecture& architecture) {
    return document.task == Task::inference && architecture.kind == ModelKind::diffusion &&
           !document.framework && !document.offload_parameters;
}

}  // namespace

void try_networks_in_turn(Judged& best, const FitCase& fit) {
    const SoftwareProfile* streams = streaming_stack(fit.tools.knowledge.profiles);
    const bool home = std::ranges::all_of(fit.clusters, [](const Cluster& cluster) {
        return cluster.count == 1 && stands_at_a_desk(*cluster.accelerator);
    });
    if (!best.reply || best.order > 0 || !home || fit.reading.keeps_on_card || streams == nullptr ||
        !may_come_in_turn(fit.document, fit.architecture)) {
        return;
    }
    WorkloadDocument turns = fit.document;
    turns.offload_parameters = OffloadTarget::cpu;
    Judged whole = judged_on_forms(fit, turns);
    if (!whole.reply || whole.reply->verdict == "no" || whole.order <= best.order) {
        return;
    }
    const double together = best.reply->needs ? best.reply->needs->mid : 0;
    best = std::move(whole);
    Answer& reply = *best.reply;
    reply.framework = streams->id;
    reply.change = {{"--framework " + streams->id, "fits with its networks in turn"}};
    reply.headline.insert(reply.headline.find_first_of(",:"),
                          " with its text encoders unloaded after the prompt");
    reply.headline += fmt::format(
        " {} does so where memory is short, diffusers with enable_model_cpu_offload; all on the "
        "card take {}.",
        streams->shown_name(), format_gib(together));
}

std::string in_turn_words(const Way& way, const Reading& reading, double whole_gib,
                          const Cluster& cluster, const AnswerTools& tools) {
    constexpr double worth_telling = 0.9;  // of all of them
    if (way.task != Task::inference || !reading.framework.empty() || reading.offload ||
        reading.keeps_on_card) {
        return "";
    }
    Reading turns = reading;
    turns.offload = true;
    const auto placed = placed_way(way, turns, cluster, tools);
    if (!placed || placed->architecture.kind != ModelKind::diffusion) {
        return "";
    }
    const double gib = placed->estimate.memory.process / gibibyte;
    return gib < worth_telling * whole_gib
               ? fmt::format(
                     " Where its text encoders are unloaded after the prompt, as ComfyUI does when "
                     "memory is short and diffusers with enable_model_cpu_offload, it takes {}.",
                     format_gib(gib))
               : std::string();
}

}  // namespace ridgeline
