#pragma once

#include "advise/listed_names.h"
#include "advise/query.h"
#include "base/result.h"
#include "spec/catalog.h"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ridgeline {

/// What a question asks for; each kind has its document.
enum class Intent {
    hardware,
    fit,
    memory,
    compare,
    largest,
    duration,
    throughput,
    price,
    own,
    budget,
    describe
};
std::string_view name_of(Intent intent);

/// What `largest` looks for.
enum class Extreme { model, sequence, users, batch, rank, copies, kernel, image, frames };

/// One side of a comparison, with the count and form that were said beside it.
struct ReadSide {
    std::string accelerator;       ///< an id, or a family where several forms are meant ("h100")
    std::string form;              ///< "pcie", "sxm", "nvl"; empty: none was said
    std::vector<std::string> ids;  ///< of the catalog; empty: the catalog has none
    std::optional<int> count;
    std::string provider;    ///< of an instance that was named
    std::string instance{};  ///< a machine of the catalog, else as offers call it
    bool rented = false;     ///< where owning one part is weighed against renting another
    std::optional<double> usd_per_hour{};  ///< that was told of it, all cards together
    std::string price_kind{};              ///< of its rent: "8 a100 on demand"; empty: any
    double usd_told = 0;   ///< that buying all of it was said to cost; 0: nothing was said
    double memory_gb = 0;  ///< of this one, where its part is listed with another; 0: as listed
    /// What was said of this side alone: "nvfp4 on 4 b200 vs fp8 on 8 h200"; empty: nothing was.
    std::string quantization{}, compute{}, framework{}, method{};
    friend bool operator==(const ReadSide&, const ReadSide&) = default;
};

/// Other work that runs on the hardware at the same time.
struct WorkBeside {
    std::string model;
    Task task = Task::inference;
    std::string method;                         ///< of training; empty: open
    std::optional<std::string> quantization{};  ///< empty: that of the first
    std::optional<int> concurrency{};           ///< of its own users
};

/// A field that nobody said and that was filled in.
struct AssumedField {
    std::string field;
    std::string value;
    std::string why;
    friend bool operator==(const AssumedField&, const AssumedField&) = default;
};

/// Hardware that is named for its price: something below its rent is asked for.
struct Undercut {
    std::vector<std::string> parts;  ///< ids; empty: nothing is
    int count = 0;                   ///< of them; 0: open
    bool or_same = false;            ///< "h100 or cheaper": they themselves will do
    bool as_fast = false;            ///< at their speed
};

/// What a node or a server is taken to hold where nobody says: the modules of one board.
inline constexpr int cards_of_node = 8;

