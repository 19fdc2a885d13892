#include "spec/catalog.h"

#include <boost/test/unit_test.hpp>

using namespace ridgeline;

namespace {

Catalog a_catalog() {
    Catalog catalog;
    Accelerator part;
    part.id = "h100-sxm5-80gb";
    part.name = "NVIDIA H100 SXM5 80GB";
    part.aliases = {"H100-SXM"};
    part.marketed_gb = 80;
    catalog.accelerators.push_back(part);
    part.id = "l4";
    part.name = "NVIDIA L4";
    part.aliases = {};
    part.marketed_gb = 24;
    part.visible_memory = 23034.0 * mebibyte;
    catalog.accelerators.push_back(part);
    catalog.links.push_back(
        {.id = "nvlink4", .kind = "", .rate = {}, .latency = {}, .sources = {}});
    return catalog;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(catalog)

BOOST_AUTO_TEST_CASE(finds_by_id_name_or_alias_in_any_case) {
    const Catalog catalog = a_catalog();
    for (const char* word :
         {"h100-sxm5-80gb", "H100-SXM5-80GB", "nvidia h100 sxm5 80gb", "h100-sxm"}) {
        BOOST_REQUIRE_MESSAGE(catalog.accelerator(word) != nullptr, word);
        BOOST_TEST(catalog.accelerator(word)->id == "h100-sxm5-80gb");
    }
    BOOST_TEST(catalog.accelerator("h100") == nullptr);
    BOOST_TEST(catalog.accelerator("") == nullptr);
    BOOST_TEST(catalog.link("NVLink4") != nullptr);
    BOOST_TEST(catalog.machine("dgx") == nullptr);
}

BOOST_AUTO_TEST_CASE(fit_is_judged_on_visible_memory_where_it_is_known) {
    const Catalog catalog = a_catalog();
    BOOST_TEST((catalog.accelerator("l4")->capacity() / mebibyte) == 23034.0);
    BOOST_TEST((catalog.accelerator("h100-sxm")->capacity() / gigabyte) == 80.0);
}

BOOST_AUTO_TEST_CASE(an_offer_is_priced_by_the_whole_instance) {
    const Offer offer{.id = "x",
                      .provider = "x",
                      .instance_type = "x",
                      .accelerator = "x",
                      .count = 8,
                      .region = "",
                      .kind = PriceKind::on_demand,
                      .usd_per_hour = 55.04,
                      .date = "",
                      .source = "",
                      .licence = "",
                      .network_gbps = {},
                      .host_ram_gib = {}};
    BOOST_TEST(offer.usd_per_accelerator_hour() == 6.88, boost::test_tools::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(operator_class_names_read_back) {
    for (int i = 0; i < all_operator_classes; ++i) {
        const auto operator_class = static_cast<OperatorClass>(i);
        BOOST_TEST((operator_class_named(name_of(operator_class)) == operator_class));
    }
    BOOST_TEST(!operator_class_named("matmul").has_value());
}

BOOST_AUTO_TEST_CASE(a_date_finds_the_release_that_was_in_use) {
    const auto release = [](const char* id, const char* from) {
        SoftwareProfile profile;
        profile.id = id;
        profile.from = from;
        return profile;
    };
    Profiles profiles;
    SoftwareProfile stack = release("stack", "2025-04-01");
    stack.older = {release("stack@2024-01-01", "2024-01-01"),
                   release("stack@2024-06-12", "2024-06-12")};
    stack.alike = {{.id = "like it", .words = {}}};
    profiles.software = {release("other", ""), stack};
    const auto found = [&profiles](const char* name) {
        return profiles.software_profile(name)->id;
    };
    BOOST_TEST(found("stack") == "stack");
    BOOST_TEST(found("stack@2023-05-05") == "stack@2024-01-01");
    BOOST_TEST(found("stack@2024-06-11") == "stack@2024-01-01");
    BOOST_TEST(found("stack@2024-06-12") == "stack@2024-06-12");
    BOOST_TEST(found("stack@2024-06") == "stack@2024-01-01");  // its first day
    BOOST_TEST(found("stack@2024-12") == "stack@2024-06-12");
    BOOST_TEST(found("stack@2025-04-01") == "stack");
    BOOST_TEST(found("other@2020") == "other");
    BOOST_TEST(found("like it") == "stack");
    BOOST_TEST(found("like it@2024-06-12") == "stack@2024-06-12");
    BOOST_TEST(profiles.software_profile("stack@yesterday") == nullptr);
    BOOST_TEST(profiles.software_profile("stack@2024-6-12") == nullptr);
    BOOST_TEST(profiles.software_profile("none@2024-06-06") == nullptr);
}

BOOST_AUTO_TEST_SUITE_END()
