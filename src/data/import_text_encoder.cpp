#include "data/import_huggingface.h"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>

// Encoders after BERT (ModernBERT, Nomic and GTE, ESM-2), the DeBERTas, and the pairs of encoder
// and decoder after BART. Sources: modelling files of huggingface/transformers for the family; of
// nomic_bert and new (GTE) the code beside the published weights.

namespace ridgeline {
namespace {

Architecture encoder_of(const ConfigFields& config, TransformerStack& tower) {
    Architecture architecture;
    architecture.kind = ModelKind::encoder;
    architecture.loss_upcasts = false;
    architecture.has_head = config.flag({"mlm_head"}).value_or(class_has(config, "ForMaskedLM"));
    architecture.tied_embeddings = true;
    architecture.vocabulary = config.required_size({"vocab_size"}, 100'000'000);
    architecture.max_positions =
        config.size({"max_position_embeddings", "n_positions"}, most_size).value_or(512);
    tower.causal = false;
    tower.softmax_fp32 = false;
    tower.layers = config.required_size({"num_hidden_layers", "n_layer"}, most_layers);
    tower.hidden = config.required_size({"hidden_size", "n_embd"}, most_size);
    tower.ffn = config.required_size({"intermediate_size", "n_inner"}, 100'000'000);
    set_heads(config, {"num_attention_heads", "n_head"}, tower);
    return architecture;
}

/// Relative positions either way; nothing where the file says -1, "as many as positions".
std::optional<int> relative_span(const ConfigFields& config) {
    for (const char* key : {"position_buckets", "max_relative_positions"}) {
        const nlohmann::json* value = config.raw(key);
        const bool stated = value != nullptr && value->is_number();
        if (stated && value->get<double>() >= 1 && value->get<double>() <= most_size) {
            return static_cast<int>(value->get<double>());
        }
    }
    return std::nullopt;
}

/// A dense layer, a norm and a bias for each word before the tied table.
void add_word_head(Architecture& architecture) {
    const double h = architecture.text().hidden;
    if (architecture.has_head) {
        add_extra(architecture, "head.transform", h * h + h + 2 * h);
        add_extra(architecture, "head.bias", architecture.vocabulary);
    }
}

}  // namespace

Architecture import_rotary_encoder(const ConfigFields& config, const std::string& model_type) {
    TransformerStack tower;
    tower.name = "encoder";
    const bool modern = model_type == "modernbert";
    // ModernBERT norms the embedding in place of the first layer's input: no table of its own.
    Architecture architecture = encoder_of(config, tower);
    architecture.embedding_norm = !modern;
    tower.norm = modern ? NormType::layernorm_nobias : NormType::layernorm;
    tower.final_norm = modern;
    tower.activation = model_type == "nomic_bert" ? "silu" : "gelu";
    if (modern) {
        tower.sliding_window = config.size({"local_attention"}, most_size).value_or(128);
        tower.window_pattern = config.size({"global_attn_every_n_layers"}, most_layers).value_or(3);
    } else {
        architecture.token_types = config.count({"type_vocab_size"}, most_size).value_or(0);
    }
    if (model_type == "new") {
        tower.qkv_bias = tower.out_bias = true;
        add_extra(architecture, "feed-forward biases", tower.hidden, tower.layers);
    }
    architecture.stacks.push_back(tower);
    const double h = tower.hidden;
    if (modern && architecture.has_head) {
        add_extra(architecture, "head.transform", h * h + h);
        add_extra(architecture, "head.bias", architecture.vocabulary);
    }
    return architecture;
}

Architecture import_esm(const ConfigFields& config) {
    TransformerStack tower = biased_stack("encoder");
    Architecture architecture = encoder_of(config, tower);
    tower.rope = config.text({"position_embedding_type"}).value_or("absolute") == "rotary";
    architecture.learned_positions = tower.rope ? 0 : architecture.max_positions;
    architecture.stacks.push_back(tower);
    add_word_head(architecture);
    add_extra(architecture, "contact head", 1.0 * tower.layers * tower.heads + 1);
    return architecture;
}

Architecture import_deberta(const ConfigFields& config, const std::string& model_type) {
    TransformerStack tower = biased_stack("encoder");
    Architecture architecture = encoder_of(config, tower);
    tower.final_norm = false;
    architecture.embedding_norm = true;
    architecture.token_types = config.count({"type_vocab_size"}, most_size).value_or(0);
    if (config.flag({"position_biased_input"}).value_or(true)) {
        architecture.learned_positions = architecture.max_positions;
    }
    const double h = tower.hidden;
    const bool first = model_type == "deberta";
    if (config.flag({"relative_attention"}).value_or(false)) {
        tower.relative_span = relative_span(config).value_or(architecture.max_positions);
        tower.shares_position_weights = config.flag({"share_att_key"}).value_or(false);
        add_extra(architecture, "relative positions", 2.0 * tower.relative_span * h);
        if (config.text({"norm_rel_ebd"}).value_or("none") == "layer_norm") {
            add_extra(architecture, "relative positions norm", 2 * h);
        }
    }
    // One product without bias makes q, k and v of the first version; q and v have biases apart.
    tower.key_bias = !first;
    if (const double window = config.count({"conv_kernel_size"}, 64).value_or(0); window > 0) {
        add_extra(architecture, "convolution", window * h * h + h + 2 * h);
    }
    architecture.stacks.push_back(tower);
    add_word_head(architecture);
    return architecture;
}

Architecture import_bart(const ConfigFields& config, const std::string& model_type) {
    Architecture architecture;
    architecture.kind = ModelKind::encoder_decoder;
    architecture.loss_upcasts = false;
    const bool learned = model_type == "bart" || model_type == "mbart";
    TransformerStack encoder = biased_stack("encoder");
    encoder.causal = false;
    encoder.softmax_fp32 = false;
    encoder.final_norm = model_type == "mbart" || model_type == "m2m_100";
    TransformerStack decoder = decoder_of(config, encoder);
    architecture.vocabulary = config.required_size({"vocab_size"}, 100'000'000);
    architecture.max_positions = config.size({"max_position_embeddings"}, most_size).value_or(1024);
    const double d = encoder.hidden;
    // BART's tables begin two rows later; Marian stores the sines, M2M-100 computes them.
    const int rows = architecture.max_positions + (learned ? 2 : 0);
    architecture.learned_positions = model_type == "m2m_100" ? 0 : rows;
    add_extra(architecture, "encoder.positions", d * architecture.learned_positions);
    architecture.embedding_norm = learned;
    add_extra(architecture, "encoder.embedding_norm", learned ? 2 * d : 0);
    architecture.tied_embeddings = config.flag({"tie_word_embeddings"}).value_or(true);
    architecture.stacks = {encoder, decoder};
    return architecture;
}

}  // namespace ridgeline
