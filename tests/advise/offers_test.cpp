#include "advise/hardware/offers.h"

#include "advise/advise.h"
#include "advise/hardware/cluster.h"
#include "advise/hardware/listings.h"
#include "advise/hardware/ownership.h"
#include "advise/purchase/budget.h"
#include "advise/ranking/compare.h"
#include "advise/search/search.h"
#include "tests/advise/samples.h"
#include "tests/released.h"

#include <boost/test/unit_test.hpp>

#include <algorithm>

// What may be recommended, and that every answer takes the same price.

using namespace ridgeline;
using boost::test_tools::tolerance;

namespace {

using released::catalog;
using released::profiles;
using released::root;
Knowledge next_day() { return {catalog(), profiles(), "2026-11-22"}; }

Query lora_of_8b() {
    Query query;
    query.model_text = "8b";
    query.workload.task = Task::train;
    query.workload.method = Method::lora;
    query.workload.has_lora = true;
    query.top = 1000;
    return query;
}

Query serving(double concurrency) {
    Query query;
    query.workload.task = Task::inference;
    query.workload.serving = Serving{};
    query.workload.serving->concurrency = concurrency;
    query.top = 1000;
    return query;
}

const Rejection* rejected(const Advice& advice, const char* part, int count) {
    for (const Rejection& rejection : advice.rejections) {
        if (rejection.accelerator == part && rejection.count == count) {
            return &rejection;
        }
    }
    return nullptr;
}

bool offered(const Advice& advice, const char* part, int count) {
    return std::any_of(advice.options.begin(), advice.options.end(), [&](const Option& option) {
        return option.cluster.accelerator->id == part && option.cluster.count == count;
    });
}

}  // namespace

BOOST_AUTO_TEST_SUITE(what_can_be_had)

BOOST_AUTO_TEST_CASE(single_instances_make_no_machine) {
    Catalog catalog = samples::catalog();
    catalog.offers = {samples::offer("one", "h100-sxm5-80gb", 1, 3.0)};
    const Accelerator& h100 = *catalog.accelerator("h100-sxm5-80gb");
    BOOST_TEST(cheapest_offer(catalog, {}, h100, 2, 2) == nullptr);
    BOOST_TEST(unobtainable(catalog, {}, h100, 1, 1).empty());
    BOOST_TEST(unobtainable(catalog, {}, h100, 2, 2) ==
               "no offer of 2 on one machine is known, only of 1");
    BOOST_TEST(unobtainable(catalog, {}, *catalog.accelerator("mi300x"), 8, 8) == "no offer known");
}

BOOST_AUTO_TEST_CASE(whole_machines_serve_several_nodes_but_not_halves) {
    const Catalog catalog = samples::catalog();
    const Accelerator& h100 = *catalog.accelerator("h100-sxm5-80gb");
    BOOST_TEST(unobtainable(catalog, {}, h100, 8, 8).empty());
    BOOST_TEST(unobtainable(catalog, {}, h100, 32, 8).empty());
    BOOST_TEST(!unobtainable(catalog, {}, h100, 4, 4).empty());
    // Who asks for four rents eight.
    BOOST_TEST(unobtainable(catalog, {}, h100, 4, 4, true).empty());
    BOOST_TEST(cheapest_offer(catalog, {}, h100, 4, 4)->id == "p5.48xlarge");
}

BOOST_AUTO_TEST_CASE(cards_that_are_sold_one_by_one_have_each_count) {
    // RunPod on 2026-11-09: $3.99 for each of one to eight H100 of a pod.
    const Accelerator& h100 = *catalog().accelerator("h100-sxm5-80gb");
    Query runpod;
    runpod.provider = "runpod";
    for (int count = 1; count <= 8; ++count) {
        const Offer* offer = cheapest_offer(catalog(), runpod, h100, count, count);
        BOOST_REQUIRE(offer != nullptr);
        BOOST_TEST(offer->count == count);
        BOOST_TEST(offer->usd_per_hour == 3.99 * count, tolerance(1e-9));
        BOOST_TEST(unobtainable(catalog(), {}, h100, count, count).empty());
    }
    BOOST_TEST(cheapest_offer(catalog(), runpod, h100, 9, 9) == nullptr);
    // Nebius has machines of one and of eight: who wants four pays eight.
    Query nebius;
    nebius.provider = "nebius";
    BOOST_TEST(cheapest_offer(catalog(), nebius, h100, 4, 4)->usd_per_hour == 36.0,
               tolerance(1e-9));
    BOOST_TEST(!unobtainable(catalog(), nebius, h100, 4, 4).empty());
}

