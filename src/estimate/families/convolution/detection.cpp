// Detectors: RetinaNet, Faster, Mask and Cascade R-CNN over a backbone (torchvision, detectron2,
// mmdetection). Boxes of one image are positions of one map, so that heads over them are products.
#include "base/text.h"
#include "estimate/families/convolution/networks.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace ridgeline {
namespace {

using enum ActivationKind;

constexpr double pyramid_width = 256;  // detectron2 FPN.OUT_CHANNELS

Map biased(NetworkBuilder& net, const Map& in, double out, double kernel, double stride = 1) {
    return net.convolution(in, out, Window::square(kernel, stride), 1, true);
}

/// Lateral products, additions from coarse to fine, and a convolution of each level.
Pyramid feature_pyramid(NetworkBuilder& net, const Pyramid& stages, std::size_t first) {
    net.block("pyramid");
    Pyramid lateral;
    for (std::size_t i = first; i < stages.size(); ++i) {
        lateral.push_back(biased(net, stages[i], pyramid_width, 1));
    }
    for (std::size_t i = lateral.size() - 1; i-- > 0;) {
        lateral[i] =
            net.add(lateral[i], net.resize(lateral[i + 1], lateral[i].height, lateral[i].width));
    }
    Pyramid out;
    for (const Map& level : lateral) {
        out.push_back(biased(net, level, pyramid_width, 3));
    }
    return out;
}

/// Proposals: one convolution and two products over every level, weights shared.
void propose(NetworkBuilder& net, const Pyramid& levels, double width, double anchors) {
    net.block("proposals");
    for (std::size_t i = 0; i < levels.size(); ++i) {
        net.share(i > 0);
        const Map x = net.activation(biased(net, levels[i], width, 3), relu);
        biased(net, x, anchors, 1);
        biased(net, x, 4 * anchors, 1);
    }
    net.share(false);
}

struct HeadForm {
    double classes = 91;  ///< background included
    double boxes = 512;   ///< of one image
    double positives = 128;
};

/// Boxes cut out of the maps that they lie on, whose gradients are whole maps (RoIAlign).
Map crops(NetworkBuilder& net, const Pyramid& sources, double channels, double boxes, double side) {
    Operator& op = net.add_operator("copy", Role::other, OperatorClass::streaming);
    const Map out = net.made(channels, 1, boxes * side, side);
    op.forward_traffic =
        Bytes::of_base(out.elements() * net.context().samples * net.context().bytes);
    op.backward_traffic = 2.0 * op.forward_traffic;
    net.flow(out, sources.data(), sources.size());
    return out;
}

void box_head(NetworkBuilder& net, const HeadForm& form, const Pyramid& levels, double channels,
              double regressed) {
    net.block("box head");
    const Map cut = crops(net, levels, channels, form.boxes, 7);
    Map x = NetworkBuilder::viewed(cut, channels * 49, 1, form.boxes);
    x = net.activation(net.linear(x, 1024), relu);
    x = net.activation(net.linear(x, 1024), relu);
    net.linear(x, form.classes);
    net.linear(x, 4 * regressed);
}

/// channels  of the crops
/// side      of them: those of 7 come from the fourth stage (C4), which stands for convolutions
void mask_head(NetworkBuilder& net, const HeadForm& form, const Pyramid& sources, double channels,
               double side = 14) {
    net.block("mask head");
    Map x = crops(net, sources, channels, form.positives, side);
    for (int i = 0; i < (side < 14 ? 0 : 4); ++i) {
        x = net.activation(biased(net, x, pyramid_width, 3), relu);
    }
    x = net.activation(net.transposed(x, pyramid_width, Window::square(2, 2, 0), true), relu);
    biased(net, x, form.classes, 1);
}

/// Eight convolutions over crops and a transposed one that doubles them, for 17 points of a person.
void keypoint_head(NetworkBuilder& net, const HeadForm& form, const Pyramid& levels) {
    constexpr double width = 512;  // ROI_KEYPOINT_HEAD.CONV_DIMS
    // Only boxes with persons whose points are seen: a quarter of the positives.
    const double boxes = net.context().training ? form.positives / 4 : form.positives;
    net.block("keypoint head");
    Map x = crops(net, levels, pyramid_width, boxes, 14);
    for (int i = 0; i < 8; ++i) {
        x = net.activation(biased(net, x, width, 3), relu);
    }
    x = net.transposed(x, 17, Window::square(4, 2, 1), true);
    net.resize(x, 2 * x.height, 2 * x.width);
}

/// Panoptic FPN: each level comes up to a quarter of the image by convolutions and doublings; their
/// sum is classified and enlarged to the image (detectron2 semantic_seg.py).
void semantic_head(NetworkBuilder& net, const Pyramid& levels) {
    constexpr double width = 128;   // SEM_SEG_HEAD.CONVS_DIM
    constexpr double classes = 54;  // stuff of COCO
    net.block("semantic head");
    Map sum = net.made(width, 1, levels.front().height, levels.front().width);
    for (std::size_t i = 0; i < std::min<std::size_t>(4, levels.size()); ++i) {
        Map x = levels[i];
        for (std::size_t step = 0; step < std::max<std::size_t>(1, i); ++step) {
            x = net.activation(net.group_norm(biased(net, x, width, 3)), relu);
            x = i > 0 ? net.upsample(x, 2) : x;
        }
        sum = net.add(sum, x);
    }
    const Map scores = net.upsample(biased(net, sum, classes, 1), 4);
    if (net.context().training) {
        // The cross entropy of every pixel keeps the logarithm of the softmax, in fp32.
        net.pointwise(scores, 2, 4 / net.context().bytes, "loss");
    }
}

/// The fourth stage of the backbone over every box (detectron2's C4 form); its map.
Map stage_head(NetworkBuilder& net, const NetworkSizes& backbone, const HeadForm& form,
               const Map& source) {
    net.block("box head");
    Map x = crops(net, {source}, 1024, form.boxes, 14);
    const auto* layers = backbone.list("layers");
    for (int i = 0; layers != nullptr && i < (*layers)[3]; ++i) {
        const Map in = x;
        x = conv_norm_act(net, x, 512, Window::square(1, i == 0 ? 2 : 1));
        x = conv_norm_act(net, x, 512, Window::square(3));
        x = conv_norm(net, x, 2048, Window::square(1));
        const Map shortcut = i == 0 ? conv_norm(net, in, 2048, Window::square(1, 2)) : in;
        x = net.activation(net.add(x, shortcut), relu);
    }
    const Map last = x;
    x = NetworkBuilder::viewed(net.average_pool(x, Window::square(7, 7, 0)), 2048, 1, form.boxes);
    net.linear(x, form.classes);
    net.linear(x, 4 * (form.classes - 1));
    return last;
}

/// The focal loss of one level, over scores that lie box by box in a copy, in fp32. Of kernels one
/// by one (fvcore sigmoid_focal_loss of detectron2 and torchvision): targets of every score, once
/// for all boxes and once for those that count, as the scores; what is not a target, probability,
/// cross entropy, weight, its base, and share of the class.
void focal_loss(NetworkBuilder& net, const Map& scores, bool fused) {
    const double maps = fused ? 2 : 11;
    const double kernels = fused ? 2 : 12;
    net.chain(scores, fused ? 4 : 18, kernels, maps * 4 / net.context().bytes);
}

/// fused: the loss is one kernel (mmcv's sigmoid_focal_loss, apex's focal_loss)
void dense_head(NetworkBuilder& net, const Pyramid& levels, double classes, bool fused) {
    net.block("dense head");
    for (std::size_t i = 0; i < levels.size(); ++i) {
        net.share(i > 0);
        for (const double out : {9 * classes, 36.0}) {
            Map x = levels[i];
            for (int layer = 0; layer < 4; ++layer) {
                x = net.activation(biased(net, x, pyramid_width, 3), relu);
            }
            const Map scores = biased(net, x, out, 3);
            if (out > 36 && net.context().training) {
                focal_loss(net, scores, fused);
            }
        }
    }
    net.share(false);
}

/// SSD over the first three stages, of which the third keeps its resolution; five pairs of
/// convolutions below it, and boxes and classes of every map (NVIDIA/DeepLearningExamples SSD).
void list_ssd(NetworkBuilder& net, const Map& features, double classes) {
    struct Level {
        double inner, out, stride, pad;
    };
    constexpr std::array<Level, 5> below{
        {{256, 512, 2, 1}, {256, 512, 2, 1}, {128, 256, 2, 1}, {128, 256, 1, 0}, {128, 256, 1, 0}}};
    constexpr std::array<double, 6> anchors{4, 6, 6, 6, 4, 4};
    net.block("levels");
    Pyramid levels{features};
    for (const Level& level : below) {
        const Map x = conv_norm_act(net, levels.back(), level.inner, Window::square(1));
        levels.push_back(
            conv_norm_act(net, x, level.out, Window::square(3, level.stride, level.pad)));
    }
    net.block("boxes and classes");
    for (std::size_t i = 0; i < levels.size(); ++i) {
        biased(net, levels[i], anchors[i] * 4, 3);
        biased(net, levels[i], anchors[i] * classes, 3);
    }
}

/// on_output: the coarser levels are made from the pyramid's last one instead of the backbone's.
/// fused: see `dense_head`.
void list_retina(NetworkBuilder& net, const Pyramid& stages, double classes, bool on_output,
                 bool fused) {
    Pyramid levels = feature_pyramid(net, stages, 1);
    levels.push_back(biased(net, on_output ? levels.back() : stages.back(), pyramid_width, 3, 2));
    levels.push_back(biased(net, net.activation(levels.back(), relu), pyramid_width, 3, 2));
    dense_head(net, levels, classes, fused);
}

/// masks_each: a cascade has a mask head for each of its box heads (mmdetection's CascadeRoIHead in
/// training; Detectron2's has one).
void list_regions(NetworkBuilder& net, const Pyramid& stages, std::string_view head,
                  const HeadForm& form, bool masks_each) {
    Pyramid levels = feature_pyramid(net, stages, 0);
    if (contains(head, "panoptic")) {
        semantic_head(net, levels);
    }
    const Pyramid cut = levels;
    levels.push_back(net.max_pool(levels.back(), Window::square(1, 2, 0)));
    propose(net, levels, pyramid_width, 3);
    const bool cascade = contains(head, "cascade");
    const int rounds = cascade ? 3 : 1;
    for (int i = 0; i < rounds; ++i) {
        box_head(net, form, cut, pyramid_width, cascade ? 1 : form.classes);
        if (!masks_each && i + 1 < rounds) {
            continue;
        }
        if (contains(head, "mask") || contains(head, "panoptic")) {
            mask_head(net, form, cut, pyramid_width);
        } else if (contains(head, "keypoint")) {
            keypoint_head(net, form, cut);
        }
    }
}

}  // namespace

