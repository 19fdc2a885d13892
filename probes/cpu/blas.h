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

private:
    Blas() = default;
    void* library_ = nullptr;
    void* sgemm_ = nullptr;
    void* dgemm_ = nullptr;
    void* set_threads_ = nullptr;
};

}  // namespace probes
