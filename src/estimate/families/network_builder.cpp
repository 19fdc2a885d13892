#include "estimate/families/network_builder.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ridgeline {
namespace {

/// Positions of a window along one axis; PyTorch's formula.
double steps_of(double side, double kernel, double stride, double pad, double dilation, bool ceil) {
    const double room = side + 2 * pad - dilation * (kernel - 1) - 1;
    return (ceil ? std::ceil(room / stride) : std::floor(room / stride)) + 1;
}

/// Channels as the matrix units read them: whole vectors of 16 bytes (cuDNN developer guide, tensor
/// core operations). Vector units read them one by one.
double padded_channels(double channels, double bytes) {
    constexpr double vector_bytes = 16;
    const double multiple = bytes < 4 ? vector_bytes / bytes : 1;
    return std::ceil(channels / multiple) * multiple;
}

constexpr double index_bytes = 8;  // int64 positions that a max pool keeps
constexpr int most_operators = 50'000;  // a description of more is a mistake

}  // namespace

Window Window::square(double side, double stride, double pad, double dilation) {
    Window window;
    window.height = window.width = side;
    window.stride = window.stride_width = stride;
    window.pad = window.pad_width = pad < 0 ? dilation * std::floor(side / 2) : pad;
    window.dilation = dilation;
    return window;
}

Window Window::line(double side, double stride, double pad, double dilation) {
    Window window;
    window.width = side;
    window.stride_width = stride;
    window.pad_width = pad < 0 ? dilation * std::floor(side / 2) : pad;
    window.dilation = dilation;
    return window;
}

Window Window::cube(double side, double stride, double pad) {
    Window window = square(side, stride, pad);
    window.depth = side;
    window.stride_depth = stride;
    window.pad_depth = window.pad;
    return window;
}

NetworkBuilder::NetworkBuilder(const PassContext& context, std::string_view name)
    : context_(context) {
    network_.name = name;
    network_.blocks.reserve(32);
    network_.flow.reserve(256);
    network_.flow_inputs.reserve(256);
    storages_.reserve(256);
}

void NetworkBuilder::block(std::string_view name) {
    Block& next = network_.blocks.emplace_back();
    next.name = name;
    next.operators.reserve(12);
    next.tensors.reserve(12);
}

Block& NetworkBuilder::current() {
    if (network_.blocks.empty()) {
        block("stem");
    }
    return network_.blocks.back();
}

Map NetworkBuilder::made(double channels, double depth, double height, double width) {
    const Map map{static_cast<int>(storages_.size()), channels, depth, height, width};
    if (!(channels >= 1 && depth >= 1 && height >= 1 && width >= 1) && problem_.empty()) {
        problem_ = current().name;
    }
    storages_.push_back({.bytes = bytes_of(map)});
    network_.largest = std::max(network_.largest, Bytes::of_base(bytes_of(map)));
    return map;
}

Map NetworkBuilder::input(double channels, double height, double width, double depth) {
    input_needs_gradient_ = false;
    const Map map = made(channels, depth, height, width);
    network_.inputs += map.elements() * context_.samples;
    return map;
}

Operator& NetworkBuilder::add_operator(std::string_view name,
                                       Role role,
                                       OperatorClass operator_class) {
    settle();
    if (++operators_ > most_operators) {
        problem_ = problem_.empty() ? current().name : problem_;
        beyond_ = Operator{};
        return beyond_;
    }
    Operator& op = current().operators.emplace_back();
    network_.flow.emplace_back();
    settled_ = false;
    op.name = name;
    op.role = role;
    op.operator_class = operator_class;
    op.trains = trains_;
    return op;
}

/// The last operator is complete: where no gradient passes it, it has no backward pass.
void NetworkBuilder::settle() {
    if (std::exchange(settled_, true)) {
        return;
    }
    if (!flows_ && !network_.blocks.empty() && !network_.blocks.back().operators.empty()) {
        Operator& op = network_.blocks.back().operators.back();
        op.backward = Flops{};
        op.backward_traffic = Bytes{};
        op.backward_kernels = 0;
    }
    if (shared_ && !network_.blocks.empty() && !network_.blocks.back().operators.empty()) {
        network_.blocks.back().operators.back().parameters = 0;
    }
}

