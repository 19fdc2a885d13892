#include "report/calibration_report.h"
#include "report/json.h"

namespace ridgeline::report {

/// Also part of a calibration file: never an address, a UUID or a host name.
Json json_of(const DeviceRecord& device) {
    Json json = Json::object();
    const auto text = [&](const char* key, const std::string& value) {
        if (!value.empty()) {
            json[key] = value;
        }
    };
    const auto value = [&](const char* key, const auto& known) {
        if (known) {
            json[key] = *known;
        }
    };
    text("vendor", device.vendor);
    text("name", device.name);
    text("kind", device.kind);
    text("pci_id", device.pci_id);
    text("pci_subsystem", device.pci_subsystem);
    text("hash", device.hash);
    value("compute_capability", device.compute_capability);
    value("units", device.units);
    if (device.memory) {
        json["memory_gib"] = *device.memory / gibibyte;
    }
    if (device.l2_cache) {
        json["l2_cache_mib"] = *device.l2_cache / mebibyte;
    }
    value("bus_bits", device.bus_bits);
    value("clock_max_mhz", device.clock_max_mhz);
    value("memory_clock_max_mhz", device.memory_clock_max_mhz);
    value("ecc", device.ecc);
    value("mig", device.mig);
    text("mig_profile", device.mig_profile);
    value("virtualized", device.virtualized);
    value("power_limit_w", device.power_limit_w);
    value("power_default_w", device.power_default_w);
    value("pcie_generation", device.pcie_generation);
    value("pcie_generation_max", device.pcie_generation_max);
    value("pcie_lanes", device.pcie_lanes);
    value("pcie_lanes_max", device.pcie_lanes_max);
    value("nvlink_links", device.nvlink_links);
    return json;
}

namespace {

/// What holds only now, and never goes into a file.
Json state_of(const DeviceRecord& device) {
    Json json = Json::object();
    const auto value = [&](const char* key, const auto& known) {
        if (known) {
            json[key] = *known;
        }
    };
    if (device.memory_used) {
        json["memory_used_gib"] = *device.memory_used / gibibyte;
    }
    value("clock_mhz", device.clock_mhz);
    value("power_w", device.power_w);
    value("temperature_c", device.temperature_c);
    value("utilization_percent", device.utilization_percent);
    value("processes", device.processes);
    json["clock_reasons"] = device.clock_reasons;
    return json;
}

}  // namespace

std::string detect_json(const DetectAnswer& answer, const Stamp& stamp) {
    Json out = document("ridgeline/devices/1", stamp);
    out["status"] = answer.devices.empty() ? "no_gpu" : "ok";
    put(out, "driver", answer.machine.driver);
    put(out, "cuda_driver", answer.machine.cuda_driver);
    out["devices"] = Json::array();
    for (const DetectedDevice& device : answer.devices) {
        Json json = json_of(device.record);
        json["pci_address"] = device.record.pci_address;
        json["state"] = state_of(device.record);
        if (device.match.accelerator != nullptr) {
            json["accelerator"] = device.match.accelerator->id;
            json["matched_by"] = device.match.how;
        }
        put(json, "calibration", device.calibration);
        out["devices"].push_back(json);
    }
    out["reasons"] = answer.machine.reasons;
    out["notes"] = answer.notes;
    return text_of(out);
}

}  // namespace ridgeline::report
