// What HunyuanVideo 1.5 reads beside the tokens of its language model: glyphs and image features
// (huggingface/diffusers transformer_hunyuan_video15.py).
#include "estimate/families/diffusion/networks.h"

namespace ridgeline {

using enum ActivationKind;

double added_conditions(NetworkBuilder& net, const NetworkSizes& sizes, double width) {
    const double glyphs = sizes.number("text_2_tokens", 0);
    const double images = sizes.number("image_tokens", 0);
    if (glyphs + images <= 0) {
        return 0;
    }
    net.block("conditions");
    if (glyphs > 0) {
        const double hidden = sizes.number("text_2_hidden", 2048);
        Map x = net.layer_norm(net.input(sizes.number("text_embed_2_dim", 1472), 1, glyphs));
        x = net.activation(net.linear(x, hidden), smooth);
        x = net.activation(net.linear(x, hidden), smooth);
        net.linear(x, width);
    }
    if (images > 0) {
        const double features = sizes.number("image_embed_dim", 1152);
        const Map x = net.layer_norm(net.input(features, 1, images));
        net.layer_norm(net.linear(net.activation(net.linear(x, features), smooth), width));
    }
    constexpr double kinds = 3;  // a row is added to the tokens of each kind
    net.parameters("kinds of tokens", kinds * width);
    return glyphs + images;
}

}  // namespace ridgeline
