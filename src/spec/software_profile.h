#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/quantity.h"
#include "spec/calibration.h"
#include "spec/workload.h"

namespace ridgeline {

/// How a stack implements a normalisation: decides what is kept for the backward pass.
enum class NormKernel {
    eager,   ///< upcast to fp32, several elementwise kernels (Hugging Face RMSNorm)
    torch,   ///< one torch.nn.functional norm: keeps its input and one fp32 statistic a row
    fused,   ///< Transformer Engine, Apex: input and statistic
};

/// How a stack implements a gated or plain activation.
enum class ActivationKernel {
    eager,  ///< act(gate) * up: keeps gate, act(gate), up
    fused,  ///< one SwiGLU/GELU kernel: keeps its input only
};

/// What selective recomputation keeps of a layer besides its input.
enum class SelectiveRecompute {
    core_attention,       ///< everything but the scores: with a flash kernel like `none` (Megatron)
    every_second_matmul,  ///< attention output and every second product's output (torchtitan)
};

/// Where a stack multiplies what experts make by the weights that the router gave.
enum class RoutingWeights {
    after_experts,   ///< the output of the last product, which is kept for it (Hugging Face, torchtitan)
    in_activation,   ///< within the fused activation: nothing more is kept (Megatron-Core from 0.12 on)
    before_experts,  ///< the copies of the tokens, before the first product
};

/// How FSDP wraps the tables.
enum class FsdpTables {
    root,      ///< embedding, final norm and head in the root unit, gathered from first to last use
    separate,  ///< units of their own, gathered while they compute
};

/// What a serving stack's memory fraction is a share of.
enum class MemoryShare {
    card,                ///< weights, activations and cache within this share of the card (vLLM)
    weights_and_cache,   ///< weights and cache; activations beyond it (SGLang)
    free_after_weights,  ///< the cache's share of what weights and activations leave (TensorRT-LLM)
};

/// By what a stack can spread a training run, beside data parallelism and its own sharding.
struct ParallelSupport {
    bool tensor = false;
    bool pipeline = false;
    bool context = false;
    bool expert = false;
    bool adapters = false;             ///< tensor and pipeline parallelism with LoRA too
    bool offload_optimizer = false;    ///< states may wait on the host
    bool offload_parameters = false;   ///< sharded parameters too
    bool offload_activations = false;  ///< what the layers keep for the backward pass too
    friend bool operator==(const ParallelSupport&, const ParallelSupport&) = default;
};

/// What a framework does when the user says nothing, and how its kernels behave. Every field is
/// data of profiles/software/<id>.json, with a source; nothing in code depends on a framework's name.
struct SoftwareProfile {
    std::string id;
    std::string inherits;
    std::string name;
    std::vector<std::string> sources;
    /// Least CUDA compute capability that its current wheels are built for; empty: none is stated.
    std::optional<double> least_compute_capability;
    std::string until;  ///< last day of the releases that it stands for, "2024-12-31"; empty: newest

    // Defaults of a workload.
    AttentionKernel attention = AttentionKernel::flash;
    bool compiled = false;
    LossMode loss = LossMode::eager;
    bool cuda_graphs = false;
    DType weights = DType::bf16;
    ComputeType compute = ComputeType::bf16;
    std::optional<DType> gradients;   ///< empty: as the weights that train
    bool master_weights = false;
    DType optimizer_state = DType::fp32;
    bool states_follow_weights = false;  ///< optimizer states in the type of the weights that train
    bool splits_loss = false;            ///< with tensor parallelism the loss is vocabulary parallel
    OptimizerImplementation optimizer_implementation = OptimizerImplementation::foreach;
    DType lora_weights = DType::fp32;
    double lora_dropout = 0;
    RecomputeMode recompute = RecomputeMode::full;
    Sharding sharding = Sharding::fsdp;       ///< with more than one data-parallel rank
    ParallelSupport spreads;                  ///< what a search of plans may choose
    std::string qlora_quantization = "nf4";
    bool double_quantization = true;

