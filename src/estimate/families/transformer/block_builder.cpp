#include "estimate/families/transformer/block_builder.h"

#include "estimate/work/quantization.h"

#include <algorithm>

namespace ridgeline {
namespace {

/// Bytes of an activation of a product in that type: fp8 and fp4 products read 16-bit activations
/// and quantise them on the way in.
double activation_bytes(ComputeType type) {
    return std::max(2.0, bytes_per_element(storage_of(type)));
}

}  // namespace

bool keeps_inputs(const Workload& workload) {
    const QuantFormat* format = quant_format(workload.quantization.name);
    return format != nullptr && format->keeps_input;
}

PassShape shape_of(const Workload& workload, const SoftwareProfile& software, const Pass& pass,
                   bool norms_keep_type) {
    PassShape shape;
    const Plan& plan = workload.plan;
    shape.samples = pass.samples;
    shape.sequence = pass.tokens / plan.context;
    shape.keys = pass.context;
    shape.tokens = shape.samples * shape.sequence;
    shape.residual_tokens = plan.sequence_parallel ? shape.tokens / plan.tensor : shape.tokens;
    shape.compute = activation_bytes(workload.compute);
    shape.activation = shape.compute;
    shape.attention = shape.compute;
    shape.residual = shape.activation;
    shape.norm_output = shape.activation;
    const bool wide = workload.weights == DType::fp32 && shape.compute < 4;
    // A trainer, which drops the outputs before its backward pass, wraps 16-bit weights in autocast
    // too; a plain loop runs them as they are.
    shape.autocast = pass.training && software.runtime.autocasts(plan.sharding) &&
                     (wide || !software.kernels.loss.holds_logits());
    // Sharded weights are gathered in the type of the products: the modules see no others.
    const Sharding sharding = plan.sharding;
    const bool whole = sharding == Sharding::none || sharding == Sharding::ddp ||
                       sharding == Sharding::zero1 || sharding == Sharding::zero2;
    if (shape.autocast && workload.method != Method::qlora && wide && whole) {
        shape.residual = 4;  // fp32 tables make an fp32 stream; products cast their operands
        shape.norm_output = 4;
        shape.casts_weights = true;
    }
    shape.wide_stream = pass.training && widens_stream(workload, software, norms_keep_type);
    if (shape.wide_stream) {
        // The upcast tables and norms make the stream fp32, and a product of bitsandbytes answers
        // in the type of its input; only autocast takes the attention back to 16 bits.
        shape.residual = 4;
        shape.norm_output = 4;
        shape.activation = 4;
        shape.attention = shape.autocast ? shape.compute : 4;
    }
    shape.adapter = 0;
    if (pass.training && workload.lora) {
        shape.adapter = bytes_per_element(workload.lora->weights);
    }
    shape.tensor = plan.tensor;
    shape.expert = plan.expert;
    shape.context = plan.context;
    shape.training = pass.training;
    shape.base_trains = pass.training && workload.method == Method::full;
    return shape;
}

int BlockBuilder::tensor(std::string_view name, double bytes) {
    block_.tensors.push_back({name, Bytes::of_base(bytes)});
    return static_cast<int>(block_.tensors.size()) - 1;
}

Operator& BlockBuilder::add(Operator op) {
    block_.operators.push_back(op);
    return block_.operators.back();
}

void BlockBuilder::keep(Operator& op, int tensor) const {
    if (!shape_.training || tensor == no_tensor) {
        return;
    }
    for (int& slot : op.kept) {
        if (slot == tensor) {
            return;
        }
        if (slot == no_tensor) {
            slot = tensor;
            return;
        }
    }
}

void BlockBuilder::keep_input(Operator& op, int input) const {
    if (software_.runtime.regathers_sequence() && input == gathered_.first && input != no_tensor) {
        keep(op, gathered_.second);
        // The input gathered again, and its gradient scattered beside the whole one.
        op.workspace_backward = op.workspace_backward + size_of(input) + size_of(gathered_.second);
        return;
    }
    keep(op, input);
}

int BlockBuilder::gathered(std::string_view name, int input, double width) {
    if (shape_.residual_tokens == shape_.tokens) {
        return input;
    }
    const int full = tensor(name, shape_.tokens * width * shape_.norm_output);
    Operator& op = elementwise(name, Role::other, input, full, 0);
    op.forward_kernels = 0;
    op.backward_kernels = 0;
    gathered_ = {full, input};
    if (name == "gather.attention" || name == "gather.feed_forward") {
        // The region ends with a reduce-scatter back to the stream.
        tensor("reduced", shape_.residual_tokens * width * shape_.residual);
    }
    return full;
}

bool BlockBuilder::targeted(std::string_view name) const {
    if (!workload_.lora || !shape_.training) {
        return false;
    }
    // A target names a module wherever it is: "cross.q_proj" and "shared.up_proj" too.
    // Experts are fused parameters, which a target names wholly.
    const std::string_view module =
        name.starts_with("experts.") ? name : name.substr(name.rfind('.') + 1);
    const auto& targets = workload_.lora->targets;
    return std::ranges::any_of(targets, [&](const std::string& target) {
        const bool dense = target.starts_with("mlp.") && target.substr(4) == name;
        return target == module || target == name || dense;
    });
}

bool BlockBuilder::is_read(int tensor) const {
    return std::ranges::any_of(block_.operators,
                               [&](const Operator& op) { return op.inputs[0] == tensor; });
}

bool BlockBuilder::is_compiled() const {
    return workload_.compiled &&
           (block_.position == Block::Position::layer || !software_.runtime.compiles_layers());
}

Bytes BlockBuilder::gradient_sum(int tensor) const {
    const double passes = is_compiled() ? 1 : 3;
    return shape_.training ? passes * size_of(tensor) : Bytes{};
}

void BlockBuilder::sum_gradient(int tensor) {
    const bool joined = shares_casts_ || software_.kernels.activation == ActivationKernel::fused;
    const auto maker = std::ranges::find_if(block_.operators, [&](const Operator& op) {
        return op.outputs[0] == tensor && op.operator_class == OperatorClass::streaming;
    });
    if (!joined && maker != block_.operators.end()) {
        maker->backward_traffic = maker->backward_traffic + gradient_sum(tensor);
    }
}

int BlockBuilder::linear(std::string_view name, int input, double tokens, double rows,
                         double columns, double bias, double output_bytes) {
    const int output = tensor(name, tokens * rows * output_bytes);
    Operator op;
    op.name = name;
    op.role = Role::linear;
    op.operator_class = OperatorClass::gemm;
    op.gemm = {tokens, rows, columns, 1};
    op.forward = op.gemm.flops();
    op.trains = shape_.base_trains;
    if (shape_.training) {
        op.backward = (op.trains ? 2.0 : 1.0) * op.forward;
    }
    const double in_bytes = tokens * columns * shape_.activation;
    const double out_bytes = tokens * rows * shape_.activation;
    op.forward_traffic = Bytes::of_base(in_bytes + out_bytes);
    op.backward_traffic =
        Bytes::of_base(in_bytes + out_bytes + (op.trains ? in_bytes + out_bytes : 0));
    op.backward_kernels = op.trains ? 2 : 1;
    op.parameters = rows * columns + bias;
    op.rows = rows;
    op.columns = columns;
    op.quantized = workload_.quantization.any();
    const QuantFormat* const format =
        op.quantized && shape_.training ? quant_format(workload_.quantization.name) : nullptr;
    if (format != nullptr) {
        // The weight is expanded while the gradient of the input is made.
        const double bytes = format->dequantizes
                                 ? shape_.compute * software_.kernels.adapter.expanded_copies()
                             : shape_.wide_stream ? 4
                                                  : 0;
        op.workspace_backward = Bytes::of_base(rows * columns * bytes);
    }
    op.inputs[0] = input;
    op.outputs[0] = output;
    if (is_read(input)) {
        sum_gradient(input);
    }
    Operator& added = add(op);
    if (op.trains) {
        if (!keep_casts(added, input, tokens * columns, rows * columns)) {
            keep_input(added, input);
        }
    } else if (op.quantized && (software_.runtime.quantized_keeps_input() || format_keeps_input_)) {
        keep(added, input);
    } else if (shape_.casts_weights && shape_.training) {
        keep(added, tensor(frozen_cast, rows * columns * shape_.compute));
        const double narrow = tokens * columns * shape_.compute;
        if (size_of(input).base() > narrow) {
            // The input is cast for each product, and its gradient back.
            const Bytes moved = size_of(input) + Bytes::of_base(narrow);
            added.forward_traffic = added.forward_traffic + moved;
            added.backward_traffic = added.backward_traffic + moved;
            added.forward_kernels += 1;
            added.backward_kernels += 1;
        }
    }
    // AutoGPTQ's product in PyTorch keeps the weight that it expanded.
    if (op.quantized && workload_.quantization.name.starts_with("gptq")) {
        keep(added, tensor("dequantised weight", rows * columns * shape_.compute));
    }
    if (targeted(name)) {
        add_adapter(name, input, output, tokens, rows, columns);
    }
    return output;
}

bool BlockBuilder::keep_casts(Operator& op, int input, double input_elements,
                              double weight_elements) {
    if (!shape_.training || !shape_.casts_weights) {
        return false;
    }
    keep(op, tensor(cast_weight, weight_elements * shape_.compute));
    if (size_of(input).base() <= input_elements * shape_.compute) {
        return false;
    }
    if (!shares_casts_ || cast_of_.first != input) {
        cast_of_ = {input, tensor(cast_input, input_elements * shape_.compute)};
    }
    keep(op, cast_of_.second);
    return true;
}

int BlockBuilder::norm(std::string_view name, int input, double vectors, double width,
                       double parameters, double output_bytes) {
    const int output = tensor(name, vectors * width * output_bytes);
    const double elements = vectors * width;
    Operator op;
    op.name = name;
    op.role = Role::norm;
    op.operator_class = OperatorClass::streaming;
    op.forward = Flops::of_base(4 * elements);
    op.backward = shape_.training ? Flops::of_base(8 * elements) : Flops{};
    op.trains = shape_.base_trains;
    op.parameters = parameters;
    op.inputs[0] = input;
    op.outputs[0] = output;
    const double in_bytes = size_of(input).base();
    const double out_bytes = elements * output_bytes;
    const bool written_out = software_.kernels.norm == NormKernel::eager ||
                             software_.kernels.norm == NormKernel::eager_fp32_scale;
    const bool eager = written_out && !is_compiled() && !layer_norm_;
    const int statistic = tensor("norm.statistic", vectors * 4);
    if (eager) {
        // x -> fp32 copy -> square, mean, rsqrt, product -> cast -> weight.
        op.forward_kernels = 7;
        op.backward_kernels = 10;
        op.forward_traffic = Bytes::of_base(in_bytes + 5 * elements * 4 + 3 * out_bytes);
        op.backward_traffic = 2.0 * op.forward_traffic;
        const int upcast =
            size_of(input).base() == elements * 4 ? input : tensor("norm.fp32_copy", elements * 4);
        op.workspace_backward = Bytes::of_base(2 * elements * 4);
        Operator& added = add(op);
        keep(added, upcast);
        keep(added, statistic);
        if (keeps_norm_input_) {
            keep(added, input);
        }
        if (op.trains) {
            keep(added, tensor("norm.normalised", scales_fp32_ || upcast == input
                                                      ? elements * 4
                                                      : elements * shape_.activation));
        }
        return output;
    }
    op.forward_traffic = Bytes::of_base(in_bytes + out_bytes);
    op.backward_traffic = Bytes::of_base(2 * in_bytes + out_bytes);
    Operator& added = add(op);
    // Autocast runs a layer norm in fp32 on a copy of its input.
    const bool upcast = layer_norm_ && shape_.autocast && in_bytes < elements * 4;
    keep(added, upcast && shape_.training ? tensor("norm.fp32_copy", elements * 4) : input);
    keep(added, statistic);
    if (layer_norm_) {
        keep(added, tensor("norm.mean", vectors * 4));
    }
    return output;
}

Operator& BlockBuilder::elementwise(std::string_view name, Role role, int input, int output,
                                    double traffic) {
    Operator op;
    op.name = name;
    op.role = role;
    op.operator_class = OperatorClass::streaming;
    op.forward_traffic = Bytes::of_base(traffic);
    op.backward_traffic = shape_.training ? Bytes::of_base(traffic) : Bytes{};
    op.trains = false;
    op.inputs[0] = input;
    op.outputs[0] = output;
    return add(op);
}

int BlockBuilder::residual_add(std::string_view name, int stream, int update, double bytes) {
    const int output = tensor(name, bytes);
    const bool forks = is_read(stream);
    Operator& op = elementwise(name, Role::residual, stream, output, 3 * bytes);
    op.inputs[1] = update;
    // The gradient passes through, and is summed with that of what else reads the stream.
    op.backward_traffic = forks ? gradient_sum(stream) : Bytes{};
    op.backward_kernels = 1;
    return output;
}

}  // namespace ridgeline
