#pragma once

#include "estimate/families/transformer/block_builder.h"
#include "estimate/work/operator.h"

namespace ridgeline {

/// Blocks of the stacks before the text stack, which the operator list takes after the embedding:
/// the encoder of an encoder-decoder model and the vision tower of CLIP run on every sample; the
/// vision tower of a causal language model is held but does not run on text.
void append_side_stacks(OperatorList& list, const Architecture& architecture,
                        const PassShape& shape, const Workload& workload,
                        const SoftwareProfile& software);

/// Adds what lies outside every layer (patch embeddings, poolers, projectors, relative position
/// tables) to the embedding block.
void append_extra_parameters(Block& embedding, const Architecture& architecture,
                             const PassShape& shape, const Workload& workload);

/// The multi-token prediction layers after the last: a layer of the stack, the product that joins
/// the streams, three norms, a table and a head of their own.
void append_prediction_layers(OperatorList& list, const Architecture& architecture,
                              const PassShape& shape, const Workload& workload,
                              const SoftwareProfile& software);

/// Shape of the text stack: the decoder of an encoder-decoder model starts from one token after the
/// encoder has read the prompt, and attends to the encoder's output. Served, the tokens of the
/// request's input are the encoder's and those of its output the decoder's.
PassShape shape_of_text(const Architecture& architecture, const PassShape& shape,
                        const Workload& workload);

/// Tokens of a stack in one pass: its own fixed length, or the workload's.
PassShape shape_of_stack(const TransformerStack& tower, const PassShape& shape);

}  // namespace ridgeline
