#include "advise/advice.h"
#include "advise/placement/placement.h"
#include "ask/commands.h"
#include "ask/workload_on.h"
#include "estimate/time/collective.h"

namespace ridgeline::ask {

Result<Reply> answer_remedies(const World& world, const Request& request) {
    const auto asked = workload_on(world, request);
    if (!asked) {
        return tl::unexpected(asked.error());
    }
    const Cluster& cluster = asked->cluster;
    const Knowledge knowledge = knowledge_of(world);
    const auto before = place(knowledge, asked->document, asked->architecture, cluster, nullptr);
    if (!before) {
        return tl::unexpected(before.error());
    }
    const auto software = software_named(world.profiles, before->workload.framework);
    if (!software) {
        return tl::unexpected(software.error());
    }
    const DeviceModel device = device_model(*cluster.accelerator, world.profiles.calibration);
    const LinkModel links = link_model(cluster, world.profiles.calibration);
    const EstimateInput input{.architecture = before->architecture,
                              .workload = before->workload,
                              .cluster = cluster,
                              .software = **software,
                              .device = device,
                              .calibration = world.profiles.calibration,
                              .links = &links};
    const std::vector<Remedy> found = ridgeline::remedies(input);
    Reply answer;
    answer.messages = notes_of(world);
    answer.body = request.json() ? report::remedies_json(*before, found, stamp_of(world.catalog))
                                 : report::remedies_text(*before, found, request.style);
    bool fits = before->estimate.memory.fits;
    for (const Remedy& remedy : found) {
        fits = fits || remedy.fits;
    }
    answer.exit_code = fits ? 0 : 3;
    return answer;
}

}  // namespace ridgeline::ask
