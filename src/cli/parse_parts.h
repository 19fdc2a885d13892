#pragma once

#include "cli/options.h"

#include <CLI/CLI.hpp>

namespace ridgeline::cli {

/// Flags of every command.
void add_common(CLI::App* command, CommonOptions& common);
/// Flags of a workload; each value stays text until the one reader checks it.
void add_workload_flags(CLI::App* command, WorkloadFlags& flags);
/// Flags of a question, as `advise` takes them.
void add_question_flags(CLI::App* command, AdviseOptions& advise);
/// `own` and `report`.
void add_own(CLI::App& app, OwnOptions& own, CommonOptions& common);
void add_report(CLI::App& app, ReportOptions& report, CommonOptions& common);
void add_rehearse(CLI::App& app, RehearseOptions& rehearse, CommonOptions& common);
void add_prices(CLI::App& app, PricesOptions& prices, CommonOptions& common);

}  // namespace ridgeline::cli
