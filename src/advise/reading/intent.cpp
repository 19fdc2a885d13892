#include "advise/reading/sentence.h"
#include "advise/reading/shapes.h"

#include <algorithm>

// Which of the eleven intents a question has: a table of signals, the first rule that holds
// decides.

namespace ridgeline::reading {
namespace {

/// What the rules look at.
struct Facts {
    const Sentence& s;
    const Reading& r;
    bool parts = false;     ///< hardware is named
    bool hardware = false;  ///< or described by its memory
    bool model = false;
    bool work = false;       ///< training or serving is spoken of or follows
    bool said_work = false;  ///< in so many words
    bool sum = false;
    bool how_many_parts = false;  ///< "how many h100"
    bool several = false;         ///< kinds, counts or forms of hardware
    bool sides_by_or = false;     ///< "mi300x or h200"
    bool from_to = false;         ///< "from a 3090 to a 5090"
    bool part_hours = false;      ///< "how many h100 hours"
    bool ends_in_time = false;    ///< "..., hours?"
    bool listed = false;          ///< three kinds of hardware or more, one after the other
    bool measured = false;        ///< "is 2x 5060 ti smarter than one 5080"
    bool only_these = false;      ///< "only l4 or l40s", "h100 or h200 only"
    bool on_processor = false;    ///< no accelerator is named, or a CPU alone

