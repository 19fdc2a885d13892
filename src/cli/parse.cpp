#include "cli/parse.h"

#include "ask/option_schema.h"
#include "ask/option_table.h"
#include "base/lists.h"
#include "base/text.h"
#include "cli/completion_scripts.h"
#include "cli/help_format.h"
#include "cli/manual.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace ridgeline::cli {
namespace {

constexpr const char* introduction =
    "ridgeline: what accelerator a workload needs, what it costs, how long it takes,\n"
    "and why\n"
    "\n"
    "Examples:\n"
    "  ridgeline advise \"what GPU for a 70B fine-tune\"\n"
    "  ridgeline estimate --model llama-3.1-8b --method qlora --on rtx-4090\n"
    "  ridgeline compare h100-sxm5-80gb h200-sxm-141gb --profile fine-tuning\n";

/// Where CLI11 puts what it reads for one option of one command.
struct Slot {
    const ask::OptionRow* row = nullptr;
    CLI::App* command = nullptr;
    CLI::Option* option = nullptr;
    std::string text;
    std::vector<std::string> texts;
};

void add_option(CLI::App* command, const ask::OptionRow& row, std::deque<Slot>& slots) {
    Slot& slot = slots.emplace_back();
    slot.row = &row;
    slot.command = command;
    const std::string name = row.positional ? std::string(row.shown) : "--" + std::string(row.name);
    const std::string help(row.help);
    if (row.type == ask::OptionType::flag) {
        slot.option = command->add_flag(name, help);
    } else if (row.many) {
        slot.option = command->add_option(name, slot.texts, help);
        if (row.commas) {
            slot.option->delimiter(',')->allow_extra_args(false);
        } else if (!row.positional) {
            slot.option->expected(1)->take_all();
        }
    } else {
        slot.option = command->add_option(name, slot.text, help);
    }
    if (row.type != ask::OptionType::flag) {
        slot.option->type_name(
            row.positional && row.type == ask::OptionType::file ? "FILE" : std::string(row.shown));
    }
    if (!row.group.empty()) {
        slot.option->group(std::string(row.group));
    }
    if (row.required) {
        slot.option->required();
    }
}

std::vector<std::string> names_of_options(const CLI::App* command) {
    std::vector<std::string> names{"--help"};
    for (const ask::OptionRow& row :
         ask::options_of(ask::command_named(command->get_name())->command)) {
        if (!row.positional && !row.after_mark) {
            names.push_back("--" + std::string(row.name));
        }
    }
    return names;
}

tl::unexpected<Error> unknown_command(const CLI::App& app, const std::string& word) {
    std::vector<std::string> names;
    std::string all;
    for (const CLI::App* each : app.get_subcommands(nullptr)) {
        names.push_back(each->get_name());
        append(all, ", ", each->get_name());
    }
    names.emplace_back("completions");
    const std::string hint =
        word == "import" ? "Configurations are read by `check FILE` and by --from FILE."
        : word == "ask"  ? "A question stands alone: ridgeline \"what GPU for a 70B fine-tune\"."
                         : did_you_mean(word, names);
    return usage_error("ridgeline", fmt::format("no command \"{}\"", word),
                       hint.empty() ? "Commands: " + all + "." : hint);
}

/// Flags as other tools call them, which no spelling leads to.
constexpr std::pair<std::string_view, std::string_view> names_elsewhere[] = {
    {"--tp", "--tensor"},
    {"--tensor-parallel-size", "--tensor"},
    {"--tensor-model-parallel-size", "--tensor"},
    {"--pp", "--pipeline"},
    {"--pipeline-parallel-size", "--pipeline"},
    {"--pipeline-model-parallel-size", "--pipeline"},
    {"--dp", "--data"},
    {"--data-parallel-size", "--data"},
    {"--cp", "--context"},
    {"--ep", "--expert"},
    {"--zero", "--sharding"},
    {"--zero-stage", "--sharding"},
    {"--stage", "--sharding"},
    {"--fsdp", "--sharding"},
    {"--seq", "--sequence"},
    {"--seqlen", "--sequence"},
    {"--seq-len", "--sequence"},
    {"--seq-length", "--sequence"},
    {"--max-seq-length", "--sequence"},
    {"--max-model-len", "--sequence"},
    {"--ctx", "--sequence"},
    {"--ctx-size", "--sequence"},
    {"--context-length", "--sequence"},
    {"--prompt", "--input-tokens"},
    {"--output", "--output-tokens"},
    {"--max-tokens", "--output-tokens"},
    {"--max-new-tokens", "--output-tokens"},
    {"--bs", "--batch"},
    {"--gbs", "--batch"},
    {"--batch-size", "--batch"},
    {"--global-batch", "--batch"},
    {"--global-batch-size", "--batch"},
    {"--mbs", "--micro-batch"},
    {"--micro-batch-size", "--micro-batch"},
    {"--per-device-train-batch-size", "--micro-batch"},
    {"--users", "--concurrency"},
    {"--max-num-seqs", "--concurrency"},
    {"--quant", "--quantization"},
    {"--bits", "--quantization"},
    {"--dtype", "--weights"},
    {"--kv-cache-dtype", "--kv-cache"},
    {"--lora-r", "--rank"},
    {"--lora-rank", "--rank"},
    {"--target-modules", "--targets"},
    {"--optim", "--optimizer"},
    {"--flash-attention", "--attention"},
    {"--attn-implementation", "--attention"},
    {"--gradient-checkpointing", "--recompute"},
    {"--checkpointing", "--recompute"},
    {"--ngl", "--gpu-layers"},
    {"--n-gpu-layers", "--gpu-layers"},
    {"--gpu", "--on"},
    {"--gpus", "--on"},
    {"--num-gpus", "--on"},
    {"--nodes", "--on"},
    {"--num-nodes", "--on"},
    {"--hardware", "--on"},
    {"--config", "--hf-config"},
};

std::string hint_for_flag(const std::string& name, const std::vector<std::string>& flags) {
    for (const auto& [elsewhere, here] : names_elsewhere) {
        if (name == elsewhere && is_among(here, flags)) {
            return fmt::format("It is called {} here{}.", here,
                               here == "--on" ? ", as in --on h100-sxm5-80gb:8" : "");
        }
    }
    return did_you_mean(name, flags);
}

tl::unexpected<Error> unknown_word(const CLI::App* command) {
    const std::string word = command->remaining().front();
    const std::string where = "ridgeline " + command->get_name();
    if (word.size() > 1 && word.front() == '-') {
        const std::string name = word.substr(0, word.find('='));
        const std::string hint = hint_for_flag(name, names_of_options(command));
        return usage_error(
            where, fmt::format("no flag \"{}\"", name),
            hint.empty() ? fmt::format("`{} --help` lists the flags.", where) : hint);
    }
    return usage_error(where, fmt::format("\"{}\" was not expected here", word),
                       fmt::format("`{} --help` shows the form.", where));
}

std::string one_line(std::string text) {
    std::replace(text.begin(), text.end(), '\n', ' ');
    return text;
}

ask::Request request_of(const CLI::App* command, const std::deque<Slot>& slots) {
    ask::Request request;
    request.command = command->get_name();
    request.on_command_line = true;
    for (const Slot& slot : slots) {
        if (slot.command != command || slot.option->count() == 0) {
            continue;
        }
        std::vector<std::string>& texts = request.options[std::string(slot.row->name)];
        if (slot.row->type == ask::OptionType::flag) {
            texts = {"true"};
        } else if (slot.row->many) {
            texts = slot.texts;
        } else {
            texts = {slot.text};
        }
    }
    return request;
}

/// Of the options of a command one whose value is the name of another: CLI11 takes the next word
/// whatever it is. Nothing where each has a value of its own.
std::optional<Error> swallowed_option(const CLI::App* command, const std::deque<Slot>& slots) {
    const std::vector<std::string> names = names_of_options(command);
    for (const Slot& slot : slots) {
        if (slot.command != command || slot.option->count() == 0 || slot.row->positional) {
            continue;
        }
        std::vector<std::string> values = slot.texts;
        values.push_back(slot.text);
        for (const std::string& value : values) {
            if (is_among(value, names)) {
                return usage_error("--" + std::string(slot.row->name),
                                   fmt::format("a value is missing before {}", value),
                                   fmt::format("`ridgeline {} --help` shows the form.",
                                               command->get_name()))
                    .value();
            }
        }
    }
    return std::nullopt;
}

constexpr const char* start =
    "ridgeline tells what accelerator a workload needs, what it costs, how long it\n"
    "takes, and why.\n"
    "\n"
    "  ridgeline \"what GPU for a 70B fine-tune\"              ask in plain words\n"
    "  ridgeline estimate --model llama-3.1-8b --method qlora --on rtx-4090\n"
    "  ridgeline catalog list                                 what it knows\n"
    "\n"
    "`ridgeline help` lists the commands, `ridgeline help COMMAND` the options of one.\n";

/// What is no command of the option table: help, scripts, pages. Nothing for the others.
std::optional<Result<Invocation>> aside(const CLI::App& app,
                                        const std::vector<std::string>& words) {
    const auto printed = [](const Result<std::string>& text) -> Result<Invocation> {
        return text ? Result<Invocation>(HelpText{*text}) : tl::unexpected(text.error());
    };
    if (words.empty()) {
        return HelpText{start};
    }
    const std::string subject = words.size() > 1 ? words[1] : "";
    if (words.front() == "help") {
        if (subject.empty()) {
            return HelpText{app.help()};
        }
        return ask::command_named(subject) != nullptr
                   ? Result<Invocation>(HelpText{app.get_subcommand(subject)->help("ridgeline")})
                   : Result<Invocation>(unknown_command(app, subject));
    }
    if (words.front() == "completions") {
        return printed(completion_script(subject));
    }
    if (words.front() == "__manual") {
        return subject.empty() ? Result<Invocation>(HelpText{manual_pages()})
                               : printed(manual_page(subject));
    }
    if (words.front() == "__schema") {
        const ask::CommandRow* row = ask::command_named(subject);
        return row == nullptr ? Result<Invocation>(unknown_command(app, subject))
                              : HelpText{ask::input_schema(row->command) + "\n"};
    }
    if (words.front() == "__complete") {
        return UnfinishedLine{{words.begin() + 1, words.end()}};
    }
    return std::nullopt;
}

/// CLI11 compares each new option with all before it: those that nobody named are left out where no
/// help is asked for.
bool is_wanted(const ask::OptionRow& row, std::span<const char* const> words) {
    return row.positional || row.required || std::ranges::any_of(words, [&](std::string_view word) {
               return word == "help" || word == "-h" || word == "--help" ||
                      (word.starts_with("--") && word.substr(2, word.find('=') - 2) == row.name);
           });
}

/// A sentence where a command should stand is a question: no command has a space in its name. One
/// that begins with an option of another tool ("--gres=gpu:4 enough for ...") is one too; "--on=rtx
/// 4090" is a flag.
bool is_question(std::string_view word) {
    const std::size_t end = word.find_first_of("= ");
    if (word.find(' ') == std::string_view::npos || word.front() != '-' || word[end] == ' ') {
        return word.find(' ') != std::string_view::npos;
    }
    const std::vector<ask::OptionRow> known =
        ask::options_of(ask::command_named("advise")->command);
    return std::none_of(known.begin(), known.end(), [&](const ask::OptionRow& row) {
        return word.substr(0, end) == "--" + std::string(row.name);
    });
}

/// The words of a command line as CLI11 takes them: a question alone is one to `advise`, and a
/// sentence that begins with a hyphen is no flag.
struct CommandLine {
    std::vector<const char*> words;
    std::deque<std::string> sentences{};
    std::vector<std::string>
        own{};  ///< behind "--": the user's own command, which is not read here

