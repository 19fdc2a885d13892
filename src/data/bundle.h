#pragma once

#include "base/result.h"
#include "data/file_tree.h"

#include <map>
#include <memory>
#include <string>
#include <string_view>

namespace ridgeline {

/// The tree of a bundle: "ridgeline bundle 1\n", then for each file its path, a blank, its size in
/// bytes, a newline and the bytes themselves. errors  what does not hold to that
Result<std::shared_ptr<const FileTree>> bundle_from(std::string_view bundle);

/// The bundle of texts by path.
std::string bundle_text(const std::map<std::string, std::string>& texts);

}  // namespace ridgeline
