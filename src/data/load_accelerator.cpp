#include "base/text.h"
#include "data/catalog_reader.h"
#include "data/load.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace ridgeline {
namespace {

// Bounds that no part of this decade leaves, so that a figure in another unit is caught:
// 3.35 (TB/s) is too small for GB/s, 989500 (GFLOP/s) too large for TFLOP/s.
constexpr Range bandwidth_gb_per_s{10, 1e5};
constexpr Range rate_tflop_per_s{0.01, 1e5};
constexpr Range link_gb_per_s{0.1, 1e4};
constexpr Range memory_mib{256, 64.0 * 1024 * 1024};
constexpr Range memory_gb{0.5, 65536};
constexpr Range board_watts{5, 1e4};
constexpr Range clock_mhz{100, 10000};
constexpr Range percent{0, 100};
constexpr Range calendar_year{1990, 2100};

void read_peaks(Reader& document, Accelerator& part) {
    Reader peaks = document.object("peak_dense_tflop_per_s");
    for (int i = 0; i < compute_types; ++i) {
        const auto type = static_cast<ComputeType>(i);
        if (const auto peak = peaks.optional_number(name_of(type), rate_tflop_per_s)) {
            part.peak_dense[static_cast<std::size_t>(i)] = *peak * teraflop_per_second;
        }
    }
    // The operands of 4 bits are of one format or the other, at one rate.
    constexpr auto four_bits = static_cast<std::size_t>(ComputeType::fp4);
    if (const auto peak = peaks.optional_number("mxfp4", rate_tflop_per_s)) {
        if (part.peak_dense[four_bits]) {
            peaks.fail("mxfp4", "found beside nvfp4, expected one of them");
        }
        part.peak_dense[four_bits] = *peak * teraflop_per_second;
        part.fp4_format = "mxfp4";
    }
    peaks.reject_unknown();
    if (auto vector = document.optional_object("vector_tflop_per_s")) {
        const auto rate = [&](std::string_view key) -> std::optional<FlopsPerSecond> {
            const auto value = vector->optional_number(key, rate_tflop_per_s);
            return value ? std::optional(*value * teraflop_per_second) : std::nullopt;
        };
        part.peak_vector_fp32 = rate("fp32");
        part.peak_vector_fp64 = rate("fp64");
        vector->reject_unknown();
    }
    part.sparsity_factor = document.optional_number("sparsity_factor", Range{1, 8});
    part.host_launch_factor = document.optional_number("host_launch_factor", Range{0.2, 20});
}

void read_memory(Reader& document, Accelerator& part) {
    Reader memory = document.object("memory");
    const bool host = part.kind == "cpu";
    part.marketed_gb = host ? memory.number_or("marketed_gb", 0, memory_gb)
                            : memory.number("marketed_gb", memory_gb);
    if (const auto visible = memory.optional_number("visible_mib", memory_mib)) {
        part.visible_memory = *visible * mebibyte;
        if (part.marketed_gb > 0 && *part.visible_memory > 1.2 * part.marketed_gb * gigabyte) {
            memory.fail("visible_mib",
                        fmt::format("found {} MiB, expected no more than the {} GB on the box",
                                    *visible, part.marketed_gb));
        }
    }
    part.visible_memory_assumed = memory.boolean_or("visible_assumed", false);
    part.memory_type = memory.text_or("type", "");
    part.stacked_memory = contains(part.memory_type, "HBM");
    part.bus_bits = memory.optional_integer("bus_bits", Range{8, 65536});
    part.memory_bandwidth =
        gigabyte_per_second * (host ? memory.number_or("bandwidth_gb_per_s", 0, bandwidth_gb_per_s)
                                    : memory.number("bandwidth_gb_per_s", bandwidth_gb_per_s));
    memory.reject_unknown();
    const auto cache = [&](std::string_view key) -> std::optional<Bytes> {
        const auto size = document.optional_number(key, Range{0.01, 65536});
        return size ? std::optional(*size * mebibyte) : std::nullopt;
    };
    part.l2_cache = cache("l2_cache_mib");
    part.last_level_cache = cache("last_level_cache_mib");
}

void read_ecc(Reader& document, Accelerator& part) {
    auto ecc = document.optional_object("ecc");
    if (!ecc) {
        part.ecc.support = "unknown";
        return;
    }
    part.ecc.support = ecc->text("support");
    const std::string& support = part.ecc.support;
    part.ecc.on_by_default = support.starts_with("on by default") || support.starts_with("yes");
    part.ecc.available = part.ecc.on_by_default || support.starts_with("optional");
    const auto cost = [&](std::string_view key) -> std::optional<double> {
        const auto value = ecc->optional_number(key, percent);
        return value ? std::optional(*value / 100) : std::nullopt;
    };
    part.ecc.capacity_cost = cost("capacity_cost_percent");
    part.ecc.speed_cost = cost("speed_cost_percent");
    ecc->ignore("note");
    ecc->reject_unknown();
}

std::optional<BytesPerSecond> link_rate(Reader& at, std::string_view key) {
    const auto rate = at.optional_number(key, link_gb_per_s);
    return rate ? std::optional(*rate * gigabyte_per_second) : std::nullopt;
}

void read_links(Reader& document, Accelerator& part) {
    Reader scale_up = document.object("scale_up");
    part.scale_up.kind = scale_up.text("kind");
    part.scale_up.rate = link_rate(scale_up, "rate_gb_per_s");
    part.scale_up.pair_rate = link_rate(scale_up, "pair_rate_gb_per_s");
    part.scale_up.max_domain = scale_up.integer("max_domain", count_from_one);
    part.scale_up.note = scale_up.optional_text("note");
    scale_up.reject_unknown();
    if (auto pcie = document.optional_object("pcie")) {
        part.pcie_generation = pcie->integer("generation", Range{1, 10});
        part.pcie_lanes = pcie->integer("lanes", Range{1, 32});
        part.pcie_rate = link_rate(*pcie, "rate_gb_per_s");
        pcie->reject_unknown();
    }
    if (auto host = document.optional_object("host_link")) {
        host->text("kind");
        part.host_rate = link_rate(*host, "rate_gb_per_s");
        host->reject_unknown();
    }
}

void read_identity(Reader& document, Accelerator& part) {
    part.id = document.text("id");
    part.name = document.text("name");
    part.aliases = document.texts("aliases");
    part.families = document.texts("families");
    part.pci_ids = document.texts("pci_ids");
    part.vendor = document.text("vendor");
    const std::vector<std::string> kinds{"gpu", "tpu", "asic", "apu", "soc", "cpu"};
    if (const auto kind = document.choice_index("kind", kinds)) {
        part.kind = kinds[*kind];
    } else if (!document.has("kind")) {
        document.fail("kind", "missing, expected one of: gpu, tpu, asic, apu, soc, cpu");
    }
    part.architecture = document.text_or("architecture", "");
    part.chip = document.text_or("chip", "");
    part.year = document.integer("year", calendar_year);
    part.form_factor = document.text_or("form_factor", "");
    part.compute_capability = document.optional_text("compute_capability");
    part.gfx_arch = document.optional_text("gfx_arch");
    part.units = document.optional_integer("units", count_from_one);
    part.unit_name = document.text_or("unit_name", "");
    part.boost_clock_mhz = document.optional_number("boost_clock_mhz", clock_mhz);
    if (part.id.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-.") != std::string::npos) {
        document.fail("id",
                      fmt::format("found \"{}\", expected lower-case letters, digits, - and .",
                                  printable(part.id)));
    }
}

void read_field_sources(Reader& document, Accelerator& part,
                        const std::map<std::string, SourceNote>& sources) {
    Reader fields = document.object("field_sources");
    for (const std::string& field : fields.keys()) {
        std::vector<std::string> ids = fields.texts(field);
        check_sources(fields, field, ids, sources);
        part.field_sources.push_back({.field = field, .sources = std::move(ids)});
    }
}

/// The figures that an entry holds, by the name their sources are listed under.
std::vector<std::pair<std::string_view, bool>> figures_of(const Accelerator& part) {
    const bool peaks = std::any_of(part.peak_dense.begin(), part.peak_dense.end(),
                                   [](const auto& p) { return p.has_value(); });
    return {{"units", part.units.has_value()},
            {"boost_clock_mhz", part.boost_clock_mhz.has_value()},
            {"peak_dense_tflop_per_s", peaks},
            {"vector_tflop_per_s", part.peak_vector_fp32 || part.peak_vector_fp64},
            {"sparsity_factor", part.sparsity_factor.has_value()},
            {"host_launch_factor", part.host_launch_factor.has_value()},
            {"memory/marketed_gb", part.marketed_gb > 0},
            {"memory/visible_mib", part.visible_memory.has_value()},
            {"memory/bus_bits", part.bus_bits.has_value()},
            {"memory/bandwidth_gb_per_s", part.memory_bandwidth.base() > 0},
            {"l2_cache_mib", part.l2_cache.has_value()},
            {"last_level_cache_mib", part.last_level_cache.has_value()},
            {"tdp_w", part.tdp.base() > 0},
            {"ecc", part.ecc.capacity_cost || part.ecc.speed_cost},
            {"scale_up", part.scale_up.rate || part.scale_up.pair_rate},
            {"pcie", part.pcie_generation > 0},
            {"host_link", part.host_rate.has_value()},
            {"pci_ids", !part.pci_ids.empty()},
            {"mig_instances", part.mig_instances.has_value()},
            {"mig_profiles", !part.mig_profiles.empty()}};
}

std::vector<MigProfile> read_mig_profiles(Reader& document) {
    std::vector<MigProfile> profiles;
    const Range share{1e-3, 1};
    for (Reader& entry : document.objects("mig_profiles")) {
        MigProfile profile;
        profile.name = entry.text("name");
        profile.compute_fraction = entry.number("compute_fraction", share);
        profile.memory_fraction = entry.number("memory_fraction", share);
        if (const auto mib = entry.optional_number("visible_mib", Range{1, 1e9})) {
            profile.visible_memory = *mib * mebibyte;
        }
        profile.instances = entry.integer("instances", {1, 64});
        entry.reject_unknown();
        profiles.push_back(std::move(profile));
    }
    return profiles;
}

void require_sources(Reader& document, const Accelerator& part) {
    for (const auto& [field, present] : figures_of(part)) {
        const auto listed = std::find_if(part.field_sources.begin(), part.field_sources.end(),
                                         [&, name = field](const auto& entry) {
                                             return entry.field == name && !entry.sources.empty();
                                         });
        if (present && listed == part.field_sources.end()) {
            document.fail(field, "has a figure but no source, expected ids in field_sources",
                          "Name the source, or write null where none is known.");
        }
    }
}

}  // namespace

