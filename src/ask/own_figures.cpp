#include "ask/own_figures.h"

#include "base/text.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace ridgeline::ask {
namespace {

constexpr double bytes_of_weight = 4;

/// Rows of the tables, all of them in the same proportion.
bool scale_rows(NetworkSizes& sizes, double rows) {
    for (auto& [key, list] : sizes.numbers) {
        const double now = std::accumulate(list.begin(), list.end(), 0.0);
        if (key == "table_rows" && now > 0) {
            for (double& each : list) {
                each = std::max(1.0, std::round(each * rows / now));
            }
            return true;
        }
    }
    return false;
}

bool set_number(NetworkSizes& sizes, std::string_view key, double value) {
    for (auto& [name, number] : sizes.numbers) {
        if (name == key) {
            number = {value};
            return true;
        }
    }
    return false;
}

}  // namespace

Result<Architecture> with_own_figures(Architecture network, std::string_view figures) {
    std::optional<double> gigabytes;
    std::optional<double> rows;
    for (const std::string& figure : split(figures, ',')) {
        const std::size_t at = figure.find('=');
        const std::string key = figure.substr(0, at);
        const double value =
            at == std::string::npos ? 0 : number_with_suffix(figure.substr(at + 1)).value_or(0);
        const bool tables = key == "table_gb" || key == "rows";
        (key == "table_gb" ? gigabytes : rows) = tables ? std::optional(value) : rows;
        if (!network.network || value <= 0 ||
            (!tables && !set_number(*network.network, key, value))) {
            return input_error("model", "found \"" + figure + "\" behind " + network.id,
                               "Expected a figure of its description, above zero.");
        }
    }
    if (gigabytes || rows) {
        const double width = network.network->number("embedding_dim", 0);
        const double wanted =
            rows ? *rows : *gigabytes * 1e9 / (bytes_of_weight * std::max(1.0, width));
        if (width <= 0 || !scale_rows(*network.network, wanted)) {
            return input_error("model", network.id + " has no tables", "");
        }
    }
    network.published_parameters.reset();
    network.published_active_parameters.reset();
    network.id += figures_mark + std::string(figures);
    network.name += " with " + std::string(figures);
    return network;
}

}  // namespace ridgeline::ask
