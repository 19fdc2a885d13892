#pragma once

#include "base/quantity.h"
#include "spec/libraries.h"
#include "spec/workload.h"

namespace ridgeline {

/// What selective recomputation keeps of a layer besides its input.
enum class SelectiveRecompute {
    core_attention,       ///< everything but the scores: with a flash kernel like `none` (Megatron)
    every_second_matmul,  ///< attention output and every second product's output (torchtitan)
};

/// Where a stack multiplies what experts make by the weights that the router gave.
enum class RoutingWeights {
    after_experts,  ///< the output of the last product, which is kept for it (Hugging Face,
                    ///< torchtitan)
    in_activation,  ///< within the fused activation: nothing more is kept (Megatron-Core from 0.12
                    ///< on)
};

/// How FSDP wraps the tables.
enum class FsdpTables {
    root,      ///< embedding, final norm and head in the root unit, gathered from first to last use
    separate,  ///< units of their own, gathered while they compute
};

/// Which fp32 products a stack rounds to tf32 where the part has the units.
enum class Tf32Use {
    never,         ///< it turns both switches of torch off
    convolutions,  ///< those of cuDNN alone, torch's own default
    always,        ///< all: NVIDIA's containers (TORCH_ALLOW_TF32_CUBLAS_OVERRIDE), TensorFlow
};

/// Who moves weights, gradients and states about a layer.
enum class RuntimeKind {
    plain,  ///< a loop of PyTorch, alone or beside DDP and ZeRO
    fsdp1,  ///< flat parameters of PyTorch's first FSDP
    fsdp2,  ///< DTensors of its second, with the tensor, context and pipeline parallelism of torch
    megatron,  ///< Megatron-Core with Transformer Engine
    engine,    ///< a server's
};

/// What runtimes of one kind do in different ways.
struct RuntimeOptions {
    bool autocast = false;           ///< torch autocast: operands are cast op by op, norms in fp32
    bool untied_embeddings = false;  ///< never ties head and embedding
    FsdpTables tables = FsdpTables::root;
    DType reduce = DType::fp32;          ///< type in which sharded gradients are reduced
    bool accumulates_unsharded = false;  ///< sharded weights: gradients of the micro-batches before
                                         ///< the last are summed whole on each rank (no_sync)
    bool wide_shards = false;            ///< FSDP keeps the shards of what trains in fp32
    bool shards_by_parameter = false;    ///< accelerate's FSDP is version 2
    bool plain_sgd = false;              ///< its sgd has neither momentum nor weight decay
    double bucket_elements = 0;          ///< ZeRO: gradients reduced and weights gathered at a time
    bool reentrant_checkpoints = false;  ///< a recomputed layer runs to its end (torch's
                                         ///< checkpoints with use_reentrant, DeepSpeed's)
    bool saves_exchanges = false;  ///< what arrives by the exchanges of experts is on the list of
                                   ///< operators that selective recomputation saves
    bool checkpoint_on_device = false;  ///< what is read of a file stands beside the model that it
                                        ///< fills (torch.load with map_location)
    int expert_rows_multiple =
        1;  ///< rows of each expert are padded to a multiple, in one more copy
    Tf32Use tf32 = Tf32Use::convolutions;  ///< of a network's fp32 products
    Seconds launch_per_kernel;             ///< host time of one eager kernel launch
    Seconds launch_per_call;               ///< host time of a network's answer beside its kernels
    Seconds launch_per_sample;             ///< and of each of its samples: parsing, copying
    double matrix_share = 1;  ///< of the calibrated product rate that its libraries reach
    bool overlaps_tensor_parallel = false;  ///< its exchanges run beside the products
    bool overlaps_expert_parallel = false;  ///< beside another micro-batch's kernels
    friend bool operator==(const RuntimeOptions&, const RuntimeOptions&) = default;
};

struct RuntimeProfile {
    RuntimeKind kind = RuntimeKind::plain;
    Libraries libraries;
    RuntimeOptions options;

    // Consequences of the kind and its libraries: torch's FSDP2 and what comes with it.

