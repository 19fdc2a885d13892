#pragma once

#include "data/file_tree.h"

#include <string>
#include <string_view>

namespace ridgeline {

/// Storage type in which the makers published a bundled model's weights: "mxfp4", "fp8-block";
/// empty for 16 bits, and where the model is unknown or its file says nothing.
///
/// id  of a file in profiles/models
std::string published_quantization(const TreePath& profiles_folder,
                                   std::string_view id);

}  // namespace ridgeline
