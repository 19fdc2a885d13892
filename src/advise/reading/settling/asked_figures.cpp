#include "advise/reading/settling/asked_figures.h"

#include "advise/hardware/desk.h"
#include "advise/hardware/offers.h"
#include "advise/reading/hardware/steps.h"
#include "advise/reading/models/shapes.h"
#include "advise/reading/numbers/units.h"
#include "advise/reading/settling/steps.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace ridgeline::reading {
namespace {

Extreme extreme_of(const Facts& facts) {
    return facts.asks("largest_sequence") ? Extreme::sequence
           : facts.asks("largest_users")  ? Extreme::users
           : facts.asks("largest_batch")  ? Extreme::batch
           : facts.asks("largest_rank")   ? Extreme::rank
           : facts.asks("largest_copies") ? Extreme::copies
           : facts.asks("largest_image")  ? Extreme::image
           : facts.asks("largest_frames") ? Extreme::frames
                                          : Extreme::model;
}

/// "200 h100 hours are left", "free for two months": how long the largest run may be, on how many.
void settle_left_time(Sentence& sentence) {
    constexpr int usual_node = 8;
    Reading& reading = sentence.reading;
    if (reading.part_hours && !reading.deadline_s) {
        const int count =
            reading.count.value_or(sentence.mentions.front().count.value_or(usual_node));
        reading.task = Task::train;
        reading.method = "full";
        reading.count = count;
        reading.deadline_s = *reading.part_hours * 3600 / count;
        sentence.assume("count", std::to_string(count), "so many share the hours that are left");
    }
    if (reading.task == Task::train && reading.months && !reading.deadline_s) {
        reading.deadline_s = *reading.months * 30 * 86400;  // hardware that is free for so long
        reading.months.reset();
    }
}

/// "p5 cost per hour against trn2", "h200 vs h100 memory": without work one figure is compared.
void take_compared_figure(Reading& reading, const Facts& facts) {
    if (facts.model || facts.work) {
        if (facts.model && facts.asks("memory strong_memory")) {
            ask_for(reading, "memory");
        }
        return;
    }
    if (facts.asks("cost per_hour price price_of rent")) {
        ask_for(reading, "rent");
    }
    if (reading.attributes.empty() && facts.asks("memory strong_memory")) {
        ask_for(reading, "memory");
    }
}

/// Figures of a model beside the first: "how many layers and params", "layers and context length".
void take_figures_of_model(const Sentence& sentence, Reading& reading, const Facts& facts) {
    if (!facts.attribute("parameters") && sentence.any_word("params parameters param")) {
        ask_for(reading, "parameters");
    }
    if (!facts.attribute("context") && !reading.attributes.empty() &&
        sentence.any_word("context ctx")) {
        ask_for(reading, "context");
    }
}

/// "which gpus support fp8": the type is asked about, nothing is run.
void take_type_for_figure(Reading& reading) {
    for (std::string* type : {&reading.quantization, &reading.compute}) {
        if (!type->empty()) {
            reading.attributes.push_back(*type);
            type->clear();
        }
    }
    reading.task.reset();
}

void take_described_figures(Sentence& sentence, const Facts& facts) {
    Reading& reading = sentence.reading;
    if (facts.asks("largest_sequence")) {
        ask_for(reading, "context");
    }
    if (facts.asks("chinchilla")) {
        ask_for(reading, "optimal_tokens");
    }
    if (facts.parts && (reading.usd_per_kwh || asks_for_carbon(sentence)) &&
        !facts.attribute("energy")) {
        ask_for(reading, "energy");
    }
    if (facts.parts && !reading.months && !reading.deadline_s &&
        (facts.attribute("energy") || asks(reading, "energy")) &&
        sentence.any_word("year yearly annual annually")) {
        reading.months = 12;
    }
    if (facts.parts && !reading.attributes.empty() && facts.asks("memory strong_memory") &&
        !facts.attribute("memory")) {
        reading.attributes.insert(reading.attributes.begin(), "memory");  // "vram and bandwidth"
    }
    if (reading.attributes.empty() && facts.asks("memory strong_memory")) {
        ask_for(reading, "memory");
    } else if (reading.attributes.empty() && facts.model && facts.asks("size_of")) {
        ask_for(reading, "parameters");
    }
    if (facts.model) {
        take_figures_of_model(sentence, reading, facts);
        if ((facts.attribute("flops") || facts.attribute("macs")) &&
            (reading.tokens ||
             sentence.any_word("train trained training pretrain pretrained pretraining"))) {
            ask_for(reading, "training_flops");
        }
    }
    if (reading.accelerators.empty() && sentence.mentions.empty() && reading.model.empty()) {
        take_type_for_figure(reading);
    }
    if (!reading.attributes.empty() && facts.parts && facts.asks_for_a_type() &&
        !facts.attribute("flops")) {
        ask_for(reading, "flops");  // "how many cores and does it do bf16"
    }
    std::erase_if(reading.require, [](const std::string& each) { return is_product_line(each); });
    // A feature that is asked about is none that is required.
    for (std::string& feature : reading.require) {
        reading.attributes.push_back(std::move(feature));
    }
    reading.require.clear();
}

/// Figures that are asked for by the same word in every intent.
void take_named_figures(Reading& reading, const Facts& facts) {
    for (const std::string_view figure : {"ttft",
                                          "tpot",
                                          "latency",
                                          "mfu",
                                          "images",
                                          "frames",
                                          "one_at_a_time",
                                          "kv_cache",
                                          "cache_per_token",
                                          "smallest_part",
                                          "per_month",
                                          "instance",
                                          "prefill",
                                          "all_day",
                                          "part_optimizer",
                                          "part_gradients",
                                          "part_activations",
                                          "part_parameters",
                                          "part_weights",
                                          "host_ram",
                                          "overkill",
                                          "mixed_precision",
                                          "part_adapters",
                                          "part_checkpoint",
                                          "part_embedding",
                                          "part_logits",
                                          "per_layer",
                                          "whole_request",
                                          "without_parts",
                                          "requests_per_hour",
                                          "requests_per_minute"}) {
        if (facts.s.has(Means::ask, figure)) {
            reading.attributes.emplace_back(figure);
        }
    }
}

/// "a full response of 400 tokens": the whole of it, whatever else of it was read.
void take_whole_request(const Sentence& sentence, Reading& reading) {
    for (std::size_t i = 0; i + 1 < sentence.tokens.size(); ++i) {
        const bool whole = is_any(sentence.word(i), "full whole entire complete e2e") &&
                           sentence.follows(i + 1) &&
                           is_any(sentence.word(i + 1), "response answer reply request completion");
        if (whole && !asks(reading, "whole_request")) {
            ask_for(reading, "whole_request");
        }
    }
}

/// "is a 4090 faster than two 3090s": yes or no.
void take_yes_or_no(const Sentence& sentence, Reading& reading) {
    if (sentence.tokens.empty() || !is_any(sentence.word(0), "is are does do will would")) {
        return;
    }
    for (std::size_t i = 1; i + 1 < sentence.tokens.size(); ++i) {
        if (sentence.word(i + 1) == "than" && sentence.word(i) == "slower") {
            ask_for(reading, "is_slower");
        } else if (sentence.word(i + 1) == "than" && sentence.word(i) == "faster") {
            ask_for(reading, "is_faster");
        }
    }
}

/// "smallest nvidia card", "smallest single gpu", "smallest used nvidia card": words that tell of
/// which kind it is stand between, and no preposition or verb, behind which the card is another
/// thing.
bool smallest_of_a_kind(const Sentence& sentence) {
    constexpr std::string_view hardware = "card gpu accelerator graphics mac instance vm";
    for (std::size_t i = 0; i + 2 < sentence.tokens.size(); ++i) {
        const bool known = is_any(sentence.word(i + 1),
                                  "nvidia amd intel apple geforce radeon rtx quadro consumer "
                                  "single one");
        if (known && is_any(sentence.word(i), "minimum") &&
            is_any(sentence.word(i + 2), hardware)) {
            return true;
        }
        const std::size_t past =
            past_words(sentence, i + 1,
                       "nvidia amd intel apple geforce radeon rtx quadro consumer gaming "
                       "professional workstation single one used new desktop "
                       "laptop datacenter data center server possible sensible decent cuda");
        if (past > i + 1 && is_any(sentence.word(i), "smallest tiniest weakest") &&
            is_any(sentence.word(past), hardware)) {
            return true;
        }
    }
    return false;
}

/// "would own GPUs beat the api", "months until a dgx pays back": what is bought is weighed, no
/// hardware that is there.
bool weighs_purchase(const Sentence& sentence) {
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
        const bool there = i > 0 && is_any(sentence.word(i - 1), "i we my our already on with");
        if (is_any(sentence.word(i), "own owning") && !there) {
            return true;
        }
    }
    return sentence.asks("buy own") ||
           sentence.any_word("buy buying bought purchase purchasing payback recoup");
}

