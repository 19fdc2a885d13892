#include "advise/answers/rate_words.h"

#include "advise/figure_words.h"
#include "advise/stacks/stored_weights.h"
#include "base/duration_range.h"
#include "base/text.h"
#include "estimate/families/families.h"

#include <fmt/format.h>

namespace ridgeline {

std::string model_of(const Placement& placement) {
    return placement.architecture.id.empty() ? placement.architecture.name
                                             : placement.architecture.id;
}

std::string verdict_of(const MemoryEstimate& memory) {
    const Bytes room = memory.capacity - memory.unclaimed;
    const double high = memory.band.high > 0 ? memory.band.high : 1;
    if (!memory.fits) {
        return "no";
    }
    return memory.process * high <= room ? "yes" : "barely";
}

AnswerChoice choice_of(const Placement& placement) {
    AnswerChoice choice;
    choice.accelerator = placement.cluster.accelerator->id;
    choice.count = placement.cluster.count;
    if (placement.estimate.cost.usd_per_hour > 0) {
        choice.usd_per_hour = placement.estimate.cost.usd_per_hour;
    }
    choice.verdict = verdict_of(placement.estimate.memory);
    return choice;
}

std::string rented_words(const Placement& placement) {
    const CostEstimate& cost = placement.estimate.cost;
    if (cost.offer && cost.offer->id == told_offer) {
        return fmt::format(" at the {}/h that was told", format_usd(cost.usd_per_hour));
    }
    if (!cost.offer || placement.cluster.nodes() > 1) {
        return "";
    }
    return cost.idle_accelerators > 0 ? fmt::format(" ({}/h for a whole machine of {}, {} idle)",
                                                    format_usd(cost.usd_per_hour),
                                                    cost.offer->count, cost.idle_accelerators)
           : cost.instances > 1
               ? fmt::format(" ({} {} of {} at {}/h)", cost.instances,
                             cost.offer->count > 1
                                 ? fmt::format("machines of {} cards", cost.offer->count)
                                 : std::string("single cards"),
                             cost.offer->provider, format_usd(cost.offer->usd_per_hour))
               : "";
}

std::string paid_words(const Placement& placement) {
    return placement.estimate.cost.offer ? " of rent" + rented_words(placement)
                                         : std::string(" of electricity");
}

std::string picture_words(const Placement& placement) {
    const Batch& batch = placement.workload.batch;
    if (placement.architecture.kind != ModelKind::diffusion || batch.steps <= 0 ||
        placement.workload.task != Task::inference) {
        return "";
    }
    std::string words = fmt::format("{} step{}", batch.steps, batch.steps == 1 ? "" : "s");
    if (batch.image_size > 0) {
        words += batch.image_height > 0
                     ? fmt::format(", {} x {} px", batch.image_size, batch.image_height)
                     : fmt::format(", {} px", batch.image_size);
    }
    return words + (batch.frames > 1 ? fmt::format(", {} frames", batch.frames) : "");
}

AnswerValue rate(std::string quantity, double value, const Interval& band, std::string unit) {
    const double low = band.high > 0 ? value / band.high : value;
    const double high = band.low > 0 ? value / band.low : value;
    return {std::move(quantity), low, value, high, std::move(unit), ""};
}

AnswerValue time_value(std::string quantity, Seconds value, const Interval& band, std::string unit,
                       double scale) {
    const double seconds = value / second / scale;
    return {std::move(quantity),
            seconds * (band.low > 0 ? band.low : 1),
            seconds,
            seconds * (band.high > 0 ? band.high : 1),
            std::move(unit),
            ""};
}

std::string ranged(const AnswerValue& value, std::string_view unit) {
    return fmt::format("{} {} ({} to {})", figure_words(*value.mid), unit, figure_words(*value.low),
                       figure_words(*value.high));
}

std::string lasts(const AnswerValue& value) {
    return format_duration_range(*value.mid, *value.low, *value.high);
}

bool counts_images(const Architecture& architecture) {
    // Nodes of a graph and rows of a table are written as pictures of one point.
    return architecture.reads_images() || architecture.kind == ModelKind::diffusion ||
           (architecture.kind == ModelKind::image && usual_image_size(architecture) != 1);
}

std::string room_words(const Reading& reading, const Placement& placement) {
    const std::string& stored = placement.workload.quantization.name;
    std::string words;
    const bool chosen = reading.quantization.empty() && reading.compute.empty() &&
                        placement.workload.task == Task::inference && !stored.empty() &&
                        is_tried_type(stored);
    const bool unsaid = reading.quantization.empty() && reading.compute.empty() &&
                        placement.workload.task == Task::inference && !reading.counts_samples &&
                        (stored.empty() || stored == "none");
    const Serving serving = placement.workload.serving.value_or(Serving{});
    if (serving.host_expert_layers > 0) {
        words = fmt::format(" in {0}, routed experts of {1} layers on the host (--n-cpu-moe {1}),",
                            stored, serving.host_expert_layers);
    } else if (serving.gpu_layers) {
        words = fmt::format(" in {}, {} of {} layers on the card and the others on the host,",
                            stored, *serving.gpu_layers, placement.architecture.text().layers);
    } else if (chosen) {
        // What people run at home is no narrower for want of room.
        const bool usual = std::ranges::any_of(reading.assumed, [&](const AssumedField& each) {
            return each.field == "quantization" && each.value == stored;
        });
        const std::string room =
            serving.concurrency > 1
                ? fmt::format(" (16-bit weights do not fit beside {:g} requests)",
                              serving.concurrency)
                : " (16-bit weights do not fit)";
        words = " in " + stored + (usual ? "" : room);
    } else if (unsaid) {
        words = " in 16-bit weights";
    }
    return words;
}

void lead_with_lack(const Placement& placement, Answer& reply) {
    const MemoryEstimate& memory = placement.estimate.memory;
    if (!memory.fits) {
        reply.headline = fmt::format(
            "It does not fit: {} are needed{}, {} are there. With room enough: {}",
            format_gib(memory.process / gibibyte), placement.cluster.count > 1 ? " on each" : "",
            format_gib((memory.capacity - memory.unclaimed) / gibibyte), reply.headline);
    } else if (verdict_of(memory) == "barely" && reply.verdict.empty()) {
        reply.headline =
            fmt::format("It barely fits, {} of {}{}: {}", format_gib(memory.process / gibibyte),
                        format_gib((memory.capacity - memory.unclaimed) / gibibyte),
                        placement.cluster.count > 1 ? " on each" : "", reply.headline);
    }
}

}  // namespace ridgeline
