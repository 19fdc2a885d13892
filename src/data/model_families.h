#pragma once

#include "spec/architecture.h"

#include <string>
#include <string_view>
#include <vector>

namespace ridgeline {

enum class PositionKind { rope, learned, alibi, none };

/// What the model code of a decoder family does that its config.json does not say. Sources: the
/// configuration and modelling files of huggingface/transformers for the family, except where a row
/// says otherwise.
struct DecoderFamily {
    std::string_view model_type;
    bool gated = true;  ///< gate, up and down matrices instead of up and down
    NormType norm = NormType::rmsnorm;
    int norms = 2;
    bool qkv_bias = false;
    bool out_bias = true;  ///< the output projection follows `attention_bias`; false: never a bias
    bool lone_out_bias = false;  ///< the output projection has a bias though q, k and v have none
    bool mlp_bias = false;
    QkNorm qk_norm = QkNorm::none;
    bool parallel_residual = false;
    bool fused_qkv = false;
    bool joins_rotary = false;
    bool scales_norm_fp32 = false;
    bool softmax_fp32 = true;
    bool router_fp32 = false;
    bool every_expert = false;
    PositionKind position = PositionKind::rope;
    int position_offset = 0;  ///< extra rows of the learned position table
    bool tied = false;
    bool head_bias = false;
    bool embedding_norm = false;
    bool attention_sinks = false;
    bool router_bias = false;
    bool router_correction_bias = false;
    bool shared_gate = false;
    bool window_opt_in = false;  ///< `sliding_window` counts only with `use_sliding_window`
    int window_pattern = 1;
    double logit_softcap = 0;
    std::string_view activation = "silu";
    int ffn_factor = 0;  ///< width of the feed-forward part / hidden size where it is not stated
    int shared_experts = 0;  ///< where the file does not say
    bool latent = false;     ///< multi-head latent attention
    // What a file may leave out because it equals the default of the configuration class.
    int heads = 0;
    int kv_heads = 0;
    int head_dim = 0;
    int vocabulary = 0;
};

/// The family of a `model_type`, or null.
const DecoderFamily* decoder_family(std::string_view model_type);

/// Types that `import_state_model` reads.
std::vector<std::string> state_model_types();

/// Every `model_type` that can be read, decoders and others, for the nearest-word hint.
std::vector<std::string> known_model_types();

}  // namespace ridgeline
