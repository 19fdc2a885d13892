#pragma once

#include "advise/advice.h"

#include <functional>
#include <string>
#include <string_view>

namespace ridgeline {

/// Stores a size in the field that `--max` or `--sweep` varies, by the name of its option.
/// "batch" of --max is that of one rank (`per_rank`), of a sweep that of an optimizer step;
/// "context" is prompt and output together.
void set_size(WorkloadDocument& document, std::string_view field, int value, bool per_rank);

/// The largest value of a field with which a workload fits, 0 when not even the least one does.
/// Memory grows with every field that `--max` takes, so bisection finds it.
Result<int> largest_that_fits(const Knowledge& knowledge, const WorkloadDocument& document,
                              const Architecture& architecture, const Cluster& cluster,
                              std::string_view field);

/// The least value that is tried of a field.
int smallest_size(std::string_view field);

struct LargestModel {
    std::string id;  ///< empty: none fits
    double parameters = 0;
    /// The largest that fits of those with a context as today's models have; empty: none.
    std::string current_id;
    double current_parameters = 0;
};

/// Positions that models of today have at least; those of before 2023 have 2,048 to 4,096.
inline constexpr int current_positions = 32768;

/// The bundled model with most parameters that fits, of all and of today's; models that cannot run
/// so are passed over.
///
/// model  gives the architecture of an id
LargestModel largest_model(const Knowledge& knowledge, const WorkloadDocument& document,
                           const Cluster& cluster,
                           const std::function<Result<Architecture>(const std::string&)>& model);

}  // namespace ridgeline
