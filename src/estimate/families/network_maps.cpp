// Layers that pass over maps: norms, activations, pools, sums, shapes.
#include "estimate/families/network_builder.h"

#include <algorithm>

namespace ridgeline {
namespace {

constexpr double index_bytes = 8;  // int64 positions that a max pool keeps

}  // namespace

Map NetworkBuilder::normalised(const Map& in, double parameters, double bytes,
                               std::string_view name) {
    Operator& op = add_operator(name, Role::norm, OperatorClass::streaming);
    op.parameters = parameters;
    Map out = made(in.channels, in.depth, in.height, in.width);
    if (bytes > context_.bytes) {
        out = widened(out);
    }
    const double one = product_bytes(in);
    const double read = bytes_of(in);
    // Training reads once for the statistics and once to normalise; backward the same of input and
    // gradient, and writes one.
    const bool batch_statistics = name == "batch norm" && context_.training && trains_;
    // Computed in a wider type (autocast): the result is written wide and cast back by the next
    // operator, and so is its gradient.
    const double wide = bytes > context_.bytes ? 2 * one * bytes / context_.bytes : 0;
    // A group of channels is too long for one pass: its moments are read off first.
    const bool reads_twice = batch_statistics || name == "group norm";
    stream(op, (reads_twice ? 2 : 1) * read, one + wide, 2 * one + 3 * read + wide);
    op.forward_kernels += wide > 0 ? 1 : 0;
    op.backward_kernels += wide > 0 ? 1 : 0;
    op.gemm.m = name == "layer norm" ? in.positions() * context_.samples : 0;  // rows
    flow(out, {in});
    keep(in, in.wide ? 0 : bytes);
    if (name == "batch norm" && parameters > 0) {
        buffers(2 * in.channels + 1);
    }
    return out;
}

Map NetworkBuilder::batch_norm(const Map& in, bool affine) {
    if (norms_frozen_) {
        Operator& op = add_operator("batch norm", Role::norm, OperatorClass::streaming);
        const double one = bytes_of(in);
        stream(op, one, one, 2 * one);
        buffers(4 * in.channels);
        const Map out = made(in.channels, in.depth, in.height, in.width);
        flow(out, {in});
        return out;
    }
    return normalised(in, affine ? 2 * in.channels : 0, 0, "batch norm");
}

Map NetworkBuilder::group_norm(const Map& in, bool affine) {
    return normalised(in, affine ? 2 * in.channels : 0, context_.norm_bytes, "group norm");
}

Map NetworkBuilder::layer_norm(const Map& in, bool affine) {
    return normalised(in, affine ? 2 * in.channels : 0, context_.norm_bytes, "layer norm");
}

Map NetworkBuilder::rms_norm(const Map& in, bool affine) {
    return normalised(in, affine ? in.channels : 0, context_.norm_bytes, "rms norm");
}

Map NetworkBuilder::softmax(const Map& in) {
    Operator& op = add_operator("softmax", Role::norm, OperatorClass::streaming);
    const Map out = context_.norm_bytes > context_.bytes ? widened(like(in)) : like(in);
    stream(op, bytes_of(in), bytes_of(out), bytes_of(in) + 2 * bytes_of(out));
    flow(out, {in});
    keep(out);
    return out;
}

void NetworkBuilder::pixel_loss(const Map& scores, bool held) {
    if (context_.training) {
        if (held) {
            keep(scores);
        }
        const bool copies = context_.norm_bytes > context_.bytes && !scores.wide;
        const Map read = copies ? widened(copied(scores, scores.channels,
                                                 scores.depth * scores.height, scores.width))
                                : scores;
        global_pool(softmax(read));
    }
}

Map NetworkBuilder::activation(const Map& in, ActivationKind kind, bool copied) {
    Operator& op = add_operator("activation", Role::activation, OperatorClass::streaming);
    const double one = bytes_of(in);
    const bool copies = copied && context_.training && flows_;
    stream(op, (copies ? 2 : 1) * one, (copies ? 2 : 1) * one, 3 * one);
    op.forward_kernels = copies ? 2 : 1;
    if (kind == ActivationKind::relu) {
        flow(in, {in});
        keep(in);
        return in;
    }
    const Map out = like(in);
    flow(out, {in});
    keep(in);
    return out;
}

namespace {

Map pooled(NetworkBuilder& net, const Map& in, const Window& window) {
    return net.made(
        in.channels,
        steps_of(in.depth, window.depth, window.stride_depth, window.pad_depth, 1, window.ceil),
        steps_of(in.height, window.height, window.stride, window.pad, 1, window.ceil),
        steps_of(in.width, window.width, window.stride_width, window.pad_width, 1, window.ceil));
}

}  // namespace

Map NetworkBuilder::max_pool(const Map& in, const Window& window) {
    Operator& op = add_operator("max pool", Role::other, OperatorClass::streaming);
    const Map out = pooled(*this, in, window);
    const double indices = out.elements() * index_bytes;
    stream(op, bytes_of(in), bytes_of(out) + indices * context_.samples,
           bytes_of(in) + bytes_of(out) + indices * context_.samples);
    flow(out, {in});
    pass_through(indices * context_.samples);
    keep(in);
    keep_bytes(indices);
    return out;
}

Map NetworkBuilder::average_pool(const Map& in, const Window& window) {
    Operator& op = add_operator("average pool", Role::other, OperatorClass::streaming);
    const Map out = pooled(*this, in, window);
    stream(op, bytes_of(in), bytes_of(out), bytes_of(in) + bytes_of(out));
    flow(out, {in});
    keep(in);
    return out;
}

Map NetworkBuilder::global_pool(const Map& in) {
    Operator& op = add_operator("global pool", Role::other, OperatorClass::streaming);
    const Map out = made(in.channels, 1, 1, 1);
    stream(op, bytes_of(in), bytes_of(out), bytes_of(in));
    flow(out, {in});
    return out;
}

Map NetworkBuilder::add(const Map& a, const Map& b) {
    Operator& op = add_operator("add", Role::residual, OperatorClass::streaming);
    const Map& larger = a.elements() >= b.elements() ? a : b;
    Map out = made(larger.channels, larger.depth, larger.height, larger.width);
    out = a.wide || b.wide ? widened(out) : out;
    const double one = bytes_of(out);
    // Where two paths join, the backward pass adds their gradients.
    stream(op, one + std::min(bytes_of(a), bytes_of(b)), one, 3 * one);
    flow(out, {a, b}, true);
    return out;
}

Map NetworkBuilder::multiply(const Map& a, const Map& b) {
    const bool gate = a.elements() != b.elements();
    Operator& op =
        add_operator(gate ? channel_gate : "multiply", Role::other, OperatorClass::streaming);
    const Map& wide = a.elements() >= b.elements() ? a : b;
    const double one = bytes_of(wide);
    stream(op, one + std::min(bytes_of(a), bytes_of(b)), one, 4 * one);
    op.backward_kernels = 2;
    Map out = made(wide.channels, wide.depth, wide.height, wide.width);
    out = a.wide || b.wide ? widened(out) : out;
    flow(out, {a, b});
    keep(a);
    keep(b);
    return out;
}

Map NetworkBuilder::scale(const Map& in) {
    Operator& op = add_operator("scale", Role::other, OperatorClass::streaming);
    op.parameters = in.channels;
    const double one = bytes_of(in);
    stream(op, one, one, 4 * one);
    op.backward_kernels = 2;
    // The factors are fp32 and make the product so.
    const Map out = widened(made(in.channels, in.depth, in.height, in.width));
    flow(out, {in});
    keep(in);
    return out;
}

Map NetworkBuilder::concatenate(std::initializer_list<Map> maps) {
    return concatenate(std::vector<Map>(maps));
}

Map NetworkBuilder::concatenate(const std::vector<Map>& maps) {
    Operator& op = add_operator("concatenate", Role::other, OperatorClass::streaming);
    double channels = 0;
    bool wide = false;
    for (const Map& map : maps) {
        channels += map.channels;
        wide = wide || map.wide;
    }
    const Map& first = maps.front();
    Map out = made(channels, first.depth, first.height, first.width);
    out = wide ? widened(out) : out;
    stream(op, bytes_of(out), bytes_of(out), 2 * bytes_of(out));
    op.backward_kernels = static_cast<double>(maps.size());
    flow(out, maps.data(), maps.size(), true);
    return out;
}

Map NetworkBuilder::upsample(const Map& in, double factor) {
    return resize(in, in.height * factor, in.width * factor);
}

Map NetworkBuilder::resize(const Map& in, double height, double width) {
    Operator& op = add_operator("upsample", Role::other, OperatorClass::streaming);
    Map out = made(in.channels, in.depth, height, width);
    out = in.wide ? widened(out) : out;
    stream(op, bytes_of(in), bytes_of(out), bytes_of(in) + bytes_of(out));
    flow(out, {in});
    return out;
}

Map NetworkBuilder::flatten(const Map& in) { return {in.id, in.elements(), 1, 1, 1, in.wide}; }

Map NetworkBuilder::dropout(const Map& in) {
    if (!context_.training) {
        return in;
    }
    Operator& op = add_operator("dropout", Role::other, OperatorClass::streaming);
    stream(op, bytes_of(in), bytes_of(in), 2 * bytes_of(in));
    keep_bytes(in.elements());
    const Map out = like(in);
    flow(out, {in});
    return out;
}

Map NetworkBuilder::pointwise(const Map& in, double reads, double kept, std::string_view name) {
    Operator& op = add_operator(name, Role::other, OperatorClass::streaming);
    const double one = bytes_of(in);
    stream(op, reads * one, one, (reads + 1) * one);
    pass_through(reads > 1 ? one : 0);
    keep_bytes(kept * in.elements() * context_.bytes);
    const Map out = like(in);
    flow(out, {in});
    return out;
}

Map NetworkBuilder::wide_pointwise(const Map& in, double reads, std::string_view name) {
    const bool copies = context_.norm_bytes > context_.bytes && !in.wide;
    Operator& op = add_operator(name, Role::other, OperatorClass::streaming);
    const Map out = widened(like(in));
    const double wide = bytes_of(out);
    stream(op, reads * wide + (copies ? bytes_of(in) : 0), (copies ? 2 : 1) * wide,
           (reads + 1) * wide + (copies ? wide + bytes_of(in) : 0));
    op.forward_kernels = op.backward_kernels = copies ? 2 : 1;
    flow(out, {in});
    pass_through(reads > 1 ? wide : 0);
    if (copies) {
        keep_bytes(in.elements() * context_.norm_bytes);
    } else {
        keep(in);
    }
    return out;
}

Map NetworkBuilder::chain(const Map& in, double passes, double kernels, double kept) {
    Operator& op = add_operator(joined_chain, Role::other, OperatorClass::streaming);
    const double one = bytes_of(in);
    stream(op, (passes - 1) * one, one, passes * one);
    op.forward_kernels = op.backward_kernels = kernels;
    pass_through(one);
    keep_bytes(kept * in.elements() * context_.bytes);
    const Map out = like(in);
    flow(out, {in});
    return out;
}

Map NetworkBuilder::filtered(const Map& in, double side, double operations, double kept) {
    Operator& op = add_operator(filtered_activation, Role::other, OperatorClass::streaming);
    op.forward = op.backward = Flops::of_base(operations * context_.samples);
    op.forward_kernels = op.backward_kernels = 3;
    const Map out = made(in.channels, 1, side, side);
    stream(op, bytes_of(in), bytes_of(out), bytes_of(in) + bytes_of(out));
    flow(out, {in});
    keep_bytes(kept);
    return out;
}

Map NetworkBuilder::viewed(const Map& in, double channels, double height, double width) {
    return {in.id, channels, 1, height, width, in.wide};
}

Map NetworkBuilder::copied(const Map& in, double channels, double height, double width) {
    Operator& op = add_operator("copy", Role::other, OperatorClass::streaming);
    Map out = made(channels, 1, height, width);
    out = in.wide ? widened(out) : out;
    stream(op, bytes_of(in), bytes_of(out), 2 * bytes_of(out));
    flow(out, {in});
    return out;
}

}  // namespace ridgeline
