#include "advise/plans.h"
#include "cli/commands.h"
#include "cli/placed.h"
#include "cli/shared.h"
#include "cli/sweep.h"
#include "cli/workload_flags.h"
#include "data/load.h"
#include "estimate/families/transformer/parameters.h"
#include "spec/mig.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

namespace ridgeline::cli {
namespace {

/// What is served; to ask how many requests or how long a context fits is to ask about serving.
Serving& serving_of(WorkloadDocument& document) {
    if (!document.serving) {
        document.serving.emplace();
        document.task = Task::inference;
    }
    return *document.serving;
}

/// The field that --max varies.
void set_field(WorkloadDocument& document, const std::string& field, int value) {
    if (field == "context") {
        Serving& serving = serving_of(document);
        serving.input_tokens = std::max(1.0, value - serving.output_tokens);
    } else if (field == "batch") {
        document.micro_batch = value;
        document.global_batch.reset();
    } else if (field == "sequence") {
        document.sequence_length = value;
    } else if (field == "rank") {
        document.lora_rank = value;
        document.has_lora = true;
    } else {
        serving_of(document).concurrency = value;
    }
}

/// The largest value that fits; memory grows with every one of these fields, so bisection finds it.
Result<int> largest_that_fits(const World& world,
                              const WorkloadDocument& document,
                              const Architecture& architecture,
                              const Cluster& cluster,
                              const std::string& field) {
    const auto fits = [&](int value) -> Result<bool> {
        WorkloadDocument trial = document;
        set_field(trial, field, value);
        const auto placed = place(world, trial, architecture, cluster, nullptr);
        if (!placed) {
            return tl::unexpected(placed.error());
        }
        return placed->estimate.memory.fits;
    };
    const bool tokens = field == "sequence" || field == "context";
    const int unit = tokens ? 128 : 1;
    constexpr int most = 1 << 20;
    const auto first = fits(unit);
    if (!first) {
        return tl::unexpected(first.error());
    }
    if (!*first) {
        return 0;
    }
    int low = 1;
    int high = 2;
    while (high * unit <= most && fits(high * unit).value_or(false)) {
        low = high;
        high *= 2;
    }
    while (high - low > 1) {
        const int middle = low + (high - low) / 2;
        (fits(middle * unit).value_or(false) ? low : high) = middle;
    }
    return low * unit;
}

struct LargestModel {
    std::string id;
    double parameters = 0;
};

/// The shipped model with most parameters that fits; models that cannot run so are passed over.
LargestModel largest_model(const World& world,
                           const WorkloadDocument& document,
                           const Cluster& cluster) {
    LargestModel largest;
    for (const std::string& id : list_models(world.profiles_folder)) {
        const auto architecture = load_model(world.profiles_folder, id);
        if (!architecture || architecture->stacks.empty() ||
            (document.task == Task::inference && !architecture->text().causal)) {
            continue;
        }
        const double parameters = static_cast<double>(count_parameters(*architecture).total);
        if (parameters <= largest.parameters) {
            continue;
        }
        WorkloadDocument trial = document;
        trial.model_id = id;
        const auto placed = place(world, trial, *architecture, cluster, nullptr);
        if (placed && placed->estimate.memory.fits) {
            largest = {id, parameters};
        }
    }
    return largest;
}

/// `--max model`: the note, and the document with that model; no model is asked for.
Result<std::string> choose_model(const World& world,
                                 WorkloadDocument& document,
                                 const Cluster& cluster,
                                 std::vector<std::pair<std::string, double>>& largest) {
    const LargestModel found = largest_model(world, document, cluster);
    if (found.id.empty()) {
        return input_error("--max model", "no model of profiles/models fits");
    }
    document.model_id = found.id;
    largest.emplace_back("parameters", found.parameters);
    return fmt::format(
        "The largest model that fits is {}, {:.1f}B parameters.", found.id, found.parameters / 1e9);
}

}  // namespace

Result<Answer> run(const CommonOptions& common, const EstimateOptions& options) {
    auto document = workload_of(options.workload);
    if (!document) {
        return tl::unexpected(document.error());
    }
    if (document->task == Task::kernel) {
        return input_error("task",
                           "found \"kernel\", expected train or inference",
                           "Single kernels are predicted by `ridgeline validate`.");
    }
    const auto world = load_world(common);
    if (!world) {
        return tl::unexpected(world.error());
    }
    if (options.on.empty()) {
        return usage_error("--on", "no hardware was given", "Example: --on h100-sxm5-80gb:8.");
    }
    const auto cluster = cluster_named(world->catalog, options.on);
    if (!cluster) {
        return tl::unexpected(cluster.error());
    }
    if (!options.beside.empty()) {
        return run_shared(common, options, *world, *cluster);
    }
    std::string note;
    std::vector<std::pair<std::string, double>> largest;
    if (options.max == "model") {
        const auto chosen = choose_model(*world, *document, *cluster, largest);
        if (!chosen) {
            return tl::unexpected(chosen.error());
        }
        note = *chosen;
    }
    const auto architecture = completed(*document, *world);
    if (!architecture) {
        return tl::unexpected(architecture.error());
    }
    if (!options.sweep.empty()) {
        return run_sweep(common, options, *world, *document, *architecture, *cluster);
    }
    if (!options.svg.empty()) {
        return usage_error(
            "--svg", "found without --sweep", "Example: --sweep accelerators=8..512.");
    }
    const Offer* offer = offer_for(world->catalog, *cluster, options.price_kind);
    if (!options.max.empty() && options.max != "model") {
        const auto found =
            largest_that_fits(*world, *document, *architecture, *cluster, options.max);
        if (!found) {
            return tl::unexpected(found.error());
        }
        note = *found > 0 ? fmt::format("The largest {} that fits is {}.", options.max, *found)
                          : fmt::format("No {} fits, not even the smallest.", options.max);
        largest.emplace_back(options.max, *found);
        set_field(
            *document,
            options.max,
            std::max(*found, options.max == "sequence" || options.max == "context" ? 128 : 1));
    }
    // A service is spread as well as it can be; a training run as its framework does by default.
    const bool serves_on_several = document->task == Task::inference && cluster->count > 1 &&
                                   !is_slice(*cluster->accelerator) && freedom_of(*document).shape;
    auto placed = options.plan == "auto" || serves_on_several
                      ? place_best(*world,
                                   *document,
                                   *architecture,
                                   *cluster,
                                   offer,
                                   {.front = common.explain, .quiet = common.quiet})
                      : place(*world, *document, *architecture, *cluster, offer);
    if (!placed) {
        return tl::unexpected(placed.error());
    }
    if (offer == nullptr && !options.price_kind.empty()) {
        const Machine* machine = cluster->machine;
        const std::string by =
            machine != nullptr && machine->provider ? " of " + *machine->provider : std::string();
        note += fmt::format("{}No {} offer{} is known.", note.empty() ? "" : " ",
                            options.price_kind, by);
    }
    placed->note = note;
    placed->largest = largest;
    Answer out;
    out.messages = notes_of(*world);
    out.out = common.json ? report::estimate_json(*placed, stamp_of(world->catalog))
                          : report::estimate_text(*placed, style_of(common));
    out.exit_code = placed->estimate.memory.fits ? 0 : 3;
    return out;
}

}  // namespace ridgeline::cli
