// What starts a tool: command lines, alone, in scripts and in containers.
#include "base/text.h"
#include "data/formats/config_tree.h"
#include "data/formats/importer.h"
#include "data/reader.h"

#include <algorithm>
#include <cctype>
#include <iterator>

namespace ridgeline {
namespace {

/// Where in a command a table's program starts, and the first word behind its name.
struct Started {
    const FormatTable* table = nullptr;
    std::size_t at = 0;
    std::size_t behind = 0;
};

bool matches(const std::vector<ShellWord>& words, std::size_t at,
             const std::vector<std::string>& wanted) {
    if (wanted.empty() || at + wanted.size() > words.size()) {
        return false;
    }
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        const std::string& word = words[at + i].text;
        if (word != wanted[i] && (i > 0 || last_part(word) != wanted[i])) {
            return false;
        }
    }
    return true;
}

Started started(const std::vector<FormatTable>& formats, const std::vector<ShellWord>& words,
                bool launcher) {
    for (std::size_t at = 0; at < words.size(); ++at) {
        Started best;
        std::size_t longest = 0;
        for (const FormatTable& table : formats) {
            if ((table.syntax == "launcher") != launcher) {
                continue;
            }
            for (const std::vector<std::string>& command : table.commands) {
                if (command.size() > longest && matches(words, at, command)) {
                    best = {&table, at, at + command.size()};
                    longest = command.size();
                }
            }
        }
        if (best.table != nullptr) {
            return best;
        }
    }
    return {};
}

/// Flags of a launcher end where the script or module stands.
std::size_t script_behind(const std::vector<ShellWord>& words, const Started& launcher) {
    std::size_t i = launcher.behind;
    while (i < words.size() && words[i].text.rfind('-', 0) == 0) {
        const std::string name = words[i].text;
        const auto& switches = launcher.table->switches;
        const bool bare = name.find('=') != std::string::npos ||
                          std::any_of(switches.begin(), switches.end(), [&](const auto& each) {
                              return plain_key(each) == plain_key(name);
                          });
        i += bare ? 1 : 2;
    }
    return std::min(i, words.size());
}

std::vector<ShellWord> words_of(const nlohmann::json& list) {
    std::vector<ShellWord> words;
    for (const nlohmann::json& each : list) {
        std::string text = text_of(each);
        const bool open = contains(text, "$(");
        words.push_back({std::move(text), open});
    }
    return words;
}

/// The text behind "bash -c"; none where no shell is started so.
const ShellWord* shell_text(const std::vector<ShellWord>& words) {
    for (std::size_t at = 0; at + 2 < words.size(); ++at) {
        const std::string_view name = last_part(words[at].text);
        const std::string& option = words[at + 1].text;
        if ((name == "bash" || name == "sh") && option.rfind('-', 0) == 0 &&
            option.ends_with("c")) {
            const std::size_t text = at + (words[at + 2].text == "--" ? 3 : 2);
            return text < words.size() ? &words[text] : nullptr;
        }
    }
    return nullptr;
}

/// The commands of a script, with those of a shell that one of them starts in its place.
ShellScript all_commands(const ShellScript& script) {
    ShellScript all;
    for (std::size_t at = 0; at < script.commands.size(); ++at) {
        ShellScript inner;
        if (const ShellWord* text = shell_text(script.commands[at])) {
            inner = shell_script(text->text, script.variables);
        } else {
            inner.commands.push_back(script.commands[at]);
            inner.cards.push_back(script.cards[at]);
        }
        std::ranges::move(inner.commands, std::back_inserter(all.commands));
        std::ranges::move(inner.cards, std::back_inserter(all.cards));
    }
    return all;
}

/// Where the script or module of "python train.py" stands; the number of words where there is none.
std::size_t python_script(const std::vector<ShellWord>& words) {
    for (std::size_t at = 0; at < words.size(); ++at) {
        const std::string_view name = last_part(words[at].text);
        if (name.rfind("python", 0) == 0 &&
            name.find_first_not_of("0123456789.", 6) == std::string::npos) {
            std::size_t script = at + 1;
            while (script < words.size() && words[script].text.rfind('-', 0) == 0) {
                ++script;
            }
            return script;
        }
    }
    return words.size();
}

/// A server image whose arguments alone are given.
std::vector<ShellWord> program_of_image(const std::string& image) {
    if (contains(image, "vllm")) {
        return {{"vllm", false}, {"serve", false}};
    }
    if (contains(image, "llama.cpp")) {
        return {{"llama-server", false}};
    }
    if (contains(image, "text-generation-inference")) {
        return {{"text-generation-launcher", false}};
    }
    return {};
}

/// What "docker run ... vllm/vllm-openai:v0.10.0 --model X" starts: the program of the image with
/// the words behind it; none where no such image is run.
std::vector<ShellWord> contained(const std::vector<ShellWord>& words) {
    const auto runs = std::ranges::find_if(words, [](const ShellWord& word) {
        const std::string_view name = last_part(word.text);
        return name == "docker" || name == "podman" || name == "nerdctl";
    });
    if (runs == words.end()) {
        return {};
    }
    for (auto word = runs; word != words.end(); ++word) {
        // A mounted folder is no image: "~/vllm:/root/vllm".
        const std::string& text = word->text;
        const bool image = std::isalnum(static_cast<unsigned char>(text.front())) != 0 &&
                           contains(text, "/") && !contains(text, ":/");
        std::vector<ShellWord> program = image ? program_of_image(text) : std::vector<ShellWord>();
        if (!program.empty()) {
            program.insert(program.end(), word + 1, words.end());
            return program;
        }
    }
    return {};
}

/// Flags with the variables of the script that the tool reads.
KeyValues with_variables(const FormatTable& table, KeyValues settings, const ShellScript& script) {
    for (const auto& [name, value] : script.variables) {
        if (table.row(name) != nullptr && find(settings, name) == nullptr) {
            settings.push_back({name, value, false});
        }
    }
    return settings;
}

/// The script's variables with those that "-e NAME=VALUE" gives a container.
ShellScript with_environment(const std::vector<ShellWord>& words, const ShellScript& script) {
    ShellScript inner;
    inner.variables = script.variables;
    for (std::size_t at = 0; at + 1 < words.size(); ++at) {
        const std::string& set = words[at + 1].text;
        const std::size_t equals = set.find('=');
        if ((words[at].text == "-e" || words[at].text == "--env") && equals != std::string::npos) {
            inner.variables[set.substr(0, equals)] = set.substr(equals + 1);
        }
    }
    return inner;
}

}  // namespace

