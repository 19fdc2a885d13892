#include "cli/local_calibration.h"

#include "advise/offers.h"
#include "calibrate/reach.h"
#include "data/load.h"
#include "estimate/time/device.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>

namespace ridgeline::cli {
namespace fs = std::filesystem;
namespace {

/// A measured CPU becomes an entry of the catalog, in place of an older one.
void add_cpu(Catalog& catalog, const CalibrationFile& file) {
    if (!file.measurement) {
        return;
    }
    if (auto cpu = measured_cpu(*file.measurement)) {
        std::erase_if(catalog.accelerators,
                      [&](const Accelerator& entry) { return entry.id == cpu->id; });
        catalog.accelerators.push_back(std::move(*cpu));
        std::sort(catalog.accelerators.begin(),
                  catalog.accelerators.end(),
                  [](const Accelerator& a, const Accelerator& b) { return a.id < b.id; });
    }
}

std::optional<int> age_of(const CalibrationFile& file) {
    return file.measurement ? days_between(file.measurement->created, today()) : std::nullopt;
}

Result<void> add_file(World& world, const fs::path& path) {
    const auto file = load_calibration_file(path);
    if (!file) {
        return tl::unexpected(file.error());
    }
    add_cpu(world.catalog, *file);
    auto reaching = reaching_rows(*file, world.catalog, age_of(*file));
    if (!reaching) {
        return tl::unexpected(reaching.error());
    }
    if (file->measurement) {
        // What a probe did not measure stays as it is known: a long run is measured on one device,
        // collectives beside products on several.
        const auto measured = [&](PointKind kind) {
            const auto& points = file->measurement->points;
            return std::any_of(points.begin(), points.end(), [&](const MeasuredPoint& point) {
                return point.kind == kind;
            });
        };
        for (SustainedCalibration& row : reaching->rows.sustained) {
            const Accelerator* entry = world.catalog.accelerator(row.accelerator);
            if (entry == nullptr) {
                continue;
            }
            const DeviceModel known = device_model(*entry, world.profiles.calibration);
            if (!measured(PointKind::overlap)) {
                row.beside_collectives = known.beside_collectives;
            }
            if (!measured(PointKind::sustained)) {
                row.matrix_rate = known.sustained_rate;
            }
        }
    }
    if (!world.shipped) {
        world.shipped = world.profiles.calibration;
    }
    append(world.profiles.calibration, reaching->rows);
    for (const std::string& note : reaching->notes) {
        world.notes.push_back(fmt::format("{}: {}", path.filename().string(), note));
    }
    return {};
}

}  // namespace

fs::path user_calibration_folder() {
    const auto variable = [](const char* name) {
        const char* value = std::getenv(name);
        return fs::path(value != nullptr ? value : "");
    };
    if (const fs::path config = variable("XDG_CONFIG_HOME"); !config.empty()) {
        return config / "ridgeline" / "calibration";
    }
    const fs::path home = variable("HOME");
    return home.empty() ? fs::path() : home / ".config" / "ridgeline" / "calibration";
}

std::vector<fs::path> user_calibration_files() {
    std::vector<fs::path> files;
    std::error_code problem;
    for (fs::directory_iterator entry(user_calibration_folder(), problem), end;
         !problem && entry != end;
         entry.increment(problem)) {
        if (entry->path().extension() == ".json") {
            files.push_back(entry->path());
        }
    }
    std::sort(files.begin(), files.end());
    return files;
}

Result<void> add_calibrations(World& world, const std::vector<std::string>& given) {
    for (const fs::path& path : user_calibration_files()) {
        if (const auto added = add_file(world, path); !added) {
            world.notes.push_back(
                fmt::format("left out a calibration of yours: {}", added.error().text()));
        }
    }
    for (const std::string& path : given) {
        if (auto added = add_file(world, path); !added) {
            return added;
        }
    }
    return {};
}

}  // namespace ridgeline::cli
