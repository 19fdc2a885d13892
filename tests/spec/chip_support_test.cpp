#include "spec/chip_support.h"

#include <boost/test/unit_test.hpp>

#include <utility>

using namespace ridgeline;

namespace {

SoftwareProfile stack(ChipSupport chips) {
    SoftwareProfile profile;
    profile.id = "a stack";
    profile.chips = std::move(chips);
    return profile;
}

Accelerator part(const char* vendor, const char* capability = "") {
    Accelerator accelerator;
    accelerator.name = std::string(vendor) + " part";
    accelerator.vendor = vendor;
    accelerator.kind = "gpu";
    if (*capability != 0) {
        accelerator.compute_capability = capability;
    }
    return accelerator;
}

bool runs(const ChipSupport& chips, const Accelerator& on, const char* stored = "") {
    return chip_conflict(stack(chips), on, stored).empty();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(chips)

BOOST_AUTO_TEST_CASE(stacks_have_builds_for_some_makers) {
    const ChipSupport some{.makers = {"NVIDIA", "Intel", "cpu"}};
    BOOST_TEST(!runs(some, part("AMD")));
    BOOST_TEST(runs(some, part("NVIDIA", "9.0")));
    BOOST_TEST(runs({}, part("Google")));  // nothing is known against it
    Accelerator other = part("Intel");
    BOOST_TEST(runs(some, other));
    other.software = {"SynapseAI"};
    BOOST_TEST(!runs(some, other));
    Accelerator host = part("AMD");
    host.kind = "cpu";
    BOOST_TEST(runs(some, host));
    BOOST_TEST(chip_conflict(stack(some), part("AMD"), "") ==
               "a stack has no build for AMD part (it runs on NVIDIA, Intel, host processors)");
}

BOOST_AUTO_TEST_CASE(capabilities_are_those_of_the_stack_and_its_weights) {
    const ChipSupport chips{.least = 8.0, .least_of = {{"fp8", 8.9}, {"nvfp4", 10.0}}};
    BOOST_TEST(!runs(chips, part("NVIDIA", "7.5")));
    BOOST_TEST(runs(chips, part("NVIDIA", "8.0")));
    BOOST_TEST(runs(chips, part("AMD")));  // it has none
    BOOST_TEST(!runs(chips, part("NVIDIA", "8.0"), "fp8"));
    BOOST_TEST(!runs(chips, part("NVIDIA", "9.0"), "nvfp4"));
    BOOST_TEST(runs(chips, part("NVIDIA", "10.0"), "nvfp4"));
    BOOST_TEST(!runs(chips, part("NVIDIA", "8.0"), "fp8-block"));
    // Kernels that widen them run on older parts.
    BOOST_TEST(runs({.least = 7.0}, part("NVIDIA", "8.0"), "nvfp4"));
    // That wheels of today leave a part out is no conflict: older ones may do.
    BOOST_TEST(runs({.least_of_wheels = 7.5}, part("NVIDIA", "7.0")));
}

BOOST_AUTO_TEST_CASE(stacks_read_some_weights) {
    const ChipSupport server{.least_of = {{"awq-int4", 7.5}}, .cannot_read = {"gguf"}};
    BOOST_TEST(!runs(server, part("NVIDIA", "9.0"), "q4_k_m"));
    BOOST_TEST(!runs(server, part("AMD"), "iq3_xs"));
    BOOST_TEST(!runs(server, part("AMD"), "mxfp4_moe"));
    BOOST_TEST(runs(server, part("NVIDIA", "7.5"), "awq-int4"));
    BOOST_TEST(weights_conflict(stack(server), part("NVIDIA", "7.0"), "awq-int4") ==
               "a stack with awq-int4 weights needs compute capability 7.5, NVIDIA part has 7.0");
}

BOOST_AUTO_TEST_CASE(servers_multiply_fp8_on_amd_chips_with_units_for_it) {
    SoftwareProfile server = stack({.least_of = {{"fp8", 7.5}, {"nvfp4", 7.5}}});
    server.runtime.kind = RuntimeKind::engine;
    Accelerator desk = part("AMD");
    for (const char* without : {"gfx1030", "gfx1100", "gfx90a"}) {
        desk.gfx_arch = without;
        BOOST_TEST(!weights_conflict(server, desk, "fp8").empty());
        BOOST_TEST(!weights_conflict(server, desk, "fp8-block").empty());
        BOOST_TEST(weights_conflict(server, desk, "awq-int4").empty());
        BOOST_TEST(weights_conflict(server, desk, "").empty());
    }
    for (const char* with : {"gfx942", "gfx950", "gfx1201"}) {
        desk.gfx_arch = with;
        BOOST_TEST(weights_conflict(server, desk, "fp8").empty());
        BOOST_TEST(weights_conflict(server, desk, "mxfp4").empty());
        BOOST_TEST(!weights_conflict(server, desk, "nvfp4").empty());
    }
    // A loop of torch keeps weights in fp8 and widens them before it multiplies.
    desk.gfx_arch = "gfx1100";
    BOOST_TEST(weights_conflict(stack({}), desk, "fp8").empty());
}

BOOST_AUTO_TEST_CASE(the_flag_at_fault_is_named) {
    const SoftwareProfile server = stack({.least = 8.0, .least_of = {{"awq-int4", 7.5}}});
    WorkloadDocument asked;
    // Of a stack that was not named an older release may do, of its weights none.
    BOOST_TEST(chip_conflict(asked, server, part("NVIDIA", "7.0")).flag.empty());
    asked.quantization = "awq-int4";
    BOOST_TEST(chip_conflict(asked, server, part("NVIDIA", "7.0")).flag == "--quantization");
    asked.quantization.reset();
    asked.framework = "a-stack";
    BOOST_TEST(chip_conflict(asked, server, part("NVIDIA", "7.0")).flag == "--framework");
    asked.framework.reset();
    asked.compute = ComputeType::fp8;
    BOOST_TEST(chip_conflict(asked, server, part("NVIDIA", "8.0")).flag == "--compute");
}

BOOST_AUTO_TEST_CASE(products_need_units_of_their_type) {
    const Accelerator ampere = part("NVIDIA", "8.0");
    BOOST_TEST(!compute_conflict(ampere, ComputeType::fp8).empty());
    BOOST_TEST(compute_conflict(ampere, ComputeType::bf16).empty());
    BOOST_TEST(compute_conflict(ampere, std::nullopt).empty());
    BOOST_TEST(compute_conflict(part("NVIDIA", "9.0"), ComputeType::fp8).empty());
}

BOOST_AUTO_TEST_SUITE_END()
