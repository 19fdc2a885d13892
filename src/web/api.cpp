#include "web/api.h"

#include "ask/option_table.h"
#include "base/text.h"
#include "data/request_document.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace ridgeline::web {
namespace {

constexpr std::string_view prefix = "/api/v1/";

constexpr std::array rows = {
    ApiRow{"advise", "advise", "q=what+GPU+for+a+70B+fine-tune", "advice"},
    ApiRow{"estimate", "estimate", "model=llama-3.1-8b&method=lora&on=l40s&sequence=2048",
           "estimate"},
    ApiRow{"sweep", "estimate",
           "model=llama-3.1-8b&method=lora&on=l40s&sweep=sequence%3D1024..4096", "sweep"},
    ApiRow{"remedies", "remedies", "model=llama-3.1-8b&method=full&on=rtx-4090", "remedies"},
    ApiRow{"compare", "compare", "accelerators=h100-sxm5-80gb&accelerators=l40s", ""},
    ApiRow{"roofline", "roofline", "model=llama-3.1-8b&method=lora&on=l40s", "roofline"},
    ApiRow{"own", "own", "on=h100-sxm5-80gb:8", "ownership"},
    ApiRow{"report", "report", "question=serve+llama-3.1-8b+for+64+users", "report"},
    ApiRow{"catalog", "catalog", "verb=list&subject=links", ""},
    ApiRow{"profiles", "profiles", "verb=list&subject=models", ""},
};

const ask::OptionRow* option_of(std::string_view command, std::string_view name) {
    const ask::CommandRow* known = ask::command_named(command);
    for (const ask::OptionRow& row : ask::options_of(known->command)) {
        if (row.name == name) {
            return &row;
        }
    }
    return nullptr;
}

ask::Request request_of_fields(const ApiRow& row, const Target& target) {
    ask::Request request;
    for (const auto& [given, value] : target.fields) {
        const std::string name = given == "q" ? "question" : given;
        std::vector<std::string>& texts = request.options[name];
        const ask::OptionRow* option = option_of(row.command, name);
        if (option != nullptr && option->commas) {
            for (std::string& text : split(value, ',')) {
                texts.push_back(std::move(text));
            }
        } else {
            texts.push_back(value);
        }
    }
    return request;
}

Result<ask::Request> request_of_body(const ApiRow& row, std::string_view body) {
    bool one = true;
    auto read = requests_from_json(
        fmt::format("{{\"command\":\"{}\",\"options\":{}}}", row.command, body), one);
    // A body may not close the object of options and go on with the request around it.
    const bool goes_on = read ? read->front().command != row.command
                              : read.error().message.starts_with("states \"command\" twice") ||
                                    read.error().message.starts_with("states \"options\" twice");
    if (goes_on) {
        return usage_error("body", "expected one object of options");
    }
    if (!read) {
        return tl::unexpected(read.error());
    }
    ask::Request request;
    request.options = std::move(read->front().options);
    request.workload = std::move(read->front().workload);
    if (const auto asked = request.options.find("q"); asked != request.options.end()) {
        request.options["question"] = asked->second;
        request.options.erase("q");
    }
    return request;
}

}  // namespace

std::span<const ApiRow> api_table() { return rows; }

const ApiRow* api_row(std::string_view path) {
    if (!path.starts_with(prefix)) {
        return nullptr;
    }
    const auto found = std::ranges::find_if(
        rows, [&](const ApiRow& row) { return row.name == path.substr(prefix.size()); });
    return found == rows.end() ? nullptr : &*found;
}

Result<ask::Request> api_request(const ApiRow& row, const Target& target, std::string_view body) {
    if (!body.empty() && !target.fields.empty()) {
        return usage_error("query", "found options in the address and in the body, expected one");
    }
    auto request = body.empty() ? request_of_fields(row, target) : request_of_body(row, body);
    if (!request) {
        return request;
    }
    request->command = row.command;
    if (row.name == "sweep" && !request->given("sweep")) {
        return usage_error("--sweep", "was not given", "Example: sweep=sequence=1024..4096.");
    }
    const bool listing = request->command == "catalog" || request->command == "profiles";
    if (listing && !request->given("verb")) {
        request->options["verb"] = {"list"};
    }
    if (!request->given("format")) {
        request->options["json"] = {"true"};
    }
    return request;
}

bool is_search(const ask::Request& request) {
    const std::string& command = request.command;
    return command == "advise" || command == "report" || command == "remedies" ||
           command == "compare" || command == "validate" || request.text("plan") == "auto" ||
           request.given("max") || request.given("sweep");
}

std::string canonical(const ask::Request& request) {
    std::string text = request.command + '\0' + request.workload + '\0';
    for (const auto& [name, texts] : request.options) {
        text += name;
        for (const std::string& each : texts) {
            text += '\1' + each;
        }
        text += '\0';
    }
    return text;
}

int status_of(const Error& error) {
    switch (error.kind) {
        case ErrorKind::internal:
            return 500;
        case ErrorKind::usage:
            return 400;
        case ErrorKind::input:
        case ErrorKind::device_absent:
            return 422;
    }
    return 500;
}

}  // namespace ridgeline::web
