#include "base/text.h"

#include "base/number.h"
#include "base/utf8.h"

#include <boost/test/unit_test.hpp>
#include <rapidcheck.h>

#include <cmath>
#include <string>
#include <vector>

using namespace ridgeline;

BOOST_AUTO_TEST_SUITE(words)

BOOST_AUTO_TEST_CASE(distance_counts_edits_and_swaps_once) {
    BOOST_TEST(edit_distance("h100", "h100") == 0U);
    BOOST_TEST(edit_distance("H100", "h100") == 0U);
    BOOST_TEST(edit_distance("lama", "llama") == 1U);
    BOOST_TEST(edit_distance("kitten", "sitting") == 3U);
    BOOST_TEST(edit_distance("h010", "h100") == 1U);  // a swap of neighbours
    BOOST_TEST(edit_distance("", "abc") == 3U);
}

BOOST_AUTO_TEST_CASE(distance_is_symmetric_and_bounded_by_the_longer_word) {
    BOOST_TEST(rc::check("edit distance", [](const std::string& a, const std::string& b) {
        const std::size_t distance = edit_distance(a, b);
        RC_ASSERT(distance == edit_distance(b, a));
        RC_ASSERT(distance <= std::max(a.size(), b.size()));
        RC_ASSERT(edit_distance(a, a) == 0U);
    }));
}

BOOST_AUTO_TEST_CASE(a_typo_finds_its_word_and_nonsense_finds_none) {
    const std::vector<std::string> ids{"llama-3-70b", "llama-3-8b", "mistral-7b", "h100-sxm5-80gb"};
    BOOST_TEST(nearest("lama-3-70b", ids).value_or("") == "llama-3-70b");
    BOOST_TEST(nearest("h100", ids).value_or("") == "h100-sxm5-80gb");
    const std::vector<std::string> parts{"b100", "h100-pcie-80gb", "h100-nvl"};
    BOOST_TEST(nearest("h100", parts).value_or("") == "h100-nvl");
    BOOST_TEST(nearest("b10", parts).value_or("") == "b100");
    const std::vector<std::string> sizes{"qwen3-32b", "qwen3-235b-a22b", "qwen3-235b-a22b-fp8"};
    BOOST_TEST(nearest("qwen3-235b", sizes).value_or("") == "qwen3-235b-a22b");
    BOOST_TEST(nearest("qwen3-33b", sizes).value_or("") == "qwen3-32b");
    BOOST_TEST(!nearest("zzzzzzz", ids).has_value());
    BOOST_TEST(!nearest("", ids).has_value());
    BOOST_TEST(!nearest(std::string(100000, 'a'), ids).has_value());
    BOOST_TEST(did_you_mean("mistrl-7b", ids) == "Did you mean \"mistral-7b\"?");
    BOOST_TEST(did_you_mean("zzzzzzz", ids).empty());
}

