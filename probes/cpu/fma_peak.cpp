#include "probes/cpu/fma_peak.h"

#include "probes/cpu/threads.h"

#include <vector>

// Twelve independent chains hide the latency of a fused multiply-add (4 cycles, two a cycle). Every
// chain starts from a value that the compiler cannot know: it would fold chains that it can.
#define RIDGELINE_FMA_LOOP(NAME, TARGET, TYPE, WIDTH)                                          \
    TARGET double NAME(long rounds) {                                                          \
        typedef TYPE Vector __attribute__((vector_size(WIDTH)));                               \
        volatile TYPE unknown[14] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12,                    \
                                     static_cast<TYPE>(0.999999), static_cast<TYPE>(1e-6)};    \
        const Vector x = Vector{} + unknown[12];                                               \
        const Vector y = Vector{} + unknown[13];                                               \
        Vector a0 = Vector{} + unknown[0], a1 = Vector{} + unknown[1],                         \
               a2 = Vector{} + unknown[2], a3 = Vector{} + unknown[3],                         \
               a4 = Vector{} + unknown[4], a5 = Vector{} + unknown[5],                         \
               a6 = Vector{} + unknown[6], a7 = Vector{} + unknown[7],                         \
               a8 = Vector{} + unknown[8], a9 = Vector{} + unknown[9],                         \
               a10 = Vector{} + unknown[10], a11 = Vector{} + unknown[11];                     \
        for (long i = 0; i < rounds; ++i) {                                                    \
            a0 = a0 * x + y, a1 = a1 * x + y, a2 = a2 * x + y, a3 = a3 * x + y;                \
            a4 = a4 * x + y, a5 = a5 * x + y, a6 = a6 * x + y, a7 = a7 * x + y;                \
            a8 = a8 * x + y, a9 = a9 * x + y, a10 = a10 * x + y, a11 = a11 * x + y;            \
        }                                                                                      \
        const Vector all = a0 + a1 + a2 + a3 + a4 + a5 + a6 + a7 + a8 + a9 + a10 + a11;        \
        volatile TYPE kept = all[0];                                                           \
        (void)kept;                                                                            \
        constexpr std::size_t lanes = (WIDTH) / sizeof(TYPE);                                   \
        return static_cast<double>(rounds) * 12 * 2 * static_cast<double>(lanes);              \
    }

namespace probes {
namespace {

#if defined(__x86_64__)
RIDGELINE_FMA_LOOP(single_512, __attribute__((target("avx512f"), noinline)), float, 64)
RIDGELINE_FMA_LOOP(double_512, __attribute__((target("avx512f"), noinline)), double, 64)
RIDGELINE_FMA_LOOP(single_256, __attribute__((target("avx2,fma"), noinline)), float, 32)
RIDGELINE_FMA_LOOP(double_256, __attribute__((target("avx2,fma"), noinline)), double, 32)
#endif
RIDGELINE_FMA_LOOP(single_128, __attribute__((noinline)), float, 16)
RIDGELINE_FMA_LOOP(double_128, __attribute__((noinline)), double, 16)

double run_one(bool fp64, long rounds) {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f")) {
        return fp64 ? double_512(rounds) : single_512(rounds);
    }
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
        return fp64 ? double_256(rounds) : single_256(rounds);
    }
#endif
    return fp64 ? double_128(rounds) : single_128(rounds);
}

}  // namespace

FmaRun fma_run(bool fp64, int threads, long rounds) {
    std::vector<double> flop(static_cast<std::size_t>(threads));
    FmaRun run;
    run.seconds = timed_threads(threads, [&](std::size_t t) { flop[t] = run_one(fp64, rounds); });
    for (const double each : flop) {
        run.flop += each;
    }
    return run;
}

std::string vector_kind() {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f")) {
        return "AVX-512";
    }
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
        return "AVX2";
    }
#endif
    return "baseline";
}

}  // namespace probes
