#include "ask/remedies.h"

#include "advise/advice.h"
#include "ask/commands.h"
#include "ask/workload_on.h"
#include "ask/workload_options.h"
#include "base/text.h"
#include "estimate/time/collective.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

namespace ridgeline::ask {
namespace {

/// "--tensor 2 --data 4" as options of a request; empty: the words are none of a command line.
std::optional<Request> options_in(const std::string& flags) {
    Request request;
    std::string name;
    for (const std::string_view word : split(flags, ' ')) {
        if (word.starts_with("--")) {
            name = word.substr(2);
        } else if (name.empty()) {
            return std::nullopt;
        } else {
            request.options[name] = {std::string(word)};
            name.clear();
        }
    }
    return request;
}

}  // namespace

Result<std::vector<Remedy>> remedies_of(const World& world, const WorkloadDocument& document,
                                        const Placement& placed) {
    const auto software = software_named(world.profiles, placed.workload.framework);
    if (!software) {
        return tl::unexpected(software.error());
    }
    const Cluster& cluster = placed.cluster;
    const Knowledge knowledge = knowledge_of(world);
    const DeviceModel device = device_model(*cluster.accelerator, world.profiles.calibration);
    const LinkModel links = link_model(cluster, world.profiles.calibration);
    const EstimateInput input{.architecture = placed.architecture,
                              .workload = placed.workload,
                              .cluster = cluster,
                              .software = **software,
                              .device = device,
                              .calibration = world.profiles.calibration,
                              .links = &links};
    const auto changed = [&](const Workload& workload,
                             const std::string& flags) -> std::optional<Estimate> {
        const auto options = options_in(flags);
        if (!options) {
            return ridgeline::estimate(input.with(workload), nullptr);
        }
        const auto stated = with_workload_options(document, *options);
        const auto other = stated ? place_with(PlanChoice::best, knowledge, *stated,
                                               placed.architecture, cluster, nullptr)
                                  : Result<Placement>(tl::unexpected(Error{}));
        return other ? std::optional(other->estimate) : std::nullopt;
    };
    return ridgeline::remedies(input, placed.estimate, changed);
}

Result<Reply> answer_remedies(const World& world, const Request& request) {
    const auto asked = workload_on(world, request);
    if (!asked) {
        return tl::unexpected(asked.error());
    }
    const auto before = place_with(PlanChoice::best, knowledge_of(world), asked->document,
                                   asked->architecture, asked->cluster, nullptr);
    if (!before) {
        return tl::unexpected(before.error());
    }
    auto found = remedies_of(world, asked->document, *before);
    if (!found) {
        return tl::unexpected(found.error());
    }
    // A change of the workload that makes it fit needs no other hardware; one that does not comes
    // behind it.
    const auto behind = std::ranges::find_if(*found, [](const Remedy& each) { return !each.fits; });
    const auto hardware = hardware_remedies(world, asked->document, *before);
    found->insert(behind, hardware.begin(), hardware.end());
    Reply answer;
    answer.messages = notes_of(world);
    answer.body = request.json() ? report::remedies_json(*before, *found, stamp_of(world.catalog))
                                 : report::remedies_text(*before, *found, request.style);
    bool fits = before->estimate.memory.fits;
    for (const Remedy& remedy : *found) {
        fits = fits || remedy.fits;
    }
    answer.exit_code = fits ? 0 : 3;
    return answer;
}

}  // namespace ridgeline::ask
