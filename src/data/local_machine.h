#pragma once

#include "spec/device_record.h"
#include "spec/measurement.h"

#include <filesystem>
#include <string>
#include <string_view>

namespace ridgeline {

/// Where to look; tests name a fake library and a fake tree.
struct LocalPlaces {
    std::string nvml;  ///< empty: libnvidia-ml.so.1 and its other names
    std::filesystem::path sysfs = "/sys";
    std::filesystem::path proc = "/proc";
};

/// The accelerators of this machine: NVIDIA by its management library (opened, never linked), AMD
/// by sysfs, and whatever else stands on the PCI bus as a reason. Reads only; never fails: what
/// gave nothing is a reason of the answer.
LocalMachine local_machine(const LocalPlaces& places);

/// The host CPU as a device of kind "cpu".
DeviceRecord local_cpu(const LocalPlaces& places);

/// Kernel and distribution: "Linux 6.1.0 Debian GNU/Linux 12 (bookworm)".
std::string local_system();

/// Salted hash of this machine's id, 16 hexadecimal digits; empty when it has none.
std::string local_node();

/// First 16 hexadecimal digits of SHA-256 over a salt and the text: tells two devices apart and
/// says nothing about either.
std::string salted_hash(std::string_view text);

}  // namespace ridgeline
