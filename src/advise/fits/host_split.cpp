#include "advise/fits/host_split.h"

#include "advise/figure_words.h"
#include "advise/hardware/cluster.h"
#include "advise/hardware/desk.h"
#include "advise/hardware/offers.h"
#include "advise/stacks/stored_weights.h"
#include "base/text.h"
#include "estimate/serving/gguf.h"
#include "spec/hardware_names.h"

#include <fmt/format.h>

#include <algorithm>

// Models that lie partly in the memory of the host.

namespace ridgeline {
namespace {

constexpr double system_gib = memory_of_system_gib;

struct SharedRun {
    int layers = 0;        ///< with all that they have on the card
    bool experts = false;  ///< of the others the routed experts alone are on the host
    Placement placement;
};

/// The most layers that the card holds whole; nothing where it holds not even one, or not what is
/// no routed expert.
std::optional<SharedRun> most_layers(WorkloadDocument document, const Architecture& architecture,
                                     const Cluster& cluster, const AnswerTools& tools,
                                     bool experts) {
    std::optional<SharedRun> best;
    const int layers = architecture.text().layers;
    int low = experts ? -1 : 0;
    int high = layers;
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        if (experts) {
            document.serving->host_expert_layers = layers - middle;
        } else {
            document.serving->gpu_layers = middle;
        }
        auto placed = tools.place(document, architecture, cluster);
        const bool holds = placed && placed->estimate.memory.fits &&
                           placed->estimate.memory.verdict == FitVerdict::yes;
        (holds ? low : high) = middle;
        if (holds) {
            best = SharedRun{middle, experts, std::move(*placed)};
        }
    }
    return best;
}

/// The faster of both ways to share a model.
std::optional<SharedRun> best_share(const WorkloadDocument& document,
                                    const Architecture& architecture, const Cluster& cluster,
                                    const AnswerTools& tools) {
    if (auto all = tools.place(document, architecture, cluster);
        all && all->estimate.memory.fits && all->estimate.memory.verdict == FitVerdict::yes) {
        return SharedRun{architecture.text().layers, false, std::move(*all)};
    }
    auto whole = most_layers(document, architecture, cluster, tools, false);
    if (!architecture.text().moe) {
        return whole;
    }
    auto parted = most_layers(document, architecture, cluster, tools, true);
    const auto step = [](const SharedRun& run) { return run.placement.estimate.time.tpot; };
    return parted && (!whole || step(*parted) < step(*whole)) ? parted : whole;
}

/// What all cards leave on the host together.
double host_gib_of(const SharedRun& run) {
    return run.placement.cluster.count * (run.placement.estimate.memory.host / gibibyte);
}

bool is_whole(const SharedRun& run) {
    return run.layers >= run.placement.architecture.text().layers;
}

/// What needs nothing of the host, in the narrower type that it is stored in.
std::string whole_words(const SharedRun& run, const std::string& rates) {
    const Placement& placed = run.placement;
    const MemoryEstimate& memory = placed.estimate.memory;
    return fmt::format("In {} it lies whole on {} ({} of {:.1f} GiB{}) and decodes {}.",
                       placed.workload.quantization.name, cards_words(placed.cluster),
                       format_gib(memory.process / gibibyte),
                       (memory.capacity - memory.unclaimed) / gibibyte,
                       placed.cluster.count > 1 ? " each" : "", rates);
}

Answer shared_words(const SharedRun& split, const Reading& reading) {
    const MemoryEstimate& memory = split.placement.estimate.memory;
    const double host_gib = host_gib_of(split);
    const TimeEstimate& time = split.placement.estimate.time;
    const std::string& stored = split.placement.workload.quantization.name;
    Answer reply;
    const double gib = memory.process / gibibyte;
    const bool known = reading.host_memory_gib.has_value();
    reply.verdict = known ? verdict_of(memory) : "no";
    reply.weights = stored;
    reply.needs = AnswerNeeds{gib * memory.band.low, gib, gib * memory.band.high};
    reply.have_gib = (memory.capacity - memory.unclaimed) / gibibyte;
    reply.choice = AnswerChoice{.accelerator = split.placement.cluster.accelerator->id,
                                .count = split.placement.cluster.count,
                                .verdict = reply.verdict};
    const double rate = second / time.tpot;
    const Interval& band = split.placement.tpot_band;
    const double low = band.high > 0 ? rate / band.high : rate;
    const double high = band.low > 0 ? rate / band.low : rate;
    reply.values.push_back({"decode", low, rate, high, "tokens/s", ""});
    reply.values.push_back({"host_memory", {}, host_gib, {}, "GiB", ""});
    if (is_whole(split)) {
        reply.verdict = "no";  // of what was asked
        reply.values.pop_back();
        reply.change.push_back({fmt::format("--quantization {}", stored), "lies whole on it"});
        reply.headline =
            whole_words(split, fmt::format("{} tokens/s ({} to {})", figure_words(rate),
                                           figure_words(low), figure_words(high)));
        return reply;
    }
    const int all = split.placement.architecture.text().layers;
    const int there = split.experts ? all - split.layers : split.layers;
    reply.change.push_back(
        {fmt::format("--framework {} --quantization {} --{} {}", split.placement.workload.framework,
                     stored, split.experts ? "host-expert-layers" : "gpu-layers", there),
         split.experts ? "runs with their experts on the host (--n-cpu-moe)"
                       : "runs with the other layers on the host"});
    const std::string parts = fmt::format(
        "{} tokens/s ({} to {}) in {}, with {} of {} layers on {} ({}) and {} in {} of the "
        "host's memory{}",
        figure_words(rate), figure_words(low), figure_words(high), stored,
        split.experts ? all : split.layers, all, cards_words(split.placement.cluster),
        format_gib(gib) + (split.placement.cluster.count > 1 ? " each" : ""),
        split.experts ? fmt::format("the routed experts of {} (--n-cpu-moe {})", there, there)
                      : "the others",
        format_gib(host_gib),
        known ? fmt::format(" ({:g} GiB were said)", *reading.host_memory_gib) : "");
    const std::string model = split.placement.architecture.id.empty()
                                  ? split.placement.architecture.name
                                  : split.placement.architecture.id;
    reply.headline =
        known ? fmt::format("{}, shared with the host: {} decodes {}.",
                            reply.verdict == "yes" ? "Yes" : "Barely", model, parts)
              : fmt::format("Shared with the host by llama.cpp {} decodes {}.", model, parts);
    return reply;
}

}  // namespace

