// What files say of hardware and batches, once the accelerators are known.
#include "ask/imported_hardware.h"

#include "ask/option_table.h"
#include "base/lists.h"
#include "base/text.h"
#include "spec/preference.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace ridgeline::ask {
namespace {

/// "h100:8", "h100:8x2" of what a file says beside the name of the part.
std::string with_count(const std::string& part, const ImportedHardware& hardware) {
    if (part.find(':') != std::string::npos || !hardware.accelerators) {
        return part;
    }
    const int nodes = hardware.nodes.value_or(1);
    return nodes > 1 && hardware.per_node ? fmt::format("{}:{}x{}", part, *hardware.per_node, nodes)
                                          : fmt::format("{}:{}", part, *hardware.accelerators);
}

/// Each hardware of a file that would do, in its order.
std::vector<ImportedHardware> alternatives_of(const ImportedHardware& hardware) {
    std::vector<ImportedHardware> all;
    if (hardware.alternatives.empty()) {
        all.push_back(hardware);
    }
    for (const ImportedParts& parts : hardware.alternatives) {
        ImportedHardware& other = all.emplace_back(hardware);
        other.accelerator = parts.accelerator;
        if (const auto count = number_with_suffix(parts.count); count && *count >= 1) {
            other.per_node = static_cast<int>(std::min(*count, 1e6));
            other.accelerators = *other.per_node * std::max(1, hardware.nodes.value_or(1));
        }
    }
    return all;
}

bool is_among_places(const ImportedPlace& place, const std::vector<ImportedPlace>& places) {
    return std::ranges::any_of(places,
                               [&](const ImportedPlace& each) { return each.on == place.on; });
}

void place_hardware(const World& world, const ImportedHardware& hardware, ImportedRequest& out) {
    Request& request = out.request;
    if (request.command == "advise" || request.command == "report") {
        if (hardware.accelerators && !request.given("accelerators") && !request.given("on")) {
            request.options["accelerators"] = {std::to_string(*hardware.accelerators)};
        }
        return;
    }
    if (!takes_option(request, "on")) {
        return;
    }
    if (request.given("on")) {
        for (std::string& part : request.options["on"]) {
            part = with_count(part, hardware);
        }
        return;
    }
    if (!hardware.on.empty()) {
        request.options["on"] = {hardware.on};
        return;
    }
    const std::vector<ImportedHardware> all = alternatives_of(hardware);
    for (std::size_t at = 0; at < all.size(); ++at) {
        const std::string part = lower(all[at].accelerator);
        if (part.empty()) {
            continue;
        }
        if (cluster_named(world.catalog, part, false)) {
            const ImportedPlace place{with_count(part, all[at]), at};
            if (!is_among_places(place, out.places)) {  // of several clouds
                out.places.push_back(place);
            }
        } else {
            out.open.push_back(
                fmt::format("the accelerator \"{}\": say --on", all[at].accelerator));
        }
    }
    const auto chosen = std::ranges::find_if(out.places, [&](const ImportedPlace& place) {
        return place.parts == (all.size() > 1 ? hardware.chosen : 0);
    });
    const std::size_t taken =
        chosen == out.places.end() ? 0 : static_cast<std::size_t>(chosen - out.places.begin());
    if (!out.places.empty()) {
        request.options["on"] = {out.places[taken].on};
    }
    for (std::size_t at = 0; at < out.places.size(); ++at) {
        if (at != taken && !request.given(choice_fact)) {
            out.open.push_back(
                fmt::format("the accelerators, of which the first are taken: --on {} "
                            "would do too",
                            out.places[at].on));
        }
    }
}

/// Ranks that one copy of the model occupies.
double model_ranks(const Request& request) {
    double ranks = 1;
    for (const char* option : {"tensor", "pipeline", "context"}) {
        ranks *= number_with_suffix(request.text(option)).value_or(1);
    }
    return ranks;
}

/// Accelerators of the hardware of a request, or of the files; 0: nobody said.
double accelerators_of(const World& world, const ImportedHardware& hardware,
                       const Request& request) {
    const double stated = hardware.accelerators.value_or(0);
    if (request.command == "advise" || request.command == "report") {
        // The parts that may be taken say no number of them.
        return number_with_suffix(request.text("accelerators")).value_or(stated);
    }
    if (takes_option(request, "on") && request.texts("on").size() == 1) {
        const auto cluster =
            cluster_named(world.catalog, request.text("on"), request.on_command_line);
        return cluster ? cluster->count : stated;
    }
    return stated;
}

/// Of those the ones that train, where others write the answers. Processes that a launcher starts
/// beside an engine on cards of its own are the trainer's.
double trainers_of(double accelerators, const ImportedHardware& hardware, Request& request) {
    if (request.text("rollout-placement") != "separate" || accelerators < 2) {
        return accelerators;
    }
    const double launched = hardware.accelerators.value_or(0);
    if (launched > 0 && launched < accelerators && !request.given("trainer-cards") &&
        !request.given("rollout-cards")) {
        request.options["trainer-cards"] = {fmt::format("{:.0f}", launched)};
    }
    PreferenceTuning tuning{.algorithm = PreferenceAlgorithm::grpo,
                            .placement = RolloutPlacement::separate};
    tuning.trainer_accelerators = number_with_suffix(request.text("trainer-cards")).value_or(0);
    tuning.rollout_accelerators = number_with_suffix(request.text("rollout-cards")).value_or(0);
    return accelerators - rollout_cards(tuning, {}, static_cast<int>(accelerators));
}

/// Micro-batches a step become the global batch once the accelerators are known.
void place_batch(ImportedHardware& hardware, double ranks, ImportedRequest& out) {
    Request& request = out.request;
    if (hardware.shared_micro && ranks >= 1 && !request.given("micro-batch")) {
        const double each = std::max(1.0, std::floor(*hardware.shared_micro / ranks));
        request.options["micro-batch"] = {fmt::format("{:.0f}", each)};
    }
    const auto micro = number_with_suffix(request.text("micro-batch"));
    if (!hardware.accumulation && hardware.least_batch && ranks >= 1 && micro && *micro >= 1) {
        hardware.accumulation =
            static_cast<int>(std::max(1.0, std::ceil(*hardware.least_batch / *micro / ranks)));
        out.files.back().defaulted.push_back(
            {"", std::to_string(*hardware.accumulation),
             fmt::format("micro-batches a step {}", *hardware.accumulation)});
    }
    if (!hardware.accumulation || request.given("batch")) {
        return;
    }
    if (ranks < 1 || !micro) {
        if (*hardware.accumulation > 1) {
            out.open.push_back(fmt::format(
                "{} micro-batches a step: the global batch follows from the accelerators",
                *hardware.accumulation));
        }
        return;
    }
    request.options["batch"] = {fmt::format("{:.0f}", *micro * *hardware.accumulation * ranks)};
}

/// Answers of a round, of a trainer that counts them by its batch; 0: the ranks are not known.
double round_answers(const ImportedRound& round, const ImportedHardware& hardware, double ranks,
                     const Request& request) {
    if (round.answers > 0) {
        return round.answers;
    }
    if (round.of_global_batch) {
        return number_with_suffix(request.text("batch")).value_or(0) * std::max(1, round.steps);
    }
    const int steps = round.steps > 0 ? round.steps : hardware.accumulation.value_or(0);
    return number_with_suffix(request.text("micro-batch")).value_or(0) * steps *
           std::max(0.0, ranks);
}

/// A round of rewards is as many answers as a trainer's steps take, and so many prompts.
Result<void> place_round(const ImportedHardware& hardware, double ranks, ImportedRequest& out) {
    Request& request = out.request;
    if (!hardware.round || request.given("prompts-per-round") ||
        request.given("answers-per-round")) {
        return {};
    }
    const double group = std::max(1.0, number_with_suffix(request.text("group-size")).value_or(1));
    const double answers = round_answers(*hardware.round, hardware, ranks, request);
    if (answers < 1) {
        out.open.push_back("the prompts of a round: they follow from the accelerators");
        return {};
    }
    if (std::fmod(answers, group) != 0) {
        const std::string& key = hardware.round->key;
        return input_error(
            key.empty() ? "group-size" : key,
            fmt::format("found {:.0f}, expected a divisor of the {:.0f} answers of a round", group,
                        answers),
            "The trainer does not start: a round holds whole groups.");
    }
    request.options["prompts-per-round"] = {fmt::format("{:.0f}", answers / group)};
    return {};
}

/// The hardware of a request that names one kind.
std::optional<Cluster> one_cluster(const World& world, const Request& request) {
    if (!takes_option(request, "on") || request.texts("on").size() != 1) {
        return std::nullopt;
    }
    auto cluster = cluster_named(world.catalog, request.text("on"), request.on_command_line);
    return cluster ? std::optional(std::move(*cluster)) : std::nullopt;
}

/// "all": a server that spreads its layers over every card that it sees.
void place_stages(const World& world, ImportedRequest& out) {
    Request& request = out.request;
    for (const char* option : {"pipeline", "tensor"}) {
        if (request.text(option) != "all") {
            continue;
        }
        const bool other = request.given("data") || number_with_suffix(request.text("tensor")) > 1;
        const auto cluster = one_cluster(world, request);
        if (!other && cluster) {
            request.options[option] = {std::to_string(cluster->count)};
        } else {
            request.options.erase(option);
        }
    }
}

/// One accelerator has nobody to share gradients or weights with.
void place_sharding(const World& world, const Request& asked, ImportedRequest& out) {
    Request& request = out.request;
    const std::string& sharding = request.text("sharding");
    if (asked.given("sharding") || (sharding != "ddp" && sharding != "fsdp")) {
        return;
    }
    const auto cluster = one_cluster(world, request);
    if (cluster && cluster->count == 1) {
        request.options.erase("sharding");
    }
}

/// Copies of a server beyond the one that its file starts.
void note_copies(const World& world, const Imported& imported, ImportedRequest& out) {
    const Request& request = out.request;
    const auto task = imported.options.find("task");
    if (task == imported.options.end() || task->second != "inference" || request.given("data")) {
        return;
    }
    const auto cluster = one_cluster(world, request);
    const double ranks = model_ranks(request);
    if (cluster && ranks >= 1 && cluster->count > ranks && request.given("tensor")) {
        out.open.push_back(fmt::format(
            "the number of servers: the file starts one on {:.0f} of {} accelerators, and copies "
            "of it on the others share the requests here; --on with {:.0f} asks of one alone",
            ranks, cluster->count, ranks));
    }
}

/// Processes that a trainer's files start, where the hardware of the request has others.
void note_processes(const World& world, const Imported& imported, ImportedRequest& out) {
    const Request& request = out.request;
    const auto task = imported.options.find("task");
    const int stated = imported.hardware.accelerators.value_or(0);
    if (stated < 1 || task == imported.options.end() || task->second != "train") {
        return;
    }
    const auto cluster = one_cluster(world, request);
    if (cluster && cluster->count != stated && request.text("rollout-placement") != "separate") {
        out.open.push_back(fmt::format(
            "the number of ranks: the files start {}, and --on has {} accelerators, which count",
            stated, cluster->count));
    }
}

/// What a file starts beside the run that is answered for.
void note_others(const Imported& imported, ImportedRequest& out) {
    if (imported.hardware.copies > 1) {
        out.open.push_back(
            fmt::format("{} copies of the server are started, each on accelerators "
                        "of its own: the figures are of one",
                        imported.hardware.copies));
    }
    for (std::size_t at = 0; at < imported.runs.size(); ++at) {
        if (at != imported.run && !out.request.given(choice_fact)) {
            out.open.push_back(fmt::format(
                "the runs of the file, of which this is one: another is {} (`check` judges each)",
                imported.runs[at].name));
        }
    }
}

}  // namespace

bool takes_option(const Request& request, std::string_view option) {
    const CommandRow* command = command_named(request.command);
    const auto& rows = options_of(command->command);
    return std::ranges::any_of(rows, [&](const OptionRow& row) { return row.name == option; });
}

Result<void> place_imports(const World& world, const Request& asked, const Imported& imported,
                           ImportedRequest& out) {
    ImportedHardware hardware = imported.hardware;
    place_hardware(world, hardware, out);
    place_stages(world, out);
    const double accelerators = accelerators_of(world, hardware, out.request);
    const double trainers = trainers_of(accelerators, hardware, out.request);
    const double ranks = trainers < 1 ? 0 : std::max(1.0, trainers / model_ranks(out.request));
    place_batch(hardware, ranks, out);
    if (const auto placed = place_round(hardware, ranks, out); !placed) {
        return placed;
    }
    place_sharding(world, asked, out);
    note_copies(world, imported, out);
    note_processes(world, imported, out);
    note_others(imported, out);
    return {};
}

}  // namespace ridgeline::ask