    CommandLine(int count, const char* const* arguments) : words(arguments, arguments + count) {
        const bool completing = count > 1 && std::string_view(arguments[1]) == "__complete";
        if (count > 1 && is_question(arguments[1])) {
            words.insert(words.begin() + 1, "advise");
        }
        for (std::size_t i = 2; i < words.size() && std::string_view(words[1]) == "advise"; ++i) {
            if (words[i][0] == '-' && is_question(words[i])) {
                words[i] = sentences.emplace_back(std::string(" ") + words[i]).c_str();
            }
        }
        const auto mark = std::find(words.begin(), words.end(), std::string_view("--"));
        if (mark != words.end()) {
            own.assign(mark + 1, words.end());
        }
        if (!completing) {
            words.erase(mark, words.end());
        }
    }
};

/// Adds the commands, and the options of those that the words name.
void add_commands(CLI::App& app, const std::vector<const char*>& words, std::deque<Slot>& slots) {
    for (const ask::CommandRow& row : ask::command_table()) {
        CLI::App* command = app.add_subcommand(std::string(row.name), std::string(row.summary));
        command->allow_extras();
        command->positionals_at_end(false);
        if (!is_among(row.name, words)) {
            continue;
        }
        for (const ask::OptionRow& option : ask::options_of(row.command)) {
            if (option.after_mark) {
                command->footer(fmt::format("{}: {}", option.shown, option.help));
            } else if (is_wanted(option, words)) {
                add_option(command, option, slots);
            }
        }
    }
}

/// Has CLI11 read the words; a text instead where one was asked for.
Result<std::optional<HelpText>> read_words(CLI::App& app, const std::vector<const char*>& words) {
    try {
        app.parse(static_cast<int>(words.size()), words.data());
        return std::optional<HelpText>();
    } catch (const CLI::CallForVersion& version) {
        return HelpText{std::string(version.what()) + "\n"};
    } catch (const CLI::CallForHelp&) {
        const auto used = app.get_subcommands();
        return HelpText{used.empty() ? app.help() : used.front()->help("ridgeline")};
    } catch (const CLI::ParseError& error) {
        const auto used = app.get_subcommands();
        const std::string where =
            used.empty() ? "ridgeline" : "ridgeline " + used.front()->get_name();
        const std::string what = one_line(error.what());
        const std::size_t twice = what.find(": At Most 1 required");
        return usage_error(where,
                           twice == std::string::npos
                               ? what
                               : what.substr(0, twice) + " was given twice, expected one value",
                           fmt::format("See `{} --help`.", where));
    }
}

}  // namespace

