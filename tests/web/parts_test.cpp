#include "data/bundle.h"
#include "data/sha256.h"
#include "web/api.h"
#include "web/base64.h"
#include "web/packed_text.h"
#include "web/reply_cache.h"
#include "web/search_desk.h"
#include "web/target.h"

#include <boost/test/unit_test.hpp>

#include <future>
#include <string>

using namespace ridgeline;
using namespace ridgeline::web;

BOOST_AUTO_TEST_SUITE(web_parts)

BOOST_AUTO_TEST_CASE(a_target_is_taken_apart) {
    const auto target = target_of("/api/v1/advise?q=what+GPU%3F&all&x=1%2B1");
    BOOST_REQUIRE(target);
    BOOST_TEST(target->path == "/api/v1/advise");
    BOOST_REQUIRE(target->fields.size() == 3);
    BOOST_TEST(target->fields[0].second == "what GPU?");
    BOOST_TEST(target->fields[1].second == "true");
    BOOST_TEST(target->fields[2].second == "1+1");
    for (const char* bad : {"", "api", "/%", "/%4", "/%zz", "/x?a=%0", "/x?=1", "/%00", "*"}) {
        BOOST_TEST(!target_of(bad), bad);
    }
}

BOOST_AUTO_TEST_CASE(a_body_states_options_and_no_other_command) {
    const ApiRow* row = api_row("/api/v1/estimate");
    BOOST_REQUIRE(row != nullptr);
    const Target target{"/api/v1/estimate", {}};
    const auto request =
        api_request(*row, target, R"({"model": "llama-3.1-8b", "sequence": 2048})");
    BOOST_REQUIRE(request);
    BOOST_TEST(request->text("sequence") == "2048");
    BOOST_TEST(request->json());
    BOOST_TEST(!request->on_command_line);
    for (const char* bad : {"[]", "3", R"({},"command":"detect")", "{}}", "{"}) {
        BOOST_TEST(!api_request(*row, target, bad), bad);
    }
    BOOST_TEST(!api_request(*row, {"/api/v1/estimate", {{"on", "l40s"}}}, "{}"));
}

BOOST_AUTO_TEST_CASE(lists_are_parted_where_the_command_line_parts_them) {
    const auto roofline = api_request(*api_row("/api/v1/roofline"),
                                      {"/api/v1/roofline", {{"on", "l40s,h100-sxm5-80gb"}}}, "");
    BOOST_TEST(roofline->texts("on").size() == 2U);
    const auto estimate =
        api_request(*api_row("/api/v1/estimate"), {"/api/v1/estimate", {{"targets", "q,v"}}}, "");
    BOOST_TEST(estimate->texts("targets").size() == 1U);
}

BOOST_AUTO_TEST_CASE(the_same_request_has_the_same_text) {
    const auto text = [](std::vector<std::pair<std::string, std::string>> fields) {
        return canonical(*api_request(*api_row("/api/v1/estimate"),
                                      {"/api/v1/estimate", std::move(fields)}, ""));
    };
    BOOST_TEST(text({{"on", "l40s"}, {"rank", "8"}}) == text({{"rank", "8"}, {"on", "l40s"}}));
    BOOST_TEST(text({{"on", "l40s"}}) != text({{"on", "l4"}}));
    // "a" = "b", "c" = "d" is not "a" = ("b", "c") and so on.
    BOOST_TEST(text({{"on", "a"}, {"on", "b"}}) != text({{"on", "ab"}}));
}

BOOST_AUTO_TEST_CASE(the_cache_drops_what_was_used_longest_ago) {
    ReplyCache cache(3000);
    const auto answer = [](std::size_t size) {
        auto made = std::make_shared<HttpAnswer>();
        made->body = std::string(size, 'x');
        return made;
    };
    cache.keep("a", answer(400));
    cache.keep("b", answer(400));
    cache.keep("c", answer(400));  // each takes 400 + 1 + 512
    BOOST_TEST(cache.find("a") != nullptr);
    cache.keep("d", answer(400));
    BOOST_TEST(cache.find("b") == nullptr);
    BOOST_TEST(cache.find("a") != nullptr);
    BOOST_TEST(cache.bytes() == 3U * 913U);
    cache.keep("e", answer(4000));  // larger than all the room: nothing stays
    BOOST_TEST(cache.bytes() == 0U);
}

BOOST_AUTO_TEST_CASE(a_full_desk_refuses_and_skips_those_who_left) {
    std::promise<void> begun;
    std::promise<void> go;
    std::atomic<int> ran{0};
    const auto here = std::make_shared<std::atomic<bool>>(false);
    const auto gone = std::make_shared<std::atomic<bool>>(true);
    std::promise<void> done;
    {
        SearchDesk desk(2);
        BOOST_TEST(desk.take(
            [&] {
                begun.set_value();
                go.get_future().wait();
            },
            here));
        begun.get_future().wait();
        BOOST_TEST(desk.take([&] { ++ran; }, gone));
        BOOST_TEST(desk.take(
            [&] {
                ++ran;
                done.set_value();
            },
            here));
        BOOST_TEST(!desk.take([&] { ++ran; }, here));
        go.set_value();
        done.get_future().wait();
    }
    BOOST_TEST(ran == 1);
}

