#include "base/text.h"
#include "data/catalog_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

// SkyPilot price tables (catalog v5 to v8): columns are found by their header, as their order and
// number differ between providers. `GpuInfo` holds a Python literal with commas inside quotes.

namespace ridgeline {
namespace {

/// Cells of one line; quotes may hold commas and doubled quotes.
std::vector<std::string> cells_of(std::string_view line) {
    std::vector<std::string> cells(1);
    bool quoted = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
        const char letter = line[i];
        if (quoted && letter == '"' && i + 1 < line.size() && line[i + 1] == '"') {
            cells.back() += '"';
            ++i;
        } else if (letter == '"') {
            quoted = !quoted;
        } else if (letter == ',' && !quoted) {
            cells.emplace_back();
        } else {
            cells.back() += letter;
        }
    }
    return cells;
}

/// A name without case, vendor and separators: "NVIDIA A100-80GB" -> "a10080gb".
std::string folded(std::string_view name) {
    std::string key;
    for (const char letter : lower(name)) {
        if ((letter >= 'a' && letter <= 'z') || (letter >= '0' && letter <= '9')) {
            key += letter;
        }
    }
    for (const std::string_view vendor : {"nvidia", "amd", "google", "aws", "instinct"}) {
        if (key.starts_with(vendor) && key.size() > vendor.size()) {
            key.erase(0, vendor.size());
        }
    }
    return key;
}

/// Catalog ids whose id, name or alias is the word, or begins with it.
std::vector<std::string> candidates(const Catalog& catalog, std::string_view word) {
    const std::string key = folded(word);
    std::vector<std::string> begun;
    for (const Accelerator& part : catalog.accelerators) {
        std::vector<std::string> names = part.aliases;
        names.push_back(part.id);
        names.push_back(part.name);
        bool begins = false;
        for (const std::string& name : names) {
            if (folded(name) == key) {
                return {part.id};
            }
            begins = begins || (key.size() >= 2 && folded(name).starts_with(key));
        }
        if (begins) {
            begun.push_back(part.id);
        }
    }
    return begun;
}

struct Columns {
    std::map<std::string, std::size_t> at;
    [[nodiscard]] std::string_view cell(const std::vector<std::string>& row,
                                        const std::string& name) const {
        const auto found = at.find(name);
        return found == at.end() || found->second >= row.size()
                   ? std::string_view()
                   : std::string_view(row[found->second]);
    }
};

std::optional<double> price_in(std::string_view cell) {
    const std::optional<double> value = number_with_suffix(cell);
    return value && *value > 0 && *value < 1e6 ? value : std::nullopt;
}

/// The part a row sells. SkyPilot names leave the board open ("H100" is SXM, PCIe or NVL); the
/// instance name sometimes settles it, else the row stays out.
std::optional<std::string> part_of(const Catalog& catalog,
                                   std::string_view name,
                                   std::string_view instance) {
    const std::vector<std::string> found = candidates(catalog, name);
    if (found.size() == 1) {
        return found.front();
    }
    std::vector<std::string> matching;
    for (const std::string_view board : {"sxm", "pcie", "nvl"}) {
        if (lower(instance).find(board) == std::string::npos) {
            continue;
        }
        for (const std::string& id : found) {
            if (id.find(board) != std::string::npos) {
                matching.push_back(id);
            }
        }
    }
    return matching.size() == 1 ? std::optional(matching.front()) : std::nullopt;
}

}  // namespace

Result<void> read_skypilot_prices(std::string_view table,
                                  const std::string& where,
                                  const std::string& provider,
                                  const std::string& date,
                                  Catalog& catalog,
                                  std::vector<std::string>& skipped) {
    Columns columns;
    std::size_t line_number = 0;
    std::map<std::string, int> unknown;
    std::vector<Offer> offers;
    while (!table.empty()) {
        const std::size_t end = std::min(table.find('\n'), table.size());
        std::string_view line = table.substr(0, end);
        table.remove_prefix(std::min(end + 1, table.size()));
        ++line_number;
        if (line.ends_with('\r')) {
            line.remove_suffix(1);
        }
        if (line.empty()) {
            continue;
        }
        const std::vector<std::string> row = cells_of(line);
        if (columns.at.empty()) {
            for (std::size_t i = 0; i < row.size(); ++i) {
                columns.at.emplace(row[i], i);
            }
            for (const char* needed :
                 {"InstanceType", "AcceleratorName", "AcceleratorCount", "Price"}) {
                if (!columns.at.contains(needed)) {
                    return input_error(
                        where,
                        fmt::format("no column {} in the header, expected a SkyPilot "
                                    "price table or our own JSON",
                                    needed));
                }
            }
            continue;
        }
        const std::string name(columns.cell(row, "AcceleratorName"));
        if (name.empty()) {
            continue;  // a machine without accelerators
        }
        const auto count = number_with_suffix(columns.cell(row, "AcceleratorCount"));
        if (!count || *count < 1 || *count > 4096 || *count != std::floor(*count)) {
            return input_error(
                fmt::format("{}:{}", where, line_number),
                fmt::format("AcceleratorCount: found \"{}\", expected a whole number",
                            printable(columns.cell(row, "AcceleratorCount"))));
        }
        const std::string instance(columns.cell(row, "InstanceType"));
        const std::optional<std::string> part = part_of(catalog, name, instance);
        if (!part) {
            ++unknown[name];
            continue;
        }
        Offer offer{.id = fmt::format("{}-{}-{}", provider, instance, columns.cell(row, "Region")),
                    .provider = provider,
                    .instance_type = instance,
                    .accelerator = *part,
                    .count = static_cast<int>(*count),
                    .region = std::string(columns.cell(row, "Region")),
                    .kind = PriceKind::on_demand,
                    .usd_per_hour = 0,
                    .date = date,
                    .source = where,
                    .licence = {},
                    .network_gbps = {},
                    .host_ram_gib = number_with_suffix(columns.cell(row, "MemoryGiB"))};
        for (const auto& [column, kind] :
             {std::pair{"Price", PriceKind::on_demand}, std::pair{"SpotPrice", PriceKind::spot}}) {
            const std::string_view cell = columns.cell(row, column);
            if (const auto price = price_in(cell)) {
                offer.kind = kind;
                offer.usd_per_hour = *price;
                offers.push_back(offer);
            } else if (!cell.empty() && number_with_suffix(cell) != 0.0) {
                return input_error(
                    fmt::format("{}:{}", where, line_number),
                    fmt::format(
                        "{}: found \"{}\", expected US dollars an hour", column, printable(cell)));
            }
        }
    }
    for (const auto& [name, rows] : unknown) {
        skipped.push_back(fmt::format(
            "{}: {} row{} of \"{}\" left out: the name fits {}",
            where,
            rows,
            rows == 1 ? "" : "s",
            printable(name),
            candidates(catalog, name).empty() ? "no part of the catalog" : "several parts"));
    }
    catalog.offers.insert(catalog.offers.end(), offers.begin(), offers.end());
    catalog.offers_date = std::max(catalog.offers_date, offers.empty() ? std::string() : date);
    return {};
}

}  // namespace ridgeline
