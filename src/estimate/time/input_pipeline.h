#pragma once

#include "spec/machine.h"
#include "spec/workload.h"

#include <array>
#include <string_view>

namespace ridgeline {

/// Samples a second that one part of the input pipeline delivers to the whole cluster.
struct InputRate {
    std::string_view part;          ///< "storage", "storage reads", "host decode", "host link"
    double samples_per_second = 0;  ///< infinite where no rate is known or nothing is asked of it
};

/// The parts through which a sample goes, in order. Storage counts once for each node, host cores
/// and links once for each accelerator. With GPUDirect Storage the accelerator decodes, and a
/// sample crosses its link as it was read. source  rates: the workload, else the machine and the
/// accelerator of the catalog
std::array<InputRate, 4> input_rates(const Workload& workload, const Cluster& cluster);

/// The slowest of them. Precondition: the workload states an input.
InputRate slowest_input(const Workload& workload, const Cluster& cluster);

/// Time to feed one step at the rate of the slowest part: parts work at the same time, ahead of the
/// step. 0 where the workload states no input.
Seconds input_time(const Workload& workload, const Cluster& cluster);

}  // namespace ridgeline
