#include "ask/router.h"
#include "report/catalog_report.h"

// What is known of a model, a part or a machine.

#include <fmt/format.h>

namespace ridgeline::ask {
namespace {

constexpr double model_context = 4096;

}  // namespace

Result<Routed> Router::describe_parts() {
    const bool cheapest =
        reading_.objective == Objective::cost || reading_.objective == Objective::price;
    if (cheapest && !reading_.attributes.empty()) {
        Reading of_parts = reading_;
        for (const Accelerator* part : parts_with(reading_, world_.catalog)) {
            of_parts.accelerators.push_back(part->id);
        }
        return alone(reply_cheapest_with(of_parts, tools_));
    }
    return alone(reply_parts_with(reading_, tools_));
}

bool Router::asks_one_figure() const {
    return !request_.flag("explain") && (!reading_.attributes.empty() || asks_for_energy(reading_));
}

Result<Routed> Router::describe_model() {
    WorkloadDocument document;
    document.model_id = reading_.model;
    document.image_size = reading_.image_size;
    const auto architecture = architecture_of(document, world_);
    if (!architecture) {
        return tl::unexpected(architecture.error());
    }
    report::ModelAnswer model;
    model.parameters = count_parameters(*architecture);
    model.kv_bytes_per_token = kv_bytes_per_token(*architecture, 2);
    model.context = model_context;
    model.forward_flops_per_token = forward_flops_per_token(*architecture, model_context);
    model.architecture = *architecture;
    Routed out;
    out.json = report::model_json(model, stamp());
    out.text = asks_one_figure()
                   ? fmt::format("All of it: ridgeline profiles show {}\n", reading_.model)
                   : report::model_text(model, style());
    out.reply = reply_model(reading_, *architecture);
    return out;
}

Result<Routed> Router::describe() {
    if (reading_.accelerators.empty()) {
        return reading_.model.empty() ? describe_parts() : describe_model();
    }
    const Machine* machine =
        reading_.machine.empty() ? nullptr : world_.catalog.machine(reading_.machine);
    const Accelerator* part = world_.catalog.accelerator(reading_.accelerators.front());
    if (part == nullptr) {
        return input_error(
            "question", "no accelerator \"" + reading_.accelerators.front() + "\" in the catalog",
            reading_.neighbour);
    }
    Routed out;
    out.json = machine != nullptr ? report::machine_json(*machine, stamp())
                                  : report::accelerator_json(*part, world_.catalog, stamp());
    out.text = asks_one_figure()    ? fmt::format("All of it: ridgeline catalog show {}\n",
                                               machine != nullptr ? machine->id : part->id)
               : machine != nullptr ? report::machine_text(*machine, world_.catalog, style())
                                    : report::accelerator_text(*part, world_.catalog, style());
    const auto clusters = clusters_of(reading_, asked_.query, world_.catalog);
    const bool energy = asks_for_energy(reading_) && !clusters.empty();
    out.reply = energy ? reply_energy(reading_, clusters.front(), world_.catalog)
                       : reply_part(reading_, tools_);
    if (energy) {  // a bill is asked for, no specification
        out.text.clear();
    }
    return out;
}

}  // namespace ridgeline::ask
