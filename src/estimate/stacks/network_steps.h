#pragma once

#include "estimate/input.h"
#include "estimate/stacks/map_gradients.h"
#include "estimate/stacks/network_flow.h"
#include "estimate/stacks/network_script.h"
#include "estimate/stacks/sharding.h"
#include "estimate/stacks/winograd_tiles.h"
#include "estimate/work/script.h"

#include <utility>
#include <vector>

namespace ridgeline {

/// Tensors that one forward pass has left for its backward pass.
struct WaitingTensors {
    std::vector<TensorId> maps;
    std::vector<TensorId> beside;  ///< by kept bytes that are no map
    std::vector<TensorId> copies;  ///< of weights, by step
};

/// Writes two training steps of a program's networks.
class NetworkSteps {
public:
    NetworkSteps(const EstimateInput& input, const Program& program, double workspace, bool runs)
        : input_(input),
          runs_(runs),
          workspace_(workspace),
          tiles_(convolves_on_vector_units(input)),
          weight_share_(
              shard_share(input.workload.plan, shards_weights(input.workload.plan.sharding))),
          gradient_share_(
              shard_share(input.workload.plan, shards_gradients(input.workload.plan.sharding))),
          state_share_(
              shard_share(input.workload.plan, shards_states(input.workload.plan.sharding))),
          state_bytes_(state_bytes(input.workload, input.software)) {
        const Workload& workload = input.workload;
        halves_ = input.software.runtime.autocasts(workload.plan.sharding) &&
                  workload.weights == DType::fp32 &&
                  bytes_per_element(storage_of(workload.compute)) < 4;
        recomputes_ = workload.plan.recompute == RecomputeMode::full;
        const Sharding sharding = workload.plan.sharding;
        streams_ = workload.task == Task::train &&
                   (sharding == Sharding::none || sharding == Sharding::ddp) &&
                   workload.plan.offload_parameters != OffloadTarget::none;
        for (const SubModel& model : program.models) {
            networks_.push_back({&model, flow_of(model), {}, {}, {}});
            if (recomputes_) {
                thin_checkpoints(networks_.back().flow);
            }
        }
        passes_ = &program.passes;
    }

    Script write() {
        constexpr std::size_t events_of_a_step = 40;  // of two rounds, at most about so many
        std::size_t steps = 0;
        for (const Network& network : networks_) {
            steps += network.flow.steps.size();
        }
        writer_.reserve(events_of_a_step * steps);
        writer_.mark(writer_.name(loading));
        for (Network& network : networks_) {
            if (!waits_on_host()) {
                load(network);
            }
        }
        for (int step = 0; step < 2; ++step) {
            writer_.mark(writer_.name(step_begins));
            first_ = step == 0;
            for (const ProgramPass& pass : *passes_) {
                run(networks_[static_cast<std::size_t>(pass.model)], pass);
            }
        }
        return std::move(writer_).finish();
    }

private:
    struct Network {
        const SubModel* model;
        NetworkFlow flow;
        std::vector<WaitingTensors> waiting;
        std::vector<TensorId> weights;
        std::vector<TensorId> gradients;  ///< of weights, until the next step begins
    };

    TensorId take(double bytes, Category category = Category::transient) {
        return bytes > 0 ? writer_.take(Bytes::of_base(bytes), Stream::compute, category) : nothing;
    }
    void ran(const Operator& op, Phase phase) {
        if (runs_) {
            writer_.run(op, phase);
        }
    }
    void give(TensorId& tensor) { writer_.give(std::exchange(tensor, nothing)); }

    /// Parameters of norms and biases: a few KiB each, which lie together in the segments of small
    /// blocks wherever they come. They are taken once, with all that training adds to them.
    [[nodiscard]] static double small_of(const Operator& op) {
        return op.parameters - large_of(op);
    }
    [[nodiscard]] static double large_of(const Operator& op) {
        constexpr double few = 8192;
        const double matrix = op.rows * op.columns * op.matrices;
        return op.parameters <= few                   ? 0
               : matrix > 0 && matrix < op.parameters ? matrix
                                                      : op.parameters;
    }

