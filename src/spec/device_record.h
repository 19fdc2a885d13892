#pragma once

#include "base/quantity.h"

#include <optional>
#include <string>
#include <vector>

namespace ridgeline {

/// One device of a machine as its driver or the PCI bus shows it. What nobody could read is empty:
/// an unsupported query is no "off". Identities are salted hashes, never UUIDs or host names.
struct DeviceRecord {
    std::string vendor;         ///< "NVIDIA", "AMD", "Intel", "cpu"; empty: unknown
    std::string name;           ///< as the driver says: "NVIDIA H100 80GB HBM3"
    std::string kind = "gpu";   ///< "gpu", "cpu"
    std::string pci_id;         ///< device id of the vendor, lower-case hexadecimal ("2330")
    std::string pci_subsystem;  ///< subsystem device and vendor ("16c110de")
    std::string pci_address;    ///< "0000:1b:00.0"; never stored in a file
    std::string hash;           ///< salted, of the UUID; 16 hexadecimal digits
    std::optional<std::string> compute_capability;  ///< "9.0"
    std::optional<int> units;                       ///< SMs, CUs or cores
    std::optional<Bytes> memory;                    ///< as the driver shows it
    std::optional<Bytes> memory_used;
    std::optional<Bytes> l2_cache;
    std::optional<int> bus_bits;
    std::optional<double> clock_mhz;  ///< of the units, now
    std::optional<double> clock_max_mhz;
    std::optional<double> memory_clock_max_mhz;
    std::optional<bool> ecc;
    std::optional<bool> mig;
    std::string mig_profile;              ///< or the compute partition of AMD; empty: whole
    std::optional<bool> virtualized;      ///< a vGPU or passed through in slices
    std::optional<double> power_limit_w;  ///< enforced
    std::optional<double> power_default_w;
    std::optional<double> power_w;  ///< drawn now
    std::optional<double> temperature_c;
    std::optional<int> utilization_percent;
    std::optional<int> processes;        ///< that compute on it now
    std::optional<int> pcie_generation;  ///< now: falls when idle
    std::optional<int> pcie_generation_max;
    std::optional<int> pcie_lanes;
    std::optional<int> pcie_lanes_max;
    std::optional<int> nvlink_links;         ///< active
    std::vector<std::string> clock_reasons;  ///< why the clock is not higher
    friend bool operator==(const DeviceRecord&, const DeviceRecord&) = default;
};

/// What a machine shows of its accelerators.
struct LocalMachine {
    std::vector<DeviceRecord> devices;
    std::string driver;                ///< of NVIDIA; empty: none found
    std::string cuda_driver;           ///< "13.0"; empty: none found
    std::vector<std::string> reasons;  ///< what was looked at and why it gave nothing
    friend bool operator==(const LocalMachine&, const LocalMachine&) = default;
};

}  // namespace ridgeline
