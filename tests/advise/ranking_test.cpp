#include "advise/validation/ranking.h"

#include <boost/test/unit_test.hpp>

using namespace ridgeline;

namespace {

RankedRun run(const char* group, const char* part, int tensor, double measured, double predicted) {
    RankedRun one;
    one.measurement.group = group;
    one.measurement.accelerator = part;
    one.measurement.metric = "step_time_s";
    one.measurement.measured = measured;
    one.measurement.workload.global_batch = 64;
    one.measurement.workload.sequence_length = 4096;
    one.measurement.workload.tensor = tensor;
    one.predicted = predicted;
    return one;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(ranking)

BOOST_AUTO_TEST_CASE(pairs_of_one_work_are_compared) {
    // 8 against 10 s is right, 8 against 6 s and 10 against 6 s are wrong.
    const RankingSummary summary =
        ranking_of({run("a", "x", 1, 8, 7), run("b", "x", 2, 10, 9), run("c", "y", 1, 6, 9.5)});
    BOOST_TEST(summary.works == 1);
    BOOST_TEST(summary.pairs == 3);
    BOOST_TEST(summary.right == 1);
    BOOST_TEST(summary.right_share == 1.0 / 3, boost::test_tools::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(near_duplicates_count_once) {
    // Two records of one run against a third: one pair is wrong in half of its records; the pair of
    // "b" and "c" is right.
    const RankingSummary summary = ranking_of({run("a", "x", 1, 8, 7), run("a", "x", 1, 12, 7),
                                               run("b", "y", 1, 10, 9), run("c", "z", 1, 20, 21)});
    BOOST_TEST(summary.pairs == 5);
    BOOST_TEST(summary.right == 4);
    BOOST_TEST(summary.right_share == 2.5 / 3, boost::test_tools::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(what_cannot_be_ranked_is_left_out) {
    RankedRun longer = run("b", "y", 1, 20, 30);
    longer.measurement.workload.sequence_length = 8192;
    const RankedRun again = run("c", "x", 1, 20, 20);  // the plan and machine of the first
    const RankedRun close = run("d", "z", 1, 8.7, 1);  // 8.75 % slower
    const RankingSummary summary = ranking_of({run("a", "x", 1, 8, 10), longer, again, close});
    // The close one is compared with the repetition alone.
    BOOST_TEST(summary.pairs == 1);
    BOOST_TEST(summary.right == 1);
}

BOOST_AUTO_TEST_SUITE_END()
