#include "advise/reading/hardware/settings.h"

#include "advise/hardware/desk.h"
#include "advise/reading/amounts/crowds.h"
#include "advise/reading/models/named_model.h"
#include "advise/reading/numbers/time_units.h"
#include "advise/reading/numbers/units.h"
#include "advise/reading/words/names.h"
#include "advise/reading/words/negation.h"

#include <fmt/format.h>

#include <algorithm>

namespace ridgeline::reading {
namespace {

/// "no spot", "cannot use marketplace providers": what is rented at a list price is left, and those
/// who rent in no other way are none of the providers.
void refuse_kind(Sentence& sentence, std::string_view kind) {
    Reading& reading = sentence.reading;
    if (kind == "purchase" || kind == "on_demand" || !reading.price_kind.empty()) {
        return;
    }
    reading.price_kind = "on_demand";
    sentence.assume("price_kind", "on_demand", fmt::format("{} is ruled out", kind));
    if (kind == "marketplace") {
        for (const std::string& each : sentence.names.marketplaces) {
            add_once(reading.providers_excluded, each);
        }
    }
}

/// "on demand vs spot", "spot, and on demand too": whether a second kind is asked for.
bool take_price_kind(Sentence& sentence, const Mark& mark) {
    Reading& reading = sentence.reading;
    if (is_negated(sentence, mark.at)) {
        refuse_kind(sentence, mark.value);
        return false;
    }
    const bool rents = reading.price_kind != "purchase" && mark.value != "purchase";
    const bool both = !reading.price_kind.empty() && reading.price_kind != mark.value &&
                      (rents || sentence.has(Means::versus) || sentence.has(Means::either) ||
                       sentence.any_word("difference between"));
    reading.price_kind = mark.value;
    reading.buy = reading.buy || mark.value == "purchase";
    return both;
}

/// The kinds of rent that are asked for beside each other.
void list_price_kinds(Sentence& sentence) {
    std::vector<std::string> kinds;
    for (const Mark& mark : sentence.marks) {
        if (mark.means == Means::price_kind && mark.value != "purchase" &&
            !is_negated(sentence, mark.at)) {
            add_once(kinds, mark.value);
        }
    }
    // "what do i save with spot": beside what is paid otherwise.
    if (kinds.size() == 1) {
        add_once(kinds, "on_demand");
    }
    Reading& reading = sentence.reading;
    if (kinds.size() > 1 && reading.alternatives.empty()) {
        reading.alternatives_of = "price_kind";
        reading.alternatives = std::move(kinds);
    }
}

void take_objective(Sentence& sentence, const Mark& mark) {
    if (!sentence.reading.objective && !is_negated(sentence, mark.at)) {
        sentence.reading.objective = objective_named(mark.value);
    }
}

/// "kv cache of llama 3.1 70b at 32k in fp8": of what is asked for; "llama 70b fp8" has such
/// weights.
bool is_of_asked_cache(const Sentence& sentence, std::size_t at) {
    // "kv cache 32k q8": behind the cache and its length.
    const auto measures = [&](std::size_t i) {
        return amount_in(sentence.word(i)) ||
               is_any(sentence.word(i), "context ctx tokens token length at of for x");
    };
    std::size_t first = at;
    while (first > 0 && sentence.follows(first) && measures(first - 1)) {
        --first;
    }
    const bool behind = first > 0 && first < at && sentence.follows(first) &&
                        is_any(sentence.word(first - 1), "cache kv kvcache");
    const bool told = std::ranges::any_of(sentence.marks, [&](const Mark& mark) {
        return mark.means == Means::quantization && sentence.beside_cache(mark.at, mark.length);
    });
    return !told && sentence.asks("kv_cache") && at > 0 && sentence.follows(at) &&
           (behind || is_any(sentence.word(at - 1), "in with as at using")) &&
           !sentence.any_word("weight weights quantized quantised total altogether");
}

/// A type of weights or of numbers, where none was said before; beside the cache it is the cache's.
void take_type(Sentence& sentence, const Mark& mark, std::string& type) {
    if (sentence.beside_cache(mark.at, mark.length) || is_of_asked_cache(sentence, mark.at)) {
        sentence.reading.kv_cache = mark.value;
    } else if (type.empty()) {
        type = mark.value;
    }
}

/// "no cloud", "on-prem": what is asked for is bought.
void take_purchase(Sentence& sentence, const Mark& mark) {
    if (sentence.word(mark.at).starts_with("colocat") && sentence.has(Means::framework)) {
        return;  // "vllm colocated": an engine beside the trainer
    }
    // "nicht gemietet", "pas louees": words that rule out nothing elsewhere.
    const bool denied = mark.value == "rented" && mark.at > 0 &&
                        is_any(sentence.word(mark.at - 1), "nicht pas nao");
    if (denied) {
        sentence.claim(mark.at - 1);
        std::erase(sentence.reading.not_understood, sentence.word(mark.at - 1));
    }
    // "not from the cloud": beside hardware that is left out what stands right before counts.
    const bool negated = sentence.reading.accelerators_excluded.empty()
                             ? is_negated(sentence, mark.at)
                             : is_ruled_out(sentence, mark.at);
    const bool at_hand =
        sentence.mentions.empty() &&
        (mark.value == "on_prem" || denied || (is_any(mark.value, "cloud rent rented") && negated));
    sentence.reading.buy =
        sentence.reading.buy || at_hand || (mark.value == "buy" && !sentence.asks("rent"));
}

/// "fp64 not required": no word of the kind of work.
bool is_unneeded_precision(const Sentence& sentence, const Mark& mark) {
    return is_any(sentence.word(mark.at), "fp64 float64 double") &&
           is_unwanted_aim(sentence, mark.at, mark.length);
}

/// "cfd in single precision", "hpc, no fp64 needed": such work is weighed by what 32 bits do.
void weigh_single_precision(Sentence& sentence) {
    Reading& reading = sentence.reading;
    const Profiles& profiles = sentence.vocabulary.profiles;
    if (!profiles.in_doubles(reading.profile)) {
        return;
    }
    bool single = reading.compute == "fp32";
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
        const bool precise = sentence.follows(i + 1) && sentence.word(i + 1) == "precision";
        single = single || sentence.word(i) == "float32" ||
                 (precise && is_any(sentence.word(i), "single mixed"));
        const bool wide =
            is_any(sentence.word(i), "fp64 float64") || (precise && sentence.word(i) == "double");
        single = single || (wide && is_unwanted_aim(sentence, i, precise ? 2 : 1));
    }
    const auto narrow =
        std::ranges::find(profiles.workloads, "fp32_tflops", &WorkloadProfile::critical_metric);
    if (single && narrow != profiles.workloads.end()) {
        reading.profile = narrow->id;
    }
}

/// "offload the optimizer", "optimizer states on the cpu": the states and nothing else. Where the
/// weights are named as well, or "adam" only names the optimizer of the run, all goes.
bool offloads_states_alone(const Sentence& sentence, std::size_t at) {
    const std::size_t from = at - std::min<std::size_t>(at, 4);
    return near_words(sentence, from, at + 6, "optimizer optimiser states") &&
           !near_words(sentence, from, at + 6, "parameters parameter params param weights both");
}

void take_setting(Sentence& sentence, const Mark& mark) {
    Reading& reading = sentence.reading;
    switch (mark.means) {
        case Means::objective:
            return take_objective(sentence, mark);
        case Means::profile:
            if (reading.profile.empty() && !is_unneeded_precision(sentence, mark)) {
                reading.profile = mark.value;
            }
            return;
        case Means::framework:
            if (reading.framework.empty() && !is_ruled_out(sentence, mark.at)) {
                reading.framework = mark.value;
            }
            return;
        case Means::quantization:
            if (sentence.beside_cache(mark.at, mark.length) || !is_ruled_out(sentence, mark.at)) {
                take_type(sentence, mark, reading.quantization);
            }
            return;
        case Means::compute:
            return take_type(sentence, mark, reading.compute);
        case Means::optimizer:
            // "adam" beside "8bit adam": the one that says more.
            reading.optimizer = reading.optimizer.empty() || reading.optimizer == "adamw"
                                    ? mark.value
                                    : reading.optimizer;
            return;
        case Means::attribute:
            if (sentence.word(mark.at) == "macs" && is_negated(sentence, mark.at)) {
                return;  // "anything except macs": the computers
            }
            return add_once(reading.attributes, mark.value);
        case Means::home:
            reading.home = true;
            return;
        case Means::offload:
            (is_negated(sentence, mark.at) ? reading.keeps_on_card : reading.offload) = true;
            reading.offload_states = offloads_states_alone(sentence, mark.at);
            return;
        case Means::ask:
            return take_purchase(sentence, mark);
        default:
            return;
    }
}

/// Two words for one type of weights: "bitsandbytes 8bit", "4bit awq", "q4_k_m gguf".
void join_types(Sentence& sentence) {
    Reading& reading = sentence.reading;
    const bool eight = std::ranges::any_of(sentence.marks, [](const Mark& mark) {
        return mark.means == Means::quantization && mark.value == "int8";
    });
    if (reading.quantization == "nf4" && eight && sentence.any_word("bitsandbytes bnb")) {
        reading.quantization = "int8";  // the library's other type
    }
    if (reading.quantization != "4bit") {
        return;
    }
    for (const Mark& mark : sentence.marks) {
        if (mark.means == Means::quantization && !is_any(mark.value, "4bit none int8") &&
            !sentence.beside_cache(mark.at, mark.length)) {
            reading.quantization = mark.value;
        }
    }
}

/// Whether what stands before token i counts work of an hour: "1000 images per hour", "20 hours of
/// audio an hour"; a size of the model counts none.
bool counts_work_before(const Sentence& sentence, std::size_t i) {
    for (std::size_t k = clause_start(sentence, i, 5); k < i; ++k) {
        const bool model = k >= sentence.model_at && k < sentence.model_end;
        if (!model && ((has_digit(sentence.word(k)) && !parameters_in(sentence.word(k))) ||
                       is_load(sentence.word(k)) || counts_work(sentence.word(k)))) {
            return true;
        }
    }
    return false;
}

/// "cheapest per hour", "lowest price an hour", "lowest hourly rate", "cheapest gpu for 13b lora
/// per hour": what an hour costs is weighed, not what the work does. A sum of an hour is a limit,
/// and "in an hour", "within the hour", "in half an hour" say by when it is done.
bool names_cheapest_hour(const Sentence& sentence) {
    if (sentence.reading.usd_per_hour || !sentence.mentions.empty()) {
        return false;
    }
    for (std::size_t i = 1; i < sentence.tokens.size(); ++i) {
        const std::string_view before = sentence.word(i - 1);
        const bool hourly = is_any(sentence.word(i), "hourly");
        const bool per = is_any(sentence.word(i), "hour hr h") && is_any(before, "per an a the /");
        const std::string_view of = hourly ? before : i > 1 ? sentence.word(i - 2) : "";
        const bool priced = is_any(of,
                                   "cheapest cheap lowest least price cost costs rate rent spend "
                                   "pay by gpu gpus hardware card cards option setup box machine "
                                   "instance");
        const bool ends =
            i + 1 >= sentence.tokens.size() || sentence.tokens[i + 1].gap == Gap::stop;
        const bool by_then = is_any(before, "a an the") &&
                             is_any(of, "in within inside under than half of about takes take");
        if ((hourly || per) && !by_then &&
            (priced || (ends && !counts_work_before(sentence, hourly ? i : i - 1)))) {
            return true;
        }
    }
    return false;
}

/// "72 h of qlora", "rent for 3 days of training": so long is rented, whatever gets done in it.
bool rents_for_a_time(const Sentence& sentence) {
    const Reading& reading = sentence.reading;
    if (!reading.deadline_s || reading.tokens || reading.samples || reading.steps ||
        reading.epochs || reading.audio_s) {
        return false;
    }
    for (std::size_t i = 2; i < sentence.tokens.size(); ++i) {
        const bool of_time = sentence.word(i - 1) == "of" && sentence.follows(i) &&
                             seconds_of(sentence.word(i - 2)) >= 3600;
        const bool glued = sentence.word(i - 1) == "of" && amount_in(sentence.word(i - 2)) &&
                           seconds_of(amount_in(sentence.word(i - 2))->unit) >= 3600;
        const bool work = std::ranges::any_of(sentence.marks, [i](const Mark& mark) {
            return mark.at == i && (mark.means == Means::train || mark.means == Means::tune);
        });
        if ((of_time || glued) && work) {
            return true;
        }
    }
    return false;
}

/// "tok/s", "tokens per second"; a length ("1k tokens") is none.
bool names_rate_of_tokens(const Sentence& sentence) {
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
        const std::string_view next = sentence.word(i + 1);
        const bool slashed = i + 1 < sentence.tokens.size() &&
                             sentence.tokens[i + 1].gap == Gap::slash &&
                             is_any(next, "s sec second");
        if (sentence.word(i) == "tps" || (is_any(sentence.word(i), "tok toks token tokens") &&
                                          (slashed || is_any(next, "per sec second")))) {
            return true;
        }
    }
    return false;
}

