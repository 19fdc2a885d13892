#include "tests/data/files.h"
#include "tests/released.h"

#include <boost/test/unit_test.hpp>

#include <string>
#include <utility>
#include <vector>

using namespace ridgeline;

namespace {

std::string parts_of(const char* text) {
    std::string ids;
    for (const Accelerator* part : released::catalog().named(text).accelerators) {
        ids += (ids.empty() ? "" : " ") + part->id;
    }
    return ids;
}

std::string machines_of(const char* text) {
    std::string ids;
    for (const Machine* machine : released::catalog().named(text).machines) {
        ids += (ids.empty() ? "" : " ") + machine->id;
    }
    return ids;
}

using Names = std::vector<std::pair<const char*, const char*>>;

}  // namespace

BOOST_AUTO_TEST_SUITE(names_as_typed)

BOOST_AUTO_TEST_CASE(families_mean_all_their_forms_and_words_single_them_out) {
    const Names names{{"h100", "h100-nvl-94gb h100-pcie-80gb h100-sxm5-80gb"},
                      {"NVIDIA H100", "h100-nvl-94gb h100-pcie-80gb h100-sxm5-80gb"},
                      {"h100 pcie", "h100-pcie-80gb"},
                      {"h100sxm", "h100-sxm5-80gb"},
                      {"NVIDIA H100 80GB HBM3", "h100-sxm5-80gb"},
                      {"a100-80gb", "a100-pcie-80gb a100-sxm4-80gb"},
                      {"a100 40gb", "a100-pcie-40gb a100-sxm4-40gb"},
                      {"A100-SXM4-80GB", "a100-sxm4-80gb"},
                      {"NVIDIA A100-SXM4-80GB", "a100-sxm4-80gb"},
                      {"v100", "v100-pcie-16gb v100-pcie-32gb v100-sxm2-16gb v100-sxm2-32gb"},
                      {"v100 32gb", "v100-pcie-32gb v100-sxm2-32gb"},
                      {"h200", "h200-nvl-141gb h200-sxm-141gb"},
                      {"mi200", "mi210 mi250 mi250x"},
                      {"trainium", "trainium1 trainium2"},
                      {"rtx pro 6000 blackwell", "rtx-pro-6000-bw-server rtx-pro-6000-bw-ws"},
                      {"pro 6000 max-q", "rtx-pro-6000-bw-max-q"},
                      {"rtx 3080", "rtx-3080-10gb rtx-3080-12gb"},
                      {"4060 ti", "rtx-4060-ti-16gb rtx-4060-ti-8gb"},
                      {"mac mini", "apple-m1 apple-m2 apple-m2-pro apple-m4 apple-m4-pro"}};
    for (const auto& [text, ids] : names) {
        BOOST_TEST(parts_of(text) == ids, text << ": " << parts_of(text));
        BOOST_TEST(machines_of(text) == "", text);
    }
}

BOOST_AUTO_TEST_CASE(one_part_has_many_spellings) {
    const Names names{{"rtx4090", "rtx-4090"},
                      {"geforce rtx 4090", "rtx-4090"},
                      {"NVIDIA GeForce RTX 4090", "rtx-4090"},
                      {"4090", "rtx-4090"},
                      {"2080 ti", "rtx-2080-ti"},
                      {"7900 xtx", "rx-7900-xtx"},
                      {"a6000", "rtx-a6000"},
                      {"rtx 6000 ada", "rtx-6000-ada"},
                      {"w7900", "radeon-pro-w7900"},
                      {"mi300x", "mi300x"},
                      {"instinct mi300x 192gb", "mi300x"},
                      {"l40s 48gb", "l40s"},
                      {"m4 max", "apple-m4-max"},
                      {"tpu v5e", "tpu-v5e"},
                      {"gaudi 3", "gaudi3"},
                      {"3060", "rtx-3060-12gb"},
                      {"RTX 3060 12GB", "rtx-3060-12gb"},
                      {"4060 ti 16gb", "rtx-4060-ti-16gb"},
                      {"4070 ti super", "rtx-4070-ti-super"},
                      {"RTX 4070 Ti", "rtx-4070-ti"},
                      {"rtx 5070ti", "rtx-5070-ti"},
                      {"a4000", "rtx-a4000"},
                      {"rtx 4000 ada", "rtx-4000-ada"},
                      {"titan rtx", "titan-rtx"},
                      {"h20", "h20-96gb"},
                      {"dgx spark", "gb10"},
                      {"strix halo", "strix-halo-128gb"},
                      {"ryzen ai max+ 395", "strix-halo-128gb"},
                      {"jetson orin nano", "jetson-orin-nano-8gb"},
                      {"m1", "apple-m1"},
                      {"m3 pro", "apple-m3-pro"},
                      {"b580", "arc-b580"},
                      {"9070 xt", "rx-9070-xt"},
                      {"r9700", "radeon-ai-pro-r9700"},
                      {"7900 xt", "rx-7900-xt"}};
    for (const auto& [text, id] : names) {
        BOOST_TEST(parts_of(text) == id, text << ": " << parts_of(text));
        BOOST_TEST(released::catalog().accelerator(text) == released::catalog().accelerator(id));
    }
}

BOOST_AUTO_TEST_CASE(instances_and_servers_are_machines_with_their_part) {
    const Names names{{"p5.48xlarge", "aws-p5"},
                      {"aws p5", "aws-p5"},
                      {"p4d.24xlarge", "aws-p4d"},
                      {"nd96isr-h100-v5", "azure-nd96isr-h100-v5"},
                      {"Standard_ND96isr_H100_v5", "azure-nd96isr-h100-v5"},
                      {"a3-highgpu-8g", "gcp-a3-highgpu-8g"},
                      {"dgx h100", "dgx-h100"},
                      {"DGX B200", "dgx-b200"},
                      {"gb200 nvl72", "gb200-nvl72"},
                      {"g5.xlarge", "aws-g5-xlarge"},
                      {"g6e.12xlarge", "aws-g6e-12xlarge"},
                      {"trn2.48xlarge", "aws-trn2-48xlarge"},
                      {"nc24ads_a100_v4", "azure-nc24ads-a100-v4"},
                      {"Standard_NC40ads_H100_v5", "azure-nc40ads-h100-v5"},
                      {"a2-ultragpu-1g", "gcp-a2-ultragpu-1g"},
                      {"a3-ultragpu-8g", "gcp-a3-ultragpu-8g"},
                      {"BM.GPU.H100.8", "oracle-bm-gpu-h100-8"},
                      {"gpu_8x_h100_sxm5", "lambda-8x-h100-sxm5"},
                      {"dgx b300", "dgx-b300"}};
    for (const auto& [text, id] : names) {
        BOOST_TEST(machines_of(text) == id, text << ": " << machines_of(text));
        BOOST_TEST(parts_of(text) == released::catalog().machine(id)->accelerator);
    }
}

BOOST_AUTO_TEST_CASE(each_entry_is_found_by_its_own_names) {
    for (const Accelerator& part : released::catalog().accelerators) {
        const NamedHardware found = released::catalog().named(part.id);
        BOOST_TEST_REQUIRE(static_cast<bool>(found), part.id);
        BOOST_TEST((found.accelerators.front()->id == part.id || found.is_family()), part.id);
    }
    for (const Machine& machine : released::catalog().machines) {
        BOOST_TEST(machines_of(machine.id.c_str()) == machine.id);
    }
}

BOOST_AUTO_TEST_SUITE_END()
