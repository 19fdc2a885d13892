#include "advise/hardware/cluster.h"
#include "advise/hardware/offers.h"
#include "ask/ask.h"
#include "shipped_world.h"

#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>

#include <string>
#include <vector>

// The same part, count, day and kind of offer have one price, whichever command is asked.

using namespace ridgeline;
using namespace ridgeline::ask;
using boost::test_tools::tolerance;
using nlohmann::json;

namespace {

using Options = std::map<std::string, std::vector<std::string>, std::less<>>;

/// The document of an answer; null where the command has none.
json asked(const std::string& command, const Options& options) {
    Request request;
    request.command = command;
    request.options = options;
    request.options["json"] = {"true"};
    const auto reply = ask::ask(shipped_world(), request);
    return reply ? json::parse(reply->body) : json();
}

/// What a part rents for in a way, by the one function that all commands are to use.
struct Rent {
    const Accelerator* part = nullptr;
    int count = 1;
    std::string kind;
    const Offer* offer = nullptr;

    [[nodiscard]] double usd_per_hour() const {
        const int instances = (count + offer->count - 1) / offer->count;
        return instances * offer->usd_per_hour;
    }
};

/// Every part of the catalog, alone and by eight, in each kind of offer that is listed.
std::vector<Rent> rents() {
    const Catalog& catalog = shipped_world().catalog;
    std::vector<Rent> found;
    for (const Accelerator& part : catalog.accelerators) {
        for (const int count : {1, 8}) {
            for (const char* kind : {"on_demand", "spot", "marketplace"}) {
                Query query;
                query.price_kind = kind;
                const int per_node = make_cluster(catalog, part, count).per_node;
                if (const Offer* offer = cheapest_offer(catalog, query, part, count, per_node)) {
                    found.push_back({&part, count, kind, offer});
                }
            }
        }
    }
    return found;
}

/// A small model that any part with offers holds.
Options small_work() { return {{"model", {"llama-3.2-1b"}}, {"task", {"inference"}}}; }

}  // namespace

BOOST_AUTO_TEST_SUITE(prices)

BOOST_AUTO_TEST_CASE(estimate_and_advise_rent_at_the_catalogs_price) {
    int compared = 0;
    for (const Rent& rent : rents()) {
        BOOST_TEST_CONTEXT(rent.count << " x " << rent.part->id << " " << rent.kind) {
            Options options = small_work();
            options["on"] = {rent.part->id + ":" + std::to_string(rent.count)};
            options["price"] = {rent.kind};
            const json estimate = asked("estimate", options);
            if (!estimate.is_null() && estimate["cost"].contains("usd_per_hour")) {
                BOOST_TEST(estimate["cost"]["usd_per_hour"].get<double>() == rent.usd_per_hour(),
                           tolerance(1e-9));
                ++compared;
            }
            options["on"] = {rent.part->id};
            options["accelerators"] = {std::to_string(rent.count)};
            const json advice = asked("advise", options);
            if (advice.is_null() || advice["options"].empty()) {
                continue;
            }
            const json& cost = advice["options"].front()["cost"];
            BOOST_TEST(cost["usd_per_hour"].get<double>() == rent.usd_per_hour(), tolerance(1e-9));
            ++compared;
        }
    }
    BOOST_TEST(compared > 150);
}

BOOST_AUTO_TEST_CASE(a_question_about_a_price_names_the_catalogs_price) {
    const std::map<std::string, std::string> words = {
        {"on_demand", "on demand"}, {"spot", "spot"}, {"marketplace", "marketplace"}};
    int compared = 0;
    for (const Rent& rent : rents()) {
        if (rent.offer->count != rent.count) {
            continue;  // a whole instance of more: the question is answered for what is listed
        }
        const std::string question = "cheapest " + words.at(rent.kind) + " price of " +
                                     std::to_string(rent.count) + " x " + rent.part->id;
        const json answer = asked("advise", {{"question", {question}}});
        BOOST_TEST_CONTEXT(question) {
            BOOST_TEST_REQUIRE(!answer.is_null());
            const json& values = answer["answer"]["value"];
            const json& first = values.is_array() ? values.front() : values;
            BOOST_TEST(first["low"].get<double>() == rent.usd_per_hour(), tolerance(1e-9));
            ++compared;
        }
    }
    BOOST_TEST(compared > 60);
}

BOOST_AUTO_TEST_CASE(owning_is_weighed_against_the_catalogs_rent) {
    int compared = 0;
    for (const Rent& rent : rents()) {
        const json owned =
            asked("own", {{"on", {rent.part->id + ":" + std::to_string(rent.count)}}});
        if (owned.is_null()) {
            continue;  // no purchase price is known
        }
        double least = 0;
        for (const json& each : owned["break_even"]) {
            const double usd = each["usd_per_accelerator_hour"].get<double>();
            if (each["offer"]["kind"] == rent.kind && least == 0) {
                least = usd;  // of each kind the first is the cheapest of those that are not old
            }
        }
        BOOST_TEST_CONTEXT(rent.count << " x " << rent.part->id << " " << rent.kind) {
            BOOST_TEST(least * rent.count == rent.usd_per_hour(), tolerance(1e-9));
            ++compared;
        }
    }
    BOOST_TEST(compared > 40);
}

BOOST_AUTO_TEST_CASE(what_a_part_costs_to_buy_is_the_same_in_question_comparison_and_budget) {
    const Catalog& catalog = shipped_world().catalog;
    const Accelerator* other = catalog.accelerator("h100-sxm5-80gb");
    int compared = 0;
    for (const Accelerator& part : catalog.accelerators) {
        const auto price = purchase_price(catalog, part);
        if (!price || part.kind == "cpu") {
            continue;
        }
        BOOST_TEST_CONTEXT(part.id) {
            const json question = asked("advise", {{"question", {"purchase price of " + part.id}}});
            BOOST_TEST_REQUIRE(!question.is_null());
            double said = 0;
            const json& values = question["answer"]["value"];
            for (const json& value : values.is_array() ? values : json::array({values})) {
                said = value["quantity"] == "purchase" ? value["mid"].get<double>() : said;
            }
            BOOST_TEST(said == price->usd_each, tolerance(1e-9));
            const std::string beside = part.id == other->id ? "l40s" : other->id;
            const json both = asked("compare", {{"accelerators", {part.id, beside}}});
            BOOST_TEST_REQUIRE(!both.is_null());
            const json& listed = both["accelerators"].front()["usd_purchase"];
            if (!listed.is_null()) {
                BOOST_TEST(listed.get<double>() == price->usd_each, tolerance(1e-9));
            }
            ++compared;
        }
    }
    BOOST_TEST(compared > 40);
}

BOOST_AUTO_TEST_SUITE_END()
