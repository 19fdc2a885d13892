#include "advise/reading/hardware/makers.h"
#include "advise/reading/hardware/offload_asked.h"
#include "advise/reading/hardware/possession.h"
#include "advise/reading/hardware/settings.h"
#include "advise/reading/hardware/steps.h"
#include "advise/reading/models/steps.h"
#include "advise/reading/models/usual_language.h"
#include "advise/reading/numbers/count_words.h"
#include "advise/reading/numbers/units.h"
#include "advise/reading/settling/steps.h"
#include "advise/reading/words/negation.h"
#include "base/text.h"
#include "spec/words.h"

#include <fmt/format.h>

#include <algorithm>

// From marks to fields, in the order in which one rests on another.

namespace ridgeline::reading {
namespace {

/// A run whose length is told by the size of its model: "chinchilla optimal", "100 tokens per
/// param".
void settle_ratio(Sentence& sentence) {
    Reading& reading = sentence.reading;
    const bool optimal = sentence.asks("chinchilla");
    reading.tokens_per_parameter = sentence.tokens_per_parameter;
    if (reading.tokens || (!optimal && !sentence.tokens_per_parameter)) {
        return;
    }
    for (const std::string& piece : split(reading.model, '-')) {
        if (const auto size = parameters_in(piece); size && !reading.tokens) {
            const double ratio = sentence.tokens_per_parameter.value_or(chinchilla_tokens);
            reading.tokens = ratio * *size;
            sentence.assume("tokens", format_count(*reading.tokens),
                            fmt::format("{:g} tokens for each parameter{}", ratio,
                                        sentence.tokens_per_parameter ? "" : " (Chinchilla)"));
        }
    }
}

/// "serve 3 loras on one base": adapters that are served are not trained.
void drop_served_adapters(Sentence& sentence) {
    const auto trains = [&](const Mark& mark) {
        return mark.means == Means::tune ||
               (mark.means == Means::train && !is_any(sentence.word(mark.at), "loras adapters"));
    };
    if (sentence.has(Means::serves_many) && std::ranges::none_of(sentence.marks, trains)) {
        std::erase_if(sentence.marks, [](const Mark& mark) { return mark.means == Means::train; });
    }
}

/// "rlhf-free", "no ppo": a way of training that is ruled out.
void drop_denied_algorithms(Sentence& sentence) {
    for (Mark& mark : sentence.marks) {
        if (mark.means != Means::train || !algorithm_named(mark.value)) {
            continue;
        }
        const std::size_t behind = mark.at + mark.length;
        const bool less = behind < sentence.tokens.size() &&
                          sentence.tokens[behind].gap == Gap::joint &&
                          is_any(sentence.word(behind), "free less");
        if (less || is_ruled_out(sentence, mark.at)) {
            mark.value = {};
            sentence.claim(behind, less ? 1 : 0);
        }
    }
}

/// "dont need low latency, the cheapest", "latency doesnt matter": an aim, or a figure, that is
/// spoken of because it is not wanted.
void drop_unwanted_aims(Sentence& sentence) {
    const bool serves = std::ranges::any_of(sentence.marks, [&](const Mark& mark) {
        return mark.means == Means::ask && is_any(mark.value, "latency ttft tpot throughput") &&
               is_unwanted_aim(sentence, mark.at, mark.length);
    });
    std::erase_if(sentence.marks, [&](const Mark& mark) {
        const bool figure =
            mark.means == Means::ask &&
            is_any(mark.value, "latency whole_request ttft tpot throughput how_fast duration");
        return (figure || mark.means == Means::objective) &&
               is_unwanted_aim(sentence, mark.at, mark.length);
    });
    if (serves) {
        sentence.marks.push_back({Means::infer, "weak", 0, 1});  // of such work they are spoken
    }
}

/// "the most expensive gpu": a wish that nothing here follows, no question of what the work costs.
void drop_dearest(Sentence& sentence) {
    for (std::size_t i = 0; i + 2 < sentence.tokens.size(); ++i) {
        if (sentence.word(i) != "most" ||
            !is_any(sentence.word(i + 1), "expensive costly pricey") ||
            !is_gpu_word(sentence.word(i + 2))) {
            continue;
        }
        std::erase_if(sentence.marks, [&](const Mark& mark) {
            return mark.means == Means::ask && mark.at >= i && mark.at <= i + 1;
        });
        sentence.claim(i, 2);
        sentence.reading.unweighed.emplace_back(
            "the wish for the dearest (what does the work for least is sought)");
    }
}

/// "distill: generate 500M tokens with deepseek-r1": of the two halves that is the teacher's, which
/// writes; the pupil is told by a size that it is distilled into.
void drop_distilling(Sentence& sentence) {
    constexpr std::string_view distills =
        "distill distil distilling distilled distillation distilation";
    const bool writes = sentence.any_word("generate generating generated write writing produce") &&
                        sentence.any_word("tokens samples answers responses traces") &&
                        !sentence.any_word("into");
    std::erase_if(sentence.marks, [&](const Mark& mark) {
        return writes && mark.means == Means::train && is_any(sentence.word(mark.at), distills);
    });
}

/// "we pay an API $4k a month, would own GPUs be cheaper": a model of text, of which neither name
/// nor size nor hardware was said.
void suppose_model_of_api(Sentence& sentence) {
    Reading& reading = sentence.reading;
    if (!asks(reading, "api") || !reading.model.empty() || !reading.family.empty() ||
        !sentence.mentions.empty() || !sentence.products.empty() || reading.kernel ||
        reading.audio_s || reading.memory_gib || sentence.has(Means::train) ||
        sentence.has(Means::tune)) {
        return;
    }
    // Such a sum is the subscription of one person, whose own would be a card at home.
    constexpr double most_of_one_person = 100;
    if (reading.api_usd_per_month.value_or(most_of_one_person + 1) <= most_of_one_person) {
        reading.model = "8b";
        reading.home = true;
        sentence.assume("model", reading.model,
                        "what a subscription serves cannot be had: a small one, for one person");
        reading.unweighed.emplace_back(
            "the quality of the answers (a model of 8B at home writes worse than what a "
            "subscription serves)");
        return;
    }
    reading.model = "70b";
    sentence.assume("model", reading.model,
                    "which one the API serves was not said: a size that many host instead");
}

/// "is one a100 80 fine or should we shard", "would 2x 3090 be plenty": whether what is named will
/// do is asked.
void judge_what_is_named(Sentence& sentence) {
    constexpr std::size_t farthest = 5;
    for (const Mention& mention : sentence.mentions) {
        std::size_t at = mention.end;
        while (at < mention.end + farthest && sentence.follows(at) &&
               (is_any(sentence.word(at), "be gpu gpus card cards gb already") ||
                has_digit(sentence.word(at)))) {
            ++at;
        }
        const bool judged =
            sentence.follows(at) && is_any(sentence.word(at), "fine plenty alright");
        const std::size_t from = clause_start(sentence, mention.at, farthest);
        if (judged && near_words(sentence, from, mention.at, "is are would will should")) {
            sentence.marks.push_back({Means::ask, "strong_fit", at, 1});
            sentence.claim(at);
        }
    }
}

/// "how big a machine is a dgx h100", "how large a pc case": the size of what is named is asked, no
/// hardware is looked for.
void settle_size_of_named(Sentence& sentence) {
    for (Mark& mark : sentence.marks) {
        const std::size_t end = mark.at + mark.length;
        if (mark.means != Means::ask || mark.value != "hardware" ||
            sentence.word(mark.at) != "how" || !is_any(sentence.word(mark.at + 1), "big large") ||
            !sentence.follows(end)) {
            continue;
        }
        const bool outside = is_any(sentence.word(end), "case tower chassis");
        const std::size_t named = past_words(sentence, end + 1, "a an the one my our");
        const bool is_it = is_any(sentence.word(end), "is are") &&
                           std::ranges::any_of(sentence.mentions, [&](const Mention& each) {
                               return each.at == named;
                           });
        if (outside || is_it) {
            mark.value = "size_of";
            mark.length = 2;
        }
    }
}

}  // namespace

void apply_marks(Sentence& sentence) {
    judge_what_is_named(sentence);
    settle_size_of_named(sentence);
    drop_denied_algorithms(sentence);
    drop_unwanted_aims(sentence);
    drop_dearest(sentence);
    drop_distilling(sentence);
    drop_served_adapters(sentence);
    settle_usual_model(sentence);
    suppose_model_of_api(sentence);
    if (settle_language_model(sentence)) {
        weigh_hardware_for_models(sentence);
    }
    settle_ratio(sentence);
    settle_asked_offload(sentence);
    settle_kept_on_card(sentence);
    take_settings(sentence);
    take_makers(sentence);
    take_owned(sentence);
    take_replacement(sentence);
    settle_task(sentence);
    recognise_beside(sentence);
    weigh_links(sentence);
}

}  // namespace ridgeline::reading
