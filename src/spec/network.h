#pragma once

#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ridgeline {

/// What the model file of a network without a list of transformer layers states, key by key:
/// numbers and lists of numbers (nested lists in reading order, true as 1, false and words inside a
/// list as 0), and words. The lister of the network's type knows which keys it needs.
struct NetworkSizes {
    std::string type;  ///< "resnet", "unet2d", "recurrent", ...: key of the table of listers
    std::vector<std::pair<std::string, std::vector<double>>> numbers;
    std::vector<std::pair<std::string, std::string>> words;

    [[nodiscard]] const std::vector<double>* list(std::string_view key) const {
        for (const auto& [name, values] : numbers) {
            if (name == key) {
                return &values;
            }
        }
        return nullptr;
    }
    [[nodiscard]] double number(std::string_view key, double otherwise) const {
        const auto* values = list(key);
        return values != nullptr && !values->empty() ? values->front() : otherwise;
    }
    [[nodiscard]] int whole(std::string_view key, int otherwise) const {
        return static_cast<int>(number(key, otherwise));
    }
    [[nodiscard]] bool flag(std::string_view key, bool otherwise = false) const {
        return number(key, otherwise ? 1 : 0) != 0;
    }
    [[nodiscard]] std::string_view word(std::string_view key) const {
        for (const auto& [name, value] : words) {
            if (name == key) {
                return value;
            }
        }
        return {};
    }
    friend bool operator==(const NetworkSizes&, const NetworkSizes&) = default;
};

/// Operators that the rows of a network that is written out may name (docs/model-listings.md).
inline constexpr std::array<std::string_view, 32> listed_operators = {
    "conv",    "tconv", "linear",  "matmul",  "attention", "embed", "bn",  "gn",     "ln",   "rms",
    "softmax", "relu",  "act",     "maxpool", "avgpool",   "gap",   "up",  "pad",    "resize", "add",
    "mul",     "cat",   "join",    "scale",   "dropout",   "view",  "copy", "point", "params", "input",
    "keep",    "loss"};

/// Published facts of a network that is not described layer by layer (timm-style tables).
struct ImageFacts {
    std::string family;          ///< "resnet", "convnext", "unet", "swin", ...
    double gmacs = 0;            ///< 1e9 multiply-accumulates per sample at `image_size`
    double mactivations = 0;     ///< 1e6 activation elements per sample; 0: not published
    double mparameters = 0;      ///< 1e6 parameters
    int image_size = 0;          ///< side in pixels the figures hold for; 0: not stated
    friend bool operator==(const ImageFacts&, const ImageFacts&) = default;
};

/// Encoder and decoder of LSTM (or GRU) layers of one width, with attention between them.
struct RecurrentFacts {
    std::string cell = "lstm";
    int hidden = 0;
    int encoder_layers = 0;
    int decoder_layers = 0;
    int bidirectional_layers = 0;  ///< of the encoder
    int vocabulary = 0;
    double mparameters = 0;        ///< 1e6 parameters; 0: not published
    friend bool operator==(const RecurrentFacts&, const RecurrentFacts&) = default;
};

/// Multi-modal diffusion transformer: blocks with two weight sets (image and text), then blocks
/// with one over both.
struct DiffusionTransformer {
    int hidden = 0;
    int heads = 0;
    int head_dim = 0;
    int ffn = 0;
    int double_layers = 0;
    int single_layers = 0;
    int image_tokens = 0;  ///< at the published image size; 0: from the latent size
    int text_tokens = 0;
    friend bool operator==(const DiffusionTransformer&, const DiffusionTransformer&) = default;
};

}  // namespace ridgeline
