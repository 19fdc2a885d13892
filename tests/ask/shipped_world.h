#pragma once

#include "ask/world.h"

#include <filesystem>

/// The catalog and profiles of the source tree, without the calibrations of whoever runs the tests.
inline const ridgeline::ask::World& shipped_world() {
    static const ridgeline::ask::World world = [] {
        const std::filesystem::path root = RIDGELINE_SOURCE_DIR;
        ridgeline::ask::WorldPlaces places;
        places.catalog = root / "catalog";
        places.profiles = root / "profiles";
        return ridgeline::ask::load_world(places).value();
    }();
    return world;
}
