#include "tests/estimate/plan_fixture.h"

#include <boost/test/unit_test.hpp>

using namespace ridgeline;
using ridgeline::test::Fixture;

BOOST_AUTO_TEST_SUITE(cost)

namespace {

Offer offer_of(int count, double usd_per_hour) {
    Offer offer;
    offer.id = "offer";
    offer.accelerator = "part";
    offer.count = count;
    offer.usd_per_hour = usd_per_hour;
    return offer;
}

TimeEstimate run_of(double hours, double tokens_per_second) {
    TimeEstimate time;
    time.step = 1.0 * second;
    time.components = {{"forward", 1.0 * second, Bound::compute}};
    time.total = hours * hour;
    time.tokens_per_second = tokens_per_second;
    return time;
}

}  // namespace

BOOST_AUTO_TEST_CASE(whole_instances_are_paid) {
    Fixture f;
    f.place(12, 8);
    const Offer offer = offer_of(8, 20);
    const CostEstimate cost = estimate_cost(f.input(), run_of(10, 1e6), &offer);
    BOOST_TEST(cost.instances == 2);
    BOOST_TEST(cost.idle_accelerators == 4);
    BOOST_TEST(cost.usd_per_hour == 40);
    BOOST_TEST(cost.usd_total == 400);
    // 40 $/h / 3600 s / 1e6 tokens/s, a million tokens.
    BOOST_TEST(cost.usd_per_million_tokens == 40.0 / 3600, boost::test_tools::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(without_a_price_cost_is_unknown) {
    Fixture f;
    const CostEstimate cost = estimate_cost(f.input(), run_of(1, 1e5), nullptr);
    BOOST_TEST(!cost.offer.has_value());
    BOOST_TEST(cost.usd_total == 0);
    BOOST_TEST(cost.kwh > 0);
}

BOOST_AUTO_TEST_CASE(energy_is_power_times_time) {
    Fixture f;
    f.place(8, 8);
    f.cluster.node_power = 8000.0 * watt;
    const CostEstimate cost = estimate_cost(f.input(), run_of(3, 1e5), nullptr);
    BOOST_TEST(cost.watts == 8000);
    BOOST_TEST(cost.kwh == 24);
    const CostEstimate an_hour = estimate_cost(f.input(), run_of(0, 1e5), nullptr);
    BOOST_TEST(an_hour.kwh == 8);
}

BOOST_AUTO_TEST_CASE(waiting_draws_less_than_computing) {
    Fixture f;
    TimeEstimate waiting = run_of(1, 1e5);
    waiting.components = {{"forward", 0.5 * second, Bound::compute},
                          {"data parallel", 0.5 * second, Bound::communication}};
    BOOST_TEST(estimate_cost(f.input(), waiting, nullptr).watts <
               estimate_cost(f.input(), run_of(1, 1e5), nullptr).watts);
}

BOOST_AUTO_TEST_SUITE_END()
