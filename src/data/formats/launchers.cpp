// What starts a tool: command lines, and the jobs, pods and services around them.
#include "base/text.h"
#include "data/formats/config_tree.h"
#include "data/formats/importer.h"
#include "data/reader.h"

#include <fmt/format.h>

#include <algorithm>

namespace ridgeline {
namespace {

std::string base_name(const std::string& word) { return word.substr(word.rfind('/') + 1); }

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
        if (word != wanted[i] && (i > 0 || base_name(word) != wanted[i])) {
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
        const bool open = text.find("$(") != std::string::npos;
        words.push_back({std::move(text), open});
    }
    return words;
}

/// Pods alike.
struct Pods {
    const nlohmann::json* spec = nullptr;
    double copies = 1;
};

/// Those of a PyTorchJob, MPIJob or JobSet, which holds them by role, deeper than a Job.
void pods_below(const nlohmann::json& value, double copies, std::vector<Pods>& pods) {
    if (value.is_array()) {
        for (const nlohmann::json& each : value) {
            pods_below(each, copies, pods);
        }
    }
    if (!value.is_object()) {
        return;
    }
    if (member(value, "containers").is_array()) {
        pods.push_back({&value, copies});
        return;
    }
    for (const char* count : {"replicas", "parallelism"}) {
        const nlohmann::json& stated = member(value, count);
        copies *= stated.is_number_integer() ? stated.get<double>() : 1;
    }
    for (const auto& [key, each] : value.items()) {
        pods_below(each, copies, pods);
    }
}

/// A server image whose arguments alone are given.
std::vector<ShellWord> program_of_image(const std::string& image) {
    if (image.find("vllm") != std::string::npos) {
        return {{"vllm", false}, {"serve", false}};
    }
    if (image.find("llama.cpp") != std::string::npos) {
        return {{"llama-server", false}};
    }
    return {};
}

}  // namespace

void Importer::note_hardware(ImportedFile& file, const std::string& key,
                             const nlohmann::json& value) {
    file.read.push_back({key, text_of(value), "the hardware"});
}

bool Importer::read_command(const std::vector<ShellWord>& words, const ShellScript& script,
                            const std::string& where) {
    const Started launcher = started(formats_, words, true);
    Started tool = started(formats_, words, false);
    if (launcher.table != nullptr) {
        const std::size_t behind = script_behind(words, launcher);
        add(*launcher.table, flags_of(words, launcher.behind, behind, *launcher.table), where);
        if (tool.table == nullptr && behind < words.size()) {
            const FormatTable any;
            const KeyValues flags = flags_of(words, behind + 1, words.size(), any);
            tool = {told_format(formats_, flags, true), behind, behind + 1};
        }
    }
    if (tool.table == nullptr) {
        const std::size_t behind =
            launcher.table != nullptr ? script_behind(words, launcher) : words.size();
        if (behind < words.size()) {
            out_.files.back().unknown.push_back(
                {words[behind].text, "", "nothing that ridgeline knows"});
        }
        return launcher.table != nullptr;
    }
    KeyValues settings = flags_of(words, tool.behind, words.size(), *tool.table);
    for (const auto& [name, value] : script.variables) {
        if (tool.table->row(name) != nullptr && find(settings, name) == nullptr) {
            settings.push_back({name, value, false});
        }
    }
    // Which of a tool's commands it is says what is done: "trl dpo".
    if (tool.table->row("@command") != nullptr) {
        std::string command;
        for (std::size_t i = tool.at; i < tool.behind; ++i) {
            command += (command.empty() ? "" : " ") + base_name(words[i].text);
        }
        settings.push_back({"@command", command, false});
    }
    add(*tool.table, settings, where);
    return true;
}

