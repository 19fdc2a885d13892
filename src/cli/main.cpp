#include <csignal>
#include <cerrno>
#include <cstring>
#include <exception>
#include <string>
#include <string_view>
#include <variant>

#include <unistd.h>

#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/parse.h"

namespace {
using namespace ridgeline;

/// Writes all of `text`. False when the reader is gone or the device is full; errno says which.
bool write_all(int descriptor, std::string_view text) {
    while (!text.empty()) {
        const ssize_t written = write(descriptor, text.data(), text.size());
        if (written < 0) {
            if (errno == EINTR) {
                continue;
            }
            return false;
        }
        text.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
}

int exit_code_of(ErrorKind kind) {
    switch (kind) {
        case ErrorKind::internal: return 1;
        case ErrorKind::usage: return 2;
        case ErrorKind::input: return 4;
        case ErrorKind::device_absent: return 5;
    }
    return 1;
}

std::string json_text(std::string_view text) {
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') {
            out += '\\';
            out += c;
        } else if (static_cast<unsigned char>(c) < 0x20) {
            out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
        } else {
            out += c;
        }
    }
    return out + '"';
}

int report_error(const Error& error, bool json) {
    static constexpr const char* codes[] = {"internal", "usage", "bad_input", "device_absent"};
    const std::string text =
        json ? fmt::format("{{\"error\":{{\"code\":{},\"message\":{},\"path\":{},\"hint\":{}}}}}\n",
                           json_text(codes[static_cast<int>(error.kind)]),
                           json_text(error.message),
                           json_text(error.where),
                           json_text(error.hint))
             : "error: " + error.text() + "\n";
    write_all(STDERR_FILENO, text);
    return exit_code_of(error.kind);
}

int print(const std::string& text, int exit_code, bool json) {
    if (write_all(STDOUT_FILENO, text) || errno == EPIPE) {
        return exit_code;
    }
    return report_error(
        Error{ErrorKind::internal, "stdout", std::strerror(errno), "The answer was not written."},
        json);
}

int run_program(int count, char** arguments, bool json) {
    const auto parsed = cli::parse(count, arguments);
    if (!parsed) {
        return report_error(parsed.error(), json);
    }
    if (const auto* help = std::get_if<cli::HelpText>(&*parsed)) {
        return print(help->text, 0, json);
    }
    const auto& invocation = std::get<cli::Invocation>(*parsed);
    const auto answer = std::visit(
        [&](const auto& command) { return cli::run(invocation.common, command); },
        invocation.command);
    if (!answer) {
        return report_error(answer.error(), json);
    }
    if (!invocation.common.quiet && !answer->messages.empty()) {
        write_all(STDERR_FILENO, answer->messages);
    }
    return print(answer->out, answer->exit_code, json);
}

}  // namespace

int main(int count, char** arguments) {
    std::signal(SIGPIPE, SIG_IGN);
    bool json = false;
    for (int i = 1; i < count && std::string_view(arguments[i]) != "--"; ++i) {
        json = json || std::string_view(arguments[i]) == "--json";
    }
    try {
        return run_program(count, arguments, json);
    } catch (const std::exception& problem) {
        return report_error(
            Error{ErrorKind::internal, "ridgeline", problem.what(), "This is a defect, please report it."},
            json);
    }
}
