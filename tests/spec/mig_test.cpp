#include "spec/mig.h"

#include "spec/catalog.h"

#include <boost/test/unit_test.hpp>

using namespace ridgeline;
namespace tt = boost::test_tools;

namespace {

/// H100 as its driver lists it: 132 multiprocessors, 16 of them and 9.75 GiB in a 1g.10gb.
Accelerator card() {
    Accelerator part;
    part.id = "h100-sxm5-80gb";
    part.name = "NVIDIA H100 SXM5 80GB";
    part.aliases = {"H100-SXM"};
    part.chip = "GH100";
    part.units = 132;
    part.marketed_gb = 80;
    part.visible_memory = 81559 * mebibyte;
    part.memory_bandwidth = 3350 * gigabyte_per_second;
    part.l2_cache = 50 * mebibyte;
    part.tdp = 700 * watt;
    part.mig_instances = 7;
    part.scale_up.max_domain = 8;
    part.peak_dense[static_cast<std::size_t>(ComputeType::bf16)] = 989.5 * teraflop_per_second;
    part.mig_profiles = {{.name = "1g.10gb",
                          .compute_fraction = 16.0 / 132,
                          .memory_fraction = 1.0 / 8,
                          .visible_memory = 9984 * mebibyte,
                          .instances = 7},
                         {.name = "3g.40gb",
                          .compute_fraction = 60.0 / 132,
                          .memory_fraction = 0.5,
                          .visible_memory = {},
                          .instances = 2}};
    return part;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(mig)

BOOST_AUTO_TEST_CASE(a_slice_has_its_share_of_the_card) {
    const Accelerator part = card();
    const Accelerator slice = slice_of(part, part.mig_profiles[0]);
    BOOST_TEST(slice.id == "h100-sxm5-80gb/1g.10gb");
    BOOST_TEST(*slice.units == 16);
    BOOST_TEST((*slice.peak(ComputeType::bf16) / teraflop_per_second) == 989.5 * 16 / 132,
               tt::tolerance(1e-12));
    BOOST_TEST((slice.memory_bandwidth / gigabyte_per_second) == 3350.0 / 8, tt::tolerance(1e-12));
    BOOST_TEST((*slice.visible_memory / gibibyte) == 9.75);
    BOOST_TEST((*slice.l2_cache / mebibyte) == 50.0 / 8);
    BOOST_TEST((slice.tdp / watt) == 100.0);
    BOOST_TEST(slice.scale_up.max_domain == 1);
    BOOST_TEST(slice.chip == "GH100");
    BOOST_TEST(!slice.mig_instances.has_value());
    // What the driver shows of it is not known: half of what the card shows.
    const Accelerator half = slice_of(part, part.mig_profiles[1]);
    BOOST_TEST((*half.visible_memory / mebibyte) == 81559 / 2.0);
    BOOST_TEST(half.visible_memory_assumed);
}

BOOST_AUTO_TEST_CASE(slices_are_counted_by_the_card) {
    const Accelerator part = card();
    const Accelerator slice = slice_of(part, part.mig_profiles[0]);
    BOOST_TEST(is_slice(slice));
    BOOST_TEST(!is_slice(part));
    BOOST_TEST(card_of(slice.id) == part.id);
    BOOST_TEST(card_of(part.id) == part.id);
    BOOST_TEST(slices_of_card(slice) == 7);
    BOOST_TEST(slices_of_card(part) == 1);
    BOOST_TEST(cards_of(slice, 7) == 1);
    BOOST_TEST(cards_of(slice, 8) == 2);
    BOOST_TEST(cards_of(part, 3) == 3);
}

BOOST_AUTO_TEST_CASE(a_catalog_finds_a_slice_by_any_name_of_its_card) {
    Catalog catalog;
    catalog.accelerators = {card()};
    catalog.slices = slices_of(catalog.accelerators);
    BOOST_TEST(catalog.slices.size() == 2u);
    for (const char* word : {"h100-sxm5-80gb/3g.40gb", "H100-SXM/3g.40gb"}) {
        BOOST_TEST_REQUIRE(catalog.accelerator(word) != nullptr);
        BOOST_TEST(catalog.accelerator(word)->id == "h100-sxm5-80gb/3g.40gb");
    }
    BOOST_TEST(catalog.accelerator("h100-sxm5-80gb/2g.20gb") == nullptr);
    BOOST_TEST(catalog.accelerator("l4/1g.10gb") == nullptr);
    BOOST_TEST(catalog.accelerator("/") == nullptr);
}

BOOST_AUTO_TEST_SUITE_END()
