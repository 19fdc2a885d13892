#include "data/bundle.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <utility>

namespace ridgeline {
namespace {

constexpr std::string_view head = "ridgeline bundle 1\n";

void shorten(nlohmann::ordered_json& value, bool sources_elsewhere,
             std::span<const std::string_view> unread) {
    if (value.is_object()) {
        for (const char* origin : {"parameters_source", "training_tokens_source"}) {
            value.erase(origin);
        }
        for (const std::string_view name : unread) {
            const std::size_t dot = std::min(name.find('.'), name.size());
            const auto within =
                dot == name.size() ? value.end() : value.find(std::string(name.substr(0, dot)));
            if (dot == name.size()) {
                value.erase(std::string(name));
            } else if (within != value.end() && within->is_object()) {
                within->erase(std::string(name.substr(dot + 1)));
            }
        }
        for (auto member = value.begin(); member != value.end();) {
            member = member->is_null() ? value.erase(member) : std::next(member);
        }
        if (value.contains("what") && value.contains("where") && value["where"] != "") {
            value["what"] = "-";  // of a source that says where it stands this is what answers name
        }
        if (sources_elsewhere && value.contains("sources")) {
            value["sources"] = nlohmann::ordered_json::array({"profiles/software of the program"});
        }
    }
    for (nlohmann::ordered_json& each : value) {
        if (each.is_structured()) {
            shorten(each, sources_elsewhere, unread);
        }
    }
}

}  // namespace

std::string shortened_document(std::string_view json, bool sources_elsewhere,
                               std::span<const std::string_view> unread) {
    auto document = nlohmann::ordered_json::parse(json, nullptr, false);
    if (document.is_discarded()) {
        return std::string(json);
    }
    shorten(document, sources_elsewhere, unread);
    return document.dump();
}

Result<std::shared_ptr<const FileTree>> bundle_from(std::string_view bundle) {
    if (!bundle.starts_with(head)) {
        return input_error("bundle", "does not begin as a bundle of this program");
    }
    bundle.remove_prefix(head.size());
    std::map<std::string, std::string> texts;
    while (!bundle.empty()) {
        const std::size_t line = bundle.find('\n');
        const std::size_t blank = bundle.substr(0, line).rfind(' ');
        std::size_t size = 0;
        if (line == std::string_view::npos || blank == std::string_view::npos ||
            std::from_chars(bundle.data() + blank + 1, bundle.data() + line, size).ptr !=
                bundle.data() + line ||
            size > bundle.size() - line - 1) {
            return input_error("bundle", fmt::format("is cut short after {} files", texts.size()));
        }
        texts.emplace(bundle.substr(0, blank), bundle.substr(line + 1, size));
        bundle.remove_prefix(line + 1 + size);
    }
    return bundle_of(std::move(texts));
}

std::string bundle_text(const std::map<std::string, std::string>& texts) {
    std::string bundle(head);
    for (const auto& [path, text] : texts) {
        bundle += fmt::format("{} {}\n", path, text.size());
        bundle += text;
    }
    return bundle;
}

}  // namespace ridgeline
