// Experts as the modules of Hugging Face Transformers run them in training.
#include "estimate/time/block_time.h"
#include "tests/estimate/plan_fixture.h"

#include <boost/test/unit_test.hpp>

#include <algorithm>

using namespace ridgeline;
using ridgeline::test::Fixture;
namespace tt = boost::test_tools;

BOOST_AUTO_TEST_SUITE(expert_walk)

namespace {

constexpr double tokens = 2048;
constexpr double hidden = 2048;
constexpr double all_tokens = tokens * hidden * 2;  // bytes
constexpr double copies = 2 * all_tokens;           // two experts a token

Fixture modules(Version transformers) {
    Fixture f;
    f.architecture.stacks.front().moe =
        MixtureOfExperts{.experts = 8, .experts_per_token = 2, .ffn = 4096};
    f.workload.compiled = false;
    f.software.kernels.activation = ActivationKernel::modules;
    f.software.runtime.libraries.transformers = transformers;
    return f;
}

Block layer_of(const Fixture& f) {
    for (const Block& block : training_operators(f.architecture, f.workload, f.software)) {
        if (block.position == Block::Position::layer) {
            return block;
        }
    }
    return {};
}

const Operator& named(const Block& block, std::string_view name) {
    return *std::ranges::find(block.operators, name, &Operator::name);
}

BlockTime time_of(Fixture& f, RecomputeMode recompute) {
    f.device = device_model(f.part, f.calibration);
    return time_block(layer_of(f), f.input(), recompute);
}

}  // namespace

// 2,048 tokens leave none of 8 experts without any.
BOOST_AUTO_TEST_CASE(each_expert_launches_its_own_kernels_before_transformers_5) {
    const Block walked = layer_of(modules({4, 46}));
    const Block grouped = layer_of(modules({5, 0}));
    for (const char* name : {"experts.gate_proj", "experts.up_proj", "experts.down_proj"}) {
        BOOST_TEST(named(walked, name).forward_kernels == 8, tt::tolerance(1e-9));
        BOOST_TEST(named(grouped, name).forward_kernels == 1);
        BOOST_TEST((named(walked, name).operator_class == OperatorClass::gemm));
        BOOST_TEST((named(grouped, name).operator_class == OperatorClass::grouped_gemm));
    }
    // Back, the gradient of each pick is as large as all tokens: written as zeros, then two read
    // and one written for the sum; the copies are read, and read and written where they belong.
    BOOST_TEST(
        named(walked, "moe.dispatch").backward_traffic.base() == 3 * copies + 8 * 4 * all_tokens,
        tt::tolerance(1e-9));
    // Picked and put in order forward: two copies.
    BOOST_TEST(named(grouped, "moe.dispatch").forward_traffic.base() == 4 * copies);
}

BOOST_AUTO_TEST_CASE(kernels_of_a_stack_of_its_own_are_left_as_they_are) {
    const Block block = layer_of(modules({}));
    BOOST_TEST(named(block, "experts.gate_proj").forward_kernels == 1);
    BOOST_TEST(named(block, "moe.dispatch").forward_traffic.base() == 2 * copies);
}

// Each result takes 20 us: the places of an expert's tokens, from 4.53 on its number too.
BOOST_AUTO_TEST_CASE(the_card_stands_still_while_the_host_looks_at_each_expert) {
    const auto held = [](Version transformers, RecomputeMode recompute, bool corrected = false) {
        Fixture f = modules(transformers);
        f.architecture.stacks.front().moe->router_correction_bias = corrected;
        return time_of(f, recompute).held * 1e6;
    };
    BOOST_TEST(held({4, 46}, RecomputeMode::none) == 8 * 20, tt::tolerance(1e-9));
    BOOST_TEST(held({4, 53}, RecomputeMode::none) == 8 * 2 * 20, tt::tolerance(1e-9));
    BOOST_TEST(held({4, 53}, RecomputeMode::full) == 2 * 8 * 2 * 20, tt::tolerance(1e-9));
    BOOST_TEST(held({4, 53}, RecomputeMode::none, true) == 8 * 20, tt::tolerance(1e-9));
    BOOST_TEST(held({5, 0}, RecomputeMode::full) == 0);
}

// Launches of a pass forward cannot run ahead of a result that is waited for.
BOOST_AUTO_TEST_CASE(launches_of_a_walk_are_not_hidden_by_the_pass_backward) {
    Fixture f = modules({4, 46});
    f.software.runtime.options.launch_per_kernel = 1 * millisecond;
    const BlockTime time = time_of(f, RecomputeMode::none);
    BOOST_TEST(time.held == 8 * 20e-6 + time.forward.launches * 1e-3 - time.forward.device,
               tt::tolerance(1e-9));
}

// Llama 4's modules hand all 2,048 tokens to each of the 8 experts; the model asks for a quarter.
BOOST_AUTO_TEST_CASE(every_expert_multiplies_every_token_of_llama_4) {
    Fixture f = modules({5, 0});
    const double asked = time_of(f, RecomputeMode::none).model_flops;
    f.architecture.stacks.front().moe->every_expert = true;
    const Block layer = layer_of(f);
    const Operator& gate = named(layer, "experts.gate_proj");
    BOOST_TEST(gate.gemm.m == tokens);
    BOOST_TEST(gate.gemm.count == 8);
    BOOST_TEST(gate.useful == 0.25);
    BOOST_TEST(time_of(f, RecomputeMode::none).model_flops == asked, tt::tolerance(1e-9));
    f.software.runtime.libraries.transformers = {};  // another stack's kernels
    const Block own = layer_of(f);
    BOOST_TEST(named(own, "experts.gate_proj").gemm.m == tokens * 2 / 8);
}

BOOST_AUTO_TEST_SUITE_END()
