#include <algorithm>

#include <fmt/core.h>

#include "base/text.h"
#include "report/report.h"
#include "report/table.h"
#include "spec/mig.h"
#include "report/words.h"

namespace ridgeline::report {
namespace {

constexpr std::size_t rows_on_a_screen = 7;

std::string_view name_of(Method method) {
    switch (method) {
        case Method::full: return "full";
        case Method::lora: return "lora";
        case Method::qlora: return "qlora";
    }
    return "full";
}

/// "NVIDIA GB300 (one Blackwell Ultra GPU)" -> "GB300": the vendor is clear from the name.
std::string short_name(const Accelerator& accelerator) {
    const std::string name = accelerator.name.substr(0, accelerator.name.find(" ("));
    for (const std::string_view prefix : {"NVIDIA GeForce ", "NVIDIA ", "AMD Instinct ", "AMD "}) {
        if (name.starts_with(prefix)) {
            return name.substr(prefix.size());
        }
    }
    return name;
}

/// " 3g.20gb", what a slice adds to the name of its card; nothing for a whole part.
std::string slice_name(const Accelerator& accelerator) {
    return is_slice(accelerator) ? " " + accelerator.id.substr(accelerator.id.find('/') + 1) : "";
}

std::string hardware(const Option& option) {
    const Accelerator& part = *option.cluster.accelerator;
    const std::string name = short_name(part);
    const std::string slice = slice_name(part);
    return fmt::format("{} x {}{}", option.cluster.count, name, name.ends_with(slice) ? "" : slice);
}

/// The hardware in a column: of a slice the card's name gives way, and its memory, which the name of
/// the slice tells.
std::string hardware_in_table(const Option& option) {
    constexpr int width = 22;
    const std::string slice = slice_name(*option.cluster.accelerator);
    std::string name = hardware(option);
    if (slice.empty()) {
        return cut(name, width);
    }
    name.resize(name.size() - slice.size());
    if (name.ends_with("GB")) {
        name.resize(name.rfind(' '));
    }
    return cut(name, width - static_cast<int>(slice.size())) + slice;
}

/// Time of the run where its length is known, of a step or a token otherwise.
std::string pace(const Option& option) {
    const TimeEstimate& time = option.estimate.time;
    if (option.workload.task == Task::inference && time.tpot <= Seconds{}) {
        return fmt::format("{}/answer", format_duration(time.ttft / second));
    }
    if (option.workload.task == Task::inference) {
        return fmt::format("{}/token", format_duration(time.tpot / second));
    }
    if (time.total / second > 0) {
        return format_duration(time.total / second);
    }
    return fmt::format("{}/step", format_duration(time.step / second));
}

/// What the run costs, else a million tokens, else an hour; "?" when no price is known.
std::string price(const Option& option) {
    const CostEstimate& cost = option.estimate.cost;
    if (cost.usd_per_hour <= 0) {
        return option.purchase_usd ? fmt::format("{} to buy", format_usd(*option.purchase_usd)) : "?";
    }
    if (cost.usd_total > 0) {
        return format_usd(cost.usd_total);
    }
    if (cost.usd_per_million_tokens > 0) {
        return fmt::format("{}/Mtok", format_usd(cost.usd_per_million_tokens));
    }
    return fmt::format("{}/h", format_usd(cost.usd_per_hour));
}

std::string hourly(const Option& option) {
    const double usd = option.estimate.cost.usd_per_hour;
    return usd > 0 ? fmt::format("{}/h", format_usd(usd)) : "?";
}

std::string heading(const Advice& advice, const Style& style) {
    std::string out = "Read as  " + wrap(flags_of(advice.query), 71, 9) + "\n";
    const std::size_t shown = style.explain ? advice.assumptions.size() : 1;
    for (std::size_t i = 0; i < std::min(shown, advice.assumptions.size()); ++i) {
        out += "Assumed  " + wrap(advice.assumptions[i], 71, 9) + "\n";
    }
    return out;
}

/// "Smallest  1 x H200 ...: why" for each label; an option with several labels is told once.
std::string choices(const Advice& advice, const Style& style) {
    std::string out;
    std::vector<const Option*> told;
    for (const std::string_view label : {"smallest", "cheapest", "fastest"}) {
        for (const Option& option : advice.options) {
            if (std::find(option.labels.begin(), option.labels.end(), label) == option.labels.end()) {
                continue;
            }
            if (std::find(told.begin(), told.end(), &option) != told.end()) {
                break;
            }
            told.push_back(&option);
            std::string name;
            for (const std::string& one : option.labels) {
                name += (name.empty() ? "" : ", ") + one;
            }
            name.front() = static_cast<char>(name.front() - 'a' + 'A');
            const std::string why = option.why.empty() ? "" : ": " + option.why.front();
            out += wrap(fmt::format("{}  {}", strong(fmt::format("{:<8}", name), style),
                                    hardware(option) + why),
                        80, 10) +
                   "\n";
            break;
        }
    }
    return out;
}

/// Energy of the run, else of a token: joules, which are watts for each token a second.
std::string energy(const Option& option) {
    const CostEstimate& cost = option.estimate.cost;
    const TimeEstimate& time = option.estimate.time;
    if (time.total > Seconds{}) {
        return fmt::format("{} kWh", grouped(cost.kwh));
    }
    const bool tokens = time.tokens_per_second > 0;
    const double rate = tokens ? time.tokens_per_second : time.samples_per_second;
    return rate > 0 && cost.watts > 0
               ? fmt::format("{:.3g} J/{}", cost.watts / rate, tokens ? "token" : "sample")
               : "?";
}

std::string ranking(const Advice& advice, const Style& style) {
    const bool by_energy = advice.query.objective == Objective::energy;
    Table table({{"#", Align::right},
                 {"hardware", Align::left},
                 {"plan", Align::left},
                 {"GiB of", Align::right},
                 {"time", Align::right},
                 {"rent", Align::right},
                 {by_energy ? "energy" : "cost", Align::right}});
    const std::size_t most = style.explain ? advice.options.size() : rows_on_a_screen;
    for (std::size_t i = 0; i < std::min(most, advice.options.size()); ++i) {
        const Option& option = advice.options[i];
        const MemoryEstimate& memory = option.estimate.memory;
        table.add({fmt::format("{}", option.rank),
                   hardware_in_table(option),
                   cut(plan_line(option.workload), 17),
                   fmt::format("{:.0f}/{:.0f}", memory.process / gibibyte, memory.capacity / gibibyte),
                   pace(option),
                   hourly(option),
                   by_energy ? energy(option) : price(option)});
    }
    return table.text(style);
}

std::string misses(const Advice& advice, const Style& style) {
    std::string out;
    const std::size_t most = style.explain ? advice.near_misses.size() : 1;
    for (std::size_t i = 0; i < std::min(most, advice.near_misses.size()); ++i) {
        const Rejection& miss = advice.near_misses[i];
        std::string line = fmt::format("{} x {}: {}", miss.count, miss.accelerator, miss.message);
        if (!miss.would_fit_if.empty()) {
            line += "; would fit with " + miss.would_fit_if.front();
        }
        out += "Nearest miss  " + wrap(line, 66, 14) + "\n";
    }
    for (const MethodAnswer& other : advice.other_methods) {
        const std::string text =
            other.smallest ? fmt::format("{} needs at least {} ({:.0f} GiB each)",
                                         name_of(other.method),
                                         hardware(*other.smallest),
                                         other.smallest->estimate.memory.process / gibibyte)
                           : fmt::format("{} fits nothing within the limits asked", name_of(other.method));
        out += "Instead  " + wrap(text, 71, 9) + "\n";
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
    std::string out = fmt::format("\nTypes of weights, {:.0f} tokens of context, one request\n",
                                  fastest.context);
    Table table({{"weights", Align::left},
                 {"file", Align::right},
                 {"needs", Align::right},
                 {"fits", Align::left},
                 {cut(fastest.name, 20), Align::right},
                 {several ? cut(slowest.name, 20) : "", Align::right}});
    const auto speed = [](const QuantRung& rung) {
        return rung.fits ? fmt::format("{:.3g} tok/s", rung.tokens_per_second) : "-";
    };
    for (std::size_t i = 0; i < fastest.rungs.size(); ++i) {
        const QuantRung& rung = fastest.rungs[i];
        table.add({std::string(rung.quantization),
                   format_gib(rung.file / gibibyte),
                   format_gib(rung.process / gibibyte),
                   rung.fits ? "yes" : fmt::format("no, {} short", format_gib(-(rung.headroom / gibibyte))),
                   speed(rung),
                   several ? speed(slowest.rungs[i]) : ""});
    }
    return out + table.text(style);
}

/// Findings of the question and of the best option, each rule once, warnings before notes.
std::vector<Finding> shown_findings(const Advice& advice, const Style& style) {
    std::vector<Finding> findings = advice.findings;
    if (!advice.options.empty()) {
        const auto& best = advice.options.front().findings;
        findings.insert(findings.end(), best.begin(), best.end());
    }
    std::stable_sort(findings.begin(), findings.end(), [](const Finding& a, const Finding& b) {
        return a.severity > b.severity;
    });
    if (!style.explain) {
        std::erase_if(findings, [](const Finding& f) { return f.severity == Severity::info; });
        if (findings.size() > 2) {
            findings.resize(2);
        }
    }
    return findings;
}

std::string details(const Advice& advice) {
    std::string out;
    for (const Option& option : advice.options) {
        out += fmt::format("\n{}. {}, {}\n", option.rank, hardware(option), plan_line(option.workload));
        for (const std::string& reason : option.why) {
            out += "   " + wrap(reason, 77, 3) + "\n";
        }
    }
    for (const Rejection& rejection : advice.rejections) {
        out += fmt::format("\nrejected ({}): {}", rejection.reason, wrap(rejection.message, 78, 2));
    }
    return out + fmt::format("\n{} plans searched, {} of them timed.\n",
                             advice.searched.plans,
                             advice.searched.evaluated);
}

}  // namespace

std::string advice_text(const Advice& advice, const Style& style) {
    std::string out = heading(advice, style);
    if (advice.options.empty()) {
        out += alarm("Nothing fits.", style) + "\n";
    } else {
        out += choices(advice, style) + "\n" + ranking(advice, style);
        if (!style.explain && advice.options.size() > rows_on_a_screen) {
            out += fmt::format("    and {} more (--explain, --json)\n",
                               advice.options.size() - rows_on_a_screen);
        }
    }
    out += ladder_text(advice, style);
    out += misses(advice, style);
    out += findings_text(shown_findings(advice, style), style);
    if (style.explain) {
        out += details(advice);
    }
    return out;
}

}  // namespace ridgeline::report
