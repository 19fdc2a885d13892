#include "base/text.h"
#include "data/load.h"
#include "tests/data/files.h"

#include <boost/test/unit_test.hpp>

#include <string>

using namespace ridgeline;

namespace {

Catalog a_catalog() {
    Catalog catalog;
    for (const char* id : {"h100-sxm5-80gb", "h100-pcie-80gb", "l4", "a100-sxm4-80gb"}) {
        Accelerator part;
        part.id = id;
        part.name = id;
        catalog.accelerators.push_back(part);
    }
    catalog.accelerators[3].aliases = {"A100-80GB"};
    return catalog;
}

constexpr const char* header =
    "InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,"
    "GpuInfo,Price,SpotPrice,Region,AvailabilityZone,Arch\n";

}  // namespace

BOOST_AUTO_TEST_SUITE(skypilot_tables)

BOOST_AUTO_TEST_CASE(columns_are_found_by_name_and_the_folder_names_the_provider) {
    const TemporaryFolder folder;
    const auto file = folder.write(
        "acme/vms.csv",
        std::string(header) +
            "a.8,A100-80GB,8.0,96.0,1024.0,\"{'Gpus': [{'Name': 'A100', 'Count': 8.0}]}\",12.5,4.5,"
            "east-1,,x86_64\n"
            "cpu.small,,,8.0,32.0,,0.21,0.06,east-1,,x86_64\n");
    Catalog catalog = a_catalog();
    const Result<void> read = load_prices(file, catalog);
    BOOST_REQUIRE_MESSAGE(read.has_value(), message_of(read));
    BOOST_REQUIRE(catalog.offers.size() == 2U);
    BOOST_TEST(catalog.offers[0].provider == "acme");
    BOOST_TEST(catalog.offers[0].accelerator == "a100-sxm4-80gb");
    BOOST_TEST(catalog.offers[0].count == 8);
    BOOST_TEST(catalog.offers[0].usd_per_hour == 12.5);
    BOOST_TEST((catalog.offers[0].kind == PriceKind::on_demand));
    BOOST_TEST(catalog.offers[1].usd_per_hour == 4.5);
    BOOST_TEST((catalog.offers[1].kind == PriceKind::spot));
    BOOST_TEST(catalog.offers[0].host_ram_gib.value() == 1024.0);
}

BOOST_AUTO_TEST_CASE(a_name_beside_that_of_another_board_is_the_board_that_is_left) {
    const TemporaryFolder folder;
    const std::string open = "a.1,H100,1,8,80,,3,,east-1,,x86_64\n";
    Catalog alone = a_catalog();
    BOOST_REQUIRE(load_prices(folder.write("acme/vms.csv", header + open), alone).has_value());
    BOOST_TEST(alone.offers.empty());
    Catalog both = a_catalog();
    const auto file =
        folder.write("acme/all.csv", header + open + "b.1,H100-SXM5,1,8,80,,4,,east-1,,x86_64\n");
    BOOST_REQUIRE(load_prices(file, both).has_value());
    BOOST_REQUIRE(both.offers.size() == 2U);
    BOOST_TEST(both.offers[0].accelerator == "h100-pcie-80gb");
    BOOST_TEST(both.offers[1].accelerator == "h100-sxm5-80gb");
}

BOOST_AUTO_TEST_CASE(another_column_order_reads_the_same) {
    const TemporaryFolder folder;
    Catalog catalog = a_catalog();
    BOOST_REQUIRE(
        load_prices(folder.write("x/v.csv",
                                 "Price,Region,AcceleratorCount,AcceleratorName,InstanceType\n"
                                 "0.8,r,1,L4,g6\r\n"),
                    catalog)
            .has_value());
    BOOST_REQUIRE(catalog.offers.size() == 1U);
    BOOST_TEST(catalog.offers[0].accelerator == "l4");
}

BOOST_AUTO_TEST_CASE(an_ambiguous_name_is_left_out_and_said) {
    const TemporaryFolder folder;
    Catalog catalog = a_catalog();
    BOOST_REQUIRE(
        load_prices(folder.write("x/v.csv", std::string(header) + "m,H100,8,,,,14,,r,,\n" +
                                                "gpu_8x_h100_sxm5,H100,8,,,,20,,r,,\n" +
                                                "n,Zeta9,1,,,,1,,r,,\n"),
                    catalog)
            .has_value());
    BOOST_REQUIRE(catalog.offers.size() == 1U);  // the instance name says SXM
    BOOST_TEST(catalog.offers[0].accelerator == "h100-sxm5-80gb");
    BOOST_REQUIRE(catalog.notes.size() == 2U);
    BOOST_TEST(contains(catalog.notes[0], "\"H100\" left out: the name fits several parts"));
    BOOST_TEST(contains(catalog.notes[1], "no part of the catalog"));
}

BOOST_AUTO_TEST_CASE(an_instance_that_the_catalog_knows_settles_the_board) {
    const TemporaryFolder folder;
    Catalog catalog = a_catalog();
    Offer known;
    known.instance_type = "p5.48xlarge";
    known.accelerator = "h100-sxm5-80gb";
    catalog.offers.push_back(known);
    BOOST_REQUIRE(load_prices(folder.write("aws/vms.csv",
                                           std::string(header) + "p5.48xlarge,H100,8,,,,60,,r,,\n"),
                              catalog)
                      .has_value());
    BOOST_REQUIRE(catalog.offers.size() == 2U);
    BOOST_TEST(catalog.offers[1].accelerator == "h100-sxm5-80gb");
}

