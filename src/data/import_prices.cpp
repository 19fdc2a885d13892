#include "base/lists.h"
#include "base/text.h"
#include "data/catalog_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <optional>
#include <set>

// SkyPilot price tables (catalog v5 to v8) and those of gpuhunt: columns are found by their header,
// as their order and number differ between providers. `GpuInfo` of SkyPilot holds a Python literal
// with commas inside quotes; gpuhunt has a row of its own for spot prices.

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
        if (is_letter(letter) || is_digit(letter)) {
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

/// What a kind of table calls its columns.
struct Dialect {
    const char* instance;
    const char* accelerator;
    const char* count;
    const char* price;
    const char* region;
    const char* host_memory;
    const char* memory;      ///< GB of one accelerator; null: not stated
    const char* spot_price;  ///< null: `spot` says which the price is
    const char* spot;
};
constexpr Dialect skypilot{"InstanceType", "AcceleratorName", "AcceleratorCount", "Price", "Region",
                           "MemoryGiB",    nullptr,           "SpotPrice",        nullptr};
constexpr Dialect gpuhunt{"instance_name", "gpu_name",   "gpu_count", "price", "location",
                          "memory",        "gpu_memory", nullptr,     "spot"};

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

/// The part a row sells. Names leave the board open ("H100" is SXM, PCIe or NVL); the size of its
/// memory, the name of the instance or an offer of the same instance that the catalog holds
/// sometimes settles it, as do the parts that other names of the table mean ("A100-80GB" beside
/// "A100-80GB-SXM"), else the row stays out.
std::optional<std::string> part_of(const Catalog& catalog, std::string_view name,
                                   std::string_view instance, std::optional<double> memory_gb,
                                   const std::set<std::string>& named) {
    std::vector<std::string> found = candidates(catalog, name);
    if (memory_gb && found.size() > 1) {
        std::erase_if(found, [&](const std::string& id) {
            const Accelerator* part = catalog.accelerator(id);
            return part == nullptr || std::abs(part->marketed_gb - *memory_gb) > 0.06 * *memory_gb;
        });
    }
    if (found.size() == 1) {
        return found.front();
    }
    for (const Offer& known : catalog.offers) {
        if (!instance.empty() && known.instance_type == instance &&
            is_among(known.accelerator, found)) {
            return known.accelerator;
        }
    }
    std::vector<std::string> matching;
    for (const std::string_view board : {"sxm", "pcie", "nvl"}) {
        if (!contains(lower(instance), board)) {
            continue;
        }
        for (const std::string& id : found) {
            if (contains(id, board)) {
                matching.push_back(id);
            }
        }
    }
    if (matching.empty()) {
        std::ranges::copy_if(found, std::back_inserter(matching),
                             [&](const std::string& id) { return !named.contains(id); });
    }
    return matching.size() == 1 ? std::optional(matching.front()) : std::nullopt;
}

/// Reads a table line by line; what is wrong ends the reading.
class Table {
public:
    Table(const std::string& where, const Offer& common, const Catalog& catalog)
        : where_(where), common_(common), catalog_(catalog) {}

    /// Notes the part that a line's name means by itself, before any line is read.
    void foresee(std::string_view text) {
        const std::vector<std::string> row = cells_of(text);
        if (columns_.at.empty()) {
            static_cast<void>(header(row));  // told when it is read
            return;
        }
        const std::string name(columns_.cell(row, dialect_.accelerator));
        if (!name.empty() && seen_.insert(name).second) {
            if (const auto parts = candidates(catalog_, name); parts.size() == 1) {
                named_.insert(parts.front());
            }
        }
    }

    Result<void> line(std::string_view text) {
        ++line_;
        if (text.empty()) {
            return {};
        }
        const std::vector<std::string> row = cells_of(text);
        if (!headed_) {
            headed_ = true;
            return header(row);
        }
        const std::string name(columns_.cell(row, dialect_.accelerator));
        if (name.empty()) {
            return {};  // a machine without accelerators
        }
        const auto count = number_with_suffix(columns_.cell(row, dialect_.count));
        if (!count || *count < 1 || *count > 4096 || *count != std::floor(*count)) {
            return wrong(row, dialect_.count, "a whole number");
        }
        Offer offer = common_;
        offer.instance_type = columns_.cell(row, dialect_.instance);
        const auto memory = dialect_.memory != nullptr
                                ? number_with_suffix(columns_.cell(row, dialect_.memory))
                                : std::nullopt;
        const std::optional<std::string> part =
            part_of(catalog_, name, offer.instance_type, memory, named_);
        if (!part) {
            ++unknown_[name];
            return {};
        }
        offer.accelerator = *part;
        offer.count = static_cast<int>(*count);
        offer.region = columns_.cell(row, dialect_.region);
        offer.id = fmt::format("{}-{}-{}", offer.provider, offer.instance_type, offer.region);
        offer.host_ram_gib = number_with_suffix(columns_.cell(row, dialect_.host_memory));
        const bool spot =
            dialect_.spot != nullptr && lower(columns_.cell(row, dialect_.spot)) == "true";
        const PriceKind kind = spot ? PriceKind::spot : PriceKind::on_demand;
        if (Result<void> read = price(row, dialect_.price, kind, offer); !read) {
            return read;
        }
        return dialect_.spot_price != nullptr
                   ? price(row, dialect_.spot_price, PriceKind::spot, offer)
                   : Result<void>{};
    }

    [[nodiscard]] const std::vector<Offer>& offers() const { return offers_; }

    /// One line for each accelerator name whose rows were left out.
    [[nodiscard]] std::vector<std::string> notes() const {
        std::vector<std::string> lines;
        for (const auto& [name, rows] : unknown_) {
            lines.push_back(fmt::format(
                "{}: {} of \"{}\" left out: the name fits {}", where_, counted_noun(rows, "row"),
                printable(name),
                candidates(catalog_, name).empty() ? "no part of the catalog" : "several parts"));
        }
        return lines;
    }

private:
    Result<void> header(const std::vector<std::string>& row) {
        for (std::size_t i = 0; i < row.size(); ++i) {
            columns_.at.emplace(row[i], i);
        }
        if (columns_.at.contains(gpuhunt.accelerator)) {
            dialect_ = gpuhunt;
        }
        for (const char* needed :
             {dialect_.instance, dialect_.accelerator, dialect_.count, dialect_.price}) {
            if (!columns_.at.contains(needed)) {
                return input_error(
                    where_,
                    fmt::format("no column {} in the header, expected a price table of SkyPilot "
                                "or gpuhunt, or our own JSON",
                                needed));
            }
        }
        return {};
    }

    Result<void> price(const std::vector<std::string>& row, const std::string& column,
                       PriceKind kind, Offer& offer) {
        const std::string_view cell = columns_.cell(row, column);
        if (const auto usd = price_in(cell)) {
            offer.kind = kind;
            offer.usd_per_hour = *usd;
            offers_.push_back(offer);
        } else if (!cell.empty() && number_with_suffix(cell) != 0.0) {
            return wrong(row, column, "US dollars an hour");
        }
        return {};
    }

    tl::unexpected<Error> wrong(const std::vector<std::string>& row, const std::string& column,
                                std::string_view expected) const {
        return input_error(fmt::format("{}:{}", where_, line_),
                           fmt::format("{}: found \"{}\", expected {}", column,
                                       printable(columns_.cell(row, column)), expected));
    }

    const std::string& where_;
    const Offer& common_;
    const Catalog& catalog_;
    Columns columns_;
    Dialect dialect_ = skypilot;
    std::size_t line_ = 0;
    bool headed_ = false;
    std::set<std::string> seen_;
    std::set<std::string> named_;  ///< parts that a name of the table means by itself
    std::map<std::string, int> unknown_;
    std::vector<Offer> offers_;
};

}  // namespace

Result<void> read_price_table(std::string_view table, const std::string& where,
                              const std::string& provider, const std::string& date,
                              Catalog& catalog, std::vector<std::string>& skipped) {
    Offer common;
    common.provider = provider;
    common.date = date;
    common.source = where;
    Table reader(where, common, catalog);
    std::vector<std::string_view> lines;
    while (!table.empty()) {
        const std::size_t end = std::min(table.find('\n'), table.size());
        lines.push_back(table.substr(0, end));
        table.remove_prefix(std::min(end + 1, table.size()));
        if (lines.back().ends_with('\r')) {
            lines.back().remove_suffix(1);
        }
        if (!lines.back().empty()) {
            reader.foresee(lines.back());
        }
    }
    for (const std::string_view line : lines) {
        if (Result<void> read = reader.line(line); !read) {
            return read;
        }
    }
    skipped = reader.notes();
    catalog.offers.insert(catalog.offers.end(), reader.offers().begin(), reader.offers().end());
    if (!reader.offers().empty()) {
        catalog.offers_date = std::max(catalog.offers_date, date);
    }
    return {};
}

}  // namespace ridgeline
