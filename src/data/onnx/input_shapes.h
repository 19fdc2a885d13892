#pragma once

#include "base/result.h"
#include "data/load_onnx.h"
#include "data/onnx/model.h"
#include "data/onnx/rules.h"

#include <string>
#include <unordered_map>
#include <vector>

namespace ridgeline::onnx {

/// Elements that no tensor has more of.
inline constexpr double most_elements = 1e12;

/// Sides of the inputs of a graph: as the file states them, as the user does (--shape), and by
/// names that several inputs share.
class InputShapes {
public:
    /// The arguments outlive it.
    InputShapes(const Model& model, const std::vector<GivenShape>& given, const std::string& where);

    /// Gives an input its sides; a first side that is open is one sample.
    Result<void> bind(const Value& input, Known& known);
    /// errors  --shape names what is no input
    [[nodiscard]] Result<void> check_given(const std::vector<std::string>& inputs) const;
    /// Sides as the exporter stated them, with names bound as inputs bound them; false: it did not.
    bool stated(const std::string& name, Known& known) const;

private:
    [[nodiscard]] tl::unexpected<Error> refuse(const std::string& who, std::string why,
                                               std::string hint = {}) const;
    [[nodiscard]] const GivenShape* given(const std::string& input) const;
    /// Of a side that the user does not state; -1: open.
    [[nodiscard]] double usual_side(const Side& side, std::size_t at) const;

    const std::vector<GivenShape>& given_;
    const std::string& where_;
    std::unordered_map<std::string, const Value*> stated_;
    std::unordered_map<std::string, double> bound_;
};

}  // namespace ridgeline::onnx
