#include "estimate/families/kernel/kernel_work.h"

#include "estimate/time/kernel.h"
#include "estimate/time/kernel_device.h"

#include <boost/test/unit_test.hpp>

using namespace ridgeline;
namespace tt = boost::test_tools;

BOOST_AUTO_TEST_SUITE(kernel_work_of)

namespace {

KernelWork work_of(const Kernel& kernel, ComputeType type = ComputeType::fp64,
                   const KernelPlace& place = {}) {
    const auto work = kernel_work(kernel, type, place);
    BOOST_REQUIRE_MESSAGE(work.has_value(), (work ? "" : work.error().text()));
    return *work;
}

Kernel sized(const char* operation, std::vector<double> size) {
    Kernel kernel;
    kernel.operation = operation;
    kernel.size = std::move(size);
    return kernel;
}

Kernel counted(const char* operation, double elements) {
    Kernel kernel;
    kernel.operation = operation;
    kernel.elements = elements;
    return kernel;
}

/// 100 TFLOP/s of fp32, 50 of fp64 and 1 TB/s, all reached, no launches; 80 GB; PCIe of 50 GB/s.
struct Machine {
    Accelerator part;
    Cluster cluster;
    Calibration calibration;

    Machine() {
        part.id = "part";
        part.name = "Part";
        part.kind = "gpu";
        part.memory_bandwidth = 1000.0 * gigabyte_per_second;
        part.peak_vector_fp32 = 100.0 * teraflop_per_second;
        part.peak_vector_fp64 = 50.0 * teraflop_per_second;
        part.peak_dense[static_cast<std::size_t>(ComputeType::fp64)] = 100.0 * teraflop_per_second;
        part.peak_dense[static_cast<std::size_t>(ComputeType::fp32)] = 100.0 * teraflop_per_second;
        part.marketed_gb = 80;
        part.pcie_rate = 50.0 * gigabyte_per_second;
        cluster.accelerator = &part;
    }
    Machine(const Machine&) = delete;
    [[nodiscard]] Result<KernelEstimate> run(const Kernel& kernel,
                                             ComputeType type = ComputeType::fp64) const {
        return estimate_kernel(kernel, type, cluster, device_model(part, calibration), calibration,
                               true);
    }
};

}  // namespace

BOOST_AUTO_TEST_CASE(a_product_counts_two_operations_a_term) {
    // 2 x 4096^3 = 137.4 GFLOP; three matrices of 4096^2 x 4 B = 201.3 MB.
    const KernelWork work = work_of(sized("gemm", {4096}), ComputeType::fp32);
    BOOST_TEST(work.flops.base() == 2.0 * 4096 * 4096 * 4096);
    BOOST_TEST(work.traffic.base() == 3.0 * 4096 * 4096 * 4);
    BOOST_TEST(work.copied_in.base() == 2.0 * 4096 * 4096 * 4);
    BOOST_TEST(work.copied_out.base() == 4096.0 * 4096 * 4);
}

BOOST_AUTO_TEST_CASE(the_other_routines_of_blas_3_do_half_a_product_or_a_whole) {
    // LAPACK working note 41, m = n = 1000: symm 2 m^2 n, syrk, trmm and trsm m^2 n.
    BOOST_TEST(work_of(sized("symm", {1000})).flops.base() == 2e9);
    for (const char* half : {"syrk", "trmm", "trsm"}) {
        BOOST_TEST(work_of(sized(half, {1000})).flops.base() == 1e9);
    }
}

BOOST_AUTO_TEST_CASE(matrix_and_vector_read_the_matrix_once) {
    // 1000 x 2000 doubles and two vectors.
    const KernelWork gemv = work_of(sized("gemv", {1000, 2000}));
    BOOST_TEST(gemv.flops.base() == 4e6);
    BOOST_TEST(gemv.traffic.base() == 8.0 * (2e6 + 3000));
    // A symmetric one is read by halves: 8 x (1000^2 / 2 + 2000).
    BOOST_TEST(work_of(sized("symv", {1000})).traffic.base() == 8.0 * (5e5 + 2000));
}

