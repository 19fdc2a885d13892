// FastPitch 1.1: speech that is made all at once. Blocks of attention and 1-D convolutions run over
// characters, then over frames; an aligner finds which frames belong to a character.
#include "estimate/families/recurrent/networks.h"

namespace ridgeline {
namespace {

using enum ActivationKind;

constexpr double kernel = 3;  // of every convolution over positions

/// What lies behind the end of a sentence is set to zero.
Map masked(NetworkBuilder& net, const Map& in) { return net.pointwise(in, 1, 0, "mask"); }

/// Attention and two convolutions; sums are normed after (fastpitch/transformer.py).
Map transformer_block(NetworkBuilder& net, const Map& in, const NetworkSizes& sizes) {
    const double heads = sizes.number("num_attention_heads", 1);
    const double width = heads * sizes.number("attention_head_dim", 64);
    const double steps = in.positions();
    const Map mixed = net.linear(in, 3 * width);
    const Map q = net.copied(mixed, width, 1, steps);
    const Map k = net.copied(mixed, width, 1, steps);
    const Map v = net.copied(mixed, width, 1, steps);
    net.dropout(net.made(heads * steps, 1, 1, steps));  // of the weights
    Map x = net.attention(q, width, heads, steps, 1, {k, v}, false);
    x = net.dropout(net.linear(net.copied(x, width, 1, steps), in.channels, false));
    const Map attended = masked(net, net.layer_norm(net.add(x, in)));
    const double wide = sizes.number("conv_filter_size", 1536);
    x = net.activation(net.convolution(attended, wide, Window::line(kernel), 1, true), relu);
    x = net.dropout(net.convolution(x, in.channels, Window::line(kernel), 1, true));
    return masked(net, net.layer_norm(net.add(x, attended)));
}

/// One number a character: duration, pitch or energy.
void predict(NetworkBuilder& net, const Map& in, double width) {
    Map x = masked(net, in);
    for (int i = 0; i < 2; ++i) {
        x = net.activation(net.convolution(x, width, Window::line(kernel), 1, true), relu);
        x = net.dropout(net.layer_norm(x));
    }
    net.linear(x, 1);
}

/// Distances of every frame from every character: a map of all pairs and channels is subtracted,
/// squared (in fp32 under autocast), scaled and summed over the channels.
void distances(NetworkBuilder& net, double channels, double characters, double frames) {
    const PassContext& context = net.context();
    const double pairs = channels * characters * frames;
    const double cast = context.norm_bytes > context.bytes ? context.norm_bytes + context.bytes : 0;
    Operator& op = net.add_operator("distances", Role::other, OperatorClass::streaming);
    op.forward_traffic =
        Bytes::of_base(pairs * context.samples * (context.bytes + cast + 5 * context.norm_bytes));
    op.backward_traffic = Bytes::of_base(pairs * context.samples *
                                         (4 * context.norm_bytes + cast + 2 * context.bytes));
    op.forward_kernels = 4;
    op.backward_kernels = 5;
    net.keep_bytes(pairs * context.norm_bytes);
}

/// Projections of text and spectrogram, their distances, and a loss that sums over all alignments
/// (fastpitch/attn_loss_function.py: padded, masked, normed, then one call of CTC for the batch).
void list_aligner(NetworkBuilder& net, const NetworkSizes& sizes, const Map& text, double frames) {
    const double mels = sizes.number("mel_channels", 80);
    const double characters = text.positions();
    Map key = net.activation(
        net.convolution(text, 2 * text.channels, Window::line(kernel), 1, true), relu);
    net.convolution(key, mels, Window::line(1), 1, true);
    Map query =
        net.convolution(net.input(mels, 1, frames), 2 * mels, Window::line(kernel), 1, true);
    query = net.activation(query, relu);
    query = net.activation(net.convolution(query, mels, Window::line(1), 1, true), relu);
    net.convolution(query, mels, Window::line(1), 1, true);
    net.parameters("projection of the distances", mels + 1);
    distances(net, mels, characters, frames);
    net.pointwise(net.made(1, 1, characters, frames), 6, 3, "alignment");
    if (!net.context().training) {
        return;
    }
    Operator& loss =
        net.add_operator("loss of the alignment", Role::loss, OperatorClass::streaming);
    constexpr double passes = 6;
    loss.forward_traffic = loss.backward_traffic =
        Bytes::of_base(passes * characters * frames * 4 * net.context().samples);
    loss.forward_kernels = loss.backward_kernels = passes;
}

}  // namespace

void list_parallel_synthesis(NetworkBuilder& net, const FamilyInput& input) {
    const NetworkSizes& sizes = input.sizes;
    const Batch& batch = input.workload.batch;
    const double width = sizes.number("hidden_size", 384);
    const int layers = sizes.whole("num_layers", 6);
    // A batch lasts as long as its longest sentence: of LJSpeech 6.6 s on average, 10.1 at most.
    const double longest = net.context().samples > 8 ? 870 : 560;
    const double frames = batch.decoder_steps > 0   ? batch.decoder_steps
                          : batch.audio_seconds > 0 ? batch.audio_seconds * 22050 / 256
                                                    : longest;
    const double characters = batch.encoder_steps > 0 ? batch.encoder_steps : frames / 5.6;
    net.block("characters");
    Map x = net.pointwise(net.embedding(sizes.number("vocab_size", 148), width, characters), 2, 0,
                          "positions");
    const Map letters = x;
    net.block("encoder block");
    x = transformer_block(net, x, sizes);
    net.repeat(layers);
    net.block("predictors");
    const double filter = sizes.number("predictor_filter_size", 256);
    predict(net, x, filter);
    const int added = sizes.flag("energy_conditioning", true) ? 2 : 1;  // pitch, energy
    for (int i = 0; i < added; ++i) {
        predict(net, x, filter);
        const Map row = net.input(1, 1, characters);
        x = net.add(net.convolution(row, width, Window::line(kernel), 1, true), x);
    }
    if (input.training()) {
        net.block("aligner");
        list_aligner(net, sizes, letters, frames);
    }
    net.block("frames");
    x = net.pointwise(net.copied(x, width, 1, frames), 2, 0, "positions");
    net.block("decoder block");
    x = transformer_block(net, x, sizes);
    net.repeat(layers);
    net.block("spectrogram");
    net.linear(x, sizes.number("mel_channels", 80));
}

}  // namespace ridgeline
