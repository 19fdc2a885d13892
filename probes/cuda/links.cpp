#include "probes/cuda/links.h"

#include "probes/cuda/kernels.h"

#include <chrono>
#include <cstdlib>
#include <memory>

namespace probes {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double kibibyte = 1024;

double since(Clock::time_point begin) {
    return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// Host memory, pinned or as malloc gives it.
class HostBuffer {
public:
    HostBuffer(std::size_t bytes, bool pinned) : pinned_(pinned) {
        if (pinned) {
            check(cudaHostAlloc(&memory_, bytes, cudaHostAllocDefault), "cudaHostAlloc");
        } else {
            memory_ = std::calloc(bytes, 1);
        }
    }
    HostBuffer(const HostBuffer&) = delete;
    HostBuffer& operator=(const HostBuffer&) = delete;
    ~HostBuffer() {
        if (pinned_) {
            cudaFreeHost(memory_);
        } else {
            std::free(memory_);
        }
    }
    [[nodiscard]] char* get() const { return static_cast<char*>(memory_); }

private:
    void* memory_ = nullptr;
    bool pinned_;
};

template <typename Once>
Summary repeat(double budget_s, std::size_t least, const Once& once) {
    once();
    std::vector<double> seconds;
    const Clock::time_point begin = Clock::now();
    do {
        seconds.push_back(once());
    } while (!settled(seconds, least) && since(begin) < budget_s && seconds.size() < 400);
    return summary_of(seconds);
}

void report(const LinkRun& run,
            const char* kind,
            const std::string& name,
            double bytes,
            const Summary& time) {
    RidgelinePoint point{};
    point.kind = kind;
    point.name = name.c_str();
    point.bytes = bytes;
    run.reporter.point(point, time, time.noisy() ? "noisy" : "");
}

std::vector<double> sizes_of(bool quick) {
    std::vector<double> sizes;
    for (double bytes = 4 * kibibyte; bytes <= 256 * kibibyte * kibibyte; bytes *= quick ? 64 : 4) {
        sizes.push_back(bytes);
    }
    return sizes;
}

void measure_host_size(const LinkRun& run, double bytes, bool pinned, double budget_s) {
    const auto count = static_cast<std::size_t>(bytes);
    const HostBuffer up(count, pinned);
    const HostBuffer down(count, pinned);
    const Buffer to(count);
    const Buffer from(count);
    const Stream first;
    const Stream second;
    const char* kind = pinned ? "pinned" : "pageable";
    const auto upload = [&] {
        check(cudaMemcpyAsync(to.at(), up.get(), count, cudaMemcpyHostToDevice, first.get()),
              "copy");
    };
    const auto download = [&](const Stream& stream) {
        check(cudaMemcpyAsync(down.get(), from.at(), count, cudaMemcpyDeviceToHost, stream.get()),
              "copy");
    };
    report(run, "host_link", std::string("h2d ") + kind, bytes, repeat(budget_s, 10, [&] {
               return run.timer.seconds(first.get(), upload);
           }));
    report(run, "host_link", std::string("d2h ") + kind, bytes, repeat(budget_s, 10, [&] {
               return run.timer.seconds(first.get(), [&] { download(first); });
           }));
    if (pinned) {
        report(run, "host_link", "both pinned", bytes, repeat(budget_s, 10, [&] {
                   const Clock::time_point begin = Clock::now();
                   upload();
                   download(second);
                   first.wait();
                   second.wait();
                   return since(begin);
               }));
    }
}

}  // namespace

void measure_host_links(const LinkRun& run) {
    const std::vector<double> sizes = sizes_of(run.quick);
    const double each = run.budget_s / (5.0 * static_cast<double>(sizes.size()));
    for (const double bytes : sizes) {
        for (const bool pinned : {true, false}) {
            if (!run.reporter.cancelled()) {
                measure_host_size(run, bytes, pinned, each);
            }
        }
    }
}

void measure_peer_links(const LinkRun& run) {
    int devices = 0;
    check(cudaGetDeviceCount(&devices), "device count");
    const auto count = static_cast<std::size_t>(512 * kibibyte * kibibyte);
    for (int other = 0; other < devices && !run.reporter.cancelled(); ++other) {
        int reachable = 0;
        if (other == run.device ||
            cudaDeviceCanAccessPeer(&reachable, run.device, other) != cudaSuccess) {
            continue;
        }
        if (reachable != 0 && cudaDeviceEnablePeerAccess(other, 0) != cudaSuccess) {
            cudaGetLastError();  // enabled before
        }
        const Buffer here(2 * count);
        check(cudaSetDevice(other), "device");
        const auto there = std::make_unique<Buffer>(2 * count);
        check(cudaSetDevice(run.device), "device");
        const Stream first;
        const Stream second;
        const auto send = [&] {
            check(
                cudaMemcpyPeerAsync(there->at(), other, here.at(), run.device, count, first.get()),
                "peer copy");
        };
        const std::string end =
            " to device " + std::to_string(other) + (reachable != 0 ? "" : " through the host");
        report(run, "peer_link", "one way" + end, static_cast<double>(count), repeat(0.5, 10, [&] {
                   return run.timer.seconds(first.get(), send);
               }));
        report(
            run, "peer_link", "both ways" + end, static_cast<double>(count), repeat(0.5, 10, [&] {
                const Clock::time_point begin = Clock::now();
                send();
                check(cudaMemcpyPeerAsync(
                          here.at(count), run.device, there->at(count), other, count, second.get()),
                      "peer copy");
                first.wait();
                second.wait();
                return since(begin);
            }));
    }
}

void measure_launches(const LinkRun& run) {
    const Stream stream;
    const double each = run.budget_s / 3;
    constexpr int burst = 500;  // below the about 1000 launches that a queue holds
    report(run, "launch", "host", 0, repeat(each, 10, [&] {
               stream.wait();
               const Clock::time_point begin = Clock::now();
               for (int i = 0; i < burst; ++i) {
                   empty_launch(stream.get());
               }
               return since(begin) / burst;
           }));
    stream.wait();
    const Graph graph(stream.get(), [&] {
        for (int i = 0; i < burst; ++i) {
            empty_launch(stream.get());
        }
    });
    report(run, "launch", "graph gap", 0, repeat(each, 10, [&] {
               return run.timer.seconds(stream.get(), [&] { graph.launch(stream.get()); }) / burst;
           }));
    report(run, "launch", "synchronize", 0, repeat(each, 50, [&] {
               const Clock::time_point begin = Clock::now();
               empty_launch(stream.get());
               stream.wait();
               return since(begin);
           }));
}

}  // namespace probes
