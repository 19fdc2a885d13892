#include "estimate/families/kernel/kernel_work.h"

#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace ridgeline {
namespace {

constexpr double largest = 1e15;

using Worker = Result<KernelWork> (*)(const Kernel&, ComputeType, const KernelPlace&);

struct NamedWorker {
    std::string_view name;
    Worker work;
};

constexpr NamedWorker workers[] = {
    {"gemm", dense_work},          {"symm", dense_work},
    {"syrk", dense_work},          {"trmm", dense_work},
    {"trsm", dense_work},          {"gemv", dense_work},
    {"symv", dense_work},          {"trsv", dense_work},
    {"ger", dense_work},           {"hpl", dense_work},
    {"axpy", stream_work},         {"dot", stream_work},
    {"nrm2", stream_work},         {"scal", stream_work},
    {"copy", stream_work},         {"read", stream_work},
    {"fill", stream_work},         {"scale", stream_work},
    {"add", stream_work},          {"triad", stream_work},
    {"reduce", stream_work},       {"sort", stream_work},
    {"vector_fma", stream_work},   {"stencil7", grid_work},
    {"stencil27", grid_work},      {"lbm_d3q19", grid_work},
    {"halo", grid_work},           {"fft", transform_work},
    {"fft1d", transform_work},     {"fft2d", transform_work},
    {"fft3d", transform_work},     {"spmv", sparse_work},
    {"spmm", sparse_work},         {"hpcg", sparse_work},
    {"nbody", particle_work},      {"molecular_dynamics", particle_work},
    {"state_vector", stream_work},
};

Result<void> check_sizes(const Kernel& kernel) {
    const auto bad = [](double value) { return !(value >= 0) || value > largest; };
    struct Named {
        const char* name;
        double value;
    };
    for (const auto& [name, value] :
         {Named{"m", kernel.m}, Named{"n", kernel.n}, Named{"k", kernel.k},
          Named{"bytes", kernel.bytes}, Named{"elements", kernel.elements},
          Named{"batch", kernel.batch}, Named{"nonzeros", kernel.nonzeros},
          Named{"launches", kernel.launches}}) {
        if (bad(value)) {
            return input_error(std::string("kernel/") + name,
                               fmt::format("found {:g}, expected a number from 0 to 1e15", value));
        }
    }
    double cells = 1;
    for (const double side : kernel.size) {
        cells *= side;
        if (!(side >= 1) || side > largest || side != std::floor(side)) {
            return input_error("kernel/size",
                               fmt::format("found {:g}, expected whole sides from 1", side));
        }
    }
    if (cells > 1e24) {
        return input_error("kernel/size",
                           fmt::format("found {:g} elements in all, expected fewer", cells));
    }
    return {};
}

}  // namespace

double number_bytes(ComputeType type) { return bytes_per_element(storage_of(type)); }

Result<std::vector<double>> sides_of(const Kernel& kernel, int count) {
    if (kernel.size.empty()) {
        return input_error("kernel/size",
                           fmt::format("missing, expected the size of \"{}\"", kernel.operation),
                           "Examples: 512, 512x512x256.");
    }
    std::vector<double> sides = kernel.size;
    if (sides.size() == 1) {
        sides.resize(static_cast<std::size_t>(count), sides.front());
    }
    if (sides.size() != static_cast<std::size_t>(count)) {
        return input_error("kernel/size", fmt::format("found {} sides, expected 1 or {} for \"{}\"",
                                                      sides.size(), count, kernel.operation));
    }
    return sides;
}

std::vector<int> cut_grid(const std::vector<double>& sides, int devices) {
    std::vector<int> parts(sides.size(), 1);
    int left = std::max(1, devices);
    for (int factor = 2; left > 1; ++factor) {
        while (left % factor == 0) {
            std::size_t longest = 0;
            for (std::size_t i = 1; i < sides.size(); ++i) {
                if (sides[i] / parts[i] > sides[longest] / parts[longest]) {
                    longest = i;
                }
            }
            parts[longest] *= factor;
            left /= factor;
        }
    }
    return parts;
}

Faces faces_of(const std::vector<double>& local, const std::vector<int>& parts) {
    Faces faces;
    double cells = 1;
    for (const double side : local) {
        cells *= side;
    }
    for (std::size_t i = 0; i < local.size(); ++i) {
        if (parts[i] > 1) {
            faces.cells += 2 * cells / std::max(1.0, local[i]);
            ++faces.directions;
        }
    }
    return faces;
}

Result<KernelWork> kernel_work(const Kernel& kernel, ComputeType type, const KernelPlace& place) {
    if (const auto sizes = check_sizes(kernel); !sizes) {
        return tl::unexpected(sizes.error());
    }
    const auto found = std::ranges::find(workers, kernel.operation, &NamedWorker::name);
    if (found == std::end(workers)) {
        std::vector<std::string> names;
        for (const NamedWorker& worker : workers) {
            names.emplace_back(worker.name);
        }
        return input_error("kernel/operation",
                           "found \"" + kernel.operation + "\", expected a kernel",
                           did_you_mean(kernel.operation, names));
    }
    return found->work(kernel, type, place);
}

std::string words_of_sides(const std::vector<double>& sides) {
    std::string text;
    for (const double side : sides) {
        append(text, " x ", fmt::format("{:.0f}", side));
    }
    return text;
}

}  // namespace ridgeline
