#pragma once

#include "advise/reading/lexicon.h"
#include "advise/reading/reading.h"
#include "advise/reading/token.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ridgeline::reading {

class Names;

/// A phrase of the lexicon where it stands in the question.
struct Mark {
    Means means;
    std::string_view value;
    std::size_t at = 0;
    std::size_t length = 1;
};

/// Hardware that is named: a part, a family, a machine or an instance.
struct Mention {
    std::size_t at = 0;
    std::size_t end = 0;                    ///< one past its last token
    std::vector<const Accelerator*> parts;  ///< empty: the catalog lacks it
    std::string name;  ///< an id, a family ("a100-80gb"), or a name in that style
    std::string form;
    std::string machine;             ///< catalog id of a machine
    std::optional<int> per_machine;  ///< accelerators in one machine or instance
    std::optional<int> count;
    std::optional<int> nodes;
    std::string provider;
    std::string instance{};  ///< that was named at a provider: a machine of the catalog, else as
                             ///< its offers call it
    std::string_view why{};  ///< what stands for a name that is no part's; empty: all forms of it
    double memory_gb =
        0;  ///< of this one, where its part is listed with another: "m4 max 64gb"; 0: as listed
};

/// What options of launchers and rows of nvidia-smi say of the number of accelerators.
struct Launch {
    std::optional<int> nodes, each, in_all;
    bool each_said = false;  ///< a count beside a part is that of a node: "--gres=gpu:h100:8"
    int rows = 0;
};

/// Rent of an hour that the question tells.
struct RentTold {
    std::size_t at = 0;  ///< its token
    double usd = 0;
    bool of_one = false;  ///< of one card
};

/// A question while it is read: tokens, what was recognised of them, the reading so far.
struct Sentence {
    const Vocabulary& vocabulary;
    const Names& names;
    std::string text;
    std::vector<Token> tokens;
    Reading reading{};
    std::vector<Mark> marks{};
    std::vector<Mention> mentions{};
    std::optional<Error> error{};
    std::vector<RentTold> rents_told{};
    std::optional<int> loose_count{};  ///< "8 gpus", beside no name
    Launch launch{};
    bool together = false;             ///< users were told by "at once": other numbers are none
    std::optional<double> answer_s{};  ///< in which a whole answer is wanted
    bool takes_cards = false;  ///< a case, a slot or a computer is spoken of, into which cards go
    bool works_in_memory = false;  ///< a code of scientific computing holds so many gigabytes
    bool weighs_plans = false;     ///< which way of sharing a model is best, is asked
    bool asks_least = false;       ///< of hardware whose number somebody else has told
    bool weighs_links = false;  ///< a link is weighed against its lack, a network against another
    double days_of_week = 0;    ///< on which it is used; 0: no habit was told
    double hours_of_day = 0;    ///< of such a day, by the habit; 0: open
    double read_for_each = 0;   ///< texts that are ranked for each query
    bool counts_requests = false;  ///< its users are a number of "requests"
    std::size_t model_at = 0;      ///< token of the reading's model
    std::size_t model_end = 0;     ///< one past its last
    std::vector<std::pair<std::string, std::size_t>> other_models{};  ///< ids and tokens
    std::vector<std::pair<std::string, std::size_t>>
        repeated_models{};                                     ///< sizes that the model has already
    std::vector<std::pair<std::string, std::size_t>> files{};  ///< GGUF types and tokens
    std::vector<std::pair<std::string, std::size_t>> shardings{};  ///< "zero3" and tokens
    std::vector<std::pair<std::string, std::size_t>> networks{};   ///< "ib-ndr" and tokens
    std::vector<std::pair<std::string, std::size_t>> degrees{};    ///< "tp4" and tokens
    int data_degree = 1;  ///< "dp2": copies of the model that a plan has
    std::optional<double> tokens_per_parameter{};
    double text_bytes = 0;                ///< of the text that is trained on
    std::vector<std::string> products{};  ///< "chatgpt": no weights of it are published

