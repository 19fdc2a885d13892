#include "base/text.h"
#include "data/formats/importer.h"
#include "data/formats/weight_header.h"
#include "data/reader.h"

#include <fmt/format.h>

namespace ridgeline {

/// What a file of weights describes; a config.json beside it says more.
Result<void> Importer::read_weights(const nlohmann::json& tree, const std::string& where) {
    const auto model = described_model(tree, where);
    if (!model && !out_.model_config.empty()) {
        ImportedFile& file = list(where, "weights", "a part of the weights");
        file.ignored.push_back({"tensors", "", "the model's config.json says their shapes"});
        return {};
    }
    if (!model) {
        return tl::unexpected(model.error());
    }
    ImportedFile& file = list(where, model->kind, model->kind + " weights");
    file.read.push_back({"model_type", text_of(member(model->config, "model_type")), "the model"});
    if (model->parameters > 0) {
        file.read.push_back({"tensors", "", fmt::format("{:.0f} parameters", model->parameters)});
    }
    for (const std::string& open : model->open) {
        file.unknown.push_back({open, "", ""});
    }
    if (out_.model_config.empty()) {
        out_.model_config = model->config.dump();
    }
    if (model->kind == "gguf") {
        out_.options["task"] = "inference";
        out_.options["framework"] = "llama.cpp";
    }
    if (!model->quantization.empty()) {
        out_.options["quantization"] = model->quantization;
    }
    return {};
}

bool Importer::read_model(const nlohmann::json& tree, const std::string& where) {
    const bool index = tree.contains("weight_map") && tree["weight_map"].is_object();
    if (index) {
        ImportedFile& file = list(where, "safetensors-index", "index of safetensors");
        file.ignored.push_back({"weight_map", fmt::format("{} tensors", tree["weight_map"].size()),
                                "the model's config.json says their shapes"});
        return true;
    }
    const bool config = (tree.contains("model_type") || tree.contains("architectures")) &&
                        !tree.contains("base_model") && !tree.contains("model_name_or_path") &&
                        !tree.contains("learning_rate");
    if (!config) {
        return false;
    }
    ImportedFile& file = list(where, "hf-config", "a model's config.json");
    file.read.push_back({"model_type", text_of(member(tree, "model_type")), "the model"});
    out_.model_config = tree.dump();
    return true;
}

/// Positions, norms and biases as GPT-2 has them, whose code these tools began with, where no flag
/// says otherwise.
void Importer::settle_details(nlohmann::json& config) {
    const auto text = [this](const char* name) {
        const auto found = terms_.find(name);
        return found == terms_.end() ? std::string() : lower(found->second);
    };
    const std::string position = text("@shape.position");
    config["position_embedding"] = position.empty() || position.starts_with("learned") ? "learned"
                                   : position == "alibi"                               ? "alibi"
                                                                                       : "rope";
    config["norm_type"] = contains(text("@shape.norm"), "rms") ? "rmsnorm" : "layernorm";
    const bool unbiased = text("@shape.unbiased") == "true";
    const bool bare = unbiased || text("@shape.attention_unbiased") == "true";
    config["attention_bias"] = !bare || text("@shape.qkv_bias") == "true";
    config["attention_out_bias"] = !bare;
    config["mlp_bias"] = !unbiased;
    if (text("@shape.qk_norm") == "true") {
        config["qk_norm"] = "head";
    }
}

/// The shape that flags give becomes a config.json, where nothing names the model.
void Importer::settle_model() {
    nlohmann::json config;
    for (const auto& [name, value] : terms_) {
        constexpr std::string_view mark = "@shape.";
        const auto number = number_with_suffix(value);
        if (name.rfind(mark, 0) == 0 && number) {
            config[name.substr(mark.size())] = static_cast<std::int64_t>(*number);
        }
    }
    if (!config.contains("num_hidden_layers") || !config.contains("hidden_size") ||
        out_.options.count("model") > 0 || !out_.model_config.empty()) {
        return;
    }
    const auto is_on = [&](const char* name) {
        const auto found = terms_.find(name);
        return found != terms_.end() && found->second == "true";
    };
    config["model_type"] = config.contains("num_local_experts") ? "mixtral" : "llama";
    config["tie_word_embeddings"] = !is_on("@shape.untied");
    if (!is_on("@shape.gated")) {
        config["gated_mlp"] = false;
    }
    settle_details(config);
    if (!config.contains("intermediate_size")) {
        config["intermediate_size"] = 4 * config["hidden_size"].get<std::int64_t>();
    }
    // Padded vocabularies of GPT-2's words are what Megatron's own data has.
    if (!config.contains("vocab_size")) {
        constexpr int padded_gpt2_words = 50'304;
        config["vocab_size"] = padded_gpt2_words;
        if (!out_.files.empty()) {
            out_.files.back().unknown.push_back(
                {"vocab-size", "", "of the tokenizer: 50304 is taken"});
        }
    }
    out_.model_config = config.dump();
}

}  // namespace ridgeline
