#pragma once

#include "spec/network.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ridgeline {

struct GraphNetwork;  // spec/graph.h

enum class ModelKind {
    decoder,          ///< causal language model (with or without a vision tower)
    encoder,          ///< BERT, ViT, CLIP text
    encoder_decoder,  ///< T5, Whisper
    image,            ///< convolutional, described by published MACs and activations
    recurrent,
    gan,
    diffusion,
};

enum class NormType { rmsnorm, layernorm, layernorm_nobias };
enum class QkNorm { none, head, full, per_head };

/// Mixture of experts in the feed-forward part of a layer.
struct MixtureOfExperts {
    int experts = 0;
    int experts_per_token = 0;
    int ffn = 0;               ///< width of one expert
    int shared_ffn = 0;        ///< total width of the experts that every token takes; 0 none
    bool shared_gate = false;  ///< a [hidden] gate on the shared expert
    bool router_bias = false;
    bool router_correction_bias = false;
    bool expert_bias = false;
    bool router_fp32 = false;    ///< the router's product reads an fp32 copy of its input
    bool every_expert = false;   ///< its modules in Transformers multiply each token with every
                                 ///< expert (Llama 4)
    int first_dense_layers = 0;  ///< leading layers with a dense feed-forward part
    int every = 1;               ///< layer i (from 0) is MoE when (i + 1) % every == 0
    int dense_ffn = 0;           ///< width of the dense layers' feed-forward part
    friend bool operator==(const MixtureOfExperts&, const MixtureOfExperts&) = default;
};

/// Multi-head latent attention (DeepSeek): keys and values from a shared latent vector.
struct LatentAttention {
    int q_rank = 0;  ///< 0: one full query matrix
    int kv_rank = 0;
    int nope_dim = 0;
    int rope_dim = 0;
    int v_dim = 0;
    friend bool operator==(const LatentAttention&, const LatentAttention&) = default;
};

/// How a layer's state follows from a token, and with which kernels.
enum class StateRule {
    selective,    ///< Mamba: each channel decays at a rate of its own that the token chooses
    grouped,      ///< Mamba-2: one rate for a head of channels
    delta,        ///< gated delta rule: what a key has stored is replaced (Qwen3-Next)
    decay,        ///< a fixed rate for each head (MiniMax's lightning attention)
    convolution,  ///< no state: a short convolution between two gates (LFM2)
};

/// What a layer has in place of attention: a state of fixed size that each token updates (state
/// spaces, linear attention).
struct StateMixer {
    StateRule rule = StateRule::selective;
    int inner = 0;         ///< channels that are scanned: value heads x their size
    int state = 0;         ///< numbers that the state has for each channel: N, or a key head's size
    int heads = 0;         ///< of channels; 0: none (Mamba)
    int groups = 0;        ///< of heads that share B and C, or keys and queries
    int taps = 4;          ///< of the causal convolution before the scan; 0: none
    int step_rank = 0;     ///< Mamba: rank of the projection to step sizes
    int head_inputs = 0;   ///< numbers that a token states for each head: step size, strength
    int head_weights = 0;  ///< weights of each head: rate, bias of its step size, direct path
    int norm = 0;          ///< weights of the norm before the output projection; 0: no norm
    bool convolution_bias = false;
    bool projection_bias = false;
    bool step_norms = false;        ///< norms on step sizes, B and C (Jamba)
    bool beside_attention = false;  ///< the layer attends as well, and adds both (Falcon-H1)

    /// Elements of B and C of a token: keys and queries.
    [[nodiscard]] int shared() const { return 2 * groups * state; }
    /// Elements of a token that the convolution passes.
    [[nodiscard]] int convolved() const { return inner + shared(); }
    /// Elements of a token that the input projection makes: what is convolved, gate, head inputs.
    [[nodiscard]] int projected() const {
        const int gates = rule == StateRule::convolution ? 2 : 1;
        return (1 + gates) * inner + shared() + head_inputs * heads;
    }
    friend bool operator==(const StateMixer&, const StateMixer&) = default;
};

