#include "advise/hardware/cluster.h"
#include "advise/plans/plan_search.h"
#include "advise/plans/polish.h"
#include "advise/ranking/rank.h"
#include "advise/search/search.h"
#include "estimate/resolve/resolve.h"
#include "estimate/time/collective.h"
#include "estimate/time/device.h"
#include "tests/released.h"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <string>
#include <tuple>
#include <vector>

// Which plan, count and part of several is recommended for a run of training.

using namespace ridgeline;

namespace {

using released::catalog;
using released::profiles;

Knowledge knowledge_of_release() { return {catalog(), profiles(), "2026-11-21"}; }

Query run_from_scratch(double tokens) {
    Query query;
    query.workload.method = Method::full;
    query.workload.duration_tokens = tokens;
    return query;
}

struct ChosenRun {
    std::string part;
    int count;
    double usd, days;
    int tensor = 1;
};

/// The parts in the order of `rank`, of runs whose ranges overlap (0.7 to 1.5).
std::vector<std::tuple<std::string, int>> ranked(const std::vector<ChosenRun>& runs) {
    const Query query = run_from_scratch(1e12);
    const Architecture architecture = *typical_architecture("7b");
    const Search search = make_search(query, architecture, knowledge_of_release());
    std::vector<Option> options;
    for (const ChosenRun& run : runs) {
        Option option;
        option.cluster = make_cluster(catalog(), *catalog().accelerator(run.part), run.count);
        option.workload.plan.tensor = run.tensor;
        option.workload.plan.data = run.count / run.tensor;
        option.estimate.memory.fits = true;
        option.estimate.memory.verdict = FitVerdict::yes;
        option.estimate.memory.capacity = option.cluster.accelerator->capacity();
        option.estimate.time.band = {.low = 0.7, .high = 1.5, .evidence_rows = 9, .kind = ""};
        option.estimate.time.total = run.days * day;
        option.estimate.cost.usd_total = run.usd;
        option.value = run.usd;
        options.push_back(std::move(option));
    }
    rank(search, options);
    std::vector<std::tuple<std::string, int>> order;
    for (const Option& option : options) {
        order.emplace_back(option.cluster.accelerator->id, option.cluster.count);
    }
    return order;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(training_choice)

// A tie between parts goes to the simpler plan; two counts of one part err alike, so that the
// cheaper stays first.
BOOST_AUTO_TEST_CASE(a_larger_count_of_the_same_part_is_no_simpler) {
    const auto order =
        ranked({{"h100-sxm5-80gb", 512, 3.90e6, 46, 4}, {"h100-sxm5-80gb", 1024, 4.05e6, 24, 1}});
    BOOST_TEST(std::get<1>(order.front()) == 512);
}

BOOST_AUTO_TEST_CASE(what_is_slower_and_dearer_is_never_first) {
    // A simple plan on as many of a part that is both.
    const auto order = ranked({{"h200-sxm-141gb", 64, 100, 10, 2}, {"mi300x", 64, 110, 40, 1}});
    BOOST_TEST(std::get<0>(order.front()) == "h200-sxm-141gb");
}

BOOST_AUTO_TEST_CASE(hardly_dearer_and_faster_goes_first) {
    const auto near =
        ranked({{"a100-sxm4-40gb", 64, 182434, 43.3}, {"h100-sxm5-80gb", 64, 185677, 17.6}});
    BOOST_TEST(std::get<0>(near.front()) == "h100-sxm5-80gb");
    const auto far =
        ranked({{"a100-sxm4-40gb", 64, 182434, 43.3}, {"b200-sxm-180gb", 64, 225286, 10.3}});
    BOOST_TEST(std::get<0>(far.front()) == "a100-sxm4-40gb");
}

// A run of 1 T tokens: 0.58 x (1e12)^0.571 = 4.1e6 tokens, 1,024 samples of 4,096 to the nearest
// power of two.
BOOST_AUTO_TEST_CASE(the_batch_follows_the_length_of_the_run) {
    const Architecture architecture = *typical_architecture("7b");
    for (const auto& [tokens, batch] :
         {std::pair{1e12, 1024}, std::pair{15e12, 4096}, std::pair{10e9, 64}}) {
        const Query query = run_from_scratch(tokens);
        BOOST_TEST(make_search(query, architecture, knowledge_of_release())
                       .document.global_batch.value_or(0) == batch);
    }
}

BOOST_AUTO_TEST_CASE(counts_follow_the_work) {
    const Accelerator& part = *catalog().accelerator("h100-sxm5-80gb");
    const Architecture large = *typical_architecture("405b");
    const Query years = run_from_scratch(15e12);
    // 3.6e25 operations take 2,900 cards a year at 4e14 a second; eight times that are looked at,
    // 16,384 at most.
    BOOST_TEST(counts_for(make_search(years, large, knowledge_of_release()), part).back() == 16384);
    Query stated = run_from_scratch(1e12);
    stated.workload.data = 32;
    stated.workload.tensor = 2;
    const auto counts = counts_for(make_search(stated, large, knowledge_of_release()), part);
    BOOST_TEST(counts == std::vector<int>{64}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(polished_plans_are_as_good_and_simpler) {
    const Calibration& calibration = profiles().calibration;
    const SoftwareProfile& software = *profiles().software_profile("megatron");
    for (const auto& [model, part, count] : {std::tuple{"llama-3.1-405b", "h100-sxm5-80gb", 4096},
                                             std::tuple{"deepseek-v3", "h800-sxm5-80gb", 2048},
                                             std::tuple{"llama-3.1-70b", "a100-sxm4-40gb", 256}}) {
        const Architecture architecture = *load_model(released::root + "/profiles", model);
        const Cluster cluster = make_cluster(catalog(), *catalog().accelerator(part), count);
        WorkloadDocument document;
        document.method = Method::full;
        document.global_batch = 4096;
        document.sequence_length = 4096;
        const Workload base = resolve(document, architecture, software, count)->workload;
        const DeviceModel device = device_model(*cluster.accelerator, calibration);
        const LinkModel links = link_model(cluster, calibration);
        const auto input = [&](const Workload& workload) {
            return EstimateInput{architecture, workload,    cluster, software,
                                 device,       calibration, &links};
        };
        const double room = share_left_free(input(base));
        const PlanFreedom free;
        const PlanSearch search =
            search_plans(input(base), usual_space(base, architecture, software, cluster, free),
                         {.objective = Objective::time, .comfortable = room});
        BOOST_REQUIRE(search.best);
        const Workload found = with_plan(base, *search.best);
        const Workload better = polished(input(found), free);
        const auto pace = [&](const Workload& workload) {
            return estimate_time(input(workload)).step / second / workload.batch.global;
        };
        BOOST_TEST(check_plan(architecture, better, cluster).has_value());
        BOOST_TEST(pace(better) <= 1.02 * pace(found));
        BOOST_TEST(better.plan.pipeline <= found.plan.pipeline);
        const MemoryEstimate memory = estimate_memory(input(better));
        const MemoryEstimate before = estimate_memory(input(found));
        BOOST_TEST((memory.headroom() >= memory.capacity * room ||
                    !(before.headroom() >= before.capacity * room)));
        // Full sharding stays within the ranks over which that was measured.
        BOOST_TEST((better.plan.sharding != Sharding::zero3 || better.plan.data <= 512));
    }
}

BOOST_AUTO_TEST_SUITE_END()
