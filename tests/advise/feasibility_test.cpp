// What published tables ran fits here, and what they mark as out of memory does not.
#include "advise/hardware/cluster.h"
#include "advise/hardware/offers.h"
#include "advise/search/search.h"
#include "estimate/resolve/resolve.h"
#include "tests/released.h"

#include <boost/test/unit_test.hpp>

#include <string>

using namespace ridgeline;

namespace {

using released::catalog;
using released::profiles;
using released::root;

bool fits(const WorkloadDocument& document, const Architecture& architecture,
          const std::string& accelerator, int count) {
    const Accelerator* part = catalog().accelerator(accelerator);
    const SoftwareProfile* software =
        profiles().software_profile(document.framework.value_or("generic"));
    BOOST_TEST_REQUIRE(part != nullptr);
    BOOST_TEST_REQUIRE(software != nullptr);
    const auto resolved = resolve(document, architecture, *software, count);
    BOOST_TEST_REQUIRE(resolved.has_value());
    const Cluster cluster = make_cluster(catalog(), *part, count);
    const DeviceModel device = device_model(*part, profiles().calibration);
    return estimate_memory({.architecture = architecture,
                            .workload = resolved->workload,
                            .cluster = cluster,
                            .software = *software,
                            .device = device,
                            .calibration = profiles().calibration})
        .fits;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(feasibility)

// 388 cells of XiongjieDai/GPU-Benchmarks-on-LLM-Inference (8 to 192 GB, one to eight parts) and
// the static batches of TensorRT-LLM ran, so they fit. Runs that queue requests are not of that
// kind.
BOOST_AUTO_TEST_CASE(what_ran_fits) {
    const auto rows = load_evidence(root + "/tests/evidence/inference.json");
    BOOST_TEST_REQUIRE(rows.has_value());
    int cells = 0;
    for (const EvidenceRow& row : *rows) {
        const std::string framework = row.workload.framework.value_or("");
        const bool queued = row.id.starts_with("aic") || row.id.starts_with("amd");
        if (queued || !row.workload.architecture) {
            continue;
        }
        ++cells;
        BOOST_TEST_CONTEXT(row.id)
        BOOST_TEST(fits(row.workload, *row.workload.architecture, row.accelerator, row.count));
    }
    BOOST_TEST(cells > 400);
}

// The same table's marks: Llama 3 8B in 16 bits runs on 16 GB with 4,096 tokens, not with 8,192,
// and not on 10 or 12 GB at all; 70B in Q4_K_M (39.6 GiB) not on one card of 24 or 32 GB.
BOOST_AUTO_TEST_CASE(what_was_out_of_memory_does_not_fit) {
    const auto cell = [](const std::string& model, const std::string& type, double tokens,
                         const std::string& accelerator) {
        WorkloadDocument document;
        document.task = Task::inference;
        document.framework = "llama.cpp@2024-05-12";  // without flash attention
        document.quantization = type;
        document.weights = DType::fp16;
        document.serving = Serving{.input_tokens = tokens, .output_tokens = 0};
        const auto architecture = load_model(root + "/profiles", model);
        BOOST_TEST_REQUIRE(architecture.has_value());
        return fits(document, *architecture, accelerator, 1);
    };
    BOOST_TEST(cell("llama-3-8b", "f16", 4096, "rtx-4080-16gb"));
    BOOST_TEST(!cell("llama-3-8b", "f16", 8192, "rtx-4080-16gb"));
    BOOST_TEST(!cell("llama-3-8b", "f16", 512, "rtx-3080-10gb"));
    BOOST_TEST(cell("llama-3-8b", "q4_k_m", 8192, "rtx-3080-10gb"));
    BOOST_TEST(!cell("llama-3-70b", "q4_k_m", 512, "rtx-4090"));
    BOOST_TEST(!cell("llama-3-70b", "q4_k_m", 512, "rtx-5090"));
    BOOST_TEST(cell("llama-3-70b", "q4_k_m", 4096, "rtx-a6000"));
    BOOST_TEST(!cell("llama-3-70b", "f16", 512, "h100-pcie-80gb"));
}

// All cells of the table of Llama 2 in the same place, "OOM" or a speed, of the cards that the
// catalog has: 7B and 70B in Q4_0 and in 16 bits, layers split over the cards.
BOOST_AUTO_TEST_CASE(every_cell_of_the_published_table_is_right) {
    struct Row {
        const char* accelerator;
        int count;
        bool runs[4];  ///< 7B Q4_0, 7B F16, 70B Q4_0, 70B F16
    };
    const Row rows[] = {
        {"rtx-4080-16gb", 1, {true, true, false, false}},
        {"rtx-3090", 1, {true, true, false, false}},
        {"rtx-4090", 1, {true, true, false, false}},
        {"rtx-3090", 2, {true, true, true, false}},
        {"rtx-4090", 2, {true, true, true, false}},
        {"rtx-a6000", 1, {true, true, true, false}},
        {"rtx-6000-ada", 1, {true, true, true, false}},
        {"rtx-3090", 3, {true, true, true, false}},
        {"rtx-4090", 3, {true, true, true, false}},
        {"a100-pcie-80gb", 1, {true, true, true, false}},
        {"h100-pcie-80gb", 1, {true, true, true, false}},
        {"rtx-a6000", 2, {true, true, true, false}},
        {"rtx-3090", 6, {true, true, true, true}},
        {"rtx-4090", 6, {true, true, true, true}},
        {"apple-m2-ultra", 1, {true, true, true, true}},
    };
    const char* models[] = {"llama-2-7b", "llama-2-7b", "llama-2-70b", "llama-2-70b"};
    const char* types[] = {"q4_0", "f16", "q4_0", "f16"};
    for (const Row& row : rows) {
        for (int cell = 0; cell < 4; ++cell) {
            WorkloadDocument document;
            document.task = Task::inference;
            document.framework = "llama.cpp";
            document.quantization = types[cell];
            document.weights = DType::fp16;
            document.pipeline = row.count;
            document.serving = Serving{};
            document.serving->input_tokens = 512;
            document.serving->output_tokens = 512;
            const auto architecture = load_model(root + "/profiles", models[cell]);
            BOOST_TEST_REQUIRE(architecture.has_value());
            BOOST_TEST_INFO(row.count << " x " << row.accelerator << ", " << models[cell] << " "
                                      << types[cell]);
            BOOST_TEST(fits(document, *architecture, row.accelerator, row.count) == row.runs[cell]);
        }
    }
}

BOOST_AUTO_TEST_SUITE_END()
