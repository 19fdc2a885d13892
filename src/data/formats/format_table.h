#pragma once

#include "base/result.h"
#include "data/file_tree.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ridgeline {

/// Options of the workload (or of a format: "@accumulation") with their texts.
using OptionTexts = std::vector<std::pair<std::string, std::string>>;

/// A value of a key and what it says of the workload.
struct FormatValue {
    std::string is;       ///< as text; "null" is an empty value, "*" any other
    OptionTexts sets;     ///< a value "auto": the tool finds it out as it starts
    bool written = true;  ///< false: an older spelling that is read alone
};

/// A key of a format: either its value is that of one option, or each of its values sets some.
struct FormatRow {
    std::string key;                  ///< "fsdp_config.offload_params", "--tensor-parallel-size"
    std::string sets;                 ///< option whose value the key holds; empty: see `values`
    std::vector<FormatValue> values;  ///< of a key without `sets`; of one with it: other words
    bool written = true;
    std::string absent;     ///< value that needs no key: it is not written
    std::string fixed;      ///< JSON text of a value that the tool needs to start; sets nothing
    std::string carries;    ///< what it says beyond any estimate, as other tools' keys do: "epochs"
    std::string when;       ///< "method=lora,qlora": written only then
    std::string only;       ///< "key=value": read only where that key has the value, or none
    std::string needs;      ///< "key=value": read only where that key stands with that value
    std::string note;       ///< read, but no part of the model: why
    std::string uncounted;  ///< moves memory and is no part of the model: what it does
    bool adds = false;      ///< that only takes more memory
};

/// What ridgeline knows of one format of configuration (profiles/formats): the same table reads and
/// writes it.
struct FormatTable {
    std::string id;
    std::string name;
    std::string syntax;     ///< "tree" (YAML, JSON, TOML), "flags" (a command line) or "both"
    std::string writes;     ///< "yaml", "json", "flags"; empty: never written
    std::string framework;  ///< software profile; empty: what goes with another file
    std::string task;       ///< "train", "inference"; empty: says nothing of it
    std::string version;    ///< of the tool, whose defaults and keys these are
    std::string launch;     ///< command that starts it; FILE stands for the configuration
    std::vector<std::vector<std::string>> told_by;   ///< keys that only this format has together
    std::vector<std::vector<std::string>> commands;  ///< words that start it: {"vllm", "serve"}
    std::vector<std::string> switches;               ///< flags that take no value
    bool two_suffixes = false;                       ///< of sizes: "1k" is 1000, "1K" 1024
    bool abbreviates = false;  ///< a flag may be cut where its beginning is of one alone (argparse)
    std::string positional;    ///< key of the first bare word
    OptionTexts defaults;      ///< what the tool does where nothing is said
    /// Keys ("deepspeed") or keys with a value ("load_in_4bit=true") that it refuses together.
    std::vector<std::vector<std::string>> exclusive;
    std::vector<FormatRow> rows;
    std::vector<std::string> keys;  ///< all that the tool takes; those without a row decide nothing
    bool lists_keys = true;  ///< false in a page, which has no room for some lists: `keys` is empty

    [[nodiscard]] const FormatRow* row(std::string_view key) const;
    [[nodiscard]] bool knows(std::string_view key) const;
};

/// "_" and "-" are the same in a key, and leading dashes do not count.
std::string plain_key(std::string_view key);

/// The tables of a folder, by their ids.
Result<std::vector<FormatTable>> load_formats(const TreePath& folder);

/// The table with that id; null when there is none.
const FormatTable* format_named(const std::vector<FormatTable>& formats, std::string_view id);

}  // namespace ridgeline
