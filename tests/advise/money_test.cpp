#include "advise/advise.h"
#include "advise/hardware/offers.h"
#include "advise/hardware/ownership.h"
#include "advise/purchase/budget.h"
#include "advise/purchase/procurement.h"
#include "tests/released.h"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>
#include <set>

// Money with the shipped catalog: prices, break-even, limits, budgets, and cases others published.

using namespace ridgeline;
using boost::test_tools::tolerance;

namespace {

using released::catalog;
using released::profiles;
using released::root;

Knowledge that_day() { return {catalog(), profiles(), "2026-11-21"}; }

Cluster cards(const char* id, int count) {
    Cluster cluster;
    cluster.accelerator = catalog().accelerator(id);
    cluster.count = count;
    cluster.per_node = std::min(8, count);
    return cluster;
}

Query pretraining(double tokens) {
    Query query;
    query.model_text = "llama-3-8b";
    query.workload.task = Task::train;
    query.workload.method = Method::full;
    query.workload.duration_tokens = tokens;
    return query;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(money)

BOOST_AUTO_TEST_CASE(every_instance_of_the_articles_has_an_old_and_a_current_price) {
    std::set<std::string> named;
    for (const PriceClaim& claim : catalog().price_claims) {
        named.insert(claim.instance_type);
        const Offer* offer = catalog().offer(claim.offer);
        // What has no dated price today is said to have none, with what the undated list states.
        BOOST_TEST((offer != nullptr || claim.verdict.find("dated") != std::string::npos));
        if (offer != nullptr) {
            BOOST_TEST(offer->date.size() == 10U);
        }
    }
    for (const char* instance :
         {"p3.2xlarge", "p3.16xlarge", "p4d.24xlarge", "p5.48xlarge", "trn1.32xlarge",
          "inf2.48xlarge", "a2-highgpu-1g", "a2-megagpu-16g", "a3-highgpu-8g",
          "Standard_ND96isr_H100_v5", "Standard_NC64as_T4_v3", "gpu_8x_h100_sxm5", "H100 single",
          "H100 (marketplace)"}) {
        BOOST_TEST(named.contains(instance), instance);
    }
    const auto p5 =
        std::find_if(catalog().price_claims.begin(), catalog().price_claims.end(),
                     [](const auto& claim) { return claim.instance_type == "p5.48xlarge"; });
    BOOST_TEST(*p5->claimed_usd_per_hour == 98.32);
    BOOST_TEST(catalog().offer(p5->offer)->usd_per_hour == 55.04);
    BOOST_TEST(p5->earlier.front().usd_per_hour == 98.32);
}

// article-2: p4d.24xlarge at $32.77 for eight days of 24 hours is "about $6,291".
BOOST_AUTO_TEST_CASE(the_article_multiplies_right_but_the_run_is_impossible) {
    BOOST_TEST(32.77 * 24 * 8 == 6291.84, tolerance(1e-9));
    BOOST_TEST(std::floor(11.60 * 24 * 8) == 2227);
    const auto model = load_model(root + "/profiles", "llama-3-8b");
    BOOST_REQUIRE(model);
    Query query = pretraining(100e9);
    query.accelerators = {"a100-sxm4-40gb"};
    query.exact_accelerators = 8;
    const auto advice = advise(query, *model, that_day());
    BOOST_REQUIRE(advice);
    BOOST_REQUIRE(!advice->options.empty());
    const Option& option = advice->options.front();
    // 6 x 8.03e9 x 100e9 FLOP / (8 x 312e12 FLOP/s) = 22.3 days without losing a cycle.
    const double bound_days = 6 * 8.03e9 * 100e9 / (8 * 312e12) / 86400;
    BOOST_TEST(bound_days == 22.3, tolerance(0.005));
    const double days = option.estimate.time.total / day;
    BOOST_TEST(days > bound_days);
    // Published runs of such models on A100 reach 0.35 to 0.60 of the peak.
    BOOST_TEST(days > bound_days / 0.65);
    BOOST_TEST(days < bound_days / 0.25);
    // Today's price, whole instances, all hours of the run.
    BOOST_TEST(option.estimate.cost.usd_per_hour == 10.46, tolerance(1e-9));
    BOOST_TEST(option.estimate.cost.usd_total == 10.46 * days * 24, tolerance(1e-6));
    BOOST_TEST(option.estimate.cost.usd_total >
               6291);  // the run is so much longer that lower rents do not help
}

BOOST_AUTO_TEST_CASE(a_node_is_not_rented_by_halves) {
    Query query;
    query.provider = "aws";
    const Accelerator& a100 = *catalog().accelerator("a100-sxm4-40gb");
    const Offer* offer = cheapest_offer(catalog(), query, a100, 12, 8);
    BOOST_REQUIRE(offer != nullptr);
    BOOST_TEST(offer->instance_type == "p4d.24xlarge");
    const auto owned = own(cards("a100-sxm4-40gb", 12), catalog(), {}, query);
    BOOST_REQUIRE(owned);
    BOOST_REQUIRE(owned->rented.size() == 1U);
    // Two nodes for twelve accelerators.
    BOOST_TEST(owned->rented[0].usd_per_accelerator_hour == 2 * 21.957642 / 12, tolerance(1e-9));
}

BOOST_AUTO_TEST_CASE(kinds_of_price_stay_apart) {
    const Accelerator& h100 = *catalog().accelerator("h100-sxm5-80gb");
    Query query;
    query.provider = "gcp";
    for (const auto& [kind, expected] :
         {std::pair{"on_demand", PriceKind::on_demand}, std::pair{"spot", PriceKind::spot}}) {
        query.price_kind = kind;
        const Offer* offer = cheapest_offer(catalog(), query, h100, 8, 8);
        BOOST_REQUIRE(offer != nullptr);
        BOOST_TEST((offer->kind == expected));
    }
    query.price_kind = "reserved";
    BOOST_TEST(cheapest_offer(catalog(), query, h100, 8, 8) == nullptr);
    query.price_kind = "on_demand";
    query.region = "europe-west4";
    const Offer* europe = cheapest_offer(catalog(), query, h100, 8, 8);
    BOOST_TEST((europe == nullptr || europe->region == "europe-west4"));
}

// A room is not cooled, a computer that does nothing is off, and a card goes into one that is
// there.
BOOST_AUTO_TEST_CASE(a_card_at_a_desk_has_no_hall) {
    const auto desk = own(cards("rtx-4090", 1), catalog(), {});
    BOOST_REQUIRE(desk);
    BOOST_TEST(desk->at_a_desk);
    BOOST_TEST(desk->inputs.pue == 1);
    BOOST_TEST(desk->inputs.server_cost_ratio == 1);
    BOOST_TEST(desk->cost.idle_energy == 0);
    BOOST_TEST(desk->inputs.usd_per_kwh ==
               *catalog().ownership.figure("usd_per_kwh_household")->value);
    const auto hall = own(cards("h100-sxm5-80gb", 8), catalog(), {});
    BOOST_REQUIRE(hall);
    BOOST_TEST(!hall->at_a_desk);
    BOOST_TEST(hall->inputs.pue == 1.54);
    SiteFigures figures;
    figures.given = {{"pue", 1.2}, {"server_cost_ratio", 1.5}};
    const auto stated = own(cards("rtx-4090", 1), catalog(), figures);
    BOOST_TEST(stated->inputs.pue == 1.2);
    BOOST_TEST(stated->inputs.server_cost_ratio == 1.5);
    BOOST_TEST(own(cards("a100-sxm4-40gb", 8), catalog(), {})->price_dated == "2020-05");
}

BOOST_AUTO_TEST_CASE(owning_names_what_it_rests_on_and_what_it_leaves_out) {
    SiteFigures figures;
    figures.given = {{"pue", 1.25}, {"network_share", 0.19}, {"staff_usd_per_year", 50000.0}};
    const auto owned = own(cards("h100-sxm5-80gb", 8), catalog(), figures);
    BOOST_REQUIRE(owned);
    // Street prices of 2026: $25,000 to 30,000 for the card, 1.64 times that with its server.
    BOOST_TEST(owned->inputs.price_usd == 27500);
    BOOST_TEST(owned->inputs.server_cost_ratio == 1.64);
    BOOST_TEST(owned->low->capex_usd == 25000 * 1.64 / 0.81, tolerance(1e-9));
    BOOST_TEST(owned->high->capex_usd == 30000 * 1.64 / 0.81, tolerance(1e-9));
    const auto left = [&](std::string_view id) {
        return std::any_of(owned->left_out.begin(), owned->left_out.end(),
                           [&](const OwnershipFigure* figure) { return figure->id == id; });
    };
    BOOST_TEST(!left("staff_usd_per_year"));
    BOOST_TEST(left("support_usd_per_year"));
    for (const UsedFigure& figure : owned->figures) {
        BOOST_TEST(!figure.source.empty(), figure.id);
    }
    const auto unknown = own(cards("a10g", 1), catalog(), {});
    BOOST_TEST(!unknown.has_value());  // nobody sells an A10G
}

BOOST_AUTO_TEST_CASE(limits_of_power_and_region_have_their_codes) {
    const auto model = load_model(root + "/profiles", "llama-3-8b");
    BOOST_REQUIRE(model);
    Query query = pretraining(1e9);
    query.accelerators = {"h100-sxm5-80gb"};
    query.exact_accelerators = 8;
    query.rack_kw = 5;
    const auto power = advise(query, *model, that_day());
    BOOST_REQUIRE(power);
    BOOST_REQUIRE(power->rejections.size() == 1U);
    BOOST_TEST(power->rejections[0].reason == "over_power");
    query.rack_kw = 15;
    query.region = "us-nowhere1";
    const auto region = advise(query, *model, that_day());
    BOOST_REQUIRE(region);
    BOOST_REQUIRE(region->rejections.size() == 1U);
    BOOST_TEST(region->rejections[0].reason == "not_available_region");
}

BOOST_AUTO_TEST_CASE(budgets_of_every_size_are_answered) {
    std::vector<SizedModel> sizes;
    for (const char* size : {"8B", "70B"}) {
        sizes.push_back({size, *typical_architecture(size)});
    }
    double last = 0;
    for (const double usd : {2e3, 5e4, 1e6}) {
        Query query;
        query.budget_usd = usd;
        const BudgetAnswer answer = budget_answer(query, that_day(), sizes);
        BOOST_REQUIRE(!answer.buy.empty());
        BOOST_REQUIRE(!answer.rent.empty());
        BOOST_TEST((answer.recommendation == "buy" || answer.recommendation == "rent" ||
                    answer.recommendation == "hybrid"));
        for (const Purchasable& bought : answer.buy) {
            BOOST_TEST(bought.usd <= usd);
            // Serving in 16 bits, in 4 where a stack has them there, and three ways of tuning.
            BOOST_TEST((bought.can.size() == 4U || bought.can.size() == 5U));
        }
        for (const Rentable& rented : answer.rent) {
            BOOST_TEST(rented.hours * rented.instances * rented.offer->usd_per_hour == usd,
                       tolerance(1e-9));
        }
        BOOST_TEST(answer.buy.front().tflops > last);
        last = answer.buy.front().tflops;
    }
    Query thousands;
    thousands.exact_accelerators = 4096;
    const BudgetAnswer answer = budget_answer(thousands, that_day(), sizes);
    BOOST_REQUIRE(!answer.buy.empty());
    BOOST_TEST(answer.buy.front().cluster.count == 4096);
    BOOST_TEST(answer.buy.front().kw > 4000);  // over a kilowatt each
}

// A rack and the parts in it are one thing, however it is named.
BOOST_AUTO_TEST_CASE(a_machine_costs_what_its_parts_do) {
    int priced = 0;
    for (const Machine& machine : catalog().machines) {
        const Accelerator* part = catalog().accelerator(machine.accelerator);
        if (part == nullptr || machine.provider || machine.accelerators < 1) {
            continue;
        }
        const auto price = purchase_price(catalog(), *part);
        const int count = machine.accelerators;
        const auto owned =
            own(make_cluster(catalog(), *part, count, count, &machine), catalog(), {});
        BOOST_TEST(owned.has_value() == price.has_value(), machine.id);
        if (owned) {
            BOOST_TEST(owned->inputs.price_usd == price->usd_each, machine.id);
            BOOST_TEST(owned->price_estimated == price->kind.starts_with("estimate"), machine.id);
            ++priced;
        }
    }
    BOOST_TEST(priced > 3);
}

BOOST_AUTO_TEST_CASE(a_report_agrees_with_the_advice_it_is_made_from) {
    const auto model = load_model(root + "/profiles", "llama-3-8b");
    BOOST_REQUIRE(model);
    Query query = pretraining(10e9);
    query.accelerators = {"h100-sxm5-80gb", "b200-sxm-180gb"};
    const auto advice = advise(query, *model, that_day());
    BOOST_REQUIRE(advice);
    SiteFigures figures;
    figures.given = {
        {"grid_gco2_per_kwh", 400.0}, {"storage_tb", 10.0}, {"storage_usd_per_tb_month", 20.0}};
    const Procurement report = procurement(*advice, that_day(), figures);
    const CostEstimate& cost = report.advice.options.front().estimate.cost;
    BOOST_REQUIRE(!report.ways.empty());
    BOOST_TEST(*report.run_kwh == cost.kwh * report.site.pue, tolerance(1e-12));
    BOOST_TEST(*report.run_co2_kg == *report.run_kwh * 0.4, tolerance(1e-12));
    BOOST_TEST(*report.run_energy_usd == *report.run_kwh * 0.0826, tolerance(1e-12));
    // 10e9 tokens for the kWh of the machines alone.
    BOOST_TEST(report.work_per_kwh == 10e9 / cost.kwh, tolerance(0.01));
    BOOST_TEST(*report.extras.storage_usd >= 200);  // 10 TB x $20, a month at least
    BOOST_TEST(report.scaling.size() >= 2U);
    BOOST_TEST(!report.sensitivities.empty());
    BOOST_TEST(!report.risks.empty());
    BOOST_TEST(!report.provenance.empty());
}

BOOST_AUTO_TEST_SUITE_END()