/// What was understood of a question. Fields that were neither read nor assumed are empty.
struct Reading {
    Intent intent = Intent::hardware;
    std::string_view because;  ///< what of the question told the intent, in words
    std::optional<Task> task;  ///< empty: neither was said and both are answered
    std::string method;        ///< "full", "lora", "qlora", "dpo", "ppo", ...; empty: open
    std::string algorithm;  ///< "dpo", "ppo", "grpo", ...: by what answers are judged; empty: none
    std::string model;      ///< id of profiles/models, a size ("70b"), or an unknown name
    bool model_known = true;  ///< false: `model` is in no profile
    std::string stands_for;   ///< what is estimated in its place, an id or a size; empty: itself
    [[nodiscard]] const std::string& estimated_model() const {
        return stands_for.empty() ? model : stands_for;
    }
    std::string family;  ///< "qwen": the largest of its sizes is asked for; `model` is empty then
    std::vector<std::string> family_models;  ///< ids of them
    bool family_of_networks = false;         ///< of pictures or of sound, which read no tokens
    bool experts_only = false;               ///< of those the mixtures of experts
    std::vector<ReadSide> sides;
    std::vector<ReadSide> joined;  ///< "3090 + 3060": kinds of cards that one model is to share
    bool second_card = false;      ///< what goes beside the card that is there is sought
    bool joined_surely = false;    ///< "+", "with", "together"; else "and", which may ask of each
    std::vector<std::string>
        accelerators;  ///< ids; names in their style where the catalog lacks them
    std::vector<std::string>
        accelerators_excluded;  ///< ids of what is not to be had: others are wanted
    std::vector<std::string> instances_excluded;  ///< of providers, or families of them: "p5"
    std::vector<std::string> unknown_parts;  ///< those of `accelerators` that the catalog lacks
    std::string machine;                     ///< catalog id where a machine was named
    std::vector<std::string> instances;      ///< of providers, as `ReadSide::instance`
    std::optional<int> count, min_count, max_count, nodes;
    bool in_nodes = false;  ///< "how many h100 nodes": the number is told in nodes of 8 as well
    bool several = false;   ///< hardware in the plural ("4090s")
    bool single = false;    ///< "an h100", "my card": one is meant, though no number is said
    bool owned = false;
    Undercut undercut;
    std::string replaced;  ///< the part that something better is asked for; it is in no other field
    int replaced_count = 1;           ///< how many of it there are
    double replaced_gb = 0;           ///< memory of all of them, where more is looked for
    double replaced_bytes_per_s = 0;  ///< least bandwidth of what replaces it
    bool replaced_is_slow =
        false;  ///< it was said to be: what replaces it does the work half as fast again
    bool replaced_by_equal = false;    ///< "same throughput": what replaces all of it is as fast
    std::optional<double> memory_gib;  ///< of one accelerator, as printed on its box
    bool memory_is_share = false;      ///< it is what graphics may take of memory that they share
    bool memory_unlisted = false;      ///< no form of the part that was named has `memory_gib`
    std::optional<double> memory_of_all_gib;  ///< of all cards of a machine, where none is named
    std::optional<double> less_memory_gib;    ///< of two that stand against each other, the smaller
    std::optional<int> image_size;            ///< pixels of a side, or of the width
    std::optional<int> image_height;  ///< where it is told: "1280x720"; alone: lines, "720p"
    std::optional<int> frames;        ///< of a clip
    std::optional<double> clip_s;     ///< length of a clip
    bool memory_at_least = false;     ///< more will do: "at least 48gb"
    std::string environment;  ///< "atari": worlds in which a small network learns by rewards; no
                              ///< language model is meant
    /// Of a server: as many requests run as it holds; "req/s", "peak throughput".
    bool full_load = false;
    bool tokens_of_all = false;  ///< and the tokens of all together are asked, no requests
    std::string framework, quantization, compute, optimizer;
    bool as_published = false;  ///< a server's own command, which loads what the repository holds
    /// That a step of training may take, told of as many as a run has; empty: the run's is told.
    std::optional<double> step_limit_s;
    /// Of a card, that the engine may take: "--gpu-memory-utilization 0.95".
    std::optional<double> memory_fraction;
    std::string kv_cache;       ///< type that the cache is stored in: "fp8", "int8", "bf16", "fp16"
    std::optional<double> weight_bits;             ///< of one stored weight ("4.65bpw")
    std::string stored_as;                         ///< the type that such weights are estimated as
    std::optional<double> host_memory_gib;         ///< of the computer, not of a card
    std::optional<double> host_memory_gb_per_s{};  ///< of the same
    bool offload = false;                          ///< the optimizer's states lie on the host
    bool keeps_on_card = false;           ///< "without offload": nothing may lie on the host
    bool offload_states = false;          ///< of `offload`: they alone were named
    std::string network;                  ///< between nodes, as --network takes it: "ib-ndr"
    std::string sharding;                 ///< "zero3", "fsdp", "ddp", ...; empty: open
    std::optional<int> tensor, pipeline;  ///< accelerators that share a layer, stages of a pipeline
    std::optional<int> context_parallel;  ///< accelerators that share the tokens of a sequence
    std::vector<std::string> lora_targets{};  ///< modules that adapters stand beside: "all-linear"
    std::optional<int> expert_parallel{};     ///< accelerators that share the experts of a layer
    std::string attention;                    ///< kernel of it: "flash", "eager"
    bool recompute = false;                   ///< gradient checkpointing was asked for
    bool keep_activations = false;            ///< or ruled out
    bool optimizer_in_backward = false;       ///< weights are stepped as their gradients come
    /// What is compared where it is no hardware: the field ("framework", "method", "sharding",
    /// "quantization", "model", "network", "link") and its values, the first of which stands in the
    /// field itself.
    std::string alternatives_of;
    std::vector<std::string> alternatives;
    std::optional<int> sequence, input_tokens, output_tokens, batch, micro_batch, rank, concurrency;
    std::optional<int> step_batch;   ///< samples of a step, where the batch of one device is asked
    std::vector<WorkBeside> beside;  ///< in the order of the question; memory of all adds up
    bool in_turn = false;            ///< of `beside`: one is loaded at a time, as in ComfyUI
    std::optional<int> served_adapters;      ///< of LoRA, that an engine holds beside one model
    std::optional<double> draft_parameters;  ///< of the model that proposes tokens; 0: n-grams do
    std::optional<int>
        copies;  ///< so many at once on the hardware, each with its own weights and work
    std::optional<int> group;  ///< answers to each prompt, of training by rewards
    std::optional<double> requests_per_s, ttft_s, tpot_s;
    std::optional<double> answer_s;  ///< in which a whole answer of tokens is wanted
    std::optional<double> tokens, samples, epochs;
    std::optional<double> tokens_of_run;  ///< of the whole, where a part of it is done
    std::optional<double> steps;          ///< of the optimizer
    std::optional<double> audio_s;        ///< of recordings: a length of work, no deadline
    std::optional<double> heard_s;  ///< the same, each padded to the windows in which it is heard
    std::optional<double> usd_per_kwh;
    std::optional<int> racks;  ///< of the power that was told of each
    std::optional<double> grid_gco2_per_kwh;     ///< what the grid emits, in grams
    std::optional<double> tokens_per_parameter;  ///< of a run from scratch
    std::optional<double> usd_per_million;       ///< tokens: a price that is to be kept
    std::optional<double> part_hours;            ///< hours of one accelerator, paid for or had
    std::optional<double> max_watts;             ///< most that one accelerator may draw
    std::optional<double> supply_w;     ///< of the computer's supply, beside cards that are named
    std::optional<double> power_cap_w;  ///< lowered limit of one accelerator that is named
    std::optional<double>
        open_tokens_per_s;  ///< a rate of which it was not said whether it is that of each user
    std::optional<double> seen_tokens_per_s;  ///< a rate of each user that was measured, no limit
    std::optional<double> seen_mfu;           ///< the share of the peak that was measured
    std::optional<double> given_mfu;          ///< and that which the question reckons with
    std::optional<double> seen_per_s;  ///< images, samples or requests a second that were measured
    std::optional<double> seen_step_s, seen_ttft_s,
        seen_time_s;     ///< a step, a first token, the whole, as measured
    int seen_side = -1;  ///< of `sides`, on which `seen_time_s` was measured; the others are asked
    std::optional<int> checkpoints;            ///< that are kept on storage
    std::optional<double> storage_gb_per_s{};  ///< that storage takes, of a checkpoint
    bool tunes = false;                        ///< fine-tuning is spoken of: no run from scratch
    bool embeds = false;                       ///< vectors are made: nothing is written
    bool writes_tokens = false;                ///< the tokens of a job are those that are written
    bool hears = false;                        ///< the model reads recordings
    bool credits = false;                      ///< the sum is one of a cloud's: it rents
    bool home = false;             ///< a card of one's own is meant: "locally", "at home"
    std::string dataset;           ///< of images, by name: samples are not tokens then
    bool steps_alone = false;      ///< or a number of steps, which may be those of denoising
    bool samples_alone = false;    ///< a number of samples is all that speaks for training
    bool answers_at_once = false;  ///< the model writes no tokens one by one
    double guessed_samples =
        0;  ///< what a network was taken to learn from, as nobody knows; 0: known
    bool counts_samples = false;  ///< samples are images, clips or rows of a network, not texts
    bool answered_in_one_pass = false;  ///< images that are classified, texts that become vectors
    /// And nobody said that each is waited for: a server gathers them in batches.
    bool in_batches = false;
    double dataset_bytes = 0;  ///< on storage
    int tokens_each = 0;       ///< of an example of a set of texts, on average; 0: not known
    bool rented_only = false;  ///< renting is asked for, and nothing else
    bool rents = false;        ///< of a sum: renting or the cloud is spoken of
    std::string region;        ///< of a rent: "us-east-1"
    std::string currency;      ///< in which a price is asked: "euro"; empty: dollars
    double usd_per_currency = 1;
    std::string price_kind;
    std::optional<double> budget_usd, usd_per_hour, usd_per_month, deadline_s, months,
        hours_per_day;
    std::optional<bool> sum_each;  ///< `budget_usd` of several: "3500 each" (true), "7000 total"
                                   ///< (false); empty: not said
    double pue = 0;                ///< of the building; 0: not said
    std::optional<double> resale;  ///< share of the price that is got back at the end
    std::optional<double> resale_usd;  ///< the same in dollars, of all or of each (`resale_each`)
    bool resale_each = false;
    /// What an API asks for a million tokens that are read, beside `usd_per_million` of those that
    /// it writes; and what it is paid a month.
    std::optional<double> usd_per_million_read, api_usd_per_month;
    bool hourly_each = false;   ///< `usd_per_hour` is that of one card: "2.2 per gpu hour"
    bool hourly_paid = false;   ///< it is a price that is paid, not the most that may be
    bool by_hour = false;       ///< the cheapest hour is sought, not the cheapest work
    std::string deadline_date;  ///< "2027-03-01"; who knows today makes it a deadline
    std::optional<double> rack_kw;
    std::optional<double> usd_per_kw_month;  ///< of a room that is let by its power
    /// What was asked beside the work and no data tells: "export rules (none are listed
    /// here)"; said before the answer.
    std::vector<std::string> unweighed;
    std::vector<std::string> unpriced_providers;  ///< those of `providers` without a listed offer
    std::vector<std::string> vendors, vendors_excluded, providers, providers_excluded, require;
    std::optional<Objective> objective;
    std::string profile;

