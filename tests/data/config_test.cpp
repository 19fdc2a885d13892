// Model configurations as Hugging Face publishes them: what the family supplies and what is
// refused.
#include "base/text.h"
#include "data/load.h"

#include <boost/test/unit_test.hpp>

#include <string>

using namespace ridgeline;

namespace {

Architecture read(const std::string& text) {
    auto architecture = architecture_from_config(text, "config.json");
    BOOST_TEST_REQUIRE(architecture.has_value(),
                       (architecture ? std::string() : architecture.error().text()));
    return *architecture;
}

std::string refusal(const std::string& text) {
    const auto architecture = architecture_from_config(text, "config.json");
    BOOST_TEST_REQUIRE(!architecture.has_value());
    BOOST_TEST(static_cast<int>(architecture.error().kind) == static_cast<int>(ErrorKind::input));
    return architecture.error().text();
}

const std::string llama = R"({"model_type": "llama", "hidden_size": 2048,
    "intermediate_size": 5632, "num_hidden_layers": 22, "num_attention_heads": 32,
    "num_key_value_heads": 4, "vocab_size": 32000, )";

}  // namespace

BOOST_AUTO_TEST_SUITE(config)

BOOST_AUTO_TEST_CASE(a_dense_llama) {
    const Architecture model = read(llama + R"("tie_word_embeddings": false,
        "max_position_embeddings": 4096, "torch_dtype": "bfloat16", "rope_theta": 1e4})");
    const TransformerStack& stack = model.text();
    BOOST_TEST(stack.layers == 22);
    BOOST_TEST(stack.hidden == 2048);
    BOOST_TEST(stack.head_dim == 64);  // 2048 / 32
    BOOST_TEST(stack.kv_heads == 4);
    BOOST_TEST(stack.gated);
    BOOST_TEST(!stack.qkv_bias);
    BOOST_TEST(stack.rope);
    BOOST_TEST(!model.tied_embeddings);
    BOOST_TEST(model.max_positions == 4096);
}

BOOST_AUTO_TEST_CASE(absent_key_value_heads_are_the_heads) {
    const Architecture model = read(R"({"model_type": "llama", "hidden_size": 4096,
        "intermediate_size": 11008, "num_hidden_layers": 32, "num_attention_heads": 32,
        "vocab_size": 32000})");
    BOOST_TEST(model.text().kv_heads == 32);
}

BOOST_AUTO_TEST_CASE(gpt2_names) {
    const Architecture model = read(R"({"architectures": ["GPT2LMHeadModel"], "model_type": "gpt2",
        "n_embd": 768, "n_layer": 12, "n_head": 12, "n_positions": 1024, "n_inner": null,
        "vocab_size": 50257})");
    BOOST_TEST(model.text().ffn == 4 * 768);
    BOOST_TEST(model.learned_positions == 1024);
    BOOST_TEST(model.tied_embeddings);
    BOOST_TEST(model.text().qkv_bias);
    BOOST_TEST(model.text().out_bias);
    BOOST_TEST(model.text().mlp_bias);
    BOOST_TEST(!model.text().gated);
}

BOOST_AUTO_TEST_CASE(qwen2_has_biases_on_q_k_v_only_and_no_window_unless_used) {
    const Architecture model = read(R"({"model_type": "qwen2", "hidden_size": 3584,
        "intermediate_size": 18944, "num_hidden_layers": 28, "num_attention_heads": 28,
        "num_key_value_heads": 4, "vocab_size": 152064, "sliding_window": 131072,
        "use_sliding_window": false, "max_window_layers": 28})");
    BOOST_TEST(model.text().qkv_bias);
    BOOST_TEST(!model.text().out_bias);
    BOOST_TEST(model.text().sliding_window == 0);
}

