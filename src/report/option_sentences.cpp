#include "advise/figure_words.h"
#include "advise/hardware/cluster.h"
#include "advise/hardware/desk.h"
#include "advise/ranking/rank.h"
#include "advise/search/spending.h"
#include "advise/search/time_limits.h"
#include "advise/stacks/stored_weights.h"
#include "base/lists.h"
#include "base/text.h"
#include "estimate/serving/waiting.h"
#include "report/option_words.h"
#include "spec/hardware_names.h"
#include "spec/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>

// The sentence that an answer begins with.

namespace ridgeline::report {
namespace {

std::string gib_words(const MemoryEstimate& memory) {
    return fmt::format("{:.1f} of {:.1f} GiB", memory.process / gibibyte,
                       (memory.capacity - memory.unclaimed) / gibibyte);
}

std::string span_words(const TimeEstimate& time) {
    const Seconds low = time.run ? time.run->low : time.band.low * time.total;
    const Seconds high = time.run ? time.run->high : time.band.high * time.total;
    return high > Seconds{} ? duration_range(time.total, low, high)
                            : format_duration(time.total / second);
}

/// "the run takes 3.1 days (2.5 to 4 days) and costs $270 ($210 to $340)".
std::string run_words(const TimeEstimate& time, const CostEstimate& cost) {
    std::string words = "the run takes " + span_words(time);
    if (cost.usd_total > 0) {
        words += fmt::format(" and costs {} ({} to {})", format_usd(cost.usd_total),
                             format_usd(cost.usd_total_low), format_usd(cost.usd_total_high));
    }
    return words;
}

/// Whether the time of one is told: it is long, or a limit of it was asked.
bool tells_each(const Query& query, const Option& option) {
    const TimeEstimate& time = option.estimate.time;
    return takes_long_each(time) ||
           (query.ttft_s && time.tokens_per_second <= 0 && time.samples_per_second > 0 &&
            option.workload.task == Task::inference && option.workload.batch.image_size > 0);
}

/// What the option does: "takes 3.1 days (2.5 to 4 days) and costs $270 ($210 to $340)".
std::string deed_words(const Query& query, const Option& option) {
    const bool one = tells_each(query, option);
    const TimeEstimate& time = option.estimate.time;
    if (time.total > Seconds{}) {
        return run_words(time, option.estimate.cost);
    }
    if (time.round) {
        return round_phrase(time);
    }
    std::string words = ranged_rate_words(option.estimate.time, option.workload, one);
    // Of one user it is less than the pace of writing, which is what people quote.
    if (time.tpot > Seconds{} && serves_one(option.workload)) {
        words += fmt::format(" with the prompts, {:.3g} while it writes", second / time.tpot);
    }
    if (option.workload.task == Task::inference && time.ttft > Seconds{}) {
        words += fmt::format(", first {} after {}", time.tpot > Seconds{} ? "token" : "answer",
                             format_duration(time.ttft / second));
    }
    if (const std::string each = work_cost_words(option, one); !each.empty()) {
        words += ", " + each + work_unit_words(option, one);
    }
    if (option.workload.task == Task::inference && time.tpot > Seconds{}) {
        const std::string& type = option.workload.quantization.name;
        words +=
            type.empty() || type == "none" ? std::string(", in 16-bit weights") : ", in " + type;
    }
    return words;
}

/// Whether instance_words() tells of whom it is rented.
bool names_provider(const Query& query) {
    return !query.provider.empty() && !query.provider.starts_with('!');
}

/// " (coreweave)", " (verda, spot)": whose rent it is.
std::string renter_words(const Query& query, const Option& option) {
    const CostEstimate& cost = option.estimate.cost;
    if (names_provider(query) || cost.idle_accelerators > 0) {
        return "";
    }
    return fmt::format(
        " ({}{})", cost.offer->provider,
        cost.offer->kind == PriceKind::on_demand || cost.offer->kind == PriceKind::marketplace
            ? ""
            : fmt::format(", {}", name_of(cost.offer->kind)));
}

std::string price_words(const Advice& advice, const Option& option) {
    if (advice.query.owned) {
        return "";
    }
    const std::string rent = rent_words(option);
    if (!rent.empty() && !advice.query.buy) {
        return " at " + rent + renter_words(advice.query, option);
    }
    const bool around = advice.query.buy && advice.query.computer_usd > 0 && option.purchase_usd &&
                        !is_one_computer(*option.cluster.accelerator);
    const Accelerator& part = *option.cluster.accelerator;
    const bool bare =
        advice.query.buy && !option.in_servers && !is_embedded(part) && !stands_at_a_desk(part);
    return !option.purchase_usd
               ? std::string(" (no price known)")
               : fmt::format(" for about {} ({}){}", format_usd(*option.purchase_usd),
                             option.bought,
                             around ? " and the computer around it"
                             : option.in_servers
                                 ? (option.cluster.nodes() > 1 ? ", with servers and network"
                                                               : ", with its server")
                             : bare ? ", without the server around the cards"
                                    : "");
}

/// " (aws g7e.2xlarge)": which of the instances of a cloud that was named.
std::string instance_words(const Query& query, const Option& option) {
    const auto& offer = option.estimate.cost.offer;
    return !names_provider(query) || query.buy || !offer || offer->instance_type.empty()
               ? ""
               : fmt::format(" ({} {})", offer->provider, offer->instance_type);
}

/// That a deadline or a rate is kept by the middle of the range alone, and how many keep it at the
/// slow end.
std::string late_end_words(const Query& query, const Option& best) {
    const TimeEstimate& time = best.estimate.time;
    const int node = std::max(1, best.cluster.per_node);
    const auto enough_for = [&](double lack) {
        return static_cast<int>(std::ceil(best.cluster.count * lack / node)) * node;
    };
    if (const auto slow_rate = rate_barely_kept(query, time)) {
        return fmt::format(
            " It barely keeps the {} requests/s: at the slow end {}, which about {} would mend.",
            figure_words(*query.requests_per_s), figure_words(*slow_rate),
            enough_for(*query.requests_per_s / *slow_rate));
    }
    const double slow_token = time.tpot / second * std::max(1.0, time.band.high);
    if (query.tpot_s && time.tpot > Seconds{} && slow_token > *query.tpot_s) {
        return fmt::format(" It barely keeps the {} tokens/s of each: at the slow end {}.",
                           figure_words(1 / *query.tpot_s), figure_words(1 / slow_token));
    }
    if (!barely_in_time(query, time)) {
        return "";
    }
    const double slow = slow_end(time) / second;
    const int enough = enough_for(slow / *query.deadline_s);
    return fmt::format(" Barely in time: at the slow end it takes {}, which about {} would keep.",
                       format_duration(slow), enough);
}

/// That even the best writes more slowly than one reads.
std::string slow_words(const Query& query, const Option& best) {
    const TimeEstimate& time = best.estimate.time;
    return time.tpot > Seconds{} && slower_than_read(query, best.workload, time)
               ? fmt::format(
                     " {} {:.2g} tokens/s, slower than one reads; nothing that fits keeps that "
                     "pace.",
                     serves_one(best.workload) ? "It writes" : "Each user gets", second / time.tpot)
               : std::string();
}

/// What a budget of rent pays for where a run of training has no length of its own.
std::string spent_words(const Query& query, const Option& best) {
    const auto spending = spending_of(query, best);
    if (!spending || spending->tokens <= 0) {
        return "";
    }
    return fmt::format(" {} rent it for {}, in which it passes {} tokens ({} to {}).",
                       format_usd(*query.budget_usd), format_duration(spending->seconds),
                       format_count(spending->tokens), format_count(spending->tokens_low),
                       format_count(spending->tokens_high));
}

/// "can my card run it": the best type of weights that fits on the fastest card.
std::string ladder_sentence(const CardLadder& ladder) {
    // From the smallest type to the largest: the last that fits keeps most of the model.
    const auto best = std::find_if(ladder.rungs.rbegin(), ladder.rungs.rend(),
                                   [](const QuantRung& rung) { return rung.fits; });
    if (best != ladder.rungs.rend()) {
        return fmt::format("Yes: {} in {} takes {} of the {} and gives {} tokens/s.", ladder.model,
                           best->quantization, format_gib(best->process / gibibyte), ladder.name,
                           rate_figure(best->tokens_per_second));
    }
    const QuantRung& last = ladder.rungs.front();
    return fmt::format("No: {} does not fit on the {}, even in {} it lacks {}.", ladder.model,
                       ladder.name, last.quantization, format_gib(-(last.headroom / gibibyte)));
}

/// What is ordered: of a chip that is sold in computers alone, the computer.
std::string ordered_words(const Query& query, const Option& option) {
    const Accelerator& part = *option.cluster.accelerator;
    if (part.vendor != "Apple" || query.owned || !query.accelerators.empty() ||
        part.families.empty()) {
        return hardware_words(option);
    }
    std::string computer = part.families.front();
    for (const auto& [words, written] :
         {std::pair("macbook", "MacBook"), std::pair("mac ", "Mac "), std::pair(" pro", " Pro"),
          std::pair(" studio", " Studio"), std::pair(" air", " Air")}) {
        const std::size_t at = computer.find(words);
        computer = at == std::string::npos
                       ? computer
                       : computer.replace(at, std::string_view(words).size(), written);
    }
    const std::string chip = short_name(part);
    const std::string memory =
        chip.ends_with("GB") ? std::string() : fmt::format(" and {:g} GB", part.marketed_gb);
    return fmt::format("{} x {} with {}{}", option.cluster.count, computer, chip, memory);
}

/// Where the method that was assumed fits nothing, or barely, another that nobody ruled out.
std::string other_method_words(const Advice& advice) {
    const bool fits =
        !advice.options.empty() && !barely_fits(advice.options.front().estimate.memory);
    for (const MethodAnswer& other : advice.other_methods) {
        const auto& best = other.cheapest ? other.cheapest : other.smallest;
        if (!fits && other.method == Method::qlora && best && !barely_fits(best->estimate.memory)) {
            return fmt::format(" With QLoRA, {}{} holds it: {}, {} needed.",
                               ordered_words(advice.query, *best), price_words(advice, *best),
                               deed_words(advice.query, *best), gib_words(best->estimate.memory));
        }
    }
    return "";
}

/// " Requests are independent: about 113 of it, in copies, would serve them.": behind a rate that
/// the most accelerators that are searched miss; empty: another limit is missed, or a number was
/// told.
std::string copies_words(const Advice& advice, const Rejection& miss) {
    const Query& query = advice.query;
    constexpr int machine = 8;
    if (miss.reason != "too_slow" || !query.requests_per_s || query.exact_accelerators ||
        query.max_accelerators || query.owned || miss.count < machine || miss.excess <= 0 ||
        query.workload.task != Task::inference || !miss.message.starts_with("it serves")) {
        return "";
    }
    const int enough = static_cast<int>(std::ceil(miss.count * (1 + miss.excess) / machine));
    return fmt::format(
        " Requests are independent: about {} of it, {} such groups of {}, would "
        "serve them; so many are not searched.",
        enough * machine, figure_words(static_cast<double>(enough) * machine / miss.count),
        miss.count);
}

std::string nothing_sentence(const Advice& advice) {
    if (advice.unobtainable) {
        const Option& other = *advice.unobtainable;
        return fmt::format("{}; {} would do: {}, {} needed ({}).",
                           advice.none_is_priced
                               ? "No price of any that was asked for is known, to rent or to buy"
                               : "Nothing that is known to be sold or rented fits",
                           ordered_words(advice.query, other), deed_words(advice.query, other),
                           gib_words(other.estimate.memory), advice.unobtainable_why);
    }
    if (advice.near_misses.empty()) {
        return "Nothing fits." + other_method_words(advice);
    }
    const Rejection& miss = advice.near_misses.front();
    return fmt::format("Nothing {}: nearest is {} x {}, {}.{}{}",
                       miss.reason == "too_slow" ? "is fast enough" : "fits", miss.count,
                       miss.accelerator, miss.message, copies_words(advice, miss),
                       other_method_words(advice));
}

std::string_view verb_of(const Query& query, const Option& best) {
    if (query.owned) {
        return barely_fits(best.estimate.memory) ? "Barely: on " : "Yes: on ";
    }
    if (!best.estimate.cost.offer) {
        return best.purchase_usd ? "Buy " : "Take ";
    }
    return query.buy ? "Buy " : "Rent ";
}

/// Why what is cheapest does not stand first where the cheapest is sought.
std::string tie_words(const Advice& advice, const Option& other) {
    const Option& best = advice.options.front();
    if (advice.query.buy || advice.query.objective != Objective::cost ||
        !is_among("cheapest", other.labels)) {
        return "";
    }
    return best.cluster.nodes() < other.cluster.nodes() ? ", a tie, in which one machine goes first"
           : best.cluster.count < other.cluster.count
               ? ", a tie, in which fewer accelerators go first"
           : other.scarce && !best.scarce ? ", a tie, in which what more rent out goes first"
           : best.estimate.time.step < other.estimate.time.step
               ? ", a tie, in which the faster goes first"
               : ", a tie within the error of both";
}

/// " The cheapest is ...", of what stands beside the first choice.
std::string runner_up_words(const Advice& advice) {
    const RunnerUp other = runner_up_of(advice);
    if (other.option == nullptr) {
        return "";
    }
    // The cheapest by what the work costs: its rent an hour may be higher.
    const bool by_work = other.words == "the cheapest is" && !advice.query.by_hour &&
                         !work_cost_words(*other.option).empty();
    const std::string rent = by_work
                                 ? work_cost_words(*other.option) + work_unit_words(*other.option)
                                 : rent_words(*other.option);
    const std::string price = advice.query.buy ? price_words(advice, *other.option)
                              : rent.empty()   ? ""
                                               : " at " + rent;
    std::string words = fmt::format(
        "{} {}{}{}.", other.words, ordered_words(advice.query, *other.option),
        price.substr(0, price.find(" and the computer")), tie_words(advice, *other.option));
    words.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(words.front())));
    return " " + words;
}

