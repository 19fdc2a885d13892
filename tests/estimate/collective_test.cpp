#include "estimate/time/collective.h"

#include "estimate/time/peer_access.h"

#include <boost/test/unit_test.hpp>
#include <rapidcheck.h>

#include <array>
#include <cmath>
#include <string_view>
#include <tuple>
#include <utility>

using namespace ridgeline;
namespace tt = boost::test_tools;

BOOST_AUTO_TEST_SUITE(collective)

namespace {

constexpr std::array all_operations = {Collective::all_reduce, Collective::all_gather,
                                       Collective::reduce_scatter, Collective::all_to_all,
                                       Collective::point_to_point};

CollectiveCalibration a_row(Collective operation, int ranks, int nodes, double alpha_us,
                            double gb_per_s, double link_gb_per_s) {
    CollectiveCalibration row;
    row.accelerator = "part";
    row.link = nodes > 1 ? "ib-ndr" : "nvlink4";
    row.operation = operation;
    row.ranks = ranks;
    row.nodes = nodes;
    row.alpha = alpha_us * microsecond;
    row.bus_bandwidth = gb_per_s * gigabyte_per_second;
    row.link_rate = link_gb_per_s * gigabyte_per_second;
    row.tier = Tier::published;
    return row;
}

struct World {
    Accelerator part;
    Cluster cluster;
    Calibration calibration;

    explicit World(int count = 64, double link = 400, double network = 50) {
        part.id = "part";
        part.scale_up.kind = "NVLink 4";
        part.scale_up.max_domain = 8;
        cluster.accelerator = &part;
        cluster.count = count;
        cluster.per_node = 8;
        cluster.intra = {.id = "nvlink4",
                         .kind = "NVLink 4",
                         .rate = link * gigabyte_per_second,
                         .latency = {},
                         .sources = {}};
        cluster.inter = {.id = "ib-ndr",
                         .kind = "InfiniBand",
                         .rate = network * gigabyte_per_second,
                         .latency = {},
                         .sources = {}};
        for (const Collective operation : all_operations) {
            calibration.collectives.push_back(a_row(operation, 2, 1, 10, 200, 400));
            calibration.collectives.push_back(a_row(operation, 8, 1, 20, 320, 400));
            calibration.collectives.push_back(a_row(operation, 16, 2, 30, 360, 50));
        }
    }
    World(const World&) = delete;
    [[nodiscard]] double time(Collective operation, double bytes, int ranks, int per_node) const {
        return collective_time(link_model(cluster, calibration), operation, bytes * byte, ranks,
                               per_node)
            .time.base();
    }
};

}  // namespace

BOOST_AUTO_TEST_CASE(one_rank_takes_no_time) {
    const World world;
    for (const Collective operation : all_operations) {
        BOOST_TEST(world.time(operation, 1e9, 1, 1) == 0.0);
        BOOST_TEST(world.time(operation, 0, 8, 8) == 0.0);
    }
}

BOOST_AUTO_TEST_CASE(a_calibrated_count_gives_its_own_figures) {
    // 20 us + 2 (8 - 1) / 8 x 320 MB / 320 GB/s = 20 us + 1750 us.
    const World world;
    BOOST_TEST(world.time(Collective::all_reduce, 320e6, 8, 8) == 1770e-6, tt::tolerance(1e-9));
}

BOOST_AUTO_TEST_CASE(between_two_counts_figures_lie_on_a_line_in_the_logarithm) {
    // 4 is half way from 2 to 8: alpha 15 us, bandwidth 260 GB/s.
    // 15 us + 2 (3 / 4) 260 MB / 260 GB/s = 1515 us.
    const World world;
    BOOST_TEST(world.time(Collective::all_reduce, 260e6, 4, 4) == 1515e-6, tt::tolerance(1e-9));
}

