#pragma once

#include "base/dtype.h"
#include "base/quantity.h"
#include "spec/kernel.h"
#include "spec/preference.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ridgeline {

enum class Task { train, inference, kernel };
enum class Method { full, lora, qlora };
enum class LoraVariant { lora, dora, rslora };
enum class AttentionKernel { flash, sdpa, eager };
enum class LossMode { eager, chunked, compiled, fused_linear, vocab_parallel };
enum class Sharding { none, ddp, zero1, zero2, zero3, fsdp, hsdp };
enum class RecomputeMode { none, selective, full };
enum class OptimizerImplementation { foreach, fused, paged };
enum class OffloadTarget { none, cpu, nvme };
enum class ServingPhase { end_to_end, prefill, decode };

/// Storage format of frozen base weights or served weights; the block layouts are in
/// estimate/work/quantization.h. GGUF types are named by their lower-case llama.cpp name.
struct Quantization {
    std::string name = "none";  ///< "none", "nf4", "int8", "gptq-int4", "fp8", "q4_k_m", ...
    bool double_quantization = false;
    [[nodiscard]] bool any() const { return name != "none"; }
    friend bool operator==(const Quantization&, const Quantization&) = default;
};

/// Which unquantised parameters are fp32 while adapters train (PEFT's k-bit preparation).
enum class Upcast : unsigned char {
    none,
    norms,  ///< embedding and head went back to 16 bits
    rest,   ///< all
};

/// Adapters: W + B A; `dora` also trains the norm of each row (arXiv 2402.09353); `rslora` scales
/// by 1 / sqrt(rank) instead of 1 / rank (arXiv 2312.03732) and costs what `lora` costs.
struct Lora {
    int rank = 16;
    LoraVariant variant = LoraVariant::lora;
    std::vector<std::string> targets;  ///< module names ("q_proj"); "all-linear" is expanded
    DType weights = DType::fp32;
    double dropout = 0;
    bool fused = false;  ///< projections with their adapters are autograd functions of their own,
                         ///< which keep what they read alone (Unsloth, axolotl)
    std::optional<Upcast> upcasts;  ///< empty: what the stack's k-bit preparation does
    friend bool operator==(const Lora&, const Lora&) = default;
};

/// How the ranks of `Plan::context` share a denoising step: some take a pass of guidance each, some
/// hand keys and values around (ring attention), some are stages that take the image patch by patch
/// (PipeFusion), and the rest exchange tokens for heads around every attention (Ulysses).
struct StepSplit {
    int guidance = 1;
    int ring = 1;
    int patches = 1;
    friend bool operator==(const StepSplit&, const StepSplit&) = default;
};

/// How a workload is spread over accelerators and what it trades for memory.
struct Plan {
    int data = 1;
    int tensor = 1;
    int pipeline = 1;
    int virtual_pipeline = 1;  ///< model chunks a pipeline rank holds
    int context = 1;
    StepSplit split = {};  ///< of `context`, of denoising
    int expert = 1;
    bool sequence_parallel = false;
    Sharding sharding = Sharding::none;
    int shard_group = 0;  ///< ranks that share one copy; 0: all data-parallel ranks
    bool reshard_after_forward = true;
    bool reduce_each_micro_batch = false;  ///< gradients, whatever the framework would put off
    RecomputeMode recompute = RecomputeMode::none;
    int full_recompute_layers =
        -1;                      ///< >= 0: so many layers of a stage recompute fully, the rest not
    double recompute_share = 1;  ///< of a network's blocks that recompute, where they do
    OffloadTarget offload_optimizer = OffloadTarget::none;
    OffloadTarget offload_parameters = OffloadTarget::none;
    OffloadTarget offload_activations = OffloadTarget::none;

    /// Ranks that one copy of the work occupies: data x tensor x pipeline x context. Experts are
    /// spread over the data (x context) ranks and do not multiply.
    [[nodiscard]] int ranks() const { return data * tensor * pipeline * context; }
    /// Ranks that share the tokens of one pass.
    [[nodiscard]] int token_ranks() const { return std::max(1, context / split.guidance); }
    /// Of those, ranks that exchange tokens for heads.
    [[nodiscard]] int head_ranks() const {
        return std::max(1, token_ranks() / (split.ring * split.patches));
    }
    friend bool operator==(const Plan&, const Plan&) = default;
};

struct Batch {
    int micro = 1;            ///< samples per rank per pass
    int global = 1;           ///< samples per optimizer step
    int sequence_length = 0;  ///< tokens
    int image_size = 0;       ///< width in pixels, and height where `image_height` is 0
    int image_height = 0;
    int image_depth = 0;       ///< slices of a volume; 0: the network's own
    int frames = 0;            ///< of a clip
    double audio_seconds = 0;  ///< mean length of an utterance
    int encoder_steps = 0;     ///< recurrent networks: steps of the source
    int decoder_steps = 0;     ///< and of the target
    int beam = 1;              ///< hypotheses that a decoder carries
    int latent_size = 0;
    int steps = 0;  ///< diffusion: denoising steps
    int guidance_passes = 1;
    std::string phase = {};  ///< the one part of a pipeline that is wanted ("denoise"); empty: all
    friend bool operator==(const Batch&, const Batch&) = default;
};

/// One request of a recorded or drawn load.
struct TracedRequest {
    double time = 0;  ///< seconds since the first
    double input_tokens = 0;
    double output_tokens = 0;
    double cached_tokens = 0;  ///< of the input, that an earlier request began with
    friend bool operator==(const TracedRequest&, const TracedRequest&) = default;
};

