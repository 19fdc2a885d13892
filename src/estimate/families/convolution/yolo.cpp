// YOLO v5 and v8 (ultralytics): cross-stage blocks, a pyramid up and down, a head for each level.
#include "estimate/families/convolution/networks.h"

#include <algorithm>
#include <cmath>

namespace ridgeline {
namespace {

using enum ActivationKind;

/// One size of one generation.
struct YoloForm {
    bool second = false;  ///< v8: split blocks, heads without anchors
    double depth = 1;
    double width = 1;
    double most = 1024;
    [[nodiscard]] double channels(double count) const {
        return std::ceil(std::min(count, most) * width / 8) * 8;
    }
    [[nodiscard]] int repeats(double count) const {
        return std::max(1, static_cast<int>(std::nearbyint(count * depth)));
    }
};

/// Before it infers a model is fused: each norm becomes scale and bias of the convolution before it
/// (ultralytics, fuse_conv_and_bn in attempt_load and AutoBackend).
Map conv(NetworkBuilder& net, const Map& in, double out, double kernel, double stride = 1,
         double pad = -1) {
    const Window window = Window::square(kernel, stride, pad);
    if (net.context().training) {
        return conv_norm_act(net, in, out, window, smooth);
    }
    const Map map = net.convolution(in, out, window, 1, true);
    net.parameters("folded norm", out);
    return net.activation(map, smooth);
}

/// v5: one half through bottlenecks, the other beside it.
Map cross_stage(NetworkBuilder& net, const Map& in, double out, int count, bool joins) {
    const double half = std::floor(out / 2);
    Map x = conv(net, in, half, 1);
    for (int i = 0; i < count; ++i) {
        const Map y = conv(net, conv(net, x, half, 1), half, 3);
        x = joins ? net.add(y, x) : y;
    }
    const Map beside = conv(net, in, half, 1);
    return conv(net, net.concatenate({x, beside}), out, 1);
}

/// v8: every bottleneck's output goes to the end.
Map split_stage(NetworkBuilder& net, const Map& in, double out, int count, bool joins) {
    const double half = std::floor(out / 2);
    const Map both = conv(net, in, 2 * half, 1);
    std::vector<Map> parts{both};
    Map x = NetworkBuilder::viewed(both, half, both.height, both.width);
    for (int i = 0; i < count; ++i) {
        const Map y = conv(net, conv(net, x, half, 3), half, 3);
        x = joins ? net.add(y, x) : y;
        parts.push_back(x);
    }
    return conv(net, net.concatenate(parts), out, 1);
}

Map stage(NetworkBuilder& net, const YoloForm& form, const Map& in, double out, double count,
          bool joins) {
    net.block("stage");
    return form.second ? split_stage(net, in, form.channels(out), form.repeats(count), joins)
                       : cross_stage(net, in, form.channels(out), form.repeats(count), joins);
}

Map pool_pyramid(NetworkBuilder& net, const Map& in) {
    net.block("pool pyramid");
    const Map x = conv(net, in, std::floor(in.channels / 2), 1);
    const Map a = net.max_pool(x, Window::square(5, 1, 2));
    const Map b = net.max_pool(a, Window::square(5, 1, 2));
    const Map c = net.max_pool(b, Window::square(5, 1, 2));
    return conv(net, net.concatenate({x, a, b, c}), in.channels, 1);
}

void anchored_head(NetworkBuilder& net, const Pyramid& levels, double outputs) {
    net.block("head");
    for (const Map& level : levels) {
        net.convolution(level, 3 * outputs, Window::square(1), 1, true);
    }
}

void free_head(NetworkBuilder& net, const Pyramid& levels, double classes) {
    net.block("head");
    const double boxes = std::max({16.0, std::floor(levels.front().channels / 4), 64.0});
    const double kinds = std::max(levels.front().channels, std::min(classes, 100.0));
    for (const Map& level : levels) {
        net.convolution(conv(net, conv(net, level, boxes, 3), boxes, 3), 64, Window::square(1), 1,
                        true);
        net.convolution(conv(net, conv(net, level, kinds, 3), kinds, 3), classes, Window::square(1),
                        1, true);
    }
    net.parameters("distribution of box sides", 16);
    // Task-aligned matching compares every box of the batch with every cell, each picture padded to
    // the boxes of the fullest: the ten best cells of a box as one row of int64 each, their sum,
    // and seven maps of distances, overlaps and scores (mmyolo BatchTaskAlignedAssigner,
    // select_topk_candidates; ultralytics tal.py of 2023). Mosaics of four pictures of COCO have 29
    // boxes on average; the fullest of a batch over a run, of which counters tell, about a hundred.
    constexpr double fullest = 100, bytes = 10 * 8 + 8 + 7 * 4;
    double cells = 0;
    for (const Map& level : levels) {
        cells += level.positions();
    }
    net.match_boxes(bytes * fullest * cells * net.context().samples);
}

void prototypes(NetworkBuilder& net, const Map& in, double width) {
    net.block("prototypes");
    const Map x = net.upsample(conv(net, in, width, 3), 2);
    conv(net, conv(net, x, width, 3), 32, 1);
}

YoloForm form_of(const NetworkSizes& sizes) {
    YoloForm form;
    form.second = sizes.word("family") == "yolov8";
    form.depth = sizes.number("depth_multiple", 1);
    form.width = sizes.number("width_multiple", 1);
    form.most = sizes.number("max_channels", 1024);
    return form;
}

/// From coarse to fine and back again; each step joins the level of its size.
Pyramid pyramid(NetworkBuilder& net, const YoloForm& form, const Pyramid& stages,
                const std::vector<double>& widths) {
    Map x = stages.back();
    Pyramid down;
    for (std::size_t i = stages.size() - 1; i-- > 0;) {
        net.block("up");
        if (!form.second) {
            x = conv(net, x, form.channels(widths[i]), 1);
        }
        down.push_back(x);
        const Map grown = net.resize(x, stages[i].height, stages[i].width);
        x = stage(net, form, net.concatenate({grown, stages[i]}), widths[i], 3, false);
    }
    Pyramid out{x};
    for (std::size_t i = 1; i < stages.size(); ++i) {
        net.block("down");
        x = conv(net, x, form.channels(widths[i - 1]), 3, 2);
        x = stage(net, form, net.concatenate({x, down[down.size() - i]}), widths[i], 3, false);
        out.push_back(x);
    }
    return out;
}

}  // namespace

void list_yolo(NetworkBuilder& net, const NetworkSizes& sizes, const ImageShape& image) {
    const YoloForm form = form_of(sizes);
    const bool six = sizes.flag("six_levels");
    const double classes = sizes.number("classes", 80);
    const std::string_view task = sizes.word("task");
    net.block("stem");
    Map x = net.input(3, image.height, image.width);
    x = form.second ? conv(net, x, form.channels(64), 3, 2)
                    : conv(net, x, form.channels(64), 6, 2, 2);
    const std::vector<double> widths = six ? std::vector<double>{128, 256, 512, 768, 1024}
                                           : std::vector<double>{128, 256, 512, 1024};
    const std::vector<double> counts = form.second ? std::vector<double>{3, 6, 6, 3}
                                       : six       ? std::vector<double>{3, 6, 9, 3, 3}
                                                   : std::vector<double>{3, 6, 9, 3};
    Pyramid stages;
    for (std::size_t i = 0; i < widths.size(); ++i) {
        net.block("downsampling");
        x = conv(net, x, form.channels(widths[i]), 3, 2);
        x = stage(net, form, x, widths[i], counts[i], true);
        stages.push_back(x);
    }
    if (task == "classification") {
        net.block("classifier");
        net.linear(NetworkBuilder::flatten(net.global_pool(conv(net, x, 1280, 1))), classes);
        return;
    }
    stages.back() = pool_pyramid(net, x);
    stages.erase(stages.begin());
    const Pyramid levels = pyramid(net, form, stages, {widths.begin() + 1, widths.end()});
    const bool masks = task == "segmentation";
    if (form.second) {
        free_head(net, levels, classes);
    } else {
        anchored_head(net, levels, classes + 5 + (masks ? 32 : 0));
    }
    if (masks) {
        prototypes(net, levels.front(), form.channels(256));
    }
}

}  // namespace ridgeline
