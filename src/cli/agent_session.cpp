#include "cli/agent_session.h"

#include "advise/plans/plan_search.h"
#include "ask/agent.h"

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>
#include <unistd.h>

namespace ridgeline::cli {
namespace {

constexpr std::chrono::seconds most_of_a_search{5};
constexpr std::size_t most_bytes_of_a_line = std::size_t{1} << 20;

/// Stops a search when its time is over.
void limit(SearchControl& control) {
    control.stopped = [end = std::chrono::steady_clock::now() + most_of_a_search] {
        return std::chrono::steady_clock::now() > end;
    };
}

Error failed(const char* where) {
    return Error{ErrorKind::internal, where, std::strerror(errno), ""};
}

/// Answers the whole lines of what was read and keeps the rest. False: nobody listens any more.
bool answer_lines(const ask::World& world, std::string& read) {
    const ask::SearchWatcher watch = [](SearchControl& control) -> std::shared_ptr<void> {
        limit(control);
        return std::shared_ptr<void>{};
    };
    std::size_t begin = 0;
    for (std::size_t end = read.find('\n'); end != std::string::npos;
         end = read.find('\n', begin)) {
        const std::string_view line(read.data() + begin, end - begin);
        begin = end + 1;
        if (line.find_first_not_of(" \t\r") == std::string_view::npos) {
            continue;
        }
        const std::string reply = ask::agent_reply(world, watch, line);
        if (!reply.empty() && (std::fwrite(reply.data(), 1, reply.size(), stdout) < reply.size() ||
                               std::fputc('\n', stdout) == EOF || std::fflush(stdout) != 0)) {
            return false;
        }
    }
    read.erase(0, begin);
    return true;
}

}  // namespace

Result<void> serve_agent(const ask::World& world) {
    std::string read;
    std::string piece(65536, '\0');
    while (true) {
        const ssize_t count = ::read(STDIN_FILENO, piece.data(), piece.size());
        if (count < 0 && errno == EINTR) {
            continue;
        }
        if (count < 0) {
            return tl::unexpected(failed("stdin"));
        }
        if (count == 0) {
            return {};
        }
        read.append(piece, 0, static_cast<std::size_t>(count));
        if (!answer_lines(world, read)) {
            return errno == EPIPE ? Result<void>() : tl::unexpected(failed("stdout"));
        }
        if (read.size() > most_bytes_of_a_line) {
            return tl::unexpected(Error{ErrorKind::input, "stdin", "a message is longer than 1 MiB",
                                        "Workload documents are a few KiB."});
        }
    }
}

}  // namespace ridgeline::cli
