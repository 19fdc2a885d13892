#include "estimate/families/network_builder.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ridgeline {
namespace {

constexpr int most_operators = 50'000;  // a description of more is a mistake

}  // namespace

double steps_of(double side, double kernel, double stride, double pad, double dilation, bool ceil) {
    const double room = side + 2 * pad - dilation * (kernel - 1) - 1;
    return (ceil ? std::ceil(room / stride) : std::floor(room / stride)) + 1;
}

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
    network_.flow_kept.reserve(256);
    storages_.reserve(256);
}

void NetworkBuilder::block(std::string_view name, std::size_t operators) {
    Block& next = network_.blocks.emplace_back();
    next.name = name;
    next.operators.reserve(operators);
    next.tensors.reserve(operators);
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
    return map;
}

Map NetworkBuilder::input(double channels, double height, double width, double depth) {
    input_needs_gradient_ = false;
    const Map map = made(channels, depth, height, width);
    network_.inputs += map.elements() * context_.samples;
    return map;
}

Operator& NetworkBuilder::add_operator(std::string_view name, Role role,
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
    op.full_precision = wide_;
    return op;
}

void NetworkBuilder::in_full_precision(bool wide) {
    if (wide == wide_) {
        return;
    }
    settle();
    wide_ = wide;
    constexpr double whole = 4;
    half_bytes_ = wide ? context_.bytes : half_bytes_;
    context_.bytes = wide ? std::max(whole, context_.bytes) : half_bytes_;
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
    bool needs =
        trains_ && !current().operators.empty() && current().operators.back().parameters > 0;
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

void NetworkBuilder::pass_through(double bytes) {
    if (!network_.flow.empty()) {
        network_.flow.back().passing = bytes;
    }
}

void NetworkBuilder::match_boxes(double bytes) {
    if (context_.training && !network_.flow.empty()) {
        network_.flow.back().matching = bytes;
    }
}

void NetworkBuilder::note_kept(int map, double bytes) {
    if (network_.flow.empty()) {
        return;
    }
    FlowStep& step = network_.flow.back();
    if (step.kept == 0) {
        step.first_kept = static_cast<int>(network_.flow_kept.size());
    }
    ++step.kept;
    network_.flow_kept.push_back({map, bytes});
}

void NetworkBuilder::keep(const Map& map, double bytes) {
    if (!flows_ || !context_.training || map.id < 0) {
        return;
    }
    Storage& storage = storages_[static_cast<std::size_t>(map.id)];
    if (storage.kept) {
        return;
    }
    const double size = bytes > 0 ? bytes * map.elements() * context_.samples : storage.bytes;
    // A copy in another type is a tensor of its own: the map itself is not kept by it.
    storage.kept = size == storage.bytes;
    note_kept(storage.kept ? map.id : no_tensor, size);
    current().tensors.push_back(
        {current().operators.empty() ? current().name : current().operators.back().name,
         Bytes::of_base(size)});
}

Map NetworkBuilder::like(const Map& in) {
    const Map map = made(in.channels, in.depth, in.height, in.width);
    return in.wide ? widened(map) : map;
}

Map NetworkBuilder::widened(Map map) {
    if (context_.norm_bytes > context_.bytes && map.id >= 0) {
        map.wide = true;
        storages_[static_cast<std::size_t>(map.id)].bytes =
            map.elements() * context_.samples * context_.norm_bytes;
    }
    return map;
}

void NetworkBuilder::keep_input(const Map& in) {
    if (in.wide) {
        keep_bytes(in.elements() * context_.bytes);
    } else {
        keep(in);
    }
}

void NetworkBuilder::keep_bytes(double bytes_per_sample) {
    if (flows_ && context_.training && bytes_per_sample > 0) {
        note_kept(no_tensor, bytes_per_sample * context_.samples);
        current().tensors.push_back(
            {current().operators.back().name, Bytes::of_base(bytes_per_sample * context_.samples)});
    }
}

void NetworkBuilder::stream(Operator& op, double reads, double writes, double backward) {
    op.forward_traffic = Bytes::of_base(reads + writes);
    op.backward_traffic = Bytes::of_base(backward);
}

void NetworkBuilder::parameters(std::string_view name, double count) {
    Operator& op = add_operator(name, Role::other, OperatorClass::streaming);
    op.parameters = count;
    op.forward_kernels = op.backward_kernels = 0;
}

void NetworkBuilder::repeat(int count) { current().repeat = std::max(1, count); }

SubModel NetworkBuilder::finish() {
    settle();
    for (const Storage& storage : storages_) {
        network_.maps.push_back(storage.bytes);
        network_.gradient_maps.push_back(storage.needs_gradient ? 1 : 0);
        network_.kept_maps.push_back(storage.kept ? 1 : 0);
    }
    for (const Block& block : network_.blocks) {
        for (const Operator& op : block.operators) {
            network_.parameters +=
                op.parameters * block.repeat * (op.role == Role::adapter ? 0 : 1);
            network_.trained += op.trains ? op.parameters * block.repeat : 0;
        }
    }
    return std::move(network_);
}

}  // namespace ridgeline
