#pragma once

#include "base/quantity.h"

#include <optional>
#include <string>
#include <vector>

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
    std::vector<std::string>
        caveats{};  ///< what its source says against taking the figure as it is
    [[nodiscard]] double usd_per_accelerator_hour() const { return usd_per_hour / count; }
    friend bool operator==(const Offer&, const Offer&) = default;
};

/// A price of an earlier day. No date: its source states none.
struct EarlierPrice {
    double usd_per_hour = 0;
    std::string since;  ///< YYYY-MM-DD, seen at the latest
    std::string source;
    friend bool operator==(const EarlierPrice&, const EarlierPrice&) = default;
};

/// An hourly price that a widely read article states, beside what dated lists say. Never used to
/// price an answer.
struct PriceClaim {
    std::string provider;
    std::string instance_type;
    std::string accelerator;  ///< catalog id; empty where the article leaves the part open
    int count = 1;
    std::optional<double> claimed_usd_per_hour;
    std::optional<double> claimed_usd_per_hour_high;
    std::string claimed_by;
    std::string offer;  ///< id of the dated offer; empty: there is none
    std::vector<EarlierPrice> earlier;
    std::string verdict;
    friend bool operator==(const PriceClaim&, const PriceClaim&) = default;
};

}  // namespace ridgeline