BOOST_AUTO_TEST_CASE(split_keeps_empty_pieces) {
    const std::vector<std::string> expected{"a", "", "b", ""};
    BOOST_TEST(split("a,,b,", ',') == expected, boost::test_tools::per_element());
    BOOST_TEST(split("", ',').size() == 1U);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(numbers)

BOOST_AUTO_TEST_CASE(a_suffix_scales) {
    BOOST_TEST(number_with_suffix("70B").value() == 70e9);
    BOOST_TEST(number_with_suffix("1.5T").value() == 1.5e12);
    BOOST_TEST(number_with_suffix("8k").value() == 8e3);
    BOOST_TEST(number_with_suffix("2P").value() == 2e15);
    BOOST_TEST(number_with_suffix("12").value() == 12.0);
}

BOOST_AUTO_TEST_CASE(anything_else_is_no_number) {
    for (const char* text :
         {"",      "B",    "70Bx",  "seven", "1e400", "nan",   "inf", "-inf",   "infinity", "1 000",
          "1_000", "0x10", "0x1p4", "--1",   "-0",    "-0.0k", "+1",  "1e308P", "１２",     "½"}) {
        BOOST_TEST(!number_with_suffix(text).has_value(), text);
    }
}

BOOST_AUTO_TEST_CASE(a_word_begins_with_no_number) {
    for (const char* text : {"info", "infinite", "-inf", "nano", "nan(1)", "-", ".", "-.", ".e5",
                             "e5", "+1", "１２", ""}) {
        BOOST_TEST(!leading_number(text).has_value(), text);
    }
    BOOST_TEST(leading_number(".5x").value().value == 0.5);
    BOOST_TEST(leading_number("-3e2").value().value == -300);
    BOOST_TEST(leading_number("12inf").value().length == 2);
}

BOOST_AUTO_TEST_CASE(every_accepted_number_is_finite) {
    BOOST_TEST(rc::check("finite", [](const std::string& text) {
        const auto number = number_with_suffix(text);
        RC_ASSERT(!number || std::isfinite(*number));
    }));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(formats)

BOOST_AUTO_TEST_CASE(sizes_keep_three_or_four_digits) {
    BOOST_TEST(format_gib(0) == "0.0 GiB");
    BOOST_TEST(format_gib(4.567) == "4.57 GiB");
    BOOST_TEST(format_gib(79.648) == "79.6 GiB");
    BOOST_TEST(format_gib(1234.4) == "1234 GiB");
    BOOST_TEST(format_gib(20480) == "20.0 TiB");
    BOOST_TEST(format_gib(1.024e21) == "1e+18 TiB");
}

BOOST_AUTO_TEST_CASE(durations_take_the_unit_a_person_would) {
    BOOST_TEST(format_duration(4.1e-6) == "4.1 us");
    BOOST_TEST(format_duration(0.035) == "35 ms");
    BOOST_TEST(format_duration(1.2) == "1.2 s");
    BOOST_TEST(format_duration(90) == "90 s");
    BOOST_TEST(format_duration(600) == "10 min");
    BOOST_TEST(format_duration(3.4 * 3600) == "3.4 h");
    BOOST_TEST(format_duration(12 * 86400.0) == "12 days");
    BOOST_TEST(format_duration(3 * 365.25 * 86400) == "1096 days");
    BOOST_TEST(format_duration(250 * 365.25 * 86400) == "250 years");
    BOOST_TEST(format_duration(54.2e9 * 365.25 * 86400) == "54.2B years");
}

BOOST_AUTO_TEST_CASE(dollars_group_thousands) {
    BOOST_TEST(format_usd(0.42) == "$0.42");
    BOOST_TEST(format_usd(1234) == "$1,234");
    BOOST_TEST(format_usd(1234567) == "$1,234,567");
    BOOST_TEST(format_usd(0.0042) == "$0.0042");
    BOOST_TEST(format_usd(-5) == "-$5.00");
    BOOST_TEST(format_usd(999.9e12) == "$999,900,000,000,000");
    BOOST_TEST(format_usd(7.6e20) == "$7.6e+20");
}

BOOST_AUTO_TEST_CASE(counts_take_a_suffix) {
    BOOST_TEST(format_count(70.6e9) == "70.6B");
    BOOST_TEST(format_count(8.03e9) == "8.03B");
    BOOST_TEST(format_count(405e9) == "405B");
    BOOST_TEST(format_count(1e12) == "1T");
    BOOST_TEST(format_count(512) == "512");
}

BOOST_AUTO_TEST_CASE(same_letters_but_for_their_case) {
    BOOST_TEST(same_letters("H100-SXM", "h100-sxm"));
    BOOST_TEST(same_letters("", ""));
    BOOST_TEST(!same_letters("h100", "h200"));
    BOOST_TEST(!same_letters("h100", "h1000"));
    // Only letters have a case: '@' and '`', '[' and '{' lie as far apart.
    BOOST_TEST(!same_letters("@[", "`{"));
}

BOOST_AUTO_TEST_CASE(bytes_that_are_no_utf8_are_found) {
    BOOST_TEST(first_no_utf8("na\xc3\xafve \xf0\x9f\x98\x80") == 11U);  // all of it
    BOOST_TEST(first_no_utf8("a\xed\xa0\x80") == 1U);                   // half of a pair
    BOOST_TEST(first_no_utf8("\xc0\xaf") == 0U);                        // overlong
    BOOST_TEST(first_no_utf8("ab\xc3") == 2U);                          // cut short
    BOOST_TEST(as_utf8("na\xc3\xafve \xff\xfe: \xc3") ==
               "na\xc3\xafve \xef\xbf\xbd\xef\xbf\xbd: \xef\xbf\xbd");
    BOOST_TEST(no_utf8("a: 1\nb: \xff") == "line 2 holds a byte that is no UTF-8 (0xff)");
}

BOOST_AUTO_TEST_SUITE_END()
