#include "probes/cpu/blas.h"

#include <algorithm>
#include <cctype>
#include <dlfcn.h>
#include <initializer_list>

namespace probes {
namespace {

// The C interface of BLAS, declared here: the header belongs to a package that may be absent.
constexpr int row_major = 101;
constexpr int no_transpose = 111;
using Sgemm = void (*)(
    int, int, int, int, int, int, float, const float*, int, const float*, int, float, float*, int);
using Dgemm = void (*)(int,
                       int,
                       int,
                       int,
                       int,
                       int,
                       double,
                       const double*,
                       int,
                       const double*,
                       int,
                       double,
                       double*,
                       int);

template <typename T>
T as(void* symbol) {
    return reinterpret_cast<T>(symbol);
}

}  // namespace

std::unique_ptr<Blas> Blas::open(std::string& why) {
    void* library = nullptr;
    for (const char* file : {"libopenblas.so.0", "libopenblas.so"}) {
        library = library != nullptr ? library : dlopen(file, RTLD_NOW | RTLD_LOCAL);
    }
    if (library == nullptr) {
        why = "OpenBLAS is not installed (apt-get install libopenblas0-pthread)";
        return nullptr;
    }
    std::unique_ptr<Blas> blas(new Blas);
    blas->library_ = library;
    blas->sgemm_ = dlsym(library, "cblas_sgemm");
    blas->dgemm_ = dlsym(library, "cblas_dgemm");
    blas->set_threads_ = dlsym(library, "openblas_set_num_threads");
    if (blas->sgemm_ == nullptr || blas->dgemm_ == nullptr || blas->set_threads_ == nullptr) {
        why = "the OpenBLAS of this system lacks cblas_sgemm or openblas_set_num_threads";
        return nullptr;
    }
    return blas;
}

Blas::~Blas() {
    // Its threads outlive a dlclose: the library stays open until the program ends.
}

void Blas::threads(int count) const {
    as<void (*)(int)>(set_threads_)(count);
}

void Blas::product(int m, int n, int k, const float* a, const float* b, float* c) const {
    as<Sgemm>(sgemm_)(row_major, no_transpose, no_transpose, m, n, k, 1.0F, a, k, b, n, 0.0F, c, n);
}

void Blas::product(int m, int n, int k, const double* a, const double* b, double* c) const {
    as<Dgemm>(dgemm_)(row_major, no_transpose, no_transpose, m, n, k, 1.0, a, k, b, n, 0.0, c, n);
}

std::string Blas::name() const {
    std::string name = "OpenBLAS";
    if (void* config = dlsym(library_, "openblas_get_config")) {
        const std::string text = as<char* (*)()>(config)();
        name = text.substr(0, text.find(' ', text.find(' ') + 1));
    }
    return core().empty() ? name : name + " " + core();
}

std::string Blas::core() const {
    void* core = dlsym(library_, "openblas_get_corename");
    return core == nullptr ? "" : as<char* (*)()>(core)();
}

bool leaves_vectors_idle(const std::string& core, const std::string& vectors) {
    const std::string small = [&] {
        std::string word = core;
        std::transform(word.begin(), word.end(), word.begin(), [](unsigned char c) {
            return static_cast<char>(std::tolower(c));
        });
        return word;
    }();
    const auto one_of = [&](std::initializer_list<const char*> cores) {
        return std::any_of(
            cores.begin(), cores.end(), [&](const char* known) { return small == known; });
    };
    const bool wide = one_of({"skylakex", "cooperlake", "sapphirerapids"});
    const bool middle = one_of({"haswell", "zen"});
    if (core.empty() || vectors == "baseline") {
        return false;
    }
    return vectors == "AVX-512" ? !wide : !wide && !middle;
}

}  // namespace probes
