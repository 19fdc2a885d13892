#include "web/connection.h"

#include <boost/asio/post.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/http/read.hpp>
#include <fmt/format.h>

#include <array>
#include <ctime>
#include <string_view>
#include <sys/socket.h>
#include <utility>

namespace ridgeline::web {
namespace {

namespace http = boost::beast::http;
namespace asio = boost::asio;

constexpr std::chrono::seconds whole_request{10};
constexpr std::chrono::seconds idle{30};
constexpr std::chrono::seconds last_words{1};
constexpr std::uint32_t most_header_bytes = 8 << 10;
constexpr std::uint64_t most_body_bytes = 256 << 10;
constexpr int most_requests = 1000;

constexpr std::string_view api_policy = "default-src 'none'; frame-ancestors 'none'";

std::string_view reason_of(int status) {
    const auto reason = http::obsolete_reason(static_cast<http::status>(status));
    return {reason.data(), reason.size()};
}

/// The day and time as HTTP writes them, made once a second on each thread.
const std::string& date_now() {
    thread_local std::time_t made = 0;
    thread_local std::string text;
    const std::time_t now = std::time(nullptr);
    if (now != made) {
        std::tm parts{};
        gmtime_r(&now, &parts);
        std::array<char, 40> buffer{};
        const std::size_t size =
            std::strftime(buffer.data(), buffer.size(), "%a, %d %b %Y %H:%M:%S GMT", &parts);
        text.assign(buffer.data(), size);
        made = now;
    }
    return text;
}

std::string head_of(const HttpAnswer& answer, bool keep) {
    std::string text = fmt::format("HTTP/1.1 {} {}\r\nDate: {}\r\nServer: ridgeline\r\n",
                                   answer.status, reason_of(answer.status), date_now());
    if (answer.status != 304) {
        text += fmt::format("Content-Type: {}\r\nContent-Length: {}\r\n", answer.media_type,
                            answer.body.size());
    }
    if (!answer.etag.empty()) {
        text += fmt::format("ETag: {}\r\nCache-Control: no-cache\r\n", answer.etag);
    } else {
        text += "Cache-Control: no-store\r\n";
    }
    text += fmt::format("Content-Security-Policy: {}\r\n",
                        answer.policy.empty() ? api_policy : std::string_view(answer.policy));
    text +=
        "X-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\n"
        "Cross-Origin-Opener-Policy: same-origin\r\n";
    text += answer.extra;
    text += keep ? "\r\n" : "Connection: close\r\n\r\n";
    return text;
}

std::string text_of(boost::beast::string_view text) { return {text.data(), text.size()}; }

}  // namespace

Connection::Connection(Stream::socket_type socket, Door& door, bool full,
                       std::function<void()> closed)
    : stream_(std::move(socket)), door_(door), closed_(std::move(closed)), full_(full) {
    ++door_.metrics.accepted;
    ++door_.metrics.connections;
}

Connection::~Connection() {
    --door_.metrics.connections;
    closed_();
}

void Connection::stop() {
    stopping_ = true;
    if (!busy_) {
        stream_.close();
    }
}

void Connection::read_begin() {
    busy_ = false;
    if (stopping_) {
        stream_.close();
        return;
    }
    parser_.emplace();
    parser_->header_limit(most_header_bytes);
    parser_->body_limit(most_body_bytes);
    // One deadline for all of a request: a slow client must not win time with each byte.
    stream_.expires_after(requests_ == 0 ? whole_request : idle);
    http::async_read_some(
        stream_, buffer_, *parser_,
        [self = shared_from_this()](Error error, std::size_t) { self->on_begin(error); });
}

void Connection::on_begin(Error error) {
    busy_ = true;
    if (error || parser_->is_done()) {
        on_read(error);
        return;
    }
    if (requests_ > 0) {
        stream_.expires_after(whole_request);
    }
    http::async_read(
        stream_, buffer_, *parser_,
        [self = shared_from_this()](Error problem, std::size_t) { self->on_read(problem); });
}

void Connection::on_read(Error error) {
    ++requests_;
    asked_ = std::chrono::steady_clock::now();
    if (error) {
        refuse(error);
        return;
    }
    const auto& request = parser_->get();
    keep_ = request.keep_alive() && requests_ < most_requests && !stopping_ && !full_;
    if (request.count(http::field::host) != 1) {
        keep_ = false;
        write(Door::refusal(400, "expected one Host"));
    } else if (full_) {
        write(Door::refusal(503, "too many connections are open"));
    } else {
        ask();
    }
}

void Connection::refuse(Error error) {
    keep_ = false;
    if (error == boost::beast::error::timeout) {
        ++door_.metrics.out_of_time;
        return;
    }
    const bool readable =
        error.category() == make_error_code(http::error::bad_line_ending).category();
    if (!readable || error == http::error::end_of_stream || error == http::error::partial_message) {
        return;
    }
    if (error == http::error::header_limit) {
        write(Door::refusal(431,
                            fmt::format("the header is longer than {} bytes", most_header_bytes)));
    } else if (error == http::error::body_limit) {
        write(Door::refusal(413, fmt::format("the body is longer than {} bytes", most_body_bytes)));
    } else {
        write(Door::refusal(400, "no HTTP request: " + error.message()));
    }
}

void Connection::ask() {
    auto request = parser_->release();
    question_ = {.method = text_of(request.method_string()),
                 .target = text_of(request.target()),
                 .host = text_of(request[http::field::host]),
                 .origin = text_of(request[http::field::origin]),
                 .authorization = text_of(request[http::field::authorization]),
                 .if_none_match = text_of(request[http::field::if_none_match]),
                 .content_type = text_of(request[http::field::content_type]),
                 .body = std::move(request.body())};
    left_ = std::make_shared<std::atomic<bool>>(false);
    // Runs on the thread of searches, which must never be the one to destroy a connection.
    auto later = [weak = weak_from_this(), home = stream_.get_executor()](SharedAnswer made) {
        asio::post(home, [weak, made = std::move(made)] {
            if (const auto self = weak.lock()) {
                self->write(made);
            }
        });
    };
    waiting_ = shared_from_this();
    if (const SharedAnswer made = door_.answer(question_, left_, std::move(later))) {
        write(made);
    } else {
        watch_for_departure();
    }
}

/// While a search runs: a client that closes its end is gone, and so is the reason to search.
void Connection::watch_for_departure() {
    stream_.expires_never();
    stream_.socket().async_wait(
        Stream::socket_type::wait_read, [self = shared_from_this(), left = left_](Error error) {
            char byte = 0;
            const auto seen = error ? ssize_t{-1}
                                    : recv(self->stream_.socket().native_handle(), &byte, 1,
                                           MSG_PEEK | MSG_DONTWAIT);
            if (seen == 0) {
                *left = true;
                self->waiting_.reset();
            }
        });
}

void Connection::write(const SharedAnswer& answer) {
    const auto self = shared_from_this();
    answer_ = answer;
    if (std::exchange(waiting_, nullptr)) {
        // The watch for a departure. A request that had come when the server was told to stop finds
        // its socket closed.
        Error closed;
        stream_.socket().cancel(closed);
    }
    const bool head_alone = question_.method == "HEAD";
    head_ = head_of(*answer, keep_);
    const auto took = std::chrono::steady_clock::now() - asked_;
    door_.metrics.answered(answer->status, std::chrono::duration<double>(took).count());
    const std::array<asio::const_buffer, 2> parts = {
        asio::buffer(head_), head_alone ? asio::const_buffer() : asio::buffer(answer_->body)};
    stream_.expires_after(whole_request);
    asio::async_write(stream_, parts,
                      [self](Error error, std::size_t) { self->on_written(error); });
}

void Connection::on_written(Error error) {
    answer_.reset();
    if (error == boost::beast::error::timeout) {
        ++door_.metrics.out_of_time;
    }
    if (error) {
        return;
    }
    if (keep_) {
        read_begin();
    } else {
        linger();
    }
}

/// Reads what still comes before closing: a reset would take the answer away from the client.
void Connection::linger() {
    Error ignored;
    stream_.socket().shutdown(Stream::socket_type::shutdown_send, ignored);
    buffer_.clear();
    stream_.expires_after(last_words);
    stream_.async_read_some(buffer_.prepare(most_header_bytes),
                            [self = shared_from_this()](Error, std::size_t) {});
}

}  // namespace ridgeline::web
