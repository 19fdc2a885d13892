#include "advise/reading/models/shapes.h"
#include "advise/reading/settling/asked_figures.h"
#include "advise/reading/settling/facts.h"
#include "advise/reading/settling/steps.h"

#include <algorithm>
#include <cmath>

// Which of the eleven intents a question has: a table of signals, the first rule that holds
// decides.

namespace ridgeline::reading {
namespace {

struct Rule {
    Intent intent;
    std::string_view when;  ///< in words, as `--explain` tells it
    bool (*holds)(const Facts& f);
};

/// A sum that is there, a run of a length that is trained for it, and what to train it on is open.
bool spends_on_a_run(const Facts& f) {
    const bool run = f.model && f.length() && f.r.task == Task::train && f.r.method != "lora";
    const bool open = !f.parts && !f.r.deadline_s && !f.r.objective;
    const bool asks_what = f.asks("hardware buy") && !f.asks("own strong_fit fit");
    return f.sum && run && open && asks_what && has_to_spend(f.s);
}

bool is_question_of_fit(const Facts& f) {
    // "does flux run on a 3060": a verb of work makes a question of it.
    const bool works = f.s.any_word("does do") && f.said_work && f.model && f.parts;
    return f.asks("fit strong_fit") || works;
}

/// "tokens per second at concurrency 1, 8 and 32": a rate under each load, where no hardware is
/// weighed.
bool loads_with_a_rate(const Facts& f) {
    return f.r.alternatives_of == "concurrency" && f.asks("throughput") && f.parts &&
           !f.asks("hardware");
}

/// "4 used 3090 for $4000", "a 3090 that i can get for $700": one part, and right behind it what it
/// costs; "a friend is selling one for $150": who sells it.
bool names_price_of_parts(const Facts& f) {
    const auto priced = [&](const Mention& each) {
        const std::size_t begin =
            first_of_words(f.s, each.at, "used new old second hand secondhand single rtx gtx");
        const bool single = begin == 0 || is_any(f.s.word(begin - 1), "a an the one this that my");
        const std::size_t at =
            past_words(f.s, each.end,
                       "used gpus cards card that which i we you can could get got found is are"
                       " being sold listed offered going local locally off on from ebay craigslist "
                       "marketplace facebook kleinanzeigen");
        const bool money = is_any(f.s.word(at + 1), "$ \u20ac \u00a3") ||
                           is_any(f.s.word(at + 2), "$ usd dollars bucks euros eur gbp pounds");
        return (each.count || single) && is_any(f.s.word(at), "for at @") && money;
    };
    const bool sold = f.s.any_word("paid selling sells sell offers offered offering asks asking");
    // Of what is rented or trained with the sum is what may be spent.
    const bool spent =
        f.r.task == Task::train ||
        f.s.any_word("rent renting rental cloud hour hourly train training finetune");
    return f.s.mentions.size() == 1 && (sold || (!spent && priced(f.s.mentions.front())));
}

/// Whether what was said of a price asks if the hardware will do.
bool asks_if_it_does(const Facts& f) {
    return f.asks("fit strong_fit") ||
           (f.parts && is_any(f.s.word(0), "will would can could is are does do")) ||
           f.s.any_word("enough");
}

/// "mac mini m4 pro 48gb for $1800": a memory that the part is not listed with, so that no price of
/// it is known.
bool is_of_unlisted_memory(const Facts& f) {
    return f.r.memory_gib && f.s.mentions.size() == 1 && !f.s.mentions.front().parts.empty() &&
           std::ranges::none_of(f.s.mentions.front().parts, [&](const Accelerator* part) {
               return std::abs(part->marketed_gb - *f.r.memory_gib) <=
                      memory_tolerance * *f.r.memory_gib;
           });
}

/// "4090 or 3090, 30 tok/s is enough, what's cheaper": one of them is asked for, whatever suffices.
bool asks_which_is_more(const Facts& f) {
    for (std::size_t i = 0; i < f.s.tokens.size(); ++i) {
        const std::size_t more = past_words(f.s, i + 1, "s is one of the two would be card gpu");
        if (is_any(f.s.word(i), "what whats which") &&
            is_any(f.s.word(more), "cheaper faster better quicker cheapest fastest best")) {
            return true;
        }
    }
    return false;
}

/// "memory at 2k, 8k and 32k": what each of several lengths takes, none of them beside "vs".
bool lists_lengths(const Facts& f) {
    return f.r.alternatives_of == "sequence" && f.r.task == Task::train && f.parts &&
           !f.s.has(Means::versus) && !f.several;
}

/// "can an h100 serve 100 users in fp8", "is an a10 enough for int8": of an amount of work, or of
/// what is good for it, not of whether a type is computed in.
bool asks_whether_enough(const Facts& f) {
    return f.r.concurrency || f.r.requests_per_s || f.r.ttft_s || f.r.tpot_s || f.r.deadline_s ||
           f.r.count.value_or(1) > 1 ||
           f.s.any_word(
               "enough sufficient fast good fine ok okay worth worthwhile buy rent away useful "
               "better overkill");
}

// clang-format off
constexpr Rule rules[] = {
    {Intent::describe, "which hardware a machine or an instance has",
     [](const Facts& f) {
         const bool machine = f.parts && std::ranges::any_of(f.s.mentions, [](const Mention& each) { return !each.machine.empty() || !each.instance.empty(); });
         return machine && f.asks("inside") && !f.model && !f.work && !f.sum && !f.r.objective && !f.asks("price price_of rent cost per_hour own provider");
     }},
    {Intent::describe, "whether the supply of a computer feeds cards",
     [](const Facts& f) { return f.r.supply_w && f.parts && !f.model && !f.several && !f.sum; }},
    {Intent::duration, "a run that was timed on one hardware, on another",
     [](const Facts& f) { return f.several && f.r.seen_side >= 0 && f.r.seen_time_s; }},
    {Intent::fit, "memory ran out, and what to change",
     [](const Facts& f) { return f.attribute("levers") && f.model && f.hardware && !f.several; }},
    {Intent::compare, "how many of one part make up for another",
     [](const Facts& f) { return f.parts && asks(f.r, "matches"); }},
    {Intent::hardware, "what is rented for less than what is named",
     [](const Facts& f) { return !f.r.undercut.parts.empty() && f.model && !f.length() && !f.parts; }},
    {Intent::hardware, "what to replace hardware by",
     [](const Facts& f) { return !f.r.replaced.empty() && !f.parts && (f.model || f.work || !f.r.profile.empty()) && !f.sum; }},
    {Intent::budget, "how many hours of hardware a sum rents",
     [](const Facts& f) { return f.parts && f.sum && !f.model && f.s.any_word("many") && f.s.any_word("hours hrs hour") && !f.r.usd_per_hour && !f.r.usd_per_kwh && !f.buys_or_rents(); }},
    {Intent::budget, "what a sum of time on hardware is good for",
     [](const Facts& f) { return f.sum && !f.model && f.asks("what_can what_can_do") && pays_for_time_on(f.s); }},
    {Intent::budget, "a sum that is there to be spent on a run of a length",
     [](const Facts& f) { return spends_on_a_run(f); }},
    {Intent::throughput, "an API against hardware that is named for a model",
     [](const Facts& f) { return f.model && f.parts && f.attribute("api"); }},
    {Intent::hardware, "an API against what would serve a model",
     [](const Facts& f) { return f.model && f.attribute("api"); }},
    {Intent::throughput, "how many tokens a sum or a time trains",
     [](const Facts& f) { return f.parts && f.tokens_of_run(); }},
    {Intent::own, "rent and buy, break even, tco, with hardware",
     [](const Facts& f) { return f.parts && f.buys_or_rents() && !(f.model && f.asks("price")); }},
    {Intent::own, "rent or buy for a model, no hardware named",
     [](const Facts& f) { return f.model && !f.hardware && !f.sum && f.weighs_owning(); }},
    {Intent::price, "whether a rent or a price that was told is a good one",
     [](const Facts& f) { return f.judges_price(); }},
    {Intent::price, "what one kind of hardware costs, whatever it is for",
     [](const Facts& f) { return f.prices_a_part(); }},
    {Intent::throughput, "why hardware is slow, how much slower it is under a limit of its power",
     [](const Facts& f) { return f.model && f.parts && f.asks_why_slow() && !f.several && (f.r.power_cap_w || !f.s.has(Means::versus)); }},
    {Intent::compare, "the same hardware with and without a link, or on another network",
     [](const Facts& f) { return f.s.weighs_links && (f.model || f.work); }},
    {Intent::hardware, "the least of hardware whose number somebody else has told",
     [](const Facts& f) { return f.s.asks_least && f.parts && f.model; }},
    {Intent::compare, "all ways of sharing a model over the same hardware",
     [](const Facts& f) { return f.s.weighs_plans && !f.largest(); }},
    {Intent::hardware, "hardware for a code of scientific computing, by the memory that it works in",
     [](const Facts& f) { return f.s.works_in_memory && !f.parts && !f.model && !f.sum && !f.income(); }},
    {Intent::hardware, "parts that alone may be, or of which so many are asked for as bear a load",
     [](const Facts& f) {
         const bool load = f.r.requests_per_s || f.r.concurrency || (f.r.deadline_s && f.length());
         return f.sides_by_or && f.model && load && !f.s.has(Means::versus) && !f.asks("which") && (f.only_these || f.how_many_parts) && !f.largest();
     }},
    {Intent::compare, "two kinds of hardware beside vs, compare, than",
     [](const Facts& f) { return f.several && f.s.has(Means::versus) && !(f.asks("price") && !f.model && !f.work && !f.r.objective && !f.instances); }},
    {Intent::compare, "one kind of hardware worth it over another, or over what is there",
     [](const Facts& f) { return f.several && f.asks("worth") && (f.s.any_word("over than price double twice") || f.r.owned) && !f.sum; }},
    {Intent::compare, "hardware that is offered for a sum, over what is there",
     [](const Facts& f) { return f.several && f.r.owned && f.s.mentions.size() == 2 && f.s.any_word("offers offered offering sells selling") && !f.largest(); }},
    {Intent::compare, "whether one kind of hardware betters what is there",
     [](const Facts& f) { return f.several && !f.sum && f.s.any_word("upgrade sidegrade downgrade improvement") && !f.largest(); }},
    {Intent::compare, "one kind of hardware measured by another, or a list of kinds for work",
     [](const Facts& f) { return ((f.measured && (f.model || f.work)) || (f.listed && (f.model || f.work) && !f.asks("fit strong_fit price duration") && (!f.speed() || f.s.any_word("rank order sort")))) && !f.sum && !f.largest(); }},
    {Intent::compare, "from one kind of hardware to another",
     [](const Facts& f) { return f.from_to && !f.sum; }},
    {Intent::compare, "two engines, methods, types of weights or models beside vs",
     [](const Facts& f) { return !f.r.alternatives.empty() && f.r.alternatives_of != "optimizer" && f.r.alternatives_of != "price_kind" && !loads_with_a_rate(f) && !lists_lengths(f) && !f.several && !f.asks("kv_cache strong_fit fit what_can_do") && !(f.asks("hardware") && !(f.parts && f.s.has(Means::versus))) && !(f.asks("strong_memory memory size_of") && !f.parts) && !f.largest() && !f.how_many_parts && !f.sum; }},
    {Intent::compare, "several kinds of hardware, and which of them",
     [](const Facts& f) { return f.several && (f.asks("which") || f.s.any_word("between winner winners")) && !f.sum && !f.largest() && !f.asks("strong_fit") && !(f.asks("price") && !f.model && !f.work) && (f.work || f.model || f.r.attributes.size() != 1); }},
    {Intent::compare, "two kinds of hardware joined by or, unless it is asked whether they fit or cost",
     [](const Facts& f) { return f.sides_by_or && (!f.asks("fit strong_fit price_of what_can_do") || (f.model && asks_which_is_more(f))) && !(f.asks("price") && !f.model) && !f.largest(); }},
    {Intent::hardware, "an accelerator or processors for a kind of work",
     [](const Facts& f) {
         return f.parts && f.on_processor && !f.r.profile.empty() && !f.model && !f.sum && !f.r.kernel && f.s.has(Means::gpu) && (f.s.has(Means::either) || f.s.has(Means::versus));
     }},
    {Intent::describe, "what a machine or an instance holds",
     [](const Facts& f) {
         const bool machine = std::any_of(f.s.mentions.begin(), f.s.mentions.end(), [](const Mention& each) { return each.per_machine || !each.machine.empty(); });
         return machine && !f.model && !f.work && !f.sum && f.s.any_word("have has inside contain contains") && f.s.any_word("what which") && !f.asks("price cost rent");
     }},
    {Intent::describe, "what the electricity of hardware comes to, at a price that is told or in carbon",
     [](const Facts& f) { return f.parts && !f.model && (f.r.usd_per_kwh || asks_for_carbon(f.s)) && !f.buys_or_rents() && !f.sum && !f.several && !f.asks("rent own buy provider price_of"); }},
    {Intent::price, "price, rent, cost of hardware without a model or work",
     [](const Facts& f) {
         return f.parts && !f.model && !f.length() && !f.sum && !f.asks("what_can_do strong_memory") && !(f.asks("superlative") && f.s.has(Means::model_word)) && !(f.asks("duration") && !f.r.part_hours) && !f.largest() && f.r.attributes.empty() &&
                (f.asks("price price_of rent provider price_kinds") || (f.s.any_word("used refurb refurbished") && f.s.any_word("go goes")) ||
                 ((!f.work || f.only_runs()) && !f.asks("weak_describe") && (f.asks("cost per_hour buy cloud") || f.r.usd_per_hour || f.r.part_hours || (f.asks("how_much") && f.r.not_understood.empty()) || f.r.price_kind != "" || !f.r.providers.empty() || !f.r.providers_excluded.empty() || f.r.objective == Objective::cost)
                  && !f.asks("memory strong_fit what_can describe support")));
     }},
    {Intent::price, "cost of hardware for a time, whatever it serves",
     [](const Facts& f) { return f.parts && f.model && f.r.deadline_s && f.r.task == Task::inference && f.asks("cost price price_of how_much") && !f.length() && !f.sum && !f.asks("strong_fit hardware per_million own") && !f.speed(); }},
    {Intent::price, "the rate for hardware, whatever it runs",
     [](const Facts& f) { return f.parts && f.asks("rate_of_part") && !f.length() && !f.sum; }},
    {Intent::largest, "what hours of an accelerator that are left are good for",
     [](const Facts& f) { return f.parts && f.r.part_hours && !f.model && !f.sum && f.asks("what_can_do what_can"); }},
    {Intent::largest, "what can be trained from scratch on hardware within a time",
     [](const Facts& f) { return f.hardware && !f.model && !f.sum && f.r.method == "full" && (f.r.deadline_s || f.r.months) && f.asks("what_can_do what_can") && !f.largest(); }},
    {Intent::largest, "what can I do with a memory",
     [](const Facts& f) { return f.asks("what_can_do") && f.r.memory_gib && !f.parts && !f.model && !f.sum && !f.r.usd_per_hour && !f.s.loose_count; }},
    {Intent::budget, "what can I do with money or hardware",
     [](const Facts& f) { return f.asks("what_can_do") && (f.sum || f.r.usd_per_hour || f.hardware || f.s.loose_count) && !(f.model && !f.sum && !f.r.usd_per_hour); }},
    {Intent::price, "whether a sum pays for hardware for a time",
     [](const Facts& f) { return f.sum && f.parts && !f.model && !f.length() && (f.r.deadline_s || f.r.months) && !f.asks("buy own what_can_do"); }},
    {Intent::hardware, "cards of one maker or of another, by their memory",
     [](const Facts& f) { return f.model && !f.parts && f.r.vendors.size() > 1 && (f.s.has(Means::either) || f.s.has(Means::versus)) && !f.sum && !f.income() && !f.length() && !f.largest() && !f.asks("strong_memory memory"); }},
    {Intent::fit, "whether hardware holds a model at a price that was told",
     [](const Facts& f) { return f.model && f.sum && asks_if_it_does(f) && names_price_of_parts(f) && !f.length() && !f.asks("buy own hardware what_can"); }},
    {Intent::fit, "whether a part of a memory that no list has, at what it costs, holds a model",
     [](const Facts& f) { return f.model && f.sum && is_of_unlisted_memory(f) && !f.length() && !f.several && !f.asks("hardware what_can"); }},
    {Intent::budget, "a sum of money without a length of the run",
     [](const Facts& f) { return f.sum && !f.length() && !f.asks("duration") && !f.r.deadline_s; }},
    {Intent::budget, "rent of an hour or a month that a budget allows",
     [](const Facts& f) { return f.income() && !f.parts && (f.asks("budget what_can what_can_do") || f.r.usd_per_month || (!f.model && !f.said_work)); }},
    {Intent::price, "the cheapest hardware of a memory or with a property, without a model or work",
     [](const Facts& f) {
         return !f.parts && !f.model && !f.work && !f.sum && !f.income() && (f.r.memory_gib || (f.requires_property() && !f.r.kernel && f.r.profile.empty())) && !f.largest() && !f.asks("what_can what_can_do strong_fit own") &&
                (f.asks("price price_of rent provider cost cloud per_hour") || f.r.objective == Objective::cost || f.r.objective == Objective::price || !f.r.price_kind.empty() || f.demands("used") || f.demands("new") || !f.r.providers.empty());
     }},
    {Intent::describe, "power or electricity of hardware, without a model",
     [](const Facts& f) { return f.parts && !f.model && !f.sum && !f.asks("strong_fit hardware") && (f.attribute("energy") || (f.attribute("power") && f.r.attributes.size() == 1)); }},
    {Intent::describe, "the electricity or carbon of hardware in a time, whatever it runs",
     [](const Facts& f) {
         return f.parts && f.model && !f.sum && !f.length() && (f.r.deadline_s || f.r.months || f.r.usd_per_kwh) && (f.attribute("energy") || asks_for_carbon(f.s)) && !f.several && !f.buys_or_rents() && !f.asks("strong_fit hardware rent own buy duration") && !f.speed() && !f.largest();
     }},
    {Intent::describe, "how much power hardware draws, whatever it runs",
     [](const Facts& f) {
         const bool power = f.attribute("power") && f.r.attributes.size() == 1;
         return power && f.parts && f.model && !f.sum && !f.length() && f.s.any_word("how what") && !f.speed() && !f.largest() &&
                !f.asks("per_watt") && !f.asks("fit strong_fit hardware price cost duration memory strong_memory");
     }},
    {Intent::describe, "which hardware has a feature or a type, without work",
     [](const Facts& f) {
         return !f.parts && !f.model && !f.sum && !f.income() && (f.asks("which_have") || (f.asks("support") && !(f.work && f.requires_property()))) &&
                (!f.r.attributes.empty() || !f.r.require.empty() || !f.r.quantization.empty() || !f.r.compute.empty() || f.r.memory_gib);
     }},
    {Intent::describe, "hardware with a property, without a model or work",
     [](const Facts& f) { return !f.parts && !f.model && !f.sum && !f.income() && !f.work && !f.r.kernel && f.r.profile.empty() && f.requires_property() && !f.largest() && !f.asks("what_can what_can_do"); }},
    {Intent::describe, "cards of a memory, and nothing else",
     [](const Facts& f) { return !f.parts && !f.model && !f.sum && !f.income() && !f.work && f.r.memory_gib && (f.s.any_word("gpus cards accelerators") || f.s.tokens.size() <= 4) && f.r.profile.empty() && !f.r.kernel && !f.asks("hardware what_can what_can_do buy price") && !f.s.any_word("or models") && !f.largest(); }},
    {Intent::describe, "whether a part computes in a type, whatever runs in it",
     [](const Facts& f) {
         const bool type = is_any(f.r.quantization, "fp8 nvfp4 mxfp4 fp4 int8") || !f.r.compute.empty();
         return f.parts && !f.model && !f.sum && !f.length() && type && is_any(f.s.word(0), "can could does do will is") && !f.s.has(Means::model_word) && !asks_whether_enough(f) &&
                !f.asks("superlative what_can throughput memory") && !f.largest();
     }},
    {Intent::describe, "the ridge point of a part, in the types that are named",
     [](const Facts& f) { return f.parts && f.attribute("ridge") && !f.model && !f.several; }},
    {Intent::largest, "biggest model, longest context, most users, largest batch on hardware",
     [](const Facts& f) { return f.largest() && f.hardware; }},
    {Intent::budget, "what can hardware do",
     [](const Facts& f) { return f.asks("what_can") && f.hardware && !f.model && !f.r.months && f.s.tokens.back().text == "do"; }},
    {Intent::describe, "whether kernels of attention run on a part",
     [](const Facts& f) { return f.parts && !f.model && (f.attribute("flash_attention") || f.attribute("flash_attention_3")) && f.r.attributes.size() == 1 && !f.sum && !f.largest(); }},
    {Intent::largest, "what can I run, what fits, without a model",
     [](const Facts& f) { return f.asks("what_can") && f.hardware && !f.model && !f.r.months; }},
    {Intent::largest, "biggest or largest, a model is spoken of and none is named",
     [](const Facts& f) { return f.asks("superlative") && f.hardware && !f.model && f.s.has(Means::model_word); }},
    {Intent::describe, "a figure of a part, without work",
     [](const Facts& f) {
         // "mxfp4 on mi355x?": a type of matrix units and a part, and nothing else.
         const bool bare_type = f.s.tokens.size() <= 5 && is_any(f.r.quantization, "fp8 nvfp4 mxfp4 fp4 int8");
         if (f.parts && !f.model && bare_type && !f.asks("what_can superlative throughput memory")) {
             return true;
         }
         return f.parts && !f.model && !f.said_work && !f.asks("strong_fit hardware") &&
                (!f.r.attributes.empty() || f.asks("describe support memory strong_memory size_of weak_describe") || f.asks_for_a_type() || !f.r.require.empty());
     }},
    {Intent::throughput, "tokens that another model proposes",
     [](const Facts& f) { return f.model && f.parts && f.r.draft_parameters && !f.several && !f.sum && !f.asks("hardware strong_memory strong_fit fit") && !f.largest(); }},
    {Intent::describe, "how many tokens a run of a model that is best for its operations has",
     [](const Facts& f) {
         return f.model && f.asks("chinchilla") && !f.hardware && !f.sum && !f.r.deadline_s && !f.s.tokens_per_parameter && f.s.any_word("tokens token") &&
                !f.asks("hardware duration cost price memory strong_memory gpu_hours");
     }},
    {Intent::describe, "operations of a model or of its run",
     [](const Facts& f) { return f.model && !f.hardware && (f.attribute("flops") || f.attribute("macs")) && !f.sum && !f.asks("hardware strong_memory duration cost"); }},
    {Intent::hardware, "how big a machine is that bears a load",
     [](const Facts& f) { return f.asks("size_of") && f.s.any_word("machine server computer box workstation") && !f.parts && !f.r.memory_gib && !f.asks("kv_cache strong_memory") && (f.r.concurrency.value_or(1) > 1 || f.r.requests_per_s); }},
    {Intent::memory, "a piece of a model: adapters, a checkpoint, one layer, tables",
     [](const Facts& f) { return f.model && !f.r.served_adapters && f.asks("part_adapters part_checkpoint part_embedding part_logits per_layer") && !f.asks("strong_fit hardware") && (!f.asks("duration") || f.r.storage_gb_per_s) && !f.largest(); }},
    {Intent::memory, "adapters that an engine holds",
     [](const Facts& f) { return f.model && f.r.served_adapters && (f.asks("part_adapters") || f.asks("memory strong_memory size_of")) && !f.asks("strong_fit hardware") && !f.r.memory_gib && !f.largest(); }},
    {Intent::memory, "weights alone or their file, the host's memory",
     [](const Facts& f) { return f.model && ((f.asks("part_weights") && !f.asks("strong_fit hardware duration")) || (f.asks("host_ram") && (f.r.offload || f.r.task == Task::train || f.parts) && !f.asks("strong_fit"))); }},
    {Intent::memory, "how heavy or big a model is that runs in some way",
     [](const Facts& f) { return f.model && !f.parts && !f.sum && !f.asks("strong_fit hardware price duration") && (f.attribute("weight") || (f.asks("size_of") && f.work && !f.length())); }},
    {Intent::describe, "a figure of a model, without hardware or work",
     [](const Facts& f) {
         return f.model && !f.hardware && !f.s.has(Means::train) && !f.s.has(Means::tune) &&
                ((!f.r.attributes.empty() && !f.attribute("memory") && !f.asks("strong_memory memory hardware kv_cache")) ||
                 (f.asks("describe size_of weak_describe") && !f.work && !f.asks("kv_cache")) ||
                 (f.asks("largest_sequence") && !f.r.concurrency));
     }},
    {Intent::describe, "a model beside the word parameters, nothing else",
     [](const Facts& f) {
         return f.model && !f.hardware && !f.work && !f.length() && !f.sum && !f.income() && f.s.any_word("params parameters param") &&
                std::none_of(f.s.marks.begin(), f.s.marks.end(), [](const Mark& mark) { return mark.means == Means::ask || mark.means == Means::gpu; });
     }},
    {Intent::memory, "how much memory, size of the cache",
     [](const Facts& f) { return (f.model || f.work) && f.asks("strong_memory kv_cache") && !(f.asks("strong_fit") && f.hardware) && !(f.r.memory_gib && !f.s.any_word("much")); }},
    {Intent::memory, "size of a part of training's memory",
     [](const Facts& f) { return f.model && f.asks("part_optimizer part_gradients part_activations") && !f.asks("strong_fit") &&
                                       (f.asks("size_of how_much strong_memory memory host_ram") || (!f.parts && !f.sum && !f.length() && !f.speed() && !f.asks("hardware price cost duration fit"))); }},
    {Intent::memory, "memory with one optimizer and with another",
     [](const Facts& f) { return f.model && f.r.alternatives_of == "optimizer" && !f.speed() && !f.asks("strong_fit duration"); }},
    {Intent::memory, "memory of each of several accelerators that share a run",
     [](const Facts& f) { return f.model && f.parts && f.asks("memory") && f.r.task == Task::train && !f.r.memory_gib && !f.several && !is_question_of_fit(f) && !f.asks("hardware price cost duration"); }},
    {Intent::memory, "ram of a model that runs on a processor",
     [](const Facts& f) { return f.model && f.asks("ram") && !f.r.memory_gib && !f.asks("strong_fit fit") && f.on_processor; }},
    {Intent::throughput, "cost of a million tokens on hardware",
     [](const Facts& f) { return f.model && f.parts && f.asks("per_million"); }},
    {Intent::throughput, "cost of a picture on hardware",
     [](const Facts& f) { return f.model && f.parts && !f.several && !f.r.samples && f.asks("per_sample"); }},
    {Intent::throughput, "work for each watt on named hardware",
     [](const Facts& f) { return f.model && f.parts && f.asks("per_watt") && !f.several && !f.asks("hardware"); }},
    {Intent::hardware, "how many of a part for a load",
     [](const Facts& f) { return f.model && f.how_many_parts && !f.sum && (f.r.requests_per_s || f.r.concurrency) && !f.largest(); }},
    {Intent::hardware, "how many of a part for a run that must end in a time",
     [](const Facts& f) { return f.model && f.how_many_parts && f.length() && f.r.deadline_s && !f.sum; }},
    {Intent::duration, "how long, how many days, until when",
     [](const Facts& f) {
         return f.model && !(f.sum && f.asks("fit")) && f.r.task != Task::inference &&
                (f.asks("duration") || f.part_hours || (f.ends_in_time && (f.length() || f.said_work)) || (f.asks("days") && f.length()) || (f.asks("how_fast") && f.length()));
     }},
    {Intent::duration, "the energy or carbon of a run on named hardware",
     [](const Facts& f) { return f.model && f.parts && f.length() && (f.attribute("energy") || asks_for_carbon(f.s)) && f.r.task == Task::train && !f.several && !f.asks("strong_fit fit hardware"); }},
    {Intent::duration, "how long a number of tokens takes to read or write",
     [](const Facts& f) { return f.model && f.r.task == Task::inference && (f.r.tokens || f.r.samples || f.r.audio_s) && (f.ends_in_time || f.asks("duration cost how_much price days time_to_make")) && (f.asks("time_to_make") || !f.asks("throughput mfu ttft tpot latency")); }},
    {Intent::duration, "whether named hardware hears in a time what comes in it",
     [](const Facts& f) { return f.model && f.parts && f.r.audio_s && f.r.deadline_s && f.r.task == Task::inference && f.asks("strong_fit fit") && !f.how_many_parts && !f.several; }},
    {Intent::duration, "a pile of work on named hardware",
     [](const Facts& f) { return f.model && f.parts && f.r.task == Task::inference && (f.r.tokens.value_or(0) >= 1e6 || f.r.samples.value_or(0) >= 100 || f.r.audio_s) && !f.r.requests_per_s && !f.r.concurrency && !f.speed() && !f.asks("strong_fit hardware price own memory strong_memory") && !f.how_many_parts && !f.largest(); }},
    {Intent::memory, "size of a model in a type of weights",
     [](const Facts& f) { return f.model && f.asks("size_of") && !f.r.quantization.empty() && !f.hardware; }},
    {Intent::duration, "cost of training",
     [](const Facts& f) { return f.asks("cost how_much price") && f.r.task == Task::train && f.model && !f.asks("memory strong_fit hardware"); }},
    {Intent::duration, "a length of the run, and time",
     [](const Facts& f) { return f.model && f.parts && f.length() && f.r.task == Task::train && f.s.any_word("time hours days minutes weeks") && !f.asks("mfu strong_fit"); }},
    {Intent::throughput, "tokens per second, latency, speed on hardware",
     [](const Facts& f) { return f.model && f.hardware && (f.speed() || ((f.asks("duration") || f.ends_in_time) && f.r.task == Task::inference)) && !(f.asks("strong_fit") && !f.asks("images")); }},
    {Intent::throughput, "the rate that training reaches on each",
     [](const Facts& f) { return f.model && f.parts && f.attribute("flops") && !is_question_of_fit(f); }},
    {Intent::throughput, "speed where no hardware is asked for",
     [](const Facts& f) { return f.model && f.asks("throughput ttft tpot mfu") && f.parts; }},
    {Intent::memory, "memory or vram of a model, no size is given",
     [](const Facts& f) { return (f.model || f.work) && (f.asks("memory") || (f.model && f.attribute("memory"))) && !f.r.memory_gib && !f.parts && !f.asks("strong_fit hardware"); }},
    {Intent::hardware, "what GPU, which card, how many of a part",
     [](const Facts& f) { return (f.asks("hardware") || f.how_many_parts) && !(f.asks("strong_fit") && f.parts && !f.how_many_parts); }},
    {Intent::hardware, "what to buy or rent for a model",
     [](const Facts& f) { return f.model && !f.parts && !f.sum && f.asks("buy rent") && f.s.any_word("what which") && !f.asks("strong_fit fit") && !f.largest(); }},
    {Intent::hardware, "cards of a memory at least so large",
     [](const Facts& f) { return f.r.memory_at_least && !f.parts && !f.asks("strong_fit") && (f.model || f.work) && !f.largest(); }},
    {Intent::fit, "can, will, enough, fits, with hardware",
     [](const Facts& f) { return f.hardware && (f.model || f.work) && is_question_of_fit(f) && (f.model || f.asks("strong_fit")); }},
    {Intent::duration, "a length of the run on named hardware",
     [](const Facts& f) { return f.model && f.parts && f.length() && f.r.task == Task::train && !f.r.objective; }},
    {Intent::throughput, "performance on named hardware",
     [](const Facts& f) { return f.model && f.parts && f.asks("weak_throughput"); }},
    {Intent::hardware, "an aim or a load, and no hardware",
     [](const Facts& f) { return (f.model || !f.r.profile.empty()) && !f.hardware; }},
    {Intent::fit, "a model beside hardware",
     [](const Facts& f) { return f.model && f.hardware && !f.asks("weak_hardware") && !f.r.objective; }},
    {Intent::largest, "language models on hardware that is named, of no size",
     [](const Facts& f) { return f.parts && !f.model && !f.sum && f.s.any_word("llm llms") && f.r.attributes.empty() && !f.several && !f.s.has(Means::train) && !f.s.has(Means::tune) && !f.asks("describe weak_describe support price cost rent"); }},
    {Intent::budget, "hardware of one's own, and nothing else",
     [](const Facts& f) { return f.parts && f.r.owned && !f.model && !f.work && f.r.attributes.empty() && !f.asks("describe weak_describe support"); }},
    {Intent::largest, "hardware for language models, none named",
     [](const Facts& f) { return f.parts && !f.model && !f.work && !f.sum && f.s.has(Means::model_word) && f.s.any_word("llm llms") && !f.several; }},
    {Intent::describe, "hardware alone",
     [](const Facts& f) { return f.parts && !f.model && !f.work && !f.sum; }},
    {Intent::duration, "how long, of what nothing here knows",
     [](const Facts& f) { return f.hardware && !f.model && (f.asks("duration") || f.s.any_word("time hours")) && f.r.task == Task::train && (f.length() || (f.asks("duration") && !f.r.not_understood.empty())) && !f.asks("what_can largest_model strong_fit fit") && !f.r.kernel; }},
    {Intent::price, "a sum of a month, hardware and no model",
     [](const Facts& f) { return f.parts && f.asks("per_month") && f.r.hours_per_day && !f.model && !f.sum && !f.largest() && !f.r.kernel; }},
    {Intent::largest, "work on hardware, and no model",
     [](const Facts& f) { return f.hardware && f.work && !f.model; }},
    {Intent::budget, "money or a number of accelerators alone", [](const Facts& f) { return (f.sum || f.r.usd_per_hour || f.s.loose_count) && !f.model && !f.said_work; }},
    {Intent::hardware, "all else", [](const Facts&) { return true; }},
};
// clang-format on

}  // namespace

void decide_intent(Sentence& sentence) {
    const Facts facts = facts_of(sentence);
    const auto* rule = std::find_if(std::begin(rules), std::end(rules),
                                    [&](const Rule& each) { return each.holds(facts); });
    sentence.reading.intent = rule->intent;  // the last holds for every question
    sentence.reading.because = rule->when;
    take_asked_figures(sentence, facts);
}

}  // namespace ridgeline::reading
