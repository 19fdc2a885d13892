#include "ask/ask.h"
#include "shipped_world.h"

#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>

#include <random>
#include <string>
#include <vector>

// `advise` and `estimate` answer the same options with the same figures.

using namespace ridgeline;
using namespace ridgeline::ask;
using nlohmann::json;

namespace {

using Options = std::map<std::string, std::vector<std::string>, std::less<>>;

json answer(const std::string& command, const Options& options, int& exit_code) {
    Request request;
    request.command = command;
    request.options = options;
    request.options["json"] = {"true"};
    const auto reply = ask::ask(shipped_world(), request);
    exit_code = reply ? reply->exit_code : exit_code_of(reply.error());
    return reply ? json::parse(reply->body) : json::parse(json_of(reply.error()));
}

/// A question about one machine, of kinds that people ask.
struct RandomQuestion {
    std::mt19937 random;
    const std::string& any(const std::vector<std::string>& words) {
        return words[random() % words.size()];
    }
    bool sometimes() { return random() % 3 == 0; }

    Options workload() {
        Options options;
        options["model"] = {any({"llama-3.1-8b", "llama-3.2-1b", "qwen3-4b", "mistral-7b-v0.3",
                                 "gpt2", "llama-3.1-70b", "mixtral-8x7b"})};
        if (sometimes()) {
            options["task"] = {"inference"};
            if (sometimes()) {
                options["concurrency"] = {any({"1", "8", "64"})};
            }
            if (sometimes()) {
                options["quantization"] = {any({"int8", "awq-int4", "fp8"})};
            }
            return options;
        }
        options["method"] = {any({"full", "lora", "qlora"})};
        if (sometimes()) {
            options["sequence"] = {any({"512", "4096", "8k"})};
        }
        if (sometimes()) {
            options["batch"] = {any({"8", "32", "64"})};
        }
        if (sometimes()) {
            options["micro-batch"] = {any({"1", "2"})};
        }
        if (sometimes()) {
            options["recompute"] = {any({"none", "full"})};
        }
        return options;
    }
};

std::string shown(const Options& options) {
    std::string text;
    for (const auto& [name, texts] : options) {
        text += " --" + name + " " + texts.front();
    }
    return text;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(default_policy)

BOOST_AUTO_TEST_CASE(advise_and_estimate_agree) {
    RandomQuestion question{std::mt19937(17)};
    int compared = 0;
    for (int i = 0; i < 60; ++i) {
        const Options workload = question.workload();
        const std::string card = question.any(
            {"h100-sxm5-80gb", "rtx-4090", "l40s", "a100-sxm4-80gb", "mi300x", "v100-sxm2-32gb"});
        const std::string count = question.any({"1", "1", "2", "4", "8"});
        Options asked = workload;
        asked["on"] = {card};
        asked["accelerators"] = {count};
        Options placed = workload;
        placed["on"] = {card + ":" + count};
        int asked_exit = 0;
        int placed_exit = 0;
        const json advice = answer("advise", asked, asked_exit);
        const json estimate = answer("estimate", placed, placed_exit);
        BOOST_TEST_CONTEXT(shown(placed)) {
            if (asked_exit != 0) {
                BOOST_TEST(placed_exit != 0);
                continue;
            }
            BOOST_TEST(placed_exit == 0);
            BOOST_TEST_REQUIRE(!advice["options"].empty());
            json option;
            for (const json& each : advice["options"]) {
                if (each["accelerator"] == card && each["count"] == std::stoi(count)) {
                    option = each;
                }
            }
            BOOST_TEST_REQUIRE(!option.is_null());
            BOOST_TEST(option["workload"] == estimate["workload"]);
            BOOST_TEST(option["memory"] == estimate["memory"]);
            for (const auto& [key, value] : option["time"].items()) {  // estimate adds ranges
                BOOST_TEST(estimate["time"][key] == value, key);
            }
            BOOST_TEST(option["cost"] == estimate["cost"]);
            ++compared;
        }
    }
    BOOST_TEST(compared > 20);
}

BOOST_AUTO_TEST_CASE(what_was_assumed_is_in_the_answers) {
    int exit_code = 0;
    const json estimate =
        answer("estimate", {{"model", {"llama-3.1-8b"}}, {"on", {"h100-sxm5-80gb"}}}, exit_code);
    const json& workload = estimate["workload"];
    for (const char* path : {"/method", "/lora/rank", "/software/framework", "/precision/weights",
                             "/precision/compute", "/batch/micro", "/batch/global",
                             "/batch/sequence_length", "/recompute"}) {
        BOOST_TEST(workload.contains(json::json_pointer(path)), path);
    }
}

BOOST_AUTO_TEST_CASE(what_is_stated_of_the_plan_is_kept) {
    int exit_code = 0;
    const json estimate = answer("estimate",
                                 {{"model", {"llama-3.1-8b"}},
                                  {"method", {"full"}},
                                  {"on", {"h100-sxm5-80gb:8"}},
                                  {"tensor", {"4"}},
                                  {"recompute", {"full"}},
                                  {"micro-batch", {"1"}}},
                                 exit_code);
    BOOST_TEST(estimate["workload"]["parallel"]["tensor"] == 4);
    BOOST_TEST(estimate["workload"]["recompute"] == "full");
    BOOST_TEST(estimate["workload"]["batch"]["micro"] == 1);
}

// A model of 141 GB does not fit on each of four cards, spread over them it does.
BOOST_AUTO_TEST_CASE(a_served_model_is_spread_where_it_does_not_fit_alone) {
    const Options served{
        {"model", {"llama-3.1-70b"}}, {"task", {"inference"}}, {"on", {"h100-sxm5-80gb:4"}}};
    int exit_code = 0;
    const json best = answer("estimate", served, exit_code);
    BOOST_TEST(exit_code == 0);
    BOOST_TEST(best["memory"]["fits"] == true);
    Options by_framework = served;
    by_framework["plan"] = {"framework"};
    const json copies = answer("estimate", by_framework, exit_code);
    BOOST_TEST(exit_code == 3);
    BOOST_TEST(copies["memory"]["fits"] == false);
}

BOOST_AUTO_TEST_SUITE_END()
