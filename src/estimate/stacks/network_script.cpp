// A training step of a network as PyTorch's allocator sees it. Order of requests: an operator's
// cast weight, what it writes, what it keeps beside; backwards the gradients of what it read, then
// that of its weight, cast to the stored type when the rest is gone
// (torch/csrc/autograd/engine.cpp, evaluate_function; autocast_mode.cpp).
#include "estimate/stacks/network_script.h"

#include "estimate/stacks/network_flow.h"
#include "estimate/stacks/sharding.h"
#include "estimate/work/quantization.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace ridgeline {
namespace {

/// Tensors that one forward pass has left for its backward pass.
struct Waiting {
    std::vector<TensorId> maps;
    std::vector<TensorId> beside;  ///< by kept bytes that are no map
    std::vector<TensorId> copies;  ///< of weights, by step
};

/// Gradients of maps while a backward pass runs: several maps may hold the same one.
class MapGradients {
public:
    MapGradients(ScriptWriter& writer, const NetworkFlow& flow)
        : writer_(writer), flow_(flow), of_(flow.maps.size(), -1) {}

    int taken(int map) {
        int& at = of_[static_cast<std::size_t>(map)];
        const int taken = at < 0 ? make(map) : at;
        at = -1;
        return taken;
    }
    void give(int map, int passed) {
        if (!flow_.maps[static_cast<std::size_t>(map)].needs_gradient) {
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
        const bool own = owners_[static_cast<std::size_t>(at)] == 1;
        const int added = passed >= 0 ? passed : make(map);
        const int sum = own ? at : make(map);
        drop(added);
        if (!own) {
            drop(at);
        }
        at = sum;
    }
    void drop(int gradient) {
        const auto at = static_cast<std::size_t>(gradient);
        if (--owners_[at] == 0) {
            writer_.give(tensors_[at]);
        }
    }
    /// Gradients that nothing read further (of what needs none in the end).
    void clear() {
        for (int& at : of_) {
            if (at >= 0) {
                drop(std::exchange(at, -1));
            }
        }
    }

private:
    int make(int map) {
        tensors_.push_back(
            writer_.take(Bytes::of_base(flow_.maps[static_cast<std::size_t>(map)].bytes)));
        owners_.push_back(1);
        return static_cast<int>(tensors_.size()) - 1;
    }

    ScriptWriter& writer_;
    const NetworkFlow& flow_;
    std::vector<int> of_;
    std::vector<TensorId> tensors_;
    std::vector<int> owners_;
};

/// Parameters of norms and biases: a few KiB each, which lie together in the segments of small
/// blocks wherever they come. They are taken once, with all that training adds to them.
constexpr double few = 8192;

double large_of(const Operator& op) {
    const double matrix = op.rows * op.columns * op.matrices;
    return op.parameters <= few ? 0 : matrix > 0 && matrix < op.parameters ? matrix : op.parameters;
}
double small_of(const Operator& op) {
    return op.parameters - large_of(op);
}

class Steps {
public:
    Steps(const EstimateInput& input, const Program& program, double workspace)
        : input_(input), workspace_(workspace) {
        const Workload& workload = input.workload;
        halves_ = input.software.runtime.options.autocast && workload.weights == DType::fp32 &&
                  bytes_per_element(storage_of(workload.compute)) < 4;
        recomputes_ = workload.plan.recompute == RecomputeMode::full;
        for (const SubModel& model : program.models) {
            networks_.push_back({&model, flow_of(model), {}, {}, {}});
        }
        passes_ = &program.passes;
    }

    Script write() {
        constexpr std::size_t events_of_a_step = 32;  // of two rounds, at most about so many
        std::size_t steps = 0;
        for (const Network& network : networks_) {
            steps += network.flow.steps.size();
        }
        writer_.reserve(events_of_a_step * steps);
        for (const Network& network : networks_) {
            load(network);
        }
        for (int step = 0; step < 2; ++step) {
            for (const ProgramPass& pass : *passes_) {
                run(networks_[static_cast<std::size_t>(pass.model)], pass, step == 0);
            }
        }
        return std::move(writer_).finish();
    }

private:
    struct Network {
        const SubModel* model;
        NetworkFlow flow;
        std::vector<Waiting> waiting;
        std::vector<TensorId> gradients;  ///< of weights, until the next step begins
        std::vector<TensorId> states;
    };

