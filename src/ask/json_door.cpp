#include "ask/json_door.h"

#include "base/utf8.h"
#include "data/request_document.h"

#include <fmt/format.h>

#include <utility>

namespace ridgeline::ask {
namespace {

std::string without_last_newline(std::string text) {
    if (!text.empty() && text.back() == '\n') {
        text.pop_back();
    }
    return text;
}

std::string answer_text(const World& world, RequestDocument document, const SearchWatcher& watch) {
    Request request;
    request.command = std::move(document.command);
    request.options = std::move(document.options);
    request.workload = std::move(document.workload);
    request.watch_search = watch;
    auto reply = ask(world, request);
    if (!reply) {
        return error_json(reply.error());
    }
    const bool json = reply->media_type == "application/json";
    std::string text =
        fmt::format("{{\"exit_code\":{},\"media_type\":{},\"body\":", reply->exit_code,
                    json_string(reply->media_type));
    if (json) {
        text.reserve(text.size() + reply->body.size() + 1);
        text += without_last_newline(std::move(reply->body));
    } else {
        text += json_string(reply->body);
    }
    if (!reply->messages.empty()) {
        text += ",\"messages\":" + json_string(reply->messages);
    }
    return text + "}";
}

}  // namespace

std::string error_json(const Error& error) {
    return fmt::format("{{\"exit_code\":{},\"media_type\":\"application/json\",\"body\":{}}}",
                       exit_code_of(error), without_last_newline(json_of(error)));
}

std::string ask_json(const World& world, std::string_view requests, const SearchWatcher& watch) {
    bool one = true;
    auto documents = requests_from_json(requests, one);
    if (!documents) {
        return error_json(documents.error());
    }
    if (one) {
        return answer_text(world, std::move(documents->front()), watch);
    }
    std::string text = "[";
    for (RequestDocument& document : *documents) {
        text += (text.size() > 1 ? "," : "") + answer_text(world, std::move(document), watch);
    }
    return text + "]";
}

}  // namespace ridgeline::ask
