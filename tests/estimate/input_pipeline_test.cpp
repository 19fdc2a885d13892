#include "estimate/time/input_pipeline.h"

#include "tests/estimate/plan_fixture.h"

#include <boost/test/unit_test.hpp>

#include <cmath>

using namespace ridgeline;
using ridgeline::test::Fixture;
namespace tt = boost::test_tools;

BOOST_AUTO_TEST_SUITE(input_pipeline)

namespace {

/// 16 parts in two nodes, 64 samples a step.
Fixture fed(const InputPipeline& input) {
    Fixture f;
    f.workload.plan.data = 16;
    f.workload.plan.sharding = Sharding::ddp;
    f.workload.batch.global = 64;
    f.place(16, 8);
    f.workload.input = input;
    return f;
}

double slowest(const Fixture& f) { return 64 / (input_time(f.workload, f.cluster) / second); }

}  // namespace

BOOST_AUTO_TEST_CASE(storage_counts_once_a_node) {
    // 2 nodes x 3e9 B/s / 6e6 B = 1000 samples/s.
    InputPipeline input;
    input.bytes_per_sample = 6e6;
    input.storage_bytes_per_s = 3e9;
    const Fixture f = fed(input);
    BOOST_TEST(slowest(f) == 1000, tt::tolerance(1e-9));
}

BOOST_AUTO_TEST_CASE(small_files_are_bound_by_reads) {
    // 2 nodes x 10,000 reads/s / 4 reads = 5,000 samples/s; the bytes alone would allow 60,000.
    InputPipeline input;
    input.bytes_per_sample = 1e5;
    input.reads_per_sample = 4;
    input.storage_bytes_per_s = 3e9;
    input.storage_reads_per_s = 1e4;
    const Fixture f = fed(input);
    BOOST_TEST(slowest(f) == 5000, tt::tolerance(1e-9));
}

BOOST_AUTO_TEST_CASE(decoding_takes_the_cores_of_the_machine) {
    // 96 cores for 8 parts: 12 each, 16 parts, 10 ms a sample: 19,200 samples/s.
    Machine machine;
    machine.host_cores = 96;
    InputPipeline input;
    input.bytes_per_sample = 1;
    input.decode_core_seconds = 10e-3;
    Fixture f = fed(input);
    f.cluster.machine = &machine;
    BOOST_TEST(slowest(f) == 19200, tt::tolerance(1e-9));
    f.workload.input->cores_per_accelerator = 2;
    BOOST_TEST(slowest(f) == 3200, tt::tolerance(1e-9));
    f.workload.input->direct = true;  // the accelerator decodes
    BOOST_TEST(slowest(f) > 1e6);
}

BOOST_AUTO_TEST_CASE(decoded_samples_cross_the_host_link) {
    // 16 links of 32 GB/s / 2e9 B = 256 samples/s; read directly 1e9 B cross: 512.
    InputPipeline input;
    input.bytes_per_sample = 1e9;
    input.decoded_bytes_per_sample = 2e9;
    Fixture f = fed(input);
    BOOST_TEST(slowest(f) == 256, tt::tolerance(1e-9));
    f.workload.input->direct = true;
    BOOST_TEST(slowest(f) == 512, tt::tolerance(1e-9));
}

BOOST_AUTO_TEST_CASE(the_step_waits_for_the_slower_of_both) {
    Fixture f = fed({});
    f.workload.input.reset();
    const double alone = f.step();
    BOOST_TEST((input_time(f.workload, f.cluster) / second) == 0);

    // Storage that takes three times the step: the step takes as long, two thirds of it waiting.
    f.workload.input = InputPipeline();
    f.workload.input->bytes_per_sample = 6e6;
    f.workload.input->storage_bytes_per_s = 64 * 6e6 / (2 * 3 * alone);
    BOOST_TEST(f.step() == 3 * alone, tt::tolerance(1e-9));
    BOOST_TEST(f.component("wait for input") == 2 * alone, tt::tolerance(1e-9));
    BOOST_TEST((f.time().bound == Bound::input));

    f.workload.input->storage_bytes_per_s = 64 * 6e6 / alone;  // half the step: hidden
    BOOST_TEST(f.step() == alone, tt::tolerance(1e-12));
    BOOST_TEST(f.component("wait for input") == 0);
}

BOOST_AUTO_TEST_CASE(unknown_rates_bound_nothing) {
    InputPipeline input;
    input.bytes_per_sample = 1e6;
    input.decode_core_seconds = 1;
    Fixture f = fed(input);
    f.part.pcie_rate.reset();
    for (const InputRate& rate : input_rates(f.workload, f.cluster)) {
        BOOST_TEST(std::isinf(rate.samples_per_second));
    }
    BOOST_TEST((input_time(f.workload, f.cluster) / second) == 0);
}

BOOST_AUTO_TEST_SUITE_END()
