// State spaces and linear attention: parameters, what is kept and what is remembered, by hand.
#include "estimate/families/transformer/lora_targets.h"
#include "estimate/families/transformer/parameters.h"
#include "estimate/families/transformer/transformer.h"
#include "estimate/serving/kv_cache.h"
#include "estimate/stacks/kept_tensors.h"
#include "estimate/work/operator.h"
#include "spec/software_profile.h"
#include "tests/released.h"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <string>
#include <string_view>

using namespace ridgeline;

namespace {

const Block& block_named(const OperatorList& list, std::string_view name) {
    const auto at = std::ranges::find(list, name, &Block::name);
    BOOST_TEST_REQUIRE((at != list.end()), name);
    return *at;
}

OperatorList trained(const Architecture& architecture, double tokens) {
    Workload workload;
    workload.task = Task::train;
    workload.method = Method::full;
    workload.weights = DType::bf16;
    const SoftwareProfile software;
    return list_operators(architecture, workload, software,
                          {.samples = 1, .tokens = tokens, .context = tokens, .training = true});
}

/// Bytes that an operator of the block keeps under the name.
double kept(const Block& block, std::string_view name) {
    for (const Operator& op : block.operators) {
        for (const int tensor : op.kept) {
            if (tensor != no_tensor &&
                block.tensors[static_cast<std::size_t>(tensor)].name == name) {
                return block.tensors[static_cast<std::size_t>(tensor)].size.base();
            }
        }
    }
    return 0;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(state_mixer)

// 768 wide, 1,536 channels of 16 numbers, steps of rank 48: 24 layers and a table that is the head.
BOOST_AUTO_TEST_CASE(mamba_has_the_published_parameters) {
    const long long layer = 2 * 1536 * 768 + 1536 * (4 + 1) + (48 + 32) * 1536 + 1536 * (48 + 1) +
                            1536 * (16 + 1) + 768 * 1536 + 768;
    const ParameterCount count = count_parameters(released::model("mamba-130m"));
    BOOST_TEST(count.total == 24 * layer + 50280LL * 768 + 768);
    BOOST_TEST(count.total == 129'135'360);
}

// MambaInnerFn saves xz, the product of x_proj, B, C, the states at the ends of blocks of 2,048
// tokens and the output before the gate; what was convolved and the step sizes are made again.
BOOST_AUTO_TEST_CASE(mamba_keeps_what_its_function_saves) {
    const double tokens = 4096;
    const OperatorList list = trained(released::model("mamba-130m"), tokens);
    const Block& layer = block_named(list, "state layer");
    BOOST_TEST(layer.repeat == 24);
    BOOST_TEST(kept(layer, "in_proj") == tokens * 2 * 1536 * 2);
    BOOST_TEST(kept(layer, "x_proj") == tokens * (48 + 32) * 2);
    BOOST_TEST(kept(layer, "scan.shared") == tokens * 32 * 2);
    BOOST_TEST(kept(layer, "scan.states") == 2 * 1536 * 32 * 4);
    BOOST_TEST(kept(layer, "scan") == tokens * 1536 * 2);
    for (const char* again : {"convolved", "dt_proj", "scanned"}) {
        BOOST_TEST(kept(layer, again) == 0, again);
    }
    // Jamba's norms between the products leave no one function: the kernels keep their operands.
    const OperatorList apart = trained(released::model("jamba-v0.1"), tokens);
    BOOST_TEST(kept(block_named(apart, "state layer"), "convolved") == tokens * 8192 * 2);
    BOOST_TEST(kept(block_named(apart, "moe state layer"), "dt_proj") == tokens * 8192 * 2);
}

// The residual stream of Mamba is fp32 beside 16-bit weights (residual_in_fp32).
BOOST_AUTO_TEST_CASE(the_stream_of_mamba_is_wide) {
    const OperatorList list = trained(released::model("mamba-130m"), 100);
    const Block& layer = block_named(list, "state layer");
    BOOST_TEST(layer.tensors[static_cast<std::size_t>(layer.input)].size.base() == 100 * 768 * 4);
}

// A state has one size, whatever was read before: 64 layers of 5,120 channels x 16 numbers in fp32
// and four tokens of each channel in 16 bits.
BOOST_AUTO_TEST_CASE(a_state_does_not_grow) {
    const Architecture mamba = released::model("mamba-2.8b");
    const double state = 64 * (5120.0 * 16 * 4 + 5120.0 * 4 * 2);
    for (const double tokens : {1.0, 1024.0, 1e6}) {
        BOOST_TEST(kv_cache_bytes(mamba, {}, 2, tokens) == state);
    }
    BOOST_TEST(kv_bytes_per_token(mamba, 2) == 0);
    // Qwen3-Next: 12 of 48 layers attend with 2 heads of 256; 36 have 32 heads of 128 x 128 and
    // convolve 4,096 values, 2,048 keys and as many queries.
    const Architecture next = released::model("qwen3-next-80b-a3b");
    const double attended = 12 * 2 * 2 * 256 * 2;
    BOOST_TEST(kv_bytes_per_token(next, 2) == attended);
    const double held = 36 * (4096.0 * 128 * 4 + 8192.0 * 4 * 2);
    BOOST_TEST(kv_cache_bytes(next, {}, 2, 1000) == 1000 * attended + held);
}

// One token reads and writes the state of each layer, whatever the context.
BOOST_AUTO_TEST_CASE(a_step_reads_and_writes_the_state) {
    const Architecture mamba = released::model("mamba-2.8b");
    const Workload workload;
    const SoftwareProfile software;
    const auto traffic = [&](double context) {
        const OperatorList list =
            list_operators(mamba, workload, software,
                           {.samples = 1, .tokens = 1, .context = context, .training = false});
        const Block& layer = block_named(list, "state layer");
        return std::ranges::find(layer.operators, "scan", &Operator::name)->forward_traffic.base();
    };
    BOOST_TEST(traffic(1) == 2 * 5120.0 * 16 * 4 + (4 * 5120.0 + 2 * 5120.0 * 4) * 2);
    BOOST_TEST(traffic(1e6) == traffic(1));
}

// "M-M-MM-*-": a feed-forward part belongs to the layer before it, where there is one.
BOOST_AUTO_TEST_CASE(layers_of_nemotron_are_of_four_kinds) {
    const LayerKinds kinds = layer_kinds(released::model("nemotron-nano-9b-v2").text());
    BOOST_TEST(kinds.count[0] == 4);       // attention, fed
    BOOST_TEST(kinds.count[1] == 25 - 4);  // state, fed
    BOOST_TEST(kinds.count[5] == 27 - 21);
    BOOST_TEST(kinds.count[2] + kinds.count[3] + kinds.count[4] == 0);
    const LayerKinds experts = layer_kinds(released::model("nemotron-3-nano-30b-a3b").text());
    BOOST_TEST(experts.count[2] + experts.count[3] == 23);
    BOOST_TEST(experts.count[1] == 0);
}

BOOST_AUTO_TEST_CASE(adapters_reach_the_products_outside_of_the_function) {
    const auto names = [](const char* id) { return linear_names(released::model(id)); };
    BOOST_TEST(names("mamba-2.8b") == std::vector<std::string>{"in_proj"},
               boost::test_tools::per_element());
    const auto next = names("qwen3-next-80b-a3b");
    for (const char* name : {"in_proj", "out_proj", "q_proj", "down_proj"}) {
        BOOST_TEST((std::ranges::find(next, name) != next.end()), name);
    }
}

// LFM2: six layers attend with 8 heads of 64, ten multiply a convolution of three tokens by two
// gates and remember those tokens; feed-forward parts are two thirds of 12,288 wide.
BOOST_AUTO_TEST_CASE(short_convolutions_stand_for_attention) {
    const Architecture model = released::model("lfm2-1.2b");
    const double attention = 2 * 2048.0 * 2048 + 2 * 2048.0 * 512 + 2 * 64;
    const double convolution = 2048 * 3 * 2048.0 + 3 * 2048 + 2048 * 2048.0;
    const double fed = 3 * 2048.0 * 8192;
    BOOST_TEST(count_parameters(model).total ==
               65536 * 2048.0 + 6 * attention + 10 * convolution + 16 * (fed + 2 * 2048) + 2048);
    BOOST_TEST(kv_bytes_per_token(model, 2) == 6 * 2 * 8 * 64 * 2);
    BOOST_TEST(kv_cache_bytes(model, {}, 2, 1000) ==
               1000 * 6 * 2 * 8 * 64 * 2.0 + 10 * 2048 * 3 * 2.0);
    const LayerKinds kinds = layer_kinds(released::model("lfm2-8b-a1b").text());
    BOOST_TEST(kinds.count[0] + kinds.count[1] == 2);  // without experts
    BOOST_TEST(kinds.count[2] == 6);
    const auto names = linear_names(model);
    BOOST_TEST((std::ranges::find(names, "out_proj") != names.end()));
}

// Falcon-H1: each of 72 layers attends with 4 heads of 128 and scans 4,096 channels x 256 numbers.
BOOST_AUTO_TEST_CASE(a_layer_attends_beside_its_state) {
    const Architecture model = released::model("falcon-h1-34b");
    const double attention = 2 * 5120.0 * 2560 + 2 * 5120.0 * 512;
    const double projected = 2 * 4096.0 + 2 * 2 * 256 + 32;
    const double state = 5120 * projected + (4096 + 1024) * 5 + 3 * 32 + 4096 * 5120.0;
    const double layer = attention + state + 3 * 5120.0 * 21504 + 2 * 5120;
    BOOST_TEST(count_parameters(model).total == 2 * 261120.0 * 5120 + 72 * layer + 5120);
    const double attended = 72 * 2 * 4 * 128 * 2;
    BOOST_TEST(kv_bytes_per_token(model, 2) == attended);
    BOOST_TEST(kv_cache_bytes(model, {}, 2, 1000) ==
               1000 * attended + 72 * (4096.0 * 256 * 4 + 5120.0 * 4 * 2));
}

BOOST_AUTO_TEST_SUITE_END()
