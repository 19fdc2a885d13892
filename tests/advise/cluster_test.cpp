#include "advise/hardware/cluster.h"

#include "advise/hardware/fabric.h"
#include "advise/hardware/fabric_words.h"
#include "advise/hardware/offers.h"
#include "advise/plans/plans.h"
#include "advise/ranking/compare.h"
#include "advise/validation/rehearsed_fit.h"
#include "advise/validation/validate.h"
#include "samples.h"

#include <boost/test/unit_test.hpp>

using namespace ridgeline;

namespace {
const auto nearly = boost::test_tools::tolerance(1e-9);
double gb_per_s(const Link& link) { return link.rate / gigabyte_per_second; }
RelativeError error_of(std::string group, double error, bool inside) {
    RelativeError result;
    result.group = std::move(group);
    result.error = error;
    result.inside = inside;
    return result;
}
}  // namespace

BOOST_AUTO_TEST_SUITE(clusters)

BOOST_AUTO_TEST_CASE(modules_use_their_scale_up_link_in_nodes_of_eight) {
    const Catalog catalog = samples::catalog();
    const Cluster cluster = make_cluster(catalog, *catalog.accelerator("h100-sxm5-80gb"), 32);
    BOOST_TEST(cluster.per_node == 8);
    BOOST_TEST(cluster.nodes() == 4);
    BOOST_TEST(cluster.intra.id == "nvlink4");
    BOOST_TEST(gb_per_s(cluster.intra) == 450, nearly);
    BOOST_TEST(cluster.inter.id == "ib-ndr");
    BOOST_TEST(gb_per_s(cluster.inter) == 50, nearly);
    BOOST_TEST(cluster.inter.assumed);
}

BOOST_AUTO_TEST_CASE(the_assumed_fabric_follows_the_pcie_generation) {
    const Catalog catalog = samples::catalog();
    const Cluster cluster = make_cluster(catalog, *catalog.accelerator("a100-sxm4-80gb"), 16);
    BOOST_TEST(gb_per_s(cluster.inter) == 25, nearly);
}

