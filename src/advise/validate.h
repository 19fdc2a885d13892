#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "spec/architecture.h"
#include "spec/catalog.h"
#include "spec/workload_document.h"

namespace ridgeline {

/// A measured figure with the workload that produced it: an evidence row in spec terms.
struct Measurement {
    std::string id;
    std::string quantity;
    std::string group;
    std::string quality;
    WorkloadDocument workload;
    Architecture architecture;   ///< resolved by the caller; unused for kernels
    std::string accelerator;     ///< catalog id
    int count = 1;
    int per_node = 1;
    std::optional<std::string> fabric;
    std::string metric;          ///< "peak_memory_gib", "step_time_s", "ttft_s", ...
    std::string counter;         ///< memory only
    double measured = 0;
};

struct Prediction {
    double predicted = 0;
    double low = 0;
    double high = 0;
};

/// What the model says for a measurement; the error says why it cannot be expressed.
Result<Prediction> predict(const Measurement& measurement, const Catalog& catalog, const Profiles& profiles);

struct ErrorSummary {
    std::string quantity;
    int rows = 0;
    double median_abs_error = 0;
    double p90_abs_error = 0;
    double max_abs_error = 0;
    double bias = 0;      ///< median signed error
    double coverage = 0;  ///< share of rows with measured inside [low, high]
};

/// Summary of relative errors; rows of one group share one unit of weight.
struct RelativeError {
    std::string group;
    double error = 0;   ///< predicted / measured - 1
    bool inside = false;
};
ErrorSummary summarize(const std::string& quantity, const std::vector<RelativeError>& errors);

}  // namespace ridgeline
