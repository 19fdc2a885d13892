#pragma once

#include "base/quantity.h"
#include "spec/calibration.h"

#include <array>
#include <string_view>
#include <vector>

namespace ridgeline {

/// What an operator is, for the rules that depend on it (which kernel a stack uses for it, whether
/// LoRA or quantisation applies, which parameter group it belongs to).
enum class Role {
    embedding,  ///< token, position and type tables
    norm,
    linear,  ///< a projection of the attention or the feed-forward part
    rotary,
    attention,   ///< scores, softmax, weighted sum
    activation,  ///< SiLU/GELU and the product with the up projection
    residual,
    router,
    dispatch,       ///< permutation of tokens to experts and back
    expert_linear,  ///< grouped product over the local experts
    head,           ///< projection to the vocabulary
    loss,
    scan,     ///< a state that each token updates (state spaces, linear attention)
    adapter,  ///< LoRA A and B of one target
    other,
};

/// C[m, n] = A[m, k] B[k, n], `count` times (heads, experts). All zero when not a product.
struct GemmShape {
    double m = 0;
    double n = 0;
    double k = 0;
    double count = 1;
    [[nodiscard]] Flops flops() const { return Flops::of_base(2 * m * n * k * count); }
};

/// One tensor of a block for one micro-batch on one rank.
struct Tensor {
    std::string_view name;
    Bytes size;
};

/// Name of a weight's copy in the products' type, which autocast makes and holds until it ends.
inline constexpr std::string_view cast_weight = "autocast.weight";
/// The same of a frozen one, which autocast makes for each product anew and the graph alone holds.
inline constexpr std::string_view frozen_cast = "autocast.frozen";
/// And of a product's input.
inline constexpr std::string_view cast_input = "autocast.input";

inline constexpr int no_tensor = -1;

/// One operator of a block: forward figures of one pass of one micro-batch on one rank, after
/// tensor, sequence, context and expert parallelism have divided what they divide.
struct Operator {
    std::string_view name;  ///< "q_proj", "attention", "gate_proj", ...
    Role role = Role::other;
    OperatorClass operator_class = OperatorClass::streaming;

    GemmShape gemm;          ///< products; of a network's attention m queries and n keys, k is 0
    Flops forward;           ///< forward FLOPs (causal attention counts half)
    Flops backward;          ///< gradient with respect to inputs and, where it trains, weights
    Bytes forward_traffic;   ///< activations read and written; the folds add `parameters` in the
                             ///< type that they are stored in (each read once a pass)
    Bytes backward_traffic;  ///< activations and their gradients; weights and their gradients apart
    double forward_kernels = 1;  ///< launches of an eager stack
    double backward_kernels = 1;

    double parameters = 0;        ///< owned by this rank
    double rows = 0;              ///< of the weight on this rank (output width); 0: not a matrix
    double columns = 0;           ///< (input width); of a network's attention: width of a head
    double matrices = 1;          ///< local experts
    bool expert = false;          ///< spread over the expert-parallel group
    bool trains = true;           ///< its weight gets a gradient
    bool quantized = false;       ///< stored in workload.quantization
    bool full_precision = false;  ///< fp32, whatever the others compute in
    bool tied = false;            ///< its weight is the embedding's: owned there, used here
    double active_fraction = 1;   ///< share of its parameters that one token uses
    double useful = 1;            ///< share of its operations that the model asks for

    std::array<int, 4> inputs{no_tensor, no_tensor, no_tensor, no_tensor};  ///< into Block::tensors
    std::array<int, 2> outputs{no_tensor, no_tensor};
    std::array<int, 8> kept{no_tensor, no_tensor, no_tensor, no_tensor,
                            no_tensor, no_tensor, no_tensor, no_tensor};
    bool in_place = false;  ///< an adapter adds to its output; an activation overwrites what it
                            ///< read with the gradients of it
    bool gradient_in_pieces = false;  ///< its inputs' gradients exist a chunk at a time (workspace)
    Bytes workspace_forward;          ///< alive only while it runs forward
    Bytes workspace_backward;         ///< alive only while it runs backward
};

/// Operators that a model repeats. A transformer has an embedding block (repeat 1), one block per
/// kind of layer, and a head block (repeat 1) with the final norm, the projection and the loss.
struct Block {
    std::string_view name;
    int repeat = 1;  ///< layers of the whole model
    int kind = -1;   ///< of a layer block: index into LayerKinds
                     ///< (estimate/families/transformer/transformer.h)
    enum class Position { first, layer, last } position = Position::layer;
    std::vector<Tensor> tensors;
    std::vector<Operator> operators;
    int input = no_tensor;   ///< residual stream that enters
    int output = no_tensor;  ///< and leaves
    /// Bytes of one tensor-parallel collective on the residual stream, and how many a forward pass
    /// makes in this block (all-reduce, or all-gather + reduce-scatter with sequence parallelism).
    Bytes tensor_parallel_message;
    double tensor_parallel_messages = 0;
    Bytes expert_message;        ///< bytes one rank sends in one all-to-all of the expert dispatch
    double expert_messages = 0;  ///< all-to-alls of a forward pass
    Bytes context_message;       ///< keys and values one rank passes on in a context-parallel pass
};

using OperatorList = std::vector<Block>;

/// One forward (and backward) pass whose operators are wanted.
struct Pass {
    double samples = 1;  ///< sequences in the micro-batch
    double tokens = 1;   ///< new tokens of each sequence
    double context = 1;  ///< keys each new token may attend to at the end of the pass
    bool training = true;
    friend bool operator==(const Pass&, const Pass&) = default;
};

struct Architecture;
struct Workload;
struct SoftwareProfile;

/// The operators of a model for one pass on one rank.
///
/// architecture  any kind that `can_list` accepts
/// workload      precision, method, plan, attention and loss choices
/// software      which kernels the stack uses, so what each operator keeps
/// pass          shape of the micro-batch; sequence length is divided by context parallelism here
OperatorList list_operators(const Architecture& architecture, const Workload& workload,
                            const SoftwareProfile& software, const Pass& pass);

/// The operators of one micro-batch of a training run.
OperatorList training_operators(const Architecture& architecture, const Workload& workload,
                                const SoftwareProfile& software);

}  // namespace ridgeline
