#include "advise/reading/amounts/pictures.h"
#include "advise/reading/models/shapes.h"
#include "advise/reading/numbers/units.h"
#include "advise/reading/settling/steps.h"
#include "advise/reading/words/negation.h"
#include "advise/reading/words/sentence.h"
#include "spec/words.h"

#include <algorithm>

// Whether a question is about training or serving, and by which method: how strongly its words
// speak for each.

namespace ridgeline::reading {
namespace {

/// What naming a stack says of the work.
bool serves(const Sentence& sentence) {
    const SoftwareProfile* profile =
        sentence.vocabulary.profiles.software_profile(sentence.reading.framework);
    return profile != nullptr && profile->serves;
}

bool trains(const Sentence& sentence) {
    const SoftwareProfile* profile =
        sentence.vocabulary.profiles.software_profile(sentence.reading.framework);
    return profile != nullptr && profile->trains;
}

bool served_type(std::string_view quantization) {
    return quantization == "gguf" || quantization == "exl2" || quantization == "awq-int4" ||
           quantization == "gptq-int4" || quantization.starts_with("q") ||
           quantization.starts_with("iq");
}

/// How strongly the words speak for training and for serving.
struct Evidence {
    bool trains = false;
    bool trains_weakly = false;  ///< "a fine-tuned model", a batch, a sequence
    bool batches = false;        ///< the largest batch is asked for
    bool serves = false;
    bool serves_weakly = false;  ///< "run", a type of weights
    bool length = false;         ///< a context or the length of a sequence alone
};

/// "images at 30 steps": steps in which a picture is made, none of training.
bool denoises(const Sentence& sentence) {
    constexpr double most_steps = 150;
    return sentence.reading.steps.value_or(most_steps + 1) <= most_steps &&
           (sentence.asks("images") || makes_pictures(sentence) ||
            sentence.any_word("image images picture pictures pics clip video")) &&
           !sentence.has(Means::train) && !sentence.has(Means::tune);
}

/// "llama 3.1 70b chat": apart from the name it says what the model is for, in "llama-2-7b-chat"
/// which of two it is.
bool is_chatted_with(const Sentence& sentence) {
    for (std::size_t i = sentence.model_at + 1;
         i < sentence.model_end + 1 && i < sentence.tokens.size(); ++i) {
        if (sentence.word(i) == "chat" && sentence.tokens[i].gap == Gap::space) {
            return true;
        }
    }
    return false;
}

bool makes_vectors(const Sentence& sentence) {
    const auto model = sentence.named_architecture();
    return model && model->makes_vectors;
}

/// "largest batch of 512px images at once": a model of pictures that nobody trains makes them.
bool is_asked_for_pictures(const Sentence& sentence) {
    return makes_pictures(sentence) &&
           sentence.any_word("images image pictures pics generate generating") &&
           !sentence.has(Means::train) && !sentence.has(Means::tune);
}

/// "score 5M documents with a 7b reward model": what grades so many texts reads them.
bool scores_texts(const Sentence& sentence) {
    return sentence.reading.samples && !sentence.reading.epochs && !sentence.has(Means::tune) &&
           sentence.any_word("score scores scoring grade grading judge judging");
}

/// The judge of a kind of training, or of texts: its name alone trains nothing.
bool names_judge(const Sentence& sentence, const Mark& mark) {
    return mark.means == Means::train && sentence.word(mark.at) == "reward" &&
           scores_texts(sentence);
}

/// "dont suggest training, just inference": what is ruled out is not what is done.
bool denies_training(const Sentence& sentence, const Mark& mark) {
    return (mark.means == Means::train || mark.means == Means::tune) && mark.value.empty() &&
           is_ruled_out(sentence, mark.at);
}

/// What the words that are known say.
Evidence evidence_of_marks(const Sentence& sentence) {
    Evidence found;
    found.serves = scores_texts(sentence);
    for (const Mark& mark : sentence.marks) {
        if (names_judge(sentence, mark) || denies_training(sentence, mark)) {
            continue;
        }
        const bool past =
            is_any(sentence.word(mark.at + mark.length - 1), "tuned finetuned trained");
        if (mark.means == Means::train || mark.means == Means::tune) {
            (past ? found.trains_weakly : found.trains) = true;
        }
        if (mark.means == Means::attribute && mark.value == "step_time") {
            const auto model = sentence.named_architecture();
            (model && model->kind == ModelKind::diffusion ? found.serves_weakly : found.trains) =
                true;  // steps of a picture, or of a run
        }
        if (mark.means == Means::infer) {
            (mark.value.empty() ? found.serves : found.serves_weakly) = true;
        }
        if (mark.means == Means::ask) {
            found.serves =
                found.serves || is_any(mark.value, "ttft tpot kv_cache largest_users per_million");
            found.serves_weakly = found.serves_weakly ||
                                  is_any(mark.value, "throughput latency largest_sequence images");
            found.trains = found.trains || mark.value == "mfu" || mark.value == "largest_rank";
            found.batches = found.batches ||
                            (mark.value == "largest_batch" && !is_asked_for_pictures(sentence));
        }
    }
    return found;
}

/// Hours of a set that is named are learnt from, where no speech is written down.
bool learns_from_recordings(const Sentence& sentence) {
    return sentence.reading.audio_s && !sentence.reading.dataset.empty() &&
           !sentence.any_word("transcribe transcribing transcription asr recognize");
}

/// What only training has: an optimizer, epochs, a rank, a set, steps of no picture.
bool has_figures_of_training(const Sentence& sentence) {
    const Reading& reading = sentence.reading;
    // Of what is offloaded only training has an optimizer.
    const bool offloads_optimizer =
        reading.offload && sentence.any_word("optimizer optimiser adam full infinity");
    return sentence.any_word("kimg") ||                // of a GAN's run
           reading.model.ends_with("-pretraining") ||  // "bert-large-pretraining" took the word
           !reading.optimizer.empty() || trains(sentence) || reading.rank || reading.epochs ||
           (reading.samples && !sentence.any_word("items item")) ||  // items are not yet a set
           (reading.tokens && !reading.writes_tokens) || reading.micro_batch ||
           (reading.steps && !denoises(sentence)) || offloads_optimizer ||
           learns_from_recordings(sentence);
}

/// What only serving has: requests, prompts, answers in time, types of stored weights.
bool has_figures_of_serving(const Sentence& sentence) {
    const Reading& reading = sentence.reading;
    // "qwen3-embedding-4b 500M tokens": what makes vectors reads.
    const bool reads_alone = !reading.epochs && !sentence.has(Means::train) &&
                             !sentence.has(Means::tune) && makes_vectors(sentence);
    // "10 million embeddings" are made, prompts are answered, none is learnt.
    return serves(sentence) || reading.concurrency || reading.requests_per_s || reading.ttft_s ||
           reading.tpot_s || sentence.answer_s || served_type(reading.quantization) ||
           reading.output_tokens || reading.input_tokens || reading.writes_tokens || reads_alone ||
           (reading.audio_s && !learns_from_recordings(sentence)) ||
           sentence.any_word(
               "embeddings embed prompts requests queries rerank reranker "
               "reranking") ||
           reading.weight_bits || sentence.has(Means::processor);
}

/// What is usual of serving, unless training is spoken of.
bool hints_at_serving(const Sentence& sentence) {
    const Reading& reading = sentence.reading;
    // "why is a 70b so slow": what answers.
    const bool slow = sentence.any_word("why") && sentence.any_word("slow slowly sluggish");
    // "128k context at batch 1": one context is held; several of a length are learnt from.
    const bool one_context =
        reading.sequence && reading.batch.value_or(1) == 1 && sentence.any_word("context ctx");
    return (!reading.quantization.empty() && reading.quantization != "nf4") ||
           is_chatted_with(sentence) || ends_in_time(sentence) ||  // "flux dev on a 3090, time?"
           reading.copies ||                                       // "3 replicas"
           slow || one_context ||
           // "for edge video analytics": pictures that come in are looked at.
           sentence.any_word("analytics surveillance") || (reading.tensor && !reading.pipeline) ||
           reading.host_memory_gib;
}

/// "run crashed at 40%, 8b 1T tokens": "run" is a noun, and what is left of its tokens is learnt.
bool is_rest_of_training(const Sentence& sentence) {
    const Reading& reading = sentence.reading;
    return sentence.done_share > 0 && (reading.tokens || reading.steps) && !reading.writes_tokens &&
           !serves(sentence) && !reading.concurrency;
}

Evidence evidence_of(const Sentence& sentence) {
    const Reading& reading = sentence.reading;
    Evidence found = evidence_of_marks(sentence);
    found.trains =
        found.trains || (found.batches && !found.serves) || has_figures_of_training(sentence);
    found.serves = found.serves || has_figures_of_serving(sentence);
    found.serves_weakly = found.serves_weakly || hints_at_serving(sentence);
    if (is_rest_of_training(sentence)) {
        found.trains = true;
        found.serves = found.serves_weakly = false;
    }
    found.length = reading.sequence.has_value();
    // A batch of a model of pictures is made at once by one card, where no training is spoken of.
    const bool several_cards =
        std::ranges::any_of(sentence.mentions,
                            [](const Mention& each) { return each.count.value_or(1) > 1; }) ||
        sentence.loose_count.value_or(1) > 1;
    const bool made_at_once = makes_pictures(sentence) && (denoises(sentence) || !several_cards);
    (made_at_once ? found.serves_weakly : found.trains_weakly) |= reading.batch.has_value();
    return found;
}

/// "generate 50M synthetic tokens", "2B tokens of synthetic data": a pile that is made is written,
/// wherever in its clause that is said; one that is learnt "on" is read.
bool writes_a_pile(const Sentence& sentence) {
    if (!sentence.reading.tokens || sentence.has(Means::train) || sentence.has(Means::tune)) {
        return false;
    }
    constexpr std::size_t farthest = 6;
    constexpr std::string_view made =
        "generate generates generating generation generated produce produces producing write "
        "writing synthesize synthesise synthesizing synthesising synthetic synth completion";
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
        const std::size_t from = clause_start(sentence, i, farthest);
        if (is_any(sentence.word(i), "tokens token toks tok") &&
            !near_words(sentence, from, i, "on input prompt over read through") &&
            (near_words(sentence, from, i, made) ||
             (sentence.follows(i + 1) && near_words(sentence, i + 1, i + 4, made)))) {
            return true;
        }
    }
    return false;
}

bool joined_tasks(const Sentence& sentence) {
    // "training and inference", "train/serve"
    for (const Mark& train : sentence.marks) {
        for (const Mark& infer : sentence.marks) {
            const bool kinds = (train.means == Means::train || train.means == Means::tune) &&
                               infer.means == Means::infer;
            const std::size_t low = std::min(train.at, infer.at);
            const std::size_t high = std::max(train.at, infer.at);
            if (kinds && high > low && high - low <= 3 &&
                (is_any(sentence.word(high - 1), "and or & + plus") ||
                 sentence.tokens[high].gap == Gap::slash)) {
                return true;
            }
        }
    }
    return false;
}

/// "rl finetune (ppo)": the kind of training beside one of its algorithms.
bool yields_to_algorithm(const Sentence& sentence, const Mark& mark) {
    return is_any(sentence.word(mark.at), "rl reinforcement rlhf") &&
           std::ranges::any_of(sentence.marks, [&](const Mark& other) {
               return other.means == Means::train && other.value != "dpo" &&
                      algorithm_named(other.value) &&
                      !is_any(sentence.word(other.at), "rl reinforcement rlhf");
           });
}

bool names_algorithm(const Sentence& sentence) {
    return std::ranges::any_of(sentence.marks, [](const Mark& mark) {
        return mark.means == Means::train && algorithm_named(mark.value).has_value();
    });
}

/// The method that words name, and the algorithm by which answers are judged: "lora dpo" says both.
void take_methods(Sentence& sentence) {
    Reading& reading = sentence.reading;
    for (const Mark& mark : sentence.marks) {
        if (mark.means != Means::train || mark.value.empty()) {
            continue;
        }
        if (names_judge(sentence, mark) ||
            (sentence.word(mark.at) == "reward" && names_algorithm(sentence))) {
            continue;  // the judge of PPO is no training of its own
        }
        if (is_ruled_out(sentence, mark.at) || yields_to_algorithm(sentence, mark)) {
            continue;  // "no lora"
        }
        const bool judged = algorithm_named(mark.value).has_value();
        if (judged && reading.algorithm.empty()) {
            reading.algorithm = mark.value;
        }
        const bool open =
            reading.method.empty() || (!judged && reading.method == reading.algorithm);
        const bool narrower = reading.method == "lora" && mark.value == "qlora";
        if (open || narrower || (reading.method == "full" && mark.value != "full" && !judged)) {
            reading.method = mark.value;
        }
    }
    // "dpo full": the word beside the algorithm tells what trains.
    if (!reading.algorithm.empty() && reading.method == reading.algorithm &&
        sentence.any_word("full fully voll komplett completo")) {
        reading.method = "full";
    }
}

/// Whether words, not figures, say that something is trained.
bool speaks_of_training(const Sentence& sentence) {
    return sentence.has(Means::tune) || sentence.reading.epochs ||
           (!sentence.reading.dataset.empty() && sentence.any_word("training")) ||
           std::ranges::any_of(sentence.marks, [&](const Mark& mark) {
               return mark.means == Means::train && !names_judge(sentence, mark) &&
                      !denies_training(sentence, mark);
           });
}

/// "process 1B tokens", "transcribe 500 clips", "through llama 8b": what is read is no training
/// set.
bool reads_what_is_counted(const Sentence& sentence, const Evidence& evidence) {
    const Reading& reading = sentence.reading;
    const bool through =
        reading.samples && sentence.model_at > 0 &&
        near_words(sentence, sentence.model_at - std::min<std::size_t>(sentence.model_at, 3),
                   sentence.model_at, "through thru");
    // "what batch size can i use" is that of training as without these words.
    const bool infers = std::ranges::any_of(sentence.marks, [&](const Mark& mark) {
        return mark.means == Means::infer &&
               !(evidence.batches && sentence.word(mark.at + mark.length - 1) == "use");
    });
    return (infers || through) && !reading.epochs && !reading.rank && !reading.micro_batch &&
           !reading.steps && !trains(sentence) && !is_rest_of_training(sentence);
}

/// What the words speak for more strongly; none: for neither.
std::optional<Task> stronger_task(const Sentence& sentence, const Evidence& evidence,
                                  bool trains_in_words) {
    const Reading& reading = sentence.reading;
    const bool reads = reads_what_is_counted(sentence, evidence);
    if (evidence.trains &&
        !((evidence.serves || reads) && reading.method.empty() && !trains_in_words)) {
        return Task::train;
    }
    if (evidence.serves || (evidence.trains && reads)) {
        return Task::inference;
    }
    if (evidence.trains_weakly && !evidence.serves_weakly) {
        return Task::train;  // a batch tells more than the length of its sequences
    }
    if (evidence.serves_weakly || (evidence.length && !sentence.any_word("days weeks"))) {
        return Task::inference;
    }
    // Nobody trains on a processor without saying so.
    const bool on_processor = !sentence.mentions.empty() &&
                              std::ranges::all_of(sentence.mentions, [](const Mention& each) {
                                  return !each.parts.empty() && each.parts.front()->kind == "cpu";
                              });
    if (!reading.task && on_processor && !trains_in_words && !reading.model.empty()) {
        return Task::inference;
    }
    return reading.task;
}

}  // namespace

