#include "web/door.h"

#include "advise/plans/plan_search.h"
#include "ask/ask.h"
#include "ask/json_door.h"
#include "base/lists.h"
#include "base/text.h"
#include "data/request_document.h"
#include "web/openapi.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

namespace ridgeline::web {
namespace {

constexpr std::size_t most_cached_bytes = std::size_t{64} << 20;
constexpr std::size_t most_searches_waiting = 64;
constexpr std::chrono::milliseconds search_budget{2000};
constexpr std::size_t most_requests_at_once = 64;

/// FNV-1a over 64 bits, twice with different starts: a name for a text, no secret.
std::string hash_of(std::string_view text) {
    std::string out;
    for (std::uint64_t hash : {0xcbf29ce484222325ULL, 0x84222325cbf29ce4ULL}) {
        for (const char letter : text) {
            hash = (hash ^ static_cast<unsigned char>(letter)) * 0x100000001b3ULL;
        }
        out += fmt::format("{:016x}", hash);
    }
    return out;
}

/// Takes the same time wherever the texts first differ.
bool same_secret(std::string_view given, std::string_view expected) {
    unsigned difference = given.size() == expected.size() ? 0 : 1;
    for (std::size_t i = 0; i < given.size(); ++i) {
        difference |= static_cast<unsigned char>(given[i]) ^
                      static_cast<unsigned char>(expected[i % expected.size()]);
    }
    return difference == 0;
}

/// "[::1]:8080" and "[::1]" are "::1"; "localhost:8080" is "localhost".
std::string name_of_host(std::string_view host) {
    if (host.starts_with('[')) {
        const std::size_t end = host.find(']');
        return std::string(host.substr(1, end == std::string_view::npos ? end : end - 1));
    }
    std::string name(host.substr(0, host.find(':')));
    std::transform(name.begin(), name.end(), name.begin(), [](char letter) {
        return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter | 0x20) : letter;
    });
    return name;
}

std::shared_ptr<HttpAnswer> answer_of(int status, std::string media_type, std::string body) {
    auto answer = std::make_shared<HttpAnswer>();
    answer->status = status;
    answer->media_type = std::move(media_type);
    answer->body = std::move(body);
    return answer;
}

SharedAnswer error_answer(int status, const Error& error, std::string extra = {}) {
    auto answer = answer_of(status, "application/json", ask::json_of(error));
    answer->extra = std::move(extra);
    return answer;
}

ask::SearchWatcher watcher_until(std::chrono::steady_clock::time_point end, Departure left) {
    return [end, left = std::move(left)](SearchControl& control) -> std::shared_ptr<void> {
        control.stopped = [end, left] {
            return left->load() || std::chrono::steady_clock::now() > end;
        };
        return nullptr;
    };
}

/// A browser lays the headers of a 304 over those that it kept, so the policy comes along.
SharedAnswer not_changed(const std::string& etag, const std::string& policy = {}) {
    auto answer = answer_of(304, "application/json", "");
    answer->etag = etag;
    answer->policy = policy;
    return answer;
}

}  // namespace

/// What is to be answered: one request of an address, or the text of the JSON door.
struct Door::Job {
    ask::Request request;
    std::string door_text;  ///< empty: `request` is asked
    bool long_one = false;
    std::string key;

    SharedAnswer run(const ask::World& world, const Departure& left) {
        request.watch_search =
            watcher_until(std::chrono::steady_clock::now() + search_budget, left);
        if (!door_text.empty()) {
            return answer_of(200, "application/json",
                             ask::ask_json(world, door_text, request.watch_search) + "\n");
        }
        auto reply = ask::ask(world, request);
        if (!reply) {
            const bool shown = request.text("verb") == "show";
            const bool unknown = shown && reply.error().kind != ErrorKind::internal;
            return error_answer(unknown ? 404 : status_of(reply.error()), reply.error());
        }
        auto answer = answer_of(200, std::move(reply->media_type), std::move(reply->body));
        answer->extra = fmt::format("Ridgeline-Exit-Code: {}\r\n", reply->exit_code);
        return answer;
    }
};

Door::Door(const ask::World& world, DoorSettings settings)
    : world_(world),
      settings_(std::move(settings)),
      cache_(most_cached_bytes),
      desk_(most_searches_waiting) {
    const auto fixed = [&](std::string media_type, std::string body) {
        auto answer = answer_of(200, std::move(media_type), std::move(body));
        answer->etag = '"' + hash_of(answer->body) + '"';
        return answer;
    };
    openapi_ = fixed("application/json", openapi_text());
    if (!settings_.page.empty()) {
        auto page = fixed("text/html; charset=windows-1252", std::move(settings_.page));
        page->policy = settings_.page_policy;
        page_ = std::move(page);
    }
}

SharedAnswer Door::refusal(int status, std::string message) {
    return error_answer(status, Error{ErrorKind::usage, "request", std::move(message), ""});
}

bool Door::addressed_here(std::string_view host) const {
    const std::string name = name_of_host(host);
    return is_among(name, settings_.hosts);
}

