#include "advise/stacks/lean.h"

#include "advise/stacks/usual.h"

namespace ridgeline {
namespace {

/// Whether the texts and pictures of a training set may be encoded before the run, so that neither
/// the text encoders nor the autoencoder lie beside what trains: diffusers' low-memory example of
/// SD3 (examples/research_projects/sd3_lora_colab) and kohya's scripts
/// (--cache_text_encoder_outputs, --cache_latents) do so.
///
/// clips  of videos too, as trainers made for them do
bool conditions_may_be_first(const Profiles& profiles, const WorkloadDocument& document,
                             const Architecture& architecture, bool clips = false) {
    const SoftwareProfile* stack =
        document.framework ? profiles.software_profile(*document.framework) : nullptr;
    if (stack != nullptr && stack->trains && !stack->serves) {
        return false;
    }
    return architecture.kind == ModelKind::diffusion && architecture.network &&
           architecture.network->list("text_encoders") != nullptr && !document.cached_conditions &&
           (clips || document.frames.value_or(architecture.network->number("frames", 1)) <= 1) &&
           document.method.value_or(Method::lora) != Method::full;
}

/// Denoisers whose weights are all tuned on one card: kohya's scripts step each as soon as its
/// gradient is there (--fused_backward_pass, Adafactor alone), and keep none in fp32
/// (--full_bf16). Hooks on gradients run before ranks have summed them.
void add_steps_in_backward(std::vector<LeanWay>& ways, const WorkloadDocument& document) {
    if (document.optimizer.value_or("adafactor") != "adafactor" || document.offload_optimizer) {
        return;
    }
    LeanWay way{"--optimizer adafactor --optimizer-in-backward true --recompute full",
                "Adafactor's steps in the backward pass (kohya's --fused_backward_pass)", document};
    way.document.optimizer = "adafactor";
    way.document.optimizer_in_backward = true;
    way.document.recompute = RecomputeMode::full;
    if (!document.optimizer_in_backward) {
        ways.push_back(way);
    }
    if (!document.weights && !document.master_weights) {
        way.flags = "--weights bf16 --gradients bf16 --master-weights none " + way.flags;
        way.words =
            "bf16 weights stepped by Adafactor in the backward pass (kohya's --full_bf16 "
            "--fused_backward_pass)";
        way.document.weights = way.document.gradients = DType::bf16;
        way.document.master_weights = false;
        ways.push_back(std::move(way));
    }
}

/// A stack that trains adapters of a mixture with its experts parted (Megatron, not one of those
/// built over it): sharded data parallelism gathers all experts of a layer on every card. Null: the
/// document settles it.
const SoftwareProfile* stack_of_experts(const Profiles& profiles, const WorkloadDocument& document,
                                        const Architecture& architecture) {
    const bool adapters = document.method.value_or(Method::lora) == Method::lora;
    if (document.framework || document.expert || document.preference || !adapters ||
        !architecture.text().moe) {
        return nullptr;
    }
    const auto found = std::ranges::find_if(profiles.software, [](const SoftwareProfile& profile) {
        return profile.support.adapters && profile.support.expert && profile.inherits.empty() &&
               profile.id != "generic";
    });
    return found == profiles.software.end() ? nullptr : &*found;
}

}  // namespace

std::vector<const SoftwareProfile*> lean_stacks(const Profiles& profiles,
                                                const WorkloadDocument& document) {
    std::vector<const SoftwareProfile*> lean;
    if (document.framework || document.task != Task::train ||
        document.method.value_or(Method::lora) == Method::full) {
        return lean;
    }
    const auto usual = usual_software(profiles, document, {}, Accelerator{}, 1);
    for (const SoftwareProfile& profile : profiles.software) {
        const bool over_usual = !usual.empty() && profile.inherits == usual.front()->id;
        if (over_usual && profile.kernels.loss.kernel == LossMode::fused_linear) {
            lean.push_back(&profile);
        }
    }
    return lean;
}

std::vector<LeanWay> lean_ways(const Profiles& profiles, const WorkloadDocument& document,
                               const Architecture& architecture, int accelerators) {
    std::vector<LeanWay> ways;
    if (document.task == Task::train && conditions_may_be_first(profiles, document, architecture)) {
        ways.push_back({"--precomputed-conditions true",
                        "prompt embeddings and latents computed first", document});
        ways.back().document.cached_conditions = true;
    }
    if (document.task == Task::train && architecture.kind == ModelKind::diffusion &&
        accelerators == 1 && document.method == Method::full) {
        add_steps_in_backward(ways, document);
    }
    if (document.task != Task::train || architecture.network || architecture.stacks.empty()) {
        return ways;
    }
    if (const SoftwareProfile* stack = stack_of_experts(profiles, document, architecture);
        stack != nullptr && accelerators > 1) {
        ways.push_back({"--framework " + stack->id,
                        stack->shown_name() + ", which parts experts and layers over the cards",
                        document});
        ways.back().document.framework = stack->id;
    }
    if (!document.loss) {
        ways.push_back({"--loss fused_linear", "a loss that never keeps all logits", document});
        ways.back().document.loss = LossMode::fused_linear;
    }
    for (const SoftwareProfile* stack : accelerators > 1 ? std::vector<const SoftwareProfile*>{}
                                                         : lean_stacks(profiles, document)) {
        ways.push_back({"--framework " + stack->id, stack->shown_name(), document});
        ways.back().document.framework = stack->id;
    }
    const auto usual =
        usual_software(profiles, document, architecture, Accelerator{}, accelerators);
    const bool gathers = !usual.empty() && usual.front()->support.offload_parameters &&
                         usual.front()->support.offload_optimizer;
    const bool open = !document.offload_parameters && !document.offload_optimizer;
    if (document.method == Method::qlora && accelerators > 1 && gathers && open) {
        ways.push_back({"--offload-parameters cpu --offload-optimizer cpu",
                        "the weights in host memory", document});
        ways.back().document.offload_parameters = OffloadTarget::cpu;
        ways.back().document.offload_optimizer = OffloadTarget::cpu;
        ways.back().on_host = true;
    }
    return ways;
}

std::optional<LeanWay> swapped_blocks(const Profiles& profiles, const WorkloadDocument& document,
                                      const Architecture& architecture) {
    if (document.task != Task::train || document.offload_parameters ||
        !conditions_may_be_first(profiles, document, architecture, true)) {
        return std::nullopt;
    }
    LeanWay way{
        "--precomputed-conditions true --offload-parameters cpu",
        fmt::format("prompt embeddings and latents computed first and {}blocks swapped from "
                    "the host (blocks_to_swap)",
                    document.method == Method::full ? "" : "frozen "),
        document, true};
    way.document.cached_conditions = true;
    way.document.offload_parameters = OffloadTarget::cpu;
    return way;
}

const SoftwareProfile* streaming_stack(const Profiles& profiles) {
    const auto found = std::ranges::find_if(profiles.software, [](const SoftwareProfile& profile) {
        return profile.support.streams_weights;
    });
    return found == profiles.software.end() ? nullptr : &*found;
}

std::vector<LeanWay> context_ways(const Profiles& profiles, const WorkloadDocument& document,
                                  const Architecture& architecture, int accelerators) {
    if (document.framework || architecture.stacks.empty()) {
        return {};
    }
    if (document.task == Task::inference) {
        const SoftwareProfile* files = profiles.software_profile("llama.cpp");
        const bool one =
            accelerators == 1 && document.serving && document.serving->concurrency <= 1;
        if (files == nullptr || !one) {
            return {};
        }
        LeanWay way{"--framework " + files->id, files->shown_name(), document};
        way.document.framework = files->id;
        return {way};
    }
    auto ways = lean_ways(profiles, document, architecture, accelerators);
    for (const SoftwareProfile& stack : profiles.software) {
        if (accelerators > 1 && stack.support.context && stack.id != "generic") {
            ways.push_back({"--framework " + stack.id + " --loss fused_linear",
                            stack.shown_name() + ", a loss in pieces", document});
            ways.back().document.framework = stack.id;
            ways.back().document.loss = document.loss.value_or(LossMode::fused_linear);
        }
    }
    return ways;
}

}  // namespace ridgeline
