#include "report/calibration_report.h"
#include "report/json.h"

namespace ridgeline::report {

/// Also part of a calibration file: never an address, a UUID or a host name.
Json json_of(const DeviceRecord& device) {
    Json json = Json::object();
    put(json, "vendor", device.vendor);
    put(json, "name", device.name);
    put(json, "kind", device.kind);
    put(json, "pci_id", device.pci_id);
    put(json, "pci_subsystem", device.pci_subsystem);
    put(json, "hash", device.hash);
    put(json, "compute_capability", device.compute_capability);
    put(json, "units", device.units);
    if (device.memory) {
        json["memory_gib"] = *device.memory / gibibyte;
    }
    if (device.l2_cache) {
        json["l2_cache_mib"] = *device.l2_cache / mebibyte;
    }
    put(json, "bus_bits", device.bus_bits);
    put(json, "clock_max_mhz", device.clock_max_mhz);
    put(json, "memory_clock_max_mhz", device.memory_clock_max_mhz);
    put(json, "ecc", device.ecc);
    put(json, "mig", device.mig);
    put(json, "mig_profile", device.mig_profile);
    put(json, "virtualized", device.virtualized);
    put(json, "power_limit_w", device.power_limit_w);
    put(json, "power_default_w", device.power_default_w);
    put(json, "pcie_generation", device.pcie_generation);
    put(json, "pcie_generation_max", device.pcie_generation_max);
    put(json, "pcie_lanes", device.pcie_lanes);
    put(json, "pcie_lanes_max", device.pcie_lanes_max);
    put(json, "nvlink_links", device.nvlink_links);
    return json;
}

namespace {

/// What holds only now, and never goes into a file.
Json state_of(const DeviceRecord& device) {
    Json json = Json::object();
    if (device.memory_used) {
        json["memory_used_gib"] = *device.memory_used / gibibyte;
    }
    put(json, "clock_mhz", device.clock_mhz);
    put(json, "power_w", device.power_w);
    put(json, "temperature_c", device.temperature_c);
    put(json, "utilization_percent", device.utilization_percent);
    put(json, "processes", device.processes);
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