    std::optional<Kernel>
        kernel;  ///< a single kernel is asked about, with the sizes that were said
    std::optional<ComputeType> kernel_type;
    bool beside_cpu = false;  ///< a CPU is to be compared with

    Extreme extreme = Extreme::model;     ///< of `largest`
    bool rents_only = false;              ///< of `price`: nothing is to be bought
    bool best_only = false;               ///< of `price`: the cheapest offer alone was asked for
    std::vector<std::string> attributes;  ///< of `describe`, `throughput`: "bandwidth", "ttft", ...
    bool buy = false;                     ///< hardware is to be bought

    std::string flags;  ///< the same as one would type
    std::vector<AssumedField> assumed;
    std::vector<std::string> not_understood;  ///< words of the question, in order
    std::vector<std::string> unknown_names;  ///< those that name a part, model, provider or machine
    std::string neighbour;                   ///< what the first of them may have meant, a sentence
};

namespace reading {
class Names;
}

/// Words that a question may be about: ids and names of the catalog and the profiles.
struct Vocabulary {
    const Catalog& catalog;
    const Profiles& profiles;
    const std::map<std::string, std::string>* model_aliases = nullptr;  ///< lower case, to ids
    /// All of these taken to pieces, by `names_of`, aliases included; null: done for each question,
    /// which takes longer than to read it.
    std::shared_ptr<const reading::Names> names = nullptr;
    /// What the profiles say of a model that is named; empty: nothing is known of its kind.
    std::function<std::optional<Architecture>(const std::string& id)> architecture = nullptr;
};

