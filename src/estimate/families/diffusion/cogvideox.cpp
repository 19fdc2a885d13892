// CogVideoX: text and clip in one stream; version 1.5 joins two latent frames, ConsisID attends to
// a face (huggingface/diffusers cogvideox_transformer_3d.py and consisid_transformer_3d.py).
#include "estimate/families/diffusion/networks.h"

#include <algorithm>
#include <cmath>

namespace ridgeline {
namespace {

using enum ActivationKind;

/// Attention of `queries` over other positions without biases; both sides are normed before
/// (PerceiverAttention).
Map perceive(NetworkBuilder& net, const Map& queries, const Map& source, double heads,
             double head_dim) {
    return attend(net, net.layer_norm(queries), net.layer_norm(source),
                  {.width = heads * head_dim, .heads = heads, .out_bias = false});
}

/// Three products with norms and activations between.
Map mapped(NetworkBuilder& net, const Map& in, double width, double out) {
    Map x = net.activation(net.layer_norm(net.linear(in, width)), smooth);
    x = net.activation(net.layer_norm(net.linear(x, width)), smooth);
    return net.linear(x, out);
}

/// Tokens of a face from the features of two encoders.
void list_face_features(NetworkBuilder& net, const NetworkSizes& sizes) {
    const double width = sizes.number("LFE_vit_dim", 1024);
    const double queries = sizes.number("LFE_num_querie", 32);
    const double faces = sizes.number("LFE_num_id_token", 5);
    const double heads = sizes.number("LFE_num_heads", 16);
    const double positions = sizes.number("face_tokens", 577);
    const int scales = sizes.whole("LFE_num_scale", 5);
    net.block("face embedding");
    net.parameters("queries", queries * width);
    mapped(net, net.input(sizes.number("LFE_id_dim", 1280), 1, 1), width, faces * width);
    net.block("face features");
    mapped(net, net.input(width, 1, positions), width, width);
    net.repeat(scales);
    net.block("face layer");
    Map x = net.made(width, 1, 1, queries + faces);
    const Map source = net.made(width, 1, 1, positions + 2 * faces + queries);
    x = net.add(perceive(net, x, source, heads, width / heads), x);
    const Map wide = net.activation(
        net.linear(net.layer_norm(x), sizes.number("LFE_ff_mult", 4) * width, false), smooth);
    x = net.add(net.linear(wide, width, false), x);
    net.repeat(sizes.whole("LFE_depth", 10));
    net.block("face projection");
    net.linear(NetworkBuilder::viewed(x, width, 1, queries), sizes.number("LFE_output_dim", 2048),
               false);
}

/// The attention of a clip's tokens over those of the face.
void list_face_attention(NetworkBuilder& net, const NetworkSizes& sizes, const Map& image) {
    const Map face =
        net.made(sizes.number("LFE_output_dim", 2048), 1, 1, sizes.number("LFE_num_querie", 32));
    const Map y = perceive(net, image, face, sizes.number("cross_attn_num_heads", 16),
                           sizes.number("cross_attn_dim_head", 128));
    net.add(y, image);
}

}  // namespace

void list_cogvideox(NetworkBuilder& net, const NetworkSizes& sizes, const LatentShape& latent) {
    const double heads = sizes.number("num_attention_heads", 30);
    const double head_dim = sizes.number("attention_head_dim", 64);
    const double width = heads * head_dim;
    const double time = sizes.number("time_embed_dim", 512);
    // CogVideoX 1.5 joins two latent frames; one that has no partner is doubled.
    const double joined_frames = sizes.number("patch_size_t", 1);
    LatentShape grid = latent;
    grid.frames = std::ceil(latent.frames / joined_frames);
    const double patch = 4 * joined_frames;
    net.block("embedding");
    const Map image =
        patches(net, patch * sizes.number("in_channels", 16), width, patch_tokens(grid, 2));
    const bool face = sizes.number("cross_attn_num_heads", 0) > 0;
    if (face) {
        list_face_features(net, sizes);
    }
    patches(net, sizes.number("text_embed_dim", 4096), width, latent.text_tokens);
    net.linear(net.activation(net.linear(net.made(width, 1, 1, 1), time), smooth), time);
    Map x = net.copied(image, width, 1, image.width + latent.text_tokens);
    net.block("block");
    factors(net, time, 6 * width);
    Map y = modulate(net, net.layer_norm(x));
    y = attend(net, y, y,
               {.width = width,
                .heads = heads,
                .bias = sizes.flag("attention_bias", true),
                .head_norm = 2 * head_dim,
                .rotary = sizes.flag("use_rotary_positional_embeddings"),
                .rank = latent.rank});
    x = net.add(modulate(net, y), x);
    factors(net, time, 6 * width);
    y = net.linear(modulate(net, net.layer_norm(x)), 4 * width);
    y = net.linear(net.activation(y, smooth), width);
    x = net.add(modulate(net, y), x);
    net.repeat(sizes.whole("num_layers", 30));
    if (face) {
        net.block("face attention");
        list_face_attention(net, sizes, NetworkBuilder::viewed(x, width, 1, image.width));
        net.repeat(sizes.whole("num_layers", 30) /
                   std::max(1, sizes.whole("cross_attn_interval", 2)));
    }
    net.block("head");
    x = net.layer_norm(x);
    factors(net, time, 2 * width);
    net.linear(modulate(net, net.layer_norm(NetworkBuilder::viewed(x, width, 1, image.width))),
               patch * sizes.number("out_channels", 16));
}

}  // namespace ridgeline
