#include "ask/ask.h"

#include "ask/commands.h"
#include "ask/engine_settings.h"
#include "ask/imports.h"
#include "ask/option_table.h"
#include "ask/runs.h"
#include "base/lists.h"
#include "base/text.h"
#include "spec/workload_fields.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <exception>
#include <string>
#include <vector>

namespace ridgeline::ask {
namespace {

std::string shown_name(const OptionRow& row) {
    return row.positional || row.after_mark ? std::string(row.shown) : "--" + std::string(row.name);
}

/// A word as the list of its option spells it: dashes and underscores are the same, and the key of
/// a workload's field stands for its option ("sequence_length"). Others stay as they are.
std::string listed_word(const OptionRow& row, const std::string& text) {
    const std::vector<std::string> words = row.words();
    const auto same = [](char a, char b) {
        return a == b || ((a == '-' || a == '_') && (b == '-' || b == '_'));
    };
    std::vector<std::string_view> names{text};
    for (const WorkloadField& field : workload_fields()) {
        if (!field.option.empty() && contains(field.key(), field.option) &&
            std::ranges::equal(field.key(), text, same)) {
            names.push_back(field.option);
        }
    }
    for (const std::string_view name : names) {
        for (const std::string& word : words) {
            if (std::ranges::equal(word, name, same)) {
                return word;
            }
        }
    }
    return text;
}

/// One of the words of an option, where it has a closed list that no other reader checks.
Result<void> check_word(const OptionRow& row, const std::string& text) {
    if (row.type != OptionType::word || !row.path.empty()) {
        return {};
    }
    const std::vector<std::string> words = row.words();
    if (is_among(listed_word(row, text), words)) {
        return {};
    }
    return usage_error(shown_name(row),
                       fmt::format("found \"{}\", expected {}", text, fmt::join(words, ", ")),
                       did_you_mean(text, words));
}

tl::unexpected<Error> unknown_option(const CommandRow& command, const std::string& name) {
    std::vector<std::string> names;
    for (const OptionRow& row : options_of(command.command)) {
        names.emplace_back(row.name);
    }
    const std::string where = fmt::format("ridgeline {}", command.name);
    const std::string hint = did_you_mean(name, names);
    return usage_error(where, fmt::format("no option \"{}\"", name),
                       hint.empty() ? fmt::format("`{} --help` lists the options.", where) : hint);
}

Result<void> check(const CommandRow& command, const Request& request) {
    const std::vector<OptionRow>& table = options_of(command.command);
    for (const auto& [name, texts] : request.options) {
        const auto row = std::ranges::find_if(
            table, [&name = name](const auto& each) { return each.name == name; });
        if (row == table.end()) {
            return unknown_option(command, name);
        }
        if (!request.on_command_line && (row->loads_world || row->type == OptionType::output)) {
            return usage_error(shown_name(*row), "names a path, which only a command line may do");
        }
        if (!request.on_command_line && row->name == "open") {
            return usage_error("--open", "opens a browser, which only a command line may do");
        }
        if (texts.size() > 1 && !row->many && row->type != OptionType::flag) {
            return usage_error(shown_name(*row), "was given twice, expected one value");
        }
        const std::string& verb = request.text("verb");
        if (!row->verbs.empty() && !verb.empty() && !is_among(verb, split(row->verbs, '|'))) {
            return usage_error(shown_name(*row),
                               fmt::format("found beside \"{}\", which has none of it", verb),
                               fmt::format("It is of `ridgeline {} {}`.", command.name,
                                           fmt::join(split(row->verbs, '|'), "` and `")));
        }
        for (const std::string& text : texts) {
            if (const auto known = check_word(*row, text); !known) {
                return known;
            }
        }
    }
    for (const OptionRow& row : table) {
        if (row.required && !request.given(row.name)) {
            return usage_error(fmt::format("ridgeline {}", command.name),
                               fmt::format("{} was not given", shown_name(row)),
                               row.help.empty() ? "" : fmt::format("{}.", row.help));
        }
    }
    return {};
}

Result<Reply> answer(const World& world, const CommandRow& command, const Request& request) {
    switch (command.command) {
        case Command::advise:
            return answer_advise(world, request);
        case Command::estimate:
            return answer_estimate(world, request);
        case Command::compare:
            return answer_compare(world, request);
        case Command::remedies:
            return answer_remedies(world, request);
        case Command::roofline:
            return answer_roofline(world, request);
        case Command::own:
            return answer_own(world, request);
        case Command::report:
            return answer_report(world, request);
        case Command::catalog:
            return answer_catalog(world, request);
        case Command::profiles:
            return answer_profiles(world, request);
        case Command::validate:
            return answer_validate(world, request);
        case Command::calibrate:
            return answer_calibrate(world, request);
        case Command::detect:
            return answer_detect(world, request);
        case Command::check:
            return answer_check(world, request);
        case Command::emit:
            return answer_emit(world, request);
        case Command::probe:
        case Command::rehearse:
        case Command::prices:
        case Command::mcp:
        case Command::serve:
        case Command::page:
            break;
    }
    return usage_error("ridgeline " + std::string(command.name),
                       "runs on the machine of a command line and is not asked from elsewhere");
}

/// A field that an option of the command line states is told by that option.
void tell_by_option(Error& error, const Request& request) {
    std::string field = "/" + error.where;
    std::replace(field.begin(), field.end(), '.', '/');
    for (const OptionRow& row : options_of(command_named(request.command)->command)) {
        if (row.path == field && request.on_command_line && request.given(row.name)) {
            error.where = shown_name(row);
        }
    }
}

Result<Reply> typed(Result<Reply> reply, const Request& request) {
    if (!reply && !request.json()) {  // programs are told the field
        tell_by_option(reply.error(), request);
    }
    if (reply && request.json()) {
        reply->media_type = "application/json";
    }
    return reply;
}

}  // namespace

namespace {

/// Words of options as their lists spell them.
void take_other_words(const CommandRow& command, Request& request) {
    for (auto& [name, texts] : request.options) {
        for (const OptionRow& row : options_of(command.command)) {
            if (row.type != OptionType::word || !row.path.empty() || row.name != name) {
                continue;
            }
            for (std::string& text : texts) {
                text = listed_word(row, text);
            }
        }
    }
}

}  // namespace

Result<Request> checked(const Request& request) {
    const CommandRow* command = command_named(request.command);
    if (command == nullptr) {
        std::vector<std::string> names;
        for (const CommandRow& row : command_table()) {
            names.emplace_back(row.name);
        }
        const std::string hint = did_you_mean(request.command, names);
        return usage_error(
            "ridgeline", fmt::format("no command \"{}\"", request.command),
            hint.empty() ? fmt::format("Commands: {}.", fmt::join(names, ", ")) : hint);
    }
    if (const auto valid = check(*command, request); !valid) {
        return tl::unexpected(valid.error());
    }
    Request styled = request;
    take_other_words(*command, styled);
    styled.style.explain = styled.style.explain || request.flag("explain");
    return styled;
}

namespace {

/// The answer in the world as the request sets it.
Result<Reply> answer_as_set(const World& world, const CommandRow& command, const Request& request) {
    const auto tasked = with_task_of_framework(world, request);
    if (!tasked) {
        return tl::unexpected(tasked.error());
    }
    const auto set = world_as_set(world, *tasked);
    if (!set) {
        return tl::unexpected(set.error());
    }
    return answer(*set ? **set : world, command, *tasked);
}

/// An option that a file states is told by the key of the file.
void tell_by_file(Error& error, const Request& asked, const ImportedRequest& imported) {
    if (!error.where.starts_with("--") || asked.given(error.where.substr(2))) {
        return;
    }
    for (const ImportedFile& file : imported.files) {
        for (const ImportNote& note : file.read) {
            if (contains(note.meaning + " ", error.where + " ")) {
                error.kind = ErrorKind::input;
                error.where = file.where + ": " + note.key;
                return;
            }
        }
    }
}

/// The answer to a request whose files are those of one run.
Result<Reply> answer_of_run(const World& world, const Request& request,
                            const std::vector<FormatTable>& formats) {
    const auto imported = with_imports(world, request, formats);
    if (!imported) {
        return tl::unexpected(imported.error());
    }
    const CommandRow& command = *command_named(request.command);
    auto reply = typed(answer_as_set(world, command, imported->request), request);
    if (!reply) {
        tell_by_file(reply.error(), request, *imported);
    }
    if (!reply && reply.error().where == "--model") {
        const std::string unknown = unknown_of(*imported);
        if (!imported->request.given("framework")) {
            reply.error().hint =
                "These files say how something runs: give the one that names it too (a trainer's "
                "beside accelerate's, DeepSpeed's or PEFT's), or --model.";
        }
        reply.error().hint += unknown.empty() ? "" : " Unknown in the files: " + unknown + ".";
    }
    if (reply) {
        reply->messages = notes_of(*imported) + reply->messages;
        if (request.json() && reply->body.rfind("{\n", 0) == 0) {
            reply->body.insert(1, "\n  \"imports\": " + imports_json(*imported) + ",");
        }
    }
    return reply;
}

/// The cards that a server is spread over: the first of those that it sees.
std::vector<std::string> cards_of(const ImportedRun& run) {
    std::vector<std::string> cards;
    if (!run.cards.empty() && run.share > 0) {
        cards = split(run.cards, ',');
        const auto ranks = static_cast<std::size_t>(run.ranks);
        cards.resize(ranks > 0 ? std::min(ranks, cards.size()) : cards.size());
    }
    return cards;
}

/// What servers take together of a card of one of them, where that is more than all of it.
std::string crowd_of(const std::vector<ImportedRun>& runs, const ImportedRun& run) {
    for (const std::string& card : cards_of(run)) {
        double together = 0;
        std::string names;
        for (const ImportedRun& other : runs) {
            if (is_among(card, cards_of(other))) {
                together += other.share;
                append(names, " and ", fmt::format("{} ({:g})", other.name, other.share));
            }
        }
        if (together > 1) {
            return fmt::format("{} take {:g} of card {}", names, together, card);
        }
    }
    return "";
}

/// Each run that the files of a request start, on each of the accelerators that they would take.
std::vector<Request> each_run_of(const World& world, const Request& request,
                                 const std::vector<FormatTable>& formats) {
    const auto imported = with_imports(world, request, formats);
    if (!imported || (imported->places.size() < 2 && imported->runs.size() < 2)) {
        return {request};
    }
    std::vector<Request> runs;
    for (std::size_t run = 0; run < std::max<std::size_t>(1, imported->runs.size()); ++run) {
        for (std::size_t at = 0; at < std::max<std::size_t>(1, imported->places.size()); ++at) {
            const std::size_t parts = imported->places.empty() ? 0 : imported->places[at].parts;
            runs.push_back(request);
            runs.back().options[std::string(choice_fact)] = {
                fmt::format("{},{}", imported->runs.empty() ? "" : std::to_string(run), parts)};
            const std::string crowd =
                imported->runs.empty() ? "" : crowd_of(imported->runs, imported->runs[run]);
            if (!crowd.empty()) {
                runs.back().options[std::string(crowd_fact)] = {crowd};
            }
        }
    }
    return runs;
}

Result<Reply> answered(const World& world, const Request& request) {
    auto asked = checked(request);
    if (!asked) {
        return tl::unexpected(asked.error());
    }
    *asked = with_pipes_read(*asked);
    const CommandRow& command = *command_named(asked->command);
    if (!asked->given("from")) {
        return typed(answer_as_set(world, command, *asked), request);
    }
    const auto formats = formats_of(world);
    if (!formats) {
        return tl::unexpected(formats.error());
    }
    if (command.command != Command::check) {
        return answer_of_run(world, *asked, *formats);
    }
    std::vector<Request> runs;
    for (const Request& run : runs_of(*asked, *formats)) {
        for (Request& each : each_run_of(world, run, *formats)) {
            runs.push_back(std::move(each));
        }
    }
    if (runs.size() < 2) {
        return answer_of_run(world, runs.empty() ? *asked : runs.front(), *formats);
    }
    std::vector<Result<Reply>> replies;
    for (const Request& run : runs) {
        replies.push_back(answer_of_run(world, run, *formats));
    }
    return reply_of_runs(runs, replies, stamp_of(world.catalog));
}

}  // namespace

Result<Reply> ask(const World& world, const Request& request) {
#ifdef __cpp_exceptions
    // A defect, or no memory: the fronts go on.
    try {
        return answered(world, request);
    } catch (const std::exception& problem) {
        return tl::unexpected(Error{ErrorKind::internal, "ridgeline " + request.command,
                                    problem.what(), "This is a defect, please report it."});
    }
#else
    return answered(world, request);
#endif
}

}  // namespace ridgeline::ask
