#include "data/formats/write_config.h"

#include "base/lists.h"
#include "base/text.h"
#include "data/formats/key_values.h"
#include "spec/workload_fields.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace ridgeline {
namespace {

using Options = std::map<std::string, std::string>;
using Json = nlohmann::json;

/// "method=lora,qlora" holds.
bool holds(const std::string& condition, const Options& options) {
    if (condition.empty()) {
        return true;
    }
    for (const std::string& each : split(condition, ';')) {
        const std::size_t equals = each.find('=');
        const auto found = options.find(each.substr(0, equals));
        const auto words = split(each.substr(equals + 1), ',');
        if (found == options.end() || !is_among(found->second, words)) {
            return false;
        }
    }
    return true;
}

Json typed(const std::string& text, bool list) {
    if (list) {
        Json names = Json::array();
        for (const std::string& each : split(text, ',')) {
            names.push_back(each);
        }
        return names;
    }
    if (text == "true" || text == "false") {
        return text == "true";
    }
    if (text == "null") {
        return nullptr;
    }
    const auto number = number_with_suffix(text);
    const bool digits = !text.empty() && text.find_first_not_of("0123456789.") == std::string::npos;
    if (number && digits) {
        return text.find('.') == std::string::npos ? Json(static_cast<std::int64_t>(*number))
                                                   : Json(*number);
    }
    return text;
}

struct Written {
    std::string key;
    Json value;
};

/// A document whose keys keep their order, which Json sorts. (Its ordered kind is a second
/// copy of that library in the core of the page.)
struct Branch;
struct Tree {
    std::vector<Branch> members;
    Json value;  ///< where it has no members
};
struct Branch {
    std::string key;
    Tree tree;
};

Tree tree_of(const Json& value) {
    Tree tree;
    if (!value.is_object()) {
        tree.value = value;
        return tree;
    }
    for (const auto& [key, each] : value.items()) {
        tree.members.push_back({key, tree_of(each)});
    }
    return tree;
}

/// What the file that is translated says of a key that no estimate asks for, as JSON; empty:
/// nothing.
std::string carried_value(const FormatTable& table, const FormatRow& row, const Options& options) {
    const std::string kept = kept_option(table, "");
    for (const auto& [name, value] : options) {
        if ((name.starts_with(kept) && plain_key(name.substr(kept.size())) == plain_key(row.key)) ||
            (!row.carries.empty() && name == std::string(carried_mark) + row.carries)) {
            return value;
        }
    }
    return row.fixed;
}

/// What the same tool was told and no row writes.
void add_kept(const FormatTable& table, const Options& options, std::vector<Written>& out) {
    const std::string kept = kept_option(table, "");
    for (const auto& [name, value] : options) {
        if (!name.starts_with(kept)) {
            continue;
        }
        const std::string key = name.substr(kept.size());
        const bool there = std::ranges::any_of(
            out, [&](const Written& each) { return plain_key(each.key) == plain_key(key); });
        if (!there) {
            out.push_back({key, Json::parse(value)});
        }
    }
}

std::vector<Written> written(const FormatTable& table, const Options& options) {
    std::vector<Written> out;
    for (const FormatRow& row : table.rows) {
        const bool beyond = !row.fixed.empty() || !row.carries.empty();
        if (!row.written || (!row.note.empty() && !beyond) || !holds(row.when, options)) {
            continue;
        }
        if (beyond) {
            if (const std::string value = carried_value(table, row, options); !value.empty()) {
                out.push_back({row.key, Json::parse(value)});
            }
            continue;
        }
        std::string text;
        bool found = false;
        if (!row.sets.empty()) {
            const auto value = options.find(row.sets);
            found = value != options.end() && !value->second.empty();
            text = found ? value->second : "";
            for (const FormatValue& word : row.values) {
                if (found && word.written && word.sets.size() == 1 && word.sets[0].second == text) {
                    text = word.is;
                }
            }
        } else {
            const auto value = std::find_if(row.values.begin(), row.values.end(),
                                            [&](const auto& each) { return says(each, options); });
            found = value != row.values.end();
            text = found ? value->is : "";
        }
        if (found && (row.absent.empty() || text != row.absent)) {
            out.push_back(
                {row.key, typed(text, row.sets == "targets" || row.sets == "@targets.attention")});
        }
    }
    add_kept(table, options, out);
    return out;
}

/// A text that YAML would read as something else is quoted.
std::string yaml_scalar(const Json& value) {
    if (!value.is_string()) {
        // A number without a point before its exponent is a text to Python's loader (YAML 1.1).
        std::string number = value.dump();
        const std::size_t exponent = value.is_number_float() ? number.find('e') : number.npos;
        if (exponent != number.npos && number.find('.') == number.npos) {
            number.insert(exponent, ".0");
        }
        return number;
    }
    const auto text = value.get<std::string>();
    const bool plain = !text.empty() &&
                       text.find_first_of(":#{}[],&*?|<>=!%@`\"'\\\n") == std::string::npos &&
                       std::isalpha(static_cast<unsigned char>(text[0])) != 0 && text != "true" &&
                       text != "false" && text != "null" && text != "no" && text != "yes" &&
                       text != "on" && text != "off" && text.back() != ' ';
    return plain ? text : value.dump();
}

std::string yaml_text(const Tree& tree, int depth) {
    const std::string indent(static_cast<std::size_t>(depth) * 2, ' ');
    std::string text;
    for (const auto& [key, each] : tree.members) {
        const Json& value = each.value;
        text += indent + key + ":";
        if (!each.members.empty()) {
            text += "\n" + yaml_text(each, depth + 1);
        } else if (value.is_array() && !value.empty() && value.front().is_object()) {
            text += "\n";
            for (const Json& one : value) {
                std::string item = yaml_text(tree_of(one), depth + 2);
                item.replace(indent.size() + 2, 1, "-");
                text += item;
            }
        } else if (value.is_array()) {
            text += " [";
            for (std::size_t i = 0; i < value.size(); ++i) {
                text += (i > 0 ? ", " : "") + yaml_scalar(value[i]);
            }
            text += "]\n";
        } else {
            text += value.is_null() ? "\n" : " " + yaml_scalar(value) + "\n";
        }
    }
    return text;
}

std::string json_text(const Tree& tree, const std::string& indent) {
    if (tree.members.empty()) {
        std::string text = tree.value.dump(2);
        for (std::size_t at = 0; (at = text.find('\n', at)) != text.npos; at += indent.size() + 1) {
            text.insert(at + 1, indent);
        }
        return text;
    }
    std::string text;
    for (const auto& [key, each] : tree.members) {
        text += fmt::format("{}{}  {}: {}", text.empty() ? "{\n" : ",\n", indent, Json(key).dump(),
                            json_text(each, indent + "  "));
    }
    return text + "\n" + indent + "}";
}

Tree tree_of(const std::vector<Written>& keys) {
    Tree tree;
    for (const Written& each : keys) {
        Tree* at = &tree;
        for (const std::string& part : split(each.key, '.')) {
            auto found = std::ranges::find(at->members, part, &Branch::key);
            if (found == at->members.end()) {
                found = at->members.insert(found, Branch{part, {}});
            }
            at = &found->tree;
        }
        *at = tree_of(each.value);
    }
    return tree;
}

/// A function of torchtitan's registry that changes one that is there.
std::string python_text(const std::vector<Written>& keys) {
    std::string base = "BASE_CONFIG";
    std::string body;
    for (const Written& each : keys) {
        const std::string text = text_of(each.value);
        if (each.key == "config") {
            base = text;
            continue;
        }
        const bool is_code = text == "None" || text.ends_with("()");
        const std::string value = each.value.is_boolean() ? (text == "true" ? "True" : "False")
                                  : each.value.is_string() && !is_code ? each.value.dump()
                                                                       : text;
        body += fmt::format("    config.{} = {}\n", each.key, value);
    }
    return fmt::format(
        "from torchtitan.distributed.activation_checkpoint import FullAC, SelectiveAC\n"
        "from torchtitan.models.{0}.config_registry import {1}\n\n\n"
        "def ridgeline():\n"
        "    config = {1}()\n"
        "{2}"
        "    return config\n",
        base.substr(0, base.find('_')), base, body);
}

std::string flags_text(const FormatTable& table, const std::vector<Written>& keys) {
    std::string text;
    for (const Written& each : keys) {
        std::string value = each.value.is_array() ? "" : text_of(each.value);
        for (const Json& item : each.value.is_array() ? each.value : Json::array()) {
            append(value, " ", text_of(item));
        }
        const bool is_switch = is_among(each.key, table.switches);
        if (is_switch) {
            text += value == "true" ? each.key + "\n" : "";
        } else if (each.key == table.positional) {
            text = value + "\n" + text;
        } else {
            const std::string dashes = each.key.front() == '-' ? "" : "--";
            text += fmt::format(
                "{}{} {}\n", dashes, each.key,
                value.find_first_of("{}\"|;&$ ") != std::string::npos && !each.value.is_array()
                    ? "'" + value + "'"
                    : value);
        }
    }
    return text;
}

}  // namespace

