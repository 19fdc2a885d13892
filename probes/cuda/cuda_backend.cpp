#include "probes/cuda/cuda_backend.h"

#include "probes/cuda/kernels.h"
#include "probes/cuda/links.h"

#include <algorithm>
#include <thread>

namespace probes {
namespace {

constexpr int samples = 128;
constexpr double gibibyte = 1024.0 * 1024 * 1024;
constexpr double part_of_free = 0.13;            // three of them stay below 40 % of what is free
constexpr double operand_most = 2.2 * gibibyte;  // holds the largest operand in fp64
constexpr std::size_t scale_bytes = std::size_t{64} << 20;
constexpr int one_in_ue4m3 = 0x38;

double free_bytes() {
    std::size_t free = 0;
    std::size_t total = 0;
    check(cudaMemGetInfo(&free, &total), "memory");
    return static_cast<double>(free);
}

}  // namespace

CudaBackend::Operands::Operands(std::size_t bytes)
    : weight(bytes),
      activations(bytes),
      result(bytes),
      scales(scale_bytes),
      checked(samples * sizeof(Sample)) {}

CudaBackend::CudaBackend(const Device& device) : device_(device), sensors_(device.pci_address) {}

double CudaBackend::now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
}

void CudaBackend::rest(double seconds) {
    std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
}

Reading CudaBackend::reading() {
    cudaGetLastError();  // what a failed point left must not fail the next one
    return {
        sensors_.power_w(), sensors_.clock_mhz(), sensors_.temperature_c(), sensors_.throttled()};
}

std::string CudaBackend::library() {
    return ProductLibrary::name();
}

double CudaBackend::open_operands() {
    const double bytes = std::min(operand_most, part_of_free * free_bytes());
    operands_ = std::make_unique<Operands>(static_cast<std::size_t>(bytes));
    library_ = std::make_unique<ProductLibrary>();
    return static_cast<double>(operands_->weight.bytes());
}

void CudaBackend::close_operands() {
    operands_.reset();
}

void CudaBackend::prepare(const OperandType& type, std::uint64_t seed) {
    seed_ = seed;
    const auto fill = [&](const Buffer& pool, std::uint64_t own_seed) {
        const double elements = static_cast<double>(pool.bytes()) / type.operand_bytes;
        fill_random(
            pool.at(), static_cast<std::size_t>(elements), type.element, own_seed, stream_.get());
    };
    fill(operands_->weight, seed);
    fill(operands_->activations, seed + 1);
    if (type.element == Element::e2m1) {
        fill_bytes(operands_->scales.at(), operands_->scales.bytes(), one_in_ue4m3, stream_.get());
    } else {
        const float one = 1;
        check(cudaMemcpy(operands_->scales.at(), &one, sizeof(one), cudaMemcpyHostToDevice),
              "scale");
    }
    stream_.wait();
}

ProductTiming CudaBackend::product(const OperandType& type,
                                   const Shape& shape,
                                   std::size_t turns,
                                   int candidates,
                                   double budget_s,
                                   const std::function<bool()>& cancelled) {
    const Product product(*library_, type, shape, operands_->scales, candidates);
    ProductTiming timing;
    timing.algorithms = product.algorithms();
    if (timing.algorithms == 0) {
        return timing;
    }
    const auto weight_bytes = static_cast<std::size_t>(shape.n * shape.k * type.operand_bytes);
    const std::size_t stride = (weight_bytes + 255) / 256 * 256;
    const std::size_t places =
        std::max<std::size_t>(1, std::min(turns, operands_->weight.bytes() / stride));
    const Queue queue = [&](int algorithm, int turn) {
        product.run(algorithm,
                    operands_->weight.at(stride * (static_cast<std::size_t>(turn) % places)),
                    operands_->activations.at(),
                    operands_->result.at(),
                    stream_.get());
    };
    const int best = best_algorithm(timing.algorithms, queue);
    timing.checked = checked_elements(type, shape, queue, best);
    timing.time = time_launches(
        stream_.get(), timer_, budget_s, cancelled, [&](int turn) { queue(best, turn); });
    return timing;
}