BOOST_AUTO_TEST_CASE(stream_counts_two_or_three_arrays) {
    // STREAM: copy and scale 16 B, add and triad 24 B an element; triad 2 FLOP.
    BOOST_TEST(work_of(counted("copy", 1e6)).traffic.base() == 16e6);
    BOOST_TEST(work_of(counted("add", 1e6)).traffic.base() == 24e6);
    const KernelWork triad = work_of(counted("triad", 1e6));
    BOOST_TEST(triad.traffic.base() == 24e6);
    BOOST_TEST(triad.flops.base() == 2e6);
    // At 1 TB/s, all reached: 24 us, and the rate is the bandwidth.
    const Machine machine;
    const auto timed = machine.run(counted("triad", 1e6));
    BOOST_REQUIRE(timed.has_value());
    BOOST_TEST(timed->time.base() == 24e-6, tt::tolerance(1e-3));
    BOOST_TEST(timed->rate == 1000.0, tt::tolerance(1e-3));
    BOOST_TEST((timed->bound == Bound::memory));
}

BOOST_AUTO_TEST_CASE(a_sort_of_32_bit_keys_makes_four_passes) {
    // One read for the histograms, four times read and written: 9 x 4 B a key (Onesweep).
    BOOST_TEST(work_of(counted("sort", 1e6), ComputeType::fp32).traffic.base() == 36e6);
}

BOOST_AUTO_TEST_CASE(stencils_read_and_write_each_cell_once) {
    // 100^3 cells: 8 and 30 FLOP (Datta et al. 2008), 16 B in fp64.
    const KernelWork seven = work_of(sized("stencil7", {100}));
    BOOST_TEST(seven.flops.base() == 8e6);
    BOOST_TEST(seven.traffic.base() == 16e6);
    BOOST_TEST(work_of(sized("stencil27", {100})).flops.base() == 30e6);
}

BOOST_AUTO_TEST_CASE(a_grid_is_cut_as_near_to_cubes_as_the_count_allows) {
    BOOST_TEST((cut_grid({512, 512, 512}, 8) == std::vector<int>{2, 2, 2}));
    BOOST_TEST((cut_grid({1024, 512, 512}, 2) == std::vector<int>{2, 1, 1}));
    BOOST_TEST((cut_grid({64, 64, 64}, 3) == std::vector<int>{3, 1, 1}));
    // 8 devices, 256^3 each: two faces of 256^2 in each of three directions.
    const Faces faces = faces_of({256, 256, 256}, {2, 2, 2});
    BOOST_TEST(faces.cells == 6.0 * 256 * 256);
    BOOST_TEST(faces.directions == 3);
    const KernelWork eight = work_of(sized("stencil7", {512}), ComputeType::fp64, {.devices = 8});
    BOOST_REQUIRE(eight.exchanges.size() == 1U);
    BOOST_TEST((eight.exchanges.front().size.base() * eight.exchanges.front().count) ==
               6.0 * 256 * 256 * 8);
    // The faces alone: packed and unpacked, and nothing runs beside their way.
    const KernelWork alone = work_of(sized("halo", {512}), ComputeType::fp64, {.devices = 8});
    BOOST_TEST(alone.parts.front().traffic.base() == 4.0 * 6 * 256 * 256 * 8);
    BOOST_REQUIRE(alone.exchanges.size() == 1U);
    BOOST_TEST(alone.exchanges.front().size.base() == eight.exchanges.front().size.base());
    BOOST_TEST((eight.exchanges.front().hidden && !alone.exchanges.front().hidden));
    // HPCG of 27 points exchanges as large faces, and adds inner products of one number up.
    const KernelWork solver = work_of(sized("hpcg", {512}), ComputeType::fp64, {.devices = 8});
    BOOST_REQUIRE(solver.exchanges.size() == 2U);
    BOOST_TEST(solver.exchanges[1].size.base() == 8);
}

BOOST_AUTO_TEST_CASE(multiply_adds_in_registers_move_nothing) {
    const KernelWork work = work_of(counted("vector_fma", 1e12), ComputeType::fp64, {.devices = 4});
    BOOST_TEST(work.flops.base() == 2e12);
    BOOST_TEST(work.parts.front().flops.base() == 5e11);
    BOOST_TEST(work.parts.front().traffic.base() == 0);
}

BOOST_AUTO_TEST_CASE(lattice_boltzmann_moves_nineteen_densities_twice) {
    // 2 x 19 x 4 + 1 = 153 B a cell, 77 in 16 bits: as FluidX3D prints it.
    Kernel kernel = counted("lbm_d3q19", 1e6);
    BOOST_TEST(work_of(kernel, ComputeType::fp32).traffic.base() == 153e6);
    kernel.storage = "fp16s";
    BOOST_TEST(work_of(kernel, ComputeType::fp32).traffic.base() == 77e6);
    kernel.storage = "fp8";
    BOOST_TEST(!kernel_work(kernel, ComputeType::fp32, {}).has_value());
}

