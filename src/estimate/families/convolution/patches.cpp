// ConvNeXt, Swin and plain vision transformers (torchvision, Hugging Face).
#include "estimate/families/convolution/networks.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace ridgeline {
namespace {

using enum ActivationKind;

/// Global response norm: the norm of each channel over the positions, the map times its share of
/// the mean, that times weights in fp32, and the map itself added, each a pass of its own
/// (timm/layers/grn.py). Autocast makes a wide copy of the product for its weights.
Map response_norm(NetworkBuilder& net, const Map& in) {
    const PassContext& context = net.context();
    Operator& op = net.add_operator("response norm", Role::norm, OperatorClass::streaming);
    op.forward_traffic = Bytes::of_base(in.elements() * context.samples * context.bytes);
    op.backward_traffic = op.forward_traffic * 2.0;
    op.parameters = in.channels;
    net.keep(in);
    const Map product = net.pointwise(in, 1, 0, "response scale");
    const Map weighed = net.scale(product);
    net.keep_bytes(in.elements() * std::max(0.0, context.norm_bytes - context.bytes));
    return net.add(weighed, in);
}

Map convnext_unit(NetworkBuilder& net, const Map& in, double kernel, bool scaled, bool response) {
    net.block("ConvNeXt unit");
    const double width = in.channels;
    Map x = net.convolution(in, width, Window::square(kernel), width, true);
    x = net.layer_norm(x);
    x = net.activation(net.linear(x, 4 * width), smooth);
    if (response) {
        x = response_norm(net, x);
    }
    x = net.linear(x, width);
    if (scaled) {
        x = net.scale(x);
    }
    return net.add(x, in);
}

/// What is added to the scores of windows: a bias of each pair of positions, in fp32 under
/// autocast, which makes the scores so, and a mask where windows are shifted, whose map is rolled
/// back.
void positions_of_windows(NetworkBuilder& net, const Map& scored, double scores, bool shifts) {
    const PassContext& context = net.context();
    const double pass = 2 * std::max(context.norm_bytes, context.bytes);
    Operator& op = net.add_operator(joined_chain, Role::other, OperatorClass::streaming);
    op.forward_traffic = op.backward_traffic = Bytes::of_base(
        (scores * pass * (shifts ? 2 : 1) + (shifts ? 2 * context.bytes * scored.elements() : 0)) *
        context.samples);
    op.forward_kernels = shifts ? 3 : 1;
    op.backward_kernels = shifts ? 2 : 1;
}

Map swin_unit(NetworkBuilder& net, const Map& in, double heads, double window, double ratio,
              bool shifts) {
    net.block("Swin unit");
    const double width = in.channels;
    // Windows are padded to whole ones; the shift rolls the map before and after.
    const double rows = std::ceil(in.height / window) * window;
    const double columns = std::ceil(in.width / window) * window;
    Map x = net.layer_norm(in);
    if (shifts) {
        x = net.copied(x, width, rows, columns);
    }
    x = net.copied(x, width, rows, columns);
    const double positions = window * window;
    x = net.linear(x, 3 * width);
    net.parameters("relative positions", (2 * window - 1) * (2 * window - 1) * heads);
    // Scaled queries, keys and values are copies of their own: scores are not fused here.
    x = net.copied(x, 3 * width, rows, columns);
    net.keep(x);
    positions_of_windows(net, in, heads * rows * columns * positions, shifts);
    x = net.attention(NetworkBuilder::viewed(x, width, rows, columns), width, heads, positions,
                      rows * columns / positions, {}, false);
    x = net.linear(x, width);
    x = net.copied(x, width, in.height, in.width);
    x = net.add(x, in);
    Map y = net.layer_norm(x);
    y = net.activation(net.linear(y, ratio * width), smooth);
    y = net.linear(y, width);
    return net.add(x, y);
}

}  // namespace

Pyramid list_convnext_backbone(NetworkBuilder& net, const NetworkSizes& sizes,
                               const ImageShape& image) {
    static const std::vector<double> none;
    const auto* depths = sizes.list("depths");
    const auto* widths = sizes.list("hidden_sizes");
    const std::size_t stages = depths != nullptr && widths != nullptr ? depths->size() : 0;
    Pyramid out;
    Map x = net.input(image.channels, image.height, image.width);
    for (std::size_t stage = 0; stage < stages; ++stage) {
        net.block(stage == 0 ? "stem" : "downsampling");
        const double width = (*widths)[std::min(stage, widths->size() - 1)];
        if (stage == 0) {
            x = net.layer_norm(net.convolution(x, width, Window::square(4, 4, 0), 1, true));
        } else {
            x = net.convolution(net.layer_norm(x), width, Window::square(2, 2, 0), 1, true);
        }
        for (int i = 0; i < (*depths)[stage]; ++i) {
            x = convnext_unit(net, x, sizes.number("kernel", 7), sizes.flag("layer_scale", true),
                              sizes.flag("response_norm"));
        }
        out.push_back(x);
    }
    return out;
}

