// Neighbours on a grid: stencils, lattice Boltzmann, and the exchange of faces between devices.
#include "estimate/families/kernel/kernel_work.h"

#include <fmt/format.h>

#include <cmath>
#include <numeric>

namespace ridgeline {
namespace {

/// Operations a cell with equal weights by distance.
/// source  Datta et al. 2008, Stencil computation optimization and auto-tuning: 8 and 30
constexpr double flops_of_seven = 8;
constexpr double flops_of_twenty_seven = 30;

/// D3Q19 in place: 19 densities read and written and a flag byte.
/// source  Lehmann et al. 2022, Phys. Rev. E 106, 015308: operations a cell 363 (fp32), 406 (fp16
/// by hardware), 1275 (16-bit format of its own: the difference is integer work). Loads, stores and
/// addresses take another 200 instructions: the rows of B200 that carry fitted_on.
constexpr double densities = 19;
constexpr double lattice_flops = 363;
constexpr double converted_flops = 406;
constexpr double software_conversions = 1275 - 406;
constexpr double addressing = 200;
constexpr double crossing_densities = 5;  ///< of a cell that leave through one face

struct Grid {
    std::vector<double> local;  ///< sides of one device's part
    std::vector<int> parts;
    double cells = 0;  ///< of one device
    double all = 0;
    std::string words;
};

/// The grid of all devices cut into parts; or so many cells of each device as a cube.
Result<Grid> grid_of(const Kernel& kernel, int devices) {
    Grid grid;
    if (kernel.size.empty() && kernel.elements > 0) {
        const double side = std::cbrt(kernel.elements);
        grid.local = {side, side, side};
        grid.parts = cut_grid(grid.local, devices);
        grid.cells = kernel.elements;
        grid.all = grid.cells * devices;
        grid.words = fmt::format("{:.4g} cells", grid.all);
        return grid;
    }
    const auto sides = sides_of(kernel, 3);
    if (!sides) {
        return tl::unexpected(sides.error());
    }
    grid.parts = cut_grid(*sides, devices);
    grid.all = std::accumulate(sides->begin(), sides->end(), 1.0, std::multiplies<>());
    grid.cells = 1;
    for (std::size_t i = 0; i < sides->size(); ++i) {
        grid.local.push_back(std::ceil((*sides)[i] / grid.parts[i]));
        grid.cells *= grid.local.back();
    }
    grid.words = words_of_sides(*sides);
    return grid;
}

/// Faces go to the neighbours both ways of each cut side at once.
void add_faces(KernelWork& work, const Grid& grid, double bytes_per_cell, bool through_host) {
    const Faces faces = faces_of(grid.local, grid.parts);
    if (faces.directions == 0) {
        return;
    }
    work.exchanges.push_back({.name = "faces",
                              .operation = Collective::point_to_point,
                              .size = faces.cells / faces.directions * bytes_per_cell * byte,
                              .count = double(faces.directions),
                              .hidden = !through_host,
                              .through_host = through_host,
                              .formula = "2 faces g B for each cut side"});
}

/// Each cell read once and written once where neighbours stay in cache.
KernelWork stencil(const Kernel& kernel, ComputeType type, const Grid& grid) {
    const double g = number_bytes(type);
    const bool seven = kernel.operation == "stencil7";
    const double flops = seven ? flops_of_seven : flops_of_twenty_seven;
    KernelWork work;
    work.title = fmt::format("{} on {}", kernel_kind_named(kernel.operation)->title, grid.words);
    work.flops = Flops::of_base(flops * grid.all);
    work.traffic = 2 * g * grid.all * byte;
    work.resident = 2 * g * grid.cells * byte;
    work.copied_in = g * grid.all * byte;
    work.copied_out = work.copied_in;
    work.unit = "GFLOP/s";
    work.amount = flops * grid.all / 1e9;
    work.source = "Datta et al. 2008: 8 and 30 FLOP a cell";
    work.notes.emplace_back(
        "each cell is read once and written once: neighbours come from cache, as tiled kernels do");
    work.parts.push_back({.name = "sweep",
                          .operator_class = OperatorClass::stencil,
                          .flops = Flops::of_base(flops * grid.cells),
                          .traffic = 2 * g * grid.cells * byte,
                          .formula = fmt::format("{:.0f} n FLOP, 2 g n B", flops)});
    add_faces(work, grid, g, false);
    return work;
}

Result<KernelWork> lattice(const Kernel& kernel, const Grid& grid) {
    const std::string storage = kernel.storage.empty() ? "fp32" : kernel.storage;
    const bool half = storage == "fp16s" || storage == "fp16c" || storage == "fp16";
    if (!half && storage != "fp32") {
        return input_error("kernel/storage",
                           "found \"" + storage + "\", expected fp32, fp16s or fp16c");
    }
    const double bytes = 2 * densities * (half ? 2 : 4) + 1;
    KernelWork work;
    work.title = fmt::format("lattice Boltzmann D3Q19 on {}{}", grid.words,
                             half ? ", stored in " + storage : "");
    work.traffic = bytes * grid.all * byte;
    work.flops = Flops::of_base((half ? converted_flops : lattice_flops) * grid.all);
    // Densities, velocity and density of a cell, a flag.
    work.resident = (densities * (half ? 2 : 4) + 4 * 4 + 1) * grid.cells * byte;
    work.unit = "MLUP/s";
    work.amount = grid.all / 1e6;
    work.source = "Lehmann et al. 2022, Phys. Rev. E 106, 015308";
    work.parts.push_back(
        {.name = "collide and stream",
         .operator_class = OperatorClass::lattice,
         .flops = Flops::of_base(2 * ((half ? converted_flops : lattice_flops) + addressing) *
                                 grid.cells),
         .traffic = bytes * grid.cells * byte,
         .integer_lanes = storage == "fp16c" ? software_conversions * grid.cells : 0,
         .issue_bound = true,
         .formula = fmt::format("{:.0f} n B", bytes)});
    add_faces(work, grid, crossing_densities * (half ? 2 : 4), true);
    return work;
}

/// The exchange alone.
KernelWork halo(ComputeType type, const Grid& grid, int devices) {
    const double g = number_bytes(type);
    const Faces faces = faces_of(grid.local, grid.parts);
    KernelWork work;
    work.title = fmt::format("faces of {} between {} devices", grid.words, devices);
    work.unit = "GB/s";
    work.amount = faces.cells * g / 1e9;
    work.traffic = 2 * faces.cells * g * devices * byte;
    work.resident = g * grid.cells * byte;
    work.source = "surface of a cut grid";
    work.parts.push_back({.name = "packing",
                          .operator_class = OperatorClass::streaming,
                          .traffic = 2 * 2 * faces.cells * g * byte,
                          .launches = 2,
                          .formula = "4 g faces B"});
    add_faces(work, grid, g, false);
    if (!work.exchanges.empty()) {
        work.exchanges.front().hidden = false;
    }
    return work;
}

}  // namespace

Result<KernelWork> grid_work(const Kernel& kernel, ComputeType type, const KernelPlace& place) {
    const auto grid = grid_of(kernel, place.devices);
    if (!grid) {
        return tl::unexpected(grid.error());
    }
    if (kernel.operation == "lbm_d3q19") {
        return lattice(kernel, *grid);
    }
    if (kernel.operation == "halo") {
        return halo(type, *grid, place.devices);
    }
    return stencil(kernel, type, *grid);
}

}  // namespace ridgeline
