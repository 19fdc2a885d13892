#pragma once

#include "base/result.h"
#include "data/file_tree.h"

#include <string>
#include <string_view>

namespace ridgeline::web {

/// Catalog and profiles as one bundle (data/bundle.h), each document without its blanks, without what
/// it calls unknown and without the origins of figures of models and frameworks; schemas, which nothing reads at run time, are left out.
Result<std::string> data_bundle(const TreePath& catalog, const TreePath& profiles);

/// A JSON text without the blanks between its tokens.
std::string without_blanks(std::string_view json);

/// A JSON text without blanks, without its members that are null, for which readers take absent ones too.
/// Names of members hold no quotation marks.
std::string without_unknowns(std::string_view json);

/// A JSON text without blanks, each list of "sources" naming the folder where they stand.
std::string with_sources_elsewhere(std::string_view json);

/// A JSON text without blanks, without where the counts of a model come from, which no answer shows.
std::string without_origins(std::string_view json);

}  // namespace ridgeline::web
