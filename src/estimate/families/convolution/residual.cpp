// ResNet, ResNeXt, wide ResNet, SE-ResNet and the -D stem (torchvision resnet.py, timm resnet.py);
// RegNet (torchvision regnet.py).
#include "estimate/families/convolution/networks.h"

#include <algorithm>
#include <cmath>

namespace ridgeline {
namespace {

using enum ActivationKind;

struct ResidualUnit {
    double width = 64;  ///< of the 3x3 convolution
    double out = 256;
    double stride = 1;
    double dilation = 1;
    double groups = 1;
    bool basic = false;
    bool squeeze = false;
    bool average_down = false;  ///< the -D form pools before the projection of the shortcut
};

Map residual_unit(NetworkBuilder& net, const Map& in, const ResidualUnit& unit) {
    Map x = in;
    if (unit.basic) {
        x = conv_norm_act(net, x, unit.width, Window::square(3, unit.stride));
        x = conv_norm(net, x, unit.out, Window::square(3));
    } else {
        x = conv_norm_act(net, x, unit.width, Window::square(1));
        x = conv_norm_act(net, x, unit.width,
                          Window::square(3, unit.stride, unit.dilation, unit.dilation), relu,
                          unit.groups);
        x = conv_norm(net, x, unit.out, Window::square(1));
    }
    if (unit.squeeze) {
        x = squeeze_excite(net, x, unit.out / 16, relu);
    }
    Map shortcut = in;
    if (unit.stride != 1 || in.channels != unit.out) {
        if (unit.average_down && unit.stride != 1) {
            shortcut = net.average_pool(shortcut, Window::square(2, unit.stride, 0));
        }
        shortcut = conv_norm(net, shortcut, unit.out,
                             Window::square(1, unit.average_down ? 1 : unit.stride));
    }
    return net.activation(net.add(x, shortcut), relu);
}

double stage_entry(const std::vector<double>* list, std::size_t at, double otherwise) {
    return list != nullptr && at < list->size() ? (*list)[at] : otherwise;
}

}  // namespace

Map conv_norm(NetworkBuilder& net, const Map& in, double filters, const Window& window,
              double groups) {
    return net.batch_norm(net.convolution(in, filters, window, groups));
}

Map conv_norm_act(NetworkBuilder& net, const Map& in, double filters, const Window& window,
                  ActivationKind kind, double groups) {
    return net.activation(conv_norm(net, in, filters, window, groups), kind);
}

Map squeeze_excite(NetworkBuilder& net, const Map& in, double reduced, ActivationKind inner) {
    Map gate = net.global_pool(in);
    gate = net.activation(net.convolution(gate, reduced, Window::square(1), 1, true), inner);
    gate = net.convolution(gate, in.channels, Window::square(1), 1, true);
    gate = net.activation(gate, relu);  // sigmoid keeps its output
    return net.multiply(in, gate);
}

Pyramid list_residual_backbone(NetworkBuilder& net, const NetworkSizes& sizes,
                               const ImageShape& image, const BackboneHabits& habits) {
    const auto* layers = sizes.list("layers");
    const auto* widths = sizes.list("widths");
    const bool basic = sizes.word("block") == "basic";
    const double expansion = sizes.number("expansion", basic ? 1 : 4);
    const double groups = sizes.number("groups", 1);
    const double group_width = sizes.number("width_per_group", 64);
    const bool deep = sizes.flag("deep_stem");
    if (habits.frozen_stages > 0) {
        net.freeze();
    }
    net.block("stem");
    Map x = net.input(image.channels, image.height, image.width);
    // Small pictures (CIFAR, Tiny ImageNet) keep their sides in the stem: of maps a quarter as wide
    // the last stage would see one point or two (He et al. 2015, 4.2).
    constexpr double small_side = 64;
    const bool small = std::max(image.height, image.width) <= small_side;
    if (small) {
        x = conv_norm_act(net, x, sizes.number("stem_channels", 64), Window::square(3));
    } else if (deep) {
        x = conv_norm_act(net, x, sizes.number("stem_width", 32), Window::square(3, 2));
        x = conv_norm_act(net, x, sizes.number("stem_width", 32), Window::square(3));
        x = conv_norm_act(net, x, 64, Window::square(3));
    } else {
        x = conv_norm_act(net, x, sizes.number("stem_channels", 64), Window::square(7, 2));
    }
    if (!small) {
        x = net.max_pool(x, Window::square(3, 2, 1));
    }
    Pyramid stages;
    double stride_so_far = small ? 1 : 4;
    double dilation = 1;
    for (std::size_t stage = 0; stage < habits.stages; ++stage) {
        if (habits.frozen_stages > 0 && static_cast<int>(stage) + 1 == habits.frozen_stages) {
            net.thaw();
        }
        const double planes = stage_entry(widths, stage, 64 << stage);
        double stride = stage == 0 ? 1 : 2;
        const double before = dilation;
        if (stride_so_far * stride > habits.output_stride) {
            dilation *= habits.dilates ? stride : 1;
            stride = 1;
        }
        stride_so_far *= stride;
        const int units = static_cast<int>(stage_entry(layers, stage, 2));
        for (int i = 0; i < units; ++i) {
            net.block("residual unit");
            x = residual_unit(
                net, x,
                {.width = basic ? planes : std::floor(planes * group_width / 64) * groups,
                 .out = planes * expansion,
                 .stride = i == 0 ? stride : 1,
                 .dilation = i == 0 ? before : dilation,
                 .groups = groups,
                 .basic = basic,
                 .squeeze = sizes.flag("squeeze_excite"),
                 .average_down = sizes.flag("average_down")});
        }
        stages.push_back(x);
    }
    net.thaw();
    return stages;
}

void list_residual(NetworkBuilder& net, const NetworkSizes& sizes, const ImageShape& image) {
    const Pyramid stages = list_residual_backbone(net, sizes, image, {});
    net.block("classifier");
    net.linear(NetworkBuilder::flatten(net.global_pool(stages.back())),
               sizes.number("num_labels", 1000));
}

void list_regnet(NetworkBuilder& net, const NetworkSizes& sizes, const ImageShape& image) {
    // Widths of the blocks grow linearly and are quantised to powers of w_m (arXiv 2003.13678).
    const double depth = sizes.number("depth", 13);
    const double w0 = sizes.number("w_0", 24);
    const double wa = sizes.number("w_a", 36);
    const double wm = sizes.number("w_m", 2.5);
    const double group = sizes.number("group_width", 16);
    const double ratio = sizes.number("se_ratio", 0);
    std::vector<std::pair<double, int>> stages;
    for (int i = 0; i < depth; ++i) {
        const double power = std::nearbyint(std::log((w0 + wa * i) / w0) / std::log(wm));
        const double width = std::nearbyint(w0 * std::pow(wm, power) / 8) * 8;
        if (stages.empty() || stages.back().first != width) {
            stages.emplace_back(width, 0);
        }
        ++stages.back().second;
    }
    net.block("stem");
    Map x = net.input(image.channels, image.height, image.width);
    x = conv_norm_act(net, x, 32, Window::square(3, 2));
    for (auto [width, count] : stages) {
        const double g = std::min(group, width);
        width = rounded_channels(width, g);
        for (int i = 0; i < count; ++i) {
            net.block("residual unit");
            const double stride = i == 0 ? 2 : 1;
            const double before = x.channels;
            const Map in = x;
            x = conv_norm_act(net, x, width, Window::square(1));
            x = conv_norm_act(net, x, width, Window::square(3, stride), relu, width / g);
            if (ratio > 0) {
                x = squeeze_excite(net, x, std::nearbyint(ratio * before), relu);
            }
            x = conv_norm(net, x, width, Window::square(1));
            const Map shortcut = stride != 1 || before != width
                                     ? conv_norm(net, in, width, Window::square(1, stride))
                                     : in;
            x = net.activation(net.add(shortcut, x), relu);
        }
    }
    net.block("classifier");
    net.linear(NetworkBuilder::flatten(net.global_pool(x)), sizes.number("num_labels", 1000));
}

}  // namespace ridgeline
