// Dense linear algebra: BLAS 2 and 3, batches of products, Linpack.
#include "estimate/families/kernel/kernel_work.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace ridgeline {
namespace {

struct Shape {
    double m = 0, n = 0, k = 0;
};

std::string named(const Kernel& kernel) {
    return std::string(kernel_kind_named(kernel.operation)->title);
}

/// Rows, columns and depth of a product: m, n, k, or the sides.
Result<Shape> shape_of(const Kernel& kernel, std::size_t wanted) {
    if (kernel.size.empty() && kernel.m > 0 && kernel.n > 0 && (wanted < 3 || kernel.k > 0)) {
        return Shape{kernel.m, kernel.n, std::max(1.0, kernel.k)};
    }
    const auto sides = sides_of(kernel, static_cast<int>(wanted));
    if (!sides) {
        return tl::unexpected(sides.error());
    }
    const auto at = [&](std::size_t i) { return i < sides->size() ? (*sides)[i] : 1; };
    return Shape{at(0), wanted > 1 ? at(1) : at(0), at(2)};
}

KernelWork work_of(const Kernel& kernel, ComputeType type, double flops, double words) {
    KernelWork work;
    work.flops = Flops::of_base(flops);
    work.traffic = words * number_bytes(type) * byte;
    work.resident = work.traffic;
    work.unit = "GFLOP/s";
    work.amount = flops / 1e9;
    work.title = named(kernel);
    return work;
}

/// C = A B, `batch` of them: 2 m n k operations, each operand and the result once.
/// source  BLAS technical forum; Golub and Van Loan, Matrix Computations, 1.1
Result<KernelWork> product(const Kernel& kernel, ComputeType type, const KernelPlace& place) {
    const auto shape = shape_of(kernel, 3);
    if (!shape) {
        return tl::unexpected(shape.error());
    }
    const auto [m, n, k] = *shape;
    const double batch = std::max(1.0, kernel.batch);
    KernelWork work = work_of(kernel, type, 2 * m * n * k * batch, batch * (m * k + k * n + m * n));
    const std::string what =
        batch > 1 ? fmt::format("{:.0f} products of ", batch) : std::string("matrix product ");
    work.title = fmt::format("{}{:.0f} x {:.0f} x {:.0f}", what, m, n, k);
    work.copied_in = batch * (m * k + k * n) * number_bytes(type) * byte;
    work.copied_out = batch * m * n * number_bytes(type) * byte;
    work.source = "2 m n k: BLAS technical forum standard";
    // Rows are shared between devices; each needs all of B.
    const double rows = std::ceil(m / place.devices);
    KernelPart part{.name = "product",
                    .operator_class = OperatorClass::gemm,
                    .product = {.m = rows, .n = n, .k = k, .count = batch},
                    .formula = "2 m n k FLOP, g (m k + k n + m n) B"};
    part.flops = part.product.flops();
    part.traffic = batch * number_bytes(type) * (rows * k + k * n + rows * n) * byte;
    work.resident = part.traffic;
    work.parts.push_back(part);
    if (place.devices > 1) {
        work.exchanges.push_back({.name = "gather of the second operand",
                                  .operation = Collective::all_gather,
                                  .size = batch * k * n * number_bytes(type) * byte,
                                  .hidden = true,
                                  .formula = "g k n B"});
    }
    return work;
}

/// The other routines of level 3 do as many products of blocks: symm 2 m^2 n, syrk m^2 k (m = n),
/// trmm and trsm m^2 n operations.
/// source  LAPACK working note 41, operation counts
Result<KernelWork> level_three(const Kernel& kernel, ComputeType type, const KernelPlace& place) {
    const auto shape = shape_of(kernel, 2);
    if (!shape) {
        return tl::unexpected(shape.error());
    }
    const double m = shape->m, n = shape->n;
    const bool full = kernel.operation == "symm";
    const bool update = kernel.operation == "syrk";
    const double flops = (full ? 2 : 1) * m * m * n;
    const double words = update ? m * n + m * m / 2 : m * m / 2 + 2 * m * n;
    KernelWork work = work_of(kernel, type, flops, words);
    work.title = fmt::format("{} {:.0f} x {:.0f}", named(kernel), m, n);
    work.source = "LAPACK working note 41";
    work.copied_in = words * number_bytes(type) * byte;
    work.copied_out = m * (update ? m / 2 : n) * number_bytes(type) * byte;
    const double share = 1.0 / place.devices;
    // As one product with as many operations: half the depth for half the work.
    work.parts.push_back(
        {.name = "blocks",
         .operator_class = OperatorClass::gemm,
         .flops = Flops::of_base(flops * share),
         .traffic = work.traffic * share,
         .product = {.m = m * share, .n = update ? m : n, .k = (update ? n : m) * (full ? 1 : 0.5)},
         .formula = full ? "2 m^2 n FLOP" : "m^2 n FLOP"});
    return work;
}

/// Matrix and vector: every element of the matrix once, two operations each (half of them for a
/// triangle, of which half is read).
/// source  LAPACK working note 41
Result<KernelWork> level_two(const Kernel& kernel, ComputeType type, const KernelPlace& place) {
    const bool square = kernel.operation == "symv" || kernel.operation == "trsv";
    const auto shape = shape_of(kernel, square ? 1 : 2);
    if (!shape) {
        return tl::unexpected(shape.error());
    }
    const double m = shape->m, n = shape->n;
    const bool solve = kernel.operation == "trsv";
    const double matrix = square ? m * n / 2 : m * n;
    const double flops = solve ? m * n : 2 * m * n;
    const double words = matrix * (kernel.operation == "ger" ? 2 : 1) + m + n;
    KernelWork work = work_of(kernel, type, flops, words);
    work.title = fmt::format("{} {:.0f} x {:.0f}", named(kernel), m, n);
    work.source = "LAPACK working note 41";
    work.copied_in = (matrix + n) * number_bytes(type) * byte;
    work.copied_out = (kernel.operation == "ger" ? matrix : m) * number_bytes(type) * byte;
    const double share = 1.0 / place.devices;
    // A solve goes down the diagonal in blocks of 32 columns, each waiting for the one before.
    constexpr double block = 32;
    work.parts.push_back({.name = "matrix",
                          .operator_class = kernel.operation == "ger"
                                                ? OperatorClass::streaming
                                                : OperatorClass::one_way_stream,
                          .flops = Flops::of_base(flops * share),
                          .traffic = work.traffic * share,
                          .launches = solve ? std::ceil(m / block / 32) : 1,
                          .formula = square ? "g m^2 / 2 B" : "g m n B"});
    return work;
}

/// LU with partial pivoting of an n x n system: 2/3 n^3 + 2 n^2 operations, 8 n^2 bytes. The
/// trailing updates are products; panels, row swaps and broadcasts leave them three quarters of the
/// time (judged from published runs: 0.7 to 0.8 of dgemm on systems of A100 and H100).
/// source  HPL of netlib (operation count); glennklockwood.com (rates an accelerator)
Result<KernelWork> linpack(const Kernel& kernel, ComputeType type, const KernelPlace& place) {
    Kernel sized = kernel;
    KernelWork work;
    const double g = number_bytes(type);
    std::string note;
    if (sized.size.empty()) {
        constexpr double filled = 0.8, block = 1024;  // of the memory: HPL FAQ; assumed
        const double n = std::sqrt(filled * place.memory.base() * place.devices / g);
        sized.size = {std::max(block, std::floor(n / block) * block)};
        note = fmt::format("n = {:.0f} fills 80 % of the memory", sized.size.front());
    }
    const auto sides = sides_of(sized, 1);
    if (!sides) {
        return tl::unexpected(sides.error());
    }
    const double n = sides->front();
    const double flops = 2.0 / 3 * n * n * n + 2 * n * n;
    work = work_of(kernel, type, flops, n * n);
    work.title = fmt::format("HPL of n = {:.0f}", n);
    work.source = "2/3 n^3 + 2 n^2: HPL, netlib";
    if (!note.empty()) {
        work.notes.push_back(note);
    }
    constexpr double updating = 0.75;  // assumed, as the note says
    work.notes.emplace_back("products take 75 % of the time; panels and swaps the rest [assumed]");
    // Trailing products have the depth of a panel. Beside the matrix lie two panels and the rows
    // that are swapped and those that are sent (look-ahead), and the context of the program.
    constexpr double depth = 1024;
    constexpr Bytes context = 0.5 * gibibyte;  // assumed
    work.copied_in = g * n * n * byte;
    work.resident = work.copied_in / place.devices +
                    4 * g * depth * n / std::sqrt(double(place.devices)) * byte + context;
    const double share = flops / place.devices / updating;
    const double side = std::max(1.0, n / std::sqrt(double(place.devices)) / 1.7);
    const double steps = share / (2 * side * side * depth);
    work.parts.push_back({.name = "updates",
                          .operator_class = OperatorClass::gemm,
                          .flops = Flops::of_base(2 * side * side * depth),
                          .traffic = g * (2 * side * depth + 2 * side * side) * byte,
                          .product = {.m = side, .n = side, .k = depth},
                          .count = steps,
                          .formula = "(2/3 n^3 + 2 n^2) / p FLOP"});
    if (place.devices > 1) {
        // Panels along the rows, swapped rows along the columns of the process grid: n^2 words by
        // each root of p.
        work.exchanges.push_back({.name = "panels and swapped rows",
                                  .operation = Collective::point_to_point,
                                  .size = 2 * g * n * n / std::sqrt(double(place.devices)) * byte,
                                  .hidden = true,
                                  .formula = "2 g n^2 / sqrt(p) B"});
    }
    return work;
}

}  // namespace

Result<KernelWork> dense_work(const Kernel& kernel, ComputeType type, const KernelPlace& place) {
    const std::string& name = kernel.operation;
    if (name == "gemm") {
        return product(kernel, type, place);
    }
    if (name == "hpl") {
        return linpack(kernel, type, place);
    }
    if (name == "gemv" || name == "symv" || name == "trsv" || name == "ger") {
        return level_two(kernel, type, place);
    }
    return level_three(kernel, type, place);
}

}  // namespace ridgeline