bool Importer::read_command(const std::vector<ShellWord>& words, const ShellScript& script,
                            const std::string& where) {
    other_run_ = false;
    const Started launcher = started(formats_, words, true);
    Started tool = started(formats_, words, false);
    if (const auto inner = contained(words); tool.table == nullptr && !inner.empty()) {
        return read_command(inner, with_environment(words, script), where);
    }
    const std::size_t behind =
        launcher.table != nullptr ? script_behind(words, launcher) : words.size();
    const auto add_launcher = [&] {
        const KeyValues flags = flags_of(words, launcher.behind, behind, *launcher.table);
        add(*launcher.table, with_variables(*launcher.table, flags, script), where);
    };
    if (launcher.table != nullptr && behind < words.size()) {
        const std::vector<ShellWord> inner(words.begin() + static_cast<long>(behind), words.end());
        if (const Started next = started(formats_, inner, true);
            next.table != nullptr && next.at == 0) {
            add_launcher();
            return read_command(inner, script, where);
        }
    }
    if (launcher.table != nullptr) {
        if (tool.table == nullptr && behind < words.size() && launcher.table->launch.empty()) {
            const FormatTable any;
            const KeyValues flags = flags_of(words, behind + 1, words.size(), any);
            tool = {told_format(formats_, flags, true), behind, behind + 1};
        }
    }
    if (launcher.table == nullptr && tool.table == nullptr) {
        const FormatTable any;
        const std::size_t started_by = python_script(words);
        if (started_by < words.size()) {
            const KeyValues flags = flags_of(words, started_by + 1, words.size(), any);
            tool = {told_format(formats_, flags, true), started_by, started_by + 1};
        }
    }
    if (tool.table == nullptr) {
        if (launcher.table == nullptr) {
            return false;
        }
        add_launcher();
        if (!launcher.table->launch.empty()) {
            read_overrides(*launcher.table, words, behind, where);
            return true;
        }
        if (behind < words.size()) {
            miss_script(out_.files.back(), words[behind].text, "nothing that ridgeline knows");
            const FormatTable any;
            for (const KeyValue& flag : flags_of(words, behind + 1, words.size(), any)) {
                out_.files.back().unknown.push_back(
                    {flag.key, text_of(flag.value), "of a script that is not known"});
            }
        }
        return true;
    }
    KeyValues settings = with_variables(
        *tool.table, flags_of(words, tool.behind, words.size(), *tool.table), script);
    if (is_other_run(*tool.table, settings, where)) {
        other_run_ = true;
        return true;
    }
    if (launcher.table != nullptr) {
        add_launcher();
    }
    // Which of a tool's commands it is says what is done: "trl dpo".
    if (tool.table->row("@command") != nullptr) {
        std::string command;
        for (std::size_t i = tool.at; i < tool.behind; ++i) {
            append(command, " ", last_part(words[i].text));
        }
        settings.push_back({"@command", command, false});
    }
    add(*tool.table, settings, where);
    return true;
}