BOOST_AUTO_TEST_CASE(a_stated_network_joins_the_nodes) {
    Catalog catalog = samples::catalog();
    catalog.links = {{.id = "ib-hdr",
                      .kind = "HDR",
                      .rate = 25.0 * gigabyte_per_second,
                      .latency = {},
                      .sources = {},
                      .per = "port"},
                     {.id = "ib-ndr",
                      .kind = "NDR",
                      .rate = 50.0 * gigabyte_per_second,
                      .latency = {},
                      .sources = {},
                      .per = "port"},
                     {.id = "eth-100",
                      .kind = "Ethernet",
                      .rate = 12.5 * gigabyte_per_second,
                      .latency = {},
                      .sources = {},
                      .per = "port"},
                     {.id = "nvlink4",
                      .kind = "NVLink",
                      .rate = 450.0 * gigabyte_per_second,
                      .latency = {},
                      .sources = {},
                      .per = "GPU"}};
    const Cluster cluster = make_cluster(catalog, *catalog.accelerator("h100-sxm5-80gb"), 16);
    const auto joined = [&](const char* network) {
        WorkloadDocument document;
        document.network = network;
        return joined_as_stated(cluster, catalog, document).inter;
    };
    BOOST_TEST(gb_per_s(joined("ib-hdr")) == 25, nearly);      // a port an accelerator
    BOOST_TEST(gb_per_s(joined("ib-hdr:4")) == 12.5, nearly);  // four for eight of them
    BOOST_TEST(gb_per_s(joined("eth-100")) == 12.5 / 8, nearly);
    BOOST_TEST(gb_per_s(joined("eth-100:2")) == 12.5 / 4, nearly);
    BOOST_TEST(joined("infiniband").id == "ib-ndr");  // PCIe 5
    BOOST_TEST(gb_per_s(joined("nvlink+ib-hdr")) == 25, nearly);
    BOOST_TEST(!joined("eth-100").assumed);
    BOOST_TEST(joined_as_stated(cluster, catalog, {}).inter.assumed);
    BOOST_TEST(bool(check_network(catalog, "ib-hdr:8")));
    for (const char* wrong : {"ib-hdx", "nvlink4", "ib-hdr:0", "ib-hdr:2.5", "eth-100:999", ""}) {
        const auto refused = check_network(catalog, wrong);
        BOOST_TEST_CONTEXT(wrong) {
            BOOST_REQUIRE(!refused);
            BOOST_TEST(refused.error().text().find("network") != std::string::npos);
        }
    }
    BOOST_TEST(check_network(catalog, "ib-hdx").error().text().find("ib-hdr") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_bridge_joins_the_cards_that_it_reaches_where_it_is_stated) {
    Catalog catalog = samples::catalog();
    Accelerator card = samples::h100();
    card.id = "card";
    card.form_factor = "PCIe dual-slot";
    card.scale_up = {.kind = "NVLink 4",
                     .rate = 300.0 * gigabyte_per_second,
                     .pair_rate = {},
                     .max_domain = 2,
                     .note = {}};
    catalog.accelerators.push_back(card);
    const Accelerator& part = *catalog.accelerator("card");
    const auto joined = [&](int count, const char* network) {
        WorkloadDocument document;
        document.network = network;
        return joined_as_stated(make_cluster(catalog, part, count), catalog, document);
    };
    const Cluster bare = make_cluster(catalog, part, 2);
    BOOST_TEST(bare.intra.id.starts_with("pcie"));
    BOOST_TEST(assumed_links(bare).find("--network nvlink, 300 GB/s") != std::string::npos);
    BOOST_TEST(gb_per_s(joined(2, "nvlink").intra) == 300, nearly);
    BOOST_TEST(assumed_links(joined(2, "nvlink")).empty());
    BOOST_TEST(joined(2, "pcie").intra.id.starts_with("pcie"));
    BOOST_TEST(assumed_links(joined(2, "pcie")).empty());
    // Of four the bridge joins two: the way between the pairs sets the pace.
    BOOST_TEST(joined(4, "nvlink").intra.id.starts_with("pcie"));
    BOOST_TEST(assumed_links(joined(4, "nvlink")).find("joins 2 of") != std::string::npos);
    BOOST_TEST(assumed_links(make_cluster(catalog, part, 1)).empty());
    BOOST_TEST(gb_per_s(linked_as_required(bare, catalog, {"ecc", "nvlink"}).intra) == 300, nearly);
    BOOST_TEST(linked_as_required(bare, catalog, {"ecc"}).intra.id.starts_with("pcie"));
    for (const char* known : {"nvlink", "pcie", "NVLink"}) {
        BOOST_TEST(bool(check_network(catalog, known)), known);
    }
    BOOST_TEST(!check_network(catalog, "nvlink+ib-hdx"));
    BOOST_TEST(!check_network(catalog, "nvlinks"));
}

BOOST_AUTO_TEST_CASE(chips_of_one_cloud_have_its_network_and_no_infiniband) {
    Catalog catalog = samples::catalog();
    Accelerator chip = samples::h100();
    chip.id = "trainium";
    chip.vendor = "AWS";
    chip.form_factor = "chip";
    chip.scale_up.kind = "NeuronLink-v3";
    chip.scale_up.max_domain = 16;
    catalog.accelerators.push_back(chip);
    const Cluster alone = make_cluster(catalog, chip, 32);
    BOOST_TEST(alone.per_node == 16);
    BOOST_TEST(alone.inter.id.find("ib-") == std::string::npos);
    catalog.links.push_back({.id = "efa-v3",
                             .kind = "EFA",
                             .rate = 25.0 * gigabyte_per_second,
                             .latency = {},
                             .sources = {}});
    Machine machine;
    machine.id = "trn2";
    machine.accelerator = chip.id;
    machine.accelerators = 16;
    machine.provider = "aws";
    machine.scale_out = "efa-v3";
    catalog.machines.push_back(machine);
    BOOST_TEST(make_cluster(catalog, chip, 32).inter.id == "efa-v3");
}

// An instance with one card is cut from a server: its memory says nothing about eight.
BOOST_AUTO_TEST_CASE(host_memory_is_that_of_the_largest_machine) {
    Catalog catalog = samples::catalog();
    Machine machine;
    machine.accelerator = "rtx-4090";
    for (const auto& [cards, gib] : {std::pair{1, 16.0}, std::pair{8, 768.0}}) {
        machine.id = "m" + std::to_string(cards);
        machine.accelerators = cards;
        machine.host_memory = gib * gibibyte;
        catalog.machines.push_back(machine);
    }
    const Cluster cluster = make_cluster(catalog, *catalog.accelerator("rtx-4090"), 4);
    BOOST_TEST((*cluster.host_memory_per_node / gibibyte) == 4 * 96.0, nearly);
}

BOOST_AUTO_TEST_CASE(cards_talk_over_pcie) {
    const Catalog catalog = samples::catalog();
    const Cluster cards = make_cluster(catalog, *catalog.accelerator("rtx-4090"), 2);
    BOOST_TEST(cards.intra.id == "pcie4-x16");
    // A bridge for two cards is bought apart.
    const Cluster bridged = make_cluster(catalog, *catalog.accelerator("h100-pcie-80gb"), 2);
    BOOST_TEST(bridged.intra.id == "pcie5-x16");
}

BOOST_AUTO_TEST_CASE(a_rack_is_one_domain) {
    Catalog catalog = samples::catalog();
    Accelerator gb200 = samples::h100();
    gb200.form_factor = "Grace Blackwell superchip";
    gb200.scale_up.max_domain = 72;
    BOOST_TEST(make_cluster(catalog, gb200, 256, 4).per_node == 64);
    BOOST_TEST(make_cluster(catalog, gb200, 144, 4).per_node == 72);
    BOOST_TEST(make_cluster(catalog, gb200, 4, 4).per_node == 4);
}

BOOST_AUTO_TEST_CASE(a_machine_brings_its_own_links) {
    Catalog catalog = samples::catalog();
    Machine machine{.id = "box",
                    .name = "box",
                    .accelerator = "h100-sxm5-80gb",
                    .accelerators = 8,
                    .scale_up = "nvlink3",
                    .scale_out = "ib-hdr",
                    .scale_out_ports = 4,
                    .host_memory = 2048 * gibibyte,
                    .host_cores = {},
                    .power = 10200 * watt,
                    .rack_units = {},
                    .provider = {},
                    .prices = {},
                    .notes = {},
                    .field_sources = {}};
    const Cluster cluster =
        make_cluster(catalog, *catalog.accelerator("h100-sxm5-80gb"), 16, 0, &machine);
    BOOST_TEST(gb_per_s(cluster.intra) == 300, nearly);
    // Four ports of 25 GB/s for eight accelerators.
    BOOST_TEST(gb_per_s(cluster.inter) == 12.5, nearly);
    BOOST_TEST((*cluster.node_power / watt) == 10200, nearly);
}

BOOST_AUTO_TEST_CASE(the_words_of_a_fabric_are_read) {
    const Catalog catalog = samples::catalog();
    const auto with = [&](const char* id, int count, int per_node, const char* fabric) {
        Cluster cluster = make_cluster(catalog, *catalog.accelerator(id), count, per_node);
        apply_fabric(cluster, catalog, fabric);
        return cluster;
    };
    BOOST_TEST(with("h100-pcie-80gb", 8, 8, "PCIe5").intra.id == "pcie5-x16");
    // An SXM5 module has no place without NVLink: its PCIe goes to the host.
    BOOST_TEST(with("h100-sxm5-80gb", 8, 8, "PCIe5").intra.id == "nvlink4");
    BOOST_TEST(
        gb_per_s(with("h100-sxm5-80gb", 16, 8, "NVLink4 inside; NDR InfiniBand 8x400 Gbps outside")
                     .inter) == 50,
        nearly);
    BOOST_TEST(
        gb_per_s(
            with("a100-sxm4-40gb", 24, 8, "NVLink3 inside; 4x HDR200 per node outside").inter) ==
            12.5,
        nearly);
    BOOST_TEST(
        gb_per_s(
            with("a100-sxm4-40gb", 24, 8, "NVLink3 inside; EFA 400 Gbps per node outside").inter) ==
            6.25,
        nearly);
    BOOST_TEST(gb_per_s(with("h100-sxm5-80gb", 128, 8,
                             "NVLink4 inside; EFA v3 (p5en, 50 GB/s per GPU) outside")
                            .inter) == 50,
               nearly);
}

BOOST_AUTO_TEST_CASE(benchmark_pages_name_links_in_many_ways) {
    struct Said {
        const char* text;
        FabricWords::Inside inside;
        const char* network;
        double gb_per_s;
        bool per_accelerator;
    };
    using enum FabricWords::Inside;
    const std::vector<Said> all = {
        {"NVLink 8; 4 x 100 Gb RoCE per node", scale_up, "roce-400", 50, false},
        {"1600 Gbps RoCE per node", unsaid, "roce-400", 200, false},
        {"NVLink intra, RDMA 400Gb/s per GPU inter", scale_up, "roce-400", 50, true},
        {"NVLink + 4 x Omni-Path per node", scale_up, "ib-omnipath", 50, false},
        {"PCIe Gen4 / BF3 200Gbps for NS and 2xBF3 400Gbps for EW", pcie, "roce-400", 100, false},
        {"NVLINK Gen4 900 GB/s + NVSWITCH Gen3 / Storage+Management: 1x NVIDIA BlueField 2 DPU "
         "100Gb/s, Compute: 8x NVIDIA ConnectX-7 IB NDR 400Gb",
         scale_up, "ib-ndr", 400, false},
        {"NVLINK Gen4 900 GB/s + NVSWITCH Gen3 / ROCE2; Data bandwidth for GPU-PCIe: 504 GB/s; "
         "PCIe-NIC: 500 GB/s",
         scale_up, "roce-400", 0, false},
        // Without a number of ports the rate is unknown.
        {"NVLink 8 + HDR InfiniBand (Selene)", scale_up, "ib-hdr", 0, false},
        {"PCIe, no NVLink", pcie, "", 0, false},
        {"NVLink domain 72 (NVL72)", scale_up, "", 0, false},
    };
    for (const Said& said : all) {
        BOOST_TEST_CONTEXT(said.text) {
            const FabricWords words = read_fabric(said.text);
            BOOST_TEST((words.inside == said.inside));
            BOOST_TEST(words.network == said.network);
            BOOST_TEST(words.gb_per_s == said.gb_per_s, nearly);
            BOOST_TEST(words.per_accelerator == said.per_accelerator);
        }
    }
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(offers)

BOOST_AUTO_TEST_CASE(instances_are_rented_whole_and_linked_ones_first) {
    const Catalog catalog = samples::catalog();
    const Accelerator& h100 = *catalog.accelerator("h100-sxm5-80gb");
    BOOST_TEST(cheapest_offer(catalog, {}, h100, 1, 1)->id == "p5.4xlarge");
    // Two single instances would be cheaper, but share no link.
    BOOST_TEST(cheapest_offer(catalog, {}, h100, 2, 2)->id == "p5.48xlarge");
    BOOST_TEST(cheapest_offer(catalog, {}, *catalog.accelerator("rtx-4090"), 1, 1) == nullptr);
    Query query;
    query.provider = "gcp";
    BOOST_TEST(cheapest_offer(catalog, query, h100, 1, 1) == nullptr);
}

BOOST_AUTO_TEST_CASE(spot_only_when_asked) {
    Catalog catalog = samples::catalog();
    Offer spot = samples::offer("spot", "h100-sxm5-80gb", 1, 1.0);
    spot.kind = PriceKind::spot;
    catalog.offers.push_back(spot);
    const Accelerator& h100 = *catalog.accelerator("h100-sxm5-80gb");
    BOOST_TEST(cheapest_offer(catalog, {}, h100, 1, 1)->id == "p5.4xlarge");
    Query query;
    query.price_kind = "spot";
    BOOST_TEST(cheapest_offer(catalog, query, h100, 1, 1)->id == "spot");
}

BOOST_AUTO_TEST_CASE(days_are_counted_over_leap_years) {
    BOOST_TEST(*days_between("2024-02-28", "2024-03-01") == 2);
    BOOST_TEST(*days_between("2025-02-28", "2025-03-01") == 1);
    BOOST_TEST(!days_between("2026", "2026-01-01"));
    BOOST_TEST(!days_between("2026-13-01", "2026-01-01"));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(comparison)

BOOST_AUTO_TEST_CASE(the_best_of_each_row_is_marked) {
    const Catalog catalog = samples::catalog();
    const Accelerator* parts[] = {catalog.accelerator("rtx-4090"),
                                  catalog.accelerator("h100-sxm5-80gb")};
    const Comparison comparison = compare(parts, catalog);
    for (const ComparisonRow& row : comparison.rows) {
        if (row.metric->id == "bandwidth_gb_per_s") {
            BOOST_TEST(row.best == 1);
        }
        if (row.metric->id == "tdp_w") {
            BOOST_TEST(row.best == 0);
        }
        if (row.metric->id == "mig_instances") {
            BOOST_TEST(!row.values[0].has_value());
        }
    }
}

BOOST_AUTO_TEST_CASE(a_profile_scores_against_the_best_of_the_catalog) {
    const Catalog catalog = samples::catalog();
    const WorkloadProfile profile = samples::profiles().workloads.front();
    const Accelerator* parts[] = {catalog.accelerator("rtx-4090"),
                                  catalog.accelerator("h100-sxm5-80gb")};
    const Comparison comparison = compare(parts, catalog, &profile);
    // fp64: 1.3 of 67 best; bandwidth: 1008 and 3350 of the MI300X's 5300.
    BOOST_TEST(comparison.scores[0] == 100 * (0.6 * 1.3 / 67 + 0.4 * 1008 / 5300),
               boost::test_tools::tolerance(1e-9));
    BOOST_TEST(comparison.scores[1] == 100 * (0.6 + 0.4 * 3350 / 5300),
               boost::test_tools::tolerance(1e-9));
    BOOST_TEST(comparison.missing[0] == "fp64");
    BOOST_TEST(comparison.missing[1].empty());
    BOOST_TEST(comparison.rows.front().weight == 0.6);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(validation)

BOOST_AUTO_TEST_CASE(groups_share_one_unit_of_weight) {
    // Nine near-duplicates at 50 % weigh as much as the one row at 10 %.
    std::vector<RelativeError> errors;
    for (int i = 0; i < 9; ++i) {
        errors.push_back(error_of("a", 0.5, false));
    }
    errors.push_back(error_of("b", -0.1, true));
    errors.push_back(error_of("c", -0.05, true));
    const ErrorSummary summary = summarize("memory", errors);
    BOOST_TEST(summary.rows == 11);
    BOOST_TEST(summary.median_abs_error == 0.1, nearly);
    BOOST_TEST(summary.p90_abs_error == 0.5, nearly);
    BOOST_TEST(summary.max_abs_error == 0.5, nearly);
    BOOST_TEST(summary.bias == -0.05, nearly);
    BOOST_TEST(summary.coverage == 2.0 / 11, nearly);
    BOOST_TEST(summarize("memory", {}).rows == 0);
}

BOOST_AUTO_TEST_CASE(step_times_follow_from_rates) {
    WorkloadDocument workload;
    workload.global_batch = 8;
    workload.sequence_length = 8192;
    Measured measured;
    measured.tokens_per_s_per_accelerator = 1000;
    // 8 x 8192 tokens at 8 x 1000 tokens/s.
    const auto step = metrics_of("train_time", measured, workload, 8);
    BOOST_REQUIRE(step);
    BOOST_TEST(step->front().name == "step_time_s");
    BOOST_TEST(step->front().value == 8.192, nearly);

    Measured busy;
    busy.bus_bandwidth_gb_per_s = 350;
    WorkloadDocument collective;
    collective.kernel =
        Kernel{.operation = "all_reduce", .m = 0, .n = 0, .k = 0, .bytes = 1e9, .ranks = 8};
    // 2 x 7 / 8 x 1e9 B at 350 GB/s = 5 ms.
    const auto time = metrics_of("collective", busy, collective, 8);
    BOOST_REQUIRE(time);
    BOOST_TEST(time->front().value == 5000, nearly);
    BOOST_TEST(!metrics_of("memory", busy, collective, 8));
}

BOOST_AUTO_TEST_CASE(a_rehearsal_has_the_context_of_any_vendor_where_its_own_is_not_known) {
    ContextCalibration nvidia;
    nvidia.vendor = "NVIDIA";
    nvidia.context_mib = 700;
    ContextCalibration any;
    any.context_mib = 712;
    any.collective_mib = 368;
    Calibration calibration;
    calibration.contexts = {nvidia, any};
    const Accelerator part = samples::mi300x();
    Cluster cluster;
    cluster.accelerator = &part;
    cluster.count = 2;
    BOOST_TEST((context_of(calibration, cluster) / mebibyte) == 1080, nearly);
}

BOOST_AUTO_TEST_SUITE_END()
