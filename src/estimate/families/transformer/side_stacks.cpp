#include "estimate/families/transformer/side_stacks.h"

#include <string_view>

namespace ridgeline {
namespace {

double norm_weights(const TransformerStack& tower) {
    return tower.norm == NormType::layernorm ? 2.0 * tower.hidden : tower.hidden;
}

/// An operator that owns parameters and takes no time worth counting.
Operator& add_parameters(Block& block, std::string_view name, double parameters, bool trains) {
    Operator op;
    op.name = name;
    op.role = Role::other;
    op.parameters = parameters;
    op.trains = trains;
    op.forward_kernels = 0;
    op.backward_kernels = 0;
    block.operators.push_back(op);
    return block.operators.back();
}

/// A pass over all there is, not a step of generation.
bool whole_prompt(const PassShape& shape) { return shape.sequence * shape.context >= shape.keys; }

/// A tower that text does not run through: its tensors are resident, nothing else.
Block resident_block(const TransformerStack& tower, const Block& layer) {
    Block block;
    block.name = "vision";
    block.position = Block::Position::first;
    for (const Operator& op : layer.operators) {
        if (op.parameters <= 0) {
            continue;
        }
        Operator& held = add_parameters(block, op.name, op.parameters * tower.layers, false);
        held.rows = op.rows;
        held.columns = op.columns;
        held.matrices = op.matrices * tower.layers;
        held.active_fraction = op.active_fraction;
    }
    return block;
}

void append_stack(OperatorList& list, const TransformerStack& tower, const PassShape& shape,
                  const Workload& workload, const SoftwareProfile& software, bool runs) {
    const PassShape own = shape_of_stack(tower, shape);
    Block layer = layer_block(tower, 0, own, workload, software);
    if (!runs) {
        list.push_back(resident_block(tower, layer));
        return;
    }
    layer.name = tower.name == "vision" ? "vision layer" : "encoder layer";
    layer.repeat = tower.layers;
    list.push_back(layer);
    if (!tower.final_norm) {
        return;
    }
    Block tail;
    tail.name = "encoder end";
    BlockBuilder builder(tail, own, workload, software);
    tail.input = builder.tensor("residual", own.residual_tokens * tower.hidden * own.residual);
    tail.output = builder.norm("final_norm", tail.input, own.residual_tokens, tower.hidden,
                               norm_weights(tower), own.norm_output);
    builder.keep(tail.operators.back(), tail.output);  // for the cross attention of every layer
    tail.position = Block::Position::first;
    list.push_back(tail);
}

/// Products among the extra parameters that run on every token of a stack.
bool runs_on_tokens(std::string_view name) {
    return name == "vision.patch_embedding" || name == "head.transform" ||
           name == "encoder.conv1" || name == "encoder.conv2";
}

}  // namespace

PassShape shape_of_stack(const TransformerStack& tower, const PassShape& shape) {
    PassShape own = shape;
    if (tower.tokens > 0) {
        own.sequence = static_cast<double>(tower.tokens) / shape.context;
        own.keys = tower.tokens;
        own.tokens = own.samples * own.sequence;
        own.residual_tokens = own.tokens * shape.residual_tokens / shape.tokens;
    }
    own.residual = tower.fp32_residual && shape.training ? 4 : own.residual;
    return own;
}

PassShape shape_of_text(const Architecture& architecture, const PassShape& shape,
                        const Workload& workload) {
    if (architecture.kind != ModelKind::encoder_decoder) {
        return shape_of_stack(architecture.text(), shape);
    }
    PassShape text = shape;
    const int fixed = architecture.stacks.front().tokens;
    const bool served = !shape.training && workload.serving && workload.serving->input_tokens > 0;
    text.encoder_keys = fixed > 0 ? fixed : served ? workload.serving->input_tokens : shape.keys;
    if (!shape.training && whole_prompt(shape)) {
        text.sequence = 1;
        text.keys = 1;
        text.tokens = shape.samples;
        text.residual_tokens = shape.samples;
    }
    return text;
}

void append_side_stacks(OperatorList& list, const Architecture& architecture,
                        const PassShape& shape, const Workload& workload,
                        const SoftwareProfile& software) {
    // What the encoder made of the prompt is kept while tokens are generated.
    const bool runs =
        architecture.kind != ModelKind::decoder && (shape.training || whole_prompt(shape));
    for (std::size_t i = 0; i + 1 < architecture.stacks.size(); ++i) {
        append_stack(list, architecture.stacks[i], shape, workload, software, runs);
    }
}

void append_extra_parameters(Block& embedding, const Architecture& architecture,
                             const PassShape& shape, const Workload& workload) {
    const bool asks_input_gradients = shape.training && workload.method != Method::full &&
                                      workload.plan.recompute != RecomputeMode::none;
    const bool text_only =
        architecture.kind == ModelKind::decoder || !(shape.training || whole_prompt(shape));
    for (const ExtraParameters& extra : architecture.extra) {
        const bool vision = std::string_view(extra.name).starts_with("vision.");
        const bool held = text_only && extra.name != "head.transform";
        const bool trains = shape.base_trains && !(vision && text_only);
        Operator& op =
            add_parameters(embedding, extra.name, extra.parameters * extra.count, trains);
        if (runs_on_tokens(extra.name) && !held) {
            const TransformerStack& tower = vision || extra.name != "head.transform"
                                                ? architecture.stacks.front()
                                                : architecture.text();
            const PassShape own = shape_of_stack(tower, shape);
            op.operator_class = OperatorClass::gemm;
            op.gemm = {own.tokens, static_cast<double>(tower.hidden), op.parameters / tower.hidden,
                       1};
            op.forward = op.gemm.flops();
            op.backward = shape.training ? 2.0 * op.forward : Flops{};
            op.forward_kernels = 1;
            op.backward_kernels = 2;
            // A frozen product's output is a leaf of the graph where checkpoints need one.
            const double kept = trains ? op.gemm.k : (asks_input_gradients ? op.gemm.n : 0);
            if (vision && kept > 0) {
                op.kept[0] = static_cast<int>(embedding.tensors.size());
                embedding.tensors.push_back({trains ? "pixels" : "patches",
                                             Bytes::of_base(own.tokens * kept * shape.activation)});
            }
        }
    }
    for (const TransformerStack& tower : architecture.stacks) {
        if (tower.relative_buckets > 0) {
            const double heads = 1.0 * tower.heads / shape.tensor;
            Operator& op = add_parameters(embedding, "relative_positions",
                                          tower.relative_buckets * heads, shape.base_trains);
            const bool checkpoints = workload.plan.recompute != RecomputeMode::none;
            if (shape.base_trains || (shape.training && checkpoints)) {
                // One bias for all layers of the stack, looked up by 8-byte bucket numbers.
                const double pairs = shape.sequence * shape.keys;
                op.kept[0] = static_cast<int>(embedding.tensors.size());
                embedding.tensors.push_back(
                    {"positions.bias", Bytes::of_base(pairs * heads * shape.activation)});
                if (shape.base_trains) {
                    op.kept[1] = static_cast<int>(embedding.tensors.size());
                    embedding.tensors.push_back({"positions.buckets", Bytes::of_base(pairs * 8)});
                }
            }
        }
    }
}

void append_prediction_layers(OperatorList& list, const Architecture& architecture,
                              const PassShape& shape, const Workload& workload,
                              const SoftwareProfile& software) {
    if (architecture.prediction_layers <= 0) {
        return;
    }
    const TransformerStack& tower = architecture.text();
    const int last = tower.layers - 1;
    Block block = layer_block(tower, tower.layer_kind(last), shape, workload, software);
    block.name = "prediction layer";
    block.position = Block::Position::last;
    block.repeat = architecture.prediction_layers;
    const double hidden = tower.hidden;
    const double table = 1.0 * architecture.vocabulary * hidden / shape.tensor;
    add_parameters(block, "prediction.join", 2 * hidden * hidden, shape.base_trains);
    add_parameters(block, "prediction.norms", 3 * norm_weights(tower), shape.base_trains);
    add_parameters(block, "prediction.embedding", table, shape.base_trains);
    add_parameters(block, "prediction.head", table, shape.base_trains);
    list.push_back(block);
}

}  // namespace ridgeline
