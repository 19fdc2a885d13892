#pragma once

#include "report/report.h"

#include <string>

namespace ridgeline::report {

/// What to watch while a run goes, and which values mean that the prediction is wrong.
std::string watch_text(const EstimateAnswer& answer);

/// What a data-parallel training script must do right, as a list to tick.
std::string ddp_checklist(const EstimateAnswer& answer);

}  // namespace ridgeline::report
