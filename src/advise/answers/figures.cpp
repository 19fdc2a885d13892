#include "advise/answers/answer.h"
#include "advise/answers/part_figures.h"
#include "advise/figure_words.h"
#include "advise/hardware/offers.h"
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

/// The figure of that quantity; null: the part's is not known.
const AnswerValue* figure_of(const Shown& shown, const std::string& quantity) {
    for (const AnswerValue& value : shown.answer.values) {
        if (value.quantity == quantity && value.mid.value_or(0) > 0) {
            return &value;
        }
    }
    return nullptr;
}

/// Figures are of what one buys.
std::string named(const Shown& shown) {
    return shown.part->devices_seen > 1
               ? fmt::format("{} (a card of {} dies)", shown.part->name, shown.part->devices_seen)
               : shown.part->name;
}

std::string words_of(const AnswerValue& value) {
    return fmt::format("{} {}", figure_words(*value.mid), value.unit);
}

/// "A has 1.8 times the bandwidth of B: 1,640 GB/s against 900 GB/s."; orders the sides by it.
/// Where that of a side is not known it says so, and what is known.
std::string compared(std::vector<Shown>& sides, const std::string& quantity) {
    std::string unknown;
    std::string known;
    for (const Shown& shown : sides) {
        const AnswerValue* figure = figure_of(shown, quantity);
        std::string& list = figure == nullptr ? unknown : known;
        list += (list.empty() ? "" : ", ") + named(shown) +
                (figure == nullptr ? "" : " has " + words_of(*figure));
    }
    // "x16 PCIe": a part without NVLink has no rate of it that could be unknown.
    const bool absent =
        quantity == nvlink_rate && std::ranges::all_of(sides, [&](const Shown& shown) {
            return figure_of(shown, quantity) || !shown.part->has_nvlink();
        });
    if (!unknown.empty() && absent) {
        return fmt::format("{} of NVLink; {} has none.", known, unknown);
    }
    if (!unknown.empty()) {
        return fmt::format("The {} of {} is not known; {}.", quantity, unknown, known);
    }
    stable_order(sides.begin(), sides.end(), [&](const Shown& a, const Shown& b) {
        return *figure_of(a, quantity)->mid > *figure_of(b, quantity)->mid;
    });
    const Shown& most = sides.front();
    const Shown& next = sides[1];
    const AnswerValue& high = *figure_of(most, quantity);
    const AnswerValue& low = *figure_of(next, quantity);
    const double ratio = *high.mid / *low.mid;
    const bool doubles = quantity == "fp64 rate";  // of the vector units; of products apart
    const std::string what = doubles ? "fp64 vector rate" : quantity;
    std::string words =
        ratio < 1.005 ? fmt::format("{} and {} have the same {}: {}", named(most), named(next),
                                    what, words_of(high))
                      : fmt::format("{} has {:.3g} times the {} of {}: {} against {}", named(most),
                                    ratio, what, named(next), words_of(high), words_of(low));
    for (std::size_t i = 2; i < sides.size(); ++i) {
        words += fmt::format(", {} {}", named(sides[i]), words_of(*figure_of(sides[i], quantity)));
    }
    const bool units = doubles && std::ranges::any_of(sides, [&](const Shown& shown) {
                           const AnswerValue& rate = *figure_of(shown, quantity);
                           return rate.high.value_or(0) > *rate.mid;
                       });
    std::string products;
    for (const Shown& shown : sides) {
        products += fmt::format("{}{}", products.empty() ? "" : " against ",
                                figure_words(figure_of(shown, quantity)->high.value_or(0)));
    }
    return words + (units ? fmt::format("; in matrix products {} TFLOP/s.", products) : ".");
}

}  // namespace

namespace {

/// "flops per watt": a rate is that of a watt of the part's limit.
void part_by_power(Answer& answer, const Accelerator& part) {
    const double watts = part.tdp / watt;
    for (AnswerValue& value : answer.values) {
        if (watts <= 0 || !value.unit.starts_with("TFLOP/s")) {
            continue;
        }
        for (std::optional<double>* figure : {&value.low, &value.mid, &value.high}) {
            if (*figure) {
                **figure /= watts;
            }
        }
        value.quantity += " per watt";
        value.unit = "TFLOP/s for each W of TDP";
    }
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
    // Where no limit of power is known of one, the rates themselves are compared.
    const bool by_power =
        reading.objective == Objective::energy && asks(reading, "flops") &&
        std::ranges::all_of(sides, [](const Shown& side) { return side.part->tdp / watt > 0; });
    for (Shown& side : sides) {
        if (by_power) {
            part_by_power(side.answer, *side.part);
        }
    }
    if (sides.size() < 2) {
        return input_error("question", "two known parts are needed to compare", "");
    }
    Answer reply;
    for (const Shown& shown : sides) {
        reply.headline += (reply.headline.empty() ? "" : " ") + shown.answer.headline;
        reply.values.insert(reply.values.end(), shown.answer.values.begin(),
                            shown.answer.values.end());
    }
    std::string words;
    std::vector<std::string> asked;
    for (const AnswerValue& value : reply.values) {
        if (std::ranges::find(asked, value.quantity) == asked.end()) {
            asked.push_back(value.quantity);
        }
    }
    for (const std::string& quantity : asked) {
        const std::string one = compared(sides, quantity);
        // What draws less power is the better part, what has more of anything else is.
        const Shown& best = quantity == "power" ? sides.back() : sides.front();
        const bool all = std::ranges::all_of(
            sides, [&](const Shown& shown) { return figure_of(shown, quantity) != nullptr; });
        if (all && !reply.choice) {
            reply.choice = AnswerChoice{.accelerator = best.part->id,
                                        .why = words_of(*figure_of(best, quantity))};
        }
        words += (words.empty() || one.empty() ? "" : " ") + one;
    }
    if (words.empty()) {
        return reply;
    }
    reply.headline = words;
    return reply;
}

}  // namespace ridgeline