Bytes left_by_system(double host_gib) { return gibibyte * std::max(0.0, host_gib - system_gib); }

void bound_by_host(Placement& placement, const Reading& reading) {
    MemoryEstimate& memory = placement.estimate.memory;
    if (placement.cluster.accelerator->kind != "cpu" || !reading.host_memory_gib) {
        return;
    }
    const Bytes there = left_by_system(*reading.host_memory_gib);
    if (there < memory.capacity) {
        memory.capacity = there;
        memory.unclaimed = Bytes{};
        memory.fits = memory.fits && memory.process <= there;
    }
}

namespace {

struct Sharing {
    std::optional<SharedRun> run;  ///< that the host's memory suffices for
    std::optional<Answer> too_much;
};

/// Whether it is one user's model on cards at home, or beside a memory of the host that was said,
/// by the stack that runs files.
bool may_share(const WorkloadDocument& document, const Architecture& architecture,
               const Cluster& cluster, bool host_said, const SoftwareProfile* files) {
    const Accelerator& part = *cluster.accelerator;
    const bool alone = document.serving && document.serving->concurrency <= 1;
    const bool card = (is_home(part) || host_said) && part.kind == "gpu" &&
                      part.vendor != "Apple" && part.form_factor != "SoC";
    const bool other_engine =
        document.framework && files != nullptr && *document.framework != files->id;
    return document.task == Task::inference && files != nullptr && alone && card && !other_engine &&
           architecture.kind == ModelKind::decoder && !architecture.stacks.empty();
}

Sharing sharing_of(const WorkloadDocument& document, const Architecture& architecture,
                   Cluster cluster, const Reading& reading, const AnswerTools& tools) {
    const SoftwareProfile* files = runner_of_files(tools.knowledge.profiles);
    if (reading.keeps_on_card ||
        !may_share(document, architecture, cluster, reading.host_memory_gib.has_value(), files)) {
        return {};
    }
    if (reading.host_memory_gib) {  // not what machines of the catalog have
        cluster.host_memory_per_node = gibibyte * *reading.host_memory_gib;
    }
    const std::string stored = document.quantization.value_or("none");
    // Files of four-bit floats are handed on as they are; eight-bit ones of servers are not.
    const bool kept = gguf_file(stored).has_value() || architecture.packs_experts_in(stored);
    std::vector<std::string> types = {"q4_k_m", "q3_k_m"};
    if (kept) {
        types = {stored};
    }
    Sharing sharing;
    for (const std::string& type : types) {
        WorkloadDocument shared = document;
        shared.framework = files->id;
        shared.quantization = type;
        auto split = best_share(shared, architecture, cluster, tools);
        if (!split) {
            continue;
        }
        const double host_gib = host_gib_of(*split);
        if (!reading.host_memory_gib || host_gib + system_gib <= *reading.host_memory_gib) {
            sharing.run = std::move(split);
            break;
        }
        sharing.too_much = Answer{};
        sharing.too_much->verdict = "no";
        sharing.too_much->headline = fmt::format(
            "Shared with the host it would take {} there in {}, more than {:g} GiB and a system "
            "leave.",
            format_gib(host_gib), type, *reading.host_memory_gib);
    }
    return sharing;
}

}  // namespace

