#include "estimate/money/ownership.h"

#include <boost/test/unit_test.hpp>
#include <rapidcheck.h>

#include <cmath>

using namespace ridgeline;
using boost::test_tools::tolerance;

BOOST_AUTO_TEST_SUITE(ownership)

namespace {

// facts/ownership, section 5: HGX H100 of 2025-01, 5 years, colocation, PUE 1.25.
OwnershipInputs h100() {
    OwnershipInputs in;
    in.accelerators = 8;
    in.price_usd = 31904.63;
    in.network_share = 0.19;
    in.years = 5;
    in.server_kw = 10.2 / 8;
    in.load_factor = 0.75;
    in.pue = 1.25;
    in.usd_per_kwh = 0.0826;
    in.colocation_usd_per_kw_month = 184.06;
    return in;
}

}  // namespace

BOOST_AUTO_TEST_CASE(h100_by_hand) {
    const OwnershipCost cost = ownership_cost(h100());
    BOOST_TEST(cost.capex_usd == 39388.43, tolerance(1e-6));        // 31,904.63 / 0.81
    BOOST_TEST(cost.capital == 39388.43 / 43800, tolerance(1e-6));  // five years of 8,760 h
    BOOST_TEST(cost.busy_energy == 1.275 * 0.75 * 1.25 * 0.0826, tolerance(1e-9));
    BOOST_TEST(cost.space == 1.275 * 184.06 * 12 / 8760, tolerance(1e-9));
    BOOST_TEST(cost.per_delivered_hour(1) == 1.32, tolerance(0.005));
    BOOST_TEST(cost.per_delivered_hour(0.6) == 2.13, tolerance(0.01));
    // Three years instead of five: capital 1.499, 1.92 in all.
    OwnershipInputs short_life = h100();
    short_life.years = 3;
    BOOST_TEST(ownership_cost(short_life).per_delivered_hour(1) == 1.92, tolerance(0.005));
}

BOOST_AUTO_TEST_CASE(break_even_by_hand) {
    const OwnershipCost cost = ownership_cost(h100());
    // 1.22 / (rent - 0.099): AWS p5 on demand, Lambda, Nebius, AWS p5 spot.
    BOOST_TEST(*cost.break_even(6.88) == 0.18, tolerance(0.01));
    BOOST_TEST(*cost.break_even(3.99) == 0.31, tolerance(0.02));
    BOOST_TEST(*cost.break_even(2.95) == 0.43, tolerance(0.01));
    BOOST_TEST(*cost.break_even(1.41) == 0.93, tolerance(0.01));
    BOOST_TEST(*cost.break_even(1.0) > 1);
    BOOST_TEST(!cost.break_even(0.05).has_value());  // less than the energy
}

BOOST_AUTO_TEST_CASE(payback_by_hand) {
    const OwnershipCost cost = ownership_cost(h100());
    // An hour saves 3.99 - 0.3215 (space) - 0.0987 (energy) = 3.5698; 39,388.43 / 3.5698 hours.
    BOOST_TEST(*cost.payback_months(3.99, 1) == 15.1, tolerance(0.005));
    // Half the hours save about half of it, but space and idling are paid all the same.
    BOOST_TEST(*cost.payback_months(3.99, 0.5) > 2 * *cost.payback_months(3.99, 1));
    BOOST_TEST(!cost.payback_months(0.4, 1).has_value());  // less than space and energy
}

// SemiAnalysis publishes, for all-in provisioned power of 1.73, 2.17 and 1.79 kW, 1.30 to 1.69 for
// an owner of H100, 1.95 to 2.34 of B200, 1.12 to 1.40 of MI300X. With the dated purchase prices,
// its power and the inputs above (network, space, average electricity; PUE is inside its power)
// our figure at full use lies inside those ranges or within a tenth of their ends.
BOOST_AUTO_TEST_CASE(published_cost_of_owners) {
    const auto at = [](double price, double kw) {
        OwnershipInputs in = h100();
        in.price_usd = price;
        in.server_kw = kw;
        in.pue = 1;
        return ownership_cost(in).per_delivered_hour(1);
    };
    const auto within = [](double value, double low, double high) {
        return value > 0.9 * low && value < 1.1 * high;
    };
    BOOST_TEST(within(at(31904.63, 1.73), 1.30, 1.69));
    BOOST_TEST(within(at(39083.38, 1.73), 1.41, 1.74));
    BOOST_TEST(within(at(47409.13, 2.17), 1.95, 2.34));
    BOOST_TEST(within(at(25733.71, 1.79), 1.12, 1.40));
}

// Cottier et al. (arXiv 2405.21015): hardware loses 0.14 orders of magnitude a year, ln(10) x 0.14
// or 32.2 % of its price; an H100 of $31,119.50 with 23.5 % of network on top.
BOOST_AUTO_TEST_CASE(published_amortised_hour) {
    // Our straight line over the three years that this trend implies (1 / 0.322) is within a tenth.
    OwnershipInputs in;
    in.price_usd = 31119.50;
    in.network_share = 0.19;
    in.years = 3.1;
    BOOST_TEST(ownership_cost(in).capital == 38419.14 * 0.3224 / 8766, tolerance(0.1));
}

BOOST_AUTO_TEST_CASE(everything_costs) {
    const double plain = ownership_cost(h100()).per_delivered_hour(0.5);
    const auto with = [](auto change) {
        OwnershipInputs in = h100();
        change(in);
        return ownership_cost(in).per_delivered_hour(0.5);
    };
    BOOST_TEST(with([](auto& in) { in.staff_usd_per_year = 1e5; }) - plain == 1e5 / 8 / 8760 / 0.5,
               tolerance(1e-9));
    BOOST_TEST(with([](auto& in) { in.financing_rate = 0.08; }) > plain);
    BOOST_TEST(with([](auto& in) { in.spares_share_per_year = 0.05; }) > plain);
    BOOST_TEST(with([](auto& in) { in.idle_factor = 0.3; }) > plain);
    BOOST_TEST(with([](auto& in) { in.residual_share = 0.3; }) < plain);
}

BOOST_AUTO_TEST_CASE(break_even_is_where_both_cost_the_same) {
    BOOST_TEST(rc::check("owning at the break-even costs the rent", [] {
        OwnershipInputs in = h100();
        in.price_usd = *rc::gen::inRange(1000, 60000);
        in.idle_factor = *rc::gen::inRange(0, 70) / 100.0;
        in.years = *rc::gen::inRange(1, 8);
        const double rent = *rc::gen::inRange(20, 1200) / 100.0;
        const OwnershipCost cost = ownership_cost(in);
        if (const auto at = cost.break_even(rent)) {
            RC_ASSERT(std::abs(cost.per_delivered_hour(*at) / rent - 1) < 1e-9);
        }
        RC_ASSERT(cost.per_delivered_hour(0.3) > cost.per_delivered_hour(0.6));
    }));
}

BOOST_AUTO_TEST_CASE(total_is_hours_times_cost) {
    const OwnershipCost cost = ownership_cost(h100());
    BOOST_TEST(cost.total_usd(0.6) == cost.per_delivered_hour(0.6) * 0.6 * 8760 * 5 * 8,
               tolerance(1e-9));
}

BOOST_AUTO_TEST_SUITE_END()