    TensorId take(double bytes, Category category = Category::transient) {
        return bytes > 0 ? writer_.take(Bytes::of_base(bytes), Stream::compute, category) : nothing;
    }
    void give(TensorId& tensor) { writer_.give(std::exchange(tensor, nothing)); }

    [[nodiscard]] bool trains(const Network& network) const {
        return input_.workload.task == Task::train && network.model->trains;
    }
    [[nodiscard]] bool adapters() const {
        return input_.workload.method != Method::full && input_.workload.lora.has_value();
    }
    /// Whether autocast copies the operator's weight.
    [[nodiscard]] bool casts(const Operator& op) const {
        return halves_ && op.role == Role::linear && op.parameters > 0;
    }
    [[nodiscard]] double stored(const Operator& op) const {
        return bytes_per_element(op.role == Role::adapter ? input_.workload.lora->weights
                                                          : input_.workload.weights);
    }

    void load(const Network& network);
    void run(Network& network, const ProgramPass& pass, bool first);
    void forward(Network& network, Waiting& waiting, NetworkFlow::Round round, bool keeps);
    void product(const Operator& op, bool forward);
    void read(const Network& network,
              Waiting& waiting,
              NetworkFlow::Round round,
              std::size_t at,
              bool keeps);
    void again(Network& network, Waiting& waiting, NetworkFlow::Round round);
    void backward(Network& network, bool weights);
    void step_back(
        Network& network, Waiting& waiting, MapGradients& gradients, std::size_t at, bool weights);
    void update(Network& network, bool first);
    void clear(Waiting& waiting);

