// U-Net in two and three dimensions: skips stay alive from the way down to the way up, also when
// nothing is kept for a backward pass.
#include "estimate/families/convolution/networks.h"

#include <cmath>

namespace ridgeline {
namespace {

using enum ActivationKind;

/// How the convolutions of one network are made.
struct UnetForm {
    double kernel = 3;
    double pad = 0;  ///< 0: unpadded as in the paper of 2015
    bool volume = false;
    bool norm = false;
    bool bias = true;
};

Map convolve(NetworkBuilder& net, const Map& in, double filters, const UnetForm& form,
             double stride = 1) {
    const Window window = form.volume ? Window::cube(form.kernel, stride, form.pad)
                                      : Window::square(form.kernel, stride, form.pad);
    Map x = net.convolution(in, filters, window, 1, form.bias);
    x = form.norm ? net.batch_norm(x) : x;
    return net.activation(x, relu);
}

/// Whether convolutions without padding leave an even side before each pooling, as those of the
/// paper do of 572: of 256, 512 or 1024 they do not, so that whoever takes such pictures pads.
bool crops_evenly(double side, std::size_t levels, double per_level, double kernel) {
    const double lost = per_level * (kernel - 1);
    for (std::size_t level = 0; level + 1 < levels; ++level) {
        side -= lost;
        if (side <= 0 || std::fmod(side, 2) != 0) {
            return false;
        }
        side /= 2;
    }
    return side > lost;
}

}  // namespace

void list_unet(NetworkBuilder& net, const NetworkSizes& sizes, const ImageShape& image) {
    static const std::vector<double> usual{64, 128, 256, 512, 1024};
    const auto* stated = sizes.list("channels");
    const std::vector<double>& channels = stated != nullptr && !stated->empty() ? *stated : usual;
    UnetForm form;
    form.volume = sizes.flag("volume");
    form.kernel = sizes.number("kernel", 3);
    form.pad = sizes.number("padding", 0);
    form.norm = sizes.flag("batch_norm");
    form.bias = sizes.flag("bias", true);
    const double per_level = sizes.number("convolutions_per_level", 2);
    if (form.pad == 0 && !(crops_evenly(image.height, channels.size(), per_level, form.kernel) &&
                           crops_evenly(image.width, channels.size(), per_level, form.kernel))) {
        form.pad = (form.kernel - 1) / 2;
    }
    const bool strided = sizes.flag("strided_down");  // a strided convolution instead of pooling
    net.block("down");
    Map x = net.input(sizes.number("in_channels", 1), image.height, image.width,
                      form.volume ? image.depth : 1);
    std::vector<Map> skips;
    for (std::size_t level = 0; level < channels.size(); ++level) {
        net.block("down");
        for (int i = 0; i < per_level; ++i) {
            const bool first = level > 0 && i == 0 && strided;
            x = convolve(net, x, channels[level], form, first ? 2 : 1);
        }
        if (level + 1 < channels.size()) {
            skips.push_back(x);
            if (!strided) {
                Window pool = form.volume ? Window::cube(2, 2, 0) : Window::square(2, 2, 0);
                x = net.max_pool(x, pool);
            }
        }
    }
    for (std::size_t level = channels.size() - 1; level-- > 0;) {
        net.block("up");
        const Window grow = form.volume ? Window::cube(2, 2, 0) : Window::square(2, 2, 0);
        x = net.transposed(x, channels[level], grow, true);
        // The skip is cropped to what unpadded convolutions left.
        const Map skip =
            NetworkBuilder::viewed(skips[level], skips[level].channels, x.height, x.width);
        Map joined = skip;
        joined.depth = x.depth;
        x = net.concatenate({joined, x});
        for (int i = 0; i < per_level; ++i) {
            x = convolve(net, x, channels[level], form);
        }
    }
    net.block("head");
    const Window point = form.volume ? Window::cube(1) : Window::square(1);
    net.convolution(x, sizes.number("out_channels", 2), point, 1, true);
}

}  // namespace ridgeline
