#include "base/text.h"
#include "data/catalog_reader.h"

#include <fmt/format.h>

#include <utility>

namespace ridgeline {
namespace {

std::optional<std::string> known_link(Reader& document, std::string_view key,
                                      const Catalog& catalog) {
    std::optional<std::string> id = document.optional_text(key);
    if (id && catalog.link(*id) == nullptr) {
        std::vector<std::string> names;
        for (const Link& link : catalog.links) {
            names.push_back(link.id);
        }
        document.fail(key, fmt::format("no link \"{}\" in catalog/links.json", printable(*id)),
                      did_you_mean(*id, names));
    }
    return id;
}

void read_accelerator_id(Reader& document, const Catalog& catalog, Machine& machine) {
    machine.accelerator = document.text("accelerator");
    const Accelerator* part = catalog.accelerator(machine.accelerator);
    if (part != nullptr && part->id == machine.accelerator) {
        return;
    }
    std::vector<std::string> names;
    for (const Accelerator& known : catalog.accelerators) {
        names.push_back(known.id);
    }
    document.fail(
        "accelerator",
        fmt::format("no accelerator \"{}\" in the catalog", printable(machine.accelerator)),
        did_you_mean(machine.accelerator, names));
}

void read_host(Reader& document, Machine& machine) {
    if (const auto memory = document.optional_number("host_memory_gib", Range{1, 1e6})) {
        machine.host_memory = *memory * gibibyte;
    }
    machine.host_cores = document.optional_integer("host_cores", Range{1, 1e6});
    if (const auto power = document.optional_number("power_w", Range{10, 1e7})) {
        machine.power = *power * watt;
    }
    machine.rack_units = document.optional_number("rack_units", Range{0.1, 100});
    machine.provider = document.optional_text("provider");
}

void read_notes(Reader& document, const Catalog& catalog, Machine& machine) {
    machine.notes = document.texts("notes");
    for (const std::string& assumption : document.texts("assumptions")) {
        machine.notes.push_back("assumed: " + assumption);
    }
    for (Reader& erratum : document.objects("errata")) {
        machine.notes.push_back("erratum, " + erratum.text("against") + ": " +
                                erratum.text("text"));
        check_sources(erratum, "sources", erratum.texts("sources"), catalog.sources);
        erratum.reject_unknown();
    }
}

}  // namespace

Machine read_machine(Reader& document, const Catalog& catalog) {
    Machine machine;
    check_schema(document, "ridgeline/machine/1");
    machine.id = document.text("id");
    machine.name = document.text("name");
    machine.aliases = document.texts("aliases");
    read_accelerator_id(document, catalog, machine);
    machine.accelerators = document.integer("accelerators", Range{1, 4096});
    document.text("scale_up");
    machine.scale_up = known_link(document, "scale_up", catalog).value_or("");
    machine.scale_out = known_link(document, "scale_out", catalog);
    machine.scale_out_ports = document.optional_integer("scale_out_ports", Range{1, 4096});
    read_host(document, machine);
    machine.prices = read_prices(document, catalog.sources);
    read_notes(document, catalog, machine);
    Reader fields = document.object("field_sources");
    for (const std::string& field : fields.keys()) {
        std::vector<std::string> ids = fields.texts(field);
        check_sources(fields, field, ids, catalog.sources);
        machine.field_sources.push_back({.field = field, .sources = std::move(ids)});
    }
    if (machine.field_sources.empty()) {
        document.fail("field_sources", "names no source for the machine's figures");
    }
    document.reject_unknown();
    return machine;
}

}  // namespace ridgeline
