#include <filesystem>
#include <string>

#include <fmt/core.h>

#include "advise/advise.h"
#include "advise/question.h"
#include "base/text.h"
#include "cli/advise_query.h"
#include "cli/commands.h"
#include "cli/workload_flags.h"

namespace ridgeline::cli {
namespace {

std::string joined(const std::vector<std::string>& words, std::string_view between) {
    std::string text;
    for (const std::string& word : words) {
        text += (text.empty() ? "" : std::string(between)) + word;
    }
    return text;
}

bool any_flag(const WorkloadFlags& flags) {
    for (const auto& value : flags.values) {
        if (value) {
            return true;
        }
    }
    return !flags.file.empty() || !flags.hf_config.empty();
}

struct Asked {
    Query query;
    std::vector<std::string> assumptions;
    std::vector<std::string> unknown;  ///< words of the question
    std::string messages;
};

/// The question, in words or as a workload file, with the flags laid over it.
Result<Asked> asked_of(const AdviseOptions& options, const World& world) {
    Asked asked;
    WorkloadFlags flags = options.workload;
    const std::string words = joined(options.question, " ");
    const bool file = options.question.size() == 1 &&
                      (words.ends_with(".json") || std::filesystem::exists(words));
    if (file) {
        flags.file = words;
    } else if (!words.empty()) {
        auto reading = read_question(words, Vocabulary{world.catalog, world.profiles});
        if (!reading) {
            return tl::unexpected(reading.error());
        }
        asked.query = std::move(reading->query);
        asked.assumptions = std::move(reading->assumptions);
        if (!reading->unknown.empty()) {
            asked.messages = fmt::format("note: not understood: {} (see `ridgeline advise --help`)\n",
                                         joined(reading->unknown, ", "));
            asked.unknown = std::move(reading->unknown);
        }
    } else if (!any_flag(flags)) {
        return usage_error("advise",
                           "nothing was asked",
                           "Example: ridgeline advise \"what GPU for a 70B fine-tune\".");
    }
    if (any_flag(flags)) {
        const auto document = workload_of(flags);
        if (!document) {
            return tl::unexpected(document.error());
        }
        asked.query.workload =
            words.empty() || file ? *document : overlaid(asked.query.workload, *document);
        if (!asked.query.workload.model_id.empty()) {
            asked.query.model_text = asked.query.workload.model_id;
        }
        if (document->method) {
            asked.query.method_open = false;
        }
    }
    auto query = with_flags(std::move(asked.query), options, world.catalog);
    if (!query) {
        return tl::unexpected(query.error());
    }
    asked.query = std::move(*query);
    return asked;
}

}  // namespace

Result<Answer> run(const CommonOptions& common, const AdviseOptions& options) {
    const auto world = load_world(common);
    if (!world) {
        return tl::unexpected(world.error());
    }
    auto asked = asked_of(options, *world);
    if (!asked) {
        return tl::unexpected(asked.error());
    }
    const auto architecture = architecture_of(asked->query.workload, world->profiles_folder);
    if (!architecture) {
        Error error = architecture.error();
        if (!asked->unknown.empty()) {
            error.hint += " Not understood: " + joined(asked->unknown, ", ") + ".";
        }
        return tl::unexpected(std::move(error));
    }
    const std::string date = today();
    auto advice = ridgeline::advise(
        asked->query, *architecture, Knowledge{world->catalog, world->profiles, date});
    if (!advice) {
        return tl::unexpected(advice.error());
    }
    advice->assumptions.insert(
        advice->assumptions.begin(), asked->assumptions.begin(), asked->assumptions.end());
    Answer answer;
    answer.messages = notes_of(*world) + asked->messages;
    answer.out = common.json ? report::advice_json(*advice, stamp_of(world->catalog))
                             : report::advice_text(*advice, style_of(common));
    answer.exit_code = advice->options.empty() ? 3 : 0;
    return answer;
}

}  // namespace ridgeline::cli
