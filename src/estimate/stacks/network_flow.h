#pragma once

#include "estimate/work/program.h"

#include <cstddef>
#include <vector>

namespace ridgeline {

/// The operators of one forward pass over a network with every repeated block written out: each
/// round makes maps of its own and reads what the round before it made.
struct NetworkFlow {
    struct Step {
        const Operator* op = nullptr;
        int output = no_tensor;
        int first_input = 0;  ///< into `inputs`
        int inputs = 0;
        int first_kept = 0;  ///< into `kept`
        int kept = 0;
        bool passes = false;
        double passing = 0;   ///< bytes between its kernels, in a pass that keeps nothing
        double matching = 0;  ///< bytes beside its kernels in training
    };
    struct Map {
        double bytes = 0;
        bool needs_gradient = false;
        bool kept = false;     ///< for a backward pass
        int maker = -1;        ///< step; -1: it comes with the batch
        int last_reader = -1;  ///< step; -1: nothing reads it
    };
    struct Round {
        std::size_t first = 0;  ///< steps of one round of a block
        std::size_t end = 0;
        bool checkpointed = true;  ///< where the stack computes blocks again
    };
    std::vector<Step> steps;
    std::vector<int> inputs;
    std::vector<KeptBytes> kept;
    std::vector<Map> maps;
    std::vector<Round> rounds;
};

NetworkFlow flow_of(const SubModel& model);

}  // namespace ridgeline