BOOST_AUTO_TEST_CASE(cards_without_peer_access_go_through_the_host) {
    World world;
    world.cluster.intra.id = "pcie4-x16";
    world.cluster.intra.kind = "PCIe 4.0 x16";
    world.cluster.intra.rate = 32.0 * gigabyte_per_second;
    world.calibration.collectives.clear();
    for (const auto& [link, alpha, rate] :
         {std::tuple{"pcie4-x16", 12.0, 16.0}, std::tuple{"pcie-host", 42.0, 8.0}}) {
        CollectiveCalibration row = a_row(Collective::all_reduce, 4, 1, alpha, rate, 32);
        row.accelerator.clear();
        row.link = link;
        world.calibration.collectives.push_back(row);
    }
    world.part.scale_up = {
        .kind = "none", .rate = {}, .pair_rate = {}, .max_domain = 1, .note = {}};
    // Latency + 2 (4 - 1) / 4 x 16 KB / rate.
    BOOST_TEST(world.time(Collective::all_reduce, 16e3, 4, 4) == 12e-6 + 24e3 / 16e9,
               tt::tolerance(1e-9));
    BOOST_TEST(direct_peers(world.cluster, 8) == 2);
    world.part.scale_up.note = "PCIe only, no peer access";
    BOOST_TEST(world.time(Collective::all_reduce, 16e3, 4, 4) == 42e-6 + 24e3 / 8e9,
               tt::tolerance(1e-9));
    BOOST_TEST(direct_peers(world.cluster, 8) == 1);
}

BOOST_AUTO_TEST_CASE(all_reduce_moves_as_much_as_reduce_scatter_and_all_gather) {
    for (int ranks = 2; ranks <= 1024; ++ranks) {
        BOOST_TEST(bus_factor(Collective::all_reduce, ranks) ==
                       bus_factor(Collective::reduce_scatter, ranks) +
                           bus_factor(Collective::all_gather, ranks),
                   tt::tolerance(1e-12));
    }
}

BOOST_AUTO_TEST_CASE(the_slower_of_link_and_network_sets_the_pace_between_nodes) {
    // 16 ranks on 2 nodes: 8 NICs of 50 GB/s at 360 / 400 = 0.9; 2 (15 / 16) 360 MB / 360 GB/s =
    // 1875 us; the links inside need 2 (15 / 16) 360 MB / 320 GB/s = 2109.375 us. 20 + 30 us.
    const World world;
    BOOST_TEST(world.time(Collective::all_reduce, 360e6, 16, 8) == 2159.375e-6,
               tt::tolerance(1e-9));
}

BOOST_AUTO_TEST_CASE(trees_between_two_nodes_send_each_byte_once) {
    // 4 ranks on 2 nodes, two NICs each at 0.9 of 50 GB/s: 360 MB / 90 GB/s = 4000 us, 10 + 30 us.
    const World world;
    BOOST_TEST(world.time(Collective::all_reduce, 360e6, 4, 2) == 4040e-6, tt::tolerance(1e-9));
    // Three nodes: 2 (5 / 6) 360 MB / 90 GB/s; the latency grows by log2(3).
    BOOST_TEST(world.time(Collective::all_reduce, 360e6, 6, 2) ==
                   2 * (5 / 6.0) * 360e6 / 90e9 + 10e-6 + 30e-6 * std::log2(3),
               tt::tolerance(1e-9));
}

BOOST_AUTO_TEST_CASE(one_rank_a_node_has_one_nic) {
    // 2 ranks on 2 nodes: 2 (1 / 2) 45 MB / (0.9 x 50 GB/s) = 1000 us, plus 30 us.
    const World world;
    BOOST_TEST(world.time(Collective::all_reduce, 45e6, 2, 1) == 1030e-6, tt::tolerance(1e-9));
}

BOOST_AUTO_TEST_CASE(a_switch_that_reduces_takes_over_at_its_smallest_count) {
    World world;
    CollectiveCalibration in_switch = a_row(Collective::all_reduce, 5, 1, 20, 480, 400);
    in_switch.in_switch = true;
    world.calibration.collectives.push_back(in_switch);
    const LinkModel links = link_model(world.cluster, world.calibration);
    const auto& curves = links.inside[static_cast<std::size_t>(Collective::all_reduce)];
    BOOST_TEST(1e-9 / curves[4].seconds_per_byte == 260.0, tt::tolerance(1e-9));
    BOOST_TEST(1e-9 / curves[5].seconds_per_byte == 480.0, tt::tolerance(1e-9));
    BOOST_TEST(1e-9 / curves[8].seconds_per_byte == 480.0, tt::tolerance(1e-9));
    const auto& gather = links.inside[static_cast<std::size_t>(Collective::all_gather)];
    BOOST_TEST(1e-9 / gather[8].seconds_per_byte == 320.0, tt::tolerance(1e-9));
}

