#include "base/text.h"
#include "data/catalog_reader.h"
#include "data/load.h"
#include "spec/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace ridgeline {
namespace {

constexpr Range usd_per_hour{0.0001, 1e6};

/// Counts and prices of the instances that a row stands for. A part that is sold by the card has
/// the `counts` that one machine holds and one price for each card; they are named after the part.
std::vector<Offer> instances_of(Reader& row, const Offer& offer, const Catalog& catalog) {
    std::vector<Offer> instances;
    if (!row.has("counts")) {
        Offer one = offer;
        one.id = row.text("id");
        one.instance_type = row.text_or("instance_type", "");
        one.count = row.integer("count", Range{1, 4096});
        one.usd_per_hour = row.number("usd_per_hour", usd_per_hour);
        return {one};
    }
    const Accelerator* part = catalog.accelerator(offer.accelerator);
    const double each = row.number("usd_per_accelerator_hour", usd_per_hour);
    for (const double count : row.numbers("counts", Range{1, 4096})) {
        Offer one = offer;
        one.count = static_cast<int>(count);
        if (one.count != count || (!instances.empty() && one.count <= instances.back().count)) {
            row.fail("counts", "expected whole numbers that rise");
        }
        one.usd_per_hour = each * one.count;
        one.id = fmt::format("{}-{}-{}-x{}", one.provider, one.accelerator, name_of(one.kind),
                             one.count);
        one.instance_type = fmt::format("{} x{}", part == nullptr ? "" : part->name, one.count);
        instances.push_back(std::move(one));
    }
    if (instances.empty()) {
        row.fail("counts", "expected at least one");
    }
    return instances;
}

/// The offers of one row; `file` holds the date, source and licence of the rows that state none.
std::vector<Offer> read_row(Reader& row, const Offer& file, const Catalog& catalog) {
    Offer offer;
    offer.provider = row.text("provider");
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
    offer.region = row.text_or("region", "");
    const auto kind = row.optional_choice<PriceKind>("kind", price_kind_words());
    offer.kind = kind.value_or(PriceKind::on_demand);
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
    offer.caveats = row.texts("caveats");
    std::vector<Offer> instances = instances_of(row, offer, catalog);
    row.reject_unknown();
    return instances;
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
        for (Offer& offer : read_row(row, file, catalog)) {
            catalog.offers.push_back(std::move(offer));
        }
    }
    document.reject_unknown();
    catalog.offers_date = std::max(catalog.offers_date, date);
}

namespace {

/// "aws" of aws/vms.csv (SkyPilot) and of aws.csv (gpuhunt).
std::string provider_of(const TreePath& file) {
    const std::string stem = lower(file.stem());
    const bool generic = stem == "vms" || stem.size() < 2;
    return generic ? lower(file.folder_name()) : stem;
}

/// Of one instance, region and kind the newest price stays.
void keep_newest(Catalog& catalog, std::size_t known) {
    std::map<std::tuple<std::string, std::string, std::string, PriceKind>, std::string> newest;
    const auto key = [](const Offer& offer) {
        return std::tuple(offer.provider, offer.instance_type, offer.region, offer.kind);
    };
    for (std::size_t i = known; i < catalog.offers.size(); ++i) {
        std::string& day = newest[key(catalog.offers[i])];
        day = std::max(day, catalog.offers[i].date);
    }
    std::vector<Offer> kept;
    for (std::size_t i = 0; i < catalog.offers.size(); ++i) {
        const auto found = newest.find(key(catalog.offers[i]));
        const bool named = !catalog.offers[i].instance_type.empty();
        if (i >= known || !named || found == newest.end() ||
            catalog.offers[i].date > found->second) {
            kept.push_back(std::move(catalog.offers[i]));
        }
    }
    catalog.offers = std::move(kept);
}

Result<void> load_table(const TreePath& file, std::string_view text, const std::string& provider,
                        Catalog& catalog) {
    std::vector<std::string> skipped;
    Result<void> read =
        read_price_table(text, file.string(), provider.empty() ? provider_of(file) : provider,
                         file.day(), catalog, skipped);
    catalog.notes.insert(catalog.notes.end(), skipped.begin(), skipped.end());
    return read;
}

}  // namespace

Result<void> load_prices(const TreePath& file, Catalog& catalog, const std::string& provider) {
    Result<std::string> text = file.read();
    if (!text) {
        return tl::unexpected(text.error());
    }
    const std::size_t known = catalog.offers.size();
    const std::size_t start = text->find_first_not_of(" \t\r\n");
    if (start != std::string::npos && (*text)[start] != '{' && (*text)[start] != '[') {
        if (Result<void> read = load_table(file, *text, provider, catalog); !read) {
            return read;
        }
        keep_newest(catalog, known);
        return {};
    }
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
    keep_newest(catalog, known);
    return {};
}

}  // namespace ridgeline
