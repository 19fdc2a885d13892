#include <fmt/format.h>

#include "base/text.h"
#include "report/catalog_report.h"
#include "report/claims.h"
#include "report/table.h"
#include "report/words.h"

namespace ridgeline::report {
namespace {

std::string tflops(std::optional<FlopsPerSecond> rate) {
    return rate ? fmt::format("{:.4g}", *rate / teraflop_per_second) : "-";
}

std::string gb_per_s(std::optional<BytesPerSecond> rate) {
    return rate ? fmt::format("{:.5g}", *rate / gigabyte_per_second) : "-";
}

/// The catalog keeps 0 where a host's bandwidth or a part's power is unknown.
std::string known_gb_per_s(BytesPerSecond rate) {
    return rate.base() > 0 ? gb_per_s(rate) : "-";
}
std::string watts(Watts power) {
    return power.base() > 0 ? fmt::format("{:.0f}", power / watt) : "-";
}

std::string accelerators_table(const Catalog& catalog, const Style& style) {
    Table table({{"id", Align::left},
                 {"year", Align::right},
                 {"GiB", Align::right},
                 {"GB/s", Align::right},
                 {"bf16", Align::right},
                 {"fp8", Align::right},
                 {"watts", Align::right},
                 {"scale-up", Align::left}});
    for (const Accelerator& part : catalog.accelerators) {
        table.add({part.id,
                   fmt::format("{}", part.year),
                   fmt::format("{:.1f}{}", part.capacity() / gibibyte,
                               part.visible_memory ? "" : "*"),
                   known_gb_per_s(part.memory_bandwidth),
                   tflops(part.peak(ComputeType::bf16)),
                   tflops(part.peak(ComputeType::fp8)),
                   watts(part.tdp),
                   part.scale_up.kind});
    }
    return table.text(style) +
           "GiB is what the driver shows, * the size on the box where that is unknown;\n"
           "bf16 and fp8 are dense TFLOP/s; - is unknown.\n";
}

std::string machines_table(const Catalog& catalog, const Style& style) {
    Table table({{"id", Align::left},
                 {"accelerators", Align::left},
                 {"scale-up", Align::left},
                 {"scale-out", Align::left},
                 {"kW", Align::right}});
    for (const Machine& machine : catalog.machines) {
        table.add({machine.id,
                   fmt::format("{} x {}", machine.accelerators, machine.accelerator),
                   machine.scale_up,
                   machine.scale_out.value_or("-"),
                   machine.power ? fmt::format("{:.1f}", *machine.power / watt / 1000) : "-"});
    }
    return table.text(style);
}

std::string links_table(const Catalog& catalog, const Style& style) {
    Table table({{"id", Align::left}, {"kind", Align::left}, {"GB/s one way", Align::right}});
    for (const Link& link : catalog.links) {
        table.add({link.id, link.kind, gb_per_s(link.rate)});
    }
    return table.text(style);
}

std::string storage_table(const Catalog& catalog, const Style& style) {
    Table table({{"id", Align::left},
                 {"kind", Align::left},
                 {"read GB/s", Align::right},
                 {"write GB/s", Align::right}});
    for (const Storage& storage : catalog.storage) {
        table.add({storage.id, storage.kind, gb_per_s(storage.read), gb_per_s(storage.write)});
    }
    return table.text(style);
}

std::string offers_table(const Catalog& catalog, const Style& style) {
    Table table({{"accelerator", Align::left},
                 {"count", Align::right},
                 {"provider", Align::left},
                 {"instance", Align::left},
                 {"kind", Align::left},
                 {"$/hour", Align::right},
                 {"date", Align::left}});
    for (const Offer& offer : catalog.offers) {
        table.add({offer.accelerator,
                   fmt::format("{}", offer.count),
                   offer.provider,
                   offer.instance_type,
                   std::string(word_of(offer.kind)),
                   fmt::format("{:.2f}", offer.usd_per_hour),
                   offer.date});
    }
    return table.text(style);
}

void add_line(std::string& out, std::string_view name, const std::string& value) {
    if (!value.empty()) {
        out += fmt::format("  {:<22}", name) + wrap(value, 56, 24) + "\n";
    }
}

std::string peaks_text(const Accelerator& part) {
    std::string out;
    for (int i = 0; i < compute_types; ++i) {
        const auto type = static_cast<ComputeType>(i);
        if (const auto rate = part.peak(type)) {
            add_line(out, name_of(type), fmt::format("{:.5g} TFLOP/s dense",
                                                     *rate / teraflop_per_second));
        }
    }
    if (part.sparsity_factor) {
        add_line(out, "2:4 sparse", fmt::format("{:g} x the dense peak, never used here",
                                                *part.sparsity_factor));
    }
    return out;
}

std::string notes_text(std::string_view heading,
                       const std::vector<std::string>& notes,
                       const Style& style) {
    if (notes.empty()) {
        return {};
    }
    std::string out = strong(heading, style) + "\n";
    for (const std::string& note : notes) {
        out += "  " + wrap(note, 76, 4) + "\n";
    }
    return out;
}

std::string prices_text(const std::vector<ListedPrice>& prices, const Style& style) {
    if (prices.empty()) {
        return {};
    }
    std::string out = strong("Prices", style) + "\n";
    for (const ListedPrice& price : prices) {
        const std::string amount =
            price.usd_high ? fmt::format("{} to {}", format_usd(price.usd),
                                         format_usd(*price.usd_high))
                           : format_usd(price.usd);
        out += "  " + wrap(fmt::format("{}: {} ({}, {})", price.kind, amount, price.date,
                                       price.source), 76, 4) + "\n";
    }
    return out;
}

std::string sources_text(const std::vector<FieldSource>& fields,
                         const Catalog& catalog,
                         const Style& style) {
    if (fields.empty()) {
        return {};
    }
    std::string out = strong("Sources", style) + "\n";
    for (const FieldSource& field : fields) {
        std::string where;
        for (const std::string& id : field.sources) {
            const auto found = catalog.sources.find(id);
            where += (where.empty() ? "" : "; ") +
                     (found == catalog.sources.end() ? id : id + ", " + found->second.where);
        }
        out += "  " + wrap(field.field + ": " + where, 76, 4) + "\n";
    }
    return out;
}

}  // namespace

std::string catalog_list_text(const Catalog& catalog, std::string_view kind, const Style& style) {
    if (kind == "machines") {
        return machines_table(catalog, style);
    }
    if (kind == "links") {
        return links_table(catalog, style);
    }
    if (kind == "storage") {
        return storage_table(catalog, style);
    }
    if (kind == "offers") {
        return offers_table(catalog, style);
    }
    if (kind == "claims") {
        return claims_text(catalog, style);
    }
    return accelerators_table(catalog, style);
}

std::string accelerator_text(const Accelerator& part, const Catalog& catalog, const Style& style) {
    std::string out = strong(part.name, style) + "  " + part.id + "\n";
    add_line(out, "chip", fmt::format("{}{}{}, {}", part.architecture, part.chip.empty() ? "" : ", ",
                                      part.chip, part.year));
    add_line(out, "form", part.form_factor);
    add_line(out, "memory",
             fmt::format("{:g} GB on the box, {}, {}", part.marketed_gb,
                         part.visible_memory
                             ? fmt::format("{:.2f} GiB visible{}", *part.visible_memory / gibibyte,
                                           part.visible_memory_assumed ? " (derived)" : "")
                             : "visible size unknown",
                         part.memory_type));
    add_line(out, "bandwidth", known_gb_per_s(part.memory_bandwidth) + " GB/s");
    out += peaks_text(part);
    if (part.peak_vector_fp32) {
        add_line(out, "fp32 vector", tflops(part.peak_vector_fp32) + " TFLOP/s");
    }
    add_line(out, "power", part.tdp.base() > 0 ? watts(part.tdp) + " W" : "unknown");
    add_line(out, "ECC", part.ecc.support);
    add_line(out, "scale-up",
             part.scale_up.rate ? fmt::format("{}, {} GB/s one way, domain of {}",
                                              part.scale_up.kind, gb_per_s(part.scale_up.rate),
                                              part.scale_up.max_domain)
                                : part.scale_up.kind);
    if (part.pcie_generation > 0) {
        add_line(out, "PCIe", fmt::format("{} x{}, {} GB/s one way", part.pcie_generation,
                                          part.pcie_lanes, gb_per_s(part.pcie_rate)));
    }
    add_line(out, "MIG", part.mig_instances ? fmt::format("up to {}", *part.mig_instances) : "no");
    std::string software;
    for (const std::string& name : part.software) {
        software += (software.empty() ? "" : ", ") + name;
    }
    add_line(out, "software", software);
    out += prices_text(part.prices, style);
    out += notes_text("What widely read articles get wrong", part.errata, style);
    out += notes_text("Where sources disagree", part.disagreements, style);
    out += notes_text("Assumptions", part.assumptions, style);
    return out + sources_text(part.field_sources, catalog, style);
}

std::string machine_text(const Machine& machine, const Catalog& catalog, const Style& style) {
    std::string out = strong(machine.name, style) + "  " + machine.id + "\n";
    add_line(out, "accelerators", fmt::format("{} x {}", machine.accelerators, machine.accelerator));
    add_line(out, "inside", machine.scale_up);
    add_line(out, "between", machine.scale_out.value_or(""));
    if (machine.host_memory) {
        add_line(out, "host memory", fmt::format("{:.0f} GiB", *machine.host_memory / gibibyte));
    }
    if (machine.host_cores) {
        add_line(out, "host cores", fmt::format("{}", *machine.host_cores));
    }
    if (machine.power) {
        add_line(out, "power", fmt::format("{:.1f} kW", *machine.power / watt / 1000));
    }
    if (machine.rack_units) {
        add_line(out, "height", fmt::format("{:g} U", *machine.rack_units));
    }
    out += prices_text(machine.prices, style);
    out += notes_text("Notes", machine.notes, style);
    return out + sources_text(machine.field_sources, catalog, style);
}

}  // namespace ridgeline::report
