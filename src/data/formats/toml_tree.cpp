#include "data/formats/config_tree.h"

#ifdef __wasm__

#include <nlohmann/json.hpp>

namespace ridgeline {

// toml++ reads files, for which wasi-libc has no streams. One tool alone wrote TOML, up to 2025.
Result<nlohmann::json> toml_tree(std::string_view, const std::string& where) {
    return input_error(where, "is TOML, which the program reads and a page does not");
}

}  // namespace ridgeline

#else

#define TOML_EXCEPTIONS 0
#include "data/reader.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

// toml++ asserts that the name of a table begins as names do and, released, lets clang rely on it.
// "[#" breaks that; the branch behind the assertion refuses it. So nothing is relied on.
#define TOML_ASSERT(expr) static_assert(true)
#pragma push_macro("NDEBUG")
#undef NDEBUG
#include <toml++/toml.h>
#pragma pop_macro("NDEBUG")

namespace ridgeline {
namespace {

nlohmann::json json_of(const toml::node& node);

nlohmann::json table_json(const toml::table& table) {
    nlohmann::json out = nlohmann::json::object();
    for (const auto& [key, value] : table) {
        out[std::string(key.str())] = json_of(value);
    }
    return out;
}

nlohmann::json json_of(const toml::node& node) {
    if (const toml::table* table = node.as_table()) {
        return table_json(*table);
    }
    if (const toml::array* list = node.as_array()) {
        nlohmann::json out = nlohmann::json::array();
        for (const toml::node& each : *list) {
            out.push_back(json_of(each));
        }
        return out;
    }
    if (const auto text = node.value_exact<std::string>()) {
        return *text;
    }
    if (const auto flag = node.value_exact<bool>()) {
        return *flag;
    }
    if (const auto whole = node.value_exact<std::int64_t>()) {
        return *whole;
    }
    if (const auto number = node.value_exact<double>()) {
        return *number;
    }
    return "a date";
}

}  // namespace

Result<nlohmann::json> toml_tree(std::string_view text, const std::string& where) {
    const toml::parse_result parsed = toml::parse(text);
    if (!parsed) {
        const toml::source_position at = parsed.error().source().begin;
        return input_error(where,
                           fmt::format("not TOML: {} (line {})",
                                       printable(parsed.error().description(), 200), at.line));
    }
    return table_json(parsed.table());
}

}  // namespace ridgeline

#endif
