#pragma once

#include "advise/reading/words/sentence.h"

#include <cstddef>
#include <optional>
#include <string_view>

namespace ridgeline::reading {

/// Units of numbers with a wrong letter: "8k promt".
void recognise_unit_spelling(Sentence& sentence);
/// Stacks of speech that are named like their model, before models are.
void recognise_speech_stacks(Sentence& sentence);
void recognise_models(Sentence& sentence);
void recognise_networks(Sentence& sentence);  ///< between nodes
/// The usual network of a task that is named without one: "object detection".
void settle_usual_model(Sentence& sentence);
/// Whether such a task begins at a token.
bool names_usual_model(const Sentence& sentence, std::size_t at);
/// Worlds of reinforcement learning without a language model: "atari", "mujoco", "dqn".
void recognise_environments(Sentence& sentence);
void recognise_datasets(Sentence& sentence);
/// The usual run of the network that is trained on so many samples as were said; none where it is
/// tuned: the pictures or hours that a network is made with tell no passes of another set.
std::optional<UsualRun> usual_run_on_set(const Reading& reading, bool tuned);
/// Of the usual run over a dataset; 0: none is usual, or the name is not known.
double usual_epochs(std::string_view dataset);
/// "with a 1b draft model", "speculative decoding": what proposes tokens. After models.
void recognise_drafts(Sentence& sentence);
/// "30 loras in vllm": held by an engine, none is trained. After phrases.
void recognise_served_adapters(Sentence& sentence);
/// Names of models with a wrong letter or two, before models are looked for.
void recognise_model_spelling(Sentence& sentence);
/// "a video diffusion model of 2b": a known one of about that size. After models.
void recognise_sized_diffusion(Sentence& sentence);
/// "1e24 flops": those of a run. Before phrases, since the word alone asks for a figure.
void recognise_operations(Sentence& sentence);
void recognise_sizes(Sentence& sentence);
/// "best coding model": the models of that purpose.
void recognise_purposes(Sentence& sentence);

}  // namespace ridgeline::reading
