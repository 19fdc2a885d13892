#include "advise/reading/settling/asked_limits.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

// The limits of a query, as far as a question tells them.

namespace ridgeline {
namespace {

/// Is the model no more than a size: "7b"?
bool is_mere_size(std::string_view model) {
    return !model.empty() && model.front() >= '0' && model.front() <= '9';
}

/// Those that are wanted and of which a price is listed; the others are told, and no limit.
std::vector<std::string> priced_providers(Reading& reading) {
    std::vector<std::string> priced;
    for (const std::string& name : reading.providers) {
        const auto& unpriced = reading.unpriced_providers;
        if (std::ranges::find(unpriced, name) == unpriced.end()) {
            priced.push_back(name);
        } else if (reading.intent != Intent::price && reading.intent != Intent::describe) {
            assume(reading, "provider", "any",
                   fmt::format(
                       "no price of {} is listed; `ridgeline prices import` takes a table of them",
                       name));
        }
    }
    return priced;
}

/// The names that are wanted, else those that are not: "!aws,!gcp".
std::string one_or_others(const std::vector<std::string>& wanted,
                          const std::vector<std::string>& excluded) {
    std::string text;
    for (const std::string& name : wanted) {
        text += (text.empty() ? "" : ",") + name;
    }
    if (!text.empty()) {
        return text;
    }
    for (const std::string& name : excluded) {
        text += (text.empty() ? "!" : ",!") + name;
    }
    return text;
}

/// "two copies on 2 x l4": each has its share of the accelerators, where they can be shared evenly.
bool spreads_copies(const Reading& reading) {
    return reading.copies && reading.count && reading.task == Task::inference && !reading.tensor &&
           !reading.pipeline && reading.intent != Intent::fit && reading.intent != Intent::memory &&
           reading.intent != Intent::hardware && *reading.count % *reading.copies == 0;
}

}  // namespace

void fill_limits(Reading& reading, Query& query) {
    query.ttft_s = reading.ttft_s;
    query.tpot_s = reading.tpot_s;
    query.answer_s = reading.answer_s;
    query.requests_per_s = reading.requests_per_s;
    query.deadline_s = reading.deadline_s;
    query.budget_usd = reading.budget_usd;
    // "what does it cost at $2 an hour": what is paid for an accelerator of a run bounds nothing.
    const bool paid = reading.intent == Intent::duration && pays_told_rent(reading);
    if (paid && assumed_of(reading, "usd_per_hour") == nullptr) {
        assume(reading, "usd_per_hour", fmt::format("{:g}", *reading.usd_per_hour),
               "what is paid, no limit");
    }
    if (!paid) {
        query.budget_usd_per_hour = reading.usd_per_hour;
    }
    if (query.budget_usd_per_hour && reading.hourly_each) {
        query.budget_usd_per_hour = *reading.usd_per_hour * reading.count.value_or(1);
    }
    query.rack_kw = reading.rack_kw;
    query.rented_only = reading.rented_only;
    query.max_watts = reading.max_watts;
    query.min_accelerators = reading.min_count;
    query.max_accelerators = reading.max_count;
    query.exact_accelerators = reading.count;
    if (reading.count && reading.nodes && *reading.nodes > 1 &&
        *reading.count % *reading.nodes == 0) {
        query.nodes = reading.nodes;
    }
    if (!reading.count && reading.nodes == 1) {
        query.nodes = 1;  // however many it holds
    }
    if (reading.intent == Intent::fit && reading.copies && reading.count &&
        *reading.count % *reading.copies == 0) {
        query.exact_accelerators = *reading.count / *reading.copies;  // of each
    }
    if (spreads_copies(reading)) {
        query.workload.tensor = *reading.count / *reading.copies;
        query.workload.pipeline = 1;
    }
    query.memory_per_accelerator_gib = reading.memory_gib;
    query.memory_at_least = reading.memory_at_least;
    query.least_bytes_per_s = reading.replaced_bytes_per_s;
    // What is served lies on all of them together; what is trained, on each.
    if (reading.replaced_gb > 0 && reading.task == Task::inference) {
        query.least_memory_gb = reading.replaced_gb;
        forget_assumed(reading, "least_memory");
        assume_first(
            reading, "least_memory", fmt::format("{:g} GB", reading.replaced_gb),
            fmt::format("more than all {} that are there hold together", reading.replaced_count));
    }
    query.require = reading.require;
    // A network by its name tells more than the kind of work that it is for; a size does not.
    const bool named = !reading.model.empty() && !is_mere_size(reading.model);
    query.profile = named ? "" : reading.profile;
    query.vendor = one_or_others(reading.vendors, reading.vendors_excluded);
    const bool owns = reading.buy || reading.home;  // a region and who is not asked are of a rent
    query.provider = one_or_others(priced_providers(reading),
                                   owns ? std::vector<std::string>{} : reading.providers_excluded);
    query.region = owns ? "" : reading.region;
    query.price_kind = reading.price_kind == "purchase" ? "" : reading.price_kind;
    query.buy = reading.buy;
    query.accelerators_excluded = reading.accelerators_excluded;
    query.instances_excluded = reading.instances_excluded;
    query.objective = reading.objective.value_or(reading.buy ? Objective::price : Objective::cost);
    query.owned = reading.owned && (!reading.accelerators.empty() || reading.memory_gib);
    for (const std::string& id : reading.accelerators) {
        if (std::ranges::find(reading.unknown_parts, id) == reading.unknown_parts.end()) {
            query.accelerators.push_back(id);
        }
    }
}

void assume_count(Reading& reading, Query& query) {
    const bool one_card = !query.accelerators.empty() || query.memory_per_accelerator_gib;
    if (reading.intent == Intent::fit && one_card && !query.exact_accelerators &&
        !query.max_accelerators) {
        query.exact_accelerators = reading.several ? 2 : 1;
        assume(reading, "count", reading.several ? "2" : "1",
               reading.several ? "a plural without a number means two at least"
                               : "no number of cards was said");
    }
}

void assume_copies(Reading& reading) {
    if (!reading.copies || reading.intent == Intent::fit || reading.intent == Intent::memory) {
        return;  // those answers count them
    }
    if (reading.intent == Intent::hardware && reading.task == Task::train) {
        return;  // so does this one
    }
    const bool hardware = !reading.accelerators.empty() || reading.memory_gib;
    if (spreads_copies(reading)) {
        const int each = *reading.count / *reading.copies;
        assume(reading, "copies", std::to_string(*reading.copies),
               fmt::format("each on {} accelerator{}; users and rates are of all together", each,
                           each > 1 ? "s" : ""));
        return;
    }
    assume(reading, "copies", "1",
           reading.intent == Intent::hardware && reading.task == Task::inference
               ? fmt::format("memory of all {} adds up; rates are of one alone", *reading.copies)
           : hardware
               ? fmt::format("one alone on all of the hardware is answered; {} at once share it",
                             *reading.copies)
               : fmt::format("one alone is answered; each of {} at once needs as much",
                             *reading.copies));
}

}  // namespace ridgeline
