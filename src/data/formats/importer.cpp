#include "data/formats/importer.h"

#include "base/lists.h"
#include "base/text.h"
#include "data/formats/misfit.h"
#include "data/formats/weight_header.h"
#include "data/reader.h"
#include "data/stored_name.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace ridgeline {
namespace {

/// What no setting of a tool says, so that the comment of an emitted file does.
bool is_of_the_question(const std::string& option) {
    static constexpr const char* options[] = {"input-tokens",  "output-tokens",
                                              "phase",         "acceptance",
                                              "tokens",        "samples",
                                              "epochs",        "dataset-samples",
                                              "dataset-bytes", "sample-bytes",
                                              "sample-reads",  "decoded-bytes",
                                              "decode-ms",     "cores-per-accelerator",
                                              "storage",       "on"};
    return is_among(option, options);
}

/// "models/Qwen3-30B-A3B-Q4_K_M.gguf", "org/Qwen3-30B-A3B-GGUF:Q4_K_M" or "qwen3:30b": name and
/// type of weights. A repository without a type gives the usual one, a file's name may tell none.
StoredName gguf_name(std::string text, bool file) {
    text = last_part(text);
    text.resize(text.size() - (lower(text).ends_with(".gguf") ? 5 : 0));
    const std::size_t last = text.find_last_of("-:.");
    const std::string word = last == std::string::npos ? "" : lower(text.substr(last + 1));
    if (word == "f16" || word == "bf16") {
        return {stored_name(text.substr(0, last)).model, word};
    }
    if (!file) {
        return stored_name(text + "-gguf");
    }
    // "X-Q4_K_M-00001-of-00002": one of several.
    if (const std::size_t of = text.rfind("-of-"); of != std::string::npos && of > 6) {
        text.resize(all_digits(text.substr(of - 5, 5)) ? of - 6 : text.size());
    }
    if (last < text.size() && text[last] == '.' && word.find('_') != std::string::npos) {
        text[last] = '-';  // "X.Q4_K_M"
    }
    return stored_name(text);
}

/// Of a Modelfile's FROM, of -m and of -hf: whether a path stands there.
bool is_path(const std::string& text) {
    return lower(text).ends_with(".gguf") ||
           (!text.empty() && std::string_view("./~").find(text.front()) != std::string_view::npos);
}

/// The key of a format that sets what another format's key of that name would; empty where none
/// does: "lora_r" for the "lora_rank" of others.
std::string key_of_others(const std::vector<FormatTable>& formats, const FormatTable& table,
                          const std::string& key) {
    for (const FormatTable& other : formats) {
        const FormatRow* row = other.task == table.task ? other.row(key) : nullptr;
        if (row == nullptr || row->sets.empty()) {
            continue;
        }
        const auto same = std::ranges::find(table.rows, row->sets, &FormatRow::sets);
        if (same != table.rows.end()) {
            return same->key;
        }
    }
    return "";
}

}  // namespace

ImportedFile& Importer::list(const std::string& where, const std::string& kind,
                             const std::string& name) {
    ImportedFile& file = out_.files.emplace_back();
    file.where = where;
    file.kind = kind;
    file.name = name;
    return file;
}

/// Two files that each name what is trained or served are two runs, which no answer can join.
void Importer::note_model(TableReading& reading) {
    const auto model = reading.options.find("model");
    if (model == reading.options.end()) {
        return;
    }
    const auto before = out_.options.find("model");
    if (before != out_.options.end() && before->second != model->second && model_number_ > 0 &&
        model_number_ != number_) {
        const auto note = std::ranges::find_if(reading.file.read, [](const ImportNote& each) {
            return contains(each.meaning, "--model ");
        });
        reading.file.impossible.push_back(
            {note == reading.file.read.end() ? "model" : note->key, model->second,
             fmt::format("is another model than {} of {}: give one of them, or ask `check`, which "
                         "judges each",
                         before->second, model_of_),
             "model"});
    }
    model_of_ = reading.file.where;
    model_number_ = number_;
}