void list_convnext(NetworkBuilder& net, const NetworkSizes& sizes, const ImageShape& image) {
    const Pyramid stages = list_convnext_backbone(net, sizes, image);
    if (stages.empty()) {
        return;
    }
    net.block("classifier");
    net.linear(NetworkBuilder::flatten(net.layer_norm(net.global_pool(stages.back()))),
               sizes.number("num_labels", 1000));
}

Pyramid list_swin_backbone(NetworkBuilder& net, const NetworkSizes& sizes,
                           const ImageShape& image) {
    const auto* depths = sizes.list("depths");
    const auto* heads = sizes.list("num_heads");
    const double patch = sizes.number("patch_size", 4);
    const double window = sizes.number("window_size", 7);
    double width = sizes.number("embed_dim", 96);
    net.block("stem");
    Map x = net.input(image.channels, image.height, image.width);
    x = net.layer_norm(net.convolution(x, width, Window::square(patch, patch, 0), 1, true));
    Pyramid out;
    for (std::size_t stage = 0; depths != nullptr && heads != nullptr && stage < depths->size();
         ++stage) {
        if (stage > 0) {
            net.block("patch merging");
            x = net.copied(x, 4 * width, std::ceil(x.height / 2), std::ceil(x.width / 2));
            x = net.linear(net.layer_norm(x), 2 * width, false);
            width *= 2;
        }
        const double side = std::min({window, x.height, x.width});
        for (int i = 0; i < (*depths)[stage]; ++i) {
            x = swin_unit(net, x, (*heads)[std::min(stage, heads->size() - 1)], window,
                          sizes.number("mlp_ratio", 4),
                          i % 2 == 1 && side == window && x.height > window);
        }
        out.push_back(x);
    }
    return out;
}

Pyramid list_mix_backbone(NetworkBuilder& net, const NetworkSizes& sizes, const ImageShape& image) {
    // Mix Transformer (SegFormer): keys and values of a map that a strided convolution shrinks, and
    // a depthwise convolution inside the feed-forward part (NVlabs/SegFormer mix_transformer.py).
    const auto* depths = sizes.list("depths");
    const auto* widths = sizes.list("hidden_sizes");
    constexpr std::array<double, 4> heads{1, 2, 5, 8};
    constexpr std::array<double, 4> shrinks{8, 4, 2, 1};
    Pyramid out;
    Map x = net.input(image.channels, image.height, image.width);
    for (std::size_t stage = 0; depths != nullptr && widths != nullptr && stage < heads.size();
         ++stage) {
        const double width = (*widths)[std::min(stage, widths->size() - 1)];
        net.block("patches");
        x = net.convolution(x, width, stage == 0 ? Window::square(7, 4) : Window::square(3, 2), 1,
                            true);
        x = net.layer_norm(x);
        const double shrink = shrinks[stage];
        for (int i = 0; i < (*depths)[std::min(stage, depths->size() - 1)]; ++i) {
            net.block("mix unit");
            const Map first = net.layer_norm(x);
            Map q = net.linear(first, width);
            Map shrunk = first;
            if (shrink > 1) {
                shrunk = net.layer_norm(
                    net.convolution(first, width, Window::square(shrink, shrink, 0), 1, true));
            }
            net.keep(net.linear(shrunk, 2 * width));
            net.keep(q);
            q = net.attention(q, width, heads[stage], shrunk.positions());
            x = net.add(net.linear(q, width), x);
            Map y = net.linear(net.layer_norm(x), 4 * width);
            y = net.convolution(y, 4 * width, Window::square(3), 4 * width, true);
            y = net.linear(net.activation(y, smooth), width);
            x = net.add(y, x);
        }
        x = net.layer_norm(x);
        out.push_back(x);
    }
    return out;
}

void list_swin(NetworkBuilder& net, const NetworkSizes& sizes, const ImageShape& image) {
    const Pyramid stages = list_swin_backbone(net, sizes, image);
    if (stages.empty()) {
        return;
    }
    net.block("classifier");
    net.linear(NetworkBuilder::flatten(net.global_pool(net.layer_norm(stages.back()))),
               sizes.number("num_labels", 1000));
}

}  // namespace ridgeline