BOOST_AUTO_TEST_CASE(bad_tables_are_errors_with_their_line) {
    const TemporaryFolder folder;
    const auto message = [&](const std::string& text) {
        Catalog catalog = a_catalog();
        const Result<void> read = load_prices(folder.write("x/v.csv", text), catalog);
        BOOST_TEST(catalog.offers.empty());
        return read ? std::string() : read.error().text();
    };
    BOOST_TEST(contains(message("a,b\n1,2\n"), "no column InstanceType"));
    BOOST_TEST(contains(message(std::string(header) + "m,L4,x,,,,14,,r,,\n"),
                        "v.csv:2: AcceleratorCount"));
    BOOST_TEST(
        contains(message(std::string(header) + "m,L4,0.5,,,,14,,r,,\n"), "AcceleratorCount"));
    BOOST_TEST(
        contains(message(std::string(header) + "m,L4,1,,,,free,,r,,\n"), "Price: found \"free\""));
    BOOST_TEST(
        contains(message(std::string(header) + "m,L4,1,,,,-3,,r,,\n"), "Price: found \"-3\""));
    BOOST_TEST(contains(message("\""), "no column"));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(own_price_files)

BOOST_AUTO_TEST_CASE(rows_are_appended_and_the_newest_date_is_kept) {
    const TemporaryFolder folder;
    Catalog catalog = a_catalog();
    catalog.offers_date = "2026-01-01";
    const Result<void> read = load_prices(folder.write("p.json", R"({
        "schema": "ridgeline/offers/1", "date": "2026-11-01", "offers": [
        {"id": "x", "provider": "us", "accelerator": "A100-80GB", "count": 8, "kind": "reserved",
         "usd_per_hour": 9.5, "date": "2026-11-01", "source": "contract"}]})"),
                                          catalog);
    BOOST_REQUIRE_MESSAGE(read.has_value(), message_of(read));
    BOOST_REQUIRE(catalog.offers.size() == 1U);
    BOOST_TEST((catalog.offers[0].kind == PriceKind::reserved));
    BOOST_TEST(catalog.offers[0].accelerator == "a100-sxm4-80gb");
    BOOST_TEST(catalog.offers_date == "2026-11-01");
}

BOOST_AUTO_TEST_CASE(cards_sold_one_by_one_are_an_offer_for_each_count) {
    const TemporaryFolder folder;
    const auto read = [&](const std::string& more, Catalog& catalog) {
        return load_prices(
            folder.write(
                "p.json",
                R"({"schema": "ridgeline/offers/1", "date": "2026-11-09", "source": "s", "offers": [
 {"provider": "p", "accelerator": "h100-sxm5-80gb", )" +
                    more + "}]}"),
            catalog);
    };
    Catalog catalog = a_catalog();
    BOOST_REQUIRE(
        read(R"("counts": [1, 2, 8], "usd_per_accelerator_hour": 3.5)", catalog).has_value());
    BOOST_REQUIRE(catalog.offers.size() == 3U);
    BOOST_TEST(catalog.offers[0].usd_per_hour == 3.5);
    BOOST_TEST(catalog.offers[2].count == 8);
    BOOST_TEST(catalog.offers[2].usd_per_hour == 28.0);
    BOOST_TEST(catalog.offers[2].id == "p-h100-sxm5-80gb-on_demand-x8");
    BOOST_TEST(catalog.offers[2].instance_type == "h100-sxm5-80gb x8");
    for (const char* wrong : {R"("counts": [2, 1], "usd_per_accelerator_hour": 3.5)",
                              R"("counts": [1.5], "usd_per_accelerator_hour": 3.5)",
                              R"("counts": [], "usd_per_accelerator_hour": 3.5)",
                              R"("counts": [1], "usd_per_hour": 3.5)",
                              R"("count": 1, "counts": [1], "usd_per_accelerator_hour": 3.5)",
                              R"("id": "a", "counts": [1], "usd_per_accelerator_hour": 3.5)"}) {
        BOOST_TEST(!read(wrong, catalog).has_value(), wrong);
    }
}

BOOST_AUTO_TEST_CASE(a_wrong_row_leaves_the_catalog_as_it_was) {
    const TemporaryFolder folder;
    Catalog catalog = a_catalog();
    const Result<void> read = load_prices(folder.write("p.json", R"({
        "schema": "ridgeline/offers/1", "date": "2026-13-01", "offers": [
        {"id": "x", "provider": "us", "accelerator": "h101-sxm5-80gb", "count": 0,
         "usd_per_hour": -1, "date": "tomorrow", "source": "contract", "kind": "spott"}]})"),
                                          catalog);
    BOOST_REQUIRE(!read.has_value());
    const std::string text = read.error().text();
    for (const char* part :
         {"/date: found \"2026-13-01\"", "Did you mean \"h100-sxm5-80gb\"?", "/count",
          "/usd_per_hour", "expected YYYY-MM-DD", "Did you mean \"spot\"?"}) {
        BOOST_TEST(contains(text, part), text);
    }
    BOOST_TEST(catalog.offers.empty());
}

BOOST_AUTO_TEST_SUITE_END()
