// The operator list of a transformer: an embedding block, one block for each kind of layer (dense
// or mixture of experts, global or sliding attention), and a head block with the final norm, the
// projection to the vocabulary and the loss.
#include "estimate/families/transformer/transformer.h"

#include "estimate/families/transformer/block_builder.h"
#include "estimate/families/transformer/loss.h"
#include "estimate/families/transformer/routed_experts.h"
#include "estimate/families/transformer/side_stacks.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ridgeline {
namespace {

double norm_parameters(const TransformerStack& tower) {
    return tower.norm == NormType::layernorm ? 2.0 * tower.hidden : tower.hidden;
}

int add_norm(BlockBuilder& builder, const TransformerStack& tower, std::string_view name,
             int input) {
    const PassShape& shape = builder.shape();
    return builder.norm(name, input, shape.residual_tokens, tower.hidden, norm_parameters(tower),
                        shape.norm_output);
}

/// Vocabulary rows that one tensor-parallel rank holds, padded as the stack pads them.
double local_vocabulary(const Architecture& architecture, const SoftwareProfile& software,
                        int tensor) {
    const double multiple = static_cast<double>(software.runtime.vocabulary_multiple()) * tensor;
    return std::ceil(architecture.vocabulary / multiple) * multiple / tensor;
}

void add_extra_norms(BlockBuilder& builder, const TransformerStack& tower, int count, int& output) {
    // Norms after attention or feed-forward (Gemma 2 and 3, OLMo 2): same width, on the update.
    for (int i = 0; i < count; ++i) {
        output = builder.norm("post_norm", output, builder.shape().residual_tokens, tower.hidden,
                              norm_parameters(tower), builder.shape().norm_output);
    }
}

/// What the ranks of a layer exchange.
void add_messages(Block& block, const TransformerStack& tower, const PassShape& shape, bool moe,
                  bool bare) {
    if (shape.tensor > 1) {
        block.tensor_parallel_message =
            Bytes::of_base(shape.tokens * tower.hidden * shape.activation);
        const bool one = tower.parallel_residual || bare;
        block.tensor_parallel_messages = (one ? 1 : 2) + (tower.cross_attention ? 1 : 0) -
                                         (moe && shape.expert > 1 && !sums_experts(shape) ? 1 : 0);
    }
    if (shape.context > 1) {
        const double width =
            tower.mla ? static_cast<double>(tower.mla->kv_rank + tower.mla->rope_dim)
                      : 2.0 * tower.head_dim *
                            std::max(1.0, static_cast<double>(tower.kv_heads) / shape.tensor);
        block.context_message = Bytes::of_base(shape.tokens * width * shape.activation);
    }
}

std::string_view layer_name(bool moe, bool sliding, bool state) {
    if (state) {
        return moe ? "moe state layer" : "state layer";
    }
    return moe ? (sliding ? "moe sliding layer" : "moe layer")
               : (sliding ? "sliding layer" : "layer");
}

}  // namespace

Block layer_block(const TransformerStack& tower, int kind, const PassShape& shape,
                  const Workload& workload, const SoftwareProfile& software) {
    Block block;
    const bool moe = (kind & 2) != 0;
    const bool apart = (kind & 1) != 0;
    const bool bare = (kind & 4) != 0;
    const bool state = apart && tower.state;
    block.name = layer_name(moe, apart && !state, state);
    block.tensors.reserve(64);
    block.operators.reserve(40);
    BlockBuilder builder(block, shape, workload, software);
    builder.norms_of(tower);
    // Where norms follow the sums, the stream is a norm's output: fp32 under autocast.
    const bool norm_last =
        !tower.final_norm && tower.norm == NormType::layernorm && tower.name != "vision";
    const double element = norm_last && shape.autocast ? 4 : shape.residual;
    const double stream = shape.residual_tokens * tower.hidden * element;
    block.input = builder.tensor("residual", stream);

    const int cross_norm = tower.cross_attention ? 1 : 0;
    const int pre_norms = std::min(2, tower.norms_per_layer - cross_norm);
    const int post_norms = std::max(0, tower.norms_per_layer - cross_norm - 2);
    int normed = add_norm(builder, tower, "input_norm", block.input);
    const bool gathers_latent = tower.mla && software.runtime.regathers_sequence();
    if (!gathers_latent) {
        normed = builder.gathered("gather.attention", normed, tower.hidden);
    }
    int attention = state ? add_state_mixer(builder, *tower.state, tower.hidden, normed)
                          : add_attention(builder, tower, normed, apart);
    if (state && tower.state->beside_attention) {
        const int attended = add_attention(builder, tower, normed, false);
        attention = builder.residual_add("attention.beside", attended, attention, stream);
    }
    add_extra_norms(builder, tower, post_norms / 2, attention);
    int residual = block.input;
    if (!tower.parallel_residual) {
        residual = builder.residual_add("residual.attention", block.input, attention, stream);
    }
    if (tower.cross_attention) {
        const int cross_in = add_norm(builder, tower, "cross_norm", residual);
        const int cross = add_cross_attention(
            builder, tower, cross_in, shape.encoder_keys > 0 ? shape.encoder_keys : shape.keys);
        residual = builder.residual_add("residual.cross", residual, cross, stream);
    }
    if (bare) {
        block.output = residual;
        add_messages(block, tower, shape, moe, bare);
        return block;
    }
    int feed_input = normed;
    if (pre_norms >= 2) {
        feed_input = add_norm(builder, tower, "post_attention_norm", residual);
        // Megatron-Core routes the tokens of the shard and gathers the chosen ones.
        if (!(moe && (shape.expert > 1 || software.runtime.regathers_sequence()))) {
            feed_input = builder.gathered("gather.feed_forward", feed_input, tower.hidden);
        }
    }
    int update = no_tensor;
    if (moe) {
        update = add_experts(builder, tower, feed_input);
    } else {
        const double width =
            tower.moe && tower.moe->dense_ffn > 0 ? tower.moe->dense_ffn : tower.ffn;
        update = add_feed_forward(builder, tower, feed_input, width);
    }
    add_extra_norms(builder, tower, post_norms - post_norms / 2, update);
    block.output = builder.residual_add("residual.feed_forward", residual, update, stream);
    if (tower.parallel_residual) {
        block.output = builder.residual_add("residual.parallel", block.output, attention, stream);
    }
    add_messages(block, tower, shape, moe, bare);
    return block;
}

