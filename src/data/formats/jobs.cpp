// Jobs, pods and services around the command that starts a tool.
#include "base/text.h"
#include "data/formats/importer.h"
#include "data/reader.h"

#include <fmt/format.h>

#include <utility>

namespace ridgeline {
namespace {

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

/// What a pod asks of its node's label, by selector or by a required affinity to one value; null:
/// nothing.
nlohmann::json node_label(const nlohmann::json& spec, const char* label) {
    const nlohmann::json& selected = member(member(spec, "nodeSelector"), label);
    if (!selected.is_null()) {
        return selected;
    }
    const nlohmann::json& required = member(member(member(spec, "affinity"), "nodeAffinity"),
                                            "requiredDuringSchedulingIgnoredDuringExecution");
    const nlohmann::json& terms = member(required, "nodeSelectorTerms");
    for (const nlohmann::json& term : terms.is_array() ? terms : nlohmann::json::array()) {
        const nlohmann::json& rules = member(term, "matchExpressions");
        for (const nlohmann::json& rule : rules.is_array() ? rules : nlohmann::json::array()) {
            const nlohmann::json& values = member(rule, "values");
            if (text_of(member(rule, "key")) == label &&
                text_of(member(rule, "operator")) == "In" && values.is_array() &&
                values.size() == 1) {
                return values.front();
            }
        }
    }
    return nullptr;
}

/// "H100:8" of SkyPilot's `accelerators`: one or several, any of which would do.
void accelerators_of(const nlohmann::json& stated, std::vector<ImportedParts>& out) {
    if (stated.is_string()) {
        const std::vector<std::string> parts = split(stated.get<std::string>(), ':');
        out.push_back({parts.front(), parts.size() > 1 ? parts[1] : "1"});
    } else if (stated.is_object()) {
        for (const auto& [name, count] : stated.items()) {
            if (count.is_null()) {  // "{H100:8, A100:8}" of YAML
                accelerators_of(name, out);
            } else {
                out.push_back({name, text_of(count)});
            }
        }
    } else if (stated.is_array()) {
        for (const nlohmann::json& each : stated) {
            accelerators_of(each, out);
        }
    }
}

/// What SkyPilot's `resources` would take, in the order of the file: what all of its alternatives
/// share stands beside them.
std::vector<ImportedParts> parts_of(const nlohmann::json& resources) {
    std::vector<ImportedParts> parts;
    for (const char* several : {"ordered", "any_of"}) {
        const nlohmann::json& list = member(resources, several);
        for (const nlohmann::json& each : list.is_array() ? list : nlohmann::json::array()) {
            accelerators_of(member(each, "accelerators"), parts);
        }
    }
    if (parts.empty()) {
        accelerators_of(member(resources, "accelerators"), parts);
    }
    return parts;
}

/// What a job asks of Slurm: the site's name of a GPU, where it says one, and their number.
struct Generic {
    std::string name;
    std::string count;  ///< empty: no GPU
};

/// "gpu:a100:8", "gpu:8", "gpu" among what --gres lists; without it "a100:8" or "8". What stands in
/// brackets binds GPUs to sockets.
Generic gpus_of(const std::string& value, bool listed) {
    for (const std::string& each : split(value, ',')) {
        std::vector<std::string> parts = split(each.substr(0, each.find('(')), ':');
        if (listed && parts.front() != "gpu") {
            continue;
        }
        parts.erase(parts.begin(), parts.begin() + (listed ? 1 : 0));
        Generic found;
        for (const std::string& part : parts) {
            (all_digits(part) ? found.count : found.name) = part;
        }
        // Without a number it is one; a variable that nothing sets stands as it is.
        const bool open = !found.name.empty() && contains(found.name, "$");
        found.count = open                  ? std::exchange(found.name, "")
                      : found.count.empty() ? "1"
                                            : found.count;
        return found;
    }
    return {};
}

/// "count: 2" or "device_ids: ['0', '1']" of what a service reserves; null: neither.
nlohmann::json reserved_devices(const nlohmann::json& device) {
    const nlohmann::json& ids = member(device, "device_ids");
    return ids.is_array() && !ids.empty() ? nlohmann::json(ids.size()) : member(device, "count");
}

/// Whether all that SkyPilot's `resources` would take first is spot.
bool is_spot(const nlohmann::json& resources) {
    const auto says = [](const nlohmann::json& place) {
        const nlohmann::json& stated = member(place, "use_spot");
        return stated.is_boolean() && stated.get<bool>();
    };
    for (const char* several : {"ordered", "any_of"}) {
        const nlohmann::json& list = member(resources, several);
        if (list.is_array() && !list.empty() && says(list.front())) {
            return true;
        }
    }
    return says(resources);
}

}  // namespace

void Importer::note_hardware(ImportedFile& file, const std::string& key,
                             const nlohmann::json& value) {
    const std::string text = text_of(value);
    const auto number = number_with_suffix(text);
    if (number && (*number < 1 || *number != std::floor(*number)) && contains(key, "nodes")) {
        file.impossible.push_back(
            {key, text, "can be no size, expected a whole number from 1", ""});
    }
    file.read.push_back({key, text, "the hardware"});
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
            const Generic gpus = gpus_of(value, name == "--gres");
            if (gpus.count.empty()) {
                file.ignored.push_back({name, value, "asks for no GPU"});
                continue;
            }
            add_virtual(name == "--gpus" || name == "-G" ? "@accelerators" : "@per-node",
                        gpus.count);
            if (!gpus.name.empty()) {
                add_virtual("@accelerator", gpus.name);
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
    if (const std::vector<ImportedParts> parts = parts_of(member(tree, "resources"));
        !parts.empty()) {
        const std::size_t chosen = std::min(choice_.parts, parts.size() - 1);
        add_virtual("@accelerator", parts[chosen].accelerator);
        add_virtual("@per-node", parts[chosen].count);
        std::string named;
        for (const ImportedParts& each : parts) {
            append(named, ", ", each.accelerator + ":" + each.count);
        }
        note_hardware(file, "resources.accelerators", named);
        out_.hardware.alternatives = parts;
        out_.hardware.chosen = chosen;
    }
    const nlohmann::json& resources = member(tree, "resources");
    if (is_spot(resources)) {
        out_.options["price"] = "spot";
        file.read.push_back({"resources.use_spot", "true", "--price spot"});
    }
    for (const auto& [key, value] : resources.items()) {
        const bool told = key == "accelerators" || key == "ordered" || key == "any_of";
        if (!told && !(key == "use_spot" && is_spot(resources))) {
            file.ignored.push_back(
                {"resources." + key, text_of(value), "decides neither memory nor time here"});
        }
    }
    for (const auto& [key, value] : tree.items()) {
        if (key != "num_nodes" && key != "run" && key != "resources") {
            file.ignored.push_back({key, "", "decides neither memory nor time here"});
        }
    }
    if (const nlohmann::json& run = member(tree, "run"); run.is_string()) {
        std::map<std::string, std::string> variables = variables_of(member(tree, "envs"));
        variables.emplace("SKYPILOT_NUM_NODES", fmt::format("{}", out_.hardware.nodes.value_or(1)));
        if (out_.hardware.per_node) {
            variables.emplace("SKYPILOT_NUM_GPUS_PER_NODE",
                              fmt::format("{}", *out_.hardware.per_node));
        }
        if (!read_script(run.get<std::string>(), where + ": run", variables)) {
            miss_script(list(where, "skypilot", "SkyPilot task"), "run",
                        "starts nothing that ridgeline knows");
        }
    }
    return {};
}

/// A dstack task or service: what its `resources.gpu` asks for ("H100:8", "80GB"), its commands.
Result<void> Importer::read_dstack(const nlohmann::json& tree, const std::string& where) {
    ImportedFile& file = list(where, "dstack", "dstack configuration");
    if (const nlohmann::json& nodes = member(tree, "nodes"); !nodes.is_null()) {
        add_virtual("@nodes", text_of(nodes));
        note_hardware(file, "nodes", nodes);
    }
    const nlohmann::json& gpu = member(member(tree, "resources"), "gpu");
    const std::vector<std::string> parts =
        gpu.is_object()
            ? std::vector<std::string>{text_of(member(gpu, "name")), text_of(member(gpu, "count"))}
            : split(text_of(gpu), ':');
    std::string count = gpu.is_null() ? "" : "1";
    for (const std::string& part : parts) {
        const bool digits = all_digits(part);
        const bool size = contains(part, "GB");
        if (digits) {
            count = part;
        } else if (contains(part, "..") || size || part.find(',') != part.npos) {
            count = size ? count : "";
            file.unknown.push_back({"resources.gpu", part, "several would do: say --on"});
        } else if (!part.empty()) {
            add_virtual("@accelerator", part);
        }
    }
    std::map<std::string, std::string> variables = variables_of(member(tree, "env"));
    const int nodes = out_.hardware.nodes.value_or(1);
    variables.emplace("DSTACK_NODES_NUM", fmt::format("{}", nodes));
    if (!count.empty()) {
        add_virtual("@per-node", count);
        note_hardware(file, "resources.gpu", gpu);
        variables.emplace("DSTACK_GPUS_PER_NODE", count);
        variables.emplace("DSTACK_GPUS_NUM",
                          fmt::format("{}", out_.hardware.per_node.value_or(1) * nodes));
    }
    for (const auto& [key, value] : tree.items()) {
        if (key != "nodes" && key != "commands" && key != "resources" && key != "env") {
            file.ignored.push_back({key, "", "decides neither memory nor time here"});
        }
    }
    std::string commands;
    for (const nlohmann::json& line : member(tree, "commands")) {
        commands += text_of(line) + "\n";
    }
    return read_script(commands, where + ": commands", variables);
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
        const bool accelerated = read_pod(spec, at, where);
        if (const nlohmann::json& copies = member(outer, "replicas");
            accelerated && copies.is_number_integer() && copies.get<int>() > 1) {
            out_.hardware.copies = copies.get<int>();
            out_.files[at].read.push_back({"spec.replicas", text_of(copies), ""});
        }
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
        out_.files[at].ignored.push_back({"spec", "", "starts no containers"});
    }
    return {};
}

/// Whether its containers ask for accelerators.
bool Importer::read_pod(const nlohmann::json& spec, std::size_t at, const std::string& where) {
    bool accelerated = false;
    bool mine = false;
    for (const nlohmann::json& container : member(spec, "containers")) {
        const bool read = read_container(container, where);
        if (other_run_) {
            continue;
        }
        mine = true;
        const nlohmann::json& limits = member(member(container, "resources"), "limits");
        note_slices(out_.files[at], limits);
        for (const char* name : {"nvidia.com/gpu", "amd.com/gpu"}) {
            if (const nlohmann::json& count = member(limits, name); !count.is_null()) {
                add_virtual("@per-node", text_of(count));
                note_hardware(out_.files[at], name, count);
                accelerated = true;
            }
        }
        if (!read) {
            out_.files[at].unknown.push_back({"containers", text_of(member(container, "image")),
                                              "starts nothing that ridgeline knows"});
        }
    }
    for (const char* label :
         {"nvidia.com/gpu.product", "cloud.google.com/gke-accelerator",
          "karpenter.k8s.aws/instance-gpu-name", "k8s.amazonaws.com/accelerator"}) {
        if (const nlohmann::json product = node_label(spec, label); mine && !product.is_null()) {
            add_virtual("@accelerator", text_of(product));
            note_hardware(out_.files[at], label, product);
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
        cards_ = devices.is_array() && !devices.empty()
                     ? text_of(member(devices.front(), "device_ids"))
                     : "";
        service_ = name;
        const bool read = read_container(service, where + ": " + name);
        service_.clear();
        any = any || read;
        if (!read) {
            out_.files[at].ignored.push_back(
                {"services." + name, text_of(member(service, "image")), "no model"});
        }
        if (!read || other_run_) {
            continue;
        }
        for (const nlohmann::json& device :
             devices.is_array() ? devices : nlohmann::json::array()) {
            if (const nlohmann::json count = reserved_devices(device); !count.is_null()) {
                add_virtual("@per-node", text_of(count));
                note_hardware(out_.files[at], "services." + name + ".deploy", count);
            }
        }
    }
    cards_.clear();
    if (!any) {
        return input_error(where, "has no service that ridgeline knows",
                           "docs/configurations.md lists what is read.");
    }
    return {};
}

}  // namespace ridgeline