// As page/start.js reads them: a key, a length in fours, so many bytes less the key.
std::string unpacked_text(const std::string& text) {
    std::string bytes;
    for (std::size_t i = 0; i + 1 < text.size();) {
        const char key = text[i];
        const std::size_t end = i + 2 + 4 * std::size_t(static_cast<unsigned char>(text[i + 1]));
        for (i += 2; i < std::min(end, text.size()); ++i) {
            bytes += static_cast<char>(text[i] - key);
        }
    }
    return bytes;
}

BOOST_AUTO_TEST_CASE(bytes_stand_as_letters_that_a_script_may_hold) {
    BOOST_TEST(packed_text("") == "");
    std::string all;
    for (int i = 0; i < 256; ++i) {
        all += std::string(9, static_cast<char>(i));
    }
    std::string mixed;
    for (unsigned i = 0, x = 1; i < 100000; ++i, x = x * 1664525 + 1013904223) {
        mixed += static_cast<char>(x >> 24U);
    }
    for (const std::string& bytes :
         {std::string("a"), std::string(13 * 4, 'b'), std::string(60 * 4, 'c'),
          std::string(5000, '\0'), all, mixed}) {
        const std::string text = packed_text(bytes);
        BOOST_TEST((unpacked_text(text) == bytes));
        BOOST_TEST(text.find_first_of(std::string("\0\r<", 3)) == std::string::npos);
    }
    BOOST_TEST(packed_text(mixed).size() < 1.006 * static_cast<double>(mixed.size()));
}

BOOST_AUTO_TEST_CASE(letters_of_other_sets_are_named_in_ascii) {
    BOOST_TEST(in_ascii("a < b", Letters::html) == "a < b");
    BOOST_TEST(in_ascii("1024\u00b3", Letters::html) == "1024&#179;");
    BOOST_TEST(in_ascii("'\u00b5s \u2026'", Letters::script) == "'\\u{b5}s \\u{2026}'");
    BOOST_TEST(in_ascii("\U0001f600", Letters::script) == "\\u{1f600}");
}

// RFC 4648 section 10; FIPS 180-4 gives the hash of "abc".
BOOST_AUTO_TEST_CASE(base64_and_the_hash_are_those_of_the_standards) {
    BOOST_TEST(base64("") == "");
    BOOST_TEST(base64("f") == "Zg==");
    BOOST_TEST(base64("fo") == "Zm8=");
    BOOST_TEST(base64("foo") == "Zm9v");
    BOOST_TEST(base64("foobar") == "Zm9vYmFy");
    BOOST_TEST(base64(sha256("abc")) == "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=");
}

BOOST_AUTO_TEST_CASE(what_the_data_call_unknown_is_left_out) {
    BOOST_TEST(shortened_document(R"({"a":null,"b":1,"c":null})") == R"({"b":1})");
    BOOST_TEST(shortened_document(R"({"a":{"b":null},"c":"x:null"})") ==
               R"({"a":{},"c":"x:null"})");
    BOOST_TEST(shortened_document(R"({"a":{"what":"b","where":"c"},"d":{"what":"e"}})") ==
               R"({"a":{"what":"-","where":"c"},"d":{"what":"e"}})");
    static constexpr std::string_view inner[] = {"ecc.note"};
    BOOST_TEST(shortened_document(R"({"ecc":{"note":"a","b":1},"link":{"note":"c"}})", false,
                                  inner) == R"({"ecc":{"b":1},"link":{"note":"c"}})");
    static constexpr std::string_view unread[] = {"note"};
    BOOST_TEST(shortened_document(R"({"note":"a","b":[{"note":{},"c":1}]})", false, unread) ==
               R"({"b":[{"c":1}]})");
    BOOST_TEST(shortened_document("no { JSON") == "no { JSON");
    BOOST_TEST(shortened_document(R"([null,{"a":"\":null"}])") == R"([null,{"a":"\":null"}])");
}

BOOST_AUTO_TEST_CASE(where_counts_of_models_come_from_is_left_out) {
    BOOST_TEST(
        shortened_document(R"({"sources":["a] \"b\"","c"],"n":[1],"releases":[{"sources":["d"]}]})",
                           true) ==
        R"({"sources":["profiles/software of the program"],"n":[1],"releases":[{"sources":["profiles/software of the program"]}]})");
    BOOST_TEST(
        shortened_document(
            R"({"n":1,"parameters_source":"a \"b\", c","training_tokens_source":"d","x":2})") ==
        R"({"n":1,"x":2})");
    BOOST_TEST(shortened_document(R"({"n":",\"parameters_source\":\"","source":"e"})") ==
               R"({"n":",\"parameters_source\":\"","source":"e"})");
}

BOOST_AUTO_TEST_CASE(blanks_go_only_between_tokens) {
    BOOST_TEST(shortened_document("{\n \"a b\" : [1, \"c \\\" d\"] }\n") ==
               R"({"a b":[1,"c \" d"]})");
}

BOOST_AUTO_TEST_SUITE_END()
