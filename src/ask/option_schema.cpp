#include "ask/option_schema.h"

#include "base/text.h"
#include "base/utf8.h"

#include <fmt/format.h>

#include <vector>

namespace ridgeline::ask {
namespace {

bool only_on_command_line(const OptionRow& row) {
    return row.loads_world || row.after_mark || row.names_path() ||
           (row.group == "Output" && row.name != "explain");
}

std::string texts(const std::vector<std::string>& words) {
    std::string out;
    for (const std::string& word : words) {
        append(out, ",", json_string(word));
    }
    return out;
}

/// A number may also be text with a unit of the reader's: "8k", "1T".
std::string type_of(const OptionRow& row) {
    const std::vector<std::string> words = row.words();
    switch (row.type) {
        case OptionType::flag:
        case OptionType::boolean:
            return R"("type":"boolean")";
        case OptionType::number:
            return R"("type":["number","string"])";
        default:
            break;
    }
    const std::string one = words.empty()
                                ? R"("type":"string")"
                                : fmt::format(R"("type":"string","enum":[{}])", texts(words));
    return row.many ? fmt::format(R"("type":["array","string"],"items":{{{}}})", one) : one;
}

std::string described(const OptionRow& row) {
    std::string text(row.help);
    if (!row.unit.empty() && !contains(text, row.unit)) {
        text += fmt::format(", {}", row.unit);
    }
    return json_string(text);
}

}  // namespace

std::string input_schema(Command command) {
    std::string properties;
    std::vector<std::string> required;
    bool states_workload = false;
    for (const OptionRow& row : options_of(command)) {
        states_workload = states_workload || row.path == "/model";
        if (only_on_command_line(row)) {
            continue;
        }
        properties += fmt::format(R"({}{}:{{{},"description":{}}})", properties.empty() ? "" : ",",
                                  json_string(row.name), type_of(row), described(row));
        if (row.required) {
            required.emplace_back(row.name);
        }
    }
    if (states_workload) {
        properties += R"(,"workload":{"type":"object","description":)"
                      R"("a workload document (ridgeline/workload/1), which the options refine"})";
    }
    return fmt::format(R"({{"type":"object","properties":{{{}}}{},"additionalProperties":false}})",
                       properties,
                       required.empty() ? "" : fmt::format(R"(,"required":[{}])", texts(required)));
}

}  // namespace ridgeline::ask
