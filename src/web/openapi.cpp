#include "web/openapi.h"

#include "ask/option_table.h"
#include "base/text.h"
#include "base/utf8.h"
#include "web/api.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string_view>
#include <vector>

namespace ridgeline::web {
namespace {

/// Options that the network may state: none that names a path of the server.
bool is_offered(const ask::OptionRow& row) {
    return !row.names_path() && !row.loads_world && !row.after_mark && row.name != "json" &&
           row.name != "color" && row.name != "quiet" && row.name != "open";
}

std::string schema_of(const ask::OptionRow& row) {
    std::string words;
    for (const std::string& word : row.words()) {
        ridgeline::append(words, ",", json_string(word));
    }
    // Numbers come with suffixes ("70B", "8k"), so they are texts here.
    std::string one = row.type == ask::OptionType::flag
                          ? R"({"type":"string","enum":["true","false"]})"
                      : row.type == ask::OptionType::word && row.path.empty() && !words.empty()
                          ? fmt::format(R"({{"type":"string","enum":[{}]}})", words)
                          : std::string(R"({"type":"string"})");
    return row.many ? fmt::format(R"({{"type":"array","items":{}}})", one) : one;
}

std::string parameter_of(const ask::OptionRow& row) {
    const std::string unit = row.unit.empty() ? "" : fmt::format(" ({})", row.unit);
    return fmt::format(R"({{"name":{},"in":"query","required":{},"description":{},"schema":{}{}}})",
                       json_string(row.name), row.required && row.name != "verb",
                       json_string(std::string(row.help) + unit), schema_of(row),
                       row.many ? fmt::format(R"(,"style":"form","explode":{})", !row.commas) : "");
}

std::string responses_of(const ApiRow& row) {
    const std::string answer =
        row.schema.empty()
            ? R"({"type":"object"})"
            : fmt::format(
                  R"({{"type":"object","description":"profiles/schema/answers/{}.schema.json"}})",
                  row.schema);
    std::string text =
        fmt::format(R"("200":{{"description":"The answer, also where nothing fits: exit code 3",)"
                    R"("headers":{{"ETag":{{"schema":{{"type":"string"}}}},)"
                    R"("Ridgeline-Exit-Code":{{"schema":{{"type":"string"}}}}}},)"
                    R"("content":{{"application/json":{{"schema":{}}}}}}})",
                    answer);
    struct Failure {
        int status;
        std::string_view words;
    };
    for (const Failure& each :
         {Failure{400, "An option is wrong"}, Failure{403, "Another site"},
          Failure{404, "An id that nobody knows"}, Failure{413, "The body is too large"},
          Failure{415, "The body is no JSON"}, Failure{422, "A value is wrong"},
          Failure{429, "Too many searches wait"}}) {
        text += fmt::format(R"(,"{}":{{"description":"{}","content":{{"application/json":)"
                            R"({{"schema":{{"$ref":"#/components/schemas/Error"}}}}}}}})",
                            each.status, each.words);
    }
    return "{" + text + "}";
}

std::string path_of(const ApiRow& row) {
    const ask::CommandRow* command = ask::command_named(row.command);
    std::vector<std::string> parameters;
    for (const ask::OptionRow& option : ask::options_of(command->command)) {
        if (is_offered(option)) {
            parameters.push_back(parameter_of(option));
        }
    }
    const std::string summary = json_string(command->summary);
    return fmt::format(
        R"("/api/v1/{0}":{{"get":{{"operationId":"{0}","summary":{1},"parameters":[{2}],)"
        R"("responses":{3}}},"post":{{"operationId":"{0}Posted","summary":{1},"requestBody":)"
        R"({{"required":true,"content":{{"application/json":{{"schema":{{"type":"object",)"
        R"("description":"The options by name; workload is a document"}}}}}}}},"responses":{3}}}}})",
        row.name, summary, fmt::join(parameters, ","), responses_of(row));
}

/// Requests of any command in the body, one or a list (`requests_from_json`).
std::string path_of_ask() {
    return fmt::format(
        R"("/api/v1/ask":{{"post":{{"operationId":"ask","summary":{},"requestBody":)"
        R"({{"required":true,"content":{{"application/json":{{"schema":{{"type":["object","array"],)"
        R"("description":"{{command, options}}, or a list of them"}}}}}}}},"responses":{}}}}})",
        json_string("Any command, or several at once"), responses_of(ApiRow{}));
}

}  // namespace

std::string openapi_text() {
    std::vector<std::string> paths;
    for (const ApiRow& row : api_table()) {
        paths.push_back(path_of(row));
    }
    paths.push_back(path_of_ask());
    return fmt::format(
        R"({{"openapi":"3.1.0","info":{{"title":"Ridgeline","version":"{}",)"
        R"("description":"What accelerator a workload needs, and why. Answers are those of the )"
        R"(command line with --json, byte for byte."}},"servers":[{{"url":"/"}}],"paths":{{{}}},)"
        R"("components":{{"schemas":{{"Error":{{"type":"object","required":["error"],)"
        R"("properties":{{"error":{{"type":"object","required":["code","message","path","hint"],)"
        R"("properties":{{"code":{{"type":"string"}},"message":{{"type":"string"}},)"
        R"("path":{{"type":"string"}},"hint":{{"type":"string"}}}}}}}}}}}}}}}})"
        "\n",
        RIDGELINE_VERSION, fmt::join(paths, ","));
}

}  // namespace ridgeline::web
