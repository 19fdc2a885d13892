#include "advise/comparisons/replies.h"
#include "ask/router.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

// Hardware that is weighed for each of several models: "5090 vs 4090 for llama 8b and sdxl".

namespace ridgeline::ask {
namespace {

/// Opens the fields of the reading that were filled because of its model.
void open_assumed(Reading& reading) {
    const auto open = [&](std::string_view field) {
        const bool filled = assumed_of(reading, field) != nullptr;
        forget_assumed(reading, field);
        return filled;
    };
    const auto empty = [&](std::string_view field, auto& value) {
        if (open(field)) {
            value = {};
        }
    };
    empty("concurrency", reading.concurrency);
    empty("input_tokens", reading.input_tokens);
    if (open("output_tokens")) {
        reading.output_tokens.reset();
        reading.input_tokens.reset();
    }
    empty("sequence", reading.sequence);
    empty("image_size", reading.image_size);
    empty("method", reading.method);
    empty("framework", reading.framework);
    empty("quantization", reading.quantization);
    reading.counts_samples = reading.answers_at_once = false;
    reading.answered_in_one_pass = reading.in_batches = false;
}

/// The question about one of its models alone.
Reading read_for(const Reading& reading, const std::string& model) {
    Reading one = reading;
    one.alternatives.clear();
    one.alternatives_of.clear();
    if (model != reading.model) {
        open_assumed(one);
        one.model = model;
        one.stands_for.clear();
    }
    return one;
}

/// Whether the answer has a rate of the part, which holds the model then.
bool holds(const Answer& answer, const std::string& part) {
    return std::any_of(answer.values.begin(), answer.values.end(),
                       [&](const AnswerValue& value) { return value.of.ends_with(" x " + part); });
}

/// What decides over all models: the one side that holds each of them, else the one that is chosen
/// for each; empty: neither is.
struct Decision {
    std::string words;
    const Answer* of = nullptr;
};

Decision decision_of(const std::vector<Answer>& answers, const std::vector<std::string>& models,
                     const Catalog& catalog) {
    const auto name = [&](const std::string& id) {
        const Accelerator* part = catalog.accelerator(id);
        return part == nullptr ? id : part->name;
    };
    const std::string all = models.size() == 2 ? "both" : "all of them";
    for (const Answer& answer : answers) {
        const std::string part = answer.choice ? answer.choice->accelerator : "";
        const auto held = std::count_if(answers.begin(), answers.end(),
                                        [&](const Answer& each) { return holds(each, part); });
        const bool alone =
            answer.values.size() == 1 && held == static_cast<std::ptrdiff_t>(answers.size());
        if (alone) {
            return {fmt::format("{} holds {}, the other does not. ", name(part), all), &answer};
        }
    }
    const bool chosen = std::all_of(answers.begin(), answers.end(), [&](const Answer& each) {
        return each.choice && answers.front().choice &&
               each.choice->accelerator == answers.front().choice->accelerator;
    });
    return chosen ? Decision{fmt::format("{} for {}. ", name(answers.front().choice->accelerator),
                                         all),
                             &answers.front()}
                  : Decision{};
}

}  // namespace

Result<Answer> Router::compare_for_each() {
    const std::vector<std::string> models = reading_.alternatives;
    std::vector<Answer> answers;
    std::string words;
    for (const std::string& model : models) {
        Reading one = read_for(reading_, model);
        WorkloadDocument document;
        document.task = Task::inference;
        document.model_id = one.estimated_model();
        if (const auto architecture = completed(document, world_); architecture) {
            suit_to_network(one, *architecture, world_.profiles);
        }
        auto answer = reply_compare(one, query_of(one), tools_);
        if (!answer) {
            return answer;
        }
        words += (words.empty() ? "" : " ") + answer->headline;
        answers.push_back(std::move(*answer));
    }
    const Decision decision = decision_of(answers, models, world_.catalog);
    Answer reply = decision.of == nullptr ? answers.front() : *decision.of;
    reply.values.clear();
    for (std::size_t k = 0; k < answers.size(); ++k) {
        for (AnswerValue value : answers[k].values) {
            value.of = models[k] + " on " + value.of;
            reply.values.push_back(std::move(value));
        }
    }
    reply.headline = decision.words + words;
    return reply;
}

}  // namespace ridgeline::ask
