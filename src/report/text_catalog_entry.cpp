#include "base/text.h"
#include "report/catalog_figures.h"
#include "report/catalog_prices.h"
#include "report/catalog_report.h"
#include "report/table.h"
#include "spec/words.h"

#include <fmt/format.h>

// One entry of the catalog, whole: `catalog show`.

namespace ridgeline::report {
namespace {

void add_line(std::string& out, const Style& style, std::string_view name,
              const std::string& value) {
    if (!value.empty()) {
        out += paragraph(fmt::format("  {:<22}", name), value, style);
    }
}

std::string peaks_text(const Accelerator& part, const Style& style) {
    std::string out;
    for (int i = 0; i < compute_types; ++i) {
        const auto type = static_cast<ComputeType>(i);
        if (const auto rate = part.peak(type)) {
            const std::string_view name = type == ComputeType::fp4 ? part.fp4_format
                                          : type == ComputeType::fp16_fp16_accumulate
                                              ? "fp16 with fp16 sums"
                                              : name_of(type);
            add_line(out, style, name,
                     fmt::format("{:.5g} TFLOP/s dense", *rate / teraflop_per_second));
        }
    }
    if (part.peak_vector_fp32) {
        add_line(out, style, "fp32 vector", tflops(part.peak_vector_fp32) + " TFLOP/s");
    }
    if (part.peak_vector_fp64) {
        add_line(out, style, "fp64 vector", tflops(part.peak_vector_fp64) + " TFLOP/s");
    }
    if (part.sparsity_factor) {
        add_line(out, style, "2:4 sparse",
                 fmt::format("{:g} x the dense peak, never used here", *part.sparsity_factor));
    }
    if (part.host_launch_factor) {
        add_line(out, style, "host",
                 fmt::format("launches a kernel in {:g} x the time of a server's",
                             *part.host_launch_factor));
    }
    return out;
}

std::string mebibytes(const std::optional<Bytes>& size) {
    return size ? fmt::format("{:g} MiB", *size / mebibyte) : std::string();
}

/// Units, clock, caches and what software calls the chip.
std::string chip_text(const Accelerator& part, const Style& style) {
    std::string out;
    std::string units;
    if (part.units) {
        units =
            fmt::format("{} {}", *part.units, part.unit_name.empty() ? "units" : part.unit_name);
    }
    if (part.boost_clock_mhz) {
        append(units, ", ", fmt::format("{:.0f} MHz boost", *part.boost_clock_mhz));
    }
    add_line(out, style, "units", units);
    add_line(out, style, "compute capability", part.compute_capability.value_or(""));
    add_line(out, style, "gfx", part.gfx_arch.value_or(""));
    add_line(out, style, "L2 cache", mebibytes(part.l2_cache));
    add_line(out, style, "last-level cache", mebibytes(part.last_level_cache));
    if (part.devices_seen > 1) {
        add_line(
            out, style, "package",
            fmt::format("{} devices as software sees it; figures are of one", part.devices_seen));
    }
    return out;
}

std::string links_text(const Accelerator& part, const Style& style) {
    std::string out;
    std::string up = part.scale_up.kind;
    if (part.scale_up.rate) {
        up += fmt::format(", {} GB/s one way, domain of {}", gb_per_s(part.scale_up.rate),
                          part.scale_up.max_domain);
    }
    if (part.scale_up.pair_rate) {
        up += fmt::format(", {} GB/s to one peer", gb_per_s(part.scale_up.pair_rate));
    }
    add_line(out, style, "scale-up", up + (part.scale_up.note ? "; " + *part.scale_up.note : ""));
    if (part.pcie_generation > 0) {
        add_line(out, style, "PCIe",
                 fmt::format("{} x{}, {} GB/s one way", part.pcie_generation, part.pcie_lanes,
                             gb_per_s(part.pcie_rate)));
    }
    if (part.host_rate) {
        add_line(out, style, "to the host", gb_per_s(part.host_rate) + " GB/s one way");
    }
    add_line(out, style, "MIG",
             part.mig_instances ? fmt::format("up to {}", *part.mig_instances) : "no");
    for (const MigProfile& slice : part.mig_profiles) {
        add_line(out, style, "  " + slice.name,
                 fmt::format("up to {}, {:.3g} of the units, {:.3g} of the memory{}",
                             slice.instances, slice.compute_fraction, slice.memory_fraction,
                             slice.visible_memory
                                 ? fmt::format(", {:.2f} GiB", *slice.visible_memory / gibibyte)
                                 : ""));
    }
    return out;
}

std::string ecc_text(const EccSupport& ecc) {
    std::string out = ecc.support;
    if (ecc.capacity_cost) {
        out += fmt::format(", {:g} % of the memory", 100 * *ecc.capacity_cost);
    }
    if (ecc.speed_cost) {
        out += fmt::format(", {:g} % of the speed", 100 * *ecc.speed_cost);
    }
    return out;
}

std::string notes_text(std::string_view heading, const std::vector<std::string>& notes,
                       const Style& style) {
    if (notes.empty()) {
        return {};
    }
    std::string out = strong(heading, style) + "\n";
    for (const std::string& note : notes) {
        out += paragraph("  ", note, style);
    }
    return out;
}

std::string sources_text(const std::vector<FieldSource>& fields, const Catalog& catalog,
                         const Style& style) {
    if (fields.empty()) {
        return {};
    }
    std::string out = strong("Sources", style) + "\n";
    for (const FieldSource& field : fields) {
        std::string where;
        for (const std::string& id : field.sources) {
            const auto found = catalog.sources.find(id);
            append(where, "; ",
                   found == catalog.sources.end() ? id : id + ", " + found->second.where);
        }
        out += paragraph("  ", field.field + ": " + where, style);
    }
    return out;
}

}  // namespace

std::string accelerator_text(const Accelerator& part, const Catalog& catalog, const Style& style) {
    std::string out = strong(part.name, style) + "  " + part.id + "\n";
    add_line(out, style, "also called", joined(part.aliases, ", "));
    add_line(out, style, "one of", joined(part.families, ", "));
    add_line(out, style, "chip",
             fmt::format("{}{}{}, {}", part.architecture, part.chip.empty() ? "" : ", ", part.chip,
                         part.year));
    add_line(out, style, "form", part.form_factor);
    out += chip_text(part, style);
    add_line(out, style, "memory",
             fmt::format("{} GB on the box, {}, {}{}",
                         part.marketed_gb > 0 ? fmt::format("{:g}", part.marketed_gb) : "unknown",
                         part.visible_memory
                             ? fmt::format("{:.2f} GiB visible{}", *part.visible_memory / gibibyte,
                                           part.visible_memory_assumed ? " (derived)" : "")
                             : "visible size unknown",
                         part.memory_type,
                         part.bus_bits ? fmt::format(", {} bit", *part.bus_bits) : ""));
    add_line(out, style, "bandwidth", known_gb_per_s(part.memory_bandwidth) + " GB/s");
    out += peaks_text(part, style);
    add_line(out, style, "power", part.tdp.base() > 0 ? watts(part.tdp) + " W" : "unknown");
    add_line(out, style, "ECC", ecc_text(part.ecc));
    out += links_text(part, style);
    add_line(out, style, "software", joined(part.software, ", "));
    add_line(out, style, "PCI ids", joined(part.pci_ids, ", "));
    out += purchase_text(catalog, part, style) + rents_text(catalog, part, style);
    out += prices_text(part.prices, style);
    std::vector<std::string> errata = part.errata;
    for (std::string& erratum : catalog.errata_about(part.id, part.architecture)) {
        errata.push_back(std::move(erratum));
    }
    out += notes_text("What widely read articles get wrong", errata, style);
    out += notes_text("Where sources disagree", part.disagreements, style);
    out += notes_text("Assumptions", part.assumptions, style);
    return out + sources_text(part.field_sources, catalog, style);
}

std::string link_text(const Link& link, const Catalog& catalog, const Style& style) {
    std::string out = strong(link.kind, style) + "  " + link.id + "\n";
    add_line(out, style, "rate",
             fmt::format("{} GB/s one way{}", gb_per_s(link.rate),
                         link.per.empty() ? "" : ", each " + link.per));
    if (link.latency) {
        add_line(out, style, "latency", fmt::format("{:g} us", *link.latency / microsecond));
    }
    add_line(out, style, "note", link.note);
    std::string machines;
    for (const Machine& machine : catalog.machines) {
        if (machine.scale_up == link.id || machine.scale_out.value_or("") == link.id) {
            append(machines, ", ", machine.id);
        }
    }
    add_line(out, style, "machines", machines);
    out +=
        notes_text("What widely read articles get wrong", catalog.errata_about(link.id, ""), style);
    return out + sources_text({{.field = "rate", .sources = link.sources}}, catalog, style);
}

std::string storage_text(const Storage& storage, const Catalog& catalog, const Style& style) {
    std::string out = strong(storage.kind, style) + "  " + storage.id + "\n";
    add_line(out, style, "read", gb_per_s(storage.read) + " GB/s");
    add_line(out, style, "write", gb_per_s(storage.write) + " GB/s");
    if (storage.read_iops) {
        add_line(out, style, "reads a second", fmt::format("{:.0f}", *storage.read_iops));
    }
    add_line(out, style, "note", storage.note);
    return out + sources_text({{.field = "rates", .sources = storage.sources}}, catalog, style);
}

std::string offer_text(const Offer& offer, const Style& style) {
    std::string out = strong(offer.instance_type, style) + "  " + offer.id + "\n";
    add_line(out, style, "provider", offer.provider);
    add_line(out, style, "accelerators", fmt::format("{} x {}", offer.count, offer.accelerator));
    add_line(out, style, "price",
             fmt::format("${:.4g} an hour, {}, {}", offer.usd_per_hour, name_of(offer.kind),
                         offer.date));
    add_line(out, style, "each", fmt::format("${:.4g} an hour", offer.usd_per_accelerator_hour()));
    add_line(out, style, "region", offer.region);
    if (offer.network_gbps) {
        add_line(out, style, "network", fmt::format("{:g} Gb/s", *offer.network_gbps));
    }
    if (offer.host_ram_gib) {
        add_line(out, style, "host memory", fmt::format("{:g} GiB", *offer.host_ram_gib));
    }
    for (const std::string& caveat : offer.caveats) {
        add_line(out, style, "caveat", caveat);
    }
    add_line(out, style, "source", offer.source);
    add_line(out, style, "licence", offer.licence);
    return out;
}

std::string errata_text(const Catalog& catalog, const Style& style) {
    std::vector<std::string> all;
    for (const Accelerator& part : catalog.accelerators) {
        for (const std::string& erratum : part.errata) {
            all.push_back(part.id + ", " + erratum);
        }
    }
    for (const Machine& machine : catalog.machines) {
        for (const std::string& note : machine.notes) {
            if (note.starts_with("erratum")) {
                all.push_back(machine.id + ", " + note);
            }
        }
    }
    for (const Erratum& erratum : catalog.errata) {
        all.push_back(erratum.article + ": \"" + erratum.claim + "\": " + erratum.right);
    }
    return notes_text("What widely read articles get wrong", all, style);
}

std::string machine_text(const Machine& machine, const Catalog& catalog, const Style& style) {
    std::string out = strong(machine.name, style) + "  " + machine.id + "\n";
    add_line(out, style, "also called", joined(machine.aliases, ", "));
    add_line(out, style, "provider", machine.provider.value_or(""));
    add_line(out, style, "accelerators",
             fmt::format("{} x {}", machine.accelerators, machine.accelerator));
    add_line(out, style, "inside", machine.scale_up);
    add_line(
        out, style, "between",
        machine.scale_out.value_or("") +
            (machine.scale_out_ports ? fmt::format(", {} ports", *machine.scale_out_ports) : ""));
    if (machine.host_memory) {
        add_line(out, style, "host memory",
                 fmt::format("{:.0f} GiB", *machine.host_memory / gibibyte));
    }
    if (machine.host_cores) {
        add_line(out, style, "host cores", fmt::format("{}", *machine.host_cores));
    }
    if (machine.power) {
        add_line(out, style, "power", fmt::format("{:.1f} kW", *machine.power / watt / 1000));
    }
    if (machine.rack_units) {
        add_line(out, style, "height", fmt::format("{:g} U", *machine.rack_units));
    }
    out += prices_text(machine.prices, style);
    out += notes_text("Notes", machine.notes, style);
    out += notes_text("What widely read articles get wrong", catalog.errata_about(machine.id, ""),
                      style);
    return out + sources_text(machine.field_sources, catalog, style);
}

}  // namespace ridgeline::report
