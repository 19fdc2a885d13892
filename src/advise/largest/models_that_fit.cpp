#include "advise/largest/models_that_fit.h"

#include "advise/figure_words.h"
#include "advise/fits/replies.h"
#include "advise/hardware/cluster.h"
#include "advise/largest/in_time.h"
#include "advise/largest/named.h"
#include "advise/placement/largest.h"
#include "advise/reading/models/best_model.h"
#include "advise/reading/models/model_words.h"
#include "advise/stacks/lean.h"
#include "base/order.h"
#include "base/text.h"
#include "estimate/families/transformer/parameters.h"
#include "spec/hardware_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <set>
#include <vector>

// Replies about the largest model that fits, of a family or of any size.

namespace ridgeline {

double size_of_index(double index) { return 0.1e9 * std::pow(1.04, index); }

std::string model_of_size(double parameters) {
    const double billions = parameters / 1e9;
    return billions < 1000 ? fmt::format("{:.3g}B", billions) : fmt::format("{:.0f}B", billions);
}

void want_least(WorkloadDocument& trial, const Reading& reading, double parameters) {
    if (trial.task != Task::train) {
        return;
    }
    if (trial.method == Method::full && reading.tokens_per_parameter) {
        trial.duration_tokens = parameters * *reading.tokens_per_parameter;
    }
    if (!trial.preference && !reading.batch && !reading.micro_batch) {
        train_on_one_sample(trial, reading.keep_activations);
    }
}

Result<Placement> placed_to_fit(const WorkloadDocument& document, const Architecture& architecture,
                                const Cluster& cluster, const AnswerTools& tools,
                                std::string& with) {
    auto usual = tools.place(document, architecture, cluster);
    if (!usual || usual->estimate.memory.fits) {
        return usual;
    }
    for (const LeanWay& way :
         lean_ways(tools.knowledge.profiles, document, architecture, cluster.count)) {
        auto lean = tools.place(way.document, architecture, cluster);
        if (!way.on_host && lean && lean->estimate.memory.fits) {
            with = " with " + way.words;
            return lean;
        }
    }
    return usual;
}

namespace {

/// So many accelerators, and the powers of two below them: engines part a layer over two, four or
/// eight, never over twelve, and a small model not over hundreds. More of them never hold less.
std::vector<int> parts_of_count(int count) {
    std::vector<int> list = {count};
    for (int part = static_cast<int>(std::bit_floor(static_cast<unsigned>(count))); part > 0;
         part /= 2) {
        if (part < count) {
            list.push_back(part);
        }
    }
    return list;
}

struct Held {
    double parameters = 0;
    int count = 0;                  ///< of the accelerators
    std::optional<LeanWay> lean{};  ///< what has to be chosen for so many
    double usual = 0;               ///< parameters without it
    double sure = 0;                ///< parameters that fit at the high end of the estimate too
    std::string sure_by{};          ///< the way that holds those, where it is another
    bool more_on_host = false;      ///< larger ones train with their weights in host memory

