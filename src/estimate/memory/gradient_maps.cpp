// Gradients of maps are made when the operator that reads the map runs backward, summed where a map
// has several readers, and freed when the operator that made the map has run backward.
#include "estimate/memory/gradient_maps.h"

#include "estimate/work/map_gradients.h"

#include <algorithm>

namespace ridgeline {
namespace {

/// Counts the bytes of the gradients that are alive.
class Alive {
public:
    explicit Alive(const SubModel& model) : model_(model) {}

    [[nodiscard]] bool needs(int map) const {
        return model_.gradient_maps[static_cast<std::size_t>(map)] != 0;
    }
    double make(int map) {
        const double bytes = model_.maps[static_cast<std::size_t>(map)];
        stay(bytes);
        return bytes;
    }
    void free(double bytes) { bytes_ -= bytes; }

    [[nodiscard]] double bytes() const { return bytes_; }
    [[nodiscard]] double highest() const { return highest_; }
    void begin() { highest_ = bytes_; }
    /// Counts what is alive for an instant only.
    void also(double bytes) { highest_ = std::max(highest_, bytes_ + bytes); }
    /// Counts what stays beside the gradients of maps.
    void stay(double bytes) {
        bytes_ += bytes;
        highest_ = std::max(highest_, bytes_);
    }

private:
    const SubModel& model_;
    double bytes_ = 0;
    double highest_ = 0;
};

double trained(const Operator& op) {
    return op.trains ? op.parameters : 0;
}

/// Whether autocast copies the operator's weight.
bool casts(const Operator& op) {
    return op.role == Role::linear;
}

void run_backward(Alive& alive,
                  MapGradients<Alive>& gradients,
                  const SubModel& model,
                  const FlowStep& step,
                  const Operator& op,
                  const GradientTypes& types) {
    const double weights = trained(op);
    const bool cast = casts(op) && types.made > 0;
    if (step.output >= 0 && alive.needs(step.output)) {
        const int incoming = gradients.taken(step.output);
        for (int i = 0; i < step.inputs; ++i) {
            gradients.give(model.flow_inputs[static_cast<std::size_t>(step.first_input + i)],
                           step.passes ? incoming : MapGradients<Alive>::none);
        }
        alive.also(weights * (cast ? types.made : types.stored));
        gradients.drop(incoming);
    }
    // What the operator kept is gone before its weight's gradient is cast to the stored type.
    alive.stay(-step.released - (casts(op) ? op.parameters * types.copied : 0));
    alive.also(cast ? weights * (types.made + types.stored) : 0);
    alive.stay(weights * types.stored);
}

/// Highest of what is alive in a forward pass over what it has kept in the end.
double forward_passing(const SubModel& model) {
    double kept = 0;
    double highest = 0;
    std::size_t at = 0;
    for (const Block& block : model.blocks) {
        const double before = kept;
        for (std::size_t i = 0; i < block.operators.size() && at < model.flow.size(); ++i, ++at) {
            const FlowStep& step = model.flow[at];
            kept += step.released;
            double now = step.output >= 0 ? model.maps[static_cast<std::size_t>(step.output)] : 0;
            for (int input = 0; input < step.inputs; ++input) {
                const auto map = static_cast<std::size_t>(
                    model.flow_inputs[static_cast<std::size_t>(step.first_input + input)]);
                now += model.kept_maps[map] == 0 && static_cast<int>(map) != step.output
                           ? model.maps[map]
                           : 0;
            }
            highest = std::max(highest, kept + now);
        }
        kept += (kept - before) * (block.repeat - 1);
    }
    return std::max(0.0, highest - kept);
}

}  // namespace

PassingMaps passing_maps(const SubModel& model, const GradientTypes& types) {
    PassingMaps out;
    out.forward = forward_passing(model);
    out.backward.resize(model.blocks.size());
    Alive alive(model);
    MapGradients gradients(alive, model.maps.size());
    std::size_t at = model.flow.size();
    for (std::size_t i = model.blocks.size(); i-- > 0;) {
        const Block& block = model.blocks[i];
        // What is freed and made for good within the block counts in the walk over blocks.
        const double before = alive.bytes();
        alive.begin();
        double settled = 0;
        double weights = 0;
        for (std::size_t op = block.operators.size(); op-- > 0 && at > 0;) {
            const Operator& one = block.operators[op];
            const FlowStep& step = model.flow[--at];
            run_backward(alive, gradients, model, step, one, types);
            weights += trained(one) * types.stored;
            settled += trained(one) * types.stored - step.released -
                       (casts(one) ? one.parameters * types.copied : 0);
        }
        out.backward[i] = std::max(before, alive.highest()) - weights;
        alive.stay(-settled);
    }
    return out;
}

}  // namespace ridgeline
