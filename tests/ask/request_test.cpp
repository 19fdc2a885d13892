#include "ask/ask.h"
#include "shipped_world.h"

#include <boost/test/unit_test.hpp>

#include <string>
#include <thread>
#include <vector>

using namespace ridgeline;
using namespace ridgeline::ask;

namespace {

Request estimate_request() {
    Request request;
    request.command = "estimate";
    request.options = {{"model", {"llama-3.1-8b"}},
                       {"method", {"lora"}},
                       {"on", {"l40s"}},
                       {"sequence", {"2048"}},
                       {"json", {"true"}}};
    return request;
}

bool refuses(const Request& request, const std::string& words) {
    const auto reply = ask::ask(shipped_world(), request);
    if (reply) {
        return false;
    }
    const std::string text = reply.error().text();
    BOOST_TEST_MESSAGE(text);
    return text.find(words) != std::string::npos;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(requests)

BOOST_AUTO_TEST_CASE(options_and_a_document_say_the_same) {
    const auto options = ask::ask(shipped_world(), estimate_request());
    BOOST_TEST_REQUIRE(options.has_value());
    BOOST_TEST(options->exit_code == 0);
    BOOST_TEST(options->media_type == "application/json");
    Request document;
    document.command = "estimate";
    document.workload =
        R"({"model": "llama-3.1-8b", "method": "lora", "batch": {"sequence_length": 2048}})";
    document.options = {{"on", {"l40s"}}, {"json", {"true"}}};
    const auto same = ask::ask(shipped_world(), document);
    BOOST_TEST_REQUIRE(same.has_value());
    BOOST_TEST(same->body == options->body);
}

BOOST_AUTO_TEST_CASE(an_option_keeps_what_the_document_says_beside_it) {
    Request request;
    request.command = "estimate";
    request.workload = R"({"model": "llama-3.1-8b", "task": "inference",
        "serving": {"input_tokens": 3000, "output_tokens": 200}})";
    request.options = {{"on", {"l40s"}}, {"json", {"true"}}, {"concurrency", {"4"}}};
    const auto reply = ask::ask(shipped_world(), request);
    BOOST_TEST_REQUIRE(reply.has_value());
    BOOST_TEST(reply->body.find("\"input_tokens\": 3000") != std::string::npos);
    BOOST_TEST(reply->body.find("\"concurrency\": 4") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(only_a_command_line_names_files) {
    Request request = estimate_request();
    request.options["workload"] = {"/etc/passwd"};
    BOOST_TEST(refuses(request, "only a command line"));
    request = estimate_request();
    request.options["hf-config"] = {"config.json"};
    BOOST_TEST(refuses(request, "only a command line"));
    request = estimate_request();
    request.options.erase("model");
    request.workload = R"({"model": {"hf_config": "/etc/passwd"}})";
    BOOST_TEST(refuses(request, "only a document in a file"));
    for (const char* option : {"catalog", "profiles", "calibration", "prices", "svg"}) {
        request = estimate_request();
        request.options[option] = {"/tmp"};
        BOOST_TEST(refuses(request, "only a command line"), option);
    }
    request = estimate_request();
    request.options["on"] = {"local"};
    BOOST_TEST(refuses(request, "no accelerator"));
    request.command = "advise";
    request.options = {{"question", {"/etc/passwd"}}};
    const auto reply = ask::ask(shipped_world(), request);
    BOOST_TEST(!reply.has_value());  // words that name nothing
    request.command = "probe";
    request.options = {};
    BOOST_TEST(refuses(request, "runs on the machine"));
}

BOOST_AUTO_TEST_CASE(what_is_unknown_is_named_with_the_nearest_word) {
    Request request = estimate_request();
    request.options["sequense"] = {"2048"};
    BOOST_TEST(refuses(request, "\"sequence\""));
    request = estimate_request();
    request.command = "estimat";
    BOOST_TEST(refuses(request, "\"estimate\""));
    request = estimate_request();
    request.options["price"] = {"spott"};
    BOOST_TEST(refuses(request, "\"spot\""));
    request = estimate_request();
    request.options["on"] = {"l40s", "h100-sxm5-80gb"};
    BOOST_TEST(refuses(request, "twice"));
    request.command = "catalog";
    request.options = {};
    BOOST_TEST(refuses(request, "VERB"));
}

BOOST_AUTO_TEST_CASE(threads_share_a_world) {
    const auto alone = ask::ask(shipped_world(), estimate_request());
    BOOST_TEST_REQUIRE(alone.has_value());
    std::vector<std::string> bodies(4);
    std::vector<std::thread> threads;
    for (std::string& body : bodies) {
        threads.emplace_back([&body] {
            for (int i = 0; i < 3; ++i) {
                const auto reply = ask::ask(shipped_world(), estimate_request());
                body = reply ? reply->body : reply.error().text();
            }
        });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    for (const std::string& body : bodies) {
        BOOST_TEST(body == alone->body);
    }
}

BOOST_AUTO_TEST_SUITE_END()
