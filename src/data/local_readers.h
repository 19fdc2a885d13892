#pragma once

#include "spec/device_record.h"

#include <filesystem>
#include <optional>
#include <string>

// The ways to see an accelerator, one a file; local_machine.cpp asks them in turn.

namespace ridgeline {

/// NVIDIA devices by the management library (the usual one where `named` is empty); why there are
/// none goes to `machine.reasons`.
void add_nvidia_devices(const std::string& named, LocalMachine& machine);

/// AMD devices by the text files of the amdgpu driver.
void add_amd_devices(const std::filesystem::path& sysfs, LocalMachine& machine);

/// Display and processing devices of the PCI bus that no driver above showed, as reasons.
void add_pci_reasons(const std::filesystem::path& sysfs, LocalMachine& machine);

/// First line of a small text file; empty when it cannot be read.
std::string first_line(const std::filesystem::path& file);
/// A whole number at the start of a file's first line; 0x... is hexadecimal.
std::optional<double> number_in_file(const std::filesystem::path& file);
/// "0x2330" -> "2330", lower case.
std::string hexadecimal(std::string_view text);

}  // namespace ridgeline
