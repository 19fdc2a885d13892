// What the modules of Hugging Face Transformers do beside the operators of a pass: a cache that is
// written anew with each token, loops over experts, calls around packed weights.
#pragma once

#include "estimate/input.h"
#include "estimate/work/operator.h"
#include "estimate/work/quantization.h"

namespace ridgeline {

/// Keys and values in elements: what an attention of one pass reads, and what is copied before it.
struct CacheCopies {
    double copied = 0;   ///< elements that strided copies write
    double reads = 1;    ///< of the cache, by the kernel
    double kernels = 0;  ///< that copy
};

/// DynamicCache joins the keys and values of a step to those before (torch.cat), and grouped heads
/// are repeated for kernels that know no groups (repeat_kv).
///
/// cached  elements of keys and values that the attention sees, all samples
/// grows   a step of decoding adds to them
CacheCopies cache_copies(const EstimateInput& input, double cached, bool grows);

/// Cycles a second of all multiprocessors or compute units together: of as many as the vector rate
/// takes, where their number is not stated; 0: neither is.
double unit_cycles(const Accelerator& part);

/// Device seconds of strided copies of so many elements.
double strided_copy_time(const DeviceModel& device, double elements, double element_bytes);

/// Rows up to which a packed product reads its weights as they lie; for more they are expanded to
/// 16 bits first.
double most_packed_rows(const QuantFormat& format, const SoftwareProfile& software);

/// Seconds in which 4-bit codes of bitsandbytes are turned into 16 bits: before 0.48 by a tree of
/// four branches, both sides of which a warp walks (kDequantizeBlockwise; Llama 3.1 70B with 32
/// rows on H100, benchmarking/README.md). 0: no slower than memory.
double decoding_time(const EstimateInput& input, const QuantFormat& format, const GemmShape& shape);

/// Products of few rows and weights in the format go through Marlin: whole tiles of the matrix
/// units, each sum cut into parts.
bool by_marlin(const QuantFormat& format, const SoftwareProfile& software);

/// Seconds that Marlin, which also widens weights for whose type a part has no units, unpacks them
/// in a product of many rows; 0: another kernel. It takes rows in blocks of 64 and unpacks for
/// each: 141 TFLOP/s on A100 from 64 rows on, where the library reaches 235 (vllm-project/vllm
/// #2497, IST-DASLab/marlin #2).
double unpacking_time(const EstimateInput& input, const QuantFormat& format,
                      const GemmShape& shape);

/// Products of so many rows and weights in the format go through AWQ's own kernel of tiles.
bool by_awq_kernels(const QuantFormat& format, const SoftwareProfile& software, double rows);

/// Kernels that a module launches for a product of packed weights beside the one of the product.
double packed_launches(const QuantFormat& format, const Workload& workload,
                       const SoftwareProfile& software, double rows);

/// Host seconds of the loop over the experts of one layer, which waits for each.
///
/// tokens  of the pass
double expert_loop_time(const EstimateInput& input, double tokens);

struct LaunchedPass {
    double device = 0;    ///< seconds
    double launches = 0;  ///< kernels, where no graph has them
};

/// Seconds by which the host makes a pass longer: launches that no graph has, where the device is
/// the faster, and loops over experts.
double host_time(const EstimateInput& input, const OperatorList& list, const Pass& pass,
                 const LaunchedPass& launched);

/// Its modules multiply each token with every expert at once (gpt-oss in 16 bits before
/// Transformers 5).
bool runs_every_expert(const EstimateInput& input);

}  // namespace ridgeline
