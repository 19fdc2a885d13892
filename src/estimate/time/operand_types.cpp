// Types in which products read their operands, and what casting to them moves.
#include "estimate/time/operand_types.h"

#include "estimate/time/block_time.h"
#include "estimate/time/block_work.h"
#include "spec/software_profile.h"

namespace ridgeline {

bool is_low_precision(ComputeType type) {
    return type == ComputeType::fp8 || type == ComputeType::mxfp8 || type == ComputeType::fp4;
}

ComputeType wide_type(const Workload& workload) {
    return is_low_precision(workload.compute) || workload.compute == ComputeType::int8
               ? ComputeType::bf16
               : workload.compute;
}

double weight_bytes(ComputeType type) { return bytes_per_element(storage_of(type)); }

double cast_traffic(ComputeType type, bool transpose) {
    const double copies = transpose ? 2 : 1;
    switch (type) {
        case ComputeType::fp8:
            return 2 + copies;
        // One scale byte a block of 32.
        case ComputeType::mxfp8:
            return 2 + copies * (1 + 1.0 / 32);
        // The per-tensor maximum takes a read of its own; one scale byte a block of 16.
        case ComputeType::fp4:
            return 2 + 2 + copies * (0.5 + 1.0 / 16);
        default:
            return 0;
    }
}

bool casts_in_steps(const Workload& workload, const SoftwareProfile& software) {
    return workload.compute == ComputeType::fp8 && !workload.compiled &&
           software.runtime.gathers_float8();
}

double stepwise_cast_traffic(bool transpose) {
    // Magnitudes (read 2, written 2), their maximum (read 2), fp32 (2 and 4), times the scale (4
    // and 4), clamped (4 and 4), cast (4 and 1); a copy whose columns lie together (1 and 1).
    return 4 + 2 + 6 + 8 + 8 + 5 + (transpose ? 2 : 0);
}

bool works_follow_step(const Workload& workload) { return is_low_precision(workload.compute); }

ComputeType product_type(const Operator& op, const Workload& workload) {
    if (op.full_precision) {
        return ComputeType::fp32;
    }
    const bool low = op.role == Role::linear || op.role == Role::expert_linear;
    return low ? workload.compute : wide_type(workload);
}

}  // namespace ridgeline