BOOST_AUTO_TEST_CASE(a_transform_makes_a_pass_for_each_side_and_two_for_long_columns) {
    // 256^3 complex doubles: 5 N log2 N = 5 x 2^24 x 24; one pass for each side.
    const KernelWork short_sides = work_of(sized("fft3d", {256}));
    BOOST_TEST(short_sides.flops.base() == 5.0 * 16777216 * 24);
    BOOST_TEST(short_sides.traffic.base() == 2.0 * 16777216 * 16);
    const auto passes = [](const KernelWork& work) {
        double sum = 0;
        for (const KernelPart& part : work.parts) {
            sum += part.count;
        }
        return sum;
    };
    BOOST_TEST(passes(short_sides) == 3.0);
    // 512 columns of lines of 128 B do not fit into 48 KiB: 1 + 2 + 2.
    BOOST_TEST(passes(work_of(sized("fft3d", {512}))) == 5.0);
    // Into 64 KiB they do: one pass a side.
    const auto later =
        kernel_work(sized("fft3d", {512}), ComputeType::fp64, {.block_memory = 64 * kibibyte});
    BOOST_TEST_REQUIRE(later.has_value());
    BOOST_TEST(passes(*later) == 3.0);
    // Real numbers: half the data and operations, and a pass that parts the spectrum.
    Kernel real = sized("fft3d", {256});
    real.real = true;
    BOOST_TEST(work_of(real).flops.base() == 2.5 * 16777216 * 24);
    BOOST_TEST(passes(work_of(real)) == 4.0);
    BOOST_TEST(work_of(real).traffic.base() == 2.0 * 16777216 * 8);
    // An odd side: all numbers as complex ones, and three passes to make and to halve them.
    Kernel odd = sized("fft3d", {125});
    odd.real = true;
    BOOST_TEST(passes(work_of(odd)) == 6.0);
    // A side with a large prime factor is padded (Bluestein).
    BOOST_TEST(work_of(sized("fft1d", {8191})).parts.front().traffic.base() >
               3 * work_of(sized("fft1d", {8192})).parts.front().traffic.base());
}

