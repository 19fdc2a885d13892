// FLUX.2: two streams, then one, without biases; all blocks of a kind share the factors of their
// norms (huggingface/diffusers transformer_flux2.py).
#include "estimate/families/diffusion/networks.h"

namespace ridgeline {
namespace {

using enum ActivationKind;

struct SharedForm {
    double width = 6144;
    double heads = 48;
    double head_dim = 128;
    double ffn = 18432;
    double rank = 0;
};

/// One half of a map gates the other.
Map gate_halves(NetworkBuilder& net, const Map& both, double width) {
    const Map half = NetworkBuilder::viewed(both, width, 1, both.positions());
    return net.multiply(net.activation(half, smooth), half);
}

/// Norms and turns of queries and keys; what the attention keeps.
void prepare_heads(NetworkBuilder& net, Map q, Map k, const Map& v, double head_dim) {
    net.parameters("norm of q and k", 2 * head_dim);
    q = rotate(net, head_norm(net, q, HeadNorm::torch));
    k = rotate(net, head_norm(net, k, HeadNorm::torch));
    net.keep(q);
    net.keep(k);
    net.keep(v);
}

void project(NetworkBuilder& net, const Map& in, const SharedForm& form) {
    const Map x = modulate(net, net.layer_norm(in, false));
    net.adapt(form.rank);
    const Map q = net.linear(x, form.width, false);
    const Map k = net.linear(x, form.width, false);
    const Map v = net.linear(x, form.width, false);
    net.adapt(0);
    prepare_heads(net, q, k, v, form.head_dim);
}

/// What a stream does after the attention of both.
Map finish_stream(NetworkBuilder& net, const Map& out, const Map& in, const SharedForm& form) {
    net.adapt(form.rank);
    Map y = net.linear(NetworkBuilder::viewed(out, form.width, 1, in.width), form.width, false);
    net.adapt(0);
    const Map x = net.add(modulate(net, y), in);
    y = net.linear(modulate(net, net.layer_norm(x, false)), 2 * form.ffn, false);
    y = net.linear(gate_halves(net, y, form.ffn), form.width, false);
    return net.add(modulate(net, y), x);
}

Map single_stream_block(NetworkBuilder& net, const Map& in, const SharedForm& form) {
    const Map x = modulate(net, net.layer_norm(in, false));
    net.adapt(form.rank);
    const Map all = net.linear(x, 3 * form.width + 2 * form.ffn, false);
    net.adapt(0);
    const Map head = NetworkBuilder::viewed(all, form.width, 1, x.width);
    prepare_heads(net, head, head, head, form.head_dim);
    const Map wide = gate_halves(net, all, form.ffn);
    const Map out = net.attention(head, form.width, form.heads, x.width);
    const Map joined = net.concatenate({out, wide});
    return net.add(modulate(net, net.linear(joined, form.width, false)), in);
}

void shared_factors(NetworkBuilder& net, double width, double maps) {
    net.linear(net.activation(net.made(width, 1, 1, 1), smooth), maps * width, false);
}

void embed(NetworkBuilder& net, double in, double out) {
    net.linear(net.activation(net.linear(net.made(in, 1, 1, 1), out, false), smooth), out, false);
}

}  // namespace

void list_flux2(NetworkBuilder& net, const NetworkSizes& sizes, const LatentShape& latent) {
    SharedForm form;
    form.heads = sizes.number("num_attention_heads", form.heads);
    form.head_dim = sizes.number("attention_head_dim", form.head_dim);
    form.width = form.heads * form.head_dim;
    form.ffn = sizes.number("mlp_ratio", 3) * form.width;
    form.rank = latent.rank;
    constexpr double time_features = 256;
    const double channels = sizes.number("in_channels", 128);
    net.block("embedding");
    Map image = net.linear(net.input(channels, 1, patch_tokens(latent, 2)), form.width, false);
    Map text =
        net.linear(net.input(sizes.number("joint_attention_dim", 15360), 1, latent.text_tokens),
                   form.width, false);
    embed(net, time_features, form.width);
    if (sizes.flag("guidance_embeds")) {
        embed(net, time_features, form.width);
    }
    constexpr double double_maps = 6;
    constexpr double single_maps = 3;
    shared_factors(net, form.width, double_maps);
    shared_factors(net, form.width, double_maps);
    shared_factors(net, form.width, single_maps);
    const double tokens = image.width + text.width;
    net.block("double block");
    project(net, image, form);
    project(net, text, form);
    const Map out =
        net.attention(net.copied(image, form.width, 1, tokens), form.width, form.heads, tokens);
    image = finish_stream(net, out, image, form);
    text = finish_stream(net, out, text, form);
    net.repeat(sizes.whole("num_layers", 8));
    net.block("joined streams");
    const Map all = net.copied(image, form.width, 1, tokens);
    net.block("single block");
    const Map y = single_stream_block(net, all, form);
    net.repeat(sizes.whole("num_single_layers", 48));
    net.block("head");
    shared_factors(net, form.width, 2);
    const Map last = NetworkBuilder::viewed(y, form.width, 1, image.width);
    net.linear(modulate(net, net.layer_norm(last, false)), channels, false);
}

}  // namespace ridgeline
