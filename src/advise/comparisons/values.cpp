#include "advise/answers/answer.h"
#include "advise/comparisons/replies.h"
#include "advise/figure_words.h"
#include "advise/hardware/cluster.h"
#include "advise/hardware/fabric_words.h"
#include "advise/placement/waiting.h"
#include "advise/stacks/stored_weights.h"
#include "base/order.h"
#include "base/text.h"
#include "spec/hardware_names.h"
#include "spec/words.h"

#include <fmt/format.h>

#include <algorithm>

// Replies to comparisons of engines, links, methods, types of weights and models on one cluster.

namespace ridgeline {
namespace {

/// One of the values that are compared on one cluster.
struct Variant {
    std::string value;
    std::optional<Placement> placed;
    double rate = 0;
    double gib = 0;
};

/// The degree of "tp4" or "pp4"; of one that was not told all cards.
int degree_of(const std::string& way, int cards) {
    const std::string digits = way.substr(2, way.find("pp", 2) - 2);
    const int told = static_cast<int>(number_with_suffix(digits).value_or(0));
    return told > 0 ? told : cards;
}

/// The stages of "tp4pp2"; 0: none were told beside the tensor degree.
int stages_of(const std::string& way) {
    const std::size_t at = way.find("pp", 2);
    return at == std::string::npos
               ? 0
               : static_cast<int>(number_with_suffix(way.substr(at + 2)).value_or(0));
}

/// Whether a copy on each card is weighed against one that is spread over them.
bool weighs_copies(const Reading& reading) {
    return reading.alternatives_of == "tensor" &&
           std::ranges::find(reading.alternatives, "dp0") != reading.alternatives.end();
}

/// "tp2", "2 replicas".
std::string way_words(const std::string& value, int cards) {
    return value.starts_with("dp") ? fmt::format("{} replicas", cards)
           : stages_of(value) > 0  ? value
                                   : value.substr(0, 2) + std::to_string(degree_of(value, cards));
}

Reading with_value(const Reading& reading, const std::string& value, int cards) {
    Reading one = reading;
    if (reading.alternatives_of == "link") {
        return one;  // the cluster differs
    }
    if (reading.alternatives_of == "tensor") {
        if (weighs_copies(reading)) {
            one.pipeline = 1;
        }
        const bool stages = std::ranges::any_of(reading.alternatives, [](const std::string& each) {
            return each.starts_with("pp") || stages_of(each) > 0;
        });
        one.tensor = value.starts_with("tp") ? degree_of(value, cards) : 1;
        if (stages) {
            one.pipeline =
                value.starts_with("pp") ? degree_of(value, cards) : std::max(stages_of(value), 1);
        }
        return one;
    }
    (reading.alternatives_of == "framework"  ? one.framework
     : reading.alternatives_of == "method"   ? one.method
     : reading.alternatives_of == "model"    ? one.model
     : reading.alternatives_of == "sharding" ? one.sharding
     : reading.alternatives_of == "network"  ? one.network
     : reading.alternatives_of == "compute"  ? one.compute
                                             : one.quantization) = value;
    if (reading.alternatives_of == "method" && algorithm_named(value)) {
        one.algorithm = value;  // "ppo vs grpo"
    }
    if (one.model != reading.model) {
        one.stands_for.clear();  // what stands for the first model is no other's
    }
    // Beside FSDP: ZeRO's shards are DeepSpeed's.
    if (reading.alternatives_of == "sharding" && value.starts_with("zero") &&
        one.framework.empty() && one.method == "full") {
        one.framework = "deepspeed";
    }
    return one;
}

/// The cluster with its accelerators joined by the link that is compared; as it is where none is.
Cluster joined_by(const Reading& reading, const std::string& value, Cluster cluster,
                  const Catalog& catalog) {
    if (reading.alternatives_of == "link") {
        FabricWords words;
        // Modules without their links are no product: what PCIe alone would do is told all the
        // same.
        words.inside = value != "pcie"                   ? FabricWords::Inside::scale_up
                       : is_module(*cluster.accelerator) ? FabricWords::Inside::pcie_peers
                                                         : FabricWords::Inside::pcie;
        apply_fabric(cluster, catalog, words, cluster.per_node);
    }
    return cluster;
}

/// Where links are weighed, the widest weights that the cluster holds: nobody asks for the types.
WorkloadDocument weighed_document(const Reading& reading, const WorkloadDocument& document,
                                  const Architecture& architecture, const Cluster& cluster,
                                  const AnswerTools& tools) {
    if (reading.alternatives_of != "link" && reading.alternatives_of != "network") {
        return document;
    }
    const Accelerator* part = cluster.accelerator;
    const auto types =
        weights_to_try(document, architecture, std::span(&part, 1), tools.knowledge.profiles);
    return with_weights_that_fit(document, architecture, types, [&](const WorkloadDocument& trial) {
        const auto placed = tools.place(trial, architecture, cluster);
        return placed && placed->estimate.memory.fits;
    });
}

/// Whether methods of training are compared by their memory, and nobody said a batch: their speeds
/// are those of the best plan of each, as a run of each would have it.
bool alike_in_steps(const Reading& reading) {
    return reading.alternatives_of == "method" && reading.task == Task::train && !reading.batch &&
           !reading.micro_batch && asks(reading, "memory");
}

/// stored  the type of weights of all, where nobody said one; empty: as they are published
std::vector<Variant> variants_on(const Reading& reading, const std::string& stored,
                                 const Cluster& cluster, const AnswerTools& tools,
                                 std::optional<Error>& problem) {
    std::vector<Variant> variants;
    for (const std::string& value : reading.alternatives) {
        const Reading one = with_value(reading, value, cluster.count);
        WorkloadDocument document = query_of(one, reading.task.value_or(Task::inference)).workload;
        const auto architecture = tools.architecture(document);
        const Cluster joined = joined_by(reading, value, cluster, tools.knowledge.catalog);
        // Where room alone is asked for, the least that a step needs.
        if (asks(reading, "memory") && document.task == Task::train && !reading.batch &&
            !reading.micro_batch && reading.alternatives_of == "sharding") {
            document.micro_batch = 1;
            document.recompute = document.recompute.value_or(RecomputeMode::full);
        }
        // Methods beside each other in the same steps: what fills the card with its own tells
        // nothing of them.
        if (alike_in_steps(reading)) {
            document.micro_batch = 1;
            document.recompute = document.recompute.value_or(RecomputeMode::full);
        }
        if (architecture) {
            document = weighed_document(reading, document, *architecture, joined, tools);
            document.quantization = stored.empty() ? document.quantization : stored;
        }
        auto placed = architecture ? tools.place(document, *architecture, joined)
                                   : Result<Placement>(tl::unexpected(architecture.error()));
        const std::string wide = reading.compute.empty() ? "bf16" : reading.compute;
        const bool way = reading.alternatives_of == "tensor";
        Variant variant{value == "none" ? wide
                        : way           ? way_words(value, cluster.count)
                                        : value,
                        {},
                        0,
                        0};
        if (placed) {
            let_requests_wait(tools.knowledge, document, joined, nullptr, *placed);
            const TimeEstimate& time = placed->estimate.time;
            variant.rate = time.work_per_second();
            variant.gib = placed->estimate.memory.process / gibibyte;
            variant.placed = std::move(*placed);
        } else {
            problem = problem ? problem : std::optional(placed.error());
        }
        variants.push_back(std::move(variant));
    }
    return variants;
}

int fitting(const std::vector<Variant>& variants) {
    return static_cast<int>(std::ranges::count_if(variants, [](const Variant& each) {
        return each.placed && each.placed->estimate.memory.fits;
    }));
}

/// Models side by side in the widest weights that one and the same hardware holds of all of them,
/// where nobody said a type.
std::vector<Variant> models_on(const Reading& reading, const Cluster& cluster,
                               const AnswerTools& tools, std::string& stored,
                               std::optional<Error>& problem) {
    std::vector<Variant> variants = variants_on(reading, "", cluster, tools, problem);
    WorkloadDocument document =
        query_of(with_value(reading, reading.alternatives.front(), cluster.count),
                 reading.task.value_or(Task::inference))
            .workload;
    const auto architecture = tools.architecture(document);
    const auto all = static_cast<int>(reading.alternatives.size());
    if (fitting(variants) == all || !architecture ||
        !leaves_weights_open(document, *architecture)) {
        return variants;
    }
    const Accelerator* part = cluster.accelerator;
    for (const std::string_view type :
         weights_to_try(document, *architecture, std::span(&part, 1), tools.knowledge.profiles)) {
        auto narrower = variants_on(reading, std::string(type), cluster, tools, problem);
        if (fitting(narrower) == all) {
            stored = type;
            return narrower;
        }
    }
    return variants;
}

/// A network by what it is on this hardware: "ib-ndr" for what the slots of its hosts take.
std::string link_words(const Reading& reading, const Variant& variant) {
    if (reading.alternatives_of == "link") {
        return variant.value == "pcie" ? "PCIe" : "NVLink";
    }
    const Link& link = variant.placed->cluster.inter;
    return fmt::format("{} ({} GB/s each)", link.id.empty() ? variant.value : link.id,
                       figure_words(link.rate / gigabyte_per_second));
}

/// "full training of 70b", "llama-3.3-70b in q4_k_m".
std::string work_compared(const Reading& reading, const Variant& variant) {
    const Workload& work = variant.placed->workload;
    if (work.task != Task::inference) {
        static constexpr const char* deeds[] = {"full training of ", "LoRA of ", "QLoRA of "};
        return deeds[static_cast<std::size_t>(work.method)] + reading.model;
    }
    const std::string& weights = work.quantization.name;
    return reading.model + (weights.empty() || weights == "none" ? "" : " in " + weights);
}

/// What a link adds to the same hardware.
std::string link_headline(const Reading& reading, const std::vector<Variant>& variants,
                          const std::string& unit) {
    const auto named = std::ranges::find_if(
        variants, [&](const Variant& each) { return each.value == reading.alternatives.front(); });
    const Variant& asked = named == variants.end() ? variants.front() : *named;
    const Variant& other = &asked == &variants.front() ? variants[1] : variants.front();
    const Cluster& on = asked.placed->cluster;
    const std::string hardware = cards_words(on);
    const std::string work = work_compared(reading, asked);
    if (other.rate <= 0 || asked.rate <= 0 || !asked.placed->estimate.memory.fits) {
        return fmt::format("{} do not hold {}: {} on each of {}.", hardware, work,
                           format_gib(asked.gib),
                           format_gib(asked.placed->estimate.memory.capacity / gibibyte));
    }
    const double ratio = asked.rate / other.rate;
    constexpr double hardly = 1.03;
    const std::string rates =
        fmt::format("{} against {} {} on {}", figure_words(asked.rate), figure_words(other.rate),
                    unit, link_words(reading, other));
    const std::string subject = link_words(reading, asked);
    if (ratio < hardly && ratio > 1 / hardly) {
        return fmt::format("{} makes no difference that counts on {} for {}: {}.", subject,
                           hardware, work, rates);
    }
    return ratio > 1 ? fmt::format("{} makes {} {:.0f} % faster for {}: {}.", subject, hardware,
                                   100 * (ratio - 1), work, rates)
                     : fmt::format("{} costs {} {:.0f} % of their rate for {}: {}.", subject,
                                   hardware, 100 * (1 - ratio), work, rates);
}

/// Why the link that is asked about joins no such hardware; empty: it does.
std::string without_link(const Reading& reading, const Cluster& cluster) {
    if (reading.alternatives_of != "link") {
        return "";
    }
    const Accelerator& part = *cluster.accelerator;
    if (!part.has_nvlink() || part.scale_up.max_domain < 2 || !part.scale_up.rate) {
        return fmt::format("{} has no NVLink: {} of them talk over PCIe, whatever is bought",
                           part.name, cluster.count);
    }
    return cluster.count > part.scale_up.max_domain && !is_module(part)
               ? fmt::format(
                     "A bridge joins {} of {}: of {} the others are reached over PCIe, which sets "
                     "the pace",
                     part.scale_up.max_domain, part.name, cluster.count)
               : std::string();
}

/// The values on the first of the clusters where most of them fit.
///
/// named   hardware was: more of it may be tried where no number was said
/// stored  the type of weights that they are all given
std::vector<Variant> most_fitting(const Reading& reading, const std::vector<Cluster>& clusters,
                                  bool named, const AnswerTools& tools, std::string& stored,
                                  std::optional<Error>& problem) {
    std::vector<Variant> best;
    const bool narrows = reading.alternatives_of == "model" || weighs_copies(reading);
    for (const Cluster& cluster : clusters) {
        std::string narrowed;
        auto variants = narrows ? models_on(reading, cluster, tools, narrowed, problem)
                                : variants_on(reading, "", cluster, tools, problem);
        if (best.empty() || fitting(variants) > fitting(best)) {
            best = std::move(variants);
            stored = narrowed;
        }
    }
    // Where one does not hold it and no number was said, the fewest that do tell the values apart:
    // types of products in all of them, as what they are asked for is speed.
    const int wanted =
        reading.alternatives_of == "compute" && !reading.single ? static_cast<int>(best.size()) : 1;
    for (int count = 2;
         named && !reading.count && fitting(best) < wanted && count <= cards_of_a_server;
         count *= 2) {
        for (const Cluster& cluster : clusters) {
            const Cluster more =
                make_cluster(tools.knowledge.catalog, *cluster.accelerator, count, 0, nullptr);
            auto variants = variants_on(reading, "", more, tools, problem);
            if (fitting(variants) > fitting(best)) {
                best = std::move(variants);
            }
        }
    }
    return best;
}

}  // namespace

Result<Answer> reply_compare_values(const Reading& reading, const Query& query,
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
    const bool models = reading.alternatives_of == "model";
    std::optional<Error> problem;
    std::string stored;
    std::vector<Variant> best = most_fitting(reading, clusters, named, tools, stored, problem);
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
    reply.choice = AnswerChoice{
        .accelerator = on.accelerator->id, .count = on.count, .why = best.front().value};
    const std::string unit =
        best.front().placed->estimate.time.tokens_per_second > 0 ? "tokens/s" : "samples/s";
    for (const Variant& each : best) {
        reply.values.push_back({"speed", {}, each.rate, {}, unit, each.value});
        reply.values.push_back({"memory", {}, each.gib, {}, "GiB", each.value});
    }
    const std::string none = without_link(reading, on);
    if (!none.empty()) {
        const Variant& plain = best.front().value == "pcie" ? best.front() : best.back();
        reply.headline =
            plain.placed->estimate.memory.fits
                ? fmt::format("{}. They pass {} {} of {}.", none, figure_words(plain.rate), unit,
                              work_compared(reading, plain))
                : fmt::format("{}. They do not hold {}: it needs {} on each.", none,
                              work_compared(reading, plain), format_gib(plain.gib));
        return reply;
    }
    if (reading.alternatives_of == "link" ||
        (reading.alternatives_of == "network" && best.size() == 2)) {
        reply.headline = link_headline(reading, best, unit);
        return reply;
    }
    const Variant& first = best.front();
    const Variant& second = best[1];
    const std::string of_model = models ? "" : "for " + reading.model + " ";
    const std::string where =
        of_model + (stored.empty() ? "" : "in " + stored + " ") + "on " + cards_words(on);
    const bool degrees = reading.alternatives_of == "tensor";
    // What each does best in is not the same batch: more memory is not what the value takes.
    const bool batches = std::ranges::any_of(best, [&](const Variant& each) {
        const Workload& work = each.placed->workload;
        return work.task == Task::train &&
               work.batch.micro != best.front().placed->workload.batch.micro;
    });
    const auto room = [degrees, batches](const Variant& each) {
        // Fewer cards to a copy leave room for more copies: all of them together are faster, one
        // alone slower.
        const double token_s = each.placed->estimate.time.tpot / ridgeline::second;
        const bool several = each.value.ends_with("replicas");
        return fmt::format(
            "{} {} {} on each{}{}{}", each.value, several ? "need" : "needs", format_gib(each.gib),
            batches ? fmt::format(" at micro-batch {}", each.placed->workload.batch.micro) : "",
            degrees && token_s > 0
                ? fmt::format(" and {} a request's token every {}", several ? "write" : "writes",
                              format_duration(token_s))
                : "",
            each.placed->estimate.memory.fits ? "" : ", which does not fit");
    };
    std::string speeds = fmt::format(
        "{} {} ({} against {} {})",
        faster_words(first.value, second.value, first.rate / std::max(second.rate, 1e-9)), where,
        figure_words(first.rate), figure_words(second.rate), unit);
    std::string rooms = fmt::format("{}, {}", room(first), room(second));
    for (std::size_t i = 2; i < best.size(); ++i) {
        speeds += fmt::format(", {} {} {}", best[i].value, figure_words(best[i].rate), unit);
        rooms += ", " + room(best[i]);
    }
    const bool memory_asked = asks(reading, "memory") && !asks(reading, "value");
    reply.headline = memory_asked ? fmt::format("{}; {}.", rooms, speeds)
                                  : fmt::format("{}; {}.", speeds, rooms);
    const auto fits = [](const Variant& each) { return each.placed->estimate.memory.fits; };
    // Those that fit stand first.
    if (std::ranges::count_if(best, fits) == 1) {
        const double ratio = first.rate / std::max(second.rate, 1e-9);
        reply.headline = fmt::format(
            "Only {} fits {}: {}. It makes {} {}{}.", first.value, where, rooms,
            figure_words(first.rate), unit,
            ratio > 1.05 ? fmt::format(", {:.2g} times as fast as {} would be", ratio, second.value)
                         : "");
    }
    reply.headline +=
        alike_in_steps(reading) ? " Each takes one sample at once, layers computed again." : "";
    const double load = query.workload.serving ? query.workload.serving->concurrency : 0;
    if (weighs_copies(reading) && load > 0) {
        reply.headline += fmt::format(" That is with {:g} requests at once.", load);
    }
    return reply;
}

}  // namespace ridgeline
