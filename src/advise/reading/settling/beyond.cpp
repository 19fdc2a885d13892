#include "advise/reading/settling/beyond.h"

#include "advise/reading/models/steps.h"
#include "advise/reading/numbers/count_words.h"
#include "advise/reading/numbers/time_units.h"
#include "advise/reading/numbers/units.h"
#include "advise/reading/words/names.h"
#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>

// What is none of this program's matter though hardware is named: faults, and work that it does not
// know.

namespace ridgeline::reading {
namespace {

constexpr const char* example = "Example: \"what GPU for a 70B fine-tune\".";

/// "my 4090 crashes with CUDA error 700, why", "loss becomes nan on h100"; what does not fit into
/// memory is answered.
bool tells_a_fault(const Sentence& sentence) {
    if (sentence.done_share > 0) {
        return false;  // "crashed at 30 %": how long the rest takes
    }
    if (sentence.any_word("oom memory vram fit fits enough expensive cheaper costs needs")) {
        return false;
    }
    const bool fault = sentence.any_word(
        "overheat overheats overheating nan nans freezes freezing crashes crashed crashing "
        "segfault segfaults artifacting");
    // "will this crash" asks whether it fits, "why only 6 tok/s" how fast it should be.
    const bool judged = sentence.any_word("will would rate bars margin slow fast only") ||
                        !sentence.reading.model.empty();
    const bool questioned =
        sentence.any_word("why error errors crash bug broken fails failing") && !judged;
    const bool seen =
        sentence.any_word(
            "see sees detect detects detected recognize recognise recognized recognised") &&
        sentence.any_word("not doesnt cannot cant wont isnt");
    // "why do people buy used 3090": a liking is no fault.
    const bool liked = sentence.any_word(
        "people everyone everybody buy buys buying popular recommend recommended like love prefer "
        "good better best");
    const bool sought =
        liked || sentence.asks("hardware what_can what_can_do largest_model which own");
    return fault || seen || (questioned && !sought && !sentence.has(Means::versus));
}

/// "nccl hang on allreduce, timeout", "black images after driver update help": something is broken,
/// and nothing is sought.
bool tells_what_broke(const Sentence& sentence) {
    if (sentence.done_share > 0) {
        return false;
    }
    const bool broken =
        sentence.any_word(
            "hang hangs hanging hung traceback segfault exception crashing crashes") ||
        (sentence.any_word("black blank garbled green") &&
         sentence.any_word("images image pictures picture screen output outputs")) ||
        (sentence.any_word("driver drivers") &&
         sentence.any_word("update updating updated upgrade install reinstall broke crash")) ||
        (sentence.any_word("error errors broken timeout timeouts failing fails failed") &&
         sentence.any_word("help why fix cuda nccl mpi rank ranks keeps startup"));
    return broken && !sentence.asks(
                         "hardware what_can what_can_do largest_model which own fit strong_fit "
                         "price price_of cost duration memory strong_memory buy");
}

/// "why is my lora loss nan", "the model overfits": how a training goes, whatever it runs on.
bool tells_of_learning(const Sentence& sentence) {
    const bool ill = sentence.any_word(
        "nan nans diverge diverges diverging explode explodes exploding spike spikes spiking stuck "
        "plateau plateaus decreasing converge converges converging");
    return (ill && sentence.any_word("loss losses gradient gradients perplexity")) ||
           sentence.any_word("overfit overfits overfitting underfitting");
}

/// "what learning rate for lora on llama 3 8b": a setting that changes no time and no memory.
bool asks_for_a_setting(const Sentence& sentence) {
    bool asked = false;
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
        const std::string_view word = sentence.word(i);
        const std::string_view next = sentence.word(i + 1);
        const bool setting = (word == "learning" && is_any(next, "rate rates")) ||
                             (word == "weight" && next == "decay") ||
                             (word == "warmup" && is_any(next, "steps ratio")) ||
                             is_any(word, "lr hyperparameters hyperparams hyperparameter");
        if (asked && setting) {
            return true;
        }
        // "what batch size and lr", "which is the best learning rate"
        asked = is_any(word, "what which whats best good optimal recommended ideal right") ||
                (asked && is_any(word, "is are the a and batch size or my should i use"));
    }
    return false;
}

/// The token at which an order or a question how to do something has its verb: "write" of "can you
/// please write", "implement" of "how do i implement".
std::size_t first_verb(const Sentence& sentence) {
    std::size_t at = 0;
    while (at + 1 < sentence.tokens.size() &&
           is_any(sentence.word(at),
                  "please pls plz can could would will you u hey hi hello ok okay so now help me i "
                  "we need want to how do does just like id lets")) {
        ++at;
    }
    return at;
}

/// Whether a text of code begins at a token: "script", no "code completion" that a model does.
bool is_code(const Sentence& sentence, std::size_t at) {
    return is_any(sentence.word(at),
                  "code script scripts skript loop snippet snippets notebook dockerfile yaml "
                  "makefile codigo") &&
           !is_any(sentence.word(at + 1),
                   "model models completion completions assistant generation llm llms server "
                   "servers instance instances");
}

/// "show me code for lora", "give me a pytorch script": only words of its kind stand before it,
/// unlike "give me the best gpu for code".
bool shows_code(const Sentence& sentence, std::size_t at) {
    while (is_any(sentence.word(at),
                  "me us a an the some my our this full complete minimal simple basic example "
                  "sample working short python pytorch torch cuda jax triton train training "
                  "finetuning fine tuning finetune inference lora qlora bash deepspeed fsdp "
                  "huggingface source")) {
        ++at;
    }
    return is_code(sentence, at);
}

/// "write me a training loop", "write code for lora", "implement a softmax kernel"; "write code
/// with qwen" is work of a model.
bool writes_code(const Sentence& sentence, std::size_t at) {
    constexpr std::size_t farthest = 7;
    const bool given =
        is_any(sentence.word(at), "me us a an the some my our this mir moi un une ein einen") ||
        is_any(sentence.word(at + 1), "for to that which");
    for (std::size_t i = at; given && i < at + farthest; ++i) {
        if (is_code(sentence, i) ||
            is_any(sentence.word(i),
                   "program function kernel class implementation config bug essay poem")) {
            return true;
        }
    }
    return false;
}

/// A text to be written or mended, which this program does not do.
bool asks_for_code(const Sentence& sentence) {
    const std::size_t verb = first_verb(sentence);
    const std::string_view word = sentence.word(verb);
    const std::string_view next = sentence.word(verb + 1);
    if (is_any(word, "debug troubleshoot")) {
        return is_any(next, "my our the this these me why");
    }
    if (is_any(word, "give show send share generate create make provide")) {
        return shows_code(sentence, verb + 1);
    }
    if (is_code(sentence, verb)) {
        return is_any(next, "for to that");
    }
    return is_any(word,
                  "write rewrite implement code refactor port fix schreib schreibe ecris escribe "
                  "escribeme scrivi") &&
           writes_code(sentence, verb + 1);
}

/// "best gpu for elden ring at 4k": all that is said of the work is a name that nothing knows.
std::string unknown_work(const Sentence& sentence) {
    const Reading& reading = sentence.reading;
    const bool work =
        sentence.has(Means::train) || sentence.has(Means::tune) || sentence.has(Means::infer) ||
        reading.kernel || !reading.model.empty() || !reading.family_models.empty() ||
        !reading.profile.empty() || !reading.framework.empty() || reading.tokens ||
        reading.samples || reading.audio_s || reading.concurrency || reading.requests_per_s ||
        reading.memory_gib || !sentence.mentions.empty() || !reading.environment.empty() ||
        sentence.has(Means::attribute) || sentence.has(Means::compute) ||
        sentence.has(Means::quantization) || sentence.any_word("double precision fp64");
    const bool sought =
        sentence.asks("hardware weak_hardware") ||
        (sentence.has(Means::gpu) && sentence.any_word("best good right cheapest decent which"));
    if (work || !sought) {
        return {};
    }
    constexpr std::string_view no_work =
        "thesis tesis dissertation school university college degree course class homework project "
        "projects hobby evening night day weekend week month year hour today tomorrow now later "
        "home work business company office team family friend friends kid kids son daughter "
        "beginner beginners student students texts text data files documents everything anything "
        "one something it that this these those them me us him her fun learning experiments";
    for (std::size_t i = 0; i + 1 < sentence.tokens.size(); ++i) {
        if (!is_any(sentence.word(i), "for play playing run")) {
            continue;
        }
        std::size_t at = i + 1;
        while (at + 1 < sentence.tokens.size() &&
               is_any(sentence.word(at), "a an the my our playing")) {
            ++at;
        }
        // "for one evening", "for my thesis": when and for whom is no work.
        const bool other = is_digit(sentence.word(at).front()) || number_word(sentence.word(at)) ||
                           is_any(sentence.word(at), no_work);
        if (sentence.follows(at) && !sentence.tokens[at].claimed && !other &&
            !names_usual_model(sentence, at) && !is_gpu_word(sentence.word(at))) {
            return std::string(sentence.word(at));
        }
    }
    return {};
}

/// "GIN on zinc, 200 epochs, rtx 3060": a run that is told by its epochs alone, of a network whose
/// name nothing knows; empty: there is none.
std::string unknown_network(const Sentence& sentence) {
    const Reading& reading = sentence.reading;
    const bool told = !reading.model.empty() || !reading.family_models.empty() ||
                      !reading.family.empty() || reading.kernel || reading.samples ||
                      reading.tokens || reading.memory_gib || reading.audio_s ||
                      !reading.environment.empty() || !reading.profile.empty() ||
                      !sentence.products.empty();
    if (told || !reading.epochs || sentence.mentions.empty() || sentence.has(Means::model_word) ||
        sentence.asks("what_can what_can_do largest_model own price price_of")) {
        return {};
    }
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
        if (names_usual_model(sentence, i)) {
            return {};
        }
    }
    for (const Token& token : sentence.tokens) {
        if (!token.claimed && !token.foreign && token.text.size() > 2 &&
            std::ranges::all_of(token.text, is_letter) &&
            !sentence.names.lexicon.knows(token.text)) {
            return token.text;
        }
    }
    return {};
}

