#pragma once

#include "probes/cuda/device.h"
#include "probes/cuda/operands.h"

#include <cublasLt.h>
#include <memory>
#include <string>
#include <vector>

namespace probes {

/// One library handle with its workspace.
class ProductLibrary {
public:
    ProductLibrary();
    ProductLibrary(const ProductLibrary&) = delete;
    ProductLibrary& operator=(const ProductLibrary&) = delete;
    ~ProductLibrary();
    [[nodiscard]] cublasLtHandle_t handle() const { return handle_; }
    [[nodiscard]] const Buffer& workspace() const { return workspace_; }
    [[nodiscard]] static std::string name();

private:
    cublasLtHandle_t handle_ = nullptr;
    Buffer workspace_;
};

/// A product of one shape and type: weight (n x k) times activations (m x k), row by row, as a
/// linear layer does it. `algorithms` empty: the library has none for it.
class Product {
public:
    Product(const ProductLibrary& library,
            const OperandType& type,
            const Shape& shape,
            const Buffer& scales,
            int candidates);
    Product(const Product&) = delete;
    Product& operator=(const Product&) = delete;
    ~Product();

    [[nodiscard]] int algorithms() const { return static_cast<int>(found_.size()); }
    void run(int algorithm,
             const void* weight,
             const void* activations,
             void* result,
             cudaStream_t stream) const;

private:
    const ProductLibrary& library_;
    OperandType type_;
    cublasLtMatmulDesc_t operation_ = nullptr;
    cublasLtMatrixLayout_t weight_ = nullptr;
    cublasLtMatrixLayout_t activations_ = nullptr;
    cublasLtMatrixLayout_t result_ = nullptr;
    std::vector<cublasLtMatmulHeuristicResult_t> found_;
};

}  // namespace probes
