#include "probes/cpu/products.h"

#include "probes/cpu/blocked_product.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <fstream>
#include <thread>
#include <vector>

namespace probes {
namespace {

constexpr double two_pi = 6.283185307179586;
constexpr std::size_t checked_elements = 32;

/// Different numbers; more would take longer to make than to multiply. A prime, so that they lie
/// differently in each row.
constexpr std::size_t different = 1048573;

/// Normal(0, 1) by Box and Muller from a counter, over and over.
template <typename T>
void fill_normal(Pages<T>& values, std::uint64_t seed, int threads) {
    std::vector<std::thread> pool;
    const auto parts = static_cast<std::size_t>(threads);
    const std::size_t count = values.size();
    for (std::size_t t = 0; t < parts; ++t) {
        pool.emplace_back([&values, seed, count, t, parts] {
            const std::size_t made = std::min(count, different);
            for (std::size_t i = made * t / parts; i < made * (t + 1) / parts; ++i) {
                const double u = (static_cast<double>(mixed(seed, 2 * i) >> 11) + 1) * 0x1p-53;
                const double v = static_cast<double>(mixed(seed, 2 * i + 1) >> 11) * 0x1p-53;
                values[i] = static_cast<T>(std::sqrt(-2 * std::log(u)) * std::cos(two_pi * v));
            }
        });
    }
    for (std::thread& thread : pool) {
        thread.join();
    }
    for (std::size_t i = different; i < count; i += different) {
        std::copy_n(values.data(), std::min(different, count - i), values.data() + i);
    }
}

template <typename T>
void multiply(const Blas* blas, const Shape& shape, int threads, const T* a, const T* b, T* c) {
    const int m = static_cast<int>(shape.m);
    const int n = static_cast<int>(shape.n);
    const int k = static_cast<int>(shape.k);
    if (blas != nullptr) {
        blas->threads(threads);
        blas->product(m, n, k, a, b, c);
    } else {
        blocked_product(threads, m, n, k, a, b, c);
    }
}

}  // namespace

template <typename T>
CpuProducts<T>::CpuProducts(std::size_t most_edge, std::uint64_t seed, int threads)
    : a_(most_edge * most_edge), b_(most_edge * most_edge), c_(most_edge * most_edge) {
    fill_normal(a_, seed, threads);
    fill_normal(b_, seed + 1, threads);
}

template <typename T>
std::size_t CpuProducts<T>::copies(const Shape& shape) const {
    return std::max<std::size_t>(1, b_.size() / static_cast<std::size_t>(shape.n * shape.k));
}

template <typename T>
bool CpuProducts<T>::resident(const Shape& shape, double cache_bytes) const {
    const double weight = shape.n * shape.k * sizeof(T);
    return static_cast<double>(copies(shape)) * weight < 2 * cache_bytes;
}

template <typename T>
const T* CpuProducts<T>::weight(const Shape& shape, std::size_t turn) const {
    return b_.data() + (turn % copies(shape)) * static_cast<std::size_t>(shape.n * shape.k);
}

template <typename T>
double CpuProducts<T>::once(const Blas* blas, const Shape& shape, int threads) {
    using Clock = std::chrono::steady_clock;
    const T* const b = weight(shape, turn_++);
    const Clock::time_point begin = Clock::now();
    multiply(blas, shape, threads, a_.data(), b, c_.data());
    return std::chrono::duration<double>(Clock::now() - begin).count();
}

template <typename T>
void CpuProducts<T>::poison() {
    std::memset(c_.data(), 0xff, sizeof(T) * c_.size());
}

template <typename T>
double CpuProducts<T>::error(const Shape& shape) const {
    const auto n = static_cast<std::size_t>(shape.n);
    const auto k = static_cast<std::size_t>(shape.k);
    const T* const b = weight(shape, turn_ == 0 ? 0 : turn_ - 1);
    const double eps = sizeof(T) == 4 ? 0x1p-24 : 0x1p-53;
    double worst = 0;
    for (std::size_t e = 0; e < checked_elements; ++e) {
        const std::size_t row = mixed(7, e) % static_cast<std::size_t>(shape.m);
        const std::size_t column = mixed(8, e) % n;
        long double sum = 0;
        for (std::size_t i = 0; i < k; ++i) {
            sum += static_cast<long double>(a_[row * k + i]) * b[i * n + column];
        }
        const double reference = static_cast<double>(sum);
        const double allowed = tolerance(reference, shape.k, 6, eps, eps);
        const double error =
            std::abs(static_cast<double>(c_[row * n + column]) - reference) / allowed;
        worst = error <= 1e30 ? std::max(worst, error) : 1e30;  // NaN too
    }
    return worst;
}

double last_cache_bytes() {
    std::ifstream file("/sys/devices/system/cpu/cpu0/cache/index3/size");
    double kibibytes = 0;
    return file >> kibibytes && kibibytes > 0 ? 1024 * kibibytes : 32e6;
}

template class CpuProducts<float>;
template class CpuProducts<double>;

}  // namespace probes
