#include "probes/cpu/blas.h"
#include "probes/cpu/disk.h"
#include "probes/cpu/fma_peak.h"
#include "probes/cpu/products.h"
#include "probes/cpu/quiet.h"
#include "probes/cpu/streams.h"
#include "probes/reporter.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <memory>
#include <thread>
#include <tuple>
#include <unistd.h>
#include <vector>

// What this CPU does: the peak of its multiply-adds, products of OpenBLAS, memory streams, disk.

namespace probes {
namespace {

using Clock = std::chrono::steady_clock;

double since(Clock::time_point begin) {
    return std::chrono::duration<double>(Clock::now() - begin).count();
}

constexpr std::size_t enough = 3;  // undisturbed repetitions that a point may rest on
/// Threads of OpenBLAS look for more work for 2^26 ticks of the clock before they sleep
/// (THREAD_TIMEOUT of its blas_server.c): what is measured next would share the cores with them.
constexpr std::chrono::milliseconds spinning{50};
constexpr long peak_rounds = 4000000;  // about 10 ms

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
            // First, since it needs no memory to be made ready; again beside the squares.
            steps_.push_back({"multiply-adds", [this] { measure_peaks(); }});
        }
        if ((request_.kinds & RIDGELINE_PROBE_COPY) != 0) {
            plan_streams();  // before the products, whose fractions refer to these rates
        }
        if ((request_.kinds & RIDGELINE_PROBE_GEMM) != 0) {
            plan_products();
        }
        if ((request_.kinds & RIDGELINE_PROBE_STORAGE) != 0) {
            steps_.push_back({"disk read", [this] { measure_disk(); }});
        }
        if (steps_.empty()) {
            message = "nothing to measure: a CPU has gemm, copy and storage";
            return RIDGELINE_PROBE_ABSENT;
        }
        reporter_ =
            std::make_unique<Reporter>(host_, static_cast<int>(steps_.size()), request_.budget_s);
        reporter_->fact("vectors", vector_kind());
        reporter_->fact("data", "normal(0, 1), seed " + std::to_string(request_.seed));
        if (!no_library_.empty()) {
            reporter_->warn(no_library_ + ": products are of the probe's own kernel");
        }
        if ((request_.kinds & RIDGELINE_PROBE_GEMM) != 0) {
            reporter_->fact("blas", blas_ ? blas_->name() : "own kernel");
        }
        warn_of_library();
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
        report_peaks();
        if (repetitions_ > 0) {
            reporter_->fact("disturbed_share",
                            std::to_string(static_cast<double>(disturbed_) / repetitions_));
        }
        if (left_out > 0) {
            reporter_->warn(
                "the time was over before " + std::to_string(left_out) +
                (left_out == 1 ? " point: it was left out" : " points: they were left out"));
        }
        return RIDGELINE_PROBE_OK;
    }

