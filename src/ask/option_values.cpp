// Values of options that several commands read.
#include "ask/world.h"
#include "base/text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace ridgeline::ask {

Result<std::string> kind_to_list(std::string_view command, const std::string& word,
                                 const std::string& flag, const std::vector<std::string>& kinds) {
    const std::string& kind = word.empty() ? flag : word;
    if (kind.empty()) {
        return kinds.front();
    }
    if (std::find(kinds.begin(), kinds.end(), kind) != kinds.end()) {
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
