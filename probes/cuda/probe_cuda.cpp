#include "probes/cuda/links.h"
#include "probes/cuda/products.h"
#include "probes/cuda/sensors.h"

#include <chrono>
#include <cmath>
#include <cstdio>
#include <memory>
#include <random>

// What an NVIDIA GPU does: products of cuBLASLt, memory streams, links, launches, and a long run.

namespace probes {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int samples = 128;
constexpr double largest_edge = 16384;

struct Device {
    int ordinal = 0;
    int capability = 0;  ///< 10 x major + minor
    int units = 0;
    double l2_bytes = 0;
    std::string pci_address;
};

class CudaProbe {
public:
    CudaProbe(const RidgelineProbeRequest& request, const RidgelineProbeHost& host, Device device)
        : request_(request),
          device_(std::move(device)),
          quick_(request.budget_s < 30),
          reporter_(host, steps_of(request), request.budget_s),
          sensors_(device_.pci_address) {}

    void run() {
        reporter_.fact("data", "normal(0, 1), seed " + std::to_string(request_.seed));
        if (has(RIDGELINE_PROBE_GEMM)) {
            measure_products();
        }
        if (has(RIDGELINE_PROBE_COPY)) {
            guarded("memory streams", [this] { measure_streams(); });
        }
        const LinkRun links{reporter_, timer_, device_.ordinal, share(0.1), quick_};
        if (has(RIDGELINE_PROBE_LINK)) {
            guarded("host links", [&] { measure_host_links(links); });
            guarded("peer links", [&] { measure_peer_links(links); });
        }
        if (has(RIDGELINE_PROBE_LAUNCH)) {
            guarded("launches", [&] { measure_launches(links); });
        }
        if (has(RIDGELINE_PROBE_GEMM)) {
            guarded("sustained run", [this] { measure_sustained(); });
        }
        if (hottest_ > 0) {
            reporter_.fact("temperature_max_c", std::to_string(hottest_));
        }
    }

private:
    static int steps_of(const RidgelineProbeRequest& request) {
        const int shapes =
            static_cast<int>((request.budget_s < 30 ? quick_shapes() : grid_shapes()).size());
        const bool products = (request.kinds & RIDGELINE_PROBE_GEMM) != 0;
        return 4 + (products ? (shapes + 3) * static_cast<int>(product_types().size()) + 1 : 0);
    }

    bool has(int kind) const { return (request_.kinds & kind) != 0; }
    double share(double part) const { return part * request_.budget_s; }
    double elapsed() const { return std::chrono::duration<double>(Clock::now() - begin_).count(); }
    bool over() const { return reporter_.cancelled() || elapsed() > request_.budget_s; }

    /// One failing kind is a warning, the others go on.
    template <typename Work>
    void guarded(const std::string& what, const Work& work) {
        if (reporter_.cancelled()) {
            return;
        }
        try {
            work();
        } catch (const std::exception& problem) {
            cudaGetLastError();
            reporter_.warn(what + ": " + problem.what());
        }
        hottest_ = std::max(hottest_, sensors_.temperature_c());
        reporter_.step(what, elapsed());
    }

    // --- products ------------------------------------------------------------------------------

    struct Pools {
        Buffer weight, activations, result;
        explicit Pools(std::size_t bytes) : weight(bytes), activations(bytes), result(bytes) {}
    };

    void measure_products() {
        std::size_t free = 0;
        std::size_t total = 0;
        check(cudaMemGetInfo(&free, &total), "memory");
        // 40 % of what is free in three pools; 2.2 GiB hold the largest operand in fp64.
        const double most = 2.2 * 1024 * 1024 * 1024;
        pools_ = std::make_unique<Pools>(
            static_cast<std::size_t>(std::min(most, 0.13 * static_cast<double>(free))));
        scales_ = std::make_unique<Buffer>(std::size_t{64} << 20);
        results_ = std::make_unique<Buffer>(samples * sizeof(Sample));
        library_ = std::make_unique<ProductLibrary>();
        reporter_.fact("blas", ProductLibrary::name());
        int present = 0;
        for (const ProductType& type : product_types()) {
            present += device_.capability >= type.least_capability ? 1 : 0;
        }
        for (const ProductType& type : product_types()) {
            if (device_.capability >= type.least_capability && !over()) {
                measure_type(type, share(0.6) / present);
            }
        }
        measure_drift();
    }

