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

/// Adds up the parameters of a stage, block by block.
class HeldParameters {
public:
    HeldParameters(const Stage& stage, const Workload& workload, const SoftwareProfile& software)
        : stage_(stage),
          workload_(workload),
          software_(software),
          format_(quant_format(workload.quantization.name)),
          plain_(bytes_per_element(workload.weights)) {}

    /// repeat: layers of this kind in the stage
    void add(const Block& block, double repeat) {
        Unit unit;
        for (const Operator& op : block.operators) {
            add(op, block, repeat, unit);
        }
        if (unit.parameters > sum_.layer) {
            sum_.layer = unit.parameters;
            sum_.layer_storage = unit.storage;
            sum_.layer_trained = unit.trained;
        }
    }
    [[nodiscard]] StageParameters sum() const {
        StageParameters sum = sum_;
        sum.distinct_shapes = shapes_.parameters;
        return sum;
    }

private:
    /// What FSDP gathers at a time: one layer.
    struct Unit {
        double parameters = 0;
        double storage = 0;
        double trained = 0;
    };

    void add(const Operator& op, const Block& block, double repeat, Unit& unit) {
        if (block.position == Block::Position::last) {
            sum_.head_trained += op.trains ? op.parameters : 0;
            if (stage_.first && op.role == Role::head && op.tied) {
                sum_.shared_table = op.rows * op.columns;
            }
        }
        // A tied head is the embedding's tensor where the stage has both.
        if (op.parameters == 0 || (op.tied && stage_.first)) {
            return;
        }
        const double matrix = op.rows * op.columns;
        double storage = op.parameters * plain_;
        if (op.role == Role::adapter) {
            sum_.adapters += op.parameters * repeat;
            unit.trained += op.parameters;
            storage = op.parameters *
                      (workload_.lora ? bytes_per_element(workload_.lora->weights) : plain_);
        } else if (op.trains) {
            add_trained(op, block, repeat);
            unit.trained += op.parameters;
        } else if (format_ != nullptr && matrix > 0 &&
                   (op.quantized ||
                    (op.role == Role::head && software_.kernels.adapter.quantizes_head()))) {
            storage = quantized_storage(op);
            sum_.quantized += op.parameters * repeat;
            sum_.quantized_storage += storage * repeat;
            sum_.largest_quantized = std::max(sum_.largest_quantized, matrix);
        } else {
            (table_role(op.role) ? sum_.frozen_tables : sum_.frozen_plain) +=
                op.parameters * repeat;
        }
        if (block.position == Block::Position::layer) {
            unit.parameters += op.parameters;
            unit.storage += storage;
        } else {
            sum_.tables += op.parameters * repeat;
            sum_.head_tables +=
                block.position == Block::Position::last ? op.parameters * repeat : 0;
        }
    }

    void add_trained(const Operator& op, const Block& block, double repeat) {
        const double matrix = op.rows * op.columns;
        (op.expert ? sum_.trained_expert : sum_.trained_dense) += op.parameters * repeat;
        sum_.largest_matrix = std::max(sum_.largest_matrix, matrix * op.matrices);
        const bool table = block.position == Block::Position::first && op.role == Role::embedding;
        sum_.table_trained += table ? op.parameters : 0;
        // The head is Megatron-Core's own product, not one of Transformer Engine.
        if (matrix > 0 && op.role != Role::embedding && op.role != Role::head) {
            fused_rows_ += op.rows;
            if (!opens_fused_product(op.name)) {
                shapes_.add(fused_rows_, op.columns);
                fused_rows_ = 0;
            }
        }
    }

    [[nodiscard]] double quantized_storage(const Operator& op) const {
        const double bias = op.parameters - op.rows * op.columns * op.matrices;
        return op.matrices * quantized_bytes(*format_, op.rows, op.columns,
                                             workload_.quantization.double_quantization) +
               bias * plain_;
    }

    const Stage& stage_;
    const Workload& workload_;
    const SoftwareProfile& software_;
    const QuantFormat* format_;
    double plain_;  // bytes of a weight that is not quantised
    DistinctShapes shapes_;
    double fused_rows_ = 0;
    StageParameters sum_;
};

}  // namespace

Stage stage_of(const Architecture& architecture, const OperatorList& list, const Workload& workload,
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
        const TransformerStack& tower = architecture.text();
        const int chunks = plan.pipeline * std::max(1, plan.virtual_pipeline);
        for (int chunk = index; chunk < chunks; chunk += plan.pipeline) {
            const ChunkLayers range = chunk_layers(tower.layers, plan, chunk);
            add_layers(stage, list, layer_kinds(tower, range.begin, range.end));
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
    return stage;
}

StageParameters parameters_of(const OperatorList& list, const Stage& stage,
                              const Workload& workload, const SoftwareProfile& software) {
    HeldParameters count(stage, workload, software);
    for (std::size_t i = 0; i < list.size(); ++i) {
        if (stage.repeats[i] > 0) {
            count.add(list[i], stage.repeats[i]);
        }
    }
    return count.sum();
}

}  // namespace ridgeline
