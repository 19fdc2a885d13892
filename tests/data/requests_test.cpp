#include "data/load_requests.h"
#include "tests/data/files.h"

#include <boost/test/unit_test.hpp>

using namespace ridgeline;
namespace tt = boost::test_tools;

BOOST_AUTO_TEST_SUITE(requests_of_files)

BOOST_AUTO_TEST_CASE(a_table_is_read_by_its_header) {
    const TemporaryFolder folder;
    const auto file = folder.write("load.csv",
                                   "output tokens,Time,Prompt Tokens\n"
                                   "20,3.5,100\n"
                                   "30,1.5,200\n");
    const auto requests = load_requests(file);
    BOOST_REQUIRE(requests);
    // In the order of their times, which begin at 0.
    BOOST_TEST(requests->size() == 2U);
    BOOST_TEST(requests->front().input_tokens == 200);
    BOOST_TEST(requests->front().output_tokens == 30);
    BOOST_TEST(requests->front().time == 0);
    BOOST_TEST(requests->back().time == 2);
}

BOOST_AUTO_TEST_CASE(dates_are_times_and_a_table_may_have_none) {
    const TemporaryFolder folder;
    const auto dated = load_requests(folder.write("azure.csv",
                                                  "TIMESTAMP,ContextTokens,GeneratedTokens\n"
                                                  "2024-02-28 23:59:59.5,100,10\n"
                                                  "2024-03-01 00:00:00.0,100,10\n"));
    BOOST_REQUIRE(dated);
    // 2024 had a 29th of February between them.
    BOOST_TEST(dated->back().time == 86400.5, tt::tolerance(1e-9));
    const auto bare =
        load_requests(folder.write("bare.csv", "input_tokens,output_tokens\n5,6\n7,8\n"));
    BOOST_REQUIRE(bare);
    BOOST_TEST(bare->back().time == 0);
}

BOOST_AUTO_TEST_CASE(blocks_that_came_before_are_cached) {
    const TemporaryFolder folder;
    const auto requests = load_requests(folder.write(
        "mooncake.jsonl",
        R"({"timestamp": 0, "input_length": 1200, "output_length": 5, "hash_ids": [1, 2, 3]})"
        "\n"
        R"({"timestamp": 2500, "input_length": 1100, "output_length": 7, "hash_ids": [1, 2, 9]})"
        "\n"
        R"({"timestamp": 3000, "input_length": 1100, "output_length": 7, "hash_ids": [8, 1]})"
        "\n"));
    BOOST_REQUIRE(requests);
    BOOST_TEST(requests->at(0).cached_tokens == 0);
    BOOST_TEST(requests->at(1).time == 2.5);
    BOOST_TEST(requests->at(1).cached_tokens == 2 * 512);
    // What follows a block that is new is new too.
    BOOST_TEST(requests->at(2).cached_tokens == 0);
}

BOOST_AUTO_TEST_CASE(errors_say_the_line_and_what_is_expected) {
    const TemporaryFolder folder;
    const auto problem = [&](std::string_view text) {
        return message_of(load_requests(folder.write("load.csv", text)));
    };
    BOOST_TEST(problem("").find("empty file") != std::string::npos);
    BOOST_TEST(problem("time,words\n1,2\n").find("no column of prompt tokens") !=
               std::string::npos);
    BOOST_TEST(problem("time,input,output\n1,many,2\n").find("line 2") != std::string::npos);
    BOOST_TEST(problem("time,input,output\n1,-5,2\n").find("line 2") != std::string::npos);
    BOOST_TEST(problem("time,input,output\n").find("no request") != std::string::npos);
    BOOST_TEST(problem("{\"timestamp\": 1}\n").find("input_length") != std::string::npos);
    BOOST_TEST(problem("{\"input_length\": 1\n").find("line 1") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
