#include "cli/parse_parts.h"
#include "cli/site_flags.h"

namespace ridgeline::cli {
namespace {

void add_site_flags(CLI::App* command, std::vector<std::string>& values) {
    const auto table = site_flag_table();
    values.resize(table.size());
    for (std::size_t i = 0; i < table.size(); ++i) {
        if (command->get_option_no_throw(std::string(table[i].name)) != nullptr) {
            continue;  // a condition of the question says the same of the site
        }
        command->add_option(std::string(table[i].name), values[i], std::string(table[i].help))
            ->group("Site and money")
            ->type_name("N");
    }
}

}  // namespace

void add_own(CLI::App& app, OwnOptions& own, CommonOptions& common) {
    CLI::App* command = app.add_subcommand(
        "own", "What hardware costs to own, what it draws, and when that beats renting");
    command->add_option("HARDWARE", own.on, "h100-sxm5-80gb:8, :8x4 is 4 nodes of 8")->required();
    command->add_option("--provider", own.provider, "compare with this rental provider alone");
    command->add_option("--region", own.region, "compare with offers of this region alone");
    command->add_option("--svg", own.svg, "write the chart over utilisation to this file")
        ->type_name("FILE");
    add_site_flags(command, own.site);
    add_common(command, common);
}

void add_prices(CLI::App& app, PricesOptions& prices, CommonOptions& common) {
    CLI::App* command =
        app.add_subcommand("prices", "Rental price tables that you fetched, kept for every answer");
    command->add_option("VERB", prices.verb, "import FILE, list, sources or remove NAME")
        ->required()
        ->check(CLI::IsMember({"import", "list", "sources", "remove"}));
    command->add_option("SUBJECT", prices.subject, "file of SkyPilot or gpuhunt, or a name");
    command->add_option("--provider", prices.provider, "import: whose prices they are");
    add_common(command, common);
}

void add_report(CLI::App& app, ReportOptions& report, CommonOptions& common) {
    CLI::App* command =
        app.add_subcommand("report", "A procurement report: json, markdown or html");
    command->add_option(
        "QUESTION", report.question.question, "plain words or a workload file, as for advise");
    command->add_option("--format", report.format, "json, markdown or html")
        ->check(CLI::IsMember({"json", "markdown", "html"}));
    command->add_option("--output", report.output, "write to this file; - is stdout")
        ->type_name("FILE");
    command->add_option("--title", report.title, "of the report");
    command->add_option("--author", report.author, "who asks for it");
    add_question_flags(command, report.question);
    add_workload_flags(command, report.question.workload);
    add_site_flags(command, report.site);
    add_common(command, common);
}

}  // namespace ridgeline::cli
