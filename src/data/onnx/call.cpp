#include "data/onnx/rules.h"

#include <fmt/format.h>

// What rules ask of an operator's inputs.

namespace ridgeline::onnx {

const std::vector<double>& Call::sides(std::size_t at) {
    static const std::vector<double> none;
    const Known* known = input(at);
    if (known == nullptr) {
        fail(fmt::format("lacks input {}", at + 1));
        return none;
    }
    return known->sides;
}

const std::vector<double>* Call::values(std::size_t at) const {
    const Known* known = input(at);
    return known != nullptr && known->values ? &*known->values : nullptr;
}

std::vector<double> Call::numbers(std::string_view attribute, std::size_t at) const {
    if (const Attribute* found = node.attribute(attribute)) {
        return found->ints.empty() && attribute == "k" ? std::vector<double>{found->i}
                                                       : found->ints;
    }
    const std::vector<double>* found = values(at);
    return found != nullptr ? *found : std::vector<double>();
}

std::size_t Call::axis(double stated, std::size_t rank) {
    const double at = stated < 0 ? stated + static_cast<double>(rank) : stated;
    if (!(at >= 0 && at < static_cast<double>(rank))) {
        fail(fmt::format("names axis {:.0f} of {}", stated, rank));
        return rank;
    }
    return static_cast<std::size_t>(at);
}

std::vector<char> Call::marked(const std::vector<double>& stated, std::size_t rank) {
    std::vector<char> axes(rank, 0);
    for (const double one : stated) {
        const std::size_t at = axis(one, rank);
        if (at < rank) {
            axes[at] = 1;
        }
    }
    return axes;
}

void Call::give(std::vector<double> sides, std::size_t at) {
    if (at >= out.size()) {
        return;
    }
    out[at].sides = std::move(sides);
    out[at].shaped = true;
    if (out[at].type == 0 && has(0)) {
        out[at].type = in[0]->type;
    }
}

std::vector<double> broadcast(Call& call, const std::vector<double>& a,
                              const std::vector<double>& b) {
    const auto& wide = a.size() >= b.size() ? a : b;
    const auto& narrow = a.size() >= b.size() ? b : a;
    std::vector<double> out = wide;
    const std::size_t shift = wide.size() - narrow.size();
    for (std::size_t i = 0; i < narrow.size(); ++i) {
        double& side = out[i + shift];
        if (side != narrow[i] && side != 1 && narrow[i] != 1) {
            call.fail(fmt::format("joins [{}] and [{}]", fmt::join(a, ", "), fmt::join(b, ", ")));
            return {};
        }
        side = side == 1 ? narrow[i] : side;
    }
    return out;
}

}  // namespace ridgeline::onnx
