#include <boost/test/unit_test.hpp>

#include <set>

#include "calibrate/product_fit.h"
#include "calibrate/statistics.h"
#include "data/load.h"
#include "estimate/roofline.h"

using namespace ridgeline;

namespace {

std::vector<ProductSample> samples_of(const std::vector<EvidenceRow>& rows,
                                      const std::string& accelerator,
                                      ComputeType type) {
    std::vector<ProductSample> samples;
    for (const EvidenceRow& row : rows) {
        if (row.quantity != "gemm" || row.accelerator != accelerator || !row.time_us ||
            row.workload.compute != type || row.id.find("aic") == std::string::npos) {
            continue;
        }
        const Kernel& kernel = *row.workload.kernel;
        const GemmShape shape{.m = kernel.m, .n = kernel.n, .k = kernel.k};
        ProductSample sample;
        sample.work = shape.flops();
        sample.traffic = gemm_traffic(type, shape);
        sample.time = *row.time_us * microsecond;
        sample.site = std::to_string(kernel.n) + "x" + std::to_string(kernel.k);
        samples.push_back(sample);
    }
    return samples;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(published_fit)

/// Published bf16 tables of parts with at least 30 shapes: weights that a fit never saw are
/// predicted within 7 % (median over the parts).
BOOST_AUTO_TEST_CASE(unseen_weights_of_published_tables_are_predicted) {
    const Catalog catalog = load_catalog(RIDGELINE_SOURCE_DIR "/catalog").value();
    const auto rows = load_evidence(RIDGELINE_SOURCE_DIR "/tests/evidence/gemm.json");
    BOOST_REQUIRE(rows.has_value());
    std::set<std::string> parts;
    for (const EvidenceRow& row : *rows) {
        parts.insert(row.accelerator);
    }
    std::vector<double> holdouts;
    for (const std::string& part : parts) {
        const Accelerator& entry = *catalog.accelerator(part);
        const auto samples = samples_of(*rows, part, ComputeType::bf16);
        if (samples.size() < 30) {
            continue;
        }
        const auto fit = fit_products(
            samples, ComputeType::bf16, *entry.peak(ComputeType::bf16), entry.memory_bandwidth);
        BOOST_REQUIRE_MESSAGE(fit.has_value(), part);
        BOOST_TEST_MESSAGE(part << ": unseen " << fit->errors.holdout_median);
        BOOST_TEST(fit->compute_fraction > 0.5, part);
        BOOST_TEST(fit->quality != "poor", part);
        holdouts.push_back(fit->errors.holdout_median);
    }
    BOOST_TEST(holdouts.size() >= 5U);
    BOOST_TEST(median(holdouts) <= 0.075);
}

BOOST_AUTO_TEST_SUITE_END()
