// The measured rows that ship with the tests: every one is read, none is lost.
#include "data/load.h"

#include <boost/test/unit_test.hpp>

#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>

using namespace ridgeline;

namespace {

const std::filesystem::path folder =
    std::filesystem::path(RIDGELINE_SOURCE_DIR) / "tests" / "evidence";

Result<std::vector<EvidenceRow>> from_text(const std::string& text) {
    const std::filesystem::path file =
        std::filesystem::temp_directory_path() / "ridgeline_evidence_test.json";
    std::ofstream(file) << text;
    auto rows = load_evidence(file);
    std::filesystem::remove(file);
    return rows;
}

std::string row_with(const std::string& workload, const std::string& measured) {
    return R"({"schema": "ridgeline/evidence/1", "rows": [{"id": "a", "quantity": "memory",
        "source": {"repo": "x"}, "quality": "A", "group": "g", "hardware": {"accelerator": "h",
        "count": 8, "per_node": 8, "fabric": null}, "workload": )" +
           workload + R"(, "measured": )" + measured + "}]}";
}

bool has_figure(const EvidenceRow& row) {
    const Measured& has = row.measured;
    return has.peak_memory_gib || has.step_time_s || has.tokens_per_s_per_accelerator ||
           has.samples_per_s || has.time_to_train_min || has.ttft_s || has.tpot_s ||
           has.tokens_per_s || has.time_us || has.bus_bandwidth_gb_per_s || has.bandwidth_gb_per_s;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(evidence)

BOOST_AUTO_TEST_CASE(a_version_among_the_assumptions_is_a_release) {
    const std::string plain = row_with("{}", "{}");
    const auto with = [&](const std::string& more) {
        std::string text = plain;
        text.insert(text.find("\"quality\""), more);
        const auto rows = from_text(text);
        BOOST_TEST_REQUIRE(rows.has_value(), (rows ? "" : rows.error().text()));
        return rows->front().release;
    };
    BOOST_TEST(with("").empty());
    BOOST_TEST(with(R"("assumptions": ["balanced", "software version: 26.04.01"], )") == "2026-04");
    BOOST_TEST(with(R"("assumptions": ["software version: v25.02.02"], )") == "2025-02");
    BOOST_TEST(with(R"("assumptions": ["software version: 2024-2025"], )").empty());
    BOOST_TEST(with(R"("release": "2026-01-02", "assumptions": ["software version: 26.04"], )") ==
               "2026-01-02");
}

BOOST_AUTO_TEST_CASE(every_shipped_row) {
    std::map<std::string, int> quantities;
    std::set<std::string> ids;
    for (const char* name :
         {"memory", "train_time", "inference", "serving", "vision", "gemm", "collective"}) {
        const auto rows = load_evidence(folder / (std::string(name) + ".json"));
        BOOST_TEST_REQUIRE(rows.has_value(), (rows ? "" : rows.error().text()));
        for (const EvidenceRow& row : *rows) {
            BOOST_TEST(row.workload_error.empty(), row.id + ": " + row.workload_error);
            BOOST_TEST(has_figure(row), row.id);
            BOOST_TEST(!row.accelerator.empty(), row.id);
            BOOST_TEST(row.count >= row.per_node, row.id);
            ++quantities[row.quantity];
            BOOST_TEST(ids.insert(row.id).second, row.id);
        }
    }
    // The numbers of rows that the sources gave.
    BOOST_TEST(quantities["memory"] == 141);
    BOOST_TEST(quantities["train_time"] == 526);
    BOOST_TEST(quantities["inference"] == 1125);
    BOOST_TEST(quantities["vision"] == 500);
    BOOST_TEST(quantities["gemm"] == 575);
    BOOST_TEST(quantities["bandwidth"] == 25);
    BOOST_TEST(quantities["collective"] == 520);
}

BOOST_AUTO_TEST_CASE(a_workload_that_cannot_be_read_keeps_its_reason) {
    const auto rows = from_text(row_with(R"({"model": "gpt2", "metod": "full"})",
                                         R"({"peak_memory_gib": 4, "memory_counter": null})"));
    BOOST_TEST_REQUIRE(rows.has_value());
    BOOST_TEST_REQUIRE(rows->size() == 1U);
    BOOST_TEST(rows->front().workload_error.find("/rows/0/workload") != std::string::npos);
    BOOST_TEST(rows->front().workload_error.find("\"method\"") != std::string::npos);
    BOOST_TEST(rows->front().memory_counter == "unstated");
}

BOOST_AUTO_TEST_CASE(broken_rows_are_errors_of_the_file) {
    const std::string good = R"({"model": "gpt2"})";
    BOOST_TEST(from_text(row_with(good, R"({"step_time_s": 1})")).has_value());
    for (const char* measured : {R"({"step_time_s": -1})", R"({"step_time_s": "1 s"})", "[]",
                                 R"({"memory_counter": "guessed"})"}) {
        BOOST_TEST(!from_text(row_with(good, measured)).has_value(), measured);
    }
    BOOST_TEST(!from_text("[]").has_value());
    BOOST_TEST(!from_text(R"({"rows": {}})").has_value());
    BOOST_TEST(!from_text(R"({"schema": "ridgeline/evidence/2", "rows": []})").has_value());
    BOOST_TEST(!load_evidence(folder / "no_such_file.json").has_value());
}

BOOST_AUTO_TEST_CASE(the_release_is_a_field_of_the_row_and_not_a_date_in_its_text) {
    std::string row = row_with(R"({"schema": "ridgeline/workload/1", "model": "llama-3.1-8b"})",
                               R"({"peak_memory_gib": 1})");
    BOOST_TEST(from_text(row)->front().release.empty());
    row.replace(row.find(R"({"repo": "x"})"), std::string(R"({"repo": "x"})").size(),
                R"({"repo": "x", "path": "benchmarks_03_2024.md"})");
    BOOST_TEST(from_text(row)->front().release.empty());
}

BOOST_AUTO_TEST_SUITE_END()
