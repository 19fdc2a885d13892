// Recurrent layers (LSTM, GRU), translation with them (GNMT), RNN-T and Tacotron 2.
#include "estimate/families/families.h"
#include "estimate/families/recurrent/networks.h"
#include "estimate/families/small_functions.h"

#include <algorithm>
#include <cmath>

namespace ridgeline {
namespace {

using enum ActivationKind;

double gates_of(std::string_view cell) { return cell == "gru" ? 3 : cell == "rnn" ? 1 : 4; }

Map bidirectional(NetworkBuilder& net, const Map& in, double hidden, double gates) {
    const Map there = recurrent_layer(net, in, hidden, gates);
    const Map back = recurrent_layer(net, in, hidden, gates);
    return net.concatenate({there, back});
}

double stated_or(int stated, double usual) { return stated > 0 ? stated : usual; }

/// Additive attention of every decoder step over the encoder's states.
Map additive_attention(NetworkBuilder& net, const Map& queries, const Map& states, double width) {
    const Map keys = net.linear(states, width, false);
    net.linear(queries, width, false);
    net.parameters("attention vector", 2 * width + 1);
    const Map scores = net.made(width, 1, keys.width, queries.width);
    // Forward the sum is written, moved by a bias, bent and multiplied by a vector; back there are
    // the outer product, the tangent, and sums over both sides (seq2seq/models/attention.py).
    net.pointwise(scores, 6, 1, "scores");
    return net.made(states.channels, 1, 1, queries.width);
}

/// Label smoothing over a vocabulary: a softmax to fp32, a mean and a look-up of its logarithms;
/// back the gradients of both are written whole and added (NVIDIA/DeepLearningExamples
/// seq2seq/train/smoothing.py).
void smoothed_loss(NetworkBuilder& net, const Map& scores) {
    Operator& op = net.add_operator("loss", Role::loss, OperatorClass::streaming);
    const double elements = scores.elements() * net.context().samples;
    const double own = net.context().bytes;
    constexpr double wide = 4;
    op.forward_traffic = Bytes::of_base(elements * (3 * own + 2 * wide));
    op.backward_traffic = Bytes::of_base(elements * (8 * wide + own));
    op.forward_kernels = 3;
    op.backward_kernels = 5;
    net.keep_bytes(scores.elements() * wide);
}

/// Sentences of a batch are filled to the longest of a bucket of ten lengths (GNMT's --num-buckets
/// 5 of --max-length-train 50): five positions more than the mean sentence.
constexpr double filled_positions = 5;

/// Words that the longest sentence of a batch has, where the mean sentence has `mean`: lengths
/// spread by a half of their mean (newstest2014), and the largest of n of a normal spread lies
/// sqrt(2 ln n) - 0.6 deviations above it. Translation stops at 80 (translate.py --max-seq-len).
double longest_sentence(double mean, double sentences) {
    constexpr double spread = 0.5;
    constexpr double most = 80;
    const double above = std::sqrt(2 * std::log(std::max(1.0, sentences))) - 0.6;
    return std::min(std::max(most, mean), mean * (1 + spread * std::max(0.0, above)));
}

/// What translation adds to its layers: words follow one another in a loop of the framework until
/// the longest sentence ends. A step runs a cell a layer, the attention, the classifier and the
/// choice of words, over whose scores a softmax in fp32 and a selection pass three times each;
/// several hypotheses (`beams`) are sorted and their states picked. The words of each sentence
/// become text on the host.
void list_search(NetworkBuilder& net, double layers, double vocabulary, double steps,
                 double beams) {
    Operator& loop = net.add_operator("decoder loop", Role::other, OperatorClass::streaming);
    constexpr double passes = 6;
    constexpr double wide = 4;           // bytes
    constexpr double text_kernels = 10;  // launches in the time that a sentence takes
    const double samples = net.context().samples;
    loop.forward_traffic = Bytes::of_base(passes * wide * beams * vocabulary * samples * steps);
    loop.forward_kernels = 12.0 * layers * steps + text_kernels * samples;
    Operator& choice = net.add_operator(small_functions, Role::other, OperatorClass::streaming);
    choice.forward_kernels = (beams > 1 ? 80 : 40) * steps;
    choice.backward_kernels = 0;
}

/// GNMT, or a stack of layers between a table and a projection to the vocabulary.
void list_translation(NetworkBuilder& net, const FamilyInput& input) {
    const NetworkSizes& sizes = input.sizes;
    const Batch& batch = input.workload.batch;
    const std::string_view cell =
        sizes.word("cell").empty() ? sizes.word("family") : sizes.word("cell");
    const double gates = gates_of(cell);
    const double hidden = sizes.number("hidden_size", 1024);
    const double vocabulary = sizes.number("vocab_size", 0);
    const int layers = sizes.whole("encoder_layers",
                                   sizes.whole("num_encoder_layers", sizes.whole("num_layers", 1)));
    const int twofold =
        sizes.whole("encoder_bidirectional_layers", sizes.whole("bidirectional_layers", 0));
    const int decoder = sizes.whole("decoder_layers", sizes.whole("num_decoder_layers", 0));
    const bool fills = vocabulary > 0 && decoder > 0 && input.training();
    const double source = stated_or(
        batch.encoder_steps,
        stated_or(batch.sequence_length, usual_recurrent_steps + (fills ? filled_positions : 0)));
    const double target = stated_or(batch.decoder_steps, source);
    net.block("encoder");
    Map x = vocabulary > 0 ? net.embedding(vocabulary, sizes.number("input_size", hidden), source)
                           : net.input(sizes.number("input_size", hidden), 1, source);
    for (int i = 0; i < layers; ++i) {
        net.block("encoder layer");
        x = i < twofold ? bidirectional(net, x, hidden, gates)
                        : recurrent_layer(net, x, hidden, gates, 2, true,
                                          sizes.number("projection_size", 0));
        x = i + 1 < layers ? net.dropout(x) : x;
    }
    if (decoder > 0) {
        const Map states = x;
        net.block("decoder");
        if (!sizes.flag("share_embedding", true)) {
            net.parameters("embedding", vocabulary * hidden);
        }
        Map y = net.made(hidden, 1, 1, target);
        for (int i = 0; i < decoder; ++i) {
            net.block("decoder layer");
            if (i == 0) {
                y = recurrent_layer(net, y, hidden, gates);
                const Map context = additive_attention(net, y, states, hidden);
                y = net.concatenate({y, context});
            } else {
                y = recurrent_layer(net, y, hidden, gates);
                y = i + 1 < decoder ? net.concatenate({y, net.made(hidden, 1, 1, target)}) : y;
            }
        }
        x = y;
    }
    if (vocabulary > 0) {
        net.block("classifier");
        smoothed_loss(net, net.linear(x, vocabulary));
    }
    if (decoder > 0 && !input.training()) {
        constexpr double usual_beams = 5;  // translate.py --beam-size
        list_search(net, decoder, vocabulary, longest_sentence(target, net.context().samples),
                    batch.beam > 0 ? batch.beam : usual_beams);
    }
}

/// MLPerf's RNN-T: stacked LSTMs over frames, an LSTM over characters, and the joint of both.
void list_transducer(NetworkBuilder& net, const FamilyInput& input) {
    const NetworkSizes& sizes = input.sizes;
    const double seconds = input.workload.batch.audio_seconds > 0
                               ? input.workload.batch.audio_seconds
                               : sizes.number("audio_seconds", 12.3);
    const double encoder = sizes.number("encoder_hidden", 1024);
    const double predictor = sizes.number("predictor_hidden", 512);
    const double joint = sizes.number("joint_hidden", 512);
    const double labels = sizes.number("vocab_size", 1024);
    // Three frames of 10 ms are stacked; the encoder halves once more after two layers.
    const double frames = std::ceil(seconds * 100 / sizes.number("frame_stacking", 3));
    const double characters = std::ceil(seconds * sizes.number("labels_per_second", 4));
    net.block("encoder");
    Map x = net.input(sizes.number("in_features", 240), 1, frames);
    for (int i = 0; i < sizes.number("encoder_pre_layers", 2); ++i) {
        x = recurrent_layer(net, x, encoder, 4);
    }
    x = net.copied(x, 2 * encoder, 1, std::ceil(frames / 2));
    for (int i = 0; i < sizes.number("encoder_post_layers", 3); ++i) {
        x = recurrent_layer(net, x, encoder, 4);
    }
    const Map heard = net.linear(x, joint);
    net.block("predictor");
    Map y = net.embedding(labels - 1, predictor, characters + 1);
    for (int i = 0; i < sizes.number("predictor_layers", 2); ++i) {
        y = recurrent_layer(net, y, predictor, 4);
    }
    net.linear(y, joint);
    net.block("joint");
    // Every pair of frame and label; packed, so that no utterance is padded.
    Map pairs = net.made(joint, 1, characters + 1, heard.width);
    pairs = net.dropout(net.activation(pairs, relu));
    net.pointwise(net.linear(pairs, labels), 2, 1, "loss");
}

/// A cell of an LSTM that a loop of the framework calls once a step: the weights are read in every
/// step, and what each step adds to their gradient is written out, read and summed.
Map looped_cell(NetworkBuilder& net, const Map& in, double hidden) {
    Operator& op = net.add_operator("cell in a loop", Role::linear, OperatorClass::gemm);
    const double steps = in.positions();
    const double samples = net.context().samples;
    const double bytes = net.context().bytes;
    const double weights = 4 * hidden * (in.channels + hidden);
    const double moved = (in.channels + 9 * hidden) * samples;
    op.parameters = weights + 8 * hidden;
    op.forward = Flops::of_base(2 * weights * samples * steps);
    op.backward = op.forward * 2.0;
    op.forward_traffic = Bytes::of_base(steps * (weights + moved) * bytes);
    op.backward_traffic = Bytes::of_base(steps * (5 * weights + 2 * moved) * bytes);
    op.forward_kernels = op.backward_kernels = 1;  // the loop counts them
    net.keep_bytes((in.channels + 7 * hidden) * steps * bytes);
    return net.made(hidden, 1, 1, steps);
}

/// One step after another is taken out of a map: each writes a gradient of the whole map, zeros but
/// for the step (torch select_backward), which is added to that of the others.
void frame_by_frame(NetworkBuilder& net, const Map& map) {
    Operator& op = net.add_operator("frame by frame", Role::other, OperatorClass::streaming);
    constexpr double passes = 4;  // zeros; two read and one written to add them
    op.backward_traffic = Bytes::of_base(passes * map.elements() * map.positions() *
                                         net.context().samples * net.context().bytes);
    op.forward_kernels = 0;
}

/// The states of the encoder that each step of a decoder sums, weighted: a product of one row a
/// sample. Every step writes a gradient of all states, which is added to that of the others.
void looped_context(NetworkBuilder& net, const Map& states, double steps) {
    Operator& op = net.add_operator("context", Role::other, OperatorClass::streaming);
    const double read = states.elements() * net.context().samples * net.context().bytes * steps;
    op.forward_traffic = Bytes::of_base(read);
    op.backward_traffic = Bytes::of_base(5 * read);
}

/// Tacotron 2 (NVIDIA): convolutions and a two-way LSTM over characters, a decoder that makes one
/// frame after another, and convolutions after it.
void list_synthesis(NetworkBuilder& net, const FamilyInput& input) {
    const Batch& batch = input.workload.batch;
    // A batch lasts as long as its longest sentence: of LJSpeech 6.6 s on average, 10.1 at most.
    const double longest = net.context().samples > 8 ? 870 : 560;
    const double characters = stated_or(batch.encoder_steps, longest / 5.6);
    const double frames = stated_or(
        batch.decoder_steps, batch.audio_seconds > 0 ? batch.audio_seconds * 22050 / 256 : longest);
    net.block("encoder");
    Map x = net.embedding(148, 512, characters);
    for (int i = 0; i < 3; ++i) {
        x = net.dropout(net.activation(
            net.batch_norm(net.convolution(x, 512, Window::line(5), 1, true)), relu));
    }
    const Map states = bidirectional(net, x, 256, 4);
    net.block("decoder");
    Map y = net.input(80, 1, frames);
    y = net.dropout(net.activation(net.linear(y, 256, false), relu));
    y = net.dropout(net.activation(net.linear(y, 256, false), relu));
    frame_by_frame(net, y);
    y = net.concatenate({y, net.made(512, 1, 1, frames)});
    y = looped_cell(net, y, 1024);
    const Map keys = net.linear(states, 128, false);
    net.linear(y, 128, false);
    net.parameters("location attention", 32 * 2 * 31 + 32 * 128 + 128);
    // Two sums, the tangent and the product with a vector, each a pass.
    net.pointwise(net.made(128, 1, keys.width, frames), 8, 2, "scores");
    looped_context(net, states, frames);
    y = net.concatenate({y, net.made(512, 1, 1, frames)});
    y = looped_cell(net, y, 1024);
    y = net.concatenate({y, net.made(512, 1, 1, frames)});
    net.linear(y, 1);
    y = net.linear(y, 80);
    // Frames follow one another in a loop of the framework (tacotron2/model.py, Decoder.decode):
    // two cells of three kernels, three concatenations, the attention's twelve, dropout, two
    // products. Back, each of them takes about two, and gradients of 16 weights and of shared
    // states are added.
    Operator& loop = net.add_operator("decoder loop", Role::other, OperatorClass::streaming);
    loop.forward_kernels = 28 * frames;
    loop.backward_kernels = 65 * frames;
    net.block("after the decoder");
    for (int i = 0; i < 5; ++i) {
        y = net.batch_norm(net.convolution(y, i < 4 ? 512 : 80, Window::line(5), 1, true));
        y = i < 4 ? net.dropout(net.activation(y, relu)) : y;
    }
}

/// One call of cuDNN over a layer whose input is added without a product: its steps forward or
/// backward, or the gradient of its weights.
void list_recurrent_kernel(NetworkBuilder& net, const FamilyInput& input) {
    const NetworkSizes& sizes = input.sizes;
    const std::string_view cell = sizes.word("cell");
    const double gates = cell.starts_with("rnn") ? 1 : gates_of(cell);
    const double hidden = sizes.number("hidden", 1024);
    const double width = sizes.number("input", 0);
    const double steps = sizes.number("time_steps", 1);
    const Map in = net.input(std::max(1.0, width), 1, steps);
    if (width > 0) {
        net.linear(in, gates * hidden, false);
    }
    if (sizes.word("pass") == "backward_weight") {
        Operator& op = net.add_operator(recurrent_weights, Role::linear, OperatorClass::gemm);
        op.gemm = {
            .m = gates * hidden, .n = hidden, .k = net.context().samples * steps, .count = 1};
        op.forward = op.gemm.flops();
        // The gradient is added to what is there, which its time knows of (`recurrent_weights`).
        const double moved = net.context().samples * steps * (gates + 1);
        op.forward_traffic = Bytes::of_base(moved * hidden * net.context().bytes);
        return;
    }
    recurrent_layer(net, net.made(hidden, 1, 1, steps), hidden, gates, 0, false);
}

using Lister = void (*)(NetworkBuilder&, const FamilyInput&);

Lister recurrent_lister_of(std::string_view type) {
    if (type == "recurrent") {
        return list_translation;
    }
    if (type == "rnnt") {
        return list_transducer;
    }
    if (type == "tacotron2") {
        return list_synthesis;
    }
    if (type == "waveglow") {
        return list_vocoder;
    }
    if (type == "fastpitch") {
        return list_parallel_synthesis;
    }
    if (type == "tft") {
        return list_forecast;
    }
    if (type == "recurrent_kernel") {
        return list_recurrent_kernel;
    }
    return type == "jasper" ? list_acoustic : nullptr;
}

Program list_recurrent_program(const FamilyInput& input) {
    NetworkBuilder net(input.context, input.sizes.type);
    recurrent_lister_of(input.sizes.type)(net, input);
    return program_of_one(net, input.training());
}

}  // namespace

Map recurrent_layer(NetworkBuilder& net, const Map& in, double hidden, double gates, double biases,
                    bool multiplies_input, double projection) {
    if (multiplies_input) {
        net.linear(in, gates * hidden, false);
    }
    Operator& op = net.add_operator(recurrent_steps, Role::linear, OperatorClass::gemv);
    const double steps = in.positions();
    const double samples = net.context().samples;
    // A projection makes the state that goes on, and what the next step reads, narrower.
    const double state = projection > 0 ? projection : hidden;
    op.parameters = gates * hidden * state + biases * gates * hidden + projection * hidden;
    op.rows = gates * hidden;
    op.columns = state;
    op.forward = Flops::of_base(2 * (gates * state + projection) * hidden * samples * steps);
    op.backward = op.forward * 2.0;
    const double bytes = net.context().bytes;
    // Each step reads the weights again, from the cache at best.
    op.forward_traffic =
        Bytes::of_base(steps * (gates * hidden * state + (gates + 3) * hidden * samples) * bytes);
    op.backward_traffic = op.forward_traffic * 1.5;
    op.forward_kernels = op.backward_kernels = steps;
    net.keep_bytes((gates + 2) * hidden * steps * bytes);
    return net.made(state, 1, 1, steps);
}

ProgramLister recurrent_program(std::string_view type) {
    return recurrent_lister_of(type) != nullptr ? list_recurrent_program : nullptr;
}

}  // namespace ridgeline