/// What the middle of the prediction asks for, where the first choice keeps its slow end at a
/// clearly higher price.
std::string middle_words(const Advice& advice) {
    const Option* barely = barely_enough_of(advice);
    if (barely == nullptr) {
        return "";
    }
    const std::string price =
        advice.query.buy ? price_words(advice, *barely) : " at " + rent_words(*barely);
    const std::string needed = fmt::format("{}{}", ordered_words(advice.query, *barely),
                                           price.substr(0, price.find(" and the computer")));
    return runner_up_of(advice).option == barely
               ? " The first keeps it at the slow end of its range, that one in the middle."
               : fmt::format(
                     " The first keeps it at the slow end of its range; in the middle {} {}.",
                     needed, barely->cluster.count > 1 ? "do" : "does");
}

}  // namespace

std::string hardware_sentence(const Advice& advice) {
    if (!advice.ladders.empty() && !advice.ladders.front().rungs.empty()) {
        return ladder_sentence(advice.ladders.front());
    }
    if (advice.options.empty()) {
        return nothing_sentence(advice);
    }
    const Option& best = advice.options.front();
    const MemoryEstimate& memory = best.estimate.memory;
    const double high = (memory.process * memory.band.high + memory.unclaimed) / gibibyte;
    return fmt::format(
        "{}{}{}{}: {}, {}{}.{}{}", verb_of(advice.query, best), ordered_words(advice.query, best),
        instance_words(advice.query, best), price_words(advice, best),
        deed_words(advice.query, best), gib_words(memory),
        barely_fits(memory) ? fmt::format(" (it barely fits: up to {:.1f})", high) : " taken",
        runner_up_words(advice) + middle_words(advice),
        slow_words(advice.query, best) + late_end_words(advice.query, best) +
            spent_words(advice.query, best) + other_method_words(advice));
}