Result<void> Importer::read_script(const std::string& text, const std::string& where,
                                   const std::map<std::string, std::string>& variables) {
    const ShellScript script = shell_script(text, variables);
    bool any = false;
    const bool job = !script.sbatch.empty();
    if (job) {
        read_sbatch(script.sbatch, where);
    }
    const std::size_t at = out_.files.size() - 1;
    bool all_others = true;
    const ShellScript started_here = all_commands(script);
    for (std::size_t i = 0; i < started_here.commands.size(); ++i) {
        cards_ = started_here.cards[i];
        const bool read = read_command(started_here.commands[i], script, where);
        any = any || read;
        all_others = all_others && (!read || other_run_);
    }
    other_run_ = any && all_others;
    for (const auto& [name, body] : script.written_files) {
        const auto trees = config_trees(body, where + ": " + name);
        for (const nlohmann::json& tree : trees ? *trees : std::vector<nlohmann::json>()) {
            const KeyValues settings = leaves_of(tree);
            if (const FormatTable* table = told_format(formats_, settings, false)) {
                add(*table, settings, where + ": " + name);
                any = true;
            }
        }
    }
    if (!any && !job) {
        return input_error(where, "starts nothing that ridgeline knows",
                           "docs/configurations.md lists what is read.");
    }
    if (!any) {
        miss_script(out_.files[at], "script", "starts nothing that ridgeline knows");
    }
    return {};
}

bool Importer::read_container(const nlohmann::json& container, const std::string& where) {
    std::vector<ShellWord> words;
    for (const char* key : {"entrypoint", "command", "args"}) {
        const nlohmann::json& part = member(container, key);
        if (part.is_array()) {
            const std::vector<ShellWord> more = words_of(part);
            words.insert(words.end(), more.begin(), more.end());
        } else if (part.is_string()) {
            for (const auto& command : shell_script(part.get<std::string>()).commands) {
                words.insert(words.end(), command.begin(), command.end());
            }
        }
    }
    ShellScript script;
    script.variables = variables_of(member(container, "environment"));
    script.variables.merge(variables_of(member(container, "env")));
    if (const ShellWord* text = shell_text(words)) {
        return static_cast<bool>(read_script(text->text, where, script.variables));
    }
    if (started(formats_, words, false).table == nullptr) {
        const std::vector<ShellWord> program =
            program_of_image(text_of(member(container, "image")));
        words.insert(words.begin(), program.begin(), program.end());
    }
    return read_command(words, script, where);
}

}  // namespace ridgeline