int CudaBackend::best_algorithm(int algorithms, const Queue& queue) const {
    int best = 0;
    double least = 0;
    for (int a = 0; a < algorithms && algorithms > 1; ++a) {
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

/// The result is poisoned with NaN first, so that an element that nobody wrote shows.
std::vector<CheckedElement> CudaBackend::checked_elements(const OperandType& type,
                                                          const Shape& shape,
                                                          const Queue& queue,
                                                          int algorithm) const {
    fill_bytes(operands_->result.at(),
               static_cast<std::size_t>(shape.m * shape.n * type.result_bytes),
               0xff,
               stream_.get());
    queue(algorithm, 0);
    std::vector<Sample> chosen(samples);
    for (std::size_t s = 0; s < chosen.size(); ++s) {
        chosen[s].row =
            static_cast<unsigned>(mixed(seed_, 2 * s) % static_cast<std::uint64_t>(shape.m));
        chosen[s].column =
            static_cast<unsigned>(mixed(seed_, 2 * s + 1) % static_cast<std::uint64_t>(shape.n));
    }
    const std::size_t bytes = chosen.size() * sizeof(Sample);
    void* const there = operands_->checked.at();
    check(cudaMemcpyAsync(there, chosen.data(), bytes, cudaMemcpyHostToDevice, stream_.get()),
          "samples");
    recompute(static_cast<Sample*>(there),
              samples,
              operands_->weight.at(),
              operands_->activations.at(),
              operands_->result.at(),
              type.element,
              type.output,
              static_cast<std::size_t>(shape.n),
              static_cast<std::size_t>(shape.k),
              stream_.get());
    check(cudaMemcpyAsync(chosen.data(), there, bytes, cudaMemcpyDeviceToHost, stream_.get()),
          "samples");
    stream_.wait();
    std::vector<CheckedElement> checked;
    for (const Sample& sample : chosen) {
        checked.push_back({sample.found, sample.reference});
    }
    return checked;
}

double CudaBackend::series(const OperandType& type, const Shape& shape, int count) {
    const Product product(*library_, type, shape, operands_->scales, 1);
    if (product.algorithms() == 0) {
        throw std::runtime_error("the library has no algorithm for the long run");
    }
    return timer_.seconds(stream_.get(), [&] {
        for (int i = 0; i < count; ++i) {
            product.run(0,
                        operands_->weight.at(),
                        operands_->activations.at(),
                        operands_->result.at(),
                        stream_.get());
        }
    }) / count;
}

double CudaBackend::open_arrays(std::uint64_t seed) {
    const double bytes = std::min(gibibyte, part_of_free * free_bytes());
    arrays_ = std::make_unique<Arrays>(static_cast<std::size_t>(bytes));
    for (const Buffer* array : {&arrays_->a, &arrays_->b, &arrays_->c}) {
        fill_random(array->at(), array->bytes() / sizeof(float), Element::f32, seed, stream_.get());
    }
    stream_.wait();
    return static_cast<double>(arrays_->a.bytes());
}

void CudaBackend::close_arrays() {
    arrays_.reset();
}

Summary CudaBackend::pass(Pass pass,
                          double bytes,
                          double budget_s,
                          const std::function<bool()>& cancelled) {
    Summary best;
    for (const int threads : {256, 512, 1024}) {
        for (const int blocks_each : {2, 8}) {
            const Summary time =
                time_launches(stream_.get(), timer_, budget_s / 6, cancelled, [&](int) {
                    stream_pass(pass,
                                arrays_->a.at(),
                                arrays_->b.at(),
                                arrays_->c.at(),
                                static_cast<std::size_t>(bytes),
                                device_.units * blocks_each * 1024 / threads,
                                threads,
                                stream_.get());
                });
            best = best.samples == 0 || time.median < best.median ? time : best;
        }
    }
    return best;
}

void CudaBackend::host_links(const Reporter& reporter, double budget_s, bool quick) {
    measure_host_links({reporter, timer_, device_.ordinal, budget_s, quick});
}

void CudaBackend::peer_links(const Reporter& reporter, double budget_s, bool quick) {
    measure_peer_links({reporter, timer_, device_.ordinal, budget_s, quick});
}

void CudaBackend::launches(const Reporter& reporter, double budget_s) {
    measure_launches({reporter, timer_, device_.ordinal, budget_s, false});
}

}  // namespace probes
