#pragma once

#include "data/load.h"

#include <string>

/// What the program ships with, loaded once.
namespace released {

inline const std::string root = RIDGELINE_SOURCE_DIR;

inline const ridgeline::Catalog& catalog() {
    static const ridgeline::Catalog value = ridgeline::load_catalog(root + "/catalog").value();
    return value;
}
inline const ridgeline::Profiles& profiles() {
    static const ridgeline::Profiles value = ridgeline::load_profiles(root + "/profiles").value();
    return value;
}

inline ridgeline::Architecture model(const std::string& id) {
    return ridgeline::load_model(root + "/profiles", id).value();
}

}  // namespace released
