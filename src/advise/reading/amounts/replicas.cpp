#include "advise/reading/amounts/steps.h"
#include "advise/reading/words/sentence.h"

#include <fmt/format.h>

#include <cmath>

// Replicas that a load takes, and how many of them run in the mean: what is counted there is
// hardware.

namespace ridgeline::reading {
namespace {

/// "how many replicas of qwen2.5-7b on a10g for 15 rps": as many as the load takes, no more than
/// fit.
void count_copies_for_load(Sentence& sentence) {
    if (!sentence.reading.requests_per_s || sentence.mentions.empty()) {
        return;
    }
    for (Mark& mark : sentence.marks) {
        if (mark.means == Means::ask && mark.value == "largest_copies") {
            mark.value = "hardware";
        }
    }
}

/// "autoscale 2 to 10 a10g, avg 4", "average 4 replicas of a10g": how many run in the mean are
/// paid.
void match_mean_count(Sentence& sentence) {
    const bool paid =
        sentence.asks("price per_month cost how_much") && sentence.reading.model.empty();
    for (std::size_t i = 0; paid && !sentence.mentions.empty() && i < sentence.tokens.size(); ++i) {
        if (!is_any(sentence.word(i), "avg average averaging mean typically usually")) {
            continue;
        }
        std::size_t at = i + 1;
        at += is_any(sentence.word(at), "of about around is") ? 1 : 0;
        const auto measure = measure_at(sentence, at);
        const std::size_t end = at + (measure ? measure->length : 0);
        const bool counts = measure && measure->unit.empty() && measure->value >= 1 &&
                            measure->value == std::floor(measure->value);
        const bool of_parts =
            end >= sentence.tokens.size() || !sentence.follows(end) ||
            is_any(sentence.word(end),
                   "replicas replica copies gpus cards instances nodes machines running active up");
        if (!counts || !of_parts) {
            continue;
        }
        for (Mention& mention : sentence.mentions) {
            mention.count = static_cast<int>(measure->value);
        }
        sentence.least_count.reset();
        sentence.between_counts = false;
        sentence.reading.copies.reset();
        sentence.claim(i, end - i);
        sentence.assume("count", fmt::format("{:g}", measure->value), "as many as run in the mean");
        return;
    }
}

}  // namespace

void recognise_replicas(Sentence& sentence) {
    count_copies_for_load(sentence);
    match_mean_count(sentence);
}

}  // namespace ridgeline::reading
