#include "data/formats/config_tree.h"

#include "base/text.h"
#include "data/reader.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace ridgeline {
namespace {

constexpr std::string_view blanks = " \t\r";

bool is_bare_key(std::string_view text) {
    return !text.empty() && text.find_first_not_of(
                                "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                "0123456789_-.\"'") == std::string_view::npos;
}

/// Whether the first line that says something is a TOML table or a TOML assignment.
bool looks_like_toml(std::string_view text) {
    for (const std::string& each : split(text, '\n')) {
        const std::string_view line = trimmed(each, blanks);
        if (line.empty() || line.front() == '#') {
            continue;
        }
        if (line.front() == '[' && line.back() == ']') {
            return is_bare_key(trimmed(line.substr(1, line.size() - 2), blanks));
        }
        const std::size_t equals = line.find('=');
        return equals != std::string_view::npos &&
               is_bare_key(trimmed(line.substr(0, equals), blanks));
    }
    return false;
}

}  // namespace

Result<std::vector<nlohmann::json>> config_trees(std::string_view text, const std::string& where) {
    if (text.size() > largest_config) {
        return input_error(where,
                           fmt::format("is {} bytes long, expected at most {} of a configuration",
                                       text.size(), largest_config));
    }
    const std::size_t first = text.find_first_not_of(" \t\r\n\xef\xbb\xbf");
    if (first == std::string_view::npos) {
        return input_error(where, "is empty, expected a configuration");
    }
    text.remove_prefix(first);
    if (text.front() == '{') {
        auto document = Document::parse(text, where);
        if (document) {
            return std::vector<nlohmann::json>{document->value()};
        }
        // A YAML map may stand in braces too, with comments and a last comma.
        auto trees = yaml_trees(text, where);
        return trees && !trees->empty() && trees->front().is_object()
                   ? std::move(trees)
                   : tl::unexpected(document.error());
    }
    if (looks_like_toml(text)) {
        auto tree = toml_tree(text, where);
        if (tree) {
            return std::vector<nlohmann::json>{std::move(*tree)};
        }
        return tl::unexpected(tree.error());
    }
    return yaml_trees(text, where);
}

}  // namespace ridgeline
