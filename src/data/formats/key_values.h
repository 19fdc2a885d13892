#pragma once

#include "data/formats/format_table.h"
#include "data/formats/import_files.h"
#include "data/formats/shell_script.h"

#include <nlohmann/json.hpp>

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace ridgeline {

/// A key of a configuration with its value; the names of sections stand before it with dots.
struct KeyValue {
    std::string key;
    nlohmann::json value;  ///< a scalar or a list
    bool open = false;     ///< computed as the script runs
};
using KeyValues = std::vector<KeyValue>;

/// "NAME=value" lines, {name, value} entries or a map, as jobs and containers state variables.
std::map<std::string, std::string> variables_of(const nlohmann::json& stated);

/// The leaves of a tree.
KeyValues leaves_of(const nlohmann::json& tree);

/// The flags of a command line in its words [first, end), as `table` knows them. Bare words but the
/// first are left out; a flag takes one word, one that names targets takes all that follow.
KeyValues flags_of(const std::vector<ShellWord>& words, std::size_t first, std::size_t end,
                   const FormatTable& table);

const KeyValue* find(const KeyValues& settings, std::string_view key);

/// The format whose telling keys a tree has most of; null when none fits.
const FormatTable* told_format(const std::vector<FormatTable>& formats, const KeyValues& settings,
                               bool flags);

/// A member of an object; null where there is none, or where the value is no object.
const nlohmann::json& member(const nlohmann::json& value, std::string_view key);

/// A value as text: true, 8, 0.5, words; lists joined by commas.
std::string text_of(const nlohmann::json& value);

/// Of a value that names a way of training which no option has: none may stand for it.
inline constexpr std::string_view unread_method = "is a way of training that is not estimated";

/// Options that a file states, and what became of its keys.
struct TableReading {
    std::map<std::string, std::string> options;
    std::set<std::string> open;  ///< options whose key is there with an unknown value
    ImportedFile file;
};

/// What of the settings no option of an estimate says.
std::vector<KeptSetting> kept_settings(const FormatTable& table, const KeyValues& settings);

/// Reads settings by the rows of a table.
TableReading read_by_table(const FormatTable& table, const KeyValues& settings, std::string where);

}  // namespace ridgeline
