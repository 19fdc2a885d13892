#include "data/model_families.h"

#include <array>

namespace ridgeline {
namespace {

constexpr NormType layernorm = NormType::layernorm;
constexpr NormType layernorm_nobias = NormType::layernorm_nobias;
constexpr PositionKind learned = PositionKind::learned;
constexpr PositionKind alibi = PositionKind::alibi;

// clang-format off
constexpr DecoderFamily decoder_families[] = {
    // Llama and what kept its blocks.
    {.model_type = "llama"},
    {.model_type = "mistral"},
    {.model_type = "mixtral"},
    {.model_type = "grok-1", .norms = 4, .tied = true, .activation = "gelu"},
    {.model_type = "dbrx", .norm = layernorm_nobias},
    {.model_type = "internlm", .qkv_bias = true},
    {.model_type = "internlm2"},
    {.model_type = "smollm3", .tied = true},
    {.model_type = "granite"},
    {.model_type = "phi3", .fused_qkv = true, .joins_rotary = true},
    {.model_type = "olmo2", .qk_norm = QkNorm::full, .scales_norm_fp32 = true},
    {.model_type = "olmoe", .qk_norm = QkNorm::full},
    {.model_type = "llama4", .every_expert = true, .window_pattern = 4, .shared_experts = 1},
    {.model_type = "llama4_text", .every_expert = true, .window_pattern = 4, .shared_experts = 1},
    {.model_type = "olmo3", .qk_norm = QkNorm::full, .scales_norm_fp32 = true, .window_pattern = 4},
    {.model_type = "exaone4", .qk_norm = QkNorm::head, .window_pattern = 4},
    {.model_type = "ernie4_5", .tied = true},
    {.model_type = "baichuan"},
    {.model_type = "exaone"},
    {.model_type = "seed_oss", .qkv_bias = true, .out_bias = false, .head_dim = 128},
    {.model_type = "arcee", .gated = false, .activation = "relu2"},
    {.model_type = "hunyuan_v1_dense", .qk_norm = QkNorm::head},
    {.model_type = "hunyuan_v1_moe", .qk_norm = QkNorm::head, .shared_experts = 1},
    {.model_type = "bailing_moe", .qk_norm = QkNorm::head, .router_correction_bias = true},
    {.model_type = "bailing_moe_v2", .qk_norm = QkNorm::head, .router_correction_bias = true},
    {.model_type = "minimax_m2", .qk_norm = QkNorm::full, .router_correction_bias = true},
    {.model_type = "ernie4_5_moe", .tied = true, .router_correction_bias = true},
    {.model_type = "dots1", .qk_norm = QkNorm::head, .router_correction_bias = true},
    {.model_type = "phimoe", .norm = layernorm, .qkv_bias = true, .head_bias = true},

    // Qwen: biases on q, k and v only, then none but a norm on q and k heads.
    {.model_type = "qwen2", .qkv_bias = true, .out_bias = false, .window_opt_in = true},
    {.model_type = "qwen2_moe", .qkv_bias = true, .out_bias = false, .shared_gate = true, .window_opt_in = true},
    {.model_type = "qwen3", .qk_norm = QkNorm::head, .window_opt_in = true, .head_dim = 128},
    {.model_type = "qwen3_moe", .qk_norm = QkNorm::head, .window_opt_in = true, .head_dim = 128},

    {.model_type = "gemma", .scales_norm_fp32 = true, .tied = true, .activation = "gelu_pytorch_tanh",
     .head_dim = 256},
    {.model_type = "gemma2", .norms = 4, .scales_norm_fp32 = true, .tied = true, .window_pattern = 2,
     .logit_softcap = 50, .activation = "gelu_pytorch_tanh", .head_dim = 256},
    {.model_type = "gemma3", .norms = 4, .qk_norm = QkNorm::head, .scales_norm_fp32 = true, .tied = true,
     .window_pattern = 6, .activation = "gelu_pytorch_tanh", .heads = 8, .kv_heads = 4, .head_dim = 256,
     .vocabulary = 262208},
    {.model_type = "gemma3_text", .norms = 4, .qk_norm = QkNorm::head, .scales_norm_fp32 = true, .tied = true,
     .window_pattern = 6, .activation = "gelu_pytorch_tanh", .heads = 8, .kv_heads = 4, .head_dim = 256,
     .vocabulary = 262208},

    // DeepSeek: routed and shared experts, later latent attention.
    {.model_type = "deepseek"},
    {.model_type = "deepseek_v2", .router_fp32 = true, .latent = true},
    {.model_type = "deepseek_v3", .router_fp32 = true, .router_correction_bias = true, .latent = true},
    {.model_type = "kimi_k2", .router_fp32 = true, .router_correction_bias = true, .latent = true},
    {.model_type = "glm4_moe_lite", .router_fp32 = true, .router_correction_bias = true, .latent = true},
    {.model_type = "gpt_oss", .qkv_bias = true, .mlp_bias = true, .scales_norm_fp32 = true, .softmax_fp32 = false,
     .attention_sinks = true, .router_bias = true, .window_pattern = 2, .head_dim = 64},

    // Layer norm with biases, two matrices in the feed-forward part.
    {.model_type = "gpt2", .gated = false, .norm = layernorm, .qkv_bias = true, .mlp_bias = true, .fused_qkv = true,
     .softmax_fp32 = false, .position = learned, .tied = true, .activation = "gelu_new", .ffn_factor = 4},
    {.model_type = "gptj", .gated = false, .norm = layernorm, .norms = 1, .mlp_bias = true,
     .parallel_residual = true, .head_bias = true, .activation = "gelu_new", .ffn_factor = 4},
    {.model_type = "gpt_neox", .gated = false, .norm = layernorm, .qkv_bias = true, .mlp_bias = true,
     .parallel_residual = true, .fused_qkv = true, .joins_rotary = true, .activation = "gelu", .ffn_factor = 4},
    {.model_type = "opt", .gated = false, .norm = layernorm, .qkv_bias = true, .mlp_bias = true, .position = learned,
     .position_offset = 2, .tied = true, .activation = "relu", .ffn_factor = 4},
    {.model_type = "bloom", .gated = false, .norm = layernorm, .qkv_bias = true, .mlp_bias = true, .position = alibi,
     .tied = true, .embedding_norm = true, .activation = "gelu", .ffn_factor = 4},
    {.model_type = "falcon", .gated = false, .norm = layernorm, .parallel_residual = true, .softmax_fp32 = false,
     .activation = "gelu", .ffn_factor = 4},
    {.model_type = "mpt", .gated = false, .norm = layernorm_nobias, .position = alibi, .tied = true,
     .activation = "gelu", .ffn_factor = 4},
    {.model_type = "phi", .gated = false, .norm = layernorm, .norms = 1, .qkv_bias = true, .mlp_bias = true,
     .parallel_residual = true, .joins_rotary = true, .head_bias = true, .activation = "gelu_new"},
    {.model_type = "nemotron", .gated = false, .norm = layernorm, .activation = "relu2"},
    {.model_type = "starcoder2", .gated = false, .norm = layernorm, .qkv_bias = true, .mlp_bias = true, .tied = true,
     .activation = "gelu_pytorch_tanh"},
    {.model_type = "stablelm", .norm = layernorm, .out_bias = false, .joins_rotary = true},
    {.model_type = "cohere", .norm = layernorm_nobias, .norms = 1, .parallel_residual = true, .tied = true},
    {.model_type = "cohere2", .norm = layernorm_nobias, .norms = 1, .parallel_residual = true, .tied = true,
     .window_pattern = 4},
    {.model_type = "glm", .qkv_bias = true, .out_bias = false, .head_dim = 128},
    {.model_type = "glm4", .norms = 4, .qkv_bias = true, .out_bias = false, .head_dim = 128},
    {.model_type = "chatglm", .qkv_bias = true, .out_bias = false},
    {.model_type = "glm4_moe", .qkv_bias = true, .out_bias = false, .router_fp32 = true,
     .router_correction_bias = true, .head_dim = 128},
    {.model_type = "gpt_neo", .gated = false, .norm = layernorm, .lone_out_bias = true, .mlp_bias = true,
     .position = learned, .tied = true, .window_pattern = 2, .activation = "gelu_new", .ffn_factor = 4},
    {.model_type = "gpt_bigcode", .gated = false, .norm = layernorm, .qkv_bias = true, .mlp_bias = true,
     .fused_qkv = true, .position = learned, .tied = true, .activation = "gelu_pytorch_tanh", .ffn_factor = 4,
     .kv_heads = 1},
};
// clang-format on

// clang-format off
constexpr std::array other_types = {
    "bert",       "roberta",      "distilbert",      "t5",      "umt5", "whisper",      "clip",
    "vit",        "deit",         "clip_text_model", "swin",    "resnet",       "vgg",
    "densenet",   "efficientnet", "unet",            "mobilenet_v3", "convnext",
    "convnet",    "recurrent",    "gan",             "dcgan",   "hifigan",      "diffusion",
    "pix2pix",    "cyclegan",
    "unet2d",     "sd3",          "flux",            "regnet",  "qwen_image",   "hunyuan_video", "wan",
    "cogvideox",  "pixart",       "rnnt",            "tacotron2", "jasper",      "recommender",
    "gnn",        "detection",    "segmentation",    "yolo",    "speech",       "dit",
    "waveglow",   "conv2d_kernel", "recurrent_kernel", "hash_embedding_kernel", "listed",
    "listed_denoiser", "fastpitch", "tft", "flux2", "electra", "deberta", "deberta-v2",
    "modernbert", "nomic_bert", "new", "esm", "bart", "mbart", "m2m_100", "marian", "mt5",
    "xlm-roberta", "camembert", "albert",
};
// clang-format on

}  // namespace

const DecoderFamily* decoder_family(std::string_view model_type) {
    for (const auto& row : decoder_families) {
        if (row.model_type == model_type) {
            return &row;
        }
    }
    return nullptr;
}

std::vector<std::string> known_model_types() {
    std::vector<std::string> names;
    for (const auto& family : decoder_families) {
        names.emplace_back(family.model_type);
    }
    names.insert(names.end(), other_types.begin(), other_types.end());
    const std::vector<std::string> states = state_model_types();
    names.insert(names.end(), states.begin(), states.end());
    return names;
}

}  // namespace ridgeline
