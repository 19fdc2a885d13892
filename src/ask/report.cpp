#include "advise/purchase/procurement.h"
#include "ask/commands.h"
#include "ask/question.h"
#include "ask/request.h"
#include "ask/shell_word.h"
#include "ask/site_options.h"
#include "report/procurement_report.h"

#include <fmt/format.h>

#include <string>

namespace ridgeline::ask {
namespace {

/// The command that makes the same report: the reading of the question as flags, and the figures of
/// the buyer's own.
std::string command_of(const Advice& advice, const Request& request, const std::string& format) {
    std::string command = "ridgeline report " + flags_of(advice.query);
    for (const SiteFlag& figure : site_flag_table()) {
        const bool said = command.find(fmt::format(" {} ", figure.name)) != std::string::npos;
        const std::string& text = request.text(figure.name.substr(2));
        if (!said && !text.empty()) {
            command += fmt::format(" {} {}", figure.name, shell_word(text));
        }
    }
    for (const std::string& file : request.texts("prices")) {
        command += " --prices " + shell_word(file);
    }
    for (const std::string& file : request.texts("calibration")) {
        command += " --calibration " + shell_word(file);
    }
    return command + " --format " + format;
}

std::string text_of(const Procurement& report, const std::string& format,
                    const report::Stamp& stamp) {
    if (format == "json") {
        return report::procurement_json(report, stamp);
    }
    const report::Page page = report::procurement_page(report, stamp);
    return format == "html" ? report::html_of(page) : report::markdown_of(page);
}

}  // namespace

Result<Reply> answer_report(const World& world, const Request& request) {
    const std::string format = request.json()            ? "json"
                               : request.given("format") ? request.text("format")
                                                         : "markdown";
    auto figures = site_figures_of(request);
    if (!figures) {
        return tl::unexpected(figures.error());
    }
    auto question = question_of(request, world);
    if (!question) {
        return tl::unexpected(question.error());
    }
    if (question->query.workload.kernel) {
        return usage_error(
            "report", "found a single kernel, and a report is about a model on hardware to buy",
            "`ridgeline advise` ranks hardware for a kernel with its price.");
    }
    if (asks_about_money_alone(question->query)) {
        return usage_error("report", "no model was given, and a report is about a workload",
                           "`ridgeline advise` answers a budget or a number alone.");
    }
    auto advice = advice_on(*question, world);
    if (!advice) {
        return tl::unexpected(advice.error());
    }
    if (const auto& rack = question->query.rack_kw) {
        figures->given.emplace("rack_kw", *rack);
    }
    const std::string command = command_of(*advice, request, format);
    const std::string date = today();
    Procurement report = procurement(std::move(*advice), knowledge_of(world, date), *figures);
    report.command = command;
    report.author = request.text("author");
    report.title = !request.text("title").empty()
                       ? request.text("title")
                       : fmt::format("Accelerators for {}", report.advice.architecture.name.empty()
                                                                ? report.advice.query.model_text
                                                                : report.advice.architecture.name);
    Reply answer;
    answer.messages = notes_of(world) + question->messages;
    answer.body = text_of(report, format, stamp_of(world.catalog));
    answer.exit_code = report.advice.options.empty() ? 3 : 0;
    answer.media_type = format == "json"   ? "application/json"
                        : format == "html" ? "text/html; charset=utf-8"
                                           : "text/markdown; charset=utf-8";
    if (const std::string& output = request.text("output"); !output.empty() && output != "-") {
        answer.files.push_back({"--output", output, std::move(answer.body)});
        answer.body = output + "\n";
    }
    return answer;
}

}  // namespace ridgeline::ask