    // What its operators keep and allocate.
    NormKernel norm = NormKernel::eager;
    ActivationKernel activation = ActivationKernel::eager;
    bool rope_keeps_inputs = false;     ///< rotary embedding keeps q and k before rotation
    bool repeats_kv = false;            ///< materialises repeated KV heads before attention
    bool kbit_upcast = false;           ///< unquantised parameters are upcast to fp32 (k-bit prep)
    bool autocast = false;              ///< torch autocast: operands are cast op by op, norms in fp32
    bool fused_qkv = false;             ///< query, key and value are one product and one adapter input
    bool joins_rotary = false;          ///< q and k joined anew after rotation: the output is copied
    bool scales_norm_fp32 = false;      ///< an eager norm multiplies by its weight in fp32
    bool python_gelu = false;           ///< "gelu_new" is written out in tensor operations
    bool holds_last_loss = false;       ///< the last step's loss, and what its graph still holds, lives
                                        ///< until the next forward pass is done
    int load_copies = 0;                ///< 16-bit copies of a matrix on the device while it is quantised
    int dequantized_copies = 1;         ///< expanded weights of a quantised product at a time
    bool lora_casts_input = true;       ///< adapter computes in its weights' type: input copy kept
    bool holds_logits = true;           ///< the training loop holds the logits through the backward pass
    bool keeps_logits_float = false;    ///< and holds them in fp32 alone
    int loss_chunk_tokens = 0;          ///< tokens of a sample in one chunk of the loss; 0: eighths
    bool dummy_weight_gradients = false;///< Transformer Engine: one buffer per distinct weight shape
    int vocabulary_multiple = 1;        ///< vocabulary padded to a multiple of this x tensor
    bool gradient_buffer = false;       ///< contiguous main gradients for the whole run (Megatron)
    double ddp_bucket_bytes = 25.0 * 1024 * 1024;
    bool gradient_as_bucket_view = false;
    double zero_bucket_elements = 5e8;
    bool untied_embeddings = false;     ///< never ties head and embedding (litgpt)
    bool compiles_loss = true;          ///< a compiled step compiles its loss too
    bool compiles_layers = false;       ///< a compiled step compiles each layer alone: what is outside of them
                                        ///< stays eager
    bool gathers_float8 = false;        ///< FSDP2 gathers the weights of fp8 products in fp8 (torchao), where
                                        ///< data-parallel ranks shard them, not those of a context alone
    bool complex_rotary = false;        ///< one table of complex rotary factors of all positions, 8 bytes a pair
    bool pipeline_holds_outputs = false;///< torch pipelines: buffers for what every micro-batch receives;
                                        ///< the last stage holds the logits of all of them
    bool stages_hold_outputs = false;   ///< and each stage its outputs until the step ends (torch < 2.7)
    bool whole_table_gradient = false;  ///< tensor parallel: a rank's gradient of the embedding is a sum
                                        ///< for the whole vocabulary until it is reduced (DTensor)
    bool loss_in_place = false;         ///< the gradient of the logits overwrites them (fused kernels)
    bool loss_upcasts = true;           ///< the loss computes in fp32 (false: in the compute type)
    int loss_fp32_logits = 0;           ///< fp32 copies of the logits that a compiled loss reads
    bool quantized_keeps_input = false; ///< a frozen quantised product keeps its input (bitsandbytes < 0.44)
    bool keeps_dequantized = false;     ///< and its expanded weight (AutoGPTQ's torch path)
    bool quantizes_head = false;        ///< the output projection is quantised with the layers
    bool selective_lacks_cudnn = false; ///< cuDNN's attention, which Blackwell runs, is computed again
    SelectiveRecompute selective = SelectiveRecompute::core_attention;
    bool selective_saves_exchanges = false;///< and what arrives by the exchanges of experts
    RoutingWeights routing_weights = RoutingWeights::after_experts;
    bool routing_upcasts = false;       ///< that product is of fp32 copies
    int expert_rows_multiple = 1;       ///< rows of each expert are padded to a multiple, in one more copy
    FsdpTables fsdp_tables = FsdpTables::root;
    bool fsdp_copies_out = false;       ///< FSDP2: gathers a unit into a buffer and copies its parameters out
    bool fsdp_flattens = false;         ///< FSDP1: wrapping moves a unit to the device whole and flattens it
                                        ///< before it cuts its shard; scales of quantised weights stay whole
    bool regathers_experts = false;     ///< FSDP2 before October 2025: experts that are a unit of their own,
                                        ///< computed again, gather those of the layer run back before
                                        ///< them once more; that copy waits until the backward pass ends
    DType reduce = DType::fp32;         ///< type in which sharded gradients are reduced
    bool regathers_sequence = false;    ///< sequence parallel: keeps its shard, gathers again backward
    bool fuses_weight_gradients = false;///< weight gradients accumulate into the buffer directly
    int fsdp_prefetch_units = 1;        ///< units gathered ahead of the one that computes

    // Time.
    FlashGeneration flash = FlashGeneration::flash2;  ///< attention kernels that it brings
    Seconds launch_per_kernel;          ///< host time of one eager kernel launch
    bool broadcasts_shards = false;     ///< zero1: each rank sends its updated weights to all by itself
    double matrix_share = 1;            ///< of the calibrated product rate that its libraries reach in training
    bool product_per_expert = false;    ///< grouped products launch one kernel an expert
    bool dedupes_experts = false;       ///< a token crosses to a node once, however many experts are there
    bool overlaps_data_parallel = true;
    bool overlaps_tensor_parallel = false;
    bool overlaps_pipeline = true;
    bool gathers_context = false;       ///< context parallelism gathers keys and values before attention,
                                        ///< instead of passing them round a ring beside it
    bool overlaps_expert_parallel = false;///< exchanges of experts run beside another micro-batch's kernels

