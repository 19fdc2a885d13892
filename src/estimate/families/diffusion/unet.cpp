// The U-Nets of Stable Diffusion 1.x, 2.x and XL (diffusers unet_2d_condition.py) and the
// convolutional autoencoder (autoencoder_kl.py).
#include "estimate/families/diffusion/networks.h"

#include <algorithm>

namespace ridgeline {
namespace {

using enum ActivationKind;

/// Norm, activation, convolution, twice; the embedding of the time step is added between.
Map residual(NetworkBuilder& net, const Map& in, double out, double embedding, double taps = 1) {
    Window window = Window::square(3);
    window.depth = taps;
    window.pad_depth = taps > 1 ? 1 : 0;
    net.hold(in);
    Map x = net.activation(net.group_norm(in), smooth);
    x = net.convolution(x, out, window, 1, true);
    if (embedding > 0) {
        const Map time = net.activation(net.made(embedding, 1, 1, 1), smooth);
        net.linear(time, out);
        x = net.pointwise(x, 1, 0, "add");
    }
    x = net.activation(net.group_norm(x), smooth);
    x = net.convolution(x, out, window, 1, true);
    net.release(in);
    const Map shortcut =
        in.channels != out ? net.convolution(in, out, Window::square(1), 1, true) : in;
    return net.add(x, shortcut);
}

struct Attending {
    double heads = 8;
    double layers = 1;
    double context = 768;
    double tokens = 77;
    double rank = 0;
};

Map transformer(NetworkBuilder& net, const Map& in, const Attending& form) {
    const double width = in.channels;
    net.hold(in);
    Map x = net.linear(net.group_norm(in), width);
    const Map text = net.made(form.context, 1, 1, form.tokens);
    const AttentionForm attention{.width = width, .heads = form.heads, .rank = form.rank};
    for (int i = 0; i < form.layers; ++i) {
        const Map self = net.layer_norm(x);
        x = net.add(attend(net, self, self, attention), x);
        x = net.add(attend(net, net.layer_norm(x), text, attention), x);
        // GEGLU: one product makes value and gate.
        Map y = net.linear(net.layer_norm(x), 8 * width);
        net.keep(y);
        y = net.pointwise(Map{y.id, 4 * width, y.depth, y.height, y.width}, 2, 1, "activation");
        x = net.add(net.linear(y, width), x);
    }
    net.release(in);
    return net.add(net.linear(x, width), in);
}

double entry(const std::vector<double>* list, std::size_t at, double otherwise) {
    return list != nullptr && !list->empty() ? (*list)[std::min(at, list->size() - 1)] : otherwise;
}

Map decoder_attention(NetworkBuilder& net, const Map& in) {
    net.hold(in);
    const Map x = net.group_norm(in);
    const Map y = attend(net, x, x, {.width = in.channels, .heads = 1, .bias = true});
    net.release(in);
    return net.add(y, in);
}

}  // namespace

void list_unet_denoiser(NetworkBuilder& net, const NetworkSizes& sizes, const LatentShape& latent) {
    static const std::vector<double> usual{320, 640, 1280, 1280};
    const auto* stated = sizes.list("block_out_channels");
    const std::vector<double>& channels = stated != nullptr ? *stated : usual;
    const auto* heads = sizes.list("attention_heads");
    const auto* depths = sizes.list("transformer_layers_per_block");
    const auto* attends = sizes.list("down_attention");
    const double per_level = sizes.number("layers_per_block", 2);
    const double embedding = 4 * channels.front();
    const auto form = [&](std::size_t level) {
        return Attending{.heads = entry(heads, level, 8),
                         .layers = entry(depths, level, 1),
                         .context = sizes.number("cross_attention_dim", 768),
                         .tokens = latent.text_tokens,
                         .rank = latent.rank};
    };
    net.block("embedding");
    const Map time = net.made(channels.front(), 1, 1, 1);
    net.linear(net.activation(net.linear(time, embedding), smooth), embedding);
    if (const double added = sizes.number("projection_class_embeddings_input_dim", 0); added > 0) {
        const Map extra = net.made(added, 1, 1, 1);
        net.linear(net.activation(net.linear(extra, embedding), smooth), embedding);
    }
    std::vector<Map> skips;
    const auto skip = [&](const Map& map) {
        skips.push_back(map);
        net.hold(map);
    };
    const auto contract = [&] {
        Map y = net.input(sizes.number("in_channels", 4), latent.height, latent.width);
        y = net.convolution(y, channels.front(), Window::square(3), 1, true);
        skip(y);
        for (std::size_t level = 0; level < channels.size(); ++level) {
            net.block("down");
            for (int i = 0; i < per_level; ++i) {
                y = residual(net, y, channels[level], embedding);
                if (entry(attends, level, 0) != 0) {
                    y = transformer(net, y, form(level));
                }
                skip(y);
            }
            if (level + 1 < channels.size()) {
                y = net.convolution(y, channels[level], Window::square(3, 2), 1, true);
                skip(y);
            }
        }
        net.block("middle");
        y = residual(net, y, channels.back(), embedding);
        y = transformer(net, y, form(channels.size() - 1));
        return residual(net, y, channels.back(), embedding);
    };
    if (sizes.flag("controlnet")) {
        // A second way down whose skips, each through a 1x1 convolution, are added to those below;
        // its image comes down by convolutions of growing width.
        net.block("control");
        Map hint = net.input(3, 8 * latent.height, 8 * latent.width);
        hint = net.convolution(hint, 16, Window::square(3), 1, true);
        for (const double width : {16.0, 32.0, 96.0, 256.0}) {
            const bool first = width == 16;
            hint = net.activation(hint, smooth);
            hint = first ? net.convolution(hint, width, Window::square(3), 1, true)
                         : net.convolution(net.convolution(hint, hint.channels, Window::square(3), 1, true),
                                           width, Window::square(3, 2), 1, true);
        }
        net.convolution(hint, channels.front(), Window::square(3), 1, true);
        const Map deepest = contract();
        std::vector<Map> controls = std::move(skips);
        skips.clear();
        controls.push_back(deepest);
        for (const Map& control : controls) {
            net.add(net.convolution(control, control.channels, Window::square(1), 1, true), control);
            net.release(control);
        }
    }
    Map x = contract();
    for (std::size_t level = channels.size(); level-- > 0;) {
        net.block("up");
        for (int i = 0; i < per_level + 1; ++i) {
            const Map joined = net.concatenate({x, skips.back()});
            net.release(skips.back());
            skips.pop_back();
            x = residual(net, joined, channels[level], embedding);
            if (entry(attends, level, 0) != 0) {
                x = transformer(net, x, form(level));
            }
        }
        if (level > 0) {
            const Map& next = skips.back();  // odd sides grow to those of the skip
            x = net.convolution(
                net.resize(x, next.height, next.width), channels[level], Window::square(3), 1, true);
        }
    }
    net.block("head");
    x = net.activation(net.group_norm(x), smooth);
    net.convolution(x, sizes.number("out_channels", 4), Window::square(3), 1, true);
}

void list_encoder(NetworkBuilder& net, const AutoencoderShape& shape, const LatentShape& latent) {
    net.block("encoder");
    double factor = 1;
    for (std::size_t i = 1; i < shape.channels.size(); ++i) {
        factor *= 2;
    }
    Map x = net.input(3, latent.height * factor, latent.width * factor, latent.frames);
    Window window = Window::square(3);
    window.depth = shape.taps;
    window.pad_depth = shape.taps > 1 ? 1 : 0;
    x = net.convolution(x, shape.channels.front(), window, 1, true);
    for (std::size_t level = 0; level < shape.channels.size(); ++level) {
        net.block("down");
        for (int i = 0; i < shape.layers; ++i) {
            x = residual(net, x, shape.channels[level], 0, shape.taps);
        }
        if (level + 1 < shape.channels.size()) {
            x = net.convolution(x, shape.channels[level], Window::square(3, 2), 1, true);
        }
    }
    net.block("middle");
    x = residual(net, x, shape.channels.back(), 0, shape.taps);
    x = decoder_attention(net, x);
    x = residual(net, x, shape.channels.back(), 0, shape.taps);
    net.block("head");
    x = net.activation(net.group_norm(x), smooth);
    x = net.convolution(x, 2 * shape.latent_channels, window, 1, true);
    if (shape.quantised) {
        net.convolution(x, 2 * shape.latent_channels, Window::square(1), 1, true);
    }
}

void list_decoder(NetworkBuilder& net, const AutoencoderShape& shape, const LatentShape& latent) {
    net.block("decoder");
    Window window = Window::square(3);
    window.depth = shape.taps;
    window.pad_depth = shape.taps > 1 ? 1 : 0;
    Map x = net.input(shape.latent_channels, latent.height, latent.width, latent.frames);
    if (shape.quantised) {
        x = net.convolution(x, shape.latent_channels, Window::square(1), 1, true);
    }
    x = net.convolution(x, shape.channels.back(), window, 1, true);
    net.block("middle");
    x = residual(net, x, shape.channels.back(), 0, shape.taps);
    x = decoder_attention(net, x);
    x = residual(net, x, shape.channels.back(), 0, shape.taps);
    for (std::size_t level = shape.channels.size(); level-- > 0;) {
        net.block("up");
        for (int i = 0; i < shape.layers + 1; ++i) {
            x = residual(net, x, shape.channels[level], 0, shape.taps);
        }
        if (level > 0) {
            x = net.convolution(
                net.upsample(x, 2), shape.channels[level], Window::square(3), 1, true);
        }
    }
    net.block("head");
    x = net.activation(net.group_norm(x), smooth);
    net.convolution(x, 3, window, 1, true);
}

}  // namespace ridgeline
