#include "spec/hardware_names.h"

#include "spec/catalog.h"

#include <boost/test/unit_test.hpp>

using namespace ridgeline;

namespace {

Accelerator part(const char* id, const char* name, double gb, std::vector<std::string> families) {
    Accelerator made;
    made.id = id;
    made.name = name;
    made.marketed_gb = gb;
    made.families = std::move(families);
    return made;
}

Catalog named_catalog() {
    Catalog catalog;
    catalog.accelerators = {part("a100-pcie-40gb", "NVIDIA A100 PCIe 40GB", 40, {"a100"}),
                            part("a100-pcie-80gb", "NVIDIA A100 PCIe 80GB", 80, {"a100"}),
                            part("a100-sxm4-80gb", "NVIDIA A100 SXM4 80GB", 80, {"a100"}),
                            part("l40", "NVIDIA L40", 48, {}),
                            part("l40s", "NVIDIA L40S", 48, {}),
                            part("rtx-4070", "NVIDIA GeForce RTX 4070", 12, {}),
                            part("rtx-4070-ti", "NVIDIA GeForce RTX 4070 Ti", 12, {}),
                            part("rtx-a6000", "NVIDIA RTX A6000", 48, {}),
                            part("rtx-6000-ada", "NVIDIA RTX 6000 Ada Generation", 48, {})};
    Machine machine;
    machine.id = "aws-p4de";
    machine.name = "AWS p4de.24xlarge";
    machine.aliases = {"p4de", "p4de.24xlarge"};
    machine.accelerator = "a100-sxm4-80gb";
    machine.accelerators = 8;
    catalog.machines = {machine};
    catalog.names = HardwareNames(catalog.accelerators, catalog.machines);
    return catalog;
}

std::string meant(const Catalog& catalog, std::string_view text) {
    std::string ids;
    for (const Accelerator* accelerator : catalog.named(text).accelerators) {
        ids += (ids.empty() ? "" : " ") + accelerator->id;
    }
    return ids;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(hardware_names)

BOOST_AUTO_TEST_CASE(a_family_means_all_its_forms_until_one_is_said) {
    const Catalog catalog = named_catalog();
    for (const char* text : {"a100", "A100", "nvidia a100", "a100s"}) {
        BOOST_TEST(meant(catalog, text) == "a100-pcie-40gb a100-pcie-80gb a100-sxm4-80gb", text);
    }
    for (const char* text :
         {"a100 80gb", "a100-80gb", "a100-80", "A100 (80GB)", "A100-80G", "a10080gb"}) {
        BOOST_TEST(meant(catalog, text) == "a100-pcie-80gb a100-sxm4-80gb", text);
    }
    for (const char* text : {"A100-SXM4-80GB", "a100 sxm", "a100 80gb sxm", "a100sxm4"}) {
        BOOST_TEST(meant(catalog, text) == "a100-sxm4-80gb", text);
    }
    BOOST_TEST(catalog.named("a100").is_family());
    BOOST_TEST(!catalog.named("a100 sxm").is_family());
}

BOOST_AUTO_TEST_CASE(spelling_and_brand_do_not_count) {
    const Catalog catalog = named_catalog();
    for (const char* text :
         {"rtx4070", "RTX 4070", "geforce rtx 4070", "4070", "4070s", "gtx 4070"}) {
        BOOST_TEST(meant(catalog, text) == "rtx-4070", text);
    }
    for (const char* text : {"rtx 4070ti", "4070 Ti", "rtx-4070-ti 12gb"}) {
        BOOST_TEST(meant(catalog, text) == "rtx-4070-ti", text);
    }
    BOOST_TEST(meant(catalog, "l40s") == "l40s");
    BOOST_TEST(meant(catalog, "l40") == "l40");
    BOOST_TEST(meant(catalog, "a6000") == "rtx-a6000");
    BOOST_TEST(meant(catalog, "6000 ada") == "rtx-6000-ada");
}

BOOST_AUTO_TEST_CASE(a_word_that_fits_no_form_names_nothing) {
    const Catalog catalog = named_catalog();
    for (const char* text :
         {"", " ", "a100 96gb", "rtx 4070 super", "6000", "a100 40", "h100", "a100 vs l40"}) {
        BOOST_TEST(meant(catalog, text) == "", text);
    }
}

BOOST_AUTO_TEST_CASE(a_machine_is_named_with_its_part) {
    const Catalog catalog = named_catalog();
    for (const char* text : {"p4de", "p4de.24xlarge", "aws p4de", "AWS-P4DE", "p4de-24xlarge"}) {
        const NamedHardware found = catalog.named(text);
        BOOST_REQUIRE_MESSAGE(found.machines.size() == 1, text);
        BOOST_TEST(found.machines.front()->accelerators == 8);
        BOOST_TEST(meant(catalog, text) == "a100-sxm4-80gb");
        BOOST_TEST(catalog.machine(text) == found.machines.front());
        BOOST_TEST(catalog.accelerator(text) == nullptr);
    }
}

BOOST_AUTO_TEST_CASE(one_form_alone_is_an_accelerator_in_every_command) {
    const Catalog catalog = named_catalog();
    BOOST_REQUIRE(catalog.accelerator("RTX 4070") != nullptr);
    BOOST_TEST(catalog.accelerator("RTX 4070")->id == "rtx-4070");
    BOOST_TEST(catalog.accelerator("a100") == nullptr);
    BOOST_TEST(catalog.accelerator("a100 sxm4")->id == "a100-sxm4-80gb");
}

BOOST_AUTO_TEST_SUITE_END()
