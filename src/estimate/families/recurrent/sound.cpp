// Acoustic models and vocoders of 1-D convolutions: Jasper, QuartzNet and WaveGlow.
#include "estimate/families/recurrent/networks.h"
#include "estimate/families/small_functions.h"

#include <algorithm>
#include <cmath>

namespace ridgeline {

using enum ActivationKind;

void list_acoustic(NetworkBuilder& net, const FamilyInput& input) {
    const NetworkSizes& sizes = input.sizes;
    const double seconds = input.workload.batch.audio_seconds > 0
                               ? input.workload.batch.audio_seconds
                               : sizes.number("audio_seconds", 16.7);
    net.block("prologue");
    Map x = net.input(sizes.number("in_features", 64), 1, std::ceil(seconds * 100));
    const bool separable = sizes.flag("separable");
    const bool dense = sizes.flag("dense_residual", true);
    // What lies behind the end of an utterance is set to zero before every convolution, of
    // residuals as well: a copy that is then filled, and small kernels for the mask and for the
    // lengths after it (NVIDIA/DeepLearningExamples jasper/model.py and quartznet/model.py,
    // MaskedConv1d).
    const double small_kernels = separable ? 8 : 10;
    const auto masked = [&](const Map& in) {
        Operator& lengths =
            net.add_operator(small_functions, Role::other, OperatorClass::streaming);
        lengths.forward_kernels = small_kernels;
        lengths.backward_kernels = 1;
        return net.pointwise(in, 3, 0, "mask");
    };
    const auto convolve = [&](const Map& in, double out, double kernel, double stride,
                              double dilation) {
        Map y = masked(in);
        const Window window =
            Window::line(kernel, stride, dilation * std::floor(kernel / 2), dilation);
        if (separable) {
            y = masked(net.convolution(y, y.channels, window, y.channels));
            y = net.convolution(y, out, Window::line(1));
        } else {
            y = net.convolution(y, out, window);
        }
        return net.batch_norm(y);
    };
    const auto close = [&](const Map& in) { return net.dropout(net.activation(in, relu)); };
    x = close(convolve(x, 256, sizes.number("first_kernel", 11), 2, 1));
    std::vector<Map> before{x};
    const auto* rows = sizes.list("blocks");
    for (std::size_t at = 0; rows != nullptr && at + 3 <= rows->size(); at += 3) {
        net.block("block");
        const double out = (*rows)[at];
        const double kernel = (*rows)[at + 1];
        const int repeat = static_cast<int>((*rows)[at + 2]);
        Map y = x;
        for (int i = 0; i < repeat; ++i) {
            y = convolve(y, out, kernel, 1, 1);
            y = i + 1 < repeat ? close(y) : y;
        }
        for (const Map& earlier : before) {
            y = net.add(y, net.batch_norm(net.convolution(masked(earlier), out, Window::line(1))));
        }
        x = close(y);
        if (dense) {
            before.push_back(x);
        } else {
            before = {x};
        }
    }
    net.block("epilogue");
    x = close(convolve(x, sizes.number("late_width", 896), sizes.number("late_kernel", 29), 1, 2));
    x = close(net.batch_norm(net.convolution(masked(x), 1024, Window::line(1))));
    net.convolution(x, sizes.number("vocab_size", 29), Window::line(1), 1, true);
}

void list_vocoder(NetworkBuilder& net, const FamilyInput& input) {
    const NetworkSizes& sizes = input.sizes;
    const double seconds = input.workload.batch.audio_seconds > 0
                               ? input.workload.batch.audio_seconds
                               : sizes.number("audio_seconds", 16000.0 / 22050);
    const double group = sizes.number("group", 8);
    const double channels = sizes.number("channels", 512);
    const double samples = std::max(256.0, std::floor(seconds * 22050));
    const double mels = sizes.number("mel_channels", 80);
    const int flows = sizes.whole("flows", 12);
    const int layers = sizes.whole("layers", 8);
    net.block("upsampling");
    Map spectrogram = net.input(mels, 1, std::ceil(samples / 256));
    Window hop = Window::line(1024, 256, 0);
    spectrogram = net.transposed(spectrogram, mels, hop, true);
    const double positions = std::floor(samples / group);
    const Map condition = net.copied(spectrogram, mels * group, 1, positions);
    double width = group;
    for (int flow = 0; flow < flows; ++flow) {
        // Two channels leave early every fourth flow.
        if (flow > 0 && flow % 4 == 0) {
            width -= 2;
        }
        net.block("flow");
        Map x = net.convolution(net.made(width, 1, 1, positions), width, Window::line(1));
        x = net.convolution(net.made(width / 2, 1, 1, positions), channels, Window::line(1), 1,
                            true);
        const Map conditions =
            net.convolution(condition, 2 * channels * layers, Window::line(1), 1, true);
        Map skips = net.made(channels, 1, 1, positions);
        for (int layer = 0; layer < layers; ++layer) {
            const double dilation = std::exp2(layer);
            Map y =
                net.convolution(x, 2 * channels, Window::line(3, 1, dilation, dilation), 1, true);
            y = net.add(y, net.made(y.channels, 1, 1, y.width));
            // tanh of one half times the sigmoid of the other.
            y = net.pointwise(Map{y.id, channels, 1, 1, y.width}, 4, 2, "gate");
            const bool last = layer + 1 == layers;
            y = net.convolution(y, last ? channels : 2 * channels, Window::line(1), 1, true);
            if (!last) {
                x = net.add(x, net.made(channels, 1, 1, y.width));
            }
            skips = net.add(skips, net.made(channels, 1, 1, y.width));
        }
        net.keep(conditions);
        net.convolution(skips, width, Window::line(1), 1, true);
        net.pointwise(net.made(width / 2, 1, 1, positions), 3, 2, "affine coupling");
    }
}

}  // namespace ridgeline