/// The names of a vocabulary, for many questions while its catalog lives.
std::shared_ptr<const reading::Names> names_of(const Vocabulary& vocabulary);

/// Requests, images or texts that run at once where a job or a server is kept busy and nobody said
/// how many (published rates of networks are of 32 to 256).
inline constexpr int usual_batch_of_requests = 64;

/// Reads a question in plain words; words in any order, by the grammar of docs/questions.md.
///
/// errors  nothing that the program knows of is named; a count, sum or length that is zero,
/// negative
///         or out of range; a decimal comma; more than 400 words. One line that says what was
///         understood and what not, with an example that works.
Result<Reading> read_question(std::string_view question, const Vocabulary& vocabulary);

/// Of the clips that it makes; 0: it makes none.
double frames_a_second(const Architecture& architecture);

/// What only the shape of the model tells: networks other than transformers are trained whole, and
/// count samples, not tokens.
void suit_to_network(Reading& reading, const Architecture& architecture, const Profiles& profiles);

/// The reading as a query for the search of hardware. Open points are filled and remembered in
/// `reading.assumed`.
Query query_of(Reading& reading);

/// So many requests at once as the rate of the reading keeps in the system, which each candidate
/// finds by its own times.
void fill_request_rate(Reading& reading, Query& query);

/// The same for one task, where the question left it open.
Query query_of(const Reading& reading, Task task);