std::optional<Answer> split_reply(const WorkloadDocument& document,
                                  const Architecture& architecture, const Cluster& cluster,
                                  const Reading& reading, const AnswerTools& tools) {
    const Sharing sharing = sharing_of(document, architecture, cluster, reading, tools);
    return sharing.run ? shared_words(*sharing.run, reading) : sharing.too_much;
}

std::optional<Placement> shared_placement(const WorkloadDocument& document,
                                          const Architecture& architecture, const Cluster& cluster,
                                          const Reading& reading, const AnswerTools& tools) {
    Sharing sharing = sharing_of(document, architecture, cluster, reading, tools);
    return sharing.run ? std::optional(std::move(sharing.run->placement)) : std::nullopt;
}

std::optional<Answer> ram_beside_card(const WorkloadDocument& document,
                                      const Architecture& architecture, const Cluster& cluster,
                                      const Reading& reading, const AnswerTools& tools) {
    Reading open = reading;
    open.host_memory_gib.reset();
    const auto run = sharing_of(document, architecture, cluster, open, tools).run;
    if (!run || is_whole(*run)) {
        return std::nullopt;
    }
    const double gib = host_gib_of(*run);
    double sold = 16;  // modules come in powers of two, and three of them
    while (sold < gib + system_gib) {
        sold = sold * 1.5 >= gib + system_gib && sold >= 32 ? sold * 1.5 : sold * 2;
    }
    Answer reply = shared_words(*run, open);
    const MemoryEstimate& memory = run->placement.estimate.memory;
    reply.verdict.clear();
    reply.values.insert(reply.values.begin(), {"ram", gib, gib, sold, "GiB", reading.model});
    reply.headline = fmt::format(
        "{} in {} takes {} of RAM beside {} ({} there): a computer with {:g} GB, which also runs "
        "the system. It decodes {} tokens/s.",
        reading.model, run->placement.workload.quantization.name, format_gib(gib),
        cards_words(run->placement.cluster), format_gib(memory.process / gibibyte), sold,
        figure_words(second / run->placement.estimate.time.tpot));
    return reply;
}

std::optional<Answer> card_beside_host(const WorkloadDocument& document,
                                       const Architecture& architecture, double usd,
                                       const Reading& reading, const AnswerTools& tools) {
    const Catalog& catalog = tools.knowledge.catalog;
    std::optional<SharedRun> best;
    double price = 0;
    for (const Accelerator& part : catalog.accelerators) {
        const auto sold = purchase_price(catalog, part);
        if (!is_consumer(part) || is_one_computer(part) || !sold || !sold->current ||
            sold->usd_each > usd) {
            continue;
        }
        auto run =
            sharing_of(document, architecture, make_cluster(catalog, part, 1), reading, tools).run;
        if (run &&
            (!best || run->placement.estimate.time.tpot < best->placement.estimate.time.tpot)) {
            best = std::move(run);
            price = sold->usd_each;
        }
    }
    if (!best) {
        return std::nullopt;
    }
    Answer reply = shared_words(*best, reading);
    reply.headline =
        fmt::format("Buy 1 x {} ({}): no card of that sum holds it {}. {}",
                    best->placement.cluster.accelerator->name, format_usd(price),
                    is_whole(*best) ? "in the weights that were asked" : "whole", reply.headline);
    return reply;
}

}  // namespace ridgeline
