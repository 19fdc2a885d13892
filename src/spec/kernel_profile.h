#pragma once

#include "spec/calibration.h"
#include "spec/workload.h"

namespace ridgeline {

/// How a stack implements a normalisation: decides what is kept for the backward pass.
enum class NormKernel {
    eager,             ///< upcast to fp32, several elementwise kernels (Hugging Face RMSNorm)
    eager_fp32_scale,  ///< the same, multiplied by its weight in fp32 too
    torch,  ///< one torch.nn.functional norm: keeps its input and one fp32 statistic a row
    fused,  ///< Transformer Engine, Apex: input and statistic
};

/// How a stack implements a gated or plain activation.
enum class ActivationKernel {
    eager,    ///< act(gate) * up: keeps gate, act(gate), up
    modules,  ///< the same by a model's own modules, which write "gelu_new" out in tensor
              ///< operations
    fused,    ///< one SwiGLU/GELU kernel: keeps its input only
};

/// Attention and what comes between its projections and it.
struct AttentionProfile {
    AttentionKernel kernel = AttentionKernel::flash;
    FlashGeneration generation = FlashGeneration::flash2;
    bool repeats_kv = false;  ///< materialises repeated KV heads before attention
    bool fused_qkv = false;   ///< query, key and value are one product and one adapter input; q and
                              ///< k are joined anew after rotation
    friend bool operator==(const AttentionProfile&, const AttentionProfile&) = default;
};

/// What the training loop holds of the logits through the backward pass.
enum class HeldLogits {
    none,
    as_made,   ///< in the type of the product
    as_fp32,   ///< in fp32 alone
    measured,  ///< as made, until two more losses have been taken of them after the backward pass
};

/// The loss, from the output projection on, and how long its tensors live.
struct LossProfile {
    LossMode kernel = LossMode::eager;
    bool in_place = false;  ///< the gradient of the logits overwrites them (fused kernels)
    bool upcasts = true;    ///< computes in fp32 (false: in the compute type)
    int chunk_tokens = 0;   ///< tokens of a sample in one chunk; 0: eighths
    HeldLogits held = HeldLogits::as_made;
    bool outlives_step = false;  ///< the last step's loss, and what its graph still holds, lives
                                 ///< until the next forward pass is done

    [[nodiscard]] bool holds_logits() const { return held != HeldLogits::none; }
    [[nodiscard]] bool holds_float() const { return held == HeldLogits::as_fp32; }
    [[nodiscard]] bool measures_logits() const { return held == HeldLogits::measured; }
    friend bool operator==(const LossProfile&, const LossProfile&) = default;
};

/// Who quantises frozen weights.
enum class Quantizer {
    bitsandbytes,  ///< Linear4bit as PEFT uses it: a weight at a time, the head stays as it is
    lightning,     ///< Lightning's BitsandbytesPrecision: the head too
};

/// Frozen, quantised weights below adapters.
struct AdapterProfile {
    Quantizer quantizer = Quantizer::bitsandbytes;
    Upcast upcasts = Upcast::none;
    bool fused = false;  ///< see `Lora::fused`: its habit where nobody says

    // Consequences of the quantiser.

    /// The output projection is quantised with the layers.
    [[nodiscard]] bool quantizes_head() const { return quantizer == Quantizer::lightning; }
    /// 16-bit copies of a matrix on the device while it is quantised there: Lightning moves it
    /// there and casts it to fp16 first.
    [[nodiscard]] int load_copies() const { return quantizer == Quantizer::lightning ? 2 : 0; }
    /// Quantisation constants are quantised in turn.
    [[nodiscard]] bool double_quantization() const { return quantizer == Quantizer::bitsandbytes; }
    /// Expanded weights of a quantised product at a time.
    [[nodiscard]] int expanded_copies() const { return quantizer == Quantizer::lightning ? 2 : 1; }
    friend bool operator==(const AdapterProfile&, const AdapterProfile&) = default;
};

/// What the operators of a framework keep and allocate.
struct KernelProfile {
    NormKernel norm = NormKernel::eager;
    ActivationKernel activation = ActivationKernel::eager;
    AttentionProfile attention;
    LossProfile loss;
    AdapterProfile adapter;
    friend bool operator==(const KernelProfile&, const KernelProfile&) = default;
};

}  // namespace ridgeline
