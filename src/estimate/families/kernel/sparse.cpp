// Sparse matrices in CSR and ELL, and HPCG.
#include "estimate/families/kernel/kernel_work.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace ridgeline {
namespace {

/// Rows of such unlike length (standard deviation over mean) leave lanes idle and their columns are
/// scattered: graphs, circuits, finite elements with local refinement. Rows longer than a warp hide
/// more of it.
constexpr double unlike_short = 0.25;
constexpr double unlike_long = 0.4;
constexpr double warp = 32;

struct SparseMatrix {
    double rows = 0;
    double columns = 0;
    double width = 1;  ///< right-hand sides
    double nonzeros = 0;
    double stored = 0;  ///< nonzeros with the padding of ELL
};

Result<SparseMatrix> matrix_of(const Kernel& kernel) {
    if (kernel.size.empty()) {
        return input_error("kernel/size", "missing, expected rows and columns",
                           "Example: --size 1000000x1000000 --nonzeros 27M.");
    }
    if (kernel.size.size() > 3) {
        return input_error("kernel/size", "expected rows, columns and right-hand sides");
    }
    SparseMatrix matrix;
    matrix.rows = kernel.size[0];
    matrix.columns = kernel.size.size() > 1 ? kernel.size[1] : matrix.rows;
    constexpr double usual_width = 32;  // right-hand sides, assumed
    matrix.width = kernel.operation != "spmm" ? 1
                   : kernel.size.size() > 2   ? kernel.size[2]
                                              : usual_width;
    matrix.nonzeros = kernel.nonzeros;
    if (!(matrix.nonzeros > 0)) {
        return input_error("kernel/nonzeros", "missing, expected the stored elements of the matrix",
                           "Example: --nonzeros 27M.");
    }
    if (matrix.nonzeros > matrix.rows * matrix.columns) {
        return input_error("kernel/nonzeros",
                           fmt::format("found {:g}, expected at most rows x columns = {:g}",
                                       matrix.nonzeros, matrix.rows * matrix.columns));
    }
    matrix.stored = kernel.format == "ell"
                        ? matrix.rows * std::max(kernel.row_max, matrix.nonzeros / matrix.rows)
                        : matrix.nonzeros;
    return matrix;
}

/// Matrix once; x once where columns are near each other; y once.
/// source  Williams et al. 2009; Bell and Garland 2009 (bytes of CSR and ELL)
Result<KernelWork> sparse_product(const Kernel& kernel, ComputeType type,
                                  const KernelPlace& place) {
    const auto matrix = matrix_of(kernel);
    if (!matrix) {
        return tl::unexpected(matrix.error());
    }
    const double g = number_bytes(type);
    const double pointers = kernel.format == "ell" ? 0 : (matrix->rows + 1) * kernel.index_bytes;
    const double stored = matrix->stored * (g + kernel.index_bytes) + pointers;
    const double vectors = (matrix->rows + matrix->columns) * matrix->width * g;
    const double flops = 2 * matrix->nonzeros * matrix->width;
    const double mean = matrix->nonzeros / matrix->rows;
    const bool irregular =
        std::sqrt(kernel.row_variance) > (mean < warp ? unlike_short : unlike_long) * mean;
    KernelWork work;
    work.title = fmt::format(
        "{}, {:.4g} rows, {:.4g} nonzeros, {}{}", kernel_kind_named(kernel.operation)->title,
        matrix->rows, matrix->nonzeros, kernel.format.empty() ? "csr" : kernel.format,
        matrix->width > 1 ? fmt::format(", {:.0f} columns", matrix->width) : "");
    work.flops = Flops::of_base(flops);
    work.traffic = (stored + vectors) * byte;
    work.resident = work.traffic / place.devices;
    work.copied_in = (stored + matrix->columns * matrix->width * g) * byte;
    work.copied_out = matrix->rows * matrix->width * g * byte;
    work.unit = "GFLOP/s";
    work.amount = flops / 1e9;
    work.source = "Bell and Garland 2009: 2 FLOP a nonzero";
    if (irregular) {
        work.notes.emplace_back("rows of unlike length: taken for a scattered matrix");
    } else if (kernel.row_variance <= 0) {
        work.notes.emplace_back(
            "rows of like length are assumed; graphs are two to three times slower");
    }
    work.parts.push_back(
        {.name = "rows",
         .operator_class = irregular ? OperatorClass::irregular_sparse : OperatorClass::sparse,
         .flops = work.flops / place.devices,
         .traffic = work.traffic / place.devices,
         .formula = "nnz (g + index) + rows index + (rows + columns) g w B"});
    if (place.devices > 1) {
        work.exchanges.push_back({.name = "gather of x",
                                  .operation = Collective::all_gather,
                                  .size = matrix->columns * matrix->width * g * byte,
                                  .formula = "columns g w B"});
    }
    return work;
}

/// One iteration of preconditioned conjugate gradients on a 27-point operator: a sparse product,
/// three inner products, three updates and a V-cycle of four grids, each with a symmetric
/// Gauss-Seidel sweep before and after the coarser one (as a forward and a backward product each)
/// and a residual. source  Heroux, Dongarra and Luszczek 2013, HPCG technical specification
Result<KernelWork> conjugate_gradients(const Kernel& kernel, ComputeType type,
                                       const KernelPlace& place) {
    Kernel sized = kernel;
    constexpr double usual_side = 256;  // local grid of published runs on accelerators (assumed)
    if (sized.size.empty()) {
        sized.size = {usual_side};
    }
    const auto sides = sides_of(sized, 3);
    if (!sides) {
        return tl::unexpected(sides.error());
    }
    const double rows = std::accumulate(sides->begin(), sides->end(), 1.0, std::multiplies<>());
    constexpr double neighbours = 27, index = 4;
    const double g = number_bytes(type);
    constexpr double finer = 1 + 1.0 / 8 + 1.0 / 64;  // grids with a coarser one below
    constexpr double products = 1 + (2 + 2 + 1) * finer + 2 * 1.0 / 512;
    const double flops = rows * (2 * neighbours * products + 3 * 2 + 3 * 3);
    const double bytes =
        rows * (products * (neighbours * (g + index) + 3 * g) + 3 * 2 * g + 3 * 3 * g);
    KernelWork work;
    work.title = fmt::format("HPCG iteration, {:.0f} x {:.0f} x {:.0f} rows a device", (*sides)[0],
                             (*sides)[1], (*sides)[2]);
    work.flops = Flops::of_base(flops * place.devices);
    work.traffic = bytes * place.devices * byte;
    work.resident = rows * 8.0 / 7 * (neighbours * (g + index) + 10 * g) * byte;
    work.unit = "GFLOP/s";
    work.amount = flops * place.devices / 1e9;
    work.source = "HPCG technical specification, 2013";
    if (kernel.size.empty()) {
        work.notes.emplace_back("256^3 rows a device, as no size was said");
    }
    // Colouring lets a sweep run in parallel, eight colours one after another on each grid.
    constexpr double colours = 8, grids = 4;
    work.parts.push_back({.name = "sweeps and products",
                          .operator_class = OperatorClass::stencil,
                          .flops = Flops::of_base(flops),
                          .traffic = bytes * byte,
                          .launches = colours * 4 * grids,
                          .formula = "about 6.7 products of 27 (g + index) B a row"});
    if (place.devices > 1) {
        const std::vector<int> parts = cut_grid(*sides, place.devices);
        const Faces faces = faces_of(*sides, parts);
        work.exchanges.push_back({.name = "faces",
                                  .operation = Collective::point_to_point,
                                  .size = faces.cells * g * byte,
                                  .count = products,
                                  .hidden = true,
                                  .formula = "faces g B for each product"});
        work.exchanges.push_back({.name = "inner products",
                                  .operation = Collective::all_reduce,
                                  .size = g * byte,
                                  .count = 3,
                                  .formula = "g B"});
    }
    return work;
}

}  // namespace

Result<KernelWork> sparse_work(const Kernel& kernel, ComputeType type, const KernelPlace& place) {
    return kernel.operation == "hpcg" ? conjugate_gradients(kernel, type, place)
                                      : sparse_product(kernel, type, place);
}

}  // namespace ridgeline
