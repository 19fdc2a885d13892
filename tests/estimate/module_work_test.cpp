#include "estimate/serving/module_work.h"

#include "estimate/time/host_time.h"
#include "tests/estimate/plan_fixture.h"

#include <boost/test/unit_test.hpp>

using namespace ridgeline;
using ridgeline::test::Fixture;
namespace tt = boost::test_tools;

BOOST_AUTO_TEST_SUITE(module_work)

namespace {

/// Modules of torch that launch in 24 us, calls without a launch in 6.
Fixture modules(Version transformers) {
    Fixture f;
    f.workload.task = Task::inference;
    f.workload.compiled = false;
    f.workload.attention = AttentionKernel::sdpa;
    f.software.runtime.libraries.transformers = transformers;
    f.software.runtime.options.autocast = true;
    f.software.runtime.options.launch_per_kernel = 6 * microsecond;
    f.software.kernels.attention.repeats_kv = true;
    return f;
}

EstimateInput input_of(Fixture& f) {
    f.device = device_model(f.part, f.calibration);
    return {f.architecture, f.workload, f.cluster, f.software, f.device, f.calibration, &f.links};
}

double loop_us(Version transformers, bool corrected) {
    Fixture f = modules(transformers);
    f.architecture.stacks.front().moe = MixtureOfExperts{
        .experts = 128, .experts_per_token = 8, .ffn = 768, .router_correction_bias = corrected};
    return expert_loop_time(input_of(f), 1) * 1e6;
}

}  // namespace

// A look at an expert: 6 us for its row of the mask, 24 for the places of its tokens, 20 of
// waiting. Nine calls more launch for the 8 experts that a token chose and find nothing to do for
// the 120 others.
BOOST_AUTO_TEST_CASE(the_host_visits_every_expert_of_a_layer) {
    BOOST_TEST(loop_us({4, 46}, false) == 128 * 50 + 9 * (8 * 24 + 120 * 6), tt::tolerance(1e-9));
    // Only experts with tokens, whose numbers are waited for and whose masks a kernel picks.
    BOOST_TEST(loop_us({4, 53}, false) == 8 * (50 + 24 + 20 + 9 * 24), tt::tolerance(1e-9));
    BOOST_TEST(loop_us({4, 53}, true) == 128 * 50 + 8 * 9 * 24, tt::tolerance(1e-9));
    BOOST_TEST(loop_us({5, 0}, false) == 0);
    BOOST_TEST(loop_us({}, false) == 0);
}

BOOST_AUTO_TEST_CASE(keys_are_joined_and_repeated_for_the_heads) {
    Fixture f = modules({4, 46});  // two query heads a key head
    CacheCopies copies = cache_copies(input_of(f), 1000, true);
    BOOST_TEST(copies.copied == 1000 + 2 * 1000);
    BOOST_TEST(copies.reads == 2);
    BOOST_TEST(copies.kernels == 4);  // keys and values, each joined and repeated
    BOOST_TEST(cache_copies(input_of(f), 1000, false).copied ==
               2 * 1000);  // a prompt joins nothing
    f.workload.attention = AttentionKernel::flash;
    copies = cache_copies(input_of(f), 1000, true);
    BOOST_TEST(copies.copied == 1000);
    BOOST_TEST(copies.reads == 1);
    f.workload.compiled = true;  // a static cache
    BOOST_TEST(cache_copies(input_of(f), 1000, true).copied == 0);
}

// 100 units of 64 lanes at 1 GHz do 6.4e12 operations a second, 40 an element; 4 bytes of it at 1
// TB/s are faster.
BOOST_AUTO_TEST_CASE(a_strided_copy_is_bound_by_its_indices) {
    Fixture f = modules({4, 46});
    f.part.units = 100;
    f.part.boost_clock_mhz = 1000;
    const EstimateInput input = input_of(f);
    BOOST_TEST(strided_copy_time(input.device, 1e9, 2) == 40e9 / 6.4e12, tt::tolerance(1e-9));
    BOOST_TEST(strided_copy_time(input.device, 1e9, 16) > 40e9 / 6.4e12);
}

BOOST_AUTO_TEST_CASE(packed_products_launch_more_than_one_kernel) {
    Workload workload;
    SoftwareProfile software;
    software.runtime.libraries = {.torch = {}, .transformers = {4, 46}, .bitsandbytes = {0, 43}};
    const auto launches = [&](std::string_view format, double rows) {
        return packed_launches(*quant_format(format), workload, software, rows);
    };
    workload.compute = ComputeType::fp16;
    BOOST_TEST(launches("nf4", 1) == 2);
    BOOST_TEST(launches("nf4", 8) == 5);  // expanded within a function of autograd
    BOOST_TEST(launches("int8", 1) == 22);
    BOOST_TEST(launches("awq-int4", 1) == 1);
    BOOST_TEST(launches("gptq-int4", 1) == 0);
    software.runtime.libraries.bitsandbytes = {0, 45};
    BOOST_TEST(launches("int8", 1) == 14);
    workload.compute = ComputeType::bf16;  // to fp16 and back
    BOOST_TEST(launches("int8", 1) == 16);
    workload.quantization.double_quantization = true;
    BOOST_TEST(launches("nf4", 1) == 4);
    BOOST_TEST(launches("nf4", 8) == 7);
}