BOOST_AUTO_TEST_CASE(a_link_of_the_same_kind_scales_with_its_rate) {
    // Another part on NVLink of half the rate: half the bandwidth, no in-switch reduction.
    World world;
    world.part.id = "another";
    world.cluster.intra.id = "nvlink3";
    world.cluster.intra.rate = 200.0 * gigabyte_per_second;
    const LinkModel links = link_model(world.cluster, world.calibration);
    const LinkCurve& curve = links.inside[static_cast<std::size_t>(Collective::all_reduce)][8];
    BOOST_TEST(1e-9 / curve.seconds_per_byte == 160.0, tt::tolerance(1e-9));
    BOOST_TEST((curve.tier == Tier::transferred));
}

BOOST_AUTO_TEST_CASE(two_parts_of_a_mesh_share_one_link) {
    // Seven links of 64 GB/s each: a pair has one of them, all eight have all.
    World world;
    world.part.scale_up.kind = "Infinity Fabric / xGMI";
    world.part.scale_up.pair_rate = 64.0 * gigabyte_per_second;
    world.cluster.intra = {.id = "xgmi",
                           .kind = "xGMI",
                           .rate = 448.0 * gigabyte_per_second,
                           .latency = {},
                           .sources = {}};
    world.calibration.collectives.clear();
    const LinkModel links = link_model(world.cluster, world.calibration);
    const auto& curves = links.inside[static_cast<std::size_t>(Collective::all_reduce)];
    BOOST_TEST(1e-9 / curves[2].seconds_per_byte == 0.75 * 64.0, tt::tolerance(1e-9));
    BOOST_TEST(1e-9 / curves[8].seconds_per_byte == 0.75 * 448.0, tt::tolerance(1e-9));
    // So have Gaudi's, of whose ports three lead to each other part.
    world.part.scale_up.pair_rate = 37.5 * gigabyte_per_second;
    world.cluster.intra.id = "gaudi2-roce";
    world.cluster.intra.kind = "24x 100 GbE";
    const LinkModel ports = link_model(world.cluster, world.calibration);
    const auto& reduced = ports.inside[static_cast<std::size_t>(Collective::all_reduce)];
    BOOST_TEST(reduced[8].seconds_per_byte / reduced[2].seconds_per_byte < 0.2);
}

BOOST_AUTO_TEST_CASE(a_link_without_a_known_rate_is_never_free) {
    World world;
    world.calibration.collectives.clear();
    world.cluster.intra = {
        .id = "unknown", .kind = "unknown", .rate = {}, .latency = {}, .sources = {}};
    world.cluster.inter = world.cluster.intra;
    for (const Collective operation : all_operations) {
        BOOST_TEST(world.time(operation, 1e9, 8, 8) > 1e-2);
        BOOST_TEST(world.time(operation, 1e9, 64, 8) > 1e-2);
    }
}

BOOST_AUTO_TEST_CASE(a_link_that_nobody_measured_has_the_latency_of_others) {
    World world;
    world.calibration.collectives.clear();
    const LinkModel links = link_model(world.cluster, world.calibration);
    const auto small = [&](int ranks) {
        return collective_time(links, Collective::all_reduce, 8 * byte, ranks, ranks);
    };
    // The middle of the published tables: 7 us for two ranks, 20 us for eight.
    BOOST_TEST(small(2).time.base() == 7e-6, tt::tolerance(0.01));
    BOOST_TEST(small(8).time.base() == 20e-6, tt::tolerance(0.01));
    BOOST_TEST((small(8).tier == Tier::assumed));
}

BOOST_AUTO_TEST_CASE(a_network_that_nobody_measured_lies_between_those_that_have_rows) {
    // Two networks of 40 and 360 us at 0.9 and 0.1 of their rate: 120 us, three times as much or as
    // little, at 0.3 of 8 x 50 GB/s.
    World world;
    const auto network = [&world](std::string_view link, double alpha_us, double gb_per_s) {
        CollectiveCalibration row = a_row(Collective::all_reduce, 16, 2, alpha_us, gb_per_s, 50);
        row.accelerator.clear();
        row.link = link;
        world.calibration.collectives.push_back(row);
    };
    network("ib-hdr", 40, 360);
    network("efa", 360, 40);
    world.cluster.inter.id = "tcpxo";
    world.cluster.inter.kind = "GPUDirect-TCPXO";
    const LinkModel links = link_model(world.cluster, world.calibration);
    const auto timed = [&links](double bytes) {
        return collective_time(links, Collective::all_reduce, bytes * byte, 16, 8);
    };
    BOOST_TEST(timed(8).time.base() == 140e-6, tt::tolerance(1e-3));
    BOOST_TEST(timed(8).most == 3, tt::tolerance(1e-3));
    BOOST_TEST(timed(8).least == 1 / 3.0, tt::tolerance(1e-3));
    BOOST_TEST(timed(120e9).time.base() == 1, tt::tolerance(2e-3));
    BOOST_TEST(timed(120e9).most == 1, tt::tolerance(2e-3));
    BOOST_TEST((timed(8).tier == Tier::assumed));
}

