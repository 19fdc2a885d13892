#include "web/server.h"

#include "web/connection.h"

#include <boost/asio/basic_socket_acceptor.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/address.hpp>
#include <boost/asio/ip/v6_only.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <fmt/format.h>

#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <sys/resource.h>
#include <thread>
#include <unistd.h>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ridgeline::web {
namespace {

namespace asio = boost::asio;
using Generic = asio::generic::stream_protocol;
using Acceptor = asio::basic_socket_acceptor<Generic, asio::io_context::executor_type>;
using Code = boost::system::error_code;

constexpr std::size_t most_connections = 4096;
constexpr int most_of_an_address = 256;
constexpr std::chrono::seconds last_answers{5};
constexpr std::chrono::milliseconds breath{100};

/// The address of a peer without its port; empty for this machine and Unix sockets.
std::string foreign_address(const Generic::endpoint& peer) {
    asio::ip::tcp::endpoint point;
    const int family = peer.protocol().family();
    if ((family != AF_INET && family != AF_INET6) || peer.size() > point.capacity()) {
        return {};
    }
    std::memcpy(point.data(), peer.data(), peer.size());
    point.resize(peer.size());
    return point.address().is_loopback() ? std::string() : point.address().to_string();
}

class Server {
public:
    Server(Door& door, const ServerSettings& settings);
    Result<void> run();

private:
    /// One thread with its own connections.
    struct Lane {
        asio::io_context context{1};
        asio::executor_work_guard<asio::io_context::executor_type> work{context.get_executor()};
        std::unordered_map<Connection*, std::weak_ptr<Connection>> open;
    };

    /// One address that is listened at.
    struct Gate {
        explicit Gate(asio::io_context& context) : acceptor(context), pause(context) {}
        Acceptor acceptor;
        asio::steady_timer pause;
    };

    Result<void> listen();
    Result<void> listen_at(const Generic::endpoint& where, const std::string& shown);
    void accept(Gate& gate);
    void on_accept(Gate& gate, Code error, Stream::socket_type socket, std::size_t lane);
    void open(Lane& lane, Stream::socket_type socket);
    void stop();
    void await_end();
    bool take_place(const std::string& address);
    void give_place(const std::string& address);