/// "the smallest h100 fleet", "how many users for 2k a month".
void take_bounds(const Sentence& sentence, Reading& reading, const Facts& facts) {
    if (facts.attribute("api") && weighs_purchase(sentence) && !asks(reading, "own_or_rent")) {
        ask_for(reading, "own_or_rent");
        reading.owned = false;  // what would be one's own is not there yet
    }
    const bool fewest = (facts.how_many_parts &&
                         (sentence.any_word("smallest fewest minimum minimal least tiniest") ||
                          seeks_fewest(sentence))) ||
                        smallest_of_a_kind(sentence);
    if (fewest && !facts.attribute("smallest_part")) {
        ask_for(reading, "smallest_part");
    } else if (facts.how_many_parts && facts.parts && facts.model && !fewest) {
        ask_for(reading, "how_many");
    }
    if (facts.asks("largest_users") && !facts.parts && facts.model &&
        (facts.sum || facts.income())) {
        ask_for(reading, "users_for_money");
    }
    if (asks_for_carbon(sentence)) {
        ask_for(reading, "carbon");
    }
    // "is $5000 enough to pretrain a 1b", "500 dollars: can i tune it", "feasible?"
    bool can = !sentence.tokens.empty() && is_any(sentence.word(0), "can could will is does would");
    for (std::size_t i = 1; i < sentence.tokens.size(); ++i) {
        can =
            can || (is_any(sentence.word(i), "i we") && is_any(sentence.word(i - 1), "can could"));
    }
    if (facts.sum && facts.model &&
        (can || sentence.any_word("enough feasible suffice suffices sufficient doable possible"))) {
        ask_for(reading, "sum_enough");
    }
}

