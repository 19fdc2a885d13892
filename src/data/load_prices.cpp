#include "base/text.h"
#include "data/catalog_reader.h"
#include "data/load.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <system_error>
#include <utility>

namespace ridgeline {
namespace {

constexpr Range usd_per_hour{0.0001, 1e6};

/// Day of the file's last change, for tables that state no date.
std::string date_of(const std::filesystem::path& file) {
    std::error_code problem;
    const auto written = std::filesystem::last_write_time(file, problem);
    if (problem) {
        return {};
    }
    const auto since = std::chrono::duration_cast<std::chrono::seconds>(
        written.time_since_epoch() -
        std::filesystem::file_time_type::clock::now().time_since_epoch());
    const auto when = std::chrono::system_clock::now() + since;
    const std::chrono::year_month_day day{std::chrono::floor<std::chrono::days>(when)};
    return fmt::format("{:04}-{:02}-{:02}",
                       static_cast<int>(day.year()),
                       static_cast<unsigned>(day.month()),
                       static_cast<unsigned>(day.day()));
}

/// One row; `file` holds the date, source and licence of the rows that state none.
Offer read_offer(Reader& row, const Offer& file, const Catalog& catalog) {
    Offer offer;
    offer.id = row.text("id");
    offer.provider = row.text("provider");
    offer.instance_type = row.text_or("instance_type", "");
    const std::string word = row.text("accelerator");
    if (const Accelerator* part = catalog.accelerator(word)) {
        offer.accelerator = part->id;
    } else if (!word.empty()) {
        std::vector<std::string> names;
        for (const Accelerator& known : catalog.accelerators) {
            names.push_back(known.id);
        }
        row.fail("accelerator",
                 fmt::format("no accelerator \"{}\" in the catalog", printable(word)),
                 did_you_mean(word, names));
    }
    offer.count = row.integer("count", Range{1, 4096});
    offer.region = row.text_or("region", "");
    const auto kind = row.optional_choice<PriceKind>("kind",
                                                     {{"on_demand", PriceKind::on_demand},
                                                      {"spot", PriceKind::spot},
                                                      {"reserved", PriceKind::reserved},
                                                      {"marketplace", PriceKind::marketplace}});
    offer.kind = kind.value_or(PriceKind::on_demand);
    offer.usd_per_hour = row.number("usd_per_hour", usd_per_hour);
    offer.date = row.text_or("date", file.date);
    if (!offer.date.empty() && !is_date(offer.date)) {
        row.fail("date", fmt::format("found \"{}\", expected YYYY-MM-DD", printable(offer.date)));
    }
    offer.source = row.text_or("source", file.source);
    if (offer.source.empty()) {
        row.fail("source", "missing, expected where the price was read");
    }
    offer.licence = row.text_or("licence", file.licence);
    offer.network_gbps = row.optional_number("network_gbps", Range{0.01, 1e6});
    offer.host_ram_gib = row.optional_number("host_ram_gib", Range{0.1, 1e6});
    row.ignore("caveats");
    row.reject_unknown();
    return offer;
}

}  // namespace

void read_offers(Reader& document, Catalog& catalog) {
    check_schema(document, "ridgeline/offers/1");
    const std::string date = document.text("date");
    if (!date.empty() && !is_date(date)) {
        document.fail("date", fmt::format("found \"{}\", expected YYYY-MM-DD", printable(date)));
    }
    Offer file;
    file.date = date;
    file.source = document.text_or("source", "");
    file.licence = document.text_or("licence", "");
    for (Reader& row : document.objects("offers")) {
        catalog.offers.push_back(read_offer(row, file, catalog));
    }
    document.reject_unknown();
    catalog.offers_date = std::max(catalog.offers_date, date);
}

Result<void> load_prices(const std::filesystem::path& file, Catalog& catalog) {
    Result<std::string> text = read_file_text(file);
    if (!text) {
        return tl::unexpected(text.error());
    }
    const std::size_t start = text->find_first_not_of(" \t\r\n");
    if (start == std::string::npos || (*text)[start] == '{' || (*text)[start] == '[') {
        Result<Document> document = Document::parse(*text, file.string());
        if (!document) {
            return tl::unexpected(document.error());
        }
        Reader root = document->root();
        Catalog copy;  // what is wrong must not leave half of a file behind
        copy.accelerators = catalog.accelerators;
        read_offers(root, copy);
        if (Result<void> checked = document->result(); !checked) {
            return checked;
        }
        catalog.offers.insert(catalog.offers.end(), copy.offers.begin(), copy.offers.end());
        catalog.offers_date = std::max(catalog.offers_date, copy.offers_date);
        return {};
    }
    std::vector<std::string> skipped;
    const std::string folder = std::filesystem::absolute(file).parent_path().filename().string();
    Result<void> read =
        read_skypilot_prices(*text, file.string(), folder, date_of(file), catalog, skipped);
    catalog.notes.insert(catalog.notes.end(), skipped.begin(), skipped.end());
    return read;
}

}  // namespace ridgeline
