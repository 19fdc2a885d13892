#pragma once

#include "estimate/input.h"
#include "estimate/work/program.h"
#include "estimate/work/script.h"

#include <string_view>

namespace ridgeline {

/// What two steps of a program do to one device, tensor by tensor, as PyTorch makes and frees them
/// in a plain loop (or one pass after another where nothing trains). Ranks that share states or
/// tables hold their share of them; what they send each other for it is not written.
///
/// workspace  bytes that the BLAS library takes for a handle (torch_workspaces / 2)
/// runs       whether kernels are written, too, which readers of memory alone do not ask for
Script network_script(const EstimateInput& input, const Program& program, double workspace,
                      bool runs = true);

/// The names of its first moments: networks load, a step begins.
inline constexpr std::string_view loading = "load";
inline constexpr std::string_view step_begins = "forward";

/// Whether all that ranks exchange is written: they share neither states nor tables.
bool exchanges_whole(const EstimateInput& input, const Program& program);

/// Bytes of a stored weight: those of its quantised format where the base is quantised.
double stored_weight_bytes(const Workload& workload);

}  // namespace ridgeline
