#include "probes/cpu/blas.h"
#include "probes/cpu/blocked_product.h"
#include "probes/cpu/products.h"

#include <boost/test/unit_test.hpp>

#include <vector>

using namespace probes;

namespace {

/// Small whole numbers, so that sums are exact in any order and any precision.
template <typename T>
std::vector<T> whole_numbers(std::size_t count, std::uint64_t seed) {
    std::vector<T> values(count);
    for (std::size_t i = 0; i < count; ++i) {
        values[i] = static_cast<T>(static_cast<int>(mixed(seed, i) % 7) - 3);
    }
    return values;
}

template <typename T>
int wrong_elements(int threads, int m, int n, int k) {
    const auto size = [](int rows, int columns) {
        return static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns);
    };
    const std::vector<T> a = whole_numbers<T>(size(m, k), 1);
    const std::vector<T> b = whole_numbers<T>(size(k, n), 2);
    std::vector<T> c(size(m, n), T{99});
    blocked_product(threads, m, n, k, a.data(), b.data(), c.data());
    int wrong = 0;
    for (int row = 0; row < m; ++row) {
        for (int column = 0; column < n; ++column) {
            T sum = 0;
            for (int i = 0; i < k; ++i) {
                sum += a[size(row, k) + static_cast<std::size_t>(i)] *
                       b[size(i, n) + static_cast<std::size_t>(column)];
            }
            wrong += c[size(row, n) + static_cast<std::size_t>(column)] != sum ? 1 : 0;
        }
    }
    return wrong;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(cpu)

/// Shapes that fill tiles, cut them off, and cross a slice of k and a block of rows.
BOOST_AUTO_TEST_CASE(the_own_kernel_multiplies_every_shape_exactly) {
    for (const int threads : {1, 3}) {
        BOOST_TEST(wrong_elements<double>(threads, 8, 24, 192) == 0);
        BOOST_TEST(wrong_elements<double>(threads, 1, 1, 1) == 0);
        BOOST_TEST(wrong_elements<double>(threads, 17, 31, 193) == 0);
        BOOST_TEST(wrong_elements<double>(threads, 331, 50, 200) == 0);
        BOOST_TEST(wrong_elements<float>(threads, 16, 48, 385) == 0);
        BOOST_TEST(wrong_elements<float>(threads, 9, 97, 5) == 0);
    }
}

BOOST_AUTO_TEST_CASE(a_product_is_checked_against_higher_precision) {
    CpuProducts<double> products(64, 5, 1);
    products.poison();
    BOOST_TEST(products.error({64, 64, 64}) == 1e30);  // nobody wrote it
    BOOST_TEST(products.once(nullptr, {64, 64, 64}, 1) > 0);
    BOOST_TEST(products.error({64, 64, 64}) <= 1);
    BOOST_TEST(products.error({64, 32, 64}) > 1);  // another product's elements are wrong
    // 64 x 64 in fp64 are 32 KiB: one copy of it stays in a mebibyte.
    BOOST_TEST(products.resident({8, 64, 64}, 1 << 20));
    BOOST_TEST(!products.resident({8, 64, 64}, 1 << 10));
}

BOOST_AUTO_TEST_CASE(a_library_for_an_older_cpu_is_told) {
    BOOST_TEST(leaves_vectors_idle("Haswell", "AVX-512"));
    BOOST_TEST(leaves_vectors_idle("Zen", "AVX-512"));
    BOOST_TEST(leaves_vectors_idle("Sandybridge", "AVX2"));
    BOOST_TEST(!leaves_vectors_idle("SkylakeX", "AVX-512"));
    BOOST_TEST(!leaves_vectors_idle("Cooperlake", "AVX-512"));
    BOOST_TEST(!leaves_vectors_idle("Haswell", "AVX2"));
    BOOST_TEST(!leaves_vectors_idle("neoversen1", "baseline"));
    BOOST_TEST(!leaves_vectors_idle("", "AVX-512"));
}

BOOST_AUTO_TEST_SUITE_END()
