// The U-Nets of Stable Diffusion 1.x, 2.x and XL (diffusers unet_2d_condition.py) and the
// convolutional autoencoder (autoencoder_kl.py).
#include "estimate/families/diffusion/networks.h"

#include <algorithm>

namespace ridgeline {
namespace {

using enum ActivationKind;

/// The division by a factor of one (diffusers: output_scale_factor, rescale_output_factor).
Map scaled(NetworkBuilder& net, const Map& in) { return net.pointwise(in, 1, 0, "scale"); }

/// Norm, activation, convolution, twice; the embedding of the time step is added between.
Map residual(NetworkBuilder& net, const Map& in, double out, double embedding, double taps = 1) {
    Window window = Window::square(3);
    window.depth = taps;
    window.pad_depth = taps > 1 ? 1 : 0;
    Map x = net.activation(net.group_norm(in), smooth);
    x = net.convolution(x, out, window, 1, true);
    if (embedding > 0) {
        const Map time = net.activation(net.made(embedding, 1, 1, 1), smooth);
        net.linear(time, out);
        x = net.pointwise(x, 1, 0, "add");
    }
    x = net.activation(net.group_norm(x), smooth);
    x = net.convolution(x, out, window, 1, true);
    const Map shortcut =
        in.channels != out ? net.convolution(in, out, Window::square(1), 1, true) : in;
    return scaled(net, net.add(x, shortcut));
}

struct Attending {
    double heads = 8;
    double layers = 1;
    double context = 768;
    double tokens = 77;
    double rank = 0;
};

/// Each layer is a block of its own: what checkpoints compute again is a residual unit or a layer,
/// not what stands before and after the layers (diffusers unet_2d_blocks.py, transformer_2d.py).
Map transformer(NetworkBuilder& net, const Map& in, const Attending& form) {
    const double width = in.channels;
    net.block("transformer");
    net.beside_checkpoints();
    Map x = net.linear(net.group_norm(in), width);
    const Map text = net.made(form.context, 1, 1, form.tokens);
    const AttentionForm attention{.width = width, .heads = form.heads, .rank = form.rank};
    for (int i = 0; i < form.layers; ++i) {
        net.block("transformer layer");
        const Map self = net.layer_norm(x);
        x = net.add(scaled(net, attend(net, self, self, attention)), x);
        x = net.add(scaled(net, attend(net, net.layer_norm(x), text, attention)), x);
        // GEGLU: one product makes value and gate.
        Map y = net.linear(net.layer_norm(x), 8 * width);
        net.keep(y);
        y = net.pointwise(Map{y.id, 4 * width, y.depth, y.height, y.width}, 2, 1, "activation");
        x = net.add(net.linear(y, width), x);
    }
    net.block("transformer");
    net.beside_checkpoints();
    return net.add(net.linear(x, width), in);
}

double level_entry(const std::vector<double>* list, std::size_t at, double otherwise) {
    return list != nullptr && !list->empty() ? (*list)[std::min(at, list->size() - 1)] : otherwise;
}

Map attention_alone(NetworkBuilder& net, const Map& in) {
    const Map x = net.group_norm(in);
    const Map y = attend(net, x, x, {.width = in.channels, .heads = 1, .bias = true});
    return net.add(y, in);
}

/// What both ways of a U-Net, and a ControlNet beside it, are made of.
class UnetWays {
public:
    UnetWays(NetworkBuilder& net, const NetworkSizes& sizes, const LatentShape& latent)
        : net_(net),
          sizes_(sizes),
          latent_(latent),
          channels_(sizes.list("block_out_channels") != nullptr ? *sizes.list("block_out_channels")
                                                                : usual_channels),
          attends_(sizes.list("down_attention")),
          per_level_(sizes.number("layers_per_block", 2)),
          embedding_(4 * channels_.front()) {}

    void embed() {
        net_.block("embedding");
        const Map time = net_.made(channels_.front(), 1, 1, 1);
        net_.linear(net_.activation(net_.linear(time, embedding_), smooth), embedding_);
        const double added = sizes_.number("projection_class_embeddings_input_dim", 0);
        if (added > 0) {
            const Map extra = net_.made(added, 1, 1, 1);
            net_.linear(net_.activation(net_.linear(extra, embedding_), smooth), embedding_);
        }
    }

    /// Down to the coarsest map and through the middle; skips stay.
    Map contract() {
        Map y = net_.input(sizes_.number("in_channels", 4), latent_.height, latent_.width);
        y = net_.convolution(y, channels_.front(), Window::square(3), 1, true);
        skip(y);
        for (std::size_t level = 0; level < channels_.size(); ++level) {
            for (int i = 0; i < per_level_; ++i) {
                net_.block("down");
                y = residual(net_, y, channels_[level], embedding_);
                if (level_entry(attends_, level, 0) != 0) {
                    y = attended(y, level);
                }
                skip(y);
            }
            if (level + 1 < channels_.size()) {
                between("down");
                y = net_.convolution(y, channels_[level], Window::square(3, 2), 1, true);
                skip(y);
            }
        }
        net_.block("middle");
        y = residual(net_, y, channels_.back(), embedding_);
        y = attended(y, channels_.size() - 1);
        net_.block("middle");
        return residual(net_, y, channels_.back(), embedding_);
    }

