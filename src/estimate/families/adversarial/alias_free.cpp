#include "base/text.h"
#include "estimate/families/adversarial/networks.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace ridgeline {
namespace {

constexpr int layers = 14;
constexpr int critical = 2;  // layers at the last sampling rate
constexpr double latent_width = 512;

struct Layer {
    double rate = 16;  ///< samples along a side of its output
    double side = 36;  ///< with the margin
    double channels = 512;
};

/// Rates and widths that follow from cut-offs in a geometric row from 2 to half of the side.
std::array<Layer, layers + 1> layers_of(double side, double base, double most) {
    constexpr double first_cutoff = 2;
    constexpr double margin = 10;
    const double first_stopband = std::exp2(2.1);
    const double last_cutoff = side / 2;
    const double last_stopband = last_cutoff * std::exp2(0.3);
    std::array<Layer, layers + 1> row;
    for (int i = 0; i <= layers; ++i) {
        const double exponent = std::min(1.0, 1.0 * i / (layers - critical));
        const double cutoff = first_cutoff * std::pow(last_cutoff / first_cutoff, exponent);
        const double stopband = first_stopband * std::pow(last_stopband / first_stopband, exponent);
        Layer& layer = row[static_cast<std::size_t>(i)];
        layer.rate = std::exp2(std::ceil(std::log2(std::min(2 * stopband, side))));
        layer.side = i + 1 < layers ? layer.rate + 2 * margin : side;
        layer.channels = std::nearbyint(std::min(base / 2 / cutoff, most));
    }
    row[layers].channels = 3;
    return row;
}

}  // namespace

void alias_free_generator(NetworkBuilder& net, const FamilyInput& input, double side) {
    const NetworkSizes& sizes = input.sizes;
    const bool radial = contains(sizes.word("name"), "-r");
    const double base =
        sizes.number("channel_base", sizes.number("cbase", 32768)) * (radial ? 2 : 1);
    const double most = sizes.number("channel_max", 512) * (radial ? 2 : 1);
    const double kernel = radial ? 1 : 3;
    const auto row = layers_of(side, base, most);
    const bool half = net.context().bytes < 4;
    net.block("mapping");
    Map w = net.input(latent_width, 1, 1);
    for (int i = 0; i < 2; ++i) {
        w = net.activation(net.linear(w, latent_width), ActivationKind::smooth);
    }
    net.block("frequencies");
    net.linear(net.made(latent_width, 1, 1, 1), 4);
    const Layer& first = row.front();
    Map x = net.made(first.channels, 1, first.side, first.side);
    x = net.linear(x, first.channels, false);
    for (std::size_t i = 0; i < row.size(); ++i) {
        const Layer& layer = row[i];
        const bool last = i + 1 == row.size();
        net.block(last ? "to colours" : "layer");
        // Half precision at the four highest sampling rates (num_fp16_res of train.py).
        net.in_full_precision(half && !(16 * layer.rate > side));
        net.linear(net.made(latent_width, 1, 1, 1), x.channels);
        const double taps = last ? 1 : kernel;
        // Weights of each sample: scaled by the style, normalised, in fp32.
        const Map weights = net.made(x.channels * layer.channels * taps * taps, 1, 1, 1);
        net.chain(weights, 8, 4, 1);
        Window window = Window::square(taps, 1, taps - 1);
        net.weigh_by_sample(true);
        x = net.convolution(x, layer.channels, window);
        net.weigh_by_sample(false);
        net.parameters("bias", layer.channels);  // added by the filter's kernel
        if (!last) {
            // Up to twice the higher rate, leaky ReLU, down again: filters of twelve taps,
            // separable or, radial, in two dimensions. Work grows with the samples between them.
            const double before = i > 0 ? row[i - 1].rate : layer.rate;
            const double between = 2 * std::max(before, layer.rate) / layer.rate * layer.side;
            constexpr double separable = 60;  // multiplications and additions of a sample between
            constexpr double two_dimensions = 1.1;
            const double samples = between * between * x.channels;
            // Two bits a sample between say which were below zero.
            x = net.filtered(x, layer.side, separable * (radial ? two_dimensions : 1) * samples,
                             samples / 4);
        }
    }
}

}  // namespace ridgeline
