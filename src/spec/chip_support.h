#pragma once

#include "spec/accelerator.h"
#include "spec/software_profile.h"

#include <optional>
#include <string>
#include <string_view>

namespace ridgeline {

/// Why a stack does not run on a part, as a sentence without its stop: it has no build for the
/// maker, or needs a newer compute capability, for anything or for weights stored as they are.
/// Empty: it runs, or nothing is known against it.
///
/// stored  type of the weights ("nvfp4"); empty: 16 bits
std::string chip_conflict(const SoftwareProfile& software,
                          const Accelerator& part,
                          std::string_view stored);

/// Why products of that type cannot run on a part: its matrix units are known to lack it, and they
/// are narrower than what a wider unit could stand in for unseen. Empty: they can.
std::string compute_conflict(const Accelerator& part, std::optional<ComputeType> stated);

}  // namespace ridgeline
