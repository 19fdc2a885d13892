// Several workloads on one card: memory adds up, time is shared, slices must fit together.
#include "advise/validation/sharing.h"

#include "samples.h"
#include "spec/mig.h"

#include <boost/test/unit_test.hpp>

using namespace ridgeline;
namespace tt = boost::test_tools;

namespace {

struct Card {
    Accelerator part = samples::h100();
    std::vector<Accelerator> slices;

    Card() {
        part.mig_profiles = {{.name = "1g.10gb",
                              .compute_fraction = 1.0 / 7,
                              .memory_fraction = 1.0 / 8,
                              .visible_memory = {},
                              .instances = 7},
                             {.name = "3g.40gb",
                              .compute_fraction = 3.0 / 7,
                              .memory_fraction = 0.5,
                              .visible_memory = {},
                              .instances = 2},
                             {.name = "4g.40gb",
                              .compute_fraction = 4.0 / 7,
                              .memory_fraction = 0.5,
                              .visible_memory = {},
                              .instances = 1}};
        slices = slices_of({part});
    }
    [[nodiscard]] bool fit(std::initializer_list<int> chosen) const {
        std::vector<const Accelerator*> list;
        for (const int i : chosen) {
            list.push_back(&slices[static_cast<std::size_t>(i)]);
        }
        return slices_fit_together(list, part);
    }
};

SharedWorkload with(double gib, double step_ms, double host_ms) {
    SharedWorkload shared;
    shared.alone.memory.process = gib * gibibyte;
    shared.alone.time.step = step_ms * millisecond;
    shared.alone.time.components = {{"decode products", (step_ms - host_ms) * millisecond, {}},
                                    {"decode host", host_ms * millisecond, Bound::overhead}};
    return shared;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(sharing)

BOOST_AUTO_TEST_CASE(memory_adds_up_and_time_is_shared) {
    const Card card;
    Cluster cluster;
    cluster.accelerator = &card.part;
    // Busy 80 % and 60 % of their own time: 1.4 cards' worth.
    const SharedCard two = share_card(cluster, {with(30, 10, 2), with(40, 10, 4)});
    BOOST_TEST((two.needed / gibibyte) == 70.0);
    BOOST_TEST(two.fits);
    BOOST_TEST(two.demand == 1.4, tt::tolerance(1e-9));
    BOOST_TEST(two.stretch() == 1.4, tt::tolerance(1e-9));
    // 79.6 GiB do not hold 90; two that are busy 40 % each do not wait.
    const SharedCard idle = share_card(cluster, {with(50, 10, 6), with(40, 10, 6)});
    BOOST_TEST(!idle.fits);
    BOOST_TEST(idle.stretch() == 1.0);
}

BOOST_AUTO_TEST_CASE(a_runtime_that_claims_a_share_is_told_which) {
    const Card card;
    Cluster cluster;
    cluster.accelerator = &card.part;
    SharedWorkload claims = with(20, 10, 1);
    claims.alone.memory.unclaimed = 8 * gibibyte;
    const SharedCard shared = share_card(cluster, {claims, with(20, 10, 1)});
    BOOST_TEST(shared.workloads[0].claim == 20 / (81559 / 1024.0), tt::tolerance(1e-9));
    BOOST_TEST(shared.workloads[1].claim == 0.0);
}

BOOST_AUTO_TEST_CASE(slices_share_seven_of_compute_and_eight_of_memory) {
    const Card card;
    BOOST_TEST(card.fit({0, 0, 0, 0, 0, 0, 0}));
    BOOST_TEST(!card.fit({0, 0, 0, 0, 0, 0, 0, 0}));
    BOOST_TEST(card.fit({1, 2}));  // 3 + 4 of 7, 4 + 4 of 8
    BOOST_TEST(card.fit({1, 0, 0, 0}));
    BOOST_TEST(!card.fit({1, 1, 0}));  // 8 of 8 memory slices are gone
    BOOST_TEST(!card.fit({2, 2}));
    const Accelerator* none[] = {nullptr};
    BOOST_TEST(!slices_fit_together(none, card.part));
}

BOOST_AUTO_TEST_SUITE_END()