/// "cztery 4090": a word right before a card that nothing knows, of a question that has more of
/// them, may be its number.
std::string perhaps_a_count(const Sentence& sentence) {
    const auto unknown = [&](std::size_t i) {
        const Token& token = sentence.tokens[i];
        const bool owner = sentence.text.substr(token.begin, token.end - token.begin).find('\'') !=
                           std::string::npos;
        return !token.claimed && !token.foreign && !owner &&
               std::ranges::all_of(token.text, is_letter) &&
               !sentence.names.lexicon.knows(token.text) && !token.text.ends_with("est") &&
               !is_any(token.text,
                       "fold folds egpu oculink thunderbolt usb external enclosure modded");
    };
    std::size_t words = 0;
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
        words += unknown(i) ? 1 : 0;
    }
    for (const Mention& mention : sentence.mentions) {
        if (words > 1 && !mention.count && mention.at > 0 && sentence.follows(mention.at) &&
            unknown(mention.at - 1)) {
            return std::string(sentence.word(mention.at - 1));
        }
    }
    return {};
}

/// "playing cyberpunk at 4k", "4k ray tracing games": pictures that a game draws, no model's work.
bool tells_a_game(const Sentence& sentence) {
    // As written: "tracing" is near enough to "training" to be taken for it.
    const auto written = [&](std::size_t i) {
        const Token& token = sentence.tokens[i];
        return lower(sentence.text.substr(token.begin, token.end - token.begin));
    };
    bool traces = false;
    for (std::size_t i = 0; i + 1 < sentence.tokens.size(); ++i) {
        traces = traces || (is_any(written(i), "ray path") && written(i + 1) == "tracing");
    }
    const bool plays = sentence.any_word("game games gaming play playing esports gamer") || traces;
    // "4k" alone is taken for a context, which speaks of no work beside a game.
    const bool said = std::ranges::any_of(sentence.marks, [&](const Mark& mark) {
        const bool work =
            mark.means == Means::train || mark.means == Means::tune || mark.means == Means::infer;
        return work && !has_digit(sentence.word(mark.at)) && written(mark.at) != "tracing" &&
               !is_any(sentence.word(mark.at), "run playing play");
    });
    const bool works = said || sentence.has(Means::model_word) || !sentence.reading.model.empty() ||
                       !sentence.reading.framework.empty() ||
                       !sentence.reading.environment.empty() || sentence.reading.kernel ||
                       !sentence.mentions.empty() || !sentence.reading.profile.empty() ||
                       sentence.any_word("ai llm llms ml learning local agent agents models pc");
    return plays && !works;
}

