#include "ask/option_table.h"

#include "ask/option_rows.h"
#include "ask/site_options.h"
#include "base/text.h"
#include "spec/workload_fields.h"

#include <array>
#include <cstddef>
#include <mutex>

namespace ridgeline::ask {
namespace {

constexpr std::array commands = {
    CommandRow{Command::advise, "advise", "Rank the hardware for a question or workload"},
    CommandRow{Command::estimate, "estimate", "Memory, time and cost of one workload"},
    CommandRow{Command::compare, "compare", "Accelerators side by side"},
    CommandRow{Command::remedies, "remedies", "Changes that make a workload fit or run faster"},
    CommandRow{Command::roofline, "roofline",
               "Chart of a workload's operators below the roofs of accelerators"},
    CommandRow{Command::own, "own",
               "What hardware costs to own, what it draws, and when that beats renting", false},
    CommandRow{Command::report, "report", "A procurement report: json, markdown or html"},
    CommandRow{Command::catalog, "catalog", "Accelerators, machines, links, prices", false},
    CommandRow{Command::prices, "prices",
               "Rental price tables that you fetched, kept for every answer", false, true},
    CommandRow{Command::profiles, "profiles", "Models, software and kinds of work"},
    CommandRow{Command::validate, "validate", "Predictions against measured rows"},
    CommandRow{Command::detect, "detect", "Accelerators of this machine", false},
    CommandRow{Command::probe, "probe", "Measure this machine and write a calibration", true, true},
    CommandRow{Command::rehearse, "rehearse",
               "Your own PyTorch script on a card that is not there: does it fit, what fills it",
               true, true},
    CommandRow{Command::check, "check",
               "Will a configuration fit: the verdict from the range, for CI"},
    CommandRow{Command::emit, "emit", "The chosen plan as a configuration that another tool runs"},
    CommandRow{Command::calibrate, "calibrate", "Measured points to efficiencies, and back"},
    CommandRow{Command::mcp, "mcp",
               "Answer an agent over stdin and stdout (Model Context Protocol)", true, true},
    CommandRow{Command::serve, "serve", "The page and the same answers over HTTP, on this machine",
               true, true},
    CommandRow{Command::page, "page", "One HTML file that answers offline, to open or to send",
               true, true},
};

OptionType type_of(FieldType type) {
    switch (type) {
        case FieldType::whole:
        case FieldType::number:
            return OptionType::number;
        case FieldType::boolean:
            return OptionType::boolean;
        case FieldType::word:
            return OptionType::word;
        case FieldType::text:
        case FieldType::names:
            return OptionType::text;
    }
    return OptionType::text;
}

void add_workload_rows(std::vector<OptionRow>& rows) {
    constexpr std::string_view group = "Workload";
    rows.push_back({.name = "model",
                    .commands = workload_commands,
                    .group = group,
                    .shown = "TEXT",
                    .help = "model id, or a size such as 70B",
                    .path = "/model"});
    rows.push_back({.name = "task",
                    .type = OptionType::word,
                    .commands = workload_commands,
                    .group = group,
                    .shown = "TEXT",
                    .values = "train|inference",
                    .help = "train or inference",
                    .path = "/task"});
    for (const WorkloadField& field : workload_fields()) {
        if (!field.option.empty()) {
            rows.push_back({.name = field.option,
                            .type = type_of(field.type),
                            .commands = workload_commands,
                            .group = group,
                            .shown = type_of(field.type) == OptionType::number ? "N" : "TEXT",
                            .unit = field.unit,
                            .help = field.help,
                            .path = field.path});
        }
    }
    rows.push_back({.name = "workload-trace",
                    .type = OptionType::file,
                    .commands = workload_commands,
                    .group = group,
                    .shown = "FILE",
                    .help =
                        "when requests come and how long they are: CSV of time, input and output "
                        "tokens, or JSON lines of Mooncake"});
    rows.push_back({.name = "hf-config",
                    .type = OptionType::file,
                    .commands = workload_commands,
                    .group = group,
                    .shown = "FILE",
                    .help = "a Hugging Face config.json"});
    rows.push_back({.name = "onnx",
                    .type = OptionType::file,
                    .commands = workload_commands,
                    .group = group,
                    .shown = "FILE",
                    .help = "any network as a graph of ONNX; weights are not read"});
    rows.push_back({.name = "shape",
                    .commands = workload_commands,
                    .group = group,
                    .shown = "NAME=SIDES",
                    .help = "of an input of --onnx: pixels=1x3x224x224 (repeatable)",
                    .many = true});
}

/// A later row of the same name is another command's, or says the same of the site as the question.
std::vector<OptionRow> rows_of(Command command) {
    std::vector<OptionRow> all;
    const auto add = [&all](std::span<const OptionRow> rows) {
        all.insert(all.end(), rows.begin(), rows.end());
    };
    add(own_option_rows());
    add(question_option_rows());
    add_workload_rows(all);
    for (const SiteFlag& figure : site_flag_table()) {
        all.push_back({.name = figure.name.substr(2),
                       .type = OptionType::number,
                       .commands = bits_of(Command::own, Command::report),
                       .group = "Site and money",
                       .shown = "N",
                       .help = figure.help});
    }
    add(common_option_rows());
    std::vector<OptionRow> rows;
    for (const OptionRow& row : all) {
        bool there = !row.belongs_to(command);
        for (const OptionRow& earlier : rows) {
            there = there || earlier.name == row.name;
        }
        if (!there) {
            rows.push_back(row);
        }
    }
    return rows;
}

}  // namespace

std::span<const CommandRow> command_table() { return commands; }

const CommandRow* command_named(std::string_view name) {
    for (const CommandRow& row : commands) {
        if (row.name == name) {
            return &row;
        }
    }
    return nullptr;
}

std::vector<std::string> OptionRow::words() const {
    if (!values.empty()) {
        return split(values, '|');
    }
    const WorkloadField* field = field_of_option(name);
    if (path.empty() || field == nullptr || field->words == nullptr) {
        return {};
    }
    const auto listed = field->words();
    return {listed.begin(), listed.end()};
}

const std::vector<OptionRow>& options_of(Command command) {
    struct Table {
        std::once_flag made;
        std::vector<OptionRow> rows;
    };
    static std::array<Table, commands.size()> tables;  // of which a process asks for a few
    Table& table = tables[static_cast<std::size_t>(command)];
    std::call_once(table.made, [&table, command] { table.rows = rows_of(command); });
    return table.rows;
}

}  // namespace ridgeline::ask
