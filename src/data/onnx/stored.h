#pragma once

#include "data/onnx/model.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ridgeline::onnx {

constexpr std::size_t most_sides = 64;

/// Why a model is refused, with the operator or tensor that it is about: the first reason stands.
class Refusal {
public:
    struct Reason {
        std::string where;
        std::string why;
    };

    void refuse(std::string where, std::string why) {
        if (!reason_) {
            reason_ = Reason{std::move(where), std::move(why)};
        }
    }
    void check(const Fields& fields, const std::string& where) {
        if (fields.damaged()) {
            refuse(where, "damaged or cut off");
        }
    }
    [[nodiscard]] const std::optional<Reason>& reason() const { return reason_; }

private:
    std::optional<Reason> reason_;
};

/// Packed or single numbers of four or eight bytes, at most `most_values` in all.
void add_floats(const Fields& fields, std::uint64_t width, std::vector<double>& out);
/// A TensorProto; the numbers of a small one are kept, a payload of another size is refused.
Stored read_tensor(Fields fields, Refusal& refusal);
/// A SparseTensorProto: what is not zero, and the sides of the whole.
Stored read_sparse_tensor(Fields fields, Refusal& refusal);

}  // namespace ridgeline::onnx