/// One homogeneous pile of transformer layers.
struct TransformerStack {
    std::string name = "decoder";  ///< "decoder", "encoder", "vision"
    int layers = 0;
    int hidden = 0;
    int heads = 0;
    int kv_heads = 0;
    int head_dim = 0;
    int ffn = 0;
    bool gated = true;
    bool causal = true;
    bool cross_attention = false;
    bool parallel_residual = false;  ///< attention and feed-forward read the same residual stream
    NormType norm = NormType::rmsnorm;
    int norms_per_layer = 2;
    bool final_norm = true;
    bool qkv_bias = false;
    bool key_bias = true;  ///< false: no bias on k although qkv_bias (Whisper)
    bool out_bias = false;
    bool mlp_bias = false;
    QkNorm qk_norm = QkNorm::none;
    bool attention_sinks = false;
    bool alibi = false;
    bool fused_qkv = false;  ///< one matrix makes q, k and v, so that v is a view of its output
    bool joins_rotary =
        false;  ///< q and k are joined of rotated and plain parts: contiguous by head,
                ///< so that the attention's output is copied before its projection
    bool scales_norm_fp32 = false;  ///< the norm's weight multiplies in fp32 (Gemma)
    bool norm_keeps_input =
        false;                 ///< an eager norm scales its 16-bit input, not an fp32 copy (T5)
    bool softmax_fp32 = true;  ///< eager attention normalises an fp32 copy of its scores
    bool rope = true;
    int sliding_window = 0;  ///< 0: none
    int window_pattern = 1;  ///< of every n layers n-1 slide and the last is global; 1: all slide
    std::string activation = "silu";
    double logit_softcap = 0;  ///< attention scores soft-capped (Gemma 2); forbids plain flash
    std::optional<MixtureOfExperts> moe;
    std::optional<LatentAttention> mla;
    std::optional<StateMixer> state;  ///< of the layers that are no attention
    std::string layout;       ///< a letter a layer where they follow no period: "s" state, "a"
                              ///< attention; "S", "A" without a feed-forward part
    bool query_gate = false;  ///< the query projection makes a gate of attention's output as well
    bool fp32_residual = false;  ///< the residual stream is fp32 whatever the layers compute in
    int relative_buckets = 0;    ///< T5: relative position buckets (x heads, once in the stack)
    int relative_span = 0;  ///< DeBERTa: relative positions either way that q and k meet; 0 none
    bool shares_position_weights = false;  ///< the matrices of q and k project them, no own ones
    int tokens =
        0;          ///< fixed length of this stack (image patches, audio frames); 0: the workload's
    int patch = 0;  ///< pixels a side of what makes one of the tokens; 0: no image is read
    int image = 0;  ///< pixels a side of the image that has so many tokens

    [[nodiscard]] bool is_moe_layer(int layer) const {
        return moe && layer >= moe->first_dense_layers && (layer + 1) % moe->every == 0;
    }
    [[nodiscard]] bool is_sliding_layer(int layer) const {
        return sliding_window > 0 && (window_pattern <= 1 || (layer + 1) % window_pattern != 0);
    }
    /// Whether a state stands in for the layer's attention.
    [[nodiscard]] bool is_state_layer(int layer) const {
        if (!layout.empty()) {
            const char letter = layout[static_cast<std::size_t>(layer)];
            return letter == 's' || letter == 'S';
        }
        return state && (window_pattern <= 1 || (layer + 1) % window_pattern != 0);
    }
    /// Whether the layer has a feed-forward part.
    [[nodiscard]] bool feeds_forward(int layer) const {
        return layout.empty() ? ffn > 0 || moe : layout[static_cast<std::size_t>(layer)] >= 'a';
    }
    /// Which of `LayerKinds` the layer is: 1 sliding window or state, 2 mixture of experts, 4 no
    /// feed-forward part.
    [[nodiscard]] int layer_kind(int layer) const {
        const bool fed = feeds_forward(layer);
        return (is_sliding_layer(layer) || is_state_layer(layer) ? 1 : 0) +
               (fed && is_moe_layer(layer) ? 2 : 0) + (fed ? 0 : 4);
    }
    friend bool operator==(const TransformerStack&, const TransformerStack&) = default;
};

