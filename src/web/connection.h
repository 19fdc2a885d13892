#pragma once

#include "web/door.h"

#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/strand.hpp>
#include <boost/beast/core/basic_stream.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace ridgeline::web {

/// TCP and Unix sockets alike; each lives on one thread.
using Stream = boost::beast::basic_stream<boost::asio::generic::stream_protocol,
                                          boost::asio::io_context::executor_type>;

/// One client: reads requests within their deadlines, writes answers, one after the other.
class Connection : public std::enable_shared_from_this<Connection> {
public:
    /// full    too many connections are open: whatever is asked gets 503
    /// closed  called as the object ends
    Connection(Stream::socket_type socket, Door& door, bool full, std::function<void()> closed);
    ~Connection();
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;

    void start() { read_begin(); }
    /// Ends after what runs; at once when nothing does.
    void stop();

private:
    using Error = boost::system::error_code;

    void read_begin();
    void on_begin(Error error);
    void on_read(Error error);
    void refuse(Error error);
    void ask();
    void watch_for_departure();
    void write(const SharedAnswer& answer);
    void on_written(Error error);
    void linger();

    Stream stream_;
    Door& door_;
    std::function<void()> closed_;
    boost::beast::flat_buffer buffer_;
    std::optional<boost::beast::http::request_parser<boost::beast::http::string_body>> parser_;
    HttpQuestion question_;
    std::string head_;
    SharedAnswer answer_;
    Departure left_;
    std::shared_ptr<Connection> waiting_;  ///< itself, while a search is made for it
    std::chrono::steady_clock::time_point asked_;
    int requests_ = 0;
    bool full_ = false;
    bool keep_ = true;
    bool busy_ = false;  ///< between the first byte of a request and the last of its answer
    bool stopping_ = false;
};

}  // namespace ridgeline::web
