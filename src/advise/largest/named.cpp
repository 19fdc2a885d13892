#include "advise/largest/named.h"

#include "advise/figure_words.h"
#include "advise/fits/host_split.h"
#include "advise/largest/in_time.h"
#include "advise/largest/models_that_fit.h"
#include "advise/placement/largest.h"
#include "advise/reading/models/best_model.h"
#include "advise/reading/models/model_words.h"
#include "advise/reading/words/names.h"
#include "advise/stacks/lean.h"
#include "base/order.h"
#include "base/text.h"
#include "estimate/families/transformer/parameters.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>
#include <vector>

namespace ridgeline {
namespace {

/// A model whose name is family, release and size.
struct NamedModel {
    std::string id;
    std::string family;
    double parameters = 0;
    double release = 0;
    std::ptrdiff_t sizes = 0;  ///< of its family
};

/// Whether it has a context as today's models have.
bool is_of_today(const NamedModel& model, const AnswerTools& tools) {
    WorkloadDocument document;
    document.model_id = model.id;
    const auto architecture = tools.architecture(document);
    return architecture && architecture->max_positions >= current_positions;
}

/// Those of the families with the most sizes that are of today: one of them is what people run.
std::vector<NamedModel> plainly_named(const AnswerTools& tools) {
    constexpr std::ptrdiff_t many_sizes = 10;
    std::vector<NamedModel> list;
    for (const std::string& id : tools.knowledge.profiles.model_ids) {
        const auto pieces = reading::model_pieces(id);
        const bool plain =
            pieces.size() > 1 && reading::is_size_piece(pieces.back()) &&
            std::all_of(pieces.begin() + 1, pieces.end() - 1, reading::is_version_piece);
        const auto size = plain ? number_with_suffix(pieces.back()) : std::nullopt;
        if (size) {
            list.push_back({id, pieces.front(), *size, reading::version_of(pieces)});
        }
    }
    for (NamedModel& each : list) {
        each.sizes = std::ranges::count_if(
            list, [&](const NamedModel& other) { return other.family == each.family; });
    }
    std::erase_if(list, [&](const NamedModel& each) {
        return each.sizes < many_sizes || !is_of_today(each, tools);
    });
    return list;
}

/// Of those between two sizes what most people take for one: its family has most sizes, then the
/// newest.
const NamedModel* usual_between(const std::vector<NamedModel>& list, double low, double high) {
    const NamedModel* best = nullptr;
    const auto order = [](const NamedModel& each) {
        return std::tuple(each.sizes, each.release, each.parameters);
    };
    for (const NamedModel& each : list) {
        const bool inside = each.parameters >= low && each.parameters <= high;
        best = inside && (best == nullptr || order(each) > order(*best)) ? &each : best;
    }
    return best;
}

struct Sized {
    std::string id;
    double parameters = 0;
    bool newer = false;    ///< a longer context than models had before 2024
    bool experts = false;  ///< of which some read a token
};

/// Models of text between two sizes whose weights anybody can download and that are of today, the
/// newer ones first, then the largest.
std::vector<Sized> runnable(const AnswerTools& tools, double from, double to) {
    std::vector<Sized> list;
    for (const std::string& id : tools.knowledge.profiles.model_ids) {
        WorkloadDocument document;
        document.model_id = id;
        const auto model = tools.architecture(document);
        const bool of_today = model && model->kind == ModelKind::decoder &&
                              !model->stacks.empty() && !model->hf_id.empty() &&
                              model->max_positions >= current_positions;
        const double size = of_today ? static_cast<double>(count_parameters(*model).total) : 0;
        if (size > from && size <= to) {
            list.push_back({id, size, model->max_positions > current_positions,
                            model->text().moe.has_value()});
        }
    }
    stable_order(list.begin(), list.end(), [](const Sized& a, const Sized& b) {
        return std::pair(a.newer, a.parameters) > std::pair(b.newer, b.parameters);
    });
    return list;
}

/// " The largest that people run: mistral-large-123b (19.1 of 23.5 GiB, 14 tokens/s), of experts
/// gpt-oss-120b (...)." of the profiles' models that can be downloaded and have a context as
/// today's models have, where they are larger than `told`, the largest that the answer names
/// already; empty: none is.
///
/// asked  the use, without a model
/// room   parameters of the largest dense model that fits at any pace
Neighbours largest_by_name(const Reading& asked, double room, double told, const Cluster& cluster,
                           const AnswerTools& tools) {
    constexpr double sparser = 1.25;  // experts keep less cache than a dense model of their size
    constexpr double worth_naming = 1.2;  // over what is named already
    const auto list = runnable(tools, worth_naming * told, sparser * room);
    const Query wanted = pace_wanted(asked);
    Neighbours named;
    std::string dense;
    std::string experts;
    for (const Sized& each : list) {
        Reading one = asked;
        one.model = each.id;
        WorkloadDocument document = query_of(one).workload;
        const auto architecture = tools.architecture(document);
        if (!architecture) {
            continue;
        }
        std::string& words = architecture->text().moe ? experts : dense;
        const auto placed = words.empty() ? tools.place(document, *architecture, cluster)
                                          : Result<Placement>(tl::unexpected(Error{}));
        if (placed && placed->estimate.memory.fits &&
            soon_enough(wanted, placed->workload, placed->estimate.time, 1, 1)) {
            const MemoryEstimate& memory = placed->estimate.memory;
            if (architecture->text().moe) {
                named.experts = each.id;
                named.experts_parameters = each.parameters;
            }
            const Seconds tpot = placed->estimate.time.tpot;
            words = fmt::format(
                "{} ({}{:.1f} of {:.1f} GiB{})", each.id,
                verdict_of(memory) == "barely" ? "barely: " : "", memory.process / gibibyte,
                (memory.capacity - memory.unclaimed) / gibibyte,
                tpot > Seconds{} ? fmt::format(", {} tokens/s", figure_words(second / tpot)) : "");
        }
        if (!dense.empty() && !experts.empty()) {
            break;
        }
    }
    if (!dense.empty() || !experts.empty()) {
        named.figures = experts.substr(std::min(experts.size(), named.experts.size()));
        named.words = fmt::format(" The largest that people run: {}{}{}.", dense,
                                  dense.empty() || experts.empty() ? "" : ", ",
                                  experts.empty() ? "" : "of experts " + experts);
    }
    return named;
}

}  // namespace

namespace {

/// "; with the weights in host memory qwen2.5-72b takes 20.1 of 23.7 GiB at 310 tokens/s", of
/// training that the cards alone do not hold; empty: it does not fit so either.
std::string held_on_host(const WorkloadDocument& document, const Architecture& architecture,
                         const std::string& id, const Cluster& cluster, const AnswerTools& tools) {
    for (const LeanWay& way :
         lean_ways(tools.knowledge.profiles, document, architecture, cluster.count)) {
        const auto placed = way.on_host ? tools.place(way.document, architecture, cluster)
                                        : Result<Placement>(tl::unexpected(Error{}));
        if (placed && placed->estimate.memory.fits) {
            const MemoryEstimate& memory = placed->estimate.memory;
            const double host = memory.host / gibibyte;
            return fmt::format("; with {} {} {} {:.1f} of {:.1f} GiB{} at {} tokens/s", way.words,
                               id, barely_fits(memory) ? "barely fits," : "takes",
                               memory.process / gibibyte,
                               (memory.capacity - memory.unclaimed) / gibibyte,
                               host > 0 ? fmt::format(" and {} of the host", format_gib(host)) : "",
                               figure_words(placed->estimate.time.tokens_per_second));
        }
    }
    return "";
}

}  // namespace

std::string shared_with_host(const Reading& asked, const Cluster& cluster,
                             const AnswerTools& tools) {
    constexpr double least_bytes = 0.5;  // of a weight in a file of four bits
    const double room =
        gibibyte.base() * asked.host_memory_gib.value_or(0) +
        cluster.count * (cluster.accelerator->visible_memory.value_or(Bytes{})).base();
    if (!asked.host_memory_gib || asked.task == Task::train) {
        return "";
    }
    std::string dense;
    std::string experts;
    for (const Sized& each : runnable(tools, 0, room / least_bytes)) {
        std::string& words = each.experts ? experts : dense;
        if (!words.empty() || (asked.experts_only && !each.experts)) {
            continue;
        }
        Reading one = asked;
        one.model = each.id;
        one.task = Task::inference;
        one.method.clear();
        one.family_models.clear();
        one.quantization = asked.quantization.empty() ? "q4_k_m" : asked.quantization;
        WorkloadDocument document = query_of(one).workload;
        const auto architecture = tools.architecture(document);
        const auto placed = architecture
                                ? shared_placement(document, *architecture, cluster, one, tools)
                                : std::nullopt;
        if (placed) {
            words = fmt::format("{} at {} tokens/s", each.id,
                                figure_words(second / placed->estimate.time.tpot));
        }
    }
    return dense.empty() && experts.empty()
               ? std::string()
               : fmt::format(" Shared with {:g} GB of the host: {}{}{}.", *asked.host_memory_gib,
                             experts.empty() ? "" : "of experts " + experts,
                             dense.empty() || experts.empty() ? "" : ", ", dense);
}

Neighbours neighbours_of(const Reading& asked, double size, double room, const LeanWay* lean,
                         const Cluster& cluster, const AnswerTools& tools) {
    const Query wanted = pace_wanted(asked);
    const auto list = plainly_named(tools);
    constexpr double alike = 0.8;  // of the parameters
    double below = 0;
    double above = std::numeric_limits<double>::infinity();
    for (const NamedModel& each : list) {
        below = each.parameters <= size ? std::max(below, each.parameters) : below;
        above = each.parameters > size ? std::min(above, each.parameters) : above;
    }
    const NamedModel* next = usual_between(list, above, above / alike);
    std::optional<NamedModel> nearer;  // of any family, where that one is far above
    for (const Sized& each : runnable(tools, size, alike * above)) {
        if (!each.experts && (!nearer || each.parameters < nearer->parameters)) {
            nearer = NamedModel{each.id, "", each.parameters, 0, 0};
        }
    }
    next = nearer && next != nullptr ? &*nearer : next;
    std::string words;
    /// Tells of a model; whether it fits and is as quick as is wanted.
    const auto tell = [&](const NamedModel& model) {
        Reading one = asked;
        one.model = model.id;
        WorkloadDocument document = query_of(one).workload;
        want_least(document, asked, model.parameters);
        if (lean != nullptr) {
            document.framework = lean->document.framework;
            document.loss = lean->document.loss;
        }
        const auto architecture = tools.architecture(document);
        std::string with;
        const auto placed = architecture
                                ? placed_to_fit(document, *architecture, cluster, tools, with)
                                : Result<Placement>(tl::unexpected(architecture.error()));
        if (!placed) {
            return false;
        }
        const MemoryEstimate& memory = placed->estimate.memory;
        const TimeEstimate& time = placed->estimate.time;
        const bool serves = placed->workload.task == Task::inference;
        const double rate =
            serves && time.tpot > Seconds{} ? second / time.tpot : time.tokens_per_second;
        words += words.empty() ? " " : "; ";
        if (memory.fits && serves && !soon_enough(wanted, placed->workload, time, 1, 1)) {
            words += fmt::format("{} fits but decodes {} tokens/s, its first token after {}",
                                 model.id, figure_words(rate), format_duration(time.ttft / second));
            return false;
        }
        const char* takes = verdict_of(memory) == "barely" ? "barely fits," : "takes";
        words +=
            memory.fits
                ? fmt::format("{}{} {} {:.1f} of {:.1f} GiB at {} tokens/s", model.id, with, takes,
                              memory.process / gibibyte,
                              (memory.capacity - memory.unclaimed) / gibibyte, figure_words(rate))
                : fmt::format("{} lacks {}{}{}", model.id,
                              format_gib(-memory.headroom() / gibibyte),
                              cluster.count > 1 ? " on each" : "",
                              held_on_host(document, *architecture, model.id, cluster, tools));
        return memory.fits;
    };
    // A table of many words may take what a usual model of that size has: then one further below.
    constexpr int tries = 6;
    double most = below;
    const NamedModel* model = usual_between(list, alike * most, most);
    for (int i = 0; i < tries && model != nullptr && !tell(*model); ++i) {
        words.clear();
        most = 0;
        for (const NamedModel& each : list) {
            most = each.parameters < model->parameters ? std::max(most, each.parameters) : most;
        }
        model = usual_between(list, alike * most, most);
    }
    if (next != nullptr) {
        tell(*next);
    }
    Neighbours named =
        asked.task == Task::inference
            ? largest_by_name(asked, room, std::isfinite(below) ? below : 0, cluster, tools)
            : Neighbours();
    named.words = (words.empty() ? words : words + ".") + named.words;
    return named;
}

}  // namespace ridgeline
