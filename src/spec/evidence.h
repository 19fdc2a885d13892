#pragma once

#include "spec/workload_document.h"

#include <optional>
#include <string>

namespace ridgeline {

/// What a source states about one run.
struct Measured {
    std::optional<double> peak_memory_gib;
    std::optional<double> step_time_s;
    std::optional<double> tokens_per_s_per_accelerator;
    std::optional<double> samples_per_s;      ///< whole job
    std::optional<double> time_to_train_min;  ///< compared with nothing
    std::optional<double> ttft_s;
    std::optional<double> tpot_s;
    std::optional<double> tokens_per_s;      ///< whole job
    std::optional<double> iterations_per_s;  ///< denoising steps
    std::optional<double> denoise_step_s;
    std::optional<double> time_us;
    std::optional<double> bus_bandwidth_gb_per_s;
    std::optional<double> bandwidth_gb_per_s;
    std::optional<double> tflop_per_s;
    std::optional<double> mlups;  ///< million cells of a lattice a second
    std::optional<double> ns_per_day;
};

/// One measured row of an evidence file.
struct EvidenceRow {
    std::string id;
    std::string quantity;  ///< "memory", "train_time", "inference", "vision", "gemm", "bandwidth",
                           ///< "collective"
    std::string quality;
    std::string group;
    std::string release;    ///< day whose release of the framework ran, "2024-12-26"; empty: newest
    std::string fitted_on;  ///< what of the profiles rests on this row; empty: nothing
    WorkloadDocument workload;
    std::string workload_error;  ///< why the workload could not be read; empty when it could
    std::string accelerator;     ///< catalog id
    int count = 1;
    int per_node = 1;
    std::optional<std::string> fabric;
    Measured measured;
    std::string memory_counter;
};

}  // namespace ridgeline
