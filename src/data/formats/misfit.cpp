#include "data/formats/misfit.h"

#include "base/lists.h"
#include "base/text.h"
#include "spec/workload_fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace ridgeline {
namespace {

/// Whether a text stands for a value that is put in before the tool runs, or that the tool finds.
bool stands_for_value(const std::string& text) {
    static constexpr const char* words[] = {"", "none", "null", "auto", "default", "inf", "all"};
    const bool capitals = std::ranges::none_of(text, [](char c) { return c >= 'a' && c <= 'z'; });
    const bool letters = std::ranges::any_of(text, [](char c) { return c >= 'A' && c <= 'Z'; });
    return is_among(lower(text), words) || (capitals && letters) ||
           text.find_first_of("${}<>%@") != std::string::npos;
}

Misfit share_misfit(const std::string& text) {
    const auto number = number_with_suffix(text);
    return !number                       ? Misfit{"is no number"}
           : *number > 0 && *number <= 1 ? Misfit{}
                                         : Misfit{
                                               "can be no share, expected a number above 0 and "
                                               "at most 1",
                                               true};
}

Misfit number_misfit(const std::string& text, double least, bool whole) {
    const auto number = number_with_suffix(text);
    if (number && *number >= least && (!whole || *number == std::floor(*number))) {
        return {};
    }
    const std::string expected =
        fmt::format("expected a {} from {:g}", whole ? "whole number" : "number", least);
    return !number && stands_for_value(text) ? Misfit{"is no number"}
           : !number                         ? Misfit{"is no number, " + expected, true}
                                             : Misfit{"can be no size, " + expected, true};
}

}  // namespace

Misfit misfit(const std::string& option, const std::string& text) {
    static constexpr const char* sizes[] = {
        "@accumulation",      "@length",           "@context",           "@evaluation-batch",
        "@microbatch-tokens", "@generation-steps", "@generation-batch",  "@step-tokens",
        "@completion",        "@prompt",           "@shared-micro-batch"};
    static constexpr const char* counts[] = {"@accelerators", "@nodes", "@per-node"};
    if (option == "@fraction") {
        return share_misfit(text);
    }
    const WorkloadField* field = field_of_option(option);
    const bool whole = field != nullptr && field->type == FieldType::whole;
    if (whole || (field != nullptr && field->type == FieldType::number)) {
        return number_misfit(text, field->least, whole);
    }
    if (is_among(option, sizes)) {
        return number_misfit(text, 1, true);
    }
    if (is_among(option, counts)) {  // of launchers: "gpu" and "1:4" are counts too
        return number_with_suffix(text) ? number_misfit(text, 1, true) : Misfit{"is no number"};
    }
    return {text.empty() ? "is empty" : ""};
}

std::optional<int> whole_size(const std::string& text) {
    const auto number = number_with_suffix(text);
    if (!number || *number < 1 || *number > 1e6 || *number != std::floor(*number)) {
        return std::nullopt;
    }
    return static_cast<int>(*number);
}

}  // namespace ridgeline