Result<Invocation> parse(int count, const char* const* arguments) {
    const CommandLine line(count, arguments);
    CLI::App app(introduction, "ridgeline");
    app.formatter(std::make_shared<HelpFormat>());
    app.set_version_flag("-V,--version", "ridgeline " RIDGELINE_VERSION);
    app.allow_extras();
    app.require_subcommand(0, 1);  // "compare" in the middle of a question is a word
    app.footer("ridgeline completions bash|zsh|fish prints a script that completes commands.");
    std::deque<Slot> slots;
    add_commands(app, line.words, slots);
    if (auto other =
            aside(app, {line.words.begin() + std::min<std::ptrdiff_t>(std::ssize(line.words), 1),
                        line.words.end()})) {
        return *other;
    }
    const auto text = read_words(app, line.words);
    if (!text) {
        return tl::unexpected(text.error());
    }
    if (*text) {
        return **text;
    }
    const auto used = app.get_subcommands();
    if (used.empty() || !app.remaining().empty()) {
        return unknown_command(app, app.remaining().empty() ? "" : app.remaining().front());
    }
    if (const auto swallowed = swallowed_option(used.front(), slots)) {
        return tl::unexpected(*swallowed);
    }
    if (!used.front()->remaining().empty()) {
        return unknown_word(used.front());
    }
    auto request = request_of(used.front(), slots);
    if (line.own.empty() == (request.command == "rehearse")) {
        return usage_error(
            "ridgeline " + request.command,
            line.own.empty() ? "no COMMAND was given after --" : "takes no command after --",
            "For example `ridgeline rehearse --on rtx-4090 -- python train.py`.");
    }
    if (!line.own.empty()) {
        request.options["command"] = line.own;
    }
    return request;
}

}  // namespace ridgeline::cli