    void measure_type(const ProductType& type, double budget_s) {
        guarded(std::string("data in ") + type.name, [&] { prepare(type); });
        std::vector<Shape> shapes = quick_ ? quick_shapes() : grid_shapes();
        for (const double edge : {4096.0, 8192.0, largest_edge}) {
            shapes.push_back({edge, edge, edge});
        }
        const Clock::time_point begin = Clock::now();
        double rate = 0;  // best so far, so that a shape that would take too long is left out
        const double each = budget_s / static_cast<double>(shapes.size());
        for (const std::size_t index : shuffled(shapes.size(), request_.seed)) {
            const Shape& shape = shapes[index];
            const double spent = std::chrono::duration<double>(Clock::now() - begin).count();
            const bool slow = rate > 0 && shape.flop() / rate > budget_s / 4;
            if (over() || spent > 1.5 * budget_s || slow || !fits(type, shape)) {
                continue;
            }
            guarded(std::string("products in ") + type.name,
                    [&] { rate = std::max(rate, measure_product(type, shape, each)); });
        }
    }

    void prepare(const ProductType& type) {
        const auto elements = [&](const Buffer& pool) {
            return static_cast<std::size_t>(static_cast<double>(pool.bytes()) / type.operand_bytes);
        };
        fill_random(pools_->weight.at(),
                    elements(pools_->weight),
                    type.element,
                    request_.seed,
                    stream_.get());
        fill_random(pools_->activations.at(),
                    elements(pools_->activations),
                    type.element,
                    request_.seed + 1,
                    stream_.get());
        if (type.element == Element::e2m1) {
            fill_bytes(scales_->at(), scales_->bytes(), 0x38, stream_.get());  // 1.0 in UE4M3
        } else {
            const float one = 1;
            check(cudaMemcpy(scales_->at(), &one, sizeof(one), cudaMemcpyHostToDevice), "scale");
        }
        stream_.wait();
    }

    bool fits(const ProductType& type, const Shape& shape) const {
        const double pool = static_cast<double>(pools_->weight.bytes());
        return shape.n * shape.k * type.operand_bytes <= pool &&
               shape.m * shape.k * type.operand_bytes <= pool &&
               shape.m * shape.n * type.result_bytes <= pool &&
               (type.element != Element::e2m1 ||
                (std::max(shape.n, shape.m) + 128) * (shape.k / 16 + 4) <=
                    static_cast<double>(scales_->bytes()));
    }

    /// Returns FLOP/s; 0 when the library has no algorithm for it.
    double measure_product(const ProductType& type, const Shape& shape, double budget_s) {
        const bool square = shape.m == shape.n && shape.n == shape.k;
        // What a framework gets without tuning is the first; the squares show the library's best.
        const Product product(*library_, type, shape, *scales_, square ? 8 : 1);
        if (product.algorithms() == 0) {
            return 0;
        }
        const double weight_bytes = shape.n * shape.k * type.operand_bytes;
        const std::size_t copies = rotating_copies(
            weight_bytes, device_.l2_bytes, static_cast<double>(pools_->weight.bytes()));
        const auto stride = (static_cast<std::size_t>(weight_bytes) + 255) / 256 * 256;
        const std::size_t turns =
            std::max<std::size_t>(1, std::min(copies, pools_->weight.bytes() / stride));
        const auto queue = [&](int algorithm, int turn) {
            const std::size_t offset = stride * (static_cast<std::size_t>(turn) % turns);
            product.run(algorithm,
                        pools_->weight.at(offset),
                        pools_->activations.at(),
                        pools_->result.at(),
                        stream_.get());
        };
        const int best = best_algorithm(product, queue);
        const double error = check_product(type, shape, [&] { queue(best, 0); });
        const Summary time = time_launches(
            stream_.get(),
            timer_,
            budget_s,
            [this] { return reporter_.cancelled(); },
            [&](int turn) { queue(best, turn); });
        RidgelinePoint point{};
        point.kind = "gemm";
        point.name = type.name;
        point.m = shape.m;
        point.n = shape.n;
        point.k = shape.k;
        point.checked = 1;
        point.correct = error <= 1 ? 1 : 0;
        point.error = error;
        point.clock_mhz = sensors_.clock_mhz();
        point.power_w = sensors_.power_w();
        std::string flags = time.noisy() ? "noisy" : "";
        flags += sensors_.throttled() ? ",throttled" : "";
        flags +=
            static_cast<double>(turns) * weight_bytes < 2 * device_.l2_bytes ? ",resident" : "";
        reporter_.point(point, time, flags.empty() || flags[0] != ',' ? flags : flags.substr(1));
        return time.median > 0 ? shape.flop() / time.median : 0;
    }

