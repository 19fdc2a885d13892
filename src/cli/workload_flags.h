#pragma once

#include <filesystem>
#include <span>
#include <string_view>

#include "base/result.h"
#include "cli/options.h"
#include "spec/workload_document.h"

namespace ridgeline::cli {

enum class FlagKind { text, number, boolean, list };

/// One flag of a workload: where its value goes in the workload document.
struct WorkloadFlag {
    std::string_view name;  ///< "--micro-batch"
    std::string_view path;  ///< "/batch/micro"
    FlagKind kind = FlagKind::text;
    std::string_view help;
};

/// All of them; the order is that of WorkloadFlags::values.
std::span<const WorkloadFlag> workload_flag_table();

/// The document that file and flags describe together, flags over file.
///
/// errors  what the workload reader finds, said in terms of the flag where a flag is the cause
Result<WorkloadDocument> workload_of(const WorkloadFlags& flags);

/// `base` with every field that `over` states taken from `over`.
WorkloadDocument overlaid(WorkloadDocument base, const WorkloadDocument& over);

}  // namespace ridgeline::cli
