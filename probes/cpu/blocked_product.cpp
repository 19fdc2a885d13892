#include "probes/cpu/blocked_product.h"

#include "probes/cpu/pages.h"
#include "probes/cpu/threads.h"

#include <algorithm>
#include <barrier>
#include <cstddef>
#include <thread>
#include <vector>

namespace probes {
namespace {

// A tile of the result has 8 rows of 3 vectors: 24 accumulators, 3 operands and a broadcast use the
// 32 registers of AVX-512 and keep two multiply-add units busy while one row is loaded.
constexpr int tile_rows = 8;
constexpr int tile_vectors = 3;
// A slice of 320 of k: a tile of the result is fetched and stored once for 320 multiply-adds of
// each of its elements. A panel of B (60 KiB) and a block of A within half a mebibyte stay in the
// second cache, all packed columns of B, which the threads pack together, in the last.
constexpr int slice = 320;
constexpr std::size_t second_cache_bytes = std::size_t{480} << 10;
constexpr int column_block = 4128;

template <typename T, int Bytes>
struct Wide {
    // NOLINTNEXTLINE(modernize-use-using): the attribute stands with a typedef alone
    typedef T Vector __attribute__((vector_size(Bytes), aligned(sizeof(T)), may_alias));
    static constexpr int lanes = Bytes / static_cast<int>(sizeof(T));
    static constexpr int columns = tile_vectors * lanes;
};

/// Row-major operands and the range of rows of one thread.
template <typename T>
struct Job {
    int from, to, n, k;
    const T* a;
    const T* b;
    T* c;
};

/// The threads of one product and the packed columns of B that they share.
template <typename T>
struct Team {
    explicit Team(int count)
        : threads(count), all(count), right(static_cast<std::size_t>(column_block) * slice) {}
    int threads;
    std::barrier<> all;
    Pages<T> right;
};

/// Panels of 8 rows, slice by slice: one value of each row after the other; missing rows are 0.
template <typename T>
inline __attribute__((always_inline)) void pack_rows(
    const Job<T>& job, int row, int rows, int at, int depth, T* packed) {
    for (int panel = 0; panel < rows; panel += tile_rows) {
        for (int p = 0; p < depth; ++p) {
            for (int i = 0; i < tile_rows; ++i) {
                const bool inside = panel + i < rows;
                *packed++ = inside ? job.a[static_cast<std::size_t>(row + panel + i) *
                                               static_cast<std::size_t>(job.k) +
                                           static_cast<std::size_t>(at + p)]
                                   : T{0};
            }
        }
    }
}

/// Panels of `Columns` columns, the first at `column`. Row by row of B, so that memory is read in
/// its order.
template <typename T, int Columns>
inline __attribute__((always_inline)) void pack_columns(
    const Job<T>& job, int column, int columns, int at, int depth, T* packed) {
    for (int p = 0; p < depth; ++p) {
        const T* from = job.b + static_cast<std::size_t>(at + p) * static_cast<std::size_t>(job.n) +
                        static_cast<std::size_t>(column);
        T* to = packed + static_cast<std::size_t>(p) * Columns;
        for (int panel = 0; panel < columns; panel += Columns) {
            const int wide = std::min(Columns, columns - panel);
            std::copy_n(from + panel, wide, to);
            std::fill(to + wide, to + Columns, T{0});
            to += static_cast<std::size_t>(depth) * Columns;
        }
    }
}

/// One tile of the result += panel of A times panel of B. The tile is fetched while they multiply.
template <typename T, int Bytes>
inline __attribute__((always_inline)) void multiply_tile(
    int depth, const T* a, const T* b, T* c, std::size_t stride) {
    using Vector = typename Wide<T, Bytes>::Vector;
    constexpr int lanes = Wide<T, Bytes>::lanes;
    for (int i = 0; i < tile_rows; ++i) {
        for (int v = 0; v < tile_vectors; ++v) {
            __builtin_prefetch(c + static_cast<std::size_t>(i) * stride +
                               static_cast<std::size_t>(v * lanes));
        }
    }
    Vector sum[tile_rows][tile_vectors] = {};
    for (int p = 0; p < depth; ++p) {
        Vector right[tile_vectors];
#pragma GCC unroll 3
        for (int v = 0; v < tile_vectors; ++v) {
            right[v] = *reinterpret_cast<const Vector*>(b + v * lanes);
        }
#pragma GCC unroll 12
        for (int i = 0; i < tile_rows; ++i) {
#pragma GCC unroll 3
            for (int v = 0; v < tile_vectors; ++v) {
                sum[i][v] += a[i] * right[v];
            }
        }
        a += tile_rows;
        b += tile_vectors * lanes;
    }
#pragma GCC unroll 12
    for (int i = 0; i < tile_rows; ++i) {
#pragma GCC unroll 3
        for (int v = 0; v < tile_vectors; ++v) {
            Vector* place = reinterpret_cast<Vector*>(c + static_cast<std::size_t>(i) * stride +
                                                      static_cast<std::size_t>(v * lanes));
            *place += sum[i][v];
        }
    }
}

/// A tile that an edge of the result cuts off is made whole beside it and then added.
template <typename T, int Bytes>
inline __attribute__((always_inline)) void multiply_edge(
    int depth, const T* a, const T* b, T* c, std::size_t stride, int rows, int across) {
    constexpr int columns = Wide<T, Bytes>::columns;
    T whole[tile_rows * columns] = {};
    multiply_tile<T, Bytes>(depth, a, b, whole, columns);
    for (int y = 0; y < rows; ++y) {
        for (int x = 0; x < across; ++x) {
            c[static_cast<std::size_t>(y) * stride + static_cast<std::size_t>(x)] +=
                whole[y * columns + x];
        }
    }
}

/// Result (rows x width at `c`) += packed A times packed B.
template <typename T, int Bytes>
inline __attribute__((always_inline)) void multiply_block(
    const T* left, const T* right, int depth, T* c, std::size_t stride, int rows, int width) {
    constexpr int columns = Wide<T, Bytes>::columns;
    const auto deep = static_cast<std::size_t>(depth);
    for (int j = 0; j < width; j += columns) {
        const T* const b = right + static_cast<std::size_t>(j) * deep;
        for (int i = 0; i < rows; i += tile_rows) {
            const T* const a = left + static_cast<std::size_t>(i) * deep;
            T* const tile = c + static_cast<std::size_t>(i) * stride + static_cast<std::size_t>(j);
            if (i + tile_rows <= rows && j + columns <= width) {
                multiply_tile<T, Bytes>(depth, a, b, tile, stride);
            } else {
                multiply_edge<T, Bytes>(depth,
                                        a,
                                        b,
                                        tile,
                                        stride,
                                        std::min(tile_rows, rows - i),
                                        std::min(columns, width - j));
            }
        }
    }
}

template <typename T, int Bytes>
inline __attribute__((always_inline)) void multiply_rows(const Job<T>& job,
                                                         int thread,
                                                         Team<T>& team,
                                                         T* left) {
    constexpr int columns = Wide<T, Bytes>::columns;
    constexpr int wide = column_block / columns * columns;
    constexpr int row_block =
        static_cast<int>(second_cache_bytes / (sizeof(T) * slice)) / tile_rows * tile_rows;
    const auto stride = static_cast<std::size_t>(job.n);
    for (int row = job.from; row < job.to; ++row) {
        std::fill_n(job.c + static_cast<std::size_t>(row) * stride, job.n, T{0});
    }
    for (int at = 0; at < job.k; at += slice) {
        const int depth = std::min(slice, job.k - at);
        for (int column = 0; column < job.n; column += wide) {
            const int width = std::min(wide, job.n - column);
            const int panels = (width + columns - 1) / columns;
            const int first = columns * (panels * thread / team.threads);
            const int last = std::min(width, columns * (panels * (thread + 1) / team.threads));
            pack_columns<T, columns>(job,
                                     column + first,
                                     last - first,
                                     at,
                                     depth,
                                     team.right.data() + static_cast<std::size_t>(first) *
                                                             static_cast<std::size_t>(depth));
            team.all.arrive_and_wait();  // all columns are packed
            for (int row = job.from; row < job.to; row += row_block) {
                const int rows = std::min(row_block, job.to - row);
                pack_rows(job, row, rows, at, depth, left);
                T* const c = job.c + static_cast<std::size_t>(row) * stride +
                             static_cast<std::size_t>(column);
                multiply_block<T, Bytes>(left, team.right.data(), depth, c, stride, rows, width);
            }
            team.all.arrive_and_wait();  // nobody reads them any more
        }
    }
}

// The same source for each width of vectors: what is inlined takes the instructions of its caller.
#if defined(__x86_64__)
template <typename T>
__attribute__((target("avx512f"), noinline)) void rows_512(const Job<T>& job,
                                                           int thread,
                                                           Team<T>& team,
                                                           T* left) {
    multiply_rows<T, 64>(job, thread, team, left);
}
template <typename T>
__attribute__((target("avx2,fma"), noinline)) void rows_256(const Job<T>& job,
                                                            int thread,
                                                            Team<T>& team,
                                                            T* left) {
    multiply_rows<T, 32>(job, thread, team, left);
}
#endif

template <typename T>
void multiply(const Job<T>& job, int thread, Team<T>& team) {
    Pages<T> left(second_cache_bytes / sizeof(T));
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f")) {
        rows_512(job, thread, team, left.data());
        return;
    }
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
        rows_256(job, thread, team, left.data());
        return;
    }
#endif
    multiply_rows<T, 16>(job, thread, team, left.data());
}

template <typename T>
void split(int threads, const Job<T>& whole) {
    Team<T> team(threads);
    std::vector<std::thread> pool;
    // Whole tiles to each thread.
    const int tiles = (whole.to + tile_rows - 1) / tile_rows;
    for (int t = 0; t < threads; ++t) {
        Job<T> part = whole;
        part.from = std::min(whole.to, tile_rows * (tiles * t / threads));
        part.to = std::min(whole.to, tile_rows * (tiles * (t + 1) / threads));
        pool.emplace_back([part, t, threads, &team] {
            if (threads > 1) {
                stay_on_core(static_cast<std::size_t>(t));
            }
            multiply(part, t, team);
        });
    }
    for (std::thread& thread : pool) {
        thread.join();
    }
}

}  // namespace

void blocked_product(int threads, int m, int n, int k, const float* a, const float* b, float* c) {
    split<float>(threads, {0, m, n, k, a, b, c});
}

void blocked_product(
    int threads, int m, int n, int k, const double* a, const double* b, double* c) {
    split<double>(threads, {0, m, n, k, a, b, c});
}

}  // namespace probes