    [[nodiscard]] bool trains(const Network& network) const {
        return input_.workload.task == Task::train && network.model->trains;
    }
    /// Whether the operator's weight is copied in the type that it computes in: by autocast, or
    /// from fp8, which torchao expands before a product that quantises weights alone; the copy
    /// waits for the backward pass.
    [[nodiscard]] bool casts(const Operator& op) const {
        return (halves_ || expands(op)) && op.role == Role::linear && op.parameters > 0;
    }
    [[nodiscard]] bool expands(const Operator& op) const {
        const Workload& workload = input_.workload;
        return workload.task == Task::train && workload.quantization.name == "fp8" && !op.trains;
    }
    /// Bytes of a frozen weight that comes from the host for each use and leaves no trace.
    [[nodiscard]] double streamed_bytes(const Network& network, const Operator& op) const {
        return streams_ && !learns(network, op) && op.role != Role::adapter
                   ? large_of(op) * base_bytes()
                   : 0;
    }
    [[nodiscard]] double stored(const Operator& op) const {
        return bytes_per_element(op.role == Role::adapter ? input_.workload.lora->weights
                                                          : input_.workload.weights);
    }
    [[nodiscard]] double gradient_bytes(const Operator& op) const {
        return op.role == Role::adapter ? stored(op) : bytes_per_element(input_.workload.gradients);
    }
    /// A table whose rows lie on one rank or another; a step changes those that were looked up, in
    /// place.
    [[nodiscard]] static bool is_table(const Network& network, const Operator& op) {
        return network.model->sparse > 0 && op.operator_class == OperatorClass::embedding;
    }
    /// Whether a gradient of all its weights is made.
    [[nodiscard]] static bool learns(const Network& network, const Operator& op) {
        return op.trains && !is_table(network, op);
    }
    /// Networks that only answer come to the device for their pass.
    [[nodiscard]] bool waits_on_host() const {
        return input_.workload.plan.offload_parameters != OffloadTarget::none &&
               input_.workload.task != Task::train;
    }

    [[nodiscard]] double base_bytes() const;
    void thin_checkpoints(NetworkFlow& flow) const;
    void load(Network& network);
    void run(Network& network, const ProgramPass& pass);
    void forward(Network& network, WaitingTensors& waiting, NetworkFlow::Round round, Phase phase,
                 bool keeps);
    void product(const Operator& op, bool forward);
    /// What a convolution's transforms hold while it runs.
    void transform(const Operator& op, bool back);
    void read(const Network& network, WaitingTensors& waiting, NetworkFlow::Round round,
              std::size_t at, bool keeps);
    void again(Network& network, WaitingTensors& waiting, NetworkFlow::Round round);
    void backward(Network& network, bool weights);
    void step_back(Network& network, WaitingTensors& waiting, MapGradients& gradients,
                   std::size_t at, bool weights);
    void reduce(double bytes);
    /// What the optimizer makes for a weight in its first step, and keeps.
    void make_states(double trained);
    /// The optimizer's step of one weight by itself.
    void step_alone(const Operator& op, double trained);
    void update(Network& network);
    void clear(WaitingTensors& waiting);

    const EstimateInput& input_;
    const bool runs_;  ///< whether kernels are written
    const std::vector<ProgramPass>* passes_ = nullptr;
    ScriptWriter writer_;
    std::vector<Network> networks_;
    double workspace_;
    bool tiles_;           ///< whether convolutions run in Winograd's tiles
    double weight_share_;  ///< that this rank holds
    double gradient_share_;
    double state_share_;
    double state_bytes_;    ///< of the optimizer, for each parameter
    double unreduced_ = 0;  ///< bytes of gradients that no exchange has begun for
    bool halves_ = false;
    bool recomputes_ = false;
    bool first_ = false;    ///< step, which makes the optimizer's states
    bool streams_ = false;  ///< whether frozen weights stay in host memory
    bool has_workspace_[2] = {false, false};
};

}  // namespace ridgeline