    // Memory outside the tensors.
    std::string logged_counter = "reserved";  ///< of memory, that its own log leads with: what a source
                                              ///< that names none is taken to have read
    bool accumulates_unsharded = false; ///< sharded weights: gradients of the micro-batches before the last
                                        ///< are summed whole on each rank (FSDP's no_sync)
    bool replays_allocator = false;     ///< steps of one length: the pool of the computing stream is found by
                                        ///< replaying the tensors of loading and steps, not as a share
    bool rotary_tables = false;         ///< each layer holds cosines and sines of all positions
    bool reduces_apart = false;         ///< FSDP2 makes a reduction's input on the reducing stream
    bool expandable_with_context = false; ///< context parallelism came to the release with them
    bool launches_nodes_plainly = false;///< the launcher of several nodes does not ask for that:
    bool expandable_segments = false;   ///< the allocator's segments grow, and neighbours of any size join
    double fragmentation = 0.0;         ///< reserved beyond allocated, as a share of what is not resident
    double fragmentation_loss = 0;      ///< the same of the loss's tensors: 0 where samples have one length
    std::optional<double> fragmentation_kept;      ///< the same of a step that recomputes nothing
    std::optional<double> fragmentation_experts;   ///< the same of layers with experts that are computed again:
                                                   ///< tensors of many sizes come and go between those kept
    std::optional<double> fragmentation_compiled;  ///< the same of a compiled step, which plans its buffers
    double prefill_chunk_tokens = 0;    ///< serving: most prompt tokens of one pass; 0: the whole prompt
    std::optional<double> memory_fraction; ///< serving: see memory_fraction_of; empty: all that is free
    MemoryShare memory_fraction_of = MemoryShare::card;
    int cache_block_tokens = 1;            ///< serving: tokens of a cache block; sequences fill whole blocks
    std::vector<std::string> fp8_cache_with;  ///< serving: weights whose checkpoints ask for an fp8 cache
    Seconds kernel_gap;                ///< serving: fixed device time of one kernel in the stream
    Seconds prompt_kernel_gap;         ///< the same in a prompt, whose kernels no graph launches; 0: equal
    /// Share of requests that arrive while the whole concurrency arrives: one in ten where a benchmark
    /// of ten rounds starts with a burst, more where prompts go before decode, so that all requests stay
    /// in step.
    double burst_share = 0.1;
    Seconds request_overhead;          ///< serving: host time of a request before its first token
    Seconds all_reduce_latency;        ///< serving: of its own all-reduce of two ranks; 0: the library's
    Seconds all_reduce_per_doubling;   ///< serving: added each time that the ranks double
    bool fuses_products = false;       ///< serving: products that read one tensor run as one
    bool half_accumulate = false;      ///< prompts run with 16-bit accumulation where that is faster
    double prompt_share = 1;           ///< of the calibrated product rate that its prompts reach
    struct ArchitectureShare {
        std::string architecture;
        double share = 1;
        friend bool operator==(const ArchitectureShare&, const ArchitectureShare&) = default;
    };
    std::vector<ArchitectureShare> prompt_shares;  ///< where that depends on the architecture
    double quantized_prompt_share = 1; ///< times that, where weights are expanded before the product
    double expert_prompt_share = 1;    ///< of the calibrated grouped rate that prompts reach
    /// Kernels of the expert part of a layer on a part without units for the type of the experts;
    /// 0: one for each operator.
    double expert_kernels = 0;
    double expert_dispatch_share = 1;  ///< of the streaming rate at which a prompt's tokens are sorted to
                                       ///< experts and summed again
    int expert_width_multiple = 1;     ///< expert width of a rank is padded to, where the part has units
                                       ///< for the type of the experts
    std::vector<int> shared_query_groups;  ///< query heads of a key head for which its decode kernel reads
                                           ///< the cache once; others read it once a query head; empty: any
    bool embedding_on_host = false;    ///< serving: the token table stays in host memory
    double host_gb_per_s = 0;          ///< memory rate of a usual host, for layers that stay there
    double steps_before_prompt = 0;    ///< decode steps that a request waits for before its prompt runs
    double pipeline_overlap = 1;       ///< share of a prompt's chunks that pipeline stages overlap
    double prompt_attention_share = 1; ///< of the calibrated rates that its prompt attention reaches
    double cache_share = 1;            ///< of the calibrated bandwidth that its decode attention reaches
    double weight_only_share = 1;      ///< of it where products expand the weights that they read
    double hbm_share = 1;              ///< of the calibrated bandwidth that its decode reaches on HBM
    Seconds stage_overhead;            ///< host time of handing a token to the next pipeline stage
    Seconds serving_step_overhead;      ///< host and scheduler time of one decode step
    Seconds serving_request_overhead;   ///< and of each running request in it
    friend bool operator==(const SoftwareProfile&, const SoftwareProfile&) = default;
};

}  // namespace ridgeline
