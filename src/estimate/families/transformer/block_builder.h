#pragma once

#include "estimate/work/operator.h"
#include "spec/architecture.h"
#include "spec/software_profile.h"
#include "spec/workload.h"

#include <array>
#include <string_view>
#include <utility>

namespace ridgeline {

/// Sizes and choices that every operator of one pass shares. Tokens are those of one micro-batch on
/// one rank, bytes are per element.
struct PassShape {
    double samples = 1;
    double sequence = 1;         ///< new tokens of a sample on this rank, after context parallelism
    double keys = 1;             ///< keys that the last token of a sample may attend to
    double encoder_keys = 0;     ///< tokens of the encoder's output a sample attends to; 0: `keys`
    double tokens = 1;           ///< samples x sequence
    double residual_tokens = 1;  ///< tokens of the residual stream held here (sequence parallel)
    double compute = 2;          ///< bytes of a product's 16-bit (or wider) operands
    double activation = 2;       ///< bytes of a linear's output
    double attention = 2;        ///< bytes of what the attention kernel reads and writes
    double residual = 2;         ///< bytes of the residual stream
    double norm_output = 2;      ///< bytes of a norm's output
    double adapter = 4;          ///< bytes in which a LoRA adapter computes; 0: no adapters
    int tensor = 1;
    int expert = 1;
    int context = 1;
    bool training = true;
    bool base_trains = true;  ///< method full: base weights get gradients
    bool autocast = false;    ///< the pass runs under torch autocast
    bool casts_weights =
        false;  ///< autocast of fp32 weights: each product keeps its own 16-bit copies
    bool wide_stream = false;  ///< fp32 by what a k-bit preparation has made fp32
};

/// Whether products on weights in the workload's format keep their input although they are frozen.
bool keeps_inputs(const Workload& workload);

/// norms_keep_type  a norm answers in the type of its input, whatever its weight's is
PassShape shape_of(const Workload& workload, const SoftwareProfile& software, const Pass& pass,
                   bool norms_keep_type);

/// Builds one block: operators in the order in which they run, and the tensors between them.
///
/// A tensor that two operators keep is one tensor, so what a block keeps for the backward pass is
/// the sum over its distinct kept tensors, as in an autograd graph.
class BlockBuilder {
public:
    BlockBuilder(Block& block, const PassShape& shape, const Workload& workload,
                 const SoftwareProfile& software)
        : block_(block),
          shape_(shape),
          workload_(workload),
          software_(software),
          format_keeps_input_(keeps_inputs(workload)) {}

    int tensor(std::string_view name, double bytes);
    Operator& add(Operator op);

    /// A projection y[tokens, rows] = x[tokens, columns] W^T with its LoRA adapter where the
    /// workload targets `name`. `rows` and `columns` are those of this rank. Returns y.
    /// bias: elements of the bias on this rank (0: none).
    int linear(std::string_view name, int input, double tokens, double rows, double columns,
               double bias, double output_bytes);
    /// A norm over the last `width` elements of `vectors` rows, with `parameters` weights.
    int norm(std::string_view name, int input, double vectors, double width, double parameters,
             double output_bytes);
    /// An elementwise operator without parameters that keeps nothing unless told.
    Operator& elementwise(std::string_view name, Role role, int input, int output, double traffic);

    /// y = a + b on the residual stream. Returns y.
    int residual_add(std::string_view name, int stream, int update, double bytes);

    [[nodiscard]] Block& block() { return block_; }
    [[nodiscard]] const PassShape& shape() const { return shape_; }
    [[nodiscard]] const Workload& workload() const { return workload_; }
    [[nodiscard]] const SoftwareProfile& software() const { return software_; }
    [[nodiscard]] bool targeted(std::string_view name) const;
    [[nodiscard]] Bytes size_of(int tensor) const {
        return block_.tensors[static_cast<std::size_t>(tensor)].size;
    }
    /// What the norms that follow do: torch layer norms, or RMS norms that stacks write themselves.
    void norms_of(const TransformerStack& tower) {
        layer_norm_ = tower.norm != NormType::rmsnorm;
        scales_fp32_ =
            tower.scales_norm_fp32 || software_.kernels.norm == NormKernel::eager_fp32_scale;
        keeps_norm_input_ = tower.norm_keeps_input;
        fused_modules_ = tower.fused_qkv && runs_modules();
        shares_casts_ = software_.kernels.attention.fused_qkv || fused_modules_;
    }
    /// Whether the projection and its adapter are part of an autograd function with others: q, k and
    /// v of one, gate, up and down of one, the output projection alone (axolotl kernels/lora.py,
    /// Unsloth kernels/fast_lora.py). Such a function takes the place of modules that all have
    /// adapters.
    [[nodiscard]] bool fuses_adapter(std::string_view name) const;
    /// Whether the stack runs a model's own modules, one operator at a time.
    [[nodiscard]] bool runs_modules() const {
        return !workload_.compiled && software_.kernels.activation != ActivationKernel::fused;
    }
    /// Under autocast of fp32 weights: the 16-bit copies that a product keeps of its weight of
    /// `elements` elements and of its input. Returns whether the input is kept as such a copy.
    bool keep_casts(Operator& op, int input, double input_elements, double weight_elements);
    /// A sequence-parallel region gathers the stream before a column-parallel projection: the
    /// gathered copy, of `width` elements a token, is what the projections read (and keep, except
    /// where the stack gathers it again). Without such a region returns `input`.
    int gathered(std::string_view name, int input, double width);
    /// Marks a tensor as kept for the backward pass of `op` (training only).
    void keep(Operator& op, int tensor) const;
    /// Keeps what the weight gradient of a product needs: its input, or the shard it is gathered
    /// from.
    void keep_input(Operator& op, int input) const;

