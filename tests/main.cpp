#define BOOST_TEST_MODULE ridgeline
#include <boost/test/unit_test.hpp>
