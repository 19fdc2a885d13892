#include "advise/comparisons/variants.h"

#include "advise/hardware/cluster.h"
#include "advise/hardware/fabric_words.h"
#include "advise/placement/waiting.h"
#include "advise/stacks/lean.h"
#include "advise/stacks/stored_weights.h"
#include "base/text.h"
#include "spec/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

// Engines, links, methods, types of weights and models that are compared, each placed on the same
// cluster.

namespace ridgeline {

bool weighs_copies(const Reading& reading) {
    return reading.alternatives_of == "tensor" &&
           std::ranges::find(reading.alternatives, "dp0") != reading.alternatives.end();
}

bool alike_in_steps(const Reading& reading) {
    return reading.alternatives_of == "method" && reading.task == Task::train && !reading.batch &&
           !reading.micro_batch && asks(reading, "memory");
}

namespace {

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
    if (reading.alternatives_of == "method") {
        one.method = reading.method;
        take_method(one, value);
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
        words.inside = value == "pcie-p2p"               ? FabricWords::Inside::pcie_peers
                       : value != "pcie"                 ? FabricWords::Inside::scale_up
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

/// Where links are weighed for a training that the cards do not hold: with its weights in the
/// host's memory, as it is run on them; nothing where that does not fit either.
std::optional<Placement> placed_from_host(const WorkloadDocument& document,
                                          const Architecture& architecture, const Cluster& cluster,
                                          const AnswerTools& tools) {
    for (const LeanWay& way :
         lean_ways(tools.knowledge.profiles, document, architecture, cluster.count)) {
        auto placed = way.on_host ? tools.place(way.document, architecture, cluster)
                                  : Result<Placement>(tl::unexpected(Error{}));
        if (placed && placed->estimate.memory.fits) {
            return std::move(*placed);
        }
    }
    return std::nullopt;
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
        // Where room alone is asked for, the least that a step needs; methods beside each other in
        // the same steps: what fills the card with its own tells nothing of them.
        const bool shards_alone = asks(reading, "memory") && document.task == Task::train &&
                                  !reading.batch && !reading.micro_batch &&
                                  reading.alternatives_of == "sharding";
        if (shards_alone || alike_in_steps(reading)) {
            document.micro_batch = 1;
            document.recompute = document.recompute.value_or(RecomputeMode::full);
        }
        if (architecture) {
            document = weighed_document(reading, document, *architecture, joined, tools);
            document.quantization = stored.empty() ? document.quantization : stored;
        }
        auto placed = architecture ? tools.place(document, *architecture, joined)
                                   : Result<Placement>(tl::unexpected(architecture.error()));
        const bool joins =
            reading.alternatives_of == "link" || reading.alternatives_of == "network";
        bool from_host = false;
        if (joins && placed && !placed->estimate.memory.fits) {
            if (auto leaner = placed_from_host(document, *architecture, joined, tools)) {
                placed = std::move(*leaner);
                from_host = true;
            }
        }
        const std::string wide = reading.compute.empty() ? "bf16" : reading.compute;
        const bool way = reading.alternatives_of == "tensor";
        Variant variant{value == "none" ? wide
                        : way           ? way_words(value, cluster.count)
                                        : value,
                        {},
                        0,
                        0};
        variant.from_host = from_host;
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

}  // namespace

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

}  // namespace ridgeline
