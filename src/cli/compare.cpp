#include <vector>

#include "advise/compare.h"
#include "base/text.h"
#include "cli/commands.h"

namespace ridgeline::cli {

Result<Answer> run(const CommonOptions& common, const CompareOptions& options) {
    const auto world = load_world(common);
    if (!world) {
        return tl::unexpected(world.error());
    }
    std::vector<const Accelerator*> parts;
    for (const std::string& word : options.accelerators) {
        const auto part = accelerator_named(world->catalog, word, "compare");
        if (!part) {
            return tl::unexpected(part.error());
        }
        parts.push_back(*part);
    }
    if (parts.size() < 2) {
        return usage_error("compare",
                           "fewer than two accelerators were given",
                           "Example: ridgeline compare h100-sxm5-80gb h200-sxm-141gb.");
    }
    const WorkloadProfile* profile = nullptr;
    if (!options.profile.empty()) {
        profile = world->profiles.workload_profile(options.profile);
        if (profile == nullptr) {
            std::vector<std::string> ids;
            for (const WorkloadProfile& known : world->profiles.workloads) {
                ids.push_back(known.id);
            }
            return usage_error("--profile",
                               "no kind of work \"" + options.profile + "\"",
                               did_you_mean(options.profile, ids) +
                                   " `ridgeline profiles list workloads` lists all.");
        }
    }
    const Comparison comparison = ridgeline::compare(parts, world->catalog, profile);
    Answer answer;
    answer.out = common.json
                     ? report::comparison_json(comparison, options.profile, stamp_of(world->catalog))
                     : report::comparison_text(comparison, options.profile, style_of(common));
    return answer;
}

}  // namespace ridgeline::cli