BOOST_AUTO_TEST_CASE(verbs_over_ethernet_are_not_its_protocols) {
    World world;
    const auto network = [&world](std::string_view link, double alpha_us) {
        CollectiveCalibration row = a_row(Collective::all_reduce, 16, 2, alpha_us, 360, 50);
        row.accelerator.clear();
        row.link = link;
        world.calibration.collectives.push_back(row);
    };
    network("roce-400", 50);
    network("eth-100", 80);
    for (const auto& [id, alpha] : {std::pair{"roce-200", 50e-6}, std::pair{"eth-25", 80e-6}}) {
        world.cluster.inter.id = id;
        world.cluster.inter.kind = "";
        BOOST_TEST(world.time(Collective::all_reduce, 8, 2, 1) == alpha, tt::tolerance(1e-3));
    }
}

BOOST_AUTO_TEST_CASE(a_measurement_that_names_no_link_replaces_what_was_published) {
    // What nccl-tests prints says nothing of the link: 1 GB over 8 ranks at a bus bandwidth of
    // 100 GB/s takes 2 x 7/8 / 100 s, whatever rows of 320 GB/s say, also where those are reduced
    // in the switch.
    for (const bool in_switch : {false, true}) {
        World world;
        for (CollectiveCalibration& row : world.calibration.collectives) {
            row.in_switch = in_switch && row.ranks == 8;
        }
        CollectiveCalibration row = a_row(Collective::all_reduce, 8, 1, 0, 100, 0);
        row.link.clear();
        row.source = "own";
        world.calibration.collectives.push_back(row);
        BOOST_TEST(world.time(Collective::all_reduce, 1e9, 8, 8) == 0.0175, tt::tolerance(1e-9));
        const CollectiveTime told = collective_time(link_model(world.cluster, world.calibration),
                                                    Collective::all_reduce, 1e9 * byte, 8, 8);
        BOOST_TEST(told.source == "own");
        // Another part keeps what is known of its links.
        world.calibration.collectives.back().accelerator = "another";
        BOOST_TEST(world.time(Collective::all_reduce, 1e9, 8, 8) < 0.01);
    }
}

BOOST_AUTO_TEST_CASE(a_rack_is_one_domain) {
    // 72 parts in trays of 4: 16 ranks on 4 trays never leave the rack.
    World world(72);
    world.part.scale_up.max_domain = 72;
    world.cluster.per_node = 4;
    const LinkModel links = link_model(world.cluster, world.calibration);
    BOOST_TEST(links.domain == 72);
    BOOST_TEST(world.time(Collective::all_gather, 1e9, 16, 4) <
               world.time(Collective::all_gather, 1e9, 144, 4));
}

BOOST_AUTO_TEST_CASE(time_grows_with_the_buffer_and_falls_with_the_rate) {
    BOOST_TEST(rc::check([] {
        const Collective operation = *rc::gen::elementOf(all_operations);
        const int per_node = 1 << *rc::gen::inRange(0, 4);
        const int nodes = 1 << *rc::gen::inRange(0, 4);
        const double bytes = *rc::gen::inRange(1, 1000000000);
        const World world(128);
        const World faster(128, 800, 100);
        const double time = world.time(operation, bytes, per_node * nodes, per_node);
        RC_ASSERT(world.time(operation, 2 * bytes, per_node * nodes, per_node) >= time);
        RC_ASSERT(faster.time(operation, bytes, per_node * nodes, per_node) <= time * (1 + 1e-12));
        // Never faster than the bytes that a rank must move over its fastest link.
        const double moved = bytes * bus_factor(operation, per_node * nodes) /
                             (operation == Collective::all_reduce ? 2 : 1);
        RC_ASSERT(time * (1 + 1e-12) >= moved / (2 * 400e9));
    }));
}

BOOST_AUTO_TEST_SUITE_END()