BOOST_AUTO_TEST_CASE(mixture_of_experts_keys_of_three_families) {
    const std::string shape = R"("hidden_size": 1024, "num_hidden_layers": 4,
        "num_attention_heads": 16, "num_key_value_heads": 8, "vocab_size": 32000, )";
    const Architecture mixtral = read(R"({"model_type": "mixtral", "intermediate_size": 3584,
        "num_local_experts": 8, "num_experts_per_tok": 2, )" +
                                      shape + R"("dtype": "bfloat16"})");
    BOOST_TEST_REQUIRE(mixtral.text().moe.has_value());
    BOOST_TEST(mixtral.text().moe->experts == 8);
    BOOST_TEST(mixtral.text().moe->ffn == 3584);
    const Architecture qwen = read(R"({"model_type": "qwen2_moe", "intermediate_size": 5632,
        "num_experts": 60, "num_experts_per_tok": 4, "moe_intermediate_size": 1408,
        "shared_expert_intermediate_size": 5632, )" +
                                   shape + R"("decoder_sparse_step": 1})");
    BOOST_TEST(qwen.text().moe->shared_ffn == 5632);
    BOOST_TEST(qwen.text().moe->shared_gate);
    const Architecture deepseek = read(R"({"model_type": "deepseek", "intermediate_size": 10944,
        "n_routed_experts": 64, "num_experts_per_tok": 6, "moe_intermediate_size": 1408,
        "n_shared_experts": 2, "first_k_dense_replace": 1, )" +
                                       shape + R"("moe_layer_freq": 1})");
    BOOST_TEST(deepseek.text().moe->shared_ffn == 2 * 1408);
    BOOST_TEST(!deepseek.text().is_moe_layer(0));
    BOOST_TEST(deepseek.text().is_moe_layer(1));
    BOOST_TEST(deepseek.text().moe->dense_ffn == 10944);
}

BOOST_AUTO_TEST_CASE(multimodal_files_nest_the_text_part) {
    // As gemma-3-4b publishes it: most of the text part equals the defaults of its class.
    const Architecture model = read(R"({"model_type": "gemma3", "text_config": {
        "model_type": "gemma3_text", "hidden_size": 2560, "intermediate_size": 10240,
        "num_hidden_layers": 34, "sliding_window": 1024}, "vision_config": {
        "model_type": "siglip_vision_model", "hidden_size": 1152, "image_size": 896,
        "intermediate_size": 4304, "num_attention_heads": 16, "num_hidden_layers": 27,
        "patch_size": 14}})");
    BOOST_TEST(model.text().heads == 8);
    BOOST_TEST(model.text().kv_heads == 4);
    BOOST_TEST(model.text().head_dim == 256);
    BOOST_TEST(model.vocabulary == 262208);
    BOOST_TEST(model.tied_embeddings);
    BOOST_TEST(model.stacks.size() == 2U);
    BOOST_TEST(model.stacks.front().tokens == 64 * 64);  // (896 / 14)^2
    // Five of six layers slide.
    int sliding = 0;
    for (int layer = 0; layer < 34; ++layer) {
        sliding += model.text().is_sliding_layer(layer) ? 1 : 0;
    }
    BOOST_TEST(sliding == 29);
}

BOOST_AUTO_TEST_CASE(layer_types_give_the_pattern) {
    const Architecture model = read(R"({"model_type": "gpt_oss", "hidden_size": 2880,
        "intermediate_size": 2880, "num_hidden_layers": 4, "num_attention_heads": 64,
        "num_key_value_heads": 8, "head_dim": 64, "vocab_size": 201088, "num_local_experts": 32,
        "num_experts_per_tok": 4, "sliding_window": 128, "layer_types": ["sliding_attention",
        "full_attention", "sliding_attention", "full_attention"]})");
    BOOST_TEST(model.text().is_sliding_layer(0));
    BOOST_TEST(!model.text().is_sliding_layer(1));
    BOOST_TEST(model.text().attention_sinks);
    BOOST_TEST(model.text().moe->expert_bias);
    BOOST_TEST(model.text().moe->router_bias);
}

BOOST_AUTO_TEST_CASE(falcon_of_both_generations) {
    const Architecture first = read(R"({"model_type": "falcon", "hidden_size": 4544,
        "num_hidden_layers": 32, "num_attention_heads": 71, "multi_query": true, "bias": false,
        "parallel_attn": true, "alibi": false, "new_decoder_architecture": false,
        "vocab_size": 65024})");
    BOOST_TEST(first.text().kv_heads == 1);
    BOOST_TEST(first.text().norms_per_layer == 1);
    BOOST_TEST(first.text().rope);
    const Architecture second = read(R"({"model_type": "falcon", "hidden_size": 8192,
        "num_hidden_layers": 60, "num_attention_heads": 128, "num_kv_heads": 8,
        "multi_query": true, "new_decoder_architecture": true, "parallel_attn": true,
        "vocab_size": 65024})");
    BOOST_TEST(second.text().kv_heads == 8);
    BOOST_TEST(second.text().norms_per_layer == 2);
}