void list_detector(NetworkBuilder& net, const NetworkSizes& sizes, const ImageShape& image) {
    const NetworkSizes backbone = backbone_named(sizes.word("backbone"));
    const std::string_view head = sizes.word("head");
    const std::string_view neck = sizes.word("neck");
    ImageShape padded = image;
    // Sides are padded to whole strides of the coarsest level.
    const double step = head == "ssd" ? 1 : 32;
    padded.height = std::ceil(image.height / step) * step;
    padded.width = std::ceil(image.width / step) * step;
    const bool dilated = neck == "dc5";
    BackboneHabits habits{.frozen_stages = sizes.whole("frozen_stages", head == "ssd" ? 0 : 2),
                          // nn.BatchNorm2d in evaluation mode (mmdetection) keeps its input, a
                          // module that scales and shifts by constants does not.
                          .frozen_norms = sizes.flag(
                              "frozen_norms", sizes.word("batch_norm").empty() && head != "ssd"),
                          // The fourth stage of the C4 form runs over the boxes.
                          .stages = std::size_t{head == "ssd" || neck == "c4" ? 3U : 4U},
                          .output_stride = head == "ssd" ? 8
                                           : dilated     ? 16
                                                         : 32,
                          .dilates = head != "ssd"};
    Pyramid stages = list_backbone(net, backbone, padded, habits);
    if (stages.empty()) {
        net.input(0, 0, 0);
        return;
    }
    HeadForm form;
    form.classes = sizes.number("classes", 90) + 1;
    const bool training = net.context().training;
    form.boxes = training ? 512 : 1000;
    form.positives = training ? 128 : 100;
    if (head == "ssd") {
        list_ssd(net, stages[2], form.classes);
    } else if (head == "retinanet") {
        list_retina(net, stages, form.classes - (sizes.flag("background") ? 0 : 1),
                    sizes.flag("extra_levels_on_output"),
                    sizes.flag("fused_loss", !sizes.word("batch_norm").empty()));
    } else if (neck == "c4") {
        propose(net, {stages[2]}, 1024, 15);
        net.freeze_norms(habits.frozen_norms);
        const Map boxes = stage_head(net, backbone, form, stages[2]);
        net.freeze_norms(false);
        if (contains(head, "mask")) {
            mask_head(net, form, {boxes}, 2048, 7);
        }
    } else if (dilated) {
        propose(net, {stages[3]}, 2048, 15);
        box_head(net, form, {stages[3]}, 2048, form.classes - 1);
        if (contains(head, "mask")) {
            mask_head(net, form, {stages[3]}, 2048);
        }
    } else {
        list_regions(net, stages, head, form, !sizes.word("batch_norm").empty());
    }
}

}  // namespace ridgeline
