#include "advise/answer.h"
#include "advise/plans.h"
#include "advise/waiting.h"
#include "base/number.h"
#include "base/order.h"
#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>

// Replies to comparisons of engines, methods, types of weights and models on one cluster.

namespace ridgeline {
namespace {

/// One of the values that are compared on one cluster.
struct Variant {
    std::string value;
    std::optional<Placement> placed;
    double rate = 0;
    double gib = 0;
};

Reading with_value(const Reading& reading, const std::string& value) {
    Reading one = reading;
    if (reading.alternatives_of == "tensor") {
        one.tensor = static_cast<int>(number_with_suffix(value.substr(2)).value_or(1));
        return one;
    }
    (reading.alternatives_of == "framework" ? one.framework
     : reading.alternatives_of == "method"  ? one.method
     : reading.alternatives_of == "model"   ? one.model
     : reading.alternatives_of == "sharding" ? one.sharding
     : reading.alternatives_of == "network" ? one.network
     : reading.alternatives_of == "compute" ? one.compute
                                            : one.quantization) = value;
    return one;
}

std::vector<Variant> variants_on(const Reading& reading,
                                 const Cluster& cluster,
                                 const AnswerTools& tools,
                                 std::optional<Error>& problem) {
    std::vector<Variant> variants;
    for (const std::string& value : reading.alternatives) {
        const Reading one = with_value(reading, value);
        WorkloadDocument document = query_of(one, reading.task.value_or(Task::inference)).workload;
        const auto architecture = tools.architecture(document);
        auto placed = architecture ? tools.place(document, *architecture, cluster)
                                   : Result<Placement>(tl::unexpected(architecture.error()));
        const std::string wide = reading.compute.empty() ? "bf16" : reading.compute;
        Variant variant{value == "none" ? wide : value, {}, 0, 0};
        if (placed) {
            let_requests_wait(tools.knowledge, document, cluster, nullptr, *placed);
            const TimeEstimate& time = placed->estimate.time;
            variant.rate =
                time.tokens_per_second > 0 ? time.tokens_per_second : time.samples_per_second;
            variant.gib = placed->estimate.memory.process / gibibyte;
            variant.placed = std::move(*placed);
        } else {
            problem = problem ? problem : std::optional(placed.error());
        }
        variants.push_back(std::move(variant));
    }
    return variants;
}

}  // namespace

Result<Answer> reply_compare_values(const Reading& reading,
                              const Query& query,
                              const AnswerTools& tools) {
    const Catalog& catalog = tools.knowledge.catalog;
    std::vector<Cluster> clusters = clusters_of(reading, query, catalog);
    const bool named = !clusters.empty();
    if (!named) {
        const Accelerator* usual = catalog.accelerator("h100-sxm5-80gb");
        for (int count = 1; usual != nullptr && count <= cards_of_a_server; count *= 2) {
            clusters.push_back(make_cluster(catalog, *usual, count, 0, nullptr));
        }
    }
    std::vector<Variant> best;
    std::optional<Error> problem;
    const auto fitting = [](const std::vector<Variant>& variants) {
        return std::count_if(variants.begin(), variants.end(), [](const Variant& each) {
            return each.placed && each.placed->estimate.memory.fits;
        });
    };
    for (const Cluster& cluster : clusters) {
        auto variants = variants_on(reading, cluster, tools, problem);
        if (best.empty() || fitting(variants) > fitting(best)) {
            best = std::move(variants);
        }
    }
    // Where one does not hold it and no number was said, the fewest that do tell the values apart.
    for (int count = 2; named && !reading.count && fitting(best) == 0 && count <= cards_of_a_server; count *= 2) {
        for (const Cluster& cluster : clusters) {
            const Cluster more = make_cluster(catalog, *cluster.accelerator, count, 0, nullptr);
            auto variants = variants_on(reading, more, tools, problem);
            if (fitting(variants) > fitting(best)) {
                best = std::move(variants);
            }
        }
    }
    std::erase_if(best, [](const Variant& each) { return !each.placed; });
    if (best.size() < 2) {
        return tl::unexpected(problem.value_or(Error{
            ErrorKind::input, "question", "fewer than two of what is compared are known", ""}));
    }
    const Cluster& on = best.front().placed->cluster;
    stable_order(best.begin(), best.end(), [](const Variant& a, const Variant& b) {
        return std::pair(a.placed->estimate.memory.fits, a.rate) >
               std::pair(b.placed->estimate.memory.fits, b.rate);
    });
    Answer reply;
    AnswerChoice choice;
    choice.accelerator = on.accelerator->id;
    choice.count = on.count;
    choice.why = best.front().value;
    reply.choice = choice;
    const bool text = best.front().placed->estimate.time.tokens_per_second > 0;
    for (const Variant& each : best) {
        reply.values.push_back(
            {"speed", {}, each.rate, {}, text ? "tokens/s" : "samples/s", each.value});
        reply.values.push_back({"memory", {}, each.gib, {}, "GiB", each.value});
    }
    const Variant& first = best.front();
    const Variant& second = best[1];
    const std::string where =
        fmt::format("{}{} x {}",
                    reading.alternatives_of == "model" ? "on " : "for " + reading.model + " on ",
                    on.count,
                    on.accelerator->name);
    const bool degrees = reading.alternatives_of == "tensor";
    const auto room = [degrees](const Variant& each) {
        // Fewer cards to a copy leave room for more copies: all of them together are faster, one alone slower.
        const double token_s = each.placed->estimate.time.tpot / ridgeline::second;
        return fmt::format("{} needs {} on each{}{}",
                           each.value,
                           format_gib(each.gib),
                           degrees && token_s > 0
                               ? fmt::format(" and writes a request's token every {}", format_duration(token_s))
                               : "",
                           each.placed->estimate.memory.fits ? "" : ", which does not fit");
    };
    reply.headline =
        fmt::format("{} {} ({} against {} {}); {}, {}.",
                    faster_words(first.value, second.value, first.rate / std::max(second.rate, 1e-9)),
                    where,
                    figure_words(first.rate),
                    figure_words(second.rate),
                    text ? "tokens/s" : "samples/s",
                    room(first),
                    room(second));
    return reply;
}

}  // namespace ridgeline
