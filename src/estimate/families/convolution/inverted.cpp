// Inverted residuals: MobileNet v3, EfficientNet v1 and v2 (torchvision).
#include "estimate/families/convolution/networks.h"

#include <algorithm>
#include <cmath>

namespace ridgeline {
namespace {

using enum ActivationKind;

struct InvertedUnit {
    double expanded = 96;
    double out = 24;
    double kernel = 3;
    double stride = 1;
    double dilation = 1;
    double squeeze = 0;  ///< channels of the squeeze; 0: none
    ActivationKind kind = smooth;
    bool fused = false;   ///< one dense convolution expands and filters (EfficientNet v2)
    bool expands = true;  ///< a 1x1 convolution before the depthwise one
};

Map inverted_unit(NetworkBuilder& net, const Map& in, const InvertedUnit& unit) {
    net.block("inverted residual");
    const bool joins = unit.stride == 1 && in.channels == unit.out;
    Map x = in;
    const Window window = Window::square(
        unit.kernel, unit.stride, std::floor(unit.kernel / 2) * unit.dilation, unit.dilation);
    if (unit.fused) {
        if (unit.expands) {
            x = conv_norm_act(net, x, unit.expanded, window, unit.kind);
            x = conv_norm(net, x, unit.out, Window::square(1));
        } else {
            x = conv_norm_act(net, x, unit.out, window, unit.kind);
        }
    } else {
        if (unit.expands) {
            x = conv_norm_act(net, x, unit.expanded, Window::square(1), unit.kind);
        }
        x = conv_norm_act(net, x, x.channels, window, unit.kind, x.channels);
        if (unit.squeeze > 0) {
            x = squeeze_excite(net, x, unit.squeeze, unit.kind == smooth ? smooth : relu);
        }
        x = conv_norm(net, x, unit.out, Window::square(1));
    }
    if (joins) {
        x = net.add(x, in);
    }
    return x;
}

void classify(NetworkBuilder& net, const Map& in, double width, double labels,
              ActivationKind kind) {
    net.block("classifier");
    const Map x = conv_norm_act(net, in, width, Window::square(1), kind);
    net.linear(net.dropout(NetworkBuilder::flatten(net.global_pool(x))), labels);
}

/// Rows of `columns` numbers.
struct Rows {
    const std::vector<double>& values;
    std::size_t columns;
    [[nodiscard]] std::size_t size() const { return values.size() / columns; }
    [[nodiscard]] double at(std::size_t row, std::size_t column) const {
        return values[row * columns + column];
    }
};

Rows stages_of(const NetworkSizes& sizes, std::size_t columns) {
    static const std::vector<double> none;
    const auto* values = sizes.list("stages");
    return {values != nullptr ? *values : none, columns};
}

}  // namespace

Pyramid list_mobilenet_v3_backbone(NetworkBuilder& net, const NetworkSizes& sizes,
                                   const ImageShape& image, bool dilated) {
    net.block("stem");
    Map x = net.input(image.channels, image.height, image.width);
    x = conv_norm_act(net, x, 16, Window::square(3, 2), smooth);
    Pyramid out;
    const Rows rows = stages_of(sizes, 7);
    for (std::size_t s = 0; s < rows.size(); ++s) {
        const double expanded = rows.at(s, 2);
        const bool last = dilated && s + 3 >= rows.size();
        const double stride = rows.at(s, 6);
        if (stride > 1 || last) {
            out.push_back(x);
        }
        x = inverted_unit(net, x,
                          {.expanded = expanded,
                           .out = rows.at(s, 3),
                           .kernel = rows.at(s, 1),
                           .stride = last ? 1 : stride,
                           .dilation = last ? 2.0 : 1.0,
                           .squeeze = rows.at(s, 4) != 0 ? rounded_channels(expanded / 4) : 0,
                           .kind = rows.at(s, 5) == 'H' ? smooth : relu,
                           .expands = expanded != x.channels});
    }
    out.push_back(conv_norm_act(net, x, 6 * x.channels, Window::square(1), smooth));
    return out;
}

void list_mobilenet_v3(NetworkBuilder& net, const NetworkSizes& sizes, const ImageShape& image) {
    Map x = list_mobilenet_v3_backbone(net, sizes, image, false).back();
    net.block("classifier");
    x = NetworkBuilder::flatten(net.global_pool(x));
    x = net.activation(net.linear(x, sizes.number("last_channel", 1280)), smooth);
    net.linear(net.dropout(x), sizes.number("num_labels", 1000));
}

void list_efficientnet(NetworkBuilder& net, const NetworkSizes& sizes, const ImageShape& image) {
    const double wide = sizes.number("width_mult", 1);
    const double deep = sizes.number("depth_mult", 1);
    // Version 2 has a seventh column: 1 for fused units without squeeze and excitation.
    const bool second = sizes.flag("fused_stages");
    const Rows stages = stages_of(sizes, second ? 7 : 6);
    net.block("stem");
    Map x = net.input(image.channels, image.height, image.width);
    const double stem = stages.size() > 0 ? stages.at(0, 3) : 32;
    x = conv_norm_act(net, x, rounded_channels(stem * wide), Window::square(3, 2), smooth);
    for (std::size_t s = 0; s < stages.size(); ++s) {
        const int count = static_cast<int>(std::ceil(stages.at(s, 5) * deep));
        for (int i = 0; i < count; ++i) {
            const double in = x.channels;
            const bool fused = second && stages.at(s, 6) != 0;
            x = inverted_unit(net, x,
                              {.expanded = rounded_channels(in * stages.at(s, 0)),
                               .out = rounded_channels(stages.at(s, 4) * wide),
                               .kernel = stages.at(s, 1),
                               .stride = i == 0 ? stages.at(s, 2) : 1,
                               .squeeze = fused ? 0 : std::max(1.0, std::floor(in / 4)),
                               .fused = fused,
                               .expands = stages.at(s, 0) != 1});
        }
    }
    const double last = sizes.number("last_channel", 4 * x.channels);
    classify(net, x, last, sizes.number("num_labels", 1000), smooth);
}

}  // namespace ridgeline
