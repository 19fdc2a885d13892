#pragma once

#include <optional>
#include <string>

#include "base/quantity.h"

namespace ridgeline {

enum class PriceKind { on_demand, spot, reserved, marketplace };

/// A dated rental price of one instance (a whole node: `count` accelerators, never halves of it).
struct Offer {
    std::string id;
    std::string provider;
    std::string instance_type;
    std::string accelerator;  ///< catalog id
    int count = 1;
    std::string region;
    PriceKind kind = PriceKind::on_demand;
    double usd_per_hour = 0;  ///< for the whole instance
    std::string date;         ///< YYYY-MM-DD
    std::string source;
    std::string licence;
    std::optional<double> network_gbps;
    std::optional<double> host_ram_gib;
    [[nodiscard]] double usd_per_accelerator_hour() const { return usd_per_hour / count; }
    friend bool operator==(const Offer&, const Offer&) = default;
};

}  // namespace ridgeline
