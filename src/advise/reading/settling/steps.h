#pragma once

#include "advise/reading/words/sentence.h"

namespace ridgeline::reading {

void recognise_unknown_parts(Sentence& sentence);
/// Settings whose words are names of parts and models elsewhere: weights that lie in the host's
/// memory in part, modules of adapters.
void recognise_early_settings(Sentence& sentence);
/// Sharding, degrees of parallelism, checkpointing; percentiles of times.
void recognise_plan_words(Sentence& sentence);
/// Single parts of a model's memory: "adamw states", "gguf size", "host ram".
void recognise_memory_parts(Sentence& sentence);
/// Settings of which several values, or one and its lack, are compared: "batch 8 vs 32", "with and
/// without flash attention".
bool recognise_settings_compared(Sentence& sentence);
void recognise_unknown_names(Sentence& sentence);
/// What no data tells: export rules, lead times, redundancy, cooling.
void recognise_unweighed(Sentence& sentence);
/// "which micro-batch and accumulation": after the batch of a step that is told.
void recognise_asked_batch(Sentence& sentence);
/// "most users", "how far can i push context".
void recognise_extremes(Sentence& sentence);
void recognise_alternatives(Sentence& sentence);
/// "5090 vs 4090 for llama 8b and sdxl": whether hardware is weighed for each of several models.
bool weigh_hardware_for_models(Sentence& sentence);
/// "OOM ..., what do i change": after phrases.
void recognise_levers(Sentence& sentence);
/// "ep3": epochs where the model is no mixture of experts. Once the model is known.
void settle_glued_degree(Sentence& sentence);
/// "which zero stage", "best tensor parallel size": every way is compared.
void recognise_asked_plans(Sentence& sentence);
/// A batch smaller than the number of cards is that of each.
void settle_batch_of_each(Sentence& sentence);
/// What a code of scientific computing works in: "60 GB working set".
void settle_working_set(Sentence& sentence);
/// Other work at the same time: "run whisper and llama 8b together". After tasks.
void recognise_beside(Sentence& sentence);
void tell_beside(Sentence& sentence);  ///< once the intent is known
void apply_marks(Sentence& sentence);
/// A number of tokens whose scale is not known is refused, one that differs between languages told.
/// After all amounts.
void tell_scale(Sentence& sentence);
/// Names that were not understood in the words of the question. After all that asks for them.
void tell_typed_words(Sentence& sentence);
void decide_intent(Sentence& sentence);
void settle_method(Sentence& sentence);  ///< with its stack and the types of stored weights
void settle(Sentence& sentence);
/// Training or serving, and the method.
void settle_task(Sentence& sentence);
/// Lengths of requests, how many run at once, how long an answer may take.
void settle_serving(Sentence& sentence);
/// Parts, counts and sides of the hardware that was named, with what is told of them.
void settle_parts(Sentence& sentence);
/// Memory of the host alone is what a processor works in.
void settle_host(Sentence& sentence);
/// A memory that was said apart ("4 v100s of 32gb") chooses among the forms of a part that differ
/// in it.
void settle_memory(Sentence& sentence);
/// The nearest known name of the first that is not.
void add_neighbour(Sentence& sentence);
/// What is to be bought must be: used or new, a card, a laptop; whether noise is spoken of
/// (attribute "noise").
void settle_wishes(Sentence& sentence);
/// A stack that has builds for one maker's parts alone says whose they are: "with mlx" is a Mac.
void take_maker_of_stack(Sentence& sentence, const std::string& framework);
/// "second hand", "refurbished": used, in words that say it of hardware alone.
bool says_second_hand(const Sentence& sentence);

}  // namespace ridgeline::reading
