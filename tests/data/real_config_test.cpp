// Configurations as their publishers store them (keys that matter for the shape), against the
// published counts: nothing here tells the reader about gates, norms or biases.
#include "data/load.h"
#include "estimate/families/transformer/parameters.h"

#include <boost/test/unit_test.hpp>

#include <string>

using namespace ridgeline;

namespace {

struct Published {
    const char* name;
    long long parameters;
    const char* config;
};

const Published rows[] = {
    {"tiiuae/falcon-7b", 7217189760, R"({"model_type": "falcon", "alibi": false, "bias": false,
        "hidden_size": 4544, "layer_norm_epsilon": 1e-05, "multi_query": true,
        "new_decoder_architecture": false, "num_attention_heads": 71, "num_hidden_layers": 32,
        "parallel_attn": true, "vocab_size": 65024})"},
    {"tiiuae/falcon-180B", 179522565120, R"({"model_type": "falcon", "alibi": false, "bias": false,
        "hidden_size": 14848, "multi_query": true, "new_decoder_architecture": true,
        "num_attention_heads": 232, "num_hidden_layers": 80, "num_kv_heads": 8,
        "parallel_attn": true, "vocab_size": 65024})"},
    {"bigscience/bloom-560m", 559214592, R"({"model_type": "bloom", "n_embed": 1024,
        "n_layer": 24, "num_attention_heads": 16, "layer_norm_epsilon": 1e-05,
        "vocab_size": 250880, "seq_length": 2048, "offset_alibi": 100})"},
    {"facebook/opt-125m", 125239296, R"({"model_type": "opt", "ffn_dim": 3072,
        "hidden_size": 768, "num_hidden_layers": 12, "num_attention_heads": 12,
        "max_position_embeddings": 2048, "vocab_size": 50272, "word_embed_proj_dim": 768,
        "do_layer_norm_before": true, "activation_function": "relu"})"},
    {"EleutherAI/gpt-j-6b", 6050882784, R"({"model_type": "gptj", "n_embd": 4096, "n_head": 16,
        "n_inner": null, "n_layer": 28, "n_positions": 2048, "rotary_dim": 64,
        "activation_function": "gelu_new", "tie_word_embeddings": false, "vocab_size": 50400})"},
    {"EleutherAI/pythia-2.8b", 2775208960, R"({"model_type": "gpt_neox", "hidden_act": "gelu",
        "hidden_size": 2560, "intermediate_size": 10240, "num_attention_heads": 32,
        "num_hidden_layers": 32, "rotary_pct": 0.25, "tie_word_embeddings": false,
        "use_parallel_residual": true, "max_position_embeddings": 2048, "vocab_size": 50304})"},
    {"openai-community/gpt2-xl", 1557611200, R"({"model_type": "gpt2", "n_ctx": 1024,
        "n_embd": 1600, "n_head": 25, "n_layer": 48, "n_positions": 1024,
        "activation_function": "gelu_new", "vocab_size": 50257})"},
    {"microsoft/phi-1_5", 1418270720, R"({"model_type": "phi", "hidden_act": "gelu_new",
        "hidden_size": 2048, "intermediate_size": 8192, "num_attention_heads": 32,
        "num_hidden_layers": 24, "num_key_value_heads": null, "partial_rotary_factor": 0.5,
        "qk_layernorm": false, "tie_word_embeddings": false, "vocab_size": 51200,
        "max_position_embeddings": 2048})"},
    {"microsoft/Phi-3-mini-4k-instruct", 3821079552, R"({"model_type": "phi3",
        "hidden_size": 3072, "intermediate_size": 8192, "num_attention_heads": 32,
        "num_hidden_layers": 32, "num_key_value_heads": 32, "sliding_window": 2047,
        "attention_bias": false, "tie_word_embeddings": false, "vocab_size": 32064,
        "original_max_position_embeddings": 4096, "max_position_embeddings": 4096})"},
    {"google/gemma-2b", 2506172416, R"({"model_type": "gemma", "attention_bias": false,
        "head_dim": 256, "hidden_act": "gelu", "hidden_activation": null, "hidden_size": 2048,
        "intermediate_size": 16384, "num_attention_heads": 8, "num_hidden_layers": 18,
        "num_key_value_heads": 1, "max_position_embeddings": 8192, "vocab_size": 256000})"},
    {"google/gemma-2-27b", 27227128320, R"({"model_type": "gemma2", "attention_bias": false,
        "attn_logit_softcapping": 50.0, "cache_implementation": "hybrid",
        "final_logit_softcapping": 30.0, "head_dim": 128, "hidden_size": 4608,
        "intermediate_size": 36864, "num_attention_heads": 32, "num_hidden_layers": 46,
        "num_key_value_heads": 16, "query_pre_attn_scalar": 144, "sliding_window": 4096,
        "vocab_size": 256000})"},
    {"google/gemma-3-4b-pt", 4300079472, R"({"model_type": "gemma3", "boi_token_index": 255999,
        "mm_tokens_per_image": 256, "text_config": {"hidden_size": 2560,
        "intermediate_size": 10240, "model_type": "gemma3_text", "num_hidden_layers": 34,
        "rope_scaling": {"factor": 8.0, "rope_type": "linear"}, "sliding_window": 1024},
        "vision_config": {"hidden_size": 1152, "image_size": 896, "intermediate_size": 4304,
        "model_type": "siglip_vision_model", "num_attention_heads": 16, "num_hidden_layers": 27,
        "patch_size": 14, "vision_use_head": false}})"},
    {"meta-llama/Llama-4-Scout-17B-16E", 108641793536, R"({"model_type": "llama4",
        "text_config": {"attention_bias": false, "attention_chunk_size": 8192, "head_dim": 128,
        "hidden_size": 5120, "interleave_moe_layer_step": 1, "intermediate_size": 8192,
        "intermediate_size_mlp": 16384, "model_type": "llama4_text", "num_attention_heads": 40,
        "num_experts_per_tok": 1, "num_hidden_layers": 48, "num_key_value_heads": 8,
        "num_local_experts": 16, "use_qk_norm": true, "vocab_size": 202048},
        "tie_word_embeddings": false, "vision_config": {"hidden_size": 1408, "image_size": 336,
        "intermediate_size": 5632, "model_type": "llama4_vision_model", "num_attention_heads": 16,
        "num_hidden_layers": 34, "patch_size": 14, "pixel_shuffle_ratio": 0.5,
        "projector_input_dim": 4096, "projector_output_dim": 4096, "vision_output_dim": 4096}})"},
    {"mistralai/Mixtral-8x7B-v0.1", 46702792704, R"({"model_type": "mixtral",
        "hidden_size": 4096, "intermediate_size": 14336, "num_attention_heads": 32,
        "num_experts_per_tok": 2, "num_hidden_layers": 32, "num_key_value_heads": 8,
        "num_local_experts": 8, "output_router_logits": false, "sliding_window": null,
        "tie_word_embeddings": false, "vocab_size": 32000})"},
    {"Qwen/Qwen2.5-7B", 7615616512, R"({"model_type": "qwen2", "hidden_size": 3584,
        "intermediate_size": 18944, "max_window_layers": 28, "num_attention_heads": 28,
        "num_hidden_layers": 28, "num_key_value_heads": 4, "sliding_window": 131072,
        "tie_word_embeddings": false, "use_mrope": false, "use_sliding_window": false,
        "vocab_size": 152064})"},
    {"Qwen/Qwen3-30B-A3B", 30532122624, R"({"model_type": "qwen3_moe", "attention_bias": false,
        "decoder_sparse_step": 1, "head_dim": 128, "hidden_size": 2048,
        "intermediate_size": 6144, "max_window_layers": 48, "mlp_only_layers": [],
        "moe_intermediate_size": 768, "norm_topk_prob": true, "num_attention_heads": 32,
        "num_experts": 128, "num_experts_per_tok": 8, "num_hidden_layers": 48,
        "num_key_value_heads": 4, "sliding_window": null, "tie_word_embeddings": false,
        "use_sliding_window": false, "vocab_size": 151936})"},
    {"deepseek-ai/DeepSeek-V3", 671026419200, R"({"model_type": "deepseek_v3",
        "attention_bias": false, "ep_size": 1, "first_k_dense_replace": 3, "hidden_size": 7168,
        "intermediate_size": 18432, "kv_lora_rank": 512, "moe_intermediate_size": 2048,
        "moe_layer_freq": 1, "n_group": 8, "n_routed_experts": 256, "n_shared_experts": 1,
        "num_attention_heads": 128, "num_experts_per_tok": 8, "num_hidden_layers": 61,
        "num_key_value_heads": 128, "num_nextn_predict_layers": 1, "q_lora_rank": 1536,
        "qk_nope_head_dim": 128, "qk_rope_head_dim": 64, "quantization_config": {
        "quant_method": "fp8", "weight_block_size": [128, 128]}, "scoring_func": "sigmoid",
        "tie_word_embeddings": false, "topk_method": "noaux_tc", "v_head_dim": 128,
        "vocab_size": 129280})"},
    {"openai/gpt-oss-20b", 20914757184, R"({"model_type": "gpt_oss", "attention_bias": true,
        "experts_per_token": 4, "head_dim": 64, "hidden_size": 2880, "intermediate_size": 2880,
        "layer_types": ["sliding_attention", "full_attention"], "num_attention_heads": 64,
        "num_experts_per_tok": 4, "num_hidden_layers": 24, "num_key_value_heads": 8,
        "num_local_experts": 32, "sliding_window": 128, "tie_word_embeddings": false,
        "vocab_size": 201088, "quantization_config": {"quant_method": "mxfp4"}})"},
    {"allenai/OLMo-2-1124-7B", 7298617344, R"({"model_type": "olmo2", "attention_bias": false,
        "hidden_act": "silu", "hidden_size": 4096, "intermediate_size": 11008,
        "num_attention_heads": 32, "num_hidden_layers": 32, "num_key_value_heads": 32,
        "rms_norm_eps": 1e-06, "tie_word_embeddings": false, "vocab_size": 100352})"},
    {"HuggingFaceTB/SmolLM3-3B-Base", 3075098624, R"({"model_type": "smollm3",
        "attention_bias": false, "hidden_size": 2048, "intermediate_size": 11008,
        "max_window_layers": 28, "no_rope_layer_interval": 4, "num_attention_heads": 16,
        "num_hidden_layers": 36, "num_key_value_heads": 4, "sliding_window": null,
        "use_sliding_window": false, "vocab_size": 128256})"},
    {"stabilityai/stablelm-3b-4e1t", 2795443200, R"({"model_type": "stablelm",
        "hidden_act": "silu", "hidden_size": 2560, "intermediate_size": 6912,
        "num_attention_heads": 32, "num_hidden_layers": 32, "num_key_value_heads": 32,
        "partial_rotary_factor": 0.25, "tie_word_embeddings": false, "use_parallel_residual": false,
        "use_qkv_bias": false, "vocab_size": 50304})"},
    {"google-t5/t5-small", 60506624, R"({"model_type": "t5", "d_ff": 2048, "d_kv": 64,
        "d_model": 512, "n_positions": 512, "num_heads": 8, "num_layers": 6,
        "relative_attention_num_buckets": 32, "vocab_size": 32128})"},
    {"google/flan-t5-base", 247577856, R"({"model_type": "t5", "d_ff": 2048, "d_kv": 64,
        "d_model": 768, "feed_forward_proj": "gated-gelu", "num_decoder_layers": 12,
        "num_heads": 12, "num_layers": 12, "relative_attention_num_buckets": 32,
        "tie_word_embeddings": false, "vocab_size": 32128})"},
    {"openai/whisper-tiny", 37760640, R"({"model_type": "whisper", "d_model": 384,
        "decoder_attention_heads": 6, "decoder_ffn_dim": 1536, "decoder_layers": 4,
        "encoder_attention_heads": 6, "encoder_ffn_dim": 1536, "encoder_layers": 4,
        "max_source_positions": 1500, "max_target_positions": 448, "num_hidden_layers": 4,
        "num_mel_bins": 80, "vocab_size": 51865})"},
    {"google/vit-base-patch16-224", 86567656, R"({"model_type": "vit", "hidden_size": 768,
        "image_size": 224, "intermediate_size": 3072, "num_attention_heads": 12,
        "num_channels": 3, "num_hidden_layers": 12, "patch_size": 16, "qkv_bias": true})"},
    {"openai/clip-vit-large-patch14", 427616513, R"({"model_type": "clip",
        "projection_dim": 768, "logit_scale_init_value": 2.6592, "text_config": {
        "hidden_size": 768, "intermediate_size": 3072, "num_attention_heads": 12,
        "num_hidden_layers": 12, "model_type": "clip_text_model"}, "vision_config": {
        "hidden_size": 1024, "intermediate_size": 4096, "num_attention_heads": 16,
        "num_hidden_layers": 24, "patch_size": 14, "model_type": "clip_vision_model"}})"},
    {"distilbert/distilbert-base-uncased", 66362880, R"({"model_type": "distilbert", "dim": 768,
        "hidden_dim": 3072, "max_position_embeddings": 512, "n_heads": 12, "n_layers": 6,
        "architectures": ["DistilBertModel"], "vocab_size": 30522})"},
    // The class of the file has the masked-language head and no pooler: 109482240 of BertModel less
    // the pooler 768 x 769, plus a dense layer of the same size, a norm and a bias a word.
    {"google-bert/bert-base-uncased", 109482240 + 2 * 768 + 30522, R"({"model_type": "bert",
        "architectures": ["BertForMaskedLM"], "hidden_size": 768, "intermediate_size": 3072,
        "max_position_embeddings": 512, "num_attention_heads": 12, "num_hidden_layers": 12,
        "position_embedding_type": "absolute", "type_vocab_size": 2, "vocab_size": 30522})"},
};

}  // namespace

