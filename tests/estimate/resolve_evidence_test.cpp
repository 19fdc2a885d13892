// Every measured run of a transformer becomes a complete, legal workload: what a framework ran is
// never refused as contradictory.
#include "estimate/estimate.h"
#include "estimate/resolve/resolve.h"
#include "tests/released.h"

#include <boost/test/unit_test.hpp>

#include <string>

using namespace ridgeline;

BOOST_AUTO_TEST_SUITE(resolve_evidence)

BOOST_AUTO_TEST_CASE(every_row_is_complete_and_legal) {
    int rows_seen = 0;
    for (const char* name : {"memory", "train_time", "inference", "vision"}) {
        const auto rows = load_evidence(released::root + "/tests/evidence/" + name + ".json");
        BOOST_TEST_REQUIRE(rows.has_value());
        for (const EvidenceRow& row : *rows) {
            const WorkloadDocument& document = row.workload;
            const std::string framework = document.framework.value_or("generic");
            const SoftwareProfile* software = released::profiles().software_profile(framework);
            BOOST_TEST_REQUIRE((software != nullptr), framework);
            BOOST_TEST_REQUIRE(document.architecture.has_value(), row.id);
            const auto result = resolve(document, *document.architecture, *software, row.count);
            BOOST_TEST(result.has_value(),
                       row.id + (result ? std::string() : ": " + result.error().text()));
            if (!result) {
                continue;
            }
            Cluster cluster;
            cluster.count = row.count;
            cluster.per_node = row.per_node;
            const auto legal = check_plan(*document.architecture, result->workload, cluster);
            BOOST_TEST(legal.has_value(),
                       row.id + (legal ? std::string() : ": " + legal.error().text()));
            ++rows_seen;
        }
    }
    BOOST_TEST(rows_seen == 2108);
}

BOOST_AUTO_TEST_SUITE_END()
