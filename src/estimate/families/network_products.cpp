// Layers of products: convolutions, linear layers, adapters, attention, tables.
#include "estimate/families/network_builder.h"

#include <algorithm>
#include <cmath>

namespace ridgeline {
namespace {

/// Channels as the matrix units read them: whole vectors of 16 bytes (cuDNN developer guide, tensor
/// core operations). Vector units read them one by one.
double padded_channels(double channels, double bytes) {
    constexpr double vector_bytes = 16;
    constexpr double of_a_picture = 4;  // channels that kernels for the first layer take
    const double multiple = bytes >= 4                 ? 1
                            : channels <= of_a_picture ? of_a_picture
                                                       : vector_bytes / bytes;
    return std::ceil(channels / multiple) * multiple;
}

}  // namespace

/// One function gives all gradients of a convolution and keeps what any of them needs: its input
/// too where the weight is frozen (derivatives.yaml, convolution_backward), unlike a product's.
bool NetworkBuilder::convolution_keeps(const Map& in) const {
    return trains_ || (in.id >= 0 && storages_[static_cast<std::size_t>(in.id)].needs_gradient);
}

Map NetworkBuilder::convolution(const Map& in, double filters, const Window& window, double groups,
                                bool bias) {
    const double d =
        steps_of(in.depth, window.depth, window.stride_depth, window.pad_depth, 1, false);
    const double h =
        steps_of(in.height, window.height, window.stride, window.pad, window.dilation, false);
    const double w = steps_of(in.width, window.width, window.stride_width, window.pad_width,
                              window.dilation, false);
    const bool depthwise = groups > 1 && groups == in.channels;
    const bool winograd = window.height == 3 && window.width == 3 && window.depth == 1 &&
                          window.stride == 1 && window.stride_width == 1 && window.dilation == 1 &&
                          in.channels / groups >= 16 && !own_weights_;
    constexpr double many_taps = 5;
    const bool long_line = window.height == 1 && window.depth == 1 && window.width >= many_taps &&
                           window.stride_width == 1 && window.dilation == 1 && groups == 1 &&
                           in.channels >= 16;
    Operator& op =
        add_operator(depthwise   ? "depthwise convolution"
                     : long_line ? long_line_convolution
                     : winograd  ? winograd_convolution
                                 : "convolution",
                     Role::linear,
                     depthwise ? OperatorClass::depthwise_convolution : OperatorClass::convolution);
    const double taps = window.depth * window.height * window.width;
    const Map out = made(filters, d, h, w);
    op.gemm = {.m = context_.samples * out.positions(),
               .n = filters / groups,
               .k = in.channels / groups * taps,
               .count = groups};
    op.rows = filters;
    op.columns = in.channels / groups * taps;
    op.parameters = filters * op.columns + (bias ? filters : 0);
    op.forward = op.gemm.flops();
    if (groups == 1) {
        op.gemm.n = padded_channels(filters, context_.bytes);
        op.gemm.k = padded_channels(in.channels, context_.bytes) * taps;
    }
    // The first layer needs no gradient of the images.
    op.backward = op.forward * (input_needs_gradient_ ? 2.0 : 1.0);
    // A window that is smaller than its step never reads what lies between.
    const double seen = std::min(1.0, window.height / window.stride) *
                        std::min(1.0, window.width / window.stride_width) *
                        std::min(1.0, window.depth / window.stride_depth);
    stream(op, seen * product_bytes(in), product_bytes(out),
           (input_needs_gradient_ ? product_bytes(in) + product_bytes(out) : 0) +
               seen * product_bytes(in) + product_bytes(out));
    if (depthwise) {
        // The gradient of a depthwise weight sums over all positions, tap by tap: both maps are
        // read again (PyTorch's conv_depthwise2d_grad_weight_kernel, which windows along one axis
        // take), from the cache for the most part in cuDNN's kernels for two.
        const double again = window.height == 1 ? 1.2 : 0.12;
        op.backward_traffic +=
            Bytes::of_base(again * taps * (product_bytes(in) + product_bytes(out)));
    }
    op.backward_kernels = input_needs_gradient_ ? 2 : 1;
    input_needs_gradient_ = input_needs_gradient_ || trains_;
    flow(out, {in});
    if (convolution_keeps(in)) {
        keep_input(in);
    }
    return out;
}

Map NetworkBuilder::transposed(const Map& in, double filters, const Window& window, bool bias,
                               double groups, double output_padding) {
    const auto grown = [output_padding](double side, double kernel, double stride, double pad) {
        return kernel == 1 && stride == 1 ? side
                                          : (side - 1) * stride - 2 * pad + kernel + output_padding;
    };
    Operator& op = add_operator("transposed convolution", Role::linear, OperatorClass::convolution);
    const Map out =
        made(filters, grown(in.depth, window.depth, window.stride_depth, window.pad_depth),
             grown(in.height, window.height, window.stride, window.pad),
             grown(in.width, window.width, window.stride_width, window.pad_width));
    const double taps = window.depth * window.height * window.width;
    op.gemm = {.m = context_.samples * in.positions(),
               .n = filters / groups * taps,
               .k = in.channels / groups,
               .count = groups};
    op.rows = filters / groups * taps;
    op.columns = in.channels;
    op.parameters = in.channels * filters / groups * taps + (bias ? filters : 0);
    op.forward = op.gemm.flops();
    op.backward = op.forward * (input_needs_gradient_ ? 2.0 : 1.0);
    stream(op, product_bytes(in), product_bytes(out), 2 * (product_bytes(in) + product_bytes(out)));
    op.backward_kernels = 2;
    input_needs_gradient_ = input_needs_gradient_ || trains_;
    flow(out, {in});
    if (convolution_keeps(in)) {
        keep_input(in);
    }
    return out;
}

/// The sum of the two takes the product's place: a gradient of it is made whether or not the
/// product trains.
void NetworkBuilder::adapter(const Map& in, const Map& out) {
    if (rank_ <= 0) {
        return;
    }
    Operator& op = add_operator("adapter", Role::adapter, OperatorClass::gemm);
    op.trains = true;
    op.parameters = rank_ * (in.channels + out.channels);
    const double rows = context_.samples * in.positions();
    op.forward = Flops::of_base(2 * rows * op.parameters);
    op.backward = op.forward * 2.0;
    const double wide = rows * out.channels * context_.bytes;
    const double narrow = product_bytes(in);
    // A of the input, B of that, its scaling and the addition to the product's output, each a
    // kernel (peft/tuners/lora/layer.py, Linear.forward); backward, the gradient is scaled and read
    // for B and its weight, and that of the input is added to the product's.
    stream(op, narrow + 3 * wide, 3 * wide, 5 * narrow + 4 * wide);
    op.forward_kernels = 5;
    op.backward_kernels = 8;
    // PEFT hands each adapter its input in the type of its weights, of which autocast makes a copy.
    if (context_.adapter_bytes > context_.bytes) {
        keep_bytes(in.elements() * context_.bytes);
    } else {
        keep_input(in);
    }
    keep_bytes(rank_ * in.positions() * context_.bytes);
    if (flows_) {
        storages_[static_cast<std::size_t>(out.id)].needs_gradient = true;
    }
}

Map NetworkBuilder::linear(const Map& in, double out, bool bias) {
    Operator& op = add_operator("linear", Role::linear, OperatorClass::gemm);
    const double rows = context_.samples * in.positions();
    op.gemm = {.m = rows, .n = out, .k = in.channels, .count = 1};
    op.rows = out;
    op.columns = in.channels;
    op.parameters = in.channels * out + (bias ? out : 0);
    op.forward = op.gemm.flops();
    // A frozen product still passes the gradient on.
    op.backward = op.forward * (trains_ ? 2.0 : 1.0);
    const Map result = made(out, in.depth, in.height, in.width);
    stream(op, product_bytes(in), product_bytes(result),
           (trains_ ? 2 : 1) * (product_bytes(in) + product_bytes(result)));
    op.backward_kernels = trains_ ? 2 : 1;
    input_needs_gradient_ = input_needs_gradient_ || trains_;
    flow(result, {in});
    if (trains_) {
        keep_input(in);
    }
    adapter(in, result);
    return result;
}

Map NetworkBuilder::attention(const Map& q, double channels, double heads, double keys,
                              double groups, std::initializer_list<Map> sources, bool fused) {
    Operator& op = add_operator("attention", Role::attention, OperatorClass::attention_forward);
    const double queries = q.positions() * context_.samples;
    // Two products over all pairs; the flash backward computes five.
    op.forward = Flops::of_base(4 * queries * keys * channels);
    op.backward = op.forward * 2.5;
    const Map out = made(channels, q.depth, q.height, q.width);
    op.columns = heads > 0 ? channels / heads : 0;
    op.gemm.m = queries;  // rows of queries and of keys; no product of its own
    op.gemm.n = keys * groups * context_.samples;
    const double values = keys * groups * context_.samples * channels * context_.bytes;
    stream(op, product_bytes(out) + 2 * values, product_bytes(out),
           4 * (product_bytes(out) + values));
    const double scores = heads * q.positions() * keys;
    std::vector<Map> read{q};
    read.insert(read.end(), sources.begin(), sources.end());
    flow(out, read.data(), read.size());
    if (context_.flash && (fused || context_.adds_to_scores)) {
        keep_bytes(4 * heads * q.positions());
    } else {
        // Scores are written, scaled or masked, normalised and read again; a softmax in a wider
        // type is written so and read once more for the narrow copy, as are its gradients.
        const double wide = context_.norm_bytes > context_.bytes ? 2 * context_.norm_bytes : 0;
        op.forward_traffic +=
            Bytes::of_base((6 * context_.bytes + wide) * scores * context_.samples);
        op.backward_traffic +=
            Bytes::of_base((8 * context_.bytes + wide) * scores * context_.samples);
        op.forward_kernels = 6;
        op.backward_kernels = 8;
        // A softmax in a wider type (autocast) is cast back for the product, which keeps the copy.
        const double cast = context_.norm_bytes > context_.bytes ? context_.bytes : 0;
        keep_bytes(scores * (context_.norm_bytes + cast));
        pass_through(2 * scores * context_.samples * context_.norm_bytes);
    }
    keep(out);
    return out;
}

Map NetworkBuilder::embedding(double rows, double width, double positions) {
    Operator& op = add_operator("embedding", Role::embedding, OperatorClass::embedding);
    op.parameters = rows * width;
    const Map out = made(width, 1, 1, positions);
    stream(op, product_bytes(out), product_bytes(out), 3 * product_bytes(out));
    flow(out, {});
    op.active_fraction = 0;
    input_needs_gradient_ = input_needs_gradient_ || trains_;
    return out;
}

}  // namespace ridgeline