    [[nodiscard]] std::string_view word(std::size_t i) const {
        return i < tokens.size() ? std::string_view(tokens[i].text) : std::string_view();
    }
    /// May token i be read together with the one before it?
    [[nodiscard]] bool follows(std::size_t i) const {
        return i < tokens.size() && i > 0 && tokens[i].gap != Gap::stop;
    }
    [[nodiscard]] bool open(std::size_t i) const { return i < tokens.size() && !tokens[i].claimed; }
    /// Tokens from `at` on that are `words`, which blanks part; 0: they are others.
    ///
    /// plurals  each word may stand with an s behind it
    [[nodiscard]] std::size_t tokens_of(std::string_view words, std::size_t at,
                                        bool plurals = false) const;
    /// Whether "kv" or "cache" stands beside the tokens [at, at + length): what is said is of the
    /// cache.
    [[nodiscard]] bool beside_cache(std::size_t at, std::size_t length) const;
    /// What the profiles say of the reading's model; empty: no profile has it.
    [[nodiscard]] std::optional<Architecture> named_architecture() const;
    void claim(std::size_t at, std::size_t length = 1);
    [[nodiscard]] bool has(Means means, std::string_view value) const;
    [[nodiscard]] bool has(Means means) const;
    /// Whether one of the signals is there.
    [[nodiscard]] bool asks(Signals signals) const;
    [[nodiscard]] bool any_word(std::string_view words) const;
    void fail(std::string message, std::string hint = {});
    void assume(std::string field, std::string value, std::string why);
};

/// A step of the reading. Steps run in the order of their table over the whole question; each
/// claims the tokens that it understands.
using Step = void (*)(Sentence& sentence);

/// Options of launchers and engines, with what they set: "--nnodes=2", "-c 32768".
void recognise_launchers(Sentence& sentence);
void recognise_rows(Sentence& sentence);  ///< of nvidia-smi
void apply_launch(Sentence& sentence);    ///< over the counts beside names
/// Units of numbers with a wrong letter: "8k promt".
void recognise_unit_spelling(Sentence& sentence);
/// A single kernel by its name, with sides, counts and number type.
void recognise_kernels(Sentence& sentence);
/// The number beside it that no other step has understood.
void recognise_kernel_sizes(Sentence& sentence);
/// What is still open of a kernel, and the intent of a question about one.
void settle_kernel(Sentence& sentence);
/// "us-east-1", "westeurope": where a provider rents, before its numbers are counts.
void recognise_regions(Sentence& sentence);
void recognise_money(Sentence& sentence);
void recognise_hardware(Sentence& sentence);
/// Of the hardware that was named: slices of TPUs ("v5e-8") and profiles of MIG ("3g.40gb").
void add_slices(Sentence& sentence);
/// Computers without their chip, after all parts.
void recognise_computers(Sentence& sentence);
void recognise_processors(Sentence& sentence);
/// Stacks of speech that are named like their model, before models are.
void recognise_speech_stacks(Sentence& sentence);
void recognise_models(Sentence& sentence);
void recognise_unknown_parts(Sentence& sentence);
/// Sharding, degrees of parallelism, checkpointing; percentiles of times.
void recognise_plan_words(Sentence& sentence);
void recognise_networks(Sentence& sentence);   ///< between nodes
void recognise_notebooks(Sentence& sentence);  ///< that lend a card
/// The usual network of a task that is named without one: "object detection".
void settle_usual_model(Sentence& sentence);
/// Whether such a task begins at a token.
bool names_usual_model(const Sentence& sentence, std::size_t at);
void recognise_weights(Sentence& sentence);  ///< GGUF types
/// Tokens that are read and written in a period: "60M input and 12M output tokens per day".
void recognise_volumes(Sentence& sentence);
/// Users and lengths told by the words around a number: "25 calls at once".
void recognise_crowds(Sentence& sentence);
/// Worlds of reinforcement learning without a language model: "atari", "mujoco", "dqn".
void recognise_environments(Sentence& sentence);
/// Prompts of a round and answers to each, of training by rewards.
void recognise_rounds(Sentence& sentence);
void recognise_amounts(Sentence& sentence);
void recognise_datasets(Sentence& sentence);
/// Of the usual run over a dataset; 0: none is usual, or the name is not known.
double usual_epochs(std::string_view dataset);
void recognise_phrases(Sentence& sentence);
/// "with a 1b draft model", "speculative decoding": what proposes tokens. After models.
void recognise_drafts(Sentence& sentence);
/// "30 loras in vllm": held by an engine, none is trained. After phrases.
void recognise_served_adapters(Sentence& sentence);
/// Single parts of a model's memory: "adamw states", "gguf size", "host ram".
void recognise_memory_parts(Sentence& sentence);
/// What was measured on one's own hardware and is to be judged, no limit: "9 s an image, is that
/// slow". After numbers.
void recognise_observed(Sentence& sentence);
/// Whether a word asks for a judgement of what is told: "normal?", "too slow".
bool judges(const Sentence& sentence);
/// Settings of which several values, or one and its lack, are compared: "batch 8 vs 32", "with and
/// without flash attention".
bool recognise_settings_compared(Sentence& sentence);
/// Rates that are asked about by their form: "token by second".
void recognise_rates(Sentence& sentence);
/// Names of models with a wrong letter or two, before models are looked for.
void recognise_model_spelling(Sentence& sentence);
void recognise_sizes(Sentence& sentence);
/// "p5.48xlarge (8x H100)": a machine beside what it holds is one thing, before it is counted.
void join_machine_contents(Sentence& sentence);
void recognise_counts(Sentence& sentence);
/// "3 replicas", "4 finetunes in parallel".
void recognise_copies(Sentence& sentence);
void recognise_places(Sentence& sentence);
/// Whether something says that runs happen together: "in parallel", "at the same time".
bool happen_together(const Sentence& sentence);
/// One more of what is there: "adding a third card". After counts.
void recognise_additions(Sentence& sentence);
/// A round number that is left, as a side of a picture or a length of a text. After counts.
void recognise_bare_sizes(Sentence& sentence);
/// Hardware that is named because it is not to be had, and in whose place others are wanted, leaves
/// the mentions. After counts.
/// "an a6000-class card or better": its memory and bandwidth are asked for, not itself.
void recognise_classes(Sentence& sentence);
/// "how many 4090 match an h100"
void recognise_equals(Sentence& sentence);
/// "a cheaper card than an a100", "h100 or cheaper": a rent below that of what is named.
void recognise_cheaper(Sentence& sentence);
void recognise_left_out(Sentence& sentence);
/// "best coding model": the models of that purpose.
void recognise_purposes(Sentence& sentence);
void recognise_spelling(Sentence& sentence);
void recognise_unknown_names(Sentence& sentence);
/// "most users", "how far can i push context".
/// "a card that does fp8 natively": types of numbers that hardware must have units for.
void recognise_required_types(Sentence& sentence);
/// "which micro-batch and accumulation": after the batch of a step that is told.
void recognise_asked_batch(Sentence& sentence);
void recognise_extremes(Sentence& sentence);

