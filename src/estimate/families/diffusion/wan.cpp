// Wan: norms and gates in fp32 within a denoiser of 16 bits.
#include "estimate/families/diffusion/networks.h"

namespace ridgeline {
namespace {

using enum ActivationKind;

/// Kernels of fp32 between two casts.
constexpr double scaled_and_shifted = 2;
constexpr double times_gate = 1;

/// What Wan computes in fp32 around a norm or a gate, kernel by kernel: the map is cast, run
/// through `kernels` kernels that read and write it, and cast back (diffusers transformer_wan.py,
/// WanTransformerBlock; Wan-Video/Wan2.1 model.py does the same under autocast to fp32).
Map full_width(NetworkBuilder& net, const Map& x, double kernels) {
    constexpr double wide = 4;
    const double bytes = x.wide ? wide : net.context().bytes;
    // A cast reads one type and writes the other; the norm or the sum beside it is wide as well.
    const double casts = bytes < wide ? 2 * (bytes + wide) + 2 * (wide - bytes) : 0;
    const double passes = (2 * wide * kernels + casts) / bytes;
    // As of `modulate`: a factor that trains needs what it scales.
    const double kept = net.trains() && kernels > 0 ? wide / net.context().bytes : 0;
    return passes > 0 ? net.chain(x, passes, kernels + (casts > 0 ? 2 : 0), kept) : x;
}

}  // namespace

void list_wan(NetworkBuilder& net, const NetworkSizes& sizes, const LatentShape& latent) {
    const double heads = sizes.number("num_attention_heads", 12);
    const double width = heads * sizes.number("attention_head_dim", 128);
    const double image_text = sizes.number("image_dim", 0);
    const AttentionForm form{.width = width,
                             .heads = heads,
                             .bias = true,
                             .head_norm = width,
                             .rotary = true,
                             .rank = latent.rank};
    net.block("embedding");
    Map x = patches(net, 4 * sizes.number("in_channels", 16), width, patch_tokens(latent, 2));
    embed_row(net, sizes.number("freq_dim", 256), width);
    factors(net, width, 6 * width);
    Map text = net.input(sizes.number("text_dim", 4096), 1, latent.text_tokens);
    text = net.linear(net.activation(net.linear(text, width), smooth), width);
    if (image_text > 0) {
        // Features of the first frame: 257 positions of the image encoder.
        Map image = net.layer_norm(net.input(image_text, 1, 257));
        image = net.linear(net.activation(net.linear(image, image_text), smooth), width);
        net.layer_norm(image);
    }
    net.block("block");
    net.parameters("scale and shift", 6 * width);
    Map y = full_width(net, net.layer_norm(x, false), scaled_and_shifted);
    y = attend(net, y, y, form);
    x = net.add(full_width(net, y, times_gate), x);
    AttentionForm cross = form;
    cross.rotary = false;
    const bool norms_cross = sizes.flag("cross_attn_norm", true);
    const Map normed = norms_cross ? full_width(net, net.layer_norm(x), 0) : x;
    x = net.add(attend(net, normed, text, cross), x);
    if (image_text > 0) {
        const Map image = net.made(width, 1, 1, 257);
        net.linear(image, width);
        net.linear(image, width);
        net.parameters("norm of added keys", width);
        net.attention(x, width, heads, 257);
    }
    y = full_width(net, net.layer_norm(x, false), scaled_and_shifted);
    y = feed_forward(net, y, sizes.number("ffn_dim", 8960));
    x = net.add(full_width(net, y, times_gate), x);
    net.repeat(sizes.whole("num_layers", 30));
    net.block("head");
    net.parameters("scale and shift", 2 * width);
    net.linear(modulate(net, net.layer_norm(x, false)), 4 * sizes.number("out_channels", 16));
}

}  // namespace ridgeline