void settle_task(Sentence& sentence) {
    Reading& reading = sentence.reading;
    reading.writes_tokens = reading.writes_tokens || writes_a_pile(sentence);
    const Evidence evidence = evidence_of(sentence);
    take_methods(sentence);
    if (joined_tasks(sentence) && reading.method.empty()) {
        return;
    }
    const bool trains_in_words = speaks_of_training(sentence);
    reading.tunes = sentence.has(Means::tune);
    reading.embeds = sentence.any_word(
        "embedding embeddings embed embedder encode encoding rerank reranker reranking");
    reading.samples_alone =
        reading.samples && !trains_in_words && !reading.epochs && !reading.steps && !reading.rank;
    reading.steps_alone = reading.steps && *reading.steps <= 150 && !trains_in_words &&
                          !reading.epochs && !reading.rank;
    reading.task = stronger_task(sentence, evidence, trains_in_words);
    // "how many users can finetune a 7b at once": each has a run of its own.
    if (reading.task == Task::train && sentence.asks("largest_users")) {
        for (Mark& mark : sentence.marks) {
            if (mark.means == Means::ask && mark.value == "largest_users") {
                mark.value = "largest_copies";
            }
        }
    }
    // "context alone": a length says serving only where a model or hardware is asked about.
    if (reading.task == Task::inference) {
        reading.method.clear();
    }
}

}  // namespace ridgeline::reading
