#include "estimate/stacks/compiled_layer.h"

#include "estimate/memory/training_peak.h"
#include "tests/estimate/plan_fixture.h"

#include <boost/test/unit_test.hpp>

using namespace ridgeline;
using ridgeline::test::Fixture;
namespace tt = boost::test_tools;

namespace {

// The fixture's decoder on two tensor ranks by hand: 2048 tokens, hidden 2048, 8 query heads and a
// feed-forward part of 4096 on each rank.
constexpr double tokens = 2048;
constexpr double hidden = tokens * 2048;
constexpr double queries = tokens * 8 * 128;
constexpr double wide = tokens * 4096;
constexpr double weight = 4096.0 * 2048;

Fixture float8_on_two_ranks() {
    Fixture f;
    f.workload.compute = ComputeType::fp8;
    f.workload.plan.tensor = 2;
    f.workload.plan.sequence_parallel = true;
    f.software.runtime.kind = RuntimeKind::fsdp2;
    return f;
}

double layer_of(const Fixture& f) {
    for (const Block& block : training_operators(f.architecture, f.workload, f.software)) {
        if (block.position == Block::Position::layer) {
            return compiled_float8_layer(block, f.workload, f.software);
        }
    }
    return -1;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(compiled_layer)

BOOST_AUTO_TEST_CASE(a_float8_layer_holds_what_the_code_of_its_graph_does) {
    const Fixture f = float8_on_two_ranks();
    // Transposed fp8 inputs of five products; the 16-bit output of o and its copy; the fp8 gradient
    // of the layer's output, twice.
    const double full_width = (5 + 2 * 2 + 2) * hidden;
    // Outputs of gate and up and the gradient of down's input in 16 bits; in fp8 the gradients of
    // gate and up in two layouts, and down's input.
    const double feed_forward = (3 * 2 + 5) * wide;
    // Queries, repeated keys and values and the output in 16 bits; three tensors of the stream and
    // two fp8 shards of it, of half the tokens; gate's and up's weights once more.
    const double rest = 4 * queries * 2 + (3 * 2 + 2) * hidden / 2 + 2 * weight;
    BOOST_TEST(layer_of(f) == full_width + feed_forward + rest, tt::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(gathered_keys_and_values_stay_for_both_passes) {
    Fixture f = float8_on_two_ranks();
    const double alone = layer_of(f);
    f.workload.batch.sequence_length = 4 * 2048;
    f.workload.plan.context = 4;  // as many tokens on each rank
    // Keys and values of four ranks in 16 bits, two sums of partial outputs in fp32.
    BOOST_TEST(layer_of(f) == alone + 2 * 4 * queries * 2 + 2 * queries * 4, tt::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(other_layers_are_told_by_their_operators) {
    Fixture f = float8_on_two_ranks();
    f.workload.compiled = false;
    BOOST_TEST(layer_of(f) == 0);
    f = float8_on_two_ranks();
    f.workload.compute = ComputeType::bf16;
    BOOST_TEST(layer_of(f) == 0);
    f = float8_on_two_ranks();
    f.workload.plan.tensor = 1;
    BOOST_TEST(layer_of(f) == 0);
}

BOOST_AUTO_TEST_SUITE_END()
