// VGG and DenseNet (torchvision), and networks of which only published figures are known.
#include "estimate/families/convolution/networks.h"

#include <algorithm>
#include <cmath>

namespace ridgeline {

using enum ActivationKind;

double rounded_channels(double channels, double divisor) {
    const double rounded =
        std::max(divisor, std::floor((channels + divisor / 2) / divisor) * divisor);
    return rounded < 0.9 * channels ? rounded + divisor : rounded;
}

void list_vgg(NetworkBuilder& net, const NetworkSizes& sizes, const ImageShape& image) {
    Map x = net.input(image.channels, image.height, image.width);
    const bool norm = sizes.flag("batch_norm");
    if (const auto* layers = sizes.list("layers")) {
        for (const double layer : *layers) {
            if (layer == 'M') {
                x = net.max_pool(x, Window::square(2, 2, 0));
                continue;
            }
            net.block("convolution");
            x = net.convolution(x, layer, Window::square(3), 1, true);
            x = net.activation(norm ? net.batch_norm(x) : x, relu);
        }
    }
    net.block("classifier");
    // Adaptive pooling to 7 x 7 makes the products independent of the image.
    x = x.height != 7 || x.width != 7 ? net.resize(x, 7, 7) : x;
    x = NetworkBuilder::flatten(x);
    x = net.dropout(net.activation(net.linear(x, 4096), relu));
    x = net.dropout(net.activation(net.linear(x, 4096), relu));
    net.linear(x, sizes.number("num_labels", 1000));
}

void list_densenet(NetworkBuilder& net, const NetworkSizes& sizes, const ImageShape& image) {
    const double growth = sizes.number("growth_rate", 32);
    const double bottleneck = sizes.number("bn_size", 4);
    net.block("stem");
    Map x = net.input(image.channels, image.height, image.width);
    x = conv_norm_act(net, x, sizes.number("num_init_features", 64), Window::square(7, 2));
    x = net.max_pool(x, Window::square(3, 2, 1));
    const std::vector<double> none;
    const auto* stages = sizes.list("block_config");
    const std::vector<double>& config = stages != nullptr ? *stages : none;
    for (std::size_t stage = 0; stage < config.size(); ++stage) {
        std::vector<Map> features{x};
        for (int layer = 0; layer < config[stage]; ++layer) {
            net.block("dense layer");
            Map y = features.size() > 1 ? net.concatenate(features) : x;
            y = net.activation(net.batch_norm(y), relu);
            y = net.convolution(y, bottleneck * growth, Window::square(1));
            y = net.activation(net.batch_norm(y), relu);
            y = net.convolution(y, growth, Window::square(3));
            features.push_back(y);
        }
        net.block("transition");
        x = net.activation(net.batch_norm(net.concatenate(features)), relu);
        if (stage + 1 < config.size()) {
            x = net.convolution(x, std::floor(x.channels / 2), Window::square(1));
            x = net.average_pool(x, Window::square(2, 2, 0));
        }
    }
    net.block("classifier");
    net.linear(NetworkBuilder::flatten(net.global_pool(x)), sizes.number("num_labels", 1000));
}

void list_published(NetworkBuilder& net, const NetworkSizes& sizes, const ImageShape& image) {
    // Published multiply-accumulates and convolution outputs, in proportion to the pixels that they
    // are stated for (none stated: those of the workload). Each output is written by a product and
    // passed once through norm and activation; 60 layers are the usual depth of such networks.
    const double side = sizes.number("gmacs_image_size", sizes.number("image_size", image.width));
    const double pixels = image.height * image.width * image.depth / (side * side);
    const double macs = sizes.number("gmacs", 1) * 1e9 * pixels;
    const double published = sizes.number("mactivations", 0) * 1e6;
    // Where activations are not published: the ratio of ResNet-50, 11.1 M for 4.1 GMAC.
    const double outputs = (published > 0 ? published * pixels : macs * 2.7e-3);
    constexpr double layers = 60;
    net.block("layers");
    net.repeat(1);
    Map x = net.input(1, 1, std::max(1.0, outputs / layers));
    const bool vit = sizes.word("family") == "vit" || sizes.word("family") == "swin";
    for (int i = 0; i < layers; ++i) {
        Operator& op = net.add_operator(vit ? "linear" : "convolution", Role::linear,
                                        vit ? OperatorClass::gemm : OperatorClass::convolution);
        const double one = x.elements() * net.context().samples * net.context().bytes;
        op.forward = Flops::of_base(2 * macs / layers * net.context().samples);
        op.backward = op.forward * 2.0;
        op.forward_traffic = Bytes::of_base(2 * one);
        op.backward_traffic = Bytes::of_base(4 * one);
        op.backward_kernels = 2;
        op.parameters =
            sizes.number("params_m", sizes.number("parameters", 0) / 1e6) * 1e6 / layers;
        net.keep(x);
        x = net.made(1, 1, 1, x.width);
        x = net.activation(net.batch_norm(x, false), relu);
    }
}

}  // namespace ridgeline
