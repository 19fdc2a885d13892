#pragma once

#include "base/result.h"
#include "data/file_tree.h"
#include "spec/architecture.h"

#include <string>
#include <string_view>
#include <vector>

namespace ridgeline {

/// Sides of an input that whoever runs a graph chooses: "pixels=1x3x224x224".
struct GivenShape {
    std::string input;
    std::vector<double> sides;
};

/// Reads `name=1x3x224x224`; `,` parts sides as well. errors  no name, a side that is no whole
/// number from 1 to 1e9
Result<GivenShape> shape_from_text(const std::string& text);

/// A graph of ONNX as an architecture of `network` type "onnx". Weights are skipped, not read; data
/// in files beside it is never opened.
///
/// shapes  of inputs; those that the file states are kept otherwise, and an open first side is 1
/// errors  no graph, a damaged one, a cycle, an operator whose sides do not go together (its name
/// is
///         in the error), an open side that nobody states
Result<Architecture> load_onnx(const TreePath& file, const std::vector<GivenShape>& shapes);

/// The same of a text in memory; `where` names it in errors.
Result<Architecture> onnx_from_text(std::string_view bytes, const std::string& where,
                                    const std::vector<GivenShape>& shapes);

}  // namespace ridgeline