std::string kept_option(const FormatTable& table, std::string_view key) {
    return fmt::format("@kept.{}/{}", table.id, key);
}

bool says(const FormatValue& value, const Options& options) {
    return value.written && value.is != "*" && !value.sets.empty() &&
           std::all_of(value.sets.begin(), value.sets.end(), [&](const auto& set) {
               const auto found = options.find(set.first);
               return found != options.end() && found->second == set.second;
           });
}

std::map<std::string, std::string> options_of_answer(std::string_view estimate_json) {
    const auto answer = Json::parse(estimate_json, nullptr, false);
    const Json& workload = member(answer, "workload");
    Options options;
    for (const WorkloadField& field : workload_fields()) {
        const Json& section =
            field.section().empty() ? workload : member(workload, field.section());
        const Json& value = member(section, field.key());
        if (!value.is_null() && !value.is_object() && !field.option.empty()) {
            options[std::string(field.option)] = text_of(value);
        }
    }
    options["task"] = text_of(member(workload, "task"));
    options["model"] = text_of(member(workload, "model"));
    return options;
}

std::vector<std::string> changed_values(std::string_view before_json, std::string_view after_json) {
    const auto before = Json::parse(before_json, nullptr, false);
    const auto after = Json::parse(after_json, nullptr, false);
    std::vector<std::string> changes;
    for (const char* part : {"workload", "hardware", "memory", "time"}) {
        const Json& was = member(before, part);
        const Json& is = member(after, part);
        for (const Json& each : Json::diff(was, is)) {
            const auto path = each["path"].get<std::string>();
            if (path == "/name") {
                continue;
            }
            std::string name = part + path;
            std::replace(name.begin(), name.end(), '/', '.');
            const Json::json_pointer at(path);
            changes.push_back(fmt::format("{}: {} became {}", name,
                                          was.contains(at) ? was[at].dump() : "nothing",
                                          is.contains(at) ? is[at].dump() : "nothing"));
        }
        if (!changes.empty()) {
            break;  // figures follow from what changed before them
        }
    }
    return changes;
}

