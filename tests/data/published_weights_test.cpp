#include "data/published_weights.h"

#include <boost/test/unit_test.hpp>

using namespace ridgeline;

BOOST_AUTO_TEST_SUITE(published_weights)

BOOST_AUTO_TEST_CASE(types_in_which_makers_published_their_weights) {
    const std::filesystem::path profiles = std::filesystem::path(RIDGELINE_SOURCE_DIR) / "profiles";
    BOOST_TEST(published_quantization(profiles, "gpt-oss-120b") == "mxfp4");
    BOOST_TEST(published_quantization(profiles, "deepseek-v3") == "fp8-block");
    BOOST_TEST(published_quantization(profiles, "llama-3.1-8b").empty());
    BOOST_TEST(published_quantization(profiles, "no-such-model").empty());
    BOOST_TEST(published_quantization(profiles, "../software/vllm").empty());
}

BOOST_AUTO_TEST_SUITE_END()
