#pragma once

#include "estimate/work/program.h"

#include <algorithm>
#include <initializer_list>
#include <string_view>
#include <vector>

namespace ridgeline {

/// A map of one sample: channels, depth, height, width; tokens of a transformer are one row of
/// `width` positions. `id` is the storage that it lies in.
struct Map {
    int id = no_tensor;
    double channels = 0;
    double depth = 1;
    double height = 1;
    double width = 1;
    bool wide = false;  ///< its elements are those of `PassContext::norm_bytes`

    [[nodiscard]] double positions() const { return depth * height * width; }
    [[nodiscard]] double elements() const { return channels * positions(); }
};

/// Window of a convolution or a pooling: sides, steps, padding by axis (depth, height, width).
struct Window {
    double depth = 1, height = 1, width = 1;
    double stride_depth = 1, stride = 1, stride_width = 1;
    double pad_depth = 0, pad = 0, pad_width = 0;
    double dilation = 1;
    bool ceil = false;  ///< the last, partly filled window counts (pooling)

    static Window square(double side, double stride = 1, double pad = -1, double dilation = 1);
    static Window line(double side, double stride = 1, double pad = -1, double dilation = 1);
    static Window cube(double side, double stride = 1, double pad = -1);
};

/// Name of a 3x3 convolution of stride 1, which vector units compute with fewer products.
inline constexpr std::string_view winograd_convolution = "3x3 convolution";

/// Name of a convolution along one axis of many taps and stride 1.
inline constexpr std::string_view long_line_convolution = "long convolution";

/// Name of the gradient of a convolution's weight, called by itself.
inline constexpr std::string_view convolution_gradient = "convolution gradient";
inline constexpr std::string_view winograd_gradient = "3x3 convolution gradient";
inline constexpr std::string_view wide_convolution = "5x5 convolution";
inline constexpr std::string_view wide_gradient = "5x5 convolution gradient";

/// Name of the gradient of a convolution's input, called by itself, where no tiles save products.
inline constexpr std::string_view convolution_input_gradient = "convolution input gradient";

/// Name of passes over a map that an eager stack runs one by one and a compiler as part of the
/// kernel before them.
inline constexpr std::string_view joined_chain = "chain";

/// Name of a product with a factor for each channel, which is made from the whole map: torch's
/// compiler cannot join it to the kernel that made the map.
inline constexpr std::string_view channel_gate = "channel gate";

/// Name of the steps of a recurrent layer, which follow one another; its kernels count them.
inline constexpr std::string_view recurrent_steps = "recurrence";
inline constexpr std::string_view recurrent_weights = "weight gradient";

/// Name of an activation between two filters that hold their samples on the chip (StyleGAN3).
inline constexpr std::string_view filtered_activation = "filtered activation";

/// Name of reads of rows that lie in host memory.
inline constexpr std::string_view host_rows = "rows in host memory";

enum class ActivationKind {
    relu,    ///< in place: its output is what the next operator keeps
    smooth,  ///< SiLU, GELU, hardswish, ReLU6, leaky ReLU...: keeps its input as well
};

/// Precision and purpose of a pass, as far as a list of operators depends on it.
struct PassContext {
    double samples = 1;     ///< of the micro-batch
    double bytes = 4;       ///< of an activation element
    double norm_bytes = 4;  ///< of what layer norm, group norm and softmax compute in
    double adapter_bytes =
        0;  ///< of an adapter's weight; wider than `bytes`: its products run on casts
    bool training = true;
    bool flash = true;            ///< attention keeps no scores
    bool adds_to_scores = false;  ///< its kernel takes biases and masks of windows
};

/// Positions of a window along one axis; PyTorch's formula.
double steps_of(double side, double kernel, double stride, double pad, double dilation, bool ceil);

/// Lists the operators of a network layer by layer, with exact shapes, parameters, FLOPs (2 a
/// multiply-accumulate), traffic of eager kernels and what autograd keeps of each (PyTorch's
/// derivatives.yaml). A size that leaves no output is an error: see `problem`.
class NetworkBuilder {
public:
    NetworkBuilder(const PassContext& context, std::string_view name);