/// "how fast is openfoam on an a100": the time of a code whose kernels are its own.
bool times_a_code(const Sentence& sentence) {
    const Reading& reading = sentence.reading;
    const bool named =
        sentence.any_word("openfoam wrf vasp comsol ansys abaqus espresso carlo dft qcd");
    const bool model = !reading.model.empty() && !parameters_in(reading.model);
    return named && sentence.has(Means::profile) && !reading.kernel && !model &&
           !sentence.mentions.empty() && !sentence.has(Means::versus) &&
           sentence.asks("throughput duration");
}

/// "lm-eval mmlu + gsm8k on a 70b, how long": prompts that are scored, whose number nobody said;
/// empty: no such work is asked.
std::string evaluation_of_unknown_size(const Sentence& sentence) {
    const bool evaluates =
        sentence.any_word("eval evals evaluate evaluates evaluating evaluation evaluations");
    // What a set of that name has to train on is no size of its evaluation.
    const bool told = sentence.reading.samples && !assumed_of(sentence.reading, "samples");
    const bool sized = told || sentence.reading.tokens || sentence.reading.counts_samples ||
                       sentence.counts_requests;
    const bool trains = sentence.has(Means::tune) || sentence.has(Means::train);
    const bool timed = sentence.asks("duration cost") ||
                       (sentence.any_word("long hours minutes cost") && sentence.any_word("how"));
    std::string names;
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
        const std::string& word = sentence.tokens[i].text;
        const bool arc = word == "arc" && is_any(sentence.word(i + 1), "c e challenge easy");
        if (arc ||
            is_any(word,
                   "mmlu gsm8k humaneval hellaswag truthfulqa gpqa ifeval bbh winogrande mbpp "
                   "swebench livecodebench aime ceval cmmlu agieval triviaqa boolq piqa")) {
            names += (names.empty() ? "" : ", ") + word;
        }
    }
    return evaluates && !sized && !trains && timed ? names : std::string();
}

