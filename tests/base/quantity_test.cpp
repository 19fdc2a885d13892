#include "base/quantity.h"

#include "base/dtype.h"

#include <boost/test/unit_test.hpp>

#include <type_traits>

using namespace ridgeline;

BOOST_AUTO_TEST_SUITE(quantities)

BOOST_AUTO_TEST_CASE(quotients_carry_their_dimension) {
    static_assert(std::is_same_v<decltype(gibibyte / gigabyte_per_second), Seconds>);
    static_assert(std::is_same_v<decltype(gibibyte / byte), double>);
    // 3350 GB in one second at 3350 GB/s.
    BOOST_TEST(((3350.0 * gigabyte) / (3350.0 * gigabyte_per_second) / second) == 1.0);
    // 2 dollars an hour for a day.
    BOOST_TEST(((2.0 * dollar / hour) * day / dollar) == 48.0,
               boost::test_tools::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(a_gibibyte_is_not_a_gigabyte) {
    BOOST_TEST((gibibyte / gigabyte) == 1.073741824, boost::test_tools::tolerance(1e-12));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(element_types)

BOOST_AUTO_TEST_CASE(every_name_reads_back) {
    for (int i = 0; i < compute_types; ++i) {
        const auto type = static_cast<ComputeType>(i);
        BOOST_TEST((compute_type_named(name_of(type)) == type));
    }
    BOOST_TEST((compute_type_named("mxfp4") == ComputeType::fp4));
    BOOST_TEST(!compute_type_named("float").has_value());
}

BOOST_AUTO_TEST_CASE(a_product_stores_what_it_multiplies) {
    BOOST_TEST(bytes_per_element(storage_of(ComputeType::bf16)) == 2.0);
    BOOST_TEST(bytes_per_element(storage_of(ComputeType::tf32)) == 4.0);
    BOOST_TEST(bytes_per_element(storage_of(ComputeType::fp4)) == 0.5);
}

BOOST_AUTO_TEST_SUITE_END()