    /// A unit is gathered into a buffer and its parameters are copied out.
    [[nodiscard]] bool copies_out() const { return kind == RuntimeKind::fsdp2; }
    /// A compiled step compiles each layer alone: what is outside of them stays eager.
    [[nodiscard]] bool compiles_layers() const { return kind == RuntimeKind::fsdp2; }
    /// Weights of fp8 products are gathered in fp8 (torchao), where data-parallel ranks shard
    /// them, not those of a context alone.
    [[nodiscard]] bool gathers_float8() const { return kind == RuntimeKind::fsdp2; }
    /// One table of rotary factors of all positions, 8 bytes a pair.
    [[nodiscard]] bool has_rotary_table() const { return kind == RuntimeKind::fsdp2; }
    /// A pipeline has buffers for every micro-batch; its last stage holds all their logits.
    [[nodiscard]] bool pipeline_holds_outputs() const { return kind == RuntimeKind::fsdp2; }
    /// Tensor parallel: a rank's gradient of the embedding covers the whole vocabulary (DTensor).
    [[nodiscard]] bool whole_table_gradient() const { return kind == RuntimeKind::fsdp2; }
    /// With tensor parallelism an eager loss is vocabulary parallel (DTensor loss_parallel).
    [[nodiscard]] bool splits_loss() const { return kind == RuntimeKind::fsdp2; }
    /// Context parallelism gathers keys and values before attention, instead of a ring beside it.
    [[nodiscard]] bool gathers_context() const { return kind == RuntimeKind::fsdp2; }
    /// The product of experts and routing weights is of fp32 copies.
    [[nodiscard]] bool routing_upcasts() const { return kind == RuntimeKind::fsdp2; }
    /// Selective recomputation goes by a list of saved operators.
    [[nodiscard]] SelectiveRecompute selective() const {
        return kind == RuntimeKind::fsdp2 ? SelectiveRecompute::every_second_matmul
                                          : SelectiveRecompute::core_attention;
    }

    /// A plain loop whose profile states the release of Transformers runs its modules.
    [[nodiscard]] bool runs_transformers() const {
        return kind == RuntimeKind::plain && libraries.transformers < Version{};
    }
    /// Transformers before 4.45 makes the logits of every token of a prompt, to take the last
    /// (num_logits_to_keep, huggingface/transformers #31292).
    [[nodiscard]] bool makes_all_logits() const {
        return kind == RuntimeKind::plain && libraries.transformers < Version{4, 45};
    }
    /// A plain loop that holds weights in fp32 and multiplies in 16 bits casts each before its
    /// product, in every pass: autocast keeps copies of what is trained alone, and openai-whisper
    /// none. Transformers multiplies in the type of the weights.
    [[nodiscard]] bool casts_weights(const Workload& workload) const {
        const bool half =
            workload.compute == ComputeType::fp16 || workload.compute == ComputeType::bf16;
        return kind == RuntimeKind::plain && !runs_transformers() && half &&
               workload.weights == DType::fp32;
    }
    /// The modules of Transformers before 5 run a layer's experts one after another, each on the
    /// tokens that a look on the host has found for it (modeling_mixtral.py,
    /// modeling_qwen3_moe.py); those of 5 make grouped products (integrations/moe.py).
    [[nodiscard]] bool walks_experts() const {
        return kind == RuntimeKind::plain && libraries.transformers < Version{5, 0};
    }
    /// Results that the host waits for in each visit of such a walk: the places of its tokens, and
    /// from 4.53 on the number of the expert, which a tensor holds (huggingface/transformers
    /// #32429, #38133).
    [[nodiscard]] double waits_per_expert() const {
        return libraries.transformers < Version{4, 53} ? 1 : 2;
    }
    /// ZeRO of a plain stack is DeepSpeed's engine, whatever trainer drives it (accelerate has no
    /// other; its first stage may be torch's own where nothing of Transformers runs).
    [[nodiscard]] bool runs_deepspeed(Sharding sharding) const {
        return kind == RuntimeKind::plain &&
               (sharding == Sharding::zero2 || sharding == Sharding::zero3 ||
                (sharding == Sharding::zero1 && runs_transformers()));
    }
    /// DeepSpeed casts the module itself: accelerate wraps nothing in autocast beside it
    /// (accelerator.py, native_amp).
    [[nodiscard]] bool autocasts(Sharding sharding) const {
        return options.autocast && !runs_deepspeed(sharding);
    }
    /// Hypotheses that a plain stack of speech searches where nobody says how many: five are the
    /// default of CTranslate2's Whisper (faster-whisper transcribe.py, beam_size) and of the
    /// command of openai-whisper. 0: as many as the model's script has.
    [[nodiscard]] int speech_hypotheses() const {
        return kind == RuntimeKind::plain && !runs_transformers() ? 5 : 0;
    }

