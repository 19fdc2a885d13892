#pragma once

#include "base/dtype.h"
#include "base/quantity.h"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace ridgeline {

/// Where a group of catalog fields comes from: ids of catalog/sources.json.
struct FieldSource {
    std::string field;
    std::vector<std::string> sources;
    friend bool operator==(const FieldSource&, const FieldSource&) = default;
};

/// A dated price of the part itself or of renting one, as its source printed it.
struct ListedPrice {
    double usd = 0;
    std::optional<double> usd_high;
    std::string kind;  ///< "msrp", "street", "used", "cloud per hour", ...
    std::string date;
    std::string source;
    friend bool operator==(const ListedPrice&, const ListedPrice&) = default;
};

/// How a part talks to its neighbours inside one node or rack. Rates are one way per accelerator.
struct ScaleUp {
    std::string kind;                         ///< "NVLink 4", "Infinity Fabric / xGMI", "none", ...
    std::optional<BytesPerSecond> rate;       ///< one way, all links of one accelerator
    std::optional<BytesPerSecond> pair_rate;  ///< one way to a single peer where that is less
    int max_domain = 1;                       ///< accelerators that reach each other this way
    std::optional<std::string> note;
    friend bool operator==(const ScaleUp&, const ScaleUp&) = default;
};

struct EccSupport {
    std::string support;     ///< as the catalog says: "on by default", "none", ...
    bool available = false;  ///< on, or can be turned on
    bool on_by_default = false;
    std::optional<double> capacity_cost;  ///< fraction of memory lost when on
    std::optional<double> speed_cost;     ///< fraction of speed lost when on
    friend bool operator==(const EccSupport&, const EccSupport&) = default;
};

/// One way to slice a part that supports MIG (Multi-Instance GPU), as its vendor's guide lists it.
struct MigProfile {
    std::string name;             ///< "1g.10gb"
    double compute_fraction = 0;  ///< of the multiprocessors: 1/7 on parts with seven instances
    double memory_fraction = 0;   ///< of memory, its bandwidth and L2: 1/8
    std::optional<Bytes> visible_memory;  ///< empty: memory_fraction of what the whole part shows
    int instances = 1;                    ///< most of this profile on one part
    friend bool operator==(const MigProfile&, const MigProfile&) = default;
};

/// One accelerator of the catalog. Unknown figures are empty, never zero.
struct Accelerator {
    std::string id;
    std::string name;
    std::vector<std::string> aliases;
    std::vector<std::string> families;  ///< names that it shares with its other forms: "h100"
    std::vector<std::string>
        pci_ids;  ///< device ids of the vendor, lower-case hexadecimal ("2330")
    std::string vendor;
    std::string kind;          ///< "gpu", "tpu", "accelerator", "apple", "cpu"
    std::string architecture;  ///< "Hopper"
    std::string chip;
    int year = 0;
    std::string form_factor;                        ///< "SXM5", "PCIe dual-slot", ...
    std::optional<std::string> compute_capability;  ///< "9.0", NVIDIA only
    std::optional<std::string> gfx_arch;            ///< "gfx942", AMD only
    std::optional<int> units;                       ///< SMs or CUs
    std::string unit_name;                          ///< "SM", "CU", "core", ...
    std::optional<double> boost_clock_mhz;

    /// Dense peak by operand type with fp32 (int32) accumulate; fp16_fp16_accumulate apart.
    std::array<std::optional<FlopsPerSecond>, compute_types> peak_dense;
    std::string fp4_format = "nvfp4";                ///< of the 4-bit peak: nvfp4 or mxfp4
    std::optional<FlopsPerSecond> peak_vector_fp32;  ///< outside the matrix units
    std::optional<FlopsPerSecond> peak_vector_fp64;
    std::optional<double> sparsity_factor;  ///< 2:4 sparse peak / dense peak
    /// Time in which its host launches a kernel, over that of a server of 2020: a module's small
    /// cores are slower.
    std::optional<double> host_launch_factor;

    double marketed_gb = 0;               ///< decimal GB on the box; 0: unknown (hosts)
    std::optional<Bytes> visible_memory;  ///< what the driver shows
    bool visible_memory_assumed = false;  ///< visible_memory was derived, not read
    std::string memory_type;
    bool stacked_memory = false;      ///< dies beside the chip on an interposer (HBM)
    BytesPerSecond memory_bandwidth;  ///< 0 only for hosts of kind "cpu" where no source states it
    std::optional<int> bus_bits;
    std::optional<Bytes> l2_cache;
    std::optional<Bytes> last_level_cache;

    Watts tdp;  ///< of the board; 0: unknown (some cloud-only parts state none)
    EccSupport ecc;
    ScaleUp scale_up;
    int pcie_generation = 0;
    int pcie_lanes = 0;
    std::optional<BytesPerSecond> pcie_rate;  ///< one way
    std::optional<BytesPerSecond>
        host_rate;                     ///< one way to host memory where not by PCIe (NVLink-C2C)
    std::optional<int> mig_instances;  ///< most instances; empty when the part has no MIG
    std::vector<MigProfile> mig_profiles;  ///< empty: none known
    int devices_seen = 1;                  ///< that software sees in one package (MI250X: 2)
    std::vector<ListedPrice> prices;
    std::vector<std::string> software;
    std::vector<std::string> disagreements;
    std::vector<std::string> assumptions;
    std::vector<std::string> errata;  ///< what widely read articles get wrong about it
    std::vector<FieldSource> field_sources;

    [[nodiscard]] std::optional<FlopsPerSecond> peak(ComputeType type) const {
        return peak_dense[static_cast<std::size_t>(type)];
    }
    /// Memory that fit is judged on: visible when known, else the marketed size.
    [[nodiscard]] Bytes capacity() const {
        return visible_memory ? *visible_memory : marketed_gb * gigabyte;
    }
    [[nodiscard]] bool has_nvlink() const {
        return scale_up.kind.find("NVLink") != std::string::npos;
    }
    friend bool operator==(const Accelerator&, const Accelerator&) = default;
};

}  // namespace ridgeline
