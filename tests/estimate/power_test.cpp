#include "estimate/money/power.h"

#include <boost/test/unit_test.hpp>

#include <vector>

using namespace ridgeline;
using boost::test_tools::tolerance;

BOOST_AUTO_TEST_SUITE(power)

namespace {

struct Nodes {
    Accelerator part;
    Cluster cluster;
    explicit Nodes(int count) {
        part.id = "part";
        part.tdp = 700.0 * watt;
        part.peak_dense[static_cast<std::size_t>(ComputeType::bf16)] = 990.0 * teraflop_per_second;
        cluster.accelerator = &part;
        cluster.count = count;
        cluster.per_node = 8;
        cluster.node_power = 10200.0 * watt;
    }
};

}  // namespace

BOOST_AUTO_TEST_CASE(four_nodes_in_racks) {
    const Nodes nodes(32);
    Site site;
    site.rack_kw = 30;
    site.pue = 1.5;
    site.circuit_volts = 415;
    site.circuit_amperes = 32;
    site.grid_gco2_per_kwh = 400;
    const PowerPlan plan = power_plan(nodes.cluster, site);
    BOOST_TEST(plan.node_kw == 10.2, tolerance(1e-12));
    BOOST_TEST(plan.it_kw == 40.8, tolerance(1e-12));
    BOOST_TEST(plan.nodes_per_rack == 2);  // 30 / 10.2
    BOOST_TEST(plan.racks == 2);
    BOOST_TEST(plan.facility_kw == 40.8 * 0.75 * 1.5, tolerance(1e-12));
    BOOST_TEST(plan.btu_per_hour == 40.8 * 3412.14, tolerance(1e-12));
    BOOST_TEST(plan.circuits_per_node == 1);  // 415 x 32 x 0.8 = 10.6 kW
    BOOST_TEST(plan.kwh_per_year == 40.8 * 0.75 * 1.5 * 8760, tolerance(1e-12));
    BOOST_TEST(*plan.tonnes_co2_per_year == plan.kwh_per_year * 400 / 1e6, tolerance(1e-12));
    BOOST_TEST(plan.peak_tflops_per_watt == 8 * 990.0 / 10200, tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(a_rack_may_hold_none) {
    const Nodes nodes(8);
    Site site;
    site.rack_kw = 10;
    const PowerPlan plan = power_plan(nodes.cluster, site);
    BOOST_TEST(plan.nodes_per_rack == 0);
    BOOST_TEST(plan.racks == 0);
    BOOST_TEST(plan.circuits_per_node == 3);  // 208 x 30 x 0.8 = 4.99 kW
    BOOST_TEST(!plan.tonnes_co2_per_year.has_value());
}

BOOST_AUTO_TEST_CASE(unknown_machines_take_the_ratio_of_known_ones) {
    Nodes nodes(16);
    nodes.cluster.node_power.reset();
    BOOST_TEST((node_power_of(nodes.cluster) / watt) == 8 * 700 * 1.8, tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(a_cap_slows_by_the_cube_root) {
    const Nodes nodes(8);
    const std::vector<PowerCapPoint> none;
    const PowerCap same = power_cap(nodes.part, 700, none);
    BOOST_TEST(same.time_factor == 1, tolerance(1e-12));
    BOOST_TEST(same.energy_factor == 1, tolerance(1e-12));
    // 420 of 700 W: (0.6 - 0.2) / 0.8 = 0.5 of the dynamic power, clock 0.5^(1/3) = 0.794.
    const PowerCap capped = power_cap(nodes.part, 420, none);
    BOOST_TEST(capped.time_factor == 1.26, tolerance(0.001));
    BOOST_TEST(capped.energy_factor == 0.756, tolerance(0.001));
}

BOOST_AUTO_TEST_CASE(a_measured_point_is_told) {
    const Nodes nodes(8);
    const std::vector<PowerCapPoint> points = {{"other", 400, 700, 0.5, "", "", ""},
                                               {"part", 450, 700, 0.9, "training", "", ""}};
    const PowerCap capped = power_cap(nodes.part, 420, points);
    BOOST_REQUIRE(capped.measured != nullptr);
    BOOST_TEST(capped.time_factor_measured == 1 / 0.9, tolerance(1e-12));
    BOOST_TEST(power_cap(nodes.part, 650, points).measured == nullptr);
}

BOOST_AUTO_TEST_SUITE_END()
