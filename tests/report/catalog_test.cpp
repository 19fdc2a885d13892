// `catalog show`: what is stored is printed, and what articles get wrong stands beside it.
#include "report/catalog_report.h"

#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>

#include <string>

using namespace ridgeline;

namespace {

Accelerator whole_part() {
    Accelerator part;
    part.id = "part-80gb";
    part.name = "Vendor Part 80GB";
    part.aliases = {"PART 80"};
    part.families = {"part"};
    part.architecture = "Hopper";
    part.year = 2024;
    part.compute_capability = "9.0";
    part.units = 132;
    part.unit_name = "SM";
    part.boost_clock_mhz = 1830;
    part.marketed_gb = 80;
    part.visible_memory = 81559.0 * mebibyte;
    part.memory_type = "HBM3";
    part.bus_bits = 5120;
    part.memory_bandwidth = 3350.0 * gigabyte_per_second;
    part.l2_cache = 50.0 * mebibyte;
    part.peak_dense[static_cast<std::size_t>(ComputeType::fp4)] = 9225.0 * teraflop_per_second;
    part.fp4_format = "mxfp4";
    part.peak_vector_fp64 = 34.0 * teraflop_per_second;
    part.ecc = {.support = "on by default",
                .available = true,
                .on_by_default = true,
                .capacity_cost = 0.0625,
                .speed_cost = {}};
    part.scale_up = {.kind = "NVLink 4",
                     .rate = 450.0 * gigabyte_per_second,
                     .pair_rate = {},
                     .max_domain = 8,
                     .note = "a switch"};
    part.host_rate = 450.0 * gigabyte_per_second;
    part.mig_instances = 7;
    part.mig_profiles = {{.name = "1g.10gb",
                          .compute_fraction = 0.125,
                          .memory_fraction = 0.125,
                          .visible_memory = {},
                          .instances = 7}};
    part.pci_ids = {"2330"};
    return part;
}

Catalog with_erratum() {
    Catalog catalog;
    catalog.errata = {{.number = 26,
                       .article = "article-1",
                       .claim = "8 TB/s",
                       .right = "63 GB/s one way",
                       .about = {"pcie5-x16", "Hopper"},
                       .sources = {}}};
    return catalog;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(catalog_show)

BOOST_AUTO_TEST_CASE(every_stored_figure_is_printed) {
    const std::string text = report::accelerator_text(whole_part(), with_erratum(), {});
    for (const char* said :
         {"PART 80", "132 SM, 1830 MHz boost", "9.0", "5120 bit", "50 MiB", "mxfp4", "9225",
          "fp64 vector", "34 TFLOP/s", "6.25 % of the memory", "a switch", "to the host", "1g.10gb",
          "2330", "79.65 GiB visible", "63 GB/s one way"}) {
        BOOST_TEST(text.find(said) != std::string::npos, said << " is missing in\n" << text);
    }
}

BOOST_AUTO_TEST_CASE(json_has_the_same_figures_and_null_for_unknown) {
    const auto json = nlohmann::json::parse(
        report::accelerator_json(whole_part(), with_erratum(), report::Stamp{}));
    BOOST_TEST(json["units"] == 132);
    BOOST_TEST(json["boost_clock_mhz"] == 1830);
    BOOST_TEST(json["bus_bits"] == 5120);
    BOOST_TEST(json["l2_cache_mib"] == 50);
    BOOST_TEST(json["peak_dense"]["mxfp4_tflops"] == 9225);
    BOOST_TEST(json["gfx_arch"].is_null());
    BOOST_TEST(json["last_level_cache_mib"].is_null());
    BOOST_TEST(json["errata"].size() == 1);
}

BOOST_AUTO_TEST_CASE(links_tell_their_note_and_errata) {
    const Link link{.id = "pcie5-x16",
                    .kind = "PCIe 5.0 x16",
                    .rate = 63.0 * gigabyte_per_second,
                    .latency = {},
                    .sources = {},
                    .per = "slot",
                    .note = "a remark"};
    const std::string text = report::link_text(link, with_erratum(), {});
    for (const char* said : {"63 GB/s one way, each slot", "a remark", "8 TB/s"}) {
        BOOST_TEST(text.find(said) != std::string::npos, said << " is missing in\n" << text);
    }
}

BOOST_AUTO_TEST_SUITE_END()
