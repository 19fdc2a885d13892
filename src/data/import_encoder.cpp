#include "data/import_huggingface.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <string>

namespace ridgeline {
namespace {

bool is_gated(const ConfigFields& config) {
    const bool named = config.text({"feed_forward_proj"}).value_or("relu").starts_with("gated");
    return config.flag({"is_gated_act"}).value_or(named);
}

}  // namespace

TransformerStack biased_stack(const char* name) {
    TransformerStack tower;
    tower.name = name;
    tower.gated = false;
    tower.norm = NormType::layernorm;
    tower.qkv_bias = tower.out_bias = tower.mlp_bias = true;
    tower.rope = false;
    tower.activation = "gelu";
    return tower;
}

void set_heads(const ConfigFields& config, FieldNames names, TransformerStack& tower) {
    tower.heads = config.required_size(names, most_size);
    tower.kv_heads = tower.heads;
    if (tower.hidden % tower.heads != 0) {
        config.fail(*names.begin(), "does not divide the hidden size");
    }
    tower.head_dim = tower.hidden / tower.heads;
}

bool class_has(const ConfigFields& config, std::string_view word) {
    const nlohmann::json* names = config.raw("architectures");
    if (names == nullptr || !names->is_array()) {
        return false;
    }
    return std::any_of(names->begin(), names->end(), [&](const nlohmann::json& name) {
        return name.is_string() &&
               name.get_ref<const std::string&>().find(word) != std::string::npos;
    });
}

Architecture import_bert(const ConfigFields& config, const std::string& model_type) {
    Architecture architecture;
    architecture.kind = ModelKind::encoder;
    architecture.loss_upcasts = false;
    TransformerStack tower = biased_stack("encoder");
    tower.causal = false;
    tower.softmax_fp32 = false;
    tower.final_norm = false;
    tower.layers = config.required_size({"num_hidden_layers", "n_layers"}, most_layers);
    tower.hidden = config.required_size({"hidden_size", "dim"}, most_size);
    set_heads(config, {"num_attention_heads", "n_heads"}, tower);
    tower.ffn = config.required_size({"intermediate_size", "hidden_dim"}, 100'000'000);
    const double h = tower.hidden;
    architecture.vocabulary = config.required_size({"vocab_size"}, 100'000'000);
    const bool distilled = model_type == "distilbert";
    const int positions = model_type == "roberta" ? 514 : 512;
    architecture.max_positions =
        config.size({"max_position_embeddings"}, most_size).value_or(positions);
    architecture.learned_positions = architecture.max_positions;
    const int width = config.size({"embedding_size"}, most_size).value_or(tower.hidden);
    if (width != tower.hidden) {  // ELECTRA small, ALBERT
        architecture.embedding_dim = width;
        add_extra(architecture, "embedding.project_bias", h);
    }
    const int types = distilled ? 0 : (model_type == "roberta" ? 1 : 2);
    architecture.token_types = config.count({"type_vocab_size"}, most_size).value_or(types);
    architecture.embedding_norm = true;
    const bool masked = class_has(config, "ForMaskedLM");
    const bool pretraining = class_has(config, "ForPreTraining");
    architecture.has_head = config.flag({"mlm_head"}).value_or(masked || pretraining);
    architecture.tied_embeddings = config.flag({"tie_word_embeddings"}).value_or(true);
    architecture.head_bias = architecture.has_head && !architecture.tied_embeddings;
    if (config.flag({"pooler"}).value_or(!distilled && !masked && model_type != "electra")) {
        add_extra(architecture, "pooler", h * h + h);
    }
    // Over the pooled token: "ForSequenceClassification".
    const double labels = config.count({"num_labels"}, most_size).value_or(0);
    if (labels > 0) {
        add_extra(architecture, "classifier", labels * h + labels);
    }
    if (architecture.has_head) {
        // ALBERT's goes back to the width of the table.
        const double back = model_type == "albert" ? width : h;
        add_extra(architecture, "head.transform", h * back + back + 2 * back);
        // A tied head has the table of the embedding but a bias of its own.
        add_extra(architecture, "head.bias",
                  architecture.tied_embeddings ? architecture.vocabulary : 0);
    }
    if (config.flag({"nsp_head"}).value_or(pretraining)) {
        add_extra(architecture, "next sentence head", 2 * h + 2);
    }
    architecture.stacks.push_back(tower);
    return architecture;
}

Architecture import_t5(const ConfigFields& config) {
    Architecture architecture;
    architecture.kind = ModelKind::encoder_decoder;
    architecture.loss_upcasts = false;
    TransformerStack encoder;
    encoder.name = "encoder";
    encoder.causal = false;
    encoder.rope = false;
    encoder.norm_keeps_input = true;
    encoder.softmax_fp32 = false;
    encoder.gated = is_gated(config);
    encoder.activation = encoder.gated ? "gelu_new" : "relu";
    encoder.layers = config.required_size({"num_layers"}, most_layers);
    encoder.hidden = config.required_size({"d_model", "hidden_size"}, most_size);
    encoder.heads = config.required_size({"num_heads", "num_attention_heads"}, most_size);
    encoder.kv_heads = encoder.heads;
    encoder.head_dim = config.size({"d_kv"}, 65'536).value_or(64);
    encoder.ffn = config.required_size({"d_ff", "intermediate_size"}, 100'000'000);
    encoder.relative_buckets =
        config.size({"relative_attention_num_buckets"}, most_size).value_or(32);
    if (config.text({"model_type"}).value_or("") == "umt5") {
        // Every layer has a table of its own; the stack counts one.
        add_extra(architecture, "relative positions",
                  1.0 * (encoder.layers - 1) * encoder.relative_buckets * encoder.heads);
    }
    architecture.vocabulary = config.required_size({"vocab_size"}, 100'000'000);
    if (class_has(config, "EncoderModel")) {
        architecture.kind = ModelKind::encoder;
        architecture.has_head = false;
        architecture.tied_embeddings = true;
        architecture.stacks = {encoder};
        return architecture;
    }
    TransformerStack decoder = encoder;
    decoder.name = "decoder";
    decoder.causal = true;
    decoder.cross_attention = true;
    decoder.norms_per_layer = 3;
    decoder.layers = config.size({"num_decoder_layers"}, most_layers).value_or(encoder.layers);
    architecture.stacks = {encoder, decoder};
    architecture.tied_embeddings = config.flag({"tie_word_embeddings"}).value_or(true);
    architecture.max_positions = config.size({"n_positions"}, 2'000'000'000).value_or(0);
    return architecture;
}

TransformerStack decoder_of(const ConfigFields& config, TransformerStack& encoder) {
    encoder.hidden = config.required_size({"d_model"}, most_size);
    TransformerStack decoder = encoder;
    decoder.name = "decoder";
    decoder.causal = true;
    decoder.cross_attention = true;
    decoder.norms_per_layer = 3;
    encoder.layers = config.required_size({"encoder_layers"}, most_layers);
    decoder.layers = config.required_size({"decoder_layers"}, most_layers);
    set_heads(config, {"encoder_attention_heads"}, encoder);
    set_heads(config, {"decoder_attention_heads"}, decoder);
    encoder.ffn = config.required_size({"encoder_ffn_dim"}, 100'000'000);
    decoder.ffn = config.required_size({"decoder_ffn_dim"}, 100'000'000);
    return decoder;
}

Architecture import_whisper(const ConfigFields& config) {
    Architecture architecture;
    architecture.kind = ModelKind::encoder_decoder;
    architecture.loss_upcasts = false;
    TransformerStack encoder = biased_stack("encoder");
    encoder.causal = false;
    encoder.softmax_fp32 = false;
    encoder.key_bias = false;
    TransformerStack decoder = decoder_of(config, encoder);
    encoder.tokens = config.size({"max_source_positions"}, most_size).value_or(1500);
    const double d = encoder.hidden;
    const double mels = config.size({"num_mel_bins"}, most_size).value_or(80);
    constexpr double kernel = 3;
    add_extra(architecture, "encoder.conv1", mels * d * kernel + d);
    add_extra(architecture, "encoder.conv2", d * d * kernel + d);
    add_extra(architecture, "encoder.positions", d * encoder.tokens);
    architecture.stacks = {encoder, decoder};
    architecture.vocabulary = config.required_size({"vocab_size"}, 100'000'000);
    architecture.learned_positions = config.size({"max_target_positions"}, most_size).value_or(448);
    architecture.max_positions = architecture.learned_positions;
    architecture.tied_embeddings = config.flag({"tie_word_embeddings"}).value_or(true);
    return architecture;
}

}  // namespace ridgeline
