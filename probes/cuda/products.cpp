#include "probes/cuda/products.h"

#include <string_view>

namespace probes {
namespace {

constexpr std::size_t workspace_bytes = std::size_t{32} << 20;  // what cuBLAS advises for Hopper

void check(cublasStatus_t status, const char* what) {
    if (status != CUBLAS_STATUS_SUCCESS) {
        throw std::runtime_error(std::string(what) + ": " + cublasLtGetStatusString(status));
    }
}

template <typename T>
void set(cublasLtMatmulDesc_t operation, cublasLtMatmulDescAttributes_t attribute, T value) {
    check(cublasLtMatmulDescSetAttribute(operation, attribute, &value, sizeof(value)), "attribute");
}

cudaDataType_t data_type(Element element) {
    switch (element) {
        case Element::f64:
            return CUDA_R_64F;
        case Element::f32:
            return CUDA_R_32F;
        case Element::f16:
            return CUDA_R_16F;
        case Element::bf16:
            return CUDA_R_16BF;
        case Element::e4m3:
            return CUDA_R_8F_E4M3;
        case Element::i8:
            return CUDA_R_8I;
        case Element::i32:
            return CUDA_R_32I;
        case Element::e2m1:
            return CUDA_R_4F_E2M1;
    }
    return CUDA_R_32F;
}

cublasComputeType_t compute_type(const OperandType& type) {
    switch (type.element) {
        case Element::f64:
            return CUBLAS_COMPUTE_64F;
        case Element::i8:
            return CUBLAS_COMPUTE_32I;
        case Element::f32:
            return std::string_view(type.name) == "tf32" ? CUBLAS_COMPUTE_32F_FAST_TF32
                                                         : CUBLAS_COMPUTE_32F_PEDANTIC;
        default:
            return CUBLAS_COMPUTE_32F;
    }
}

cudaDataType_t scale_type(const OperandType& type) {
    if (type.element == Element::f64) {
        return CUDA_R_64F;
    }
    return type.element == Element::i8 ? CUDA_R_32I : CUDA_R_32F;
}

}  // namespace

ProductLibrary::ProductLibrary() : workspace_(workspace_bytes) {
    check(cublasLtCreate(&handle_), "cublasLtCreate");
}

ProductLibrary::~ProductLibrary() {
    cublasLtDestroy(handle_);
}

std::string ProductLibrary::name() {
    const std::size_t version = cublasLtGetVersion();
    return "cuBLASLt " + std::to_string(version / 10000) + "." +
           std::to_string(version / 100 % 100) + "." + std::to_string(version % 100);
}

Product::Product(const ProductLibrary& library,
                 const OperandType& type,
                 const Shape& shape,
                 const Buffer& scales,
                 int candidates)
    : library_(library), type_(type) {
    const auto m = static_cast<std::uint64_t>(shape.m);
    const auto n = static_cast<std::uint64_t>(shape.n);
    const auto k = static_cast<std::uint64_t>(shape.k);
    check(cublasLtMatmulDescCreate(&operation_, compute_type(type), scale_type(type)), "operation");
    // Column by column, as the library thinks: result' (n x m) = weight (k x n)' x activations.
    set(operation_, CUBLASLT_MATMUL_DESC_TRANSA, CUBLAS_OP_T);
    set(operation_, CUBLASLT_MATMUL_DESC_TRANSB, CUBLAS_OP_N);
    if (type.element == Element::e4m3 || type.element == Element::e2m1) {
        const void* scale = scales.at();
        set(operation_, CUBLASLT_MATMUL_DESC_A_SCALE_POINTER, scale);
        set(operation_, CUBLASLT_MATMUL_DESC_B_SCALE_POINTER, scale);
    }
    if (type.element == Element::e4m3) {
        set(operation_, CUBLASLT_MATMUL_DESC_FAST_ACCUM, std::int8_t{1});
    }
    if (type.element == Element::e2m1) {
        const cublasLtMatmulMatrixScale_t mode = CUBLASLT_MATMUL_MATRIX_SCALE_VEC16_UE4M3;
        set(operation_, CUBLASLT_MATMUL_DESC_A_SCALE_MODE, mode);
        set(operation_, CUBLASLT_MATMUL_DESC_B_SCALE_MODE, mode);
    }
    const auto rows = static_cast<std::int64_t>(k);
    check(cublasLtMatrixLayoutCreate(&weight_, data_type(type.element), k, n, rows), "layout");
    check(cublasLtMatrixLayoutCreate(&activations_, data_type(type.element), k, m, rows), "layout");
    check(cublasLtMatrixLayoutCreate(
              &result_, data_type(type.output), n, m, static_cast<std::int64_t>(n)),
          "layout");
    cublasLtMatmulPreference_t preference = nullptr;
    check(cublasLtMatmulPreferenceCreate(&preference), "preference");
    const std::size_t space = library.workspace().bytes();
    cublasLtMatmulPreferenceSetAttribute(
        preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &space, sizeof(space));
    found_.resize(static_cast<std::size_t>(candidates));
    int count = 0;
    const cublasStatus_t status = cublasLtMatmulAlgoGetHeuristic(library.handle(),
                                                                 operation_,
                                                                 weight_,
                                                                 activations_,
                                                                 result_,
                                                                 result_,
                                                                 preference,
                                                                 candidates,
                                                                 found_.data(),
                                                                 &count);
    cublasLtMatmulPreferenceDestroy(preference);
    found_.resize(status == CUBLAS_STATUS_SUCCESS ? static_cast<std::size_t>(count) : 0);
}

Product::~Product() {
    cublasLtMatrixLayoutDestroy(result_);
    cublasLtMatrixLayoutDestroy(activations_);
    cublasLtMatrixLayoutDestroy(weight_);
    cublasLtMatmulDescDestroy(operation_);
}

void Product::run(int algorithm,
                  const void* weight,
                  const void* activations,
                  void* result,
                  cudaStream_t stream) const {
    const double one_f64 = 1;
    const double zero_f64 = 0;
    const float one_f32 = 1;
    const float zero_f32 = 0;
    const std::int32_t one_i32 = 1;
    const std::int32_t zero_i32 = 0;
    const void* one = &one_f32;
    const void* zero = &zero_f32;
    if (type_.element == Element::f64) {
        one = &one_f64;
        zero = &zero_f64;
    } else if (type_.element == Element::i8) {
        one = &one_i32;
        zero = &zero_i32;
    }
    check(cublasLtMatmul(library_.handle(),
                         operation_,
                         one,
                         weight,
                         weight_,
                         activations,
                         activations_,
                         zero,
                         result,
                         result_,
                         result,
                         result_,
                         &found_[static_cast<std::size_t>(algorithm)].algo,
                         library_.workspace().at(),
                         library_.workspace().bytes(),
                         stream),
          "cublasLtMatmul");
}

}  // namespace probes
