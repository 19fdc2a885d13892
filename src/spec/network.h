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
    "conv",    "tconv", "linear",  "matmul", "attention", "embed",   "bn",      "gn",
    "ln",      "rms",   "softmax", "relu",   "act",       "maxpool", "avgpool", "gap",
    "up",      "pad",   "resize",  "add",    "mul",       "cat",     "join",    "scale",
    "dropout", "view",  "copy",    "point",  "params",    "input",   "keep",    "loss"};

/// What the source of a network prints of it, where its layers are not listed (timm-style tables).
struct NetworkFacts {
    double mparameters = 0;  ///< 1e6 parameters; 0: not published
    int image_size = 0;      ///< side in pixels of a sample; 0: not stated, or no image
    friend bool operator==(const NetworkFacts&, const NetworkFacts&) = default;
};

}  // namespace ridgeline
