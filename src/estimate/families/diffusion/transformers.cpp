// Diffusion transformers: SD3 and FLUX (two streams, one attention), Qwen-Image, HunyuanVideo,
// PixArt.
#include "estimate/families/diffusion/networks.h"

#include <algorithm>
#include <cmath>

namespace ridgeline {
namespace {

using enum ActivationKind;

constexpr double time_features = 256;

/// Norm with shift and scale, layer, gate and addition.
Map gated_feed_forward(NetworkBuilder& net, const Map& x, double wide) {
    const Map y = feed_forward(net, modulate(net, net.layer_norm(x, false)), wide);
    return net.add(modulate(net, y), x);
}

struct Streams {
    Map image;
    Map text;
};

struct JointForm {
    double width = 3072;
    double heads = 24;
    double head_dim = 128;
    double ffn = 12288;
    bool head_norm = false;
    HeadNorm norm = HeadNorm::diffusers;
    bool rotary = false;
    bool text_ends = false;  ///< the last block of SD3: the text stream goes no further
    bool twice = false;      ///< the image attends to itself once more (SD3.5 medium, first blocks)
    double rank = 0;
};

struct Projected {
    Map q, k, v;
};

/// Queries of x, keys and values of `source`, which the attention keeps.
Projected projected(NetworkBuilder& net, const Map& x, const Map& source,
                    const AttentionForm& form) {
    net.adapt(form.rank);
    Map q = net.linear(x, form.width, form.bias);
    const double keys = form.key_width > 0 ? form.key_width : form.width;
    Map k = net.linear(source, keys, form.bias);
    const Map v = net.linear(source, keys, form.bias);
    net.adapt(0);
    if (form.head_norm > 0) {
        net.parameters("norm of q and k", 2 * form.head_norm);
        q = head_norm(net, q, form.norm);
        k = head_norm(net, k, form.norm);
    }
    if (form.rotary) {
        q = rotate(net, q);
        k = rotate(net, k);
    }
    net.keep(q);
    net.keep(k);
    net.keep(v);
    return {q, k, v};
}

/// The same of one stream of a joint attention; its queries.
Map projected(NetworkBuilder& net, const Map& x, const JointForm& form) {
    return projected(net, x, x,
                     {.width = form.width,
                      .bias = true,
                      .head_norm = form.head_norm ? form.head_dim : 0,
                      .norm = form.norm,
                      .rotary = form.rotary,
                      .rank = form.rank})
        .q;
}

/// A block of two streams with weights of their own that attend to one another.
Streams joint_block(NetworkBuilder& net, const Streams& in, const JointForm& form) {
    factors(net, form.width, (form.twice ? 9 : 6) * form.width);
    factors(net, form.width, (form.text_ends ? 2 : 6) * form.width);
    const Map normed = net.layer_norm(in.image, false);
    const Map again = form.twice ? modulate(net, normed) : normed;
    projected(net, modulate(net, normed), form);
    projected(net, modulate(net, net.layer_norm(in.text, false)), form);
    const double tokens = in.image.width + in.text.width;
    // Queries, keys and values of both streams are joined, each in a copy.
    const Map all = net.chain(net.copied(in.image, form.width, 1, tokens), 4, 2);
    const Map out = net.attention(all, form.width, form.heads, tokens);
    net.adapt(form.rank);
    const Map image =
        net.linear(NetworkBuilder::viewed(out, form.width, 1, in.image.width), form.width);
    net.adapt(0);
    Streams result;
    result.image = net.add(modulate(net, image), in.image);
    if (form.twice) {
        const Map own = attend(net, again, again,
                               {.width = form.width,
                                .heads = form.heads,
                                .bias = true,
                                .head_norm = form.head_norm ? form.head_dim : 0,
                                .norm = form.norm,
                                .rank = form.rank});
        result.image = net.add(modulate(net, own), result.image);
    }
    result.image = gated_feed_forward(net, result.image, form.ffn);
    result.text = in.text;
    if (!form.text_ends) {
        net.adapt(form.rank);
        const Map text =
            net.linear(NetworkBuilder::viewed(out, form.width, 1, in.text.width), form.width);
        net.adapt(0);
        result.text = net.add(modulate(net, text), in.text);
        result.text = gated_feed_forward(net, result.text, form.ffn);
    }
    return result;
}

/// A block of one stream whose feed-forward part runs beside the attention (FLUX).
Map single_block(NetworkBuilder& net, const Map& in, const JointForm& form) {
    factors(net, form.width, 3 * form.width);
    const Map x = modulate(net, net.layer_norm(in, false));
    const Map wide = net.activation(net.linear(x, form.ffn), smooth);
    projected(net, x, form);
    const Map out = net.attention(x, form.width, form.heads, x.width);
    const Map joined = net.concatenate({out, wide});
    return net.add(modulate(net, net.linear(joined, form.width)), in);
}

JointForm joint_form(const NetworkSizes& sizes, const LatentShape& latent) {
    JointForm form;
    form.heads = sizes.number("num_attention_heads", 24);
    form.head_dim = sizes.number("attention_head_dim", sizes.number("head_dim", 128));
    form.width = form.heads * form.head_dim;
    form.ffn = 4 * form.width;
    form.rank = latent.rank;
    return form;
}

void close(NetworkBuilder& net, const Map& x, double out) {
    net.block("head");
    factors(net, x.channels, 2 * x.channels);
    net.linear(modulate(net, net.layer_norm(x, false)), out);
}

}  // namespace

void embed_row(NetworkBuilder& net, double in, double out) {
    net.linear(net.activation(net.linear(net.made(in, 1, 1, 1), out), smooth), out);
}

Map feed_forward(NetworkBuilder& net, const Map& in, double wide) {
    return net.linear(net.activation(net.linear(in, wide), smooth), in.channels);
}

void factors(NetworkBuilder& net, double in, double out) {
    net.linear(net.activation(net.made(in, 1, 1, 1), smooth), out);
}

Map patches(NetworkBuilder& net, double channels, double width, double tokens) {
    return net.linear(net.input(channels, 1, tokens), width);
}

double patch_tokens(const LatentShape& latent, double patch) {
    return std::max(1.0, latent.frames) * std::max(1.0, std::floor(latent.height / patch)) *
           std::max(1.0, std::floor(latent.width / patch));
}

Map modulate(NetworkBuilder& net, const Map& x) {
    constexpr double passes = 3;  // shift and scale are two kernels of two, a gate is one
    // A product keeps a factor for the gradient of the other one: the map where the factors train.
    return net.chain(x, passes, 1.5, net.trains() ? 1 : 0);
}

Map head_norm(NetworkBuilder& net, const Map& x, HeadNorm norm) {
    // To fp32, squared, averaged, scaled, cast back, times the weight: 32 bytes of an element.
    constexpr double passes = 32;
    const double bytes = net.context().bytes;
    const double kept = norm == HeadNorm::diffusers && bytes < 4 ? 4 + bytes : 4;
    return net.chain(x, passes / bytes, 6, kept / bytes);
}

Map rotate(NetworkBuilder& net, const Map& x) {
    // To fp32, halves turned into a new map, two products, their sum, cast back: 48 bytes.
    constexpr double passes = 48;
    return net.chain(x, passes / net.context().bytes, 7);
}

Map attend(NetworkBuilder& net, const Map& x, const Map& source, const AttentionForm& form) {
    const auto [q, k, v] = projected(net, x, source, form);
    const Map out = net.attention(q, form.width, form.heads, source.positions(), 1, {k, v});
    net.adapt(form.rank);
    const Map result = net.linear(out, x.channels, form.out_bias);
    net.adapt(0);
    return result;
}

void list_flux(NetworkBuilder& net, const NetworkSizes& sizes, const LatentShape& latent) {
    JointForm form = joint_form(sizes, latent);
    form.head_norm = form.rotary = true;
    form.norm = HeadNorm::torch;
    const double channels = sizes.number("in_channels", 64);
    net.block("embedding");
    Streams x{.image = patches(net, channels, form.width, patch_tokens(latent, 2)),
              .text = patches(net, sizes.number("joint_attention_dim", 4096), form.width,
                              latent.text_tokens)};
    embed_row(net, time_features, form.width);
    if (sizes.flag("guidance_embeds")) {
        embed_row(net, time_features, form.width);
    }
    embed_row(net, sizes.number("pooled_projection_dim", 768), form.width);
    net.block("double block");
    x = joint_block(net, x, form);
    net.repeat(sizes.whole("num_layers", 19));
    net.block("joined streams");
    const Map all = net.copied(x.image, form.width, 1, x.image.width + x.text.width);
    net.block("single block");
    const Map y = single_block(net, all, form);
    net.repeat(sizes.whole("num_single_layers", 38));
    close(net, NetworkBuilder::viewed(y, form.width, 1, x.image.width), channels);
}

void list_sd3(NetworkBuilder& net, const NetworkSizes& sizes, const LatentShape& latent) {
    JointForm form = joint_form(sizes, latent);
    form.head_norm = sizes.flag("qk_norm");
    const double patch = sizes.number("patch_size", 2);
    const double channels = sizes.number("in_channels", 16);
    net.block("embedding");
    Streams x{
        .image = patches(net, channels * patch * patch, form.width, patch_tokens(latent, patch)),
        .text = patches(net, sizes.number("joint_attention_dim", 4096), form.width,
                        latent.text_tokens)};
    embed_row(net, time_features, form.width);
    embed_row(net, sizes.number("pooled_projection_dim", 2048), form.width);
    const int twice = sizes.whole("dual_attention_layers", 0);
    if (twice > 0) {
        net.block("joint block, image twice");
        form.twice = true;
        x = joint_block(net, x, form);
        net.repeat(twice);
        form.twice = false;
    }
    net.block("joint block");
    x = joint_block(net, x, form);
    net.repeat(sizes.whole("num_layers", 24) - twice - 1);
    net.block("last joint block");
    form.text_ends = true;
    x = joint_block(net, x, form);
    close(net, x.image, patch * patch * sizes.number("out_channels", channels));
}

void list_qwen_image(NetworkBuilder& net, const NetworkSizes& sizes, const LatentShape& latent) {
    JointForm form = joint_form(sizes, latent);
    form.head_norm = form.rotary = true;
    const double text = sizes.number("joint_attention_dim", 3584);
    const double channels = sizes.number("in_channels", 64);
    net.block("embedding");
    Streams x;
    x.image = patches(net, channels, form.width, patch_tokens(latent, 2));
    x.text = net.linear(net.rms_norm(net.input(text, 1, latent.text_tokens)), form.width);
    embed_row(net, time_features, form.width);
    net.block("joint block");
    x = joint_block(net, x, form);
    net.repeat(sizes.whole("num_layers", 60));
    close(net, x.image, 4 * sizes.number("out_channels", 16));
}

void list_hunyuan_video(NetworkBuilder& net, const NetworkSizes& sizes, const LatentShape& latent) {
    JointForm form = joint_form(sizes, latent);
    form.head_norm = form.rotary = true;
    const double text = sizes.number("text_embed_dim", 4096);
    const double patch = sizes.number("patch_size", 2);
    net.block("embedding");
    Streams x;
    x.image = patches(net, patch * patch * sizes.number("in_channels", 16), form.width,
                      patch_tokens(latent, patch));
    embed_row(net, time_features, form.width);
    if (sizes.flag("guidance_embeds")) {
        embed_row(net, time_features, form.width);
    }
    if (const double pooled = sizes.number("pooled_projection_dim", 768); pooled > 0) {
        embed_row(net, pooled, form.width);
    }
    net.block("text refiner");
    embed_row(net, time_features, form.width);
    embed_row(net, text, form.width);
    x.text = patches(net, text, form.width, latent.text_tokens);
    net.block("text refiner block");
    Map t = net.layer_norm(x.text);
    t = attend(net, t, t, {.width = form.width, .heads = form.heads, .bias = true});
    t = net.add(t, x.text);
    x.text = net.add(feed_forward(net, net.layer_norm(t), form.ffn), t);
    factors(net, form.width, 2 * form.width);
    net.repeat(sizes.whole("num_refiner_layers", 2));
    if (const double more = added_conditions(net, sizes, form.width); more > 0) {
        x.text = net.copied(x.text, form.width, 1, x.text.width + more);
    }
    net.block("double block");
    x = joint_block(net, x, form);
    net.repeat(sizes.whole("num_layers", 20));
    Map y = x.image;
    if (const int single = sizes.whole("num_single_layers", 40); single > 0) {
        net.block("joined streams");
        const Map all = net.copied(x.image, form.width, 1, x.image.width + x.text.width);
        net.block("single block");
        y = single_block(net, all, form);
        net.repeat(single);
    }
    close(net, NetworkBuilder::viewed(y, form.width, 1, x.image.width),
          patch * patch * sizes.number("out_channels", 16));
}

void list_pixart(NetworkBuilder& net, const NetworkSizes& sizes, const LatentShape& latent) {
    const double heads = sizes.number("num_attention_heads", 16);
    const double width = heads * sizes.number("attention_head_dim", 72);
    const AttentionForm form{.width = width, .heads = heads, .bias = true, .rank = latent.rank};
    net.block("embedding");
    Map x = patches(net, 4 * sizes.number("in_channels", 4), width, patch_tokens(latent, 2));
    embed_row(net, time_features, width);
    factors(net, width, 6 * width);
    Map text = net.input(sizes.number("caption_channels", 4096), 1, latent.text_tokens);
    text = net.linear(net.activation(net.linear(text, width), smooth), width);
    net.block("block");
    net.parameters("scale and shift", 6 * width);
    const Map y = modulate(net, net.layer_norm(x, false));
    x = net.add(modulate(net, attend(net, y, y, form)), x);
    x = net.add(attend(net, x, text, form), x);
    x = gated_feed_forward(net, x, 4 * width);
    net.repeat(sizes.whole("num_layers", 28));
    net.block("head");
    net.parameters("scale and shift", 2 * width);
    net.linear(modulate(net, net.layer_norm(x, false)), 4 * sizes.number("out_channels", 8));
}

}  // namespace ridgeline