BOOST_AUTO_TEST_CASE(csr_stores_a_value_and_an_index_for_each_nonzero) {
    // 1000 rows of 10: 12 B a nonzero, 1001 pointers of 4 B, x and y of 8 B.
    Kernel kernel = sized("spmv", {1000, 1000});
    kernel.nonzeros = 10'000;
    BOOST_TEST(work_of(kernel).traffic.base() == 12.0 * 10'000 + 4.0 * 1001 + 16.0 * 1000);
    BOOST_TEST(work_of(kernel).flops.base() == 20'000.0);
    BOOST_TEST((work_of(kernel).parts.front().operator_class == OperatorClass::sparse));
    // ELL pads every row to the longest.
    kernel.format = "ell";
    kernel.row_max = 20;
    BOOST_TEST(work_of(kernel).traffic.base() == 12.0 * 20'000 + 16.0 * 1000);
    // A standard deviation of 10 beside a mean of 10: unlike rows.
    kernel.row_variance = 100;
    BOOST_TEST((work_of(kernel).parts.front().operator_class == OperatorClass::irregular_sparse));
    kernel.nonzeros = 2e6;
    BOOST_TEST(!kernel_work(kernel, ComputeType::fp64, {}).has_value());
}

BOOST_AUTO_TEST_CASE(linpack_fills_the_memory_where_no_size_is_said) {
    // 2/3 n^3 + 2 n^2 of n = 1000.
    BOOST_TEST(work_of(sized("hpl", {1000})).flops.base() == 2.0 / 3 * 1e9 + 2e6,
               tt::tolerance(1e-12));
    // 80 % of 80 GB in doubles: sqrt(8e9) = 89443, in blocks of 1024: 89088.
    Kernel open;
    open.operation = "hpl";
    const KernelWork filled =
        work_of(open, ComputeType::fp64, {.devices = 1, .memory = 80 * gigabyte});
    BOOST_TEST(filled.title == "HPL of n = 89088");
}

BOOST_AUTO_TEST_CASE(all_pairs_count_twenty_operations) {
    BOOST_TEST(work_of(counted("nbody", 1e5), ComputeType::fp32).flops.base() == 20e10);
}

BOOST_AUTO_TEST_CASE(a_state_has_two_numbers_for_each_pattern_of_its_qubits) {
    // 2^34 amplitudes of two numbers of 8 bytes are 256 GiB, read and written by each gate.
    const KernelWork work = work_of(counted("state_vector", 34), ComputeType::fp64);
    BOOST_TEST(work.resident.base() == 0x1p38);
    BOOST_TEST(work.traffic.base() == 0x1p39);
    BOOST_TEST(work_of(counted("state_vector", 34), ComputeType::fp32).resident.base() == 0x1p37);
}

BOOST_AUTO_TEST_CASE(nanoseconds_a_day_follow_from_the_time_step) {
    // A step of 4 fs in t seconds: 86400 / t x 4e-6 ns a day.
    Kernel kernel = counted("molecular_dynamics", 1e5);
    BOOST_TEST(work_of(kernel, ComputeType::fp32).amount == 4e-6 * 86400, tt::tolerance(1e-12));
    kernel.time_step_fs = 2;
    BOOST_TEST(work_of(kernel, ComputeType::fp32).amount == 2e-6 * 86400, tt::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(domains_of_molecular_dynamics_are_shared) {
    // 88 bytes of state, 55 neighbours in 2.5 sigma, of which the list keeps those in 2.8 with a
    // fifth to spare, 16 bytes of cells; of the mesh's 2 kB half are for fp32.
    Kernel kernel = counted("molecular_dynamics", 1e8);
    const auto gib = [&kernel](int devices) {
        return kernel_work(kernel, ComputeType::fp32, {.devices = devices})->resident / gibibyte;
    };
    BOOST_TEST(gib(1) == 2000e8 / gibibyte.base(), tt::tolerance(1e-9));
    BOOST_TEST(gib(4) == gib(1) / 4, tt::tolerance(1e-9));
    kernel.method = "lj";
    BOOST_TEST(gib(1) == (88 + 55 * 1.405 * 4 * 1.2 + 16) * 1e8 / gibibyte.base(),
               tt::tolerance(1e-9));
    BOOST_TEST(gib(4) > gib(1) / 4);
    BOOST_TEST(gib(4) < 1.05 * gib(1) / 4);
    kernel.method = "eam";
    BOOST_TEST(work_of(kernel, ComputeType::fp32).amount == 5e-6 * 86400, tt::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(a_cache_makes_arithmetic_no_faster) {
    // 20 x 10^10 FLOP at half of 100 TFLOP/s, run once or again: 4 ms. Streams gain from the cache.
    Machine machine;
    machine.part.l2_cache = 64 * mebibyte;
    const auto row = [&machine](OperatorClass of, double compute, double bandwidth) {
        KernelCalibration made;
        made.operator_class = of;
        made.efficiency = {.compute_fraction = compute, .bandwidth_fraction = bandwidth};
        machine.calibration.kernels.push_back(made);
    };
    row(OperatorClass::pairs, 0.5, 1);
    row(OperatorClass::cached_stream, 1, 6);
    Kernel pairs = counted("nbody", 1e5);
    const auto once = machine.run(pairs, ComputeType::fp32);
    pairs.launches = 10;
    const auto again = machine.run(pairs, ComputeType::fp32);
    BOOST_TEST(once->time.base() == 4e-3, tt::tolerance(1e-3));
    BOOST_TEST(again->time.base() == 4e-3, tt::tolerance(1e-3));
    Kernel stream = counted("triad", 1e6);
    stream.launches = 10;
    BOOST_TEST(machine.run(stream)->parts.front().bandwidth_fraction == 6);
}

BOOST_AUTO_TEST_CASE(dynamics_over_several_devices_may_be_shared_evenly) {
    // OpenMM leaves 0.3 on one device: 0.65 of the time on two, 0.3875 on eight. Domains take half,
    // then the mesh: 1 - 115 / 146.
    Kernel kernel = counted("molecular_dynamics", 1e6);
    const auto least = [&kernel](int devices) {
        return kernel_work(kernel, ComputeType::fp32, {.devices = devices})->least;
    };
    BOOST_TEST(least(1) == 1);
    BOOST_TEST(least(2) == 0.5 / 0.65, tt::tolerance(1e-9));
    BOOST_TEST(least(8) == (1 - 115.0 / 146) / 0.3875, tt::tolerance(1e-9));
    kernel.method = "rf";
    BOOST_TEST(least(8) == 0.125 / 0.3875, tt::tolerance(1e-9));
}

BOOST_AUTO_TEST_CASE(copies_cross_the_host_link_at_four_fifths) {
    // 2 x 1024^2 x 8 B in and 1024^2 x 8 B out at 40 GB/s.
    const Machine machine;
    Kernel kernel = sized("gemm", {1024});
    const double bare = machine.run(kernel)->time.base();
    kernel.copies = true;
    const auto copied = machine.run(kernel);
    BOOST_TEST(copied->copies.base() == 3.0 * 1024 * 1024 * 8 / 40e9, tt::tolerance(1e-9));
    BOOST_TEST(copied->time.base() - bare == copied->copies.base(), tt::tolerance(1e-9));
}

BOOST_AUTO_TEST_CASE(vector_units_do_half_of_the_matrix_units_in_fp64) {
    const Machine machine;
    Kernel kernel = sized("gemm", {16384});
    const double matrix = machine.run(kernel)->time.base();
    kernel.units = "vector";
    BOOST_TEST(machine.run(kernel)->time.base() / matrix == 2.0, tt::tolerance(1e-2));
}

BOOST_AUTO_TEST_CASE(a_plain_loop_does_two_operations_in_four_clocks) {
    // 2 x 1000^3 FLOP on one core of 2 GHz: 1e9 FLOP/s, 2 s.
    Machine machine;
    machine.part.kind = "cpu";
    machine.part.units = 10;
    machine.part.boost_clock_mhz = 2000;
    Kernel kernel = sized("gemm", {1000});
    kernel.library = "plain";
    kernel.cores = 1;
    BOOST_TEST(machine.run(kernel)->time.base() == 2.0, tt::tolerance(1e-9));
    kernel.cores = 0;
    BOOST_TEST(machine.run(kernel)->time.base() == 0.2, tt::tolerance(1e-9));
    machine.part.kind = "gpu";
    BOOST_TEST(!machine.run(kernel).has_value());
}

BOOST_AUTO_TEST_CASE(parts_without_units_are_refused_and_usual_ratios_are_marked) {
    Machine machine;
    machine.part.peak_vector_fp64.reset();
    machine.part.peak_dense[static_cast<std::size_t>(ComputeType::fp64)].reset();
    BOOST_TEST(!machine.run(sized("gemm", {1024})).has_value());
    machine.part.architecture = "Ada Lovelace";
    const auto assumed = machine.run(sized("gemm", {16384}));
    BOOST_REQUIRE(assumed.has_value());
    BOOST_TEST(assumed->peak_assumed);
    // A 64th of 100 TFLOP/s.
    BOOST_TEST(assumed->rate == 1e5 / 64, tt::tolerance(1e-3));
}

BOOST_AUTO_TEST_CASE(sizes_that_make_no_kernel_are_errors_that_name_the_field) {
    const auto where = [](const Kernel& kernel) {
        const auto work = kernel_work(kernel, ComputeType::fp64, {});
        return work ? std::string("none") : work.error().where;
    };
    BOOST_TEST(where(sized("fft3d", {})) == "kernel/size");
    BOOST_TEST(where(sized("fft3d", {512, 512})) == "kernel/size");
    BOOST_TEST(where(sized("fft3d", {0.5})) == "kernel/size");
    BOOST_TEST(where(sized("fft", {2, 2, 2, 2})) == "kernel/size");
    BOOST_TEST(where(counted("nbody", 0)) == "kernel/elements");
    BOOST_TEST(where(counted("triad", -1)) == "kernel/elements");
    BOOST_TEST(where(counted("state_vector", 30.5)) == "kernel/elements");
    BOOST_TEST(where(counted("state_vector", 90)) == "kernel/elements");
    BOOST_TEST(where(sized("spmv", {10, 10})) == "kernel/nonzeros");
    BOOST_TEST(where(counted("molecular_dynamics", 0)) == "kernel/atoms");
    BOOST_TEST(where(sized("fft4d", {8})) == "kernel/operation");
}

BOOST_AUTO_TEST_SUITE_END()
