#pragma once

#include <memory>
#include <string>

namespace probes {

/// OpenBLAS, opened when it is there. Row-major products C = A B with A (m x k), B (k x n).
class Blas {
public:
    /// Null when the library is absent; `why` then says what to install.
    static std::unique_ptr<Blas> open(std::string& why);
    ~Blas();

    void threads(int count) const;
    void product(int m, int n, int k, const float* a, const float* b, float* c) const;
    void product(int m, int n, int k, const double* a, const double* b, double* c) const;
    /// "OpenBLAS 0.3.21 SkylakeX".
    [[nodiscard]] std::string name() const;
    /// The CPU that the library works for: "SkylakeX", "Haswell"; empty where it does not say.
    [[nodiscard]] std::string core() const;

private:
    Blas() = default;
    void* library_ = nullptr;
    void* sgemm_ = nullptr;
    void* dgemm_ = nullptr;
    void* set_threads_ = nullptr;
};

/// A library that works for `core` leaves half of the vectors of this CPU idle ("AVX-512": 64
/// bytes).
bool leaves_vectors_idle(const std::string& core, const std::string& vectors);

}  // namespace probes