BOOST_AUTO_TEST_CASE(of_a_listing_each_count_is_not_another) {
    Catalog catalog = samples::catalog();
    catalog.offers = {samples::offer("card", "h100-sxm5-80gb", 1, 3.0),
                      samples::offer("card", "h100-sxm5-80gb", 2, 6.0),
                      samples::offer("card", "h100-sxm5-80gb", 4, 11.0)};
    catalog.offers[0].instance_type = "H100 x1";
    catalog.offers[1].instance_type = "H100 x2";
    catalog.offers[2].instance_type = "H100 x4";
    BOOST_TEST(same_listing(catalog.offers[0], catalog.offers[1]));
    BOOST_TEST(!same_listing(catalog.offers[0], catalog.offers[2]));
    BOOST_TEST(times_listed(catalog, *catalog.accelerator("h100-sxm5-80gb")) == 2);
}

BOOST_AUTO_TEST_CASE(a_price_of_long_ago_is_the_last_resort) {
    Catalog catalog = samples::catalog();
    catalog.offers_date = "2026-11-09";
    catalog.offers = {samples::offer("old", "h100-sxm5-80gb", 1, 1.0),
                      samples::offer("new", "h100-sxm5-80gb", 1, 3.0)};
    catalog.offers[0].date = "2026-08-10";
    catalog.offers[1].date = "2026-08-11";  // 90 days
    const Accelerator& h100 = *catalog.accelerator("h100-sxm5-80gb");
    BOOST_TEST(current_since(catalog) == "2026-08-11");
    BOOST_TEST(cheapest_offer(catalog, {}, h100, 1, 1)->id == "new");
    catalog.offers.pop_back();
    BOOST_TEST(cheapest_offer(catalog, {}, h100, 1, 1)->id == "old");
}

BOOST_AUTO_TEST_CASE(trays_of_a_rack_are_joined) {
    const Accelerator& gb200 = *catalog().accelerator("gb200-gpu");
    const Offer* tray = cheapest_offer(catalog(), {}, gb200, 8, 8);
    BOOST_REQUIRE(tray != nullptr);
    BOOST_TEST(tray->count == 4);
}

BOOST_AUTO_TEST_CASE(a_machine_of_one_cloud_is_not_priced_by_another) {
    for (const Machine& machine : catalog().machines) {
        if (!machine.provider) {
            continue;
        }
        const Accelerator& part = *catalog().accelerator(machine.accelerator);
        for (const char* kind : {"", "on_demand", "spot"}) {
            Query query;
            query.price_kind = kind;
            const Offer* offer = cheapest_offer(catalog(), query, part, machine.accelerators,
                                                machine.accelerators, &machine);
            if (offer != nullptr) {
                BOOST_TEST(machine.id.rfind(offer->provider, 0) == 0U, machine.id);
                BOOST_TEST(offer->count == machine.accelerators, machine.id);
            }
        }
    }
    // Lists of 2026-06-18 and 2026-08-03.
    const auto price = [](const char* id) {
        const Machine& machine = *catalog().machine(id);
        const Accelerator& part = *catalog().accelerator(machine.accelerator);
        Query query;
        query.region = machine.id.rfind("azure", 0) == 0 ? "eastus" : "";
        return cheapest_offer(catalog(), query, part, 8, 8, &machine)->usd_per_hour;
    };
    // Azure lists two of that size in eastus on 2026-06-18, with and without InfiniBand.
    BOOST_TEST(price("azure-nd96isr-h100-v5") == 98.32, tolerance(1e-3));
    BOOST_TEST(price("azure-nd96is-h100-v5") == 88.488, tolerance(1e-3));
    BOOST_TEST(price("gcp-a3-highgpu-8g") == 88.49, tolerance(1e-3));
    BOOST_TEST(price("aws-p5") == 55.04, tolerance(1e-9));
    Query spot;
    spot.price_kind = "spot";
    const Machine& p5 = *catalog().machine("aws-p5");
    const Accelerator& h100 = *catalog().accelerator("h100-sxm5-80gb");
    BOOST_TEST(cheapest_offer(catalog(), spot, h100, 8, 8, &p5) == nullptr);
}

