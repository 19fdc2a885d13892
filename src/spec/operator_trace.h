#pragma once

#include "base/dtype.h"
#include "base/quantity.h"
#include "spec/calibration.h"

#include <string>
#include <vector>

namespace ridgeline {

/// What a step does when an operator runs.
enum class TracedPhase { forward, backward, optimizer };

/// One operator of a step that ran, or several equal ones together. All figures are of one.
struct TracedOperator {
    std::string name;  ///< "aten::mm"
    OperatorClass operator_class = OperatorClass::streaming;
    ComputeType type = ComputeType::fp32;
    TracedPhase phase = TracedPhase::forward;
    Flops flops;                 ///< 0: only moves bytes
    Bytes traffic;               ///< read and written
    double m = 0, n = 0, k = 0;  ///< of a product; 0: none
    double products = 1;         ///< of that shape in one operator (a batch of them)
    double kernels = 1;          ///< launches
    double count = 1;
    Seconds measured;  ///< on the device that the trace is of; 0: not known
};

/// A collective of a step, or several equal ones.
struct TracedCollective {
    Collective operation = Collective::all_reduce;
    Bytes size;  ///< as nccl-tests counts it: the whole buffer
    int ranks = 0;
    double count = 1;
};

/// The operators of one step of a program that ran, on one rank.
struct OperatorTrace {
    std::string form;    ///< "execution trace", "profiler trace", "rehearsal"
    std::string device;  ///< name of the card that durations were measured on; empty: none
    std::vector<TracedOperator> operators;
    std::vector<TracedCollective> collectives;
    Seconds measured;    ///< sum of the durations of kernels; 0: none were measured
    Seconds wall;        ///< from the first operator to the last, where measured; 0: not known
    double unknown = 0;  ///< operators counted by their bytes alone though they may compute
    std::vector<std::string> unknown_names;

    [[nodiscard]] double launches() const {
        double sum = 0;
        for (const TracedOperator& op : operators) {
            sum += op.kernels * op.count;
        }
        return sum;
    }
};

}  // namespace ridgeline
