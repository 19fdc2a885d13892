#include "cli/asked.h"

#include "advise/offers.h"
#include "advise/reading.h"
#include "base/text.h"
#include "cli/advise_query.h"
#include "cli/workload_flags.h"
#include "data/load.h"
#include "data/model_aliases.h"

#include <fmt/core.h>

#include <filesystem>
#include <system_error>

namespace ridgeline::cli {
namespace {

constexpr int many_accelerators = 64;
/// Tens of thousands of examples of about two thousand tokens: a usual fine-tuning set.
constexpr double assumed_tokens = 50e6;

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

/// A name of a file, as opposed to a question; a question may be longer than any name.
bool is_file(const std::string& words) {
    std::error_code ignored;
    return words.ends_with(".json") || (words.size() < 1024 && std::filesystem::exists(words, ignored));
}

/// The days from today to a date become the deadline; an error when there are none.
std::optional<Error> set_deadline(Asked& asked, const std::string& date) {
    const auto days = days_between(today(), date);
    if (!days || *days < 1) {
        return Error{ErrorKind::usage,
                     "deadline",
                     fmt::format("found \"{}\", expected a day after {}", date, today()),
                     "Write it as 2027-03-01, or as a time: in 30 days."};
    }
    asked.query.deadline_s = static_cast<double>(*days) * 86400;
    asked.assumptions.push_back(fmt::format("until {} there are {} days", date, *days));
    return std::nullopt;
}

/// The question, in words or as a workload file, with the flags laid over it.
Result<Asked> asked_of(const AdviseOptions& options, const World& world) {
    Asked asked;
    WorkloadFlags flags = options.workload;
    const std::string words = joined(options.question, " ");
    const bool file = options.question.size() == 1 && is_file(words);
    if (file) {
        flags.file = words;
    } else if (!words.empty()) {
        const auto aliases = model_aliases(world.profiles_folder);
        auto reading = read_question(words, Vocabulary{world.catalog, world.profiles, &aliases});
        if (!reading) {
            return tl::unexpected(reading.error());
        }
        asked.query = query_of(*reading);
        reading->flags = flags_of(*reading, asked.query);
        asked.length_open = asked.query.buy && !reading->buy;
        for (const AssumedField& field : reading->assumed) {
            asked.assumptions.push_back(
                fmt::format("{} {}: {}", field.field, field.value, field.why));
        }
        if (!reading->deadline_date.empty()) {
            if (const auto late = set_deadline(asked, reading->deadline_date)) {
                return tl::unexpected(*late);
            }
        }
        if (!reading->not_understood.empty()) {
            asked.messages =
                fmt::format("note: not understood: {} (see `ridgeline advise --help`)\n",
                            joined(reading->not_understood, ", "));
            asked.unknown = reading->not_understood;
        }
        asked.reading = std::move(*reading);
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
    AdviseOptions flags_left = options;
    const bool dated = days_between(options.deadline, options.deadline).has_value();
    if (dated) {
        flags_left.deadline.clear();
    }
    auto query = with_flags(std::move(asked.query), flags_left, world.catalog);
    if (!query) {
        return tl::unexpected(query.error());
    }
    asked.query = std::move(*query);
    if (dated) {
        if (const auto late = set_deadline(asked, options.deadline)) {
            return tl::unexpected(*late);
        }
    }
    return asked;
}

}  // namespace

Result<Asked> ask(const AdviseOptions& options, const World& world) {
    if (options.owned && !options.question.empty() && options.question.front() == "local") {
        AdviseOptions local = options;  // --owned local "question": the devices of this machine
        local.question.erase(local.question.begin());
        local.on.emplace_back("local");
        return asked_of(local, world);
    }
    return asked_of(options, world);
}

bool asks_about_money_alone(const Query& query) {
    return query.workload.model_id.empty() && !query.workload.architecture &&
           (query.budget_usd || query.exact_accelerators.value_or(0) >= many_accelerators);
}

BudgetAnswer budget_answer_on(const Asked& asked, const World& world) {
    std::vector<SizedModel> sizes;
    for (const char* size : {"3B", "8B", "14B", "32B", "70B", "123B", "405B"}) {
        if (auto model = typical_architecture(size)) {
            sizes.push_back({size, std::move(*model)});
        }
    }
    const std::string date = today();
    return budget_answer(asked.query, Knowledge{world.catalog, world.profiles, date}, sizes);
}

Result<Advice> advice_on(Asked& asked, const World& world) {
    const auto architecture = completed(asked.query.workload, world);
    if (!architecture) {
        Error error = architecture.error();
        if (!asked.unknown.empty()) {
            error.hint += " Not understood: " + joined(asked.unknown, ", ") + ".";
        }
        return tl::unexpected(std::move(error));
    }
    const std::string date = today();
    const Knowledge knowledge{world.catalog, world.profiles, date};
    auto advice = ridgeline::advise(asked.query, *architecture, knowledge);
    if (advice && advice->options.empty() && asked.length_open) {
        asked.query.buy = false;
        asked.query.workload.duration_tokens = assumed_tokens;
        asked.assumptions = {fmt::format(
            "nothing within the budget can be bought that runs it, so it is taken for renting; a "
            "run of {} tokens is assumed (say \"on 20M tokens\")",
            format_count(assumed_tokens))};
        advice = ridgeline::advise(asked.query, *architecture, knowledge);
    }
    if (advice) {
        advice->assumptions.insert(
            advice->assumptions.begin(), asked.assumptions.begin(), asked.assumptions.end());
    }
    return advice;
}

}  // namespace ridgeline::cli
