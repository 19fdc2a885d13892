#include "report/catalog_report.h"
#include "report/json.h"
#include "report/json_money.h"

namespace ridgeline::report {
namespace {

Json rate_or_null(std::optional<BytesPerSecond> rate) {
    return rate ? Json(*rate / gigabyte_per_second) : Json(nullptr);
}

Json tflops_or_null(std::optional<FlopsPerSecond> rate) {
    return rate ? Json(*rate / teraflop_per_second) : Json(nullptr);
}

Json mib_or_null(std::optional<Bytes> size) {
    return size ? Json(*size / mebibyte) : Json(nullptr);
}

Json prices_json(const std::vector<ListedPrice>& prices) {
    Json out = Json::array();
    for (const ListedPrice& price : prices) {
        Json entry = {{"usd", price.usd}};
        put(entry, "usd_high", price.usd_high);
        entry["kind"] = price.kind;
        entry["date"] = price.date;
        entry["source"] = price.source;
        out.push_back(entry);
    }
    return out;
}

Json sources_json(const std::vector<FieldSource>& fields) {
    Json out = Json::object();
    for (const FieldSource& field : fields) {
        out[field.field] = field.sources;
    }
    return out;
}

Json peaks_json(const Accelerator& part) {
    Json peaks = Json::object();
    for (int i = 0; i < compute_types; ++i) {
        const auto type = static_cast<ComputeType>(i);
        if (const auto rate = part.peak(type)) {
            const std::string_view name =
                type == ComputeType::fp4 ? part.fp4_format : name_of(type);
            peaks[std::string(name) + "_tflops"] = *rate / teraflop_per_second;
        }
    }
    return peaks;
}

void add_links(const Accelerator& part, Json& out) {
    out["scale_up"] = {{"kind", part.scale_up.kind},
                       {"gb_per_s", rate_or_null(part.scale_up.rate)},
                       {"pair_gb_per_s", rate_or_null(part.scale_up.pair_rate)},
                       {"max_domain", part.scale_up.max_domain}};
    out["pcie"] = {{"generation", part.pcie_generation},
                   {"lanes", part.pcie_lanes},
                   {"gb_per_s", rate_or_null(part.pcie_rate)}};
    out["host_gb_per_s"] = rate_or_null(part.host_rate);
}

Json accelerator_entry(const Accelerator& part) {
    Json out = {
        {"id", part.id},
        {"name", part.name},
        {"aliases", part.aliases},
        {"families", part.families},
        {"pci_ids", part.pci_ids},
        {"vendor", part.vendor},
        {"architecture", part.architecture},
        {"chip", part.chip.empty() ? Json(nullptr) : Json(part.chip)},
        {"compute_capability", part.compute_capability},
        {"gfx_arch", part.gfx_arch},
        {"units", part.units},
        {"unit_name", part.unit_name.empty() ? Json(nullptr) : Json(part.unit_name)},
        {"boost_clock_mhz", part.boost_clock_mhz},
        {"devices_in_package", part.devices_seen},
        {"year", part.year},
        {"form_factor", part.form_factor},
        {"marketed_memory_gb", part.marketed_gb > 0 ? Json(part.marketed_gb) : Json(nullptr)},
        {"visible_memory_gib",
         part.visible_memory ? Json(*part.visible_memory / gibibyte) : Json(nullptr)},
        {"visible_memory_assumed", part.visible_memory_assumed},
        {"memory_type", part.memory_type},
        {"bus_bits", part.bus_bits},
        {"l2_cache_mib", mib_or_null(part.l2_cache)},
        {"last_level_cache_mib", mib_or_null(part.last_level_cache)},
        {"memory_bandwidth_gb_per_s", part.memory_bandwidth.base() > 0
                                          ? Json(part.memory_bandwidth / gigabyte_per_second)
                                          : Json(nullptr)},
        {"peak_dense", peaks_json(part)},
        {"vector_fp32_tflops", tflops_or_null(part.peak_vector_fp32)},
        {"vector_fp64_tflops", tflops_or_null(part.peak_vector_fp64)},
        {"sparsity_factor", part.sparsity_factor},
        {"host_launch_factor", part.host_launch_factor},
        {"tdp_w", part.tdp.base() > 0 ? Json(part.tdp / watt) : Json(nullptr)}};
    out["ecc"] = part.ecc.support;
    add_links(part, out);
    out["mig_instances"] = part.mig_instances;
    out["software"] = part.software;
    out["prices"] = prices_json(part.prices);
    out["errata"] = part.errata;
    out["disagreements"] = part.disagreements;
    out["assumptions"] = part.assumptions;
    out["sources"] = sources_json(part.field_sources);
    return out;
}

Json machine_entry(const Machine& machine) {
    Json out = {{"id", machine.id},
                {"name", machine.name},
                {"aliases", machine.aliases},
                {"accelerator", machine.accelerator},
                {"accelerators", machine.accelerators},
                {"scale_up", machine.scale_up}};
    out["scale_out"] = machine.scale_out;
    out["host_memory_gib"] =
        machine.host_memory ? Json(*machine.host_memory / gibibyte) : Json(nullptr);
    out["host_cores"] = machine.host_cores;
    out["scale_out_ports"] = machine.scale_out_ports;
    out["provider"] = machine.provider;
    out["power_w"] = machine.power ? Json(*machine.power / watt) : Json(nullptr);
    out["rack_units"] = machine.rack_units;
    out["prices"] = prices_json(machine.prices);
    out["notes"] = machine.notes;
    out["sources"] = sources_json(machine.field_sources);
    return out;
}

Json link_entry(const Link& link) {
    return {{"id", link.id},
            {"kind", link.kind},
            {"gb_per_s", link.rate / gigabyte_per_second},
            {"per", link.per},
            {"latency_s", link.latency ? Json(*link.latency / second) : Json()},
            {"note", link.note},
            {"sources", link.sources}};
}

Json storage_entry(const Storage& storage) {
    return {{"id", storage.id},
            {"kind", storage.kind},
            {"read_gb_per_s", rate_or_null(storage.read)},
            {"write_gb_per_s", rate_or_null(storage.write)},
            {"read_iops", storage.read_iops},
            {"note", storage.note},
            {"sources", storage.sources}};
}

Json claim_entry(const PriceClaim& claim, const Catalog& catalog) {
    Json earlier = Json::array();
    for (const EarlierPrice& price : claim.earlier) {
        earlier.push_back({{"usd_per_hour", price.usd_per_hour},
                           {"since", price.since},
                           {"source", price.source}});
    }
    const Offer* offer = catalog.offer(claim.offer);
    return {{"provider", claim.provider},
            {"instance_type", claim.instance_type},
            {"accelerator", claim.accelerator.empty() ? Json(nullptr) : Json(claim.accelerator)},
            {"count", claim.count},
            {"claimed_usd_per_hour", claim.claimed_usd_per_hour},
            {"claimed_usd_per_hour_high", claim.claimed_usd_per_hour_high},
            {"claimed_by", claim.claimed_by},
            {"listed", offer != nullptr ? json_of(*offer) : Json(nullptr)},
            {"undated_usd_per_hour", Json(nullptr)},
            {"earlier", std::move(earlier)},
            {"verdict", claim.verdict}};
}

}  // namespace

std::string catalog_list_json(const Catalog& catalog, std::string_view kind, const Stamp& stamp) {
    Json out = document("ridgeline/catalog/1", stamp);
    Json& list = out[std::string(kind)];
    list = Json::array();
    if (kind == "machines") {
        for (const Machine& machine : catalog.machines) {
            list.push_back(machine_entry(machine));
        }
    } else if (kind == "links") {
        for (const Link& link : catalog.links) {
            list.push_back(link_entry(link));
        }
    } else if (kind == "storage") {
        for (const Storage& storage : catalog.storage) {
            list.push_back(storage_entry(storage));
        }
    } else if (kind == "offers") {
        for (const Offer& offer : catalog.offers) {
            list.push_back(json_of(offer));
        }
    } else if (kind == "errata") {
        for (const Erratum& erratum : catalog.errata) {
            list.push_back({{"number", erratum.number},
                            {"article", erratum.article},
                            {"claim", erratum.claim},
                            {"right", erratum.right},
                            {"about", erratum.about},
                            {"sources", erratum.sources}});
        }
    } else if (kind == "claims") {
        for (const PriceClaim& claim : catalog.price_claims) {
            list.push_back(claim_entry(claim, catalog));
        }
    } else {
        for (const Accelerator& part : catalog.accelerators) {
            list.push_back(accelerator_entry(part));
        }
    }
    return text_of(out);
}

std::string catalog_check_json(const Catalog& catalog, const Stamp& stamp) {
    Json out = document("ridgeline/catalog-check/1", stamp);
    out["accelerators"] = catalog.accelerators.size();
    out["machines"] = catalog.machines.size();
    out["links"] = catalog.links.size();
    out["offers"] = catalog.offers.size();
    return text_of(out);
}

std::string family_json(const std::vector<const Accelerator*>& forms, const Stamp& stamp) {
    Json out = document("ridgeline/catalog/1", stamp);
    out["accelerators"] =
        list_of(forms, [](const Accelerator* form) { return accelerator_entry(*form); });
    return text_of(out);
}

std::string accelerator_json(const Accelerator& accelerator, const Catalog& catalog,
                             const Stamp& stamp) {
    Json out = document("ridgeline/accelerator-answer/1", stamp);
    out.update(accelerator_entry(accelerator));
    for (const std::string& erratum :
         catalog.errata_about(accelerator.id, accelerator.architecture)) {
        out["errata"].push_back(erratum);
    }
    return text_of(out);
}

std::string machine_json(const Machine& machine, const Stamp& stamp) {
    Json out = document("ridgeline/machine-answer/1", stamp);
    out.update(machine_entry(machine));
    return text_of(out);
}

std::string link_json(const Link& link, const Catalog& catalog, const Stamp& stamp) {
    Json out = document("ridgeline/link-answer/1", stamp);
    out.update(link_entry(link));
    out["errata"] = catalog.errata_about(link.id, "");
    return text_of(out);
}

std::string storage_json(const Storage& storage, const Stamp& stamp) {
    Json out = document("ridgeline/storage-answer/1", stamp);
    out.update(storage_entry(storage));
    return text_of(out);
}

std::string offer_json(const Offer& offer, const Stamp& stamp) {
    Json out = document("ridgeline/offer-answer/1", stamp);
    out.update(json_of(offer));
    return text_of(out);
}

}  // namespace ridgeline::report
