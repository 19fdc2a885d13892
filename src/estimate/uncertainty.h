#pragma once

#include "estimate/input.h"
#include "estimate/results.h"
#include "spec/calibration.h"

#include <initializer_list>
#include <string_view>

namespace ridgeline {

/// Factors on a predicted figure that should hold the measured one nine times in ten.
///
/// quantity  "memory", "train_time", "inference", ... (ResidualBand::quantity)
/// kind      pieces joined by '/': "full/megatron", "qlora/torchtune/reserved"
/// returns   the band of the most specific row that matches, `assumed_band` when there is none
///
/// A row matches when each piece of its kind is "*" or equals the piece of `kind` at its place; a
/// row may have fewer pieces (a prefix). More equal pieces win, then the later row.
Interval band_for(const Calibration& calibration, std::string_view quantity, std::string_view kind);

/// The same from the pieces themselves, without making a string.
Interval band_for(const Calibration& calibration,
                  std::string_view quantity,
                  std::initializer_list<std::string_view> pieces);

/// The same of one figure of a served request: "ttft", "tpot", or "" for its whole time.
Interval serving_band(const Calibration& calibration,
                      const Workload& workload,
                      std::string_view figure);

/// What an answer carries when no evidence of its kind exists: a wide band, no rows.
inline constexpr Interval assumed_band{.low = 0.6, .high = 1.7, .evidence_rows = 0, .kind = ""};

}  // namespace ridgeline
