// What a configuration says beyond any estimate: a translation keeps it where it can.
#include "base/text.h"
#include "data/formats/key_values.h"
#include "data/reader.h"

#include <algorithm>

namespace ridgeline {
namespace {

/// Whether all that a key may say is whether and how a run evaluates.
bool is_of_evaluation(const FormatRow& row) {
    constexpr std::string_view mark = "@evaluat";
    const bool each = std::ranges::all_of(row.values, [&](const FormatValue& value) {
        return std::ranges::all_of(value.sets,
                                   [&](const auto& set) { return set.first.starts_with(mark); });
    });
    return row.sets.starts_with(mark) || (row.sets.empty() && !row.values.empty() && each);
}

bool is_beyond_estimates(const FormatRow& row) {
    return !row.note.empty() || !row.uncounted.empty() || !row.fixed.empty() ||
           !row.carries.empty() || is_of_evaluation(row);
}

/// A number of a command line, which has texts alone, is one here.
std::string json_text_of(const nlohmann::json& value) {
    if (value.is_string()) {
        const auto text = value.get<std::string>();
        const auto number = Document::parse(text, "");
        return number && number->value().is_number() ? text : value.dump();
    }
    return value.dump();
}

}  // namespace

std::vector<KeptSetting> kept_settings(const FormatTable& table, const KeyValues& settings) {
    std::vector<KeptSetting> kept;
    for (const KeyValue& each : settings) {
        const auto carries = std::ranges::find_if(table.rows, [&](const FormatRow& row) {
            return !row.carries.empty() && plain_key(row.key) == plain_key(each.key);
        });
        const FormatRow* row = carries != table.rows.end() ? &*carries : table.row(each.key);
        if ((row != nullptr && !is_beyond_estimates(*row)) || each.key.starts_with('@') ||
            each.value.is_null()) {
            continue;
        }
        const bool known = row != nullptr || (table.lists_keys && table.knows(each.key));
        const bool stated = known && !each.open && !contains(text_of(each.value), "${");
        kept.push_back({table.id, each.key, row != nullptr ? row->carries : "",
                        stated ? json_text_of(each.value) : ""});
    }
    return kept;
}

}  // namespace ridgeline
