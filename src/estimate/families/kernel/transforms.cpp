// Fourier transforms of one to three sides.
#include "estimate/families/kernel/kernel_work.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace ridgeline {
namespace {

/// A block exchanges one half of its complex numbers at a time through 48 KiB of shared memory, and
/// registers hold a little more: a contiguous side of 64 KiB of halves is done in one pass, a
/// longer one is split in two (the four-step method, Bailey 1990). Along another side, lines of 128
/// bytes of neighbouring columns lie there together: 384 of them fit into 48 KiB.
constexpr double exchanged_bytes = 64 * 1024;
constexpr double line_bytes = 128;
/// Rows that do not begin on a sector touch five of them instead of four.
constexpr double unaligned = 1.25;
constexpr double sector_points = 16;

/// Sides whose factors are 2, 3, 5 and 7 have kernels of their own; others are padded to a product
/// of a power of two at least twice as long (Bluestein 1970) in both directions.
bool has_radices(double side) {
    for (const double prime : {2.0, 3.0, 5.0, 7.0}) {
        while (std::fmod(side, prime) == 0 && side > 1) {
            side /= prime;
        }
    }
    return side == 1;
}

double passes_along(double side, double reach) {
    return std::max(1.0, std::ceil(std::log2(side) / std::log2(reach) - 1e-9));
}

/// How often the data are read and written.
struct TransformPasses {
    double contiguous = 0;
    double strided = 0;
    double longer = 1;   ///< Bluestein's padding
    double sectors = 1;  ///< read more than needed where rows are not aligned
};

TransformPasses passes_of(const std::vector<double>& sides, double number_bytes, Bytes block) {
    TransformPasses passes;
    for (std::size_t i = 0; i < sides.size(); ++i) {
        const bool last = i + 1 == sides.size();
        const double along = passes_along(
            sides[i], last ? exchanged_bytes / number_bytes : block.base() / line_bytes);
        (last ? passes.contiguous : passes.strided) += along;
        if (!has_radices(sides[i])) {
            passes.longer = 4;
        }
        if (std::fmod(sides[i], sector_points) != 0) {
            passes.sectors = unaligned;
        }
    }
    return passes;
}

}  // namespace

/// 5 N log2 N operations, 2.5 N log2 N for real numbers, though libraries do fewer; each side one
/// pass over the data, more where a side does not fit on chip.
/// source  FFTW's convention for the rate; Van Loan 1992, Computational Frameworks for the FFT
Result<KernelWork> transform_work(const Kernel& kernel, ComputeType type,
                                  const KernelPlace& place) {
    const KernelKind& kind = *kernel_kind_named(kernel.operation);
    const bool any = kernel.operation == "fft";
    const auto sides = sides_of(
        kernel, any && !kernel.size.empty() ? static_cast<int>(kernel.size.size()) : kind.sides);
    if (!sides) {
        return tl::unexpected(sides.error());
    }
    if (sides->size() > 3) {
        return input_error("kernel/size",
                           fmt::format("found {} sides, expected 1 to 3", sides->size()));
    }
    const double points = std::accumulate(sides->begin(), sides->end(), 1.0, std::multiplies<>());
    const double batch = std::max(1.0, kernel.batch);
    const double g = number_bytes(type);
    const double data = points * batch * g * (kernel.real ? 1 : 2);
    const double flops =
        (kernel.real ? 2.5 : 5) * points * batch * std::log2(std::max(2.0, points));
    KernelWork work;
    work.title =
        fmt::format("{}D Fourier transform, {}{}, {}", sides->size(), words_of_sides(*sides),
                    batch > 1 ? fmt::format(" x {:.0f}", batch) : "",
                    kernel.real ? "real to complex" : "complex");
    work.flops = Flops::of_base(flops);
    work.unit = "GFLOP/s";
    work.amount = flops / 1e9;
    work.source = "5 N log2 N: FFTW's convention";
    work.copied_in = data * byte;
    work.copied_out = work.copied_in;

    TransformPasses passes = passes_of(*sides, g, place.block_memory);
    double moved = data;
    if (kernel.real && std::fmod(sides->back(), 2) == 0) {
        // Half as many complex numbers, and a pass that parts the two halves of the spectrum.
        passes.contiguous += 1;
    } else if (kernel.real) {
        // Written out as complex numbers, transformed, and the half that counts copied: as long as
        // three passes (gearshifft on GTX 1080, rows that carry fitted_on: 2.2 times a complex
        // transform of three passes in fp32, three passes more in fp64).
        moved = 2 * data;
        passes.contiguous += 3;
        work.notes.emplace_back("the contiguous side is odd: transformed as complex numbers");
    }
    const double share = passes.longer * passes.sectors / place.devices;
    work.traffic = 2 * data * byte;
    work.resident = (2 * data + moved - data) / place.devices * byte;
    const double run = flops * passes.longer * (moved / data) /
                       std::max(1.0, passes.contiguous + passes.strided) / place.devices;
    work.parts.push_back({.name = "contiguous passes",
                          .operator_class = OperatorClass::fft,
                          .flops = Flops::of_base(run),
                          .traffic = 2 * moved * share * byte,
                          .count = passes.contiguous,
                          .formula = "2 N g B a pass, 5 N log2 N FLOP in all"});
    if (passes.strided > 0) {
        work.parts.push_back({.name = "strided passes",
                              .operator_class = OperatorClass::fft_strided,
                              .flops = Flops::of_base(run),
                              .traffic = 2 * moved * share * byte,
                              .count = passes.strided,
                              .formula = "2 N g B a pass"});
    }
    if (place.devices > 1) {
        work.exchanges.push_back({.name = "transpose between devices",
                                  .operation = Collective::all_to_all,
                                  .size = moved / place.devices * byte,
                                  .formula = "g N / p B"});
        work.notes.emplace_back("slabs: one exchange, the result stays transposed");
    }
    return work;
}

}  // namespace ridgeline