struct Serving {
    double input_tokens = 1024;
    double output_tokens = 512;
    double concurrency = 1;
    ServingPhase phase = ServingPhase::end_to_end;
    int draft_tokens = 0;     ///< speculative decoding: tokens proposed before each step; 0: none
    double acceptance = 0.7;  ///< probability that a proposed token is right, given those before it
    double draft_parameters = 0;  ///< of the draft model; 0: drafts cost nothing (n-gram look-up)
    std::optional<int> gpu_layers{};  ///< layers on the accelerator, the others on the host
    int host_expert_layers = 0;       ///< first layers whose routed experts stay on the host
    double host_memory_rate = 0;  ///< GB/s of the host's memory, nominal, for what stays there; 0:
                                  ///< that of a usual host
    double request_rate = 0;      ///< requests a second that come at random times (Poisson); 0: a
                                  ///< closed loop of `concurrency`
    bool burst = false;           ///< all requests come at once
    std::optional<double> shortest_share{};  ///< lengths are drawn evenly from this share of the
                                             ///< stated ones on; empty: about the stated ones
    std::optional<double> longest_output{};  ///< answers are spread as those of chats about
                                             ///< their mean and end here; empty: as prompts
    double cached_share = 0;                 ///< of each prompt, found in the prefix cache
    int prompt_replicas = 0;  ///< replicas that run prompts alone, for the others; 0: none
    std::optional<double> iteration_tokens{};  ///< empty: the stack's own
    std::optional<double> prompt_wait_iterations{};
    std::shared_ptr<const std::vector<TracedRequest>> trace{};  ///< what comes when; null: drawn
    friend bool operator==(const Serving&, const Serving&) = default;
};

/// Seconds of a window that a speech model hears at once (Radford et al. 2022).
inline constexpr double audio_window_s = 30;
/// What it reads and writes of one: the tokens before a transcript, and those of half a minute at
/// 150 words a minute, 1.3 tokens a word.
inline const Serving window_of_sound{.input_tokens = 4, .output_tokens = 100};

/// What feeds the accelerators: each sample is read from storage, decoded by host cores and copied
/// over the host link. Rates that nobody stated are empty and bound nothing.
struct InputPipeline {
    double bytes_per_sample = 0;          ///< read from storage
    double reads_per_sample = 0;          ///< random reads; 0: read in sequence from large files
    double decoded_bytes_per_sample = 0;  ///< copied to the accelerator; 0: the bytes as read
    double decode_core_seconds = 0;       ///< of one host core for one sample
    std::optional<double> cores_per_accelerator{};  ///< empty: those of the machine, shared evenly
    std::string storage{};  ///< id of catalog/storage.json; empty: rates as stated
    std::optional<double> storage_bytes_per_s{};         ///< read rate for one node
    std::optional<double> storage_writes_bytes_per_s{};  ///< as the catalog says of the storage
    std::optional<double> storage_reads_per_s{};         ///< random reads for one node
    bool direct = false;  ///< storage to accelerator past the host (GPUDirect Storage)
    friend bool operator==(const InputPipeline&, const InputPipeline&) = default;
};

/// What a run reads over and over.
struct Dataset {
    double samples = 0;  ///< of one epoch; 0: not stated
    double bytes = 0;    ///< on storage; 0: not stated
    friend bool operator==(const Dataset&, const Dataset&) = default;
};

/// A default that was filled in, for the "defaults" list of every answer.
struct FilledDefault {
    std::string field;
    std::string value;
    std::string from;  ///< "software profile hf-trainer", "ridgeline", ...
    friend bool operator==(const FilledDefault&, const FilledDefault&) = default;
};

/// A complete workload: every choice that the memory and time folds depend on is made.
/// `WorkloadDocument` (spec/workload_document.h) is what a user wrote; `resolve` fills the rest.
struct Workload {
    std::string name;
    Task task = Task::train;
    Method method = Method::full;

    std::string framework;  ///< id of profiles/software, with the day of an older release
    AttentionKernel attention = AttentionKernel::flash;
    bool compiled = false;
    LossMode loss = LossMode::eager;
    bool cuda_graphs = false;
    bool channels_last = true;     ///< images lie pixel by pixel (NHWC), as tensor cores read them
    bool fp16_accumulate = false;  ///< half-precision products accumulate in half precision
    bool cached_conditions = false;  ///< latents and text embeddings were computed before the run

    DType weights = DType::bf16;  ///< resident weights that train, or the unquantised served part
    ComputeType compute = ComputeType::bf16;
    DType gradients = DType::bf16;
    bool master_weights = false;  ///< an fp32 copy beside the weights
    Quantization quantization;
    DType kv_cache = DType::bf16;

    std::string optimizer = "adamw";  ///< "adamw", "adam", "sgd", "adafactor", "lion", "muon"
    DType optimizer_state = DType::fp32;
    OptimizerImplementation optimizer_implementation = OptimizerImplementation::foreach;
    bool optimizer_in_backward = false;

    std::optional<Lora> lora;
    Batch batch;
    Plan plan;
    std::optional<double> duration_tokens;
    std::optional<double> duration_samples;  ///< images, clips, utterances, rows of the run
    Dataset dataset;
    std::optional<Serving> serving;
    std::optional<InputPipeline> input;  ///< empty: never the bound
    std::optional<Kernel> kernel;
    std::optional<PreferenceTuning> preference;  ///< empty: supervised

    /// Sequences that one sample of the batch is: two answers of a pair.
    [[nodiscard]] double sequences() const { return preference && preference->pairs() ? 2 : 1; }
    bool operator==(const Workload&) const;  // many members: compiled once
};

}  // namespace ridgeline
