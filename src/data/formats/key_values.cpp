#include "data/formats/key_values.h"

#include "base/lists.h"
#include "base/text.h"
#include "data/formats/misfit.h"
#include "data/reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace ridgeline {
namespace {

/// Unknown keys of a file that get the nearest known one: a file of another kind has only such.
constexpr std::size_t most_hints = 100;

void add_leaves(const nlohmann::json& tree, const std::string& prefix, KeyValues& out) {
    for (const auto& [key, value] : tree.items()) {
        const std::string name = prefix.empty() ? key : prefix + "." + key;
        if (value.is_object() && !value.empty()) {
            add_leaves(value, name, out);
        } else {
            out.push_back({name, value, false});
        }
    }
}

bool has_prefix(const KeyValues& settings, const std::string& key) {
    return std::ranges::any_of(settings, [&](const KeyValue& each) {
        const std::string plain = plain_key(each.key);
        return plain == key || plain.rfind(key + ".", 0) == 0;
    });
}

bool is_unknown(const KeyValue& setting, const std::string& text) {
    return setting.open || setting.value.is_null() || text == "auto" || contains(text, "${");
}

/// A setting that turns nothing on.
bool says_no(const KeyValue& setting) {
    const std::string text = lower(text_of(setting.value));
    return !setting.open &&
           (text.empty() || text == "false" || text == "0" || text == "none" || text == "null" ||
            (setting.value.is_structured() && setting.value.empty()));
}

/// Whether a value has the tool find out what it would set (a size of -1).
bool is_found_out(const FormatValue& value) {
    return !value.sets.empty() &&
           std::ranges::all_of(value.sets, [](const auto& set) { return set.second == "auto"; });
}

/// Whether the values of a key name ways of training, beyond turning one on or off and beside no
/// model (torchtune's components name both).
bool says_method(const FormatRow& row) {
    const auto sets = [](const FormatValue& value, const char* option) {
        return std::ranges::any_of(value.sets,
                                   [&](const auto& set) { return set.first == option; });
    };
    return std::ranges::any_of(row.values, [&](const FormatValue& value) {
        return value.is != "true" && value.is != "false" && value.is != "null" &&
               sets(value, "method") && !sets(value, "model") && !sets(value, "@id");
    });
}

/// That a value of a key is none that is known, with the nearest that is.
std::string unread_value(const FormatRow& row, const std::string& text) {
    std::vector<std::string> words;
    for (const FormatValue& value : row.values) {
        words.push_back(value.is);
    }
    const std::string near = did_you_mean(lower(text), words);
    return near.empty() ? "a value that is not read" : "a value that is not read. " + near;
}

/// Sizes of tools that tell 1k = 1000 from 1K = 1024 (vLLM's human_readable_int), as digits.
std::string written_out(const std::string& text) {
    static constexpr std::pair<char, double> suffixes[] = {
        {'k', 1e3},    {'m', 1e6},    {'g', 1e9},    {'t', 1e12},
        {'K', 0x1p10}, {'M', 0x1p20}, {'G', 0x1p30}, {'T', 0x1p40}};
    const auto found = std::ranges::find(suffixes, text.empty() ? '0' : text.back(),
                                         &std::pair<char, double>::first);
    const auto number = found == std::end(suffixes)
                            ? std::nullopt
                            : number_with_suffix(std::string_view(text).substr(0, text.size() - 1));
    return number ? fmt::format("{:.0f}", std::floor(*number * found->second)) : text;
}

class TableReader {
public:
    TableReader(const FormatTable& table, const KeyValues& settings, std::string where)
        : table_(table), settings_(settings) {
        out_.file.where = std::move(where);
        out_.file.kind = table.id;
        out_.file.name = table.name;
        out_.file.version = table.version;
    }

    TableReading read() {
        for (const FormatRow& row : table_.rows) {
            if (const KeyValue* setting = row.fixed.empty() ? find(settings_, row.key) : nullptr) {
                read_row(row, *setting);
            }
        }
        for (const KeyValue& setting : settings_) {
            list_without_row(setting);
            list_repeated(setting);
        }
        for (const std::vector<std::string>& keys : table_.exclusive) {
            refuse_together(keys);
        }
        return std::move(out_);
    }

private:
    /// A key that stands twice with two values: the last counts, and the other is told.
    void list_repeated(const KeyValue& setting) {
        const FormatRow* row = table_.row(setting.key);
        const KeyValue* counts = find(settings_, setting.key);
        const bool one = row != nullptr && (!row->sets.empty() || !row->values.empty());
        if (one && counts != &setting && counts->value != setting.value) {
            out_.file.ignored.push_back(
                {setting.key, text_of(setting.value),
                 fmt::format("overruled: it stands again with {}", text_of(counts->value))});
        }
    }

    /// The setting that "key" or "key=value" speaks of; null where it does not stand so.
    [[nodiscard]] const KeyValue* setting_of(const std::string& condition) const {
        const KeyValue* found = find(settings_, condition.substr(0, condition.find('=')));
        const bool holds = contains(condition, "=")
                               ? counts(condition, false)
                               : found != nullptr && !found->value.is_null() && !says_no(*found);
        return holds ? found : nullptr;
    }

