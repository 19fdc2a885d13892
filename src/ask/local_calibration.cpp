#include "ask/local_calibration.h"

#include "advise/hardware/offers.h"
#include "calibrate/reach.h"
#include "data/load.h"
#include "estimate/time/device.h"

#include <fmt/core.h>

#include <algorithm>

namespace ridgeline::ask {
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
        std::sort(catalog.accelerators.begin(), catalog.accelerators.end(),
                  [](const Accelerator& a, const Accelerator& b) { return a.id < b.id; });
    }
}

std::optional<int> age_of(const CalibrationFile& file) {
    return file.measurement ? days_between(file.measurement->created, today()) : std::nullopt;
}

}  // namespace

Result<void> add_calibration(World& world, const TreePath& path) {
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
            return std::any_of(points.begin(), points.end(),
                               [&](const MeasuredPoint& point) { return point.kind == kind; });
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
        world.notes.push_back(fmt::format("{}: {}", path.filename(), note));
    }
    return {};
}

Result<void> add_calibrations(World& world, const TreePath& own,
                              const std::vector<TreePath>& given) {
    for (const TreePath& path : own.empty() ? std::vector<TreePath>() : own.json_files()) {
        if (const auto added = add_calibration(world, path); !added) {
            world.notes.push_back(
                fmt::format("left out a calibration of yours: {}", added.error().text()));
        }
    }
    for (const TreePath& path : given) {
        if (auto added = add_calibration(world, path); !added) {
            return added;
        }
    }
    return {};
}

}  // namespace ridgeline::ask
