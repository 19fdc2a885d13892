#include "ask/calendar.h"

#include <boost/test/unit_test.hpp>

using ridgeline::ask::next_day;

BOOST_AUTO_TEST_SUITE(calendar)

BOOST_AUTO_TEST_CASE(words_mean_the_next_day_of_their_name) {
    // 2026-11-26 is a Thursday.
    BOOST_TEST(next_day("2026-11-26", "friday") == "2026-11-27");
    BOOST_TEST(next_day("2026-11-26", "thursday") == "2026-12-03");
    BOOST_TEST(next_day("2026-11-26", "wednesday") == "2026-12-02");
    BOOST_TEST(next_day("2026-11-26", "end of week") == "2026-11-29");
    BOOST_TEST(next_day("2026-11-26", "end of month") == "2026-11-30");
    BOOST_TEST(next_day("2026-11-26", "end of year") == "2026-12-31");
}

BOOST_AUTO_TEST_CASE(a_day_without_a_year_lies_ahead) {
    BOOST_TEST(next_day("2026-11-26", "--12-01") == "2026-12-01");
    BOOST_TEST(next_day("2026-11-26", "--03-15") == "2027-03-15");
    BOOST_TEST(next_day("2026-11-26", "2027-05-01") == "2027-05-01");
}

BOOST_AUTO_TEST_SUITE_END()
