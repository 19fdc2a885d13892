// Adapters as modules of PEFT and as autograd functions of their own; frozen weights in fp32.
#include "estimate/work/liveness.h"
#include "estimate/work/quantization.h"
#include "tests/estimate/plan_fixture.h"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <set>
#include <string>

using namespace ridgeline;
using ridgeline::test::Fixture;
namespace tt = boost::test_tools;

BOOST_AUTO_TEST_SUITE(adapter_kernels)

namespace {

constexpr double tokens = 2048;
constexpr double hidden = 2048;
constexpr double width = 8192;

Fixture adapters(bool fused) {
    Fixture f;
    f.workload.method = Method::lora;
    f.workload.compiled = false;
    f.workload.lora = Lora{
        .rank = 16,
        .targets = {"q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"},
        .weights = DType::bf16,
        .fused = fused};
    f.software.kernels.activation = ActivationKernel::modules;
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

/// Bytes of the distinct tensors that operators keep, of one name or of all.
double kept(const Block& block, std::string_view name = "") {
    std::set<int> tensors;
    for (const Operator& op : block.operators) {
        for (const int tensor : op.kept) {
            if (tensor != no_tensor &&
                (name.empty() || block.tensors[static_cast<std::size_t>(tensor)].name == name)) {
                tensors.insert(tensor);
            }
        }
    }
    double sum = 0;
    for (const int tensor : tensors) {
        sum += size_at(block, tensor);
    }
    return sum;
}

struct Overwritten {
    const Block& block;
    std::multiset<std::string> gradients;  ///< tensors whose gradient took a place of its own
    std::multiset<std::string> overwritten;

    std::string name(int tensor) const {
        return std::string(block.tensors[static_cast<std::size_t>(tensor)].name);
    }
    void take(int) {}
    void give(int) {}
    void take_gradient(int tensor) { gradients.insert(name(tensor)); }
    void give_gradient(int) {}
    void becomes_gradient(int tensor) { overwritten.insert(name(tensor)); }
    void beside(int) {}
    void work(const Operator&, double) {}
};

}  // namespace

// The functions keep what they read, gate and up. PEFT's modules keep the output of A of each of
// seven adapters too, what the last projection's adapter reads, and the activation of the gate.
BOOST_AUTO_TEST_CASE(functions_of_adapters_keep_what_they_read_alone) {
    const Block modules = layer_of(adapters(false));
    const Block fused = layer_of(adapters(true));
    BOOST_TEST(kept(modules) - kept(fused) == tokens * (7 * 16 * 2 + 2 * width * 2),
               tt::tolerance(1e-12));
    BOOST_TEST(kept(fused, "gate_proj") == tokens * width * 2);
    BOOST_TEST(kept(fused, "up_proj") == tokens * width * 2);
    BOOST_TEST(kept(fused, "activation") == 0);
}

BOOST_AUTO_TEST_CASE(gradients_of_gate_and_up_lie_where_those_were) {
    const Block block = layer_of(adapters(true));
    Overwritten seen{.block = block, .gradients = {}, .overwritten = {}};
    walk_backward(block, liveness(block), false, seen);
    BOOST_TEST(seen.overwritten.contains("gate_proj"));
    BOOST_TEST(seen.overwritten.contains("up_proj"));
    BOOST_TEST(!seen.gradients.contains("gate_proj"));
    BOOST_TEST(seen.gradients.contains("activation"));
}

// A function takes the place of modules that all have adapters.
BOOST_AUTO_TEST_CASE(projections_without_adapters_keep_others_from_the_function) {
    Fixture f = adapters(true);
    f.workload.lora->targets = {"q_proj", "v_proj", "gate_proj", "up_proj"};
    Fixture g = f;
    g.workload.lora->fused = false;
    BOOST_TEST(kept(layer_of(f)) == kept(layer_of(g)));
}

// Frozen fp32 weights: autocast makes a copy in 16 bits for each product, which the gradient of its
// input needs. 2 x 2048 x 2048, 2 x 2048 x 1024 and 3 x 2048 x 8192 of them in a layer.
BOOST_AUTO_TEST_CASE(casts_of_frozen_weights_are_kept) {
    Fixture f = adapters(false);
    f.workload.weights = DType::fp32;
    f.software.runtime.options.autocast = true;
    BOOST_TEST(kept(layer_of(f), frozen_cast) ==
                   2 * (2 * hidden * hidden + 2 * hidden * 1024 + 3 * hidden * width),
               tt::tolerance(1e-12));
    f.workload.weights = DType::bf16;
    BOOST_TEST(kept(layer_of(f), frozen_cast) == 0);
}

// PEFT's k-bit preparation: the stack's habit unless it is stated, and none where FSDP flattens a
// unit, whose tensors must be of one type.
BOOST_AUTO_TEST_CASE(a_kbit_preparation_is_stated_or_the_stacks) {
    Fixture f = adapters(false);
    f.workload.method = Method::qlora;
    f.workload.quantization.name = "nf4";
    f.software.kernels.adapter.upcasts = Upcast::rest;
    BOOST_TEST(upcasts_rest(f.workload, f.software));
    BOOST_TEST(upcasts_tables(f.workload, f.software));
    f.workload.lora->upcasts = Upcast::norms;
    BOOST_TEST(upcasts_rest(f.workload, f.software));
    BOOST_TEST(!upcasts_tables(f.workload, f.software));
    f.workload.lora->upcasts = Upcast::none;
    BOOST_TEST(!upcasts_rest(f.workload, f.software));
    f.workload.lora->upcasts.reset();
    f.workload.plan.data = 2;
    f.workload.plan.sharding = Sharding::fsdp;
    BOOST_TEST(!upcasts_rest(f.workload, f.software));
    f.workload.plan.sharding = Sharding::ddp;
    BOOST_TEST(upcasts_rest(f.workload, f.software));
}

// A loop without autocast leaves adapters in fp32, as PEFT makes them: their input is cast, dropped
// and multiplied in fp32, and what they make is added to a copy of the base's output in fp32.
BOOST_AUTO_TEST_CASE(adapters_in_fp32_of_a_loop_without_autocast) {
    Fixture f = adapters(false);
    f.workload.lora->weights = DType::fp32;
    f.workload.lora->targets = {"q_proj"};
    f.software.runtime.libraries.transformers = {4, 46};
    const auto adapter = [&f] {
        const Block block = layer_of(f);
        return *std::ranges::find(block.operators, Role::adapter, &Operator::role);
    };
    // Input: read 2, written 4, read 4 by the product; output: 4 written, 4 and 4 by the scale, 4
    // and 2 read, 4 written by the sum, 4 and 2 by its cast; 16 of rank between.
    const double forward = tokens * (hidden * 10 + 2 * 16 * 4 + hidden * 28);
    BOOST_TEST(adapter().forward_traffic.base() == forward, tt::tolerance(1e-12));
    BOOST_TEST(adapter().full_precision);
    f.workload.lora->dropout = 0.1;
    BOOST_TEST(adapter().forward_traffic.base() == forward + tokens * hidden * 9,
               tt::tolerance(1e-12));
    f.workload.lora->weights = DType::bf16;
    BOOST_TEST(!adapter().full_precision);
}

BOOST_AUTO_TEST_SUITE_END()
