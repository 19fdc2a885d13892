#include "advise/advise.h"
#include "cli/commands.h"
#include "cli/placed.h"
#include "cli/workload_flags.h"
#include "estimate/time/collective.h"

namespace ridgeline::cli {

Result<Answer> run(const CommonOptions& common, const RemediesOptions& options) {
    auto document = workload_of(options.workload);
    if (!document) {
        return tl::unexpected(document.error());
    }
    const auto world = load_world(common);
    if (!world) {
        return tl::unexpected(world.error());
    }
    const auto architecture = completed(*document, *world);
    if (!architecture) {
        return tl::unexpected(architecture.error());
    }
    if (options.on.empty()) {
        return usage_error("--on", "no hardware was given", "Example: --on h100-sxm5-80gb:8.");
    }
    const auto cluster = cluster_named(world->catalog, options.on);
    if (!cluster) {
        return tl::unexpected(cluster.error());
    }
    const auto before = place(*world, *document, *architecture, *cluster, nullptr);
    if (!before) {
        return tl::unexpected(before.error());
    }
    const auto software = software_named(world->profiles, before->workload.framework);
    if (!software) {
        return tl::unexpected(software.error());
    }
    const DeviceModel device = device_model(*cluster->accelerator, world->profiles.calibration);
    const LinkModel links = link_model(*cluster, world->profiles.calibration);
    const EstimateInput input{.architecture = before->architecture,
                              .workload = before->workload,
                              .cluster = *cluster,
                              .software = **software,
                              .device = device,
                              .calibration = world->profiles.calibration,
                              .links = &links};
    const std::vector<Remedy> found = ridgeline::remedies(input);
    Answer answer;
    answer.messages = notes_of(*world);
    answer.out = common.json ? report::remedies_json(*before, found, stamp_of(world->catalog))
                             : report::remedies_text(*before, found, style_of(common));
    bool fits = before->estimate.memory.fits;
    for (const Remedy& remedy : found) {
        fits = fits || remedy.fits;
    }
    answer.exit_code = fits ? 0 : 3;
    return answer;
}

}  // namespace ridgeline::cli
