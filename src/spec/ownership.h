#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ridgeline {

/// What a purchase price covers: the card, the baseboard with its switches, or the whole server.
enum class PurchaseBasis { card, baseboard, system };

/// A dated purchase price, in dollars for each accelerator of what was bought.
struct Purchase {
    std::string accelerator;  ///< catalog id
    double usd_each = 0;
    PurchaseBasis basis = PurchaseBasis::card;
    std::string date;  ///< YYYY-MM or YYYY-MM-DD
    std::string source;
    std::string note;
    friend bool operator==(const Purchase&, const Purchase&) = default;
};

/// A figure of the ownership model that a source states ("pue", "usd_per_kwh"). No value: nobody
/// states it, the user must.
struct OwnershipFigure {
    std::string id;
    std::string meaning;
    std::string unit;
    std::optional<double> value;
    std::string date;
    std::string source;
    friend bool operator==(const OwnershipFigure&, const OwnershipFigure&) = default;
};

/// A published cost of one accelerator-hour: a check of ours, never an input.
struct MarketRate {
    std::string accelerator;
    double kw_each = 0;  ///< provisioned utility power
    double usd_per_hour_hyperscaler = 0;
    double usd_per_hour_neocloud = 0;
    double usd_per_hour_rental = 0;  ///< three-year contract
    std::string date;
    std::string source;
    friend bool operator==(const MarketRate&, const MarketRate&) = default;
};

/// Speed of a part under a lowered power limit, as somebody measured it.
struct PowerCapPoint {
    std::string accelerator;
    double cap_watts = 0;
    double default_watts = 0;
    double speed = 0;  ///< of that at the default limit
    std::string work;  ///< what ran
    std::string date;
    std::string source;
    friend bool operator==(const PowerCapPoint&, const PowerCapPoint&) = default;
};

/// catalog/ownership.json.
struct OwnershipFacts {
    std::vector<Purchase> purchases;
    std::vector<OwnershipFigure> figures;
    std::vector<MarketRate> market;
    std::vector<PowerCapPoint> power_caps;

    /// Null when no figure has that id.
    [[nodiscard]] const OwnershipFigure* figure(std::string_view id) const;
    /// Purchases of the part within a year of the newest, cheapest first: those of whole systems
    /// where there are any, else of baseboards, else of cards. Prices of one month differ by half
    /// between shops, so the middle one is taken and the ends are the range.
    [[nodiscard]] std::vector<const Purchase*> recent_purchases(std::string_view accelerator) const;
};

}  // namespace ridgeline
