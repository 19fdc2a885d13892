#pragma once

#include "spec/catalog.h"
#include "spec/workload_document.h"

#include <optional>
#include <string>
#include <vector>

namespace ridgeline {

/// Stacks over the usual one for one card that make the loss in pieces, so that the logits are
/// never whole: for tuning that the usual stack has no room for. Empty where the document names a
/// stack or no training.
std::vector<const SoftwareProfile*> lean_stacks(const Profiles& profiles,
                                                const WorkloadDocument& document);

/// Another way to do the same training: the same samples, method and optimizer in less memory.
struct LeanWay {
    std::string flags;  ///< as one would type it
    std::string words;  ///< "Unsloth", behind "with"
    WorkloadDocument document;
    bool on_host = false;  ///< the weights lie in host memory, which bounds no size here
};

/// A loss that never keeps all logits, and on one card the stacks that have one; empty for other
/// work than the training of text and where the document settles them.
std::vector<LeanWay> lean_ways(const Profiles& profiles, const WorkloadDocument& document,
                               const Architecture& architecture, int accelerators);

/// Adapters of a pipeline whose frozen blocks come from the host for their pass: --blocks_to_swap of
/// kohya's sd-scripts and musubi-tuner, and of diffusion-pipe, which all compute latents and
/// embeddings first, of clips too. Nothing: the document settles it, or trains no adapters.
std::optional<LeanWay> swapped_blocks(const Profiles& profiles, const WorkloadDocument& document,
                                      const Architecture& architecture);

/// The stack that answers with what its device holds and reads the rest from the host; null: none.
const SoftwareProfile* streaming_stack(const Profiles& profiles);

/// Other ways to a longer context: of training those above and the stacks that part a sequence over
/// cards, of serving one person llama.cpp, which takes all of a card; empty where the document
/// names a stack.
std::vector<LeanWay> context_ways(const Profiles& profiles, const WorkloadDocument& document,
                                  const Architecture& architecture, int accelerators);

}  // namespace ridgeline
