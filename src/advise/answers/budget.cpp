#include "advise/purchase/budget.h"

#include "advise/answers/answer.h"
#include "advise/figure_words.h"
#include "advise/hardware/desk.h"
#include "advise/hardware/offers.h"
#include "base/text.h"
#include "spec/hardware_names.h"
#include "spec/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

// Replies to "what for $15,000": hardware that a sum buys, and what it rents instead.

namespace ridgeline {
namespace {

AnswerChoice rented_choice(const Rentable& rent) {
    return AnswerChoice{.accelerator = rent.offer->accelerator,
                        .count = rent.instances * rent.offer->count,
                        .usd_per_hour = rent.offer->usd_per_hour * rent.instances,
                        .why = "rent"};
}

/// Of double precision, where what is rented computes faster than all that the sum buys: few cards
/// with units for it are sold singly, the others run it at 1/64 of their fp32 rate.
Answer rented_doubles(const Purchasable& bought, const Rentable& rent) {
    Answer reply;
    reply.choice = rented_choice(rent);
    reply.values.push_back({"fp64 rate", {}, rent.tflops, {}, "TFLOP/s", rent.offer->accelerator});
    reply.headline = fmt::format(
        "Rent {} x {} from {}: {} TFLOP/s in fp64, {:.0f} hours for that sum. {}; {} for {} has "
        "{}.",
        reply.choice->count, short_name(*rent.part), rent.offer->provider,
        figure_words(rent.tflops), rent.hours,
        has_feature(*bought.cluster.accelerator, "fp64").value_or(false)
            ? "To own is slower or as fast"
            : "No card with fp64 units is sold for it today",
        cards_words(bought.cluster), format_usd(bought.usd), figure_words(bought.tflops));
    return reply;
}

std::string memory_words(const Purchasable& bought) {
    const Cluster& cluster = bought.cluster;
    return fmt::format("{} for {}: {:g} GB{}", cards_words(cluster), format_usd(bought.usd),
                       cluster.count * cluster.accelerator->marketed_gb,
                       cluster.count > 1 ? " in all" : "");
}

/// The most memory that a sum buys: of cards, of those that most stacks want, of whole computers,
/// of cast-offs.
std::string most_memory(const std::vector<Purchasable>& list) {
    const auto first = [&](auto is) { return std::ranges::find_if(list, is); };
    const auto part = [](const Purchasable& each) -> const Accelerator& {
        return *each.cluster.accelerator;
    };
    std::string words = memory_words(list.front()) + ".";
    const auto usual = first(is_usual_for_stacks);
    if (usual != list.end() && usual != list.begin()) {
        words += " With bf16 and CUDA, which most stacks want: " + memory_words(*usual) + ".";
    }
    const auto computer = first([&](const auto& each) { return is_one_computer(part(each)); });
    if (computer != list.end() && computer != list.begin()) {
        words += " A whole computer with shared memory: " + memory_words(*computer) + ".";
    }
    const auto server = first([&](const auto& each) { return !stands_at_a_desk(part(each)); });
    if (server != list.end() && server != list.begin()) {
        const std::string last = left_behind(part(*server));
        words += fmt::format(" Of what needs the fans of a server: {}{}.", memory_words(*server),
                             last.empty() ? "" : "; " + last);
    }
    return words;
}

std::string hourly_words(const Rentable& rent) {
    return fmt::format("{} x {} at {}/h ({}, {})", rent.instances * rent.offer->count,
                       short_name(*rent.part),
                       format_usd(rent.offer->usd_per_hour * rent.instances), rent.offer->provider,
                       name_of(rent.offer->kind));
}

/// Of what an hour costs at most so much: the fastest, and the cheapest.
Answer within_the_hour(const Reading& reading, const BudgetAnswer& budget) {
    Answer reply;
    const std::string with =
        reading.memory_gib ? fmt::format(" with {:g} GB", *reading.memory_gib) : std::string();
    const std::string limit = format_usd(budget.usd_per_hour) + " an hour";
    if (budget.rent.empty()) {
        reply.headline = fmt::format("Nothing{} is listed for {} or less.", with, limit);
        return reply;
    }
    const auto hour = [](const Rentable& each) {
        return each.offer->usd_per_hour * each.instances;
    };
    const Rentable& first = budget.rent.front();
    const auto cheapest = std::ranges::min_element(budget.rent, {}, hour);
    const auto fastest = std::ranges::max_element(budget.rent, {}, &Rentable::tflops);
    const bool by_price = cheapest == budget.rent.begin();
    const auto& other = by_price ? fastest : cheapest;
    reply.choice = rented_choice(first);
    reply.values.push_back(
        {"rent", hour(*cheapest), hour(first), {}, "USD/h", first.offer->accelerator});
    const bool one = cheapest == fastest;
    reply.headline =
        fmt::format("Rent {}: the {}{} for {} or less{}", hourly_words(first),
                    one        ? "cheapest and the fastest"
                    : by_price ? "cheapest"
                               : "fastest",
                    with, limit,
                    one ? ""
                        : fmt::format("; the {} is {}", by_price ? "fastest" : "cheapest",
                                      hourly_words(*other)));
    if (budget.taken_away) {
        reply.headline += fmt::format("; as spot, which may be taken away, {} is faster",
                                      hourly_words(*budget.taken_away));
    }
    reply.headline += ".";
    return reply;
}

}  // namespace

Answer reply_budget(const Reading& reading, const BudgetAnswer& budget) {
    Answer reply;
    if (budget.usd_per_hour > 0) {
        return within_the_hour(reading, budget);
    }
    const bool by_period = reading.usd_per_hour && !reading.budget_usd;
    if (budget.rents_faster && !by_period) {
        return rented_doubles(budget.buy.front(), budget.rent.front());
    }
    if (!budget.buy.empty() && !by_period) {
        const Purchasable& best = budget.buy.front();
        reply.choice = AnswerChoice{
            .accelerator = best.cluster.accelerator->id, .count = best.cluster.count, .why = "buy"};
        reply.values.push_back({"purchase", {}, best.usd, {}, "USD", best.cluster.accelerator->id});
        if (budget.by_memory) {
            reply.headline = most_memory(budget.buy);
            return reply;
        }
        std::string can;
        const bool doubles = budget.in_doubles;
        if (doubles) {
            const Accelerator& part = *best.cluster.accelerator;
            const std::string last = left_behind(part);
            can = fmt::format("{} TFLOP/s in fp64, dense{}{}", figure_words(best.tflops),
                              stands_at_a_desk(part) ? "" : "; it needs the fans of a server",
                              last.empty() ? "" : "; " + last);
        }
        for (const Capability& each : best.can) {
            const bool trains = !each.work.starts_with("serving");
            const bool asked = !reading.task || trains == (*reading.task != Task::inference);
            if (asked && !doubles && !each.model.empty()) {
                can += (can.empty() ? "" : ", ") + each.work + " of " + each.model;
            }
        }
        reply.headline = fmt::format("{}{}{}", cards_words(best.cluster),
                                     best.usd > 0 ? " for " + format_usd(best.usd) : "",
                                     can.empty() ? "" : (doubles ? ": " : ": up to ") + can);
    }
    if (!budget.rent.empty()) {
        const Rentable& rent = budget.rent.front();
        const bool always = by_period && rent.hours >= hours_of_a_month;
        const double hourly = rent.offer->usd_per_hour * rent.instances;
        reply.headline += fmt::format(
            "{}{} of {} x {} rented from {}{}", reply.headline.empty() ? "" : "; or ",
            always ? "All hours"
                   : fmt::format("{:.0f} hours", rent.hours) + (by_period ? " a month" : ""),
            rent.instances * rent.offer->count, short_name(*rent.part), rent.offer->provider,
            always ? fmt::format(" ({} a month)", format_usd(hourly * hours_of_a_month)) : "");
        if (!reply.choice) {
            reply.choice = rented_choice(rent);
        }
    }
    if (reply.headline.empty()) {
        reply.headline = "Nothing whose price of today is known is within that sum";
        reply.headline +=
            budget.sold_before == nullptr
                ? ""
                : fmt::format("; {} was listed at {} in {}", budget.sold_before->name,
                              format_usd(budget.price_before->usd_each), budget.price_before->date);
    }
    reply.headline += ".";
    return reply;
}

}  // namespace ridgeline