/// LoRA of an embedding [rows, width]: rows of A^T are looked up, so only they are read, and the
/// product with B keeps them.
void add_table_adapter(BlockBuilder& builder, double rows, double width, int output) {
    const PassShape& shape = builder.shape();
    const double rank = builder.workload().lora->rank;
    Operator lora;
    lora.name = "lora";
    lora.role = Role::adapter;
    lora.operator_class = OperatorClass::gemm;
    lora.gemm = {shape.tokens, width, rank, 1};
    lora.forward = lora.gemm.flops();
    lora.backward = 2.0 * lora.forward;
    lora.forward_kernels = 4;
    lora.backward_kernels = 6;
    lora.forward_traffic = Bytes::of_base(shape.tokens * (2 * rank + 2 * width) * shape.adapter);
    lora.backward_traffic = 2.0 * lora.forward_traffic;
    lora.parameters = rank * (rows + width);
    lora.rows = rank;
    lora.columns = width;
    lora.inputs[0] = builder.block().input;
    lora.outputs[0] = output;
    Operator& adapter = builder.add(lora);
    builder.keep(adapter, builder.tensor("lora.rank", shape.tokens * rank * shape.adapter));
}

Block embedding_block(const Architecture& architecture, const PassShape& shape,
                      const Workload& workload, const SoftwareProfile& software) {
    const TransformerStack& tower = architecture.text();
    Block block;
    block.name = "embedding";
    block.tensors.reserve(8);
    block.operators.reserve(4);
    block.position = Block::Position::first;
    BlockBuilder builder(block, shape, workload, software);
    builder.norms_of(tower);
    const double width = architecture.embedding_dim > 0 ? architecture.embedding_dim : tower.hidden;
    block.input = builder.tensor("token ids", shape.tokens * 8);
    const double stream = shape.residual_tokens * tower.hidden * shape.residual;
    const int table_output =
        builder.tensor("embedding", shape.residual_tokens * width * shape.residual);
    Operator op;
    op.name = "embedding";
    op.role = Role::embedding;
    op.operator_class = OperatorClass::embedding;
    op.trains = shape.base_trains;
    op.forward_traffic = Bytes::of_base(2 * stream);
    op.backward_traffic = op.trains ? Bytes::of_base(3 * stream) : Bytes{};
    op.rows = local_vocabulary(architecture, software, shape.tensor);
    op.columns = width;
    op.parameters = op.rows * width;
    op.active_fraction = 0;
    op.inputs[0] = block.input;
    op.outputs[0] = table_output;
    Operator& added = builder.add(op);
    builder.keep(added, block.input);
    block.output = table_output;
    if (builder.targeted("embed_tokens")) {
        add_table_adapter(builder, op.rows, width, table_output);
    }
    // An encoder's tables are all as narrow as its words' (ELECTRA small), OPT's positions are not.
    const bool narrow = width != tower.hidden && architecture.kind == ModelKind::encoder;
    const double beside = narrow ? width : tower.hidden;
    const auto table = [&](std::string_view name, double rows) {
        Operator& lookup = builder.elementwise(name, Role::embedding, no_tensor, no_tensor, stream);
        lookup.rows = rows;
        lookup.columns = beside;
        lookup.parameters = rows * beside;
        lookup.trains = shape.base_trains;
    };
    if (architecture.learned_positions > 0) {
        table("positions", architecture.learned_positions);
    }
    if (architecture.token_types > 0) {
        table("token_types", architecture.token_types);
    }
    if (narrow && architecture.embedding_norm) {
        block.output = builder.norm("embedding_norm", block.output, shape.residual_tokens, width,
                                    2 * width, shape.norm_output);
    }
    if (width != tower.hidden) {
        block.output = builder.linear("embedding.project_in", block.output, shape.tokens,
                                      tower.hidden, width, 0, shape.residual);
    }
    if (architecture.embedding_norm && !narrow) {
        block.output = add_norm(builder, tower, "embedding_norm", block.output);
    }
    return block;
}

