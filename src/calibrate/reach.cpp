#include "calibrate/reach.h"

#include "base/lists.h"
#include "base/text.h"
#include "calibrate/match.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace ridgeline {
namespace {

constexpr double capped_below = 0.9;  // of the board power that the catalog states

std::string where_of(const CalibrationFile& file) {
    return file.path.empty() ? "calibration" : file.path;
}

std::optional<Error> refusal(const CalibrationFile& file, const MeasuredRun& measurement,
                             const Accelerator& entry) {
    const DeviceRecord& device = measurement.device;
    const auto refused = [&](std::string message, std::string hint) {
        return Error{ErrorKind::input, where_of(file), std::move(message), std::move(hint)};
    };
    const auto& ids = entry.pci_ids;
    if (!device.pci_id.empty() && !ids.empty() && !is_among(device.pci_id, ids)) {
        return refused(fmt::format("was measured on PCI id {} and says it is {}, whose id is {}",
                                   device.pci_id, entry.id, ids.front()),
                       "Correct reference/accelerator, or probe that part.");
    }
    if (device.mig.value_or(false) || !device.mig_profile.empty()) {
        return refused(
            fmt::format("was measured in a partition ({}), whose figures are not the card's",
                        device.mig_profile.empty() ? "MIG" : device.mig_profile),
            "Probe the whole card.");
    }
    if (device.virtualized.value_or(false)) {
        return refused("was measured on a virtual GPU, whose figures are not the card's",
                       "Probe the card itself.");
    }
    if (!same_memory(device, entry)) {
        return refused(fmt::format("was measured on a part with {} of memory, {} has {}",
                                   format_gib(*device.memory / gibibyte), entry.id,
                                   format_gib(entry.capacity() / gibibyte)),
                       "Correct reference/accelerator, or probe that part.");
    }
    const auto checked = [](const MeasuredPoint& point) { return point.correct.has_value(); };
    const auto wrong = [](const MeasuredPoint& point) { return !point.correct.value_or(true); };
    const auto& points = measurement.points;
    const auto failures = std::ranges::count_if(points, wrong);
    if (failures > 0 && failures == std::ranges::count_if(points, checked)) {
        return refused("every result that its probe checked was wrong", "Probe that device again.");
    }
    return std::nullopt;
}

/// Fractions of other peaks turned into fractions of the entry's.
void base_anew(Calibration& rows, const RateReference& reference, const Accelerator& entry,
               std::vector<std::string>& notes) {
    const double memory = reference.memory_bandwidth.base() > 0 && entry.memory_bandwidth.base() > 0
                              ? reference.memory_bandwidth / entry.memory_bandwidth
                              : 1;
    bool changed = std::abs(memory - 1) > 1e-6;
    for (KernelCalibration& row : rows.kernels) {
        double peak = 1;
        if (row.compute) {
            const auto type = static_cast<std::size_t>(*row.compute);
            if (reference.peak[type] && entry.peak_dense[type]) {
                peak = *reference.peak[type] / *entry.peak_dense[type];
            }
        }
        changed = changed || std::abs(peak - 1) > 1e-6;
        row.efficiency.compute_fraction *= peak;
        row.efficiency.bandwidth_fraction *= memory;
    }
    if (changed) {
        notes.push_back(fmt::format("fractions were based anew: {} states other rates than {}",
                                    reference.source, entry.id));
    }
}

/// The products of the part hold inside a training step too, before rows published for steps: what
/// long work loses there is the sustained rate, which is a row of its own.
void add_training_rows(Calibration& rows, const Accelerator& entry) {
    const std::size_t own = rows.kernels.size();
    for (std::size_t i = 0; i < own; ++i) {
        const KernelCalibration& row = rows.kernels[i];
        if (row.operator_class == OperatorClass::gemm && row.accelerator == entry.id) {
            KernelCalibration inside = row;
            inside.training = true;
            rows.kernels.push_back(std::move(inside));
        }
    }
}

/// Rows for other boards of the same chip: fractions of products alone, never absolute figures.
void add_chip_rows(Calibration& rows, const Accelerator& entry) {
    if (entry.chip.empty()) {
        return;
    }
    const std::size_t own = rows.kernels.size();
    for (std::size_t i = 0; i < own; ++i) {
        if (rows.kernels[i].operator_class == OperatorClass::gemm && !rows.kernels[i].training) {
            KernelCalibration row = rows.kernels[i];
            row.accelerator.clear();
            row.chip = entry.chip;
            row.efficiency.tier = std::max(row.efficiency.tier, Tier::transferred);
            row.efficiency.source += ", of the same chip";
            rows.kernels.push_back(std::move(row));
        }
    }
}

std::string major_of(std::string_view version) {
    return std::string(version.substr(0, version.find('.')));
}

Error unknown_part(const CalibrationFile& file, const std::string& id, const Catalog& catalog) {
    std::vector<std::string> ids;
    for (const Accelerator& each : catalog.accelerators) {
        ids.push_back(each.id);
    }
    return {ErrorKind::input, where_of(file),
            id.empty() ? "names no accelerator of the catalog"
                       : fmt::format("no accelerator \"{}\" in the catalog", id),
            did_you_mean(id, ids)};
}

}  // namespace

