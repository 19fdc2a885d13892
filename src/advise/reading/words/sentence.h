#pragma once

#include "advise/reading/reading.h"
#include "advise/reading/words/lexicon.h"
#include "advise/reading/words/token.h"

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
    std::string quantization{}, framework{}, method{};  ///< that were said of this side alone
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
    std::vector<Mention> left_out{};  ///< that were named because they are not wanted
    std::optional<Error> error{};
    std::vector<RentTold> rents_told{};
    std::optional<int> loose_count{};  ///< "8 gpus", beside no name
    std::optional<int> least_count{};  ///< "at least 4 gpus", "2 to 4 4090s"
    bool between_counts = false;       ///< and a number that stands behind is the most
    bool one_machine = false;          ///< "on a single machine": no plan spans several
    Launch launch{};
    bool together = false;             ///< users were told by "at once": other numbers are none
    std::optional<double> answer_s{};  ///< in which a whole answer is wanted
    bool answer_open = false;          ///< nobody said that it is whole: "answers in 20 s"
    bool takes_cards = false;  ///< a case, a slot or a computer is spoken of, into which cards go
    bool works_in_memory = false;  ///< a code of scientific computing holds so many gigabytes
    bool weighs_plans = false;     ///< which way of sharing a model is best, is asked
    bool asks_least = false;       ///< of hardware whose number somebody else has told
    bool weighs_links = false;  ///< a link is weighed against its lack, a network against another
    double days_of_week = 0;    ///< on which it is used; 0: no habit was told
    double hours_of_day = 0;    ///< of such a day, by the habit; 0: open
    double run_share = 0;  ///< of a time, in which hardware is free: "on weekends"; 0: not told
    double read_for_each = 0;   ///< texts that are ranked for each query
    double grown = 1;  ///< by which a load has grown when it is asked of; 1: as told
    std::string grown_words{};
    double done_share = 0;      ///< of a run that goes on: "60% done"; 0: none was told
    double repeats = 1;         ///< times that a pass of training shows each sample
    double heads = 0;  ///< people that were told, whatever number of them is at it at once; 0: none
    double active_share = 0;       ///< of the people that were told: "15 % at once"; 0: not said
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

/// The first token from `at` on that is none of `words`.
std::size_t past_words(const Sentence& sentence, std::size_t at, std::string_view words);
/// The first of the tokens right before `at` that are all of `words`; `at`: there is none.
std::size_t first_of_words(const Sentence& sentence, std::size_t at, std::string_view words);

/// Whether a colon stands between token `at` and the one before it, with a space behind it or not.
bool parted_by_colon(const Sentence& sentence, std::size_t at);

}  // namespace ridgeline::reading