    void add_fused_adapter(std::string_view name, int input, int output, double tokens, double rows,
                           double columns);
    [[nodiscard]] double adapter_reads(double input, double work) const;
    [[nodiscard]] double adapter_adds(double output, double work) const;
    void read_input(int input, double elements, double work, double cast);
    /// The LoRA pair A [rank, columns], B [rows, rank] on a projection from `input` to `output`.
    void add_adapter(std::string_view name, int input, int output, double tokens, double rows,
                     double columns);
    /// The LoRA pairs on a parameter [experts, rows, columns] that a grouped product reads: the sum
    /// W + B A is made whole and lives until the backward pass (PEFT `target_parameters`).
    /// tokens: rows of `input`
    void add_parameter_adapter(int input, double tokens, double experts, double rows,
                               double columns);

private:
    /// Whether an operator of the block reads the tensor first among its inputs.
    [[nodiscard]] bool is_read(int tensor) const;
    /// Whether a compiler joins the block's elementwise operators.
    [[nodiscard]] bool is_compiled() const;
    /// Traffic of summing one more gradient of a tensor that several operators read: autograd reads
    /// two and writes one; a compiler reads it along with the others.
    [[nodiscard]] Bytes gradient_sum(int tensor) const;
    /// Adds that to the operator that made the tensor, unless the products that read it are one.
    void sum_gradient(int tensor);
    /// One target of DoRA: bytes of the adapter's products, of what W is read in, of the unit
    /// matrix.
    struct DoraShape {
        double tokens = 0;
        double rows = 0;
        double columns = 0;
        double work = 4;
        double read = 4;
        double eye = 4;
    };
    /// What DoRA keeps beside its adapter, and what lives until the module has run.
    struct DoraTensors {
        int weight = no_tensor;
        int base = no_tensor;
        int update = no_tensor;
        Bytes held;
    };
    /// Adds the norm of W + B A; `source` is what the adapter reads.
    DoraTensors add_weight_norm(const DoraShape& shape, int source);

    Block& block_;
    const PassShape& shape_;
    const Workload& workload_;
    const SoftwareProfile& software_;
    bool format_keeps_input_ = false;
    std::pair<int, int> gathered_{no_tensor, no_tensor};
    bool layer_norm_ = false;
    bool scales_fp32_ = false;
    bool keeps_norm_input_ = false;
    bool shares_casts_ = false;  ///< projections of one input are one product
    std::pair<int, int> cast_of_{no_tensor, no_tensor};
    bool fused_modules_ = false;  ///< the model's own: one module makes q, k, v, one gate and up
    std::array<int, 4> joint_adapter_{no_tensor, no_tensor, no_tensor,
                                      no_tensor};  ///< input, dropped copy, mask, output of A
};

/// Attention part of a layer (estimate/families/transformer/attention.cpp). `input` is the
/// normalised stream; returns the output of the output projection.
int add_attention(BlockBuilder& builder, const TransformerStack& tower, int input, bool sliding);
/// State in place of attention (estimate/families/transformer/state_mixer.cpp): input projection,
/// convolution, scan, output projection. Returns the output of the last.
int add_state_mixer(BlockBuilder& builder, const StateMixer& mixer, double hidden, int input);
/// Attention over the encoder's output (estimate/families/transformer/attention.cpp); `keys` tokens
/// of the encoder.
int add_cross_attention(BlockBuilder& builder, const TransformerStack& tower, int input,
                        double keys);
/// act(gate) * up over `elements` elements; `up` is no_tensor for a plain activation. Returns the
/// product (estimate/families/transformer/feed_forward.cpp).
int add_activation(BlockBuilder& builder, std::string_view kind, int gate, int up, double elements);
/// Feed-forward part of a layer, dense or mixture of experts
/// (estimate/families/transformer/feed_forward.cpp, experts.cpp).
int add_feed_forward(BlockBuilder& builder, const TransformerStack& tower, int input, double width);
int add_experts(BlockBuilder& builder, const TransformerStack& tower, int input);

/// One layer of a stack: norms, attention, feed-forward, residual adds
/// (estimate/families/transformer/transformer.cpp).
///
/// kind  `TransformerStack::layer_kind`
Block layer_block(const TransformerStack& tower, int kind, const PassShape& shape,
                  const Workload& workload, const SoftwareProfile& software);

}  // namespace ridgeline
