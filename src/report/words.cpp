#include "report/words.h"

#include "base/text.h"
#include "report/report.h"
#include "spec/hardware_names.h"
#include "spec/words.h"

#include <fmt/format.h>

namespace ridgeline::report {

std::string workload_line(const Architecture& architecture, const Workload& workload) {
    std::string out = architecture.id.empty() ? architecture.name : architecture.id;
    if (workload.task == Task::inference) {
        out += ", inference";
        if (workload.quantization.any()) {
            out += " " + workload.quantization.name;
        }
    } else if (workload.task == Task::train) {
        out += fmt::format(", {} {}", name_of(workload.method),
                           workload.method == Method::full ? "training" : "fine-tuning");
    }
    return out + ", " + workload.framework;
}

std::string cluster_line(const Cluster& cluster) {
    return fmt::format("{}{}", cards_words(cluster),
                       cluster.nodes() > 1 ? fmt::format(" ({} nodes)", cluster.nodes()) : "");
}

std::string plan_line(const Workload& workload) {
    const Plan& plan = workload.plan;
    std::string out;
    const auto add = [&](std::string_view name, int size) {
        if (size > 1) {
            // "zero1" ends in a digit of its own: "zero1 x8", not "zero18".
            const bool digit = is_digit(name.back());
            append(out, " ", fmt::format("{}{}{}", name, digit ? " x" : "", size));
        }
    };
    add("tp", plan.tensor);
    add("pp", plan.pipeline);
    add("cp", plan.context);
    add("ep", plan.expert);
    if (plan.data > 1) {
        const bool sharded = plan.sharding != Sharding::none;
        add(sharded ? name_of(plan.sharding) : "dp", plan.data);
    }
    if (out.empty()) {
        out = "single";
    }
    if (workload.task == Task::train) {
        if (plan.full_recompute_layers >= 0) {
            out += " recompute " + std::to_string(plan.full_recompute_layers) + " layers";
        } else if (plan.recompute == RecomputeMode::full) {
            out += " recompute";
        } else if (plan.recompute == RecomputeMode::selective) {
            out += " selective";
        }
        if (plan.offload_optimizer != OffloadTarget::none ||
            plan.offload_parameters != OffloadTarget::none ||
            plan.offload_activations != OffloadTarget::none) {
            out += " offload";
        }
    }
    return out;
}

std::string percent(double share) { return fmt::format("{:.1f} %", 100 * share); }

}  // namespace ridgeline::report
