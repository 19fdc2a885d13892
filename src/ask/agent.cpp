#include "ask/agent.h"

#include "ask/option_schema.h"
#include "base/lists.h"
#include "base/text.h"
#include "base/utf8.h"
#include "data/request_document.h"
#include "data/rpc_message.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace ridgeline::ask {
namespace {

constexpr const char* stateless_version = "2026-07-28";
constexpr std::array session_versions = {"2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"};
constexpr int unknown_version = -32022;
constexpr int unknown_method = -32601;
constexpr int wrong_parameters = -32602;
constexpr int summary_lines = 10;
constexpr std::size_t summary_bytes = 4096;

struct Tool {
    Command command;
    std::string_view schema;  ///< file of profiles/schema/answers; empty: answers of several forms
    std::string_view when;
};
constexpr std::array tools = {
    Tool{Command::advise, "",
         "Which hardware suits a machine learning question or workload, ranked, with cost and the "
         "reasons. Ask in plain words with `question`."},
    Tool{Command::estimate, "estimate",
         "Memory, time and cost of one workload on given hardware (`on`), with ranges. For shared "
         "or swept runs give a workload each."},
    Tool{Command::remedies, "remedies",
         "Changes that make a workload fit on given hardware or run faster, with their gain."},
    Tool{Command::compare, "comparison",
         "Accelerators side by side, by data sheet or for a workload."},
    Tool{Command::catalog, "",
         "Facts with sources: `verb` list or show, `subject` an id or a kind (accelerators, "
         "machines, links, storage, offers)."},
};

const CommandRow& row_of(Command command) {
    return *std::ranges::find_if(command_table(),
                                 [&](const CommandRow& row) { return row.command == command; });
}

std::string identity() {
    return fmt::format(R"({{"name":"ridgeline","version":"{}"}})", RIDGELINE_VERSION);
}

std::string result_line(const RpcMessage& message, std::string fields, bool cacheable = false) {
    if (message.stateless) {
        fields += fmt::format(R"({}"resultType":"complete")", fields.empty() ? "" : ",");
        fields += cacheable ? R"(,"ttlMs":3600000,"cacheScope":"public")" : "";
        fields +=
            fmt::format(R"(,"_meta":{{"io.modelcontextprotocol/serverInfo":{}}})", identity());
    }
    return fmt::format(R"({{"jsonrpc":"2.0","id":{},"result":{{{}}}}})", message.id, fields);
}

std::string error_line(const RpcMessage& message, int code, std::string_view text,
                       const std::string& data = "") {
    return fmt::format(R"({{"jsonrpc":"2.0","id":{},"error":{{"code":{},"message":{}{}}}}})",
                       message.id, code, json_string(text),
                       data.empty() ? "" : ",\"data\":" + data);
}

constexpr std::string_view capabilities = R"("capabilities":{"tools":{}})";
constexpr std::string_view instructions =
    R"("instructions":"Sizes hardware for machine learning: memory, time and cost with ranges. )"
    R"(Option names are those of the command line. All figures are computed, nothing is run.")";

std::string session_begun(const RpcMessage& message) {
    const bool known = is_among(message.version, session_versions);
    return result_line(message, fmt::format(R"("protocolVersion":"{}",{},"serverInfo":{},{})",
                                            known ? message.version : session_versions.front(),
                                            capabilities, identity(), instructions));
}

std::string versions() {
    std::string all = fmt::format("\"{}\"", stateless_version);
    for (const char* version : session_versions) {
        all += fmt::format(",\"{}\"", version);
    }
    return "[" + all + "]";
}

