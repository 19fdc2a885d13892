#include "estimate/time/stack_kernels.h"

#include "estimate/families/network_builder.h"
#include "estimate/time/recurrent_time.h"
#include "estimate/work/quantization.h"

namespace ridgeline {
namespace {

/// The type of all that is no layer with weights. Stacks that swap layers for quantised ones
/// (torchao, quanto, ComfyUI) leave attention, norms and maps in the type that weights had;
/// engines build the whole network in the narrow one (TensorRT's fp8 attention).
ComputeType around_products(const EstimateInput& input) {
    const Workload& workload = input.workload;
    const ComputeType compute = workload.compute;
    const bool narrow = bytes_per_element(storage_of(compute)) < 2;
    if (!narrow || workload.task == Task::train ||
        quant_format(workload.quantization.name) == nullptr ||
        input.software.runtime.kind == RuntimeKind::engine) {
        return compute;
    }
    return workload.weights == DType::fp16 ? ComputeType::fp16 : ComputeType::bf16;
}

}  // namespace

bool convolves(OperatorClass operator_class) {
    return operator_class == OperatorClass::convolution ||
           operator_class == OperatorClass::depthwise_convolution;
}

StackKernels::StackKernels(const EstimateInput& input)
    : input_(input), training_(input.workload.task == Task::train), type_(around_products(input)) {}

bool StackKernels::half() const { return bytes_per_element(storage_of(type_)) < 4; }

bool StackKernels::autocasts() const {
    return input_.software.runtime.autocasts(input_.workload.plan.sharding);
}

/// Whether a stack lets fp32 be rounded to tf32 in this product.
bool StackKernels::rounds(const Operator& op, bool cudnn) const {
    switch (input_.software.runtime.options.tf32) {
        case Tf32Use::never:
            return false;
        case Tf32Use::convolutions:
            return cudnn;
        case Tf32Use::always:
            return cudnn || op.gemm.k > 0 || op.role == Role::attention;
    }
    return cudnn;
}

ComputeType StackKernels::computes_in(const Operator& op, OperatorClass operator_class) const {
    const bool cudnn = convolves(operator_class) || op.name == recurrent_steps;
    const bool plain = input_.software.runtime.kind == RuntimeKind::plain;
    if (op.full_precision || type_ == ComputeType::fp32) {
        const bool tf32 = plain && rounds(op, cudnn) && has(ComputeType::tf32);
        return tf32 ? ComputeType::tf32 : ComputeType::fp32;
    }
    // Weights in fp8 are multiplied in fp8 where the part can: activations are quantised as
    // they come (torchao float8_dynamic_activation_float8_weight, LightX2V). Training keeps 16
    // bits, and what streams weights widens each as it comes (ComfyUI, comfy/ops.py
    // cast_bias_weight; fp8 products are an option, --fast).
    const bool widens = training_ || input_.software.support.streams_weights;
    if (!widens && operator_class == OperatorClass::gemm && op.role == Role::linear &&
        input_.workload.quantization.name == "fp8" && has(ComputeType::fp8)) {
        return ComputeType::fp8;
    }
    if (narrow_sums(operator_class)) {
        return ComputeType::fp16_fp16_accumulate;
    }
    return op.role == Role::linear || convolves(operator_class) ? input_.workload.compute : type_;
}

/// GeForce and workstation cards multiply twice as fast where sums are kept in fp16.
bool StackKernels::narrow_sums(OperatorClass operator_class) const {
    return input_.workload.fp16_accumulate && input_.workload.compute == ComputeType::fp16 &&
           has(ComputeType::fp16_fp16_accumulate) &&
           (convolves(operator_class) || operator_class == OperatorClass::gemm);
}

/// Norms that an engine folds into weights, maps that are written where they are read from:
/// side by side, or in another order (TensorRT developer guide, types of fusions).
bool StackKernels::placed_by_engine(const Operator& op) const {
    return !training_ && (op.name == "batch norm" || op.name == "concatenate" || op.name == "copy");
}

bool StackKernels::joined(const Operator& op) const {
    // Megatron's and Apex's kernels, which MLPerf submissions use, are joined by hand.
    const RuntimeKind kind = input_.software.runtime.kind;
    const KernelProfile& kernels = input_.software.kernels;
    if (op.name == joined_chain && kernels.activation == ActivationKernel::fused &&
        kernels.norm == NormKernel::fused) {
        return true;  // a stack with kernels of its own for such chains
    }
    if (!input_.workload.compiled && kind != RuntimeKind::megatron && kind != RuntimeKind::engine) {
        return false;
    }
    const bool pointwise =
        op.role == Role::activation || op.role == Role::residual || op.name == "scale" ||
        op.name == "multiply" || op.name == joined_chain ||
        (kind == RuntimeKind::engine && (op.name == channel_gate || op.name == "pointwise"));
    return pointwise || (kind == RuntimeKind::engine && placed_by_engine(op));
}

bool StackKernels::eager_torch() const {
    return input_.software.runtime.kind == RuntimeKind::plain && !input_.workload.compiled &&
           input_.software.kernels.norm != NormKernel::fused;
}

bool StackKernels::quantises(const Operator& op) const {
    return training_ && !input_.workload.compiled && op.role == Role::linear &&
           op.operator_class == OperatorClass::gemm && op.gemm.m > 1 &&
           input_.workload.quantization.name.starts_with("int8") &&
           input_.software.runtime.kind == RuntimeKind::plain;
}

bool StackKernels::converts_layout(OperatorClass operator_class) const {
    return operator_class == OperatorClass::convolution && !input_.workload.channels_last &&
           !input_.workload.compiled && half();
}

bool StackKernels::has(ComputeType type) const {
    return input_.device.supported[std::size_t(type)];
}

}  // namespace ridgeline
