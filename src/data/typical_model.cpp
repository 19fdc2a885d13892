// A shape for "70B" when nobody names a model.
#include "base/text.h"
#include "data/load.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

namespace ridgeline {
namespace {

struct Shape {
    std::string_view name;
    int layers;
    int hidden;
    int ffn;
    int heads;
    int kv_heads;
    int head_dim;
    int vocabulary;
    bool tied = false;
    bool qkv_bias = false;
};

/// Published shapes, by size (profiles/models).
constexpr std::array known_shapes = {
    Shape{"Llama-3.2-1B", 16, 2048, 8192, 32, 8, 64, 128256, true},
    Shape{"Qwen2.5-1.5B", 28, 1536, 8960, 12, 2, 128, 151936, true, true},
    Shape{"Llama-3.2-3B", 28, 3072, 8192, 24, 8, 128, 128256, true},
    Shape{"Mistral-7B-v0.1", 32, 4096, 14336, 32, 8, 128, 32000},
    Shape{"Llama-3.1-8B", 32, 4096, 14336, 32, 8, 128, 128256},
    Shape{"Mistral-Nemo-12B", 40, 5120, 14336, 32, 8, 128, 131072},
    Shape{"Llama-2-13B", 40, 5120, 13824, 40, 40, 128, 32000},
    Shape{"Mistral-Small-24B", 40, 5120, 32768, 32, 8, 128, 131072},
    Shape{"Qwen2.5-32B", 64, 5120, 27648, 40, 8, 128, 152064, false, true},
    Shape{"Yi-34B", 60, 7168, 20480, 56, 8, 128, 64000},
    Shape{"Llama-65B", 80, 8192, 22016, 64, 64, 128, 32000},
    Shape{"Llama-3.1-70B", 80, 8192, 28672, 64, 8, 128, 128256},
    Shape{"Qwen2.5-72B", 80, 8192, 29568, 64, 8, 128, 152064, false, true},
    Shape{"Mistral-Large-123B", 88, 12288, 28672, 96, 8, 128, 32768},
    Shape{"Llama-3.1-405B", 126, 16384, 53248, 128, 8, 128, 128256},
};

/// Parameters of a dense shape, for the choice of one; the published count is of the operator list.
double size_of(const Shape& shape) {
    const double h = shape.hidden;
    const double q = 1.0 * shape.heads * shape.head_dim;
    const double kv = 1.0 * shape.kv_heads * shape.head_dim;
    const double bias = shape.qkv_bias ? q + 2 * kv : 0;
    const double layer = 2 * h * q + 2 * h * kv + bias + 3.0 * h * shape.ffn + 2 * h;
    return (shape.tied ? 1 : 2) * h * shape.vocabulary + shape.layers * layer + h;
}

/// Llama proportions: about 112 of width for each layer of depth, a feed-forward part about 3.5
/// times as wide as the model, heads of 128 (64 below a width of 2048), 8 key-value heads, a
/// vocabulary of 128256 (32000 below 1B) tied below 4B. Widths and depths are multiples that divide
/// well over accelerators; the width of the feed-forward part closes the gap to the asked size. Of
/// the candidates the one nearest to both proportions is taken.
Shape proportioned(double parameters) {
    constexpr double width_per_layer = 112;
    constexpr double ffn_per_width = 3.5;
    Shape best{};
    double best_error = 1e300;
    for (int hidden = 64; hidden <= 65'536;
         hidden += hidden < 512 ? 64 : (hidden < 2048 ? 256 : 1024)) {
        Shape shape{"", 0, hidden, 0, 0, 0, 0, 0};
        shape.head_dim = hidden < 2048 ? 64 : 128;
        shape.heads = hidden / shape.head_dim;
        shape.kv_heads = shape.heads % 8 == 0 ? 8 : (shape.heads % 4 == 0 ? 4 : 1);
        shape.vocabulary = parameters < 1e9 ? 32000 : 128256;
        shape.tied = parameters < 4e9;
        for (int layers = 4; layers <= 512; layers += 4) {
            shape.layers = layers;
            shape.ffn = 0;
            const double gap = parameters - size_of(shape);
            const double ffn = std::round(gap / (3.0 * hidden * layers) / 64) * 64;
            if (ffn < 64 || ffn > 64.0 * hidden) {
                continue;
            }
            shape.ffn = static_cast<int>(ffn);
            const double error = std::abs(std::log(hidden / (width_per_layer * layers))) +
                                 2 * std::abs(std::log(ffn / (ffn_per_width * hidden)));
            if (error < best_error) {
                best_error = error;
                best = shape;
            }
        }
    }
    return best;
}

Architecture from_shape(const Shape& shape, std::string name) {
    Architecture architecture;
    architecture.model_type = shape.qkv_bias ? "qwen2" : "llama";
    architecture.name = std::move(name);
    architecture.vocabulary = shape.vocabulary;
    architecture.tied_embeddings = shape.tied;
    architecture.max_positions = 131'072;
    architecture.typical = true;
    architecture.source = "assumed: no model was named";
    TransformerStack tower;
    tower.layers = shape.layers;
    tower.hidden = shape.hidden;
    tower.heads = shape.heads;
    tower.kv_heads = shape.kv_heads;
    tower.head_dim = shape.head_dim;
    tower.ffn = shape.ffn;
    tower.qkv_bias = shape.qkv_bias;
    architecture.stacks.push_back(tower);
    return architecture;
}

/// "8x7b" and "8x22b" are how Mixtral's sizes are written.
std::optional<Architecture> typical_experts(const std::string& size) {
    const bool small = size == "8x7b";
    if (!small && size != "8x22b") {
        return std::nullopt;
    }
    const Shape shape = small ? Shape{"", 32, 4096, 14336, 32, 8, 128, 32000}
                              : Shape{"", 56, 6144, 16384, 48, 8, 128, 32000};
    Architecture architecture =
        from_shape(shape, fmt::format("typical {} (Mixtral-{} shape)", small ? "8x7B" : "8x22B",
                                      small ? "8x7B" : "8x22B"));
    architecture.id = "typical-" + size;
    architecture.model_type = "mixtral";
    architecture.max_positions = small ? 32'768 : 65'536;
    MixtureOfExperts moe;
    moe.experts = 8;
    moe.experts_per_token = 2;
    moe.ffn = shape.ffn;
    moe.dense_ffn = shape.ffn;
    architecture.stacks.back().moe = moe;
    return architecture;
}

/// "1t-a32b": so many parameters, of which each token takes so many. The shape is that of a dense
/// model of the active size whose feed-forward part is cut into eight experts, with as many more of
/// them as the whole count needs (DeepSeek-V3, Qwen3 and Kimi-K2 take eight of 128 to 384).
std::optional<Architecture> typical_mixture(const std::string& text) {
    constexpr int taken = 8;
    const auto cut = text.find("-a");
    if (cut == std::string::npos) {
        return std::nullopt;
    }
    const auto total = number_with_suffix(text.substr(0, cut));
    const auto active = number_with_suffix(text.substr(cut + 2));
    if (!total || !active || !(*active >= 1e7) || !(*total <= 1e13) || !(*active < *total)) {
        return std::nullopt;
    }
    const Shape shape = proportioned(*active);
    const int width = std::max(64, static_cast<int>(std::round(shape.ffn / (64.0 * taken))) * 64);
    const double expert = 3.0 * shape.hidden * width * shape.layers;
    Architecture architecture =
        from_shape(shape, fmt::format("typical mixture of experts, {} of which {} are active",
                                      format_count(*total), format_count(*active)));
    architecture.id = "typical-" + text;
    architecture.model_type = "mixtral";
    MixtureOfExperts moe;
    moe.experts = taken + static_cast<int>(std::round((*total - *active) / expert));
    moe.experts_per_token = taken;
    moe.ffn = width;
    moe.dense_ffn = shape.ffn;
    architecture.stacks.back().moe = moe;
    return architecture;
}

}  // namespace

std::optional<Architecture> typical_architecture(std::string_view size_text) {
    std::string text = lower(size_text);
    if (text.starts_with("typical-")) {  // the id that such a model has
        text.erase(0, std::string_view("typical-").size());
    }
    if (auto experts = typical_experts(text)) {
        return experts;
    }
    if (auto mixture = typical_mixture(text)) {
        return mixture;
    }
    const bool unit =
        !text.empty() && (text.back() == 'b' || text.back() == 'm' || text.back() == 't');
    const std::optional<double> size = unit ? number_with_suffix(text) : std::nullopt;
    if (!size || !(*size >= 1e7 && *size <= 1e13)) {
        return std::nullopt;
    }
    const auto nearest_shape = std::min_element(
        known_shapes.begin(), known_shapes.end(), [&](const Shape& a, const Shape& b) {
            return std::abs(std::log(size_of(a) / *size)) < std::abs(std::log(size_of(b) / *size));
        });
    const std::string label = format_count(*size);
    const bool known = std::abs(size_of(*nearest_shape) / *size - 1) <= 0.04;
    const Shape shape = known ? *nearest_shape : proportioned(*size);
    std::string name = known ? fmt::format("typical {} ({} shape)", label, shape.name)
                             : fmt::format("typical {} (Llama proportions: {} layers of {})", label,
                                           shape.layers, shape.hidden);
    Architecture architecture = from_shape(shape, std::move(name));
    architecture.id = "typical-" + text;
    return architecture;
}

}  // namespace ridgeline
