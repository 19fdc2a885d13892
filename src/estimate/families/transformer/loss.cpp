// Head and cross-entropy: often the peak of a step.
//
// Per logit, with g bytes of the compute type:
//   eager         log-softmax 4 kept for the backward pass, then its gradient 4 and that of the
//   fp32
//                 logits 4: 12 at the peak, and g or 4 more where the loop holds the logits.
//   chunked       as eager, but the two gradients exist for one chunk at a time, and the gradient
//                 of the whole logits is written in g.
//   compiled      logits g and their gradient g; the fp32 work stays in registers.
//   fused_linear  no logits beyond one chunk, and the gradient of the head's input (Liger).
//   vocab_parallel  the fused kernel on this rank's slice of the vocabulary: logits g, overwritten
//                 by their gradient (Transformer Engine); DTensor's loss keeps a log-softmax too.
// Megatron-Core without the fused kernel (`eager`) keeps 4 alone and peaks at 4 and g.
#include "estimate/families/transformer/loss.h"

#include "estimate/work/quantization.h"

#include <algorithm>
#include <cmath>

namespace ridgeline {
namespace {

constexpr double loss_chunks = 8;  // torchtune CEWithChunkedOutputLoss

/// Share of the tokens in one chunk of Liger's fused loss: so many that its logits take what the
/// head's input takes, rounded up to a power of two (liger_kernel 0.8.5,
/// ops/fused_linear_cross_entropy.py).
double fused_share(double tokens, double rows, double columns) {
    const double chunk =
        std::exp2(std::ceil(std::log2(std::ceil(tokens / std::ceil(rows / columns)))));
    return std::min(1.0, chunk / tokens);
}

/// A model that returns fp32 logits frees the ones in the compute type. Returns what the loss
/// reads.
int returned_logits(BlockBuilder& builder, int logits, double elements) {
    const LossMode mode = builder.workload().loss;
    const double g = builder.size_of(logits).base() / elements;
    const bool whole = mode == LossMode::eager || mode == LossMode::chunked;
    if (!whole || !builder.software().kernels.loss.holds_float() || g >= 4) {
        return logits;
    }
    const int fp32 = builder.tensor("loss.fp32_logits", elements * 4);
    builder.elementwise("logits.float", Role::other, logits, fp32, elements * (g + 4));
    return fp32;
}

/// Share of a micro-batch in one chunk of a chunked loss.
double chunk_share(const BlockBuilder& builder) {
    const double chunk = builder.software().kernels.loss.chunk_tokens;
    return chunk > 0 ? std::min(1.0, chunk / builder.shape().sequence) : 1 / loss_chunks;
}

/// What the loss reads.
struct Logits {
    int tensor;
    double elements;
    double bytes_each;  ///< g of the table above; add_loss finds it
    double head_weight_bytes;
    double head_input_bytes;
};

void keep_logits(BlockBuilder& builder, Operator& loss, const Logits& logits) {
    builder.keep(loss, logits.tensor);
}
void keep_softmax(BlockBuilder& builder, Operator& loss, double bytes) {
    builder.keep(loss, builder.tensor("loss.log_softmax", bytes));
}

/// A loss that takes the logits as they are. Autocast leaves a log-softmax of a stated type alone
/// and runs the likelihood on an fp32 copy of it; the trainer's wrapper makes fp32 logits besides.
void add_plain_loss(BlockBuilder& builder, Operator op, const Logits& logits) {
    const double elements = logits.elements;
    const double g = logits.bytes_each;
    op.forward_traffic = Bytes::of_base(elements * 4 * g);
    op.backward_traffic = Bytes::of_base(elements * 6 * g);
    const bool copies = builder.shape().autocast && g < 4;
    op.workspace_forward = Bytes::of_base(copies ? elements * 4 : 0);
    op.workspace_backward = Bytes::of_base(elements * (copies ? 4 - g : g));
    Operator& added = builder.add(op);
    if (builder.software().kernels.loss.holds_logits()) {
        keep_logits(builder, added, logits);
    }
    keep_softmax(builder, added, elements * g);
    if (copies) {
        builder.keep(added, builder.tensor("loss.fp32_copy", elements * 4));
    }
}

void add_eager_loss(BlockBuilder& builder, Operator op, const Logits& logits,
                    const Architecture& architecture) {
    const double elements = logits.elements;
    const double g = logits.bytes_each;
    const LossProfile& kernel = builder.software().kernels.loss;
    if (kernel.in_place) {
        // Megatron-Core's own loss: an fp32 copy of the logits becomes the softmax and then the
        // gradient, which is cast; the logits are free.
        op.forward_traffic = Bytes::of_base(elements * (g + 4 * 4));
        op.backward_traffic = Bytes::of_base(elements * (2 * 4 + g));
        builder.keep(builder.add(op), builder.tensor("loss.softmax", elements * 4));
        return;
    }
    if (!architecture.loss_upcasts && builder.runs_modules()) {
        add_plain_loss(builder, op, logits);
        return;
    }
    op.forward_traffic = Bytes::of_base(elements * (g + 4 * 4));
    op.backward_traffic = Bytes::of_base(elements * (5 * 4 + g));
    // Autocast and current model code compute the loss in fp32; older code in half precision
    // engines computes it in the compute type.
    const double work = kernel.upcasts ? 4 : g;
    op.workspace_forward = Bytes::of_base(g < work ? elements * work : 0);
    // d(log-softmax) and d(logits); the cast gradient in g comes after one is freed.
    op.workspace_backward = Bytes::of_base(elements * (2 * work - g));
    Operator& added = builder.add(op);
    if (kernel.holds_logits()) {
        keep_logits(builder, added, logits);
    }
    keep_softmax(builder, added, elements * work);
}

void add_chunked_loss(BlockBuilder& builder, Operator op, const Logits& logits) {
    const double elements = logits.elements;
    const double g = logits.bytes_each;
    const LossProfile& kernel = builder.software().kernels.loss;
    // A kernel that overwrites the logits by their gradient computes in registers.
    op.forward_traffic = Bytes::of_base(elements * (kernel.in_place ? 2 * g : g + 3 * 4));
    op.backward_traffic = Bytes::of_base(elements * (kernel.in_place ? 2 * g : 4 * 4 + g));
    const bool compiled = builder.workload().compiled;
    const bool upcasts = kernel.upcasts && !compiled;
    const double work = upcasts ? 4 : g;
    const double share = chunk_share(builder);
    const double piece = upcasts ? 8 : (compiled ? g : 2 * g);
    op.gradient_in_pieces = true;
    if (compiled) {
        op.workspace_backward =
            Bytes::of_base(elements * piece * share + 2 * logits.head_weight_bytes);
    } else {
        // The gradients of one chunk beside the log-softmax of all; or, when that is free, the
        // gradients of all chunks in the compute type but the one that is used up, with the head's
        // weight gradient once summed and once for a chunk.
        const double later = elements * (g * (1 - share) - work) + 2 * logits.head_weight_bytes;
        op.workspace_forward = Bytes::of_base(upcasts ? elements * work * share : 0);
        op.workspace_backward = Bytes::of_base(std::max(elements * piece * share, later));
    }
    Operator& added = builder.add(op);
    if (compiled || kernel.holds_logits()) {
        keep_logits(builder, added, logits);
    }
    if (!compiled) {
        keep_softmax(builder, added, elements * work);
    }
}

/// DTensor's loss_parallel holds zeros, exp(log-softmax) and their sum beside the log-softmax.
void add_vocabulary_parallel_loss(BlockBuilder& builder, Operator op, const Logits& logits) {
    const double elements = logits.elements;
    const double g = logits.bytes_each;
    const SoftwareProfile& software = builder.software();
    op.forward_traffic = Bytes::of_base(elements * (g + 4));
    op.backward_traffic = Bytes::of_base(elements * 2 * g);
    const bool eager = slices_eagerly(software, builder.workload());
    op.workspace_backward = Bytes::of_base(eager ? elements * (12 - g) : 0);
    Operator& added = builder.add(op);
    const bool held =
        software.kernels.loss.holds_logits() ||
        (software.runtime.pipeline_holds_outputs() && builder.workload().plan.pipeline > 1);
    if (!eager || held) {
        keep_logits(builder, added, logits);
    }
    if (eager) {
        keep_softmax(builder, added, elements * 4);
    }
}

/// A training loop that reports cross-entropy and perplexity takes torch's own loss of the logits
/// for each, without gradients, when the backward pass is done: an fp32 copy of them, its
/// log-softmax, and what the labels pick.
void measure_logits(const BlockBuilder& builder, Operator& op, double elements, double g) {
    if (!builder.software().kernels.loss.measures_logits()) {
        return;
    }
    constexpr double reported = 2;
    op.backward_traffic = op.backward_traffic + Bytes::of_base(reported * elements * (g + 4 * 4));
    op.backward_kernels += 3 * reported;
}

/// logits: `tensor` is the head's output
void add_loss(BlockBuilder& builder, const Architecture& architecture, Logits logits) {
    const double elements = logits.elements;
    logits.tensor = returned_logits(builder, logits.tensor, elements);
    logits.bytes_each = builder.size_of(logits.tensor).base() / elements;
    const double g = logits.bytes_each;
    Operator op;
    op.name = "loss";
    op.role = Role::loss;
    op.operator_class = OperatorClass::streaming;
    op.trains = false;
    op.forward = Flops::of_base(5 * elements);
    op.backward = Flops::of_base(3 * elements);
    op.inputs[0] = logits.tensor;
    op.forward_kernels = 3;
    op.backward_kernels = 3;
    switch (builder.workload().loss) {
        case LossMode::eager:
            return add_eager_loss(builder, op, logits, architecture);
        case LossMode::chunked:
            return add_chunked_loss(builder, op, logits);
        case LossMode::compiled:
            op.forward_traffic = Bytes::of_base(elements * 2 * g);
            op.backward_traffic = Bytes::of_base(elements * 2 * g);
            op.forward_kernels = 1;
            op.backward_kernels = 1;
            if (builder.shape().autocast && builder.software().kernels.loss.in_place && g < 4) {
                // Accelerate gives the loop an fp32 copy of the outputs (convert_outputs_to_fp32).
                op.workspace_forward = Bytes::of_base(elements * 4);
            }
            measure_logits(builder, op, elements, g);
            return keep_logits(builder, builder.add(op), logits);
        case LossMode::fused_linear:
            op.forward_traffic = Bytes::of_base(elements * 3 * g);
            // The gradients of the head's weight and input are made on the way forward.
            op.workspace_forward = Bytes::of_base(logits.head_weight_bytes);
            return builder.keep(builder.add(op),
                                builder.tensor("loss.input_gradient", logits.head_input_bytes));
        case LossMode::vocab_parallel:
            return add_vocabulary_parallel_loss(builder, op, logits);
    }
}

}  // namespace

bool slices_eagerly(const SoftwareProfile& software, const Workload& workload) {
    const LossProfile& loss = software.kernels.loss;
    return !loss.in_place && !(workload.compiled && loss.kernel != LossMode::eager);
}

int add_head(BlockBuilder& builder, const Architecture& architecture, int input, double tokens,
             double rows, double columns) {
    const PassShape& shape = builder.shape();
    const bool fused = shape.training && builder.workload().loss == LossMode::fused_linear;
    // The k-bit preparation leaves the head in fp32, so that its logits are fp32.
    const bool upcast = shape.training && upcasts_tables(builder.workload(), builder.software());
    const bool autocast = shape.autocast;
    const double g = upcast && !autocast ? 4 : shape.compute;
    const double elements = tokens * rows;
    const double share = fused ? fused_share(tokens, rows, columns) : 1;
    const int logits = builder.tensor("logits", elements * share * g);
    Operator op;
    op.name = "lm_head";
    op.role = Role::head;
    op.operator_class = OperatorClass::gemm;
    op.gemm = {tokens, rows, columns, 1};
    op.forward = op.gemm.flops();
    op.trains = shape.base_trains;
    op.backward = shape.training ? (op.trains ? 2.0 : 1.0) * op.forward : Flops{};
    op.forward_traffic = Bytes::of_base(tokens * columns * shape.activation + elements * g);
    op.backward_traffic = (op.trains ? 2.0 : 1.0) * op.forward_traffic;
    op.backward_kernels = op.trains ? 2 : 1;
    op.rows = rows;
    op.columns = columns;
    op.parameters = rows * columns + (architecture.head_bias ? rows : 0);
    op.tied = architecture.tied_embeddings && !builder.software().runtime.options.untied_embeddings;
    op.inputs[0] = input;
    op.outputs[0] = logits;
    if (op.trains && builder.software().runtime.fuses_weight_gradients()) {
        // A gradient of no content that tells the engine that the real one is in the buffer
        // (Megatron-Core tensor_parallel/layers.py).
        op.workspace_backward = Bytes::of_base(rows * columns * shape.compute);
    }
    Operator& added = builder.add(op);
    if (op.trains && !builder.keep_casts(added, input, tokens * columns, rows * columns)) {
        builder.keep_input(added, input);
    }
    if (!op.trains && shape.casts_weights && !fused) {
        builder.keep(added, builder.tensor(frozen_cast, rows * columns * shape.compute));
    }
    if (upcast && autocast) {
        builder.keep(added, builder.tensor(cast_weight, rows * columns * g));
    }
    const bool whole = builder.workload().loss == LossMode::eager;
    if (architecture.text().logit_softcap > 0 && shape.training && whole &&
        builder.runs_modules()) {
        builder.keep(added, builder.tensor("logits.softcap", elements * g));
    }
    if (builder.targeted("lm_head")) {
        builder.add_adapter("lm_head", input, logits, tokens, rows, columns);
    }
    if (!shape.training && tokens > shape.samples && architecture.loss_upcasts && g < 4) {
        // Modules that make all logits of a prompt return them in fp32 (modeling_llama.py before
        // 4.45, `logits.float()`).
        const int wide = builder.tensor("logits.fp32", elements * 4);
        builder.elementwise("logits.float", Role::other, logits, wide, elements * (g + 4));
    }
    if (shape.training) {
        add_loss(builder, architecture,
                 {.tensor = logits,
                  .elements = elements * share,
                  .bytes_each = 0,
                  .head_weight_bytes = shape.base_trains ? rows * columns * shape.compute : 0,
                  .head_input_bytes = tokens * columns * shape.compute});
        if (fused) {
            Operator& loss = builder.block().operators.back();
            loss.forward_traffic = loss.forward_traffic * (1 / share);
        }
    }
    return logits;
}

}  // namespace ridgeline
