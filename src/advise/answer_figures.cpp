#include "advise/answer.h"
#include "advise/offers.h"
#include "base/order.h"

#include <fmt/format.h>

#include <algorithm>

// Replies to "h100 vs a100 fp64": one figure of each side, and the factor between them.

namespace ridgeline {
namespace {

/// The form of a side that is offered most.
const Accelerator* usual_form(const ReadSide& side, const Catalog& catalog) {
    const Accelerator* usual = nullptr;
    for (const std::string& id : side.ids) {
        const Accelerator* part = catalog.accelerator(id);
        if (part != nullptr &&
            (usual == nullptr || times_listed(catalog, *part) > times_listed(catalog, *usual))) {
            usual = part;
        }
    }
    return usual;
}

struct Shown {
    const Accelerator* part = nullptr;
    Answer answer = {};
};

std::string figure_of(const Shown& shown) {
    const AnswerValue& value = shown.answer.values.front();
    return fmt::format("{} {}", figure_words(*value.mid), value.unit);
}

}  // namespace

Result<Answer> reply_figures(const Reading& reading, const AnswerTools& tools) {
    std::vector<Shown> sides;
    for (const ReadSide& side : reading.sides) {
        const Accelerator* part = usual_form(side, tools.knowledge.catalog);
        if (part != nullptr) {
            Reading one = reading;
            one.accelerators = {part->id};
            one.machine.clear();
            sides.push_back({part, reply_part(one, tools)});
        }
    }
    if (sides.size() < 2) {
        return input_error("question", "two known parts are needed to compare", "");
    }
    Answer reply;
    bool figures = true;
    for (const Shown& shown : sides) {
        reply.headline += (reply.headline.empty() ? "" : " ") + shown.answer.headline;
        const auto& values = shown.answer.values;
        figures = figures && !values.empty() && values.front().mid.value_or(0) > 0;
        reply.values.insert(reply.values.end(), values.begin(), values.end());
    }
    if (!figures) {
        return reply;
    }
    stable_order(sides.begin(), sides.end(), [](const Shown& a, const Shown& b) {
        return *a.answer.values.front().mid > *b.answer.values.front().mid;
    });
    const Shown& most = sides.front();
    const Shown& next = sides[1];
    const double ratio = *most.answer.values.front().mid / *next.answer.values.front().mid;
    const std::string quantity = most.answer.values.front().quantity;
    // What draws less power is the better part, what has more of anything else is.
    const Shown& best = quantity == "power" ? sides.back() : most;
    AnswerChoice choice;
    choice.accelerator = best.part->id;
    choice.why = figure_of(best);
    reply.choice = choice;
    reply.headline =
        ratio < 1.005 ? fmt::format("{} and {} have the same {}: {}.",
                                    most.part->name,
                                    next.part->name,
                                    quantity,
                                    figure_of(most))
                      : fmt::format("{} has {:.3g} times the {} of {}: {} against {}",
                                    most.part->name,
                                    ratio,
                                    quantity,
                                    next.part->name,
                                    figure_of(most),
                                    figure_of(next));
    for (std::size_t i = 2; i < sides.size(); ++i) {
        reply.headline += fmt::format(", {} {}", sides[i].part->name, figure_of(sides[i]));
    }
    if (!reply.headline.ends_with('.')) {
        reply.headline += ".";
    }
    return reply;
}

}  // namespace ridgeline
