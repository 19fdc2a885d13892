#include "estimate/memory/program_memory.h"

#include "estimate/memory/counters.h"
#include "estimate/allocator/reserved.h"
#include "estimate/memory/gradient_maps.h"
#include "estimate/memory/replayed_steps.h"
#include "estimate/stacks/network_flow.h"
#include "estimate/stacks/network_script.h"
#include "estimate/stacks/rank.h"
#include "estimate/stacks/sharding.h"
#include "estimate/work/quantization.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

namespace ridgeline {
namespace {

/// Bytes that one network holds through the whole run, by part.
struct Resident {
    double weights = 0;
    double master = 0;
    double states = 0;
    double buckets = 0;    ///< in which data-parallel ranks reduce gradients
    double gradients = 0;  ///< once its backward pass has run
    double offloaded = 0;  ///< of these, in host memory
};

/// Share of a shardable part that one rank holds.
double share_of(const Plan& plan, bool sharded) {
    return sharded && plan.data > 1
               ? 1.0 / (plan.shard_group > 0 ? plan.shard_group : plan.data)
               : 1;
}

/// Bytes of a stored weight: those of its quantised format where the base is quantised.
double base_weight_bytes(const Workload& workload) {
    const QuantFormat* format = quant_format(workload.quantization.name);
    if (format == nullptr || workload.quantization.name == "none") {
        return bytes_per_element(workload.weights);
    }
    return (format->bits + (format->block > 0 ? format->scale_bits / format->block : 0)) / 8;
}

Resident resident_of(const EstimateInput& input, const SubModel& model) {
    const Workload& workload = input.workload;
    const Plan& plan = workload.plan;
    const bool trains = workload.task == Task::train && model.trains;
    const bool adapters = trains && workload.method != Method::full && workload.lora;
    const double ranks = std::max(1, plan.data);
    const double dense = model.parameters - model.sparse;
    // Tables are cut over the ranks: each holds its share of the rows.
    const double held = dense * share_of(plan, shards_weights(plan.sharding)) + model.sparse / ranks;
    Resident out;
    out.weights = held * base_weight_bytes(workload) + model.buffers * 4;
    if (!trains) {
        return out;
    }
    const double trained_type =
        adapters ? bytes_per_element(workload.lora->weights) : bytes_per_element(workload.weights);
    const double trained = adapters ? model.trained : std::min(model.trained, dense);
    out.weights += adapters ? trained * trained_type : 0;
    const bool zero = plan.sharding != Sharding::none && plan.sharding != Sharding::ddp;
    const double states = trained * share_of(plan, zero);
    out.states = states * state_bytes(workload);
    out.master = workload.master_weights ? 4 * states : 0;
    const bool cut = zero && plan.sharding != Sharding::zero1;
    out.gradients = trained * bytes_per_element(workload.gradients) * share_of(plan, cut);
    if (plan.data > 1 && !cut) {
        out.buckets = trained * bytes_per_element(workload.gradients);
    }
    if (plan.offload_optimizer != OffloadTarget::none) {
        out.offloaded = out.states + out.master;
        out.states = out.master = 0;
    }
    return out;
}

double kept_of(const Block& block) {
    double bytes = 0;
    for (const Tensor& tensor : block.tensors) {
        bytes += tensor.size.base();
    }
    return bytes * block.repeat;
}

double parameters_of(const Block& block) {
    double parameters = 0;
    for (const Operator& op : block.operators) {
        parameters += op.trains ? op.parameters : 0;
    }
    return parameters;
}

/// Products that take a workspace of cuBLAS's handle for as long as the process runs: one for the
/// thread that runs backward, and one for the forward pass if a product there has no bias. A product
/// with a bias goes through cuBLASLt, whose workspace is gone when it ends.
int product_workspaces(const Program& program) {
    int backward = 0;
    int forward = 0;
    for (const SubModel& model : program.models) {
        for (const Block& block : model.blocks) {
            for (const Operator& op : block.operators) {
                if (op.operator_class == OperatorClass::gemm && op.gemm.n > 0) {
                    backward = 1;
                    const bool bias = op.parameters > op.gemm.n * op.gemm.k;
                    forward = bias ? forward : 1;
                }
                // Scores that are not fused are products of two maps.
                forward = op.role == Role::attention && op.forward_kernels > 1 ? 1 : forward;
            }
        }
    }
    return backward + forward;
}

class Walk {
public:
    Walk(const EstimateInput& input, const Program& program) : input_(input), program_(program) {
        for (const SubModel& model : program.models) {
            resident_.push_back(resident_of(input, model));
            kept_.push_back(0);
            gradients_.push_back(0);
            waiting_.push_back(input.workload.task == Task::train ? waiting(model)
                                                                  : std::vector<double>{});
        }
    }

