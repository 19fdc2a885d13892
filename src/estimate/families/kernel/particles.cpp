// Particles: all pairs, and molecular dynamics.
#include "estimate/families/kernel/kernel_work.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace ridgeline {
namespace {

/// source  Nyland, Harris and Prins 2007, GPU Gems 3, chapter 31: 20 operations a pair
constexpr double flops_a_pair = 20;

/// How forces are found. Work is counted in instructions of lanes for an atom and step (pairs
/// within the cutoff, mesh, bonds, constraints), kernels in those of a step, which wait for each
/// other.
struct Forces {
    std::string_view name;
    std::string_view title;
    double lanes;    ///< of an atom
    double kernels;  ///< of a step
    double step_fs;  ///< usual time step
    bool all_pairs;  ///< no cutoff: work grows with the square
};

/// `lanes` and `kernels` of "pme" rest on the OpenMM rows of A100 and L40S that carry fitted_on in
/// tests/evidence/hpc.json, the others on the same rows beside it.
constexpr std::array methods = {
    Forces{"pme", "particle mesh Ewald", 146'000, 20, 4, false},
    Forces{"rf", "reaction field", 115'000, 18, 4, false},
    Forces{"lj-pme", "Ewald for charges and dispersion", 195'000, 26, 4, false},
    Forces{"implicit", "generalised Born, no water", 230, 15, 4, true},
    Forces{"amoeba", "polarisable AMOEBA", 5'100'000, 300, 2, false},
};

/// Pairs within a cutoff and nothing else: no charges, hence no mesh. Engines of such forces
/// (LAMMPS) cut space into domains and keep a list of every atom's neighbours.
struct Pairwise {
    std::string_view name;
    std::string_view title;
    double neighbours;  ///< of an atom within the cutoff
    double listed;      ///< within cutoff and skin, those that the list holds
    double passes;   ///< over the list in a step: densities come before an embedded atom's forces
    double step_fs;  ///< of those benchmarks: 0.005 in reduced units, those of argon; 5 fs
};

/// source  LAMMPS documentation, "Benchmarks" (neighbours an atom), and its bench/in.lj, in.eam:
/// cutoffs of 2.5 sigma and 4.95 A with skins of 0.3 sigma and 1 A
constexpr std::array pairwise_methods = {
    Pairwise{"lj", "Lennard-Jones, cutoff 2.5 sigma", 55, 55 * 1.405, 1, 10},
    Pairwise{"eam", "embedded atoms (EAM)", 45, 45 * 1.737, 2, 5},
};

const Pairwise* pairwise_named(std::string_view name) {
    const auto found = std::ranges::find(pairwise_methods, name, &Pairwise::name);
    return found == pairwise_methods.end() ? nullptr : &*found;
}

/// Positions, velocities and forces in fp64, as LAMMPS keeps them, with type, tag, mask and image.
constexpr double pairwise_state = 3 * 3 * 8 + 4 * 4;

/// A list as wide as the longest row and a fifth, as LAMMPS' KOKKOS package grows it, and the
/// cells that it is built from.
double bytes_of_list(const Pairwise& forces) {
    constexpr double spare = 1.2;
    constexpr double cells = 16;
    return forces.listed * 4 * spare + cells;
}

Result<KernelWork> pairs_within_cutoff(const Kernel& kernel, const Pairwise& forces,
                                       const KernelPlace& place) {
    const double atoms = kernel.elements / place.devices;
    // What lies scattered is read in sectors of 32 bytes, whatever is used of them.
    constexpr double sector = 32;
    constexpr double lanes_a_pair = 35;  // distance, test against the cutoff, force: counted
    const double bytes = forces.passes * forces.listed * (4 + sector) + 2 * pairwise_state;
    KernelWork work;
    const double step_fs = time_step_of(kernel);
    work.title = fmt::format("molecular dynamics of {} atoms, {}, step {:g} fs",
                             grouped(kernel.elements), forces.title, step_fs);
    work.traffic = bytes * kernel.elements * byte;
    work.resident = (pairwise_state + bytes_of_list(forces)) * atoms * byte;
    work.unit = "ns/day";
    work.amount = step_fs * 1e-6 * 86'400;
    work.source = "neighbours an atom: LAMMPS' benchmarks";
    work.notes.emplace_back(
        fmt::format("{:.0f} neighbours within the cutoff; a denser system or a longer cutoff has "
                    "more, and its list grows with them",
                    forces.neighbours));
    work.notes.emplace_back(
        "no measured run is behind this time: its bytes and operations are counted");
    work.parts.push_back(
        {.name = "pairs within the cutoff",
         .operator_class = OperatorClass::particles,
         .flops = Flops::of_base(2 * lanes_a_pair * forces.passes * forces.listed * atoms),
         .issue_bound = true,
         .formula = "35 instructions of lanes a listed pair"});
    work.parts.push_back({.name = "lists and positions read",
                          .operator_class = OperatorClass::streaming,
                          .traffic = bytes * atoms * byte,
                          .formula = "36 B a listed pair, 176 B an atom"});
    if (place.devices > 1) {
        // A shell of one cutoff around a cube, at the density that its neighbours tell.
        const double sphere = forces.listed / (4.0 / 3 * std::numbers::pi);  // cutoff^3 x density
        const double side = std::cbrt(atoms / sphere);                       // in cutoffs
        const double shell = sphere * (std::pow(side + 2, 3) - std::pow(side, 3));
        work.resident += std::min(shell, kernel.elements - atoms) * pairwise_state * byte;
        work.exchanges.push_back({.name = "atoms around a domain",
                                  .operation = Collective::point_to_point,
                                  .size = shell * 24 * byte,
                                  .formula = "24 B an atom of a shell one cutoff wide"});
    }
    return work;
}

/// A kernel of such a step and the gap before the next one, which needs its result.
constexpr double seconds_a_kernel = 5e-6;

const Forces* forces_named(std::string_view name) {
    const auto found = std::ranges::find(methods, name, &Forces::name);
    return found == methods.end() ? nullptr : &*found;
}

Result<KernelWork> all_pairs(const Kernel& kernel, const KernelPlace& place) {
    if (!(kernel.elements > 0)) {
        return input_error("kernel/elements", "missing, expected the bodies",
                           "Example: --elements 1M.");
    }
    const double bodies = kernel.elements;
    const double flops = flops_a_pair * bodies * bodies;
    KernelWork work;
    work.title = fmt::format("N-body step of {:.4g} bodies, all pairs", bodies);
    work.flops = Flops::of_base(flops);
    constexpr double words = 4 + 4 + 4;  // position with mass, velocity, force
    work.traffic = bodies * words * 4 * byte;
    work.resident = work.traffic;
    work.copied_in = bodies * 8 * 4 * byte;
    work.copied_out = work.copied_in;
    work.unit = "GFLOP/s";
    work.amount = flops / 1e9;
    work.source = "20 FLOP a pair: GPU Gems 3, chapter 31";
    work.parts.push_back({.name = "pairs",
                          .operator_class = OperatorClass::pairs,
                          .flops = Flops::of_base(flops / place.devices),
                          .traffic = work.traffic,
                          .formula = "20 n^2 FLOP"});
    if (place.devices > 1) {
        work.exchanges.push_back({.name = "gather of positions",
                                  .operation = Collective::all_gather,
                                  .size = bodies * 16 * byte,
                                  .formula = "16 n B"});
    }
    return work;
}

/// What engines that cut space into domains (GROMACS, NAMD) leave to the busiest device: an even
/// share, or the whole mesh where that is more, on which one device computes beside the pairs of
/// the others. The mesh is what Ewald's sums add to a plain cutoff.
double share_of_domains(const Forces& forces, int devices) {
    const double plain = forces_named("rf")->lanes;
    const double mesh = forces.all_pairs ? 0 : std::max(0.0, 1 - plain / forces.lanes);
    return std::max(mesh, 1.0 / devices);
}

Result<KernelWork> dynamics(const Kernel& kernel, ComputeType type, const KernelPlace& place) {
    if (!(kernel.elements > 0)) {
        return input_error("kernel/atoms", "missing, expected the atoms", "Example: --atoms 1M.");
    }
    const std::string name = kernel.method.empty() ? "pme" : kernel.method;
    if (const Pairwise* pairwise = pairwise_named(name)) {
        return pairs_within_cutoff(kernel, *pairwise, place);
    }
    const Forces* forces = forces_named(name);
    if (forces == nullptr) {
        return input_error(
            "kernel/method",
            "found \"" + name + "\", expected pme, rf, lj-pme, implicit, amoeba, lj or eam");
    }
    const double atoms = kernel.elements;
    const double step_fs = time_step_of(kernel);
    const double lanes = forces->lanes * atoms * (forces->all_pairs ? atoms : 1);
    // OpenMM's mesh, bonds and integration stay on one device; pairs within the cutoff are shared.
    constexpr double alone = 0.3;
    const double share = alone + (1 - alone) / place.devices;
    KernelWork work;
    work.title = fmt::format("molecular dynamics of {} atoms, {}, step {:g} fs", grouped(atoms),
                             forces->title, step_fs);
    const double bytes_an_atom = 250 * number_bytes(type);  // positions, forces, neighbours, mesh
    work.traffic = bytes_an_atom * atoms * byte;
    work.resident = 2 * bytes_an_atom * atoms / place.devices * byte;
    work.unit = "ns/day";
    work.amount = step_fs * 1e-6 * 86'400;
    work.source = "instructions an atom: OpenMM's published benchmarks";
    work.notes.emplace_back("an engine as fast as OpenMM; cutoff 0.9 to 1 nm");
    if (place.devices > 1) {
        work.least = share_of_domains(*forces, place.devices) / share;
        work.notes.emplace_back(
            "shared as OpenMM does, mesh and integration on one device; what "
            "cuts space into domains (GROMACS) comes near the lower end");
        work.notes.emplace_back(
            "memory is that of domains, each device its share of the atoms (GROMACS, NAMD, "
            "LAMMPS)");
    }
    if (type == ComputeType::fp64) {
        work.notes.emplace_back(
            "three in five instructions are of fp64 (assumed); the usual mixed precision has few");
    }
    work.parts.push_back({.name = "pairs, mesh and integration",
                          .operator_class = OperatorClass::particles,
                          .flops = Flops::of_base(2 * lanes * share),
                          .issue_bound = true,
                          .formula = fmt::format("{:g} instructions of lanes an atom{}",
                                                 forces->lanes, forces->all_pairs ? " pair" : "")});
    work.parts.push_back({.name = "kernels that wait for each other",
                          .operator_class = OperatorClass::particles,
                          .fixed = seconds_a_kernel * second,
                          .count = forces->kernels,
                          .formula = fmt::format("{:.0f} kernels of 5 us", forces->kernels)});
    if (place.devices > 1) {
        work.exchanges.push_back({.name = "positions and forces",
                                  .operation = Collective::point_to_point,
                                  .size = 32 * atoms * byte,
                                  .formula = "32 n B"});
    }
    return work;
}

}  // namespace

double time_step_of(const Kernel& kernel) {
    if (kernel.time_step_fs > 0) {
        return kernel.time_step_fs;
    }
    if (const Pairwise* pairwise = pairwise_named(kernel.method)) {
        return pairwise->step_fs;
    }
    const Forces* forces = forces_named(kernel.method);
    return (forces == nullptr ? methods.front() : *forces).step_fs;
}

Result<KernelWork> particle_work(const Kernel& kernel, ComputeType type, const KernelPlace& place) {
    return kernel.operation == "nbody" ? all_pairs(kernel, place) : dynamics(kernel, type, place);
}

}  // namespace ridgeline
