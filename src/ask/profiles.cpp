#include "ask/commands.h"
#include "data/load.h"
#include "estimate/families/transformer/parameters.h"
#include "report/catalog_report.h"

#include <fmt/format.h>

#include <string>

namespace ridgeline::ask {
namespace {

constexpr double usual_context = 4096;

bool is_path(const std::string& subject, const Request& request) {
    return subject.ends_with(".json") || subject.find('/') != std::string::npos ||
           (request.on_command_line && TreePath(subject).is_folder());
}

/// A model by its id or a config.json by its path; a size such as 70B.
Result<Architecture> architecture_named(const World& world, const Request& request,
                                        const std::string& subject) {
    if (is_path(subject, request)) {
        const auto file = request.file("profiles", subject);
        return file ? load_hf_config(*file) : tl::unexpected(file.error());
    }
    auto architecture = model_named(world, subject);
    if (!architecture) {
        if (auto typical = typical_architecture(subject)) {
            return *typical;
        }
    }
    return architecture;
}

report::ModelAnswer model_answer(Architecture architecture, double context) {
    report::ModelAnswer answer;
    answer.parameters = count_parameters(architecture);
    answer.kv_bytes_per_token = kv_bytes_per_token(architecture, 2);
    answer.context = context;
    answer.forward_flops_per_token = forward_flops_per_token(architecture, context);
    answer.architecture = std::move(architecture);
    return answer;
}

Result<Reply> show(const World& world, const Request& request, const std::string& subject,
                   double context) {
    Reply answer;
    auto architecture = architecture_named(world, request, subject);
    const report::Stamp stamp = stamp_of(world.catalog);
    if (architecture) {
        const report::ModelAnswer model = model_answer(std::move(*architecture), context);
        answer.body = request.json() ? report::model_json(model, stamp)
                                     : report::model_text(model, request.style);
        return answer;
    }
    if (is_path(subject, request)) {
        return tl::unexpected(architecture.error());
    }
    if (const SoftwareProfile* software = world.profiles.software_profile(subject)) {
        answer.body = request.json() ? report::software_json(*software, stamp)
                                     : report::software_text(*software);
        return answer;
    }
    if (const WorkloadProfile* workload = world.profiles.workload_profile(subject)) {
        answer.body = request.json() ? report::workload_profile_json(*workload, stamp)
                                     : report::workload_profile_text(*workload, request.style);
        return answer;
    }
    Error error = architecture.error();
    error.kind = ErrorKind::usage;
    return tl::unexpected(error);
}

Result<Reply> check(const World& world, const Request& request, const std::string& file) {
    Reply answer;
    if (!file.empty()) {
        const auto path = request.file("profiles check", file);
        auto model = path ? load_hf_config(*path) : tl::unexpected(path.error());
        if (!model) {
            return tl::unexpected(model.error());
        }
        if (request.json()) {
            answer.body = report::model_json(model_answer(std::move(*model), usual_context),
                                             stamp_of(world.catalog));
            return answer;
        }
        answer.body = fmt::format("{}: {} parameters\n", file, count_parameters(*model).total);
        return answer;
    }
    for (const std::string& id : world.profiles.model_ids) {
        if (const auto model = model_named(world, id); !model) {
            return tl::unexpected(model.error());
        }
    }
    answer.body =
        request.json()
            ? report::profiles_check_json(world.profiles, stamp_of(world.catalog))
            : fmt::format("{} models, {} software profiles, {} kinds of work: all complete\n",
                          world.profiles.model_ids.size(), world.profiles.software.size(),
                          world.profiles.workloads.size());
    return answer;
}

}  // namespace

Result<Reply> answer_profiles(const World& world, const Request& request) {
    const std::string& verb = request.text("verb");
    const std::string& subject = request.text("subject");
    if (verb == "list") {
        const auto kind =
            kind_to_list("profiles", subject, request.text("kind"),
                         {report::profile_kinds.begin(), report::profile_kinds.end()});
        if (!kind) {
            return tl::unexpected(kind.error());
        }
        Reply answer;
        answer.body = request.json() ? report::profiles_list_json(world.profiles, *kind,
                                                                  stamp_of(world.catalog))
                                     : report::profiles_list_text(world.profiles, *kind);
        return answer;
    }
    if (verb == "check") {
        return check(world, request, subject);
    }
    if (subject.empty()) {
        return usage_error("profiles show", "no id was given",
                           "`ridgeline profiles list` shows all.");
    }
    double context = usual_context;
    if (const std::string& tokens = request.text("context"); !tokens.empty()) {
        const auto number = number_of("--context", tokens, 1, 1e9);
        if (!number) {
            return tl::unexpected(number.error());
        }
        context = *number;
    }
    return show(world, request, subject, context);
}

}  // namespace ridgeline::ask
