#include "cli/open_page.h"

#include "ask/option_table.h"
#include "base/text.h"
#include "base/utf8.h"
#include "cli/page.h"
#include "data/formats/weight_header.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <spawn.h>
#include <string_view>
#include <system_error>
#include <unistd.h>
#include <vector>

namespace ridgeline::cli {
namespace {

namespace fs = std::filesystem;

/// A text as a field of an address holds it.
std::string in_address(std::string_view text) {
    std::string out;
    for (const char c : text) {
        const bool plain = is_letter(c) || (c >= 'A' && c <= 'Z') || is_digit(c) ||
                           std::string_view("-._~:,/").find(c) != std::string_view::npos;
        out += plain ? std::string(1, c)
                     : fmt::format("%{:02X}", static_cast<unsigned>(static_cast<unsigned char>(c)));
    }
    return out;
}

/// Text of a configuration, or the header of a file of weights as the page reads it.
Result<std::string> text_of_file(const std::string& path) {
    const auto weights = weight_header_of(path);
    if (!weights) {
        return tl::unexpected(weights.error());
    }
    return *weights ? Result<std::string>((*weights)->dump()) : TreePath(path).read();
}

/// Options that the page takes as they are; what it cannot take goes to `left`.
std::string fragment_of(const ask::Request& request, std::vector<std::string>& left) {
    const ask::CommandRow* command = ask::command_named(request.command);
    std::string fragment;
    for (const ask::OptionRow& row : ask::options_of(command->command)) {
        const std::string name(row.name);
        if (!request.given(name) || row.group == "Output" || name == "from" ||
            (row.positional && row.type == ask::OptionType::file)) {
            continue;
        }
        const bool path = row.loads_world || row.type == ask::OptionType::file ||
                          row.type == ask::OptionType::output ||
                          row.type == ask::OptionType::folder;
        if (path) {
            left.push_back("--" + name);
            continue;
        }
        std::string words = joined(request.texts(name), " ");
        fragment += fmt::format("{}{}={}", fragment.empty() ? "#" : "&",
                                name == "question" ? "q" : name, in_address(words));
    }
    return fragment;
}

fs::path cache_folder() {
    const char* cache = std::getenv("XDG_CACHE_HOME");
    const char* home = std::getenv("HOME");
    return cache != nullptr && *cache != '\0' ? fs::path(cache) / "ridgeline"
           : home != nullptr && *home != '\0' ? fs::path(home) / ".cache" / "ridgeline"
                                              : fs::temp_directory_path();
}

}  // namespace

Result<AnswerPage> answer_page(const ask::WorldPlaces& places, const ask::Request& request) {
    if (request.command == "advise" && !request.given("question")) {
        return usage_error("--open", "shows a question in words, found options alone");
    }
    if (request.given("beside")) {
        return usage_error("--open", "shows one workload, found several that share a card");
    }
    std::vector<std::string> paths = request.texts("from");
    if (request.given("workload")) {
        paths.push_back(request.text("workload"));
    }
    std::string files;
    for (const std::string& path : paths) {
        auto text = text_of_file(path);
        if (!text) {
            return tl::unexpected(text.error());
        }
        append(files, ",",
               fmt::format("{{\"name\":{},\"text\":{}}}",
                           json_string(fs::path(path).filename().string()), json_string(*text)));
    }
    ask::Request page_request;
    page_request.command = "page";
    auto parts = page_parts(places, page_request);
    if (!parts) {
        return tl::unexpected(parts.error());
    }
    if (parts->core.empty()) {
        return tl::unexpected(no_core("--open"));
    }
    std::vector<std::string> left;
    parts->state = fmt::format("{{\"fragment\":{},\"files\":[{}]}}",
                               json_string(fragment_of(request, left)), files);
    auto page = web::page_file(*parts);
    if (!page) {
        return tl::unexpected(page.error());
    }
    AnswerPage out;
    const fs::path folder = cache_folder();
    std::error_code ignored;  // writing tells it better
    fs::create_directories(folder, ignored);
    out.file = {"--open", (folder / "answer.html").string(), std::move(page->html)};
    if (!left.empty()) {
        out.note = fmt::format("note: the page does not know {}\n", fmt::join(left, ", "));
    }
    return out;
}

std::string open_in_browser(const std::string& path) {
    std::string program = "xdg-open";
    std::string file = path;
    char* arguments[] = {program.data(), file.data(), nullptr};
    posix_spawn_file_actions_t quiet;
    posix_spawn_file_actions_init(&quiet);
    for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
        posix_spawn_file_actions_addopen(&quiet, descriptor, "/dev/null", O_RDWR, 0);
    }
    pid_t child = 0;
    const int problem = posix_spawnp(&child, program.c_str(), &quiet, nullptr, arguments, environ);
    posix_spawn_file_actions_destroy(&quiet);
    return problem == 0
               ? fmt::format("opened {}\n", path)
               : fmt::format("wrote {}: open it in a browser, xdg-open is not here\n", path);
}

}  // namespace ridgeline::cli