/// "mlperf bert on 8 h100": a training to its target, whose time is asked unless another thing is.
void take_benchmark(Sentence& sentence) {
    Reading& reading = sentence.reading;
    const bool served = sentence.has(Means::infer) || sentence.any_word("offline inference server");
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
        if (sentence.word(i) != "mlperf" || served || reading.model.empty() ||
            !reading.framework.empty()) {
            continue;
        }
        sentence.claim(i);
        reading.framework = "mlperf";
        if (AssumedField* model = assumed_of(reading, "model");
            reading.model == "bert-base" && model != nullptr) {
            reading.model = model->value = "bert-large";
            model->why = "the one that MLPerf trains";
        }
        sentence.marks.push_back({Means::train, "full", i, 0});
        reading.method = reading.method.empty() ? "full" : reading.method;
        if (!sentence.asks("throughput memory strong_memory fit strong_fit hardware mfu")) {
            sentence.marks.push_back({Means::ask, "duration", i, 0});
        }
    }
}

}  // namespace

void take_settings(Sentence& sentence) {
    Reading& reading = sentence.reading;
    bool both_kinds = false;
    for (const Mark& mark : sentence.marks) {
        if (mark.means == Means::price_kind) {
            both_kinds = take_price_kind(sentence, mark) || both_kinds;
        } else {
            take_setting(sentence, mark);
        }
    }
    weigh_single_precision(sentence);
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
        // "4090s without p2p" are linked so, no host of a marketplace is meant.
        const bool linked = sentence.word(i) == "p2p" && !sentence.asks("rent cloud provider") &&
                            sentence.reading.providers.empty();
        if (is_any(sentence.word(i), "community p2p") && !linked && is_negated(sentence, i)) {
            refuse_kind(sentence, "marketplace");
        }
    }
    const bool saved = !reading.price_kind.empty() && reading.price_kind != "purchase" &&
                       reading.model.empty() && !sentence.any_word("checkpoint checkpoints") &&
                       sentence.any_word("save saves saved saving savings");
    if (both_kinds || saved) {
        reading.price_kind.clear();
        list_price_kinds(sentence);
        sentence.marks.push_back({Means::ask, "price_kinds", 0, 1});
    }
    take_place(sentence);
    const bool total = sentence.any_word("total aggregate combined") && sentence.asks("throughput");
    reading.full_load = sentence.asks("full_load") || total ||
                        (sentence.any_word("full max maximum peak 100%") &&
                         sentence.any_word("load utilization utilisation throttle tilt"));
    reading.credits =
        sentence.any_word("credit credits") && (reading.budget_usd || reading.usd_per_month);
    // "want max tokens/s": the fastest, where hardware is looked for.
    const auto superlative = [&](const Mark& mark) {
        return mark.means == Means::ask && mark.value == "superlative";
    };
    const bool most = std::ranges::any_of(sentence.marks, [&](const Mark& rate) {
        return rate.means == Means::ask && rate.value == "throughput" && rate.at > 0 &&
               (is_any(sentence.word(rate.at), "max maximum highest peak most") ||
                std::ranges::any_of(sentence.marks, [&](const Mark& mark) {
                    return superlative(mark) && mark.at + mark.length == rate.at;
                }));
    });
    // Of a part of data centres it is what it makes of all users together.
    const bool servers = !sentence.mentions.empty() &&
                         std::ranges::all_of(sentence.mentions, [](const Mention& each) {
                             return !each.parts.empty() && !is_home(*each.parts.front());
                         });
    reading.full_load = reading.full_load || (most && servers);
    reading.tokens_of_all = reading.full_load && names_rate_of_tokens(sentence) &&
                            !sentence.any_word("request requests req queries qps rps");
    if (most && sentence.mentions.empty() && !reading.memory_gib && !reading.objective) {
        reading.objective = Objective::time;
    }
    take_benchmark(sentence);
    join_types(sentence);
    reading.by_hour = (names_cheapest_hour(sentence) ||
                       (rents_for_a_time(sentence) && sentence.mentions.empty())) &&
                      (reading.objective == Objective::cost ||
                       (!reading.objective && sentence.any_word("lowest cheapest least")));
    if (reading.by_hour) {
        reading.objective = Objective::cost;
    }
}

}  // namespace ridgeline::reading
