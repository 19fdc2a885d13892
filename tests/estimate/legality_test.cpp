#include "tests/estimate/plan_fixture.h"

#include <boost/test/unit_test.hpp>

using namespace ridgeline;
using ridgeline::test::Fixture;

BOOST_AUTO_TEST_SUITE(legality)

namespace {

std::string reason(const Fixture& f) {
    const auto result = check_plan(f.architecture, f.workload, f.cluster);
    return result ? "" : result.error().text();
}

Fixture on(int count) {
    Fixture f;
    f.place(count, 8);
    f.workload.plan.data = count;
    f.workload.batch.global = count;
    return f;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_plain_plan_is_legal) {
    BOOST_TEST(reason(Fixture{}) == "");
    BOOST_TEST(reason(on(8)) == "");
}

// A rate of zero once made a processor faster than any card.
BOOST_AUTO_TEST_CASE(a_part_without_a_known_rate_is_refused_and_not_infinitely_fast) {
    Fixture f = on(1);
    Accelerator part = f.part;
    f.cluster.accelerator = &part;
    BOOST_TEST(reason(f) == "");
    part.memory_bandwidth = {};
    BOOST_TEST(reason(f).find("its memory bandwidth is not known") != std::string::npos);
    part = f.part;
    part.peak_dense = {};
    part.peak_vector_fp32 = {};
    BOOST_TEST(reason(f).find("its rate is not known for any type") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(ranks_multiply_to_the_accelerators) {
    Fixture f = on(8);
    f.workload.plan.data = 4;
    BOOST_TEST(reason(f).find("4 ranks on 8 accelerators") != std::string::npos);
    f.workload.plan = {.data = 2000000000, .tensor = 2000000000, .pipeline = 1};
    BOOST_TEST(reason(f) != "");
}

BOOST_AUTO_TEST_CASE(heads_divide_and_the_nearest_divisor_is_named) {
    Fixture f = on(6);
    f.workload.plan = {.data = 1, .tensor = 6};
    f.workload.batch.global = 1;
    // 16 heads, 8 key and value heads: the divisors are 1, 2, 4, 8, 16; 8 is as near as 4.
    BOOST_TEST(reason(f).find("6 does not divide the 16 attention heads") != std::string::npos);
    BOOST_TEST(reason(f).find("nearest legal value is 8") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(key_value_heads_may_be_replicated) {
    Fixture f = on(16);
    f.workload.plan = {.data = 1, .tensor = 16};
    f.workload.batch.global = 1;
    BOOST_TEST(reason(f) == "");
}

BOOST_AUTO_TEST_CASE(stages_may_differ_by_a_layer_but_not_be_empty) {
    Fixture f = on(5);
    f.workload.plan = {.data = 1, .pipeline = 5};
    f.workload.batch.global = 5;
    BOOST_TEST(reason(f) == "");
    Fixture many = on(32);
    many.workload.plan = {.data = 1, .pipeline = 32};
    many.workload.batch.global = 32;
    BOOST_TEST(reason(many).find("more than the 24 layers") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(experts_divide_by_their_group) {
    Fixture f = on(8);
    f.workload.plan.expert = 8;
    BOOST_TEST(reason(f).find("without experts") != std::string::npos);
    f.architecture.stacks[0].moe =
        MixtureOfExperts{.experts = 12, .experts_per_token = 2, .ffn = 512};
    BOOST_TEST(reason(f).find("8 does not divide the 12 experts") != std::string::npos);
    f.workload.plan.expert = 4;
    BOOST_TEST(reason(f) == "");
}

BOOST_AUTO_TEST_CASE(the_batch_divides) {
    Fixture f = on(8);
    f.workload.batch = {.micro = 3, .global = 50, .sequence_length = 2048};
    // 3 x 8 = 24 samples a pass: 48 is nearer to 50 than 72.
    BOOST_TEST(reason(f).find("nearest legal value is 48") != std::string::npos);
    f.workload.batch.global = 48;
    BOOST_TEST(reason(f) == "");
    f.workload.batch.micro = 0;
    BOOST_TEST(reason(f).find("batch.micro") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(interleaving_needs_rounds_of_micro_batches) {
    Fixture f = on(4);
    f.workload.plan = {.data = 1, .pipeline = 4, .virtual_pipeline = 2};
    f.workload.batch.global = 6;
    BOOST_TEST(reason(f).find("virtual_pipeline") != std::string::npos);
    f.workload.batch.global = 8;
    BOOST_TEST(reason(f) == "");
}

BOOST_AUTO_TEST_CASE(context_divides_the_sequence) {
    Fixture f = on(3);
    f.workload.plan = {.data = 1, .context = 3};
    f.workload.batch.global = 1;
    BOOST_TEST(reason(f).find("does not divide the sequence of 2048") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(shard_groups_divide_the_ranks) {
    Fixture f = on(8);
    f.workload.plan.sharding = Sharding::hsdp;
    f.workload.plan.shard_group = 3;
    BOOST_TEST(reason(f).find("shard_group") != std::string::npos);
    f.workload.plan.shard_group = 4;
    BOOST_TEST(reason(f) == "");
}

BOOST_AUTO_TEST_SUITE_END()