std::string tool_json(const World& world, const Tool& tool) {
    const CommandRow& row = row_of(tool.command);
    std::string answers = R"({"type":"object"})";
    if (!tool.schema.empty()) {
        const TreePath file = world.profiles_folder / "schema" / "answers" /
                              fmt::format("{}.schema.json", tool.schema);
        if (const auto text = file.read()) {
            answers = top_of_schema(*text);
        }
    }
    return fmt::format(
        R"({{"name":"{}","title":{},"description":{},"inputSchema":{},"outputSchema":{},)"
        R"("annotations":{{"readOnlyHint":true,"idempotentHint":true,"openWorldHint":false}}}})",
        row.name, json_string(row.summary), json_string(tool.when), input_schema(tool.command),
        answers);
}

std::string listed_tools(const World& world, const RpcMessage& message) {
    std::string all;
    for (const Tool& tool : tools) {
        append(all, ",", tool_json(world, tool));
    }
    return result_line(message, fmt::format(R"("tools":[{}])", all), true);
}

/// The first lines of a text for people.
std::string summary_of(std::string_view text) {
    std::size_t end = 0;
    for (int line = 0; line < summary_lines && end < text.size(); ++line) {
        end = std::min(text.find('\n', end), text.size() - 1) + 1;
    }
    return std::string(text.substr(0, std::min(end, summary_bytes)));
}

std::string content(std::string_view text) {
    return fmt::format(R"("content":[{{"type":"text","text":{}}}])", json_string(text));
}

std::string tool_failed(const RpcMessage& message, const Error& error) {
    return result_line(message, content("error: " + error.text()) + R"(,"isError":true)");
}

std::string called_tool(const World& world, const SearchWatcher& watch, const RpcMessage& message) {
    const auto tool = std::ranges::find_if(
        tools, [&](const Tool& each) { return row_of(each.command).name == message.tool; });
    if (tool == tools.end()) {
        return error_line(message, wrong_parameters, fmt::format("no tool \"{}\"", message.tool));
    }
    bool one = true;
    auto documents = requests_from_json(
        fmt::format(R"({{"command":"{}","options":{}}})", message.tool, message.arguments), one);
    if (!documents) {
        return tool_failed(message, documents.error());
    }
    Request request;
    request.command = std::move(documents->front().command);
    request.options = std::move(documents->front().options);
    request.workload = std::move(documents->front().workload);
    request.watch_search = watch;
    request.options.erase("json");
    const auto text = ask(world, request);
    if (!text) {
        return tool_failed(message, text.error());
    }
    request.options["json"] = {"true"};
    const auto document = ask(world, request);
    if (!document) {
        return tool_failed(message, document.error());
    }
    const std::string summary = content(summary_of(text->body));
    return result_line(
        message,
        fmt::format(R"({},"structuredContent":{},"isError":false)", summary,
                    shortened_json(document->body, most_agent_bytes - summary.size() - 256)));
}

}  // namespace

std::string agent_reply(const World& world, const SearchWatcher& watch, std::string_view line) {
    const RpcMessage message = rpc_message_from(line);
    if (message.problem != 0) {
        return error_line(message, message.problem,
                          message.problem == -32700 ? "not JSON" : "no JSON-RPC 2.0 request");
    }
    if (message.id.empty() || message.method.empty()) {
        return "";
    }
    if (message.stateless && message.version != stateless_version) {
        return error_line(message, unknown_version, "unknown protocol version",
                          fmt::format(R"({{"supported":{},"requested":{}}})", versions(),
                                      json_string(message.version)));
    }
    if (message.method == "initialize") {
        return session_begun(message);
    }
    if (message.method == "ping") {
        return result_line(message, "");
    }
    if (message.method == "server/discover") {
        RpcMessage discovery = message;
        discovery.stateless = true;
        return result_line(
            discovery,
            fmt::format(R"("supportedVersions":{},{},{})", versions(), capabilities, instructions),
            true);
    }
    if (message.method == "tools/list") {
        return listed_tools(world, message);
    }
    if (message.method == "tools/call") {
        return called_tool(world, watch, message);
    }
    return error_line(message, unknown_method, fmt::format("no method \"{}\"", message.method));
}

}  // namespace ridgeline::ask