BOOST_AUTO_TEST_CASE(class_name_stands_in_for_a_missing_model_type) {
    const Architecture model = read(R"({"architectures": ["MistralForCausalLM"],
        "hidden_size": 4096, "intermediate_size": 14336, "num_hidden_layers": 32,
        "num_attention_heads": 32, "num_key_value_heads": 8, "vocab_size": 32000})");
    BOOST_TEST(model.model_type == "mistral");
}

BOOST_AUTO_TEST_CASE(wrong_sizes_are_named) {
    BOOST_TEST(contains(refusal(R"({"model_type": "llama", "hidden_size": -5})"),
                        "config.json: /num_hidden_layers: missing"));
    const std::string negative = refusal(R"({"model_type": "llama", "num_hidden_layers": 2,
        "hidden_size": -4096, "num_attention_heads": 32, "intermediate_size": 11008,
        "vocab_size": 32000})");
    BOOST_TEST(
        contains(negative, "config.json: /hidden_size: found -4096, expected a whole number"));
    for (const char* value : {"0", "1e300", "\"4096\"", "4096.5", "[4096]", "true", "{}"}) {
        const std::string text = std::string(R"({"model_type": "llama", "num_hidden_layers": 2,
            "num_attention_heads": 32, "intermediate_size": 11008, "vocab_size": 32000,
            "hidden_size": )") + value +
                                 "}";
        BOOST_TEST(contains(refusal(text), "/hidden_size: found"), value);
    }
    BOOST_TEST(contains(refusal(llama + R"("head_dim": 0})"), "/head_dim: found 0"));
    BOOST_TEST(
        contains(refusal(R"({"model_type": "llama", "hidden_size": 100, "num_hidden_layers": 2,
        "num_attention_heads": 3, "intermediate_size": 10, "vocab_size": 10})"),
                 "/head_dim: missing, and hidden_size 100 is no multiple"));
}

BOOST_AUTO_TEST_CASE(nested_errors_carry_their_path) {
    const std::string text = refusal(R"({"model_type": "gemma3", "text_config": {
        "hidden_size": 0, "intermediate_size": 10240, "num_hidden_layers": 34}})");
    BOOST_TEST(contains(text, "config.json: /text_config/hidden_size: found 0"));
}

BOOST_AUTO_TEST_CASE(more_experts_a_token_than_experts) {
    BOOST_TEST(contains(refusal(llama + R"("num_local_experts": 4, "num_experts_per_tok": 8})"),
                        "/num_experts_per_tok: found 8, expected at most the 4 experts"));
}

BOOST_AUTO_TEST_CASE(unknown_family_names_the_nearest) {
    BOOST_TEST(
        contains(refusal(R"({"model_type": "lama", "hidden_size": 1})"), "Did you mean \"llama\""));
    BOOST_TEST(contains(refusal(R"({"hidden_size": 1})"), "/model_type: missing"));
    BOOST_TEST(contains(refusal("[]"), "expected a JSON object"));
    BOOST_TEST(contains(refusal("{\"model_type\": "), "config.json"));
}

BOOST_AUTO_TEST_CASE(an_unknown_family_with_the_keys_of_a_decoder_is_read_as_one_and_says_so) {
    const std::string keys =
        R"("hidden_size": 4096, "num_hidden_layers": 32, "num_attention_heads": 32,
           "num_key_value_heads": 8, "intermediate_size": 14336, "vocab_size": 128256)";
    const Architecture unknown = read(R"({"model_type": "zyxwv_9", )" + keys + "}");
    BOOST_TEST(unknown.assumed_family == "llama");
    BOOST_TEST(unknown.model_type == "zyxwv_9");
    BOOST_TEST(unknown.text().layers == 32);
    BOOST_TEST(read(R"({"model_type": "llama", )" + keys + "}").assumed_family.empty());
    // A state-space layer has none of a decoder's sums, and half of the keys say nothing.
    BOOST_TEST(!architecture_from_config(
                    R"({"model_type": "zyxwv_9", "mamba_d_state": 128, )" + keys + "}", "x")
                    .has_value());
    BOOST_TEST(!architecture_from_config(R"({"model_type": "zyxwv_9", "hidden_size": 64})", "x")
                    .has_value());
}

