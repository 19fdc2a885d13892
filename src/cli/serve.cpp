#include "cli/serve.h"

#include "cli/page.h"
#include "data/sha256.h"
#include "web/door.h"
#include "web/server.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <utility>

namespace ridgeline::cli {
namespace {

constexpr double usual_port = 8737;
constexpr double most_answering = 64;
constexpr std::size_t shortest_token = 16;

/// The first line of the token file.
Result<std::string> token_of(const ask::Request& request) {
    if (!request.given("token-file")) {
        return std::string();
    }
    auto text = TreePath(request.text("token-file")).read(4096);
    if (!text) {
        return text;
    }
    text->resize(std::min(text->find_first_of("\r\n"), text->size()));
    if (text->size() < shortest_token) {
        return input_error(request.text("token-file"),
                           fmt::format("found a token of {} characters, expected at least {}",
                                       text->size(), shortest_token),
                           "Example: openssl rand -hex 24 > FILE.");
    }
    return text;
}

bool is_loopback(const std::string& listen) {
    return listen.empty() || listen.starts_with("127.") || listen == "::1" ||
           listen.starts_with("unix:");
}

/// Changes with anything that answers rest on.
std::string hash_of_data(const web::PageParts& parts, const ask::WorldPlaces& places) {
    std::string all = RIDGELINE_VERSION + parts.bundle;
    for (const auto* files : {&places.prices, &places.calibrations}) {
        for (const TreePath& file : *files) {
            all += file.read().value_or("");
        }
    }
    for (const TreePath& folder : {places.own_prices, places.own_folder}) {
        for (const TreePath& file : folder.json_files()) {
            all += file.read().value_or("");
        }
    }
    return sha256(all);
}

Result<web::DoorSettings> door_settings(const ask::WorldPlaces& places,
                                        const ask::Request& request) {
    web::DoorSettings settings;
    auto token = token_of(request);
    if (!token) {
        return tl::unexpected(token.error());
    }
    const std::string& listen = request.text("listen");
    if (!is_loopback(listen) && token->empty()) {
        return usage_error("--listen",
                           fmt::format("\"{}\" can be reached from other machines", listen),
                           "Give --token-file FILE too; a proxy brings TLS.");
    }
    settings.token = std::move(*token);
    settings.hosts = {"localhost", "127.0.0.1", "::1"};
    if (!listen.empty() && !listen.starts_with("unix:")) {
        settings.hosts.push_back(listen);
    }
    const auto& more = request.texts("host");
    settings.hosts.insert(settings.hosts.end(), more.begin(), more.end());
    auto parts = page_parts(places, request);
    if (!parts) {
        return tl::unexpected(parts.error());
    }
    settings.data_hash = hash_of_data(*parts, places);
    parts->served = true;
    auto file = web::page_file(*parts);
    if (!file) {
        return tl::unexpected(file.error());
    }
    settings.page = std::move(file->html);
    settings.page_policy = std::move(file->policy);
    return settings;
}

Result<int> whole_number(const ask::Request& request, const char* name, double usual, double least,
                         double most) {
    if (!request.given(name)) {
        return static_cast<int>(usual);
    }
    const auto number = ask::number_of(std::string("--") + name, request.text(name), least, most);
    return number ? Result<int>(static_cast<int>(*number)) : tl::unexpected(number.error());
}

}  // namespace

Result<ask::Reply> serve(const ask::World& world, const ask::WorldPlaces& places,
                         const ask::Request& request) {
    const auto port = whole_number(request, "port", usual_port, 0, 65535);
    const auto threads = whole_number(request, "threads", 2, 1, most_answering);
    if (!port || !threads) {
        return tl::unexpected(port ? threads.error() : port.error());
    }
    auto settings = door_settings(places, request);
    if (!settings) {
        return tl::unexpected(settings.error());
    }
    web::Door door(world, std::move(*settings));
    web::ServerSettings server;
    server.listen = request.text("listen");
    server.port = static_cast<std::uint16_t>(*port);
    server.threads = *threads;
    server.started = [&](std::uint16_t found) {
        const std::string& listen = server.listen;
        const bool plain = listen.starts_with("unix:");
        const std::string host = listen.empty()                          ? "localhost"
                                 : listen.find(':') != std::string::npos ? "[" + listen + "]"
                                                                         : listen;
        const std::string where = plain ? listen : fmt::format("http://{}:{}/", host, found);
        std::fputs((where + "\n").c_str(), stdout);
        std::fflush(stdout);
    };
    if (const auto served = web::serve(door, server); !served) {
        return tl::unexpected(served.error());
    }
    return ask::Reply{};
}

}  // namespace ridgeline::cli
