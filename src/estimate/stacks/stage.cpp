#include "estimate/stacks/stage.h"

#include "estimate/families/transformer/transformer.h"
#include "estimate/stacks/pipeline.h"
#include "estimate/work/quantization.h"

#include <algorithm>
#include <cmath>

namespace ridgeline {
namespace {

void add_layers(Stage& stage, const OperatorList& list, const LayerKinds& kinds) {
    for (std::size_t i = 0; i < list.size(); ++i) {
        if (list[i].kind >= 0) {
            const int count = kinds.count[static_cast<std::size_t>(list[i].kind)];
            stage.repeats[i] += count;
            stage.layers += count;
        }
    }
}

/// Micro-batches whose activations a stage holds in 1F1B, in units of its own layers.
///
/// Plain: the stage has run p - i forwards before its first backward. Interleaved (v chunks a
/// rank): 2 (p - i - 1) + (v - 1) p + 1 chunk forwards, each 1/v of the stage (Megatron-LM
/// schedules.py).
double in_flight_of(const Plan& plan, int index, double micro_batches) {
    const double p = plan.pipeline;
    const double v = plan.virtual_pipeline;
    if (plan.pipeline == 1) {
        return 1;
    }
    if (plan.virtual_pipeline <= 1) {
        return std::min(micro_batches, p - index);
    }
    const double chunks = 2 * (p - index - 1) + (v - 1) * p + 1;
    return std::min(chunks, micro_batches * v) / v;
}

/// Transformer Engine joins query, key and value, and gate and up, into one weight each.
bool opens_fused_product(std::string_view name) {
    return name == "q_proj" || name == "k_proj" || name.ends_with("gate_proj");
}

/// Sum of the parameters of the distinct matrix shapes seen.
struct DistinctShapes {
    std::array<std::pair<double, double>, 32> seen{};
    std::size_t count = 0;
    double parameters = 0;
    void add(double rows, double columns) {
        const std::pair<double, double> shape{rows, columns};
        const auto end = seen.begin() + static_cast<std::ptrdiff_t>(count);
        if (std::find(seen.begin(), end, shape) == end && count < seen.size()) {
            seen[count++] = shape;
            parameters += rows * columns;
        }
    }
};

bool table_role(Role role) {
    return role == Role::embedding || role == Role::head || role == Role::norm;
}

}  // namespace

Stage stage_of(const Architecture& architecture,
               const OperatorList& list,
               const Workload& workload,
               int index) {
    const Plan& plan = workload.plan;
    Stage stage;
    stage.index = index;
    stage.first = index == 0;
    stage.last = index == plan.pipeline - 1;
    stage.repeats.assign(list.size(), 0);
    const double per_pass = static_cast<double>(workload.batch.micro) * plan.data;
    const double micro_batches = std::max(1.0, std::ceil(workload.batch.global / per_pass));
    if (plan.pipeline == 1) {
        for (std::size_t i = 0; i < list.size(); ++i) {
            stage.repeats[i] = list[i].repeat;
            stage.layers += list[i].position == Block::Position::layer ? list[i].repeat : 0;
        }
    } else {
        const TransformerStack& stack = architecture.text();
        const int chunks = plan.pipeline * std::max(1, plan.virtual_pipeline);
        for (int chunk = index; chunk < chunks; chunk += plan.pipeline) {
            const ChunkLayers range = chunk_layers(stack.layers, plan, chunk);
            add_layers(stage, list, layer_kinds(stack, range.begin, range.end));
        }
        for (std::size_t i = 0; i < list.size(); ++i) {
            const bool first = list[i].position == Block::Position::first;
            const bool last = list[i].position == Block::Position::last;
            if ((first && stage.first) || (last && stage.last)) {
                stage.repeats[i] = list[i].repeat;
            } else if (!first && !last && list[i].kind < 0) {
                // Layers of an encoder are spread evenly beside those of the decoder.
                const int share = (list[i].repeat + plan.pipeline - 1) / plan.pipeline;
                stage.repeats[i] = share;
                stage.layers += share;
            }
        }
    }
    stage.in_flight = in_flight_of(plan, index, micro_batches);
    stage.in_flight_layers = stage.in_flight * stage.layers;
    return stage;
}

StageParameters parameters_of(const OperatorList& list,
                              const Stage& stage,
                              const Workload& workload,
                              const SoftwareProfile& software) {
    StageParameters sum;
    const QuantFormat* format = quant_format(workload.quantization.name);
    sum.expands_weights = format != nullptr && format->dequantizes;
    if (format != nullptr) {
        // Products that run on 8-bit weights expand them for the gradient of their input, in its
        // type.
        const double half = std::max(2.0, bytes_per_element(storage_of(workload.compute)));
        sum.expanded_bytes =
            format->dequantizes ? half : (upcasts_rest(workload, software) ? 4 : 0);
    }
    const double plain = bytes_per_element(workload.weights);
    DistinctShapes shapes;
    double fused_rows = 0;
    for (std::size_t i = 0; i < list.size(); ++i) {
        const double repeat = stage.repeats[i];
        const Block& block = list[i];
        if (repeat == 0) {
            continue;
        }
        double unit = 0;
        double unit_storage = 0;
        double unit_trained = 0;
        for (const Operator& op : block.operators) {
            if (block.position == Block::Position::last) {
                sum.head_trained += op.trains ? op.parameters : 0;
                const bool shared = stage.first && op.role == Role::head && op.tied;
                sum.shared_table = shared ? op.rows * op.columns : sum.shared_table;
            }
            // A tied head is the embedding's tensor where the stage has both.
            if (op.parameters == 0 || (op.tied && stage.first)) {
                continue;
            }
            const double matrix = op.rows * op.columns;
            double storage = op.parameters * plain;
            if (op.role == Role::adapter) {
                const double adapter =
                    workload.lora ? bytes_per_element(workload.lora->weights) : plain;
                sum.adapters += op.parameters * repeat;
                unit_trained += op.parameters;
                storage = op.parameters * adapter;
            } else if (op.trains) {
                (op.expert ? sum.trained_expert : sum.trained_dense) += op.parameters * repeat;
                unit_trained += op.parameters;
                sum.largest_matrix = std::max(sum.largest_matrix, matrix * op.matrices);
                const bool table = block.position == Block::Position::first && repeat > 0 &&
                                   op.role == Role::embedding;
                sum.table_trained += table ? op.parameters : 0;
                // The head is Megatron-Core's own product, not one of Transformer Engine.
                if (matrix > 0 && op.role != Role::embedding && op.role != Role::head) {
                    fused_rows += op.rows;
                    if (!opens_fused_product(op.name)) {
                        shapes.add(fused_rows, op.columns);
                        fused_rows = 0;
                    }
                }
            } else if (format != nullptr && matrix > 0 &&
                       (op.quantized ||
                        (op.role == Role::head && software.kernels.adapter.quantizes_head()))) {
                const double bias = op.parameters - matrix * op.matrices;
                storage = op.matrices * quantized_bytes(*format,
                                                        op.rows,
                                                        op.columns,
                                                        workload.quantization.double_quantization) +
                          bias * plain;
                sum.quantized += op.parameters * repeat;
                sum.quantized_storage += storage * repeat;
                sum.largest_quantized = std::max(sum.largest_quantized, matrix);
            } else {
                const bool table = table_role(op.role);
                sum.frozen_plain += table ? 0 : op.parameters * repeat;
                sum.frozen_tables += table ? op.parameters * repeat : 0;
            }
            if (block.position == Block::Position::layer) {
                unit += op.parameters;
                unit_storage += storage;
            } else {
                sum.tables += op.parameters * repeat;
                sum.head_tables +=
                    block.position == Block::Position::last ? op.parameters * repeat : 0;
            }
        }
        if (unit > sum.layer) {
            sum.layer = unit;
            sum.layer_storage = unit_storage;
            sum.layer_trained = unit_trained;
        }
    }
    sum.distinct_shapes = shapes.parameters;
    return sum;
}

}  // namespace ridgeline
