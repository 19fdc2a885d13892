#include "estimate/resolve/resolve_parts.h"
#include "estimate/work/quantization.h"

#include <algorithm>
#include <string>

// In which types weights, products, gradients and caches are.

namespace ridgeline {
namespace {

bool sixteen_bit(DType type) { return type == DType::fp16 || type == DType::bf16; }

/// The 16-bit type that goes with a compute type: fp16 with fp16, bf16 with all others.
DType half_of(ComputeType compute) {
    return compute == ComputeType::fp16 || compute == ComputeType::fp16_fp16_accumulate
               ? DType::fp16
               : DType::bf16;
}

void resolve_compute(const ResolveInputs& in, DefaultFiller& fill, Workload& workload) {
    const WorkloadDocument& document = in.document;
    ComputeType compute = in.software.defaults.compute;
    if (!document.compute && document.weights && sixteen_bit(*document.weights)) {
        compute = *document.weights == DType::fp16 ? ComputeType::fp16 : ComputeType::bf16;
    }
    // Served weights whose products run in their own type (fp8, nvfp4) say the operand type.
    const QuantFormat* format = quant_format(workload.quantization.name);
    if (workload.task == Task::inference && format != nullptr && !format->dequantizes) {
        workload.compute = fill.own("precision.compute", document.compute, format->compute);
    } else {
        workload.compute = fill.software("precision.compute", document.compute, compute);
    }
}

void resolve_weights(const ResolveInputs& in, DefaultFiller& fill, Workload& workload) {
    const WorkloadDocument& document = in.document;
    const bool fsdp = workload.plan.data > 1 && (workload.plan.sharding == Sharding::fsdp ||
                                                 workload.plan.sharding == Sharding::hsdp);
    // Others keep a copy in fp32, or train in 16 bits alone.
    const bool loads_whole = workload.task == Task::train && workload.method != Method::qlora &&
                             in.architecture.kind == ModelKind::encoder &&
                             !in.architecture.reads_images() &&
                             in.software.runtime.autocasts(workload.plan.sharding) &&
                             !in.software.defaults.master_weights;
    if (loads_whole) {
        workload.weights =
            fill.derived("precision.weights", document.weights, DType::fp32,
                         "encoders are loaded in fp32, from_pretrained's type, under autocast");
    } else if (workload.task == Task::inference && document.compute == ComputeType::fp32) {
        workload.weights = fill.derived("precision.weights", document.weights, DType::fp32,
                                        "served in fp32, nothing is kept narrower");
    } else if (workload.task == Task::inference && in.software.serves &&
               in.software.defaults.weights == DType::fp32) {
        workload.weights = fill.software("precision.weights", document.weights, DType::fp32);
    } else if (workload.task != Task::train || workload.method != Method::full) {
        workload.weights =
            fill.own("precision.weights", document.weights, half_of(workload.compute));
    } else if (fsdp && in.software.runtime.options.wide_shards) {
        workload.weights = fill.derived("precision.weights", document.weights, DType::fp32,
                                        "FSDP with mixed precision keeps what trains in fp32");
    } else if (document.compute &&
               (*document.compute == ComputeType::fp32 || *document.compute == ComputeType::tf32)) {
        workload.weights = fill.derived("precision.weights", document.weights, DType::fp32,
                                        "trained in fp32, nothing is kept narrower");
    } else {
        workload.weights =
            fill.software("precision.weights", document.weights, in.software.defaults.weights);
    }
}

void resolve_cache_type(const ResolveInputs& in, DefaultFiller& fill, Workload& workload) {
    const DType half = half_of(workload.compute);
    if (workload.task != Task::inference) {
        workload.kv_cache = in.document.kv_cache.value_or(half);
        return;
    }
    // Checkpoints in this type ask for it (TensorRT Model Optimizer's exports).
    const std::string& weights = workload.quantization.name;
    const bool fp8 = weights == "nvfp4" || (weights == "fp8" && in.software.engine.quantized_cache);
    workload.kv_cache = fp8 ? fill.derived("precision.kv_cache", in.document.kv_cache, DType::fp8,
                                           "checkpoints of these weights")
                            : fill.own("precision.kv_cache", in.document.kv_cache, half);
}

}  // namespace

bool keeps_master_weights(const ResolveInputs& in, const Workload& workload) {
    return in.software.defaults.master_weights ||
           in.software.runtime.runs_deepspeed(workload.plan.sharding);
}

void resolve_quantization(const ResolveInputs& in, DefaultFiller& fill, Workload& workload) {
    const bool qlora = workload.method == Method::qlora && workload.task == Task::train;
    workload.quantization.name =
        qlora ? fill.software("precision.quantization", in.document.quantization,
                              std::string(usual_qlora_format))
              : fill.own("precision.quantization", in.document.quantization, std::string("none"));
    std::string& name = workload.quantization.name;
    if (std::ranges::any_of(in.software.usual_for,
                            [](const UsualFor& usual) { return usual.weights == "gguf"; })) {
        name = in_files(name);
    }
    if (name == "nf4" || name == "fp4") {
        workload.quantization.double_quantization =
            fill.software("precision.double_quantization", in.document.double_quantization,
                          qlora && in.software.kernels.adapter.double_quantization());
    }
}

void resolve_precision(const ResolveInputs& in, DefaultFiller& fill, Workload& workload) {
    const WorkloadDocument& document = in.document;
    resolve_compute(in, fill, workload);
    resolve_weights(in, fill, workload);
    resolve_cache_type(in, fill, workload);
    if (workload.task == Task::inference) {
        return;
    }
    const bool adapters = workload.method != Method::full && workload.task == Task::train;
    const DType trained = workload.lora ? workload.lora->weights : workload.weights;
    const DType plain = trained == DType::fp8 ? half_of(workload.compute) : trained;
    const bool main_gradients = in.software.runtime.buffers_gradients();
    workload.gradients = fill.software("precision.gradients", document.gradients,
                                       adapters         ? plain
                                       : main_gradients ? DType::fp32
                                                        : plain);
    // A copy in fp32 beside fp32 weights, or beside a few adapters, is not kept by default.
    const bool copy = keeps_master_weights(in, workload) && trained != DType::fp32 && !adapters;
    workload.master_weights =
        fill.software("precision.master_weights", document.master_weights, copy);
}

}  // namespace ridgeline