SharedAnswer Door::refused(const HttpQuestion& question, std::string_view path) const {
    if (!addressed_here(question.host)) {
        return refusal(
            403, "the Host is no name of this server; `ridgeline serve --host NAME` adds one");
    }
    const std::size_t scheme = question.origin.find("://");
    if (!question.origin.empty() &&
        (scheme == std::string::npos ||
         !addressed_here(std::string_view(question.origin).substr(scheme + 3)))) {
        return refusal(403, "requests of other sites are refused");
    }
    const bool reads = question.method == "GET" || question.method == "HEAD";
    const bool posts = path.starts_with("/api/");
    if (!reads && (question.method != "POST" || !posts)) {
        return error_answer(
            405,
            Error{ErrorKind::usage, "request", posts ? "expected GET or POST" : "expected GET", ""},
            posts ? "Allow: GET, HEAD, POST\r\n" : "Allow: GET, HEAD\r\n");
    }
    const bool open = path == "/" || path == "/healthz";
    if (!settings_.token.empty() && !open &&
        !same_secret(question.authorization, "Bearer " + settings_.token)) {
        return error_answer(401,
                            Error{ErrorKind::usage, "request", "expected the token of this server",
                                  "Send `Authorization: Bearer TOKEN`."},
                            "WWW-Authenticate: Bearer\r\n");
    }
    return nullptr;
}

SharedAnswer Door::page_or_status(const HttpQuestion& question, std::string_view path) {
    SharedAnswer fixed;
    if (path == "/healthz") {
        return answer_of(200, "text/plain; charset=utf-8", "ok\n");
    }
    if (path == "/metrics") {
        return answer_of(200, "text/plain; version=0.0.4; charset=utf-8",
                         metrics.text(desk_.waiting(), cache_.bytes()));
    }
    if (path == "/" || path == "/index.html") {
        fixed = page_;
    } else if (path == "/api/v1/openapi.json") {
        fixed = openapi_;
    }
    return fixed && question.if_none_match == fixed->etag ? not_changed(fixed->etag, fixed->policy)
                                                          : fixed;
}

SharedAnswer Door::answer(const HttpQuestion& question, const Departure& left,
                          std::function<void(SharedAnswer)> later) {
    const auto target = target_of(question.target);
    if (!target) {
        return error_answer(400, target.error());
    }
    if (auto no = refused(question, target->path)) {
        return no;
    }
    if (auto fixed = page_or_status(question, target->path)) {
        return fixed;
    }
    return api(question, *target, left, std::move(later));
}

SharedAnswer Door::api(const HttpQuestion& question, const Target& target, const Departure& left,
                       std::function<void(SharedAnswer)> later) {
    const bool posted = question.method == "POST";
    if (posted && !question.content_type.starts_with("application/json")) {
        return refusal(415, "expected Content-Type: application/json");
    }
    Job job;
    if (target.path == "/api/v1/ask" && posted) {
        bool one = true;
        const auto requests = requests_from_json(question.body, one);
        if (!requests) {
            return error_answer(status_of(requests.error()), requests.error());
        }
        if (requests->size() > most_requests_at_once) {
            return refusal(413, fmt::format("more than {} requests", most_requests_at_once));
        }
        for (const RequestDocument& each : *requests) {
            ask::Request request;
            request.command = each.command;
            request.options = each.options;
            job.long_one = job.long_one || is_search(request);
        }
        job.door_text = question.body;
        job.key = "ask" + std::string(1, '\0') + question.body;
        return run(std::move(job), question, left, std::move(later));
    }
    const ApiRow* row = api_row(target.path);
    if (row == nullptr) {
        return error_answer(404, Error{ErrorKind::usage, target.path, "is nothing here",
                                       "/api/v1/openapi.json lists what there is."});
    }
    auto request = api_request(*row, target, posted ? question.body : "");
    if (!request) {
        return error_answer(status_of(request.error()), request.error());
    }
    job.key = canonical(*request);
    job.long_one = is_search(*request);
    job.request = std::move(*request);
    return run(std::move(job), question, left, std::move(later));
}

SharedAnswer Door::run(Job job, const HttpQuestion& question, const Departure& left,
                       std::function<void(SharedAnswer)> later) {
    // Prices age, so the day is part of what was asked.
    job.key = ask::today() + job.key;
    const std::string etag = '"' + hash_of(settings_.data_hash + job.key) + '"';
    if (question.if_none_match == etag) {
        return not_changed(etag);
    }
    SharedAnswer known = cache_.find(job.key);
    metrics.looked_up(known != nullptr);
    if (known) {
        return known;
    }
    const bool long_one = job.long_one;
    auto make = [this, etag, left, long_one, job = std::move(job)]() mutable {
        SharedAnswer made = job.run(world_, left);
        if (made->status != 200) {
            return made;
        }
        auto kept = std::make_shared<HttpAnswer>(*made);
        // What a deadline cut short may be better the next time.
        if (!long_one || !contains(kept->body, "\"stopped\": true")) {
            kept->etag = etag;
            cache_.keep(job.key, kept);
        }
        return SharedAnswer(kept);
    };
    if (!long_one) {
        return make();
    }
    const bool taken = desk_.take(
        [make = std::move(make), later = std::move(later)]() mutable { later(make()); }, left);
    return taken ? nullptr
                 : error_answer(429,
                                Error{ErrorKind::usage, "request", "too many searches wait",
                                      "Ask again in a few seconds."},
                                "Retry-After: 2\r\n");
}

}  // namespace ridgeline::web
