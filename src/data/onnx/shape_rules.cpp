// Sides of what moves and rearranges, as onnx/onnx docs/Operators.md states them.
#include "data/onnx/rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace ridgeline::onnx {

void rule_reshape(Call& call) {
    const std::vector<double> from = call.sides(0);
    const std::vector<double> wanted = call.numbers("shape", 1);
    if (!call.problem.empty()) {
        return;
    }
    if (wanted.empty() && from.size() != 0 && call.values(1) == nullptr) {
        call.fail("takes a shape that values decide");
        return;
    }
    const bool keeps_zero = call.node.number("allowzero", 0) != 0;
    std::vector<double> to;
    double product = 1;
    std::ptrdiff_t open = -1;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        double side = wanted[i];
        if (side == 0 && !keeps_zero && i < from.size()) {
            side = from[i];
        }
        if (side < 0) {
            open = static_cast<std::ptrdiff_t>(i);
            side = 1;
        }
        product *= side;
        to.push_back(side);
    }
    const double elements = call.in[0]->elements();
    if (open >= 0 && product > 0) {
        to[static_cast<std::size_t>(open)] = elements / product;
        product = elements;
    }
    if (product != elements ||
        std::any_of(to.begin(), to.end(), [](double side) { return side != std::floor(side); })) {
        call.fail(
            fmt::format("makes [{}] of [{}]", fmt::join(wanted, ", "), fmt::join(from, ", ")));
        return;
    }
    call.give(std::move(to));
}

void rule_flatten(Call& call) {
    const std::vector<double> from = call.sides(0);
    const double stated = call.node.number("axis", 1);
    const std::size_t axis =
        stated == static_cast<double>(from.size()) ? from.size() : call.axis(stated, from.size());
    double before = 1;
    double after = 1;
    for (std::size_t i = 0; i < from.size(); ++i) {
        (i < axis ? before : after) *= from[i];
    }
    call.give({before, after});
}

void rule_squeeze(Call& call) {
    const std::vector<double> from = call.sides(0);
    const std::vector<double> axes = call.numbers("axes", 1);
    const std::vector<char> gone = call.marked(axes, from.size());
    std::vector<double> to;
    for (std::size_t i = 0; i < from.size(); ++i) {
        if (axes.empty() ? from[i] != 1 : gone[i] == 0) {
            to.push_back(from[i]);
        }
    }
    call.give(std::move(to));
}

void rule_unsqueeze(Call& call) {
    const std::vector<double> from = call.sides(0);
    std::vector<double> axes = call.numbers("axes", 1);
    const std::size_t rank = from.size() + axes.size();
    const std::vector<char> fresh = call.marked(axes, rank);
    std::vector<double> to;
    std::size_t next = 0;
    for (std::size_t i = 0; i < rank; ++i) {
        to.push_back(fresh[i] != 0 || next >= from.size() ? 1 : from[next++]);
    }
    call.give(std::move(to));
}

void rule_transpose(Call& call) {
    const std::vector<double> from = call.sides(0);
    const Attribute* order = call.node.attribute("perm");
    std::vector<double> to(from.rbegin(), from.rend());
    if (order != nullptr && !order->ints.empty()) {
        if (order->ints.size() != from.size()) {
            call.fail(fmt::format("orders {} sides of {}", order->ints.size(), from.size()));
            return;
        }
        to.clear();
        for (const double axis : order->ints) {
            const std::size_t at = call.axis(axis, from.size());
            to.push_back(at < from.size() ? from[at] : 1);
        }
    }
    call.give(std::move(to));
}

