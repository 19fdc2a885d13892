#pragma once

#include "base/result.h"
#include "spec/architecture.h"
#include "spec/catalog.h"
#include "spec/evidence.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ridgeline {

/// A measured figure with the workload that produced it: an evidence row in spec terms.
struct Measurement {
    std::string id;
    std::string quantity;
    std::string group;
    std::string quality;
    WorkloadDocument workload;
    Architecture architecture;  ///< resolved by the caller; unused for kernels
    std::string accelerator;    ///< catalog id
    int count = 1;
    int per_node = 1;
    std::optional<std::string> fabric;
    std::string metric;   ///< "peak_memory_gib", "step_time_s", "ttft_s", ...
    std::string counter;  ///< memory only
    double measured = 0;
};

struct Metric {
    std::string name;
    double value = 0;
};

/// The figures of a row that are compared, with what follows from what: a step time from tokens or
/// samples a second, a collective's time from its bus bandwidth. The error says why there is none.
///
/// `workload` must state batch and sequence length where a step time is derived; one sample of a
/// model without tokens has a sequence length of 1.
Result<std::vector<Metric>> metrics_of(std::string_view quantity, const Measured& measured,
                                       const WorkloadDocument& workload, int accelerators);

struct Prediction {
    double predicted = 0;
    double low = 0;
    double high = 0;
    std::string kind;  ///< of prediction: decides the range (estimate/uncertainty.h)
};

/// What the model says for a measurement; the error says why it cannot be expressed.
Result<Prediction> predict(const Measurement& measurement, const Catalog& catalog,
                           const Profiles& profiles);

struct ErrorSummary {
    std::string quantity;
    int rows = 0;
    double median_abs_error = 0;
    double p90_abs_error = 0;
    double max_abs_error = 0;
    double bias = 0;      ///< median signed error
    double coverage = 0;  ///< share of rows with measured inside [low, high]
};

/// One compared row. Rows of one group share one unit of weight.
struct RelativeError {
    std::string group;
    double error = 0;  ///< predicted / measured - 1
    bool inside = false;
    std::string quantity;
    std::string framework;
    std::string quality;
    std::string metric;
};
ErrorSummary summarize(const std::string& quantity, const std::vector<RelativeError>& errors);

/// A summary for each value of quantity, and of "quantity quality" and "quantity framework" below
/// it, in that order and sorted by name; for `validate --by`.
std::vector<ErrorSummary> breakdown(const std::vector<RelativeError>& errors);

}  // namespace ridgeline
