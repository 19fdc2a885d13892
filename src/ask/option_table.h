#pragma once

#include "base/help_text.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ridgeline::ask {

enum class Command : std::uint8_t {
    advise,
    estimate,
    compare,
    remedies,
    roofline,
    own,
    report,
    catalog,
    profiles,
    validate,
    calibrate,
    detect,
    probe,
    rehearse,
    prices,
    check,
    emit,
    mcp,
    serve,
    page,
};

/// A command and what it is for.
struct CommandRow {
    Command command;
    std::string_view name;
    HelpText summary;
    bool needs_profiles = true;  ///< false: the catalog is enough
    bool runs_here = false;      ///< on the machine of the command line alone, outside `ask`
};
std::span<const CommandRow> command_table();
const CommandRow* command_named(std::string_view name);

enum class OptionType {
    text,
    number,
    boolean,  ///< "true" or "false"
    word,     ///< one of `values`
    flag,     ///< a switch
    file,     ///< a path that is read
    output,   ///< a path that is written
    folder,
};

/// One option of one or more commands. Flags, completions, help, queries and forms follow from it.
struct OptionRow {
    std::string_view name = {};  ///< "sequence": --sequence 2048, ?sequence=2048, "sequence": 2048
    OptionType type = OptionType::text;
    std::uint32_t commands = 0;    ///< a bit for each Command
    std::string_view group = {};   ///< heading in the help; empty: of the command itself
    std::string_view shown = {};   ///< "N", "FILE": what stands for the value in the help
    std::string_view values = {};  ///< of a word, joined by "|"
    std::string_view unit = {};
    HelpText help = {};
    bool positional = false;
    bool required = false;
    bool many = false;            ///< may be given several times
    bool commas = false;          ///< several values joined by commas
    bool after_mark = false;      ///< what stands after "--" on a command line
    std::string_view path = {};   ///< place in the workload document
    std::string_view verbs = {};  ///< of the command, joined by "|", that it belongs to; empty: all
    bool loads_world = false;     ///< says what the world is loaded from, not what is asked
    [[nodiscard]] bool belongs_to(Command command) const {
        return (commands >> static_cast<unsigned>(command) & 1U) != 0;
    }
    [[nodiscard]] bool names_path() const {
        return type == OptionType::file || type == OptionType::output || type == OptionType::folder;
    }
    [[nodiscard]] std::vector<std::string> words()
        const;  ///< of `values`, or of the field at `path`
};

/// The options of a command, in the order of its help.
const std::vector<OptionRow>& options_of(Command command);

}  // namespace ridgeline::ask