// 100 units at 1 GHz find 1.35 codes a cycle each: 135e9 a second.
BOOST_AUTO_TEST_CASE(codes_of_four_bits_are_branched_to_before_a_release) {
    Fixture f = modules({4, 46});
    f.software.runtime.libraries.bitsandbytes = {0, 45};
    f.part.units = 100;
    f.part.boost_clock_mhz = 1000;
    const GemmShape shape{.m = 8, .n = 1000, .k = 1350, .count = 2};
    const auto seconds = [&](std::string_view format) {
        return decoding_time(input_of(f), *quant_format(format), shape);
    };
    BOOST_TEST(seconds("nf4") == 20e-6, tt::tolerance(1e-9));
    BOOST_TEST(seconds("int8") == 0);
    f.software.runtime.libraries.bitsandbytes = {0, 48};
    BOOST_TEST(seconds("nf4") == 0);
}

// The same modules beside cards of one year: the host's core decides, not the card.
BOOST_AUTO_TEST_CASE(a_launch_takes_as_long_as_the_host_of_the_card) {
    Accelerator part;
    const auto pace = [&part](std::string_view name, std::string_view form, int year,
                              std::string_view architecture) {
        part.name = name;
        part.form_factor = form;
        part.year = year;
        part.architecture = architecture;
        return core_pace(part);
    };
    BOOST_TEST(pace("NVIDIA V100 SXM2 16GB", "SXM2", 2017, "Volta") == 1.3);
    BOOST_TEST(pace("NVIDIA A100 SXM4 80GB", "SXM4", 2020, "Ampere") == 1);
    BOOST_TEST(pace("NVIDIA H100 SXM5 80GB", "SXM5", 2022, "Hopper") == 0.83);
    BOOST_TEST(pace("NVIDIA L40S", "PCIe dual-slot", 2022, "Ada Lovelace") == 0.83);
    BOOST_TEST(pace("NVIDIA GeForce RTX 4090", "PCIe", 2022, "Ada Lovelace") == 0.83 * 0.67);
    BOOST_TEST(pace("NVIDIA GeForce RTX 3090", "PCIe", 2020, "Ampere") == 0.67);
    BOOST_TEST(pace("NVIDIA RTX 6000 Ada", "PCIe", 2022, "Ada Lovelace") == 0.83 * 0.83);
    part.host_launch_factor = 2.9;
    BOOST_TEST(core_pace(part) == 2.9);
}

// GB200 issues 128 lanes on each of 148 multiprocessors at 2112 MHz: 80 TFLOP/s of sums and
// products.
BOOST_AUTO_TEST_CASE(units_that_nobody_states_follow_from_the_vector_rate) {
    Accelerator part;
    part.units = 148;
    part.boost_clock_mhz = 2112;
    const double stated = unit_cycles(part);
    part.units.reset();
    part.peak_vector_fp32 = 80.0 * teraflop_per_second;
    BOOST_TEST(unit_cycles(part) == stated, tt::tolerance(0.001));
    part.peak_vector_fp32.reset();
    BOOST_TEST(unit_cycles(part) == 0);
}

BOOST_AUTO_TEST_CASE(marlin_took_awq_from_its_own_kernels_in_july_2024) {
    const QuantFormat& awq = *quant_format("awq-int4");
    SoftwareProfile loop;  // of which nobody says whose it is
    BOOST_TEST(!by_awq_kernels(awq, loop, 1));
    BOOST_TEST(by_awq_kernels(awq, loop, 512));
    loop.runtime.libraries.transformers = {4, 46};
    BOOST_TEST(by_awq_kernels(awq, loop, 1));
    BOOST_TEST(most_packed_rows(awq, loop) == 1023);
    SoftwareProfile engine;
    engine.runtime.kind = RuntimeKind::engine;
    engine.runtime.options.launch_per_kernel = 24.0 * microsecond;
    engine.from = "2023-12-17";
    BOOST_TEST(by_awq_kernels(awq, engine, 1));
    BOOST_TEST(most_packed_rows(awq, engine) == 255);
    BOOST_TEST(by_marlin(*quant_format("gptq-int4"), engine));
    engine.from = "2024-11-15";
    BOOST_TEST(!by_awq_kernels(awq, engine, 1));
    BOOST_TEST(by_marlin(awq, engine));
    engine.engine.half_accumulate = true;  // ExLlama multiplies rows by vectors
    BOOST_TEST(!by_marlin(awq, engine));
}

// 100 units at 1 GHz unpack 18 weights a cycle each: 1.8e12 a second, once for each 64 rows begun.
BOOST_AUTO_TEST_CASE(marlin_unpacks_for_each_block_of_rows) {
    Fixture f = modules({});
    f.software.runtime.kind = RuntimeKind::engine;
    f.software.from = "2024-11-15";
    f.part.units = 100;
    f.part.boost_clock_mhz = 1000;
    const auto seconds = [&f](std::string_view format, double rows) {
        return unpacking_time(input_of(f), *quant_format(format),
                              {.m = rows, .n = 1000, .k = 1800, .count = 1});
    };
    BOOST_TEST(seconds("awq-int4", 16) == 0);  // behind the reading of the weights
    BOOST_TEST(seconds("awq-int4", 64) == 1e-6, tt::tolerance(1e-9));
    BOOST_TEST(seconds("awq-int4", 65) == 2e-6, tt::tolerance(1e-9));
    f.software.engine.half_accumulate = true;
    BOOST_TEST(seconds("awq-int4", 64) == 0);
}

BOOST_AUTO_TEST_SUITE_END()