    void keep_surer(const Held& other) {
        if (other.sure > sure) {
            sure = std::min(other.sure, parameters);
            sure_by = !other.sure_by.empty() ? other.sure_by
                      : other.lean           ? other.lean->words
                                             : "the usual stack";
        }
    }
};

void want_size(WorkloadDocument& trial, const Reading& reading, double parameters) {
    trial.model_id = model_of_size(parameters);
    want_least(trial, reading, parameters);
}

Held held_by(const WorkloadDocument& document, const Reading& reading, const Cluster& cluster,
             const AnswerTools& tools) {
    std::vector<Cluster> clusters;
    for (const int count : parts_of_count(cluster.count)) {
        clusters.push_back(
            count == cluster.count
                ? cluster
                : make_cluster(tools.knowledge.catalog, *cluster.accelerator, count, 0, nullptr));
    }
    const Query wanted = pace_wanted(reading);
    int used = 0;
    bool surely = false;
    const auto fits = [&](double index) {
        WorkloadDocument trial = document;
        want_size(trial, reading, size_of_index(index));
        const auto architecture = tools.architecture(trial);
        if (!architecture) {
            return false;
        }
        return std::any_of(clusters.begin(), clusters.end(), [&](const Cluster& on) {
            const auto placed = tools.place(trial, *architecture, on);
            const bool holds = placed && placed->estimate.memory.fits &&
                               (trial.task == Task::train ||
                                soon_enough(wanted, placed->workload, placed->estimate.time,
                                            surely ? placed->ttft_band.high : 1,
                                            surely ? placed->tpot_band.high : 1));
            if (surely) {
                return holds && verdict_of(placed->estimate.memory) == "yes";
            }
            used = holds ? on.count : used;
            return holds;
        });
    };
    const auto last = [&](double high) {
        double low = 0;
        while (high - low > 1) {
            const double middle = std::floor((low + high) / 2);
            (fits(middle) ? low : high) = middle;
        }
        return low;
    };
    if (!fits(0)) {
        return {};
    }
    Held held;
    const double most = last(largest_size_index + 1);
    held.parameters = size_of_index(most);
    held.count = used;
    surely = true;
    held.sure = fits(0) ? size_of_index(last(most + 1)) : 0;
    return held;
}

/// As the usual stacks hold it, or a leaner one that holds more.
Held largest_model(const WorkloadDocument& document, const Reading& reading, const Cluster& cluster,
                   const AnswerTools& tools) {
    constexpr double worth_a_change = 1.1;  // of the parameters
    Held held = held_by(document, reading, cluster, tools);
    held.usual = held.parameters;
    WorkloadDocument sized = document;
    want_size(sized, reading, size_of_index(0));
    const auto text = tools.architecture(sized);
    for (LeanWay& way : text ? lean_ways(tools.knowledge.profiles, document, *text, cluster.count)
                             : std::vector<LeanWay>{}) {
        if (way.on_host) {
            held.more_on_host = true;
            continue;
        }
        Held more = held_by(way.document, reading, cluster, tools);
        more.usual = held.usual;
        more.more_on_host = held.more_on_host;
        more.lean = way;
        const bool larger = more.parameters > worth_a_change * held.parameters;
        // What one way surely holds, is held, whichever holds the most.
        Held& other = larger ? held : more;
        (larger ? more : held).keep_surer(other);
        if (larger) {
            held = std::move(more);
        }
    }
    return held;
}

/// The same, where one of the cards alone may hold more: stacks of a single card share no model.
Held largest_on_any(const WorkloadDocument& document, const Reading& reading,
                    const Cluster& cluster, const AnswerTools& tools) {
    Held held = largest_model(document, reading, cluster, tools);
    if (cluster.count == 1 || document.task != Task::train) {
        return held;
    }
    const Cluster one = make_cluster(tools.knowledge.catalog, *cluster.accelerator, 1, 0, nullptr);
    const Held alone = largest_model(document, reading, one, tools);
    if (alone.sure > held.sure) {
        held.sure = std::min(alone.sure, held.parameters);
        held.sure_by = fmt::format("{} on one", alone.lean ? alone.lean->words : "the usual stack");
    }
    return held;
}

}  // namespace

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
    } else if (!reading.quantization.empty() || !reading.compute.empty() ||
               reading.family_of_networks) {
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

namespace {

/// " (47B surely; 34B without it)", of those that are told.
std::string in_brackets(const std::string& first, const std::string& second) {
    const bool both = !first.empty() && !second.empty();
    return first.empty() && second.empty()
               ? std::string()
               : fmt::format(" ({}{}{})", first, both ? "; " : "", second);
}

}  // namespace

namespace {

/// What memory alone holds, whatever its pace: of a mixture few weights are read for a token, so
/// that one far larger than the largest dense model may be as quick.
double room_for(Reading reading, const WorkloadDocument& document, const Cluster& cluster,
                const AnswerTools& tools) {
    reading.tpot_s.reset();
    reading.ttft_s.reset();
    reading.answer_s.reset();
    return largest_on_any(document, reading, cluster, tools).parameters;
}

}  // namespace

Result<Answer> largest_models(const Reading& reading, const Cluster& cluster,
                              const AnswerTools& tools) {
    const std::vector<Use> ways = uses_of(reading);
    Answer reply;
    Neighbours neighbours;
    bool more_on_host = false;
    const std::string target =
        ways.front().task == Task::inference ? target_words(pace_wanted(reading)) : std::string();
    reply.choice = AnswerChoice{.accelerator = cluster.accelerator->id, .count = cluster.count};
    reply.headline = fmt::format("{} hold{}", cards_words(cluster), cluster.count == 1 ? "s" : "");
    for (const Use& way : ways) {
        Reading one = reading;
        one.task = way.task;
        one.method = way.method;
        if (!way.weights.empty()) {
            one.quantization = way.weights;
        }
        Held held = largest_on_any(query_of(one).workload, reading, cluster, tools);
        if (way.weights == "q4_k_m" && held.count < cluster.count) {
            one.quantization = "awq-int4";  // llama.cpp spans no such cluster
            const Held served = largest_model(query_of(one).workload, reading, cluster, tools);
            held = served.parameters > held.parameters ? served : held;
        }
        const double size = held.parameters;
        more_on_host = more_on_host || held.more_on_host;
        if (reply.values.empty()) {
            const double room =
                target.empty() ? size : room_for(reading, query_of(one).workload, cluster, tools);
            neighbours =
                neighbours_of(one, size, room, held.lean ? &*held.lean : nullptr, cluster, tools);
        }
        const double sure = held.sure;
        reply.values.push_back({"model", sure, size, {}, "parameters", way.words});
        const std::string beside = in_brackets(
            sure >= size ? std::string()
                         : (sure > 0 ? format_count(sure) : "none") + " surely" +
                               (held.sure_by.empty() ? "" : " with " + held.sure_by),
            held.lean ? (held.usual > 0 ? format_count(held.usual) : "none") + " without it"
                      : std::string());
        reply.headline += fmt::format(
            "{} {}{} parameters for {}{}{}{}", reply.values.size() == 1 ? "" : ",",
            size >= size_of_index(largest_size_index) ? "more than " : "",
            size > 0 ? format_count(size) : "no", way.words,
            size > 0 && held.count < cluster.count ? fmt::format(" on {} of them", held.count) : "",
            held.lean ? " with " + held.lean->words : "", beside);
    }
    reply.headline +=
        fmt::format("{}: dense models; larger ones {}lack memory{}.{}", target,
                    target.empty() ? "" : "are slower or ",
                    more_on_host ? ", or keep their weights in the host's" : "", neighbours.words);
    if (ways.front().task == Task::train && reading.tpot_s) {
        reply.headline +=
            fmt::format(" The {:.3g} tokens/s asked are not held against it.", 1 / *reading.tpot_s);
    }
    if (!target.empty() && !neighbours.experts.empty()) {
        // A limit of pace is kept by larger mixtures: what is the largest is one of them.
        reply.headline = fmt::format("{} is the largest that {} run{}{}{}. {}", neighbours.experts,
                                     cards_words(cluster), cluster.count == 1 ? "s" : "", target,
                                     neighbours.figures, reply.headline);
        reply.values.insert(
            reply.values.begin(),
            {"model", {}, neighbours.experts_parameters, {}, "parameters", neighbours.experts});
    }
    return reply;
}

}  // namespace ridgeline