/// Parameters outside the layers that no rule of the stack gives (poolers, patch embeddings, ...).
struct ExtraParameters {
    std::string name;
    double parameters = 0;  ///< of one
    int count = 1;
    friend bool operator==(const ExtraParameters&, const ExtraParameters&) = default;
};

/// Name of the table of positions of an image's patches.
inline constexpr const char* vision_positions = "vision.positions";

/// How the makers published a model's weights, where not in floats of 16 or 32 bits.
struct PublishedWeights {
    std::string type{};          ///< of storage: "mxfp4", "fp8-block"; empty: floats
    bool experts_alone = false;  ///< the rest stays in 16 bits
    friend bool operator==(const PublishedWeights&, const PublishedWeights&) = default;
};

/// A model as far as memory and time depend on it.
struct Architecture {
    std::string id;
    std::string name;
    std::string hf_id;
    std::string model_type;  ///< as in a Hugging Face config.json
    ModelKind kind = ModelKind::decoder;
    std::vector<TransformerStack> stacks;  ///< the stack that carries the head is the last
    int vocabulary = 0;
    bool tied_embeddings = false;
    bool has_head = true;  ///< a projection to the vocabulary at the end
    bool head_bias = false;
    bool loss_upcasts = true;   ///< the model's own loss reads fp32 logits; false: in their type
    int embedding_dim = 0;      ///< 0: hidden of the last stack
    int learned_positions = 0;  ///< rows of learned position tables of the text stack
    int token_types = 0;
    bool embedding_norm = false;
    int max_positions = 0;
    int prediction_layers =
        0;  ///< multi-token prediction: layers after the last, own table and head
    std::vector<ExtraParameters> extra;
    /// Whether a sample is an image: an encoder whose first stack reads patches of one.
    [[nodiscard]] bool reads_images() const {
        return kind == ModelKind::encoder && !stacks.empty() && stacks.front().tokens > 0;
    }
    /// The same model at images of `side` pixels a side: more or fewer patches, and positions that
    /// are interpolated to as many. Itself where it reads no images. Precondition: side >= a patch.
    [[nodiscard]] Architecture at_image_size(int side) const;
    /// Whether a sample is a window of sound: an encoder of frames before a decoder of text.
    [[nodiscard]] bool reads_sound() const {
        return kind == ModelKind::encoder_decoder && !stacks.empty() && stacks.front().tokens > 0;
    }

    std::optional<NetworkSizes> network;        ///< layers are listed from these; empty: `stacks`
    std::shared_ptr<const GraphNetwork> graph;  ///< of `network` type "onnx": its operators
    std::optional<NetworkFacts> facts;
    std::optional<long long> published_parameters;
    std::optional<long long> published_active_parameters;
    std::optional<long long> published_tokens;  ///< of its pretraining, as rounded by its authors
    bool makes_vectors = false;                 ///< of texts, or scores: nothing is written
    PublishedWeights published;
    /// Whether `type` is that of its experts as they were published, which no file widens.
    [[nodiscard]] bool packs_experts_in(std::string_view type) const {
        return published.experts_alone && published.type == type;
    }
    std::string source;
    std::string assumed_family{};  ///< read like this one, since its `model_type` is not known
    bool typical = false;          ///< a stated typical shape for "70B", not a published model

    /// The stack that carries the head; an empty one for a network without layers of this kind.
    [[nodiscard]] const TransformerStack& text() const {
        static const TransformerStack none;
        return stacks.empty() ? none : stacks.back();
    }
    bool operator==(const Architecture&) const;  // many members: compiled once
};

}  // namespace ridgeline
