#include "advise/answers/side_rents.h"
#include "advise/comparisons/replies.h"
#include "advise/comparisons/side.h"
#include "advise/comparisons/side_by_side.h"
#include "advise/fits/memory_ways.h"
#include "advise/hardware/desk.h"

#include <algorithm>

// Replies to comparisons of hardware: for a workload, by its figures, by its rent.

namespace ridgeline {
namespace {

bool has_desk_form(const ReadSide& side, const Catalog& catalog) {
    return std::ranges::any_of(side.ids, [&](const std::string& id) {
        const Accelerator* part = catalog.accelerator(id);
        return part != nullptr && stands_at_a_desk(*part);
    });
}

/// Whether one of the sides is sold for desks alone and nothing is rented: of the other's forms
/// those for a desk are meant, not the server's.
bool weighs_a_desk(const Reading& reading, const Catalog& catalog) {
    const bool rented = reading.rents || !reading.providers.empty() || reading.usd_per_hour ||
                        (!reading.price_kind.empty() && reading.price_kind != "purchase");
    return !rented && std::ranges::any_of(reading.sides, [&](const ReadSide& side) {
        return !side.ids.empty() && std::ranges::all_of(side.ids, [&](const std::string& id) {
            const Accelerator* part = catalog.accelerator(id);
            return part != nullptr && stands_at_a_desk(*part);
        });
    });
}

}  // namespace

Result<Answer> reply_compare(const Reading& reading, const Query& query, const AnswerTools& tools) {
    if (reading.sides.size() < 2 && compares_settings(reading)) {
        return reply_settings(reading, tools);
    }
    if (reading.sides.size() < 2 && !reading.alternatives.empty()) {
        return reply_compare_values(reading, query, tools);
    }
    std::vector<ComparedSide> sides;
    const bool at_desk = weighs_a_desk(reading, tools.knowledge.catalog);
    for (const ReadSide& side : reading.sides) {
        const bool desk_forms = at_desk && has_desk_form(side, tools.knowledge.catalog);
        for (const std::string& id : side.ids) {
            const Accelerator* form = tools.knowledge.catalog.accelerator(id);
            if (desk_forms && form != nullptr && !stands_at_a_desk(*form)) {
                continue;
            }
            ComparedSide one;
            one.side = &side;
            one.part = tools.knowledge.catalog.accelerator(id);
            one.part = one.part != nullptr && side.memory_gb > 0
                           ? &with_memory(*one.part, side.memory_gb)
                           : one.part;
            one.count = side.count.value_or(1);
            one.by_energy = reading.objective == Objective::energy || asks(reading, "energy");
            one.by_prompt = reading.task == Task::inference &&
                            (asks(reading, "prefill") || asks(reading, "ttft"));
            one.counts_samples = reading.counts_samples && !reading.concurrency;
            one.filled = reading.full_load && !reading.concurrency && !reading.counts_samples &&
                         !reading.answers_at_once && !one.by_energy && reading.task != Task::train;
            sides.push_back(std::move(one));
        }
    }
    if (sides.size() < 2) {
        return input_error("question", "fewer than two sides of the comparison are in the catalog",
                           reading.neighbour);
    }
    SideBySide both(reading, std::move(sides), tools);
    // The same hardware of two providers differs in its rent alone.
    const bool alike = std::ranges::all_of(reading.sides, [&](const ReadSide& side) {
        return side.ids == reading.sides.front().ids && side.count == reading.sides.front().count &&
               side.memory_gb == reading.sides.front().memory_gb;
    });
    const bool by_price =
        (reading.objective == Objective::cost && !asks(reading, "value")) || asks(reading, "rent");
    const bool bill = asks_for_bill(reading);
    if (alike || (reading.model.empty() && (by_price || bill))) {
        if (auto reply = reply_compared_rents(reading, tools)) {
            reply->headline += bill && !alike ? " " + both.by_figures().headline : "";
            return std::move(*reply);
        }
    }
    return reading.model.empty() ? Result<Answer>(both.by_figures()) : both.by_work();
}

}  // namespace ridgeline
