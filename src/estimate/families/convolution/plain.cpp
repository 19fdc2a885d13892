// VGG, DenseNet, SqueezeNet, ShuffleNet v2, Inception v3 (torchvision), and networks of which only
// published figures are known.
#include "estimate/families/convolution/networks.h"

#include <algorithm>
#include <cmath>

namespace ridgeline {
namespace {

using enum ActivationKind;

Map fire(NetworkBuilder& net, const Map& in, double squeeze, double expand) {
    net.block("fire");
    const Map x = net.activation(net.convolution(in, squeeze, Window::square(1), 1, true), relu);
    const Map narrow = net.activation(net.convolution(x, expand, Window::square(1), 1, true), relu);
    const Map wide = net.activation(net.convolution(x, expand, Window::square(3), 1, true), relu);
    return net.concatenate({narrow, wide});
}

Window uneven(double height, double width) {
    Window window;
    window.height = height;
    window.width = width;
    window.pad = std::floor(height / 2);
    window.pad_width = std::floor(width / 2);
    return window;
}

Map inception_a(NetworkBuilder& net, const Map& in, double pool) {
    net.block("inception A");
    const Map a = conv_norm_act(net, in, 64, Window::square(1));
    const Map b =
        conv_norm_act(net, conv_norm_act(net, in, 48, Window::square(1)), 64, Window::square(5));
    Map c = conv_norm_act(net, in, 64, Window::square(1));
    c = conv_norm_act(net, c, 96, Window::square(3));
    c = conv_norm_act(net, c, 96, Window::square(3));
    const Map d =
        conv_norm_act(net, net.average_pool(in, Window::square(3, 1, 1)), pool, Window::square(1));
    return net.concatenate({a, b, c, d});
}

Map inception_c(NetworkBuilder& net, const Map& in, double c7) {
    net.block("inception C");
    const Map a = conv_norm_act(net, in, 192, Window::square(1));
    Map b = conv_norm_act(net, in, c7, Window::square(1));
    b = conv_norm_act(net, b, c7, uneven(1, 7));
    b = conv_norm_act(net, b, 192, uneven(7, 1));
    Map c = conv_norm_act(net, in, c7, Window::square(1));
    c = conv_norm_act(net, c, c7, uneven(7, 1));
    c = conv_norm_act(net, c, c7, uneven(1, 7));
    c = conv_norm_act(net, c, c7, uneven(7, 1));
    c = conv_norm_act(net, c, 192, uneven(1, 7));
    const Map d =
        conv_norm_act(net, net.average_pool(in, Window::square(3, 1, 1)), 192, Window::square(1));
    return net.concatenate({a, b, c, d});
}

Map inception_e(NetworkBuilder& net, const Map& in) {
    net.block("inception E");
    const Map a = conv_norm_act(net, in, 320, Window::square(1));
    const Map b = conv_norm_act(net, in, 384, Window::square(1));
    const Map b1 = conv_norm_act(net, b, 384, uneven(1, 3));
    const Map b2 = conv_norm_act(net, b, 384, uneven(3, 1));
    const Map c =
        conv_norm_act(net, conv_norm_act(net, in, 448, Window::square(1)), 384, Window::square(3));
    const Map c1 = conv_norm_act(net, c, 384, uneven(1, 3));
    const Map c2 = conv_norm_act(net, c, 384, uneven(3, 1));
    const Map d =
        conv_norm_act(net, net.average_pool(in, Window::square(3, 1, 1)), 192, Window::square(1));
    return net.concatenate({a, net.concatenate({b1, b2}), net.concatenate({c1, c2}), d});
}

void auxiliary_head(NetworkBuilder& net, const Map& in, double labels) {
    net.block("auxiliary head");
    Map x = net.average_pool(in, Window::square(5, 3, 0));
    x = conv_norm_act(net, x, 128, Window::square(1));
    x = conv_norm_act(net, x, 768, Window::square(5, 1, 0));
    net.linear(NetworkBuilder::flatten(net.global_pool(x)), labels);
}

}  // namespace

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

void list_squeezenet(NetworkBuilder& net, const NetworkSizes& sizes, const ImageShape& image) {
    const Window pool = [] {
        Window window = Window::square(3, 2, 0);
        window.ceil = true;
        return window;
    }();
    net.block("stem");
    Map x = net.input(image.channels, image.height, image.width);
    x = net.activation(net.convolution(x, 96, Window::square(7, 2, 0), 1, true), relu);
    x = net.max_pool(x, pool);
    x = fire(net, fire(net, fire(net, x, 16, 64), 16, 64), 32, 128);
    x = net.max_pool(x, pool);
    x = fire(net, fire(net, fire(net, fire(net, x, 32, 128), 48, 192), 48, 192), 64, 256);
    x = fire(net, net.max_pool(x, pool), 64, 256);
    net.block("classifier");
    x = net.dropout(x);
    x = net.convolution(x, sizes.number("num_labels", 1000), Window::square(1), 1, true);
    net.global_pool(net.activation(x, relu));
}

void list_shufflenet(NetworkBuilder& net, const NetworkSizes& sizes, const ImageShape& image) {
    net.block("stem");
    Map x = net.input(image.channels, image.height, image.width);
    x = conv_norm_act(net, x, 24, Window::square(3, 2));
    x = net.max_pool(x, Window::square(3, 2, 1));
    const auto* repeats = sizes.list("repeats");
    const auto* widths = sizes.list("widths");
    for (std::size_t stage = 0; repeats != nullptr && widths != nullptr && stage < repeats->size();
         ++stage) {
        const double out = stage < widths->size() ? (*widths)[stage] : 116;
        for (int i = 0; i < (*repeats)[stage]; ++i) {
            net.block("shuffle unit");
            const double half = out / 2;
            const double stride = i == 0 ? 2 : 1;
            Map left = NetworkBuilder::viewed(x, half, x.height, x.width);
            Map y = left;
            if (i == 0) {
                left = conv_norm(net, x, x.channels, Window::square(3, 2), x.channels);
                left = conv_norm_act(net, left, half, Window::square(1));
                y = x;
            }
            y = conv_norm_act(net, y, half, Window::square(1));
            y = conv_norm(net, y, half, Window::square(3, stride), half);
            y = conv_norm_act(net, y, half, Window::square(1));
            y = net.concatenate({left, y});
            x = net.copied(y, out, y.height, y.width);
        }
    }
    net.block("classifier");
    x = conv_norm_act(net, x, sizes.number("last_channel", 1024), Window::square(1));
    net.linear(NetworkBuilder::flatten(net.global_pool(x)), sizes.number("num_labels", 1000));
}

void list_inception(NetworkBuilder& net, const NetworkSizes& sizes, const ImageShape& image) {
    const double labels = sizes.number("num_labels", 1000);
    net.block("stem");
    Map x = net.input(image.channels, image.height, image.width);
    x = conv_norm_act(net, x, 32, Window::square(3, 2, 0));
    x = conv_norm_act(net, x, 32, Window::square(3, 1, 0));
    x = conv_norm_act(net, x, 64, Window::square(3));
    x = net.max_pool(x, Window::square(3, 2, 0));
    x = conv_norm_act(net, x, 80, Window::square(1));
    x = conv_norm_act(net, x, 192, Window::square(3, 1, 0));
    x = net.max_pool(x, Window::square(3, 2, 0));
    x = inception_a(net, inception_a(net, inception_a(net, x, 32), 64), 64);
    net.block("inception B");
    Map a = conv_norm_act(net, x, 384, Window::square(3, 2, 0));
    Map b = conv_norm_act(net, conv_norm_act(net, x, 64, Window::square(1)), 96, Window::square(3));
    b = conv_norm_act(net, b, 96, Window::square(3, 2, 0));
    x = net.concatenate({a, b, net.max_pool(x, Window::square(3, 2, 0))});
    for (const double c7 : {128.0, 160.0, 160.0, 192.0}) {
        x = inception_c(net, x, c7);
    }
    if (sizes.flag("auxiliary_head", true) && net.context().training) {
        auxiliary_head(net, x, labels);
    }
    net.block("inception D");
    a = conv_norm_act(net, conv_norm_act(net, x, 192, Window::square(1)), 320,
                      Window::square(3, 2, 0));
    b = conv_norm_act(net, x, 192, Window::square(1));
    b = conv_norm_act(net, b, 192, uneven(1, 7));
    b = conv_norm_act(net, b, 192, uneven(7, 1));
    b = conv_norm_act(net, b, 192, Window::square(3, 2, 0));
    x = net.concatenate({a, b, net.max_pool(x, Window::square(3, 2, 0))});
    x = inception_e(net, inception_e(net, x));
    net.block("classifier");
    net.linear(net.dropout(NetworkBuilder::flatten(net.global_pool(x))), labels);
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