/// Tokens of a fine-tuning set where no length was said: tens of thousands of examples of about two
/// thousand.
inline constexpr double usual_tuning_tokens = 50e6;
/// From so many tokens on a run trains all weights, and adapters are no way to do it.
inline constexpr double least_tokens_from_scratch = 1e9;
/// Tokens for each parameter of a run from scratch without a length (Hoffmann et al. 2022).
inline constexpr double chinchilla_tokens = 20;

/// A run of training that is usual for a network, where no length was said.
struct UsualRun {
    double samples = 0;
    double epochs = 0;
    std::string_view words;  ///< what it is, for the reader
    int batch = 0;           ///< samples of a step; 0: as the stack takes them
    bool fp32 = false;       ///< its script computes in fp32 unless mixed precision is asked
    int batch_each = 0;      ///< samples of a step on each card; 0: they are told by `batch`
    int step = 0;  ///< samples of a step of it, where steps alone tell the length; 0: `batch`
};
namespace reading {
/// By the id of the network, and whether it is run as MLPerf has it; empty: none is usual.
std::optional<UsualRun> usual_run(std::string_view model, std::string_view framework = {});
}  // namespace reading

/// Remembers what had to be assumed, and why.
void assume(Reading& reading, std::string field, std::string value, std::string why);
/// The same of what decides most: told before the rest.
void assume_first(Reading& reading, std::string field, std::string value, std::string why);
/// "batch 4" of what is served: so many at once.
void serve_batch_at_once(Reading& reading);
/// Of a field that is no longer assumed.
void forget_assumed(Reading& reading, std::string_view field);
/// What was assumed of a field; null: nothing was.
const AssumedField* assumed_of(const Reading& reading, std::string_view field);
AssumedField* assumed_of(Reading& reading, std::string_view field);

/// Whether the question asks about an attribute: "bandwidth", "ttft", ...
bool asks(const Reading& reading, FigureName name);
void ask_for(Reading& reading, FigureName name);

/// Takes one of the methods that are compared: what judges the answers ("orpo") leaves what trains
/// of the model, where that was said.
void take_method(Reading& reading, const std::string& value);

/// Whether a rent was told that hardware which is named is paid with: no limit of what may be.
bool pays_told_rent(const Reading& reading);

/// The flags of `ridgeline advise` that ask the same.
std::string flags_of(const Reading& reading, const Query& query);

}  // namespace ridgeline