void Importer::add(const FormatTable& table, const KeyValues& settings, const std::string& where) {
    TableReading reading = read_by_table(table, settings, where);
    if (!table.task.empty()) {
        note_model(reading);
    }
    for (const auto& [option, value] : reading.options) {
        if (option.front() == '@') {
            add_virtual(option, value);
        } else {
            out_.options[option] = value;
        }
        open_.erase(option);
    }
    for (const std::string& option : reading.open) {
        if (out_.options.count(option) == 0) {
            open_.insert(option);
        }
    }
    for (ImportNote& note : reading.file.unknown) {
        const bool known = table.row(note.key) != nullptr;
        const std::string other = known ? "" : key_of_others(formats_, table, note.key);
        note.meaning = other.empty() ? note.meaning : fmt::format("Did you mean \"{}\"?", other);
    }
    out_.files.push_back(std::move(reading.file));
    const auto task = reading.options.find("task");
    if (task != reading.options.end() && task->second != table.task) {
        return;  // a trainer's file that only generates: its defaults are those of training
    }
    if (!table.task.empty()) {
        out_.options["task"] = table.task;
        std::ranges::move(kept_settings(table, settings), std::back_inserter(out_.kept));
    }
    if (!table.framework.empty() && reading.options.count("framework") == 0) {
        out_.options["framework"] = table.framework;
    }
    mains_.push_back({&table, out_.files.size() - 1});
}

void Importer::add_virtual(const std::string& name, const std::string& value) {
    ImportedHardware& hardware = out_.hardware;
    if (name == "@accumulation") {
        hardware.accumulation = whole_size(value);
    } else if (name == "@accelerators") {
        hardware.accelerators = whole_size(value);
    } else if (name == "@nodes") {
        hardware.nodes = whole_size(value);
    } else if (name == "@per-node") {
        hardware.per_node = whole_size(value);
    } else if (name == "@accelerator") {
        hardware.accelerator = value;
    } else if (name == "@id") {
        out_.options["model"] = value;
    } else if (name == "@gguf") {
        const StoredName stored = gguf_name(value, is_path(value));
        out_.options["model"] = stored.model;
        if (!stored.quantization.empty()) {
            out_.options["quantization"] = stored.quantization;
        }
        terms_["@gguf"] = value;
        out_.weights = is_path(value) || !contains(value, "/") ? "" : value;
    } else if (name == "@fraction") {
        out_.options["memory-fraction"] = value;
    } else {
        terms_[name] = value;
    }
}

void Importer::read_comments(const std::vector<std::string>& comments) {
    for (const std::string& comment : comments) {
        const std::size_t mark = comment.find("asked: ridgeline ");
        if (mark == std::string::npos) {
            continue;
        }
        const ShellScript line = shell_script(comment.substr(mark + 7));
        if (line.commands.empty()) {
            continue;
        }
        const FormatTable none;
        for (const KeyValue& each :
             flags_of(line.commands.front(), 0, line.commands.front().size(), none)) {
            const std::string option = each.key.substr(std::min<std::size_t>(2, each.key.size()));
            if (option == "on") {
                out_.hardware.on = text_of(each.value);
            } else if (option == "micro-batch" || option == "batch") {
                terms_["@asked-" + option] = text_of(each.value);
            } else if (option == "model") {
                terms_["@asked-model"] = text_of(each.value);
            } else if (is_of_the_question(option)) {
                out_.options[option] = text_of(each.value);
            }
        }
    }
}

Result<void> Importer::read_tree(const nlohmann::json& tree, const std::string& where) {
    if (is_weight_header(tree)) {
        return read_weights(tree, where);
    }
    if (tree.contains("apiVersion") && tree.contains("kind")) {
        return read_pods(tree, where);
    }
    if (tree.contains("services") && tree["services"].is_object()) {
        return read_compose(tree, where);
    }
    const nlohmann::json& resources = member(tree, "resources");
    if (resources.contains("accelerators") || resources.contains("any_of") ||
        resources.contains("ordered") || (!resources.is_null() && tree.contains("run"))) {
        return read_sky(tree, where);
    }
    if (tree.contains("commands") && tree.contains("type") && tree["commands"].is_array()) {
        return read_dstack(tree, where);
    }
    const KeyValues settings = leaves_of(tree);
    if (const FormatTable* table = told_format(formats_, settings, false)) {
        add(*table, settings, where);
        return {};
    }
    if (read_model(tree, where)) {
        return {};
    }
    std::string keys;
    for (std::size_t i = 0; i < std::min<std::size_t>(settings.size(), 4); ++i) {
        append(keys, ", ", printable(settings[i].key));
    }
    return input_error(where,
                       fmt::format("is no configuration that ridgeline knows (its keys: {})", keys),
                       "docs/configurations.md lists what is read.");
}

void Importer::take_defaults() {
    for (const Main& main : mains_) {
        for (const auto& [option, value] : main.table->defaults) {
            if (option == "@accumulation") {
                const bool stated = out_.hardware.accumulation || out_.options.count("batch") > 0;
                if (!stated) {
                    out_.hardware.accumulation = whole_size(value);
                    out_.files[main.file].defaulted.push_back(
                        {"", value, "micro-batches a step " + value});
                }
                continue;
            }
            if (option.front() == '@') {
                if (open_.count(option) == 0) {
                    terms_.emplace(option, value);
                }
                continue;
            }
            const bool alone = option == "sharding" && out_.hardware.accelerators == 1;
            if (out_.options.count(option) == 0 && open_.count(option) == 0 && !alone) {
                out_.options[option] = value;
                out_.files[main.file].defaulted.push_back({"", value, "--" + option + " " + value});
            }
        }
    }
}

