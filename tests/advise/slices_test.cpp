// Copies of a small model in the MIG slices of a card, and what a limit of rent leaves.
#include "advise/advise.h"
#include "advise/reading/reading.h"
#include "spec/mig.h"
#include "tests/released.h"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <string>

using namespace ridgeline;
namespace tt = boost::test_tools;

namespace {

using released::catalog;
using released::profiles;
using released::root;

Advice ask(const std::string& question, std::vector<std::string> accelerators = {}) {
    auto reading = read_question(question, Vocabulary{catalog(), profiles()});
    BOOST_TEST_REQUIRE(reading.has_value());
    Query query = query_of(*reading);
    query.accelerators = std::move(accelerators);
    query.top = 100;
    const auto architecture = load_model(root + "/profiles", query.model_text);
    BOOST_TEST_REQUIRE(architecture.has_value());
    const auto advice = advise(query, *architecture, {catalog(), profiles()});
    BOOST_TEST_REQUIRE(advice.has_value());
    return *advice;
}

const Option* sliced(const Advice& advice) {
    const auto found = std::ranges::find_if(
        advice.options, [](const Option& option) { return is_slice(*option.cluster.accelerator); });
    return found == advice.options.end() ? nullptr : &*found;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(slices)

// The guide's profiles of every card that has any: shares below one, as many as fit eight parts of
// memory, and the whole card as the last.
BOOST_AUTO_TEST_CASE(the_catalog_lists_every_profile_with_its_share) {
    int cards = 0;
    for (const Accelerator& part : catalog().accelerators) {
        if (part.mig_profiles.empty()) {
            continue;
        }
        ++cards;
        BOOST_TEST_INFO(part.id);
        BOOST_TEST(part.mig_instances.value_or(0) >= 2);
        BOOST_TEST(part.mig_profiles.front().instances == *part.mig_instances);
        BOOST_TEST(part.mig_profiles.back().memory_fraction == 1.0);
        for (const MigProfile& profile : part.mig_profiles) {
            BOOST_TEST_INFO(profile.name);
            BOOST_TEST(profile.instances * profile.memory_fraction <= 1.0);
            BOOST_TEST(profile.instances * profile.compute_fraction <= 1.001);  // sevenths, rounded
            if (part.visible_memory) {
                BOOST_TEST((slice_of(part, profile).capacity() <= part.capacity()));
            }
        }
    }
    BOOST_TEST(cards == 16);
}

// nvidia-smi mig -lgip of an H200: 16 of 132 multiprocessors and 16.00 GiB.
BOOST_AUTO_TEST_CASE(a_slice_is_what_its_driver_lists) {
    const Accelerator* slice = catalog().accelerator("h200-sxm-141gb/1g.18gb");
    BOOST_TEST_REQUIRE(slice != nullptr);
    BOOST_TEST(slice->units.value_or(0) == 16);
    BOOST_TEST((slice->capacity() / gibibyte) == 16.0);
    BOOST_TEST(slices_of_card(*slice) == 7);
}

// A 1B model leaves a card idle between the kernels of its steps: seven copies use it better.
BOOST_AUTO_TEST_CASE(slices_are_proposed_where_asked_for_and_hold_whole_copies) {
    const Advice advice = ask("serve llama-3.2-1b for 64 users with mig", {"h100-sxm5-80gb"});
    const Option* option = sliced(advice);
    BOOST_TEST_REQUIRE(option != nullptr);
    const Plan& plan = option->workload.plan;
    BOOST_TEST(plan.tensor * plan.pipeline == 1);
    BOOST_TEST(plan.data == option->cluster.count);
    BOOST_TEST(option->estimate.memory.fits);
    // The rent is that of the cards, not of the slices.
    const auto whole = std::ranges::find_if(advice.options, [](const Option& other) {
        return !is_slice(*other.cluster.accelerator) && other.cluster.count == 1;
    });
    BOOST_TEST_REQUIRE((whole != advice.options.end()));
    const int cards = cards_of(*option->cluster.accelerator, option->cluster.count);
    BOOST_TEST(option->estimate.cost.usd_per_hour == cards * whole->estimate.cost.usd_per_hour,
               tt::tolerance(1e-9));
    BOOST_TEST(option->purchase_usd.value_or(-1) == whole->purchase_usd.value_or(-2) * cards,
               tt::tolerance(1e-9));
}

BOOST_AUTO_TEST_CASE(without_being_asked_for_slices_must_be_worth_it) {
    for (const char* question :
         {"serve llama-3.2-1b for 64 users", "serve llama-3.1-8b for 16 users",
          "greenest way to serve llama-3.2-3b for 32 users"}) {
        const Advice advice = ask(question);
        for (const Option& option : advice.options) {
            if (!is_slice(*option.cluster.accelerator)) {
                continue;
            }
            const std::string card(card_of(option.cluster.accelerator->id));
            for (const Option& other : advice.options) {
                if (other.cluster.accelerator->id == card) {
                    BOOST_TEST(option.value.value() < other.value.value_or(1e300), card);
                }
            }
        }
    }
    // One user keeps one slice busy and pays the card.
    BOOST_TEST((sliced(ask("serve llama-3.2-1b for 1 user")) == nullptr));
}

// $1 an hour rents nothing that holds 405B: the cheapest that does is the nearest miss, with the
// model spread over it.
BOOST_AUTO_TEST_CASE(the_nearest_miss_of_a_rent_is_the_cheapest_that_fits) {
    const Advice poor = ask("serve llama-3.1-405b for $1 per hour");
    BOOST_TEST(poor.options.empty());
    BOOST_TEST_REQUIRE(!poor.near_misses.empty());
    BOOST_TEST(poor.near_misses.front().reason == "over_budget");
    const Advice rich = ask("serve llama-3.1-405b");
    double cheapest = 1e300;
    for (const Option& option : rich.options) {
        if (option.estimate.cost.offer) {
            cheapest = std::min(cheapest, option.estimate.cost.usd_per_hour);
        }
    }
    BOOST_TEST(poor.near_misses.front().excess == cheapest - 1, tt::tolerance(1e-6));
}

BOOST_AUTO_TEST_SUITE_END()
