// The published training steps of tests/evidence against the predictions: the error table that the
// project has reached, which no change may make worse.
#include "advise/validation/validate.h"
#include "tests/released.h"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <string>
#include <vector>

using namespace ridgeline;

BOOST_AUTO_TEST_SUITE(training_evidence)

namespace {

struct Compared {
    RelativeError error;
    std::string accelerator;
};

struct Comparison {
    std::vector<Compared> rows;
    int skipped = 0;
};

const Comparison& comparison() {
    static const Comparison result = [] {
        const auto rows = load_evidence(released::root + "/tests/evidence/train_time.json");
        BOOST_REQUIRE(rows.has_value());
        Comparison found;
        for (const EvidenceRow& row : *rows) {
            const auto metrics = metrics_of(row.quantity, row.measured, row.workload, row.count);
            if (!metrics || metrics->empty() || !row.workload.architecture) {
                ++found.skipped;
                continue;
            }
            const Metric& metric = metrics->front();
            auto workload = row.workload;
            if (workload.framework && !row.release.empty()) {
                *workload.framework += "@" + row.release;
            }
            const auto prediction = predict({.id = row.id,
                                             .quantity = row.quantity,
                                             .group = row.group,
                                             .quality = row.quality,
                                             .workload = workload,
                                             .architecture = *row.workload.architecture,
                                             .accelerator = row.accelerator,
                                             .count = row.count,
                                             .per_node = row.per_node,
                                             .fabric = row.fabric,
                                             .metric = metric.name,
                                             .counter = "",
                                             .measured = metric.value},
                                            released::catalog(), released::profiles());
            BOOST_TEST_CONTEXT(row.id) { BOOST_TEST_REQUIRE(prediction.has_value()); }
            RelativeError error;
            error.group = row.group;
            error.error = prediction->predicted / metric.value - 1;
            error.inside = metric.value >= prediction->low && metric.value <= prediction->high;
            error.framework = row.workload.framework.value_or("");
            found.rows.push_back({error, row.accelerator});
        }
        return found;
    }();
    return result;
}

template <typename Keep>
ErrorSummary summary_of(Keep keep) {
    std::vector<RelativeError> errors;
    for (const Compared& row : comparison().rows) {
        if (keep(row)) {
            errors.push_back(row.error);
        }
    }
    return summarize("train_time", errors);
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_row_with_a_step_is_expressed) {
    // Two rows state the time to train alone.
    BOOST_TEST(comparison().skipped <= 2);
    BOOST_TEST(comparison().rows.size() >= 500u);
}

BOOST_AUTO_TEST_CASE(all_training_steps) {
    const ErrorSummary all = summary_of([](const Compared&) { return true; });
    BOOST_TEST(all.median_abs_error <= 0.08);
    BOOST_TEST(all.p90_abs_error <= 0.24);
    BOOST_TEST(all.coverage >= 0.88);
}

BOOST_AUTO_TEST_CASE(megatron_family_on_h100) {
    const ErrorSummary h100 = summary_of([](const Compared& row) {
        return row.error.framework == "nemo" && row.accelerator == "h100-sxm5-80gb";
    });
    BOOST_TEST(h100.rows >= 100);
    BOOST_TEST(h100.median_abs_error <= 0.05);
}

BOOST_AUTO_TEST_SUITE_END()
