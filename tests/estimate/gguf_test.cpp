// GGUF files against published sizes, and the bytes of a few tensors by hand.
#include "estimate/serving/gguf.h"

#include "estimate/families/transformer/parameters.h"
#include "estimate/serving/kv_cache.h"
#include "estimate/serving/served_weights.h"
#include "tests/released.h"

#include <boost/test/unit_test.hpp>

#include <string>

using namespace ridgeline;
namespace tt = boost::test_tools;

namespace {

using released::model;

struct Published {
    std::string_view type;
    double size;
};

void compare(const Architecture& architecture, std::initializer_list<Published> rows, double unit) {
    for (const Published& row : rows) {
        const auto file = gguf_file(row.type);
        BOOST_TEST_REQUIRE(file.has_value(), row.type);
        const double bytes = gguf_file_bytes(*file, architecture);
        BOOST_TEST_INFO(architecture.id << " " << row.type << " " << bytes / unit);
        BOOST_TEST(bytes / (row.size * unit) == 1.0, tt::tolerance(0.005));
    }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(gguf)

// ggml-org/llama.cpp tools/quantize/README.md (311c2c9f): bits a weight of Llama 3.1 8B, to 1e-4.
// Its IQ4_XS was made without an importance matrix; that of bartowski's repository has 4.45 GB.
BOOST_AUTO_TEST_CASE(files_of_llama_8b_have_the_published_bits_a_weight) {
    compare(model("llama-3.1-8b"),
            {{"iq1_s", 2.0042},  {"iq1_m", 2.1460},  {"iq2_xxs", 2.3824}, {"iq2_xs", 2.5882},
             {"iq2_s", 2.7403},  {"iq2_m", 2.9294},  {"iq3_xxs", 3.2548}, {"iq3_xs", 3.4977},
             {"iq3_s", 3.6606},  {"iq3_m", 3.7628},  {"iq4_nl", 4.6818},  {"q2_k_s", 2.9697},
             {"q2_k", 3.1593},   {"q3_k_s", 3.6429}, {"q3_k_l", 4.2979},  {"q4_k_s", 4.6672},
             {"q4_k_m", 4.8944}, {"q5_k_s", 5.5704}, {"q5_k_m", 5.7036},  {"q6_k", 6.5633},
             {"q8_0", 8.5008},   {"f16", 16.0005}},
            8'030'261'312.0 / 8);
    compare(model("llama-3.1-8b"), {{"iq4_xs", 4.45}}, 1e9);
}

// bartowski/Meta-Llama-3.1-70B-Instruct-GGUF and Nemotron 70B, model cards: GB, two decimals. The
// value projection of the 70B Llama takes five bits where another model's takes three or four.
BOOST_AUTO_TEST_CASE(files_of_llama_70b_have_the_published_size) {
    compare(model("llama-3.1-70b"),
            {{"q8_0", 74.98},
             {"q6_k", 57.89},
             {"q5_k_m", 49.95},
             {"q5_k_s", 48.66},
             {"q4_k_m", 42.52},
             {"q4_k_s", 40.35},
             {"iq4_xs", 37.90},
             {"q3_k_l", 37.14},
             {"q3_k_m", 34.27},
             {"iq3_m", 31.94},
             {"q3_k_s", 30.91}},
            1e9);
}

// ymcui/Chinese-Mixtral pull request 26 (hfl/chinese-mixtral-instruct-gguf): GB, one decimal, so
// that a row is known to 0.05 GB. Eight experts: keys and values in eight bits. Its IQ2_XXS and
// IQ2_XS are left out: they are older than the rule that gives the attention's output of eight
// experts five bits.
BOOST_AUTO_TEST_CASE(files_of_mixtral_have_the_published_size) {
    const Architecture mixtral = model("mixtral-8x7b");
    for (const auto& [type, size] : std::initializer_list<Published>{{"iq1_s", 9.8},
                                                                     {"iq1_m", 10.8},
                                                                     {"iq2_s", 14.1},
                                                                     {"iq2_m", 15.5},
                                                                     {"q2_k", 17.3},
                                                                     {"iq3_xxs", 18.3},
                                                                     {"iq3_xs", 19.3},
                                                                     {"iq3_s", 20.4},
                                                                     {"iq3_m", 21.4},
                                                                     {"q3_k_m", 22.5},
                                                                     {"iq4_xs", 25.1},
                                                                     {"q4_0", 26.4},
                                                                     {"iq4_nl", 26.5},
                                                                     {"q4_k_m", 28.4},
                                                                     {"q5_0", 32.2},
                                                                     {"q5_k_m", 33.2},
                                                                     {"q6_k", 38.4},
                                                                     {"q8_0", 49.6}}) {
        const double bytes = gguf_file_bytes(*gguf_file(type), mixtral);
        BOOST_TEST_INFO(type << " " << bytes / 1e9);
        BOOST_TEST(std::abs(bytes / 1e9 - size) <= 0.05 + 0.005 * size);
    }
}

// One q4_k block: 256 weights in 144 bytes; q6_k: 210; a row of 4,096 is 16 blocks.
BOOST_AUTO_TEST_CASE(bits_follow_from_the_block_structs) {
    BOOST_TEST(gguf_bits(GgufBlock::q4_k) == 4.5);
    BOOST_TEST(gguf_bits(GgufBlock::q6_k) == 6.5625);
    BOOST_TEST(gguf_bits(GgufBlock::q8_0) == 8.5);
    BOOST_TEST(gguf_bits(GgufBlock::mxfp4) == 4.25);
    BOOST_TEST(!gguf_file("q9_k").has_value());
}

// Bytes of keys and values of one token, from the published shapes: 2 x layers x KV heads x head
// size x bytes, or the latent and the rotary part of a key with multi-head latent attention.
BOOST_AUTO_TEST_CASE(cache_bytes_are_exact) {
    const Plan one;
    const auto token = [&](const std::string& id, double bytes) {
        return kv_cache_bytes(model(id), one, bytes, 1);
    };
    BOOST_TEST(token("llama-2-7b", 2) == 2 * 32 * 32 * 128 * 2);   // MHA
    BOOST_TEST(token("llama-3.1-8b", 2) == 2 * 32 * 8 * 128 * 2);  // GQA
    BOOST_TEST(token("llama-3.1-8b", 1) == 2 * 32 * 8 * 128);      // fp8 or int8
    BOOST_TEST(token("deepseek-v3", 2) == 61 * (512 + 64) * 2);    // latent
    BOOST_TEST(token("gpt-oss-120b", 2) == 2 * 36 * 8 * 64 * 2);
    // gpt-oss: every second layer keeps 128 tokens at most. 18 layers of 8,192, 18 of 128.
    BOOST_TEST(kv_cache_bytes(model("gpt-oss-120b"), one, 2, 8192) ==
               2.0 * 8 * 64 * 2 * (18 * 8192 + 18 * 128));
    Plan split;
    split.tensor = 8;
    BOOST_TEST(kv_cache_bytes(model("llama-3.1-70b"), split, 2, 1) == 2 * 80 * 1 * 128 * 2);
    split.tensor = 16;  // never less than one head
    BOOST_TEST(kv_cache_bytes(model("llama-3.1-70b"), split, 2, 1) == 2 * 80 * 1 * 128 * 2);
}

/// Bytes of a model's safetensors files in a quantised format.
double repository_bytes(const std::string& id, const std::string& quantization) {
    Workload workload;
    workload.task = Task::inference;
    workload.weights = DType::bf16;
    workload.quantization.name = quantization;
    return weight_file_bytes(model(id), workload);
}

// Sums of the weight files as the repositories on huggingface.co list them, to a hundredth of a
// gigabyte a file. gpt-oss keeps 16 bits but for its experts.
BOOST_AUTO_TEST_CASE(repositories_have_the_published_size) {
    struct Repository {
        const char* name;
        const char* model;
        const char* quantization;
        double gigabytes;
    };
    const Repository repositories[] = {
        {"openai/gpt-oss-120b", "gpt-oss-120b", "mxfp4", 65.25},
        {"openai/gpt-oss-20b", "gpt-oss-20b", "mxfp4", 4.79 + 4.80 + 4.17},
        {"neuralmagic/Meta-Llama-3.1-8B-Instruct-FP8", "llama-3.1-8b", "fp8", 5.00 + 4.08},
        {"nvidia/Llama-3.1-8B-Instruct-FP8", "llama-3.1-8b", "fp8", 5.00 + 4.08},
        {"weiweiz1/llama3.1-8b-nvfp", "llama-3.1-8b", "nvfp4", 4.98 + 1.05},
        {"lurker18/Llama_3.1_8B_AWQ_4bit", "llama-3.1-8b", "awq-int4", 4.68 + 1.05},
        {"Qwen/Qwen2.5-7B-Instruct-GPTQ-Int4", "qwen2.5-7b", "gptq-int4", 4.00 + 1.58},
        {"Qwen/Qwen2.5-32B-Instruct-GPTQ-Int4", "qwen2.5-32b", "gptq-int4",
         3.95 + 3.98 + 3.95 + 3.98 + 3.48},
        {"tclf90/qwen2.5-72b-instruct-gptq-int4", "qwen2.5-72b", "gptq-int4", 41.6},
    };
    for (const Repository& repository : repositories) {
        BOOST_TEST_INFO(repository.name);
        BOOST_TEST(repository_bytes(repository.model, repository.quantization) / 1e9 ==
                       repository.gigabytes,
                   tt::tolerance(0.005));
    }
}

// Experts that are published in 4.25 bits stay so in files of wider types: 114.7e9 of 116.8e9
// weights. llama.cpp's own file, experts in MXFP4 and the rest in 8 bits, has 59.02 GiB (its
// benchmarks name it so).
BOOST_AUTO_TEST_CASE(files_keep_packed_experts) {
    const double gib = gibibyte.base();
    BOOST_TEST(repository_bytes("gpt-oss-120b", "mxfp4_moe") / gib == 59.02, tt::tolerance(0.01));
    BOOST_TEST(repository_bytes("gpt-oss-120b", "q8_0") / gib == 59.02, tt::tolerance(0.01));
    BOOST_TEST(repository_bytes("gpt-oss-120b", "q4_k_m") / gib < 59.1);
    BOOST_TEST(repository_bytes("gpt-oss-120b", "f16") / gib < 62);
    // A narrower type still narrows.
    BOOST_TEST(repository_bytes("gpt-oss-120b", "iq1_s") <=
               repository_bytes("gpt-oss-120b", "q4_k_m"));
    // Experts of a model that is published in 16 bits do not.
    BOOST_TEST(repository_bytes("mixtral-8x7b", "q8_0") >
               1.5 * repository_bytes("mixtral-8x7b", "q4_k_m"));
}

// TheBloke/LLaMA-7b-AWQ: 3,889,307,648 bytes of tensors, counted from its header.
BOOST_AUTO_TEST_CASE(an_awq_repository_is_exact_to_the_byte) {
    BOOST_TEST(repository_bytes("llama-7b", "awq-int4") == 3'889'307'648.0);
}

BOOST_AUTO_TEST_SUITE_END()
