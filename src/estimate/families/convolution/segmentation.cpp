// Segmenters over a dilated backbone (torchvision, mmsegmentation): FCN, DeepLab v3, PSPNet,
// UPerNet.
#include "estimate/families/convolution/networks.h"

#include <cmath>

namespace ridgeline {
namespace {

using enum ActivationKind;

Map pooled_to(NetworkBuilder& net, const Map& in, double side) {
    Operator& op = net.add_operator("adaptive pool", Role::other, OperatorClass::streaming);
    const Map out = net.made(in.channels, 1, side, side);
    op.forward_traffic =
        Bytes::of_base(in.elements() * net.context().samples * net.context().bytes);
    op.backward_traffic = op.forward_traffic;
    return out;
}

/// Averages over coarser and coarser grids, projected, grown back and joined.
Map pool_pyramid(NetworkBuilder& net, const Map& in, double width) {
    net.block("pool pyramid");
    std::vector<Map> parts{in};
    for (const double side : {1.0, 2.0, 3.0, 6.0}) {
        const Map x = conv_norm_act(net, pooled_to(net, in, side), width, Window::square(1));
        parts.push_back(net.resize(x, in.height, in.width));
    }
    return conv_norm_act(net, net.concatenate(parts), width, Window::square(3));
}

Map dilated_pyramid(NetworkBuilder& net, const Map& in, double width, bool coarse) {
    net.block("dilated pyramid");
    std::vector<Map> parts{conv_norm_act(net, in, width, Window::square(1))};
    for (const double rate : {12.0, 24.0, 36.0}) {
        const double dilation = coarse ? rate / 2 : rate;
        parts.push_back(conv_norm_act(net, in, width, Window::square(3, 1, dilation, dilation)));
    }
    const Map x = conv_norm_act(net, net.global_pool(in), width, Window::square(1));
    parts.push_back(net.resize(x, in.height, in.width));
    Map y = conv_norm_act(net, net.concatenate(parts), width, Window::square(1));
    y = net.dropout(y);
    return conv_norm_act(net, y, width, Window::square(3));
}

Map united_pyramid(NetworkBuilder& net, const Pyramid& stages, double width) {
    net.block("united pyramid");
    Pyramid lateral;
    for (std::size_t i = 0; i + 1 < stages.size(); ++i) {
        lateral.push_back(conv_norm_act(net, stages[i], width, Window::square(1)));
    }
    lateral.push_back(pool_pyramid(net, stages.back(), width));
    for (std::size_t i = lateral.size() - 1; i-- > 0;) {
        lateral[i] =
            net.add(lateral[i], net.resize(lateral[i + 1], lateral[i].height, lateral[i].width));
    }
    std::vector<Map> out;
    for (std::size_t i = 0; i < lateral.size(); ++i) {
        const bool last = i + 1 == lateral.size();
        const Map x = last ? lateral[i] : conv_norm_act(net, lateral[i], width, Window::square(3));
        out.push_back(net.resize(x, lateral[0].height, lateral[0].width));
    }
    return conv_norm_act(net, net.concatenate(out), width, Window::square(3));
}

/// Every level projected, grown to the finest and joined (SegFormer's head).
Map joined_levels(NetworkBuilder& net, const Pyramid& stages, double width) {
    net.block("joined levels");
    std::vector<Map> parts;
    for (const Map& stage : stages) {
        const Map x = conv_norm_act(net, stage, width, Window::square(1));
        parts.push_back(net.resize(x, stages.front().height, stages.front().width));
    }
    return conv_norm_act(net, net.concatenate(parts), width, Window::square(1));
}

/// Two convolutions, joined with what they read and convolved once more (mmsegmentation
/// fcn_head.py).
Map joined_convolutions(NetworkBuilder& net, const Map& in, double width) {
    net.block("head");
    Map x = conv_norm_act(net, in, width, Window::square(3));
    x = conv_norm_act(net, x, width, Window::square(3));
    return conv_norm_act(net, net.concatenate({in, x}), width, Window::square(3));
}

/// Classes of every pixel, at the size of the image, and their loss.
void classify(NetworkBuilder& net, const Map& in, double classes, const ImageShape& image) {
    net.block("classifier");
    Map x = net.dropout(in);
    x = net.convolution(x, classes, Window::square(1), 1, true);
    x = net.resize(x, image.height, image.width);
    net.pixel_loss(x);
}

void auxiliary(NetworkBuilder& net, const Map& in, double width, double classes,
               const ImageShape& image) {
    if (net.context().training) {
        net.block("auxiliary head");
        classify(net, conv_norm_act(net, in, width, Window::square(3)), classes, image);
    }
}

}  // namespace

void list_segmenter(NetworkBuilder& net, const NetworkSizes& sizes, const ImageShape& image) {
    NetworkSizes backbone = backbone_named(sizes.word("backbone"));
    const std::string_view head = sizes.word("head");
    const double classes = sizes.number("classes", 21);
    const bool narrow = sizes.word("backbone").starts_with("r18");
    const double width = sizes.number("head_width", narrow ? 128 : 512);
    const bool deep = sizes.flag("deep_stem", head == "pspnet");
    if (backbone.type == "resnet" && deep && !backbone.flag("paper_stem")) {
        backbone.numbers.emplace_back("deep_stem", std::vector<double>{1});  // ResNet v1c
    }
    const Pyramid stages = list_backbone(
        net, backbone, image,
        {.output_stride = sizes.whole("output_stride", backbone.type == "resnet" ? 8 : 32)});
    if (stages.empty()) {
        net.input(0, 0, 0);
        return;
    }
    Map x = stages.back();
    if (head == "pspnet") {
        x = pool_pyramid(net, x, width);
    } else if (head == "upernet") {
        x = united_pyramid(net, stages, 512);
    } else if (backbone.type == "mix") {
        x = joined_levels(net, stages, sizes.number("head_width", 256));
    } else if (head == "deeplabv3") {
        constexpr double of_torchvision = 256;  // deeplabv3.py, ASPP
        x = dilated_pyramid(net, x, sizes.number("head_width", of_torchvision),
                            sizes.whole("output_stride", 8) == 16);
    } else if (head == "fcn" && sizes.number("head_convolutions", 1) > 1) {
        x = joined_convolutions(net, x, width);
    } else {
        net.block("head");
        x = conv_norm_act(net, x, std::floor(x.channels / 4), Window::square(3));
    }
    classify(net, x, classes, image);
    if (sizes.flag("auxiliary_head", head == "pspnet" || head == "upernet")) {
        auxiliary(net, stages[2], narrow ? 64 : 256, classes, image);
    }
}

}  // namespace ridgeline
