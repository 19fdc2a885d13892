#include "base/lists.h"
#include "base/order.h"
#include "base/text.h"
#include "report/option_words.h"
#include "report/option_words.h"
#include "report/report.h"
#include "report/table.h"
#include "report/text_ranking.h"

#include <fmt/core.h>

#include <algorithm>

namespace ridgeline::report {
namespace {

std::string_view method_word(Method method) {
    switch (method) {
        case Method::full:
            return "full";
        case Method::lora:
            return "lora";
        case Method::qlora:
            return "qlora";
    }
    return "full";
}

/// The assumptions that move an answer most, as `field value`; those of the question come first.
std::vector<std::string> assumed(const Advice& advice, const Style& style) {
    static constexpr std::pair<std::string_view, std::string_view> telling[] = {
        {"method", "method {}"},
        {"batch.sequence_length", "{} tokens a sequence"},
        {"serving.concurrency", "{} at once"},
        {"batch.global", "batch {}"},
        {"lora.rank", "rank {}"}};
    std::vector<std::string> list;
    const std::size_t most = style.explain ? advice.assumptions.size() : 1;
    for (std::size_t i = 0; i < std::min(most, advice.assumptions.size()); ++i) {
        list.push_back(advice.assumptions[i]);
    }
    std::string filled_in;
    int told = 0;
    for (const auto& [field, words] : telling) {
        for (const FilledDefault& filled : advice.options.empty()
                                               ? std::vector<FilledDefault>{}
                                               : advice.options.front().defaults) {
            if (filled.field == field && (style.explain || told < 3)) {
                const bool reason =
                    filled.from.find(' ') != std::string::npos && !contains(filled.from, "profile");
                filled_in += (told++ > 0 ? ", " : "") +
                             fmt::format(fmt::runtime(words), filled.value) +
                             (reason ? fmt::format(" ({})", filled.from) : "");
                break;
            }
        }
    }
    if (!filled_in.empty()) {
        list.push_back(filled_in);
    }
    return list;
}

std::string heading(const Advice& advice, const Style& style) {
    std::string sentence = paragraph("", hardware_sentence(advice), style);
    sentence.pop_back();
    std::string out = strong(sentence, style) + "\n";
    out += paragraph("Read as  ", flags_of(advice.query), style);
    for (const std::string& assumption : assumed(advice, style)) {
        out += paragraph("Assumed  ", assumption, style);
    }
    return out;
}

bool labelled(const Option& option, std::string_view label) {
    return is_among(label, option.labels);
}

/// One line for each other taste: "Fastest   8 x B200 ...: 12,300 tokens/s, $47.10/h".
std::string runners_up(const Advice& advice, const Style& style) {
    std::string out;
    for (const Option& option : advice.options) {
        if (&option == &advice.options.front() || option.labels.empty()) {
            continue;
        }
        std::string name;
        for (const std::string_view label : {"smallest", "cheapest", "fastest"}) {
            if (labelled(option, label) && !labelled(advice.options.front(), label)) {
                append(name, ", ", label);
            }
        }
        if (name.empty()) {
            continue;
        }
        name.front() = static_cast<char>(name.front() - 'a' + 'A');
        std::string text = hardware_words(option);
        const bool buys = advice.query.buy;
        const std::string rent = !buys ? rent_words(option)
                                 : option.purchase_usd
                                     ? format_usd(*option.purchase_usd) + " to buy"
                                     : "";
        const std::string cost = buys ? "" : work_cost_words(option);
        const TimeEstimate& time = option.estimate.time;
        const std::string pace =
            time.total > Seconds{} ? format_duration(time.total / second) : rate_words(option);
        text += ": " + pace + (rent.empty() || advice.query.owned ? "" : ", " + rent);
        if (time.total > Seconds{} && !cost.empty() && !advice.query.owned) {
            text += ", " + cost + " the run";
        }
        out += paragraph(fmt::format("{:<8} ", name), text, style);
    }
    return out;
}

/// What would change the answer: the nearest miss, and what other methods need.
std::string changes(const Advice& advice, const Style& style) {
    std::string out;
    const std::size_t most = style.explain ? advice.near_misses.size() : 1;
    for (std::size_t i = 0; i < std::min(most, advice.near_misses.size()); ++i) {
        const Rejection& miss = advice.near_misses[i];
        std::string line = fmt::format("{} x {}: {}", miss.count, miss.accelerator, miss.message);
        if (!miss.would_fit_if.empty()) {
            line += "; would fit with " + miss.would_fit_if.front();
        }
        out += paragraph("Nearest miss  ", line, style);
    }
    for (const MethodAnswer& other : advice.other_methods) {
        const std::string text =
            other.smallest
                ? fmt::format("{} would fit on {} ({:.0f} GiB each, {})", method_word(other.method),
                              hardware_words(*other.smallest),
                              other.smallest->estimate.memory.process / gibibyte,
                              other.smallest->workload.framework)
                : fmt::format("{} fits nothing within the limits asked", method_word(other.method));
        out += paragraph("Instead  ", text, style);
    }
    return out;
}

/// The types of weights on the fastest card, with the speed there and on the slowest.
std::string ladder_text(const Advice& advice, const Style& style) {
    if (advice.ladders.empty()) {
        return "";
    }
    const CardLadder& fastest = advice.ladders.front();
    const CardLadder& slowest = advice.ladders.back();
    const bool several = advice.ladders.size() > 1;
    std::string out =
        fmt::format("Types of weights, {:.0f} tokens of context, one request\n", fastest.context);
    Table table({"weights", ">file", ">needs", "fits", ">" + fastest.name,
                 ">" + (several ? slowest.name : "")});
    const auto speed = [](const QuantRung& rung) {
        return rung.fits ? fmt::format("{:.3g} tok/s", rung.tokens_per_second) : "-";
    };
    for (std::size_t i = 0; i < fastest.rungs.size(); ++i) {
        const QuantRung& rung = fastest.rungs[i];
        table.add({std::string(rung.quantization), format_gib(rung.file / gibibyte),
                   format_gib(rung.process / gibibyte),
                   rung.fits ? "yes"
                             : fmt::format("no, {} short", format_gib(-(rung.headroom / gibibyte))),
                   speed(rung), several ? speed(slowest.rungs[i]) : ""});
    }
    return out + table.text(style);
}

/// Rules whose warnings change no decision on this page: the price's age stands in the footer, room
/// in the column "fits", and whoever asks for one card at home runs no data centre.
bool decides(const Advice& advice, const Finding& finding) {
    const Option* best = advice.options.empty() ? nullptr : &advice.options.front();
    const bool home = best != nullptr && best->cluster.count == 1 &&
                      (!best->workload.serving || best->workload.serving->concurrency <= 1);
    if (finding.rule == "stale_prices" || finding.rule == "tight_headroom" ||
        finding.rule == "memory_may_exceed") {
        return false;
    }
    return !(home || advice.query.owned) ||
           (finding.rule != "consumer_card_in_service" && finding.rule != "no_ecc_long_run");
}

/// Findings of the question and of the best option, each rule once, warnings before notes.
std::vector<Finding> shown_findings(const Advice& advice, const Style& style) {
    std::vector<Finding> findings = advice.findings;
    if (!advice.options.empty()) {
        const auto& best = advice.options.front().findings;
        findings.insert(findings.end(), best.begin(), best.end());
    }
    stable_order(findings.begin(), findings.end(),
                 [](const Finding& a, const Finding& b) { return a.severity > b.severity; });
    if (!style.explain) {
        std::erase_if(findings, [&](const Finding& finding) {
            const bool said =
                style.answered && finding.rule == "nothing_fits";  // by the first line
            return said || finding.severity == Severity::info || !decides(advice, finding);
        });
        if (findings.size() > 2) {
            findings.resize(2);
        }
    }
    return findings;
}

/// The days of the prices on the page, and how old the oldest is.
std::string price_footer(const Advice& advice, const Style& style) {
    std::string oldest;
    std::string newest;
    double age = 0;
    for (const Option& option : shown_options(advice, style)) {
        if (!option.estimate.cost.offer) {
            continue;
        }
        const std::string& date = option.estimate.cost.offer->date;
        oldest = oldest.empty() ? date : std::min(oldest, date);
        newest = std::max(newest, date);
        for (const Finding& finding : option.findings) {
            if (finding.rule == "stale_prices" && !finding.numbers.empty()) {
                age = std::max(age, finding.numbers.front().second);
            }
        }
    }
    if (oldest.empty() || advice.query.owned) {
        return "";
    }
    std::string text = oldest == newest ? fmt::format("Rents are of {}", oldest)
                                        : fmt::format("Rents are of {} to {}", oldest, newest);
    text += age > 0 ? fmt::format(" (up to {:.0f} days old: ask before you rent)", age) : "";
    const auto& offer = advice.options.front().estimate.cost.offer;
    if (offer && !offer->caveats.empty()) {
        text += fmt::format("; {}'s: {}", offer->provider, offer->caveats.front());
    }
    return paragraph("", text + ".", style);
}

std::string details(const Advice& advice, const Style& style) {
    std::string out;
    for (const Option& option : advice.options) {
        out += "\n" + paragraph(fmt::format("{}. ", option.rank),
                                hardware_words(option) + ", " + plan_line(option.workload), style);
        for (const std::string& reason : option.why) {
            out += paragraph("   ", reason, style);
        }
    }
    out += "\n";
    for (const Rejection& rejection : advice.rejections) {
        out += paragraph(fmt::format("rejected {} x {} ", rejection.count, rejection.accelerator),
                         fmt::format("({}): {}", rejection.reason, rejection.message), style);
    }
    return out + fmt::format("\n{} plans searched, {} of them timed.\n", advice.searched.plans,
                             advice.searched.evaluated);
}

}  // namespace

std::string advice_text(const Advice& advice, const Style& style) {
    std::string out = style.answered ? "" : heading(advice, style);
    if (!advice.options.empty()) {
        const std::string runners = runners_up(advice, style);
        out += runners + (runners.empty() ? "" : "\n") + ranking_text(advice, style);
    }
    const std::string ladder = ladder_text(advice, style);
    out += (ladder.empty() || out.empty() ? "" : "\n") + ladder;
    const std::string rest = changes(advice, style) +
                             findings_text(shown_findings(advice, style), style) +
                             price_footer(advice, style);
    out += (rest.empty() || out.empty() ? "" : "\n") + rest;
    if (style.explain) {
        out += details(advice, style);
    }
    return out;
}

}  // namespace ridgeline::report
