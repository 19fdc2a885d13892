#include "ask/rehearsed_formula.h"

#include "advise/placement/placement.h"
#include "ask/workload_options.h"

#include <array>
#include <string_view>

namespace ridgeline::ask {
namespace {

enum Kind { parameters, gradients, optimizer, rest, kinds };
constexpr std::array<std::string_view, kinds> names{"parameters", "gradients", "optimizer states",
                                                    "activations and the rest"};

bool begins(std::string_view text, std::string_view with) {
    return text.substr(0, with.size()) == with;
}

/// Of a component of the formulas: "weights.quantized", "optimizer states", "activations.layers".
Kind kind_of_component(std::string_view name) {
    return begins(name, "weights")     ? parameters
           : begins(name, "gradients") ? gradients
           : begins(name, "optimizer") ? optimizer
                                       : rest;
}

/// Of tensors at the rehearsed peak; "gradients and backward pass" are no kept gradients.
Kind kind_of_group(std::string_view name) {
    return name == "parameters"        ? parameters
           : name == "gradients"       ? gradients
           : begins(name, "optimizer") ? optimizer
                                       : rest;
}

}  // namespace

Result<FormulaDifference> difference_to_formulas(const World& world, const Request& request,
                                                 const Rehearsal& rehearsal,
                                                 const Cluster& cluster) {
    auto document = workload_of(request, request.text("workload"));
    if (!document) {
        return tl::unexpected(document.error());
    }
    const auto architecture = completed(*document, world);
    if (!architecture) {
        return tl::unexpected(architecture.error());
    }
    const auto placed = place_with(PlanChoice::framework, {world.catalog, world.profiles},
                                   *document, *architecture, cluster, nullptr);
    if (!placed) {
        return tl::unexpected(placed.error());
    }
    const MemoryEstimate& memory = placed->estimate.memory;
    std::array<Bytes, kinds> estimated{};
    std::array<Bytes, kinds> rehearsed{};
    for (const Component& part : memory.instants[memory.peak_instant].components) {
        estimated[kind_of_component(part.name)] += part.size;
    }
    if (const RehearsedDevice* peak = rehearsal.told().fullest()) {
        for (const RehearsedGroup& group : peak->groups) {
            rehearsed[kind_of_group(group.kind)] += group.bytes;
        }
    }
    FormulaDifference out;
    out.allocated = memory.allocated;
    out.reserved = memory.reserved;
    for (std::size_t kind = 0; kind < kinds; ++kind) {
        out.kinds.push_back({std::string(names[kind]), rehearsed[kind], estimated[kind]});
    }
    return out;
}

}  // namespace ridgeline::ask