    template <typename Queue>
    int best_algorithm(const Product& product, const Queue& queue) const {
        int best = 0;
        double least = 0;
        for (int a = 0; a < product.algorithms() && product.algorithms() > 1; ++a) {
            queue(a, 0);
            stream_.wait();
            double seconds = 1e9;
            for (int r = 0; r < 3; ++r) {
                seconds = std::min(seconds, timer_.seconds(stream_.get(), [&] { queue(a, r); }));
            }
            if (a == 0 || seconds < least) {
                best = a;
                least = seconds;
            }
        }
        return best;
    }

    /// The largest difference to sums in fp64 over 128 elements, of what rounding allows. The
    /// result is poisoned with NaN first, so that an element that nobody wrote shows.
    template <typename Queue>
    double check_product(const ProductType& type, const Shape& shape, const Queue& queue) const {
        fill_bytes(pools_->result.at(),
                   static_cast<std::size_t>(shape.m * shape.n * type.result_bytes),
                   0xff,
                   stream_.get());
        queue();
        std::vector<Sample> chosen(samples);
        for (std::size_t s = 0; s < chosen.size(); ++s) {
            chosen[s].row = static_cast<unsigned>(mixed(request_.seed, 2 * s) %
                                                  static_cast<std::uint64_t>(shape.m));
            chosen[s].column = static_cast<unsigned>(mixed(request_.seed, 2 * s + 1) %
                                                     static_cast<std::uint64_t>(shape.n));
        }
        const std::size_t bytes = chosen.size() * sizeof(Sample);
        check(cudaMemcpyAsync(
                  results_->at(), chosen.data(), bytes, cudaMemcpyHostToDevice, stream_.get()),
              "samples");
        recompute(reinterpret_cast<Sample*>(results_->at()),
                  samples,
                  pools_->weight.at(),
                  pools_->activations.at(),
                  pools_->result.at(),
                  type.element,
                  type.output,
                  static_cast<std::size_t>(shape.n),
                  static_cast<std::size_t>(shape.k),
                  stream_.get());
        check(cudaMemcpyAsync(
                  chosen.data(), results_->at(), bytes, cudaMemcpyDeviceToHost, stream_.get()),
              "samples");
        stream_.wait();
        return worst_error(type, shape, chosen);
    }

    static double worst_error(const ProductType& type,
                              const Shape& shape,
                              const std::vector<Sample>& chosen) {
        const double largest = type.element == Element::i8 ? 127 : 6;
        double worst = 0;
        for (const Sample& sample : chosen) {
            const double allowed =
                tolerance(sample.reference, shape.k, largest, type.eps_out, type.eps_sum);
            const double off = std::abs(sample.found - sample.reference);
            const double error = off == 0 ? 0 : off / std::max(allowed, 1e-300);
            worst = error <= 1e30 ? std::max(worst, error) : 1e30;  // NaN too
        }
        return worst;
    }

    /// The first shape once more: how far the clock moved meanwhile.
    void measure_drift() {
        guarded("drift", [this] {
            const ProductType& type = product_types().front();
            if (device_.capability < type.least_capability) {
                return;
            }
            prepare(type);
            const Shape shape{8192, 8192, 8192};
            if (!fits(type, shape)) {
                return;
            }
            const Product product(*library_, type, shape, *scales_, 1);
            if (product.algorithms() == 0) {
                return;
            }
            const auto once = [&] {
                return timer_.seconds(stream_.get(), [&] {
                    product.run(0,
                                pools_->weight.at(),
                                pools_->activations.at(),
                                pools_->result.at(),
                                stream_.get());
                });
            };
            once();
            const double early = once();
            for (int i = 0; i < 20; ++i) {
                once();
            }
            reporter_.fact("drift", std::to_string(once() / early - 1));
        });
    }

