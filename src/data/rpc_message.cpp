#include "data/rpc_message.h"

#include "data/reader.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <map>

namespace ridgeline {
namespace {

using Json = nlohmann::json;

constexpr const char* version_in_meta = "io.modelcontextprotocol/protocolVersion";

std::string text_in(const Json& object, const char* key) {
    const auto found = object.find(key);
    return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

const Json& object_in(const Json& object, const char* key) {
    static const Json nothing = Json::object();
    const auto found = object.find(key);
    return found != object.end() && found->is_object() ? *found : nothing;
}

/// The list that takes the most bytes, outermost first; null when none has an element.
struct LongestList {
    Json* list = nullptr;
    std::string path;
    std::size_t bytes = 0;
};

void find_longest(Json& value, const std::string& path, LongestList& longest) {
    if (value.is_array() && !value.empty()) {
        const std::size_t bytes = value.dump().size();
        if (bytes > longest.bytes) {
            longest = {&value, path, bytes};
        }
        return;
    }
    if (value.is_object()) {
        for (auto& [key, each] : value.items()) {
            find_longest(each, path.empty() ? key : path + "." + key, longest);
        }
    }
}

/// What stands in lists is searched only when the lists themselves are short.
void find_inside(Json& value, const std::string& path, LongestList& longest) {
    if (value.is_array()) {
        for (std::size_t i = 0; i < value.size(); ++i) {
            find_longest(value[i], fmt::format("{}[{}]", path, i), longest);
            find_inside(value[i], fmt::format("{}[{}]", path, i), longest);
        }
    } else if (value.is_object()) {
        for (auto& [key, each] : value.items()) {
            find_inside(each, path.empty() ? key : path + "." + key, longest);
        }
    }
}

LongestList longest_list(Json& document) {
    LongestList longest;
    find_longest(document, "", longest);
    if (longest.list == nullptr || longest.list->size() < 2) {
        LongestList inside;
        find_inside(document, "", inside);
        return inside.bytes > 0 && inside.list->size() > 1 ? inside : longest;
    }
    return longest;
}

}  // namespace

RpcMessage rpc_message_from(std::string_view line) {
    RpcMessage message;
    const auto document = Document::parse(line, "message");
    if (!document) {
        message.problem = -32700;
        message.id = "null";
        return message;
    }
    const Json& value = document->value();
    const auto id = value.is_object() ? value.find("id") : value.end();
    if (value.is_object() && id != value.end() && (id->is_string() || id->is_number_integer())) {
        message.id = id->dump(-1, ' ', true);
    }
    const bool reply = value.is_object() && (value.contains("result") || value.contains("error"));
    if (!value.is_object() || text_in(value, "jsonrpc") != "2.0" ||
        (text_in(value, "method").empty() && !reply)) {
        message.problem = -32600;
        message.id = message.id.empty() ? "null" : message.id;
        return message;
    }
    message.method = text_in(value, "method");
    const Json& parameters = object_in(value, "params");
    message.version = text_in(object_in(parameters, "_meta"), version_in_meta);
    message.stateless = !message.version.empty();
    if (!message.stateless) {
        message.version = text_in(parameters, "protocolVersion");
    }
    message.tool = text_in(parameters, "name");
    message.arguments = object_in(parameters, "arguments").dump();
    return message;
}

std::string shortened_json(std::string_view text, std::size_t most_bytes) {
    const auto parsed = Document::parse(text, "answer");
    if (!parsed || !parsed->value().is_object()) {
        return std::string(text);
    }
    Json document = parsed->value();
    std::map<std::string, std::size_t> lengths;  // before
    std::string out = document.dump();
    while (out.size() > most_bytes) {
        document.erase("shortened");
        const LongestList longest = longest_list(document);
        if (longest.list == nullptr || longest.list->empty()) {
            break;
        }
        const std::size_t before = longest.list->size();
        lengths.emplace(longest.path, before);
        longest.list->erase(longest.list->begin() + static_cast<std::ptrdiff_t>(before / 2),
                            longest.list->end());
        Json said = Json::array();
        for (const auto& [path, length] : lengths) {
            said.push_back(fmt::format("{} had {} elements", path, length));
        }
        document["shortened"] = said;
        out = document.dump();
    }
    return out;
}

std::string top_of_schema(std::string_view schema) {
    const auto parsed = Document::parse(schema, "schema");
    Json top = {{"type", "object"}};
    if (!parsed || !parsed->value().is_object()) {
        return top.dump();
    }
    const Json& whole = parsed->value();
    if (whole.contains("required")) {
        top["required"] = whole["required"];
    }
    for (const auto& [key, value] : object_in(whole, "properties").items()) {
        Json known = Json::object();
        for (const char* word : {"type", "const", "description"}) {
            if (value.contains(word)) {
                known[word] = value[word];
            }
        }
        top["properties"][key] = known;
    }
    return top.dump();
}

}  // namespace ridgeline
