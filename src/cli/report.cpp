#include "advise/procurement.h"
#include "cli/asked.h"
#include "cli/commands.h"
#include "cli/output_file.h"
#include "cli/site_flags.h"
#include "report/procurement_report.h"

#include <fmt/format.h>

#include <string>

namespace ridgeline::cli {
namespace {

/// A word as a shell takes it.
std::string quoted(const std::string& word) {
    const bool plain = !word.empty() && word.find_first_not_of(
                                            "abcdefghijklmnopqrstuvwxyz"
                                            "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                            "0123456789-_./:,=+%") == std::string::npos;
    if (plain) {
        return word;
    }
    std::string out = "'";
    for (const char c : word) {
        out += c == '\'' ? std::string("'\\''") : std::string(1, c);
    }
    return out + "'";
}

/// The command that makes the same report: the reading of the question as flags, and the figures of
/// the buyer's own.
std::string command_of(const Advice& advice,
                       const CommonOptions& common,
                       const ReportOptions& options) {
    std::string command = "ridgeline report " + flags_of(advice.query);
    const auto table = site_flag_table();
    for (std::size_t i = 0; i < options.site.size() && i < table.size(); ++i) {
        if (!options.site[i].empty()) {
            command += fmt::format(" {} {}", table[i].name, quoted(options.site[i]));
        }
    }
    for (const std::string& file : common.prices) {
        command += " --prices " + quoted(file);
    }
    for (const std::string& file : common.calibrations) {
        command += " --calibration " + quoted(file);
    }
    return command + " --format " + (common.json ? "json" : options.format);
}

std::string text_of(const Procurement& report,
                    const std::string& format,
                    const report::Stamp& stamp) {
    if (format == "json") {
        return report::procurement_json(report, stamp);
    }
    const report::Page page = report::procurement_page(report, stamp);
    return format == "html" ? report::html_of(page) : report::markdown_of(page);
}

}  // namespace

Result<Answer> run(const CommonOptions& common, const ReportOptions& options) {
    auto figures = site_figures_of(options.site);
    if (!figures) {
        return tl::unexpected(figures.error());
    }
    const auto world = load_world(common);
    if (!world) {
        return tl::unexpected(world.error());
    }
    auto asked = ask(options.question, *world);
    if (!asked) {
        return tl::unexpected(asked.error());
    }
    if (asks_about_money_alone(asked->query)) {
        return usage_error("report",
                           "no model was given, and a report is about a workload",
                           "`ridgeline advise` answers a budget or a number alone.");
    }
    auto advice = advice_on(*asked, *world);
    if (!advice) {
        return tl::unexpected(advice.error());
    }
    if (const auto& rack = asked->query.rack_kw) {
        figures->given.emplace("rack_kw", *rack);
    }
    const std::string command = command_of(*advice, common, options);
    const std::string date = today();
    Procurement report =
        procurement(std::move(*advice), Knowledge{world->catalog, world->profiles, date}, *figures);
    report.command = command;
    report.author = options.author;
    report.title = !options.title.empty() ? options.title
                                          : fmt::format("Accelerators for {}",
                                                        report.advice.architecture.name.empty()
                                                            ? report.advice.query.model_text
                                                            : report.advice.architecture.name);
    Answer answer;
    answer.messages = notes_of(*world) + asked->messages;
    answer.out = text_of(report, common.json ? "json" : options.format, stamp_of(world->catalog));
    answer.exit_code = report.advice.options.empty() ? 3 : 0;
    if (!options.output.empty() && options.output != "-") {
        if (const auto written = write_file("--output", options.output, answer.out); !written) {
            return tl::unexpected(written.error());
        }
        answer.out = fmt::format("{}\n", options.output);
    }
    return answer;
}

}  // namespace ridgeline::cli
