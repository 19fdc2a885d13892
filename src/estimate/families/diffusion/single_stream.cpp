// Diffusion transformers of one stream of tokens: Lumina 2, Z-Image, Sana, Cosmos-Predict 2.
#include "estimate/families/diffusion/networks.h"

#include <algorithm>
#include <cmath>

namespace ridgeline {
namespace {

using enum ActivationKind;

struct StreamForm {
    double width = 2304;
    double heads = 24;
    double key_heads = 24;
    double head_dim = 96;
    double ffn = 9216;
    double factor_width = 256;  ///< of the row that makes the factors of the norms
    double factor_maps = 4;     ///< factors a block
    double cross = 0;           ///< width of the text that a second attention reads; 0: none
    double cross_tokens = 0;
    bool gated = true;
    bool linear = false;     ///< attention whose cost grows with the tokens, not their square
    bool convolves = false;  ///< a depthwise convolution inside the feed-forward part
    bool low_rank = false;   ///< factors come through a narrow product, three times a block
    double rank = 0;
};

StreamForm form_of(const NetworkSizes& sizes, const LatentShape& latent) {
    StreamForm form;
    form.heads = sizes.number("num_attention_heads", form.heads);
    form.key_heads = sizes.number("num_key_value_heads", form.heads);
    form.head_dim = sizes.number("attention_head_dim", form.head_dim);
    form.width = form.heads * form.head_dim;
    form.ffn = sizes.number("ffn_dim", 4 * form.width);
    form.factor_width = sizes.number("adaptive_width", std::min(form.width, 1024.0));
    form.factor_maps = sizes.number("adaptive_factors", 4);
    form.cross = sizes.number("cross_attention_dim", 0);
    form.cross_tokens = form.cross > 0 ? latent.text_tokens : 0;
    form.gated = sizes.flag("gated", true);
    form.linear = sizes.flag("linear_attention");
    form.convolves = sizes.flag("convolves");
    form.low_rank = sizes.flag("low_rank_factors");
    form.rank = latent.rank;
    return form;
}

void add_factors(NetworkBuilder& net, const StreamForm& form) {
    if (form.low_rank) {
        for (int i = 0; i < 3; ++i) {
            const Map row = net.linear(net.made(form.width, 1, 1, 1), form.factor_width, false);
            net.linear(row, 3 * form.width, false);
        }
    } else if (form.factor_maps > 0) {
        net.linear(net.made(form.factor_width, 1, 1, 1), form.factor_maps * form.width);
    }
}

Map self_attention(NetworkBuilder& net, const Map& x, const StreamForm& form) {
    const double keys_width = form.key_heads * form.head_dim;
    net.adapt(form.rank);
    Map q = net.linear(x, form.width, false);
    Map k = net.linear(x, keys_width, false);
    const Map v = net.linear(x, keys_width, false);
    net.adapt(0);
    Map out;
    if (form.linear) {
        // Keys x values first: a small square a head, then queries times that. Each goes to fp32,
        // the values get a row of ones, and autocast brings back what the products read and keep
        // (diffusers attention_processor.py, SanaLinearAttnProcessor2_0); the sum is divided at the
        // end.
        q = net.chain(net.activation(q, relu), 6, 2, 1);
        k = net.chain(net.activation(k, relu), 6, 2, 1);
        const Map values = net.chain(v, 10, 3, 1);
        out = net.attention(q, form.width, form.heads, form.head_dim, 1, {k, values});
        out = net.chain(out, 5, 2);
    } else {
        net.parameters("norm of q and k", 2 * form.head_dim);
        q = rotate(net, head_norm(net, q, HeadNorm::diffusers));
        k = rotate(net, head_norm(net, k, HeadNorm::diffusers));
        out = net.attention(q, form.width, form.heads, x.positions());
    }
    if (!form.linear) {
        net.keep(v);
    }
    net.adapt(form.rank);
    const Map result = net.linear(out, form.width, false);
    net.adapt(0);
    return result;
}

Map feed_forward(NetworkBuilder& net, const Map& x, const StreamForm& form,
                 const LatentShape& latent) {
    if (form.convolves) {
        const double height = std::max(1.0, latent.height);
        const Map grid =
            NetworkBuilder::viewed(x, x.channels, height, std::max(1.0, x.positions() / height));
        Map y =
            net.activation(net.convolution(grid, 2 * form.ffn, Window::square(1), 1, true), smooth);
        y = net.convolution(y, 2 * form.ffn, Window::square(3), 2 * form.ffn, true);
        const Map half = NetworkBuilder::viewed(y, form.ffn, y.height, y.width);
        y = net.multiply(net.activation(half, smooth), half);
        y = net.convolution(y, form.width, Window::square(1), 1, false);
        return NetworkBuilder::viewed(y, form.width, 1, x.positions());
    }
    Map y = net.activation(net.linear(x, form.ffn, false), smooth);
    if (form.gated) {
        y = net.multiply(y, net.linear(x, form.ffn, false));
    }
    return net.linear(y, form.width, false);
}

Map stream_block(NetworkBuilder& net, const Map& in, const StreamForm& form,
                 const LatentShape& latent) {
    add_factors(net, form);
    const Map first = modulate(net, net.rms_norm(in));
    Map x = net.add(modulate(net, self_attention(net, first, form)), in);
    if (form.cross > 0) {
        const Map text = net.made(form.cross, 1, 1, form.cross_tokens);
        x = net.add(attend(net, modulate(net, net.rms_norm(x)), text,
                           {.width = form.width, .heads = form.heads, .out_bias = false}),
                    x);
    }
    const Map y = feed_forward(net, modulate(net, net.rms_norm(x)), form, latent);
    return net.add(modulate(net, y), x);
}

}  // namespace

void list_single_stream(NetworkBuilder& net, const NetworkSizes& sizes, const LatentShape& latent) {
    StreamForm form = form_of(sizes, latent);
    const double patch = sizes.number("patch_size", 2);
    const double rows = std::max(1.0, std::floor(latent.height / patch));
    const double tokens =
        std::max(1.0, latent.frames) * rows * std::max(1.0, std::floor(latent.width / patch));
    const double text_width = sizes.number("text_dim", 2304);
    net.block("embedding");
    Map x = net.linear(net.input(sizes.number("in_channels", 16) * patch * patch, 1, tokens),
                       form.width);
    net.linear(net.activation(net.linear(net.made(256, 1, 1, 1), form.factor_width), smooth),
               form.factor_width);
    if (form.linear) {
        // One table of factors for all blocks, and the text brought to their width (Sana).
        net.linear(net.activation(net.made(form.width, 1, 1, 1), smooth), 6 * form.width);
        const Map caption = net.linear(net.input(text_width, 1, latent.text_tokens), form.cross);
        net.linear(net.activation(caption, smooth), form.cross);
    }
    const bool joins = form.cross <= 0;  // text runs in the same stream
    if (joins) {
        const int refiners = sizes.whole("num_refiner_layers", 2);
        Map text =
            net.linear(net.rms_norm(net.input(text_width, 1, latent.text_tokens)), form.width);
        net.block("text refiner");
        StreamForm plain = form;
        plain.factor_maps = 0;
        stream_block(net, text, plain, latent);
        net.repeat(refiners);
        net.block("image refiner");
        stream_block(net, x, form, latent);
        net.repeat(refiners);
        net.block("block");
        x = net.copied(x, form.width, 1, tokens + latent.text_tokens);
    } else {
        net.block("block");
    }
    LatentShape grid = latent;
    grid.height = rows;
    x = stream_block(net, x, form, grid);
    net.repeat(sizes.whole("num_layers", 26));
    net.block("head");
    net.linear(
        modulate(net, net.layer_norm(NetworkBuilder::viewed(x, form.width, 1, tokens), false)),
        patch * patch * sizes.number("out_channels", 16));
}

}  // namespace ridgeline
