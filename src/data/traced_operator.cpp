#include "data/traced_operator.h"

#include "base/text.h"
#include "data/torch_operators.h"
#include "data/traced_look_up.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace ridgeline {
namespace {

using Sizes = std::vector<double>;

double product_of(const Sizes& sizes) {
    double out = 1;
    for (const double size : sizes) {
        out *= size;
    }
    return out;
}

const TracedTensor* tensor_at(const std::vector<TracedArgument>& arguments, std::size_t at) {
    return at < arguments.size() && !arguments[at].tensors.empty() ? &arguments[at].tensors.front()
                                                                   : nullptr;
}

bool true_at(const TracedCall& call, std::size_t at) {
    return at < call.inputs.size() && call.inputs[at].number.value_or(0) != 0;
}

double bytes_of(const TracedTensor& tensor) { return tensor.elements * bytes_of_type(tensor.type); }

double bytes_of(const std::vector<TracedArgument>& arguments) {
    double sum = 0;
    for (const TracedArgument& argument : arguments) {
        for (const TracedTensor& tensor : argument.tensors) {
            sum += tensor.on_card ? bytes_of(tensor) : 0;
        }
    }
    return sum;
}

double largest(const std::vector<TracedArgument>& arguments) {
    double most = 0;
    for (const TracedArgument& argument : arguments) {
        for (const TracedTensor& tensor : argument.tensors) {
            most = std::max(most, bytes_of(tensor));
        }
    }
    return most;
}

ComputeType type_of(std::string_view type, bool convolution) {
    if (type == "c10::BFloat16") {
        return ComputeType::bf16;
    }
    if (type == "c10::Half") {
        return ComputeType::fp16;
    }
    if (contains(type, "Float8")) {
        return ComputeType::fp8;
    }
    if (type == "double") {
        return ComputeType::fp64;
    }
    if (type == "signed char" || type == "int8") {
        return ComputeType::int8;
    }
    // torch.backends.cudnn.allow_tf32 is on when nobody says otherwise, that of products is not.
    return convolution ? ComputeType::tf32 : ComputeType::fp32;
}

/// Where a product has its two matrices.
struct ProductRow {
    const char* name;
    std::size_t left, right;
};
constexpr std::array<ProductRow, 12> product_rows = {{{"mm", 0, 1},
                                                      {"addmm", 1, 2},
                                                      {"addmm_", 1, 2},
                                                      {"_addmm_activation", 1, 2},
                                                      {"bmm", 0, 1},
                                                      {"baddbmm", 1, 2},
                                                      {"baddbmm_", 1, 2},
                                                      {"_scaled_mm", 0, 1},
                                                      {"_int_mm", 0, 1},
                                                      {"_grouped_mm", 0, 1},
                                                      {"mv", 0, 1},
                                                      {"dot", 0, 1}}};

bool fill_product(const TracedCall& call, std::string_view name, TracedOperator& out) {
    for (const ProductRow& row : product_rows) {
        if (name != row.name) {
            continue;
        }
        const TracedTensor* left = tensor_at(call.inputs, row.left);
        const TracedTensor* right = tensor_at(call.inputs, row.right);
        if (left == nullptr || right == nullptr || left->sizes.empty() || right->sizes.empty()) {
            return false;
        }
        const Sizes& a = left->sizes;
        const Sizes& b = right->sizes;
        out.products = a.size() == 3 && b.size() == 3 ? a[0] : 1;
        out.m = a.size() >= 2 ? a[a.size() - 2] : 1;
        out.k = a.back();
        out.n = b.size() >= 2 ? b.back() : 1;
        if (name == "_grouped_mm" && a.size() == 2 && b.size() == 2) {
            out.m = a[0], out.n = b[1], out.k = a[1];
        }
        out.flops = Flops::of_base(2 * out.m * out.n * out.k * out.products);
        out.type = type_of(left->type, false);
        out.operator_class = name == "_grouped_mm"      ? OperatorClass::grouped_gemm
                             : out.n == 1 || out.m == 1 ? OperatorClass::gemv
                                                        : OperatorClass::gemm;
        const double written = out.m * out.n * out.products * bytes_of_type(left->type);
        out.traffic = Bytes::of_base(bytes_of(*left) + bytes_of(*right) + written);
        return true;
    }
    return false;
}

/// Where fused attention has its queries and keys, and the flag of causal masks.
struct AttentionRow {
    const char* name;
    std::size_t query;
    std::size_t causal;
    bool heads_first;  ///< [batch, heads, tokens, width]; else [batch, tokens, heads, width]
    bool backward;
};
constexpr std::array<AttentionRow, 10> attention_rows = {
    {{"_flash_attention_forward", 0, 8, false, false},
     {"_flash_attention_backward", 1, 11, false, true},
     {"_efficient_attention_forward", 0, 9, false, false},
     {"_efficient_attention_backward", 1, 14, false, true},
     {"_scaled_dot_product_flash_attention", 0, 4, true, false},
     {"_scaled_dot_product_flash_attention_backward", 1, 11, true, true},
     {"_scaled_dot_product_efficient_attention", 0, 6, true, false},
     {"_scaled_dot_product_efficient_attention_backward", 1, 11, true, true},
     {"_scaled_dot_product_cudnn_attention", 0, 6, true, false},
     {"_scaled_dot_product_cudnn_attention_backward", 1, 14, true, true}}};

bool fill_attention(const TracedCall& call, std::string_view name, TracedOperator& out) {
    for (const AttentionRow& row : attention_rows) {
        if (name != row.name) {
            continue;
        }
        const TracedTensor* query = tensor_at(call.inputs, row.query);
        const TracedTensor* key = tensor_at(call.inputs, row.query + 1);
        if (query == nullptr || key == nullptr || query->sizes.size() < 3) {
            return false;
        }
        const bool four = query->sizes.size() == 4;
        const std::size_t tokens = !four ? 0 : row.heads_first ? 2 : 1;
        const double keys = tokens < key->sizes.size() ? key->sizes[tokens] : 0;
        // Scores and the weighted sum; half of them under a causal mask. Backward: five products.
        const double all = 4 * product_of(query->sizes) * keys;
        const double share = true_at(call, row.causal) ? 0.5 : 1;
        out.flops = Flops::of_base(all * share * (row.backward ? 2.5 : 1));
        out.operator_class =
            row.backward ? OperatorClass::attention_backward : OperatorClass::attention_forward;
        out.type = type_of(query->type, false);
        const double inputs = bytes_of(call.inputs);
        out.traffic = Bytes::of_base(row.backward ? inputs + bytes_of(*query) + 2 * bytes_of(*key)
                                                  : inputs + bytes_of(*query));
        out.kernels = row.backward ? 2 : 1;
        return true;
    }
    return false;
}

/// Elements of the output of a convolution whose output the trace does not tell.
double output_of_convolution(const TracedCall& call, std::size_t data, std::size_t weight) {
    if (const TracedTensor* out = tensor_at(call.outputs, 0); out != nullptr && data == 0) {
        return product_of(out->sizes);
    }
    if (data == 1) {  // backward: the gradient of the output comes first
        const TracedTensor* gradient = tensor_at(call.inputs, 0);
        return gradient != nullptr ? product_of(gradient->sizes) : 0;
    }
    const TracedTensor* in = tensor_at(call.inputs, data);
    const TracedTensor* filter = tensor_at(call.inputs, weight);
    return in->sizes.size() > 1 && in->sizes[1] > 0
               ? product_of(in->sizes) / in->sizes[1] * filter->sizes[0]
               : 0;
}

bool fill_convolution(const TracedCall& call, std::string_view name, TracedOperator& out) {
    const bool back = name == "convolution_backward" || name == "cudnn_convolution_backward";
    if (!back && !contains(name, "convolution") && name != "conv_depthwise3d" &&
        !contains(name, "_conv")) {
        return false;
    }
    const std::size_t data = back ? 1 : 0;
    const TracedTensor* in = tensor_at(call.inputs, data);
    const TracedTensor* weight = tensor_at(call.inputs, data + 1);
    if (in == nullptr || weight == nullptr || weight->sizes.size() < 3) {
        return false;
    }
    const double written = output_of_convolution(call, data, data + 1);
    const double each = product_of(weight->sizes) / std::max(1.0, weight->sizes[0]);
    out.flops = Flops::of_base(2 * written * each * (back ? 2 : 1));
    const bool deep = weight->sizes[1] == 1 && in->sizes.size() > 1 && in->sizes[1] > 1;
    out.operator_class = deep ? OperatorClass::depthwise_convolution : OperatorClass::convolution;
    out.type = type_of(in->type, true);
    const double width = bytes_of_type(in->type);
    out.traffic =
        Bytes::of_base((bytes_of(*in) + bytes_of(*weight) + written * width) * (back ? 2 : 1));
    out.kernels = back ? 2 : 1;
    return true;
}

bool fill_recurrent(const TracedCall& call, std::string_view name, TracedOperator& out) {
    if (name != "_cudnn_rnn" && name != "_cudnn_rnn_backward" && name != "miopen_rnn") {
        return false;
    }
    const TracedTensor* in = tensor_at(call.inputs, 0);
    if (in == nullptr || in->sizes.size() != 3 || call.inputs.size() < 2) {
        return false;
    }
    double weights = 0;
    for (const TracedTensor& weight : call.inputs[1].tensors) {
        weights += weight.sizes.size() == 2 ? product_of(weight.sizes) : 0;
    }
    const double steps = in->sizes[0] * in->sizes[1];
    const double back = name == "_cudnn_rnn_backward" ? 2 : 1;
    out.flops = Flops::of_base(2 * weights * steps * back);
    out.operator_class = OperatorClass::gemm;
    out.type = type_of(in->type, true);
    out.traffic = Bytes::of_base((bytes_of(call.inputs) + bytes_of(call.outputs)) * back);
    // The recurrence launches once for each time step and layer.
    out.kernels = std::max(in->sizes[0], in->sizes[1]) * back;
    return true;
}

/// Kernels of one call on lists of tensors: `depth_to_max_tensors` of ATen's MultiTensorApply.cuh
/// says how many a launch takes by the number of lists.
double list_kernels(const TracedCall& call) {
    constexpr std::array<double, 5> most = {110, 64, 48, 36, 30};
    std::size_t lists = 0, tensors = 0;
    for (const TracedArgument& argument : call.inputs) {
        if (argument.tensors.size() > 1) {
            ++lists;
            tensors = std::max(tensors, argument.tensors.size());
        }
    }
    const std::size_t depth = std::min(std::max<std::size_t>(lists, 1), most.size());
    return std::max(1.0, std::ceil(static_cast<double>(tensors) / most[depth - 1]));
}

/// Batch norms take their statistics in a pass over the data before the one that writes; backward
/// as well (ATen's Normalization.cuh). In evaluation the statistics are known.
bool reads_twice(const TracedCall& call, std::string_view name) {
    constexpr std::size_t training = 5;
    const bool known = call.inputs.size() > training && call.inputs[training].number == 0.0;
    return contains(name, "batch_norm") && call.inputs.size() > 1 &&
           (contains(name, "backward") || !known);
}

void fill_streaming(const TracedCall& call, std::string_view name, TracedOperator& out) {
    const double outputs = bytes_of(call.outputs);
    const double inputs = bytes_of(call.inputs);
    const bool in_place = !name.empty() && name.back() == '_' && !call.inputs.empty();
    double written = outputs;
    if (outputs <= 0) {
        written = in_place ? bytes_of({call.inputs.front()}) : largest(call.inputs);
    }
    double traffic = inputs + written;
    if (name.rfind("_foreach_", 0) == 0 || name.rfind("_fused_ad", 0) == 0 ||
        name.rfind("_fused_sgd", 0) == 0) {
        out.operator_class = OperatorClass::optimizer;
        // Lists of tensors are what optimizers and the clipping before them work on.
        out.phase = call.backward ? out.phase : TracedPhase::optimizer;
        out.kernels = list_kernels(call);
        // Fused optimizers write all lists but the gradients, which stand second.
        const double lists = inputs - (call.inputs.size() > 1 ? bytes_of({call.inputs[1]}) : 0);
        traffic = inputs + (name.rfind("_fused_", 0) == 0 ? lists
                            : outputs > 0                 ? outputs
                                                          : bytes_of({call.inputs.front()}));
    } else if (reads_twice(call, name)) {
        traffic += !contains(name, "backward")
                       ? bytes_of({call.inputs[0]})
                       : bytes_of({call.inputs[0]}) + bytes_of({call.inputs[1]});
    } else if (name == "copy_" && call.inputs.size() > 1) {
        traffic = bytes_of({call.inputs[1]}) + bytes_of({call.inputs[0]});
    } else if (only_fills(name)) {
        out.operator_class = OperatorClass::one_way_stream;
        traffic = written;
    } else if (touches_rows(name)) {
        const bool writes = in_place || name.find("scatter") == 0 || name.find("index_add") == 0;
        out.operator_class = OperatorClass::embedding;
        // What is written is told beside the tensor that it goes to: places and rows.
        const double moved =
            writes && call.inputs.size() > 1 ? inputs - bytes_of({call.inputs.front()}) : outputs;
        traffic = moved > 0 ? 3 * moved : traffic;
    }
    out.traffic = Bytes::of_base(traffic);
    const TracedTensor* first = tensor_at(call.inputs, 0);
    out.type = type_of(first != nullptr ? first->type : "float", false);
}

}  // namespace

std::optional<TracedOperator> traced_operator(const TracedCall& call, bool& known) {
    known = true;
    bool any = false;
    for (const auto* arguments : {&call.inputs, &call.outputs}) {
        for (const TracedArgument& argument : *arguments) {
            for (const TracedTensor& tensor : argument.tensors) {
                any = any || (tensor.on_card && tensor.elements > 0);
            }
        }
    }
    if (!any || moves_nothing(call.name)) {
        return {};
    }
    TracedOperator out;
    out.name = call.name;
    out.phase = call.optimizer  ? TracedPhase::optimizer
                : call.backward ? TracedPhase::backward
                                : TracedPhase::forward;
    const std::string_view name = without_namespace(call.name);
    if (fill_product(call, name, out) || fill_attention(call, name, out) ||
        fill_convolution(call, name, out) || fill_recurrent(call, name, out) ||
        fill_look_up(call, name, out)) {
        return out;
    }
    known = !may_compute(call.name);
    fill_streaming(call, name, out);
    return out;
}

}  // namespace ridgeline