    Door& door_;
    const ServerSettings& settings_;
    std::vector<std::unique_ptr<Lane>> lanes_;
    std::vector<std::unique_ptr<Gate>> gates_;
    asio::steady_timer end_;
    std::size_t next_lane_ = 0;
    std::uint16_t port_;
    std::mutex places_mutex_;
    std::map<std::string, int> places_;  ///< connections by foreign address
    std::size_t taken_ = 0;
    bool stopping_ = false;
    std::chrono::steady_clock::time_point latest_end_;
};

Server::Server(Door& door, const ServerSettings& settings)
    : door_(door),
      settings_(settings),
      lanes_([&] {
          std::vector<std::unique_ptr<Lane>> lanes;
          for (int i = 0; i < settings.threads; ++i) {
              lanes.push_back(std::make_unique<Lane>());
          }
          return lanes;
      }()),
      end_(lanes_.front()->context),
      port_(settings.port) {}

Result<void> Server::listen_at(const Generic::endpoint& where, const std::string& shown) {
    auto gate = std::make_unique<Gate>(lanes_.front()->context);
    Acceptor* const acceptor = &gate->acceptor;
    Code error;
    acceptor->open(where.protocol(), error);
    if (!error && where.protocol().family() == AF_INET6) {
        acceptor->set_option(asio::ip::v6_only(true), error);
    }
    if (!error && where.protocol().family() != AF_UNIX) {
        acceptor->set_option(asio::socket_base::reuse_address(true), error);
    }
    if (!error) {
        acceptor->bind(where, error);
    }
    if (!error) {
        acceptor->listen(asio::socket_base::max_listen_connections, error);
    }
    if (error) {
        return tl::unexpected(Error{ErrorKind::internal, shown,
                                    fmt::format("cannot be listened at ({})", error.message()),
                                    "Choose another with --port or --listen."});
    }
    gates_.push_back(std::move(gate));
    return {};
}

Result<void> Server::listen() {
    if (settings_.listen.starts_with("unix:")) {
        const std::string path = settings_.listen.substr(5);
        if (path.empty() || path.size() > 100) {
            return usage_error("--listen", "expected unix:PATH with at most 100 bytes");
        }
        return listen_at(asio::local::stream_protocol::endpoint(path), settings_.listen);
    }
    const bool both = settings_.listen.empty();
    Code error;
    const auto address = asio::ip::make_address(both ? "127.0.0.1" : settings_.listen, error);
    if (error) {
        return usage_error("--listen",
                           fmt::format("found \"{}\", expected an address", settings_.listen),
                           "Example: --listen 0.0.0.0, or unix:/run/ridgeline.sock.");
    }
    const auto shown = fmt::format("{} port {}", address.to_string(), port_);
    if (auto done = listen_at(asio::ip::tcp::endpoint(address, port_), shown); !done) {
        return done;
    }
    asio::ip::tcp::endpoint found;
    const Generic::endpoint here = gates_.front()->acceptor.local_endpoint();
    std::memcpy(found.data(), here.data(), here.size());
    port_ = found.port();
    if (both) {
        // A machine without IPv6 still serves.
        const auto also = asio::ip::tcp::endpoint(asio::ip::address_v6::loopback(), port_);
        static_cast<void>(listen_at(also, shown));
    }
    return {};
}

bool Server::take_place(const std::string& address) {
    const std::lock_guard lock(places_mutex_);
    ++taken_;
    const bool crowded = !address.empty() && ++places_[address] > most_of_an_address;
    return taken_ <= most_connections && !crowded;
}

void Server::give_place(const std::string& address) {
    const std::lock_guard lock(places_mutex_);
    --taken_;
    if (!address.empty() && --places_[address] == 0) {
        places_.erase(address);
    }
}

void Server::accept(Gate& gate) {
    const std::size_t lane = next_lane_++ % lanes_.size();
    gate.acceptor.async_accept(lanes_[lane]->context.get_executor(),
                               [this, &gate, lane](Code error, Stream::socket_type socket) {
                                   on_accept(gate, error, std::move(socket), lane);
                               });
}

void Server::on_accept(Gate& gate, Code error, Stream::socket_type socket, std::size_t lane) {
    if (stopping_) {
        return;
    }
    if (error) {
        // Without file descriptors an accept fails at once, again and again.
        gate.pause.expires_after(breath);
        gate.pause.async_wait([this, &gate](Code) {
            if (!stopping_) {
                accept(gate);
            }
        });
        return;
    }
    Lane& home = *lanes_[lane];
    asio::post(home.context, [this, &home, socket = std::move(socket)]() mutable {
        open(home, std::move(socket));
    });
    accept(gate);
}

void Server::open(Lane& lane, Stream::socket_type socket) {
    Code error;
    const Generic::endpoint peer = socket.remote_endpoint(error);
    const std::string address = error ? std::string() : foreign_address(peer);
    if (peer.protocol().family() != AF_UNIX) {
        socket.set_option(asio::ip::tcp::no_delay(true), error);
    }
    const bool room = take_place(address);
    auto made = std::make_shared<Connection>(std::move(socket), door_, !room,
                                             [this, address] { give_place(address); });
    lane.open.insert_or_assign(made.get(), made);
    made->start();
    // Forgets those that ended, now and then.
    if (lane.open.size() > 64 && (lane.open.size() & (lane.open.size() - 1)) == 0) {
        std::erase_if(lane.open, [](const auto& each) { return each.second.expired(); });
    }
}

void Server::stop() {
    if (std::exchange(stopping_, true)) {
        return;
    }
    Code ignored;
    for (const auto& gate : gates_) {
        gate->acceptor.close(ignored);
        gate->pause.cancel();
    }
    for (const auto& lane : lanes_) {
        asio::post(lane->context, [&lane = *lane] {
            for (const auto& [place, weak] : lane.open) {
                if (const auto connection = weak.lock()) {
                    connection->stop();
                }
            }
        });
    }
    latest_end_ = std::chrono::steady_clock::now() + last_answers;
    await_end();
}

void Server::await_end() {
    const auto open = [this] {
        const std::lock_guard lock(places_mutex_);
        return taken_ > 0;
    };
    if (open() && std::chrono::steady_clock::now() < latest_end_) {
        end_.expires_after(breath / 4);
        end_.async_wait([this](Code) { await_end(); });
        return;
    }
    for (const auto& lane : lanes_) {
        lane->context.stop();
    }
}

Result<void> Server::run() {
    if (auto listening = listen(); !listening) {
        return listening;
    }
    asio::signal_set signals(lanes_.front()->context, SIGTERM, SIGINT);
    signals.async_wait([this](Code error, int) {
        if (!error) {
            stop();
        }
    });
    for (const auto& gate : gates_) {
        accept(*gate);
    }
    settings_.started(port_);
    std::vector<std::thread> others;
    for (std::size_t i = 1; i < lanes_.size(); ++i) {
        others.emplace_back([&lane = *lanes_[i]] { lane.context.run(); });
    }
    lanes_.front()->context.run();
    for (std::thread& other : others) {
        other.join();
    }
    if (settings_.listen.starts_with("unix:")) {
        unlink(settings_.listen.c_str() + 5);
    }
    return {};
}

}  // namespace

Result<void> serve(Door& door, const ServerSettings& settings) {
    rlimit files{};
    if (getrlimit(RLIMIT_NOFILE, &files) == 0) {
        files.rlim_cur = files.rlim_max;
        static_cast<void>(setrlimit(RLIMIT_NOFILE, &files));
    }
    return Server(door, settings).run();
}

}  // namespace ridgeline::web
