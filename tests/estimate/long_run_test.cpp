#include "estimate/money/long_run.h"

#include "tests/estimate/plan_fixture.h"

#include <boost/test/unit_test.hpp>
#include <rapidcheck.h>

using namespace ridgeline;
using ridgeline::test::Fixture;
namespace tt = boost::test_tools;

BOOST_AUTO_TEST_SUITE(long_runs)

namespace {

Seconds seconds(double value) { return Seconds::of_base(value); }

/// Faults every 1000 h of a part, 100 s to restart, 1 GB/s of storage a part.
Fixture a_run() {
    Fixture f;
    RunCalibration row;
    row.between_failures = 1000.0 * hour;
    row.between_failures_low = 500.0 * hour;
    row.between_failures_high = 2000.0 * hour;
    row.between_spot_interruptions = 10.0 * hour;
    row.restart = seconds(100);
    row.checkpoint_write = 1.0 * gigabyte_per_second;
    row.evaluation_share = 0.02;
    row.evaluation_share_high = 0.05;
    row.tier = Tier::published;
    f.calibration.runs = {row};
    f.workload.plan.data = 8;
    f.workload.batch.global = 8;
    f.workload.duration_tokens = 1e9;
    f.place(8, 8);
    return f;
}

TimeEstimate a_step() {
    TimeEstimate time;
    time.step = seconds(1);
    time.total = seconds(1e6);
    time.band = {.low = 0.9, .high = 1.1, .evidence_rows = 1, .kind = ""};
    return time;
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_best_interval_is_that_of_young_and_daly) {
    // sqrt(2 x 50 s x 10,000 s) - 50 s.
    BOOST_TEST((best_checkpoint_interval(seconds(50), seconds(10000)) / second) == 950.0,
               tt::tolerance(1e-12));
    // A machine that fails before it has written keeps writing.
    BOOST_TEST((best_checkpoint_interval(seconds(50), seconds(20)) / second) == 50.0);
}

BOOST_AUTO_TEST_CASE(without_faults_only_the_checkpoints_are_added) {
    BOOST_TEST((time_with_interruptions(seconds(1000), seconds(100), seconds(5), seconds(60), {}) /
                second) == 1050.0);
    const Seconds rare = time_with_interruptions(seconds(1000), seconds(100), seconds(5),
                                                 seconds(60), seconds(1e12));
    BOOST_TEST((rare / second) == 1050.0, tt::tolerance(1e-6));
}

BOOST_AUTO_TEST_CASE(faults_cost_their_restart_and_half_an_interval) {
    // To first order: M = 1e5 s, segment 1050 s, restart 200 s: each fault costs 200 + 525 s.
    const double work = 1e6;
    const double total = time_with_interruptions(seconds(work), seconds(1000), seconds(50),
                                                 seconds(200), seconds(1e5)) /
                         second;
    BOOST_TEST(total == work * 1.05 * (1 + 725.0 / 1e5), tt::tolerance(2e-4));
}

BOOST_AUTO_TEST_CASE(no_other_interval_is_clearly_better) {
    BOOST_TEST(rc::check("interval", [] {
        const double write = *rc::gen::inRange(1, 100);
        const double mean = write * *rc::gen::inRange(100, 100000);
        const Seconds best = best_checkpoint_interval(seconds(write), seconds(mean));
        const auto total = [&](double factor) {
            return time_with_interruptions(seconds(1e7), factor * best, seconds(write), seconds(60),
                                           seconds(mean)) /
                   second;
        };
        for (const double factor : {0.5, 0.8, 1.25, 2.0}) {
            RC_ASSERT(total(1) <= total(factor) * 1.002);
        }
    }));
}

BOOST_AUTO_TEST_CASE(parts_of_a_run_add_up_and_the_range_holds_the_middle) {
    const Fixture f = a_run();
    const LongRun run = long_run(f.input(), a_step(), seconds(1e6), false);
    const Seconds sum = run.steps + run.evaluation + run.checkpoints + run.restarts;
    BOOST_TEST((sum / second) == run.total / second, tt::tolerance(1e-9));
    BOOST_TEST((run.evaluation / second) == 2e4, tt::tolerance(1e-9));
    // 1000 h / 8 parts.
    BOOST_TEST((run.between_interruptions / hour) == 125.0, tt::tolerance(1e-9));
    BOOST_TEST((run.low < run.total && run.total < run.high));
    BOOST_TEST(run.goodput == 1e6 / (run.total / second), tt::tolerance(1e-9));
}

BOOST_AUTO_TEST_CASE(days_are_lost_at_the_upper_end_of_a_run_of_weeks) {
    Fixture f = a_run();
    f.calibration.runs.front().between_failures_low = 1e6 * hour;
    f.calibration.runs.front().evaluation_share_high = 0;
    // OPT-175B on 992: 33 of 56 days; of 3.5 days at the slow end half of that share is lost.
    f.cluster.count = 992;
    const LongRun weeks = long_run(f.input(), a_step(), seconds(2e6), false);
    BOOST_TEST((weeks.high / second) == 1.1 * 2e6 * 56 / 33, tt::tolerance(1e-9));
    const double half_a_week = 3.5 * 86400;
    const LongRun days = long_run(f.input(), a_step(), seconds(half_a_week / 1.1), false);
    BOOST_TEST((days.high / second) == half_a_week * (1 + (56.0 / 33 - 1) / 2),
               tt::tolerance(1e-9));
    // A sixteenth of the parts loses between a sixteenth and all of that: a quarter.
    f.cluster.count = 62;
    const LongRun few = long_run(f.input(), a_step(), seconds(2e6), false);
    BOOST_TEST((few.high / second) == 1.1 * 2e6 * (1 + (56.0 / 33 - 1) / 4), tt::tolerance(1e-9));
    // Adapters, and what one part trains, are no such runs.
    f.workload.method = Method::lora;
    BOOST_TEST((long_run(f.input(), a_step(), seconds(2e6), false).high < few.high));
}

BOOST_AUTO_TEST_CASE(a_checkpoint_holds_weights_master_weights_and_moments_once) {
    Fixture f = a_run();
    f.workload.master_weights = true;
    const Bytes with = checkpoint_size(f.input());
    f.workload.master_weights = false;
    const Bytes without = checkpoint_size(f.input());
    // bf16 weights and two fp32 moments: 10 bytes; the master copy adds 4. The plan does not
    // matter.
    BOOST_TEST((with / without) == 1.4, tt::tolerance(1e-9));
    f.workload.plan.data = 1;
    BOOST_TEST((checkpoint_size(f.input()) == without));
}

BOOST_AUTO_TEST_CASE(few_parts_write_to_a_drive_of_their_machine) {
    Fixture f = a_run();
    f.place(1, 1);
    const LongRun shared = long_run(f.input(), a_step(), seconds(1e6), false);
    f.calibration.runs.front().checkpoint_write_least = 4.0 * gigabyte_per_second;
    const LongRun drive = long_run(f.input(), a_step(), seconds(1e6), false);
    BOOST_TEST((shared.checkpoint_write / drive.checkpoint_write) == 4, tt::tolerance(1e-9));
    f.place(8, 8);
    BOOST_TEST((long_run(f.input(), a_step(), seconds(1e6), false).checkpoint_write /
                drive.checkpoint_write) == 0.5,
               tt::tolerance(1e-9));
}

BOOST_AUTO_TEST_CASE(spot_instances_add_their_interruptions) {
    const Fixture f = a_run();
    const LongRun kept = long_run(f.input(), a_step(), seconds(1e6), false);
    const LongRun spot = long_run(f.input(), a_step(), seconds(1e6), true);
    // Rates add: 1 / 125 h of faults and 1 / 10 h of the one instance.
    BOOST_TEST((spot.between_interruptions / hour) == 1 / (1 / 125.0 + 1 / 10.0),
               tt::tolerance(1e-9));
    BOOST_TEST((spot.total > kept.total));
    BOOST_TEST((spot.checkpoint_interval < kept.checkpoint_interval));
}

BOOST_AUTO_TEST_CASE(more_parts_fail_more_often) {
    Fixture f = a_run();
    double before = 2;
    for (const int count : {8, 64, 512, 4096}) {
        f.place(count, 8);
        const LongRun run = long_run(f.input(), a_step(), seconds(1e6), false);
        BOOST_TEST(run.interruptions > 0);
        BOOST_TEST((run.restarts / run.total) < 1);
        before = std::min(before, run.goodput);
    }
    BOOST_TEST(before < 1);
}

BOOST_AUTO_TEST_CASE(without_a_length_or_records_nothing_is_added) {
    Fixture f = a_run();
    TimeEstimate time = a_step();
    f.workload.duration_tokens.reset();
    add_long_run(f.input(), false, time);
    BOOST_TEST(!time.run);
    f.workload.duration_tokens = 1e9;
    f.calibration.runs.clear();
    add_long_run(f.input(), false, time);
    BOOST_TEST((time.total / second) == 1e6, tt::tolerance(1e-12));
}

BOOST_AUTO_TEST_SUITE_END()
