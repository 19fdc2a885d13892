#include "advise/hardware/desk.h"
#include "advise/reading/models/few_steps.h"
#include "advise/reading/settling/asked_limits.h"
#include "advise/reading/settling/asked_training.h"
#include "base/lists.h"
#include "base/number.h"
#include "base/text.h"
#include "estimate/families/families.h"
#include "spec/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

// A reading as a query: what the search of hardware takes, with what had to be assumed.

namespace ridgeline {
namespace {

Serving& serving_of(Query& query) {
    if (!query.workload.serving) {
        query.workload.serving = Serving{};
    }
    return *query.workload.serving;
}

/// Seconds that a request stays, when only its rate is known: what is asked for the first token and
/// for each of the answer's, else 10.
double stay_s(const Reading& reading, const Serving& serving) {
    if (reading.answer_s) {
        return *reading.answer_s;
    }
    const double each = reading.tpot_s.value_or(0.02);
    return reading.ttft_s.value_or(0.5) +
           (reading.answers_at_once ? 0 : each * serving.output_tokens);
}

}  // namespace

void fill_request_rate(Reading& reading, Query& query) {
    Serving& serving = serving_of(query);
    query.concurrency_follows = true;
    if (reading.family_of_networks) {
        assume(reading, "concurrency", "1", "else 64 at once, where one by one misses the rate");
        return;
    }
    const double stay = stay_s(reading, serving);
    serving.concurrency = std::max(1.0, std::ceil(*reading.requests_per_s * stay));
    assume(
        reading, "concurrency", fmt::format("{:g}", serving.concurrency),
        fmt::format("Little's law: {:.4g} requests/s, each {:.3g} s in the system at first, then "
                    "as each part answers",
                    *reading.requests_per_s, stay));
}

namespace {

/// Rates and prices of requests are those of their lengths.
void assume_lengths(Reading& reading, const Serving& serving) {
    const bool sought = reading.intent == Intent::largest && reading.extreme == Extreme::sequence;
    const bool no_work = reading.intent == Intent::describe || reading.intent == Intent::price ||
                         reading.intent == Intent::own;
    if (reading.input_tokens || reading.sequence || reading.counts_samples || reading.audio_s ||
        reading.model.empty() || sought || no_work) {
        return;
    }
    const std::string tokens = fmt::format("{:g}", serving.input_tokens);
    const std::string why =
        reading.answers_at_once ? std::string("the length of a text was not said")
        : reading.output_tokens ? std::string("the length of a prompt was not said")
                                : fmt::format(
                                      "lengths were not said: {:g} tokens are written to "
                                      "each prompt",
                                      serving.output_tokens);
    const bool several = reading.requests_per_s || reading.concurrency.value_or(1) > 1;
    several ? assume_first(reading, "input_tokens", tokens, why)
            : assume(reading, "input_tokens", tokens, why);
}

/// Cards of the side that was said to have most.
int most_of_sides(const Reading& reading) {
    int most = 1;
    for (const ReadSide& side : reading.sides) {
        most = std::max(most, side.count.value_or(1));
    }
    return most;
}

void fill_serving(Reading& reading, Query& query) {
    Serving& serving = serving_of(query);
    serving.host_memory_rate = reading.host_memory_gb_per_s.value_or(serving.host_memory_rate);
    if (reading.draft_parameters) {
        serving.draft_tokens = 4;  // as vLLM's and SGLang's examples have three to five
        serving.draft_parameters = *reading.draft_parameters;
    }
    if (reading.output_tokens) {
        serving.output_tokens = *reading.output_tokens;
    }
    if (reading.offload && reading.counts_samples) {
        query.workload.offload_parameters =
            OffloadTarget::cpu;  // parts of a pipeline wait on the host for their turn
    }
    if (reading.input_tokens) {
        serving.input_tokens = *reading.input_tokens;
    } else if (reading.sequence) {
        // What writes nothing reads all of it.
        const double written =
            reading.answers_at_once && !reading.output_tokens ? 0 : serving.output_tokens;
        serving.input_tokens = std::max(1.0, *reading.sequence - written);
        query.workload.sequence_length = reading.sequence;
    }
    if (const AssumedField* found = assumed_of(reading, "cached_share")) {
        serving.cached_share = number_or_zero(found->value);
    }
    // Copies that are weighed against one that is spread stand idle beside a single request.
    const bool weighs_copies = std::find(reading.alternatives.begin(), reading.alternatives.end(),
                                         "dp0") != reading.alternatives.end();
    if (reading.concurrency) {
        serving.concurrency = *reading.concurrency;
    } else if (reading.in_batches && reading.requests_per_s) {
        query.concurrency_follows = true;
        serving.concurrency = 1;
        assume(reading, "concurrency", "as few as keep the rate",
               "a server gathers what arrives together in batches");
    } else if ((reading.in_batches || weighs_copies) &&
               (reading.intent == Intent::throughput || reading.intent == Intent::compare)) {
        serving.concurrency = usual_batch_of_requests * reading.count.value_or(1);
        assume(reading, "concurrency", fmt::format("{:g}", serving.concurrency),
               "in batches, as rates are measured; one at a time: --concurrency 1");
    } else if (const int cards = most_of_sides(reading); reading.hears && cards > 1) {
        // A window of a recording is heard by one card: several are busy with as many of them.
        constexpr int usual_windows_of_each = 16;
        serving.concurrency = usual_windows_of_each * cards;
        assume(reading, "concurrency", fmt::format("{:g}", serving.concurrency),
               "windows of 30 s of several recordings, so that every card hears");
    } else if (reading.counts_samples) {
        // An image is answered in one pass: nothing stays in the system while it is written.
        serving.concurrency = reading.count.value_or(1);
        assume(reading, "concurrency", fmt::format("{:g}", serving.concurrency),
               reading.count.value_or(1) > 1 ? "one sample at a time on each"
                                             : "one sample at a time");
    } else if (reading.requests_per_s) {
        fill_request_rate(reading, query);
    } else {
        serving.concurrency = 1;
        if (!(reading.intent == Intent::largest && reading.extreme == Extreme::users)) {
            assume(reading, "concurrency", "1", "no number of users was said");
        }
    }
    assume_lengths(reading, serving);
}

/// The type of the cache, where one was said that is known.
void fill_cache(Reading& reading, WorkloadDocument& work) {
    const std::string& said = reading.kv_cache;
    if (said.empty()) {
        return;
    }
    const bool eight = said == "int8" || said.starts_with("q8") || said == "8bit";
    if (said.starts_with("fp8")) {
        work.kv_cache = DType::fp8;
    } else if (eight) {
        work.kv_cache = DType::int8;
    } else if (said == "bf16" || said == "none") {
        work.kv_cache = DType::bf16;
    } else if (said == "fp16") {
        work.kv_cache = DType::fp16;
    } else {
        work.kv_cache = DType::int8;
        assume(reading, "kv_cache", "int8",
               "a cache in " + said + " is estimated in 8 bits, the least that is known");
    }
}

/// What weights are stored as and computed in.
void fill_types(const Reading& reading, WorkloadDocument& work) {
    if (!reading.quantization.empty()) {
        work.quantization = reading.stored_as.empty() ? reading.quantization : reading.stored_as;
    }
    for (const ComputeType type : {ComputeType::bf16, ComputeType::fp16, ComputeType::fp32,
                                   ComputeType::tf32, ComputeType::fp8}) {
        if (name_of(type) == reading.compute) {
            work.compute = type;
            if (work.task == Task::inference && !work.quantization) {
                work.quantization = "none";  // "in bf16" asks for the weights too
            }
        }
    }
}

/// What a sum of money without a period pays for, and who runs a model at home.
void assume_purchase(Reading& reading, Query& query) {
    WorkloadDocument& work = query.workload;
    // A run whose length is asked about costs its rent.
    const bool run = reading.intent == Intent::duration && !reading.buy && !reading.home;
    const bool lets = !reading.price_kind.empty() && reading.price_kind != "purchase";
    // "$40 for an h100 for a weekend": a card of a rack for a time is rented.
    const bool for_a_time = reading.intent == Intent::fit && !reading.buy && !reading.owned &&
                            (reading.deadline_s || reading.months) && reading.budget_usd;
    const bool rents =
        !reading.providers.empty() || lets || reading.credits || reading.rents || run || for_a_time;
    const bool serves = work.task == Task::inference;
    // One that serves at home pays for a card and files of 4-bit weights.
    const bool home = query.budget_usd && *query.budget_usd <= most_at_home_usd &&
                      !query.budget_usd_per_hour && !rents && serves;
    // "locally", "at home": a card to buy, with such weights as people run on one.
    const bool buys_one = reading.home && !query.budget_usd && !query.budget_usd_per_hour &&
                          !rents && reading.accelerators.empty() && !reading.owned &&
                          reading.intent == Intent::hardware;
    // "how little can I pay for 4 users, own hardware"
    constexpr int few_users = 8;
    const bool least = query.buy && !query.budget_usd && !rents && serves &&
                       reading.objective != Objective::time && reading.accelerators.empty() &&
                       reading.concurrency && *reading.concurrency <= few_users &&
                       !reading.requests_per_s;
    if ((home || least || (buys_one && serves)) && !work.quantization && !work.compute &&
        !reading.counts_samples && !reading.answers_at_once && !reading.hears &&
        !reading.model.empty()) {
        work.quantization = "q4_k_m";
        assume(reading, "quantization", "q4_k_m", "the usual weights on a card of one's own");
    }
    // A model from nothing is trained on what is rented for the sum.
    const bool from_nothing = reading.method == "full" && !reading.tunes && !work.preference &&
                              query.budget_usd.value_or(0) > most_at_home_usd;
    const bool stepped = reading.counts_samples && reading.steps;
    const bool open_run = !work.duration_tokens && !stepped && query.budget_usd &&
                          work.task == Task::train && !rents && !from_nothing;
    // A service has no end that a rent could be paid to.
    const bool ends = reading.tokens || reading.samples || reading.audio_s || reading.deadline_s ||
                      reading.months || reading.part_hours;
    const bool service = query.budget_usd && !query.budget_usd_per_hour && !rents && serves &&
                         !ends && (reading.concurrency || reading.requests_per_s) &&
                         reading.accelerators.empty();
    const bool spends = asks(reading, "tokens_of_run") ||
                        asks(reading, "epochs_of_run");  // the sum is spent on the run
    // "at home, one card under 800 dollars", however long the run is.
    const bool home_run = reading.home && query.budget_usd &&
                          *query.budget_usd <= most_at_home_usd && !rents &&
                          work.task == Task::train;
    const bool computer =
        asks(reading, "computer") && query.budget_usd && !rents && !query.budget_usd_per_hour;
    // No card that trains is sold for less: the sum is that of the run.
    constexpr double least_of_a_card = 50;
    const bool small = open_run && reading.samples && *query.budget_usd < least_of_a_card;
    if ((home || buys_one || (open_run && !small) || service || home_run || computer) &&
        !query.buy && !spends && reading.intent != Intent::price) {
        query.buy = true;
        assume(reading, "buy", "true",
               computer               ? "a computer is bought, however long the run is"
               : home                 ? "a sum without a period was taken as the price of the card"
               : buys_one || home_run ? "what runs at home is bought"
               : service ? "a service has no end that a rent could be paid to: the sum buys"
                         : "the run has no length, so the budget was taken as the price of the "
                           "hardware");
    }
    if (query.buy && !reading.objective) {
        // A sum is there to be spent on speed; without one the least is spent.
        query.objective = query.budget_usd ? Objective::time : Objective::price;
    } else if (query.buy && reading.objective == Objective::cost) {
        query.objective = Objective::price;  // the cheapest to buy, whatever its rent
    }
}

/// Who has money for a card and names a model, and nothing else, wants to run it; so do those who
/// compare cards for a model.
void settle_task(Reading& reading) {
    if (reading.intent == Intent::compare && reading.alternatives_of == "network" &&
        reading.model.empty() && !reading.kernel) {
        reading.model = "70b";
        reading.task = reading.task.value_or(Task::train);
        assume(reading, "model", "70b", "none was named: one that takes several nodes to train");
    }
    const bool open =
        !reading.task && reading.method.empty() && !reading.model.empty() && !reading.kernel;
    if (open && reading.home && reading.intent == Intent::hardware) {
        reading.task = Task::inference;
        assume(reading, "task", "inference",
               "a model at home is there to answer: training was not said");
    }
    if (open && reading.intent == Intent::compare && reading.sides.size() > 1) {
        reading.task = Task::inference;
        assume(reading, "task", "inference",
               "cards are compared at running it: training was not said");
    }
    const bool parallel = reading.alternatives_of == "tensor";
    if (open && reading.intent == Intent::compare &&
        (reading.alternatives_of == "model" || parallel)) {
        reading.task = Task::inference;
        assume(reading, "task", "inference",
               parallel ? "one copy of the model on all of them: training was not said"
                        : "models are compared at running them: training was not said");
    }
    if (reading.method.empty() && reading.task == Task::train &&
        reading.intent == Intent::compare &&
        is_among(reading.alternatives_of, {"sharding", "network"})) {
        reading.method = "full";
        assume(reading, "method", "full",
               reading.alternatives_of == "network"
                   ? "networks are told apart by the gradients of whole training"
                   : "what is sharded is told apart by the states of whole training");
    }
    const bool monthly = reading.usd_per_month && !reading.budget_usd;
    const bool priced = reading.intent == Intent::fit && reading.budget_usd;  // "4 3090 for $4000"
    if (open && (reading.intent == Intent::budget || priced) &&
        (monthly || reading.budget_usd.value_or(most_at_home_usd + 1) <= most_at_home_usd)) {
        reading.task = Task::inference;
        assume(reading, "task", "inference",
               monthly ? "a sum of every month pays for what stands there to answer"
                       : "a sum for a card and a model: it is to run there");
    }
}

}  // namespace

Query query_of(Reading& reading) {
    settle_task(reading);
    Query query;
    const std::size_t said = reading.assumed.size();
    WorkloadDocument& work = query.workload;
    if (reading.kernel) {
        work.task = Task::kernel;
        work.kernel = reading.kernel;
        work.compute = reading.kernel_type;
        if (work.compute == ComputeType::fp16_fp16_accumulate) {
            work.compute = ComputeType::fp16;
            work.fp16_accumulate = true;
        }
        fill_limits(reading, query);
        query.objective = reading.objective.value_or(Objective::time);
        return query;
    }
    query.model_text = reading.estimated_model();
    work.model_id = reading.estimated_model();
    work.task = reading.task.value_or(Task::train);
    work.image_size = reading.image_size;
    work.image_height = reading.image_height;
    work.frames = reading.frames;
    work.audio_seconds = reading.frames ? std::nullopt : reading.clip_s;  // of what hears
    if (work.task == Task::inference && reading.counts_samples && reading.steps) {
        work.steps = static_cast<int>(*reading.steps);  // of denoising
        if (assumed_of(reading, reading::unguided) != nullptr) {
            work.guidance_passes = 1;
        }
    }
    if (!reading.network.empty()) {
        work.network = reading.network;
    }
    work.tensor = reading.tensor;
    work.pipeline = reading.pipeline;
    work.context = reading.context_parallel;
    work.expert = reading.expert_parallel;
    if (!reading.framework.empty()) {
        work.framework = reading.framework;
    }
    fill_types(reading, work);
    fill_cache(reading, work);
    if (work.task == Task::inference) {
        fill_serving(reading, query);
    } else {
        fill_training(reading, query);
    }
    // A price or a figure rests on no method and no load.
    if (!reading.task && reading.model.empty()) {
        reading.assumed.resize(said);
    }
    if (reading.intent == Intent::describe || reading.intent == Intent::price ||
        reading.intent == Intent::own) {
        reading.assumed.resize(said);
    }
    fill_limits(reading, query);
    query.ladder = reading.intent == Intent::fit && work.task == Task::inference &&
                   !work.quantization && !reading.requests_per_s && !reading.concurrency;
    // Users or requests that were told are what is served: the hour is paid for, whatever more
    // would fit. A job that ends is paid for by its work.
    const bool load = reading.concurrency || reading.requests_per_s;
    const bool job = (reading.open_tokens_per_s && !reading.concurrency) || reading.tokens ||
                     reading.samples || reading.audio_s || (reading.in_batches && !load);
    query.by_hour = work.task == Task::inference && reading.intent == Intent::hardware &&
                    query.objective == Objective::cost &&
                    (load || (reading.objective == Objective::cost && !reading.counts_samples)) &&
                    !job;
    assume_count(reading, query);
    assume_copies(reading);
    assume_purchase(reading, query);
    if (reading.by_hour && query.objective == Objective::cost && !query.buy &&
        reading.intent == Intent::hardware && !reading.model.empty()) {
        query.objective = Objective::rent;
        reading.objective = Objective::rent;
    }
    return query;
}

Query query_of(const Reading& reading, Task task) {
    Reading one = reading;
    one.task = task;
    return query_of(one);
}

namespace {

/// "rtx-3090:2,rtx-4090:1" where a comparison counts its sides; else nothing.
std::string counted_sides(const Reading& reading) {
    std::string out;
    bool counted = false;
    for (const ReadSide& side : reading.sides) {
        counted = counted || side.count.has_value();
        for (const std::string& id : side.ids) {
            out += fmt::format("{}{}:{}", out.empty() ? "" : ",", id, side.count.value_or(1));
        }
    }
    return counted ? out : std::string();
}

}  // namespace

std::string flags_of(const Reading& reading, const Query& query) {
    std::string flags = flags_of(query);
    const bool no_work =
        reading.intent == Intent::describe || reading.intent == Intent::price ||
        reading.intent == Intent::own ||
        (reading.intent == Intent::budget && reading.method.empty() && query.model_text.empty());
    const bool kind_of_work =
        !reading.profile.empty() && reading.method.empty() && query.model_text.empty();
    if (no_work || kind_of_work || (!reading.task && !query.model_text.empty()) ||
        (reading.intent == Intent::compare && query.model_text.empty())) {
        // Both are answered: the flags of one would say too much.
        const auto at = flags.find("--method ");
        if (at != std::string::npos) {
            flags.erase(at, std::min(flags.find("--", at + 2), flags.size()) - at);
        }
    }
    if (const std::string sides = counted_sides(reading); !sides.empty()) {
        const std::size_t at = flags.find("--on ");
        if (at != std::string::npos) {
            flags.replace(at + 5, flags.find(' ', at + 5) - at - 5, sides);
        }
    }
    if (reading.memory_fraction && flags.find("--memory-fraction ") == std::string::npos) {
        flags += fmt::format("{}--memory-fraction {:g}", flags.empty() ? "" : " ",
                             *reading.memory_fraction);
    }
    return flags;
}

}  // namespace ridgeline
