#include "base/text.h"
#include "cli/commands.h"
#include "data/load.h"
#include "estimate/families/transformer/parameters.h"
#include "report/catalog_report.h"

#include <fmt/format.h>

#include <filesystem>
#include <string>

namespace ridgeline::cli {
namespace {

constexpr double usual_context = 4096;

bool is_path(const std::string& subject) {
    std::error_code ignored;
    return subject.ends_with(".json") || subject.find('/') != std::string::npos ||
           std::filesystem::is_directory(subject, ignored);
}

Result<report::ModelAnswer> model_answer(Architecture architecture, double context) {
    report::ModelAnswer answer;
    answer.parameters = count_parameters(architecture);
    answer.kv_bytes_per_token = kv_bytes_per_token(architecture, 2);
    answer.context = context;
    answer.forward_flops_per_token = forward_flops_per_token(architecture, context);
    answer.architecture = std::move(architecture);
    return answer;
}

Result<Answer> show(const CommonOptions& common,
                    const std::filesystem::path& folder,
                    const std::string& subject,
                    double context) {
    const report::Style style = style_of(common);
    Answer answer;
    auto architecture = is_path(subject) ? load_hf_config(subject) : load_model(folder, subject);
    if (!architecture && !is_path(subject)) {
        if (auto typical = typical_architecture(subject)) {
            architecture = *typical;
        }
    }
    const auto catalog = load_catalog_of(common);
    const report::Stamp stamp =
        catalog ? stamp_of(*catalog) : report::Stamp{RIDGELINE_VERSION, {}, {}};
    if (architecture) {
        const auto model = model_answer(std::move(*architecture), context);
        if (!model) {
            return tl::unexpected(model.error());
        }
        answer.out =
            common.json ? report::model_json(*model, stamp) : report::model_text(*model, style);
        return answer;
    }
    if (!is_path(subject)) {
        const auto profiles = load_profiles(folder);
        if (!profiles) {
            return tl::unexpected(profiles.error());
        }
        if (const SoftwareProfile* software = profiles->software_profile(subject)) {
            answer.out = common.json ? report::software_json(*software, stamp)
                                     : report::software_text(*software);
            return answer;
        }
        if (const WorkloadProfile* workload = profiles->workload_profile(subject)) {
            answer.out = common.json ? report::workload_profile_json(*workload, stamp)
                                     : report::workload_profile_text(*workload, style);
            return answer;
        }
        Error error = architecture.error();
        error.kind = ErrorKind::usage;
        return tl::unexpected(error);
    }
    return tl::unexpected(architecture.error());
}

Result<Answer> list(const CommonOptions& common,
                    const std::filesystem::path& folder,
                    const std::string& kind) {
    const auto profiles = load_profiles(folder);
    if (!profiles) {
        return tl::unexpected(profiles.error());
    }
    const auto catalog = load_catalog_of(common);
    if (!catalog) {
        return tl::unexpected(catalog.error());
    }
    Answer answer;
    answer.out = common.json ? report::profiles_list_json(*profiles, kind, stamp_of(*catalog))
                             : report::profiles_list_text(*profiles, kind);
    return answer;
}

Result<Answer> check(const std::filesystem::path& folder, const std::string& file) {
    Answer answer;
    if (file.empty()) {
        const auto profiles = load_profiles(folder);
        if (!profiles) {
            return tl::unexpected(profiles.error());
        }
        for (const std::string& id : profiles->model_ids) {
            if (const auto model = load_model(folder, id); !model) {
                return tl::unexpected(model.error());
            }
        }
        answer.out =
            fmt::format("{} models, {} software profiles, {} kinds of work: all complete\n",
                        profiles->model_ids.size(),
                        profiles->software.size(),
                        profiles->workloads.size());
        return answer;
    }
    const auto model = load_hf_config(file);
    if (!model) {
        return tl::unexpected(model.error());
    }
    answer.out = fmt::format("{}: {} parameters\n", file, count_parameters(*model).total);
    return answer;
}

}  // namespace

Result<Answer> run(const CommonOptions& common, const ProfilesOptions& options) {
    const auto folder = find_folder(common.profiles, "profiles");
    if (!folder) {
        return tl::unexpected(folder.error());
    }
    if (options.verb == "list") {
        const auto kind = kind_to_list(
            "profiles", options.subject, options.kind, {"models", "software", "workloads"});
        return kind ? list(common, *folder, *kind) : tl::unexpected(kind.error());
    }
    if (options.verb == "check") {
        return check(*folder, options.subject);
    }
    if (options.subject.empty()) {
        return usage_error(
            "profiles show", "no id was given", "`ridgeline profiles list` shows all.");
    }
    double context = usual_context;
    if (!options.context.empty()) {
        const auto number = number_of("--context", options.context, 1, 1e9);
        if (!number) {
            return tl::unexpected(number.error());
        }
        context = *number;
    }
    return show(common, *folder, options.subject, context);
}

}  // namespace ridgeline::cli