/// "preempted every 4 h, 30 min between checkpoints, how much is lost": what interruptions take of
/// a run that nobody names; empty: none is asked.
std::string lost_to_interruptions(const Sentence& sentence) {
    constexpr std::string_view breaks =
        "preempted preempts preemption preemptions interrupted interrupts interruption "
        "interruptions evicted eviction evictions";
    constexpr std::string_view saves = "ckpt ckpts checkpoint checkpoints checkpointing";
    if (!sentence.reading.model.empty() || !sentence.any_word(breaks) ||
        !sentence.any_word(saves)) {
        return {};
    }
    double between = 0;
    double interval = 0;
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
        const auto measure = measure_at(sentence, i);
        const std::size_t end = i + (measure ? measure->length : 0);
        const double unit = !measure                ? 0
                            : measure->unit.empty() ? seconds_of(sentence.word(end))
                                                    : seconds_of(measure->unit);
        // Each time is of the word that stands nearest, of two as near the one before it.
        const auto apart = [&](std::string_view words) {
            constexpr std::size_t farthest = 4;
            for (std::size_t away = 1; away <= farthest; ++away) {
                if (i >= away && is_any(sentence.word(i - away), words)) {
                    return 2 * away;
                }
                if (is_any(sentence.word(i + away), words)) {
                    return 2 * away + 1;
                }
            }
            return 2 * farthest + 2;
        };
        if (unit > 0 && apart(breaks) < apart(saves)) {
            between = measure->value * unit;
        } else if (unit > 0 && apart(saves) < apart(breaks)) {
            interval = measure->value * unit;
        }
    }
    if (between <= 0 || interval <= 0) {
        return "each loses half of the time between checkpoints, and the restart";
    }
    return fmt::format(
        "each loses half of the {} between checkpoints, {} of every {} ({:.0f} %), "
        "and the restart",
        format_duration(interval), format_duration(interval / 2), format_duration(between),
        100 * interval / 2 / between);
}

}  // namespace