void NetworkBuilder::flow(const Map& out, const Map* inputs, std::size_t count, bool passes) {
    if (network_.flow.empty() || problem_ == current().name) {
        return;
    }
    FlowStep& step = network_.flow.back();
    step.output = out.id;
    step.passes = passes;
    step.first_input = static_cast<int>(network_.flow_inputs.size());
    bool needs = trains_ && !current().operators.empty() && current().operators.back().parameters > 0;
    for (std::size_t i = 0; i < count; ++i) {
        if (inputs[i].id >= 0) {
            network_.flow_inputs.push_back(inputs[i].id);
            ++step.inputs;
            needs = needs || storages_[static_cast<std::size_t>(inputs[i].id)].needs_gradient;
        }
    }
    if (out.id >= 0 && flows_) {
        storages_[static_cast<std::size_t>(out.id)].needs_gradient = needs;
    }
}

void NetworkBuilder::alive(double bytes) {
    network_.live = std::max(network_.live, Bytes::of_base(held_ + bytes));
}

void NetworkBuilder::keep(const Map& map, double bytes) {
    if (!flows_ || !context_.training || map.id < 0) {
        return;
    }
    Storage& storage = storages_[static_cast<std::size_t>(map.id)];
    if (storage.kept) {
        return;
    }
    storage.kept = true;
    const double size = bytes > 0 ? bytes * map.elements() * context_.samples : storage.bytes;
    if (!network_.flow.empty()) {
        network_.flow.back().released += size;
    }
    current().tensors.push_back({current().operators.empty() ? current().name
                                                             : current().operators.back().name,
                                 Bytes::of_base(size)});
}

void NetworkBuilder::keep_bytes(double bytes_per_sample) {
    if (flows_ && context_.training && bytes_per_sample > 0) {
        network_.flow.back().released += bytes_per_sample * context_.samples;
        current().tensors.push_back(
            {current().operators.back().name, Bytes::of_base(bytes_per_sample * context_.samples)});
    }
}

void NetworkBuilder::stream(Operator& op, double reads, double writes, double backward) {
    op.forward_traffic = Bytes::of_base(reads + writes);
    op.backward_traffic = Bytes::of_base(backward);
}

Map NetworkBuilder::convolution(
    const Map& in, double filters, const Window& window, double groups, bool bias) {
    const double d = steps_of(in.depth, window.depth, window.stride_depth, window.pad_depth, 1, false);
    const double h =
        steps_of(in.height, window.height, window.stride, window.pad, window.dilation, false);
    const double w = steps_of(
        in.width, window.width, window.stride_width, window.pad_width, window.dilation, false);
    const bool depthwise = groups > 1 && groups == in.channels;
    const bool winograd = window.height == 3 && window.width == 3 && window.depth == 1 &&
                          window.stride == 1 && window.stride_width == 1 && window.dilation == 1 &&
                          groups == 1 && in.channels >= 16;
    constexpr double many_taps = 5;
    const bool long_line = window.height == 1 && window.depth == 1 && window.width >= many_taps &&
                           window.stride_width == 1 && groups == 1 && in.channels >= 16;
    const bool dilated_line = window.height == 1 && window.depth == 1 && window.dilation > 1;
    Operator& op = add_operator(depthwise      ? "depthwise convolution"
                                : dilated_line ? dilated_line_convolution
                                : long_line    ? long_line_convolution
                                : winograd     ? winograd_convolution
                                           : "convolution",
                                Role::linear,
                                depthwise ? OperatorClass::depthwise_convolution
                                          : OperatorClass::convolution);
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
    stream(op, seen * bytes_of(in), bytes_of(out),
           (input_needs_gradient_ ? bytes_of(in) + bytes_of(out) : 0) + seen * bytes_of(in) +
               bytes_of(out));
    if (depthwise) {
        // The gradient of a depthwise weight sums over all positions, tap by tap: both maps are
        // read again (PyTorch's conv_depthwise2d_grad_weight_kernel, which windows along one axis
        // take), from the cache for the most part in cuDNN's kernels for two.
        const double again = window.height == 1 ? 1.2 : 0.12;
        op.backward_traffic += Bytes::of_base(again * taps * (bytes_of(in) + bytes_of(out)));
    }
    op.backward_kernels = input_needs_gradient_ ? 2 : 1;
    input_needs_gradient_ = input_needs_gradient_ || trains_;
    flow(out, {in});
    alive(bytes_of(in) + bytes_of(out));
    if (trains_) {
        keep(in);
    }
    return out;
}

