// The shipped models: all load, other spellings find them, the family alone gives the same shape.
#include "data/load.h"
#include "data/stored_name.h"

#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>

#include <cmath>
#include <fstream>
#include <string>
#include <tuple>

using namespace ridgeline;

namespace {

const std::filesystem::path profiles = std::filesystem::path(RIDGELINE_SOURCE_DIR) / "profiles";

std::string id_of(const std::string& name) {
    const auto model = load_model(profiles, name);
    return model ? model->id : model.error().text();
}

/// Parameters of a dense Llama-like shape: two tables, and per layer q, k, v, o, three matrices and
/// two norms, then one norm.
double dense_size(const Architecture& model) {
    const TransformerStack& s = model.text();
    const double q = 1.0 * s.heads * s.head_dim;
    const double kv = 1.0 * s.kv_heads * s.head_dim;
    const double layer = 2 * s.hidden * (q + kv) + 3.0 * s.hidden * s.ffn + 2.0 * s.hidden +
                         (s.qkv_bias ? q + 2 * kv : 0);
    return (model.tied_embeddings ? 1 : 2) * 1.0 * s.hidden * model.vocabulary + s.layers * layer +
           s.hidden;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(models)

BOOST_AUTO_TEST_CASE(all_load) {
    const auto ids = list_models(profiles);
    BOOST_TEST(ids.size() >= 243U);
    for (const std::string& id : ids) {
        const auto model = load_model(profiles, id);
        BOOST_TEST_REQUIRE(model.has_value(), (model ? id : model.error().text()));
        BOOST_TEST(model->id == id);
        BOOST_TEST(!model->source.empty(), id);
    }
}

// Real files do not say how many norms a block has or whether its feed-forward part is gated.
BOOST_AUTO_TEST_CASE(family_defaults_equal_the_stated_details) {
    for (const std::string& id : list_models(profiles)) {
        const std::filesystem::path file = profiles / "models" / (id + ".json");
        std::ifstream stream(file);
        nlohmann::json document = nlohmann::json::parse(stream);
        if (!document.contains("num_hidden_layers") || document["model_type"] == "bert") {
            continue;
        }
        for (const char* key :
             {"gated_mlp", "norm_type", "norms_per_layer", "mlp_bias", "parallel_residual",
              "position_embedding", "learned_positions", "lm_head_bias", "embedding_norm",
              "router_bias", "router_correction_bias", "attention_sinks", "attention_out_bias",
              "shared_expert_gate", "sliding_window_pattern"}) {
            document.erase(key);
        }
        // Files of these families state both by keys of their own.
        const std::string family = document["model_type"];
        if (family != "stablelm" && family != "cohere" && family != "glm4") {
            document.erase("attention_bias");
            document.erase("qk_norm");
        }
        const auto stated = load_model(profiles, id);
        const auto supplied = architecture_from_config(document.dump(), file.string());
        BOOST_TEST_REQUIRE(supplied.has_value(), id);
        BOOST_TEST((*stated == *supplied), id);
    }
}

BOOST_AUTO_TEST_CASE(other_spellings) {
    BOOST_TEST(id_of("LLAMA-3.1-8B") == "llama-3.1-8b");
    BOOST_TEST(id_of("llama3.1-8b") == "llama-3.1-8b");
    BOOST_TEST(id_of("meta-llama/Llama-3.1-8B-Instruct") == "llama-3.1-8b");
    BOOST_TEST(id_of("meta-llama/Meta-Llama-3-70B") == "llama-3-70b");
    BOOST_TEST(id_of("mistralai/Mixtral-8x7B-v0.1") == "mixtral-8x7b");
    BOOST_TEST(id_of("microsoft/phi-1_5") == "phi-1.5");
    BOOST_TEST(id_of("Qwen/Qwen2.5-7B-Instruct") == "qwen2.5-7b");
    BOOST_TEST(id_of("mistralai/Mistral-7B-Instruct-v0.3") == "mistral-7b-v0.3");
    BOOST_TEST(id_of("mistralai/Mixtral-8x7B-Instruct-v0.1") == "mixtral-8x7b");
    BOOST_TEST(id_of("Qwen/Qwen3-30B-A3B-Thinking-2507") == "qwen3-30b-a3b");
    BOOST_TEST(id_of("opt-13b") == "opt-13b");
    BOOST_TEST(id_of("opt-1.3b") == "opt-1.3b");
    BOOST_TEST(id_of("resnet50") == "resnet-50");
    BOOST_TEST(id_of("bigscience/bloom") == "bloom-176b");
}

BOOST_AUTO_TEST_CASE(names_as_people_type_them) {
    for (const auto& [name, id] : std::initializer_list<std::pair<const char*, const char*>>{
             {"deepseek-r1", "deepseek-v3"},
             {"deepseek-r1:70b", "llama-3.3-70b"},
             {"DeepSeek-R1-Distill-Qwen-32B", "qwen2.5-32b"},
             {"mistral-7b", "mistral-7b-v0.3"},
             {"llama3:70b", "llama-3-70b"},
             {"llama3.1:8b", "llama-3.1-8b"},
             {"llama3.3", "llama-3.3-70b"},
             {"qwen2.5-coder-32b", "qwen2.5-32b"},
             {"qwen3-coder-30b", "qwen3-coder-30b-a3b"},
             {"gemma3:27b", "gemma-3-27b"},
             {"phi4", "phi-4"},
             {"gpt-oss:20b", "gpt-oss-20b"},
             {"meta-llama/Llama-3.1-8B-Instruct", "llama-3.1-8b"},
             {"Qwen/Qwen2.5-7B-Instruct-AWQ", "qwen2.5-7b"},
             {"llama-3.1-8b-gguf", "llama-3.1-8b"},
             {"zai-org/GLM-4.5-Air", "glm-4.5-air"},
             {"glm-4.6", "glm-4.5"},
             {"sdxl", "sdxl-unet"},
             {"flux", "flux.1-dev-transformer"},
             {"whisper", "whisper-large-v3"},
             {"efficientnet_b0", "efficientnet-b0"},
             {"vit_b_16", "vit-b-16"},
             {"swin_t", "swin-tiny"},
             {"regnet_x_1_6gf", "regnet-x-1.6gf"},
             {"hrnet_w32", "hrnet-w32"},
             {"timm/hrnet_w32", "hrnet-w32"},
             {"wav2vec2", "wav2vec2-base"},
             {"bert", "bert-base"}}) {
        BOOST_TEST(id_of(name) == id, name << " is " << id_of(name));
    }
}

BOOST_AUTO_TEST_CASE(every_hugging_face_id_finds_a_model_of_that_id) {
    for (const std::string& id : list_models(profiles)) {
        const auto model = load_model(profiles, id);
        if (!model->hf_id.empty()) {
            const auto found = load_model(profiles, model->hf_id);
            BOOST_TEST((found.has_value() && found->hf_id == model->hf_id), model->hf_id);
        }
    }
}

BOOST_AUTO_TEST_CASE(names_that_say_how_weights_are_stored) {
    const struct {
        const char* name;
        const char* model;
        const char* type;
    } rows[] = {
        {"Qwen/Qwen2.5-32B-Instruct-AWQ", "qwen/qwen2.5-32b-instruct", "awq-int4"},
        {"Qwen2.5-7B-Instruct-GPTQ-Int4", "qwen2.5-7b-instruct", "gptq-int4"},
        {"Qwen2.5-7B-Instruct-GPTQ-Int8", "qwen2.5-7b-instruct", "int8"},
        {"RedHatAI/Llama-3.1-8B-FP8-dynamic", "redhatai/llama-3.1-8b", "fp8"},
        {"Meta-Llama-3.1-8B-Instruct-quantized.w4a16", "meta-llama-3.1-8b-instruct", "gptq-int4"},
        {"unsloth/Llama-3.2-3B-unsloth-bnb-4bit", "unsloth/llama-3.2-3b", "nf4"},
        {"org/Qwen3-8B-GGUF", "org/qwen3-8b", "q4_k_m"},
        {"org/Qwen3-8B-GGUF:Q5_K_M", "org/qwen3-8b", "q5_k_m"},
        {"gemma-3-27b-it-qat-q4_0-gguf", "gemma-3-27b-it", "q4_0"},
        {"meta-llama/Llama-3.1-8B", "meta-llama/llama-3.1-8b", ""},
        {"org/fp8", "org/fp8", ""}};
    for (const auto& row : rows) {
        const StoredName stored = stored_name(row.name);
        BOOST_TEST(stored.model == row.model, row.name);
        BOOST_TEST(stored.quantization == row.type, row.name << ": " << stored.quantization);
    }
}

BOOST_AUTO_TEST_CASE(types_in_which_makers_published_their_weights) {
    const auto published = [](const char* id) { return load_model(profiles, id)->published; };
    BOOST_TEST(published("gpt-oss-120b").type == "mxfp4");
    BOOST_TEST(published("gpt-oss-120b").experts_alone);
    BOOST_TEST(published("deepseek-v3").type == "fp8-block");
    BOOST_TEST(!published("deepseek-v3").experts_alone);
    BOOST_TEST(published("llama-3.1-8b").type.empty());
}

BOOST_AUTO_TEST_CASE(unknown_names) {
    BOOST_TEST(id_of("llama-3.1-8bb") ==
               "model: \"llama-3.1-8bb\" is not known. Did you mean \"llama-3.1-8b\"?");
    for (const char* name : {"", "../secret", "/etc/passwd", ".", "no\nsuch", "x y"}) {
        BOOST_TEST(!load_model(profiles, name).has_value());
    }
    BOOST_TEST(!load_model(profiles, std::string(5000, 'a')).has_value());
    BOOST_TEST(!load_model(profiles / "nothing", "llama-3.1-8b").has_value());
}

BOOST_AUTO_TEST_CASE(typical_sizes_have_the_asked_size) {
    for (const char* text : {"10M", "125M", "350m", "0.5B", "1B",   "1.5b", "3B",   "6B",  "7B",
                             "8b",  "13B",  "14B",  "20B",  "30B",  "32B",  "34B",  "40B", "65B",
                             "70B", "72b",  "100B", "123B", "175B", "405B", "540B", "1T",  "10T"}) {
        const auto model = typical_architecture(text);
        BOOST_TEST_REQUIRE(model.has_value(), text);
        BOOST_TEST(model->typical);
        std::string digits(text);
        const double unit = digits.back() == 'M' || digits.back() == 'm'   ? 1e6
                            : digits.back() == 'T' || digits.back() == 't' ? 1e12
                                                                           : 1e9;
        digits.pop_back();
        const double asked = std::stod(digits) * unit;
        BOOST_TEST(std::abs(dense_size(*model) / asked - 1) <= 0.04, text);
        BOOST_TEST(model->text().heads % model->text().kv_heads == 0);
    }
}

BOOST_AUTO_TEST_CASE(typical_mixtures_have_the_asked_sizes) {
    for (const auto& [text, total, active] :
         {std::tuple{"1t-a32b", 1e12, 32e9}, std::tuple{"300b-a20b", 300e9, 20e9},
          std::tuple{"30b-a3b", 30e9, 3e9}}) {
        const auto model = typical_architecture(text);
        BOOST_TEST_REQUIRE(model.has_value(), text);
        const TransformerStack& stack = model->text();
        const double expert = 3.0 * stack.hidden * stack.moe->ffn * stack.layers;
        const double rest = dense_size(*model) - 3.0 * stack.hidden * stack.ffn * stack.layers;
        BOOST_TEST(std::abs((rest + stack.moe->experts * expert) / total - 1) <= 0.04, text);
        BOOST_TEST(std::abs((rest + stack.moe->experts_per_token * expert) / active - 1) <= 0.08,
                   text);
    }
    BOOST_TEST(!typical_architecture("3b-a30b").has_value());
}

BOOST_AUTO_TEST_CASE(typical_names) {
    const auto seventy = typical_architecture("70B");
    BOOST_TEST(seventy->name == "typical 70B (Llama-3.1-70B shape)");
    BOOST_TEST(seventy->text().layers == 80);
    BOOST_TEST(seventy->text().hidden == 8192);
    const auto experts = typical_architecture("8x7B");
    BOOST_TEST(experts->text().moe->experts == 8);
    for (const char* text : {"", "B", "70", "0B", "-7B", "1e400B", "seven", "100T", "1k", "70GB"}) {
        BOOST_TEST(!typical_architecture(text).has_value(), text);
    }
}

BOOST_AUTO_TEST_SUITE_END()
