#include "advise/reading/settling/facts.h"

#include "advise/hardware/desk.h"
#include "advise/reading/hardware/makers.h"
#include "advise/reading/models/shapes.h"
#include "advise/reading/numbers/units.h"

#include <algorithm>

namespace ridgeline::reading {
namespace {

/// "is it cheaper to own", no "i own"; "at which point is buying cheaper", of what is rented.
bool asks_whether_owning_pays(const Sentence& s) {
    const bool pays = s.any_word(
        "cheaper better worth worthwhile save pays smarter wiser pay sense lohnt rentabel");
    const bool rents = s.reading.usd_per_hour || s.reading.usd_per_month ||
                       !s.reading.providers.empty() || s.asks("rent cloud");
    for (std::size_t i = 1; !s.reading.budget_usd && i + 2 < s.tokens.size(); ++i) {
        // "should a startup buy h100s", "should i buy 8 h100 or wait"
        if (s.word(i - 1) == "should" && is_any(s.word(i), "i we a an our the my") &&
            near_words(s, i + 1, i + 4, "buy purchase") && !s.any_word("which what or over than")) {
            return true;
        }
    }
    for (std::size_t i = 0; pays && i < s.tokens.size(); ++i) {
        const bool owns = is_any(s.word(i), "own owning") &&
                          (i == 0 || !is_any(s.word(i - 1), "i we my our its their already of"));
        if (owns || (rents && is_any(s.word(i), "buying purchasing purchase bought kauf"))) {
            return true;
        }
    }
    return false;
}

/// Whether one side of "vs" is renting: "buying vs cloud", no "cloud price runpod vs vast".
bool renting_is_a_side(const Sentence& s) {
    constexpr std::size_t most_between = 2;  // "vs the cloud"
    return std::any_of(s.marks.begin(), s.marks.end(), [&](const Mark& side) {
        // "compare rental prices": those are compared, no renting with owning.
        const bool prices =
            is_any(s.word(side.at + side.length),
                   "price prices pricing cost costs rate rates provider providers offer offers");
        return side.means == Means::ask && !prices && is_any(side.value, "cloud rent") &&
               std::any_of(s.marks.begin(), s.marks.end(), [&](const Mark& versus) {
                   const bool apart =
                       versus.means == Means::versus || versus.means == Means::either;
                   return apart &&
                          (versus.at < side.at ? side.at - versus.at - versus.length
                                               : versus.at - side.at - side.length) < most_between;
               });
    });
}

}  // namespace

/// "worth buying a dgx spark or should i get two 3090s": two purchases, and no rent beside them.
bool Facts::buys_one_of_several() const {
    const bool rents =
        asks("rent cloud on_prem") || !r.providers.empty() || r.usd_per_hour || r.months ||
        s.any_word(
            "rent renting rental rentals rented lease leasing cloud hour hourly tco ownership "
            "break payback pays electricity kwh");
    return several && (sides_by_or || measured || s.has(Means::versus)) && !rents;
}

bool Facts::buys_or_rents() const {
    if (buys_one_of_several()) {
        return false;
    }
    const bool rents = asks("rent cloud");
    const bool weighed = s.has(Means::versus) || s.has(Means::either) || r.months;
    const bool both = (s.any_word("rent renting rented rental rentals lease leasing cloud") ||
                       (s.any_word("use using") && !r.providers.empty())) &&
                      s.any_word("buy buying purchase purchasing own owned owning capex");
    // "when is a 4090 cheaper than cloud": one kind of hardware is weighed against renting.
    // "colocation of 16 l40s vs aws", "4x a100 own vs runpod": a provider stands for its rents.
    const bool here =
        asks("on_prem buy") ||
        s.any_word("own owned owning colo colocation colocated prem premise premises purchase");
    const bool set_apart =
        s.has(Means::versus) || (s.has(Means::either) && here && !r.providers.empty());
    const bool against = set_apart && !several && !model &&
                         (renting_is_a_side(s) || (r.usd_per_hour && here) ||
                          (!r.providers.empty() && (r.usd_per_kwh || here)));
    // "does buying beat on-demand", "buy or reserve"
    const bool beats = asks("buy") && !r.price_kind.empty() && r.price_kind != "purchase" &&
                       (weighed || s.any_word("beat beats than instead against"));
    // "spot vs on-demand vs buying 8 h100": a purchase beside rents of more than one kind
    const bool kinds = asks("buy") && r.alternatives_of == "price_kind" && !model;
    // "two 4090 cost 3600 together, is renting cheaper", "4 l40s for 26k in all vs runpod"
    const bool sum_weighed = r.budget_usd && !several && !model &&
                             ((rents && (r.usd_per_hour || s.any_word("cheaper better"))) ||
                              (s.has(Means::versus) && !r.providers.empty()));
    // "we pay $5k a month for 4 a100, should we buy", "8 h100 at 20k per month or buy": that rent
    // is weighed.
    const bool billed =
        r.usd_per_month && !several && (asks("buy") || s.any_word("buy buying")) &&
        (s.any_word("pay paying pays paid spend spending spends bill bills") ||
         (!model && parts &&
          (rents || s.has(Means::either) || s.has(Means::versus) || s.any_word("instead"))));
    const bool quoted = r.budget_usd && rents && !model && s.any_word("quote quoted");
    // "cost per gpu hour if I buy 64 mi300x": an hour of what one owns is no rent.
    const bool owned = s.any_word("own owning owned") ||
                       (s.any_word("if when once") && s.any_word("buy bought purchase purchased"));
    const bool own_hour = owned && asks("per_hour") && !rents && !model && !r.usd_per_hour &&
                          r.providers.empty() && r.price_kind.empty() && r.attributes.empty() &&
                          !s.any_word("electricity power energy");
    const bool years = r.months.value_or(0) >= 12 && asks("cost how_much") &&
                       s.any_word("including incl with") && s.any_word("power electricity energy");
    // "after how many months is a 4090 cheaper than runpod"
    const bool until = !model && !several && !r.providers.empty() && asks_when_cheaper(s);
    // "we own 8 h100, is cloud cheaper": what is there is kept, or rented instead.
    const bool instead = (rents && !model) || !r.providers.empty();
    const bool kept = r.owned && instead && !several && !asks("buy") &&
                      s.any_word("cheaper better instead keep keeping vs than save worth");
    // "own a dgx h200 vs p5en.48xlarge": an instance is rented.
    const auto is_instance = [](const Mention& each) { return !each.instance.empty(); };
    const bool instance = s.any_word("own owning buy buying purchase purchasing") &&
                          (s.has(Means::versus) || s.has(Means::either)) &&
                          std::ranges::any_of(s.mentions, is_instance) &&
                          !std::ranges::all_of(s.mentions, is_instance);
    return own_hour || instance || until || kinds || kept || sum_weighed || quoted || billed ||
           (years && !model) || outdoes() || asks("own") || against || beats ||
           (!model && asks_whether_owning_pays(s)) || (rents && asks("buy on_prem")) ||
           (asks("worth") && rents) || (both && weighed) || (r.hours_per_day && asks("buy"));
}

bool Facts::only_runs() const {
    const bool works = std::ranges::any_of(s.marks, [](const Mark& mark) {
        return mark.means == Means::train || mark.means == Means::tune ||
               (mark.means == Means::infer && mark.value != "run");
    });
    const bool timed = r.hours_per_day || r.deadline_s || r.months || asks("per_hour per_month");
    return !works && !model && timed && asks("cost price price_of how_much") &&
           !asks("what_can what_can_do fit strong_fit");
}

bool Facts::weighs_owning() const {
    const bool cloud = asks("cloud rent") || !r.providers.empty();
    return asks("own") ||
           (asks("on_prem") && cloud && (s.has(Means::either) || s.has(Means::versus)));
}

bool Facts::outdoes() const {
    const bool rented = !r.providers.empty() || asks("cloud rent") || !r.price_kind.empty();
    const bool beats = !several && s.any_word("beat beats beating undercut undercuts") && rented;
    const bool switches =
        s.any_word("keep keeping switch switching") && s.any_word("rent renting rental cloud");
    return parts && !model && (beats || switches);
}

/// "tokens can a 3B see in that time"; "see how many tokens", "i see" are of who asks.
bool learns_by_seeing(const Sentence& s) {
    for (std::size_t i = 1; i < s.tokens.size(); ++i) {
        if (is_any(s.word(i), "see sees seen") &&
            !is_any(s.word(i - 1), "i we you to lets us me please") && s.follows(i)) {
            return true;
        }
    }
    return false;
}

bool Facts::tokens_of_run() const {
    const bool bounded = sum || r.deadline_s || r.months;
    bool asked = false;
    for (std::size_t i = 1; i < s.tokens.size(); ++i) {
        asked = asked ||
                (is_any(s.word(i), "tokens token") &&
                 (is_any(s.word(i - 1), "many max maximum most much training") ||
                  (i > 1 && is_any(s.word(i - 2), "many much") && parameters_in(s.word(i - 1))))) ||
                (is_any(s.word(i), "epochs passes steps iterations images samples pictures") &&
                 s.word(i - 1) == "many" && !r.steps && !r.epochs);
    }
    const bool trains = r.task == Task::train || s.has(Means::tune) ||
                        s.any_word("train training pretrain pretraining trained") ||
                        (learns_by_seeing(s) && r.task != Task::train &&
                         !s.has(Means::infer));  // what a model sees in a time it learns from
    // "per day" asks for a rate, "in a day" for what it comes to.
    return asked && bounded && trains && model && (parts || sum) && !r.tokens &&
           !s.any_word("second sec s per each every");
}

bool Facts::requires_property() const { return std::ranges::any_of(r.require, is_selection); }

bool Facts::demands(std::string_view word) const {
    return std::ranges::find(r.require, word) != r.require.end();
}

bool Facts::judges_price() const {
    const bool told = r.usd_per_hour.has_value() || sum;
    const bool judges = s.any_word(
                            "good fair deal reasonable overpriced steal decent expensive pricey "
                            "bargain overpaying ripoff rip scam "
                            "normal high steep competitive") ||
                        (s.any_word("cheap worth ok okay much") && s.any_word("is too its"));
    const bool seeks = asks("hardware what_can what_can_do largest_model fit strong_fit") &&
                       !s.any_word("ok okay too");
    return parts && told && judges && !seeks && !several && !model && !said_work && !length();
}

/// "8 h100 to tune a 70b, how much per hour", "cost per hour of 2 a100 for a 70b": what an hour of
/// hardware costs, and no sum of it.
bool asks_price_of_an_hour(const Sentence& s) {
    return std::ranges::any_of(s.marks, [&](const Mark& mark) {
        const std::size_t end = mark.at + mark.length;
        bool hour = false;
        for (std::size_t i = mark.at; i < end; ++i) {
            hour = hour || is_any(s.word(i), "hour hr h hourly");
        }
        const bool much = mark.at > 1 && s.word(mark.at - 1) == "much" &&
                          s.word(mark.at - 2) == "how" && s.follows(mark.at);
        return mark.means == Means::ask && hour &&
               (mark.value == "price" || (mark.value == "per_hour" && much));
    });
}

bool Facts::prices_a_part() const {
    if (!parts || several || sum || income() || length() || speed() || largest() ||
        asks("hardware fit strong_fit memory strong_memory per_million own duration budget") ||
        how_many_parts || r.concurrency.value_or(0) > 1) {
        return false;
    }
    if (r.providers.size() > 1 && (s.has(Means::either) || s.has(Means::versus))) {
        return true;
    }
    if (!r.usd_per_hour && asks_price_of_an_hour(s)) {
        return true;
    }
    const Mention& part = s.mentions.front();
    return std::ranges::any_of(s.marks, [&](const Mark& mark) {
        const std::size_t end = mark.at + mark.length;
        return mark.means == Means::ask && is_any(mark.value, "price price_of") &&
               (past_words(s, end, "of for is are a an the one single used new x") == part.at ||
                (part.end == mark.at && s.follows(mark.at)));
    });
}

bool Facts::asks_why_slow() const {
    bool slower = false;
    for (std::size_t i = 1; i < s.tokens.size(); ++i) {
        slower = slower || (is_any(s.word(i), "slower faster performance speed lose") &&
                            is_any(s.word(i - 1), "much how"));
    }
    const bool slow = s.any_word("slow slowly slower sluggish speed");
    return (s.any_word("why") && slow) || (r.power_cap_w && (slower || slow));
}

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
                    mention.form != first.form || mention.provider != first.provider ||
                    mention.memory_gb != first.memory_gb;
    }
    f.on_processor = std::all_of(s.mentions.begin(), s.mentions.end(), [](const Mention& each) {
        return !each.parts.empty() && each.parts.front()->kind == "cpu";
    });
    f.instances = std::all_of(s.mentions.begin(), s.mentions.end(),
                              [](const Mention& each) { return !each.instance.empty(); });
    f.only_these = only_parts(s);
    f.ends_in_time = ends_in_time(s);
    f.sides_by_or = f.several && either_between(s);
    f.from_to = f.several && goes_from_to(s);
    f.listed = lists_kinds(s);
    f.measured = f.several && (than_between(s) || preferred_between(s));
    return f;
}

}  // namespace ridgeline::reading
