#pragma once

#include "spec/architecture.h"
#include "spec/workload.h"

#include <optional>
#include <string>
#include <vector>

namespace ridgeline {

/// A workload as a user or an evidence row states it: what is empty was not said and is filled by
/// `resolve` (estimate/resolve/resolve.h) from the software profile. Same meaning and names as
/// Workload.
struct WorkloadDocument {
    std::string name;
    std::string model_id;                      ///< id of profiles/models; empty when `architecture`
    std::optional<Architecture> architecture;  ///< given inline or by hf_config
    Task task = Task::train;
    std::optional<Method> method;

    std::optional<std::string> framework;
    std::optional<AttentionKernel> attention;
    std::optional<bool> compiled;
    std::optional<LossMode> loss;
    std::optional<bool> cuda_graphs;
    std::optional<bool> channels_last;
    std::optional<bool> fp16_accumulate;
    std::optional<bool> cached_conditions;

    std::optional<DType> weights;
    std::optional<ComputeType> compute;
    std::optional<DType> gradients;
    std::optional<bool> master_weights;
    std::optional<std::string> quantization;
    std::optional<bool> double_quantization;
    std::optional<DType> kv_cache;

    std::optional<std::string> optimizer;
    std::optional<DType> optimizer_state;
    std::optional<OptimizerImplementation> optimizer_implementation;
    std::optional<bool> optimizer_in_backward;

    bool has_lora = false;
    std::optional<int> lora_rank;
    std::optional<LoraVariant> lora_variant;
    std::optional<std::vector<std::string>> lora_targets;
    std::optional<DType> lora_weights;
    std::optional<double> lora_dropout;
    std::optional<bool> lora_fused;
    std::optional<Upcast> kbit_preparation;

    std::optional<int> micro_batch;
    std::optional<int> global_batch;
    std::optional<int> sequence_length;
    std::optional<int> image_size;
    std::optional<int> image_height;
    std::optional<int> image_depth;
    std::optional<int> frames;
    std::optional<double> audio_seconds;
    std::optional<int> encoder_steps;
    std::optional<int> decoder_steps;
    std::optional<int> beam;
    std::optional<int> latent_size;
    std::optional<int> steps;
    std::optional<int> guidance_passes;
    std::optional<std::string> phase;

    std::optional<int> data;
    std::optional<int> tensor;
    std::optional<int> pipeline;
    std::optional<int> virtual_pipeline;
    std::optional<int> context;
    StepSplit split = {};  ///< of the context ranks, as a file's "sequence" says
    std::optional<int> expert;
    std::optional<bool> sequence_parallel;
    std::optional<Sharding> sharding;
    std::optional<int> shard_group;
    std::optional<bool> reshard_after_forward;
    std::optional<bool> reduce_each_micro_batch;
    std::optional<RecomputeMode> recompute;
    std::optional<int> full_recompute_layers;
    std::optional<double> recompute_share;  ///< of a network's blocks, in segments between others
    std::optional<OffloadTarget> offload_optimizer;
    std::optional<OffloadTarget> offload_parameters;
    std::optional<OffloadTarget> offload_activations;

    std::optional<double> duration_tokens;
    std::optional<double> duration_samples;
    std::optional<double> duration_epochs;
    std::optional<double> dataset_samples;
    std::optional<double> dataset_bytes;
    std::optional<Serving> serving;
    std::optional<InputPipeline> input;
    std::optional<std::string>
        network;  ///< between nodes: "ib-ndr", "eth-100:2" (two ports a node)
    std::optional<Kernel> kernel;
    std::optional<PreferenceTuning> preference;
    friend bool operator==(const WorkloadDocument&, const WorkloadDocument&) = default;
};

}  // namespace ridgeline
