#include "data/import_huggingface.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>

namespace ridgeline {
namespace {

void read_shape(const ConfigFields& config, const DecoderFamily& family, TransformerStack& tower) {
    tower.layers = config.required_size({"num_hidden_layers", "n_layer", "n_layers", "num_layers"},
                                        most_layers);
    tower.hidden = config.required_size({"hidden_size", "n_embd", "d_model", "n_embed"}, most_size);
    const FieldNames heads = {"num_attention_heads", "n_head", "n_heads", "num_heads"};
    tower.heads = family.heads > 0 ? config.size(heads, most_size).value_or(family.heads)
                                   : config.required_size(heads, most_size);
    const FieldNames kv = {"num_key_value_heads", "num_kv_heads", "n_head_kv",
                           "multi_query_group_num"};
    tower.kv_heads =
        config.size(kv, most_size).value_or(family.kv_heads > 0 ? family.kv_heads : tower.heads);
    if (const auto attention = config.child("attn_config")) {
        tower.kv_heads = attention->size({"kv_n_heads"}, most_size).value_or(tower.kv_heads);
    }
    tower.head_dim = config.size({"head_dim", "kv_channels"}, 65'536).value_or(family.head_dim);
    if (tower.head_dim == 0 && !config.has({"kv_lora_rank"})) {
        if (tower.hidden % tower.heads != 0) {
            config.fail("head_dim", fmt::format("missing, and hidden_size {} is no multiple of "
                                                "num_attention_heads {}",
                                                tower.hidden, tower.heads));
        }
        tower.head_dim = tower.hidden / tower.heads;
    }
    if (tower.heads % tower.kv_heads != 0) {
        config.fail("num_key_value_heads",
                    fmt::format("found {}, expected a divisor of num_attention_heads {}",
                                tower.kv_heads, tower.heads));
    }
}

/// Falcon states its head sharing and its norms by flags of three generations.
void adjust_falcon(const ConfigFields& config, TransformerStack& tower) {
    const bool grouped = config.flag({"new_decoder_architecture"}).value_or(tower.kv_heads > 1);
    const bool stated = config.has({"num_key_value_heads"});
    const bool multi_query = config.flag({"multi_query"}).value_or(false);
    if (!stated && multi_query && !config.flag({"new_decoder_architecture"}).value_or(false)) {
        tower.kv_heads = 1;
    }
    const bool shared_kv = tower.kv_heads == 1;
    tower.norms_per_layer =
        config.size({"norms_per_layer"}, 8).value_or(grouped && !shared_kv ? 2 : 1);
    const bool bias = config.flag({"bias"}).value_or(false);
    tower.qkv_bias = tower.qkv_bias || bias;
    tower.out_bias = tower.out_bias || bias;
    tower.mlp_bias = tower.mlp_bias || bias;
}

NormType read_norm(const ConfigFields& config, NormType fallback, bool biased) {
    const auto name = config.text({"norm_type"});
    if (!name) {
        // MPT has norm biases exactly when it has the others.
        return fallback == NormType::layernorm_nobias && biased ? NormType::layernorm : fallback;
    }
    if (*name == "rmsnorm") {
        return NormType::rmsnorm;
    }
    if (*name == "layernorm") {
        return NormType::layernorm;
    }
    if (*name == "layernorm_nobias") {
        return NormType::layernorm_nobias;
    }
    // MPT files write "low_precision_layernorm", which is how it computes, not what it stores.
    return fallback;
}

QkNorm read_qk_norm(const ConfigFields& config, const DecoderFamily& family) {
    if (family.model_type == "cohere" && config.flag({"use_qk_norm"}).value_or(false)) {
        return QkNorm::per_head;
    }
    const nlohmann::json* value = config.raw("qk_norm");
    if (value == nullptr) {
        const QkNorm usual = family.qk_norm == QkNorm::none ? QkNorm::head : family.qk_norm;
        const auto used = config.flag({"use_qk_norm"});
        // Cohere's was read above; that of Llama 4 has no weights.
        const bool elsewhere =
            family.model_type.starts_with("cohere") || family.model_type.starts_with("llama4");
        if (!used || elsewhere) {
            return family.qk_norm;
        }
        return *used ? usual : QkNorm::none;
    }
    if (value->is_boolean()) {
        const QkNorm usual = family.qk_norm == QkNorm::none ? QkNorm::head : family.qk_norm;
        return value->get<bool>() ? usual : QkNorm::none;
    }
    const auto name = config.text({"qk_norm"});
    if (name == "head") {
        return QkNorm::head;
    }
    if (name == "full") {
        return QkNorm::full;
    }
    if (name == "per_head") {
        return QkNorm::per_head;
    }
    config.fail("qk_norm", "expected true, false, \"head\", \"full\" or \"per_head\"");
    return family.qk_norm;
}

void read_details(const ConfigFields& config, const DecoderFamily& family,
                  TransformerStack& tower) {
    tower.gated = config.flag({"gated_mlp"}).value_or(family.gated);
    const auto attention_bias =
        config.flag({"attention_bias", "use_qkv_bias", "add_qkv_bias", "qkv_bias"});
    const bool plain_bias =
        family.model_type.starts_with("internlm") || family.model_type == "starcoder2";
    const auto all_bias = plain_bias ? config.flag({"bias", "use_bias"}) : std::nullopt;
    tower.qkv_bias = attention_bias.value_or(all_bias.value_or(family.qkv_bias));
    tower.out_bias = config.flag({"attention_out_bias"})
                         .value_or(family.lone_out_bias || (family.out_bias && tower.qkv_bias));
    tower.mlp_bias = config.flag({"mlp_bias"}).value_or(family.mlp_bias);
    if (const auto no_bias = config.flag({"no_bias"}); no_bias && !*no_bias) {
        tower.qkv_bias = tower.out_bias = tower.mlp_bias = true;
    }
    tower.norm = read_norm(config, family.norm, family.model_type == "mpt" && tower.qkv_bias);
    tower.norms_per_layer = config.size({"norms_per_layer"}, 8).value_or(family.norms);
    tower.qk_norm = read_qk_norm(config, family);
    tower.parallel_residual =
        config.flag({"parallel_residual", "use_parallel_residual", "parallel_attn"})
            .value_or(family.parallel_residual);
    tower.attention_sinks = config.flag({"attention_sinks"}).value_or(family.attention_sinks);
    tower.activation = config.text({"hidden_act", "hidden_activation", "activation_function"})
                           .value_or(std::string(family.activation));
    tower.logit_softcap = config.number({"attn_logit_softcapping"}).value_or(family.logit_softcap);
    tower.final_norm = config.flag({"do_layer_norm_before"}).value_or(true);
    tower.fused_qkv = family.fused_qkv;
    tower.joins_rotary = family.joins_rotary;
    tower.scales_norm_fp32 = family.scales_norm_fp32;
    tower.softmax_fp32 = family.softmax_fp32;
}

PositionKind read_position(const ConfigFields& config, const DecoderFamily& family) {
    PositionKind kind = family.position;
    const auto name = config.text({"position_embedding", "position_embedding_type"});
    if (name == "rope") {
        kind = PositionKind::rope;
    } else if (name == "learned" || name == "learned_absolute" || name == "absolute") {
        kind = PositionKind::learned;
    } else if (name == "alibi") {
        kind = PositionKind::alibi;
    }
    const auto attention = config.child("attn_config");
    const auto flag = attention ? attention->flag({"alibi"}) : config.flag({"alibi"});
    if (flag && *flag) {
        kind = PositionKind::alibi;
    } else if (flag && kind == PositionKind::alibi) {
        kind = family.model_type == "falcon" ? PositionKind::rope : PositionKind::learned;
    }
    return kind;
}

void read_positions(const ConfigFields& config, const DecoderFamily& family,
                    Architecture& architecture) {
    TransformerStack& tower = architecture.stacks.back();
    const PositionKind kind = read_position(config, family);
    tower.rope = kind == PositionKind::rope;
    tower.alibi = kind == PositionKind::alibi;
    architecture.max_positions = config
                                     .size({"max_position_embeddings", "n_positions", "n_ctx",
                                            "max_seq_len", "seq_length", "seq_len"},
                                           2'000'000'000)
                                     .value_or(0);
    if (kind == PositionKind::learned) {
        architecture.learned_positions =
            config.count({"learned_positions"})
                .value_or(architecture.max_positions > 0
                              ? architecture.max_positions + family.position_offset
                              : 0);
    }
}

/// The period of the layers with full attention in a `layer_types` list, or nothing without a list.
std::optional<int> pattern_of_layer_types(const ConfigFields& config, bool& slides) {
    const nlohmann::json* list = config.raw("layer_types");
    if (list == nullptr || !list->is_array() || list->empty()) {
        return std::nullopt;
    }
    int first_full = 0;
    int full = 0;
    int index = 0;
    for (const auto& entry : *list) {
        ++index;
        if (entry.is_string() && entry.get_ref<const std::string&>() == "full_attention") {
            first_full = first_full == 0 ? index : first_full;
            ++full;
        }
    }
    slides = full < index;
    if (full == 0) {
        return 1;
    }
    return first_full > 1 ? first_full
                          : std::max(1, static_cast<int>(std::lround(1.0 * index / full)));
}

void read_window(const ConfigFields& config, const DecoderFamily& family, TransformerStack& tower) {
    const auto window = config.size({"sliding_window", "attention_chunk_size"}, 2'000'000'000);
    const bool used = config.flag({"use_sliding_window"}).value_or(!family.window_opt_in);
    if (!window || !used) {
        return;
    }
    tower.sliding_window = *window;
    tower.window_pattern = family.window_pattern;
    const nlohmann::json* pattern = config.raw("sliding_window_pattern");
    if (pattern != nullptr && pattern->is_number()) {
        tower.window_pattern =
            config.size({"sliding_window_pattern"}, most_layers).value_or(family.window_pattern);
    }
    bool slides = true;
    if (const auto listed = pattern_of_layer_types(config, slides)) {
        tower.window_pattern = *listed;
        tower.sliding_window = slides ? *window : 0;
    }
    if (tower.sliding_window == 0) {
        tower.window_pattern = 1;
    }
}

void read_latent(const ConfigFields& config, const DecoderFamily& family, TransformerStack& tower) {
    if (!family.latent && !config.has({"kv_lora_rank"})) {
        return;
    }
    LatentAttention latent;
    latent.q_rank = config.size({"q_lora_rank"}, most_size).value_or(0);
    latent.kv_rank = config.required_size({"kv_lora_rank"}, most_size);
    latent.nope_dim = config.required_size({"qk_nope_head_dim"}, 65'536);
    latent.rope_dim = config.required_size({"qk_rope_head_dim"}, 65'536);
    latent.v_dim = config.required_size({"v_head_dim"}, 65'536);
    tower.head_dim = latent.nope_dim + latent.rope_dim;
    tower.mla = latent;
}

int read_ffn(const ConfigFields& config, const DecoderFamily& family,
             const TransformerStack& tower) {
    const FieldNames names = {"intermediate_size_mlp",
                              "intermediate_size",
                              "n_inner",
                              "ffn_dim",
                              "ffn_hidden_size",
                              "d_ff"};
    if (family.ffn_factor == 0) {
        return config.required_size(names, 100'000'000);
    }
    const double ratio = config.number({"expansion_ratio"}).value_or(family.ffn_factor);
    const double width = std::min(ratio * tower.hidden, 1e8);
    return config.size(names, 100'000'000).value_or(static_cast<int>(width));
}

void read_shared_experts(const ConfigFields& config, const DecoderFamily& family,
                         MixtureOfExperts& moe) {
    const int shared =
        config.count({"n_shared_experts", "num_shared_experts", "moe_num_shared_experts"}, 65'536)
            .value_or(family.shared_experts);
    const double width = config.count({"shared_expert_intermediate_size"}).value_or(0);
    moe.shared_ffn = width > 0 ? static_cast<int>(width)
                               : static_cast<int>(std::min(1e9, 1.0 * shared * moe.ffn));
    moe.shared_gate =
        moe.shared_ffn > 0 && config.flag({"shared_expert_gate"}).value_or(family.shared_gate);
}

void read_experts(const ConfigFields& config, const DecoderFamily& family,
                  TransformerStack& tower) {
    const auto experts = config.count(
        {"num_local_experts", "num_experts", "n_routed_experts", "moe_num_experts"}, 65'536);
    if (!experts || *experts <= 1) {
        return;
    }
    MixtureOfExperts moe;
    moe.experts = *experts;
    moe.experts_per_token = config.required_size(
        {"num_experts_per_tok", "num_experts_per_token", "moe_top_k", "moe_k", "top_k_experts"},
        65'536);
    if (moe.experts_per_token > moe.experts) {
        config.fail("num_experts_per_tok", fmt::format("found {}, expected at most the {} experts",
                                                       moe.experts_per_token, moe.experts));
    }
    moe.ffn = config.size({"moe_intermediate_size", "intermediate_size", "ffn_dim"}, 100'000'000)
                  .value_or(tower.ffn);
    read_shared_experts(config, family, moe);
    moe.router_fp32 = family.router_fp32;
    moe.every_expert = family.every_expert;
    moe.router_bias = config.flag({"router_bias"}).value_or(family.router_bias);
    moe.router_correction_bias =
        config.flag({"router_correction_bias"}).value_or(family.router_correction_bias);
    moe.expert_bias = tower.mlp_bias;
    moe.first_dense_layers = std::min(
        tower.layers,
        config.count({"first_k_dense_replace", "moe_layer_start_index"}, most_layers).value_or(0));
    // Some files list the layers under the same key: one entry a layer, all alike in practice.
    const nlohmann::json* frequency = config.raw("moe_layer_freq");
    const bool listed = frequency != nullptr && !frequency->is_number();
    moe.every = config
                    .size({"interleave_moe_layer_step", "decoder_sparse_step",
                           listed ? "decoder_sparse_step" : "moe_layer_freq"},
                          most_layers)
                    .value_or(1);
    moe.dense_ffn = tower.ffn;
    tower.moe = moe;
}

/// OPT 350M embeds narrower than it computes.
void read_embedding(const ConfigFields& config, const DecoderFamily& family,
                    Architecture& architecture) {
    const TransformerStack& tower = architecture.text();
    architecture.vocabulary =
        family.vocabulary > 0
            ? config.size({"vocab_size"}, 100'000'000).value_or(family.vocabulary)
            : config.required_size({"vocab_size", "padded_vocab_size"}, 100'000'000);
    const int width = config.size({"word_embed_proj_dim"}, most_size).value_or(tower.hidden);
    architecture.embedding_dim = width != tower.hidden ? width : 0;
}

}  // namespace

Architecture import_decoder(const ConfigFields& config, const DecoderFamily& family) {
    const auto nested = config.child("text_config");
    const ConfigFields& text = nested ? *nested : config;
    Architecture architecture;
    architecture.kind = ModelKind::decoder;
    architecture.stacks.emplace_back();
    TransformerStack& tower = architecture.stacks.back();
    read_shape(text, family, tower);
    read_details(text, family, tower);
    if (family.model_type == "falcon") {
        adjust_falcon(text, tower);
    }
    tower.ffn = read_ffn(text, family, tower);
    read_window(text, family, tower);
    read_latent(text, family, tower);
    read_experts(text, family, tower);
    read_positions(text, family, architecture);
    read_embedding(text, family, architecture);
    const auto tied = text.flag({"tie_word_embeddings"});
    architecture.tied_embeddings =
        tied ? *tied : config.flag({"tie_word_embeddings"}).value_or(family.tied);
    // The bare class ("MistralModel"), which embeds texts, has no head; ChatGLM's own has one.
    architecture.has_head = !class_has(config, "Model") || class_has(config, "ChatGLM") ||
                            class_has(config, "For") || class_has(config, "LMHead");
    architecture.tied_embeddings = architecture.tied_embeddings || !architecture.has_head;
    architecture.head_bias =
        !architecture.tied_embeddings && text.flag({"lm_head_bias"}).value_or(family.head_bias);
    architecture.embedding_norm = text.flag({"embedding_norm"}).value_or(family.embedding_norm);
    // A prediction layer is counted only where the file says that its table and head are stored.
    if (text.flag({"nextn_stores_embeddings"}).value_or(false)) {
        architecture.prediction_layers = text.count({"num_nextn_predict_layers"}, 64).value_or(0);
    }
    if (config.has({"vision_config"})) {
        import_vision_tower(config, std::string(family.model_type), architecture);
    }
    return architecture;
}

}  // namespace ridgeline