/// A type of weights that a name does not tell in full is told as what it was taken for.
void Importer::settle_storage() {
    const auto name = terms_.find("@gguf");
    const auto type = out_.options.find("quantization");
    if (name == terms_.end() || type == out_.options.end() || mains_.empty()) {
        return;
    }
    const std::string said = lower(name->second);
    const std::size_t at = said.rfind(type->second);
    if (at != std::string::npos && said.substr(at + type->second.size(), 1) != "_") {
        return;
    }
    out_.usual_type =
        !is_path(said) && (said.ends_with("-gguf") || stored_name(said).quantization.empty());
    out_.files[mains_.back().file].defaulted.push_back(
        {"", type->second,
         fmt::format("--quantization {} (assumed: {})", type->second,
                     out_.usual_type ? "what a repository gives where no type is asked for"
                                     : "the nearest type of llama.cpp")});
}

/// A file that another one names holds what moves memory: it is missed where nobody gave it.
void Importer::settle_beside() {
    constexpr std::string_view mark = "@beside.";
    for (const auto& [name, value] : terms_) {
        const std::string kind = name.rfind(mark, 0) == 0 ? name.substr(mark.size()) : "";
        const bool given = std::ranges::any_of(
            out_.files, [&](const ImportedFile& file) { return file.kind == kind; });
        if (kind.empty() || given || mains_.empty()) {
            continue;
        }
        ImportedFile& file = out_.files[mains_.back().file];
        file.uncounted.push_back({kind, value, "a file of its own: give it with --from"});
        file.needs_less = true;
    }
}

/// What a tool does beyond any estimate where its file says nothing: another tool's usual value is
/// another ("@carry.lora-alpha": "2*rank").
void Importer::settle_kept() {
    constexpr std::string_view mark = "@carry.";
    for (const auto& [name, value] : terms_) {
        const std::string word = name.starts_with(mark) ? name.substr(mark.size()) : "";
        const auto stated = std::ranges::find(out_.kept, word, &KeptSetting::word);
        if (word.empty() || stated != out_.kept.end() || mains_.empty()) {
            continue;
        }
        const std::size_t times = value.find("*rank");
        const auto stated_rank = out_.options.find("rank");
        if (times != std::string::npos && stated_rank == out_.options.end()) {
            continue;
        }
        const double rank =
            times == std::string::npos ? 0 : number_with_suffix(stated_rank->second).value_or(0);
        const double factor = number_with_suffix(value.substr(0, times)).value_or(0);
        out_.kept.push_back(
            {mains_.back().table->id, "", word,
             times == std::string::npos ? value : fmt::format("{}", factor * rank)});
    }
}

Imported Importer::finish() {
    ImportedHardware& hardware = out_.hardware;
    if (const std::string seen = term_of({"@visible"});
        !seen.empty() && !contains(seen, "@") && !hardware.accelerators && !hardware.per_node) {
        hardware.per_node = static_cast<int>(split(seen, ',').size());
    }
    if (!hardware.accelerators && hardware.per_node) {
        hardware.accelerators = *hardware.per_node * hardware.nodes.value_or(1);
    }
    if (!hardware.per_node && hardware.accelerators && hardware.nodes &&
        *hardware.accelerators % *hardware.nodes == 0) {
        hardware.per_node = *hardware.accelerators / *hardware.nodes;
    }
    take_defaults();
    if (terms_["@evaluates"] == "true") {
        const auto micro = out_.options.find("micro-batch");
        const std::string& batch = terms_["@evaluation-batch"];
        hardware.evaluation_batch = !batch.empty()                ? batch
                                    : micro != out_.options.end() ? micro->second
                                                                  : "";
    }
    settle_method();
    settle_storage();
    settle_beside();
    if (terms_.count("@asked-model") > 0) {
        out_.options.emplace("model", terms_["@asked-model"]);
    }
    // How a server spreads its requests is no setting of it.
    for (const std::string option : {"micro-batch", "batch"}) {
        const auto asked = terms_.find("@asked-" + option);
        if (asked != terms_.end() && out_.options["task"] == "inference") {
            out_.options.emplace(option, asked->second);
        }
    }
    settle_model();
    settle_server();
    settle_round();
    settle_batch();
    settle_draft();
    settle_tokens();
    settle_kept();
    return std::move(out_);
}

}  // namespace ridgeline