    [[nodiscard]] bool asks(std::string_view value) const { return s.asks(value); }
    [[nodiscard]] bool asks_any(std::initializer_list<std::string_view> values) const {
        return std::any_of(
            values.begin(), values.end(), [this](std::string_view v) { return s.asks(v); });
    }
    [[nodiscard]] bool largest() const {
        return asks_any({"largest_model",
                         "largest_sequence",
                         "largest_users",
                         "largest_batch",
                         "largest_rank",
                         "largest_copies"});
    }
    [[nodiscard]] bool buys_or_rents() const {
        const bool rents = asks_any({"rent", "cloud"});
        const bool weighed = s.has(Means::versus) || s.has(Means::either) || r.months;
        const bool both = s.any_word({"rent", "renting", "rental", "rentals", "lease", "leasing", "cloud"}) &&
                          s.any_word({"buy", "buying", "purchase", "purchasing", "own", "owned", "owning"});
        // "when is a 4090 cheaper than cloud": one kind of hardware is weighed against renting.
        // "colocation of 16 l40s vs aws", "4x a100 own vs runpod": a provider stands for its rents.
        const bool here = asks_any({"on_prem", "buy"}) || s.any_word({"own", "owned", "owning", "colo", "colocation", "colocated", "prem", "premise", "premises", "purchase"});
        const bool set_apart = s.has(Means::versus) || (s.has(Means::either) && here && !r.providers.empty());
        const bool against = set_apart && !several && !model &&
                             (asks_any({"cloud", "rent"}) || (!r.providers.empty() && (r.usd_per_kwh || here)));
        // "does buying beat on-demand", "buy or reserve"
        const bool beats = asks("buy") && !r.price_kind.empty() && r.price_kind != "purchase" &&
                           (weighed || s.any_word({"beat", "beats", "than", "instead", "against"}));
        // "is it cheaper to own", no "i own"
        bool owns = false;
        for (std::size_t i = 1; i < s.tokens.size(); ++i) {
            owns = owns || (is_any(s.word(i), {"own", "owning"}) && !is_any(s.word(i - 1), {"i", "we", "my", "our", "its", "their", "already", "of"}));
        }
        owns = owns && !model && s.any_word({"cheaper", "better", "worth", "worthwhile", "save", "pays"});
        return asks("own") || against || beats || owns || (rents && asks_any({"buy", "on_prem"})) || (asks("worth") && rents) ||
               (both && weighed) || (r.hours_per_day && asks("buy"));
    }
    /// "does the a100 have fp8": a type is asked about, nothing runs in it.
    [[nodiscard]] bool asks_for_a_type() const {
        return s.any_word({"does", "do", "has"}) && (!r.quantization.empty() || !r.compute.empty());
    }
    [[nodiscard]] bool length() const { return r.tokens || r.samples || r.epochs || r.steps || r.audio_s; }
    [[nodiscard]] bool income() const { return r.usd_per_hour || r.usd_per_month; }
    [[nodiscard]] bool speed() const {
        return asks_any({"throughput", "images", "mfu", "ttft", "tpot", "latency"});
    }
};

Facts facts_of(const Sentence& s) {
    Facts f{s, s.reading};
    f.parts = !s.mentions.empty();
    f.hardware = f.parts || s.reading.memory_gib.has_value();
    f.model = !s.reading.model.empty();
    f.work = s.reading.task.has_value() || !s.reading.method.empty() || s.has(Means::train) ||
             s.has(Means::tune) || s.has(Means::infer);
    f.said_work = s.has(Means::train) || s.has(Means::tune) || s.has(Means::infer);
    f.sum = s.reading.budget_usd.has_value();
    f.part_hours = counts_part_hours(s);
    f.how_many_parts = counts_parts(s) && !f.part_hours;
    for (const Mention& mention : s.mentions) {
        const Mention& first = s.mentions.front();
        f.several = f.several || mention.name != first.name || mention.count != first.count ||
                    mention.form != first.form || mention.provider != first.provider;
    }
    f.on_processor = std::all_of(s.mentions.begin(), s.mentions.end(), [](const Mention& each) {
        return !each.parts.empty() && each.parts.front()->kind == "cpu";
    });
    f.only_these = only_parts(s);
    f.ends_in_time = ends_in_time(s);
    f.sides_by_or = f.several && either_between(s);
    f.from_to = f.several && goes_from_to(s);
    f.listed = lists_kinds(s);
    f.measured = f.several && (than_between(s) || preferred_between(s));
    return f;
}

struct Rule {
    Intent intent;
    std::string_view when;  ///< in words, for the documentation
    bool (*holds)(const Facts& f);
};

bool attributes_have(const Reading& reading, std::string_view attribute) {
    return std::find(reading.attributes.begin(), reading.attributes.end(), attribute) !=
           reading.attributes.end();
}

bool is_question_of_fit(const Facts& f) {
    // "does flux run on a 3060": a verb of work makes a question of it.
    const bool works = f.s.any_word({"does", "do"}) && f.said_work && f.model && f.parts;
    return f.asks_any({"fit", "strong_fit"}) || works;
}

// clang-format off
constexpr Rule rules[] = {
    {Intent::hardware, "what to replace hardware by",
     [](const Facts& f) { return !f.r.replaced.empty() && !f.parts && (f.model || f.work) && !f.sum; }},
    {Intent::own, "rent and buy, break even, tco, with hardware",
     [](const Facts& f) { return f.parts && f.buys_or_rents() && !(f.model && f.asks("price")); }},
    {Intent::compare, "the same hardware with and without a link, or on another network",
     [](const Facts& f) { return f.s.weighs_links && (f.model || f.work); }},
    {Intent::hardware, "parts that alone may be, or of which so many are asked for as bear a load",
     [](const Facts& f) {
         const bool load = f.r.requests_per_s || f.r.concurrency || (f.r.deadline_s && f.length());
         return f.sides_by_or && f.model && load && !f.s.has(Means::versus) && !f.asks("which") && (f.only_these || f.how_many_parts) && !f.largest();
     }},
    {Intent::compare, "two kinds of hardware beside vs, compare, than",
     [](const Facts& f) { return f.several && f.s.has(Means::versus) && !(f.asks("price") && !f.model && !f.work && !f.r.objective); }},
    {Intent::compare, "one kind of hardware worth it over another, or over what is there",
     [](const Facts& f) { return f.several && f.asks("worth") && (f.s.any_word({"over"}) || f.r.owned) && !f.sum; }},
    {Intent::compare, "whether one kind of hardware betters what is there",
     [](const Facts& f) { return f.several && !f.sum && f.s.any_word({"upgrade", "sidegrade", "downgrade", "improvement"}) && !f.largest(); }},
    {Intent::compare, "one kind of hardware measured by another, or a list of kinds for work",
     [](const Facts& f) { return ((f.measured && (f.model || f.work)) || (f.listed && (f.model || f.work) && !f.asks_any({"fit", "strong_fit", "price", "duration"}) && !f.speed())) && !f.sum && !f.largest(); }},
    {Intent::compare, "from one kind of hardware to another",
     [](const Facts& f) { return f.from_to && !f.sum; }},
    {Intent::compare, "two engines, methods, types of weights or models beside vs",
     [](const Facts& f) { return !f.r.alternatives.empty() && !f.several && !f.asks_any({"kv_cache", "strong_fit", "fit", "hardware", "what_can_do"}) && !(f.asks_any({"strong_memory", "memory", "size_of"}) && !f.parts) && !f.largest() && !f.how_many_parts && !f.sum; }},
    {Intent::compare, "several kinds of hardware, and which of them",
     [](const Facts& f) { return f.several && (f.asks("which") || f.s.any_word({"between"})) && !f.sum && !f.largest() && !f.asks("strong_fit") && !(f.asks("price") && !f.model && !f.work) && (f.work || f.model || f.r.attributes.size() != 1); }},
    {Intent::compare, "two kinds of hardware joined by or, unless it is asked whether they fit or cost",
     [](const Facts& f) { return f.sides_by_or && !f.asks_any({"fit", "strong_fit", "price_of", "what_can_do"}) && !(f.asks("price") && !f.model) && !f.largest(); }},
    {Intent::describe, "what a machine or an instance holds",
     [](const Facts& f) {
         const bool machine = std::any_of(f.s.mentions.begin(), f.s.mentions.end(), [](const Mention& each) { return each.per_machine || !each.machine.empty(); });
         return machine && !f.model && !f.work && !f.sum && f.s.any_word({"have", "has", "inside", "contain", "contains"}) && f.s.any_word({"what", "which"}) && !f.asks_any({"price", "cost", "rent"});
     }},
    {Intent::price, "price, rent, cost of hardware without a model or work",
     [](const Facts& f) {
         return f.parts && !f.model && !f.length() && !f.sum && !f.asks_any({"what_can_do", "strong_memory"}) && !(f.asks("superlative") && f.s.has(Means::model_word)) && !(f.asks("duration") && !f.r.part_hours) && !f.largest() && f.r.attributes.empty() &&
                (f.asks_any({"price", "price_of", "rent", "provider", "price_kinds"}) || (f.s.any_word({"used", "refurb", "refurbished"}) && f.s.any_word({"go", "goes"})) ||
                 (!f.work && !f.asks("weak_describe") && (f.asks_any({"cost", "per_hour", "buy"}) || (f.asks("how_much") && f.r.not_understood.empty()) || f.r.price_kind != "" || !f.r.providers.empty() || f.r.objective == Objective::cost)
                  && !f.asks_any({"memory", "strong_fit", "what_can", "describe", "support"})));
     }},
    {Intent::price, "cost of hardware for a time, whatever it serves",
     [](const Facts& f) { return f.parts && f.model && f.r.deadline_s && f.r.task == Task::inference && f.asks_any({"cost", "price", "price_of", "how_much"}) && !f.length() && !f.sum && !f.asks_any({"strong_fit", "hardware", "per_million", "own"}) && !f.speed(); }},
    {Intent::price, "the rate for hardware, whatever it runs",
     [](const Facts& f) { return f.parts && f.asks("rate_of_part") && !f.length() && !f.sum; }},
    {Intent::largest, "what hours of an accelerator that are left are good for",
     [](const Facts& f) { return f.parts && f.r.part_hours && !f.model && !f.sum && f.asks_any({"what_can_do", "what_can"}); }},
    {Intent::largest, "what can be trained from scratch on hardware within a time",
     [](const Facts& f) { return f.hardware && !f.model && !f.sum && f.r.method == "full" && (f.r.deadline_s || f.r.months) && f.asks_any({"what_can_do", "what_can"}) && !f.largest(); }},
    {Intent::budget, "what can I do with money or hardware",
     [](const Facts& f) { return f.asks("what_can_do") && (f.sum || f.r.usd_per_hour || f.hardware || f.s.loose_count) && !(f.model && !f.sum && !f.r.usd_per_hour); }},
    {Intent::budget, "a sum of money without a length of the run",
     [](const Facts& f) { return f.sum && !f.length() && !f.asks("duration") && !f.r.deadline_s; }},
    {Intent::budget, "rent of an hour or a month that a budget allows",
     [](const Facts& f) { return f.income() && !f.parts && (f.asks_any({"budget", "what_can", "what_can_do"}) || f.r.usd_per_month || (!f.model && !f.said_work)); }},
    {Intent::price, "the cheapest hardware of a memory, without a model or work",
     [](const Facts& f) {
         return !f.parts && !f.model && !f.work && !f.sum && !f.income() && f.r.memory_gib && !f.largest() && !f.asks_any({"what_can", "what_can_do", "strong_fit", "own"}) &&
                (f.asks_any({"price", "price_of", "rent", "provider", "cost", "cloud", "per_hour"}) || f.r.objective == Objective::cost || f.r.objective == Objective::price || !f.r.price_kind.empty() || !f.r.providers.empty());
     }},
    {Intent::describe, "power or electricity of hardware, without a model",
     [](const Facts& f) { return f.parts && !f.model && !f.sum && !f.asks_any({"strong_fit", "hardware"}) && (attributes_have(f.r, "energy") || (attributes_have(f.r, "power") && f.r.attributes.size() == 1)); }},
    {Intent::describe, "how much power hardware draws, whatever it runs",
     [](const Facts& f) {
         const bool power = attributes_have(f.r, "power") && f.r.attributes.size() == 1;
         return power && f.parts && f.model && !f.sum && !f.length() && f.s.any_word({"how", "what"}) && !f.speed() && !f.largest() &&
                !f.asks_any({"fit", "strong_fit", "hardware", "price", "cost", "duration", "memory", "strong_memory"});
     }},
    {Intent::describe, "which hardware has a feature or a type, without work",
     [](const Facts& f) {
         return !f.parts && !f.model && !f.sum && !f.income() && (f.asks("which_have") || f.asks("support")) &&
                (!f.r.attributes.empty() || !f.r.require.empty() || !f.r.quantization.empty() || !f.r.compute.empty() || f.r.memory_gib);
     }},
    {Intent::describe, "cards of a memory, and nothing else",
     [](const Facts& f) { return !f.parts && !f.model && !f.sum && !f.income() && !f.work && f.r.memory_gib && f.s.any_word({"gpus", "cards", "accelerators"}) && !f.asks_any({"hardware", "what_can", "what_can_do", "buy", "price"}) && !f.largest(); }},
    {Intent::largest, "biggest model, longest context, most users, largest batch on hardware",
     [](const Facts& f) { return f.largest() && f.hardware; }},
    {Intent::largest, "what can I run, what fits, without a model",
     [](const Facts& f) { return f.asks("what_can") && f.hardware && !f.model && !f.r.months; }},
    {Intent::largest, "biggest or largest, a model is spoken of and none is named",
     [](const Facts& f) { return f.asks("superlative") && f.hardware && !f.model && f.s.has(Means::model_word); }},
    {Intent::describe, "a figure of a part, without work",
     [](const Facts& f) {
         return f.parts && !f.model && !f.said_work && !f.asks_any({"strong_fit", "hardware"}) &&
                (!f.r.attributes.empty() || f.asks_any({"describe", "support", "memory", "strong_memory", "size_of", "weak_describe"}) || f.asks_for_a_type() || !f.r.require.empty());
     }},
    {Intent::describe, "a figure of a model, without hardware or work",
     [](const Facts& f) {
         return f.model && !f.hardware && !f.s.has(Means::train) && !f.s.has(Means::tune) &&
                ((!f.r.attributes.empty() && !attributes_have(f.r, "memory") && !f.asks_any({"strong_memory", "memory", "hardware"})) ||
                 (f.asks_any({"describe", "size_of", "weak_describe"}) && !f.work && !f.asks("kv_cache")) ||
                 (f.asks("largest_sequence") && !f.r.concurrency));
     }},
    {Intent::describe, "a model beside the word parameters, nothing else",
     [](const Facts& f) {
         return f.model && !f.hardware && !f.work && !f.length() && !f.sum && !f.income() && f.s.any_word({"params", "parameters", "param"}) &&
                std::none_of(f.s.marks.begin(), f.s.marks.end(), [](const Mark& mark) { return mark.means == Means::ask || mark.means == Means::gpu; });
     }},
    {Intent::memory, "how much memory, size of the cache",
     [](const Facts& f) { return (f.model || f.work) && f.asks_any({"strong_memory", "kv_cache"}) && !(f.asks("strong_fit") && f.hardware) && !(f.r.memory_gib && !f.s.any_word({"much"})); }},
    {Intent::memory, "size of a part of training's memory",
     [](const Facts& f) { return f.model && f.asks_any({"part_optimizer", "part_gradients", "part_activations"}) && f.asks_any({"size_of", "how_much", "strong_memory", "memory"}) && !f.asks("strong_fit"); }},
    {Intent::memory, "ram of a model that runs on a processor",
     [](const Facts& f) { return f.model && f.asks("ram") && !f.r.memory_gib && !f.asks_any({"strong_fit", "fit"}) && f.on_processor; }},
    {Intent::throughput, "cost of a million tokens on hardware",
     [](const Facts& f) { return f.model && f.parts && f.asks("per_million"); }},
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
    {Intent::duration, "how long a number of tokens takes to read or write",
     [](const Facts& f) { return f.model && f.r.task == Task::inference && (f.r.tokens || f.r.samples || f.r.audio_s) && (f.ends_in_time || f.asks_any({"duration", "cost", "how_much", "price", "days", "time_to_make"})) && (f.asks("time_to_make") || !f.asks_any({"throughput", "mfu", "ttft", "tpot", "latency"})); }},
    {Intent::duration, "a pile of work on named hardware",
     [](const Facts& f) { return f.model && f.parts && f.r.task == Task::inference && (f.r.tokens.value_or(0) >= 1e6 || f.r.samples.value_or(0) >= 1000 || f.r.audio_s) && !f.r.requests_per_s && !f.r.concurrency && !f.speed() && !f.asks_any({"strong_fit", "hardware", "price", "own", "memory", "strong_memory"}) && !f.how_many_parts && !f.largest(); }},
    {Intent::memory, "size of a model in a type of weights",
     [](const Facts& f) { return f.model && f.asks("size_of") && !f.r.quantization.empty() && !f.hardware; }},
    {Intent::duration, "cost of training",
     [](const Facts& f) { return f.asks_any({"cost", "how_much", "price"}) && f.r.task == Task::train && f.model && !f.asks_any({"memory", "strong_fit", "hardware"}); }},
    {Intent::duration, "a length of the run, and time",
     [](const Facts& f) { return f.model && f.parts && f.length() && f.r.task == Task::train && f.s.any_word({"time", "hours", "days", "minutes", "weeks"}) && !f.asks_any({"mfu", "strong_fit"}); }},
    {Intent::throughput, "tokens per second, latency, speed on hardware",
     [](const Facts& f) { return f.model && f.hardware && (f.speed() || (f.asks("duration") && f.r.task == Task::inference)) && !(f.asks("strong_fit") && !f.asks("images")); }},
    {Intent::throughput, "the rate that training reaches on each",
     [](const Facts& f) { return f.model && f.parts && attributes_have(f.r, "flops") && !is_question_of_fit(f); }},
    {Intent::throughput, "speed where no hardware is asked for",
     [](const Facts& f) { return f.model && f.asks_any({"throughput", "ttft", "tpot", "mfu"}) && f.parts; }},
    {Intent::memory, "memory or vram of a model, no size is given",
     [](const Facts& f) { return (f.model || f.work) && (f.asks("memory") || (f.model && attributes_have(f.r, "memory"))) && !f.r.memory_gib && !f.parts && !f.asks_any({"strong_fit", "hardware"}); }},
    {Intent::hardware, "what GPU, which card, how many of a part",
     [](const Facts& f) { return (f.asks("hardware") || f.how_many_parts) && !(f.asks("strong_fit") && f.parts && !f.how_many_parts); }},
    {Intent::hardware, "what to buy or rent for a model",
     [](const Facts& f) { return f.model && !f.parts && !f.sum && f.asks_any({"buy", "rent"}) && f.s.any_word({"what", "which"}) && !f.asks_any({"strong_fit", "fit"}) && !f.largest(); }},
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
    {Intent::budget, "hardware of one's own, and nothing else",
     [](const Facts& f) { return f.parts && f.r.owned && !f.model && !f.work && f.r.attributes.empty() && !f.asks_any({"describe", "weak_describe", "support"}); }},
    {Intent::describe, "hardware alone",
     [](const Facts& f) { return f.parts && !f.model && !f.work && !f.sum; }},
    {Intent::duration, "how long, of what nothing here knows",
     [](const Facts& f) { return f.hardware && !f.model && (f.asks("duration") || f.s.any_word({"time", "hours"})) && f.r.task == Task::train && (f.length() || (f.asks("duration") && !f.r.not_understood.empty())) && !f.asks_any({"what_can", "largest_model", "strong_fit", "fit"}) && !f.r.kernel; }},
    {Intent::largest, "work on hardware, and no model",
     [](const Facts& f) { return f.hardware && f.work && !f.model; }},
    {Intent::budget, "money or a number of accelerators alone", [](const Facts& f) { return (f.sum || f.r.usd_per_hour || f.s.loose_count) && !f.model && !f.said_work; }},
    {Intent::hardware, "all else", [](const Facts&) { return true; }},
};
// clang-format on

}  // namespace

constexpr int usual_node = 8;

void decide_intent(Sentence& sentence) {
    const Facts facts = facts_of(sentence);
    for (const Rule& rule : rules) {
        if (rule.holds(facts)) {
            sentence.reading.intent = rule.intent;
            break;
        }
    }
    Reading& reading = sentence.reading;
    if (reading.intent == Intent::price && reading.part_hours && !reading.deadline_s) {
        reading.deadline_s = *reading.part_hours * 3600;  // one for so long costs as much
    }
    if (reading.intent == Intent::largest && reading.part_hours && !reading.deadline_s) {
        const int count = reading.count.value_or(sentence.mentions.front().count.value_or(usual_node));
        reading.task = Task::train;
        reading.method = "full";
        reading.count = count;
        reading.deadline_s = *reading.part_hours * 3600 / count;
        sentence.assume("count", std::to_string(count), "so many share the hours that are left");
    }
    if (reading.intent == Intent::largest && reading.task == Task::train && reading.months && !reading.deadline_s) {
        reading.deadline_s = *reading.months * 30 * 86400;  // hardware that is free for so long
        reading.months.reset();
    }
    if (reading.intent == Intent::largest) {
        reading.extreme = facts.asks("largest_sequence") ? Extreme::sequence
                          : facts.asks("largest_users")  ? Extreme::users
                          : facts.asks("largest_batch")  ? Extreme::batch
                          : facts.asks("largest_rank")   ? Extreme::rank
                          : facts.asks("largest_copies") ? Extreme::copies
                                                         : Extreme::model;
    }
    if (reading.intent == Intent::describe && facts.asks("largest_sequence")) {
        reading.attributes.emplace_back("context");
    }
    if (reading.intent == Intent::compare && !facts.model && !facts.work &&
        facts.asks_any({"cost", "per_hour", "price", "price_of", "rent"})) {
        reading.attributes.emplace_back("rent");  // "p5 cost per hour against trn2"
    }
    if (reading.intent == Intent::compare && reading.attributes.empty() && !facts.model &&
        !facts.work && facts.asks_any({"memory", "strong_memory"})) {
        reading.attributes.emplace_back("memory");  // "h200 vs h100 memory"
    }
    if (reading.intent == Intent::describe && reading.attributes.empty()) {
        if (facts.asks_any({"memory", "strong_memory"})) {
            reading.attributes.emplace_back("memory");
        } else if (facts.model && facts.asks("size_of")) {
            reading.attributes.emplace_back("parameters");
        }
    }
    if (reading.intent == Intent::describe && facts.model && !attributes_have(reading, "parameters") &&
        sentence.any_word({"params", "parameters", "param"})) {
        reading.attributes.emplace_back("parameters");  // "how many layers and params"
    }
    if (reading.intent == Intent::describe && facts.model && !attributes_have(reading, "context") &&
        !reading.attributes.empty() && sentence.any_word({"context", "ctx"})) {
        reading.attributes.emplace_back("context");  // "layers and context length"
    }
    if (reading.intent == Intent::describe && reading.accelerators.empty() &&
        sentence.mentions.empty() && reading.model.empty()) {
        // "which gpus support fp8": the type is asked about, nothing is run.
        for (std::string* type : {&reading.quantization, &reading.compute}) {
            if (!type->empty()) {
                reading.attributes.push_back(*type);
                type->clear();
            }
        }
        reading.task.reset();
    }
    if (reading.intent == Intent::describe && !reading.attributes.empty() && facts.parts &&
        facts.asks_for_a_type() && !attributes_have(reading, "flops")) {
        reading.attributes.emplace_back("flops");  // "how many cores and does it do bf16"
    }
    if (reading.intent == Intent::describe) {
        // A feature that is asked about is none that is required.
        for (std::string& feature : reading.require) {
            reading.attributes.push_back(std::move(feature));
        }
        reading.require.clear();
    }
    if (reading.intent == Intent::fit && asks_for_failure(sentence)) {
        reading.attributes.emplace_back("failure");
    }
    for (const auto& [ask, attribute] : {std::pair{"ttft", "ttft"},
                                         std::pair{"tpot", "tpot"},
                                         std::pair{"latency", "latency"},
                                         std::pair{"mfu", "mfu"},
                                         std::pair{"images", "images"},
                                         std::pair{"frames", "frames"},
                                         std::pair{"one_at_a_time", "one_at_a_time"},
                                         std::pair{"kv_cache", "kv_cache"}}) {
        if (facts.asks(ask)) {
            reading.attributes.emplace_back(attribute);
        }
    }
    for (const std::string_view asked : {"cache_per_token",
                                         "smallest_part",
                                         "per_month",
                                         "instance",
                                         "prefill",
                                         "all_day",
                                         "part_optimizer",
                                         "part_gradients",
                                         "part_activations",
                                         "mixed_precision"}) {
        if (facts.asks(asked)) {
            reading.attributes.emplace_back(asked);
        }
    }
    const bool fewest = facts.how_many_parts && sentence.any_word({"smallest", "fewest", "minimum", "minimal", "least", "tiniest"});
    if (fewest && !attributes_have(reading, "smallest_part")) {
        reading.attributes.emplace_back("smallest_part");  // "the smallest h100 fleet"
    }
    if (facts.asks("largest_users") && !facts.parts && facts.model && (facts.sum || facts.income())) {
        reading.attributes.emplace_back("users_for_money");
    }
    if (reading.intent == Intent::throughput && attributes_have(reading, "flops")) {
        reading.attributes.emplace_back("mfu");
        reading.task = reading.task.value_or(Task::train);
    }
    if (reading.intent == Intent::throughput && facts.asks("per_hour") && sentence.any_word({"day"}) && !attributes_have(reading, "all_day")) {
        reading.attributes.emplace_back("all_day");  // "how many tokens does it make a day"
    }
    if (facts.asks("per_gpu")) {
        reading.attributes.emplace_back("per_gpu");
    }
    if (facts.asks("per_watt")) {
        reading.attributes.emplace_back("per_watt");
    }
    if (facts.asks("per_million")) {
        reading.attributes.emplace_back("per_million");
    }
    if (facts.part_hours || facts.asks("gpu_hours") || sentence.any_word({"gpu-hours"})) {
        reading.attributes.emplace_back("gpu_hours");
    }
    if (reading.intent == Intent::price && reading.price_kind.empty() &&
        sentence.any_word({"used", "refurb"})) {
        reading.price_kind = "purchase";
        reading.attributes.emplace_back("used");
    }
    const bool least = sentence.any_word({"minimum", "min", "least", "lowest", "minimal"});
    if (reading.intent == Intent::memory && least && reading.task == Task::train) {
        if (!reading.batch && !reading.micro_batch) {
            reading.batch = 1;
            sentence.assume("batch", "1", "the least that it takes was asked for");
        }
        if (!reading.recompute && !reading.keep_activations) {
            reading.recompute = true;
            sentence.assume("recompute", "full", "the least that it takes was asked for");
        }
    }
    if (reading.intent == Intent::price && facts.asks("price_kinds")) {
        reading.attributes.emplace_back("price_kinds");
    }
    reading.rents_only = reading.intent == Intent::price && !facts.asks("buy") &&
                         sentence.any_word({"rent", "renting", "rental", "rented", "hire"});
    reading.best_only = reading.intent == Intent::price && reading.objective.has_value();
}

}  // namespace ridgeline::reading
