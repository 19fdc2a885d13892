#pragma once

#include "data/load_onnx.h"
#include "data/onnx/model.h"
#include "spec/graph.h"

namespace ridgeline::onnx {

/// The operators of a model with the sides of every tensor, in an order in which each comes after
/// what it reads. What depends on stored tensors alone is worked out before the network runs and
/// is no operator.
///
/// errors  see load_onnx
Result<GraphNetwork> shaped(const Model& model, const std::vector<GivenShape>& given,
                            const std::string& where);

}  // namespace ridgeline::onnx
