#pragma once

#include "data/reader.h"
#include "spec/workload_document.h"

#include <string_view>

// Parts of a workload document that are no field of the table (spec/workload_fields.h).

namespace ridgeline {

/// "recompute" as an object: how many layers recompute all.
void read_recompute(Reader& top, WorkloadDocument& document);
/// "image_size" as a list: depth, height and width, or the last two.
void read_image_sides(Reader& batch, WorkloadDocument& document);
/// Words of a section that are no field of their own.
void read_other_words(std::string_view name, Reader& section, WorkloadDocument& document);

}  // namespace ridgeline
