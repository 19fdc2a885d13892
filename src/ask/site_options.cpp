#include "ask/site_options.h"

#include "ask/world.h"

namespace ridgeline::ask {
namespace {

constexpr SiteFlag table[] = {
    {"--years", "life_years", 0.25, 20, "service life, over which the price is spread"},
    {"--utilization", "utilization", 0.001, 1, "share of all hours in which it works"},
    {"--card-price", "card_price_usd", 1, 1e7, "US dollars of one accelerator"},
    {"--system-price", "system_price_usd", 1, 1e9, "US dollars of one whole machine"},
    {"--server-ratio", "server_cost_ratio", 1, 10, "server over the price of its cards"},
    {"--network-share", "network_share", 0, 0.9, "switches and cables in the cluster's cost"},
    {"--residual", "residual_share", 0, 0.99, "value left at the end, a share"},
    {"--interest", "financing_rate", 0, 1, "a year on the money tied up, a share"},
    {"--electricity", "usd_per_kwh", 0, 10, "US dollars a kWh"},
    {"--pue", "pue", 1, 5, "power of the building over that of the machines"},
    {"--load", "load_factor", 0.05, 1, "average draw over the maximum while computing"},
    {"--idle-load", "idle_factor", 0, 1, "draw over the maximum while waiting"},
    {"--colocation", "colocation_usd_per_kw_month", 0, 5000,
     "US dollars a kW and month; 0: own room"},
    {"--spares", "spares_share_per_year", 0, 1, "hardware replaced a year, of its price"},
    {"--staff", "staff_usd_per_year", 0, 1e10, "US dollars a year for people"},
    {"--support", "support_usd_per_year", 0, 1e10, "US dollars a year for support and licences"},
    {"--grid", "grid_gco2_per_kwh", 0, 2000, "grams of CO2 a kWh"},
    {"--rack-kw", "rack_kw", 0.1, 1000, "kW that one rack may draw"},
    {"--circuit-volts", "circuit_volts", 100, 1000, "of one feed"},
    {"--circuit-amperes", "circuit_amperes", 1, 1000, "of one feed"},
    {"--power-cap", "power_cap_w", 10, 5000, "lowered power limit of an accelerator, W"},
    {"--storage-tb", "storage_tb", 0, 1e6, "rented storage, TB (report)"},
    {"--storage-price", "storage_usd_per_tb_month", 0, 1e4, "US dollars a TB and month (report)"},
    {"--egress-tb", "egress_tb", 0, 1e6, "data taken out, TB (report)"},
    {"--egress-price", "egress_usd_per_tb", 0, 1e4, "US dollars a TB (report)"},
    {"--lead-time", "lead_time_weeks", 0, 520, "weeks from order to delivery"},
};

}  // namespace

std::span<const SiteFlag> site_flag_table() { return table; }

Result<SiteFigures> site_figures_of(const Request& request) {
    SiteFigures figures;
    for (const SiteFlag& figure : table) {
        std::string text = request.text(figure.name.substr(2));
        if (text.empty()) {
            continue;
        }
        double unit = 1;
        if (text.ends_with('%')) {
            text.pop_back();
            unit = 0.01;
        }
        const auto value = number_of(figure.name, text, figure.least / unit, figure.most / unit);
        if (!value) {
            return tl::unexpected(value.error());
        }
        figures.given.emplace(figure.id, *value * unit);
    }
    return figures;
}

}  // namespace ridgeline::ask
