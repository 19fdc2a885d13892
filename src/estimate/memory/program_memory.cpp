#include "estimate/memory/program_memory.h"

#include "estimate/families/families.h"
#include "estimate/memory/counters.h"
#include "estimate/memory/live_bytes.h"
#include "estimate/memory/replayed_steps.h"
#include "estimate/stacks/network_script.h"
#include "estimate/stacks/sharding.h"
#include "estimate/stacks/winograd_tiles.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

namespace ridgeline {
namespace {

constexpr double endless = std::numeric_limits<double>::infinity();

/// A program and its script, made when they are asked for.
class Steps {
public:
    Steps(const EstimateInput& input, const Program* program) : input_(input), program_(program) {}

    const Program& program() {
        if (program_ == nullptr) {
            own_ = listed_program(input_);
            program_ = own_.get();
        }
        return *program_;
    }
    const Script& script() {
        return script_ ? *script_ : script_.emplace(program_script(input_, program(), false));
    }

private:
    const EstimateInput& input_;
    const Program* program_;
    std::shared_ptr<const Program> own_;
    std::optional<Script> script_;
};

/// States of the optimizer that a rank keeps.
Bytes states_of(const EstimateInput& input, const Program& program) {
    const Workload& workload = input.workload;
    double trained = 0;
    for (const SubModel& model : program.models) {
        trained += model.trains ? model.trained : 0;
    }
    const double each = state_bytes(workload, input.software) + (workload.master_weights ? 4 : 0);
    return Bytes::of_base(trained * each *
                          shard_share(workload.plan, shards_states(workload.plan.sharding)));
}

/// Bytes of a node's host that they take where the plan puts them there.
Bytes on_host(const EstimateInput& input, Bytes states) {
    const Workload& workload = input.workload;
    const bool there =
        workload.task == Task::train && workload.plan.offload_optimizer != OffloadTarget::none;
    return there ? states * std::min(input.cluster.count, input.cluster.per_node) : Bytes{};
}

/// The instants of loading and of the last step: the first has no states yet.
void add_instants(MemoryEstimate& memory, const LiveBytes& live) {
    std::size_t step = 0;
    for (std::size_t i = 0; i < live.instants.size(); ++i) {
        step = live.instants[i].name == step_begins ? i : step;
    }
    for (std::size_t i = 0; i < live.instants.size(); ++i) {
        const LiveInstant& at = live.instants[i];
        if (i < step && at.name != loading) {
            continue;
        }
        Instant instant;
        instant.name = at.name;
        instant.total = at.total;
        instant.components = at.components();
        if (instant.total > memory.allocated) {
            memory.allocated = instant.total;
            memory.peak_instant = memory.instants.size();
        }
        memory.instants.push_back(std::move(instant));
    }
}

/// The workload less what the tensors of a rank do not depend on. Copies of a whole model exchange
/// in the same buckets however many they are, and a step of more micro-batches holds no more.
Workload held_workload(const EstimateInput& input) {
    Workload workload = input.workload;
    Plan& plan = workload.plan;
    if (!shares_tables(input.architecture) && !shards_states(plan.sharding)) {
        plan.data = std::min(plan.data, 2);
        workload.batch.global = workload.batch.micro * plan.data;
    }
    return workload;
}

ProgramTensors tensors_of(const EstimateInput& input, Steps& steps) {
    ProgramTensors tensors;
    add_instants(tensors.alive, live_bytes(steps.script()));
    tensors.states = states_of(input, steps.program());
    tensors.exchanges_whole = exchanges_whole(input, steps.program());
    return tensors;
}

/// What the caching allocator makes of the program's tensors, by pool, on a card with `room` bytes
/// for them; 0: what its ranks exchange is not written, or the tensors alone are larger.
PoolBytes replayed(const EstimateInput& input, const Workload& held, const ReplayedOn& on,
                   const ProgramTensors& tensors, double room, Steps& steps) {
    if (!input.software.allocator.replays || !tensors.exchanges_whole ||
        tensors.alive.allocated.base() > room) {
        return {};
    }
    const auto play = [&](double limit) {
        AllocatorSettings settings;
        settings.limit = Bytes::of_base(limit);
        return pools_of(reserved_by(steps.script(), settings));
    };
    if (input.replayed == nullptr) {
        return play(room);
    }
    const PoolBytes& pools = input.replayed->pools(held, on, [&] { return play(endless); });
    if (pools[0] <= room) {
        return pools;
    }
    ReplayedOn within = on;
    within.limit = room;
    return input.replayed->pools(held, within, [&] { return play(room); });
}

MemoryEstimate memory_of(const EstimateInput& input, Steps steps) {
    const OutsideTensors outside = outside_tensors(input);
    const ReplayedOn on{.software = &input.software,
                        .workspace = outside.library / 2,
                        .library = outside.library,
                        .tiles = convolves_on_vector_units(input)};
    const auto list = [&] { return tensors_of(input, steps); };
    const Workload held = held_workload(input);
    const ProgramTensors tensors =
        input.replayed == nullptr ? list() : input.replayed->tensors(held, on, list);
    const double room = outside.capacity > 0 ? outside.capacity - outside.context : endless;
    const PoolBytes pools = replayed(input, held, on, tensors, room, steps);
    MemoryEstimate memory = tensors.alive;
    memory.host = on_host(input, tensors.states);
    constexpr double library = 0;  // its workspaces are tensors of the script
    return counted(std::move(memory), input, 0, pools, library);
}

/// Share of the main network's weights that lies on the device in each moment of its pass: the
/// weight that is read and the next, which comes meanwhile.
double share_at_work(const Program& program) {
    const SubModel& model = program.models[program.main];
    double largest = 0;
    for (const Block& block : model.blocks) {
        for (const Operator& op : block.operators) {
            largest = std::max(largest, op.parameters);
        }
    }
    constexpr double at_once = 2;
    return model.parameters > 0 ? std::min(1.0, at_once * largest / model.parameters) : 1;
}

/// Takes from an instant the weights that are over `room`; returns how many bytes they are.
double trim(Instant& instant, double room, double at_work) {
    double taken = 0;
    for (Component& component : instant.components) {
        if (component.name == "weights") {
            taken =
                std::clamp(instant.total.base() - room, 0.0, (1 - at_work) * component.size.base());
            component.size -= Bytes::of_base(taken);
        }
    }
    instant.total -= Bytes::of_base(taken);
    return taken;
}

/// The same where the device has no room for all networks at once: each comes for its pass, and of
/// its weights as many stay as there is room for (ComfyUI, comfy/model_management.py:
/// load_models_gpu unloads what waits and loads the rest with lowvram_model_memory).
MemoryEstimate memory_in_turn(const EstimateInput& input, const Program& program) {
    Workload apart = input.workload;
    apart.plan.offload_parameters = OffloadTarget::cpu;
    const EstimateInput waiting = input.with(apart);
    MemoryEstimate memory = memory_of(waiting, Steps(waiting, &program));
    const double beside = (memory.process - memory.allocated).base();
    const double room = memory.capacity.base() - beside;
    const double at_work = share_at_work(program);
    memory.allocated = {};
    for (std::size_t i = 0; i < memory.instants.size(); ++i) {
        Instant& instant = memory.instants[i];
        memory.streamed = std::max(memory.streamed, Bytes::of_base(trim(instant, room, at_work)));
        if (instant.total > memory.allocated) {
            memory.allocated = instant.total;
            memory.peak_instant = i;
        }
    }
    memory.process = memory.allocated + Bytes::of_base(beside);
    memory.reserved = memory.process - memory.context;
    for (const SubModel& model : program.models) {
        memory.host += Bytes::of_base(model.parameters * stored_weight_bytes(apart));
    }
    const Bytes host = Bytes::of_base(outside_tensors(input).host);
    memory.fits = memory.process <= memory.capacity && (host <= Bytes{} || memory.host <= host);
    memory.verdict = memory.fits ? FitVerdict::yes : FitVerdict::no;
    memory.barely_by = BarelyBy::none;
    if (memory.fits) {  // what more it needs is read from the host as well
        memory.band.high = std::min(memory.band.high, memory.capacity / memory.process);
    }
    return memory;
}

MemoryEstimate streamed_if_short(const EstimateInput& input, MemoryEstimate whole,
                                 const Program* program) {
    if (!streams_weights(input)) {
        return whole;
    }
    if (whole.fits) {  // what more it needs waits on the host
        whole.verdict = FitVerdict::yes;
        whole.barely_by = BarelyBy::none;
        whole.band.high = std::min(whole.band.high, whole.capacity / whole.process);
        return whole;
    }
    const auto own = program == nullptr ? listed_program(input) : nullptr;
    return memory_in_turn(input, program == nullptr ? *own : *program);
}

}  // namespace

std::shared_ptr<const Program> listed_program(const EstimateInput& input) {
    const Workload workload = listed_workload(input.architecture, input.workload);
    const auto list = [&] { return program_of(input.architecture, workload, input.software); };
    return input.replayed == nullptr ? std::make_shared<const Program>(list())
                                     : input.replayed->program(workload, input.software, list);
}

Script program_script(const EstimateInput& input, const Program& program, bool runs) {
    return network_script(input, program, outside_tensors(input).library / 2, runs);
}

MemoryEstimate program_memory(const EstimateInput& input) {
    return streamed_if_short(input, memory_of(input, Steps(input, nullptr)), nullptr);
}

MemoryEstimate program_memory(const EstimateInput& input, const Program& program) {
    return streamed_if_short(input, memory_of(input, Steps(input, &program)), &program);
}

bool streams_weights(const EstimateInput& input) {
    const auto& rate = input.cluster.accelerator->pcie_rate;
    return input.software.support.streams_weights && input.workload.task == Task::inference &&
           input.workload.plan.offload_parameters == OffloadTarget::none && rate &&
           rate->base() > 0;
}

}  // namespace ridgeline
