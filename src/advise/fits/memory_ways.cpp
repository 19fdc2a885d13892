#include "advise/fits/memory_ways.h"

#include "advise/fits/replies.h"
#include "advise/hardware/cluster.h"
#include "advise/hardware/offers.h"
#include "advise/stacks/usual.h"
#include "base/text.h"
#include "estimate/families/families.h"
#include "spec/words.h"

#include <algorithm>

// The ways of running a model that answers about memory have figures of, each placed as people run
// it.

namespace ridgeline {

std::string words_of(const Way& way, const Reading& reading, const Placement& placed) {
    if (way.task == Task::train) {
        return way.method.empty()                                               ? "training"
               : algorithm_named(way.method) && algorithm_named(reading.method) ? way.method
               : algorithm_named(way.method) ? way.method + " (" + reading.method + ")"
               : !reading.algorithm.empty()  ? reading.algorithm + " (" + way.method + ")"
               : way.method == "full"        ? std::string("full training")
                                             : way.method;
    }
    const std::string& weights = placed.workload.quantization.name;
    return "serving in " + (weights.empty() || weights == "none"
                                ? std::string(name_of(placed.workload.weights))
                                : weights);
}

double most_of(const MemoryEstimate& memory, std::string_view name) {
    double most = 0;
    for (const Instant& instant : memory.instants) {
        double here = 0;
        for (const Component& component : instant.components) {
            const std::string_view rest =
                component.name.starts_with(name) ? component.name.substr(name.size()) : "-";
            here += rest.empty() || rest.front() == '.' ? component.size / gibibyte : 0;
        }
        most = std::max(most, here);
    }
    return most;
}

const Accelerator* most_memory_of(const std::string& maker, const Catalog& catalog) {
    const Accelerator* most = nullptr;
    for (const Accelerator& each : catalog.accelerators) {
        const bool theirs = lower(each.vendor) == maker && each.kind != "cpu";
        most = theirs && (most == nullptr || each.capacity() > most->capacity()) ? &each : most;
    }
    return most;
}

Cluster counted_on(const Reading& reading, const Catalog& catalog) {
    std::vector<const Accelerator*> forms;
    for (const std::string& id : reading.accelerators) {
        forms.push_back(catalog.accelerator(id));
    }
    std::erase(forms, nullptr);
    if (forms.empty() && !reading.framework.empty() && reading.vendors.size() == 1) {
        forms.push_back(most_memory_of(reading.vendors.front(), catalog));
        std::erase(forms, nullptr);
    }
    const Accelerator* part =
        forms.empty() ? catalog.accelerator("h100-sxm5-80gb") : most_listed(catalog, forms);
    part = part == nullptr ? &catalog.accelerators.front() : part;
    return make_cluster(catalog, *part, reading.count.value_or(1), 0, nullptr);
}

namespace {

/// Under the usual stack that takes least, where training names none: speed is not asked about.
Result<Placement> least_placed(const WorkloadDocument& document, const Architecture& architecture,
                               const Cluster& cluster, const AnswerTools& tools) {
    const auto stacks = usual_software(tools.knowledge.profiles, document, architecture,
                                       *cluster.accelerator, cluster.count);
    if (document.task != Task::train || document.framework || stacks.size() < 2) {
        return tools.place(document, architecture, cluster);
    }
    std::optional<Result<Placement>> least;
    for (const SoftwareProfile* stack : stacks) {
        WorkloadDocument under = document;
        under.framework = stack->id;
        auto placed = tools.place(under, architecture, cluster);
        const bool less = placed && least && *least &&
                          placed->estimate.memory.process < (*least)->estimate.memory.process;
        if (!least || !*least || less) {
            least = std::move(placed);
        }
    }
    return *least;
}

}  // namespace

bool takes_least(const Way& way, const Reading& reading, const Architecture& architecture) {
    return way.task == Task::train && !reading.batch && !reading.micro_batch &&
           (architecture.kind != ModelKind::diffusion || way.method != "full");
}

Result<Placement> placed_way(const Way& way, const Reading& reading, const Cluster& cluster,
                             const AnswerTools& tools) {
    Reading one = reading;
    one.task = way.task;
    take_method(one, way.method);
    if (!way.weights.empty()) {
        one.quantization = way.weights;
    }
    WorkloadDocument document = query_of(one).workload;
    // PEFT prepares quantised weights with checkpointing (use_gradient_checkpointing=True), TRL's
    // trainers of preferences have it on, and so have Unsloth's notebooks.
    const SoftwareProfile* stack =
        tools.knowledge.profiles.software_profile(document.framework.value_or(""));
    const bool recomputes = stack != nullptr && stack->support.checkpoints_on_host;
    if (way.task == Task::train &&
        (one.method == "qlora" || !one.algorithm.empty() || recomputes) &&
        !reading.keep_activations) {
        document.recompute = document.recompute.value_or(RecomputeMode::full);
    }
    const auto architecture = tools.architecture(document);
    if (!architecture) {
        return tl::unexpected(architecture.error());
    }
    if (takes_least(way, reading, *architecture)) {
        // Recipes of networks other than transformers compute nothing again.
        const bool network =
            has_program(*architecture) && architecture->kind != ModelKind::diffusion;
        train_on_one_sample(document, network);
        train_as_networks_do(document, *architecture, cluster.count);
        // What writes its own answers keeps the cache of as many as run at once: at least those to
        // one prompt on each.
        constexpr int usual_answers = 8;
        if (one.algorithm == "grpo" || one.algorithm == "ppo") {
            const int answers = one.group.value_or(one.algorithm == "grpo" ? usual_answers : 1);
            document.global_batch = document.global_batch.value_or(answers * cluster.count);
        }
    }
    // Guides to tuning models of text have checkpointing on, whatever the batch: more samples never
    // take less.
    if (way.task == Task::train && architecture->kind == ModelKind::decoder &&
        !reading.keep_activations && (reading.batch || reading.micro_batch)) {
        document.recompute = document.recompute.value_or(RecomputeMode::full);
    }
    if (reading.batch) {
        take_named_batch(document, reading, *architecture, cluster.count);
        if (architecture->kind == ModelKind::decoder && document.micro_batch &&
            !document.preference) {
            document.global_batch.reset();  // steps may gather more of them, as where none is named
        }
        train_as_networks_do(document, *architecture, cluster.count);
    }
    const bool pictures = architecture->kind == ModelKind::diffusion;
    if (!way.weights.empty() && pictures) {
        document.quantization =
            way.weights == "q8_0" ? "fp8" : way.weights;  // as they are handed on
    }
    if (!way.weights.empty() && has_program(*architecture) && !pictures) {
        return input_error("quantization", "files of quantised weights hold transformers", "");
    }
    return least_placed(document, *architecture, cluster, tools);
}

void train_as_networks_do(WorkloadDocument& document, const Architecture& architecture,
                          int accelerators) {
    // Vision transformers see patches of a fixed number, and a batch of them as CNNs do; so do
    // encoders of their texts.
    const bool whole = architecture.kind == ModelKind::encoder ||
                       (architecture.stacks.size() == 1 && architecture.text().tokens > 0);
    if (document.task != Task::train || !(has_program(architecture) || whole) ||
        architecture.kind == ModelKind::diffusion) {
        return;
    }
    document.recompute = document.recompute.value_or(RecomputeMode::none);
    if (document.global_batch && !document.micro_batch) {
        document.micro_batch = std::max(1, *document.global_batch / std::max(1, accelerators));
    }
}

void take_named_batch(WorkloadDocument& document, const Reading& reading,
                      const Architecture& architecture, int accelerators) {
    constexpr int most_at_once = 32;  // of texts more are gathered in steps
    int each = reading.batch ? std::max(1, *reading.batch / std::max(1, accelerators)) : 0;
    for (int parts = 2; architecture.kind == ModelKind::decoder && each > most_at_once; ++parts) {
        const int all = *reading.batch / std::max(1, accelerators);
        each = all % parts == 0 ? all / parts : all / parts <= 1 ? 1 : each;
    }
    if (each > 0 && document.task == Task::train && !document.micro_batch && !document.preference) {
        document.micro_batch = each;
    }
}

void train_on_one_sample(WorkloadDocument& document, bool keeps) {
    document.micro_batch = document.micro_batch.value_or(1);
    document.recompute =
        keeps ? document.recompute : document.recompute.value_or(RecomputeMode::full);
}

}  // namespace ridgeline
