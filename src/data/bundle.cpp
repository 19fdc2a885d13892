#include "data/bundle.h"

#include "base/lists.h"
#include "base/text.h"
#include "base/utf8.h"
#include "data/json_tree.h"
#include "data/reader.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <charconv>
#include <utility>

namespace ridgeline {
namespace {

constexpr std::string_view head = "ridgeline bundle 1\n";

struct Shortener {
    bool sources_elsewhere;
    std::span<const std::string_view> unread;

    /// Of an object that is the member `within` of another; empty: of any.
    [[nodiscard]] bool leaves_out(std::string_view within, const JsonMember& member) const {
        const std::string nested = fmt::format("{}.{}", within, member.name);
        return member.value.is(JsonNode::Kind::null) || is_among(member.name, unread) ||
               is_among(nested, unread) ||
               is_among(member.name, {"parameters_source", "training_tokens_source"});
    }

    [[nodiscard]] std::string text(const JsonNode& value, std::string_view within) const {
        std::string out;
        if (value.is(JsonNode::Kind::list)) {
            for (const JsonNode& each : value.elements()) {
                append(out, ",", text(each, ""));
            }
            return "[" + out + "]";
        }
        if (!value.is(JsonNode::Kind::object)) {
            return value.copy().dump();
        }
        const JsonMember* where = value.find("where");
        const bool placed = where != nullptr && !leaves_out(within, *where) &&
                            !(where->value.is(JsonNode::Kind::text) && where->value.text().empty());
        for (const JsonMember& member : value.members()) {
            if (leaves_out(within, member)) {
                continue;
            }
            append(out, ",", json_string(member.name) + ":");
            // Of a source that says where it stands, `what` is what answers name.
            out += placed && member.name == "what" ? "\"-\""
                   : sources_elsewhere && member.name == "sources"
                       ? "[\"profiles/software of the program\"]"
                       : text(member.value, member.name);
        }
        return "{" + out + "}";
    }
};

}  // namespace

std::string shortened_document(std::string_view json, bool sources_elsewhere,
                               std::span<const std::string_view> unread) {
    const auto document = Document::parse(json, "");
    return document ? Shortener{sources_elsewhere, unread}.text(document->node(), "")
                    : std::string(json);
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

std::string bundle_text(const std::vector<std::pair<std::string, std::string>>& texts) {
    std::string bundle(head);
    for (const auto& [path, text] : texts) {
        bundle += fmt::format("{} {}\n", path, text.size());
        bundle += text;
    }
    return bundle;
}

}  // namespace ridgeline
