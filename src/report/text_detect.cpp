#include "base/text.h"
#include "report/calibration_report.h"
#include "report/table.h"

#include <fmt/format.h>

namespace ridgeline::report {
namespace {

std::string on_off(bool on) { return on ? "on" : "off"; }

/// "PCIe 4 x16 (of 5)": a slot or an idle link below what the card can do is told.
std::string link_text(const DeviceRecord& device) {
    if (!device.pcie_generation_max && !device.pcie_generation) {
        return "";
    }
    const int most = device.pcie_generation_max.value_or(*device.pcie_generation);
    std::string text = fmt::format("{}", most);
    if (device.pcie_lanes) {
        text += fmt::format(" x{}", *device.pcie_lanes);
    }
    if (device.pcie_lanes && device.pcie_lanes_max && *device.pcie_lanes < *device.pcie_lanes_max) {
        text += fmt::format(" of x{}", *device.pcie_lanes_max);
    }
    if (device.pcie_generation && *device.pcie_generation < most) {
        text += fmt::format(", now at {} (falls when idle)", *device.pcie_generation);
    }
    return text;
}

std::string power_text(const DeviceRecord& device) {
    if (!device.power_limit_w) {
        return "";
    }
    std::string text = fmt::format("limit {:.0f} W", *device.power_limit_w);
    if (device.power_default_w && *device.power_limit_w < *device.power_default_w) {
        text += fmt::format(" (capped, default {:.0f})", *device.power_default_w);
    }
    if (device.power_w) {
        text += fmt::format(", {:.0f} W now", *device.power_w);
    }
    return text;
}

std::string clock_text(const DeviceRecord& device) {
    if (!device.clock_max_mhz) {
        return "";
    }
    std::string text = fmt::format("up to {:.0f} MHz", *device.clock_max_mhz);
    if (device.clock_mhz) {
        text += fmt::format(", {:.0f} now", *device.clock_mhz);
    }
    for (const std::string& reason : device.clock_reasons) {
        text += ", " + reason;
    }
    return text;
}

std::string device_text(const DetectedDevice& device, std::size_t index, const Style& style) {
    const DeviceRecord& record = device.record;
    std::string text = strong(fmt::format("{}: {}", index, record.name), style);
    text += device.match.accelerator != nullptr
                ? fmt::format("  {} (by {})\n", device.match.accelerator->id, device.match.how)
                : "  not in the catalog\n";
    const auto line = [&](const char* what, const std::string& value) {
        text += value.empty() ? "" : fmt::format("  {:<12}{}\n", what, value);
    };
    line("PCI",
         record.pci_id.empty() ? "" : fmt::format("{} at {}", record.pci_id, record.pci_address));
    if (record.memory) {
        std::string memory = format_gib(*record.memory / gibibyte);
        if (record.memory_used) {
            memory += fmt::format(", {} used", format_gib(*record.memory_used / gibibyte));
        }
        line("memory", memory);
    }
    line("ECC", record.ecc ? on_off(*record.ecc) : "");
    line("MIG", record.mig ? on_off(*record.mig) : "");
    line("partition", record.mig_profile);
    line("virtual",
         record.virtualized.value_or(false) ? "yes: its figures are not the card's" : "");
    line("power", power_text(record));
    line("clock", clock_text(record));
    line("PCIe", link_text(record));
    line("NVLink", record.nvlink_links ? fmt::format("{} links", *record.nvlink_links) : "");
    line("busy",
         record.processes && *record.processes > 0
             ? fmt::format("{} process{}", *record.processes, *record.processes == 1 ? "" : "es")
             : "");
    line("calibration", device.calibration);
    return text;
}

}  // namespace

std::string detect_text(const DetectAnswer& answer, const Style& style) {
    std::string text;
    if (answer.devices.empty()) {
        text = "no_gpu: no accelerator that can be used was found\n";
    } else if (!answer.machine.driver.empty()) {
        text = fmt::format("driver {}", answer.machine.driver);
        text += answer.machine.cuda_driver.empty() ? "\n"
                                                   : ", CUDA " + answer.machine.cuda_driver + "\n";
    }
    for (std::size_t i = 0; i < answer.devices.size(); ++i) {
        text += device_text(answer.devices[i], i, style);
    }
    if (answer.devices.empty() || style.explain) {
        for (const std::string& reason : answer.machine.reasons) {
            text += wrap("  " + reason, style.width, 4) + "\n";
        }
    }
    for (const std::string& note : answer.notes) {
        text += wrap("note: " + note, style.width, 2) + "\n";
    }
    return text;
}

}  // namespace ridgeline::report
