#include "spec/chip_support.h"

#include <boost/test/unit_test.hpp>

using namespace ridgeline;

namespace {

SoftwareProfile stack(const char* id, const char* parent = "") {
    SoftwareProfile profile;
    profile.id = id;
    profile.inherits = parent;
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

bool runs(const SoftwareProfile& software, const Accelerator& on, const char* stored = "") {
    Profiles profiles;
    profiles.software = {stack("deepspeed"), stack("sglang", "vllm"), stack("tensorrt"), stack("tgi", "vllm"),
                         stack("triton", "tensorrt"), stack("trtllm"), stack("vllm")};
    return chip_conflict(profiles, software, on, stored).empty();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(chips)

BOOST_AUTO_TEST_CASE(stacks_have_builds_for_some_makers) {
    BOOST_TEST(!runs(stack("trtllm"), part("AMD")));
    BOOST_TEST(runs(stack("trtllm"), part("NVIDIA", "9.0")));
    BOOST_TEST(!runs(stack("llama.cpp"), part("Google")));
    BOOST_TEST(runs(stack("llama.cpp"), part("Apple")));
    BOOST_TEST(runs(stack("vllm"), part("Google")));  // it has a plugin for TPUs
    Accelerator gaudi = part("Intel");
    BOOST_TEST(runs(stack("llama.cpp"), gaudi));
    gaudi.software = {"SynapseAI"};
    BOOST_TEST(!runs(stack("llama.cpp"), gaudi));
    BOOST_TEST(runs(stack("deepspeed"), part("Google")));  // nothing is known against it
}

BOOST_AUTO_TEST_CASE(capabilities_are_those_of_the_stack_and_its_weights) {
    BOOST_TEST(!runs(stack("vllm"), part("NVIDIA", "6.1")));
    BOOST_TEST(runs(stack("vllm"), part("NVIDIA", "7.0")));
    BOOST_TEST(!runs(stack("sglang", "vllm"), part("NVIDIA", "7.0")));  // its own limit is 7.5
    BOOST_TEST(!runs(stack("tgi", "vllm"), part("NVIDIA", "6.1")));     // that of its parent
    BOOST_TEST(!runs(stack("triton", "tensorrt"), part("AMD")));
    BOOST_TEST(!runs(stack("vllm@2024-01-01"), part("NVIDIA", "6.1")));
    // Marlin widens what has no units in vLLM; TensorRT-LLM has no such kernels.
    BOOST_TEST(runs(stack("vllm"), part("NVIDIA", "8.0"), "nvfp4"));
    BOOST_TEST(!runs(stack("trtllm"), part("NVIDIA", "9.0"), "nvfp4"));
    BOOST_TEST(runs(stack("trtllm"), part("NVIDIA", "10.0"), "nvfp4"));
    BOOST_TEST(!runs(stack("trtllm"), part("NVIDIA", "8.0"), "fp8"));
}

BOOST_AUTO_TEST_CASE(products_need_units_of_their_type) {
    const Accelerator ampere = part("NVIDIA", "8.0");
    BOOST_TEST(!compute_conflict(ampere, ComputeType::fp8).empty());
    BOOST_TEST(compute_conflict(ampere, ComputeType::bf16).empty());
    BOOST_TEST(compute_conflict(ampere, std::nullopt).empty());
    BOOST_TEST(compute_conflict(part("NVIDIA", "9.0"), ComputeType::fp8).empty());
}

BOOST_AUTO_TEST_SUITE_END()