/// "images an hour", "how many pictures does it make per day": pictures are counted by that
/// period; of "images per second, rented by the hour" they are not.
bool counts_pictures_by(const Sentence& sentence, std::string_view periods) {
    bool by = false;
    for (std::size_t i = 1; i < sentence.tokens.size(); ++i) {
        const bool slash = sentence.tokens[i].gap == Gap::slash;
        const bool each = slash || is_any(sentence.word(i - 1), "per a an one each every");
        const std::size_t noun = slash ? i - 1 : i - std::min<std::size_t>(i, 2);
        if (each && is_any(sentence.word(i), "second sec s minute min") &&
            is_any(sentence.word(noun), "images image pictures picture pics")) {
            return false;
        }
        by = by || (each && is_any(sentence.word(i), periods));
    }
    return by;
}

void take_rates(const Sentence& sentence, Reading& reading, const Facts& facts) {
    if (facts.tokens_of_run()) {
        if (sentence.any_word("epochs passes")) {
            ask_for(reading, "epochs_of_run");
        } else {
            ask_for(reading, "tokens_of_run");
        }
        reading.task = Task::train;
        if (reading.method.empty() && !sentence.has(Means::tune)) {
            reading.method = "full";
            assume(reading, "method", "full", "what is counted in tokens trains all weights");
        }
    }
    if (facts.attribute("flops")) {
        ask_for(reading, "mfu");
        reading.task = reading.task.value_or(Task::train);
    }
    if (facts.asks("per_hour") && sentence.any_word("day") && !facts.attribute("all_day")) {
        ask_for(reading, "all_day");  // "how many tokens does it make a day"
    }
    if (facts.asks("images") &&
        (counts_pictures_by(sentence, "hour hr h") || sentence.any_word("hourly"))) {
        ask_for(reading, "hourly");
    } else if (facts.asks("images") &&
               (counts_pictures_by(sentence, "day") || sentence.any_word("daily"))) {
        ask_for(reading, "all_day");
    }
}

