#include "advise/advise.h"
#include "advise/reading/reading.h"
#include "tests/released.h"

#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

// Questions whose answers are stable facts: what must fit, what must be refused and why. Each
// folder of tests/cases holds the question, what is expected of its answer, and the arithmetic
// behind it.

using namespace ridgeline;

namespace {

using released::root;

std::string text_of(const std::filesystem::path& file) {
    std::ifstream stream(file);
    std::ostringstream text;
    text << stream.rdbuf();
    return text.str();
}

Architecture architecture_of(const Query& query) {
    if (auto typical = typical_architecture(query.model_text)) {
        return *typical;
    }
    auto model = load_model(root + "/profiles", query.model_text);
    BOOST_REQUIRE_MESSAGE(model, query.model_text);
    return *model;
}

bool has_option(const Advice& advice, const std::string& accelerator, int count) {
    return std::any_of(advice.options.begin(), advice.options.end(), [&](const Option& option) {
        return option.cluster.accelerator->id == accelerator && option.cluster.count == count;
    });
}

std::string reason_for(const Advice& advice, const std::string& accelerator, int count) {
    for (const Rejection& rejection : advice.rejections) {
        if (rejection.accelerator == accelerator && rejection.count == count) {
            return rejection.reason;
        }
    }
    return has_option(advice, accelerator, count) ? "fits" : "not answered";
}

void check_case(const std::filesystem::path& folder, const Catalog& catalog,
                const Profiles& profiles) {
    const std::string name = folder.filename().string();
    const auto expected = nlohmann::json::parse(text_of(folder / "expected.json"));
    auto reading = read_question(text_of(folder / "question"), {catalog, profiles});
    BOOST_REQUIRE_MESSAGE(reading, name);
    BOOST_TEST(reading->not_understood.empty(), name);
    Query query = query_of(*reading);
    if (expected.contains("flags")) {
        BOOST_TEST(flags_of(*reading, query) == expected["flags"].get<std::string>(), name);
    }
    query.top = 1000;
    query.all = true;  // what runs, not what is sold
    const auto advice = advise(query, architecture_of(query), {catalog, profiles, "2026-11-21"});
    BOOST_REQUIRE_MESSAGE(advice, name << ": " << (advice ? "" : advice.error().text()));
    for (const auto& row : expected.value("fits", nlohmann::json::array())) {
        const auto id = row.at("accelerator").get<std::string>();
        const int count = row.at("count").get<int>();
        BOOST_TEST(has_option(*advice, id, count),
                   name << ": " << count << " x " << id
                        << " should fit: " << reason_for(*advice, id, count));
    }
    for (const auto& row : expected.value("rejected", nlohmann::json::array())) {
        const auto id = row.at("accelerator").get<std::string>();
        const int count = row.at("count").get<int>();
        BOOST_TEST(reason_for(*advice, id, count) == row.at("reason").get<std::string>(),
                   name << ": " << count << " x " << id << ": " << reason_for(*advice, id, count));
    }
    BOOST_TEST(advice->options.empty() == expected.value("nothing_fits", false), name);
    if (expected.contains("other_methods")) {
        BOOST_TEST(advice->other_methods.size() == expected["other_methods"].get<std::size_t>());
    }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(cases)

BOOST_AUTO_TEST_CASE(stable_facts_hold) {
    std::vector<std::filesystem::path> folders;
    for (const auto& entry : std::filesystem::directory_iterator(root + "/tests/cases")) {
        if (std::filesystem::exists(entry.path() / "question")) {
            folders.push_back(entry.path());
        }
    }
    std::sort(folders.begin(), folders.end());
    BOOST_TEST(folders.size() >= 8u);
    for (const auto& folder : folders) {
        check_case(folder, released::catalog(), released::profiles());
    }
}

BOOST_AUTO_TEST_SUITE_END()