private:
    double step_seconds() const {
        return 0.8 * request_.budget_s / static_cast<double>(steps_.size());
    }

    /// One repetition, and whether somebody else took a core from it.
    template <typename Once>
    Repetition watched(Once once) {
        const Watch watch;
        const double seconds = once();
        const Repetition repetition{seconds, watch.disturbed(seconds)};
        if (repetitions_ == 0) {
            reporter_->fact("first_repetition_s", std::to_string(since(begin_)));
        }
        ++repetitions_;
        disturbed_ += repetition.disturbed ? 1 : 0;
        return repetition;
    }

    /// Repeats until the interquartile range is below 1 % or the step's share of the time is used.
    template <typename Once>
    Kept repeat(Once once) {
        std::vector<Repetition> all;
        once();  // warm: pages, code, clock
        const Clock::time_point begin = Clock::now();
        do {
            all.push_back(watched(once));
        } while (!settled(kept_of(all, enough).seconds, 10) && since(begin) < step_seconds() &&
                 all.size() < 200 && !reporter_->cancelled());
        return kept_of(all, enough);
    }

    /// Another process on a core slows many repetitions, never speeds one up: the least counts.
    static std::string flags_of(const Kept& kept) {
        return kept.disturbed ? "best of,disturbed" : "best of";
    }

    /// A library that works for another CPU than this one shows what it is made to do.
    void warn_of_library() const {
        const std::string core = blas_ ? blas_->core() : "";
        if (leaves_vectors_idle(core, vector_kind())) {
            const char* setting = std::getenv("OPENBLAS_CORETYPE");
            reporter_->warn("OpenBLAS works for a " + core + " and leaves half of the " +
                            vector_kind() + " vectors of this CPU idle" +
                            (setting != nullptr
                                 ? ": OPENBLAS_CORETYPE=" + std::string(setting) +
                                       " is set, unset it to see what the CPU can do"
                                 : ": it is older than the CPU, or was built without its kernels"));
        }
    }

    static std::vector<double> edges(bool quick) {
        return quick ? std::vector<double>{1536, 4096}
                     : std::vector<double>{1024, 1536, 2048, 3072, 4096};
    }

    std::vector<Shape> shapes() const {
        if (quick_) {
            return {{1, 4096, 4096},
                    {64, 4096, 1024},
                    {256, 1024, 4096},
                    {16, 4096, 4096},
                    {512, 2048, 2048},
                    {1, 1024, 4096}};
        }
        std::vector<Shape> shapes{{512, 512, 512}};
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

    void plan_products() {
        blas_ = Blas::open(no_library_);
        for (const Shape& shape : shapes()) {
            steps_.push_back({"products fp32", [=, this] { measure_product<float>(shape); }});
            steps_.push_back({"products fp64", [=, this] { measure_product<double>(shape); }});
        }
        for (const double edge : edges(quick_)) {
            const Shape square{edge, edge, edge};
            steps_.push_back(
                {"squares fp32", [=, this] { measure_square<float>(square, threads_); }});
            steps_.push_back(
                {"squares fp64", [=, this] { measure_square<double>(square, threads_); }});
        }
        if (threads_ > 1 && !quick_) {
            const Shape square{2048, 2048, 2048};
            steps_.push_back({"one thread fp32", [=, this] { measure_square<float>(square, 1); }});
            steps_.push_back({"one thread fp64", [=, this] { measure_square<double>(square, 1); }});
        }
    }

    template <typename T>
    CpuProducts<T>& products() {
        auto& kept = std::get<std::unique_ptr<CpuProducts<T>>>(products_);
        if (!kept) {
            kept = std::make_unique<CpuProducts<T>>(4096, request_.seed, threads_);
        }
        return *kept;
    }

    void measure_peak(bool fp64, int threads) {
        peaks_[{fp64, threads}].push_back(watched([&] {
            const FmaRun run = fma_run(fp64, threads, peak_rounds);
            peak_flop_[{fp64, threads}] = run.flop;
            return run.seconds;
        }));
    }

    void measure_peaks() {
        for (const bool fp64 : {false, true}) {
            for (const int threads : quick_ ? std::vector<int>{threads_} : thread_counts()) {
                for (int repetition = 0; repetition < 5; ++repetition) {
                    measure_peak(fp64, threads);
                }
            }
        }
    }

    /// Multiply-adds in registers, the library's product and our own kernel's in turn, on the same
    /// threads: what else runs on this machine then slows all of them alike.
    template <typename T>
    void measure_square(const Shape& square, int threads) {
        std::vector<Repetition> library;
        std::vector<Repetition> own;
        double library_error = 0;
        double own_error = 0;
        CpuProducts<T>& pair = products<T>();
        const auto multiply = [&](const Blas* blas, std::vector<Repetition>& times, double& error) {
            if (times.empty()) {
                pair.poison();
            }
            times.push_back(watched([&] { return pair.once(blas, square, threads); }));
            if (times.size() == 1) {
                error = pair.error(square);
            }
        };
        // The largest squares are told by the library alone: they take longest.
        const bool both = !blas_ || square.n <= 3072;
        const Clock::time_point begin = Clock::now();
        do {
            measure_peak(sizeof(T) == 8, threads);
            if (both) {
                multiply(nullptr, own, own_error);
            }
            if (blas_) {
                multiply(blas_.get(), library, library_error);
                std::this_thread::sleep_for(spinning);
            }
        } while (since(begin) < 2 * step_seconds() && own.size() + library.size() < 60 &&
                 !reporter_->cancelled());
        if (blas_) {
            report_product<T>(
                square, threads, blas_.get(), kept_of(library, enough), library_error);
        }
        if (both) {
            report_product<T>(square, threads, nullptr, kept_of(own, enough), own_error);
        }
    }

    template <typename T>
    void measure_product(const Shape& shape) {
        CpuProducts<T>& pair = products<T>();
        pair.poison();
        const Kept kept = repeat([&] { return pair.once(blas_.get(), shape, threads_); });
        report_product<T>(shape, threads_, blas_.get(), kept, pair.error(shape));
    }

    template <typename T>
    void report_product(
        const Shape& shape, int threads, const Blas* blas, const Kept& kept, double error) {
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
        std::string flags = flags_of(kept);
        flags += threads == threads_ ? "" : ",fewer threads";
        // Beside a library our own kernel is a second opinion, not what programs get.
        flags += blas == nullptr && blas_ ? ",own kernel" : "";
        flags +=
            shape.m < 64 && products<T>().resident(shape, last_cache_bytes()) ? ",resident" : "";
        reporter_->point(point, summary_of(kept.seconds), flags);
    }

    /// The peaks that the squares were measured beside.
    void report_peaks() {
        for (const auto& [of, repetitions] : peaks_) {
            const Kept kept = kept_of(repetitions, enough);
            RidgelinePoint point{};
            point.kind = "vector";
            point.name = of.first ? "fp64" : "fp32";
            point.threads = of.second;
            point.work_flop = peak_flop_[of];
            reporter_->point(point, summary_of(kept.seconds), flags_of(kept));
        }
    }

    std::vector<int> thread_counts() const {
        return threads_ > 1 ? std::vector<int>{1, threads_} : std::vector<int>{1};
    }

    void plan_streams() {
        for (const int threads : quick_ ? std::vector<int>{threads_} : thread_counts()) {
            for (const char* name : {"copy", "triad", "read", "fill"}) {
                steps_.push_back({"streams", [this, threads, name] {
                                      Streams& arrays = streams_for(threads);
                                      const Kept kept = repeat([&] { return arrays.pass(name); });
                                      RidgelinePoint point{};
                                      point.kind = "stream";
                                      point.name = name;
                                      point.bytes = arrays.bytes_of(name);
                                      point.threads = threads;
                                      point.checked = 1;
                                      point.correct = arrays.correct() ? 1 : 0;
                                      reporter_->point(
                                          point, summary_of(kept.seconds), flags_of(kept));
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
    std::string no_library_;  ///< why there is none
    std::tuple<std::unique_ptr<CpuProducts<float>>, std::unique_ptr<CpuProducts<double>>> products_;
    using PeakOf = std::pair<bool, int>;  ///< fp64, threads
    std::map<PeakOf, std::vector<Repetition>> peaks_;
    std::map<PeakOf, double> peak_flop_;
    int repetitions_ = 0;
    int disturbed_ = 0;
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
