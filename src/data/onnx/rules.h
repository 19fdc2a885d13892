#pragma once

#include "data/onnx/model.h"
#include "spec/graph.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ridgeline::onnx {

/// What is known of a tensor while shapes are inferred.
struct Known {
    std::vector<double> sides;
    bool shaped = false;
    int type = 0;
    bool weight = false;                        ///< made of stored tensors alone
    double parameters = 0;                      ///< stored elements behind it
    std::optional<std::vector<double>> values;  ///< few numbers, in reading order

    [[nodiscard]] double elements() const {
        double product = 1;
        for (const double side : sides) {
            product *= side;
        }
        return product;
    }
};

/// An operator whose outputs are wanted. A rule fills `out` and `made`, or `problem`.
struct Call {
    const Node& node;
    std::vector<const Known*> in;  ///< null: absent
    std::vector<Known> out;
    GraphNode made;
    std::string problem;

    [[nodiscard]] const Known* input(std::size_t at) const {
        return at < in.size() ? in[at] : nullptr;
    }
    [[nodiscard]] bool has(std::size_t at) const { return input(at) != nullptr; }
    /// Sides of an input; none where it is absent, which is a problem.
    const std::vector<double>& sides(std::size_t at);
    /// Numbers of an input that shapes depend on; null where they are not known.
    [[nodiscard]] const std::vector<double>* values(std::size_t at) const;
    /// An attribute of whole numbers, or the numbers of an input (newer operator sets).
    [[nodiscard]] std::vector<double> numbers(std::string_view attribute, std::size_t input) const;
    /// An axis from the front; a problem where it is out of range.
    std::size_t axis(double stated, std::size_t rank);
    /// 1 for each of `rank` axes that is stated, else 0.
    std::vector<char> marked(const std::vector<double>& stated, std::size_t rank);
    /// Output `at` gets these sides and the type of the first input.
    void give(std::vector<double> sides, std::size_t at = 0);
    void fail(std::string why) {
        if (problem.empty()) {
            problem = std::move(why);
        }
    }
};

using Rule = void (*)(Call& call);

struct RuleOfType {
    GraphWork work = GraphWork::unknown;
    Rule rule = nullptr;
};

/// The rule of an operator's type; null for one that is not known.
const RuleOfType* rule_named(std::string_view type);

/// Fills values of the outputs where those of the inputs are known and few: what exporters leave of
/// shapes that they compute (Shape, Gather, Concat, Reshape).
void fold_values(Call& call);

/// Sides of both, as numpy joins them; empty and a problem where they do not go together.
std::vector<double> broadcast(Call& call, const std::vector<double>& a,
                              const std::vector<double>& b);

// Rules of windows and products.
void rule_convolution(Call& call);
void rule_transposed(Call& call);
void rule_pool(Call& call);
void rule_global_pool(Call& call);
void rule_matrix_product(Call& call);
void rule_gemm(Call& call);
void rule_quantized_product(Call& call);
void rule_einsum(Call& call);
void rule_recurrent(Call& call);
void rule_attention(Call& call);

// Rules of what moves and rearranges.
void rule_reshape(Call& call);
void rule_flatten(Call& call);
void rule_squeeze(Call& call);
void rule_unsqueeze(Call& call);
void rule_transpose(Call& call);
void rule_concatenate(Call& call);
void rule_split(Call& call);
void rule_slice(Call& call);
void rule_gather(Call& call);
void rule_gather_elements(Call& call);
void rule_gather_nd(Call& call);
void rule_expand(Call& call);
void rule_tile(Call& call);
void rule_pad(Call& call);
void rule_resize(Call& call);
void rule_depth_to_space(Call& call);
void rule_space_to_depth(Call& call);

}  // namespace ridgeline::onnx
