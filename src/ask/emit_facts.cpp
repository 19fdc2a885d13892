#include "ask/emit_facts.h"

#include "base/text.h"
#include "report/report.h"
#include "spec/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>

namespace ridgeline::ask {
namespace {

using Options = std::map<std::string, std::string>;

/// What formats count in units of their own.
void add_terms(const Placement& placed, Options& options) {
    const Workload& workload = placed.workload;
    const Batch& batch = workload.batch;
    options["@id"] = placed.architecture.id;
    options["@microbatch-tokens"] = std::to_string(1LL * batch.micro * batch.sequence_length);
    options["@step-tokens"] = std::to_string(1LL * batch.global * batch.sequence_length);
    if (workload.serving) {
        const Serving& serving = *workload.serving;
        options["@context"] = fmt::format(
            "{:.0f}", (serving.input_tokens + serving.output_tokens) * serving.concurrency);
    }
    if (workload.task == Task::inference && workload.plan.expert > 1) {
        options["@expert-parallel"] = "true";
    }
    std::string type = workload.quantization.any() ? workload.quantization.name : "";
    std::transform(type.begin(), type.end(), type.begin(),
                   [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    options["@gguf"] = placed.architecture.id + (type.empty() ? "" : "-" + type) + ".gguf";
    if (workload.lora) {
        std::string attention;
        bool mlp = false;
        bool output = false;
        for (std::string target : workload.lora->targets) {
            if (target.starts_with("mlp.")) {
                target.erase(0, 4);  // of the dense layers
            }
            mlp = mlp || target == "up_proj";
            output = output || target == "lm_head";
            const bool other = target == "gate_proj" || target == "up_proj" ||
                               target == "down_proj" || target == "lm_head";
            if (!other) {
                append(attention, ",", target == "o_proj" ? std::string("output_proj") : target);
            }
        }
        options["@targets.attention"] = attention;
        options["@targets.mlp"] = mlp ? "true" : "false";
        options["@targets.output"] = output ? "true" : "false";
    }
}

/// What a decoder has beside its sizes, in Megatron's words.
void add_details(const Architecture& architecture, Options& options) {
    if (architecture.kind != ModelKind::decoder || architecture.stacks.empty()) {
        return;
    }
    const TransformerStack& tower = architecture.text();
    const auto word = [](bool value) { return value ? "true" : "false"; };
    const bool bare = !tower.mlp_bias && !tower.out_bias;
    options["@shape.position"] = tower.rope                           ? "rope"
                                 : architecture.learned_positions > 0 ? "learned_absolute"
                                                                      : "none";
    options["@shape.norm"] = tower.norm == NormType::rmsnorm ? "RMSNorm" : "LayerNorm";
    options["@shape.unbiased"] = word(bare);
    options["@shape.qkv_bias"] = word(bare && tower.qkv_bias);
    options["@shape.qk_norm"] = word(tower.qk_norm != QkNorm::none);
}

}  // namespace

std::map<std::string, std::string> facts_of(const World& world, const Placement& placed,
                                            const PublishedModel& published) {
    Options options = options_of_answer(report::estimate_json(placed, stamp_of(world.catalog)));
    const Cluster& cluster = placed.cluster;
    const Workload& workload = placed.workload;
    options["@accelerators"] = std::to_string(cluster.count);
    options["@nodes"] = std::to_string(cluster.nodes());
    options["@per-node"] = std::to_string(cluster.per_node);
    const long long pass = 1LL * workload.batch.micro * workload.plan.data;
    if (workload.task == Task::train && pass > 0) {
        options["@accumulation"] = std::to_string(std::max(1LL, workload.batch.global / pass));
    }
    if (workload.serving) {
        options["@length"] =
            fmt::format("{:.0f}", workload.serving->input_tokens + workload.serving->output_tokens);
    }
    if (workload.plan.shard_group > 0) {
        options["@replicas"] = std::to_string(workload.plan.data / workload.plan.shard_group);
    }
    if (workload.preference) {
        options["algorithm"] = std::string(name_of(workload.preference->algorithm));
    } else if (workload.task == Task::train) {
        options["@stage"] = "sft";
    }
    add_terms(placed, options);
    const MemoryEstimate& memory = placed.estimate.memory;
    const double high = memory.process / gibibyte * memory.band.high;
    const double share = high / (memory.capacity / gibibyte);
    options["@fraction"] =
        fmt::format("{:.2f}", std::clamp(std::ceil(share * 100) / 100, 0.5, 0.95));
    if (!published.hub_id.empty()) {
        options["model"] = published.hub_id;
    }
    add_details(placed.architecture, options);
    for (const auto& [name, value] : published.shape) {
        options.emplace("@shape." + name, value);
    }
    return options;
}

}  // namespace ridgeline::ask
