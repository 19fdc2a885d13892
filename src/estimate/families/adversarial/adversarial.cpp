// Generators and discriminators that train in turns: DCGAN (pytorch/examples), StyleGAN2
// (NVlabs/stylegan3 networks_stylegan2.py), StyleGAN3, HiFi-GAN (jik876/hifi-gan), pix2pix
// and CycleGAN.
#include "base/text.h"
#include "estimate/families/adversarial/networks.h"
#include "estimate/families/convolution/networks.h"
#include "estimate/families/family.h"
#include "estimate/families/small_functions.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace ridgeline {
namespace {

using enum ActivationKind;

/// Both networks of one model from its sizes.
struct Pair {
    void (*generator)(NetworkBuilder&, const FamilyInput&);
    void (*discriminator)(NetworkBuilder&, const FamilyInput&);
    /// Rounds of regularisation in one step: path length of the generator and gradient penalty of
    /// the discriminator, each a backward pass through a backward pass.
    double path_length = 0;
    double penalty = 0;
    /// Each network learns from images drawn for it: the generator runs once more, without
    /// gradients.
    bool redraws = false;
    /// A second pair leads back, and all four learn in one step.
    bool cycles = false;
};

/// Rows [in, out, kernel] of one DCGAN network.
void list_rows(NetworkBuilder& net, const FamilyInput& input, bool transposed) {
    const auto* rows = input.sizes.list("layers");
    const auto* norms = input.sizes.list("batch_norm");
    const std::size_t count = rows != nullptr ? rows->size() / 3 : 0;
    const bool own = input.sizes.flag("transposed") == transposed;
    Map x = transposed ? net.input(own && count > 0 ? (*rows)[0] : 100, 1, 1)
                       : net.input(3, input.sizes.number("image_size", 64),
                                   input.sizes.number("image_size", 64));
    for (std::size_t i = 0; i < count; ++i) {
        net.block("layer");
        // The partner's rows run the other way round.
        const std::size_t row = own ? i : count - 1 - i;
        double out = own ? (*rows)[3 * row + 1] : (*rows)[3 * row];
        if (i + 1 == count) {
            out = transposed ? 3 : 1;
        }
        const double kernel = (*rows)[3 * row + 2];
        const bool edge = transposed ? i == 0 : i + 1 == count;
        const Window window = edge ? Window::square(kernel, 1, 0) : Window::square(kernel, 2, 1);
        x = transposed ? net.transposed(x, out, window) : net.convolution(x, out, window);
        const bool norm = norms != nullptr && own ? i < norms->size() && (*norms)[i] != 0
                                                  : i + 1 < count && (transposed || i > 0);
        x = norm ? net.batch_norm(x) : x;
        x = net.activation(x, relu);
    }
}

void dcgan_generator(NetworkBuilder& net, const FamilyInput& input) { list_rows(net, input, true); }
void dcgan_discriminator(NetworkBuilder& net, const FamilyInput& input) {
    list_rows(net, input, false);
}

double style_width(const NetworkSizes& sizes, double side) {
    const double stated = sizes.number("cbase", 2 * sizes.number("fmap_base", 16384));
    const double base = sizes.number("channel_base", stated);
    return std::min(base / side, sizes.number("fmap_max", 512));
}

double style_side(const FamilyInput& input) {
    const int asked = input.workload.batch.image_size;
    return asked > 0 ? asked : input.sizes.number("resolution", 1024);
}

/// Networks in half precision keep it to the four highest resolutions (num_fp16_res of train.py).
bool in_half(double at, double side) { return 8 * at >= side; }

/// A filter of four taps a side, a kernel of its own (upfirdn2d).
Map filtered(NetworkBuilder& net, const Map& in) { return net.pointwise(in, 1, 0, "filter"); }

/// Weights are scaled when they are used and cast to the type of the maps, noise is drawn and
/// scaled (networks_stylegan2.py): small kernels that functions launch.
void scaled_weights(NetworkBuilder& net, double kernels) {
    if (!net.context().training) {
        return;
    }
    Operator& op = net.add_operator(small_functions, Role::other, OperatorClass::streaming);
    op.forward_kernels = kernels;
    op.backward_kernels = 1.5 * kernels;  // of two factors each, assumed
}

/// Each sample has weights of its own for the length of their sum of squares alone: scaled,
/// squared and summed in fp32 (networks_stylegan2.py, modulated_conv2d).
void sample_weights(NetworkBuilder& net, const Map& in, double out, double kernel) {
    if (!net.context().training) {
        return;
    }
    constexpr double forward_passes = 4;    // written, read and written squared, read to sum
    constexpr double backward_passes = 10;  // of the square, of the product by both factors
    const double bytes = 4 * in.channels * out * kernel * kernel;
    Operator& op = net.add_operator("sample weights", Role::other, OperatorClass::streaming);
    const Bytes all = Bytes::of_base(bytes * net.context().samples);
    op.forward_traffic = forward_passes * all;
    op.backward_traffic = backward_passes * all;
    op.forward_kernels = 5;
    op.backward_kernels = 9;
    net.keep_bytes(bytes);
}

/// A convolution of which each sample's style scales the channels before and after it (training
/// does not scale weights: fused_modconv_default "inference_only"), then noise, which the scaling
/// adds (ops/fma.py), and bias. A growing one is transposed, with a filter behind it.
Map styled(NetworkBuilder& net, const Map& in, double out, double kernel, bool grows, bool noise) {
    net.linear(net.made(512, 1, 1, 1), in.channels);
    scaled_weights(net, noise ? 7 : 5);  // of the style: weight, bias; casts of three; noise
    if (noise) {
        sample_weights(net, in, out, kernel);
    }
    Map x = net.pointwise(in, 1, 1, "modulation");
    x = grows ? filtered(net, net.transposed(x, out, Window::square(kernel, 2), true, 1, 1))
              : net.convolution(x, out, Window::square(kernel), 1, true);
    x = net.pointwise(x, 1, 0, "demodulation");
    if (noise) {
        net.parameters("noise strength", 1);
        x = net.activation(x, relu);
    }
    return x;
}

bool halves(const NetworkBuilder& net) { return net.context().bytes < 4; }

void style_generator(NetworkBuilder& net, const FamilyInput& input) {
    const NetworkSizes& sizes = input.sizes;
    net.block("mapping");
    Map w = net.input(sizes.number("z_dim", 512), 1, 1);
    for (int i = 0; i < sizes.number("mapping_layers", 8); ++i) {
        w = net.activation(net.linear(w, 512), relu);
    }
    const bool half = halves(net);
    const double side = style_side(input);
    net.block("4 x 4");
    Map x = net.made(style_width(sizes, 4), 1, 4, 4);
    net.parameters("constant", x.elements());
    for (double at = 4; at <= side; at *= 2) {
        const double width = style_width(sizes, at);
        net.in_full_precision(half && !in_half(at, side));
        if (at > 4) {
            net.block("resolution");
            x = styled(net, x, width, 3, true, true);
        }
        x = styled(net, x, width, 3, false, true);
        styled(net, x, 3, 1, false, false);
    }
    net.buffers(2 * side * side);
}

void filtered_generator(NetworkBuilder& net, const FamilyInput& input) {
    alias_free_generator(net, input, style_side(input));
}

/// Bias and activation are one kernel (torch_utils/ops/bias_act.py).
Map style_convolution(NetworkBuilder& net, const Map& in, double out, const Window& window) {
    scaled_weights(net, 3);  // the weight and its cast, that of the bias
    const Map map = net.convolution(in, out, window);
    net.parameters("bias", out);
    return net.activation(map, relu);
}

void style_discriminator(NetworkBuilder& net, const FamilyInput& input) {
    const NetworkSizes& sizes = input.sizes;
    const double side = style_side(input);
    const bool half = halves(net);
    net.block("from image");
    Map x = net.input(3, side, side);
    x = style_convolution(net, x, style_width(sizes, side), Window::square(1));
    for (double at = side; at > 4; at /= 2) {
        net.block("resolution");
        net.in_full_precision(half && !in_half(at, side));
        const double next = style_width(sizes, at / 2);
        Map y = style_convolution(net, x, x.channels, Window::square(3));
        y = filtered(net, y);
        y = style_convolution(net, y, next, Window::square(3, 2));
        const Map small = net.average_pool(x, Window::square(4, 2, 1));  // a filter that skips
        x = net.add(y, net.convolution(small, next, Window::square(1)));
    }
    net.block("head");
    x = net.copied(x, x.channels + 1, 4, 4);
    x = style_convolution(net, x, x.channels - 1, Window::square(3));
    x = net.linear(NetworkBuilder::flatten(x), style_width(sizes, 4));
    net.linear(x, 1);
}

double audio_frames(const FamilyInput& input, double hop) {
    const double seconds = input.workload.batch.audio_seconds;
    return seconds > 0 ? std::ceil(seconds * 22050 / hop) : input.sizes.number("frames", 32);
}

void voice_generator(NetworkBuilder& net, const FamilyInput& input) {
    static const std::vector<double> usual{8, 8, 2, 2};
    const NetworkSizes& sizes = input.sizes;
    const auto* stated = sizes.list("upsample_rates");
    const std::vector<double>& rates = stated != nullptr ? *stated : usual;
    const auto* kernels = sizes.list("upsample_kernel_sizes");
    const auto* sides = sizes.list("resblock_kernel_sizes");
    double hop = 1;
    for (const double rate : rates) {
        hop *= rate;
    }
    net.block("input");
    Map x = net.input(sizes.number("num_mels", 80), 1, audio_frames(input, hop));
    const double width = sizes.number("upsample_initial_channel", 512);
    x = net.convolution(x, width, Window::line(7), 1, true);
    for (std::size_t level = 0; level < rates.size(); ++level) {
        net.block("upsampling");
        const double kernel =
            kernels != nullptr && level < kernels->size() ? (*kernels)[level] : 2 * rates[level];
        x = net.activation(x, smooth);
        const double half = std::floor(x.channels / 2);
        x = net.transposed(x, half, Window::line(kernel, rates[level], (kernel - rates[level]) / 2),
                           true);
        Map sum = x;
        for (std::size_t branch = 0; sides != nullptr && branch < sides->size(); ++branch) {
            net.block("residual stack");
            Map y = x;
            const bool twice = sizes.word("resblock") != "2";
            for (int i = 0; i < (twice ? 3 : 2); ++i) {
                for (int j = 0; j < (twice ? 2 : 1); ++j) {
                    y = net.activation(y, smooth);
                    y = net.convolution(y, half, Window::line((*sides)[branch]), 1, true);
                }
                y = net.add(y, x);
            }
            sum = net.add(sum, y);
        }
        x = sum;
    }
    net.block("output");
    net.convolution(net.activation(x, smooth), 1, Window::line(7), 1, true);
}

void voice_discriminator(NetworkBuilder& net, const FamilyInput& input) {
    const double samples = audio_frames(input, 256) * 256;
    for (const double period : {2.0, 3.0, 5.0, 7.0, 11.0}) {
        net.block("period");
        Map x = net.input(1, std::ceil(samples / period), period);
        for (const double out : {32.0, 128.0, 512.0, 1024.0, 1024.0}) {
            Window window;
            window.height = 5;
            window.stride = x.channels == 1024 ? 1 : 3;
            window.pad = 2;
            x = net.activation(net.convolution(x, out, window, 1, true), smooth);
        }
        Window last;
        last.height = 3;
        last.pad = 1;
        net.convolution(x, 1, last, 1, true);
    }
    struct Layer {
        double out, kernel, stride, groups;
    };
    constexpr std::array<Layer, 7> layers{{{128, 15, 1, 1},
                                           {128, 41, 2, 4},
                                           {256, 41, 2, 16},
                                           {512, 41, 4, 16},
                                           {1024, 41, 4, 16},
                                           {1024, 41, 1, 16},
                                           {1024, 5, 1, 1}}};
    for (const double scale : {1.0, 2.0, 4.0}) {
        net.block("scale");
        Map x = net.input(1, 1, std::ceil(samples / scale));
        for (const Layer& layer : layers) {
            x = net.activation(
                net.convolution(x, layer.out, Window::line(layer.kernel, layer.stride),
                                layer.groups, true),
                smooth);
        }
        net.convolution(x, 1, Window::line(3), 1, true);
    }
}

/// Networks that make one picture of another (junyanz/pytorch-CycleGAN-and-pix2pix), written out.
void list_translator(NetworkBuilder& net, const FamilyInput& input, std::string_view rows,
                     double channels) {
    const int asked = input.workload.batch.image_size;
    const double side = asked > 0 ? asked : input.sizes.number("image_size", 256);
    list_written(net, input.sizes, {.height = side, .width = side, .channels = channels}, rows);
}
void written_generator(NetworkBuilder& net, const FamilyInput& input) {
    list_translator(net, input, "generator_listing", 3);
}
/// It sees what the picture was made of as well, where its file says so.
void written_discriminator(NetworkBuilder& net, const FamilyInput& input) {
    list_translator(net, input, "discriminator_listing",
                    input.sizes.number("discriminator_channels", 3));
}

constexpr Pair dcgan{dcgan_generator, dcgan_discriminator};
// Path length every 4th step on half of the batch, gradient penalty every 16th (stylegan3
// training_loop.py).
constexpr Pair style{style_generator, style_discriminator, 0.125, 1.0 / 16, true};
/// The path length is not regularised there.
constexpr Pair alias_free{filtered_generator, style_discriminator, 0, 1.0 / 16, true};
constexpr Pair voice{voice_generator, voice_discriminator};
constexpr Pair translation{written_generator, written_discriminator};
constexpr Pair cycle{written_generator, written_discriminator, 0, 0, false, true};

const Pair* pair_of(std::string_view type, std::string_view name = {}) {
    if (type == "dcgan") {
        return &dcgan;
    }
    if (type == "gan") {
        return contains(name, "stylegan3") ? &alias_free : &style;
    }
    return type == "hifigan"    ? &voice
           : type == "pix2pix"  ? &translation
           : type == "cyclegan" ? &cycle
                                : nullptr;
}

Program list_pair_program(const FamilyInput& input) {
    const Pair& pair = *pair_of(input.sizes.type, input.sizes.word("name"));
    Program program;
    const auto add = [&](auto list, std::string_view name) {
        NetworkBuilder net(input.context, name);
        list(net, input);
        program.problem = program.problem.empty() ? net.problem() : program.problem;
        program.models.push_back(net.finish());
        program.models.back().trains = input.training();
    };
    const bool alone = input.sizes.word("network") == "discriminator" ||
                       (input.sizes.list("layers") != nullptr && !input.sizes.flag("transposed"));
    if (!input.training()) {
        // Only the generator is of use after training, unless the file describes the other.
        add(alone ? pair.discriminator : pair.generator, "network");
        program.passes = simple_passes(false);
        return program;
    }
    add(pair.generator, "generator");
    add(pair.discriminator, "discriminator");
    if (pair.cycles) {
        add(pair.generator, "generator back");
        add(pair.discriminator, "discriminator back");
    }
    program.main = alone ? 1 : 0;
    program.passes = pair.cycles    ? cycle_turns()
                     : pair.redraws ? own_turns(pair.path_length, pair.penalty)
                                    : shared_turns();
    return program;
}

}  // namespace

ProgramLister adversarial_program(std::string_view type) {
    return pair_of(type) != nullptr ? list_pair_program : nullptr;
}

}  // namespace ridgeline
