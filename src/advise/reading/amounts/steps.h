#pragma once

#include "advise/reading/words/sentence.h"

namespace ridgeline::reading {

void recognise_weights(Sentence& sentence);  ///< GGUF types
/// Tokens that are read and written in a period: "60M input and 12M output tokens per day".
void recognise_volumes(Sentence& sentence);
/// Users and lengths told by the words around a number: "25 calls at once".
void recognise_crowds(Sentence& sentence);
/// Prompts of a round and answers to each, of training by rewards.
void recognise_rounds(Sentence& sentence);
/// "a step under 10 minutes": the time that is allowed is that of one step of a training.
void recognise_step_limit(Sentence& sentence);
void recognise_amounts(Sentence& sentence);
/// "380 gCO2/kWh", "three racks of 40 kW": what a site's grid emits and how many racks it has. Before
/// hardware, whose memory the grams would be.
void recognise_sites(Sentence& sentence);
void settle_racks(Sentence& sentence);  ///< their number bounds nothing without a part
/// "doubles every 6 months" and when the load is asked of. Before times and shares.
void recognise_growth_periods(Sentence& sentence);
void recognise_growth(Sentence& sentence);
/// "faster than i read", "at reading speed": the pace that text is written at. Before phrases.
void recognise_reading_pace(Sentence& sentence);
void recognise_phrases(Sentence& sentence);
/// What was measured on one's own hardware and is to be judged, no limit: "9 s an image, is that
/// slow". After numbers.
void recognise_observed(Sentence& sentence);
/// Rates that are asked about by their form: "token by second".
void recognise_rates(Sentence& sentence);
/// "3 replicas", "4 finetunes in parallel".
void recognise_copies(Sentence& sentence);
/// Whether something says that runs happen together: "in parallel", "at the same time".
bool happen_together(const Sentence& sentence);
/// "how many replicas for 15 rps", "avg 4 of 10 replicas". After counts.
void recognise_replicas(Sentence& sentence);
/// One more of what is there: "adding a third card". After counts.
void recognise_additions(Sentence& sentence);
/// A round number that is left, as a side of a picture or a length of a text. After counts.
void recognise_bare_sizes(Sentence& sentence);
void recognise_spelling(Sentence& sentence);
/// "70b tokens per second": before what stands in front of a rate is how much is wanted.
void recognise_sizes_before_rates(Sentence& sentence);

}  // namespace ridgeline::reading
