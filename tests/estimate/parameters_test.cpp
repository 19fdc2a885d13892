// Counts against the published ones (to the digit) and against counts made by hand.
#include "estimate/families/transformer/parameters.h"

#include "tests/released.h"

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <string>

using namespace ridgeline;

namespace {

using released::model;

/// One unit of the last digit that a rounded figure prints: 12.9e9 -> 0.1e9.
double printed_unit(long long figure) {
    double unit = 1;
    while (figure % 10 == 0) {
        figure /= 10;
        unit *= 10;
    }
    return std::max(unit, 1e8);  // authors print one decimal of a billion at most
}

double sum_of_groups(const ParameterCount& count, bool active) {
    double sum = 0;
    for (const ParameterGroup& group : count.groups) {
        sum += group.parameters * (active ? group.active_count : group.count);
    }
    return sum;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(parameters)

// 229 published totals of transformers; networks of other kinds are held in networks_test.cpp.
BOOST_AUTO_TEST_CASE(published_totals_to_the_digit) {
    int compared = 0;
    for (const std::string& id : list_models(released::root + "/profiles")) {
        const Architecture architecture = model(id);
        if (!architecture.published_parameters || architecture.stacks.empty()) {
            continue;
        }
        BOOST_TEST(count_parameters(architecture).total == *architecture.published_parameters, id);
        ++compared;
    }
    BOOST_TEST(compared == 229);
}

// Authors round, and some leave the input table out ("some leave embeddings out", facts): one of
// the two readings lies within one unit of the last printed digit.
BOOST_AUTO_TEST_CASE(published_active_counts_at_their_precision) {
    int compared = 0;
    for (const std::string& id : list_models(released::root + "/profiles")) {
        const Architecture architecture = model(id);
        if (!architecture.published_active_parameters) {
            continue;
        }
        const ParameterCount count = count_parameters(architecture);
        const auto published = static_cast<double>(*architecture.published_active_parameters);
        const double unit = printed_unit(*architecture.published_active_parameters);
        const double with = std::abs(static_cast<double>(count.active) - published);
        const double without =
            std::abs(static_cast<double>(count.active - count.embedding) - published);
        BOOST_TEST(std::min(with, without) < unit, id);
        ++compared;
    }
    BOOST_TEST(compared == 35);
}

BOOST_AUTO_TEST_CASE(groups_sum_to_the_totals) {
    for (const char* id : {"llama-3.1-8b", "mixtral-8x7b", "deepseek-v3-mtp", "gemma-3-4b",
                           "t5-base", "whisper-tiny", "clip-vit-l-14", "vit-b-16",
                           "bert-base-pretraining", "gpt2", "llama-4-scout"}) {
        const ParameterCount count = count_parameters(model(id));
        BOOST_TEST(sum_of_groups(count, false) == static_cast<double>(count.total), id);
        BOOST_TEST(std::abs(sum_of_groups(count, true) - static_cast<double>(count.active)) < 64,
                   id);
    }
}

BOOST_AUTO_TEST_CASE(a_small_llama_by_hand) {
    const auto architecture = architecture_from_config(R"({"model_type": "llama",
        "hidden_size": 8, "intermediate_size": 20, "num_hidden_layers": 3,
        "num_attention_heads": 4, "num_key_value_heads": 2, "vocab_size": 100,
        "tie_word_embeddings": false})",
                                                       "hand");
    // Tables 2 x 100 x 8; a layer: q 8x8, k and v 8x4, o 8x8, three of 8x20, two norms; one norm.
    const long long layer = 64 + 32 + 32 + 64 + 3 * 160 + 16;
    const ParameterCount count = count_parameters(*architecture);
    BOOST_TEST(count.total == 1600 + 3 * layer + 8);
    BOOST_TEST(count.active == count.total);
    BOOST_TEST(count.embedding == 800);
    BOOST_TEST(count.head == 800);
}

BOOST_AUTO_TEST_CASE(tied_tables_count_once) {
    const ParameterCount count = count_parameters(model("llama-3.2-1b"));
    BOOST_TEST(count.embedding == 128256LL * 2048);
    BOOST_TEST(count.head == 0);
}

BOOST_AUTO_TEST_CASE(a_dense_model_uses_all_of_itself) {
    for (const char* id : {"llama-2-7b", "gpt2", "bert-base", "t5-small"}) {
        const ParameterCount count = count_parameters(model(id));
        BOOST_TEST(count.active == count.total, id);
    }
}

BOOST_AUTO_TEST_CASE(typical_sizes_within_four_percent) {
    for (const char* text : {"1B", "3B", "7B", "13B", "30B", "70B", "175B", "1T"}) {
        const auto architecture = typical_architecture(text);
        const double size = std::stod(text) * (std::string(text).back() == 'T' ? 1e12 : 1e9);
        const auto total = static_cast<double>(count_parameters(*architecture).total);
        BOOST_TEST(std::abs(total / size - 1) <= 0.04, text);
    }
    const auto experts = typical_architecture("8x7b");
    BOOST_TEST(count_parameters(*experts).total == 46702792704LL);  // Mixtral 8x7B
}

BOOST_AUTO_TEST_CASE(cache_of_one_token) {
    // Keys and values of 8 heads of 128 in 32 layers, 2 bytes each.
    BOOST_TEST(kv_bytes_per_token(model("llama-3.1-8b"), 2) == 2.0 * 8 * 128 * 32 * 2);
    // A latent of 512 and a rotary part of 64 in 61 layers.
    BOOST_TEST(kv_bytes_per_token(model("deepseek-v3"), 2) == (512.0 + 64) * 61 * 2);
    BOOST_TEST(kv_bytes_per_token(model("bert-base"), 2) == 0);
    BOOST_TEST(kv_bytes_per_token(model("resnet-50"), 2) == 0);
}

BOOST_AUTO_TEST_CASE(flops_of_one_token) {
    // 2 a matrix parameter (all but the input table and 65 norms), and 4 x width x mean context.
    const double matrices = 8030261248.0 - 128256.0 * 4096 - 65 * 4096;
    const double attention = 4.0 * 4096 * (8192 / 2.0) * 32;
    BOOST_TEST(forward_flops_per_token(model("llama-3.1-8b"), 8192) == 2 * matrices + attention,
               boost::test_tools::tolerance(1e-12));
    // Two of eight experts.
    const Architecture mixtral = model("mixtral-8x7b");
    const ParameterCount count = count_parameters(mixtral);
    BOOST_TEST(forward_flops_per_token(mixtral, 1) ==
                   2.0 * static_cast<double>(count.active - count.embedding),
               boost::test_tools::tolerance(1e-3));
}

BOOST_AUTO_TEST_CASE(published_networks) {
    const ParameterCount count = count_parameters(model("resnet-50"));
    BOOST_TEST(count.total == 25557032);
}

BOOST_AUTO_TEST_SUITE_END()
