// Gradients of maps are made when the operator that reads the map runs backward, summed where a map
// has several readers, and freed when the operator that made the map has run backward.
#include "estimate/memory/gradient_maps.h"

#include <algorithm>

namespace ridgeline {
namespace {

/// The gradients that are alive: storages point to them, several where one is passed on as it is.
class Gradients {
public:
    explicit Gradients(const SubModel& model) : model_(model), of_(model.maps.size(), -1) {}

    [[nodiscard]] double alive() const { return alive_; }
    [[nodiscard]] double highest() const { return highest_; }
    void begin() { highest_ = alive_; }
    /// Counts what is alive for an instant only.
    void also(double bytes) { highest_ = std::max(highest_, alive_ + bytes); }
    /// Counts what stays beside the gradients of maps.
    void stay(double bytes) {
        alive_ += bytes;
        highest_ = std::max(highest_, alive_);
    }

    /// The gradient of a map, made where no reader has made one (the loss reads it).
    int taken(int map) {
        int& at = of_[static_cast<std::size_t>(map)];
        if (at < 0) {
            at = make(map);
        }
        const int taken = at;
        at = -1;
        return taken;
    }
    /// A reader adds to the gradient of a map: one of its own, or the one that it got itself.
    void give(int map, int passed) {
        if (model_.gradient_maps[static_cast<std::size_t>(map)] == 0) {
            return;
        }
        int& at = of_[static_cast<std::size_t>(map)];
        if (passed >= 0) {
            ++owners_[static_cast<std::size_t>(passed)];
        }
        if (at < 0) {
            at = passed >= 0 ? passed : make(map);
            return;
        }
        // The sum goes into the gradient that is there, unless others hold it too.
        const bool own = owners_[static_cast<std::size_t>(at)] == 1;
        const int added = passed >= 0 ? passed : make(map);
        if (own) {
            drop(added);
            return;
        }
        const int sum = make(map);
        drop(added);
        drop(at);
        at = sum;
    }
    void drop(int gradient) {
        const auto at = static_cast<std::size_t>(gradient);
        if (--owners_[at] == 0) {
            alive_ -= bytes_[at];
        }
    }

private:
    int make(int map) {
        const double bytes = model_.maps[static_cast<std::size_t>(map)];
        bytes_.push_back(bytes);
        owners_.push_back(1);
        stay(bytes);
        return static_cast<int>(bytes_.size()) - 1;
    }

    const SubModel& model_;
    std::vector<int> of_;  ///< by storage
    std::vector<double> bytes_;
    std::vector<int> owners_;
    double alive_ = 0;
    double highest_ = 0;
};

double trained(const Operator& op) {
    return op.trains ? op.parameters : 0;
}

/// Whether autocast copies the operator's weight.
bool casts(const Operator& op) {
    return op.role == Role::linear;
}

void run_backward(Gradients& gradients,
                  const SubModel& model,
                  const FlowStep& step,
                  const Operator& op,
                  const GradientTypes& types) {
    const double weights = trained(op);
    const bool cast = casts(op) && types.made > 0;
    if (step.output >= 0 && model.gradient_maps[static_cast<std::size_t>(step.output)] != 0) {
        const int incoming = gradients.taken(step.output);
        for (int i = 0; i < step.inputs; ++i) {
            gradients.give(model.flow_inputs[static_cast<std::size_t>(step.first_input + i)],
                           step.passes ? incoming : -1);
        }
        gradients.also(weights * (cast ? types.made : types.stored));
        gradients.drop(incoming);
    }
    // What the operator kept is gone before its weight's gradient is cast to the stored type.
    gradients.stay(-step.released - (casts(op) ? op.parameters * types.copied : 0));
    gradients.also(cast ? weights * (types.made + types.stored) : 0);
    gradients.stay(weights * types.stored);
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
    Gradients gradients(model);
    std::size_t at = model.flow.size();
    for (std::size_t i = model.blocks.size(); i-- > 0;) {
        const Block& block = model.blocks[i];
        // What is freed and made for good within the block counts in the walk over blocks.
        const double before = gradients.alive();
        gradients.begin();
        double settled = 0;
        double weights = 0;
        for (std::size_t op = block.operators.size(); op-- > 0 && at > 0;) {
            const Operator& one = block.operators[op];
            const FlowStep& step = model.flow[--at];
            run_backward(gradients, model, step, one, types);
            weights += trained(one) * types.stored;
            settled += trained(one) * types.stored - step.released -
                       (casts(one) ? one.parameters * types.copied : 0);
        }
        out.backward[i] = std::max(before, gradients.highest()) - weights;
        gradients.stay(-settled);
    }
    return out;
}

}  // namespace ridgeline
