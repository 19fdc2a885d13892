// Words of a command line to keys with values.
#include "base/text.h"
#include "data/formats/key_values.h"
#include "data/reader.h"

#include <algorithm>
#include <cctype>

namespace ridgeline {
namespace {

/// What a word of a command line would be in a tree.
nlohmann::json scalar_of(const std::string& text) {
    const std::string small = lower(text);
    if (small == "true" || small == "false") {
        return small == "true";
    }
    if (small == "none" || small == "null") {
        return nullptr;
    }
    return text;
}

bool is_flag(const ShellWord& word) {
    return word.text.size() > 1 && word.text[0] == '-' &&
           (word.text[1] == '-' || std::isalpha(static_cast<unsigned char>(word.text[1])) != 0);
}

/// Length of the key of a bare "optim.lr=1e-4" or "+data.x=1", as Hydra and OmegaConf take; else 0.
std::size_t assigned_key(const std::string& word) {
    const std::size_t end =
        word.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.+");
    return end != std::string::npos && word[end] == '=' ? end : 0;
}

/// The whole name of a flag that its beginning alone tells, where the tool's parser takes such.
std::string whole_name(std::string name, const FormatTable& table) {
    const std::string start = plain_key(name);
    if (!table.abbreviates || start.size() < 3 || table.knows(name)) {
        return name;
    }
    std::string whole;
    const auto meets = [&](const std::string& key) {
        const std::string plain = plain_key(key);
        const bool other = plain.rfind(start, 0) == 0 && plain != whole;
        whole = !other ? whole : whole.empty() ? plain : "?";
    };
    for (const FormatRow& row : table.rows) {
        meets(row.key);
    }
    for (const std::string& key : table.keys) {
        meets(key);
    }
    return whole.empty() || whole.find('?') != std::string::npos ? name : "--" + whole;
}

/// Whether a row speaks of a part of what a flag holds ("--speculative-config.model").
bool has_parts(const FormatTable& table, const std::string& name) {
    const std::string start = plain_key(name) + ".";
    return std::ranges::any_of(
        table.rows, [&](const FormatRow& row) { return plain_key(row.key).starts_with(start); });
}

/// A flag, or each part of one that holds a JSON object.
void add_flag(KeyValues& out, const FormatTable& table, KeyValue flag) {
    const std::string text = flag.value.is_string() ? flag.value.get<std::string>() : "";
    const auto object = text.starts_with('{') && has_parts(table, flag.key)
                            ? Document::parse(text, flag.key)
                            : tl::unexpected(Error{});
    if (!object || !object->value().is_object()) {
        out.push_back(std::move(flag));
        return;
    }
    for (KeyValue& part : leaves_of(object->value())) {
        out.push_back({flag.key + "." + part.key, std::move(part.value), flag.open});
    }
}

}  // namespace

KeyValues flags_of(const std::vector<ShellWord>& words, std::size_t first, std::size_t end,
                   const FormatTable& table) {
    KeyValues out;
    bool positional_seen = false;
    for (std::size_t i = first; i < end; ++i) {
        const ShellWord& word = words[i];
        if (!is_flag(word)) {
            if (const std::size_t key = assigned_key(word.text); key > 0) {
                const std::size_t plus = word.text.find_first_not_of('+');
                out.push_back({word.text.substr(plus, key - plus),
                               scalar_of(word.text.substr(key + 1)), word.open});
                continue;
            }
            if (!positional_seen && !table.positional.empty()) {
                out.push_back({table.positional, word.text, word.open});
            }
            positional_seen = true;
            continue;
        }
        const std::size_t equals = word.text.find('=');
        std::string name = whole_name(word.text.substr(0, equals), table);
        if (equals != std::string::npos) {
            add_flag(out, table, {name, scalar_of(word.text.substr(equals + 1)), word.open});
            continue;
        }
        const auto plain = plain_key(name);
        const bool is_switch = std::ranges::any_of(
            table.switches, [&](const std::string& each) { return plain_key(each) == plain; });
        const FormatRow* row = table.row(name);
        const std::size_t most = is_switch                                  ? 0
                                 : row != nullptr && row->sets == "targets" ? words.size()
                                                                            : 1;
        nlohmann::json list = nlohmann::json::array();
        bool open = false;
        while (list.size() < most && i + 1 < end && !is_flag(words[i + 1])) {
            ++i;
            open = open || words[i].open;
            list.push_back(scalar_of(words[i].text));
        }
        nlohmann::json value = list.empty()       ? nlohmann::json(true)
                               : list.size() == 1 ? list.front()
                                                  : list;
        add_flag(out, table, {std::move(name), std::move(value), open});
    }
    return out;
}

}  // namespace ridgeline