Result<void> Importer::read_script(const std::string& text, const std::string& where) {
    const ShellScript script = shell_script(text);
    bool any = false;
    const bool job = !script.sbatch.empty();
    if (job) {
        read_sbatch(script.sbatch, where);
    }
    const std::size_t at = out_.files.size() - 1;
    // Several servers in one script: the first is meant, the others are named.
    bool tool_seen = false;
    for (const std::vector<ShellWord>& command : script.commands) {
        const Started tool = started(formats_, command, false);
        if (tool.table != nullptr && tool_seen && tool.table->task == "inference") {
            list(where, tool.table->id, tool.table->name)
                .ignored.push_back({command.front().text, "", "another command of the script"});
            continue;
        }
        any = read_command(command, script, where) || any;
        tool_seen = tool_seen || tool.table != nullptr;
    }
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
        out_.files[at].unknown.push_back({"script", "", "starts nothing that ridgeline knows"});
    }
    return {};
}

void Importer::read_sbatch(const std::vector<std::string>& words, const std::string& where) {
    ImportedFile& file = list(where, "slurm", "sbatch script");
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::size_t equals = words[i].find('=');
        std::string name = words[i].substr(0, equals);
        std::string value = equals != std::string::npos ? words[i].substr(equals + 1) : "";
        if (equals == std::string::npos && i + 1 < words.size() && words[i + 1][0] != '-') {
            value = words[++i];
        }
        if (name == "--nodes" || name == "-N") {
            add_virtual("@nodes", value);
        } else if (name == "--gpus-per-node" || name == "--gres" || name == "--gpus" ||
                   name == "-G") {
            const std::vector<std::string> parts = split(value, ':');
            add_virtual(name == "--gpus" || name == "-G" ? "@accelerators" : "@per-node",
                        parts.back());
            if (parts.size() == 3 || (parts.size() == 2 && parts.front() != "gpu")) {
                file.unknown.push_back({name, value, "the site's name of a GPU: say --on"});
                continue;
            }
        } else {
            file.ignored.push_back({name, value, "decides neither memory nor time here"});
            continue;
        }
        note_hardware(file, name, value);
    }
}

