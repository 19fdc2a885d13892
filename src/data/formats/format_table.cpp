#include "data/formats/format_table.h"

#include "base/order.h"
#include "data/reader.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <functional>

namespace ridgeline {
namespace {

std::vector<std::vector<std::string>> word_lists(Reader& reader, std::string_view key) {
    std::vector<std::vector<std::string>> lists;
    for (const JsonNode& each : reader.node(key).elements()) {
        std::vector<std::string>& list = lists.emplace_back();
        for (const JsonNode& word : each.elements()) {
            if (!word.is(JsonNode::Kind::text)) {
                reader.fail(key, "expected lists of words");
                return {};
            }
            list.emplace_back(word.text());
        }
    }
    return lists;
}

OptionTexts option_texts(Reader& reader, std::string_view key) {
    OptionTexts texts;
    for (const JsonMember& member : reader.node(key).members()) {
        if (!member.value.is(JsonNode::Kind::text)) {
            reader.fail(key, "expected texts");
            return {};
        }
        texts.emplace_back(member.name, member.value.text());
    }
    stable_order(texts.begin(), texts.end(), std::less<>());
    return texts;
}

FormatRow read_row(Reader& reader) {
    FormatRow row;
    row.key = reader.text("key");
    row.sets = reader.text_or("sets", "");
    row.written = reader.boolean_or("written", true);
    row.absent = reader.text_or("absent", "");
    row.only = reader.text_or("only", "");
    row.needs = reader.text_or("needs", "");
    row.note = reader.text_or("note", "");
    row.carries = reader.text_or("carries", "");
    row.uncounted = reader.text_or("uncounted", "");
    row.adds = reader.boolean_or("adds", false);
    row.when = reader.text_or("when", "");
    if (reader.has("fixed")) {
        row.fixed = reader.raw("fixed").dump();
    }
    for (Reader& each : reader.objects("values")) {
        FormatValue value;
        value.is = each.text("is");
        value.sets = option_texts(each, "sets");
        value.written = each.boolean_or("written", true);
        each.reject_unknown();
        row.values.push_back(std::move(value));
    }
    reader.reject_unknown();
    return row;
}

Result<FormatTable> load_format(const TreePath& file) {
    auto document = Document::read(file);
    if (!document) {
        return tl::unexpected(document.error());
    }
    Reader top = document->root();
    check_schema(top, "ridgeline/format/1");
    FormatTable table;
    table.id = top.text("id");
    table.name = top.text("name");
    table.syntax = top.text("syntax");
    table.writes = top.text_or("writes", "");
    table.framework = top.text_or("framework", "");
    table.task = top.text_or("task", "");
    table.version = top.text("version");
    table.launch = top.text_or("launch", "");
    table.positional = top.text_or("positional", "");
    table.told_by = word_lists(top, "told_by");
    table.commands = word_lists(top, "commands");
    table.switches = top.texts("switches");
    table.two_suffixes = top.boolean_or("two_suffixes", false);
    table.abbreviates = top.boolean_or("abbreviates", false);
    table.defaults = option_texts(top, "defaults");
    table.exclusive = word_lists(top, "exclusive");
    table.lists_keys = top.has("keys");
    if (table.lists_keys) {
        table.keys = top.texts("keys");
    }
    top.ignore("sources");
    for (Reader& row : top.objects("rows")) {
        table.rows.push_back(read_row(row));
    }
    top.reject_unknown();
    return document->result().map([&table] { return std::move(table); });
}

}  // namespace

std::string plain_key(std::string_view key) {
    key.remove_prefix(std::min(key.find_first_not_of('-'), key.size()));
    std::string plain(key);
    std::replace(plain.begin(), plain.end(), '-', '_');
    return plain;
}

const FormatRow* FormatTable::row(std::string_view key) const {
    const std::string wanted = plain_key(key);
    for (const FormatRow& each : rows) {
        if (plain_key(each.key) == wanted) {
            return &each;
        }
    }
    return nullptr;
}

bool FormatTable::knows(std::string_view key) const {
    std::string wanted = plain_key(key);
    while (true) {
        for (const std::string& each : keys) {
            if (plain_key(each) == wanted) {
                return true;
            }
        }
        const std::size_t dot = wanted.rfind('.');
        if (dot == std::string::npos) {
            return false;
        }
        wanted.resize(dot);
    }
}

Result<std::vector<FormatTable>> load_formats(const TreePath& folder) {
    std::vector<FormatTable> formats;
    for (const TreePath& file : folder.json_files()) {
        auto table = load_format(file);
        if (!table) {
            return tl::unexpected(table.error());
        }
        formats.push_back(std::move(*table));
    }
    if (formats.empty()) {
        return input_error(folder.string(),
                           "holds no format, expected the tables of profiles/formats");
    }
    return formats;
}

const FormatTable* format_named(const std::vector<FormatTable>& formats, std::string_view id) {
    for (const FormatTable& table : formats) {
        if (table.id == id) {
            return &table;
        }
    }
    return nullptr;
}

}  // namespace ridgeline
