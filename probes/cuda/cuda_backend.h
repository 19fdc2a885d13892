#pragma once

#include "probes/cuda/backend.h"
#include "probes/cuda/products.h"
#include "probes/cuda/sensors.h"

#include <chrono>
#include <memory>

namespace probes {

/// The runs of a real device: cuBLASLt, the kernels of kernels.cu, NVML.
class CudaBackend final : public Backend {
public:
    explicit CudaBackend(const Device& device);

    double now() override;
    void rest(double seconds) override;
    Reading reading() override;
    std::string library() override;
    double open_operands() override;
    void prepare(const OperandType& type, std::uint64_t seed) override;
    ProductTiming product(const OperandType& type,
                          const Shape& shape,
                          std::size_t turns,
                          int candidates,
                          double budget_s,
                          const std::function<bool()>& cancelled) override;
    double series(const OperandType& type, const Shape& shape, int count) override;
    void close_operands() override;
    double open_arrays(std::uint64_t seed) override;
    Summary pass(Pass pass,
                 double bytes,
                 double budget_s,
                 const std::function<bool()>& cancelled) override;
    void close_arrays() override;
    void host_links(const Reporter& reporter, double budget_s, bool quick) override;
    void peer_links(const Reporter& reporter, double budget_s, bool quick) override;
    void launches(const Reporter& reporter, double budget_s) override;

private:
    struct Operands {
        Buffer weight, activations, result, scales, checked;
        explicit Operands(std::size_t bytes);
    };
    struct Arrays {
        Buffer a, b, c;
        explicit Arrays(std::size_t bytes) : a(bytes), b(bytes), c(bytes) {}
    };
    using Queue = std::function<void(int algorithm, int turn)>;

    int best_algorithm(int algorithms, const Queue& queue) const;
    std::vector<CheckedElement> checked_elements(const OperandType& type,
                                                 const Shape& shape,
                                                 const Queue& queue,
                                                 int algorithm) const;

    Device device_;
    std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
    Sensors sensors_;
    Stream stream_;
    EventTimer timer_;
    std::uint64_t seed_ = 0;
    std::unique_ptr<Operands> operands_;
    std::unique_ptr<Arrays> arrays_;
    std::unique_ptr<ProductLibrary> library_;
};

}  // namespace probes
