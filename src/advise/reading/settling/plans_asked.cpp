#include "advise/reading/numbers/units.h"
#include "advise/reading/settling/steps.h"
#include "advise/reading/words/sentence.h"
#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>

// How a model is to be shared, where the question leaves it to the answer: "which zero stage",
// "best tensor parallel size for 8 cards". Every way is estimated, and the best is told.

namespace ridgeline::reading {
namespace {

/// Tokens from `at` on that name what is asked for: "tp size", "tensor parallel degree", "zero
/// stage"; 0: they are others.
std::size_t noun_at(const Sentence& sentence, std::size_t at, bool zero) {
    std::size_t end = at;
    if (zero) {
        end += is_any(sentence.word(end), "deepspeed fsdp") && sentence.word(end + 1) == "zero" ? 1
                                                                                                : 0;
        if (sentence.word(end) != "zero") {
            return 0;
        }
        ++end;
        return is_any(sentence.word(end), "stage level stages") ? end + 1 - at : 0;
    }
    if (sentence.word(end) == "tp") {
        ++end;
    } else if (is_any(sentence.word(end), "tensor model") &&
               is_any(sentence.word(end + 1), "parallel parallelism")) {
        end += 2;
    } else {
        return 0;
    }
    end += is_any(sentence.word(end), "size degree setting value count") ? 1 : 0;
    return is_digit(sentence.word(end).empty() ? 'x' : sentence.word(end).front()) ? 0 : end - at;
}

/// Whether the words before token `at` ask which: "what", "best", "optimal", "which ... should i".
bool is_asked(const Sentence& sentence, std::size_t at, std::size_t end) {
    constexpr std::size_t farthest = 3;
    if (near_words(sentence, at - std::min(at, farthest), at, which_words)) {
        return true;
    }
    // "tp size for 70b on 8 l40s?", "deepspeed zero stage for 7b": nothing else is asked.
    const bool first = at <= 1 || sentence.word(at - 1) == "and";
    const bool alone = first && is_any(sentence.word(end), "for to should on with");
    return alone && !sentence.asks("throughput ttft tpot latency duration fit strong_fit memory");
}

int cards_of(const Sentence& sentence) {
    int most = sentence.loose_count.value_or(0);
    for (const Mention& each : sentence.mentions) {
        most = std::max(most, each.count.value_or(0));
    }
    return most;
}

void compare_ways(Sentence& sentence, std::size_t at, std::size_t length, bool zero) {
    Reading& reading = sentence.reading;
    if (zero) {
        reading.alternatives = {"zero1", "zero2", "zero3"};
        reading.alternatives_of = "sharding";
        reading.sharding = "zero1";
        sentence.marks.push_back({Means::train, "", at, length});
    } else {
        constexpr int node = 8;  // a layer is shared within one
        for (int degree = 1; degree <= std::min(node, cards_of(sentence)); degree *= 2) {
            reading.alternatives.push_back(fmt::format("tp{}", degree));
        }
        reading.alternatives_of = "tensor";
        reading.tensor = 1;
    }
    sentence.claim(at, length);
    sentence.weighs_plans = true;
}

}  // namespace

void recognise_asked_plans(Sentence& sentence) {
    Reading& reading = sentence.reading;
    const bool open = reading.alternatives.empty() && !reading.model.empty() &&
                      sentence.mentions.size() == 1 && cards_of(sentence) > 1 &&
                      !sentence.asks("largest_sequence largest_users largest_batch");
    for (std::size_t i = 0; open && i < sentence.tokens.size() && !sentence.weighs_plans; ++i) {
        for (const bool zero : {true, false}) {
            const bool told = zero ? !sentence.shardings.empty() : !sentence.degrees.empty();
            const std::size_t length = told ? 0 : noun_at(sentence, i, zero);
            if (length > 0 && is_asked(sentence, i, i + length) && !sentence.weighs_plans) {
                compare_ways(sentence, i, length, zero);
            }
        }
    }
}

void settle_glued_degree(Sentence& sentence) {
    Reading& reading = sentence.reading;
    const auto model = sentence.named_architecture();
    const bool mixture =
        model && std::ranges::any_of(model->stacks, [](const TransformerStack& stack) {
            return stack.moe.has_value();
        });
    const bool dense = model ? !mixture : parameters_in(reading.model).has_value();
    if (reading.expert_parallel.value_or(1) <= 1 || !dense) {
        return;
    }
    for (const Token& token : sentence.tokens) {
        const std::string_view number =
            token.text.starts_with("ep") ? std::string_view(token.text).substr(2) : "";
        const auto amount = all_digits(number) ? amount_in(number) : std::nullopt;
        if (amount && amount->value == *reading.expert_parallel) {
            reading.expert_parallel.reset();
            reading.epochs = reading.epochs.value_or(amount->value);
            return;
        }
    }
}

}  // namespace ridgeline::reading