    /// Begins the next block, of about so many operators.
    void block(std::string_view name, std::size_t operators = 12);
    Map input(double channels, double height, double width, double depth = 1);

    Map convolution(const Map& in, double filters, const Window& window, double groups = 1,
                    bool bias = false);
    /// Output side (in - 1) stride - 2 pad + kernel + output_padding.
    Map transposed(const Map& in, double filters, const Window& window, bool bias = false,
                   double groups = 1, double output_padding = 0);
    Map batch_norm(const Map& in, bool affine = true);
    Map group_norm(const Map& in, bool affine = true);
    /// `own`: the parameters of one norm, 2 c unless said otherwise
    Map layer_norm(const Map& in, bool affine = true);
    Map rms_norm(const Map& in, bool affine = true);
    /// Of scores that are written out; keeps its result, which is wide under autocast.
    Map softmax(const Map& in);
    /// `copied`: it writes in place what autograd wants unchanged, of which it makes a copy first.
    Map activation(const Map& in, ActivationKind kind, bool copied = false);
    /// Cross entropy of the channels of every position, where it trains: scores stay, as a loop
    /// holds them (`held`), their softmax is kept in fp32, and each has a gradient.
    void pixel_loss(const Map& scores, bool held = true);
    Map max_pool(const Map& in, const Window& window);
    Map average_pool(const Map& in, const Window& window);
    Map global_pool(const Map& in);
    Map add(const Map& a, const Map& b);
    Map multiply(const Map& a, const Map& b);
    /// A factor for each channel that trains (layer scale).
    Map scale(const Map& in);
    Map concatenate(std::initializer_list<Map> maps);
    Map concatenate(const std::vector<Map>& maps);
    Map upsample(const Map& in, double factor);
    /// To a stated size, bilinear.
    Map resize(const Map& in, double height, double width);
    /// A product over the channels of every position.
    Map linear(const Map& in, double out, bool bias = true);
    /// All of a map as one vector.
    static Map flatten(const Map& in);
    /// Attention of `heads` heads over `groups` windows of the positions of q; keys and values have
    /// `keys` positions each window.
    /// `sources`: maps of keys and values that are none of q's storage; `fused`: scores are not
    /// kept.
    Map attention(const Map& q, double channels, double heads, double keys, double groups = 1,
                  std::initializer_list<Map> sources = {}, bool fused = true);
    /// A table of `rows` of which each position reads one.
    Map embedding(double rows, double width, double positions);
    /// A mask of dropout.
    Map dropout(const Map& in);
    /// An elementwise pass: reads `reads` maps and writes one; keeps `kept` maps of its size.
    Map pointwise(const Map& in, double reads, double kept, std::string_view name);
    /// One that autocast computes in the type of norms and that keeps what it reads: of a narrow
    /// map a wide copy.
    Map wide_pointwise(const Map& in, double reads, std::string_view name);
    /// Pointwise kernels after one another, each over the whole map: `passes` reads or writes of
    /// its size in all. A compiler makes them part of a neighbour.
    Map chain(const Map& in, double passes, double kernels, double kept = 0);
    /// An activation between two filters, to maps of that side: floating-point operations and bytes
    /// that are kept, of one sample.
    Map filtered(const Map& in, double side, double operations, double kept);
    /// A view of the same storage with other sides.
    static Map viewed(const Map& in, double channels, double height, double width);
    /// A new storage of that size (a permutation or padding that copies).
    Map copied(const Map& in, double channels, double height, double width);

