#include "advise/models_that_fit.h"

#include "advise/reading/best_model.h"
#include "base/text.h"
#include "estimate/families/transformer/parameters.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

// Replies about the largest model that fits, of a family or of any size.

namespace ridgeline {
namespace {

/// Sizes that are tried lie 4 % apart, from 0.1 billion on.
double size_at(double index) {
    return 0.1e9 * std::pow(1.04, index);
}

double largest_model(const WorkloadDocument& document,
                     const Cluster& cluster,
                     const AnswerTools& tools) {
    const auto fits = [&](double index) {
        WorkloadDocument trial = document;
        trial.model_id = fmt::format("{:.3g}B", size_at(index) / 1e9);
        const auto architecture = tools.architecture(trial);
        const auto placed = architecture ? tools.place(trial, *architecture, cluster)
                                         : Result<Placement>(tl::unexpected(architecture.error()));
        return placed && placed->estimate.memory.fits;
    };
    double low = 0;
    double high = 260;  // 2.7 trillion
    if (!fits(low)) {
        return 0;
    }
    while (high - low > 1) {
        const double middle = std::floor((low + high) / 2);
        (fits(middle) ? low : high) = middle;
    }
    return size_at(low);
}

struct Use {
    Task task;
    std::string method, weights, words;
};

/// Ways to use a model, where the question leaves them open.
std::vector<Use> uses_of(const Reading& reading) {
    std::vector<Use> ways;
    const bool trains = reading.task == Task::train || (!reading.task && !reading.method.empty());
    if (trains && !reading.method.empty()) {
        const std::string words = reading.method == "full"    ? "full training"
                                  : reading.method == "lora"  ? "LoRA"
                                  : reading.method == "qlora" ? "QLoRA"
                                                              : reading.method;
        ways = {{Task::train, reading.method, "", words}};
    } else if (trains) {
        ways = {{Task::train, "qlora", "", "QLoRA"},
                {Task::train, "lora", "", "LoRA"},
                {Task::train, "full", "", "full training"}};
    } else if (!reading.quantization.empty() || !reading.compute.empty()) {
        ways = {{Task::inference, "", "", "serving"}};
    } else {
        ways = {{Task::inference, "", "q4_k_m", "serving in 4 bits"},
                {Task::inference, "", "none", "serving in 16 bits"}};
        if (!reading.task) {
            ways.push_back({Task::train, "qlora", "", "QLoRA"});
        }
    }
    return ways;
}

}  // namespace

Result<Answer> largest_of_family(const Reading& reading,
                                 const Cluster& cluster,
                                 const AnswerTools& tools) {
    struct Member {
        std::string id;
        double parameters;
        double release;
    };
    std::vector<Member> members;
    for (const std::string& id : reading.family_models) {
        WorkloadDocument document;
        document.model_id = id;
        const auto architecture = tools.architecture(document);
        if (architecture && !architecture->stacks.empty()) {
            members.push_back({id, static_cast<double>(count_parameters(*architecture).total),
                               ridgeline::reading::version_of(ridgeline::reading::model_pieces(id))});
        }
    }
    std::stable_sort(members.begin(), members.end(), [](const Member& a, const Member& b) {
        return a.parameters > b.parameters;
    });
    Answer reply;
    AnswerChoice choice;
    choice.accelerator = cluster.accelerator->id;
    choice.count = cluster.count;
    reply.choice = choice;
    std::string words;
    for (const Use& way : uses_of(reading)) {
        constexpr double nearly = 0.9;  // of the parameters
        const Member* best = nullptr;
        std::string memory;
        for (const Member& member : members) {
            if (best != nullptr && (member.parameters < nearly * best->parameters ||
                                    member.release <= best->release)) {
                continue;
            }
            Reading one = reading;
            one.task = way.task;
            one.method = way.method;
            one.model = member.id;
            one.quantization = way.weights.empty() ? reading.quantization : way.weights;
            WorkloadDocument document = query_of(one).workload;
            const auto architecture = tools.architecture(document);
            const auto placed = architecture ? tools.place(document, *architecture, cluster)
                                             : Result<Placement>(tl::unexpected(architecture.error()));
            const bool serves = way.task == Task::inference;
            const auto pace = [&] { return placed->estimate.time.tpot / second; };
            if (placed && placed->estimate.memory.fits &&
                !(serves && reading.tpot_s && pace() > *reading.tpot_s)) {
                best = &member;
                memory = fmt::format("{}{:.1f} of {:.1f} GiB{}",
                                     verdict_of(placed->estimate.memory) == "barely" ? "barely: " : "",
                                     placed->estimate.memory.process / gibibyte,
                                     placed->estimate.memory.capacity / gibibyte,
                                     serves && pace() > 0
                                         ? fmt::format(", {} tokens/s", figure_words(1 / pace()))
                                         : "");
            }
        }
        words += words.empty() ? " " : ", ";
        words += best != nullptr ? fmt::format("{} for {} ({})", best->id, way.words, memory)
                                 : fmt::format("none for {}", way.words);
        reply.values.push_back({"model",
                                {},
                                best != nullptr ? best->parameters : 0,
                                {},
                                "parameters",
                                best != nullptr ? best->id : way.words});
    }
    reply.headline = fmt::format("The largest {} that {} x {} hold{}:{}.",
                                 reading.family,
                                 cluster.count,
                                 cluster.accelerator->name,
                                 cluster.count == 1 ? "s" : "",
                                 words);
    return reply;
}

Result<Answer> largest_models(const Reading& reading,
                              const Cluster& cluster,
                              const AnswerTools& tools) {
    const std::vector<Use> ways = uses_of(reading);
    Answer reply;
    AnswerChoice choice;
    choice.accelerator = cluster.accelerator->id;
    choice.count = cluster.count;
    reply.choice = choice;
    reply.headline = fmt::format(
        "{} x {} hold{}", cluster.count, cluster.accelerator->name, cluster.count == 1 ? "s" : "");
    for (const Use& way : ways) {
        Reading one = reading;
        one.task = way.task;
        one.method = way.method;
        if (!way.weights.empty()) {
            one.quantization = way.weights;
        }
        double size = largest_model(query_of(one).workload, cluster, tools);
        if (size <= 0 && way.weights == "q4_k_m") {
            one.quantization = "awq-int4";  // llama.cpp spans no such cluster
            size = largest_model(query_of(one).workload, cluster, tools);
        }
        // Engines part a layer over two, four or eight cards, never over twelve.
        const int fewer = static_cast<int>(std::bit_floor(static_cast<unsigned>(cluster.count)));
        const bool uneven = size <= 0 && fewer < cluster.count;
        if (uneven) {
            const Cluster part =
                make_cluster(tools.knowledge.catalog, *cluster.accelerator, fewer, 0, nullptr);
            for (const std::string& weights : {way.weights, std::string("awq-int4")}) {
                one.quantization = size > 0 ? one.quantization : weights;
                size = size > 0 ? size : largest_model(query_of(one).workload, part, tools);
                if (way.weights != "q4_k_m") {
                    break;
                }
            }
        }
        reply.values.push_back({"model", {}, size, {}, "parameters", way.words});
        reply.headline += fmt::format("{} {} parameters for {}{}",
                                      reply.values.size() == 1 ? "" : ",",
                                      size > 0 ? format_count(size) : "no",
                                      way.words,
                                      uneven && size > 0 ? fmt::format(" (on {} of them)", fewer) : "");
    }
    reply.headline += " (dense models; larger ones lack memory).";
    return reply;
}

}  // namespace ridgeline
