#include "probes/cpu/blas.h"
#include "probes/cpu/disk.h"
#include "probes/cpu/fma_peak.h"
#include "probes/cpu/streams.h"
#include "probes/sampling.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <thread>
#include <unistd.h>
#include <vector>

// What this CPU does: the peak of its multiply-adds, products of OpenBLAS, memory streams, disk.

namespace probes {
namespace {

using Clock = std::chrono::steady_clock;

double since(Clock::time_point begin) {
    return std::chrono::duration<double>(Clock::now() - begin).count();
}

constexpr double two_pi = 6.283185307179586;
constexpr std::size_t checked_elements = 32;

/// Normal(0, 1) by Box and Muller from a counter.
template <typename T>
void fill_normal(T* values, std::size_t count, std::uint64_t seed, int threads) {
    std::vector<std::thread> pool;
    const auto parts = static_cast<std::size_t>(threads);
    for (std::size_t t = 0; t < parts; ++t) {
        pool.emplace_back([=] {
            for (std::size_t i = count * t / parts; i < count * (t + 1) / parts; ++i) {
                const double u = (static_cast<double>(mixed(seed, 2 * i) >> 11) + 1) * 0x1p-53;
                const double v = static_cast<double>(mixed(seed, 2 * i + 1) >> 11) * 0x1p-53;
                values[i] = static_cast<T>(std::sqrt(-2 * std::log(u)) * std::cos(two_pi * v));
            }
        });
    }
    for (std::thread& thread : pool) {
        thread.join();
    }
}

/// One point to measure and the time that it may take.
struct Step {
    std::string what;
    std::function<void()> run;
};

class CpuProbe {
public:
    CpuProbe(const RidgelineProbeRequest& request, const RidgelineProbeHost& host)
        : request_(request),
          host_(host),
          threads_(std::max(1, static_cast<int>(std::thread::hardware_concurrency()))),
          quick_(request.budget_s < 30),
          begin_(Clock::now()) {}

    int run(std::string& message) {
        if ((request_.kinds & RIDGELINE_PROBE_GEMM) != 0) {
            plan_peaks();
        }
        if ((request_.kinds & RIDGELINE_PROBE_COPY) != 0) {
            plan_streams();  // before the products, whose fractions refer to these rates
        }
        if ((request_.kinds & RIDGELINE_PROBE_GEMM) != 0) {
            plan_products(message);
        }
        if ((request_.kinds & RIDGELINE_PROBE_STORAGE) != 0) {
            steps_.push_back({"disk read", [this] { measure_disk(); }});
        }
        if (steps_.empty()) {
            message =
                message.empty() ? "nothing to measure: a CPU has gemm, copy and storage" : message;
            return RIDGELINE_PROBE_ABSENT;
        }
        if (!message.empty()) {
            Reporter(host_, 1, 0).warn(message);
            message.clear();
        }
        reporter_ =
            std::make_unique<Reporter>(host_, static_cast<int>(steps_.size()), request_.budget_s);
        reporter_->fact("vectors", vector_kind());
        reporter_->fact("data", "normal(0, 1), seed " + std::to_string(request_.seed));
        if (blas_) {
            reporter_->fact("blas", blas_->name());
        }
        warn_of_environment();
        int left_out = 0;
        for (const Step& step : steps_) {
            if (reporter_->cancelled()) {
                break;
            }
            if (since(begin_) > request_.budget_s) {
                ++left_out;
                continue;
            }
            step.run();
            reporter_->step(step.what, since(begin_));
        }
        if (left_out > 0) {
            reporter_->warn("the time was over before " + std::to_string(left_out) +
                            " points: they were left out");
        }
        return RIDGELINE_PROBE_OK;
    }

private:
    double step_seconds() const {
        return 0.8 * request_.budget_s / static_cast<double>(steps_.size());
    }

    /// Repeats until the interquartile range is below 1 % or the step's share of the time is used.
    template <typename Once>
    Summary repeat(Once once) {
        std::vector<double> seconds;
        once();  // warm: pages, code, clock
        const Clock::time_point begin = Clock::now();
        do {
            seconds.push_back(once());
        } while (!settled(seconds, 10) && since(begin) < step_seconds() && seconds.size() < 200 &&
                 !reporter_->cancelled());
        return summary_of(seconds);
    }

    /// Another process on a core slows many repetitions, never speeds one up: the least counts.
    static std::string flags_of(const Summary& time) {
        return time.least < 0.9 * time.median ? "best of,disturbed" : "best of";
    }

    /// A setting that makes the library work for another CPU than this one.
    void warn_of_environment() const {
        const char* core = std::getenv("OPENBLAS_CORETYPE");
        if (blas_ && core != nullptr) {
            reporter_->warn(std::string("OPENBLAS_CORETYPE=") + core +
                            " is set: the library may work for another CPU than this one");
        }
    }

