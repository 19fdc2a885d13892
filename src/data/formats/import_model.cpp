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

}  // namespace ridgeline
