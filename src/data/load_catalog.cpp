#include "base/date.h"
#include "base/number.h"
#include "base/order.h"
#include "base/text.h"
#include "data/catalog_reader.h"
#include "data/load.h"
#include "spec/mig.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace ridgeline {
namespace {

constexpr Range rate_gb_per_s{1e-3, 1e5};

void read_sources(Reader& root, Catalog& catalog) {
    check_schema(root, "ridgeline/sources/1");
    Reader sources = root.object("sources");
    for (const std::string& id : sources.keys()) {
        Reader entry = sources.object(id);
        SourceNote note{.id = id, .what = entry.text("what"), .where = entry.text_or("where", "")};
        entry.ignore("quality");
        entry.reject_unknown();
        catalog.sources.emplace(id, std::move(note));
    }
    root.reject_unknown();
}

void read_links(Reader& root, Catalog& catalog) {
    check_schema(root, "ridgeline/links/1");
    for (Reader& row : root.objects("links")) {
        Link link;
        link.id = row.text("id");
        link.kind = row.text("kind");
        link.rate = row.number("rate_gb_per_s", rate_gb_per_s) * gigabyte_per_second;
        if (const auto latency = row.optional_number("latency_us", Range{0, 1e6})) {
            link.latency = *latency * microsecond;
        }
        link.sources = row.texts("sources");
        check_sources(row, "sources", link.sources, catalog.sources);
        link.per = row.text_or("per", "");
        link.note = row.text_or("note", "");
        row.ignore("availability");
        row.reject_unknown();
        catalog.links.push_back(std::move(link));
    }
    root.reject_unknown();
}

void read_storage(Reader& root, Catalog& catalog) {
    check_schema(root, "ridgeline/storage/1");
    for (Reader& row : root.objects("storage")) {
        Storage storage;
        storage.id = row.text("id");
        storage.kind = row.text("kind");
        const auto rate = [&](std::string_view key) -> std::optional<BytesPerSecond> {
            const auto value = row.optional_number(key, rate_gb_per_s);
            return value ? std::optional(*value * gigabyte_per_second) : std::nullopt;
        };
        storage.read = rate("read_gb_per_s");
        storage.write = rate("write_gb_per_s");
        storage.read_iops = row.optional_number("read_iops");
        storage.sources = row.texts("sources");
        check_sources(row, "sources", storage.sources, catalog.sources);
        storage.note = row.text_or("note", "");
        row.reject_unknown();
        catalog.storage.push_back(std::move(storage));
    }
    root.reject_unknown();
}

void read_errata(Reader& root, Catalog& catalog) {
    check_schema(root, "ridgeline/errata/1");
    for (Reader& row : root.objects("errata")) {
        Erratum erratum;
        erratum.number = row.integer("number", count_from_one);
        erratum.article = row.text("article");
        erratum.claim = row.text("claim");
        erratum.right = row.text("right");
        erratum.about = row.texts("about");
        erratum.sources = row.texts("sources");
        check_sources(row, "sources", erratum.sources, catalog.sources);
        row.reject_unknown();
        catalog.errata.push_back(std::move(erratum));
    }
    root.reject_unknown();
}

/// Figures of a package become those of one device where software sees several in it.
void part_into_devices(Accelerator& part) {
    const double devices = part.devices_seen;
    if (part.devices_seen < 2) {
        return;
    }
    for (auto& peak : part.peak_dense) {
        if (peak) {
            peak = *peak / devices;
        }
    }
    for (auto* rate : {&part.peak_vector_fp32, &part.peak_vector_fp64}) {
        if (*rate) {
            *rate = **rate / devices;
        }
    }
    for (auto* size : {&part.visible_memory, &part.l2_cache, &part.last_level_cache}) {
        if (*size) {
            *size = **size / devices;
        }
    }
    if (part.units) {
        part.units = *part.units / part.devices_seen;
    }
    if (part.bus_bits) {
        part.bus_bits = *part.bus_bits / part.devices_seen;
    }
    if (part.scale_up.rate) {
        part.scale_up.rate = *part.scale_up.rate / devices;
    }
    part.scale_up.max_domain *= part.devices_seen;
    part.marketed_gb /= devices;
    part.memory_bandwidth = part.memory_bandwidth / devices;
    part.tdp = part.tdp / devices;
    part.assumptions.push_back(
        fmt::format("software sees {} devices in a package: figures and counts are of one of them",
                    part.devices_seen));
}

Result<void> read_accelerators(const TreePath& folder, Catalog& catalog) {
    for (const TreePath& file : folder.json_files()) {
        const Result<void> read = read_document(file, [&](Reader& root) {
            catalog.accelerators.push_back(read_accelerator(root, catalog.sources));
            part_into_devices(catalog.accelerators.back());
            if (catalog.accelerators.back().id != file.stem()) {
                root.fail("id", fmt::format("expected \"{}\", as the file", file.stem()));
            }
        });
        if (!read) {
            return read;
        }
    }
    if (catalog.accelerators.empty()) {
        return input_error(folder.string(), "holds no accelerator, expected *.json files");
    }
    stable_order(catalog.accelerators.begin(), catalog.accelerators.end(),
                 [](const Accelerator& a, const Accelerator& b) { return a.id < b.id; });
    catalog.slices = slices_of(catalog.accelerators);
    return {};
}

Result<void> read_machines(const TreePath& folder, Catalog& catalog) {
    for (const TreePath& file : folder.json_files()) {
        const Result<void> read = read_document(
            file, [&](Reader& root) { catalog.machines.push_back(read_machine(root, catalog)); });
        if (!read) {
            return read;
        }
    }
    stable_order(catalog.machines.begin(), catalog.machines.end(),
                 [](const Machine& a, const Machine& b) { return a.id < b.id; });
    return {};
}

Result<void> read_bundled_offers(const TreePath& folder, Catalog& catalog) {
    for (const TreePath& file : folder.json_files()) {
        const Result<void> read =
            read_document(file, [&](Reader& root) { read_offers(root, catalog); });
        if (!read) {
            return read;
        }
    }
    return {};
}

}  // namespace