std::string config_text(const FormatTable& table, const Options& options) {
    const std::vector<Written> keys = written(table, options);
    if (table.writes == "flags") {
        return flags_text(table, keys);
    }
    if (table.writes == "python") {
        return python_text(keys);
    }
    const Tree tree = tree_of(keys);
    return table.writes == "json" ? json_text(tree, "") + "\n" : yaml_text(tree, 0);
}

Result<PublishedModel> published_model(const TreePath& profiles_folder, std::string_view id) {
    const TreePath file = profiles_folder / "models" / (std::string(id) + ".json");
    if (!file.is_file()) {
        return PublishedModel{};
    }
    const auto text = file.read();
    if (!text) {
        return tl::unexpected(text.error());
    }
    const auto model = Json::parse(*text, nullptr, false);
    PublishedModel published;
    const Json& hub = member(model, "hf_id");
    published.hub_id = hub.is_string() ? hub.get<std::string>() : std::string();
    Options& shape = published.shape;
    for (const char* key :
         {"num_hidden_layers", "hidden_size", "intermediate_size", "num_attention_heads",
          "num_key_value_heads", "head_dim", "max_position_embeddings", "num_local_experts",
          "num_experts_per_tok", "moe_intermediate_size", "vocab_size"}) {
        if (const Json& value = member(model, key); value.is_number_integer()) {
            shape[key] = text_of(value);
        }
    }
    if (const nlohmann::json& base = member(model, "rope_theta"); base.is_number()) {
        shape["rope_theta"] = fmt::format("{:.0f}", base.get<double>());
    }
    const auto is = [&](const char* key, bool wanted) {
        const Json& value = member(model, key);
        return value.is_boolean() && value.get<bool>() == wanted ? "true" : "false";
    };
    shape["gated"] = is("gated_mlp", true);
    shape["untied"] = is("tie_word_embeddings", false);
    shape["grouped"] =
        shape["num_key_value_heads"] != shape["num_attention_heads"] ? "true" : "false";
    return published;
}

}  // namespace ridgeline
