#include "cli/manual.h"

#include "ask/option_table.h"
#include "ask/world.h"
#include "base/text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vector>

// Pages are mdoc(7), which man, mandoc and the converters to HTML read.

namespace ridgeline::cli {
namespace {

/// Text of a line: a leading control character and backslashes are taken literally.
std::string plain(std::string_view text) {
    std::string out;
    for (const char c : text) {
        out += c == '\\' ? std::string("\\e") : c == '-' ? std::string("\\-") : std::string(1, c);
    }
    return !out.empty() && (out.front() == '.' || out.front() == '\'') ? "\\&" + out : out;
}

std::string head(std::string_view name, std::string_view summary) {
    return fmt::format(".Dd {}\n.Dt {} 1\n.Os\n.Sh NAME\n.Nm {}\n.Nd {}\n", ask::today(), name,
                       name, plain(summary));
}

std::string described(const ask::OptionRow& row) {
    std::string text = plain(row.help);
    const std::vector<std::string> words = row.words();
    if (!words.empty() && row.help.find(words.front()) == std::string_view::npos) {
        text += plain(fmt::format(" ({})", fmt::join(words, ", ")));
    }
    if (!row.unit.empty() && !contains(row.help, row.unit)) {
        text += plain(fmt::format(", {}", row.unit));
    }
    if (!row.path.empty()) {
        text += plain(fmt::format("; {} of a workload file", row.path));
    }
    return text + ".";
}

std::string synopsis(const ask::CommandRow& command) {
    std::string text = fmt::format(".Sh SYNOPSIS\n.Nm ridgeline {}\n", command.name);
    for (const ask::OptionRow& row : ask::options_of(command.command)) {
        if (row.positional) {
            text += fmt::format("{}Ar {}{}\n", row.required ? "." : ".Op ", row.shown,
                                row.many ? " ..." : "");
        }
    }
    return text + ".Op Ar options\n";
}

std::string options(const ask::CommandRow& command) {
    std::string text = ".Sh OPTIONS\n";
    std::string group = "none yet";
    for (const ask::OptionRow& row : ask::options_of(command.command)) {
        if (row.group != group) {
            text += group == "none yet" ? "" : ".El\n";
            text += row.group.empty() ? "" : fmt::format(".Ss {}\n", row.group);
            text += ".Bl -tag -width Ds\n";
            group = row.group;
        }
        text += row.positional || row.after_mark ? fmt::format(".It Ar {}\n", plain(row.shown))
                : row.type == ask::OptionType::flag
                    ? fmt::format(".It Fl Fl {}\n", plain(row.name))
                    : fmt::format(".It Fl Fl {} Ar {}\n", plain(row.name), row.shown);
        text += described(row) + "\n";
    }
    return text + ".El\n";
}

constexpr const char* exit_status =
    ".Sh EXIT STATUS\n.Bl -tag -width Ds\n"
    ".It 0\nAn answer.\n"
    ".It 1\nA file cannot be read or written.\n"
    ".It 2\nThe command line is wrong.\n"
    ".It 3\nAn answer: nothing fits.\n"
    ".It 4\nAn input is wrong.\n"
    ".It 5\nA device is absent.\n.El\n";

constexpr const char* environment =
    ".Sh ENVIRONMENT\n.Bl -tag -width Ds\n"
    ".It Ev RIDGELINE_CATALOG , RIDGELINE_PROFILES\nFolders to read instead of those installed.\n"
    ".It Ev SOURCE_DATE_EPOCH\nThe day that prices are judged by.\n"
    ".It Ev NO_COLOR\nNo colours.\n.El\n";

std::string program_page() {
    std::string text = head("ridgeline", "what accelerator a workload needs, and why");
    text +=
        ".Sh SYNOPSIS\n.Nm\n.Ar command\n.Op Ar options\n.Sh DESCRIPTION\n"
        "Tells what memory, time and money a machine learning workload takes on which hardware, "
        "with the formula, source and range of every figure.\n"
        ".Sh COMMANDS\n.Bl -tag -width Ds\n";
    std::string others;
    for (const ask::CommandRow& row : ask::command_table()) {
        text += fmt::format(".It Cm {}\n{}.\n", row.name, plain(row.summary));
        append(others, " ,\n", fmt::format(".Xr ridgeline\\-{} 1", row.name));
    }
    text +=
        ".It Cm completions Ar shell\nA script that completes commands in bash, zsh or fish.\n"
        ".It Cm help Op Ar command\nWhat a command takes.\n.El\n";
    return text + exit_status + environment +
           ".Sh EXAMPLES\n.Dl ridgeline advise \\(dqwhat GPU for a 70B fine\\-tune\\(dq\n"
           ".Dl ridgeline estimate \\-\\-model llama\\-3.1\\-8b \\-\\-method qlora \\-\\-on "
           "rtx\\-4090\n"
           ".Sh SEE ALSO\n" +
           others + "\n";
}

}  // namespace

std::string manual_pages() {
    std::string names = "ridgeline\n";
    for (const ask::CommandRow& row : ask::command_table()) {
        names += fmt::format("ridgeline-{}\n", row.name);
    }
    return names;
}

Result<std::string> manual_page(const std::string& command) {
    if (command == "ridgeline") {
        return program_page();
    }
    const ask::CommandRow* row = ask::command_named(command);
    if (row == nullptr) {
        return usage_error("ridgeline help", fmt::format("no command \"{}\"", command));
    }
    return head(fmt::format("ridgeline\\-{}", row->name), row->summary) + synopsis(*row) +
           fmt::format(".Sh DESCRIPTION\n{}.\n", plain(row->summary)) + options(*row) +
           exit_status + ".Sh SEE ALSO\n.Xr ridgeline 1\n";
}

}  // namespace ridgeline::cli