Result<void> Importer::read_sky(const nlohmann::json& tree, const std::string& where) {
    ImportedFile& file = list(where, "skypilot", "SkyPilot task");
    if (const nlohmann::json& nodes = member(tree, "num_nodes"); !nodes.is_null()) {
        add_virtual("@nodes", text_of(nodes));
        note_hardware(file, "num_nodes", nodes);
    }
    const nlohmann::json& accelerators = member(member(tree, "resources"), "accelerators");
    if (accelerators.is_string()) {
        const std::vector<std::string> parts = split(accelerators.get<std::string>(), ':');
        add_virtual("@accelerator", parts.front());
        add_virtual("@per-node", parts.size() > 1 ? parts[1] : "1");
        note_hardware(file, "resources.accelerators", accelerators);
    } else if (accelerators.is_object() && accelerators.size() == 1) {
        add_virtual("@accelerator", accelerators.begin().key());
        add_virtual("@per-node", text_of(accelerators.begin().value()));
        note_hardware(file, "resources.accelerators", accelerators.begin().key());
    } else if (!accelerators.is_null()) {
        file.unknown.push_back(
            {"resources.accelerators", text_of(accelerators), "several: say --on"});
    }
    for (const auto& [key, value] : tree.items()) {
        if (key != "num_nodes" && key != "run" && key != "resources") {
            file.ignored.push_back({key, "", "decides neither memory nor time here"});
        }
    }
    if (const nlohmann::json& run = member(tree, "run"); run.is_string()) {
        if (!read_script(run.get<std::string>(), where + ": run")) {
            list(where, "skypilot", "SkyPilot task")
                .unknown.push_back({"run", "", "starts nothing that ridgeline knows"});
        }
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
    if (words.size() >= 3 && words[1].text.rfind('-', 0) == 0 && words[1].text.ends_with("c")) {
        return static_cast<bool>(read_script(words[2].text, where));
    }
    ShellScript script;
    const nlohmann::json& variables = member(container, "environment");
    if (variables.is_object()) {
        for (const auto& [name, value] : variables.items()) {
            script.variables[name] = text_of(value);
        }
    }
    if (!words.empty() && started(formats_, words, false).table == nullptr) {
        const std::vector<ShellWord> program =
            program_of_image(text_of(member(container, "image")));
        words.insert(words.begin(), program.begin(), program.end());
    }
    return read_command(words, script, where);
}

Result<void> Importer::read_pods(const nlohmann::json& tree, const std::string& where) {
    list(where, "kubernetes", "Kubernetes " + text_of(tree["kind"]));
    const std::size_t at = out_.files.size() - 1;
    // A Job or Deployment holds the pod in its template.
    const nlohmann::json& outer = member(tree, "spec");
    if (const nlohmann::json& nodes = member(outer, "parallelism"); !nodes.is_null()) {
        add_virtual("@nodes", text_of(nodes));
        note_hardware(out_.files[at], "spec.parallelism", nodes);
    }
    const nlohmann::json& pod = member(member(outer, "template"), "spec");
    const nlohmann::json& spec = pod.is_null() ? outer : pod;
    if (member(spec, "containers").is_array()) {
        read_pod(spec, at, where);
        return {};
    }
    std::vector<Pods> inner;
    pods_below(outer, 1, inner);
    double nodes = 0;
    for (const Pods& each : inner) {
        nodes += read_pod(*each.spec, at, where) ? each.copies : 0;
    }
    if (nodes > 0) {
        add_virtual("@nodes", fmt::format("{:.0f}", nodes));
        note_hardware(out_.files[at], "replicas", nodes);
    }
    if (inner.empty()) {
        out_.files[at].unknown.push_back({"spec", "", "no containers"});
    }
    return {};
}

/// Whether its containers ask for accelerators.
bool Importer::read_pod(const nlohmann::json& spec, std::size_t at, const std::string& where) {
    const nlohmann::json& product = member(member(spec, "nodeSelector"), "nvidia.com/gpu.product");
    if (!product.is_null()) {
        add_virtual("@accelerator", text_of(product));
        note_hardware(out_.files[at], "nvidia.com/gpu.product", product);
    }
    bool accelerated = false;
    for (const nlohmann::json& container : member(spec, "containers")) {
        const nlohmann::json& limits = member(member(container, "resources"), "limits");
        for (const char* name : {"nvidia.com/gpu", "amd.com/gpu"}) {
            if (const nlohmann::json& count = member(limits, name); !count.is_null()) {
                add_virtual("@per-node", text_of(count));
                note_hardware(out_.files[at], name, count);
                accelerated = true;
            }
        }
        if (!read_container(container, where)) {
            out_.files[at].unknown.push_back({"containers", text_of(member(container, "image")),
                                              "starts nothing that ridgeline knows"});
        }
    }
    return accelerated;
}

Result<void> Importer::read_compose(const nlohmann::json& tree, const std::string& where) {
    list(where, "compose", "compose file");
    const std::size_t at = out_.files.size() - 1;
    bool any = false;
    for (const auto& [name, service] : tree["services"].items()) {
        const nlohmann::json& reserved =
            member(member(member(service, "deploy"), "resources"), "reservations");
        const nlohmann::json& devices = member(reserved, "devices");
        for (const nlohmann::json& device :
             devices.is_array() ? devices : nlohmann::json::array()) {
            if (const nlohmann::json& count = member(device, "count"); !count.is_null()) {
                add_virtual("@per-node", text_of(count));
                note_hardware(out_.files[at], "services." + name + ".deploy", count);
            }
        }
        const bool read = !any && read_container(service, where + ": " + name);
        if (!read) {
            out_.files[at].ignored.push_back(
                {"services." + name, text_of(member(service, "image")), "no model"});
        }
        any = any || read;
    }
    if (!any) {
        return input_error(where, "has no service that ridgeline knows",
                           "docs/configurations.md lists what is read.");
    }
    return {};
}

}  // namespace ridgeline
