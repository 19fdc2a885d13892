#pragma once

#include <cstddef>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>

namespace ridgeline::web {

/// An answer over HTTP without what changes from one sending to the next.
struct HttpAnswer {
    int status = 200;
    std::string media_type = "application/json";
    std::string etag;    ///< with its quotes; empty: may not be kept
    std::string policy;  ///< Content-Security-Policy; empty: that of the API
    std::string extra;   ///< further header lines, each with its CRLF
    std::string body;
};
using SharedAnswer = std::shared_ptr<const HttpAnswer>;

/// Answers by canonical request, the least recently used ones dropped. Threads may share it.
class ReplyCache {
public:
    explicit ReplyCache(std::size_t most_bytes) : most_bytes_(most_bytes) {}

    SharedAnswer find(const std::string& key);
    void keep(const std::string& key, const SharedAnswer& answer);
    [[nodiscard]] std::size_t bytes() const;

private:
    struct Entry {
        std::string key;
        SharedAnswer answer;
    };
    static std::size_t size_of(const Entry& entry);

    std::size_t most_bytes_;
    std::size_t bytes_ = 0;
    mutable std::mutex mutex_;
    std::list<Entry> recent_;  ///< the last used first
    std::unordered_map<std::string_view, std::list<Entry>::iterator> places_;
};

}  // namespace ridgeline::web
