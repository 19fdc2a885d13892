#include "data/request_document.h"

#include "data/reader.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>

namespace ridgeline {
namespace {

constexpr std::size_t most_documents = 100'000;

/// The text that a command line would give; nothing for objects and lists.
std::optional<std::string> text_of(const nlohmann::json& value) {
    if (value.is_string()) {
        return value.get<std::string>();
    }
    if (value.is_boolean()) {
        return value.get<bool>() ? "true" : "false";
    }
    if (value.is_number_integer()) {
        return value.dump();
    }
    if (value.is_number()) {
        const auto number = value.get<double>();
        return std::abs(number) < 1e15 && number == std::floor(number)
                   ? fmt::format("{:.0f}", number)
                   : fmt::format("{}", number);
    }
    return std::nullopt;
}

/// A value of the options: one text, or several of a list. A null counts as missing.
void read_option(Reader& options, const std::string& name, RequestDocument& request) {
    const nlohmann::json value = options.raw(name);
    if (name == "workload" && value.is_object()) {
        request.workload = value.dump();
        return;
    }
    std::vector<std::string> texts;
    for (const nlohmann::json& each : value.is_array() ? value : nlohmann::json::array({value})) {
        const auto text = text_of(each);
        if (!text) {
            options.fail(name, "expected a text, a number, true or false, or a list of texts");
            return;
        }
        texts.push_back(*text);
    }
    if (!texts.empty()) {
        request.options.emplace(name, std::move(texts));
    }
}

RequestDocument read_request(Reader& reader) {
    RequestDocument request;
    request.command = reader.text("command");
    if (auto options = reader.optional_object("options")) {
        for (const std::string& name : options->keys()) {
            if (options->has(name)) {
                read_option(*options, name, request);
            }
        }
    }
    reader.reject_unknown();
    return request;
}

}  // namespace

Result<std::vector<RequestDocument>> requests_from_json(std::string_view text, bool& one) {
    auto document = Document::parse(text, "request");
    if (!document) {
        return tl::unexpected(document.error());
    }
    one = !document->value().is_array();
    std::vector<RequestDocument> requests;
    if (one) {
        Reader reader = document->root();
        requests.push_back(read_request(reader));
    } else {
        if (document->value().size() > most_documents) {
            return input_error("request", fmt::format("more than {} requests", most_documents));
        }
        for (Reader& reader : document->root_objects()) {
            requests.push_back(read_request(reader));
        }
    }
    return document->result().map([&requests] { return std::move(requests); });
}

}  // namespace ridgeline
