#include "data/formats/import_files.h"

#include "base/text.h"
#include "base/utf8.h"
#include "data/formats/config_tree.h"
#include "data/formats/importer.h"
#include "data/reader.h"

#include <fmt/format.h>

#include <algorithm>

namespace ridgeline {
namespace {

/// A pickle or an archive of torch: loading one runs code.
bool is_pickle(std::string_view text) {
    return text.substr(0, 4) == std::string_view("PK\x03\x04", 4) ||
           (text.size() > 1 && text[0] == '\x80' && text[1] >= 0 && text[1] <= 5);
}

/// "FROM model" and "PARAMETER num_ctx 8192" as a tree; null where no line says FROM.
nlohmann::json modelfile_tree(std::string_view text) {
    nlohmann::json tree;
    for (const std::string& line : split(text, '\n')) {
        std::vector<std::string> words;
        for (std::string word : split(line, ' ')) {
            word.erase(std::remove(word.begin(), word.end(), '\r'), word.end());
            if (!word.empty()) {
                words.push_back(std::move(word));
            }
        }
        if (words.size() == 2 && (words[0] == "FROM" || words[0] == "ADAPTER")) {
            tree[words[0] == "FROM" ? "FROM" : "ADAPTER"] = words[1];
        } else if (words.size() >= 3 && words[0] == "PARAMETER") {
            tree[words[1]] = words[2];
        }
    }
    return tree.contains("FROM") ? tree : nlohmann::json();
}

/// The tree of a trainer's log line; empty where there is none.
std::string logged_configs(const std::string& text) {
    const std::size_t mark = text.find("Running with configs:");
    const std::size_t start = mark == std::string::npos ? mark : text.find('{', mark);
    if (start == std::string::npos) {
        return "";
    }
    int depth = 0;
    bool quoted = false;
    for (std::size_t i = start; i < text.size(); ++i) {
        if (text[i] == '"' && text[i - 1] != '\\') {
            quoted = !quoted;
        }
        depth += quoted ? 0 : text[i] == '{' ? 1 : text[i] == '}' ? -1 : 0;
        if (depth == 0) {
            return text.substr(start, i + 1 - start);
        }
    }
    return "";
}

/// "config.training.dtype = 'bfloat16'" of a function that changes a registered configuration; null
/// where no line does. Nothing of the file runs.
nlohmann::json python_tree(std::string_view text) {
    nlohmann::json tree;
    if (!contains(text, "torchtitan")) {
        return tree;
    }
    for (std::string line : split(text, '\n')) {
        line.erase(0, std::min(line.find_first_not_of(" \t"), line.size()));
        const std::size_t equals = line.find(" = ");
        if (line.rfind("config", 0) != 0 || equals == std::string::npos ||
            (equals > 6 && line[6] != '.')) {
            continue;
        }
        const std::string key = equals == 6 ? "config" : line.substr(7, equals - 7);
        std::string value = line.substr(equals + 3);
        value.erase(value.find_last_not_of(" \r") + 1);
        if (key == "config" && value.ends_with("()")) {
            value.resize(value.size() - 2);
        } else if (value.size() > 1 && (value.front() == '"' || value.front() == '\'')) {
            value = value.substr(1, value.size() - 2);
        }
        tree[key] = value == "True"    ? nlohmann::json(true)
                    : value == "False" ? nlohmann::json(false)
                                       : nlohmann::json(value);
    }
    return tree.contains("config") ? tree : nlohmann::json();
}

/// Comment lines of a YAML or TOML file.
std::vector<std::string> comments_of(std::string_view text) {
    std::vector<std::string> comments;
    for (const std::string& line : split(text, '\n')) {
        const std::size_t start = line.find_first_not_of(" \t");
        if (start != std::string::npos && line[start] == '#') {
            comments.push_back(line.substr(start + 1));
        }
    }
    return comments;
}

Result<void> read_text(Importer& importer, const GivenFile& file) {
    // A path or a comment of a script may be in an older encoding; YAML and JSON may not.
    const std::string text = as_utf8(file.text);
    importer.read_comments(comments_of(text));
    if (text.rfind("#!", 0) == 0) {
        return importer.read_script(text, file.name);
    }
    if (const nlohmann::json modelfile = modelfile_tree(text); !modelfile.is_null()) {
        return importer.read_tree(modelfile, file.name);
    }
    if (const nlohmann::json assigned = python_tree(text); !assigned.is_null()) {
        return importer.read_tree(assigned, file.name);
    }
    const std::string logged = logged_configs(text);
    const auto trees = config_trees(logged.empty() ? file.text : logged, file.name);
    if (!trees) {
        // A command line without "#!" is no YAML map either.
        const auto script = importer.read_script(text, file.name);
        const bool continued = contains(text, " \\\n");
        if (script || (continued && !contains(text, "{{"))) {
            return script;
        }
        if (contains(text, "{{")) {
            return input_error(file.name, "is a template, which its own tool has to fill",
                               "Give what comes out, as of `helm template`.");
        }
        return tl::unexpected(trees.error());
    }
    bool any = false;
    for (const nlohmann::json& tree : *trees) {
        if (!tree.is_object()) {
            continue;
        }
        any = true;
        if (const auto read = importer.read_tree(tree, file.name); !read) {
            // A command line with JSON in it is a map of YAML, whose one key is a sentence.
            const bool words = tree.size() == 1 && contains(tree.begin().key(), " ");
            const auto script = words ? importer.read_script(text, file.name) : Result<void>(read);
            return script ? script : read;
        }
    }
    return any ? Result<void>() : importer.read_script(text, file.name);
}

/// Whether the run takes what a value would set: a full tuning has no adapters.
bool counts(const ImpossibleValue& found, const Imported& imported) {
    const auto method = imported.options.find("method");
    const bool full = method == imported.options.end() || method->second == "full";
    return !full || (found.option != "rank" && found.option != "lora-dropout");
}

/// The run that is meant where nobody says which: a script of training may start servers beside it.
std::optional<std::size_t> usual_run(const Imported& imported, const ImportChoice& choice) {
    if (choice.run) {
        return std::nullopt;
    }
    const auto trains = std::ranges::find_if(
        imported.runs, [](const ImportedRun& run) { return run.task == "train"; });
    const std::size_t at = trains == imported.runs.end() ? 0 : trains - imported.runs.begin();
    return at == 0 ? std::nullopt : std::optional(at);
}

}  // namespace

Result<Imported> import_files(const std::vector<GivenFile>& files,
                              const std::vector<FormatTable>& formats, const ImportChoice& choice) {
    Importer importer(formats, choice);
    for (const GivenFile& file : files) {
        importer.begin_file();
        if (is_pickle(file.text)) {
            return input_error(
                file.name, "is a pickle or an archive of torch, which runs code when it is opened",
                "Give the configuration as JSON or YAML instead.");
        }
        if (file.text.size() > largest_config) {
            return input_error(
                file.name, fmt::format("is {} bytes long, expected at most {} of a configuration",
                                       file.text.size(), largest_config));
        }
        if (const auto read = read_text(importer, file); !read) {
            return tl::unexpected(read.error());
        }
    }
    Imported imported = importer.finish();
    if (const auto run = usual_run(imported, choice)) {
        return import_files(files, formats, {.run = run, .parts = choice.parts});
    }
    for (const ImportedFile& file : imported.files) {
        for (const ImpossibleValue& found : file.impossible) {
            if (counts(found, imported)) {
                return input_error(file.where + ": " + found.key,
                                   fmt::format("{} {}", printable(found.value), found.why));
            }
        }
    }
    return imported;
}

}  // namespace ridgeline
