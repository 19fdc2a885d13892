// Shapes that exporters compute with operators: their numbers are worked out, all others are not.
#include "base/lists.h"
#include "data/onnx/rules.h"

#include <algorithm>
#include <string_view>

namespace ridgeline::onnx {
namespace {

using Numbers = std::vector<double>;

double arithmetic(std::string_view type, double a, double b, bool whole) {
    if (type == "Add") {
        return a + b;
    }
    if (type == "Sub") {
        return a - b;
    }
    if (type == "Mul") {
        return a * b;
    }
    if (type == "Div") {
        return b == 0 ? 0 : whole ? std::trunc(a / b) : a / b;
    }
    if (type == "Mod") {
        return b == 0 ? 0 : a - b * std::floor(a / b);
    }
    if (type == "Min") {
        return std::min(a, b);
    }
    if (type == "Max") {
        return std::max(a, b);
    }
    if (type == "Pow") {
        return std::pow(a, b);
    }
    if (type == "Equal") {
        return a == b ? 1 : 0;
    }
    if (type == "Greater") {
        return a > b ? 1 : 0;
    }
    if (type == "Less") {
        return a < b ? 1 : 0;
    }
    if (type == "And") {
        return a != 0 && b != 0 ? 1 : 0;
    }
    if (type == "Or") {
        return a != 0 || b != 0 ? 1 : 0;
    }
    return 0;
}

bool is_arithmetic(std::string_view type) {
    constexpr std::string_view known[] = {"Add", "Sub",   "Mul",     "Div",  "Mod", "Min", "Max",
                                          "Pow", "Equal", "Greater", "Less", "And", "Or"};
    return is_among(type, known);
}

std::optional<Numbers> two_lists(const Call& call) {
    const Numbers* a = call.values(0);
    const Numbers* b = call.values(1);
    if (a == nullptr || b == nullptr || call.in.size() != 2 || a->empty() || b->empty() ||
        (a->size() != b->size() && a->size() != 1 && b->size() != 1)) {
        return {};
    }
    const bool whole = !is_floating(call.in[0]->type);
    Numbers out;
    for (std::size_t i = 0; i < std::max(a->size(), b->size()); ++i) {
        out.push_back(arithmetic(call.node.type, (*a)[a->size() == 1 ? 0 : i],
                                 (*b)[b->size() == 1 ? 0 : i], whole));
    }
    return out;
}

std::optional<Numbers> one_list(const Call& call) {
    const Numbers* a = call.values(0);
    const std::string_view type = call.node.type;
    if (a == nullptr) {
        return {};
    }
    Numbers out = *a;
    if (type == "Identity" || type == "Reshape" || type == "Squeeze" || type == "Unsqueeze" ||
        type == "Flatten") {
        return out;
    }
    for (double& each : out) {
        if (type == "Cast") {
            each =
                is_floating(static_cast<int>(call.node.number("to", 1))) ? each : std::trunc(each);
        } else if (type == "Floor") {
            each = std::floor(each);
        } else if (type == "Ceil") {
            each = std::ceil(each);
        } else if (type == "Neg") {
            each = -each;
        } else if (type == "Abs") {
            each = std::fabs(each);
        } else if (type == "Sqrt") {
            each = std::sqrt(std::max(0.0, each));
        } else if (type == "Not") {
            each = each == 0 ? 1 : 0;
        } else {
            return {};
        }
    }
    return out;
}

std::optional<Numbers> gathered(const Call& call) {
    const Numbers* from = call.values(0);
    const Numbers* index = call.values(1);
    if (from == nullptr || index == nullptr || call.in[0]->sides.size() > 1) {
        return {};
    }
    Numbers out;
    for (double at : *index) {
        at = at < 0 ? at + static_cast<double>(from->size()) : at;
        if (!(at >= 0 && at < static_cast<double>(from->size()))) {
            return {};
        }
        out.push_back((*from)[static_cast<std::size_t>(at)]);
    }
    return out;
}

std::optional<Numbers> sliced(const Call& call) {
    const Numbers* from = call.values(0);
    const Numbers starts = call.numbers("starts", 1);
    const Numbers steps = call.numbers("steps", 4);
    if (from == nullptr || starts.size() != 1 || call.in[0]->sides.size() != 1 ||
        call.out[0].sides.size() != 1) {
        return {};
    }
    const auto size = static_cast<double>(from->size());
    const double step = steps.empty() ? 1 : steps[0];
    double at =
        std::clamp(starts[0] < 0 ? starts[0] + size : starts[0], 0.0, step < 0 ? size - 1 : size);
    Numbers out;
    for (double i = 0; i < call.out[0].sides[0]; ++i, at += step) {
        if (!(at >= 0 && at < size)) {
            return {};
        }
        out.push_back((*from)[static_cast<std::size_t>(at)]);
    }
    return out;
}

std::optional<Numbers> joined(const Call& call) {
    Numbers out;
    for (std::size_t i = 0; i < call.in.size(); ++i) {
        const Numbers* each = call.values(i);
        if (each == nullptr || call.in[i]->sides.size() != 1) {
            return {};
        }
        out.insert(out.end(), each->begin(), each->end());
    }
    return out;
}

std::optional<Numbers> chosen(const Call& call) {
    const Numbers* which = call.values(0);
    const Numbers* a = call.values(1);
    const Numbers* b = call.values(2);
    if (which == nullptr || a == nullptr || b == nullptr || a->empty() || b->empty() ||
        which->empty()) {
        return {};
    }
    const std::size_t size = std::max({which->size(), a->size(), b->size()});
    const auto of = [size](const Numbers& list, std::size_t i) {
        return list.size() == size ? list[i] : list[0];
    };
    Numbers out;
    for (std::size_t i = 0; i < size; ++i) {
        out.push_back(of(*which, i) != 0 ? of(*a, i) : of(*b, i));
    }
    return out;
}

std::optional<Numbers> reduced(const Call& call) {
    const Numbers* from = call.values(0);
    if (from == nullptr || from->empty() || call.in[0]->sides.size() != 1) {
        return {};
    }
    double value = from->front();
    for (std::size_t i = 1; i < from->size(); ++i) {
        const double each = (*from)[i];
        value = call.node.type == "ReduceProd"  ? value * each
                : call.node.type == "ReduceSum" ? value + each
                : call.node.type == "ReduceMax" ? std::max(value, each)
                                                : std::min(value, each);
    }
    return Numbers{value};
}

std::optional<Numbers> filled(const Call& call) {
    if (call.out.empty() || !call.out[0].shaped ||
        call.out[0].elements() > static_cast<double>(most_values)) {
        return {};
    }
    const auto count = static_cast<std::size_t>(call.out[0].elements());
    if (call.node.type == "Expand") {
        const Numbers* from = call.values(0);
        return from != nullptr && from->size() == 1 ? std::optional(Numbers(count, from->front()))
                                                    : std::nullopt;
    }
    if (call.node.type == "Range") {
        const Numbers* start = call.values(0);
        const Numbers* step = call.values(2);
        if (start == nullptr || step == nullptr || start->empty() || step->empty()) {
            return {};
        }
        Numbers out;
        for (std::size_t i = 0; i < count; ++i) {
            out.push_back(start->front() + static_cast<double>(i) * step->front());
        }
        return out;
    }
    const Attribute* value = call.node.attribute("value");
    const double each =
        value != nullptr && !value->tensor.values.empty() ? value->tensor.values[0] : 0;
    return Numbers(count, each);
}

}  // namespace

void fold_values(Call& call) {
    if (call.out.empty() || !call.problem.empty() || call.out[0].values) {
        return;
    }
    const std::string_view type = call.node.type;
    std::optional<Numbers> values;
    if (type == "Gather") {
        values = gathered(call);
    } else if (type == "Slice") {
        values = sliced(call);
    } else if (type == "Concat") {
        values = joined(call);
    } else if (type == "Where") {
        values = chosen(call);
    } else if (type.starts_with("Reduce")) {
        values = reduced(call);
    } else if (type == "Expand" || type == "ConstantOfShape" || type == "Range") {
        values = filled(call);
    } else if (is_arithmetic(type)) {
        values = two_lists(call);
    } else {
        values = one_list(call);
    }
    // The count must be that of the sides: what joins over several sides is not worked out.
    if (values && static_cast<double>(values->size()) == call.out[0].elements()) {
        call.out[0].values = std::move(values);
    }
}

}  // namespace ridgeline::onnx
