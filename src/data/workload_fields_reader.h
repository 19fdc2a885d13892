#pragma once

#include "data/reader.h"
#include "spec/workload_fields.h"

#include <optional>
#include <string>

namespace ridgeline {

/// The value that a section states for a field; nothing when it states none. errors  recorded in
/// the reader
std::optional<FieldValue> read_field(Reader& section, const WorkloadField& field);

/// The kernel of a workload document: its kind, sizes and number type, in the words of documents
/// and of measured rows; a layer of a network becomes a network of one operator. errors  recorded
/// in `top`
void read_kernel(Reader& top, WorkloadDocument& document, const std::string& where);

}  // namespace ridgeline