void check_schema(Reader& document, std::string_view id) {
    const std::string found = document.text("schema");
    if (!found.empty() && found != id) {
        document.fail("schema", fmt::format("found \"{}\", expected \"{}\"", printable(found), id));
    }
}

void check_sources(Reader& at, std::string_view key, const std::vector<std::string>& ids,
                   const std::map<std::string, SourceNote>& sources) {
    if (ids.empty()) {
        at.fail(key, "names no source", "Give at least one id of catalog/sources.json.");
    }
    for (const std::string& id : ids) {
        if (sources.contains(id)) {
            continue;
        }
        std::vector<std::string> known;
        for (const auto& [name, note] : sources) {
            known.push_back(name);
        }
        at.fail(key, fmt::format("source \"{}\" is not in catalog/sources.json", printable(id)),
                did_you_mean(id, known));
    }
}

bool is_date(std::string_view text) {
    return date_from(text) && number_or_zero(text.substr(0, 4)) >= 1990;
}

Result<Catalog> load_catalog(const TreePath& folder) {
    Catalog catalog;
    const std::pair<const char*, void (*)(Reader&, Catalog&)> lists[] = {
        {"catalog.json",
         [](Reader& root, Catalog& into) {
             check_schema(root, "ridgeline/catalog/1");
             into.version = root.text("version");
             root.ignore("date");
             root.reject_unknown();
         }},
        {"sources.json", read_sources},
        {"links.json", read_links},
        {"storage.json", read_storage}};
    for (const auto& [name, read] : lists) {
        const Result<void> done = read_document(
            folder / name, [&, reader = read](Reader& root) { reader(root, catalog); });
        if (!done) {
            return tl::unexpected(done.error());
        }
    }
    if (Result<void> read = read_accelerators(folder / "accelerators", catalog); !read) {
        return tl::unexpected(read.error());
    }
    if (Result<void> read = read_machines(folder / "machines", catalog); !read) {
        return tl::unexpected(read.error());
    }
    catalog.names = HardwareNames(catalog.accelerators, catalog.machines);
    if (Result<void> read = read_bundled_offers(folder / "offers", catalog); !read) {
        return tl::unexpected(read.error());
    }
    // A catalog of the user's own may know nothing of money.
    const std::pair<const char*, void (*)(Reader&, Catalog&)> optional_lists[] = {
        {"ownership.json", read_ownership},
        {"price_claims.json", read_price_claims},
        {"errata.json", read_errata}};
    for (const auto& [name, read] : optional_lists) {
        if (!(folder / name).is_file()) {
            continue;
        }
        if (Result<void> done = read_document(
                folder / name, [&, reader = read](Reader& root) { reader(root, catalog); });
            !done) {
            return tl::unexpected(done.error());
        }
    }
    return catalog;
}

}  // namespace ridgeline
