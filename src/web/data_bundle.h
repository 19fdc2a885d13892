#pragma once

#include "base/result.h"
#include "data/file_tree.h"

#include <string>

namespace ridgeline::web {

/// Catalog and profiles as one bundle (data/bundle.h), each document without its blanks, without
/// what it calls unknown and without the origins of figures of models and frameworks; schemas,
/// which nothing reads at run time, are left out.
Result<std::string> data_bundle(const TreePath& catalog, const TreePath& profiles);

}  // namespace ridgeline::web
