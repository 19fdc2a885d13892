#include "data/import_huggingface.h"

#include "base/lists.h"
#include "base/text.h"
#include "data/load.h"
#include "data/reader.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace ridgeline {
namespace {

/// `LlamaForCausalLM` names its family where `model_type` is missing.
std::optional<std::string> type_from_class(const nlohmann::json& document) {
    const auto at = document.find("architectures");
    if (at == document.end() || !at->is_array() || at->empty() || !at->front().is_string()) {
        return std::nullopt;
    }
    const std::string name = at->front().get<std::string>();
    const std::string stem = lower(name.substr(0, name.find("For")));
    for (const std::string& known : known_model_types()) {
        std::string plain = known;
        std::erase(plain, '_');
        if (plain == stem) {
            return known;
        }
    }
    return std::nullopt;
}

std::optional<Architecture> import_other(const ConfigFields& config, const std::string& type) {
    if (type == "bert" || type == "roberta" || type == "distilbert" || type == "electra" ||
        type == "albert") {
        return import_bert(config, type);
    }
    if (type == "xlm-roberta" || type == "camembert") {
        return import_bert(config, "roberta");
    }
    if (type == "modernbert" || type == "nomic_bert" || type == "new") {
        return import_rotary_encoder(config, type);
    }
    if (type == "deberta" || type == "deberta-v2") {
        return import_deberta(config, type);
    }
    if (type == "esm") {
        return import_esm(config);
    }
    if (type == "bart" || type == "mbart" || type == "m2m_100" || type == "marian") {
        return import_bart(config, type);
    }
    if (type == "t5" || type == "mt5" || type == "umt5") {
        return import_t5(config);
    }
    if (type == "whisper") {
        return import_whisper(config);
    }
    if (type == "clip" || type == "clip_text_model") {
        return import_clip(config, type);
    }
    if ((type == "vit" || type == "deit") && config.has({"num_hidden_layers"})) {
        return import_vit(config);
    }
    const auto types = known_model_types();
    if (decoder_family(type) == nullptr && is_among(type, types)) {
        return import_network(config, type);
    }
    return std::nullopt;
}

std::optional<Architecture> import_any(const ConfigFields& config, const std::string& type) {
    if (const DecoderFamily* family = decoder_family(type)) {
        return import_decoder(config, *family);
    }
    if (auto states = import_state_model(config, type)) {
        return states;
    }
    if (auto other = import_other(config, type)) {
        return other;
    }
    // A multimodal model of an unknown outer type: its text part may be a known family.
    if (const auto text = config.child("text_config")) {
        const auto inner = text->text({"model_type"});
        const DecoderFamily* family = inner ? decoder_family(*inner) : nullptr;
        if (family != nullptr && !text->error()) {
            return import_decoder(*text, *family);
        }
    }
    return std::nullopt;
}

/// State-space, recurrent and convolutional layers beside attention: no decoder's sums hold for
/// them.
bool is_hybrid(const ConfigFields& config) {
    for (const char* key : {"mamba_d_state", "mamba_n_heads", "ssm_state_size", "ssm_cfg",
                            "hybrid_override_pattern", "layers_block_type", "linear_num_key_heads",
                            "linear_attn_config", "conv_L_cache", "attn_layer_period"}) {
        if (config.has({key})) {
            return true;
        }
    }
    return false;
}

/// A model of an unknown family whose keys are those of a decoder, read as one like Llama.
std::optional<Architecture> import_unknown(const ConfigFields& config) {
    const auto text = config.child("text_config");
    const ConfigFields& keys = text ? *text : config;
    const bool decoder = keys.has({"num_hidden_layers", "n_layer", "n_layers", "num_layers"}) &&
                         keys.has({"hidden_size", "n_embd", "d_model"}) &&
                         keys.has({"num_attention_heads", "n_head", "n_heads"}) &&
                         keys.has({"intermediate_size", "ffn_dim", "n_inner"}) &&
                         keys.has({"vocab_size"}) &&
                         !keys.flag({"is_encoder_decoder"}).value_or(false);
    const DecoderFamily* family = decoder && !is_hybrid(keys) ? decoder_family("llama") : nullptr;
    if (family == nullptr) {
        return std::nullopt;
    }
    Architecture architecture = import_decoder(keys, *family);
    architecture.assumed_family = "llama";
    return architecture;
}

/// Weights of compressed-tensors are told by group: the first is that of the linear layers.
std::string compressed_type(const ConfigFields& stored) {
    const nlohmann::json* groups = stored.raw("config_groups");
    if (groups == nullptr || !groups->is_object() || groups->empty()) {
        return "";
    }
    const nlohmann::json& group = *groups->begin();
    const nlohmann::json weights =
        group.is_object() ? group.value("weights", nlohmann::json()) : nlohmann::json();
    if (!weights.is_object() || !weights.contains("num_bits") ||
        !weights["num_bits"].is_number_integer()) {
        return "";
    }
    const auto bits = weights["num_bits"].get<long>();
    const bool floats = weights.contains("type") && weights["type"] == "float";
    return bits == 8 ? (floats ? "fp8" : "int8") : bits == 4 ? (floats ? "nvfp4" : "awq-int4") : "";
}

/// By the `quantization_config` of a published config.json, in its `quant_method` and bits.
/// transformers' Mxfp4Config covers the modules of experts, its FineGrainedFP8Config tiles of
/// `weight_block_size`.
PublishedWeights published_weights(const ConfigFields& config) {
    const auto stored = config.child("quantization_config");
    const std::string method = stored ? stored->text({"quant_method"}).value_or("") : "";
    if (method == "mxfp4") {
        return {.type = "mxfp4", .experts_alone = true};
    }
    if (method == "fp8") {
        const nlohmann::json* tile = stored->raw("weight_block_size");
        const bool tiled = tile != nullptr && *tile == nlohmann::json::array({128, 128});
        return {.type = tiled ? "fp8-block" : "fp8"};
    }
    if (method == "awq" || method == "gptq") {
        const int bits = stored->count({"bits", "w_bit"}).value_or(4);
        return {.type = bits == 4 ? method + "-int4" : bits == 8 ? "int8" : ""};
    }
    if (method == "bitsandbytes") {
        const bool four = stored->flag({"load_in_4bit", "_load_in_4bit"}).value_or(false);
        return {.type = four ? stored->text({"bnb_4bit_quant_type"}).value_or("nf4") : "int8"};
    }
    return {.type = method == "compressed-tensors" ? compressed_type(*stored) : ""};
}

void read_identity(const ConfigFields& config, Architecture& architecture) {
    architecture.id = config.text({"id"}).value_or("");
    architecture.name = config.text({"name", "_name_or_path"}).value_or("");
    if (architecture.name.empty()) {
        architecture.name = architecture.id.empty() ? architecture.model_type : architecture.id;
    }
    architecture.hf_id = config.text({"hf_id"}).value_or("");
    architecture.source = config.text({"source"}).value_or("");
    architecture.published_parameters = config.large_count({"parameters"});
    architecture.published_active_parameters = config.large_count({"active_parameters"});
    architecture.published_tokens = config.large_count({"training_tokens"});
    architecture.makes_vectors = config.flag({"makes_vectors"}).value_or(false);
    architecture.published = published_weights(config);
}

}  // namespace