    void expand(Map x) {
        for (std::size_t level = channels_.size(); level-- > 0;) {
            for (int i = 0; i < per_level_ + 1; ++i) {
                between("up");
                const Map joined = net_.concatenate({x, skips_.back()});
                skips_.pop_back();
                net_.block("up");
                x = residual(net_, joined, channels_[level], embedding_);
                if (level_entry(attends_, level, 0) != 0) {
                    x = attended(x, level);
                }
            }
            if (level > 0) {
                between("up");
                const Map& next = skips_.back();  // odd sides grow to those of the skip
                x = net_.convolution(net_.resize(x, next.height, next.width), channels_[level],
                                     Window::square(3), 1, true);
            }
        }
        net_.block("head");
        x = net_.activation(net_.group_norm(x), smooth);
        net_.convolution(x, sizes_.number("out_channels", 4), Window::square(3), 1, true);
    }

    /// The image that controls, brought to the size of the latent by convolutions.
    void hint() {
        Map x = net_.input(3, 8 * latent_.height, 8 * latent_.width);
        x = net_.convolution(x, 16, Window::square(3), 1, true);
        for (const double width : {32.0, 96.0, 256.0}) {
            x = net_.activation(x, smooth);
            x = net_.activation(net_.convolution(x, x.channels, Window::square(3), 1, true),
                                smooth);
            x = net_.convolution(x, width, Window::square(3, 2), 1, true);
        }
        net_.convolution(net_.activation(x, smooth), channels_.front(), Window::square(3), 1, true);
    }

    /// Skips and the coarsest map, each through a 1x1 convolution, for the U-Net to add.
    void controls(const Map& deepest) {
        skips_.push_back(deepest);
        for (const Map& control : skips_) {
            net_.add(net_.convolution(control, control.channels, Window::square(1), 1, true),
                     control);
        }
    }

private:
    /// What joins and changes sizes stands outside the checkpoints.
    void between(std::string_view way) {
        net_.block(way);
        net_.beside_checkpoints();
    }
    void skip(const Map& map) { skips_.push_back(map); }
    /// Without a text to look at, one attention over the map (diffusers unet_2d.py).
    Map attended(const Map& x, std::size_t level) {
        const Attending attending = form(level);
        return attending.context > 0 ? transformer(net_, x, attending) : attention_alone(net_, x);
    }
    [[nodiscard]] Attending form(std::size_t level) const {
        return {.heads = level_entry(sizes_.list("attention_heads"), level, 8),
                .layers = level_entry(sizes_.list("transformer_layers_per_block"), level, 1),
                .context = sizes_.number("cross_attention_dim", 768),
                .tokens = latent_.text_tokens,
                .rank = latent_.rank};
    }

    inline static const std::vector<double> usual_channels{320, 640, 1280, 1280};
    NetworkBuilder& net_;
    const NetworkSizes& sizes_;
    const LatentShape& latent_;
    const std::vector<double>& channels_;
    const std::vector<double>* attends_;
    double per_level_;
    double embedding_;
    std::vector<Map> skips_;
};

}  // namespace

void list_unet_denoiser(NetworkBuilder& net, const NetworkSizes& sizes, const LatentShape& latent) {
    UnetWays denoiser(net, sizes, latent);
    denoiser.embed();
    // A U-Net that a ControlNet steers is frozen; gradients pass from where it adds to.
    const bool steered = sizes.flag("controlnet") && net.context().training;
    if (steered) {
        net.freeze();
    }
    const Map deepest = denoiser.contract();
    if (steered) {
        net.thaw();
        net.freeze_weights();
    }
    denoiser.expand(deepest);
}

void list_controlnet(NetworkBuilder& net, const NetworkSizes& sizes, const LatentShape& latent) {
    UnetWays copy(net, sizes, latent);
    copy.embed();
    net.block("control");
    copy.hint();
    copy.controls(copy.contract());
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
    x = attention_alone(net, x);
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
    x = attention_alone(net, x);
    x = residual(net, x, shape.channels.back(), 0, shape.taps);
    for (std::size_t level = shape.channels.size(); level-- > 0;) {
        net.block("up");
        for (int i = 0; i < shape.layers + 1; ++i) {
            x = residual(net, x, shape.channels[level], 0, shape.taps);
        }
        if (level > 0) {
            x = net.convolution(net.upsample(x, 2), shape.channels[level], Window::square(3), 1,
                                true);
        }
    }
    net.block("head");
    x = net.activation(net.group_norm(x), smooth);
    net.convolution(x, 3, window, 1, true);
}

}  // namespace ridgeline