void recognise_alternatives(Sentence& sentence);
/// "they say 8xH100, what is the minimum": that number is doubted, and none of the question's.
void recognise_quoted_counts(Sentence& sentence);
/// "which zero stage", "best tensor parallel size": every way is compared.
void recognise_asked_plans(Sentence& sentence);
/// A batch smaller than the number of cards is that of each.
void settle_batch_of_each(Sentence& sentence);
/// What a code of scientific computing works in: "60 GB working set".
void settle_working_set(Sentence& sentence);

/// Other work at the same time: "run whisper and llama 8b together". After tasks.
void recognise_beside(Sentence& sentence);
void tell_beside(Sentence& sentence);  ///< once the intent is known
/// "is nvlink worth it", "how bad is 25GbE": the same hardware with a link and without it, or on
/// another network.
void weigh_links(Sentence& sentence);

void apply_marks(Sentence& sentence);
void decide_intent(Sentence& sentence);
void settle_method(Sentence& sentence);  ///< with its stack and the types of stored weights
void settle(Sentence& sentence);

// Parts of these steps.

/// Training or serving, and the method.
void settle_task(Sentence& sentence);
/// Parts, counts and sides of the hardware that was named, with what is told of them.
void settle_parts(Sentence& sentence);
/// A server in place of the desktop that was assumed, where that does not hold the model.
void settle_processor(Sentence& sentence);
/// Memory of the host alone is what a processor works in.
void settle_host(Sentence& sentence);
/// "2x48=96GB": as many, and not a node of 48.
void recognise_counted_memory(Sentence& sentence);
/// The memory of all cards together is no card's: it chooses the form that has its part of it.
void settle_memory_sum(Sentence& sentence);
/// A memory that was said apart ("4 v100s of 32gb") chooses among the forms of a part that differ
/// in it.
void settle_memory(Sentence& sentence);
/// The nearest known name of the first that is not.
void add_neighbour(Sentence& sentence);

/// Whether `word` is one of `words`, which blanks part; an empty word is none. One text, since a
/// list would keep a pointer and a length for each of some 4,000 words.
bool is_any(std::string_view word, std::string_view words);
/// Adds what the list does not hold yet.
void add_once(std::vector<std::string>& list, std::string_view value);
/// Words whose number stands before them, whatever is named further ahead: "x", "gpus", "gb",
/// "days".
bool counts_things(std::string_view word);

/// A number at token i, with what follows it: "24gb", "24 gb", "1.5 trillion tokens", "50k".
struct Measure {
    double value = 0;
    std::string unit;  ///< letters after the number, a scale word already applied; may be empty
    std::size_t length = 1;  ///< tokens of number and scale
    bool kilo = false;       ///< written with k
    bool scaled = false;     ///< k, M, B or T was said
    bool negative = false;
};
std::optional<Measure> measure_at(const Sentence& sentence, std::size_t at);

}  // namespace ridgeline::reading