BOOST_AUTO_TEST_SUITE(real_configs)

BOOST_AUTO_TEST_CASE(counts_to_the_digit) {
    for (const Published& row : rows) {
        const auto model = architecture_from_config(row.config, row.name);
        BOOST_TEST_REQUIRE(model.has_value(), (model ? std::string() : model.error().text()));
        BOOST_TEST(count_parameters(*model).total == row.parameters, row.name);
    }
}

/// As quantised repositories state it (transformers QuantizationConfigMixin, compressed-tensors).
BOOST_AUTO_TEST_CASE(stored_weights_are_told_by_the_quantization_config) {
    const std::string model = R"({"model_type": "llama", "hidden_size": 4096,
        "intermediate_size": 14336, "num_attention_heads": 32, "num_hidden_layers": 32,
        "num_key_value_heads": 8, "vocab_size": 128256, "quantization_config": )";
    const std::pair<std::string, std::string> stored[] = {
        {R"({"quant_method": "awq", "bits": 4, "group_size": 128, "version": "gemm"})", "awq-int4"},
        {R"({"quant_method": "gptq", "bits": 4, "desc_act": false})", "gptq-int4"},
        {R"({"quant_method": "gptq", "bits": 8})", "int8"},
        {R"({"quant_method": "bitsandbytes", "load_in_4bit": true,
            "bnb_4bit_quant_type": "nf4"})",
         "nf4"},
        {R"({"quant_method": "bitsandbytes", "load_in_8bit": true})", "int8"},
        {R"({"quant_method": "fp8"})", "fp8"},
        {R"({"quant_method": "compressed-tensors", "config_groups": {"group_0":
            {"weights": {"num_bits": 4, "type": "int"}}}})",
         "awq-int4"},
        {R"({"quant_method": "compressed-tensors", "config_groups": {"group_0":
            {"weights": {"num_bits": 8, "type": "float"}}}})",
         "fp8"},
        {R"({"quant_method": "some-other"})", ""}};
    for (const auto& [config, type] : stored) {
        const auto read = architecture_from_config(model + config + "}", "config.json");
        BOOST_TEST_REQUIRE(read.has_value(), config);
        BOOST_TEST(read->published.type == type, config);
    }
}

BOOST_AUTO_TEST_SUITE_END()
