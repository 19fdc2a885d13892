#include "base/text.h"
#include "data/catalog_reader.h"
#include "data/load.h"
#include "spec/matrix_types.h"
#include "tests/data/files.h"

#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>
#include <set>
#include <string>

using namespace ridgeline;

namespace {

const std::filesystem::path source_folder = RIDGELINE_SOURCE_DIR;

const Catalog& bundled() {
    static const Catalog catalog = [] {
        Result<Catalog> loaded = load_catalog(source_folder / "catalog");
        BOOST_REQUIRE_MESSAGE(loaded.has_value(), message_of(loaded));
        return *loaded;
    }();
    return catalog;
}

double peak(const char* id, ComputeType type) {
    return bundled().accelerator(id)->peak(type).value_or(FlopsPerSecond()) / teraflop_per_second;
}

/// A bundled accelerator as JSON, changed by the test, written and read again.
template <typename Change>
std::string error_after(Change change) {
    std::ifstream stream(source_folder / "catalog/accelerators/h100-sxm5-80gb.json");
    nlohmann::json entry = nlohmann::json::parse(stream);
    change(entry);
    const TemporaryFolder folder;
    const auto read = load_accelerator(folder.write("part.json", entry.dump()), bundled());
    return read ? std::string() : read.error().text();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(bundled_catalog)

BOOST_AUTO_TEST_CASE(loads_whole) {
    const Catalog& catalog = bundled();
    BOOST_TEST(catalog.accelerators.size() >= 71U);
    BOOST_TEST(catalog.machines.size() >= 50U);
    BOOST_TEST(catalog.links.size() >= 49U);
    BOOST_TEST(catalog.storage.size() >= 20U);
    BOOST_TEST(catalog.offers.size() >= 300U);
    BOOST_TEST(is_date(catalog.offers_date));
    BOOST_TEST(!catalog.version.empty());
}

BOOST_AUTO_TEST_CASE(names_are_unambiguous) {
    std::set<std::string> ids;
    for (const Accelerator& part : bundled().accelerators) {
        BOOST_TEST(ids.insert(part.id).second, part.id);
        BOOST_TEST((bundled().accelerator(part.id) == &part));
        BOOST_TEST((bundled().accelerator(part.name) == &part), part.name);
        for (const std::string& alias : part.aliases) {
            BOOST_TEST((bundled().accelerator(alias) == &part), alias);
        }
    }
    std::set<std::string> offers;
    for (const Offer& offer : bundled().offers) {
        BOOST_TEST(offers.insert(offer.id).second, offer.id);
        BOOST_TEST(is_date(offer.date), offer.id);
        BOOST_TEST(!offer.licence.empty(), offer.id);
    }
}

BOOST_AUTO_TEST_CASE(peaks_are_ordered_as_hardware_is) {
    for (const Accelerator& part : bundled().accelerators) {
        const auto at_least = [&](ComputeType more, ComputeType less) {
            if (part.peak(more) && part.peak(less)) {
                BOOST_TEST((*part.peak(more) / *part.peak(less)) >= 0.999, part.id);
            }
        };
        at_least(ComputeType::fp16_fp16_accumulate, ComputeType::fp16);
        at_least(ComputeType::fp8, ComputeType::bf16);
        at_least(ComputeType::fp4, ComputeType::fp8);
        at_least(ComputeType::bf16, ComputeType::tf32);
        if (part.visible_memory) {
            // A driver shows less than the box says in GiB.
            BOOST_TEST((*part.visible_memory / gibibyte) <= part.marketed_gb * 1.001, part.id);
        }
    }
}

// Whose rate is listed has the type: the rule that tells "none" from "unknown" must not deny it.
BOOST_AUTO_TEST_CASE(no_part_lacks_a_type_that_it_has_a_rate_for) {
    for (const Accelerator& part : bundled().accelerators) {
        for (int i = 0; i < compute_types; ++i) {
            const auto type = static_cast<ComputeType>(i);
            Accelerator silent = part;
            silent.peak_dense[static_cast<std::size_t>(i)].reset();
            BOOST_TEST((!part.peak(type) || !lacks_matrix_type(silent, type)),
                       part.id + " " + std::string(name_of(type)));
        }
    }
    const Catalog& catalog = bundled();
    BOOST_TEST(lacks_matrix_type(*catalog.accelerator("a100-sxm4-80gb"), ComputeType::fp8));
    BOOST_TEST(lacks_matrix_type(*catalog.accelerator("h100-sxm5-80gb"), ComputeType::fp4));
    BOOST_TEST(lacks_matrix_type(*catalog.accelerator("mi250x"), ComputeType::fp8));
    BOOST_TEST(!lacks_matrix_type(*catalog.accelerator("mi300x"), ComputeType::fp8));
}

// Expected figures: the errata of three widely read articles.
BOOST_AUTO_TEST_CASE(four_bits_are_of_the_makers_kind) {
    // Blocks of 16 with an fp8 scale are NVIDIA's; AMD's CDNA 4 takes the blocks of 32 of OCP
    // alone.
    for (const Accelerator& part : bundled().accelerators) {
        if (part.peak(ComputeType::fp4)) {
            BOOST_TEST(part.fp4_format == (part.vendor == "NVIDIA" ? "nvfp4" : "mxfp4"), part.id);
            BOOST_TEST((part.vendor == "NVIDIA" || part.gfx_arch == "gfx950"), part.id);
        }
    }
}

BOOST_AUTO_TEST_CASE(old_chips_name_the_last_toolkit_that_runs_on_them) {
    // CUDA 13 begins at Turing, 7.5, CUDA 12 at Maxwell, 5.0; ROCm 7 leaves out Vega 20 and RDNA 2.
    for (const Accelerator& part : bundled().accelerators) {
        const auto says = [&part](const char* word) {
            return std::count(part.software.begin(), part.software.end(), word) > 0;
        };
        const bool volta = part.compute_capability && capability_of(part) < 7.5;
        const std::string gfx = part.gfx_arch.value_or("");
        const bool kepler = part.compute_capability && capability_of(part) < 5.0;
        BOOST_TEST(says("CUDA 12") == (volta && !kepler), part.id);
        BOOST_TEST(says("CUDA 11") == kepler, part.id);
        BOOST_TEST(says("ROCm 6") == (gfx == "gfx906" || gfx.starts_with("gfx103")), part.id);
        BOOST_TEST(!(says("CUDA") && volta), part.id);
    }
}

BOOST_AUTO_TEST_CASE(figures_that_articles_get_wrong_are_right) {
    const Catalog& catalog = bundled();
    using enum ComputeType;
    BOOST_TEST(peak("b200-sxm-180gb", bf16) == 2250);  // not 4500, which is sparse
    BOOST_TEST(peak("b200-sxm-180gb", fp8) == 4500);   // not 9000
    BOOST_TEST(peak("b200-sxm-180gb", fp4) == 9000);   // not 20000
    BOOST_TEST(peak("gb200-gpu", bf16) == 2500);
    BOOST_TEST(peak("gb200-gpu", fp4) == 10000);
    BOOST_TEST(peak("a100-sxm4-80gb", int8) == 624);  // not 1248
    BOOST_TEST(peak("rtx-4090", fp16) == 165.2);      // 330 is with fp16 accumulation
    BOOST_TEST(peak("rtx-4090", fp16_fp16_accumulate) == 330.3);
    BOOST_TEST(peak("rtx-2080-ti", fp16) == 53.8);
    BOOST_TEST(peak("v100-pcie-16gb", fp16) == 112);
    BOOST_TEST(peak("v100-sxm2-16gb", fp16) == 125);
    BOOST_TEST(peak("p100-sxm2", fp16_fp16_accumulate) == 21.2);
    BOOST_TEST(peak("p100-pcie", fp16_fp16_accumulate) == 18.7);
    BOOST_TEST(peak("h100-sxm5-80gb", fp32) == 67);  // not 60
    BOOST_TEST(peak("tpu-v4", bf16) == 275);         // not 400
    BOOST_TEST(peak("trainium1", bf16) == 190);
    BOOST_TEST(peak("trainium2", bf16) == 667);
    BOOST_TEST(catalog.accelerator("h100-pcie-80gb")->memory_type == "HBM2e");
    BOOST_TEST((catalog.accelerator("a100-sxm4-80gb")->memory_bandwidth / gigabyte_per_second) ==
               2039);
    BOOST_TEST((catalog.accelerator("a100-pcie-80gb")->memory_bandwidth / gigabyte_per_second) ==
               1935);
    BOOST_TEST((catalog.accelerator("a100-sxm4-40gb")->memory_bandwidth / gigabyte_per_second) ==
               1555);
    BOOST_TEST(catalog.accelerator("b200-sxm-180gb")->marketed_gb == 180);
    BOOST_TEST((*catalog.accelerator("h100-sxm5-80gb")->visible_memory / mebibyte) == 81090.0);
    BOOST_TEST((*catalog.accelerator("h100-sxm5-80gb")->scale_up.rate / gigabyte_per_second) ==
               450.0);
    BOOST_TEST((*catalog.accelerator("mi300x")->scale_up.pair_rate / gigabyte_per_second) == 64.0);
    BOOST_TEST(!catalog.accelerator("l40s")->mig_instances.has_value());
    BOOST_TEST(catalog.accelerator("h100-sxm5-80gb")->mig_instances.value() == 7);
    BOOST_TEST(catalog.accelerator("rtx-4090")->ecc.available);
    BOOST_TEST(!catalog.accelerator("rtx-4090")->ecc.on_by_default);
    BOOST_TEST(catalog.accelerator("h100-sxm5-80gb")->ecc.capacity_cost.value() == 0);  // HBM
    BOOST_TEST(catalog.accelerator("rtx-a6000")->ecc.capacity_cost.value() == 0.0625);  // GDDR6
    BOOST_TEST((catalog.link("pcie5-x16")->rate / gigabyte_per_second) == 63.0);
    BOOST_TEST((catalog.link("pcie4-x16")->rate / gigabyte_per_second) == 31.0);
    BOOST_TEST(catalog.machine("gb200-nvl72")->accelerators == 72);
    // 8 x 312 TFLOP/s = 2.5 PFLOP/s, where the article prints the sparse 5.
    BOOST_TEST(8 * peak("a100-sxm4-80gb", fp16) == 2496);
}

// Expected figures: a comparison of up to nine published sources, by a person.
BOOST_AUTO_TEST_CASE(headline_figures_agree_with_the_cross_check) {
    const Catalog& catalog = bundled();
    using enum ComputeType;
    BOOST_TEST(peak("a100-sxm4-80gb", bf16) == 312);
    BOOST_TEST(peak("h100-sxm5-80gb", bf16) == 989.5);
    BOOST_TEST(peak("h200-sxm-141gb", bf16) == 989.5);
    BOOST_TEST(peak("b200-sxm-180gb", fp64) == 37);
    BOOST_TEST(peak("rtx-4090", fp8) == 330.3);
    BOOST_TEST(peak("mi300x", bf16) == 1307.4);
    BOOST_TEST((*catalog.accelerator("mi300x")->peak_vector_fp32 / teraflop_per_second) == 163.4);
    const auto bandwidth = [&](const char* id) {
        return catalog.accelerator(id)->memory_bandwidth / gigabyte_per_second;
    };
    BOOST_TEST(bandwidth("h100-sxm5-80gb") == 3350);
    BOOST_TEST(bandwidth("h200-sxm-141gb") == 4800);
    BOOST_TEST(bandwidth("b200-sxm-180gb") == 8000);
    BOOST_TEST(bandwidth("mi300x") == 5300);
    BOOST_TEST((*catalog.accelerator("h200-sxm-141gb")->visible_memory / mebibyte) == 143155.0);
    BOOST_TEST((*catalog.accelerator("rtx-4090")->visible_memory / mebibyte) == 24207.0);
    BOOST_TEST(*catalog.accelerator("h100-sxm5-80gb")->boost_clock_mhz == 1830.0);
}

// Published: NVIDIA's Blackwell datasheet (GB200 80 and 40, HGX B200 75 and 37), AnandTech's table
// of MI210, 1/64 on every GA102, torch's own readings of memory and multiprocessors.
BOOST_AUTO_TEST_CASE(corrected_figures_stay_corrected) {
    using enum ComputeType;
    BOOST_TEST(peak("gb200-gpu", fp32) == 80.0);
    BOOST_TEST(peak("gb200-gpu", fp64) == 40.0);
    BOOST_TEST(peak("b200-sxm-180gb", fp32) == 75.0);
    BOOST_TEST(peak("mi210", fp32) == 45.3);
    BOOST_TEST(peak("h200-nvl-141gb", bf16) == 835.5);
    const auto part = [](const char* id) { return *bundled().accelerator(id); };
    for (const char* id : {"a40", "a10", "rtx-a6000"}) {
        const double ratio = *part(id).peak_vector_fp32 / *part(id).peak_vector_fp64;
        BOOST_TEST(ratio == 64.0, boost::test_tools::tolerance(0.01));
    }
    BOOST_TEST(part("a10g").units.value_or(0) == 80);
    BOOST_TEST((part("a10g").tdp / watt) == 300.0);
    BOOST_TEST((*part("h200-nvl-141gb").scale_up.rate / gigabyte_per_second) == 450.0);
    const auto visible = [&](const char* id) { return *part(id).visible_memory / gibibyte; };
    const auto near = boost::test_tools::tolerance(0.001);
    BOOST_TEST(visible("a100-sxm4-80gb") == 79.25, near);
    BOOST_TEST(visible("a100-sxm4-40gb") == 39.39, near);
    BOOST_TEST(visible("rtx-3090") == 23.70, near);
    BOOST_TEST(visible("rtx-5090") == 31.33, near);
    BOOST_TEST(visible("rtx-2080-ti") == 10.57, near);
    BOOST_TEST(visible("v100-pcie-32gb") == 31.75, near);
    BOOST_TEST(part("mi355x").fp4_format == "mxfp4");
    BOOST_TEST(part("b200-sxm-180gb").fp4_format == "nvfp4");
}

// 16 bit with fp32 accumulation: 28 SM x 512 FLOP x 1.777 GHz for RTX 3060; the same 512 reproduce
// what NVIDIA states for RTX 3090 (71.2) and RTX 4090 (165.2), and 1024 its RTX A6000 (154.8).
BOOST_AUTO_TEST_CASE(tensor_rates_of_new_cards_follow_their_architecture) {
    using enum ComputeType;
    const auto near = boost::test_tools::tolerance(0.001);
    BOOST_TEST(peak("rtx-3060-12gb", bf16) == 28 * 512 * 1.777e-3, near);
    BOOST_TEST(peak("rtx-4070", bf16) == 46 * 512 * 2.475e-3, near);
    BOOST_TEST(peak("rtx-5080", fp4) == 84 * 4096 * 2.617e-3, near);
    BOOST_TEST(peak("rtx-a4000", fp16) == 48 * 1024 * 1.560e-3, near);
    BOOST_TEST(peak("titan-rtx", fp16) == 72 * 1024 * 1.770e-3, near);
    BOOST_TEST(peak("titan-rtx", bf16) == 0.0);
}

// From M5 on Apple's GPU cores have matrix units: 1,024 operations of 16 bits a cycle at 1.75 GHz.
BOOST_AUTO_TEST_CASE(apples_newer_cores_multiply_matrices_in_16_bits) {
    using enum ComputeType;
    const auto near = boost::test_tools::tolerance(0.002);
    BOOST_TEST(peak("apple-m5", fp16) == 10 * 1024 * 1.75e-3, near);
    BOOST_TEST(peak("apple-m5-pro", bf16) == 20 * 1024 * 1.75e-3, near);
    BOOST_TEST(peak("apple-m5-max", bf16) == 40 * 1024 * 1.75e-3, near);
    BOOST_TEST(peak("apple-m4", fp16) == peak("apple-m4", fp32));
}

BOOST_AUTO_TEST_CASE(a_package_of_two_devices_is_counted_as_software_sees_it) {
    const Accelerator& part = *bundled().accelerator("mi250x");
    BOOST_TEST(part.devices_seen == 2);
    BOOST_TEST(part.marketed_gb == 64.0);
    BOOST_TEST(peak("mi250x", ComputeType::bf16) == 191.5);
    BOOST_TEST((part.memory_bandwidth / gigabyte_per_second) == 1638.5);
    BOOST_TEST(part.units.value_or(0) == 110);
}

// Two chips of 2,496 lanes at 875 MHz on K80; four of 10 multiprocessors and 16 GB on A16. Fp16 of
// GeForce 16 is twice its fp32, Polaris has no faster one, and Maxwell none.
BOOST_AUTO_TEST_CASE(old_cards_have_the_rates_of_their_chips) {
    using enum ComputeType;
    const auto near = boost::test_tools::tolerance(0.002);
    const auto part = [](const char* id) { return *bundled().accelerator(id); };
    BOOST_TEST(part("k80").devices_seen == 2);
    BOOST_TEST(peak("k80", fp32) == 2 * 2496 * 0.875e-3, near);
    BOOST_TEST(part("k80").marketed_gb == 12.0);
    BOOST_TEST(part("a16").devices_seen == 4);
    BOOST_TEST(peak("a16", bf16) == 10 * 1024 * 1.695e-3, near);
    BOOST_TEST(part("a16").marketed_gb == 16.0);
    BOOST_TEST(peak("gtx-1660-super", fp16) == 4 * 1408 * 1.785e-3, near);
    BOOST_TEST(peak("rx-580-8gb", fp16) == 2 * 2304 * 1.34e-3, near);
    BOOST_TEST(peak("gtx-970", fp16) == 0.0);
    BOOST_TEST((part("gtx-970").memory_bandwidth / gigabyte_per_second) == 196.0);
}

BOOST_AUTO_TEST_CASE(chips_of_one_cloud_have_links_of_their_own) {
    for (const Machine& machine : bundled().machines) {
        const Accelerator& part = *bundled().accelerator(machine.accelerator);
        if (part.kind == "tpu") {
            BOOST_TEST(machine.scale_up.starts_with("ici"), machine.id);
        } else if (part.vendor == "AWS") {
            BOOST_TEST(machine.scale_up.starts_with("neuronlink"), machine.id);
        } else {
            continue;
        }
        BOOST_TEST(!machine.scale_out.value_or("").starts_with("ib-"), machine.id);
    }
}

BOOST_AUTO_TEST_CASE(errata_reach_the_entry_they_are_about) {
    const Catalog& catalog = bundled();
    BOOST_TEST(catalog.errata.size() == 8);
    BOOST_TEST(!catalog.errata_about("pcie5-x16", "").empty());
    BOOST_TEST(!catalog.errata_about("h100-sxm5-80gb", "Hopper").empty());
    BOOST_TEST(!catalog.errata_about("some-part", "Ada Lovelace").empty());
    BOOST_TEST(catalog.errata_about("some-part", "").empty());
    for (const Erratum& erratum : catalog.errata) {
        for (const std::string& id : erratum.about) {
            const bool known = catalog.accelerator(id) != nullptr || catalog.link(id) != nullptr ||
                               id == "Ada Lovelace" || id == "Hopper" || id == "Blackwell";
            BOOST_TEST(known, erratum.number << " is about " << id);
        }
    }
}

BOOST_AUTO_TEST_CASE(unknown_stays_unknown) {
    BOOST_TEST(!bundled().accelerator("mi325x")->visible_memory.has_value());
    BOOST_TEST(!bundled().accelerator("b100")->peak(ComputeType::fp32).has_value());
    BOOST_TEST(bundled().accelerator("h100-sxm5-96gb-hbm2e")->visible_memory_assumed);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(checking_an_entry)

BOOST_AUTO_TEST_CASE(an_unchanged_entry_passes) {
    BOOST_TEST(error_after([](nlohmann::json&) {}) == "");
}

BOOST_AUTO_TEST_CASE(a_figure_without_source_does_not_load) {
    for (const char* field : {"peak_dense_tflop_per_s", "memory/bandwidth_gb_per_s", "tdp_w",
                              "memory/visible_mib", "scale_up", "units", "mig_instances"}) {
        const std::string found =
            error_after([&](nlohmann::json& entry) { entry["field_sources"].erase(field); });
        BOOST_TEST(contains(found, std::string(field) + ": has a figure but no source"), found);
    }
    BOOST_TEST(contains(error_after([](nlohmann::json& entry) {
                            entry["field_sources"]["tdp_w"] = nlohmann::json::array();
                        }),
                        "names no source"));
    BOOST_TEST(contains(
        error_after([](nlohmann::json& entry) { entry["field_sources"]["tdp_w"] = {"MLEE"}; }),
        "Did you mean \"MLE\"?"));
}

BOOST_AUTO_TEST_CASE(wrong_units_and_types_are_named) {
    BOOST_TEST(contains(
        error_after([](nlohmann::json& entry) { entry["memory"]["bandwidth_gb_per_s"] = 3.35; }),
        "/memory/bandwidth_gb_per_s: found 3.35, expected a number from 10"));
    BOOST_TEST(contains(error_after([](nlohmann::json& entry) {
                            entry["memory"]["bandwidth_gb_per_s"] = "3.35 TB/s";
                        }),
                        "Write 3350"));
    BOOST_TEST(contains(
        error_after([](nlohmann::json& entry) { entry["peak_dense_tflop_per_s"]["bf16"] = -1; }),
        "/peak_dense_tflop_per_s/bf16: found -1"));
    BOOST_TEST(contains(
        error_after([](nlohmann::json& entry) { entry["memory"]["bandwidth_tb_per_s"] = 3.35; }),
        "unknown key \"bandwidth_tb_per_s\". Did you mean \"bandwidth_gb_per_s\"?"));
    BOOST_TEST(contains(
        error_after([](nlohmann::json& entry) { entry["memory"]["visible_mib"] = 815590; }),
        "/memory/visible_mib"));
    BOOST_TEST(contains(error_after([](nlohmann::json& entry) { entry["kind"] = "gpus"; }),
                        "Did you mean \"gpu\"?"));
    BOOST_TEST(contains(error_after([](nlohmann::json& entry) { entry.erase("memory"); }),
                        "/memory: missing"));
    BOOST_TEST(contains(error_after([](nlohmann::json& entry) { entry["schema"] = "x"; }),
                        "expected \"ridgeline/accelerator/1\""));
}

BOOST_AUTO_TEST_CASE(each_value_replaced_by_another_type_is_an_error_and_no_crash) {
    std::ifstream stream(source_folder / "catalog/accelerators/h100-sxm5-80gb.json");
    const nlohmann::json entry = nlohmann::json::parse(stream);
    for (const auto& item : entry.items()) {
        for (const nlohmann::json& wrong :
             {nlohmann::json(-1e308), nlohmann::json("x"), nlohmann::json::array({nullptr}),
              nlohmann::json::object({{"x", 1}}), nlohmann::json(true)}) {
            const std::string error =
                error_after([&](nlohmann::json& changed) { changed[item.key()] = wrong; });
            // What is null may be of any type that its schema allows.
            const bool of_its_type = item.value().is_null() || item.value().type() == wrong.type();
            BOOST_TEST((of_its_type || !error.empty()), item.key() << " as " << wrong);
        }
    }
}

BOOST_AUTO_TEST_CASE(a_catalog_that_is_not_there_is_an_error) {
    const TemporaryFolder folder;
    BOOST_TEST(!load_catalog(folder.path() / "none").has_value());
    BOOST_TEST(!load_catalog(folder.path()).has_value());
}

BOOST_AUTO_TEST_SUITE_END()
