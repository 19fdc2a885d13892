#include "data/reader_errors.h"

#include "base/text.h"
#include "data/reader.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

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

std::string found_in(const nlohmann::json& value) {
    switch (value.type()) {
        case nlohmann::json::value_t::null:
            return "null";
        case nlohmann::json::value_t::boolean:
            return value.get<bool>() ? "true" : "false";
        case nlohmann::json::value_t::string:
            return fmt::format("\"{}\" (text)", printable(value.get_ref<const std::string&>()));
        case nlohmann::json::value_t::array:
            return fmt::format("a list of {}", value.size());
        case nlohmann::json::value_t::object:
            return "an object";
        default:
            return fmt::format("{}", value.get<double>());
    }
}

}  // namespace ridgeline
