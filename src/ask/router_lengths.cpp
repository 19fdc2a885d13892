#include "ask/router.h"
#include "base/text.h"
#include "estimate/families/families.h"
#include "estimate/resolve/resolve.h"

#include <fmt/format.h>

#include <algorithm>

// Lengths of texts that nobody said and that memory and pace rest on.

namespace ridgeline::ask {
namespace {

/// Where a length decides what fits it is told before all but what works: the model, the method.
void tell_length(Reading& reading, std::string field, std::string value, std::string why) {
    const bool decides = reading.intent == Intent::fit || reading.intent == Intent::memory ||
                         reading.intent == Intent::largest || reading.intent == Intent::hardware;
    const auto at = decides ? std::ranges::find_if_not(reading.assumed,
                                                       [](const AssumedField& each) {
                                                           return each.field == "model" ||
                                                                  each.field == "method" ||
                                                                  each.field == "tokens";
                                                       })
                            : reading.assumed.end();
    reading.assumed.insert(at, {std::move(field), std::move(value), std::move(why)});
}

/// Tokens of a sample that trains; 0: it is no text, or it writes its own answers.
int trained_length(const WorkloadDocument& document, const Architecture* model) {
    const bool rounds = document.preference && document.preference->generates();
    const bool text = model == nullptr ||
                      (!model->stacks.empty() && !has_program(*model) && !model->reads_images() &&
                       !model->reads_sound() && model->text().tokens == 0);
    const int usual = document.method.value_or(Method::full) == Method::full
                          ? usual_sequence_length
                          : usual_tuning_sequence;
    const int most = model != nullptr && model->max_positions > 0 ? model->max_positions : usual;
    return rounds || !text ? 0 : std::min(usual, most);
}

}  // namespace

void Router::assume_lengths() {
    const WorkloadDocument& document = asked_.query.workload;
    const Intent intent = reading_.intent;
    const bool sized = intent == Intent::largest && reading_.extreme == Extreme::model;
    const bool sought = intent == Intent::largest && reading_.extreme == Extreme::sequence;
    const bool no_work = intent == Intent::describe || intent == Intent::price ||
                         intent == Intent::own || (document.model_id.empty() && !sized);
    if (no_work || sought || reading_.sequence || reading_.counts_samples || reading_.hears) {
        return;
    }
    std::optional<Architecture> model;
    if (!document.model_id.empty()) {
        if (auto known = architecture_of(document, world_)) {
            model = std::move(*known);
        }
    }
    const int length =
        reading_.family_of_networks ? 0 : trained_length(document, model ? &*model : nullptr);
    // Steps were counted in samples of the usual length, which some models do not read.
    std::optional<double>& run = asked_.query.workload.duration_tokens;
    if (reading_.steps && run && assumed_of(reading_, "tokens") != nullptr && length > 0 &&
        length < usual_tuning_sequence) {
        run = *run * length / usual_tuning_sequence;
        forget_assumed(reading_, "tokens");
        assume(reading_, "tokens", format_count(*run),
               fmt::format("{:g} steps of {:g} sequences of {} tokens", *reading_.steps,
                           *run / *reading_.steps / length, length));
        reading_.flags = flags_of(reading_, asked_.query);
    }
    const bool both = !reading_.task && reading_.method.empty() &&
                      (intent == Intent::fit || intent == Intent::memory || sized);
    const bool serves = both || (sized && document.task == Task::inference);
    if (document.task == Task::train && !document.sequence_length && length > 0 &&
        assumed_of(reading_, "sequence") == nullptr) {
        const bool full = both || asked_.query.method_open;
        const bool longer =
            full && length < usual_sequence_length && (!model || model->max_positions > length);
        tell_length(
            reading_, "sequence", std::to_string(length),
            longer ? fmt::format("no length was said; full training: {}", usual_sequence_length)
                   : std::string("no length was said"));
    }
    if (serves && !reading_.input_tokens && length > 0 &&
        assumed_of(reading_, "input_tokens") == nullptr) {
        const Serving usual;
        tell_length(reading_, "input_tokens", fmt::format("{:g}", usual.input_tokens),
                    fmt::format("lengths were not said: {:g} tokens are written to each prompt",
                                usual.output_tokens));
    }
}

}  // namespace ridgeline::ask