    void plan_peaks() {
        for (const bool fp64 : {false, true}) {
            for (const int threads : quick_ ? std::vector<int>{threads_} : thread_counts()) {
                steps_.push_back({"peak", [this, fp64, threads] {
                                      const long rounds = 1000000;
                                      double flop = 0;
                                      const Summary time = repeat([&] {
                                          const FmaRun run = fma_run(fp64, threads, rounds);
                                          flop = run.flop;
                                          return run.seconds;
                                      });
                                      RidgelinePoint point{};
                                      point.kind = "vector";
                                      point.name = fp64 ? "fp64" : "fp32";
                                      point.threads = threads;
                                      point.work_flop = flop;
                                      reporter_->point(point, time, flags_of(time));
                                  }});
            }
        }
    }

    std::vector<int> thread_counts() const {
        return threads_ > 1 ? std::vector<int>{1, threads_} : std::vector<int>{1};
    }

    std::vector<Shape> shapes() const {
        if (quick_) {
            return {{4096, 4096, 4096},
                    {1024, 1024, 1024},
                    {1, 4096, 4096},
                    {64, 4096, 1024},
                    {256, 1024, 4096},
                    {16, 4096, 4096},
                    {512, 2048, 2048},
                    {1, 1024, 4096},
                    {2048, 2048, 2048}};
        }
        std::vector<Shape> shapes{
            {4096, 4096, 4096}, {2048, 2048, 2048}, {1024, 1024, 1024}, {512, 512, 512}};
        for (const double m : {1.0, 16.0, 64.0, 256.0, 1024.0}) {
            for (const auto& [n, k] : {std::pair{4096.0, 4096.0},
                                       std::pair{1024.0, 4096.0},
                                       std::pair{4096.0, 1024.0},
                                       std::pair{2048.0, 2048.0}}) {
                shapes.push_back({m, n, k});
            }
        }
        return shapes;
    }

    void plan_products(std::string& message) {
        blas_ = Blas::open(message);
        if (!blas_) {
            return;
        }
        for (const Shape& shape : shapes()) {
            steps_.push_back(
                {"products fp32", [this, shape] { measure_product<float>(shape, threads_); }});
            steps_.push_back(
                {"products fp64", [this, shape] { measure_product<double>(shape, threads_); }});
        }
        const Shape square{2048, 2048, 2048};
        if (threads_ > 1 && !quick_) {
            steps_.push_back(
                {"products fp32", [this, square] { measure_product<float>(square, 1); }});
            steps_.push_back(
                {"products fp64", [this, square] { measure_product<double>(square, 1); }});
        }
    }

    template <typename T>
    struct Operands {
        std::vector<T> a, b, c;
    };

    template <typename T>
    Operands<T>& operands() {
        static Operands<T> kept;
        if (kept.a.empty()) {
            const std::size_t most = std::size_t{4096} * 4096;
            kept.a.resize(most);
            kept.b.resize(most);
            kept.c.resize(most);
            fill_normal(kept.a.data(), most, request_.seed, threads_);
            fill_normal(kept.b.data(), most, request_.seed + 1, threads_);
        }
        return kept;
    }

    /// The largest difference to sums in fp64, of what rounding allows.
    template <typename T>
    double check(const Shape& shape, const Operands<T>& kept) const {
        const auto n = static_cast<std::size_t>(shape.n);
        const auto k = static_cast<std::size_t>(shape.k);
        const double eps = sizeof(T) == 4 ? 0x1p-24 : 0x1p-53;
        double worst = 0;
        for (std::size_t e = 0; e < checked_elements; ++e) {
            const std::size_t row = mixed(7, e) % static_cast<std::size_t>(shape.m);
            const std::size_t column = mixed(8, e) % n;
            long double sum = 0;
            for (std::size_t i = 0; i < k; ++i) {
                sum += static_cast<long double>(kept.a[row * k + i]) * kept.b[i * n + column];
            }
            const double reference = static_cast<double>(sum);
            const double found = static_cast<double>(kept.c[row * n + column]);
            const double allowed = tolerance(reference, shape.k, 6, eps, eps);
            // A NaN compares false with everything: count it as the largest error.
            const double error = std::abs(found - reference) / allowed;
            worst = error <= 1e30 ? std::max(worst, error) : 1e30;
        }
        return worst;
    }

