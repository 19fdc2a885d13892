#include "ask/engine_settings.h"

#include "ask/option_table.h"

#include <fmt/format.h>

#include <algorithm>

namespace ridgeline::ask {
namespace {

void set_fraction(SoftwareProfile& profile, double share) {
    // Beside a trainer a share that is stated is taken whole.
    if (profile.engine.memory_fraction || profile.preference.memory_fraction > 0) {
        profile.engine.memory_fraction = share;
    }
    profile.preference.memory_fraction = share;
    for (SoftwareProfile& release : profile.older) {
        set_fraction(release, share);
    }
}

bool command_takes(const Request& request, std::string_view option) {
    const CommandRow* command = command_named(request.command);
    if (command == nullptr) {
        return false;
    }
    const auto& rows = options_of(command->command);
    return std::ranges::any_of(rows, [&](const OptionRow& row) { return row.name == option; });
}

/// A loop of training that spreads a model by itself, and that nothing is served with.
bool only_trains(const SoftwareProfile& profile) {
    const RuntimeKind kind = profile.runtime.kind;
    const bool trainer =
        kind == RuntimeKind::fsdp1 || kind == RuntimeKind::fsdp2 || kind == RuntimeKind::megatron;
    return trainer && !profile.usual_for.empty() &&
           std::ranges::all_of(profile.usual_for,
                               [](const UsualFor& use) { return use.task == Task::train; });
}

}  // namespace

Result<std::optional<World>> world_as_set(const World& world, const Request& request) {
    if (!request.given("memory-fraction")) {
        return std::optional<World>();
    }
    const auto share = number_of("--memory-fraction", request.text("memory-fraction"), 0.01, 1);
    if (!share) {
        return tl::unexpected(share.error());
    }
    const std::string& named = request.text("framework");
    const std::string stack = named.substr(0, named.find('@'));
    std::optional<World> set = world;
    set->kept = KeptParts{};  // what is kept goes by the parts of a world, and these are others
    for (SoftwareProfile& profile : set->profiles.software) {
        if (stack.empty() || profile.id == stack) {
            set_fraction(profile, *share);
        }
    }
    return set;
}

Result<Request> with_task_of_framework(const World& world, const Request& request) {
    const SoftwareProfile* profile = world.profiles.software_profile(request.text("framework"));
    const bool document = request.given("workload") || !request.workload.empty();
    if (profile == nullptr || document || !command_takes(request, "task")) {
        return request;
    }
    const std::string& task = request.text("task");
    if (profile->runtime.kind == RuntimeKind::engine) {
        if (task == "train" || request.given("method") || request.given("algorithm")) {
            const char* what = task == "train"           ? "--task train"
                               : request.given("method") ? "--method"
                                                         : "--algorithm";
            return usage_error(
                "--framework",
                fmt::format("{} serves models and trains none", profile->shown_name()),
                fmt::format("Remove {}, or name a trainer such as hf-trainer.", what));
        }
        Request serving = request;
        serving.options["task"] = {"inference"};
        return serving;
    }
    if (task == "inference" && only_trains(*profile) && !request.given("from")) {
        return usage_error("--framework",
                           fmt::format("{} trains models and serves none", profile->shown_name()),
                           "Remove --task inference, or name an engine such as vllm.");
    }
    return request;
}

}  // namespace ridgeline::ask