    // --- memory ---------------------------------------------------------------------------------

    void measure_streams() {
        pools_.reset();
        std::size_t free = 0;
        std::size_t total = 0;
        check(cudaMemGetInfo(&free, &total), "memory");
        const double most = std::min(1024.0 * 1024 * 1024, 0.13 * static_cast<double>(free));
        const Buffer a(static_cast<std::size_t>(most));
        const Buffer b(static_cast<std::size_t>(most));
        const Buffer c(static_cast<std::size_t>(most));
        for (const Buffer* buffer : {&a, &b, &c}) {
            fill_random(
                buffer->at(), buffer->bytes() / 4, Element::f32, request_.seed, stream_.get());
        }
        const std::vector<std::pair<Pass, const char*>> passes{{Pass::copy, "copy"},
                                                               {Pass::triad, "triad"},
                                                               {Pass::read, "read"},
                                                               {Pass::fill, "fill"}};
        const double least = quick_ ? most : 1024.0 * 1024;
        const double each = share(0.1) / 24;
        for (double bytes = most; bytes >= least && !over(); bytes /= 4) {
            for (const auto& [pass, name] : passes) {
                measure_pass(
                    pass, name, static_cast<std::size_t>(bytes) / 256 * 256, a, b, c, each);
            }
        }
    }

    void measure_pass(Pass pass,
                      const char* name,
                      std::size_t bytes,
                      const Buffer& a,
                      const Buffer& b,
                      const Buffer& c,
                      double budget_s) {
        Summary best;
        for (const int threads : {256, 512, 1024}) {
            for (const int blocks_each : {2, 8}) {
                const Summary time = time_launches(
                    stream_.get(),
                    timer_,
                    budget_s / 6,
                    [this] { return reporter_.cancelled(); },
                    [&](int) {
                        stream_pass(pass,
                                    a.at(),
                                    b.at(),
                                    c.at(),
                                    bytes,
                                    device_.units * blocks_each * 1024 / threads,
                                    threads,
                                    stream_.get());
                    });
                best = best.samples == 0 || time.median < best.median ? time : best;
            }
        }
        const double arrays = pass == Pass::triad ? 3 : pass == Pass::copy ? 2 : 1;
        RidgelinePoint point{};
        point.kind = "stream";
        point.name = name;
        point.bytes = arrays * static_cast<double>(bytes);
        std::string flags = best.noisy() ? "noisy" : "";
        if (point.bytes < 4 * device_.l2_bytes) {
            flags += flags.empty() ? "resident" : ",resident";
        }
        reporter_.point(point, best, flags);
    }

    // --- sustained ------------------------------------------------------------------------------

    void measure_sustained() {
        const double span_s = quick_ ? 3 : std::max(10.0, share(0.15));
        for (const ProductType& type : product_types()) {
            if (device_.capability >= type.least_capability &&
                (type.element == Element::bf16 || type.element == Element::f16)) {
                sustain(type, span_s);
                return;
            }
        }
    }