Result<ReachingRows> reaching_rows(const CalibrationFile& file, const Catalog& catalog,
                                   std::optional<int> age_days) {
    ReachingRows reaching;
    reaching.rows = file.rows;
    if (!file.measurement) {
        return reaching;
    }
    const MeasuredRun& measurement = *file.measurement;
    if (measurement.method != probe_method) {
        return input_error(
            where_of(file),
            fmt::format("was measured by method {}, expected {}", measurement.method, probe_method),
            "Probe the device again with this version.");
    }
    const std::string& id = measurement.reference.accelerator;
    const Accelerator* entry = catalog.accelerator(id);
    if (entry == nullptr) {
        return tl::unexpected(unknown_part(file, id, catalog));
    }
    if (auto problem = refusal(file, measurement, *entry)) {
        return tl::unexpected(std::move(*problem));
    }
    base_anew(reaching.rows, measurement.reference, *entry, reaching.notes);
    add_training_rows(reaching.rows, *entry);
    const auto limit = measurement.device.power_limit_w;
    const double board = entry->tdp / watt;
    const bool capped = limit && board > 0 && *limit < capped_below * board;
    if (capped) {
        reaching.notes.push_back(fmt::format(
            "measured at a power limit of {:.0f} W, the board has {:.0f}: it holds for that card",
            *limit, board));
    }
    const auto poor = [](const FittedProducts& fit) { return fit.quality == "poor"; };
    if (!capped && entry->kind != "cpu" && std::ranges::none_of(measurement.products, poor)) {
        add_chip_rows(reaching.rows, *entry);
    }
    if (age_days && *age_days > stale_after_days) {
        reaching.notes.push_back(fmt::format(
            "measured {} days ago: kernel libraries may have changed since, probe again",
            *age_days));
    }
    return reaching;
}

std::vector<std::string> changes_since(const MeasuredRun& measurement, const LocalMachine& now) {
    std::vector<std::string> changes;
    const DeviceRecord& then = measurement.device;
    const DeviceRecord* same = nullptr;
    for (const DeviceRecord& device : now.devices) {
        if (device.pci_id == then.pci_id && device.vendor == then.vendor) {
            same = same == nullptr || device.hash == then.hash ? &device : same;
        }
    }
    if (same == nullptr) {
        return changes;
    }
    if (!then.hash.empty() && !same->hash.empty() && then.hash != same->hash) {
        changes.emplace_back("it was measured on another card of the same kind");
    }
    const std::string& driver = measurement.software.driver;
    if (!driver.empty() && !now.driver.empty() && major_of(driver) != major_of(now.driver)) {
        changes.push_back(fmt::format("the driver was {}, now it is {}", driver, now.driver));
    }
    if (then.power_limit_w && same->power_limit_w && *then.power_limit_w != *same->power_limit_w) {
        changes.push_back(fmt::format("the power limit was {:.0f} W, now it is {:.0f}",
                                      *then.power_limit_w, *same->power_limit_w));
    }
    if (then.ecc && same->ecc && *then.ecc != *same->ecc) {
        changes.push_back(fmt::format("ECC was {}, now it is {}", *then.ecc ? "on" : "off",
                                      *same->ecc ? "on" : "off"));
    }
    if (then.mig.value_or(false) != same->mig.value_or(false)) {
        changes.push_back(fmt::format("MIG is now {}", same->mig.value_or(false) ? "on" : "off"));
    }
    if (then.pcie_lanes && same->pcie_lanes && *then.pcie_lanes != *same->pcie_lanes) {
        changes.push_back(
            fmt::format("PCIe had {} lanes, now it has {}", *then.pcie_lanes, *same->pcie_lanes));
    }
    return changes;
}

std::optional<Accelerator> measured_cpu(const MeasuredRun& measurement) {
    if (measurement.device.kind != "cpu" || measurement.reference.memory_bandwidth.base() <= 0) {
        return std::nullopt;
    }
    Accelerator entry;
    entry.id = measurement.reference.accelerator;
    entry.name = measurement.device.name;
    entry.vendor = measurement.device.vendor;
    entry.kind = "cpu";
    entry.architecture = "host";
    entry.units = measurement.device.units;
    entry.peak_dense = measurement.reference.peak;
    entry.peak_vector_fp32 =
        measurement.reference.peak[static_cast<std::size_t>(ComputeType::fp32)];
    entry.peak_vector_fp64 =
        measurement.reference.peak[static_cast<std::size_t>(ComputeType::fp64)];
    entry.visible_memory = measurement.device.memory;
    entry.memory_type = "host memory";
    entry.memory_bandwidth = measurement.reference.memory_bandwidth;
    entry.ecc.support = "unknown";
    entry.scale_up.kind = "none";
    const std::string source =
        fmt::format("measured {}", std::string_view(measurement.created).substr(0, 10));
    entry.field_sources = {{"peak_dense_tflop_per_s", {source}},
                           {"memory/visible_mib", {source}},
                           {"memory/bandwidth_gb_per_s", {source}}};
    return entry;
}

}  // namespace ridgeline