Map NetworkBuilder::transposed(const Map& in,
                               double filters,
                               const Window& window,
                               bool bias,
                               double groups,
                               double output_padding) {
    const auto grown = [output_padding](double side, double kernel, double stride, double pad) {
        return kernel == 1 && stride == 1 ? side
                                          : (side - 1) * stride - 2 * pad + kernel + output_padding;
    };
    Operator& op =
        add_operator("transposed convolution", Role::linear, OperatorClass::convolution);
    const Map out = made(filters,
                         grown(in.depth, window.depth, window.stride_depth, window.pad_depth),
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
    stream(op, bytes_of(in), bytes_of(out), 2 * (bytes_of(in) + bytes_of(out)));
    op.backward_kernels = 2;
    input_needs_gradient_ = input_needs_gradient_ || trains_;
    flow(out, {in});
    alive(bytes_of(in) + bytes_of(out));
    if (trains_) {
        keep(in);
    }
    return out;
}

Map NetworkBuilder::normalised(const Map& in,
                               double parameters,
                               double bytes,
                               std::string_view name) {
    Operator& op = add_operator(name, Role::norm, OperatorClass::streaming);
    op.parameters = parameters;
    const Map out = made(in.channels, in.depth, in.height, in.width);
    const double one = bytes_of(in);
    // Training reads once for the statistics and once to normalise; backward the same of input and
    // gradient, and writes one.
    const bool batch_statistics = name == "batch norm" && context_.training && trains_;
    // Computed in a wider type (autocast): the result is written wide and cast back by the next
    // operator, and so is its gradient.
    const double wide = bytes > context_.bytes ? 2 * one * bytes / context_.bytes : 0;
    stream(op, (batch_statistics ? 2 : 1) * one, one + wide, 5 * one + wide);
    op.forward_kernels += wide > 0 ? 1 : 0;
    op.backward_kernels += wide > 0 ? 1 : 0;
    flow(out, {in});
    alive(2 * one);
    keep(in, bytes);
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
        alive(2 * one);
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

Map NetworkBuilder::activation(const Map& in, ActivationKind kind) {
    Operator& op = add_operator("activation", Role::activation, OperatorClass::streaming);
    const double one = bytes_of(in);
    stream(op, one, one, 3 * one);
    if (kind == ActivationKind::relu) {
        flow(in, {in});
        keep(in);
        return in;
    }
    const Map out = made(in.channels, in.depth, in.height, in.width);
    flow(out, {in});
    alive(2 * one);
    keep(in);
    return out;
}

Map NetworkBuilder::max_pool(const Map& in, const Window& window) {
    Operator& op = add_operator("max pool", Role::other, OperatorClass::streaming);
    const Map out = made(
        in.channels,
        steps_of(in.depth, window.depth, window.stride_depth, window.pad_depth, 1, window.ceil),
        steps_of(in.height, window.height, window.stride, window.pad, 1, window.ceil),
        steps_of(in.width, window.width, window.stride_width, window.pad_width, 1, window.ceil));
    const double indices = out.elements() * index_bytes;
    stream(op,
           bytes_of(in),
           bytes_of(out) + indices * context_.samples,
           bytes_of(in) + bytes_of(out) + indices * context_.samples);
    flow(out, {in});
    alive(bytes_of(in) + bytes_of(out) + indices * context_.samples);
    keep(in);
    keep_bytes(indices);
    return out;
}

Map NetworkBuilder::average_pool(const Map& in, const Window& window) {
    Operator& op = add_operator("average pool", Role::other, OperatorClass::streaming);
    const Map out = made(
        in.channels,
        steps_of(in.depth, window.depth, window.stride_depth, window.pad_depth, 1, window.ceil),
        steps_of(in.height, window.height, window.stride, window.pad, 1, window.ceil),
        steps_of(in.width, window.width, window.stride_width, window.pad_width, 1, window.ceil));
    stream(op, bytes_of(in), bytes_of(out), bytes_of(in) + bytes_of(out));
    flow(out, {in});
    alive(bytes_of(in) + bytes_of(out));
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
    const Map& wide = a.elements() >= b.elements() ? a : b;
    const double one = bytes_of(wide);
    // Where two paths join, the backward pass adds their gradients.
    stream(op, 2 * one, one, 3 * one);
    alive(3 * one);
    const Map out = made(wide.channels, wide.depth, wide.height, wide.width);
    flow(out, {a, b}, true);
    return out;
}

Map NetworkBuilder::multiply(const Map& a, const Map& b) {
    Operator& op = add_operator("multiply", Role::other, OperatorClass::streaming);
    const Map& wide = a.elements() >= b.elements() ? a : b;
    const double one = bytes_of(wide);
    stream(op, one + std::min(bytes_of(a), bytes_of(b)), one, 4 * one);
    op.backward_kernels = 2;
    alive(2 * one);
    const Map out = made(wide.channels, wide.depth, wide.height, wide.width);
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
    const Map out = made(in.channels, in.depth, in.height, in.width);
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
    for (const Map& map : maps) {
        channels += map.channels;
    }
    const Map& first = maps.front();
    const Map out = made(channels, first.depth, first.height, first.width);
    stream(op, bytes_of(out), bytes_of(out), 2 * bytes_of(out));
    op.backward_kernels = static_cast<double>(maps.size());
    flow(out, maps.data(), maps.size(), true);
    alive(2 * bytes_of(out));
    return out;
}

Map NetworkBuilder::upsample(const Map& in, double factor) {
    return resize(in, in.height * factor, in.width * factor);
}

Map NetworkBuilder::resize(const Map& in, double height, double width) {
    Operator& op = add_operator("upsample", Role::other, OperatorClass::streaming);
    const Map out = made(in.channels, in.depth, height, width);
    stream(op, bytes_of(in), bytes_of(out), bytes_of(in) + bytes_of(out));
    flow(out, {in});
    alive(bytes_of(in) + bytes_of(out));
    return out;
}

void NetworkBuilder::adapter(const Map& in, double out) {
    if (rank_ <= 0) {
        return;
    }
    Operator& op = add_operator("adapter", Role::adapter, OperatorClass::gemm);
    op.trains = true;
    op.parameters = rank_ * (in.channels + out);
    const double rows = context_.samples * in.positions();
    op.forward = Flops::of_base(2 * rows * op.parameters);
    op.backward = op.forward * 2.0;
    const double wide = rows * out * context_.bytes;
    // A of the input, B of that, and the addition to the product's output.
    stream(op, bytes_of(in) + 2 * wide, 2 * wide, bytes_of(in) * 3 + 3 * wide);
    op.forward_kernels = 5;
    op.backward_kernels = 8;
    keep(in);
    keep_bytes(rank_ * in.positions() * context_.bytes);
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
    stream(op, bytes_of(in), bytes_of(result),
           (trains_ ? 2 : 1) * (bytes_of(in) + bytes_of(result)));
    op.backward_kernels = trains_ ? 2 : 1;
    input_needs_gradient_ = input_needs_gradient_ || trains_;
    flow(result, {in});
    alive(bytes_of(in) + bytes_of(result));
    if (trains_) {
        keep(in);
    }
    adapter(in, out);
    return result;
}

Map NetworkBuilder::flatten(const Map& in) {
    return {in.id, in.elements(), 1, 1, 1};
}

Map NetworkBuilder::attention(const Map& q,
                              double channels,
                              double heads,
                              double keys,
                              double groups,
                              std::initializer_list<Map> sources,
                              bool fused) {
    Operator& op = add_operator("attention", Role::attention, OperatorClass::attention_forward);
    const double queries = q.positions() * context_.samples;
    // Two products over all pairs; the flash backward computes five.
    op.forward = Flops::of_base(4 * queries * keys * channels);
    op.backward = op.forward * 2.5;
    const Map out = made(channels, q.depth, q.height, q.width);
    const double values = keys * groups * context_.samples * channels * context_.bytes;
    stream(op, bytes_of(out) + 2 * values, bytes_of(out), 4 * (bytes_of(out) + values));
    const double scores = heads * q.positions() * keys;
    std::vector<Map> read{q};
    read.insert(read.end(), sources.begin(), sources.end());
    flow(out, read.data(), read.size());
    if (context_.flash && fused) {
        keep_bytes(4 * heads * q.positions());
    } else {
        // Scores are written, scaled or masked, normalised and read again.
        op.forward_traffic += Bytes::of_base(6 * scores * context_.samples * context_.bytes);
        op.backward_traffic += Bytes::of_base(8 * scores * context_.samples * context_.bytes);
        op.forward_kernels = 6;
        op.backward_kernels = 8;
        // A softmax in a wider type (autocast) is cast back for the product, which keeps the copy.
        const double cast = context_.norm_bytes > context_.bytes ? context_.bytes : 0;
        keep_bytes(scores * (context_.norm_bytes + cast));
        alive(2 * scores * context_.samples * context_.norm_bytes);
    }
    keep(out);
    return out;
}

Map NetworkBuilder::embedding(double rows, double width, double positions) {
    Operator& op = add_operator("embedding", Role::embedding, OperatorClass::embedding);
    op.parameters = rows * width;
    const Map out = made(width, 1, 1, positions);
    stream(op, bytes_of(out), bytes_of(out), 3 * bytes_of(out));
    flow(out, {});
    op.active_fraction = 0;
    input_needs_gradient_ = input_needs_gradient_ || trains_;
    return out;
}

Map NetworkBuilder::dropout(const Map& in) {
    if (!context_.training) {
        return in;
    }
    Operator& op = add_operator("dropout", Role::other, OperatorClass::streaming);
    stream(op, bytes_of(in), bytes_of(in), 2 * bytes_of(in));
    keep_bytes(in.elements());
    const Map out = made(in.channels, in.depth, in.height, in.width);
    flow(out, {in});
    return out;
}

Map NetworkBuilder::pointwise(const Map& in, double reads, double kept, std::string_view name) {
    Operator& op = add_operator(name, Role::other, OperatorClass::streaming);
    const double one = bytes_of(in);
    stream(op, reads * one, one, (reads + 1) * one);
    alive((reads + 1) * one);
    keep_bytes(kept * in.elements() * context_.bytes);
    const Map out = made(in.channels, in.depth, in.height, in.width);
    flow(out, {in});
    return out;
}

Map NetworkBuilder::chain(const Map& in, double passes, double kernels, double kept) {
    Operator& op = add_operator(joined_chain, Role::other, OperatorClass::streaming);
    const double one = bytes_of(in);
    stream(op, (passes - 1) * one, one, passes * one);
    op.forward_kernels = op.backward_kernels = kernels;
    alive(3 * one);
    keep_bytes(kept * in.elements() * context_.bytes);
    const Map out = made(in.channels, in.depth, in.height, in.width);
    flow(out, {in});
    return out;
}

Map NetworkBuilder::viewed(const Map& in, double channels, double height, double width) {
    return {in.id, channels, 1, height, width};
}

Map NetworkBuilder::copied(const Map& in, double channels, double height, double width) {
    Operator& op = add_operator("copy", Role::other, OperatorClass::streaming);
    const Map out = made(channels, 1, height, width);
    stream(op, bytes_of(in), bytes_of(out), 2 * bytes_of(out));
    flow(out, {in});
    alive(bytes_of(in) + bytes_of(out));
    return out;
}

void NetworkBuilder::parameters(std::string_view name, double count) {
    Operator& op = add_operator(name, Role::other, OperatorClass::streaming);
    op.parameters = count;
    op.forward_kernels = op.backward_kernels = 0;
}

void NetworkBuilder::hold(const Map& map) {
    held_ += bytes_of(map);
}
void NetworkBuilder::release(const Map& map) {
    held_ = std::max(0.0, held_ - bytes_of(map));
}

void NetworkBuilder::repeat(int count) {
    current().repeat = std::max(1, count);
}

SubModel NetworkBuilder::finish() {
    settle();
    for (const Storage& storage : storages_) {
        network_.maps.push_back(storage.bytes);
        network_.gradient_maps.push_back(storage.needs_gradient ? 1 : 0);
        network_.kept_maps.push_back(storage.kept ? 1 : 0);
    }
    for (const Block& block : network_.blocks) {
        for (const Operator& op : block.operators) {
            network_.parameters += op.parameters * block.repeat * (op.role == Role::adapter ? 0 : 1);
            network_.trained += op.trains ? op.parameters * block.repeat : 0;
        }
    }
    return std::move(network_);
}

}  // namespace ridgeline