    /// A recomputed layer stops at the last tensor that its backward pass needs.
    [[nodiscard]] bool stops_recomputing() const {
        return kind != RuntimeKind::megatron && !options.reentrant_checkpoints;
    }

    /// Every pipeline stage holds its outputs until the step ends.
    [[nodiscard]] bool stages_hold_outputs() const {
        return kind == RuntimeKind::fsdp2 && libraries.torch < Version{2, 8};
    }
    /// Experts that are a unit of their own, computed again, gather those of the layer run back
    /// before them once more; that copy waits until the backward pass ends.
    [[nodiscard]] bool regathers_experts() const {
        return kind == RuntimeKind::fsdp2 && libraries.torch < Version{2, 10};
    }
    /// The input of a reduction is made on the reducing stream.
    [[nodiscard]] bool reduces_apart() const {
        return kind == RuntimeKind::fsdp2 && libraries.torch < Version{2, 5};
    }
    /// What recomputed experts leave unusable between what is kept: more where exchanges are
    /// remade.
    [[nodiscard]] double fragmentation_experts() const {
        return kind != RuntimeKind::fsdp2 ? 0 : options.saves_exchanges ? 0.05 : 0.11;
    }

    /// Gradients of the micro-batches before the last are summed whole on each rank.
    [[nodiscard]] bool defers_reductions() const { return options.accumulates_unsharded; }
    /// Wrapping moves a unit to the device whole before it cuts its shard; scales stay whole.
    [[nodiscard]] bool flattens() const { return kind == RuntimeKind::fsdp1; }
    /// Each layer of the model holds cosines and sines of all positions.
    [[nodiscard]] bool rotary_tables() const { return libraries.transformers < Version{4, 43}; }
    /// A frozen 4-bit product keeps its input.
    [[nodiscard]] bool quantized_keeps_input() const {
        return libraries.bitsandbytes < Version{0, 44};
    }

    /// Contiguous main gradients in fp32 for the whole run.
    [[nodiscard]] bool buffers_gradients() const { return kind == RuntimeKind::megatron; }
    /// Weight gradients accumulate into that buffer; Transformer Engine hands autograd one dummy
    /// for each distinct weight shape.
    [[nodiscard]] bool fuses_weight_gradients() const { return kind == RuntimeKind::megatron; }
    /// Sequence parallelism keeps a rank's shard and gathers it again backward.
    [[nodiscard]] bool regathers_sequence() const { return kind == RuntimeKind::megatron; }
    /// Grouped products launch one kernel an expert.
    [[nodiscard]] bool product_per_expert() const { return kind == RuntimeKind::megatron; }
    /// A token crosses to a node once, however many experts are there.
    [[nodiscard]] bool dedupes_experts() const { return kind == RuntimeKind::megatron; }
    /// The vocabulary is padded to a multiple of this times the tensor-parallel ranks.
    [[nodiscard]] int vocabulary_multiple() const {
        return kind == RuntimeKind::megatron ? 128 : 1;
    }
    [[nodiscard]] RoutingWeights routing_weights() const {
        return kind == RuntimeKind::megatron ? RoutingWeights::in_activation
                                             : RoutingWeights::after_experts;
    }

    /// A server launches its kernels as graphs.
    [[nodiscard]] bool cuda_graphs() const { return kind == RuntimeKind::engine; }
    /// Of the streaming rate at which tokens are sorted to experts and summed again: torchtitan's
    /// moe.py moves 42 bytes a routed 16-bit element, a fused dispatch 16.
    [[nodiscard]] double expert_dispatch_share() const {
        return kind == RuntimeKind::fsdp2 ? 16.0 / 42 : 1;
    }
    friend bool operator==(const RuntimeProfile&, const RuntimeProfile&) = default;
};

}  // namespace ridgeline
