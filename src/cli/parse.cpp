#include "cli/parse.h"

#include <algorithm>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "base/text.h"
#include "cli/parse_parts.h"

namespace ridgeline::cli {
namespace {

constexpr const char* introduction =
    "ridgeline: what accelerator a workload needs, what it costs, how long it takes, and why\n"
    "\n"
    "Examples:\n"
    "  ridgeline advise \"what GPU for a 70B fine-tune\"\n"
    "  ridgeline estimate --model llama-3.1-8b --method qlora --on rtx-4090\n"
    "  ridgeline compare h100-sxm5-80gb h200-sxm-141gb --profile fine-tuning\n";

struct Options {
    CommonOptions common;
    AdviseOptions advise;
    EstimateOptions estimate;
    CompareOptions compare;
    RemediesOptions remedies;
    RooflineOptions roofline;
    OwnOptions own;
    ReportOptions report;
    CatalogOptions catalog;
    PricesOptions prices;
    ProfilesOptions profiles;
    ValidateOptions validate;
    CalibrateOptions calibrate;
    DetectOptions detect;
    ProbeOptions probe;
    RehearseOptions rehearse;
};

void add_advise(CLI::App& app, Options& options) {
    AdviseOptions& advise = options.advise;
    CLI::App* command = app.add_subcommand("advise", "Rank the hardware for a question or workload");
    command->add_option("QUESTION", advise.question,
                        "plain words (\"qlora llama-3.1-8b on one 24GB card\") or a workload file");
    add_question_flags(command, advise);
    add_workload_flags(command, advise.workload);
    add_common(command, options.common);
}

void add_estimate(CLI::App& app, Options& options) {
    EstimateOptions& estimate = options.estimate;
    CLI::App* command = app.add_subcommand("estimate", "Memory, time and cost of one workload");
    command->add_option("WORKLOAD", estimate.workload.file, "workload file")->type_name("FILE");
    command->add_option("BESIDE", estimate.beside, "workload files that run beside it")
        ->type_name("FILE");
    command
        ->add_option("--on",
                     estimate.on,
                     "h100-sxm5-80gb:8, :8x4 is 4 nodes of 8, h100-sxm5-80gb/1g.10gb a MIG slice")
        ->type_name("HARDWARE");
    command->add_option("--plan", estimate.plan, "auto searches the best parallel plan")
        ->check(CLI::IsMember({"auto"}));
    command->add_option("--max", estimate.max, "largest that fits")
        ->check(CLI::IsMember({"batch", "sequence", "context", "concurrency", "rank", "model"}));
    command->add_option("--sweep", estimate.sweep,
                        "time, cost and efficiency over a field: accelerators=8..16384, "
                        "sequence=4096..131072, batch=..., micro-batch, concurrency, rank")
        ->type_name("FIELD=SIZES");
    command->add_option("--svg", estimate.svg, "write the chart of the sweep to this file as SVG")
        ->type_name("FILE");
    command->add_option("--price", estimate.price_kind, "on_demand, spot, reserved or marketplace")
        ->check(CLI::IsMember({"on_demand", "spot", "reserved", "marketplace"}));
    add_workload_flags(command, estimate.workload);
    add_common(command, options.common);
}

void add_compare(CLI::App& app, Options& options) {
    CompareOptions& compare = options.compare;
    CLI::App* command = app.add_subcommand("compare", "Accelerators side by side");
    command->add_option("ACCELERATORS", compare.accelerators, "ids, names or aliases")->required();
    command->add_option("--profile", compare.profile, "kind of work that weighs the figures");
    command->add_option("--workload", compare.workload.file, "workload file")->type_name("FILE");
    command->add_option("--warranty", compare.warranty, "ID=YEARS as the seller states (commas)")
        ->delimiter(',')
        ->type_name("LIST");
    command->add_option("--count", compare.count, "accelerators of each, for the workload");
    add_workload_flags(command, compare.workload);
    add_common(command, options.common);
}

void add_remedies(CLI::App& app, Options& options) {
    RemediesOptions& remedies = options.remedies;
    CLI::App* command =
        app.add_subcommand("remedies", "Changes that make a workload fit or run faster");
    command->add_option("WORKLOAD", remedies.workload.file, "workload file")->type_name("FILE");
    command->add_option("--on", remedies.on, "h100-sxm5-80gb:8, :8x4 is 4 nodes of 8")
        ->type_name("HARDWARE");
    add_workload_flags(command, remedies.workload);
    add_common(command, options.common);
}

void add_roofline(CLI::App& app, Options& options) {
    RooflineOptions& roofline = options.roofline;
    CLI::App* command = app.add_subcommand(
        "roofline", "Chart of a workload's operators below the roofs of accelerators");
    command->add_option("WORKLOAD", roofline.workload.file, "workload file")->type_name("FILE");
    command->add_option("--on", roofline.on, "one or more machines (commas): h100-sxm5-80gb:8,l40s")
        ->delimiter(',')
        ->type_name("HARDWARE");
    command->add_option("--plan", roofline.plan, "auto searches the best parallel plan")
        ->check(CLI::IsMember({"auto"}));
    command->add_option("--svg", roofline.svg, "write the chart to this file as SVG")
        ->type_name("FILE");
    add_workload_flags(command, roofline.workload);
    add_common(command, options.common);
}

void add_catalog(CLI::App& app, Options& options) {
    CatalogOptions& catalog = options.catalog;
    CLI::App* command = app.add_subcommand("catalog", "Accelerators, machines, links, prices");
    command->add_option("VERB", catalog.verb, "list KIND, show ID or check FILE")
        ->required()
        ->check(CLI::IsMember({"list", "show", "check"}));
    command->add_option("SUBJECT", catalog.subject, "kind (list), id (show) or file (check)");
    command->add_option("--kind", catalog.kind,
                        "list: accelerators, machines, links, storage, offers, claims or errata");
    command->add_option("--part", catalog.part, "list offers: of this accelerator or family");
    command->add_option("--count", catalog.count, "list offers: with so many accelerators");
    command->add_option("--provider", catalog.provider, "list offers: of this provider");
    command->add_option("--max-age", catalog.max_age, "list offers: not older than 90d, 12w");
    add_common(command, options.common);
}

void add_profiles(CLI::App& app, Options& options) {
    ProfilesOptions& profiles = options.profiles;
    CLI::App* command = app.add_subcommand("profiles", "Models, software and kinds of work");
    command->add_option("VERB", profiles.verb, "list, show ID|CONFIG.json or check FILE")
        ->required()
        ->check(CLI::IsMember({"list", "show", "check"}));
    command->add_option("SUBJECT", profiles.subject, "kind (list), id or file");
    command->add_option("--kind", profiles.kind, "list: models, software or workloads");
    command->add_option("--context", profiles.context, "show: tokens for the FLOP count");
    add_common(command, options.common);
}

void add_validate(CLI::App& app, Options& options) {
    ValidateOptions& validate = options.validate;
    CLI::App* command = app.add_subcommand("validate", "Predictions against measured rows");
    command->add_option("EVIDENCE", validate.files, "evidence files")
        ->required()
        ->type_name("FILE ...");
    command
        ->add_option("--fail-above", validate.fail_above,
                     "QUANTITY=median:0.05,p90:0.12 makes it a gate (repeatable)")
        ->expected(1)
        ->take_all();
    command->add_option("--worst", validate.worst, "list so many rows, largest error first");
    command->add_option("--only", validate.only, "only rows whose id contains this");
    add_common(command, options.common);
}

void add_detect(CLI::App& app, Options& options) {
    CLI::App* command = app.add_subcommand("detect", "Accelerators of this machine");
    add_common(command, options.common);
}

void add_probe(CLI::App& app, Options& options) {
    ProbeOptions& probe = options.probe;
    CLI::App* command =
        app.add_subcommand("probe", "Measure this machine and write a calibration");
    command->add_option("--backend", probe.backend, "cpu or cuda")
        ->check(CLI::IsMember({"cpu", "cuda"}));
    command->add_option("--kinds", probe.kinds, "gemm, copy, link, launch, storage (commas)")
        ->delimiter(',')
        ->allow_extra_args(false)
        ->type_name("LIST");
    command->add_flag("--quick", probe.quick, "15 seconds instead of 90, fewer shapes");
    command->add_option("--out", probe.out, "file to write instead of one in the user's folder")
        ->type_name("FILE");
    command->add_option("--device", probe.device, "which accelerator, from 0")->type_name("N");
    command->add_option("--folder", probe.folder, "disk to read: where a file can be made")
        ->type_name("DIR");
    add_common(command, options.common);
}

void add_calibrate(CLI::App& app, Options& options) {
    CalibrateOptions& calibrate = options.calibrate;
    CLI::App* command =
        app.add_subcommand("calibrate", "Measured points to efficiencies, and back");
    command->add_option("VERB", calibrate.verb, "fit, compare, merge or show")
        ->required()
        ->check(CLI::IsMember({"fit", "compare", "merge", "show"}));
    command->add_option("FILES", calibrate.files, "files of `probe`; fit also takes evidence")
        ->type_name("FILE ...");
    command->add_option("--accelerator", calibrate.accelerator, "fit: the part the points are of")
        ->type_name("ID");
    command->add_option("--only", calibrate.only, "fit: only evidence whose id contains this");
    command->add_option("--out", calibrate.out, "fit, merge: the calibration file to write")
        ->type_name("FILE");
    command->add_option("--pace", calibrate.pace, "merge: whose time counts, median or slowest")
        ->check(CLI::IsMember({"median", "slowest"}));
    command->add_option("--against", calibrate.against, "show: parts to compare with (commas)")
        ->delimiter(',')
        ->allow_extra_args(false)
        ->type_name("IDS");
    add_common(command, options.common);
}

std::vector<std::string> names_of_options(const CLI::App* command) {
    std::vector<std::string> names;
    for (const CLI::Option* option : command->get_options()) {
        for (const std::string& name : option->get_lnames()) {
            names.push_back("--" + name);
        }
    }
    return names;
}

tl::unexpected<Error> unknown_word(const CLI::App& app, const CLI::App* command) {
    if (command == nullptr) {
        std::vector<std::string> names;
        std::string all;
        for (const CLI::App* each : app.get_subcommands(nullptr)) {
            names.push_back(each->get_name());
            all += (all.empty() ? "" : ", ") + each->get_name();
        }
        const auto words = app.remaining();
        if (words.empty()) {
            return usage_error("ridgeline", "no command was given",
                               "Commands: " + all + "; `ridgeline --help` shows examples.");
        }
        const std::string hint = did_you_mean(words.front(), names);
        return usage_error("ridgeline", fmt::format("no command \"{}\"", words.front()),
                           hint.empty() ? "Commands: " + all + "." : hint);
    }
    const std::string word = command->remaining().front();
    const std::string where = "ridgeline " + command->get_name();
    if (word.size() > 1 && word.front() == '-') {
        const std::string name = word.substr(0, word.find('='));
        const std::string hint = did_you_mean(name, names_of_options(command));
        return usage_error(where, fmt::format("no flag \"{}\"", name),
                           hint.empty() ? fmt::format("`{} --help` lists the flags.", where) : hint);
    }
    return usage_error(where, fmt::format("\"{}\" was not expected here", word),
                       fmt::format("`{} --help` shows the form.", where));
}

std::string one_line(std::string text) {
    std::replace(text.begin(), text.end(), '\n', ' ');
    return text;
}

Invocation invocation_of(const std::string& name, Options& options) {
    Invocation out;
    out.common = options.common;
    if (name == "advise") {
        out.command = options.advise;
    } else if (name == "estimate") {
        out.command = options.estimate;
    } else if (name == "compare") {
        out.command = options.compare;
    } else if (name == "remedies") {
        out.command = options.remedies;
    } else if (name == "roofline") {
        out.command = options.roofline;
    } else if (name == "own") {
        out.command = options.own;
    } else if (name == "report") {
        out.command = options.report;
    } else if (name == "catalog") {
        out.command = options.catalog;
    } else if (name == "prices") {
        out.command = options.prices;
    } else if (name == "profiles") {
        out.command = options.profiles;
    } else if (name == "detect") {
        out.command = options.detect;
    } else if (name == "probe") {
        out.command = options.probe;
    } else if (name == "calibrate") {
        out.command = options.calibrate;
    } else if (name == "rehearse") {
        out.command = options.rehearse;
    } else {
        out.command = options.validate;
    }
    return out;
}

}  // namespace

Result<std::variant<Invocation, HelpText>> parse(int count, const char* const* arguments) {
    // What stands after "--" is the user's own command line, which is not read here.
    const char* const* const end = arguments + count;
    const char* const* const mark = std::find(arguments, end, std::string_view("--"));
    const std::vector<std::string> rehearsed(mark == end ? end : mark + 1, end);
    count = static_cast<int>(mark - arguments);
    CLI::App app(introduction, "ridgeline");
    app.set_version_flag("--version", "ridgeline " RIDGELINE_VERSION);
    app.allow_extras();
    Options options;
    add_advise(app, options);
    add_estimate(app, options);
    add_compare(app, options);
    add_remedies(app, options);
    add_roofline(app, options);
    add_own(app, options.own, options.common);
    add_report(app, options.report, options.common);
    add_catalog(app, options);
    add_prices(app, options.prices, options.common);
    add_profiles(app, options);
    add_validate(app, options);
    add_detect(app, options);
    add_probe(app, options);
    add_calibrate(app, options);
    add_rehearse(app, options.rehearse, options.common);
    for (CLI::App* command : app.get_subcommands(nullptr)) {
        command->allow_extras();
        command->positionals_at_end(false);
    }
    try {
        app.parse(count, arguments);
    } catch (const CLI::CallForVersion& version) {
        return HelpText{std::string(version.what()) + "\n"};
    } catch (const CLI::CallForHelp&) {
        const auto used = app.get_subcommands();
        return HelpText{used.empty() ? app.help() : used.front()->help()};
    } catch (const CLI::ParseError& error) {
        const auto used = app.get_subcommands();
        const std::string where =
            used.empty() ? "ridgeline" : "ridgeline " + used.front()->get_name();
        return usage_error(where, one_line(error.what()), fmt::format("See `{} --help`.", where));
    }
    const auto used = app.get_subcommands();
    if (used.empty() || !app.remaining().empty()) {
        return unknown_word(app, nullptr);
    }
    if (!used.front()->remaining().empty()) {
        return unknown_word(app, used.front());
    }
    options.rehearse.command = rehearsed;
    const std::string name = used.front()->get_name();
    if (rehearsed.empty() == (name == "rehearse")) {
        return usage_error("ridgeline " + name,
                           rehearsed.empty() ? "no COMMAND was given after --"
                                             : "takes no command after --",
                           "For example `ridgeline rehearse --on rtx-4090 -- python train.py`.");
    }
    return invocation_of(name, options);
}

}  // namespace ridgeline::cli
