// The runs that a file starts, and what stands behind a launcher of a configuration.
#include "base/text.h"
#include "data/formats/importer.h"

#include <algorithm>

namespace ridgeline {
namespace {

/// Share of each card that a server takes as it starts, as stated or as the tool does; 0: what it
/// needs.
double engine_share(const FormatTable& table, const KeyValues& settings) {
    double share = 0;
    for (const auto& [option, value] : table.defaults) {
        share = option == "@card-share" ? number_with_suffix(value).value_or(0) : share;
    }
    for (const FormatRow& row : table.rows) {
        const KeyValue* stated =
            share > 0 && row.sets == "@fraction" ? find(settings, row.key) : nullptr;
        share =
            stated == nullptr ? share : number_with_suffix(text_of(stated->value)).value_or(share);
    }
    return share;
}

/// Cards that a server is spread over, as stated; 0: as many as it sees.
int engine_ranks(const FormatTable& table, const KeyValues& settings) {
    double ranks = 1;
    for (const char* option : {"tensor", "pipeline", "data"}) {
        std::string stated;
        for (const auto& [name, usual] : table.defaults) {
            stated = name == option ? usual : stated;
        }
        for (const FormatRow& row : table.rows) {
            const KeyValue* found = row.sets == option ? find(settings, row.key) : nullptr;
            stated = found == nullptr ? stated : text_of(found->value);
        }
        ranks *= stated.empty() ? 1 : number_with_suffix(stated).value_or(0);
    }
    return static_cast<int>(std::clamp(ranks, 0.0, 1e6));
}

}  // namespace

bool Importer::is_other_run(const FormatTable& table, const KeyValues& settings,
                            const std::string& where) {
    const FormatRow* model = nullptr;
    const KeyValue* named = nullptr;
    for (const FormatRow& row : table.rows) {
        const bool names = row.sets == "model" || row.sets == "@gguf";
        if (named = names ? find(settings, row.key) : nullptr; named != nullptr) {
            model = &row;
            break;
        }
    }
    if (table.task.empty() || model == nullptr) {
        return false;
    }
    ImportedRun run{table.name + " of " + text_of(named->value),
                    table.task,
                    table.id + service_,
                    cards_,
                    engine_share(table, settings),
                    engine_ranks(table, settings)};
    run.name += service_.empty() ? "" : ", service " + service_;
    for (const KeyValue& each : settings) {
        run.said += " " + each.key + " " + each.value.dump();
    }
    const auto same = std::ranges::find(runs_, run.said, &ImportedRun::said);
    const std::size_t at = static_cast<std::size_t>(same - runs_.begin());
    if (same == runs_.end()) {
        runs_.push_back(std::move(run));
        if (runs_.size() > out_.runs.size()) {
            out_.runs = runs_;
        }
    }
    if (at == choice_.run.value_or(0)) {
        out_.run = at;
        return false;
    }
    list(where, table.id, table.name)
        .ignored.push_back({model->key, text_of(named->value), "another run of the file"});
    return true;
}

void Importer::note_slices(ImportedFile& file, const nlohmann::json& limits) {
    for (const auto& [name, count] : limits.items()) {
        if (name.starts_with("nvidia.com/mig-")) {
            file.uncounted.push_back({name, text_of(count), "a slice of a card: name it by --on"});
            file.needs_less = true;
        }
    }
}

void Importer::miss_script(ImportedFile& file, const std::string& name, const std::string& why) {
    file.unknown.push_back({name, "", why});
    file.uncounted.push_back({name, "", "its settings are not read"});
    file.needs_less = true;
}

void Importer::read_overrides(const FormatTable& launcher, const std::vector<ShellWord>& words,
                              std::size_t behind, const std::string& where) {
    const std::size_t at = out_.files.size() - 1;
    for (std::size_t i = behind; i < words.size(); ++i) {
        const std::string& text = words[i].text;
        const bool named = i > 0 && words[i - 1].text == "--config";
        if (named || text.ends_with(".yaml") || text.ends_with(".yml")) {
            out_.files[at].unknown.push_back({text, "", "a file of its own: give it with --from"});
        }
    }
    const FormatTable* tool = format_named(formats_, launcher.launch);
    KeyValues settings =
        tool == nullptr ? KeyValues() : flags_of(words, behind, words.size(), *tool);
    std::erase_if(settings, [&](const KeyValue& each) {
        return plain_key(each.key) == "config" || launcher.row(each.key) != nullptr;
    });
    if (!settings.empty()) {
        add(*tool, settings, where);
    }
}

}  // namespace ridgeline
