#pragma once

#include "base/result.h"
#include "data/file_tree.h"
#include "data/formats/format_table.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace ridgeline {

/// Before what another tool calls by a word that both have ("epochs"), among the options of a text
/// that is written; the values are JSON texts.
inline constexpr std::string_view carried_mark = "@carried.";

/// The option that holds a setting which the same tool was told, as JSON text.
std::string kept_option(const FormatTable& table, std::string_view key);

/// The options of a resolved workload, as `estimate --json` prints it, by their names.
std::map<std::string, std::string> options_of_answer(std::string_view estimate_json);

/// What changed between two answers in workload, memory and time: "parallel.tensor: 2 became 1".
std::vector<std::string> changed_values(std::string_view before_json, std::string_view after_json);

/// The keys and values that say `options` in a format, in its own syntax without a comment: YAML,
/// JSON, or flags on one line each.
std::string config_text(const FormatTable& table,
                        const std::map<std::string, std::string>& options);

/// What stands around a configuration: how it is launched and in what.
struct LaunchPlan {
    const FormatTable* table = nullptr;
    const FormatTable* companion = nullptr;  ///< accelerate or DeepSpeed beside a script's flags
    std::string launcher;                    ///< "torchrun", "accelerate", "deepspeed"; empty: none
    std::string wrap;                  ///< "slurm", "skypilot", "kubernetes", "compose" or empty
    std::vector<std::string> comment;  ///< lines of the first comment, without marks
    std::string accelerator;           ///< name of the part for a scheduler
    int nodes = 1;
    int per_node = 1;
};

/// A whole file, ready for its tool but for the placeholders in capitals.
std::string launch_text(const LaunchPlan& plan, const std::map<std::string, std::string>& options);

/// Whether options say all that a value of a key sets, so that the value is written for them.
bool says(const FormatValue& value, const std::map<std::string, std::string>& options);

/// Placeholders of a text that must be replaced before it runs ("DATASET", "OUTPUT_DIR").
std::vector<std::string> placeholders_of(std::string_view text);

/// What the file of a bundled model says of it for other tools.
struct PublishedModel {
    std::string hub_id;                        ///< empty where none is known
    std::map<std::string, std::string> shape;  ///< by the keys of its config.json, and "gated",
                                               ///< "grouped", "untied"
};

/// Empty for a model that is not bundled. errors  its file cannot be read
Result<PublishedModel> published_model(const TreePath& profiles_folder, std::string_view id);

}  // namespace ridgeline
