#include <span>
#include <vector>

#include <fmt/format.h>

#include "advise/compare.h"
#include "base/text.h"
#include "ask/commands.h"
#include "ask/named_parts.h"

namespace ridgeline::ask {
namespace {

/// Years of warranty out of "rtx-4090=3": the seller's, so no catalog knows them.
Result<std::vector<std::string>> warranties(const std::vector<std::string>& stated,
                                            const std::vector<const Accelerator*>& parts,
                                            const Catalog& catalog) {
    std::vector<std::string> years(parts.size(), "not stated");
    for (const std::string& text : stated) {
        const std::size_t equals = text.find('=');
        const auto part = accelerator_named(catalog, text.substr(0, equals), "--warranty");
        if (!part) {
            return tl::unexpected(part.error());
        }
        const auto value = number_of(
            "--warranty", equals == std::string::npos ? "" : text.substr(equals + 1), 0, 50);
        if (!value) {
            return tl::unexpected(value.error());
        }
        for (std::size_t i = 0; i < parts.size(); ++i) {
            if (parts[i] == *part) {
                years[i] = fmt::format("{:g}", *value);
            }
        }
    }
    return years;
}

}  // namespace

Result<Reply> answer_compare(const World& world, const Request& request) {
    std::vector<const Accelerator*> parts;
    for (const std::string& word : request.texts("accelerators")) {
        const auto named = parts_named(world.catalog, word, "compare");
        if (!named) {
            return tl::unexpected(named.error());
        }
        parts.insert(parts.end(), named->begin(), named->end());
    }
    if (parts.size() < 2) {
        return usage_error("compare",
                           "fewer than two accelerators were given",
                           "Example: ridgeline compare h100-sxm5-80gb h200-sxm-141gb.");
    }
    const WorkloadProfile* profile = nullptr;
    const std::string& profile_id = request.text("profile");
    if (!profile_id.empty()) {
        profile = world.profiles.workload_profile(profile_id);
        if (profile == nullptr) {
            std::vector<std::string> ids;
            for (const WorkloadProfile& known : world.profiles.workloads) {
                ids.push_back(known.id);
            }
            return usage_error("--profile",
                               "no kind of work \"" + profile_id + "\"",
                               did_you_mean(profile_id, ids) +
                                   " `ridgeline profiles list workloads` lists all.");
        }
    }
    Comparison comparison = ridgeline::compare(
        parts, world.catalog, profile,
        profile == nullptr ? std::span<const WorkloadProfile>(world.profiles.workloads)
                           : std::span<const WorkloadProfile>());
    const auto warranty = warranties(request.texts("warranty"), parts, world.catalog);
    if (!warranty) {
        return tl::unexpected(warranty.error());
    }
    comparison.features.push_back({"warranty, years", *warranty});
    Reply answer;
    answer.body = request.json()
                     ? report::comparison_json(comparison, profile_id, stamp_of(world.catalog))
                     : report::comparison_text(comparison, profile_id, request.style);
    return answer;
}

}  // namespace ridgeline::ask
