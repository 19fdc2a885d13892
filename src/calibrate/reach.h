#pragma once

#include "base/result.h"
#include "spec/catalog.h"
#include "spec/measurement.h"

#include <optional>
#include <string>
#include <vector>

namespace ridgeline {

/// Days after which a calibration is called old.
inline constexpr int stale_after_days = 180;

/// What of a calibration file holds for this catalog.
struct ReachingRows {
    Calibration rows;
    std::vector<std::string> notes;  ///< a sentence each, for the reader of an answer
};

/// The rows of a calibration file that hold for the entries of a catalog: all of a file without a
/// measurement; else those of the measured part, with fractions based anew on the catalog's
/// figures, and, from a whole card in good order, the fractions of products for other boards of its
/// chip (tier transferred).
///
/// age_days  since it was measured; empty: not judged
/// Errors, each with the reason: another probe method, a part that the catalog does not know, a PCI
/// id or a memory size of another part, a slice of a card (MIG, vGPU), no point that was right.
Result<ReachingRows> reaching_rows(const CalibrationFile& file, const Catalog& catalog,
                                   std::optional<int> age_days);

/// What changed between a calibration and the machine as it is now: driver, power limit, ECC, MIG,
/// PCIe width, another card. Sentences; empty when it is all the same.
std::vector<std::string> changes_since(const MeasuredRun& measurement, const LocalMachine& now);

/// The CPU of a measurement as a catalog entry "local-cpu": peaks, bandwidth and memory are the
/// measured ones. Nothing when the measurement is of no CPU.
std::optional<Accelerator> measured_cpu(const MeasuredRun& measurement);

}  // namespace ridgeline
