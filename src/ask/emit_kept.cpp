// What a translation keeps of the files that it is made from.
#include "ask/emit_facts.h"
#include "ask/imports.h"
#include "base/lists.h"
#include "base/text.h"
#include "data/stored_name.h"
#include "spec/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace ridgeline::ask {
namespace {

using Options = std::map<std::string, std::string>;

/// Weights are those that were asked for: a catalog entry has the sizes of a base model and of what
/// was tuned from it alike.
void keep_weights(const Request& request, const Placement& placed, const FormatTable& table,
                  Options& options, std::string& notes) {
    const std::string type =
        placed.workload.quantization.any() ? std::string(placed.workload.quantization.name) : "";
    const std::string& repository = request.text(weights_fact);
    const bool has_gguf = std::ranges::any_of(
        table.rows, [](const FormatRow& row) { return row.sets == "@gguf-repository"; });
    if (has_gguf && !repository.empty() && stored_name(repository).quantization == type) {
        options["@gguf-repository"] = repository;
        options.erase("@gguf");
        return;
    }
    const std::string& asked = request.text("model");
    if (contains(asked, "/") && repository.empty()) {
        options["model"] = asked;
        if (table.task == "inference" && !type.empty() && stored_name(asked).quantization == type) {
            options.erase("quantization");  // the checkpoint says it itself
        }
        return;
    }
    const std::string named = repository.empty() ? asked : repository;
    const auto hub = options.find("model");
    if (!named.empty() && lower(named) != placed.architecture.id && hub != options.end() &&
        !has_gguf) {
        notes +=
            fmt::format("note: {} is named for {}, which has its sizes: put your weights there\n",
                        hub->second, named);
    }
}

}  // namespace

std::string keep_settings(const Request& request, const Placement& placed, const FormatTable& table,
                          const FormatTable* companion, Options& options) {
    std::string notes;
    keep_weights(request, placed, table, options, notes);
    std::string lost;
    for (const std::string& line : request.texts(kept_fact)) {
        const std::vector<std::string> parts = split(line, '\t');
        if (parts.size() != 4) {
            continue;
        }
        const std::string& key = parts[1];
        const std::string& word = parts[2];
        const std::string& value = parts[3];
        const bool says =
            !word.empty() && std::ranges::any_of(table.rows, [&](const FormatRow& row) {
                return row.carries == word;
            });
        const FormatTable* same = parts[0] == table.id                                ? &table
                                  : companion != nullptr && parts[0] == companion->id ? companion
                                                                                      : nullptr;
        const bool writes_its_own = std::ranges::any_of(table.rows, [&](const FormatRow& row) {
            return row.carries == word && !row.fixed.empty();
        });
        if (key.empty() && (!says || (parts[0] == table.id && !writes_its_own))) {
            continue;  // a default of a tool, for which this one has no word or does it unsaid
        }
        if (!value.empty() && same != nullptr && !key.empty()) {
            options[kept_option(*same, key)] = value;
        } else if (!value.empty() && says) {
            options[std::string(carried_mark) + word] = value;
        } else {
            append(lost, ", ", key);
        }
    }
    if (!lost.empty()) {
        notes += fmt::format("note: not carried over: {}\n", lost);
    }
    return notes;
}

std::string usual_values(const Request& request, const FormatTable& table, const Options& options,
                         const std::string& text) {
    std::string usual;
    for (const FormatRow& row : table.rows) {
        const bool number = !row.fixed.empty() && row.fixed.front() != '"';
        const bool stated = options.contains(std::string(carried_mark) + row.carries) ||
                            options.contains(kept_option(table, row.key));
        const std::string last = row.key.substr(row.key.rfind('.') + 1);
        if (number && !row.carries.empty() && !stated && contains(text, last)) {
            append(usual, ", ", last + " " + row.fixed);
        }
    }
    return usual.empty() || request.texts(kept_fact).empty()
               ? ""
               : fmt::format("note: usual values, which the file does not state: {}\n", usual);
}

}  // namespace ridgeline::ask