    template <typename T>
    void measure_product(const Shape& shape, int threads) {
        Operands<T>& kept = operands<T>();
        blas_->threads(threads);
        const int m = static_cast<int>(shape.m);
        const int n = static_cast<int>(shape.n);
        const int k = static_cast<int>(shape.k);
        std::memset(kept.c.data(),
                    0xff,
                    sizeof(T) * static_cast<std::size_t>(m) * static_cast<std::size_t>(n));  // NaN
        const double weight = shape.n * shape.k * sizeof(T);
        const std::size_t copies =
            std::min<std::size_t>(kept.b.size() * sizeof(T) / static_cast<std::size_t>(weight),
                                  rotating_copies(weight, 32e6, 1e9));
        std::size_t turn = 0;
        const Summary time = repeat([&] {
            const T* b =
                kept.b.data() + (turn++ % copies) * static_cast<std::size_t>(shape.n * shape.k);
            const Clock::time_point begin = Clock::now();
            blas_->product(m, n, k, kept.a.data(), b, kept.c.data());
            return since(begin);
        });
        blas_->product(m, n, k, kept.a.data(), kept.b.data(), kept.c.data());
        const double error = check(shape, kept);
        RidgelinePoint point{};
        point.kind = "gemm";
        point.name = sizeof(T) == 4 ? "fp32" : "fp64";
        point.m = shape.m;
        point.n = shape.n;
        point.k = shape.k;
        point.threads = threads == threads_ ? 0 : threads;
        point.checked = 1;
        point.correct = error <= 1 ? 1 : 0;
        point.error = error;
        std::string flags = flags_of(time);
        flags += threads == threads_ ? "" : ",fewer threads";
        flags += static_cast<double>(copies) * weight < 2 * 32e6 && shape.m < 64 ? ",resident" : "";
        reporter_->point(point, time, flags);
    }

    void plan_streams() {
        for (const int threads : quick_ ? std::vector<int>{threads_} : thread_counts()) {
            for (const char* name : {"copy", "triad", "read", "fill"}) {
                steps_.push_back({"streams", [this, threads, name] {
                                      Streams& arrays = streams_for(threads);
                                      const Summary time =
                                          repeat([&] { return arrays.pass(name); });
                                      RidgelinePoint point{};
                                      point.kind = "stream";
                                      point.name = name;
                                      point.bytes = arrays.bytes_of(name);
                                      point.threads = threads;
                                      point.checked = 1;
                                      point.correct = arrays.correct() ? 1 : 0;
                                      reporter_->point(point, time, flags_of(time));
                                  }});
            }
        }
    }

    Streams& streams_for(int threads) {
        if (!streams_ || streams_threads_ != threads) {
            streams_.reset();
            streams_ = std::make_unique<Streams>(stream_elements(), threads);
            streams_threads_ = threads;
        }
        return *streams_;
    }

    /// Each array four times the last-level cache, 256 to 512 MiB, within an eighth of memory.
    static std::size_t stream_elements() {
        const double pages = static_cast<double>(sysconf(_SC_PHYS_PAGES));
        const double memory = pages * static_cast<double>(sysconf(_SC_PAGESIZE));
        const double cache = std::max(0.0, static_cast<double>(sysconf(_SC_LEVEL3_CACHE_SIZE)));
        const double mebibyte = 1 << 20;
        // Caches of other sockets are counted too: beyond 512 MiB the rule gains nothing.
        const double wanted = std::clamp(4 * cache, 256 * mebibyte, 512 * mebibyte);
        const double bytes = std::min(wanted, memory / 24);
        return static_cast<std::size_t>(bytes / sizeof(double));
    }

    void measure_disk() {
        const double bytes = quick_ ? 256e6 : 1e9;
        const std::string folder = request_.folder != nullptr ? request_.folder : "/tmp";
        const DiskRead read = read_disk(folder, bytes, 4);
        if (!read.problem.empty()) {
            reporter_->warn("disk read: " + read.problem);
            return;
        }
        RidgelinePoint point{};
        point.kind = "storage";
        point.name = read.direct ? "direct read" : "buffered read";
        point.bytes = read.bytes;
        point.threads = 4;
        reporter_->point(point, summary_of({read.seconds}), "");
    }

    const RidgelineProbeRequest& request_;
    const RidgelineProbeHost& host_;
    int threads_;
    bool quick_;
    Clock::time_point begin_;
    std::vector<Step> steps_;
    std::unique_ptr<Reporter> reporter_;
    std::unique_ptr<Blas> blas_;
    std::unique_ptr<Streams> streams_;
    int streams_threads_ = 0;
};

}  // namespace
}  // namespace probes

extern "C" __attribute__((visibility("default"))) int ridgeline_probe(
    const RidgelineProbeRequest* request,
    const RidgelineProbeHost* host,
    char* message,
    unsigned long size) {
    std::string why;
    int status = RIDGELINE_PROBE_FAILED;
    if (host->interface_version != RIDGELINE_PROBE_INTERFACE) {
        why = "the probe and the program are of different versions";
    } else {
        try {
            status = probes::CpuProbe(*request, *host).run(why);
        } catch (const std::exception& problem) {
            why = problem.what();
        }
    }
    std::snprintf(message, size, "%s", why.c_str());
    return status;
}
