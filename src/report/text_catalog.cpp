#include "report/catalog_figures.h"
#include "report/catalog_report.h"
#include "report/claims.h"
#include "report/offer_rows.h"
#include "report/table.h"
#include "spec/words.h"

#include <fmt/format.h>

#include <algorithm>

namespace ridgeline::report {
namespace {

std::string accelerators_table(const Catalog& catalog, const Style& style) {
    Table table({"id", ">year", ">GiB", ">GB/s", ">bf16", ">fp8", ">watts", "scale-up"});
    table.may_leave_out(7);
    for (const Accelerator& part : catalog.accelerators) {
        table.add(
            {part.id, fmt::format("{}", part.year),
             fmt::format("{:.1f}{}", part.capacity() / gibibyte, part.visible_memory ? "" : "*"),
             known_gb_per_s(part.memory_bandwidth), tflops(part.peak(ComputeType::bf16)),
             tflops(part.peak(ComputeType::fp8)), watts(part.tdp), part.scale_up.kind});
    }
    return table.text(style) +
           paragraph("",
                     "GiB is what the driver shows, * the size on the box where that is unknown; "
                     "bf16 and fp8 are dense TFLOP/s; - is unknown or none.",
                     style);
}

std::string machines_table(const Catalog& catalog, const Style& style) {
    Table table({"id", "accelerators", "scale-up", "scale-out", ">kW"});
    for (const Machine& machine : catalog.machines) {
        table.add({machine.id, fmt::format("{} x {}", machine.accelerators, machine.accelerator),
                   machine.scale_up, machine.scale_out.value_or("-"),
                   machine.power ? fmt::format("{:.1f}", *machine.power / watt / 1000) : "-"});
    }
    return table.text(style);
}

std::string links_table(const Catalog& catalog, const Style& style) {
    Table table({"id", "kind", ">GB/s one way"});
    for (const Link& link : catalog.links) {
        table.add({link.id, link.kind, gb_per_s(link.rate)});
    }
    return table.text(style);
}

std::string storage_table(const Catalog& catalog, const Style& style) {
    Table table({"id", "kind", ">read GB/s", ">write GB/s"});
    for (const Storage& storage : catalog.storage) {
        table.add({storage.id, storage.kind, gb_per_s(storage.read), gb_per_s(storage.write)});
    }
    return table.text(style);
}

/// Rows that only their region tells apart are one, with all their regions.
std::vector<std::vector<std::string>> merged_by_region(const std::vector<OfferRow>& offers,
                                                       std::size_t region) {
    std::vector<std::vector<std::string>> rows;
    for (const OfferRow& row : offers) {
        const Offer& offer = *row.first;
        std::vector<std::string> cells = {offer.accelerator,
                                          counts_words(row),
                                          offer.provider,
                                          offer.instance_type,
                                          offer.region,
                                          std::string(name_of(offer.kind)),
                                          hours_words(row),
                                          offer.date,
                                          offer.caveats.empty() ? "" : offer.caveats.front()};
        const auto same = std::find_if(rows.begin(), rows.end(), [&](const auto& other) {
            auto alike = other;
            alike[region] = cells[region];
            return alike == cells;
        });
        if (same == rows.end()) {
            rows.push_back(std::move(cells));
        } else if (!cells[region].empty() && (*same)[region] != cells[region]) {
            (*same)[region] += ", " + cells[region];
        }
    }
    return rows;
}

std::string offers_table(const Catalog& catalog, const Style& style) {
    constexpr std::size_t instance = 3;
    constexpr std::size_t region = 4;
    constexpr std::size_t caveat = 8;
    Table table({"accelerator", ">count", "provider", "instance", "region", ">kind", ">$/hour",
                 ">date", "caveat"});
    std::vector<const Offer*> offers;
    for (const Offer& offer : catalog.offers) {
        offers.push_back(&offer);
    }
    const auto rows = merged_by_region(offer_rows(offers), region);
    // Where an instance has several prices, its region tells them apart.
    const bool by_region = std::any_of(rows.begin(), rows.end(), [&](const auto& row) {
        return std::any_of(rows.begin(), rows.end(), [&](const auto& other) {
            return row[0] == other[0] && row[1] == other[1] && row[2] == other[2] &&
                   row[5] == other[5] && row[region] != other[region];
        });
    });
    table.may_leave_out(caveat);
    table.may_leave_out(by_region ? instance : region);
    table.may_leave_out(by_region ? region : instance);
    for (const auto& row : rows) {
        table.add(row);
    }
    return catalog.offers.empty() ? "no such offer is in the catalog\n" : table.text(style);
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
    if (kind == "errata") {
        return errata_text(catalog, style);
    }
    return accelerators_table(catalog, style);
}

std::string family_text(const std::vector<const Accelerator*>& forms, const Style& style) {
    Catalog family;
    for (const Accelerator* form : forms) {
        family.accelerators.push_back(*form);
    }
    return accelerators_table(family, style);
}

}  // namespace ridgeline::report
