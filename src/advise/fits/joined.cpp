#include "advise/fits/joined.h"

#include "advise/answers/answer.h"
#include "advise/fits/replies.h"
#include "advise/hardware/cluster.h"
#include "advise/stacks/stored_weights.h"
#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

// Cards of different kinds under one model: llama.cpp and ExLlama part its layers by the memory of
// each, and a token goes through all of them in turn.

namespace ridgeline {
namespace {

/// Cards of one kind, and what the whole model takes on one of them alone, whether it fits or not.
struct Kind {
    const Accelerator* part = nullptr;
    int count = 1;
    double capacity_gib = 0;  ///< of one
    double needs_gib = 0;     ///< on one
    Interval band;            ///< on that
    double further_gib = 0;   ///< what one card more takes: context, buffers, an uneven share
    double token_s = 0;
    Interval token_band;
};

std::optional<Kind> kind_of(const ReadSide& side, const WorkloadDocument& document,
                            const Architecture& architecture, const AnswerTools& tools) {
    const Catalog& catalog = tools.knowledge.catalog;
    Kind kind;
    kind.part = side.ids.empty() ? nullptr : catalog.accelerator(side.ids.front());
    if (kind.part == nullptr) {
        return std::nullopt;
    }
    if (side.memory_gb > 0) {
        kind.part = &with_memory(*kind.part, side.memory_gb);
    }
    kind.count = side.count.value_or(1);
    const auto on = [&](int count) {
        return tools.place(document, architecture,
                           make_cluster(catalog, *kind.part, count, 0, nullptr));
    };
    const auto one = on(1);
    const auto two = on(2);
    if (!one || !two) {
        return std::nullopt;
    }
    const MemoryEstimate& memory = one->estimate.memory;
    kind.capacity_gib = (memory.capacity - memory.unclaimed) / gibibyte;
    kind.needs_gib = memory.process / gibibyte;
    kind.band = memory.band;
    kind.further_gib =
        std::max(0.0, 2 * (two->estimate.memory.process / gibibyte) - kind.needs_gib);
    kind.token_s = one->estimate.time.tpot / second;
    kind.token_band = one->tpot_band;
    return kind;
}

}  // namespace

std::optional<Joint> joint_of(const Reading& reading, const WorkloadDocument& document,
                              const Architecture& architecture, const AnswerTools& tools) {
    std::vector<Kind> kinds;
    for (const ReadSide& side : reading.joined) {
        const auto kind = kind_of(side, document, architecture, tools);
        if (!kind) {
            return std::nullopt;
        }
        kinds.push_back(*kind);
    }
    Joint joint;
    double further = 0;
    for (const Kind& kind : kinds) {
        joint.fits_one = joint.fits_one || kind.needs_gib <= kind.capacity_gib;
        joint.capacity_gib += kind.count * kind.capacity_gib;
        further += kind.count * kind.further_gib;
        joint.cards += fmt::format("{}{} x {}", joint.cards.empty() ? "" : " and ", kind.count,
                                   kind.part->name);
    }
    const Kind& first = kinds.front();
    further -= first.further_gib;
    joint.needs.mid = first.needs_gib + further;
    joint.needs.low = first.needs_gib * first.band.low + further;
    joint.needs.high = first.needs_gib * first.band.high + further;
    double seconds = 0, low = 0, high = 0;
    for (const Kind& kind : kinds) {
        const double share = kind.count * kind.capacity_gib / joint.capacity_gib * kind.token_s;
        seconds += share;
        low += share * kind.token_band.low;
        high += share * kind.token_band.high;
    }
    joint.rate = 1 / seconds;
    joint.rate_low = 1 / high;
    joint.rate_high = 1 / low;
    joint.verdict = joint.needs.high <= joint.capacity_gib  ? "yes"
                    : joint.needs.mid <= joint.capacity_gib ? "barely"
                                                            : "no";
    const double fill = joint.needs.mid / joint.capacity_gib;
    for (const Kind& kind : kinds) {
        joint.shares +=
            fmt::format("{}{:.3g} of {} on {}", joint.shares.empty() ? "" : ", ",
                        fill * kind.capacity_gib, format_gib(kind.capacity_gib),
                        kind.count > 1 ? "each " + kind.part->name : "the " + kind.part->name);
    }
    return joint;
}

namespace {

/// " q3_k_m fits barely (35 GiB).": the widest narrower type that all hold together, where the one
/// that was told is too wide.
std::string narrower_type(const Reading& reading, WorkloadDocument document,
                          const Architecture& architecture, const AnswerTools& tools) {
    for (const char* type : {"q4_k_m", "iq4_xs", "q3_k_m", "iq3_m", "q2_k", "iq2_m"}) {
        document.quantization = type;
        const auto joint = joint_of(reading, document, architecture, tools);
        if (joint && joint->verdict != "no") {
            return fmt::format(" It fits{} in {} ({}).",
                               joint->verdict == "barely" ? " barely" : "", type,
                               format_gib(joint->needs.mid));
        }
    }
    return " No type of 2 bits or more does.";
}

/// Whether a stack gives each card as many layers as its memory holds, by itself: llama.cpp
/// (--split-mode layer) and ExLlama, which loads layer after layer until a card is full
/// (turboderp/exllamav2, model.py load_autosplit; --gpu_split).
bool parts_by_memory(const SoftwareProfile& stack) {
    return stack.id == "llama.cpp" || stack.id == "exllama" || stack.inherits == "exllama";
}

}  // namespace

std::optional<Answer> reply_joined(const Reading& reading, const Query& query,
                                   const AnswerTools& tools) {
    WorkloadDocument document = query.workload;
    const bool several = document.serving && document.serving->concurrency > 1;
    const SoftwareProfile* stack =
        tools.knowledge.profiles.software_profile(document.framework.value_or("llama.cpp"));
    if (reading.joined.empty() || document.task != Task::inference || several || stack == nullptr ||
        !parts_by_memory(*stack)) {
        return std::nullopt;
    }
    const auto architecture = tools.architecture(document);
    if (!architecture || !takes_narrow_weights(*architecture)) {
        return std::nullopt;
    }
    std::vector<const Accelerator*> parts;
    for (const ReadSide& side : reading.joined) {
        parts.push_back(side.ids.empty() ? nullptr
                                         : tools.knowledge.catalog.accelerator(side.ids.front()));
    }
    document.framework = stack->id;
    std::vector<std::string> types{document.quantization.value_or("none")};
    if (!document.quantization && std::ranges::find(parts, nullptr) == parts.end()) {
        for (const std::string_view type :
             weights_to_try(document, *architecture, parts, tools.knowledge.profiles)) {
            types.emplace_back(type);
        }
    }
    std::optional<Joint> best;
    std::string stored;
    for (const std::string& type : types) {
        document.quantization = type;
        auto joint = joint_of(reading, document, *architecture, tools);
        if (joint && joint->fits_one && !reading.joined_surely) {
            return std::nullopt;  // each is asked of
        }
        if (joint && (!best || (best->verdict != "yes" && joint->verdict != "no"))) {
            best = std::move(joint);
            stored = type;
        }
    }
    if (!best) {
        return std::nullopt;
    }
    Answer reply;
    reply.verdict = best->verdict;
    reply.needs = best->needs;
    reply.have_gib = best->capacity_gib;
    reply.weights = stored;
    const bool held = best->verdict != "no";
    const std::string work = fmt::format(
        "{} served in {}", architecture->id.empty() ? architecture->name : architecture->id,
        stored == "none" ? "16 bits" : stored);
    const std::string memory =
        fmt::format("needs {} ({:.3g} to {:.3g}) of {}", format_gib(best->needs.mid),
                    best->needs.low, best->needs.high, format_gib(best->capacity_gib));
    const std::string rate = fmt::format("{:.3g} tokens/s ({:.3g} to {:.3g})", best->rate,
                                         best->rate_low, best->rate_high);
    if (held) {
        reply.values.push_back(
            {"decode", best->rate_low, best->rate, best->rate_high, "tokens/s", ""});
    }
    if (held && reading.intent == Intent::throughput) {
        reply.headline =
            fmt::format("{} decodes {} on {} together, where it {}{}.", work, rate, best->cards,
                        best->verdict == "barely" ? "barely fits: it " : "", memory);
    } else {
        reply.headline = fmt::format("{}: {} {} on {} together{}.",
                                     best->verdict == "yes" ? "Yes"
                                     : held                 ? "Barely"
                                                            : "No",
                                     work, memory, best->cards, held ? ", " + rate : "");
    }
    reply.headline +=
        held ? fmt::format(
                   " {} parts the layers by the memory of each card ({}), and a token goes through "
                   "all.",
                   stack->shown_name(), best->shares)
             : narrower_type(reading, document, *architecture, tools);
    return reply;
}

}  // namespace ridgeline
