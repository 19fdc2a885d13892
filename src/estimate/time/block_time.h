#pragma once

#include "estimate/input.h"
#include "estimate/results.h"
#include "estimate/time/operator_log.h"
#include "estimate/work/operator.h"

namespace ridgeline {

/// Kernel time of one pass of one micro-batch through some operators; times in seconds.
struct PassTime {
    double device = 0;         ///< all kernels, one after another
    double compute_bound = 0;  ///< part of `device` in operators that the matrix units bound
    double launches = 0;       ///< kernels that an eager stack launches
    PassTime& operator+=(const PassTime& other);
    friend PassTime operator*(PassTime pass, double factor);
};

/// What one block costs one rank for one micro-batch.
struct BlockTime {
    PassTime forward;
    PassTime backward;
    PassTime recompute;           ///< forward work repeated in the backward pass, as the plan asks
    PassTime quantize;            ///< casts of operands to fp8 or fp4 (forward and backward)
    PassTime dequantize;          ///< expansion of quantised frozen weights, each pass
    double products_forward = 0;  ///< matrix products of `forward`: collectives can hide behind
    double products_backward = 0;
    double attention_forward = 0;  ///< score-softmax-value core
    double attention_backward = 0;
    double parameters = 0;  ///< resident on this rank, experts apart
    double expert_parameters = 0;
    double trained = 0;  ///< with a gradient, experts apart
    double expert_trained = 0;
    double model_flops = 0;  ///< forward + backward without recomputation
    double held = 0;         ///< seconds that kernels wait for results that the host reads
    Tier worst_tier = Tier::measured;
    BlockTime& operator+=(const BlockTime& other);
    friend BlockTime operator*(BlockTime block, double factor);
};

/// Times one block of a training pass.
///
/// recompute  of this block, whatever `plan.recompute` says
/// log        takes a line for each operator and pass; null: none
BlockTime time_block(const Block& block, const EstimateInput& input, RecomputeMode recompute,
                     OperatorLog* log = nullptr);

/// Operand type of an operator's product: the workload's compute type for linear layers, 16 bit for
/// attention, head, router and adapters, which low-precision recipes leave alone.
ComputeType product_type(const Operator& op, const Workload& workload);

}  // namespace ridgeline
