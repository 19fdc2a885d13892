#include "estimate/families/adversarial/networks.h"

#include <algorithm>
#include <array>

// Networks that make one picture of another: pix2pix and CycleGAN
// (junyanz/pytorch-CycleGAN-and-pix2pix, models/networks.py).

namespace ridgeline {
namespace {

using enum ActivationKind;

double side_of(const FamilyInput& input) {
    const int asked = input.workload.batch.image_size;
    return asked > 0 ? asked : input.sizes.number("image_size", 256);
}

/// Instance norm without weights is a group norm of one channel each.
Map normed(NetworkBuilder& net, const Map& in, bool batch) {
    return batch ? net.batch_norm(in) : net.group_norm(in, false);
}

}  // namespace

void unet_generator(NetworkBuilder& net, const FamilyInput& input) {
    constexpr std::size_t levels = 8;
    constexpr std::array<double, levels> widths{1, 2, 4, 8, 8, 8, 8, 8};
    const double width = input.sizes.number("ngf", 64);
    const Window half = Window::square(4, 2, 1);
    const double side = side_of(input);
    net.block("down");
    Map x = net.input(3, side, side);
    std::array<Map, levels> maps;
    for (std::size_t level = 0; level < levels; ++level) {
        x = level > 0 ? net.activation(x, smooth) : x;
        x = net.convolution(x, widths[level] * width, half);
        x = level > 0 && level + 1 < levels ? net.batch_norm(x) : x;
        maps[level] = x;
    }
    for (std::size_t level = levels; level-- > 0;) {
        net.block("up");
        x = net.activation(x, relu);
        x = net.transposed(x, level > 0 ? widths[level - 1] * width : 3, half, level == 0);
        if (level == 0) {
            net.activation(x, smooth);
            return;
        }
        x = net.batch_norm(x);
        // Three levels between the narrowest map and those of fewer channels drop half of it.
        x = level + 1 < levels && level > 3 ? net.dropout(x) : x;
        x = net.concatenate({maps[level - 1], x});
    }
}

void residual_generator(NetworkBuilder& net, const FamilyInput& input) {
    constexpr int blocks = 9;
    const double width = input.sizes.number("ngf", 64);
    const double side = side_of(input);
    net.block("down");
    Map x = net.input(3, side, side);
    x = net.copied(x, 3, side + 6, side + 6);  // the picture with its mirrored edges
    x = net.convolution(x, width, Window::square(7, 1, 0), 1, true);
    x = net.activation(normed(net, x, false), relu);
    for (const double times : {2.0, 4.0}) {
        x = net.convolution(x, times * width, Window::square(3, 2, 1), 1, true);
        x = net.activation(normed(net, x, false), relu);
    }
    for (int block = 0; block < blocks; ++block) {
        net.block("residual block");
        Map y = x;
        for (const bool last : {false, true}) {
            y = net.copied(y, y.channels, y.height + 2, y.width + 2);
            y = net.convolution(y, 4 * width, Window::square(3, 1, 0), 1, true);
            y = normed(net, y, false);
            y = last ? y : net.activation(y, relu);
        }
        x = net.add(x, y);
    }
    net.block("up");
    for (const double times : {2.0, 1.0}) {
        x = net.transposed(x, times * width, Window::square(3, 2, 1), true, 1, 1);
        x = net.activation(normed(net, x, false), relu);
    }
    x = net.copied(x, x.channels, x.height + 6, x.width + 6);
    x = net.convolution(x, 3, Window::square(7, 1, 0), 1, true);
    net.activation(x, smooth);
}

void patch_discriminator(NetworkBuilder& net, const FamilyInput& input) {
    const double width = input.sizes.number("ndf", 64);
    const bool conditional = input.sizes.type == "pix2pix";  // it sees both pictures
    const double side = side_of(input);
    net.block("patches");
    Map x = net.input(conditional ? 6 : 3, side, side);
    x = net.activation(net.convolution(x, width, Window::square(4, 2, 1), 1, true), smooth);
    for (const double times : {2.0, 4.0, 8.0}) {
        const double stride = times < 8 ? 2 : 1;
        x = net.convolution(x, times * width, Window::square(4, stride, 1), 1, !conditional);
        x = net.activation(normed(net, x, conditional), smooth);
    }
    net.convolution(x, 1, Window::square(4, 1, 1), 1, true);
}

std::vector<ProgramPass> cycle_turns() {
    using enum ProgramPass::Kind;
    // Two generators and two discriminators, in the order of `list_pair_program`.
    constexpr int there = 0;
    constexpr int back = 2;
    constexpr int of_there = 1;
    constexpr int of_back = 3;
    std::vector<ProgramPass> passes;
    // Each picture is made, brought back and, where it is of that kind already, kept.
    constexpr std::array<int, 6> made{there, back, back, there, there, back};
    for (const int model : made) {
        passes.push_back({.model = model, .kind = forward, .name = "generators"});
    }
    for (const int model : {of_there, of_back}) {
        passes.push_back({.model = model, .kind = forward, .name = "discriminators, made"});
    }
    for (const int model : {of_back, of_there}) {
        passes.push_back({.model = model,
                          .kind = backward,
                          .weights = false,
                          .name = "discriminators backward"});
    }
    for (auto model = made.rbegin(); model != made.rend(); ++model) {
        passes.push_back({.model = *model, .kind = backward, .name = "generators backward"});
    }
    for (const int model : {there, back}) {
        passes.push_back({.model = model, .kind = update, .name = "update"});
    }
    for (const int model : {of_there, of_back}) {
        for (int picture = 0; picture < 2; ++picture) {
            passes.push_back({.model = model, .kind = forward, .name = "discriminators"});
        }
        for (int picture = 0; picture < 2; ++picture) {
            passes.push_back({.model = model, .kind = backward, .name = "discriminators backward"});
        }
        passes.push_back({.model = model, .kind = update, .name = "update"});
    }
    return passes;
}

}  // namespace ridgeline
