// Text encoders of diffusion pipelines: CLIP, T5 and UMT5, and language models that are read at
// their last layer (Gemma 2, Qwen 3; huggingface/transformers).
#include "estimate/families/diffusion/networks.h"

namespace ridgeline {

void list_text_encoder(NetworkBuilder& net, const TextEncoderShape& shape) {
    const double head_dim = shape.head_dim > 0 ? shape.head_dim : shape.hidden / shape.heads;
    const double key_heads = shape.key_heads > 0 ? shape.key_heads : shape.heads;
    net.block("table");
    Map x = net.embedding(shape.vocabulary, shape.hidden, shape.tokens);
    if (!shape.gated) {
        net.parameters("positions", shape.hidden * shape.tokens);
    }
    net.block("layer");
    const bool after = shape.norms > 2;  // Gemma 2 norms what a layer reads and what it adds
    const Map normed = shape.gated ? net.rms_norm(x) : net.layer_norm(x);
    Map y = attend(net, normed, normed,
                   {.width = shape.heads * head_dim,
                    .heads = shape.heads,
                    .key_width = key_heads * head_dim,
                    .bias = !shape.gated,
                    .out_bias = !shape.gated,
                    .head_norm = shape.head_norm ? head_dim : 0});
    x = net.add(after ? net.rms_norm(y) : y, x);
    y = shape.gated ? net.rms_norm(x) : net.layer_norm(x);
    if (shape.gated) {
        const Map gate = net.activation(net.linear(y, shape.ffn, false), ActivationKind::smooth);
        y = net.linear(net.multiply(gate, net.linear(y, shape.ffn, false)), shape.hidden, false);
    } else {
        y = net.linear(net.activation(net.linear(y, shape.ffn), ActivationKind::smooth),
                       shape.hidden);
    }
    x = net.add(after ? net.rms_norm(y) : y, x);
    net.repeat(static_cast<int>(shape.layers));
    net.block("head");
    if (shape.gated) {
        net.rms_norm(x);
        net.parameters("relative positions", 32 * shape.heads * shape.position_tables);
    } else {
        net.layer_norm(x);
    }
}

}  // namespace ridgeline