void take_shares(const Sentence& sentence, Reading& reading, const Facts& facts) {
    for (const std::string_view share :
         {"per_gpu", "per_watt", "per_million", "per_sample", "value"}) {
        if (facts.s.has(Means::ask, share)) {
            reading.attributes.emplace_back(share);
        }
    }
    if (facts.part_hours || facts.asks("gpu_hours") || sentence.any_word("gpu-hours")) {
        ask_for(reading, "gpu_hours");
        if (facts.asks("gpu_days")) {
            ask_for(reading, "gpu_days");
        }
    }
}

/// "which quant", "what quantization", "best gguf for": the type of weights itself.
bool asks_which_type(const Sentence& s) {
    for (std::size_t i = 1; i < s.tokens.size(); ++i) {
        const bool type =
            is_any(s.word(i), "quant quants quantization quantisation gguf precision bits");
        if (type && s.follows(i) &&
            is_any(s.word(i - 1),
                   "which what best highest largest biggest lowest smallest narrowest")) {
            return true;
        }
    }
    return false;
}

/// "launch price", "list price", "cost at launch": what its maker asked.
bool asks_list_price(const Sentence& sentence) {
    for (std::size_t i = 1; i < sentence.tokens.size(); ++i) {
        if (is_any(sentence.word(i), "launch release") && sentence.word(i - 1) == "at" &&
            !(sentence.follows(i + 1) && is_any(sentence.word(i + 1), "of day week date"))) {
            return true;
        }
        if (is_any(sentence.word(i), "price prices cost") &&
            is_any(sentence.word(i - 1),
                   "launch list release official suggested recommended retail")) {
            return true;
        }
    }
    return false;
}

/// "per year", "yearly".
bool says_of_a_year(const Sentence& sentence) {
    for (std::size_t i = 1; i < sentence.tokens.size(); ++i) {
        if (is_any(sentence.word(i), "year yr annum") && is_any(sentence.word(i - 1), "per each")) {
            return true;
        }
    }
    return sentence.any_word("yearly annually annual");
}

/// "per day", "/week", "daily": a period that a price is asked for, of which it was not said how
/// many; no habit ("8 hours a day").
bool asks_for_each(const Sentence& sentence, std::string_view period, std::string_view adverb) {
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
        const std::size_t noun = i + 1;
        const bool article = is_any(sentence.word(i), "per a each every") &&
                             is_any(sentence.word(noun), period) && sentence.follows(noun);
        const bool slash = is_any(sentence.word(i), period) && sentence.tokens[i].gap == Gap::slash;
        const bool habit = i > 0 && is_any(sentence.word(i - 1), "hours hour hrs hr h in within");
        if ((article || slash || is_any(sentence.word(i), adverb)) && !habit) {
            return true;
        }
    }
    return false;
}

/// "h100 price in eu-central-1": that no list has such a region is part of the answer.
void take_unlisted_region(Reading& reading) {
    auto& words = reading.not_understood;
    const auto region = std::ranges::find_if(words, names_region);
    if (reading.region.empty() && region != words.end()) {
        reading.region = *region;
        words.erase(region);
    }
}