void add_extra(Architecture& architecture, const char* name, double parameters, int count) {
    if (parameters > 0) {
        architecture.extra.push_back({.name = name, .parameters = parameters, .count = count});
    }
}

Result<Architecture> architecture_from_json(const nlohmann::json& document,
                                            const std::string& where) {
    if (!document.is_object()) {
        return input_error(where, "expected a JSON object with the keys of a config.json");
    }
    const ConfigFields config(document, where);
    const std::string type =
        config.text({"model_type"}).value_or(type_from_class(document).value_or(std::string()));
    if (config.error()) {
        return tl::unexpected(*config.error());
    }
    const auto known = known_model_types();
    if (type.empty()) {
        return input_error(where + ": /model_type", "missing, expected the family of the model",
                           "For example \"llama\", \"qwen2\" or \"mixtral\"");
    }
    auto architecture = import_any(config, type);
    // A name that is nearly a known one is a slip of the pen, not a new family.
    if (!architecture && did_you_mean(type, known).empty()) {
        architecture = import_unknown(config);
        if (config.error()) {
            return tl::unexpected(*config.error());
        }
    }
    if (!architecture) {
        const std::string hint = did_you_mean(type, known);
        return input_error(where + ": /model_type",
                           fmt::format("\"{}\" is no model family that is known here", type),
                           hint.empty() ? "State the sizes of a decoder like it, or a model of its "
                                          "size from `ridgeline profiles list` with --model"
                                        : hint);
    }
    architecture->model_type = type;
    read_identity(config, *architecture);
    if (config.error()) {
        return tl::unexpected(*config.error());
    }
    return *architecture;
}

Result<Architecture> architecture_from_config(std::string_view json_text,
                                              const std::string& where) {
    const Result<Document> document = Document::parse(json_text, where);
    if (!document) {
        return tl::unexpected(document.error());
    }
    return architecture_from_json(document->value(), where);
}

Result<Architecture> load_hf_config(const TreePath& file) {
    const Result<std::string> text = file.read();
    if (!text) {
        return tl::unexpected(text.error());
    }
    auto architecture = architecture_from_config(*text, file.string());
    if (architecture && architecture->name == architecture->model_type) {
        const auto folder = file.parent_path().filename();
        const bool plain = file.filename() == "config.json" && !folder.empty();
        architecture->name = plain ? folder : file.stem();
    }
    return architecture;
}

}  // namespace ridgeline