void rule_concatenate(Call& call) {
    std::vector<double> to = call.sides(0);
    const std::size_t axis = call.axis(call.node.number("axis", 0), to.size());
    for (std::size_t i = 1; i < call.in.size() && call.problem.empty(); ++i) {
        const std::vector<double>& each = call.sides(i);
        if (each.size() != to.size()) {
            call.fail(fmt::format("joins {} sides and {}", to.size(), each.size()));
            return;
        }
        for (std::size_t side = 0; side < to.size(); ++side) {
            if (side != axis && each[side] != to[side]) {
                call.fail(
                    fmt::format("joins [{}] and [{}]", fmt::join(to, ", "), fmt::join(each, ", ")));
                return;
            }
        }
        to[axis] += each[axis];
    }
    call.give(std::move(to));
}

void rule_split(Call& call) {
    const std::vector<double> from = call.sides(0);
    const std::size_t axis = call.axis(call.node.number("axis", 0), from.size());
    std::vector<double> parts = call.numbers("split", 1);
    if (!call.problem.empty()) {
        return;
    }
    const auto count = static_cast<double>(call.out.size());
    if (parts.empty()) {
        const double each = std::ceil(from[axis] / count);
        double left = from[axis];
        for (std::size_t i = 0; i < call.out.size(); ++i) {
            parts.push_back(std::min(each, left));
            left -= parts.back();
        }
    }
    if (parts.size() < call.out.size()) {
        call.fail(fmt::format("states {} parts of {}", parts.size(), call.out.size()));
        return;
    }
    for (std::size_t i = 0; i < call.out.size(); ++i) {
        std::vector<double> to = from;
        to[axis] = parts[i];
        call.give(std::move(to), i);
    }
}

void rule_slice(Call& call) {
    std::vector<double> to = call.sides(0);
    const std::vector<double> starts = call.numbers("starts", 1);
    const std::vector<double> ends = call.numbers("ends", 2);
    std::vector<double> axes = call.numbers("axes", 3);
    const std::vector<double> steps = call.numbers("steps", 4);
    if (!call.problem.empty()) {
        return;
    }
    if (starts.empty() || starts.size() != ends.size()) {
        call.fail("cuts at places that values decide");
        return;
    }
    if (axes.empty()) {
        axes.resize(starts.size());
        std::iota(axes.begin(), axes.end(), 0.0);
    }
    for (std::size_t i = 0; i < starts.size() && i < axes.size(); ++i) {
        const std::size_t at = call.axis(axes[i], to.size());
        if (at >= to.size()) {
            return;
        }
        const double side = to[at];
        const double step = i < steps.size() && steps[i] != 0 ? steps[i] : 1;
        const auto place = [side](double stated, double least, double most) {
            return std::clamp(stated < 0 ? stated + side : stated, least, most);
        };
        const double from = step > 0 ? place(starts[i], 0, side) : place(starts[i], 0, side - 1);
        const double until = step > 0 ? place(ends[i], 0, side)
                                      : std::clamp(ends[i] < -side ? -1
                                                   : ends[i] < 0   ? ends[i] + side
                                                                   : ends[i],
                                                   -1.0, side - 1);
        to[at] = std::max(0.0, std::ceil((until - from) / step));
    }
    call.give(std::move(to));
}

void rule_gather(Call& call) {
    const std::vector<double> from = call.sides(0);
    const std::vector<double> index = call.sides(1);
    const std::size_t axis = call.axis(call.node.number("axis", 0), from.size());
    if (!call.problem.empty()) {
        return;
    }
    std::vector<double> to(from.begin(), from.begin() + static_cast<std::ptrdiff_t>(axis));
    to.insert(to.end(), index.begin(), index.end());
    to.insert(to.end(), from.begin() + static_cast<std::ptrdiff_t>(axis) + 1, from.end());
    call.give(std::move(to));
}

void rule_gather_elements(Call& call) { call.give(call.sides(1)); }

void rule_gather_nd(Call& call) {
    const std::vector<double> from = call.sides(0);
    const std::vector<double> index = call.sides(1);
    const auto batch =
        static_cast<std::size_t>(std::clamp(call.node.number("batch_dims", 0), 0.0, 16.0));
    if (!call.problem.empty()) {
        return;
    }
    if (index.empty() ||
        static_cast<double>(batch) + index.back() > static_cast<double>(from.size())) {
        call.fail("looks up with an index of more sides than there are");
        return;
    }
    std::vector<double> to(index.begin(), index.end() - 1);
    to.insert(
        to.end(),
        from.begin() + static_cast<std::ptrdiff_t>(batch + static_cast<std::size_t>(index.back())),
        from.end());
    call.give(std::move(to));
}