std::vector<ListedPrice> read_prices(Reader& document,
                                     const std::map<std::string, SourceNote>& sources) {
    std::vector<ListedPrice> prices;
    for (Reader& entry : document.objects("prices")) {
        ListedPrice price;
        price.usd = entry.number("usd", Range{0.0001, 1e9});
        price.usd_high = entry.optional_number("usd_high", Range{0.0001, 1e9});
        price.kind = entry.text("kind");
        price.date = entry.text("date");
        price.source = entry.text("source");
        check_sources(entry, "source", {price.source}, sources);
        entry.reject_unknown();
        prices.push_back(std::move(price));
    }
    return prices;
}

Accelerator read_accelerator(Reader& document, const std::map<std::string, SourceNote>& sources) {
    Accelerator part;
    check_schema(document, "ridgeline/accelerator/1");
    read_identity(document, part);
    read_peaks(document, part);
    read_memory(document, part);
    part.tdp = document.number_or("tdp_w", 0, board_watts) * watt;
    read_ecc(document, part);
    read_links(document, part);
    part.mig_instances = document.optional_integer("mig_instances", Range{1, 64});
    part.mig_profiles = read_mig_profiles(document);
    part.prices = read_prices(document, sources);
    part.software = document.texts("software");
    part.disagreements = document.texts("disagreements");
    part.assumptions = document.texts("assumptions");
    for (Reader& erratum : document.objects("errata")) {
        part.errata.push_back(erratum.text("against") + ": " + erratum.text("text"));
        check_sources(erratum, "sources", erratum.texts("sources"), sources);
        erratum.reject_unknown();
    }
    part.devices_seen =
        document.optional_integer("devices_seen_by_software", Range{1, 64}).value_or(1);
    read_field_sources(document, part, sources);
    require_sources(document, part);
    document.reject_unknown();
    return part;
}

Result<Accelerator> load_accelerator(const TreePath& file, const Catalog& catalog) {
    Accelerator part;
    const auto read = [&](Reader& root) { part = read_accelerator(root, catalog.sources); };
    return read_document(file, read).map([&part] { return std::move(part); });
}

}  // namespace ridgeline
