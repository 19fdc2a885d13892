#pragma once

#include "spec/engine_profile.h"
#include "spec/kernel_profile.h"
#include "spec/runtime_profile.h"
#include "spec/workload.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ridgeline {

/// What QLoRA stores frozen weights in unless told otherwise.
inline constexpr std::string_view usual_qlora_format = "nf4";

/// Defaults of a workload. Gradients and optimizer states are fp32 beside main gradients or master
/// weights, else in the type of the weights that train.
struct FrameworkDefaults {
    bool compiled = false;
    bool channels_last = false;  ///< of images: pixel by pixel (NHWC), as tensor cores read them
    DType weights = DType::bf16;
    ComputeType compute = ComputeType::bf16;
    bool master_weights = false;
    OptimizerImplementation optimizer_implementation = OptimizerImplementation::foreach;
    DType lora_weights = DType::fp32;
    double lora_dropout = 0;
    RecomputeMode recompute = RecomputeMode::full;
    Sharding sharding = Sharding::fsdp;  ///< with more than one data-parallel rank
    friend bool operator==(const FrameworkDefaults&, const FrameworkDefaults&) = default;
};

/// When the allocator's segments grow, so that neighbours of any size join
/// (PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True).
enum class ExpandableSegments {
    never,
    on_one_node,  ///< the launcher of several nodes does not ask for them
    always,
};

/// Memory outside the tensors.
struct AllocatorProfile {
    bool replays = false;  ///< steps of one length: the pool of the computing stream is found by
                           ///< replaying the tensors of loading and steps, not as a share
    ExpandableSegments expandable = ExpandableSegments::never;
    double fragmentation = 0;  ///< reserved beyond allocated, as a share of what is not resident
    std::optional<double> fragmentation_kept;  ///< the same of a step that recomputes nothing

    /// The same of the loss's tensors: none where samples have one length. Shares above one come of
    /// lengths that vary.
    [[nodiscard]] double fragmentation_loss() const {
        return fragmentation > 1 ? fragmentation : 0;
    }
    friend bool operator==(const AllocatorProfile&, const AllocatorProfile&) = default;
};

/// By what a stack can spread a training run, beside data parallelism and its own sharding.
struct ParallelSupport {
    bool tensor = false;
    bool pipeline = false;
    bool context = false;
    bool expert = false;
    bool adapters = false;                ///< tensor and pipeline parallelism with LoRA too
    bool offload_optimizer = false;       ///< states may wait on the host
    bool offload_parameters = false;      ///< sharded parameters too
    bool offload_activations = false;     ///< what the layers keep for the backward pass too
    bool always_shards = false;           ///< ranks never hold copies of what they could share
    bool shards_optimizer_alone = false;  ///< of what ranks share, the optimizer's states are all
    bool checkpoints_on_host = false;     ///< and inputs of layers that run again always do
    bool streams_weights = false;  ///< answers: networks come one by one, what lacks room is read
                                   ///< from the host in each pass
    friend bool operator==(const ParallelSupport&, const ParallelSupport&) = default;
};

/// Whether what the layers keep for the backward pass waits on the host: it was asked for, or the
/// stack checkpoints so.
[[nodiscard]] inline bool keeps_layers_on_host(const Plan& plan, const ParallelSupport& support) {
    return plan.offload_activations != OffloadTarget::none ||
           (support.checkpoints_on_host && plan.recompute == RecomputeMode::full);
}

/// The chips that a framework states it runs on. It inherits what it does not state.
struct ChipSupport {
    std::vector<std::string> makers = {};  ///< "NVIDIA", "cpu" for host processors; empty: any
    /// CUDA compute capabilities, of NVIDIA's parts; empty: none is stated.
    std::optional<double> least = {};
    /// By type of stored weights: "fp8" for all whose name begins so, "gguf" for files of
    /// llama.cpp.
    std::vector<std::pair<std::string, double>> least_of = {};
    std::vector<std::string> cannot_read = {};   ///< types of stored weights, named as in least_of
    std::optional<double> least_of_wheels = {};  ///< of today; older ones may do
    friend bool operator==(const ChipSupport&, const ChipSupport&) = default;
};

/// A question for which a framework is the usual choice. What is empty fits any.
struct UsualFor {
    std::optional<Task> task;
    std::optional<Method> method = {};
    std::string
        weights{};  ///< how they are stored: "gguf" (a file), "int8"; empty: in any other way
    std::string network{};  ///< kind of a model that is no transformer of text ("diffusion"), "any"
    std::optional<bool> rollouts = {};  ///< tuning by preferences or rewards: of answers that the
                                        ///< policy writes (true) or of given ones (false)
    int at_least = 1;                   ///< accelerators
    friend bool operator==(const UsualFor&, const UsualFor&) = default;
};

/// A stack without a profile of its own, which another's stands for.
struct StackAlike {
    std::string id;
    std::vector<std::string> words;  ///< as `SoftwareProfile::words`
    friend bool operator==(const StackAlike&, const StackAlike&) = default;
};

/// What a framework does when the user says nothing, and how its kernels behave. Every field is
/// data of profiles/software/<id>.json, with a source; nothing in code depends on a framework's
/// name.
struct SoftwareProfile {
    std::string id;  ///< of an older release "torchtitan@2024-06-12", with its first day
    std::string inherits;
    std::string name;
    std::string serves_with;  ///< profile of how the same library answers; empty: this one
    std::optional<Method> usual_method;  ///< by which it trains where nobody says one; empty: any
    /// What people call it.
    [[nodiscard]] const std::string& shown_name() const { return name.empty() ? id : name; }
    std::vector<std::string> words;  ///< by which a question means it, in lower case; not inherited
    std::vector<StackAlike> alike;   ///< not inherited
    bool serves = false;             ///< who names it speaks of serving
    bool trains = false;             ///< or of training
    std::vector<std::string> sources;
    ChipSupport chips;
    std::string from;  ///< first day of the release, "2024-06-12"; empty: it has but one
    std::vector<SoftwareProfile> older;  ///< releases before this one, oldest first
    std::vector<UsualFor> usual_for;
    FrameworkDefaults defaults;
    KernelProfile kernels;
    RuntimeProfile runtime;
    AllocatorProfile allocator;
    EngineProfile engine;
    PreferenceHabits preference;
    std::shared_ptr<const SoftwareProfile> rollout;  ///< engine that generates for it; null: none
    ParallelSupport support;                         ///< what a search of plans may choose
    friend bool operator==(const SoftwareProfile&, const SoftwareProfile&) = default;
};

}  // namespace ridgeline
