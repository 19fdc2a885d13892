#include "cli/rehearsal_request.h"

#include "base/lists.h"

#include <fmt/format.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <string_view>

namespace ridgeline::cli {

namespace fs = std::filesystem;

namespace {

// Of Transformers, diffusers, timm, torchvision, nanoGPT, DeepSpeed and Megatron, and what others
// call it.
constexpr std::array<std::string_view, 16> batch_flags{
    "--per_device_train_batch_size",
    "--per-device-train-batch-size",
    "--train_batch_size",
    "--train-batch-size",
    "--micro-batch-size",
    "--micro_batch_size",
    "--train_micro_batch_size_per_gpu",
    "--batch-size",
    "--batch_size",
    "--batch",
    "--bs",
    "-b",
    "--batch-size-per-gpu",
    "--batch_size_per_gpu",
    "--batchSize",
    "--bsz",
};

}  // namespace

Result<RehearsalRequest> request_of(const ask::Request& given) {
    RehearsalRequest out;
    const auto absolute = [&given](std::string_view name) {
        const std::string& path = given.text(name);
        return path.empty() ? path : fs::absolute(path).string();
    };
    const auto number = [&given](const char* name, const char* usual, double most) {
        return ask::number_of(fmt::format("--{}", name),
                              given.given(name) ? given.text(name) : usual, 1, most);
    };
    out.command = given.texts("command");
    out.changes = given.texts("try");
    for (const std::string& change : out.changes) {
        if (change.empty() || change.front() != '-') {
            return usage_error(
                "--try", fmt::format("\"{}\" is no flag", change),
                "For example --try=\"--batch 4\" or --try=--gradient_checkpointing.");
        }
    }
    out.scratch = given.text("scratch");
    out.snapshot = absolute("snapshot");
    out.trace = absolute("trace");
    out.quiet = given.flag("quiet");
    const auto steps = number("steps", "2", 1000);
    const auto limit = number("limit", "900", 1e6);
    if (!steps || !limit) {
        return tl::unexpected(!steps ? steps.error() : limit.error());
    }
    out.steps = static_cast<int>(*steps);
    out.limit_s = *limit;
    if (const std::string& max = given.text("max"); !max.empty()) {
        const std::size_t at = max.find('=');
        if (at == 0 || at == std::string::npos || max.compare(at + 1, 1, "-") != 0) {
            return usage_error("--max", fmt::format("\"{}\" is not NAME=FLAG", max),
                               "For example batch=--batch.");
        }
        out.max_name = max.substr(0, at);
        out.max_flag = max.substr(at + 1);
    }
    const std::string& routing = given.text("routing");
    if (!routing.empty() && routing != "even") {
        const bool skewed = routing.compare(0, 7, "skewed:") == 0;
        const auto skew = ask::number_of("--routing", skewed ? routing.substr(7) : "", 1, 1000);
        if (!skew) {
            return usage_error("--routing",
                               fmt::format("\"{}\" is neither even nor skewed:FACTOR", routing),
                               "skewed:1.5 gives the busiest expert 1.5 times the mean.");
        }
        out.skew = *skew;
    }
    return out;
}

Result<std::vector<Cluster>> cards_of(const ask::Request& request, const Catalog& catalog) {
    std::vector<Cluster> out;
    for (const std::string& word : request.texts("on")) {
        const auto cluster = ask::cluster_named(catalog, word, true);
        if (!cluster) {
            return tl::unexpected(cluster.error());
        }
        if (!cluster->accelerator->compute_capability) {
            return input_error(
                "--on",
                fmt::format("{} has no CUDA compute capability; the stand-in card is one of CUDA",
                            cluster->accelerator->id),
                "Name an NVIDIA part of `ridgeline catalog list`.");
        }
        if (cluster->nodes() > 1) {
            return usage_error("--on",
                               fmt::format("\"{}\" has {} nodes; a script is rehearsed on one",
                                           word, cluster->nodes()),
                               "Name the cards of one node.");
        }
        out.push_back(*cluster);
    }
    return out;
}

std::vector<std::string> with_flag(std::vector<std::string> command, const std::string& flag,
                                   const std::string& value) {
    for (std::size_t i = 0; i < command.size(); ++i) {
        if (command[i] == flag && (value.empty() || i + 1 < command.size())) {
            if (!value.empty()) {
                command[i + 1] = value;
            }
            return command;
        }
        if (command[i].compare(0, flag.size() + 1, flag + "=") == 0) {
            command[i] = flag + "=" + value;
            return command;
        }
    }
    command.push_back(flag);
    if (!value.empty()) {
        command.push_back(value);
    }
    return command;
}

std::vector<std::string> with_change(const std::vector<std::string>& command,
                                     const std::string& change) {
    const std::size_t end = change.find_first_of(" =");
    const std::string value = end == std::string::npos ? "" : change.substr(end + 1);
    return with_flag(command, change.substr(0, end), value);
}

std::optional<BatchFlag> batch_flag_of(const std::vector<std::string>& command) {
    for (std::size_t i = 0; i < command.size(); ++i) {
        const std::size_t equals = command[i].find('=');
        const std::string flag = command[i].substr(0, equals);
        if (!is_among(flag, batch_flags)) {
            continue;
        }
        const std::string text = equals != std::string::npos ? command[i].substr(equals + 1)
                                 : i + 1 < command.size()    ? command[i + 1]
                                                             : "";
        const long value = std::strtol(text.c_str(), nullptr, 10);
        if (value > 1) {
            return BatchFlag{flag, value};
        }
    }
    return {};
}

}  // namespace ridgeline::cli
