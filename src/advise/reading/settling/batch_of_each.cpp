#include "advise/reading/settling/asked_training.h"
#include "advise/reading/settling/steps.h"
#include "advise/reading/words/sentence.h"

#include <fmt/format.h>

// "batch size 1 on 4 cards": fewer sequences than cards are those of each, as stacks name them
// (per_device_train_batch_size), unless a global batch is spoken of.

namespace ridgeline::reading {

void settle_batch_of_each(Sentence& sentence) {
    Reading& reading = sentence.reading;
    const bool all = sentence.any_word("global total effective overall altogether");
    const bool shared = reading.tensor.value_or(1) > 1 || reading.pipeline.value_or(1) > 1;
    if (!reading.batch || reading.micro_batch || !reading.algorithm.empty() ||
        reading.task != Task::train || all || shared || reading.alternatives_of == "batch" ||
        *reading.batch >= reading.count.value_or(1)) {
        return;
    }
    sentence.assume(batch_of_each, std::to_string(*reading.batch),
                    fmt::format("of each of the {} accelerators, as they are more than the batch",
                                *reading.count));
}

}  // namespace ridgeline::reading
