#pragma once

#include "estimate/input.h"
#include "estimate/results.h"
#include "estimate/serving/serving_pass.h"

#include <span>
#include <string_view>
#include <vector>

namespace ridgeline {

/// A model in one type of weights on one accelerator, for one request at a time.
struct QuantRung {
    std::string_view quantization;
    Bytes file;      ///< weights as stored
    Bytes process;   ///< with the cache of the workload's context and what the runtime takes
    Bytes headroom;  ///< negative: short
    bool fits = false;
    double tokens_per_second = 0;  ///< of the answer
    Seconds ttft;
};

/// The usual types of a GGUF repository, smallest first.
std::span<const std::string_view> ladder_types();

/// A model served in each of some types. What does not depend on the accelerator is done once, so
/// that many accelerators are a fold over prepared operators each.
///
/// workload  resolved; its quantisation is replaced, its concurrency must be 1
/// Precondition: references outlive the ladder; one accelerator without parallelism.
class QuantLadder {
public:
    QuantLadder(const Architecture& architecture, const Workload& workload,
                const SoftwareProfile& software, std::span<const std::string_view> types);

    /// One rung a type, in their order.
    [[nodiscard]] std::vector<QuantRung> on(const Cluster& cluster, const DeviceModel& device,
                                            const Calibration& calibration,
                                            const LinkModel& links) const;

private:
    struct Type {
        Workload workload;
        std::string_view name;
        Bytes file;
        Bytes tensors;  ///< at the highest instant
        std::vector<PreparedPass> passes;
    };
    const Architecture& architecture_;
    const SoftwareProfile& software_;
    std::vector<Type> types_;
};

}  // namespace ridgeline
