#include "estimate/memory/program_memory.h"

#include "estimate/allocator/reserved.h"
#include "estimate/memory/counters.h"
#include "estimate/memory/live_bytes.h"
#include "estimate/memory/replayed_steps.h"
#include "estimate/stacks/network_script.h"
#include "estimate/stacks/sharding.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace ridgeline {
namespace {

/// Bytes of a node's host that the optimizer's states take there.
Bytes states_on_host(const EstimateInput& input, const Program& program) {
    const Workload& workload = input.workload;
    if (workload.task != Task::train || workload.plan.offload_optimizer == OffloadTarget::none) {
        return {};
    }
    double trained = 0;
    for (const SubModel& model : program.models) {
        trained += model.trains ? model.trained : 0;
    }
    const double each =
        state_bytes(workload, input.software) + (workload.master_weights ? 4 : 0);
    return Bytes::of_base(trained * each *
                          shard_share(workload.plan, shards_states(workload.plan.sharding)) *
                          std::min(input.cluster.count, input.cluster.per_node));
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

/// What the caching allocator makes of the program's tensors, by pool; 0: what its ranks exchange is
/// not written, or the tensors alone are larger than the card.
PoolBytes replayed(const EstimateInput& input,
                   const Program& program,
                   const Script& script,
                   Bytes allocated) {
    const OutsideTensors outside = outside_tensors(input);
    const double room = outside.capacity - outside.context;
    if (!input.software.allocator.replays || !exchanges_whole(input, program) ||
        (outside.capacity > 0 && allocated.base() > room)) {
        return {};
    }
    const auto play = [&](double limit) {
        PoolBytes pools{};
        AllocatorSettings settings;
        settings.limit = Bytes::of_base(limit);
        const Reserved reserved = reserved_by(script, settings);
        for (std::size_t i = 0; i < memory_pools; ++i) {
            pools[i] = reserved.by_stream[i].base();
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

Script program_script(const EstimateInput& input, const Program& program, bool runs) {
    return network_script(input, program, outside_tensors(input).library / 2, runs);
}

MemoryEstimate program_memory(const EstimateInput& input, const Program& program) {
    const Script script = program_script(input, program, false);
    MemoryEstimate memory;
    add_instants(memory, live_bytes(script));
    memory.host = states_on_host(input, program);
    const PoolBytes pools = replayed(input, program, script, memory.allocated);
    constexpr double library = 0;  // its workspaces are tensors of the script
    return counted(std::move(memory), input, 0, pools, library);
}

}  // namespace ridgeline