void take_asked_price(const Sentence& sentence, Reading& reading, const Facts& facts) {
    take_unlisted_region(reading);
    for (std::size_t i = 1; i < sentence.tokens.size() && reading.region.empty(); ++i) {
        const std::string_view word = sentence.word(i);
        reading.region = sentence.word(i - 1) == "in" && is_country(word) ? word : "";
    }
    const bool timed = reading.deadline_s || reading.months || reading.usd_per_hour;
    // "for a whole month"
    for (std::size_t i = 1; !timed && i < sentence.tokens.size(); ++i) {
        if (sentence.word(i) == "month" && is_any(sentence.word(i - 1), "whole entire full all")) {
            ask_for(reading, "per_month");
        }
    }
    if (!timed && !facts.asks("per_month") && !asks(reading, "per_month")) {
        if (asks_for_each(sentence, "day", "daily")) {
            ask_for(reading, "per_day");
        } else if (asks_for_each(sentence, "week wk", "weekly")) {
            ask_for(reading, "per_week");
        } else if (reading.hours_per_day && !sentence.any_word("hourly")) {
            ask_for(reading, "per_month");  // "8 hours a day": a month of such days
        }
    }
    if (facts.judges_price()) {
        ask_for(reading, "good_price");
        if (sentence.any_word("used") || says_second_hand(sentence)) {
            ask_for(reading, "used");
        }
        return;
    }
    if (reading.part_hours) {
        // One for so long costs as much as several that share the hours of a time.
        const double within = reading.deadline_s           ? *reading.deadline_s / 3600
                              : reading.months             ? *reading.months * hours_of_a_month
                              : sentence.any_word("month") ? hours_of_a_month
                              : sentence.any_word("week")  ? 168
                                                           : *reading.part_hours;
        reading.months.reset();
        reading.deadline_s = *reading.part_hours * 3600;
        const double at_once = std::ceil(*reading.part_hours / within);
        if (at_once > 1) {
            assume(reading, "at_once", fmt::format("{:g}", at_once),
                   "so many end within that time");
        }
    }
    if (says_second_hand(sentence) || (reading.price_kind.empty() && sentence.any_word("used"))) {
        reading.price_kind = reading.price_kind.empty() ? "purchase" : reading.price_kind;
        ask_for(reading, "used");
    }
    if (sentence.any_word("msrp rrp mrp") || asks_list_price(sentence)) {
        ask_for(reading, "list_price");
        if (reading.price_kind.empty() && !facts.asks("rent cloud")) {
            reading.price_kind = "purchase";
            reading.buy = true;
        }
    }
    if (facts.asks("price_kinds")) {
        ask_for(reading, "price_kinds");
    }
    // "100 h100 including servers and network": that is bought.
    if (sentence.any_word("incl including included plus") &&
        sentence.any_word("servers server chassis networking network switches fabric") &&
        reading.price_kind.empty() && !facts.asks("rent cloud")) {
        reading.buy = true;
    }
    reading.rents_only = !facts.asks("buy") && sentence.any_word("rent renting rental rented hire");
    reading.best_only = reading.objective.has_value();
}

/// "minimum vram to train": one sample at a time, layers computed again; of a model that answers
/// the narrowest weights.
void suppose_least_memory(Sentence& sentence) {
    Reading& reading = sentence.reading;
    if (!sentence.any_word("minimum min least lowest minimal smallest")) {
        return;
    }
    if (reading.task != Task::train) {
        ask_for(reading, "minimum");
        return;
    }
    if (!reading.batch && !reading.micro_batch) {
        reading.batch = 1;
        sentence.assume("batch", "1", "the least that it takes was asked for");
    }
    if (!reading.recompute && !reading.keep_activations) {
        reading.recompute = true;
        sentence.assume("recompute", "full", "the least that it takes was asked for");
    }
}