    MemoryEstimate run() {
        record("load", 0, 0);
        for (const ProgramPass& pass : program_.passes) {
            const auto at = static_cast<std::size_t>(pass.model);
            switch (pass.kind) {
                case ProgramPass::Kind::forward:
                    forward(pass, at);
                    break;
                case ProgramPass::Kind::backward:
                    backward(pass, at);
                    break;
                case ProgramPass::Kind::update:
                    update(at);
                    break;
            }
        }
        for (const Resident& part : resident_) {
            memory_.host += Bytes::of_base(part.offloaded * std::min(input_.cluster.count,
                                                                     input_.cluster.per_node));
        }
        return std::move(memory_);
    }

private:
    [[nodiscard]] bool halves_weights() const {
        return input_.software.runtime.options.autocast && input_.workload.weights == DType::fp32 &&
               bytes_per_element(storage_of(input_.workload.compute)) < 4;
    }

    [[nodiscard]] bool recomputes() const {
        return input_.workload.plan.recompute == RecomputeMode::full;
    }
    /// What each block keeps until its backward pass: where it is computed again, the maps that enter its
    /// rounds, each with the first round that reads it.
    [[nodiscard]] std::vector<double> waiting(const SubModel& model) const {
        const double share = recomputes() ? input_.workload.plan.recompute_share : 0;
        std::vector<double> bytes;
        for (const Block& block : model.blocks) {
            bytes.push_back((block.position == Block::Position::layer ? 1 - share : 1) * kept_of(block));
        }
        if (share > 0) {
            const std::vector<double> entering = entering_bytes(model);
            for (std::size_t i = 0; i < bytes.size(); ++i) {
                bytes[i] += model.blocks[i].position == Block::Position::layer ? share * entering[i] : 0;
            }
        }
        return bytes;
    }

    /// Autocast's 16-bit copies of the weights that products read live until their backward pass.
    [[nodiscard]] double copies(const Block& block) const {
        double weights = 0;
        for (const Operator& op : block.operators) {
            weights += op.role == Role::linear ? op.parameters : 0;
        }
        return halves_weights() ? 2 * weights * block.repeat : 0;
    }
    [[nodiscard]] double copies(const SubModel& model) const {
        double bytes = 0;
        for (const Block& block : model.blocks) {
            bytes += copies(block);
        }
        return bytes;
    }

    [[nodiscard]] GradientTypes gradient_types(const SubModel& model, const Resident& part) const {
        GradientTypes types;
        types.stored = model.trained > 0 ? part.gradients / model.trained : 0;
        types.made = halves_weights() ? 2 : 0;
        types.copied = halves_weights() ? 2 : 0;
        return types;
    }

    /// The highest instant of a backward pass.
    struct Highest {
        double kept = 0, gradients = 0, passing = 0;
        void take(double now_kept, double now_gradients, double now_passing) {
            if (now_kept + now_gradients + now_passing > kept + gradients + passing) {
                kept = now_kept;
                gradients = now_gradients;
                passing = now_passing;
            }
        }
    };

    void forward(const ProgramPass& pass, std::size_t at) {
        const SubModel& model = program_.models[at];
        running_ = at;
        if (!pass.keeps) {
            record(pass.name, 0, model.live.base() + copies(model));
            return;
        }
        double kept = copies(model);
        for (const double bytes : waiting_[at]) {
            kept += bytes;
        }
        kept_[at] += kept;
        passing_ = passing_maps(model, gradient_types(model, resident_[at]));
        record("forward end", 0, recomputes() ? model.largest.base() : passing_.forward);
    }

    void backward(const ProgramPass& pass, std::size_t at) {
        const SubModel& model = program_.models[at];
        running_ = at;
        const Resident& part = resident_[at];
        const GradientTypes types = gradient_types(model, part);
        passing_ = passing_maps(model, types);
        Highest highest;
        double gradients = gradients_[at];
        for (std::size_t i = model.blocks.size(); i-- > 0;) {
            const Block& block = model.blocks[i];
            // A step before left gradients to add to; this one adds none.
            const double own = pass.weights ? parameters_of(block) * types.stored : 0;
            const double freed = waiting_[at][i] + copies(block);
            // One of equal blocks at a time is computed again.
            const bool layer = block.position == Block::Position::layer;
            const double again = recomputes() && layer ? kept_of(block) / block.repeat : 0;
            const double left = freed * (block.repeat - 1) / block.repeat;
            const double first = std::max(gradients_[at], gradients + own);
            const double last = std::max(gradients_[at], gradients + own * block.repeat);
            highest.take(kept_[at] + again, first, passing_.backward[i]);
            highest.take(kept_[at] - left + again, last, passing_.backward[i]);
            kept_[at] = std::max(0.0, kept_[at] - freed);
            gradients += own * block.repeat;
        }
        const double left = kept_[at];
        // At the end of a block most of what it kept is gone.
        kept_[at] = highest.kept + std::min(0.0, highest.passing);
        gradients_[at] = highest.gradients;
        record("backward", 0, std::max(0.0, highest.passing));
        kept_[at] = left;
        gradients_[at] = pass.weights ? part.gradients : highest.gradients;
    }