std::string round_phrase(const TimeEstimate& time) {
    const TuningRound& round = *time.round;
    const double share = time.step > Seconds{} ? round.rollout / time.step : 0;
    return fmt::format("a round of {:.0f} prompts x {:.0f} answers takes {}, {}", round.prompts,
                       round.answers, duration_range(time.step, time.band),
                       round.overlapped
                           ? fmt::format("the rollout beside the update ({} and {})",
                                         format_duration(round.rollout / second),
                                         format_duration((round.scoring + round.update) / second))
                           : fmt::format("{:.0f} % of it rollout", 100 * share));
}

std::string estimate_sentence(const EstimateAnswer& answer) {
    const MemoryEstimate& memory = answer.estimate.memory;
    const TimeEstimate& time = answer.estimate.time;
    const CostEstimate& cost = answer.estimate.cost;
    const double needed = memory.process / gibibyte;
    const std::string range =
        memory.band.high > 0 ? fmt::format(" ({})", gib_range(needed, memory.band)) : "";
    std::string verdict = !memory.fits ? "No" : barely_fits(memory) ? "Barely" : "Yes";
    const double running = running_requests(memory, answer.workload);
    if (const auto& serving = answer.workload.serving;
        memory.fits && serving && serving->request_rate <= 0 && running < serving->concurrency) {
        verdict +=
            fmt::format(", {:.0f} of the {:.0f} requests at once", running, serving->concurrency);
    }
    if (memory.fits && time.load && time.load->sustained && answer.workload.serving) {
        verdict = fmt::format("Not at that rate, of {:.3g} requests/s it serves {:.3g}",
                              answer.workload.serving->request_rate, *time.load->sustained);
    }
    std::string out = fmt::format("{}: it needs {}{} of {}", verdict, format_gib(needed), range,
                                  format_gib((memory.capacity - memory.unclaimed) / gibibyte));
    if (!memory.fits) {
        return out + ".";
    }
    if (time.total > Seconds{}) {
        out += "; " + run_words(time, cost);
    } else if (time.round) {
        out += "; " + round_phrase(time);
    } else if (const std::string rate = ranged_rate_words(time, answer.workload); !rate.empty()) {
        // Beside the rate of decoding, which the answer to a question leads with.
        out += "; " + rate + (time.ttft > Seconds{} ? " with the prompts" : "");
    }
    if (cost.usd_total <= 0 && cost.offer) {
        out += fmt::format("; {} an hour", format_usd(cost.usd_per_hour));
    }
    return out + ".";
}

}  // namespace ridgeline::report