// transformers configuration_nemotron_h.py: M state, * attention, - feed-forward, E experts.
BOOST_AUTO_TEST_CASE(layers_with_states_are_read_by_their_letters) {
    const auto nemotron = [](const std::string& letters) {
        return architecture_from_config(
            R"({"model_type": "nemotron_h", "hidden_size": 64, "num_hidden_layers": 4,
                "num_attention_heads": 4, "intermediate_size": 128, "vocab_size": 100,
                "mamba_num_heads": 8, "mamba_head_dim": 16, "hybrid_override_pattern": ")" +
                letters + "\"}",
            "x");
    };
    const auto four = nemotron("M-M*-M");
    BOOST_TEST_REQUIRE(four.has_value());
    BOOST_TEST(four->text().layout == "sSaS");
    BOOST_TEST(four->text().layers == 4);
    BOOST_TEST(four->text().state->inner == 128);
    for (const char* wrong : {"", "-M", "M--", "MX"}) {
        BOOST_TEST(!nemotron(wrong).has_value(), wrong);
    }
    // Jamba attends in layer 4 of each 8, Qwen3-Next in the last of each 4.
    const Architecture jamba = read(R"({"model_type": "jamba", "hidden_size": 64,
        "num_hidden_layers": 8, "num_attention_heads": 4, "intermediate_size": 128,
        "vocab_size": 100, "attn_layer_period": 8, "attn_layer_offset": 4})");
    BOOST_TEST(jamba.text().layout == "ssssasss");
    const Architecture next = read(R"({"model_type": "qwen3_next", "hidden_size": 64,
        "num_hidden_layers": 8, "num_attention_heads": 4, "intermediate_size": 128,
        "vocab_size": 100, "full_attention_interval": 4, "linear_num_value_heads": 4,
        "linear_num_key_heads": 2})");
    BOOST_TEST(next.text().layout == "sssasssa");
}

BOOST_AUTO_TEST_CASE(networks_by_their_published_figures) {
    const Architecture conv = read(R"({"model_type": "convnet", "name": "resnet50",
        "family": "resnet", "gmacs": 4.11, "macts_m": 11.11, "params_m": 25.56})");
    BOOST_TEST(static_cast<int>(conv.kind) == static_cast<int>(ModelKind::image));
    BOOST_TEST(conv.facts->mparameters == 25.56);
    const Architecture flux = read(R"({"model_type": "diffusion", "family": "mmdit",
        "params_m": 11901.4, "hidden_size": 3072, "num_attention_heads": 24, "head_dim": 128,
        "num_double_layers": 19, "num_single_layers": 38, "intermediate_size": 12288,
        "image_tokens": 4096, "text_tokens": 512, "gmacs": 37181.0})");
    BOOST_TEST_REQUIRE(flux.network.has_value());
    BOOST_TEST(flux.network->number("num_single_layers", 0) == 38);
    const Architecture gnmt = read(R"({"model_type": "recurrent", "family": "lstm",
        "hidden_size": 1024, "num_encoder_layers": 4, "num_decoder_layers": 4,
        "bidirectional_layers": 1, "vocab_size": 32000, "params_m": 160.0})");
    BOOST_TEST(gnmt.network->number("num_decoder_layers", 0) == 4);
}

// Options of a command line stand in a file as text; a word stays a word.
BOOST_AUTO_TEST_CASE(numbers_of_a_network_may_be_text) {
    const Architecture model = read(
        R"({"model_type": "gan", "name": "stylegan3-t", "resolution": 256, "cbase": "16384"})");
    BOOST_TEST_REQUIRE(model.network.has_value());
    BOOST_TEST(model.network->number("cbase", 0) == 16384);
    BOOST_TEST(model.network->number("resolution", 0) == 256);
    BOOST_TEST(model.network->word("name") == "stylegan3-t");
    BOOST_TEST(model.network->list("name") == nullptr);
}

BOOST_AUTO_TEST_SUITE_END()
