#include "calibrate/product_fit.h"
#include "calibrate/statistics.h"
#include "estimate/time/device.h"
#include "estimate/time/roofline.h"
#include "tests/released.h"

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <set>

using namespace ridgeline;

namespace {

/// A timed product with its shape.
struct PublishedProduct : ProductSample {
    GemmShape shape;
};

std::vector<PublishedProduct> samples_of(const std::vector<EvidenceRow>& rows,
                                         const std::string& accelerator, int units,
                                         ComputeType type) {
    std::vector<PublishedProduct> samples;
    for (const EvidenceRow& row : rows) {
        if (row.quantity != "gemm" || row.accelerator != accelerator || !row.measured.time_us ||
            row.workload.compute != type || row.id.find("aic") == std::string::npos) {
            continue;
        }
        const Kernel& kernel = *row.workload.kernel;
        const GemmShape shape{.m = kernel.m, .n = kernel.n, .k = kernel.k};
        PublishedProduct sample;
        sample.shape = shape;
        sample.work = shape.flops();
        sample.traffic = gemm_traffic(type, shape);
        sample.full_waves = full_wave_work(shape, units);
        sample.time = *row.measured.time_us * microsecond;
        sample.site = std::to_string(kernel.n) + "x" + std::to_string(kernel.k);
        samples.push_back(sample);
    }
    return samples;
}

/// Time that a fit gives for a product.
Seconds fitted_time(const FittedProducts& fit, const ProductSample& sample, FlopsPerSecond peak,
                    BytesPerSecond bandwidth) {
    const double quantize = fit.quantize_fraction > 0
                                ? (sample.quantized / bandwidth).base() / fit.quantize_fraction
                                : 0;
    const Flops idle = std::max(Flops{}, sample.full_waves - sample.work);
    const Flops work = sample.work + fit.wave_share * idle;
    return fit.overhead +
           (std::hypot((work / peak).base() / fit.compute_fraction,
                       (sample.traffic / bandwidth).base() / fit.bandwidth_fraction) +
            quantize) *
               second;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(published_fit)

/// Published bf16 tables of parts with at least 30 shapes: weights that a fit never saw are
/// predicted within 7 % (median over the parts).
BOOST_AUTO_TEST_CASE(unseen_weights_of_published_tables_are_predicted) {
    const Catalog& catalog = released::catalog();
    const auto rows = load_evidence(released::root + "/tests/evidence/gemm.json");
    BOOST_REQUIRE(rows.has_value());
    std::set<std::string> parts;
    for (const EvidenceRow& row : *rows) {
        parts.insert(row.accelerator);
    }
    std::vector<double> holdouts;
    for (const std::string& part : parts) {
        const Accelerator& entry = *catalog.accelerator(part);
        const auto samples = samples_of(*rows, part, entry.units.value_or(0), ComputeType::bf16);
        if (samples.size() < 30) {
            continue;
        }
        const std::vector<ProductSample> all(samples.begin(), samples.end());
        const auto fit = fit_products(all, ComputeType::bf16, *entry.peak(ComputeType::bf16),
                                      entry.memory_bandwidth);
        BOOST_REQUIRE_MESSAGE(fit.has_value(), part);
        BOOST_TEST_MESSAGE(part << ": unseen " << fit->errors.holdout_median);
        BOOST_TEST(fit->compute_fraction > 0.5, part);
        BOOST_TEST(fit->quality != "poor", part);
        holdouts.push_back(fit->errors.holdout_median);
    }
    BOOST_TEST(holdouts.size() >= 5U);
    BOOST_TEST(median(holdouts) <= 0.07);
}

/// What a calibration is for: a fit to half of a part's weights predicts the other half better than
/// what is assumed of a part without figures of its own, its chip's or its architecture's. (The
/// published rows are fits to all of these weights: shown, not compared.)
BOOST_AUTO_TEST_CASE(a_calibration_beats_what_is_assumed) {
    const Catalog& catalog = released::catalog();
    const Calibration& published = released::profiles().calibration;
    const auto rows = load_evidence(released::root + "/tests/evidence/gemm.json").value();
    std::vector<double> before;
    std::vector<double> after;
    for (const char* part : {"a100-sxm4-80gb", "h100-sxm5-80gb", "h200-sxm-141gb", "b300-sxm",
                             "gb200-gpu", "rtx-pro-6000-bw-server"}) {
        const Accelerator& entry = *catalog.accelerator(part);
        const auto samples = samples_of(rows, part, entry.units.value_or(0), ComputeType::bf16);
        std::set<std::string> sites;
        for (const PublishedProduct& sample : samples) {
            sites.insert(sample.site);
        }
        std::vector<ProductSample> seen;
        std::vector<PublishedProduct> unseen;
        for (const PublishedProduct& sample : samples) {
            const auto place = std::distance(sites.begin(), sites.find(sample.site));
            if (place % 2 == 0) {
                seen.push_back(sample);
            } else {
                unseen.push_back(sample);
            }
        }
        const FlopsPerSecond peak = *entry.peak(ComputeType::bf16);
        const auto fit = fit_products(seen, ComputeType::bf16, peak, entry.memory_bandwidth);
        if (!fit) {  // half of the weights of one part stay in its cache
            continue;
        }
        Calibration others = published;
        std::erase_if(others.kernels, [&](const KernelCalibration& row) {
            return row.accelerator == part || (!row.chip.empty() && row.chip == entry.chip) ||
                   (!row.architecture.empty() && row.architecture == entry.architecture);
        });
        const DeviceModel known = device_model(entry, others);
        const DeviceModel best = device_model(entry, published);
        std::vector<double> old_errors;
        std::vector<double> own_errors;
        std::vector<double> published_errors;
        for (const PublishedProduct& sample : unseen) {
            const auto error = [&](Seconds predicted) {
                return std::abs(predicted / sample.time - 1);
            };
            old_errors.push_back(error(gemm_time(known, ComputeType::bf16, sample.shape).time));
            published_errors.push_back(
                error(gemm_time(best, ComputeType::bf16, sample.shape).time));
            own_errors.push_back(error(fitted_time(*fit, sample, peak, entry.memory_bandwidth)));
        }
        BOOST_TEST_MESSAGE(part << ": assumed " << median(old_errors) << ", published "
                                << median(published_errors) << ", calibrated on half "
                                << median(own_errors));
        before.push_back(median(old_errors));
        after.push_back(median(own_errors));
    }
    BOOST_TEST(after.size() >= 5U);
    BOOST_TEST(median(after) < median(before));
}

BOOST_AUTO_TEST_SUITE_END()