    const EstimateInput& input_;
    const std::vector<ProgramPass>* passes_ = nullptr;
    ScriptWriter writer_;
    std::vector<Network> networks_;
    double workspace_;
    bool halves_ = false;
    bool recomputes_ = false;
    bool has_workspace_[2] = {false, false};
};

void Steps::load(const Network& network) {
    const QuantFormat* format = quant_format(input_.workload.quantization.name);
    const bool packed = format != nullptr && input_.workload.quantization.name != "none";
    double trained = 0;
    double together = network.model->buffers * 4;
    const double beside =
        2 * bytes_per_element(input_.workload.gradients) + state_bytes(input_.workload);
    for (const NetworkFlow::Step& step : network.flow.steps) {
        const Operator& op = *step.op;
        const double bytes = packed && op.role != Role::adapter ? format->bits / 8 : stored(op);
        take(large_of(op) * bytes, Category::weight);
        together += small_of(op) * (bytes + (trains(network) && op.trains ? beside : 0));
        trained += op.trains ? op.parameters : 0;
    }
    constexpr double small_block = 1024.0 * 1024;  // largest of the allocator's small blocks
    for (; together > 0; together -= small_block) {
        take(std::min(together, small_block), Category::weight);
    }
    if (!trains(network)) {
        return;
    }
    take(halves_ ? 4 * network.model->inputs : 0, Category::input);
    constexpr double bucket = 25.0 * 1024 * 1024;  // DistributedDataParallel's bucket_cap_mb
    double left =
        input_.workload.plan.data > 1 ? trained * bytes_per_element(input_.workload.gradients) : 0;
    for (; left > 0; left -= bucket) {
        take(std::min(left, bucket), Category::reduced);
    }
}

/// A product without a bias takes the workspace of its thread's handle for good; one with a bias
/// goes through cuBLASLt and takes one for as long as it runs.
void Steps::product(const Operator& op, bool forward) {
    const bool gemm = op.operator_class == OperatorClass::gemm && op.gemm.n > 0;
    const bool scores = op.role == Role::attention && op.forward_kernels > 1;
    if (!gemm && !scores) {
        return;
    }
    if (forward && gemm && op.parameters > op.gemm.n * op.gemm.k) {
        TensorId once = take(workspace_, Category::workspace);
        give(once);
        return;
    }
    if (bool& has = has_workspace_[forward ? 0 : 1]; !has) {
        has = true;
        take(workspace_, Category::workspace);
    }
}

void Steps::read(const Network& network,
                 Waiting& waiting,
                 NetworkFlow::Round round,
                 std::size_t at,
                 bool keeps) {
    const NetworkFlow& flow = network.flow;
    const NetworkFlow::Step& step = flow.steps[at];
    for (int i = 0; i < step.inputs; ++i) {
        const int map = flow.inputs[static_cast<std::size_t>(step.first_input + i)];
        const NetworkFlow::Map& one = flow.maps[static_cast<std::size_t>(map)];
        // What enters a round is there when the round is computed again.
        const bool enters =
            recomputes_ && trains(network) && one.maker < static_cast<int>(round.first);
        if (one.last_reader == static_cast<int>(at) && !(keeps && one.kept) && !enters &&
            map != step.output) {
            give(waiting.maps[static_cast<std::size_t>(map)]);
        }
    }
}

void Steps::forward(Network& network, Waiting& waiting, NetworkFlow::Round round, bool keeps) {
    const NetworkFlow& flow = network.flow;
    for (std::size_t at = round.first; at < round.end; ++at) {
        const NetworkFlow::Step& step = flow.steps[at];
        for (int i = 0; i < step.inputs; ++i) {
            // What no operator has made comes with the batch.
            const auto map = static_cast<std::size_t>(
                flow.inputs[static_cast<std::size_t>(step.first_input + i)]);
            if (waiting.maps[map] == nothing) {
                waiting.maps[map] = take(flow.maps[map].bytes, Category::input);
            }
        }
        if (casts(*step.op) && waiting.copies[at] == nothing) {
            waiting.copies[at] = take(2 * step.op->parameters);
        }
        product(*step.op, true);
        for (int i = 0; keeps && i < step.kept; ++i) {
            const auto kept = static_cast<std::size_t>(step.first_kept + i);
            if (flow.kept[kept].map < 0) {
                waiting.beside[kept] = take(flow.kept[kept].bytes, Category::kept);
            }
        }
        if (step.output >= 0 && waiting.maps[static_cast<std::size_t>(step.output)] == nothing) {
            const auto map = static_cast<std::size_t>(step.output);
            waiting.maps[map] = take(flow.maps[map].bytes, Category::kept);
        }
        read(network, waiting, round, at, keeps);
        if (!keeps) {
            give(waiting.copies[at]);
        }
    }
}

void Steps::step_back(
    Network& network, Waiting& waiting, MapGradients& gradients, std::size_t at, bool weights) {
    const NetworkFlow& flow = network.flow;
    const NetworkFlow::Step& step = flow.steps[at];
    const Operator& op = *step.op;
    const bool cast = casts(op);
    const double made = weights && op.trains ? large_of(op) : 0;
    const bool flows =
        step.output >= 0 && flow.maps[static_cast<std::size_t>(step.output)].needs_gradient;
    int incoming = -1;
    if (flows) {
        product(op, false);
        incoming = gradients.taken(step.output);
        for (int i = 0; i < step.inputs; ++i) {
            gradients.give(flow.inputs[static_cast<std::size_t>(step.first_input + i)],
                           step.passes ? incoming : -1);
        }
    }
    TensorId gradient = take(made * (cast ? 2 : stored(op)), Category::gradient);
    if (incoming >= 0) {
        gradients.drop(incoming);
    }
    for (int i = 0; i < step.kept; ++i) {
        const auto kept = static_cast<std::size_t>(step.first_kept + i);
        if (flow.kept[kept].map >= 0) {
            give(waiting.maps[static_cast<std::size_t>(flow.kept[kept].map)]);
        } else {
            give(waiting.beside[kept]);
        }
    }
    give(waiting.copies[at]);
    if (cast) {
        const TensorId narrow =
            std::exchange(gradient, take(made * stored(op), Category::gradient));
        writer_.give(narrow);
    }
    if (gradient != nothing) {
        network.gradients.push_back(gradient);
    }
}

/// Later rounds have read what this one left: it is gone, and made again with all that is kept.
void Steps::again(Network& network, Waiting& waiting, NetworkFlow::Round round) {
    for (std::size_t at = round.first; at < round.end; ++at) {
        const int map = network.flow.steps[at].output;
        if (map >= 0) {
            give(waiting.maps[static_cast<std::size_t>(map)]);
        }
    }
    forward(network, waiting, round, true);
}

void Steps::backward(Network& network, bool weights) {
    if (network.waiting.empty()) {
        return;
    }
    Waiting waiting = std::move(network.waiting.back());
    network.waiting.pop_back();
    MapGradients gradients(writer_, network.flow);
    // A step before left gradients to add to: what this one makes is gone when it is added.
    const std::size_t before = network.gradients.size();
    for (std::size_t round = network.flow.rounds.size(); round-- > 0;) {
        const NetworkFlow::Round& one = network.flow.rounds[round];
        if (recomputes_) {
            again(network, waiting, one);
        }
        for (std::size_t at = one.end; at-- > one.first;) {
            step_back(network, waiting, gradients, at, weights);
            while (before > 0 && network.gradients.size() > before) {
                writer_.give(network.gradients.back());
                network.gradients.pop_back();
            }
        }
    }
    gradients.clear();
    clear(waiting);
}

void Steps::clear(Waiting& waiting) {
    for (std::vector<TensorId>* list : {&waiting.maps, &waiting.beside, &waiting.copies}) {
        for (TensorId& tensor : *list) {
            give(tensor);
        }
    }
}

/// The foreach implementation makes one temporary of all parameters; gradients stay until the next
/// step begins.
void Steps::update(Network& network, bool first) {
    const Workload& workload = input_.workload;
    const bool on_host = workload.plan.offload_optimizer != OffloadTarget::none;
    const double state = state_bytes(workload);
    const int moments = workload.optimizer == "sgd" || state < 1 ? 1 : 2;
    std::vector<TensorId> roots;
    for (const NetworkFlow::Step& step : network.flow.steps) {
        const double trained = step.op->trains ? large_of(*step.op) : 0;
        for (int each = 0; first && !on_host && each < moments; ++each) {
            take(trained * state / moments, Category::state);
        }
        take(first && !on_host && workload.master_weights ? 4 * trained : 0, Category::weight);
    }
    if (workload.optimizer_implementation == OptimizerImplementation::foreach) {
        for (const NetworkFlow::Step& step : network.flow.steps) {
            const double trained = step.op->trains ? large_of(*step.op) : 0;
            roots.push_back(take(trained * bytes_per_element(workload.gradients)));
        }
    }
    for (const TensorId tensor : roots) {
        writer_.give(tensor);
    }
    for (const TensorId tensor : network.gradients) {
        writer_.give(tensor);
    }
    network.gradients.clear();
}

void Steps::run(Network& network, const ProgramPass& pass, bool first) {
    if (pass.kind == ProgramPass::Kind::backward) {
        backward(network, pass.weights);
        return;
    }
    if (pass.kind == ProgramPass::Kind::update) {
        update(network, first);
        return;
    }
    const NetworkFlow& flow = network.flow;
    Waiting waiting{std::vector<TensorId>(flow.maps.size(), nothing),
                    std::vector<TensorId>(flow.kept.size(), nothing),
                    std::vector<TensorId>(flow.steps.size(), nothing)};
    for (const NetworkFlow::Round& round : flow.rounds) {
        forward(network, waiting, round, pass.keeps && !recomputes_);
    }
    if (pass.keeps) {
        network.waiting.push_back(std::move(waiting));
    } else {
        clear(waiting);
    }
}

}  // namespace

std::optional<Script> network_script(const EstimateInput& input,
                                     const Program& program,
                                     double workspace) {
    const Plan& plan = input.workload.plan;
    const bool shares = plan.sharding != Sharding::none && plan.sharding != Sharding::ddp;
    const bool part = plan.recompute == RecomputeMode::full && plan.recompute_share < 1;
    if ((shares && plan.data > 1) || part || plan.offload_parameters != OffloadTarget::none) {
        return std::nullopt;
    }
    for (const SubModel& model : program.models) {
        if (model.sparse > 0 || model.flow.empty()) {
            return std::nullopt;
        }
    }
    return Steps(input, program, workspace).write();
}

}  // namespace ridgeline
