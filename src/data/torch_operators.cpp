#include "data/torch_operators.h"

#include "base/lists.h"
#include "base/text.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

namespace ridgeline {
namespace {

// clang-format off
constexpr std::array still = {
    "view", "_unsafe_view", "_reshape_alias", "reshape", "as_strided", "t", "transpose",
    "permute", "slice", "select", "expand", "expand_as", "unsqueeze", "squeeze", "detach",
    "detach_", "alias", "empty", "empty_like", "empty_strided", "new_empty", "new_empty_strided",
    "resize_", "split", "split_with_sizes", "chunk", "narrow", "unbind", "view_as",
    "view_as_real", "view_as_complex", "result_type", "set_", "record_stream", "item",
    "_local_scalar_dense", "is_nonzero", "to", "contiguous", "lift_fresh", "movedim", "swapaxes",
    "unfold", "diagonal", "real", "imag", "flatten", "unflatten", "conj", "_conj", "resolve_conj",
    "resolve_neg", "is_pinned", "numel", "size", "stride", "requires_grad_", "tensor_split",
    "_version", "output_nr", "zero_grad", "pin_memory", "_pin_memory", "atleast_2d", "mT",
    "numpy_T", "type_as", "_has_compatible_shallow_copy_type", "_backward", "retain_grad", "data",
    "_nested_tensor_from_mask_left_aligned", "dropout", "identity", "_fused_sdp_choice",
    "_use_cudnn_ctc_loss", "can_cast", "promote_types", "is_floating_point", "is_complex",
    "_sparse_coo_tensor_with_dims_and_tensors", "_sparse_coo_tensor_with_dims", "_values", "values",
    "_sparse_coo_tensor_unsafe", "_indices", "indices", "_nnz", "sparse_dim", "dense_dim", "is_coalesced",
    "_coalesced_", "embedding_sparse_backward", "_embedding_bag_sparse_backward",
    "is_same_size", "cudnn_is_acceptable", "_cudnn_rnn_flatten_weight", "_to_cpu"};
constexpr std::array by_rows = {
    "embedding", "index_select", "gather", "index", "take", "_embedding_bag", "take_along_dim",
    "index_put_", "_index_put_impl_", "scatter_add_", "scatter", "scatter_", "index_add_",
    "index_add", "scatter_add"};
constexpr std::array fills = {
    "fill_", "zero_", "normal_", "uniform_", "bernoulli_", "random_", "exponential_", "zeros",
    "ones", "full", "randn", "rand", "arange"};
// clang-format on

}  // namespace

std::string_view without_namespace(std::string_view name) {
    const std::size_t at = name.rfind("::");
    return at == std::string_view::npos ? name : name.substr(at + 2);
}

bool names_operator(std::string_view name) {
    if (name.rfind("triton_", 0) == 0) {
        return true;
    }
    const std::size_t at = name.find("::");
    if (at == std::string_view::npos || at == 0 || name.rfind("autograd::", 0) == 0 ||
        name.rfind("torch::autograd", 0) == 0 || name.rfind("c10d::", 0) == 0 ||
        name.rfind("nccl", 0) == 0) {
        return false;
    }
    return std::all_of(name.begin(), name.end(), [](unsigned char c) {
        return std::isalnum(c) != 0 || c == '_' || c == ':' || c == '.';
    });
}

bool moves_nothing(std::string_view name) { return is_among(without_namespace(name), still); }

double bytes_of_type(std::string_view type) {
    static constexpr std::array<std::pair<std::string_view, double>, 20> rows = {
        {{"float", 4},
         {"c10::Half", 2},
         {"c10::BFloat16", 2},
         {"double", 8},
         {"long", 8},
         {"long int", 8},
         {"int", 4},
         {"short", 2},
         {"short int", 2},
         {"unsigned char", 1},
         {"signed char", 1},
         {"bool", 1},
         {"c10::complex<float>", 8},
         {"c10::complex<double>", 16},
         {"unsigned int", 4},
         {"c10::Float8_e4m3fn", 1},
         {"c10::Float8_e5m2", 1},
         {"c10::complex<c10::Half>", 4},
         {"unsigned short", 2},
         {"unsigned long", 8}}};
    for (const auto& [name, bytes] : rows) {
        if (type == name) {
            return bytes;
        }
    }
    return 0;
}

double bytes_of_collective(std::string_view type) {
    return is_among(type, {"Double", "Long"})         ? 8
           : is_among(type, {"BFloat16", "Half"})     ? 2
           : is_among(type, {"Byte", "Bool", "Char"}) ? 1
                                                      : 4;
}

bool touches_rows(std::string_view name) { return is_among(name, by_rows); }

bool only_fills(std::string_view name) { return is_among(name, fills); }

bool may_compute(std::string_view name) {
    const std::string_view bare = without_namespace(name);
    if (bare == "linalg_vector_norm") {
        return false;
    }
    for (const char* word : {"mm", "matmul", "attention", "attn", "conv", "gemm", "linalg", "fft",
                             "svd", "cholesky", "solve", "lstm", "gru", "quantize"}) {
        if (contains(bare, word)) {
            return true;
        }
    }
    return name.rfind("aten::", 0) != 0 && name.rfind("triton_", 0) != 0;
}

}  // namespace ridgeline
