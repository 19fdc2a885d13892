#include "advise/ranking/compare.h"

#include "advise/hardware/cluster.h"
#include "advise/placement/placement.h"
#include "ask/commands.h"
#include "ask/named_parts.h"
#include "ask/workload_on.h"
#include "ask/workload_options.h"
#include "base/text.h"

#include <fmt/format.h>

#include <span>
#include <vector>

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

Result<int> cards_compared(const Request& request) {
    if (!request.given("count")) {
        return 1;
    }
    const auto stated = number_of("--count", request.text("count"), 1, 1e6);
    return stated ? Result<int>(static_cast<int>(*stated)) : tl::unexpected(stated.error());
}

/// The kind of work that weighs the figures; null: none was asked for.
Result<const WorkloadProfile*> profile_asked(const World& world, const std::string& id) {
    if (id.empty()) {
        return nullptr;
    }
    if (const WorkloadProfile* profile = world.profiles.workload_profile(id)) {
        return profile;
    }
    std::vector<std::string> ids;
    for (const WorkloadProfile& known : world.profiles.workloads) {
        ids.push_back(known.id);
    }
    return usage_error("--profile", "no kind of work \"" + id + "\"",
                       did_you_mean(id, ids) + " `ridgeline profiles list workloads` lists all.");
}

/// The verdict of `estimate`.
std::string_view verdict_words(const MemoryEstimate& memory) {
    return !memory.fits ? "does not fit" : barely_fits(memory) ? "barely" : "fits";
}

/// What the workload of the options needs and how fast it runs on `--count` of each part.
Result<void> add_workload(Comparison& comparison, const World& world, const Request& request) {
    if (!states_workload(request) && !request.given("workload")) {
        if (request.given("count")) {
            return usage_error("--count", "found without a workload, for which it counts",
                               "Example: --model llama-3.1-8b --count 2.");
        }
        return {};
    }
    auto document = of_a_model(workload_of(request, request.text("workload")));
    if (!document) {
        return tl::unexpected(document.error());
    }
    const auto architecture = completed(*document, world);
    if (!architecture) {
        return tl::unexpected(architecture.error());
    }
    const auto count = cards_compared(request);
    if (!count) {
        return tl::unexpected(count.error());
    }
    const std::string date = today();
    const Knowledge knowledge = knowledge_of(world, date);
    ComparisonFeature fits{.name = fmt::format("{} on {}", document->model_id, *count),
                           .values = {}};
    ComparisonFeature needs{.name = "needs, GiB each", .values = {}};
    ComparisonFeature rate{.name = "samples/s", .values = {}};
    for (const Accelerator* part : comparison.accelerators) {
        const auto placed =
            place_with(PlanChoice::best, knowledge, *document, *architecture,
                       make_cluster(world.catalog, *part, *count, 0, nullptr), nullptr);
        const TimeEstimate* time = placed ? &placed->estimate.time : nullptr;
        const bool tokens = time != nullptr && time->tokens_per_second > 0;
        rate.name = tokens ? "tokens/s" : rate.name;
        fits.values.emplace_back(placed ? verdict_words(placed->estimate.memory) : "no");
        needs.values.push_back(
            placed ? fmt::format("{:.3g}", placed->estimate.memory.process / gibibyte) : "-");
        rate.values.push_back(
            placed && placed->estimate.memory.fits
                ? fmt::format("{:.4g}", tokens ? time->tokens_per_second : time->samples_per_second)
                : "-");
    }
    comparison.features.insert(comparison.features.begin(),
                               {std::move(fits), std::move(needs), std::move(rate)});
    return {};
}

}  // namespace

Result<Reply> answer_compare(const World& world, const Request& request) {
    std::vector<const Accelerator*> parts;
    for (const std::string& words : request.texts("accelerators")) {
        for (const std::string& word : split(words, ',')) {
            const auto named = parts_named(world.catalog, word, "compare");
            if (!named) {
                return tl::unexpected(named.error());
            }
            parts.insert(parts.end(), named->begin(), named->end());
        }
    }
    if (parts.size() < 2) {
        return usage_error("compare", "fewer than two accelerators were given",
                           "Example: ridgeline compare h100-sxm5-80gb h200-sxm-141gb.");
    }
    const std::string& profile_id = request.text("profile");
    const auto profile = profile_asked(world, profile_id);
    if (!profile) {
        return tl::unexpected(profile.error());
    }
    Comparison comparison = ridgeline::compare(
        parts, world.catalog, *profile,
        *profile == nullptr ? std::span<const WorkloadProfile>(world.profiles.workloads)
                            : std::span<const WorkloadProfile>());
    const auto warranty = warranties(request.texts("warranty"), parts, world.catalog);
    if (!warranty) {
        return tl::unexpected(warranty.error());
    }
    if (const auto added = add_workload(comparison, world, request); !added) {
        return tl::unexpected(added.error());
    }
    comparison.features.push_back({"warranty, years", *warranty});
    Reply answer;
    answer.body = request.json()
                      ? report::comparison_json(comparison, profile_id, stamp_of(world.catalog))
                      : report::comparison_text(comparison, profile_id, request.style);
    return answer;
}

}  // namespace ridgeline::ask
