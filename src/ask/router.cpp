#include "ask/router.h"

#include "advise/answers/below_floor.h"
#include "advise/answers/environment.h"
#include "advise/answers/worth.h"
#include "advise/figure_words.h"
#include "advise/fits/host_split.h"
#include "advise/fits/replies.h"
#include "advise/hardware/desk.h"
#include "advise/hardware/offers.h"
#include "advise/largest/replies.h"
#include "advise/search/search.h"
#include "base/text.h"
#include "estimate/families/families.h"
#include "report/option_words.h"
#include "spec/chip_support.h"
#include "spec/hardware_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <utility>

namespace ridgeline::ask {
namespace {

/// What does not fit helps nobody below a Yes.
void drop_misses(Advice& advice) {
    advice.near_misses.clear();
    std::erase_if(advice.ladders, [](const CardLadder& ladder) {
        return std::ranges::none_of(ladder.rungs, [](const QuantRung& rung) { return rung.fits; });
    });
}

/// Rounds of answers take what the card leaves to their engine: the least leads, whole steps of a
/// larger card stand behind it.
void lead_with_least(const Option& least, Answer& reply) {
    const MemoryEstimate& memory = least.estimate.memory;
    const double gib = least.cluster.count * (memory.process / gibibyte);
    AnswerValue& value = reply.values.front();
    reply.headline = fmt::format(
        "{}{} needs {} ({} to {}) for {} in its smallest steps, recomputed, on {}; whole "
        "steps on a large card, of which "
        "the engine of the answers reserves a share, take {} ({} to {}).",
        reply.headline.substr(0, reply.headline.find(" needs ")),
        least.cluster.count > 1 ? " in all" : "", format_gib(gib),
        figure_words(gib * memory.band.low), figure_words(gib * memory.band.high), value.of,
        report::hardware_words(least), format_gib(*value.mid), figure_words(*value.low),
        figure_words(*value.high));
    reply.needs = AnswerNeeds{gib * memory.band.low, gib, gib * memory.band.high};
    value.low = reply.needs->low;
    value.mid = gib;
    value.high = reply.needs->high;
}

/// Why the plans below a figure of memory take more or less than it says.
std::string beside_plans(const Advice& advice, Answer& reply) {
    if (advice.options.empty() || !reply.needs ||
        advice.options.front().workload.task != Task::train) {
        return "";
    }
    constexpr double much_less = 0.8;
    constexpr double much_more = 1.25;
    const auto total = [](const Option& option) {
        return option.cluster.count * (option.estimate.memory.process / gibibyte);
    };
    const Option& least = *std::ranges::min_element(
        advice.options, [&](const Option& a, const Option& b) { return total(a) < total(b); });
    const auto& rounds = least.workload.preference;
    const bool one =
        reply.values.size() == 1 && reply.headline.find(" needs ") != std::string::npos;
    if (total(least) < much_less * reply.needs->mid && rounds && rounds->generates() && one) {
        lead_with_least(least, reply);
        return "";
    }
    if (total(least) < much_less * reply.needs->mid) {
        return fmt::format(" In smaller steps, recomputed, it takes {} on {}{}.",
                           format_gib(least.estimate.memory.process / gibibyte),
                           least.cluster.count > 1 ? "each of " : "",
                           report::hardware_words(least));
    }
    return total(advice.options.front()) > much_more * reply.needs->mid
               ? " The plans below take more where that makes them faster."
               : "";
}

/// How long a run takes on what was judged, by the best plan that the table shows.
std::string run_words(const Advice& advice, const Answer& reply) {
    const auto judged = std::ranges::find_if(advice.options, [&](const Option& each) {
        return reply.choice && each.cluster.accelerator->id == reply.choice->accelerator &&
               each.cluster.count == reply.choice->count;
    });
    if (judged == advice.options.end() || reply.verdict == "no" ||
        judged->workload.task != Task::train) {
        return "";
    }
    const TimeEstimate& time = judged->estimate.time;
    return time.total > Seconds{}
               ? fmt::format(" The run takes {}.", duration_range(time.total, time.band))
               : "";
}

/// How loud a thing is no source tells: what draws least of those that do it.
std::string quiet_words(const Advice& advice) {
    const auto watts = [](const Option& option) {
        return option.cluster.count * (option.cluster.accelerator->tdp / watt);
    };
    const Option* least = nullptr;
    for (const Option& option : advice.options) {
        const bool had = option.unobtainable.empty() && watts(option) > 0;
        least = had && (least == nullptr || watts(option) < watts(*least)) ? &option : least;
    }
    return least == nullptr
               ? ""
               : fmt::format(" How loud it is no source here tells; {} draws least, {:.0f} W.",
                             cards_words(least->cluster), watts(*least));
}

/// Advice of its first option, without what stands beside it.
Advice first_alone(const Advice& advice) {
    Advice one;
    one.query = advice.query;
    one.options = {advice.options.front()};
    return one;
}

}  // namespace

std::vector<const Accelerator*> known_parts(const std::vector<std::string>& ids,
                                            const Catalog& catalog) {
    std::vector<const Accelerator*> parts;
    for (const std::string& id : ids) {
        parts.push_back(catalog.accelerator(id));
    }
    std::erase(parts, nullptr);
    return parts;
}

Router::Router(const Request& request, Question& asked, const World& world)
    : request_(request),
      asked_(asked),
      world_(world),
      reading_(*asked.reading),
      date_(today()),
      knowledge_{world.catalog, world.profiles, date_},
      tools_{knowledge_,
             [&world](WorkloadDocument& document) { return completed(document, world); },
             [this](const WorkloadDocument& document, const Architecture& architecture,
                    const Cluster& cluster) {
                 return place(knowledge_, document, architecture, cluster, nullptr);
             }} {}

void Router::settle_method() {
    WorkloadDocument& document = asked_.query.workload;
    if (!asked_.query.method_open || document.model_id.empty()) {
        return;
    }
    const auto architecture = architecture_of(document, world_);
    if (!architecture || !has_program(*architecture) ||
        architecture->kind == ModelKind::diffusion) {
        return;
    }
    document.method = Method::full;
    document.has_lora = false;
    asked_.query.method_open = false;
    forget_assumed(reading_, "method");
    reading_.flags = flags_of(reading_, asked_.query);
}

std::string Router::without_a_build() const {
    const SoftwareProfile* stack = world_.profiles.software_profile(reading_.framework);
    auto parts = known_parts(reading_.accelerators, world_.catalog);
    for (const Accelerator& part : world_.catalog.accelerators) {
        std::string maker = part.vendor;
        std::transform(maker.begin(), maker.end(), maker.begin(),
                       [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
        if (reading_.accelerators.empty() && reading_.vendors.size() == 1 &&
            reading_.vendors.front() == maker) {
            parts.push_back(&part);
        }
    }
    const bool none = stack != nullptr && !parts.empty() &&
                      std::ranges::none_of(parts, [&](const Accelerator* part) {
                          return is_made_for(*stack, *part);
                      });
    return none ? chip_conflict(*stack, *parts.front(), "") : "";
}

Result<Routed> Router::run() {
    if (asked_.query.workload.kernel) {
        return kernel();
    }
    if (!reading_.environment.empty()) {
        reading_.assumed.clear();
        return alone(reply_environment(reading_, world_.catalog));
    }
    const bool runs = reading_.intent == Intent::largest || reading_.intent == Intent::hardware ||
                      reading_.intent == Intent::budget || reading_.intent == Intent::throughput;
    if (const std::string why = runs ? without_a_build() : std::string(); !why.empty()) {
        Answer no;
        no.verdict = "no";
        no.headline = "No: " + why + ".";
        Routed routed = alone(std::move(no));
        routed.exit_code = 3;
        return routed;
    }
    if (asks_for_worth(reading_)) {
        return alone(reply_worth(reading_, tools_));
    }
    if (reading_.memory_of_all_gib && reading_.model.empty()) {
        Routed routed = alone(reply_cheapest_machines(reading_, asked_.query, tools_));
        routed.exit_code = routed.reply.choice ? 0 : 3;
        return routed;
    }
    if (reading_.second_card) {
        Routed routed = alone(reply_second_card(reading_, asked_.query, tools_));
        routed.exit_code = routed.reply.choice ? 0 : 3;
        return routed;
    }
    settle_method();
    settle_pretraining();
    assume_lengths();
    auto joined = reading_.intent == Intent::largest || reading_.intent == Intent::budget
                      ? reply_largest_joined(reading_, tools_)
                      : reply_joined(reading_, asked_.query, tools_);
    if (joined) {
        for (const char* of_one_kind : {"hardware", "count", "memory_gib"}) {
            forget_assumed(reading_, of_one_kind);
        }
        Routed routed = alone(std::move(*joined));
        routed.exit_code = routed.reply.verdict == "no" ? 3 : 0;
        return routed;
    }
    switch (reading_.intent) {
        case Intent::fit:
            return fit();
        case Intent::memory:
            return memory();
        case Intent::compare:
            return compare();
        case Intent::largest:
            return largest();
        case Intent::duration:
            return duration();
        case Intent::throughput:
            return throughput();
        case Intent::price:
            return price();
        case Intent::own:
            return own();
        case Intent::budget:
            return budget();
        case Intent::describe:
            return describe();
        case Intent::hardware:
            break;
    }
    return asks(reading_, "users_for_money") ? budget() : hardware();
}

Routed Router::alone(Answer reply) const {
    Routed out;
    out.json =
        fmt::format("{{\n  \"schema\": \"ridgeline/reading/1\",\n  \"version\": \"{}\"\n}}\n",
                    RIDGELINE_VERSION);
    out.reply = std::move(reply);
    return out;
}

std::string Router::quantised_instead() {
    const std::string sum = format_usd(asked_.query.budget_usd.value_or(0));
    forget_assumed(reading_, "method");
    assume_first(reading_, "method", "qlora",
                 "the method was not said, and for LoRA nothing is sold for that sum");
    reading_.flags = flags_of(reading_, asked_.query);
    return fmt::format("Nothing that holds it for LoRA is sold for {}; for QLoRA: ", sum);
}

std::string Router::rented_instead() {
    const std::string run = format_count(asked_.query.workload.duration_tokens.value_or(0));
    const AssumedField rent{
        "buy", "false",
        "nothing is sold for that sum that runs it: it is rented for a run of " + run +
            " tokens (say \"on 20M tokens\")"};
    if (AssumedField* buys = assumed_of(reading_, "buy")) {
        *buys = rent;
    } else {
        reading_.assumed.push_back(rent);
    }
    reading_.flags = flags_of(reading_, asked_.query);
    if (!asked_.query.budget_usd) {
        return "Nothing that runs it within these limits is known to be sold. ";
    }
    return fmt::format(
        "Nothing that runs it is sold for {}; a run of {} tokens can be rented for it. ",
        format_usd(asked_.query.budget_usd.value_or(0)), run);
}

void Router::add_document(Advice& advice, bool answered_yes, Routed& out) const {
    if (request_.json()) {
        out.json = report::advice_json(advice, stamp());
        return;
    }
    report::Style page = style();
    page.answered = true;
    if (answered_yes && !page.explain) {
        drop_misses(advice);
    }
    out.text = report::advice_text(advice, page);
}

void Router::add_choice_words(const Advice& advice, Answer& reply) {
    if (!advice.options.empty()) {
        const Option& best = advice.options.front();
        reply.headline += joined_words(best) + busy_words(best.cluster) + asked_besides(best) +
                          module_price(best) + on_markets(advice);
        lead_with_bill(best, reply);
        const Query& query = asked_.query;
        const double usd = best.estimate.cost.usd_per_hour;
        if (query.objective == Objective::rent && query.deadline_s && usd > 0 &&
            query.workload.task == Task::train && best.estimate.time.total <= Seconds{}) {
            // "72 h of qlora": so long is paid for, where the run has no length of its own.
            reply.headline =
                fmt::format("{} for {}. {}", format_usd(usd * *query.deadline_s / 3600),
                            format_duration(*query.deadline_s), reply.headline);
        }
    }
    if (asks(reading_, "noise") && asked_.query.buy) {
        reply.headline += quiet_words(advice);
    }
    if (asks(reading_, "smallest_part") || asks(reading_, "how_many")) {
        lead_with_number(advice, reply);
    }
    // Of several runs at once their number is what was asked for.
    if (!advice.options.empty() && reading_.copies.value_or(1) > 1) {
        reply.headline = run_of_each(advice.options.front()) + reply.headline;
    }
}

Result<Routed> Router::with_advice(std::optional<Answer> reply) {
    const Query limits = asked_.query;
    const bool bought = limits.buy;
    const auto method = asked_.query.workload.method;
    const bool whole = request_.json() || request_.style.explain;
    auto advice = advice_on(asked_, world_, whole ? AdviceExtent::whole : AdviceExtent::text);
    if (!advice) {
        if (reply) {
            return on_made_part(std::move(*reply));
        }
        return tl::unexpected(advice.error());
    }
    assume_price(*advice);
    Routed out;
    add_document(*advice, reply && reply->verdict == "yes", out);
    if (reply) {
        const bool part = asks(reading_, "part_optimizer") || asks(reading_, "part_gradients") ||
                          asks(reading_, "part_activations");
        out.reply = std::move(*reply);
        if (reading_.intent == Intent::memory && !part) {
            out.reply.headline += beside_plans(*advice, out.reply);
        } else if (reading_.intent == Intent::fit && !limits.deadline_s) {
            out.reply.headline += run_words(*advice, out.reply);
        }
        return out;
    }
    out.reply = reply_of(*advice);
    out.reply.headline = report::hardware_sentence(*advice);
    if (const std::string hourly = cheapest_of_an_hour(*advice); !hourly.empty()) {
        // Right behind the first sentence, before what else is told of that choice.
        const std::string first = report::hardware_sentence(first_alone(*advice));
        const bool begins = out.reply.headline.starts_with(first);
        out.reply.headline.insert(begins ? first.size() : out.reply.headline.size(), hourly);
    }
    if (asked_.query.workload.method != method) {
        out.reply.headline = quantised_instead() + out.reply.headline;
    }
    bool told = false;  // what is sold that would do
    if (bought && !asked_.query.buy) {
        const auto architecture = completed(asked_.query.workload, world_);
        if (architecture && reading_.host_memory_gib) {
            if (auto shared =
                    card_beside_host(asked_.query.workload, *architecture,
                                     asked_.query.budget_usd.value_or(0), reading_, tools_)) {
                return alone(std::move(*shared));
            }
        }
        const std::string near = advice->options.empty() ? "" : nearest_words(limits);
        const std::string rent = advice->options.empty() ? "" : rented_instead();
        told = near.starts_with("Nothing");
        out.reply.headline = (told ? near : rent) + out.reply.headline;
    }
    if (bought && asked_.query.budget_usd && !told &&
        (!asked_.query.buy || advice->options.empty())) {
        out.reply.headline += cheapest_sold();
    }
    add_choice_words(*advice, out.reply);
    if (reading_.intent == Intent::hardware && !asks(reading_, "smallest_part")) {
        lead_with_fewest_in_time(*advice, out.reply);
    }
    if (fewest_below_floor(*advice) != nullptr) {
        assume_first(reading_, "tpot_s", fmt::format("{:g}", readable_tpot_s),
                     "nobody said how fast: what writes more slowly than one reads goes last");
        if (!lead_with_fewest(*advice, out.reply)) {
            out.reply.headline += below_floor_words(*advice);
        }
    }
    out.exit_code = advice->options.empty() ? 3 : 0;
    return out;
}

}  // namespace ridgeline::ask