    /// Keys with which the tool does not start where all of them stand.
    void refuse_together(const std::vector<std::string>& keys) {
        std::string others;
        for (const std::string& each : keys) {
            if (setting_of(each) == nullptr) {
                return;
            }
            if (&each != &keys.front()) {
                append(others, " and ", each);
            }
        }
        const KeyValue& first = *setting_of(keys.front());
        out_.file.impossible.push_back(
            {first.key, text_of(first.value),
             fmt::format("stands beside {}: {} refuses them together, expected one of them", others,
                         table_.name),
             ""});
    }

    void read_row(const FormatRow& row, const KeyValue& setting) {
        const std::string stated = text_of(setting.value);
        const std::string text =
            table_.two_suffixes && setting.value.is_string() && !row.sets.empty()
                ? written_out(stated)
                : stated;
        if (!row.note.empty()) {
            out_.file.ignored.push_back({setting.key, text, row.note});
            return;
        }
        const bool idle = !row.only.empty() && !counts(row.only, true);
        if (idle || (!row.needs.empty() && !counts(row.needs, false))) {
            const std::string& other = idle ? row.only : row.needs;
            out_.file.ignored.push_back({setting.key, text, "counts with " + other + " alone"});
            return;
        }
        if (!row.uncounted.empty()) {
            if (says_no(setting)) {
                out_.file.ignored.push_back({setting.key, text, "asks for nothing"});
            } else {
                out_.file.uncounted.push_back({setting.key, text, row.uncounted});
                out_.file.needs_less = out_.file.needs_less || !row.adds;
            }
            return;
        }
        const std::string shown = setting.value.is_null() ? "null" : text;
        for (const FormatValue& value : row.values) {
            if (!setting.open && (value.is == shown || lower(value.is) == lower(shown))) {
                if (is_found_out(value)) {
                    leave_open(row, setting, shown, "known when it runs");
                } else {
                    take(setting, shown, value.sets, true);
                }
                return;
            }
        }
        if (is_unknown(setting, text)) {
            leave_open(row, setting, shown, "known when it runs");
            return;
        }
        if (row.sets.empty() && setting.value.is_array()) {
            read_list(row, setting);
            return;
        }
        if (row.sets.empty()) {
            for (const FormatValue& value : row.values) {
                if (value.is == "*") {
                    take(setting, shown, value.sets);
                    return;
                }
            }
            if (says_method(row)) {
                leave_open(row, setting, shown, std::string(unread_method));
                return;
            }
            out_.file.uncounted.push_back({setting.key, text, unread_value(row, text)});
            out_.file.needs_less = true;
            leave_open(row, setting, shown, "no value that ridgeline knows");
            return;
        }
        if (const Misfit found = misfit(row.sets, text); !found.why.empty()) {
            leave_open(row, setting, shown, found.why);
            if (found.impossible && !setting.value.is_array() && !setting.value.is_boolean()) {
                out_.file.impossible.push_back({setting.key, text, found.why, row.sets});
            }
            return;
        }
        take(setting, shown, {{row.sets, text}}, true);
    }

    /// Whether a key has the value of "key=value"; `absent` where it stands nowhere.
    [[nodiscard]] bool counts(const std::string& condition, bool absent) const {
        const std::size_t equals = condition.find('=');
        const KeyValue* other = find(settings_, condition.substr(0, equals));
        return other == nullptr ? absent
                                : lower(text_of(other->value)) == condition.substr(equals + 1);
    }

    /// Each word of a list says something by itself; one that no row has is told.
    void read_list(const FormatRow& row, const KeyValue& setting) {
        OptionTexts sets;
        std::string known;
        for (const nlohmann::json& each : setting.value) {
            const std::string text = text_of(each);
            const auto is_value = [&](const FormatValue& value) {
                return lower(value.is) == lower(text);
            };
            auto value = std::ranges::find_if(row.values, is_value);
            if (value == row.values.end()) {
                value = std::ranges::find_if(row.values,
                                             [](const FormatValue& any) { return any.is == "*"; });
            }
            if (value == row.values.end()) {
                out_.file.uncounted.push_back({setting.key, text, unread_value(row, text)});
                out_.file.needs_less = true;
                continue;
            }
            sets.insert(sets.end(), value->sets.begin(), value->sets.end());
            append(known, ",", text);
        }
        if (!sets.empty()) {
            take(setting, known, sets);
        } else if (!known.empty()) {
            out_.file.ignored.push_back({setting.key, known, "decides neither memory nor time"});
        }
    }

    /// says  the value itself does, not that the key stands there
    void take(const KeyValue& setting, const std::string& text, const OptionTexts& sets,
              bool says = false) {
        std::string meaning;
        for (const auto& [option, stated] : sets) {
            const std::string& value = stated == "*" ? text : stated;
            if (says) {
                tell_overruled(option, value, setting);
            }
            out_.options[option] = value;
            out_.open.erase(option);
            if (option == "@fraction") {
                append(meaning, " ", fmt::format("--memory-fraction {}", value));
            } else if (option.front() != '@') {
                append(meaning, " ", fmt::format("--{} {}", option, value));
            }
        }
        out_.file.read.push_back({setting.key, text, meaning});
    }