/// "tco of 4 l40s in germany": what electricity costs at a place no list here says.
void tell_place(const Sentence& sentence, Reading& reading) {
    const bool counted =
        reading.intent == Intent::own || asks(reading, "energy") || asks(reading, "own_or_rent");
    for (std::size_t i = 1; counted && !reading.usd_per_kwh && i < sentence.tokens.size(); ++i) {
        if (sentence.word(i - 1) == "in" &&
            is_any(sentence.word(i),
                   "germany france uk england spain italy poland netherlands belgium sweden norway "
                   "finland denmark austria switzerland ireland portugal india japan china korea "
                   "singapore canada australia brazil mexico texas california europe eu")) {
            assume_first(
                reading, "electricity", "the catalog's price",
                fmt::format("that of {} is not known: \"0.30 per kwh\"", sentence.word(i)));
            return;
        }
    }
}

}  // namespace

void take_asked_figures(Sentence& sentence, const Facts& facts) {
    Reading& reading = sentence.reading;
    const Intent intent = reading.intent;
    if (asks_which_type(sentence) ||
        (reading.keeps_on_card && sentence.asks("which_quant") && reading.quantization.empty())) {
        ask_for(reading, "which_type");
    }
    if (intent == Intent::largest) {
        settle_left_time(sentence);
        reading.extreme = extreme_of(facts);
    } else if (intent == Intent::compare) {
        take_compared_figure(reading, facts);
    } else if (intent == Intent::describe) {
        take_described_figures(sentence, facts);
    } else if (intent == Intent::fit && asks_for_failure(sentence)) {
        ask_for(reading, "failure");
    }
    // "price per hour and can it serve a 27b": both were asked.
    if (intent == Intent::fit && facts.parts && facts.asks("price per_hour price_of") &&
        !reading.usd_per_hour && !reading.budget_usd) {
        ask_for(reading, "rent");
    }
    const bool priced = intent == Intent::price || intent == Intent::describe;
    if (priced && !reading.deadline_s && !reading.months && says_of_a_year(sentence)) {
        reading.months = 12;
    }
    take_named_figures(reading, facts);
    take_whole_request(sentence, reading);
    take_yes_or_no(sentence, reading);
    take_bounds(sentence, reading, facts);
    const bool spent = intent == Intent::budget && facts.tokens_of_run();
    if (intent == Intent::throughput || spent) {
        take_rates(sentence, reading, facts);
    }
    take_shares(sentence, reading, facts);
    tell_place(sentence, reading);
    const bool whole = sentence.any_word("tco resale") ||
                       (sentence.any_word("total") && sentence.any_word("ownership cost"));
    if (intent == Intent::own &&
        (whole || (sentence.any_word("cost costs") &&
                   (sentence.any_word("including incl years") || facts.asks("per_hour"))))) {
        ask_for(reading, "total");
    }
    if (intent == Intent::budget && facts.parts && facts.sum && sentence.any_word("many") &&
        sentence.any_word("hours hrs hour")) {
        reading.credits = true;  // how long it rents what was named
    }
    if (intent == Intent::own && sentence.any_word("hours hrs") &&
        sentence.any_word("itself off back payback breakeven")) {
        ask_for(reading, "payback_hours");
    }
    // "breakeven against 1yr reserved": how long the contract is tells nothing of how long it is
    // owned.
    for (std::size_t i = 0; i < sentence.tokens.size() && intent == Intent::own; ++i) {
        const bool term = is_any(sentence.word(i), "reserved reserve reservation contract") &&
                          near_words(sentence, clause_start(sentence, i, 3), i,
                                     "yr yrs year years month months mo y 1yr 2yr 3yr 1y 2y 3y");
        if (term && sentence.any_word("breakeven payback break breaks")) {
            reading.months.reset();
        }
    }
    if (intent == Intent::price) {
        take_asked_price(sentence, reading, facts);
    } else if (intent == Intent::memory) {
        suppose_least_memory(sentence);
    }
}

}  // namespace ridgeline::reading
