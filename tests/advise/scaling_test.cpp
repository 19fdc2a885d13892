#include "advise/validation/scaling.h"

#include <boost/test/unit_test.hpp>

using namespace ridgeline;
namespace tt = boost::test_tools;

BOOST_AUTO_TEST_SUITE(scaling)

BOOST_AUTO_TEST_CASE(efficiency_compares_each_accelerator_with_the_first_ones) {
    // 8 give 100/s; 16 give 180/s: 180/16 over 100/8 = 0.9, and the added 8 give 80 of 100.
    const auto gains = gains_of({{8, 100, true}, {16, 180, true}});
    BOOST_TEST(gains[0]->efficiency == 1.0, tt::tolerance(1e-12));
    BOOST_TEST(!gains[0]->marginal);
    BOOST_TEST(gains[1]->efficiency == 0.9, tt::tolerance(1e-12));
    BOOST_TEST(*gains[1]->marginal == 0.8, tt::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(what_does_not_run_is_left_out) {
    const auto gains = gains_of({{8, 0, false}, {16, 100, true}, {32, 0, false}, {64, 400, true}});
    BOOST_TEST(!gains[0]);
    BOOST_TEST(!gains[2]);
    // 48 more give 300 where 16 give 100.
    BOOST_TEST(*gains[3]->marginal == 1.0, tt::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(scaling_stops_paying_where_the_added_ones_give_less_than_half) {
    const auto limit =
        accelerator_limit({{8, 100, true}, {16, 190, true}, {32, 250, true}, {64, 480, true}});
    // 16 more give 60 where 16 of the first ones give 200: 0.3.
    BOOST_TEST(limit->last_paying == 16);
    BOOST_TEST(*limit->next == 32);
    BOOST_TEST(limit->marginal == 0.3, tt::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(scaling_that_always_pays_has_no_end) {
    const auto limit = accelerator_limit({{1, 10, true}, {2, 20, true}});
    BOOST_TEST(limit->last_paying == 2);
    BOOST_TEST(!limit->next);
    BOOST_TEST(!accelerator_limit({{1, 10, false}}));
}

BOOST_AUTO_TEST_CASE(a_larger_batch_pays_until_the_rate_is_near_the_best) {
    const auto limit = rate_limit({{1, 50, true}, {2, 96, true}, {4, 100, true}, {8, 999, false}});
    BOOST_TEST(limit->last_paying == 2);
    BOOST_TEST(!rate_limit({}));
}

BOOST_AUTO_TEST_CASE(sizes_double_from_low_to_high_or_are_listed) {
    BOOST_TEST(*sizes_named("8..64") == (std::vector<double>{8, 16, 32, 64}), tt::per_element());
    BOOST_TEST(*sizes_named("8..20") == (std::vector<double>{8, 16, 20}), tt::per_element());
    BOOST_TEST(*sizes_named("1k,3k") == (std::vector<double>{1000, 3000}), tt::per_element());
    BOOST_TEST(*sizes_named("7") == (std::vector<double>{7}), tt::per_element());
}

BOOST_AUTO_TEST_CASE(what_is_no_list_of_sizes_is_refused) {
    for (const char* text :
         {"", "..", "8..", "..8", "64..8", "8,4", "0..4", "1.5,2", "a..b", "1..1e30"}) {
        BOOST_TEST(!sizes_named(text), "\"" << text << "\" was taken");
    }
}

BOOST_AUTO_TEST_SUITE_END()
