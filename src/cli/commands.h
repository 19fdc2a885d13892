#pragma once

#include "base/result.h"
#include "cli/options.h"
#include "cli/world.h"

namespace ridgeline::cli {

Result<Answer> run(const CommonOptions& common, const AdviseOptions& options);
Result<Answer> run(const CommonOptions& common, const EstimateOptions& options);
Result<Answer> run(const CommonOptions& common, const CompareOptions& options);
Result<Answer> run(const CommonOptions& common, const RemediesOptions& options);
Result<Answer> run(const CommonOptions& common, const RooflineOptions& options);
Result<Answer> run(const CommonOptions& common, const OwnOptions& options);
Result<Answer> run(const CommonOptions& common, const ReportOptions& options);
Result<Answer> run(const CommonOptions& common, const CatalogOptions& options);
Result<Answer> run(const CommonOptions& common, const PricesOptions& options);
Result<Answer> run(const CommonOptions& common, const ProfilesOptions& options);
Result<Answer> run(const CommonOptions& common, const ValidateOptions& options);
Result<Answer> run(const CommonOptions& common, const CalibrateOptions& options);
Result<Answer> run(const CommonOptions& common, const DetectOptions& options);
Result<Answer> run(const CommonOptions& common, const ProbeOptions& options);
Result<Answer> run(const CommonOptions& common, const RehearseOptions& options);

}  // namespace ridgeline::cli
