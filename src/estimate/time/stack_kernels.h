#pragma once

#include "estimate/input.h"
#include "estimate/work/program.h"

namespace ridgeline {

bool convolves(OperatorClass operator_class);

/// Which kernels a stack runs for the operators of a network: what it joins, the types that they
/// compute in, the layout that they read. `input` outlives it.
class StackKernels {
public:
    explicit StackKernels(const EstimateInput& input);

    /// The type of all that is no layer with weights.
    [[nodiscard]] ComputeType type() const { return type_; }
    /// Of 16 bits or fewer.
    [[nodiscard]] bool half() const;
    [[nodiscard]] bool autocasts() const;
    /// Kernel by kernel, as torch runs modules.
    [[nodiscard]] bool eager_torch() const;
    /// The type that a kernel computes in.
    [[nodiscard]] ComputeType computes_in(const Operator& op, OperatorClass operator_class) const;
    /// Whether the operator runs inside the kernel before it. A compiler joins pointwise work to
    /// it, what stands behind a norm too, and an engine that folds constants the norm of inference.
    [[nodiscard]] bool joined(const Operator& op) const;
    /// Whether the operands of an 8-bit product are quantised in kernels of their own.
    [[nodiscard]] bool quantises(const Operator& op) const;
    /// Whether maps are turned to channels last around a convolution. A compiler orders them by
    /// itself (_inductor/config.py, layout_optimization).
    [[nodiscard]] bool converts_layout(OperatorClass operator_class) const;

private:
    [[nodiscard]] bool has(ComputeType type) const;
    [[nodiscard]] bool rounds(const Operator& op, bool cudnn) const;
    [[nodiscard]] bool narrow_sums(OperatorClass operator_class) const;
    [[nodiscard]] bool placed_by_engine(const Operator& op) const;

    const EstimateInput& input_;
    bool training_;
    ComputeType type_;
};

}  // namespace ridgeline