BOOST_AUTO_TEST_CASE(caveats_are_read) {
    const Offer* marketplace = catalog().offer("tp-spheron-b200-marketplace");
    BOOST_REQUIRE(marketplace != nullptr);
    BOOST_REQUIRE(!marketplace->caveats.empty());
    BOOST_TEST(marketplace->caveats.front().find("likely spot") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(only_what_can_be_had_is_recommended) {
    const auto model = typical_architecture("70B");
    Query query = lora_of_8b();
    query.model_text = "70b";
    const auto advice = advise(query, *model, next_day());
    BOOST_REQUIRE(advice);
    BOOST_REQUIRE(!advice->options.empty());
    for (const Option& option : advice->options) {
        BOOST_TEST(option.unobtainable.empty(), option.cluster.accelerator->id);
    }
    BOOST_REQUIRE(rejected(*advice, "b100", 1) != nullptr);
    BOOST_TEST(rejected(*advice, "b100", 1)->reason == "no_offer");
    BOOST_REQUIRE(rejected(*advice, "mi325x", 2) != nullptr);  // sold as one or as eight
    BOOST_TEST(rejected(*advice, "mi325x", 2)->reason == "no_offer");
    // All of it on demand, behind what can be had and with the reason.
    query.all = true;
    const auto everything = advise(query, *model, next_day());
    BOOST_TEST(offered(*everything, "b100", 1));
    bool behind = false;
    for (const Option& option : everything->options) {
        BOOST_TEST((!behind || !option.unobtainable.empty()));
        behind = behind || !option.unobtainable.empty();
    }
    BOOST_TEST(behind);
}

BOOST_AUTO_TEST_CASE(a_card_that_somebody_owns_stays_one) {
    const auto model = typical_architecture("8B");
    Query query = lora_of_8b();
    query.workload.method = Method::qlora;
    query.accelerators = {"rtx-4090"};
    query.owned = true;
    const auto advice = advise(query, *model, next_day());
    BOOST_REQUIRE(advice);
    BOOST_REQUIRE(advice->options.size() == 1U);
    BOOST_TEST(advice->options.front().cluster.count == 1);
}

BOOST_AUTO_TEST_CASE(chips_that_wheels_left_behind_are_rejected_unless_named) {
    const auto model = typical_architecture("1B");
    Query query = lora_of_8b();
    const auto advice = advise(query, *model, next_day());
    BOOST_REQUIRE(advice);
    const Rejection* volta = rejected(*advice, "v100-sxm2-16gb", 1);
    BOOST_REQUIRE(volta != nullptr);
    BOOST_TEST(volta->reason == "unsupported_chip");
    BOOST_TEST(volta->message.find("7.0") != std::string::npos);
    query.accelerators = {"v100-sxm2-16gb"};
    const auto named = advise(query, *model, next_day());
    BOOST_REQUIRE(named);
    BOOST_TEST(offered(*named, "v100-sxm2-16gb", 1));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(serving_by_requests)

BOOST_AUTO_TEST_CASE(copies_need_requests_of_their_own) {
    Query one = serving(1);
    one.accelerators = {"h100-sxm5-80gb"};
    one.exact_accelerators = 8;
    const auto model = typical_architecture("8B");
    const auto advice = advise(one, *model, next_day());
    BOOST_REQUIRE(advice);
    for (const Option& option : advice->options) {
        BOOST_TEST(option.workload.plan.data == 1);
    }
    Query many = serving(256);
    many.accelerators = one.accelerators;
    many.exact_accelerators = 8;
    const auto busy = advise(many, *model, next_day());
    BOOST_REQUIRE(busy);
    BOOST_REQUIRE(!busy->options.empty());
    BOOST_TEST(busy->options.front().workload.plan.data > 1);
}

BOOST_AUTO_TEST_CASE(requests_in_flight_are_the_rate_times_their_time) {
    Query query = serving(1);
    query.requests_per_s = 20;
    query.ttft_s = 0.3;
    query.tpot_s = 0.05;
    query.workload.serving->output_tokens = 200;
    const auto model = typical_architecture("8B");
    const Search search = make_search(query, *model, next_day());
    // 20 requests/s x (0.3 s + 200 x 0.05 s) = 206
    BOOST_TEST(search.document.serving->concurrency == 206);
    query.workload.serving->concurrency = 32;  // said by the user
    BOOST_TEST(make_search(query, *model, next_day()).document.serving->concurrency == 32);
}

BOOST_AUTO_TEST_CASE(models_larger_than_a_machine_are_served_over_nodes) {
    struct Large {
        const char* model;
        int count;
    };
    for (const Large& large : {Large{"deepseek-v3", 32}, Large{"llama-3.1-405b", 16}}) {
        const auto model = load_model(root + "/profiles", large.model);
        BOOST_REQUIRE(model);
        Query query = serving(16);
        query.workload.weights = DType::bf16;
        query.workload.quantization = "none";
        query.accelerators = {"h100-sxm5-80gb"};
        query.exact_accelerators = large.count;
        const auto advice = advise(query, *model, next_day());
        BOOST_REQUIRE(advice);
        BOOST_REQUIRE_MESSAGE(!advice->options.empty(), large.model);
        const Plan& plan = advice->options.front().workload.plan;
        BOOST_TEST(plan.tensor * plan.pipeline * plan.data == large.count);
        BOOST_TEST(plan.pipeline > 1);
    }
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(one_price_everywhere)

// Rent: a part and a count cost the same in advise, own, budget and the comparison.
BOOST_AUTO_TEST_CASE(rent_of_every_part_and_count) {
    for (const Accelerator& part : catalog().accelerators) {
        for (const int count : {1, 2, 4, 8, 16}) {
            const Cluster cluster = make_cluster(catalog(), part, count);
            const Offer* offer = cheapest_offer(catalog(), {}, part, count, cluster.per_node);
            const auto owned = own(cluster, catalog(), {});
            if (!owned || offer == nullptr) {
                continue;
            }
            double least = 1e9;
            for (const RentedInstead& rented : owned->rented) {
                const bool old = rented.offer->date < current_since(catalog());
                if (rented.offer->kind == offer->kind &&
                    old == (offer->date < current_since(catalog()))) {
                    least = std::min(least, rented.usd_per_accelerator_hour * count);
                }
            }
            const int instances = (count + offer->count - 1) / offer->count;
            BOOST_TEST(least == instances * offer->usd_per_hour, tolerance(1e-9));
        }
        const Accelerator* parts[] = {&part};
        const Comparison comparison = compare(parts, catalog());
        const Offer* one = cheapest_offer(catalog(), {}, part, 1, 1);
        for (const ComparisonRow& row : comparison.rows) {
            if (row.metric->id == "usd_per_hour") {
                BOOST_TEST(row.values.front().has_value() == (one != nullptr));
                BOOST_TEST(row.values.front().value_or(0) ==
                           (one != nullptr ? one->usd_per_accelerator_hour() : 0));
            }
        }
    }
}

// Purchase: own, the comparison and the price of an option are the same figure.
BOOST_AUTO_TEST_CASE(purchase_of_every_part) {
    for (const Accelerator& part : catalog().accelerators) {
        const auto price = purchase_price(catalog(), part);
        const Accelerator* parts[] = {&part};
        for (const ComparisonRow& row : compare(parts, catalog()).rows) {
            if (row.metric->id == "usd_purchase") {
                BOOST_TEST(row.values.front().value_or(0) ==
                               (price && price->current ? price->usd_each : 0),
                           part.id);
            }
        }
        const auto owned = own(make_cluster(catalog(), part, 1), catalog(), {});
        BOOST_TEST(owned.has_value() == price.has_value(), part.id);
        if (owned) {
            BOOST_TEST(owned->inputs.price_usd == price->usd_each, part.id);
            BOOST_TEST(owned->price_low <= price->usd_each);
            BOOST_TEST(owned->price_high >= price->usd_each);
        }
    }
}

BOOST_AUTO_TEST_CASE(the_newest_price_of_a_new_part_is_taken) {
    const auto of = [](const char* id) {
        return *purchase_price(catalog(), *catalog().accelerator(id));
    };
    // Street prices of 2026, $40,000 to 43,000 and 40,000 to 50,000; a system of 2024-12 is older.
    BOOST_TEST(of("b200-sxm-180gb").usd_each == 41500);
    BOOST_TEST(of("b200-sxm-180gb").low == 40000);
    BOOST_TEST(of("b200-sxm-180gb").high == 50000);
    BOOST_TEST(of("b200-sxm-180gb").current);
    // New at $25,000 to 30,000 before used at 22,000 to 25,000.
    BOOST_TEST(of("h100-sxm5-80gb").usd_each == 27500);
    BOOST_TEST(!of("h100-sxm5-80gb").used);
    BOOST_TEST(of("rtx-4090").usd_each == 1900);  // two shops' guides of 2026: the lower middle
    BOOST_TEST(of("rtx-4090").high == 2800);
    BOOST_TEST(!of("rtx-4090").used);  // it is sold used too, for less
    // Its new price is of 2020: what used ones cost today counts.
    BOOST_TEST(of("rtx-3090").used);
    BOOST_TEST(of("rtx-3090").current);
    BOOST_TEST(of("rtx-3090").usd_each == 1207);
    BOOST_TEST(!of("rtx-2080-ti").current);  // its launch price of 2018 is all that is known
}

BOOST_AUTO_TEST_CASE(prices_older_than_a_quarter_beside_newer_ones_do_not_count) {
    const auto of = [](const char* id) {
        return *purchase_price(catalog(), *catalog().accelerator(id));
    };
    // $4,795 to 5,258 in September; those of February to May are of another market.
    BOOST_TEST(of("rtx-5090").usd_each == 5026.5);
    BOOST_TEST(of("rtx-5090").low == 4795);
    // Used at $700 to 900 and at 700 to 1,000 in spring, at 1,207 in September.
    BOOST_TEST(of("rtx-3090").low == 1207);
    // February and May are a quarter apart: both count.
    BOOST_TEST(of("rtx-4090").low == 1800);
    // A list price that its maker withdrew is not current, though it is of last year.
    BOOST_TEST(of("apple-m3-ultra").used);
    BOOST_TEST(of("apple-m3-ultra").usd_each == 14030);
    BOOST_TEST(!of("mi355x").current);  // what a bank estimates
}

BOOST_AUTO_TEST_SUITE_END()