    void sustain(const ProductType& type, double span_s) {
        if (!pools_) {
            std::size_t free = 0;
            std::size_t total = 0;
            check(cudaMemGetInfo(&free, &total), "memory");
            pools_ = std::make_unique<Pools>(static_cast<std::size_t>(
                std::min(512.0 * 1024 * 1024, 0.13 * static_cast<double>(free))));
        }
        const Shape shape{8192, 8192, 8192};
        if (!fits(type, shape)) {
            return;
        }
        prepare(type);
        const Product product(*library_, type, shape, *scales_, 1);
        if (product.algorithms() == 0) {
            return;
        }
        std::vector<double> seconds;
        double power = 0;
        double clock = 0;
        bool throttled = false;
        int readings = 0;
        const Clock::time_point begin = Clock::now();
        double passed = 0;
        do {
            const double span = timer_.seconds(stream_.get(), [&] {
                for (int i = 0; i < 20; ++i) {
                    product.run(0,
                                pools_->weight.at(),
                                pools_->activations.at(),
                                pools_->result.at(),
                                stream_.get());
                }
            });
            passed = std::chrono::duration<double>(Clock::now() - begin).count();
            if (passed > span_s / 2) {  // heat and power limit have set in
                seconds.push_back(span / 20);
                power += sensors_.power_w();
                clock += sensors_.clock_mhz();
                throttled = throttled || sensors_.throttled();
                ++readings;
            }
        } while (passed < span_s && !reporter_.cancelled());
        RidgelinePoint point{};
        point.kind = "sustained";
        point.name = type.name;
        point.m = shape.m;
        point.n = shape.n;
        point.k = shape.k;
        point.power_w = readings > 0 ? power / readings : 0;
        point.clock_mhz = readings > 0 ? clock / readings : 0;
        if (!seconds.empty()) {
            reporter_.point(point, summary_of(seconds), throttled ? "throttled" : "");
        }
    }

    const RidgelineProbeRequest& request_;
    Device device_;
    bool quick_;
    Reporter reporter_;
    Sensors sensors_;
    Clock::time_point begin_ = Clock::now();
    Stream stream_;
    EventTimer timer_;
    std::unique_ptr<Pools> pools_;
    std::unique_ptr<Buffer> scales_;
    std::unique_ptr<Buffer> results_;
    std::unique_ptr<ProductLibrary> library_;
    double hottest_ = 0;
};

/// The device that was asked for, made current; `why` says what is missing.
bool open_device(int ordinal, const RidgelineProbeHost& host, Device& device, std::string& why) {
    int count = 0;
    if (const cudaError_t found = cudaGetDeviceCount(&count); found != cudaSuccess || count == 0) {
        why = std::string("no CUDA device can be used: ") +
              (found == cudaSuccess ? "none is there" : cudaGetErrorString(found));
        return false;
    }
    if (ordinal >= count) {
        why = "found " + std::to_string(count) + " CUDA devices, expected one with number " +
              std::to_string(ordinal);
        return false;
    }
    cudaDeviceProp properties{};
    check(cudaSetDevice(ordinal), "device");
    check(cudaGetDeviceProperties(&properties, ordinal), "properties");
    char address[32] = {};
    check(cudaDeviceGetPCIBusId(address, sizeof(address), ordinal), "PCI address");
    device.ordinal = ordinal;
    device.capability = 10 * properties.major + properties.minor;
    device.units = properties.multiProcessorCount;
    device.l2_bytes = properties.l2CacheSize;
    device.pci_address = address;
    int runtime = 0;
    cudaRuntimeGetVersion(&runtime);
    const Reporter reporter(host, 1, 0);
    reporter.fact("name", properties.name);
    reporter.fact("pci_address", device.pci_address);
    reporter.fact("memory_bytes", std::to_string(properties.totalGlobalMem));
    reporter.fact("units", std::to_string(device.units));
    reporter.fact("l2_bytes", std::to_string(properties.l2CacheSize));
    reporter.fact("cuda_runtime",
                  std::to_string(runtime / 1000) + "." + std::to_string(runtime % 1000 / 10));
    return true;
}

}  // namespace
}  // namespace probes

extern "C" __attribute__((visibility("default"))) int ridgeline_probe(
    const RidgelineProbeRequest* request,
    const RidgelineProbeHost* host,
    char* message,
    unsigned long size) {
    std::string why;
    int status = RIDGELINE_PROBE_FAILED;
    try {
        probes::Device device;
        if (host->interface_version != RIDGELINE_PROBE_INTERFACE) {
            why = "the probe and the program are of different versions";
        } else if (!probes::open_device(request->device, *host, device, why)) {
            status = RIDGELINE_PROBE_ABSENT;
        } else {
            probes::CudaProbe(*request, *host, device).run();
            status = RIDGELINE_PROBE_OK;
        }
    } catch (const std::exception& problem) {
        why = problem.what();
    }
    std::snprintf(message, size, "%s", why.c_str());
    return status;
}