void rule_expand(Call& call) {
    const std::vector<double> from = call.sides(0);
    const std::vector<double>* wanted = call.values(1);
    if (!call.problem.empty()) {
        return;
    }
    if (wanted == nullptr) {
        call.fail("takes a shape that values decide");
        return;
    }
    call.give(broadcast(call, from, *wanted));
}

void rule_tile(Call& call) {
    std::vector<double> to = call.sides(0);
    const std::vector<double>* times = call.values(1);
    if (!call.problem.empty()) {
        return;
    }
    if (times == nullptr || times->size() != to.size()) {
        call.fail("repeats as often as values decide");
        return;
    }
    for (std::size_t i = 0; i < to.size(); ++i) {
        to[i] *= (*times)[i];
    }
    call.give(std::move(to));
}

void rule_pad(Call& call) {
    std::vector<double> to = call.sides(0);
    std::vector<double> pads = call.numbers("pads", 1);
    const std::vector<double>* axes = call.values(3);
    if (!call.problem.empty()) {
        return;
    }
    const std::size_t half = pads.size() / 2;
    if (pads.empty() || (axes == nullptr && half != to.size()) ||
        (axes != nullptr && half != axes->size())) {
        call.fail("pads by what values decide");
        return;
    }
    for (std::size_t i = 0; i < half; ++i) {
        const std::size_t at = axes != nullptr ? call.axis((*axes)[i], to.size()) : i;
        if (at < to.size()) {
            to[at] += pads[i] + pads[i + half];
        }
    }
    call.give(std::move(to));
}

void rule_resize(Call& call) {
    std::vector<double> to = call.sides(0);
    if (!call.problem.empty()) {
        return;
    }
    const bool old = call.node.type == "Upsample";
    const Attribute* stated = call.node.attribute("scales");
    const std::vector<double>* sizes = old ? nullptr : call.values(3);
    const std::vector<double>* scales = call.values(call.in.size() == 2 ? 1 : 2);
    if (old && stated != nullptr) {
        scales = &stated->ints;
    } else if (old) {
        scales = call.values(1);
    }
    std::vector<double> axes;
    if (const Attribute* of = call.node.attribute("axes")) {
        axes = of->ints;
    }
    const std::vector<double>* by = sizes != nullptr && !sizes->empty() ? sizes : scales;
    const std::size_t count = axes.empty() ? to.size() : axes.size();
    if (by == nullptr || by->size() != count) {
        call.fail("takes a size that values decide");
        return;
    }
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t at = axes.empty() ? i : call.axis(axes[i], to.size());
        if (at < to.size()) {
            to[at] = by == sizes ? (*by)[i] : std::floor(to[at] * (*by)[i]);
        }
    }
    call.give(std::move(to));
}

void rule_depth_to_space(Call& call) {
    std::vector<double> to = call.sides(0);
    const double block = std::max(1.0, call.node.number("blocksize", 1));
    if (to.size() != 4) {
        call.fail(fmt::format("reads {} sides, expected 4", to.size()));
        return;
    }
    call.give({to[0], std::floor(to[1] / (block * block)), to[2] * block, to[3] * block});
}

void rule_space_to_depth(Call& call) {
    std::vector<double> to = call.sides(0);
    const double block = std::max(1.0, call.node.number("blocksize", 1));
    if (to.size() != 4) {
        call.fail(fmt::format("reads {} sides, expected 4", to.size()));
        return;
    }
    call.give({to[0], to[1] * block * block, std::floor(to[2] / block), std::floor(to[3] / block)});
}

}  // namespace ridgeline::onnx
