#include <boost/test/unit_test.hpp>

// Written out, and not by BOOST_TEST_MODULE, so that this file too reads the headers that are
// compiled once.
int main(int count, char* words[]) {
    return boost::unit_test::unit_test_main([] { return true; }, count, words);
}