void recognise_beyond(Sentence& sentence) {
    if (asks_for_code(sentence)) {
        sentence.fail(
            "code is asked for, which is neither written nor mended here; asked can be what "
            "hardware does, costs and holds",
            example);
        return;
    }
    if (tells_what_broke(sentence) || (!sentence.mentions.empty() && tells_a_fault(sentence))) {
        sentence.fail(
            "a fault of a machine is told; asked can be what hardware does, costs and holds",
            example);
        return;
    }
    if (const std::string names = evaluation_of_unknown_size(sentence); !names.empty()) {
        sentence.fail("an evaluation (" + names +
                          ") scores prompts, whose number and lengths are not kept here, and no "
                          "training is asked",
                      "Say its size: \"llama 70b on 8 h100, how long do 14042 documents take, 700 "
                      "tokens in, 10 out\".");
        return;
    }
    if (const std::string lost = lost_to_interruptions(sentence); !lost.empty()) {
        sentence.fail("no run is named whose time and cost could be told; of interruptions " + lost,
                      "Name it: \"full finetune of 8b on 10B tokens, 8 spot h100, how long\"; "
                      "rents: \"h100 spot vs on demand\".");
        return;
    }
    if (tells_of_learning(sentence) ||
        (sentence.mentions.empty() && asks_for_a_setting(sentence))) {
        sentence.fail(
            "how a training learns is no matter of this program; asked can be what hardware it "
            "needs, how long it takes and what it costs",
            example);
        return;
    }
    if (tells_a_deed(sentence)) {
        sentence.fail(
            "what is done to a card itself is no matter of this program; asked can be what "
            "hardware does, costs and holds",
            example);
        return;
    }
    if (const std::string work = other_work_named(sentence); !work.empty()) {
        sentence.fail("\"" + work + "\" is no work that is known here",
                      std::string(example_of_known_work()));
        return;
    }
    if (sentence.reading.kernel && sentence.reading.kernel->operation == "molecular_dynamics" &&
        sentence.any_word("reaxff reax airebo tersoff mace nequip allegro deepmd")) {
        sentence.fail(
            "forces that bonds or a network decide take far longer than those that are known",
            "Known are pairs with particle mesh Ewald: \"100k atoms ns/day on a v100\".");
        return;
    }
    if (times_a_code(sentence)) {
        sentence.fail(
            "how fast this code runs is not known; asked can be which card suits it, and kernels "
            "such as those within it",
            "Example: \"7-point stencil 512^3 fp64 on an a100\", \"fft 256^3\", \"hpcg\".");
        return;
    }
    if (const std::string word = perhaps_a_count(sentence); !word.empty()) {
        sentence.fail("\"" + word + "\" before a card may be their number, which is not understood",
                      "Write it in digits: \"4 x 4090\".");
        return;
    }
    if (tells_a_game(sentence)) {
        sentence.fail(
            "games are no work that is known here: asked can be models, networks and "
            "kernels",
            example);
        return;
    }
    if (const std::string name = unknown_network(sentence); !name.empty()) {
        sentence.fail("\"" + name + "\" is no network and no model that is known here", example);
        return;
    }
    const bool mean_time = sentence.any_word("mean average") && sentence.any_word("between");
    if ((mean_time || sentence.any_word("spare spares mtbf")) &&
        sentence.any_word("failure failures fail mtbf")) {
        sentence.fail(
            "how often parts fail, and how many spares that takes, is in no data here",
            "A machine in reserve can be counted: \"serve llama 70b on h100, one node may fail\".");
        return;
    }
    if (const std::string word = unknown_work(sentence); !word.empty()) {
        sentence.fail("\"" + word + "\" is no work that is known here", example);
    }
}

}  // namespace ridgeline::reading
