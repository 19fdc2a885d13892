// Values of options that several commands read.
#include "advise/hardware/offers.h"
#include "ask/world.h"
#include "base/lists.h"
#include "base/text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

namespace ridgeline::ask {

Result<std::string> kind_to_list(std::string_view command, const std::string& word,
                                 const std::string& flag, const std::vector<std::string>& kinds) {
    const std::string& kind = word.empty() ? flag : word;
    if (kind.empty()) {
        return kinds.front();
    }
    if (is_among(kind, kinds)) {
        return kind;
    }
    return usage_error(std::string(command) + " list",
                       fmt::format("found \"{}\", expected {}", kind, fmt::join(kinds, ", ")),
                       did_you_mean(kind, kinds));
}

PlanChoice plan_choice(std::string_view word) {
    return word == "auto"        ? PlanChoice::all
           : word == "framework" ? PlanChoice::framework
                                 : PlanChoice::best;
}

namespace {

/// What the catalog has of a flag's kind.
std::set<std::string> site_names(std::string_view flag, const Catalog& catalog) {
    std::set<std::string> names;
    for (const Accelerator& part : catalog.accelerators) {
        names.insert(flag == "--vendor" ? lower(part.vendor) : "");
    }
    for (const Machine& machine : catalog.machines) {
        names.insert(flag == "--provider" ? lower(machine.provider.value_or("")) : "");
    }
    for (const Offer& offer : catalog.offers) {
        names.insert(flag == "--provider" ? lower(offer.provider)
                     : flag == "--region" ? lower(offer.region)
                                          : "");
    }
    names.erase("");
    return names;
}

}  // namespace

Result<std::string> site_name_of(std::string_view flag, const Catalog& catalog,
                                 std::string_view text) {
    const std::set<std::string> known = site_names(flag, catalog);
    std::string given = lower(text);
    const bool one = flag == "--region";  // whose names may have commas
    for (std::string name : one ? std::vector{given} : split(given, ',')) {
        name.erase(0, name.starts_with('!') ? 1 : 0);
        const bool there = text.empty() || std::ranges::any_of(known, [&](const auto& each) {
                               return one ? lies_in(each, name) : each == name;
                           });
        if (!there) {
            const std::vector<std::string> names(known.begin(), known.end());
            const std::string hint = did_you_mean(name, names);
            return usage_error(std::string(flag),
                               fmt::format("found \"{}\", expected one that the catalog has", name),
                               hint.empty() && names.size() < 40
                                   ? fmt::format("It has {}.", fmt::join(names, ", "))
                                   : hint);
        }
    }
    return given;
}

Result<double> number_of(std::string_view flag, std::string_view text, double least, double most) {
    const auto number = number_with_suffix(text);
    if (!number || *number < least || *number > most) {
        return usage_error(
            std::string(flag),
            fmt::format("found \"{}\", expected a number from {:g} to {:g}", text, least, most));
    }
    return *number;
}

}  // namespace ridgeline::ask
