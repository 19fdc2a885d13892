// Types in which products read their operands, and what casting to them moves.
#include "estimate/time/operand_types.h"

#include "estimate/time/block_time.h"
#include "estimate/time/block_work.h"

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

bool works_follow_step(const Workload& workload) { return is_low_precision(workload.compute); }

ComputeType product_type(const Operator& op, const Workload& workload) {
    if (op.full_precision) {
        return ComputeType::fp32;
    }
    const bool low = op.role == Role::linear || op.role == Role::expert_linear;
    return low ? workload.compute : wide_type(workload);
}

}  // namespace ridgeline
