#include "report/text_ranking.h"

#include "advise/hardware/desk.h"
#include "base/text.h"
#include "report/option_words.h"
#include "report/table.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>

namespace ridgeline::report {
namespace {

constexpr std::size_t rows_on_a_screen = 7;

/// Energy of the run, else of a token: joules, which are watts for each token a second.
std::string energy(const Option& option) {
    const CostEstimate& cost = option.estimate.cost;
    const TimeEstimate& time = option.estimate.time;
    if (time.total > Seconds{}) {
        return cost.watts > 0 ? fmt::format("{} kWh", grouped(cost.kwh)) : "?";
    }
    const bool tokens = time.tokens_per_second > 0;
    const double rate = tokens ? time.tokens_per_second : time.samples_per_second;
    return rate > 0 && cost.watts > 0
               ? fmt::format("{:.3g} J/{}", cost.watts / rate, tokens ? "token" : "sample")
               : "?";
}

/// What a million tokens, a million samples, a sample that takes long or the run costs, as a
/// heading.
std::string cost_heading(const Option& option, bool each) {
    const TimeEstimate& time = option.estimate.time;
    return time.total > Seconds{}       ? "$/run"
           : each                       ? "$ each"
           : time.tokens_per_second > 0 ? "$/Mtok"
                                        : "$/M";
}

std::string or_dash(std::string text) { return text.empty() ? "-" : text; }

std::string duration_or_dash(Seconds time) {
    return time > Seconds{} ? format_duration(time / second) : "-";
}

/// What the rows of one table share.
struct RankingKind {
    bool serves = false;
    bool tokens = false;
    bool slow = false;  ///< one unit for all rows, though the fastest of them take less
    bool by_energy = false;
};

RankingKind kind_of(const Advice& advice) {
    const Option& first = advice.options.front();
    return {
        .serves = first.workload.task == Task::inference,
        .tokens = first.estimate.time.tokens_per_second > 0,
        .slow = std::ranges::any_of(
            advice.options, [](const Option& each) { return takes_long_each(each.estimate.time); }),
        .by_energy = advice.query.objective == Objective::energy};
}

std::vector<std::string> row_of(const Option& option, const RankingKind& kind, const Query& query) {
    const auto [serves, tokens, slow, by_energy] = kind;
    const MemoryEstimate& memory = option.estimate.memory;
    const TimeEstimate& time = option.estimate.time;
    const bool rents = option.estimate.cost.usd_per_hour > 0 && !query.owned;
    const double rate = tokens ? time.tokens_per_second : time.samples_per_second;
    return {
        fmt::format("{}", option.rank),
        hardware_words(option) +
            (option.unobtainable.empty() || query.owned ? "" : " (" + option.unobtainable + ")"),
        plan_line(option.workload),
        barely_fits(memory) ? "barely" : "",
        fmt::format("{:.0f}/{:.0f}", memory.process / gibibyte,
                    (memory.capacity - memory.unclaimed) / gibibyte),
        slow           ? format_duration(1 / rate)
        : rate >= 99.5 ? grouped(rate)
                       : fmt::format("{:.3g}", rate),
        duration_or_dash(serves ? time.ttft : time.total),
        serves ? duration_or_dash(time.tpot) : "-",
        rents ? format_usd(option.estimate.cost.usd_per_hour) : "-",
        rents ? or_dash(work_cost_words(option, slow)) : "-",
        by_energy ? energy(option) : "-",
        option.purchase_usd && !query.owned ? format_usd(*option.purchase_usd) : "-"};
}

std::string ranking_table(const Advice& advice, const Style& style) {
    const RankingKind kind = kind_of(advice);
    // Columns that no row fills are left out at any width.
    Table table({">#", "hardware", "plan", "fits", ">GiB each",
                 kind.slow     ? ">one every"
                 : kind.tokens ? ">tokens/s"
                               : ">samples/s",
                 kind.serves ? ">first" : ">run", ">a token", ">rent/h",
                 ">" + cost_heading(advice.options.front(), kind.slow), ">energy", ">to buy"});
    // Who buys pays no rent, who rents no price.
    const auto order = advice.query.buy ? std::array{9U, 8U, 4U, 7U, 6U, 10U, 3U, 11U}
                                        : std::array{11U, 4U, 7U, 6U, 10U, 8U, 9U, 3U};
    for (const std::size_t column : order) {
        table.may_leave_out(column);
    }
    for (const Option& option : shown_options(advice, style)) {
        table.add(row_of(option, kind, advice.query));
    }
    return table.text(style);
}

/// Which stack each row is of, where they are not all of one, and of training the batch in one pass
/// that its memory and rate are of, where nobody said it: one for all rows, or each row's.
std::string stack_note(const Advice& advice, const Style& style) {
    std::vector<std::pair<std::string, std::string>> rows;  // stack, ranks
    std::string batches;
    bool alike = true;
    const auto shown = shown_options(advice, style);
    for (const Option& option : shown) {
        const std::string& stack = option.workload.framework;
        const auto same =
            std::ranges::find_if(rows, [&](const auto& row) { return row.first == stack; });
        if (same == rows.end()) {
            rows.emplace_back(stack, fmt::format("{}", option.rank));
        } else {
            same->second += fmt::format(", {}", option.rank);
        }
        append(batches, ", ", fmt::format("{}", option.workload.batch.micro));
        alike = alike && option.workload.batch.micro == shown.front().workload.batch.micro;
    }
    const WorkloadDocument& asked = advice.query.workload;
    const bool trains = asked.task == Task::train;
    std::string text;
    if (rows.size() > 1) {
        for (const auto& [stack, ranks] : rows) {
            text += fmt::format("{}{} in {}",
                                text.empty() ? "each row under its fastest stack: " : "; ", stack,
                                ranks);
        }
    } else if (trains && !asked.framework) {
        text = fmt::format("under {}, the fastest usual stack", rows.front().first);
    }
    if (trains && !asked.micro_batch) {
        append(text, "; ",
               "micro-batch " + (alike ? batches.substr(0, batches.find(',')) : batches));
    }
    return text.empty() ? text : paragraph("    ", text, style);
}

/// Which rows are rented on a marketplace, where others are not.
std::string market_note(const Advice& advice, const Style& style) {
    std::string ranks;
    bool others = false;
    for (const Option& option : shown_options(advice, style)) {
        const auto& offer = option.estimate.cost.offer;
        const bool market = offer && offer->kind == PriceKind::marketplace;
        others = others || (offer && !market);
        if (market) {
            append(ranks, ", ", fmt::format("{}", option.rank));
        }
    }
    return ranks.empty() || !others || advice.query.buy || advice.query.owned
               ? ""
               : paragraph(
                     "    ",
                     fmt::format("rents of {} are of a marketplace, whose hosts set them", ranks),
                     style);
}

/// Why a dearer option may stand above a cheaper one, where the shown ranks have such a pair.
std::string order_note(const Advice& advice, const Style& style) {
    const std::size_t shown = shown_options(advice, style).size();
    const auto slow = [&](const Option& option) {
        return slower_than_read(advice.query, option.workload, option.estimate.time);
    };
    if (!slow(advice.options.front()) && std::ranges::any_of(advice.options, slow)) {
        return paragraph("    ",
                         advice.options.front().estimate.time.tpot > Seconds{}
                             ? fmt::format("what writes fewer than {:.0f} tokens/s for each user "
                                           "goes last (--tpot says otherwise)",
                                           1 / readable_tpot_s)
                             : fmt::format("what takes over {} for each goes last",
                                           advice.options.front().workload.batch.frames > 1 &&
                                                   buys_for_a_desk(advice.query)
                                               ? "8 hours"
                                               : "an hour"),
                         style);
    }
    for (std::size_t i = 1; i < shown; ++i) {
        const Option& below = advice.options[i];
        const bool dearer = std::any_of(
            advice.options.begin(), advice.options.begin() + static_cast<std::ptrdiff_t>(i),
            [&](const Option& above) {
                return above.unobtainable.empty() == below.unobtainable.empty() && above.value &&
                       below.value &&
                       barely_fits(above.estimate.memory) == barely_fits(below.estimate.memory) &&
                       *above.value > *below.value;
            });
        if (dearer && buys_for_a_desk(advice.query)) {
            return paragraph(
                "    ",
                advice.query.objective == Objective::price
                    ? "in as few cards as do it: more stand above where they cost half "
                      "as much, or three quarters and are as fast"
                    : "in as few cards as do it: twice as many stand above where they "
                      "are twice as fast",
                style);
        }
        if (dearer) {
            return paragraph("    ",
                             "where ranges overlap, the simpler plan, then fewer accelerators, "
                             "then the faster go first",
                             style);
        }
    }
    return "";
}

}  // namespace

std::span<const Option> shown_options(const Advice& advice, const Style& style) {
    const std::span<const Option> all(advice.options);
    return style.explain ? all : all.first(std::min(all.size(), rows_on_a_screen));
}

std::string ranking_text(const Advice& advice, const Style& style) {
    std::string out = ranking_table(advice, style);
    if (const std::size_t shown = shown_options(advice, style).size();
        shown < advice.options.size()) {
        out += fmt::format("    and {} more (--explain, --json)\n", advice.options.size() - shown);
    }
    return out + order_note(advice, style) + market_note(advice, style) + stack_note(advice, style);
}

}  // namespace ridgeline::report
