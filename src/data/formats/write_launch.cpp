// What stands around a configuration: the comment, the files that a script writes, the command that
// starts it, and the job, task, pod or service that holds the command.
#include "base/text.h"
#include "data/formats/write_config.h"

#include <fmt/format.h>

#include <algorithm>

namespace ridgeline {
namespace {

using Options = std::map<std::string, std::string>;

std::string commented(const std::vector<std::string>& lines) {
    std::string text;
    for (const std::string& line : lines) {
        text += (line.empty() ? "#" : "# " + line) + "\n";
    }
    return text;
}

std::string indented(const std::string& text, const std::string& indent) {
    std::string out;
    for (const std::string& line : split(text, '\n')) {
        out += line.empty() ? "\n" : indent + line + "\n";
    }
    out.pop_back();  // split leaves an empty piece behind the last line
    return out;
}

/// "program", "--flag value" and so on, a flag a line.
std::string command_lines(const std::string& program, const std::string& flags) {
    std::string text = program;
    for (const std::string& line : split(flags, '\n')) {
        if (!line.empty()) {
            text += " \\\n  " + line;
        }
    }
    return text + "\n";
}

std::string heredoc(const std::string& name, const std::string& body) {
    return fmt::format("cat > {} <<'EOF'\n{}EOF\n", name, body);
}

/// The command of a table that starts what the options ask for: a trainer of preferences may be a
/// command of its own.
std::string launch_of(const FormatTable& table, const Options& options) {
    for (const FormatRow& row : table.rows) {
        const bool command = row.key == "@command";
        const auto value = std::ranges::find_if(
            row.values, [&](const FormatValue& each) { return command && says(each, options); });
        if (value != row.values.end()) {
            return value->is;
        }
    }
    return table.launch;
}

/// The launcher up to the script, with the nodes as the scheduler gives them.
std::string launcher_words(const LaunchPlan& plan) {
    const std::string ranks =
        fmt::format("--nnodes {} --nproc-per-node {}", plan.nodes, plan.per_node);
    std::string meeting;
    if (plan.nodes > 1 || plan.wrap == "slurm") {
        meeting = " --rdzv-backend c10d --rdzv-endpoint \"${HEAD_NODE:?}:29500\"";
    }
    if (plan.launcher == "accelerate") {
        const std::string others = plan.nodes > 1 ? " --rdzv_backend c10d --main_process_ip "
                                                    "\"${HEAD_NODE:?}\" --main_process_port 29500"
                                                  : "";
        return "accelerate launch --config_file accelerate.yaml" + others + " -m";
    }
    return "torchrun " + ranks + meeting + " -m";
}

/// The script's lines below its first comment: files first, then the command.
std::string body_of(const LaunchPlan& plan, const Options& options) {
    const FormatTable& table = *plan.table;
    std::string body;
    if (plan.companion != nullptr) {
        const bool deepspeed = plan.companion->writes == "json";
        body += heredoc(deepspeed ? "ds_config.json" : "accelerate.yaml",
                        config_text(*plan.companion, options));
    }
    if (table.writes != "flags") {
        body += heredoc(table.id + ".yaml", config_text(table, options));
        std::string launch = table.launch;
        const auto fill = [&launch](std::string_view word, const std::string& with) {
            if (const std::size_t at = launch.find(word); at != std::string::npos) {
                launch.replace(at, word.size(), with);
            }
        };
        fill("FILE", table.id + ".yaml");
        fill("GPUS", std::to_string(plan.per_node));
        return body + launch + "\n";
    }
    std::string program = launch_of(table, options);
    if (table.task == "train") {
        program = launcher_words(plan) + " " + program;
        if (table.id == "megatron") {
            program = launcher_words(plan);
            program.replace(program.size() - 2, 2, table.launch);
            // Megatron does not start without it where tensor or context are parallel before
            // Blackwell (training/arguments.py, validate_args).
            program = "env CUDA_DEVICE_MAX_CONNECTIONS=1 " + program;
        }
    }
    std::string flags = config_text(table, options);
    if (plan.companion != nullptr && plan.companion->writes == "json") {
        flags += "--deepspeed ds_config.json\n";
    }
    return body + command_lines(program, flags);
}

std::string slurm_text(const LaunchPlan& plan, const std::string& body) {
    std::string text = "#!/bin/bash\n";
    text += "#SBATCH --job-name=ridgeline\n";
    text += fmt::format("#SBATCH --nodes={}\n", plan.nodes);
    text += "#SBATCH --ntasks-per-node=1\n";
    text += fmt::format("#SBATCH --gpus-per-node={}\n", plan.per_node);
    text += "#SBATCH --exclusive\n";
    text += commented(plan.comment) + "set -euo pipefail\n";
    if (contains(body, "HEAD_NODE")) {
        text +=
            "HEAD_NODE=$(scontrol show hostnames \"$SLURM_JOB_NODELIST\" | head -n 1)\n"
            "export HEAD_NODE\n";
    }
    // The command is the last paragraph; what it reads was written before.
    const std::size_t command =
        body.rfind("EOF\n") == std::string::npos ? 0 : body.rfind("EOF\n") + 4;
    return text + body.substr(0, command) + "srun " + body.substr(command);
}

std::string sky_text(const LaunchPlan& plan, const std::string& body) {
    std::string run = body;
    if (contains(body, "HEAD_NODE")) {
        run = "HEAD_NODE=$(echo \"${SKYPILOT_NODE_IPS:?}\" | head -n 1)\nexport HEAD_NODE\n" + body;
    }
    return commented(plan.comment) +
           fmt::format(
               "name: ridgeline\nnum_nodes: {}\nresources:\n  accelerators: {}:{}\nrun: |\n{}",
               plan.nodes, plan.accelerator, plan.per_node, indented(run, "  "));
}

/// The first pod of an indexed Job has a name in a service without an address of its own.
constexpr std::string_view job_service =
    "apiVersion: v1\nkind: Service\nmetadata:\n  name: ridgeline\nspec:\n  clusterIP: None\n"
    "  selector:\n    job-name: ridgeline\n---\n";

std::string kubernetes_text(const LaunchPlan& plan, const std::string& body) {
    const bool serving = plan.table->task == "inference";
    const bool meets = contains(body, "HEAD_NODE");
    const std::string pod = fmt::format(
        "containers:\n"
        "  - name: ridgeline\n"
        "    image: CONTAINER_IMAGE\n"
        "    command: [\"/bin/sh\", \"-c\"]\n"
        "    args:\n"
        "      - |\n{}{}"
        "    resources:\n"
        "      limits:\n"
        "        nvidia.com/gpu: {}\n",
        indented(body, "        "),
        meets ? "    env:\n      - name: HEAD_NODE\n        value: ridgeline-0.ridgeline\n" : "",
        plan.per_node);
    const std::string text = commented(plan.comment) + (meets ? std::string(job_service) : "");
    if (serving) {
        return text +
               "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: ridgeline\nspec:\n"
               "  replicas: 1\n  selector:\n    matchLabels:\n      app: ridgeline\n"
               "  template:\n    metadata:\n      labels:\n        app: ridgeline\n    spec:\n" +
               indented(pod, "      ");
    }
    return text +
           fmt::format(
               "apiVersion: batch/v1\nkind: Job\nmetadata:\n  name: ridgeline\nspec:\n"
               "  completionMode: Indexed\n  completions: {0}\n  parallelism: {0}\n"
               "  template:\n    spec:\n      restartPolicy: Never\n{1}",
               plan.nodes, meets ? "      subdomain: ridgeline\n" : "") +
           indented(pod, "      ");
}

std::string compose_text(const LaunchPlan& plan, const std::string& body) {
    return commented(plan.comment) + fmt::format(
                                         "services:\n"
                                         "  ridgeline:\n"
                                         "    image: CONTAINER_IMAGE\n"
                                         "    entrypoint: [\"/bin/sh\", \"-c\"]\n"
                                         "    command:\n"
                                         "      - |\n{}"
                                         "    deploy:\n"
                                         "      resources:\n"
                                         "        reservations:\n"
                                         "          devices:\n"
                                         "            - driver: nvidia\n"
                                         "              count: {}\n"
                                         "              capabilities: [gpu]\n",
                                         indented(body, "        "), plan.per_node);
}

}  // namespace

std::string launch_text(const LaunchPlan& plan, const Options& options) {
    const bool file_alone =
        plan.wrap.empty() && plan.launcher.empty() && plan.table->writes != "flags";
    if (file_alone) {
        return commented(plan.comment) + config_text(*plan.table, options);
    }
    const std::string body = body_of(plan, options);
    if (plan.wrap == "slurm") {
        return slurm_text(plan, body);
    }
    if (plan.wrap == "skypilot") {
        return sky_text(plan, body);
    }
    if (plan.wrap == "kubernetes") {
        return kubernetes_text(plan, body);
    }
    if (plan.wrap == "compose") {
        return compose_text(plan, body);
    }
    return "#!/bin/sh\n" + commented(plan.comment) + "set -eu\n" + body;
}

std::vector<std::string> placeholders_of(std::string_view text) {
    static constexpr const char* words[] = {"DATASET",    "OUTPUT_DIR",    "CONTAINER_IMAGE",
                                            "MODEL_DIR",  "TOKENIZER_DIR", "GPU_NAME",
                                            "MODEL_TYPE", "TEMPLATE",      "MODEL.gguf"};
    std::vector<std::string> found;
    if (contains(text, "${HEAD_NODE") && !contains(text, "HEAD_NODE=") &&
        !contains(text, "name: HEAD_NODE")) {
        found.emplace_back("HEAD_NODE");
    }
    for (const char* word : words) {
        if (contains(text, word)) {
            found.emplace_back(word);
        }
    }
    return found;
}

}  // namespace ridgeline
