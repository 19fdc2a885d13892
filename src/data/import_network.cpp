#include "data/import_huggingface.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <string_view>

namespace ridgeline {
namespace {

constexpr int most_layers = 10'000;
constexpr int most_size = 1'000'000;

ModelKind kind_of(std::string_view type) {
    constexpr std::array diffusion = {"diffusion", "unet2d", "sd3", "flux"};
    constexpr std::array adversarial = {"gan", "dcgan", "hifigan"};
    if (std::find(diffusion.begin(), diffusion.end(), type) != diffusion.end()) {
        return ModelKind::diffusion;
    }
    if (std::find(adversarial.begin(), adversarial.end(), type) != adversarial.end()) {
        return ModelKind::gan;
    }
    return type == "recurrent" ? ModelKind::recurrent : ModelKind::image;
}

double millions(const ConfigFields& config) {
    if (const auto stated = config.number({"params_m"})) {
        return *stated;
    }
    return config.number({"parameters"}).value_or(0) / 1e6;
}

/// The plain forms state their published figures and nothing else, so they must be there.
void require_figure(const ConfigFields& config, const char* field, double value) {
    if (value <= 0) {
        config.fail(field, "missing or zero, expected a number above zero");
    }
}

ImageFacts read_image(const ConfigFields& config, const std::string& type) {
    ImageFacts facts;
    facts.family = config.text({"family"}).value_or(type);
    facts.gmacs = config.number({"gmacs"}).value_or(0);
    facts.mactivations = config.number({"macts_m", "mactivations"}).value_or(0);
    facts.mparameters = millions(config);
    facts.image_size =
        config.size({"gmacs_image_size", "image_size", "resolution"}, 65'536).value_or(0);
    if (type == "convnet" || type == "vit" || type == "diffusion") {
        require_figure(config, "gmacs", facts.gmacs);
        require_figure(config, "params_m", facts.mparameters);
    }
    return facts;
}

std::optional<DiffusionTransformer> read_mmdit(const ConfigFields& config,
                                               const std::string& type) {
    const bool stated = config.text({"family"}).value_or("") == "mmdit";
    if (!stated && type != "sd3" && type != "flux") {
        return std::nullopt;
    }
    DiffusionTransformer network;
    network.double_layers = config.required_size({"num_double_layers", "num_layers"}, most_layers);
    network.single_layers = config.count({"num_single_layers"}, most_layers).value_or(0);
    network.heads = config.required_size({"num_attention_heads"}, most_size);
    network.head_dim = config.required_size({"head_dim", "attention_head_dim"}, 65'536);
    const double width = 1.0 * network.heads * network.head_dim;
    network.hidden =
        config.size({"hidden_size"}, most_size).value_or(static_cast<int>(std::min(width, 1e6)));
    network.ffn = config.size({"intermediate_size"}, 100'000'000).value_or(4 * network.hidden);
    network.image_tokens = config.count({"image_tokens"}).value_or(0);
    network.text_tokens = config.count({"text_tokens"}).value_or(0);
    return network;
}

RecurrentFacts read_recurrent(const ConfigFields& config) {
    RecurrentFacts facts;
    facts.cell = config.text({"cell", "family"}).value_or("lstm");
    facts.hidden = config.required_size({"hidden_size"}, most_size);
    facts.encoder_layers =
        config.required_size({"num_encoder_layers", "encoder_layers", "num_layers"}, most_layers);
    facts.decoder_layers =
        config.count({"num_decoder_layers", "decoder_layers"}, most_layers).value_or(0);
    facts.bidirectional_layers =
        config.count({"bidirectional_layers", "encoder_bidirectional_layers"}, most_layers)
            .value_or(0);
    if (facts.bidirectional_layers > facts.encoder_layers) {
        config.fail("bidirectional_layers",
                    fmt::format("found {}, expected at most the {} encoder layers",
                                facts.bidirectional_layers,
                                facts.encoder_layers));
    }
    facts.vocabulary = config.count({"vocab_size"}).value_or(0);
    facts.mparameters = millions(config);
    return facts;
}

}  // namespace

Architecture import_network(const ConfigFields& config, const std::string& model_type) {
    Architecture architecture;
    architecture.kind = kind_of(model_type);
    architecture.has_head = false;
    if (architecture.kind == ModelKind::recurrent) {
        architecture.recurrent = read_recurrent(config);
        architecture.vocabulary = architecture.recurrent->vocabulary;
        return architecture;
    }
    architecture.image = read_image(config, model_type);
    if (architecture.kind == ModelKind::diffusion) {
        architecture.diffusion = read_mmdit(config, model_type);
    }
    return architecture;
}

}  // namespace ridgeline
