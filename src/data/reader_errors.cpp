#include "data/reader_errors.h"

#include "base/text.h"
#include "data/reader.h"

#include <fmt/format.h>

#include <optional>
#include <string_view>
#include <utility>

namespace ridgeline {

std::string number_wanted(std::string_view key, bool whole) {
    static constexpr std::pair<std::string_view, std::string_view> units[] = {
        {"_gb_per_s", "GB/s"},
        {"_tflop_per_s", "TFLOP/s"},
        {"_per_s", "a second"},
        {"_gib", "GiB"},
        {"_mib", "MiB"},
        {"_kib", "KiB"},
        {"_gb", "GB"},
        {"_mhz", "MHz"},
        {"_w", "watts"},
        {"_us", "microseconds"},
        {"_ms", "milliseconds"},
        {"_s", "seconds"},
        {"_per_hour", "an hour"},
        {"_usd", "US dollars"},
        {"_gbps", "Gbit/s"},
        {"_bytes", "bytes"}};
    for (const auto& [suffix, unit] : units) {
        if (key.ends_with(suffix)) {
            return fmt::format("a number of {}", unit);
        }
    }
    return whole ? "a whole number" : "a number";
}

std::string converted(std::string_view text, std::string_view key) {
    static constexpr struct {
        std::string_view written, suffix;
        double factor;
    } conversions[] = {{"TB/s", "_gb_per_s", 1000},
                       {"GB/s", "_gb_per_s", 1},
                       {"PFLOP/s", "_tflop_per_s", 1000},
                       {"TFLOP/s", "_tflop_per_s", 1},
                       {"TFLOPS", "_tflop_per_s", 1},
                       {"GiB", "_gib", 1},
                       {"MiB", "_mib", 1},
                       {"GiB", "_mib", 1024},
                       {"kW", "_w", 1000},
                       {"GB", "_gb", 1},
                       {"TB", "_gb", 1000},
                       {"W", "_w", 1},
                       {"ms", "_us", 1000},
                       {"us", "_us", 1},
                       {"ms", "_ms", 1}};
    const std::size_t space = text.find_last_of("0123456789. ");
    if (space == std::string_view::npos) {
        return {};
    }
    std::string_view number = text.substr(0, space + 1);
    while (!number.empty() && number.back() == ' ') {
        number.remove_suffix(1);
    }
    const std::optional<double> value = number_with_suffix(number);
    for (const auto& conversion : conversions) {
        if (value && text.substr(space + 1) == conversion.written &&
            key.ends_with(conversion.suffix)) {
            return fmt::format("Write {}", *value * conversion.factor);
        }
    }
    return {};
}

std::string found_in(const JsonNode& value) {
    switch (value.kind()) {
        case JsonNode::Kind::null:
            return "null";
        case JsonNode::Kind::boolean:
            return value.boolean() ? "true" : "false";
        case JsonNode::Kind::text:
            return fmt::format("\"{}\" (text)", printable(value.text()));
        case JsonNode::Kind::list:
            return fmt::format("a list of {}", value.elements().size());
        case JsonNode::Kind::object:
            return "an object";
        default:
            return fmt::format("{}", value.number());
    }
}

namespace {

/// Puts the path from `at` to the node before `path`; false when the node is not below.
bool find_path(const JsonNode& at, const JsonNode& node, std::string& path) {
    if (&at == &node) {
        return true;
    }
    for (const JsonMember& member : at.members()) {
        if (find_path(member.value, node, path)) {
            path.insert(0, fmt::format("/{}", member.name));
            return true;
        }
    }
    for (std::size_t i = 0; i < at.elements().size(); ++i) {
        if (find_path(at.elements()[i], node, path)) {
            path.insert(0, fmt::format("/{}", i));
            return true;
        }
    }
    return false;
}

}  // namespace

std::string Errors::path_of(const JsonNode& node) const {
    std::string path;
    if (root_ != nullptr && list_.size() < most_errors_printed) {
        find_path(*root_, node, path);
    }
    return path;
}

}  // namespace ridgeline