    /// Parameters that no operator above states (class token, position table).
    void parameters(std::string_view name, double count);
    void buffers(double count) { network_.buffers += count; }
    /// What follows does not train and no gradient passes it, until `thaw`: it keeps nothing.
    void freeze() { trains_ = flows_ = false; }
    /// The weights that follow do not train, gradients pass: products keep no inputs.
    void freeze_weights() { trains_ = false; }
    void thaw() { trains_ = flows_ = true; }
    [[nodiscard]] bool trains() const { return trains_; }
    /// The weights that follow are those of an earlier call (heads over several levels), until
    /// false.
    void share(bool shared) {
        settle();
        shared_ = shared;
    }
    /// Statistics and scales of batch norm are constants: they neither train nor keep their input.
    void freeze_norms(bool frozen) { norms_frozen_ = frozen; }
    /// What follows computes and keeps fp32, until false.
    void in_full_precision(bool wide);
    /// Each sample has weights of its own: its convolution is a group of one kernel, for which
    /// there are no Winograd tiles; until false.
    void weigh_by_sample(bool own) { own_weights_ = own; }
    /// Bytes that the last operator's result is matched to the boxes of pictures with, in training.
    void match_boxes(double bytes);
    /// Adapters of rank `rank` beside the products that follow; 0: none.
    void adapt(double rank) { rank_ = rank; }
    /// No checkpoint is around the current block: it keeps what it keeps where others are computed
    /// again.
    void beside_checkpoints() { current().position = Block::Position::first; }
    /// Repeats the current block so often (weights of its own each time).
    void repeat(int count);
    /// Says what the last operator reads and makes.
    void flow(const Map& out, const Map* inputs, std::size_t count, bool passes = false);
    void flow(const Map& out, std::initializer_list<Map> inputs, bool passes = false) {
        flow(out, inputs.begin(), inputs.size(), passes);
    }
    /// Adds an operator as it is.
    Operator& add_operator(std::string_view name, Role role, OperatorClass operator_class);
    Map made(double channels, double depth, double height, double width);
    void keep(const Map& map, double bytes = 0);
    void keep_bytes(double bytes_per_sample);

    /// What is wrong with the sizes; empty when nothing is.
    [[nodiscard]] std::string_view problem() const { return problem_; }
    /// What a product keeps of its input: under autocast a narrow copy of a wide one, each its own.
    void keep_input(const Map& in);
    [[nodiscard]] const PassContext& context() const { return context_; }
    SubModel finish();

private:
    struct Storage {
        double bytes = 0;  ///< of the micro-batch
        bool kept = false;
        bool needs_gradient = false;
    };
    Block& current();
    void settle();
    void note_kept(int map, double bytes);
    /// A map of the sides and elements of another.
    Map like(const Map& in);
    /// A map that holds wide elements (autocast: what norms write, and sums with it).
    Map widened(Map map);
    /// Bytes that the last operator holds between its kernels; what it keeps holds them where it
    /// trains.
    void pass_through(double bytes);
    double bytes_of(const Map& map) const {
        return map.wide ? product_bytes(map) * std::max(1.0, context_.norm_bytes / context_.bytes)
                        : product_bytes(map);
    }
    /// What a product reads of it: of a wide map the narrow copy, which the norm has counted.
    double product_bytes(const Map& map) const {
        return map.elements() * context_.samples * context_.bytes;
    }
    void stream(Operator& op, double reads, double writes, double backward);
    Map normalised(const Map& in, double parameters, double bytes, std::string_view name);
    void adapter(const Map& in, const Map& out);
    [[nodiscard]] bool convolution_keeps(const Map& in) const;

    PassContext context_;
    SubModel network_;
    std::vector<Storage> storages_;
    double rank_ = 0;
    bool trains_ = true;  ///< weights get gradients
    bool flows_ = true;   ///< gradients pass
    bool shared_ = false;
    bool settled_ = true;  ///< the last operator is complete
    bool own_weights_ = false;
    bool wide_ = false;      ///< operators are in fp32 beside half ones
    double half_bytes_ = 0;  ///< of an element of those
    bool norms_frozen_ = false;
    bool input_needs_gradient_ = false;
    int operators_ = 0;
    Operator beyond_{};  ///< stands for what a list too long would add
    std::string_view problem_;
};

}  // namespace ridgeline
