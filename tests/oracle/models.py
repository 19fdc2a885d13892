"""Configurations that the oracle traces: released widths, layers cut."""

LLAMA_1B = dict(model_type="llama", hidden_size=2048, intermediate_size=8192, num_attention_heads=32,
                num_key_value_heads=8, head_dim=64, vocab_size=128256, tie_word_embeddings=True)
LLAMA_2_7B = dict(model_type="llama", hidden_size=4096, intermediate_size=11008,
                  num_attention_heads=32, num_key_value_heads=32, vocab_size=32000,
                  tie_word_embeddings=False)
LLAMA_3_8B = dict(model_type="llama", hidden_size=4096, intermediate_size=14336,
                  num_attention_heads=32, num_key_value_heads=8, vocab_size=128256,
                  tie_word_embeddings=False)

MODELS = {
    "stablelm-3b": dict(model_type="stablelm", hidden_size=2560, intermediate_size=6912,
                        num_attention_heads=32, num_key_value_heads=32, vocab_size=50304,
                        partial_rotary_factor=0.25, tie_word_embeddings=False),
    "llama-3.2-1b": LLAMA_1B,
    "llama-2-7b": LLAMA_2_7B,
    "llama-3.1-8b": LLAMA_3_8B,
    "qwen2-1.5b": dict(model_type="qwen2", hidden_size=1536, intermediate_size=8960,
                       num_attention_heads=12, num_key_value_heads=2, vocab_size=151936,
                       tie_word_embeddings=True),
    "qwen3-4b": dict(model_type="qwen3", hidden_size=2560, intermediate_size=9728,
                     num_attention_heads=32, num_key_value_heads=8, head_dim=128,
                     vocab_size=151936, tie_word_embeddings=True),
    "gemma-2b": dict(model_type="gemma", hidden_size=2048, intermediate_size=16384,
                     num_attention_heads=8, num_key_value_heads=1, head_dim=256,
                     vocab_size=256000, tie_word_embeddings=True,
                     hidden_activation="gelu_pytorch_tanh"),
    "gemma-2-2b": dict(model_type="gemma2", hidden_size=2304, intermediate_size=9216,
                       num_attention_heads=8, num_key_value_heads=4, head_dim=256,
                       vocab_size=256000, tie_word_embeddings=True),
    "gemma-3-1b": dict(model_type="gemma3_text", hidden_size=1152, intermediate_size=6912,
                       num_attention_heads=4, num_key_value_heads=1, head_dim=256,
                       vocab_size=262144, tie_word_embeddings=True),
    "mistral-7b": dict(model_type="mistral", hidden_size=4096, intermediate_size=14336,
                       num_attention_heads=32, num_key_value_heads=8, vocab_size=32000,
                       tie_word_embeddings=False, sliding_window=None),
    "mixtral-8x7b": dict(model_type="mixtral", hidden_size=4096, intermediate_size=14336,
                         num_attention_heads=32, num_key_value_heads=8, vocab_size=32000,
                         num_local_experts=8, num_experts_per_tok=2, tie_word_embeddings=False),
    "phi-3-mini": dict(model_type="phi3", hidden_size=3072, intermediate_size=8192,
                       num_attention_heads=32, num_key_value_heads=32, vocab_size=32064,
                       tie_word_embeddings=False, pad_token_id=0),
    "phi-1.5": dict(model_type="phi", hidden_size=2048, intermediate_size=8192,
                    num_attention_heads=32, num_key_value_heads=32, vocab_size=51200,
                    partial_rotary_factor=0.5, tie_word_embeddings=False),
    "gpt2": dict(model_type="gpt2", n_embd=768, n_head=12, n_positions=1024, vocab_size=50257,
                 tie_word_embeddings=True),
    "gpt-neox-20b": dict(model_type="gpt_neox", hidden_size=6144, intermediate_size=24576,
                         num_attention_heads=64, vocab_size=50432, rotary_pct=0.25,
                         tie_word_embeddings=False),
    "falcon-7b": dict(model_type="falcon", hidden_size=4544, num_attention_heads=71,
                      vocab_size=65024, multi_query=True, parallel_attn=True, bias=False,
                      new_decoder_architecture=False, alibi=False, tie_word_embeddings=True),
    "deepseek-v2-lite": dict(model_type="deepseek_v2", hidden_size=2048, intermediate_size=10944,
                             moe_intermediate_size=1408, num_attention_heads=16,
                             num_key_value_heads=16, n_routed_experts=64, n_shared_experts=2,
                             num_experts_per_tok=6, first_k_dense_replace=0, kv_lora_rank=512,
                             q_lora_rank=None, qk_nope_head_dim=128, qk_rope_head_dim=64,
                             v_head_dim=128, vocab_size=102400, tie_word_embeddings=False),
    "deepseek-v2": dict(model_type="deepseek_v2", hidden_size=5120, intermediate_size=12288,
                        moe_intermediate_size=1536, num_attention_heads=128,
                        num_key_value_heads=128, n_routed_experts=160, n_shared_experts=2,
                        num_experts_per_tok=6, first_k_dense_replace=0, kv_lora_rank=512,
                        q_lora_rank=1536, qk_nope_head_dim=128, qk_rope_head_dim=64,
                        v_head_dim=128, vocab_size=102400, tie_word_embeddings=False),
    "deepseek-v3": dict(model_type="deepseek_v3", hidden_size=7168, intermediate_size=18432,
                        moe_intermediate_size=2048, num_attention_heads=128,
                        num_key_value_heads=128, n_routed_experts=256, n_shared_experts=1,
                        num_experts_per_tok=8, first_k_dense_replace=0, kv_lora_rank=512,
                        q_lora_rank=1536, qk_nope_head_dim=128, qk_rope_head_dim=64,
                        v_head_dim=128, vocab_size=129280, tie_word_embeddings=False,
                        scoring_func="sigmoid", num_nextn_predict_layers=0),
    "qwen3-30b-a3b": dict(model_type="qwen3_moe", hidden_size=2048, intermediate_size=6144,
                          moe_intermediate_size=768, num_attention_heads=32,
                          num_key_value_heads=4, head_dim=128, num_experts=128,
                          num_experts_per_tok=8, vocab_size=151936, tie_word_embeddings=False),
    "gpt-oss-20b": dict(model_type="gpt_oss", hidden_size=2880, intermediate_size=2880,
                        num_attention_heads=64, num_key_value_heads=8, head_dim=64,
                        num_local_experts=32, num_experts_per_tok=4, vocab_size=201088,
                        sliding_window=128, tie_word_embeddings=False),
    "bert-base": dict(model_type="bert", hidden_size=768, intermediate_size=3072,
                      num_attention_heads=12, vocab_size=30522, max_position_embeddings=512, mlm_head=True, pooler=False),
    "t5-base": dict(model_type="t5", d_model=768, d_ff=3072, d_kv=64, num_heads=12,
                    vocab_size=32128, decoder_start_token_id=0, pad_token_id=0),
    "t5-v1.1-base": dict(model_type="t5", d_model=768, d_ff=2048, d_kv=64, num_heads=12,
                         vocab_size=32128, feed_forward_proj="gated-gelu",
                         decoder_start_token_id=0, pad_token_id=0),
    "vit-base-384": dict(model_type="vit", hidden_size=768, intermediate_size=3072,
                         num_attention_heads=12, image_size=384, patch_size=16, num_labels=2),
    "vit-base": dict(model_type="vit", hidden_size=768, intermediate_size=3072,
                     num_attention_heads=12, image_size=224, patch_size=16, num_labels=2),
}


def config(name, layers):
    # "-small-head": a vocabulary so small that a layer's backward pass decides the peak.
    entry = dict(MODELS[name.removesuffix("-small-head")])
    if name.endswith("-small-head"):
        entry["vocab_size"] = 1024
    if entry["model_type"] == "gpt2":
        entry["n_layer"] = layers
    elif entry["model_type"] == "t5":
        entry["num_layers"] = layers
        entry["num_decoder_layers"] = layers
    else:
        entry["num_hidden_layers"] = layers
    return entry
