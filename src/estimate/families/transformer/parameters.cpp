// Counts from the operator list with a plan of one rank, so that a count and an estimate can never
// disagree about a tensor.
#include "estimate/families/transformer/parameters.h"

#include "estimate/families/families.h"
#include "estimate/families/transformer/transformer.h"
#include "estimate/work/operator.h"
#include "spec/software_profile.h"
#include "spec/workload.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>

namespace ridgeline {
namespace {

OperatorList plain_list(const Architecture& architecture, double tokens, double context) {
    Workload workload;
    workload.task = Task::inference;
    const SoftwareProfile software;
    const Pass pass{.samples = 1, .tokens = tokens, .context = context, .training = false};
    return list_operators(architecture, workload, software, pass);
}

double experts_used(const Architecture& architecture) {
    const auto& moe = architecture.text().moe;
    return moe ? static_cast<double>(moe->experts_per_token) / moe->experts : 1;
}

std::string group_name(const Block& block, const Operator& op) {
    if (op.name.find('.') != std::string_view::npos && op.role == Role::other) {
        return std::string(op.name);  // outside the layers: "vision.projector", "head.transform"
    }
    const bool layer = block.position == Block::Position::layer;
    std::string name(block.name);
    std::replace(name.begin(), name.end(), ' ', '_');
    const bool same = block.name == op.name;
    return layer || !same ? name + "." + std::string(op.name) : name;
}

/// Sums in double: whole up to 9e15, and no configuration, however large, overflows.
struct GroupSums {
    double total = 0;
    double active = 0;
    double embedding = 0;
    double head = 0;
};

long long whole(double value) { return std::llround(std::min(value, 9e18)); }

void add_group(ParameterCount& count, GroupSums& sums, const Block& block, const Operator& op,
               double used) {
    ParameterGroup group;
    group.name = group_name(block, op);
    const bool several = op.expert || block.name == "vision";
    const double matrices = several ? op.matrices : 1;
    group.parameters = op.parameters / matrices;
    group.count = block.repeat * matrices;
    const bool beside = block.name == "prediction layer";  // trains the model, answers nothing
    group.active_count = beside ? 0 : (op.expert ? group.count * used : group.count);
    const double all = group.parameters * group.count;
    sums.total += all;
    sums.active += group.parameters * group.active_count;
    sums.embedding += op.role == Role::embedding ? all : 0;
    sums.head += op.role == Role::head ? all : 0;
    count.groups.push_back(std::move(group));
}

/// A network that is not listed layer by layer has the count its source prints.
ParameterCount published_count(const Architecture& architecture) {
    ParameterCount count;
    const double millions = architecture.facts ? architecture.facts->mparameters : 0;
    count.total = architecture.published_parameters.value_or(whole(millions * 1e6));
    count.active = count.total;
    if (count.total > 0) {
        count.groups.push_back({"network", static_cast<double>(count.total), 1, 1});
    }
    return count;
}

/// Of a program: its own network, block by block; the parts beside it are models of their own.
ParameterCount program_count(const Architecture& architecture) {
    ParameterCount count;
    count.total = count.active = whole(program_parameters(architecture));
    for (const auto& [name, parameters] : program_groups(architecture)) {
        count.groups.push_back({.name = name, .parameters = parameters});
    }
    return count;
}

}  // namespace

ParameterCount count_parameters(const Architecture& architecture) {
    if (has_program(architecture)) {
        return program_count(architecture);
    }
    if (architecture.stacks.empty()) {
        return published_count(architecture);
    }
    ParameterCount count;
    GroupSums sums;
    const double used = experts_used(architecture);
    for (const Block& block : plain_list(architecture, 1, 1)) {
        for (const Operator& op : block.operators) {
            if (op.parameters > 0 && !op.tied) {
                add_group(count, sums, block, op, used);
            }
        }
    }
    count.total = whole(sums.total);
    count.active = whole(sums.active);
    count.embedding = whole(sums.embedding);
    count.head = whole(sums.head);
    return count;
}

double kv_bytes_per_token(const Architecture& architecture, double bytes_per_element) {
    if (architecture.stacks.empty()) {
        return 0;
    }
    const TransformerStack& tower = architecture.text();
    if (!tower.causal) {
        return 0;
    }
    const double width = tower.mla ? tower.mla->kv_rank + tower.mla->rope_dim
                                   : 2.0 * tower.kv_heads * tower.head_dim;
    const LayerKinds kinds = layer_kinds(tower);
    const bool alone = tower.state && !tower.state->beside_attention;
    const double states = alone ? kinds.count[1] + kinds.count[3] + kinds.count[5] : 0;
    return width * (tower.layers - states) * bytes_per_element;
}

double forward_flops_per_token(const Architecture& architecture, double context) {
    if (architecture.stacks.empty()) {
        return 0;
    }
    // A whole sequence, so that causal attention counts its mean of half the context.
    const double tokens = std::max(1.0, context);
    Flops total;
    for (const Block& block : plain_list(architecture, tokens, tokens)) {
        for (const Operator& op : block.operators) {
            const bool product = op.role == Role::linear || op.role == Role::expert_linear ||
                                 op.role == Role::router || op.role == Role::head;
            if (!product && op.role != Role::attention) {
                continue;
            }
            // The list computes the logits of the last token only where it serves.
            const bool head = op.role == Role::head;
            const double per = head ? 2.0 * op.rows * op.columns * tokens : op.forward / flop;
            total += Flops::of_base(per * block.repeat);
        }
    }
    return total / flop / tokens;
}

double forward_flops_of_sample(const Architecture& architecture, int image_size) {
    if (has_program(architecture)) {
        return program_flops(architecture, image_size);
    }
    Flops total;
    for (const Block& block : plain_list(architecture, 1, 1)) {
        for (const Operator& op : block.operators) {
            total += Flops::of_base(op.forward / flop * block.repeat);
        }
    }
    return total / flop;
}

}  // namespace ridgeline