    void update(std::size_t at) {
        running_ = at;
        // The foreach implementation of AdamW makes one temporary of all parameters.
        const bool lists =
            input_.workload.optimizer_implementation == OptimizerImplementation::foreach;
        record("optimizer step", lists ? gradients_[at] : 0, 0);
        gradients_[at] = 0;
    }

    [[nodiscard]] bool resident(std::size_t at) const {
        return input_.workload.plan.offload_parameters == OffloadTarget::none ||
               input_.workload.task == Task::train || at == running_;
    }

    void record(std::string_view name, double temporary, double passing) {
        Instant instant;
        instant.name = name;
        Resident sum;
        double kept = 0;
        double gradients = 0;
        double batch = 0;
        for (std::size_t i = 0; i < resident_.size(); ++i) {
            sum.weights += resident(i) ? resident_[i].weights : 0;
            sum.master += resident_[i].master;
            sum.states += resident_[i].states;
            sum.buckets += resident_[i].buckets;
            // Autocast keeps a copy of what the loop holds in fp32.
            batch += halves_weights() && program_.models[i].trains ? 4 * program_.models[i].inputs : 0;
            kept += kept_[i];
            gradients += gradients_[i];
        }
        const auto add = [&instant](std::string_view part, double size, std::string_view formula,
                                    Churn churn = Churn::none) {
            if (size > 0) {
                Component component;
                component.name = part;
                component.size = Bytes::of_base(size);
                component.formula = formula;
                component.churn = churn;
                instant.components.push_back(component);
                instant.total += component.size;
            }
        };
        add("weights", sum.weights, "parameters x bytes of their type, buffers in fp32");
        add("master weights", sum.master, "4 B a parameter that trains");
        add("optimizer state", sum.states, "moments x bytes of their type");
        add("batch", batch, "4 B an element of what the loop gives to the network");
        add("gradients", gradients, "bytes of their type x parameters whose backward pass has run");
        add("gradient buckets", sum.buckets, "a copy of the gradients that ranks reduce");
        add("activations", kept, "what each operator keeps for its backward pass", Churn::layers);
        add("passing", passing, "maps and their gradients that one operator reads and writes",
            Churn::layers);
        add("optimizer temporaries", temporary, "one list of all gradients", Churn::layers);
        if (instant.total > memory_.allocated) {
            memory_.allocated = instant.total;
            memory_.peak_instant = memory_.instants.size();
        }
        memory_.instants.push_back(std::move(instant));
    }

    const EstimateInput& input_;
    const Program& program_;
    PassingMaps passing_;
    MemoryEstimate memory_;
    std::vector<Resident> resident_;
    std::vector<double> kept_;
    std::vector<std::vector<double>> waiting_;  ///< of each network, by block
    std::vector<double> gradients_;
    std::size_t running_ = 0;
};

/// What the caching allocator makes of the program's tensors, by pool; 0: nobody writes its script, or
/// the tensors alone are larger than the card.
PoolBytes replayed(const EstimateInput& input, const Program& program, Bytes allocated) {
    const OutsideTensors outside = outside_tensors(input);
    const double room = outside.capacity - outside.context;
    if (!input.software.allocator.replays || (outside.capacity > 0 && allocated.base() > room)) {
        return {};
    }
    const auto play = [&](double limit) {
        PoolBytes pools{};
        if (const std::optional<Script> script = program_script(input, program)) {
            AllocatorSettings settings;
            settings.limit = Bytes::of_base(limit);
            const Reserved reserved = reserved_by(*script, settings);
            for (std::size_t i = 0; i < memory_pools; ++i) {
                pools[i] = reserved.by_stream[i].base();
            }
        }
        return pools;
    };
    const double endless = std::numeric_limits<double>::infinity();
    if (input.replayed == nullptr) {
        return play(outside.capacity > 0 ? room : endless);
    }
    const ReplayedOn on{.software = &input.software, .workspace = outside.library / 2,
                        .library = outside.library};
    const PoolBytes& pools = input.replayed->pools(input.workload, on, [&] { return play(endless); });
    return pools[0] <= room || outside.capacity <= 0 ? pools : play(room);
}

}  // namespace

std::optional<Script> program_script(const EstimateInput& input, const Program& program) {
    return network_script(input, program, outside_tensors(input).library / 2);
}

MemoryEstimate program_memory(const EstimateInput& input, const Program& program) {
    constexpr int both = 2;  // what the counters take by themselves
    MemoryEstimate memory = Walk(input, program).run();
    const PoolBytes pools = replayed(input, program, memory.allocated);
    return counted(std::move(memory), input, 0, pools,
                   product_workspaces(program) / static_cast<double>(both));
}

}  // namespace ridgeline
