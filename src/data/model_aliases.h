#pragma once

#include "data/file_tree.h"

#include <map>
#include <string>

namespace ridgeline {

/// Other names of the models of profiles/, lower case, to their ids; empty where the file is
/// absent.
std::map<std::string, std::string> model_aliases(const TreePath& profiles_folder);

}  // namespace ridgeline
