#pragma once

#include "base/quantity.h"
#include "spec/accelerator.h"

#include <optional>
#include <string>
#include <vector>

namespace ridgeline {

/// A link or fabric of catalog/links.json. Rates are one way, for one accelerator or one port.
struct Link {
    std::string id;
    std::string kind;
    BytesPerSecond rate;
    std::optional<Seconds> latency;
    std::vector<std::string> sources;
    std::string per{};     ///< what the rate is of: "GPU", "port", "slot", ...
    std::string note{};    ///< what articles or tools print for it, and other remarks
    bool assumed = false;  ///< chosen by default, not stated by the user or the catalog
    friend bool operator==(const Link&, const Link&) = default;
};

/// A kind of storage of catalog/storage.json.
struct Storage {
    std::string id;
    std::string kind;
    std::optional<BytesPerSecond> read;
    std::optional<BytesPerSecond> write;
    std::optional<double> read_iops;
    std::vector<std::string> sources;
    std::string note{};
    friend bool operator==(const Storage&, const Storage&) = default;
};

/// A server, rack or cloud node: accelerators, the links between them, the host around them.
struct Machine {
    std::string id;
    std::string name;
    std::vector<std::string> aliases{};    ///< as providers and people spell it: "p5.48xlarge"
    std::string accelerator;               ///< catalog id
    int accelerators = 1;                  ///< in one machine (a rack-scale system is one machine)
    std::string scale_up;                  ///< link id inside the machine
    std::optional<std::string> scale_out;  ///< link id between machines
    std::optional<int> scale_out_ports;    ///< ports per machine
    std::optional<Bytes> host_memory;
    std::optional<int> host_cores;
    std::optional<Watts> power;  ///< maximum of the whole machine
    std::optional<double> rack_units;
    std::optional<std::string> provider;  ///< for a cloud node
    std::vector<ListedPrice> prices;
    std::vector<std::string> notes;
    std::vector<FieldSource> field_sources;
    friend bool operator==(const Machine&, const Machine&) = default;
};

/// What a workload is placed on: `count` equal accelerators in nodes of `per_node`.
struct Cluster {
    const Accelerator* accelerator = nullptr;
    int count = 1;
    int per_node = 1;
    Link intra;  ///< between accelerators of a node
    Link inter;  ///< between nodes, per accelerator
    std::optional<Bytes> host_memory_per_node;
    std::optional<Watts> node_power;
    const Storage* drive = nullptr;    ///< assumed in each node where none is stated
    const Machine* machine = nullptr;  ///< set when a machine of the catalog was named

    [[nodiscard]] int nodes() const { return (count + per_node - 1) / per_node; }
};

}  // namespace ridgeline
