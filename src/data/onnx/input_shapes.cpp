#include "data/onnx/input_shapes.h"

#include "base/lists.h"
#include "base/text.h"
#include "data/reader.h"

#include <fmt/format.h>

#include <utility>

namespace ridgeline::onnx {
namespace {

/// Sides that a user may state for an input that leaves some open.
std::string example(const Value& input) {
    const double usual = input.sides.size() >= 4 ? 224 : 128;
    std::string text;
    for (std::size_t i = 0; i < input.sides.size(); ++i) {
        const double value = input.sides[i].value;
        text += fmt::format("{}{:.0f}", i > 0 ? "x" : "", value > 0 ? value : i == 0 ? 1.0 : usual);
    }
    return text;
}

}  // namespace

InputShapes::InputShapes(const Model& model, const std::vector<GivenShape>& given,
                         const std::string& where)
    : given_(given), where_(where) {
    for (const Value& value : model.stated) {
        stated_.emplace(value.name, &value);
    }
    for (const Value& value : model.outputs) {
        stated_.emplace(value.name, &value);
    }
}

const GivenShape* InputShapes::given(const std::string& input) const {
    for (const GivenShape& each : given_) {
        if (each.input == input) {
            return &each;
        }
    }
    return nullptr;
}

double InputShapes::usual_side(const Side& side, std::size_t at) const {
    if (side.value > 0) {
        return side.value;
    }
    const auto bound = bound_.find(side.name);
    if (bound != bound_.end() && !side.name.empty()) {
        return bound->second;
    }
    return at == 0 ? 1 : -1;
}

Result<void> InputShapes::bind(const Value& input, Known& known) {
    known.type = input.type;
    known.shaped = true;
    const GivenShape* shape = given(input.name);
    const std::string who = fmt::format("input \"{}\"", printable(input.name));
    if (shape != nullptr && input.has_shape && shape->sides.size() != input.sides.size()) {
        return refuse(who, fmt::format("has {} sides, and --shape states {}", input.sides.size(),
                                       shape->sides.size()));
    }
    if (!input.has_shape && shape == nullptr) {
        return refuse(who, "has no shape",
                      fmt::format("State it: --shape {}=1x3x224x224", printable(input.name)));
    }
    const std::size_t rank = input.has_shape ? input.sides.size() : shape->sides.size();
    for (std::size_t i = 0; i < rank; ++i) {
        const Side side = input.has_shape ? input.sides[i] : Side{};
        const double value = shape != nullptr ? shape->sides[i] : usual_side(side, i);
        if (value <= 0) {
            return refuse(
                who,
                fmt::format(
                    "leaves side {} open{}", i + 1,
                    side.name.empty() ? "" : fmt::format(" (\"{}\")", printable(side.name))),
                fmt::format("State it: --shape {}={}", printable(input.name), example(input)));
        }
        if (!side.name.empty()) {
            bound_.try_emplace(side.name, value);
        }
        known.sides.push_back(value);
    }
    if (!(known.elements() <= most_elements)) {
        return refuse(who, fmt::format("has {:.3g} elements", known.elements()));
    }
    return {};
}

Result<void> InputShapes::check_given(const std::vector<std::string>& inputs) const {
    for (const GivenShape& each : given_) {
        if (!is_among(each.input, inputs)) {
            std::string near = did_you_mean(each.input, inputs);
            if (near.empty() && !inputs.empty()) {
                near = fmt::format("Its inputs: {}.", fmt::join(inputs, ", "));
            }
            return refuse("--shape",
                          fmt::format("the graph has no input \"{}\"", printable(each.input)),
                          near);
        }
    }
    return {};
}

bool InputShapes::stated(const std::string& name, Known& known) const {
    const auto found = stated_.find(name);
    if (found == stated_.end() || !found->second->has_shape) {
        return false;
    }
    std::vector<double> sides;
    for (const Side& side : found->second->sides) {
        const auto bound = bound_.find(side.name);
        const double value = side.value >= 0         ? side.value
                             : bound != bound_.end() ? bound->second
                                                     : -1;
        if (value < 0) {
            return false;
        }
        sides.push_back(value);
    }
    known.sides = std::move(sides);
    known.shaped = true;
    known.type = found->second->type;
    return true;
}

tl::unexpected<Error> InputShapes::refuse(const std::string& who, std::string why,
                                          std::string hint) const {
    return input_error(where_ + ": " + who, std::move(why), std::move(hint));
}

}  // namespace ridgeline::onnx
