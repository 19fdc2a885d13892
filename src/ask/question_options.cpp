#include "ask/question_options.h"

#include "advise/hardware/offers.h"
#include "ask/local_devices.h"
#include "ask/named_parts.h"
#include "ask/shell_word.h"
#include "ask/world.h"
#include "base/lists.h"
#include "base/text.h"
#include "spec/workload_fields.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <optional>

namespace ridgeline::ask {
namespace {

/// The value of the word among the choices; the error names the nearest.
template <typename T, std::size_t N>
Result<T> choice_of(std::string_view flag, const std::string& word,
                    const std::array<std::pair<const char*, T>, N>& choices) {
    std::vector<std::string> words;
    for (const auto& [name, value] : choices) {
        if (lower(word) == name) {
            return value;
        }
        words.emplace_back(name);
    }
    const std::string all = joined(words, ", ");
    return usage_error(std::string(flag),
                       fmt::format("found \"{}\", expected one of {}", word, all),
                       did_you_mean(word, words));
}

/// Dollars of "5000", "$5k", "1M".
Result<double> dollars_of(std::string_view flag, std::string text) {
    if (!text.empty() && text.front() == '$') {
        text.erase(0, 1);
    }
    std::erase(text, ',');
    const auto value = number_with_suffix(text);
    if (!value || *value < 0.01 || *value > 1e15) {
        return usage_error(std::string(flag),
                           fmt::format("found \"{}\", expected US dollars, at least 0.01", text),
                           "Write 5000, $5k or 1M; 4/h for an hour of rent.");
    }
    return *value;
}

/// The size on the box, as candidates are matched by it, of "24GB" or "24GiB".
Result<double> memory_of(std::string_view flag, const std::string& text) {
    const std::string word = lower(text);
    for (const std::string_view unit : {"gib", "gb"}) {
        if (word.size() > unit.size() && word.ends_with(unit)) {
            const auto value = number_with_suffix(word.substr(0, word.size() - unit.size()));
            if (value && *value > 0 && *value < 1e6) {
                return *value;
            }
        }
    }
    return usage_error(std::string(flag),
                       fmt::format("found \"{}\", expected a size with its unit", text),
                       "Write 24GB or 24GiB.");
}

Result<int> count_of(std::string_view flag, const std::string& text) {
    const auto value = number_of(flag, text, 1, 131072);
    if (!value) {
        return tl::unexpected(value.error());
    }
    if (*value != std::floor(*value)) {
        return usage_error(std::string(flag),
                           fmt::format("found \"{}\", expected a whole number", text));
    }
    return static_cast<int>(*value);
}

/// Applies `read` to the text of a flag that was given and stores the value in `target`.
template <typename Target, typename Read>
std::optional<Error> set(Target& target, const std::string& text, Read read) {
    if (text.empty()) {
        return std::nullopt;
    }
    auto value = read(text);
    if (!value) {
        return value.error();
    }
    target = *value;
    return std::nullopt;
}

/// "5000" is a sum, "4/h" what an hour of rent may cost.
std::optional<Error> set_budget(Query& query, const std::string& text) {
    const auto slash = text.find('/');
    const std::string unit = slash == std::string::npos ? "" : lower(text.substr(slash + 1));
    const auto dollars = [](const std::string& sum) { return dollars_of("--budget", sum); };
    if (unit == "h" || unit == "hr" || unit == "hour") {
        return set(query.budget_usd_per_hour, text.substr(0, slash), dollars);
    }
    return set(query.budget_usd, text, dollars);
}

std::optional<Error> set_limits(Query& query, const Request& request) {
    const auto deadline = [](const std::string& text) { return duration_of("--deadline", text); };
    const auto ttft = [](const std::string& text) { return duration_of("--ttft", text); };
    const auto tpot = [](const std::string& text) { return duration_of("--tpot", text); };
    const auto whole = [](const std::string& text) { return duration_of("--answer", text); };
    // "48GB+": more will do.
    const std::string& asked_memory = request.text("memory");
    const bool at_least = asked_memory.ends_with('+');
    query.memory_at_least = asked_memory.empty() ? query.memory_at_least : at_least;
    const auto memory = [at_least](const std::string& text) {
        return memory_of("--memory", at_least ? text.substr(0, text.size() - 1) : text);
    };
    const auto count = [](const std::string& text) { return count_of("--accelerators", text); };
    const auto nodes = [](const std::string& text) { return count_of("--nodes", text); };
    const auto least = [](const std::string& text) { return count_of("--min-accelerators", text); };
    const auto most = [](const std::string& text) { return count_of("--max-accelerators", text); };
    const auto top = [](const std::string& text) { return count_of("--top", text); };
    const auto rack = [](const std::string& text) {
        return number_of("--rack-kw", text, 0.1, 1e4);
    };
    const auto rate = [](const std::string& text) {
        return number_of("--requests-per-s", text, 1e-9, 1e9);
    };
    for (const auto& problem :
         {set_budget(query, request.text("budget")),
          set(query.deadline_s, request.text("deadline"), deadline),
          set(query.ttft_s, request.text("ttft"), ttft),
          set(query.tpot_s, request.text("tpot"), tpot),
          set(query.answer_s, request.text("answer"), whole),
          set(query.memory_per_accelerator_gib, request.text("memory"), memory),
          set(query.exact_accelerators, request.text("accelerators"), count),
          set(query.nodes, request.text("nodes"), nodes),
          set(query.min_accelerators, request.text("min-accelerators"), least),
          set(query.max_accelerators, request.text("max-accelerators"), most),
          set(query.top, request.text("top"), top),
          set(query.rack_kw, request.text("rack-kw"), rack),
          set(query.requests_per_s, request.text("requests-per-s"), rate)}) {
        if (problem) {
            return problem;
        }
    }
    // Nobody who states a rate alone says how many run at once.
    query.concurrency_follows =
        query.concurrency_follows ||
        (!request.text("requests-per-s").empty() && request.text("concurrency").empty());
    const int nodes_asked = query.nodes.value_or(1);
    if (nodes_asked > 1 && query.exact_accelerators.value_or(0) % nodes_asked != 0) {
        return Error{ErrorKind::usage, "--nodes",
                     fmt::format("found {} beside {} accelerators, expected a divisor", nodes_asked,
                                 query.exact_accelerators.value_or(0)),
                     "Example: --accelerators 16 --nodes 2."};
    }
    if (nodes_asked > 1 && !query.exact_accelerators) {
        return Error{ErrorKind::usage, "--nodes", "found without --accelerators, which it divides",
                     "Example: --accelerators 16 --nodes 2."};
    }
    return std::nullopt;
}

}  // namespace

Result<double> duration_of(std::string_view flag, std::string_view text) {
    constexpr std::array<std::pair<const char*, double>, 7> units{
        {{"ms", 1e-3}, {"min", 60}, {"s", 1}, {"m", 60}, {"h", 3600}, {"d", 86400}, {"w", 604800}}};
    const std::string word = lower(text);
    for (const auto& [unit, seconds] : units) {
        const std::string suffix = unit;
        if (word.size() > suffix.size() && word.ends_with(suffix) &&
            is_digit(word[word.size() - suffix.size() - 1])) {
            const auto value = number_with_suffix(word.substr(0, word.size() - suffix.size()));
            if (value && *value > 0 && *value < 1e9) {
                return *value * seconds;
            }
        }
    }
    return usage_error(std::string(flag),
                       fmt::format("found \"{}\", expected a duration with its unit", text),
                       "Write 30d, 12h, 45min, 90s or 500ms.");
}

namespace {

Result<void> set_objective(Query& query, const Request& request) {
    if (request.text("objective").empty()) {
        return {};
    }
    const auto objective = choice_of("--objective", request.text("objective"), objectives);
    if (!objective) {
        return tl::unexpected(objective.error());
    }
    query.objective = *objective;
    return {};
}

/// The parts of --on, in place of those of the question.
Result<void> set_parts(Query& query, const Request& request, const Catalog& catalog) {
    for (const std::string& word : request.texts("without")) {
        const bool instance =
            std::any_of(catalog.offers.begin(), catalog.offers.end(),
                        [&](const Offer& offer) { return is_of_instance(catalog, offer, word); });
        if (instance) {
            query.instances_excluded.push_back(word);
            continue;
        }
        const auto parts = parts_named(catalog, word, "--without");
        if (!parts) {
            return tl::unexpected(parts.error());
        }
        for (const Accelerator* part : *parts) {
            query.accelerators_excluded.push_back(part->id);
        }
    }
    if (request.texts("on").empty()) {
        return {};
    }
    query.accelerators.clear();
    for (const std::string& word : request.texts("on")) {
        if (word == "local" && request.on_command_line) {
            const auto local = local_parts(catalog);
            if (!local) {
                return tl::unexpected(local.error());
            }
            query.accelerators.push_back(local->accelerator->id);
            query.max_accelerators =
                std::min(query.max_accelerators.value_or(local->count), local->count);
            continue;
        }
        const auto parts = parts_named(catalog, word, "--on");
        if (!parts) {
            return tl::unexpected(parts.error());
        }
        for (const Accelerator* part : *parts) {
            query.accelerators.push_back(part->id);
        }
    }
    return {};
}

}  // namespace

namespace {

/// What a request states of the workload and the flags of its query do not say.
std::string flags_beyond(const Query& query, const Request& request) {
    const std::string said = " " + flags_of(query) + " ";
    const bool engine = query.workload.task == Task::inference || query.workload.preference;
    std::vector<std::string_view> names;
    for (const WorkloadField& field : workload_fields()) {
        names.push_back(field.option);
    }
    names.push_back(engine ? "memory-fraction" : "");
    std::string flags;
    for (const std::string_view name : names) {
        const bool open = !name.empty() && request.given(name) && !query.workload.kernel &&
                          !contains(said, fmt::format(" --{} ", name));
        if (open) {
            append(flags, " ",
                   fmt::format("--{} {}", name, shell_word(joined(request.texts(name), ","))));
        }
    }
    return flags;
}

}  // namespace

Result<Query> with_flags(Query query, const Request& request, const Catalog& catalog) {
    if (const auto problem = set_limits(query, request)) {
        return tl::unexpected(*problem);
    }
    if (const auto set = set_objective(query, request); !set) {
        return tl::unexpected(set.error());
    }
    if (const auto set = set_parts(query, request, catalog); !set) {
        return tl::unexpected(set.error());
    }
    for (const auto& [flag, target] :
         {std::pair("--vendor", &query.vendor), std::pair("--provider", &query.provider),
          std::pair("--region", &query.region)}) {
        const std::string& text = request.text(flag + 2);
        const auto name = site_name_of(flag, catalog, text);
        if (!name) {
            return tl::unexpected(name.error());
        }
        *target = text.empty() ? *target : *name;
    }
    for (const auto& [flag, target] :
         {std::pair("profile", &query.profile), std::pair("price", &query.price_kind)}) {
        if (const std::string& text = request.text(flag); !text.empty()) {
            *target = lower(text);
        }
    }
    for (const std::string& feature : request.texts("require")) {
        if (!is_among(lower(feature), query.require)) {
            query.require.push_back(lower(feature));
        }
    }
    query.all = query.all || request.flag("all");
    query.ladder = query.ladder || request.flag("ladder");
    query.owned = query.owned || request.flag("owned");
    query.buy = query.buy || request.flag("buy");
    query.more_flags = flags_beyond(query, request);
    return query;
}

}  // namespace ridgeline::ask