Block head_block(const Architecture& architecture, const PassShape& shape, const Workload& workload,
                 const SoftwareProfile& software, const Pass& pass) {
    const TransformerStack& tower = architecture.text();
    Block block;
    block.name = "head";
    block.tensors.reserve(16);
    block.operators.reserve(6);
    block.position = Block::Position::last;
    BlockBuilder builder(block, shape, workload, software);
    builder.norms_of(tower);
    block.input = builder.tensor("residual", shape.residual_tokens * tower.hidden * shape.residual);
    int current = block.input;
    if (tower.final_norm) {
        current = add_norm(builder, tower, "final_norm", current);
    }
    current = builder.gathered("gather.head", current, tower.hidden);
    block.output = current;
    const double width = architecture.embedding_dim > 0 ? architecture.embedding_dim : tower.hidden;
    if (width != tower.hidden && architecture.kind != ModelKind::encoder) {
        current = builder.linear("head.project_out", current, shape.tokens, width, tower.hidden, 0,
                                 shape.activation);
        block.output = current;
    }
    if (architecture.has_head) {
        const double rows = local_vocabulary(architecture, software, shape.tensor);
        // Serving computes the logits of the last token of each sample only, but for old modules.
        const bool all = pass.training || (architecture.kind == ModelKind::decoder &&
                                           software.runtime.makes_all_logits());
        const double tokens = all ? shape.tokens : shape.samples;
        block.output = add_head(builder, architecture, current, tokens, rows, width);
    }
    return block;
}

LayerKinds layer_kinds(const TransformerStack& tower) {
    return layer_kinds(tower, 0, tower.layers);
}

LayerKinds layer_kinds(const TransformerStack& tower, int begin, int end) {
    LayerKinds kinds;
    begin = std::max(0, begin);
    end = std::min(end, tower.layers);
    const bool all_alike =
        tower.layout.empty() && tower.sliding_window == 0 && !tower.moe && !tower.state;
    if (all_alike && begin < end) {  // a search asks for the kinds of a thousand stages
        kinds.count[static_cast<std::size_t>(tower.layer_kind(begin))] = end - begin;
        return kinds;
    }
    for (int layer = begin; layer < end; ++layer) {
        ++kinds.count[static_cast<std::size_t>(tower.layer_kind(layer))];
    }
    return kinds;
}

namespace {

/// ALBERT: all layers have the weights of the first (arXiv 1909.11942).
bool shares_layers(const Architecture& architecture) { return architecture.model_type == "albert"; }

/// Parts a block of equal layers into the one that owns the weights and those that pass them again.
void share_weights(OperatorList& list) {
    Block again = list.back();
    list.back().repeat = 1;
    --again.repeat;
    list.back().kind = again.kind = -1;
    for (Operator& op : again.operators) {
        op.tied = op.parameters > 0;
    }
    if (again.repeat > 0) {
        list.push_back(std::move(again));
    }
}

}  // namespace

OperatorList list_operators(const Architecture& architecture, const Workload& workload,
                            const SoftwareProfile& software, const Pass& pass) {
    const PassShape whole =
        shape_of(workload, software, pass, architecture.text().scales_norm_fp32);
    const PassShape shape = shape_of_text(architecture, whole, workload);
    OperatorList list;
    list.reserve(6);
    list.push_back(embedding_block(architecture, shape, workload, software));
    append_extra_parameters(list.back(), architecture, whole, workload);
    append_side_stacks(list, architecture, whole, workload, software);
    const TransformerStack& tower = architecture.text();
    const LayerKinds kinds = layer_kinds(tower);
    for (std::size_t kind = 0; kind < kinds.count.size(); ++kind) {
        if (kinds.count[kind] == 0) {
            continue;
        }
        list.push_back(layer_block(tower, static_cast<int>(kind), shape, workload, software));
        list.back().repeat = kinds.count[kind];
        list.back().kind = static_cast<int>(kind);
        if (shares_layers(architecture)) {
            share_weights(list);
        }
    }
    append_prediction_layers(list, architecture, shape, workload, software);
    list.push_back(head_block(architecture, shape, workload, software, pass));
    return list;
}

OperatorList training_operators(const Architecture& architecture, const Workload& workload,
                                const SoftwareProfile& software) {
    const auto tokens = static_cast<double>(workload.batch.sequence_length);
    return list_operators(architecture, workload, software,
                          {.samples = workload.batch.micro * workload.sequences(),
                           .tokens = tokens,
                           .context = tokens,
                           .training = true});
}

}  // namespace ridgeline
