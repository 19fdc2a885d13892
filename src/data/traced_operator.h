#pragma once

#include "spec/operator_trace.h"

#include <optional>
#include <string>
#include <vector>

namespace ridgeline {

/// A tensor of a traced call.
struct TracedTensor {
    std::vector<double> sizes;
    double elements = 0;  ///< that memory holds: a dimension of stride 0 counts once
    std::string type;     ///< "c10::BFloat16", "float"
    bool on_card = true;
    bool sparse = false;  ///< has no memory of its own
};

/// One argument: a tensor, a list of them, or a number.
struct TracedArgument {
    std::vector<TracedTensor> tensors;
    std::optional<double> number;
};

/// A call of an operator of PyTorch.
struct TracedCall {
    std::string name;
    std::vector<TracedArgument> inputs;
    std::vector<TracedArgument> outputs;  ///< empty where the trace does not tell them
    bool backward = false;
    bool optimizer = false;
};

/// FLOPs, bytes and kind of a call that runs kernels of its own. Nothing for a call that moves
/// nothing or whose tensors are all on the host.
///
/// known  set to false where the operator may compute more than its bytes say
std::optional<TracedOperator> traced_operator(const TracedCall& call, bool& known);

}  // namespace ridgeline
