// LoRA adapters on a projection, and what DoRA adds to them.
//
// DoRA (arXiv 2402.09353) scales each row of W + B A to a trained norm. PEFT 0.21
// (tuners/lora/dora.py) makes B A by running the adapter on the unit matrix, so that its rows and
// the unit matrix live as long as the module runs, and sums W + B A for the norm: four matrices of
// the weight's shape at once. For the gradient of the norms it keeps the outputs of W and of B A;
// with dropout it runs W on the dropped input once more, in that input's type, and keeps the copy
// of W in that type.
#include "estimate/families/transformer/block_builder.h"
#include "estimate/work/quantization.h"

#include <algorithm>

namespace ridgeline {

BlockBuilder::DoraTensors BlockBuilder::add_weight_norm(const DoraShape& shape, int source) {
    const double matrix = shape.rows * shape.columns;
    const double unit = shape.columns * shape.columns;
    const bool expands = workload_.quantization.any();
    const bool drops = workload_.lora->dropout > 0;
    const bool casts = expands || shape.read != bytes_per_element(workload_.weights);
    const bool keeps_weight = drops && (casts || shape.read != shape.work);
    DoraTensors made;
    double held = unit * shape.work + matrix * shape.read + (casts ? matrix * shape.read : 0);
    if (keeps_weight) {
        made.weight = tensor("dora.weight", matrix * shape.work);
        held -= casts ? std::min(shape.read, shape.work) * matrix : 0;
    }
    made.base =
        tensor("dora.base", shape.tokens * shape.rows * (drops ? shape.work : shape_.activation));
    made.update = tensor("dora.update", shape.tokens * shape.rows * shape.work);
    made.held = Bytes::of_base(held);
    Operator op;
    op.name = "dora.norm";
    op.role = Role::other;
    op.operator_class = OperatorClass::gemm;
    op.trains = false;
    op.gemm = {shape.columns, static_cast<double>(workload_.lora->rank), shape.columns, 1};
    op.forward = Flops::of_base(2 * workload_.lora->rank * (unit + matrix));
    // Unit matrix written and read; B A, the cast of W, the scaled B A and the sum, each both ways.
    op.forward_traffic = Bytes::of_base(2 * unit * shape.work + 8 * matrix * shape.read);
    op.forward_kernels = 9;
    op.backward_kernels = 0;
    op.workspace_forward =
        Bytes::of_base(std::max(unit * shape.eye, held + 2 * matrix * shape.read));
    Operator& added = add(op);
    keep(added, source);
    keep(added, made.weight);
    return made;
}

/// What an adapter reads: its input, or a copy of it. An adapter in another type than its input
/// works on a cast copy, one for each target. On a quantised product PEFT leaves the cast to
/// autocast, elsewhere it makes its own.
void BlockBuilder::read_input(int input, double elements, double work, double cast) {
    const double stored = size_of(input).base() / elements;
    const bool casts = (workload_.quantization.any() ? work : cast) != stored;
    const bool drops = workload_.lora->dropout > 0;
    joint_adapter_ = {input, input, no_tensor, no_tensor};
    if (casts || drops) {
        joint_adapter_[1] = tensor(drops ? "lora.dropout" : "lora.input_cast", elements * work);
    }
    if (drops) {
        joint_adapter_[2] = tensor("lora.dropout_mask", elements);
    }
}

/// Bytes for each element of the input of an adapter that is wider than the products around it: the
/// cast to the type of its weights (PEFT's own), that to the type of its products (autocast, which
/// alone casts before a quantised product), and the first product's read.
double BlockBuilder::adapter_reads(double input, double work) const {
    const double weights = workload_.quantization.any() ? input : std::max(input, shape_.adapter);
    const double widened = weights != input ? input + weights : 0;
    return widened + (weights != work ? weights + work : 0) + work;
}

/// The same of its output: written, scaled and added to the base's, of which PEFT makes a copy
/// first on bitsandbytes' 4 bits (Linear4bit.forward of its tuners/lora/bnb.py). Without autocast
/// what is wider goes back to the type of the base's, of quantised products before it is scaled,
/// else the sum.
double BlockBuilder::adapter_adds(double output, double work) const {
    const double sum = std::max(output, work);
    const QuantFormat* const format = quant_format(workload_.quantization.name);
    const bool copies = format != nullptr && format->upcasts_rest && format->dequantizes;
    const double copied = copies ? 2 * output : 0;
    if (workload_.quantization.any() && sum != output) {
        return copied + work + work + output + 5 * output;
    }
    return copied + 3 * work + work + output + sum + (sum != output ? sum + output : 0);
}

bool BlockBuilder::fuses_adapter(std::string_view name) const {
    if (!shape_.training || !workload_.lora || !workload_.lora->fused ||
        workload_.lora->variant == LoraVariant::dora) {
        return false;
    }
    const auto all = [this](auto... names) { return (targeted(names) && ...); };
    return name == "o_proj" ? all(name)
           : name == "q_proj" || name == "k_proj" || name == "v_proj"
               ? all("q_proj", "k_proj", "v_proj")
           : name == "gate_proj" || name == "up_proj" || name == "down_proj"
               ? all("gate_proj", "up_proj", "down_proj")
               : false;
}

/// The product with A, and that with B added in place. Back the gradient through B once, those of A
/// and B, and what is added to the gradient of the input; what down_proj read is made anew by the
/// kernel of the activation. Copies of A and B in the type of the input are kept.
void BlockBuilder::add_fused_adapter(std::string_view name, int input, int output, double tokens,
                                     double rows, double columns) {
    const double rank = workload_.lora->rank;
    const double work = std::min(size_of(input).base() / (tokens * columns), shape_.compute);
    const double pairs = rank * (rows + columns);
    const bool casts = shape_.adapter != work;
    Operator op;
    op.name = "lora";
    op.role = Role::adapter;
    op.operator_class = OperatorClass::gemm;
    op.gemm = {tokens, rank, columns, 1};
    op.forward = Flops::of_base(2 * tokens * pairs);
    op.backward = 2.0 * op.forward;
    op.forward_traffic = Bytes::of_base(work * tokens * (columns + 2 * rank + 2 * rows));
    op.backward_traffic =
        Bytes::of_base(work * tokens * (2 * columns + 4 * rank + 2 * rows + 2 * columns));
    op.forward_kernels = 2 + (casts ? 2 : 0);
    op.backward_kernels = 5;
    op.rows = rank;
    op.columns = columns;
    op.parameters = pairs;
    op.inputs[0] = input;
    op.outputs[0] = output;
    op.in_place = true;
    op.workspace_forward = op.workspace_backward = Bytes::of_base(tokens * rank * work);
    Operator& added = add(op);
    if (name != "down_proj") {
        keep(added, input);
    }
    if (casts) {
        keep(added, tensor("autocast.adapter", pairs * work));
    }
}

namespace {

/// Sizes of an adapter, and the bytes of each number that its modules read and write.
struct AdapterTraffic {
    double tokens = 0, rows = 0, columns = 0, rank = 0;
    double work = 0;
    double reads = 0;          ///< of its input
    double adds = 0;           ///< to the output of the layer
    double dropped_bytes = 0;  ///< of the copy from which numbers are dropped; 0: none are
};

/// Both products of an adapter with its cast, scale and sum, one after the other.
Operator adapter_operator(double tokens, double rows, double columns, double rank, double cast) {
    Operator op;
    op.name = "lora";
    op.role = Role::adapter;
    op.operator_class = OperatorClass::gemm;
    op.gemm = {tokens, rank, columns, 1};
    op.forward = Flops::of_base(2 * tokens * rank * (rows + columns));
    op.backward = 2.0 * op.forward;
    op.forward_traffic = Bytes::of_base(tokens * (2 * columns + 2 * rank + 2 * rows) * cast);
    op.backward_traffic = 2.0 * op.forward_traffic;
    op.forward_kernels = 5;  // cast, A, B, scale, add
    op.backward_kernels = 8;
    op.rows = rank;
    op.columns = columns;
    return op;
}

/// What the modules of an adapter move where each is called by itself.
void run_by_modules(Operator& op, const AdapterTraffic& traffic) {
    op.forward_traffic = Bytes::of_base(traffic.tokens * (traffic.columns * traffic.reads +
                                                          2 * traffic.rank * traffic.work +
                                                          traffic.rows * traffic.adds));
    op.backward_traffic = 2.0 * op.forward_traffic;
    if (traffic.dropped_bytes > 0) {
        // The dropped copy and its mask; back the gradient by the mask.
        const Bytes dropped =
            Bytes::of_base(traffic.tokens * traffic.columns * (2 * traffic.dropped_bytes + 1));
        op.forward_traffic = op.forward_traffic + dropped;
        op.backward_traffic = op.backward_traffic + dropped;
        op.forward_kernels += 1;
        op.backward_kernels += 1;
    }
}

}  // namespace

void BlockBuilder::add_adapter(std::string_view name, int input, int output, double tokens,
                               double rows, double columns) {
    if (fuses_adapter(name)) {
        add_fused_adapter(name, input, output, tokens, rows, columns);
        return;
    }
    const double rank = workload_.lora->rank;
    const double cast = shape_.adapter;
    const double input_bytes = size_of(input).base() / (tokens * columns);
    Operator op = adapter_operator(tokens, rows, columns, rank, cast);
    op.inputs[0] = input;
    op.outputs[0] = output;
    // Under autocast the adapter's products run in the compute type on copies of their own.
    const bool autocast = shape_.autocast && cast > shape_.compute;
    const double work = autocast ? shape_.compute : cast;
    // An engine of DeepSpeed has cast the whole module, the adapter too.
    const RuntimeProfile& runtime = software_.runtime;
    const bool casts_module = runtime.runs_deepspeed(workload_.plan.sharding);
    if (runs_modules() && (runtime.options.autocast || runtime.runs_transformers()) &&
        !casts_module) {
        const double wide =
            workload_.quantization.any() ? input_bytes : std::max(input_bytes, cast);
        run_by_modules(op, {.tokens = tokens,
                            .rows = rows,
                            .columns = columns,
                            .rank = rank,
                            .work = work,
                            .reads = adapter_reads(input_bytes, work),
                            .adds = adapter_adds(size_of(output).base() / (tokens * rows), work),
                            .dropped_bytes = workload_.lora->dropout > 0 ? wide : 0});
        // torch rounds no fp32 product of a Transformer to tf32 by itself.
        op.full_precision = !autocast && work == 4 && shape_.compute < 4;
    }
    const bool joint = software_.kernels.attention.fused_qkv && name.size() == 6 &&
                       name.ends_with("_proj") &&
                       (name[0] == 'q' || name[0] == 'k' || name[0] == 'v');
    // One module of the model makes several projections: they share what its adapter reads, and A.
    const bool same_module = fused_modules_ && joint_adapter_[0] == input &&
                             (name == "k_proj" || name == "v_proj" || name == "up_proj");
    if (!same_module && !(joint && joint_adapter_[0] == input)) {
        read_input(input, tokens * columns, work, cast);
    }
    const int source = joint_adapter_[1];
    const int mask = joint_adapter_[2];
    const double pairs = rank * (same_module ? rows : rows + columns);
    op.parameters = pairs;
    if (!same_module) {
        joint_adapter_[3] = tensor("lora.rank", tokens * rank * work);
    }
    const int low = joint_adapter_[3];
    op.workspace_forward = Bytes::of_base(tokens * rows * cast);
    op.workspace_backward = Bytes::of_base(tokens * (rows + columns) * cast);
    DoraTensors magnitude;
    if (workload_.lora->variant == LoraVariant::dora) {
        magnitude = add_weight_norm({.tokens = tokens,
                                     .rows = rows,
                                     .columns = columns,
                                     .work = work,
                                     .read = autocast ? input_bytes : work,
                                     .eye = autocast ? cast + work : work},
                                    source);
        op.parameters += rows;
        op.workspace_forward = op.workspace_forward + magnitude.held;
    }
    Operator& added = add(op);
    keep(added, magnitude.weight);
    keep(added, magnitude.base);
    keep(added, magnitude.update);
    keep(added, source);
    keep(added, mask);
    keep(added, low);
    if (joint && !(targeted("q_proj") && targeted("k_proj") && targeted("v_proj"))) {
        // The updates of a part of the fused product are scattered into it by index: kept.
        keep(added, tensor("lora.update", tokens * rows * work));
    }
    if (autocast) {
        keep(added, tensor("autocast.adapter", pairs * work));
    }
}

void BlockBuilder::add_parameter_adapter(int input, double tokens, double experts, double rows,
                                         double columns) {
    const double rank = workload_.lora->rank;
    const double stored = std::max(2.0, bytes_per_element(workload_.weights));
    const double sum = experts * rows * columns;
    const double pairs = experts * rank * (rows + columns);
    Operator op;
    op.name = "lora.experts";
    op.role = Role::adapter;
    op.operator_class = OperatorClass::grouped_gemm;
    op.gemm = {rows, columns, rank, experts};
    op.forward = op.gemm.flops();
    // The gradient of the sum is a product over the tokens; A and B take theirs from it.
    op.backward = Flops::of_base(2 * tokens * rows * columns) + 2.0 * op.forward;
    op.forward_traffic = Bytes::of_base(2 * sum * stored);
    op.backward_traffic = Bytes::of_base(3 * sum * stored);
    op.forward_kernels = 3;
    op.backward_kernels = 5;
    op.parameters = pairs;
    op.rows = rank;
    op.columns = columns;
    op.inputs[0] = input;
    op.workspace_backward = Bytes::of_base(sum * stored);
    Operator& added = add(op);
    keep(added, input);
    keep(added, tensor("lora.sum", sum * stored));
    if (bytes_per_element(workload_.lora->weights) != stored) {
        keep(added, tensor("lora.cast", pairs * stored));
    }
}

}  // namespace ridgeline
