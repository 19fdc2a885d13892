#include <cerrno>
#include <csignal>
#include <cstring>
#include <exception>
#include <memory>
#include <string>
#include <string_view>
#include <unistd.h>
#include <variant>
#include <vector>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "ask/ask.h"
#include "ask/completion.h"
#include "ask/option_table.h"
#include "base/text.h"
#include "cli/agent_session.h"
#include "cli/folders.h"
#include "cli/open_page.h"
#include "cli/output_file.h"
#include "cli/page.h"
#include "cli/parse.h"
#include "cli/prices.h"
#include "cli/probe.h"
#include "cli/rehearse.h"
#include "cli/search_watch.h"
#include "cli/serve.h"
#include "cli/style.h"
#include "data/whole_file.h"

namespace {
using namespace ridgeline;

int report_error(const Error& error, bool json) {
    write_all(STDERR_FILENO, json ? ask::json_of(error) : "error: " + error.text() + "\n");
    return ask::exit_code_of(error);
}

int print(const std::string& text, int exit_code, bool json) {
    if (write_all(STDOUT_FILENO, text) || errno == EPIPE) {
        return exit_code;
    }
    return report_error(
        Error{ErrorKind::internal, "stdout", std::strerror(errno), "The answer was not written."},
        json);
}

/// What the options name, and the user's own calibrations.
Result<ask::WorldPlaces> places_of(const ask::Request& request) {
    const auto catalog = cli::find_folder(request.text("catalog"), "catalog");
    if (!catalog) {
        return tl::unexpected(catalog.error());
    }
    const auto profiles = cli::find_folder(request.text("profiles"), "profiles");
    if (!profiles) {
        return tl::unexpected(profiles.error());
    }
    ask::WorldPlaces places;
    places.catalog = *catalog;
    places.profiles = *profiles;
    const auto& prices = request.texts("prices");
    const auto& calibrations = request.texts("calibration");
    places.prices.assign(prices.begin(), prices.end());
    places.calibrations.assign(calibrations.begin(), calibrations.end());
    places.own_prices = cli::user_price_folder();
    places.own_folder = cli::user_calibration_folder();
    return places;
}

Result<ask::Reply> answered(const ask::Request& request) {
    const ask::CommandRow* command = ask::command_named(request.command);
    const auto places = places_of(request);
    if (!places) {
        return tl::unexpected(places.error());
    }
    const bool whole = command == nullptr || command->needs_profiles;
    // Its ten thousand parts go with the process.
    static const auto* const world =
        new Result<ask::World>(whole ? ask::load_world(*places) : ask::load_catalog_world(*places));
    if (!*world) {
        return tl::unexpected(world->error());
    }
    if (command == nullptr || !command->runs_here) {
        return ask::ask(**world, request);
    }
    auto checked = ask::checked(request);
    if (!checked) {
        return tl::unexpected(checked.error());
    }
    switch (command->command) {
        case ask::Command::probe:
            return cli::probe(**world, *checked);
        case ask::Command::prices:
            return cli::prices(**world, *checked);
        case ask::Command::mcp: {
            const auto served = cli::serve_agent(**world);
            return served ? Result<ask::Reply>(ask::Reply{}) : tl::unexpected(served.error());
        }
        case ask::Command::serve:
            return cli::serve(**world, *places, *checked);
        case ask::Command::page:
            return cli::page(*places, *checked);
        default:
            return cli::rehearse(**world, *checked);
    }
}

/// Words that may follow, one a line with its help; nothing when the data cannot be read.
std::string completed(const std::vector<std::string>& words) {
    const auto places = places_of({});
    const auto world = places ? ask::load_world(*places) : tl::unexpected(places.error());
    std::string text;
    if (world) {
        for (const ask::Completion& each : ask::completions_of(*world, words)) {
            text += each.word + "\t" + each.help + "\n";
        }
    }
    return text;
}

/// The lines of what went wrong, which --quiet hides no more than an answer.
std::string errors_of(const std::string& messages) {
    std::string errors;
    for (const std::string& line : split(messages, '\n')) {
        errors += line.starts_with("error: ") ? line + "\n" : "";
    }
    return errors;
}

int run_program(int count, char** arguments, bool json) {
    auto parsed = cli::parse(count, arguments);
    if (!parsed) {
        return report_error(parsed.error(), json);
    }
    if (const auto* help = std::get_if<cli::HelpText>(&*parsed)) {
        return print(help->text, 0, json);
    }
    if (const auto* line = std::get_if<cli::UnfinishedLine>(&*parsed)) {
        return print(completed(line->words), 0, json);
    }
    auto& request = std::get<ask::Request>(*parsed);
    const bool quiet = request.flag("quiet");
    request.style = cli::style_of(request.text("color"));
    request.watch_search = [quiet](SearchControl& control) -> std::shared_ptr<void> {
        auto watch = std::make_shared<cli::SearchWatch>(quiet);
        watch->attach(control);
        return watch;
    };
    auto reply = answered(request);
    if (!reply) {
        return report_error(reply.error(), json);
    }
    if (request.flag("open")) {
        auto page = cli::answer_page(*places_of(request), request);
        if (!page) {
            return report_error(page.error(), json);
        }
        reply->messages += page->note;
        reply->files.push_back(std::move(page->file));
    }
    for (const ask::OutputFile& file : reply->files) {
        if (const auto written = cli::write_file(file); !written) {
            return report_error(written.error(), json);
        }
    }
    const std::string messages = quiet ? errors_of(reply->messages) : reply->messages;
    if (!messages.empty()) {
        write_all(STDERR_FILENO, messages);
    }
    const int code = print(reply->body, reply->exit_code, json);
    if (request.flag("open")) {
        const std::string told = cli::open_in_browser(reply->files.back().path);
        write_all(STDERR_FILENO, quiet ? "" : told);
    }
    return code;
}

/// A search frees and asks for buffers of some hundred kilobytes over and over. They stay with the
/// process, which ends soon: the kernel would clear the same pages each time.
void keep_freed_memory() {
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, 32 << 20);  // the most that glibc takes
    mallopt(M_TRIM_THRESHOLD, 256 << 20);
#endif
}

}  // namespace

int main(int count, char** arguments) {
    keep_freed_memory();
    std::signal(SIGPIPE, SIG_IGN);
    bool json = false;
    for (int i = 1; i < count && std::string_view(arguments[i]) != "--"; ++i) {
        json = json || std::string_view(arguments[i]) == "--json";
    }
    try {
        return run_program(count, arguments, json);
    } catch (const std::exception& problem) {
        return report_error(Error{ErrorKind::internal, "ridgeline", problem.what(),
                                  "This is a defect, please report it."},
                            json);
    }
}