    /// Two keys of a file that say different things of one: the later of the table counts.
    void tell_overruled(const std::string& option, const std::string& value,
                        const KeyValue& setting) {
        const KeyValue* before = std::exchange(said_by_[option], &setting);
        if (before != nullptr && out_.options[option] != value) {
            out_.file.ignored.push_back(
                {before->key, text_of(before->value), fmt::format("overruled by {}", setting.key)});
        }
    }

    void leave_open(const FormatRow& row, const KeyValue& setting, const std::string& text,
                    std::string why) {
        out_.file.unknown.push_back({setting.key, text, std::move(why)});
        if (!row.sets.empty()) {
            out_.open.insert(row.sets);
        }
        for (const FormatValue& value : row.values) {
            for (const auto& [option, each] : value.sets) {
                if (out_.options.count(option) == 0) {
                    out_.open.insert(option);
                }
            }
        }
    }

    void list_without_row(const KeyValue& setting) {
        if (const FormatRow* row = table_.row(setting.key); row != nullptr) {
            if (!row->fixed.empty()) {
                out_.file.ignored.push_back(
                    {setting.key, text_of(setting.value), "needed to start"});
            }
            return;
        }
        const std::string text = text_of(setting.value);
        if (!table_.lists_keys) {
            out_.file.ignored.push_back(
                {setting.key, text, "not read; whether it is a key is not known here"});
            return;
        }
        if (table_.knows(setting.key)) {
            out_.file.ignored.push_back(
                {setting.key, text, "decides neither memory nor time here"});
            return;
        }
        std::string near;
        if (out_.file.unknown.size() < most_hints) {
            std::vector<std::string> known = table_.keys;
            for (const FormatRow& row : table_.rows) {
                known.push_back(row.key);
            }
            near = did_you_mean(setting.key, known);
        }
        out_.file.unknown.push_back(
            {setting.key, text, near.empty() ? "no key of " + table_.name : near});
    }

    const FormatTable& table_;
    const KeyValues& settings_;
    std::map<std::string, const KeyValue*> said_by_;  ///< an option, by its value
    TableReading out_;
};

}  // namespace

const nlohmann::json& member(const nlohmann::json& value, std::string_view key) {
    static const nlohmann::json nothing;
    const auto found = value.is_object() ? value.find(key) : value.end();
    return value.is_object() && found != value.end() ? *found : nothing;
}

std::string text_of(const nlohmann::json& value) {
    if (value.is_string()) {
        return value.get<std::string>();
    }
    if (value.is_array()) {
        std::string joined;
        for (const nlohmann::json& each : value) {
            append(joined, ",", text_of(each));
        }
        return joined;
    }
    if (value.is_number_float()) {
        const auto number = value.get<double>();
        return std::abs(number) < 1e15 && number == std::floor(number)
                   ? fmt::format("{:.0f}", number)
                   : fmt::format("{}", number);
    }
    return value.is_null() ? "" : value.dump();
}

std::map<std::string, std::string> variables_of(const nlohmann::json& stated) {
    std::map<std::string, std::string> variables;
    for (const auto& [key, value] : stated.items()) {
        const nlohmann::json& text = stated.is_object() ? value : member(value, "value");
        const std::string name = stated.is_object() ? key : text_of(member(value, "name"));
        if (value.is_string() && !stated.is_object()) {
            const std::string line = value.get<std::string>();
            const std::size_t equals = line.find('=');
            if (equals != std::string::npos) {
                variables[line.substr(0, equals)] = line.substr(equals + 1);
            }
        } else if (!text.is_null() && !text.is_structured() && !name.empty()) {
            variables[name] = text_of(text);
        }
    }
    return variables;
}

KeyValues leaves_of(const nlohmann::json& tree) {
    KeyValues out;
    if (tree.is_object()) {
        add_leaves(tree, "", out);
    }
    return out;
}

const KeyValue* find(const KeyValues& settings, std::string_view key) {
    const std::string wanted = plain_key(key);
    const KeyValue* found = nullptr;
    for (const KeyValue& each : settings) {
        if (plain_key(each.key) == wanted) {
            found = &each;  // a flag that stands twice: the last one counts
        }
    }
    return found;
}

const FormatTable* told_format(const std::vector<FormatTable>& formats, const KeyValues& settings,
                               bool flags) {
    const FormatTable* best = nullptr;
    std::size_t most = 0;
    for (const FormatTable& table : formats) {
        if (table.syntax != "both" && table.syntax != (flags ? "flags" : "tree")) {
            continue;
        }
        for (const std::vector<std::string>& keys : table.told_by) {
            const bool all = std::ranges::all_of(
                keys, [&](const std::string& key) { return has_prefix(settings, plain_key(key)); });
            if (all && keys.size() > most) {
                best = &table;
                most = keys.size();
            }
        }
    }
    return best;
}

TableReading read_by_table(const FormatTable& table, const KeyValues& settings, std::string where) {
    return TableReader(table, settings, std::move(where)).read();
}

}  // namespace ridgeline
