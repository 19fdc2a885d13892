#!/usr/bin/env python3
"""Steps of a denoiser of diffusers, of adapters or of all weights, in a plain loop under autocast, on latents and
text embeddings that were computed before.

    ridgeline rehearse --on b200-sxm-180gb --json -- python diffusion_steps.py cogvideox-5b --batch 4 --checkpointing
    ridgeline rehearse --on b200-sxm-180gb --json -- python diffusion_steps.py sdxl --method full --size 768 --amp fp16

What torch's allocator says is in tests/evidence/network_memory.json: of adapters of transformers after the second
step, of the others as the rehearsal prints it.
"""
import argparse

import diffusers
import torch
from peft import LoraConfig, inject_adapter_in_model

HALF = torch.bfloat16
SIDE = 128  # of the latents


def random(*shape):
    return torch.randn(*shape, device="cuda", dtype=HALF)


def moments(batch):
    return torch.ones(batch, device="cuda", dtype=HALF)


def sd3(batch):
    return {"hidden_states": random(batch, 16, SIDE, SIDE), "timestep": moments(batch),
            "encoder_hidden_states": random(batch, 154, 4096), "pooled_projections": random(batch, 2048)}


def flux(batch):
    tokens = (SIDE // 2) ** 2
    return {"hidden_states": random(batch, tokens, 64), "timestep": moments(batch), "guidance": moments(batch),
            "encoder_hidden_states": random(batch, 512, 4096), "pooled_projections": random(batch, 768),
            "img_ids": torch.zeros(tokens, 3, device="cuda"), "txt_ids": torch.zeros(512, 3, device="cuda")}


def unet(text):
    return lambda batch: {"sample": random(batch, 4, SIDE, SIDE), "timestep": moments(batch),
                          "encoder_hidden_states": random(batch, 77, text)}


def sdxl(batch):
    return {**unet(2048)(batch), "added_cond_kwargs": {"text_embeds": random(batch, 1280),
                                                      "time_ids": random(batch, 6)}}


def pixart(batch):
    return {"hidden_states": random(batch, 4, SIDE, SIDE), "timestep": moments(batch),
            "encoder_hidden_states": random(batch, 300, 4096),
            "added_cond_kwargs": {"resolution": None, "aspect_ratio": None}}


def sana(batch):
    return {"hidden_states": random(batch, 32, SIDE // 4, SIDE // 4), "timestep": moments(batch),
            "encoder_hidden_states": random(batch, 300, 2304)}


def cogvideox(batch):
    turns = torch.randn(17550, 64, device="cuda"), torch.randn(17550, 64, device="cuda")
    return {"hidden_states": random(batch, 13, 16, 60, 90), "timestep": moments(batch),
            "encoder_hidden_states": random(batch, 226, 4096), "image_rotary_emb": turns}


def wan(batch):
    return {"hidden_states": random(batch, 16, 21, 60, 104), "timestep": moments(batch),
            "encoder_hidden_states": random(batch, 512, 4096)}


MODELS = {
    "sd-1.5": (unet(768), lambda: diffusers.UNet2DConditionModel(sample_size=64, cross_attention_dim=768)),
    "sdxl": (sdxl, lambda: diffusers.UNet2DConditionModel(
        sample_size=128, cross_attention_dim=2048, block_out_channels=(320, 640, 1280), attention_head_dim=(5, 10, 20),
        transformer_layers_per_block=(1, 2, 10), use_linear_projection=True, addition_embed_type="text_time",
        addition_time_embed_dim=256, projection_class_embeddings_input_dim=2816,
        down_block_types=("DownBlock2D", "CrossAttnDownBlock2D", "CrossAttnDownBlock2D"),
        up_block_types=("CrossAttnUpBlock2D", "CrossAttnUpBlock2D", "UpBlock2D"))),
    "stable-diffusion-3-medium": (sd3, lambda: diffusers.SD3Transformer2DModel(
        sample_size=128, patch_size=2, in_channels=16, out_channels=16, num_layers=24, attention_head_dim=64,
        num_attention_heads=24, joint_attention_dim=4096, caption_projection_dim=1536,
        pooled_projection_dim=2048, pos_embed_max_size=192)),
    "sd3.5-medium": (sd3, lambda: diffusers.SD3Transformer2DModel(
        sample_size=128, patch_size=2, in_channels=16, out_channels=16, num_layers=24, attention_head_dim=64,
        num_attention_heads=24, joint_attention_dim=4096, caption_projection_dim=1536,
        pooled_projection_dim=2048, pos_embed_max_size=384, dual_attention_layers=tuple(range(13)),
        qk_norm="rms_norm")),
    "pixart-sigma": (pixart, lambda: diffusers.PixArtTransformer2DModel(
        sample_size=128, caption_channels=4096, interpolation_scale=2, use_additional_conditions=False)),
    "sana-1.6b": (sana, diffusers.SanaTransformer2DModel),
    "flux.1-dev": (flux, lambda: diffusers.FluxTransformer2DModel(guidance_embeds=True)),
    "cogvideox-5b": (cogvideox, lambda: diffusers.CogVideoXTransformer3DModel(
        num_attention_heads=48, attention_head_dim=64, in_channels=16, out_channels=16, num_layers=42,
        time_embed_dim=512, text_embed_dim=4096, sample_width=90, sample_height=60, sample_frames=49,
        use_rotary_positional_embeddings=True)),
    "wan2.1-t2v-1.3b": (wan, lambda: diffusers.WanTransformer3DModel(
        num_attention_heads=12, attention_head_dim=128, num_layers=30, ffn_dim=8960)),
}

parser = argparse.ArgumentParser()
parser.add_argument("model", choices=MODELS)
parser.add_argument("--method", choices=["lora", "full"], default="lora")
parser.add_argument("--batch", type=int, default=1)
parser.add_argument("--size", type=int, help="pixels of a side")
parser.add_argument("--amp", choices=["bf16", "fp16"], default="bf16")
parser.add_argument("--half-weights", action="store_true", help="all weights, gradients and moments in 16 bits")
parser.add_argument("--rank", type=int, default=16)
parser.add_argument("--steps", type=int, default=2)
parser.add_argument("--checkpointing", action="store_true")
arguments = parser.parse_args()
HALF = torch.float16 if arguments.amp == "fp16" else torch.bfloat16
SIDE = (arguments.size or 1024) // 8
inputs, make = MODELS[arguments.model]
adapted = arguments.method == "lora"
with torch.device("meta"):
    model = make()
model = (model.to(HALF) if adapted or arguments.half_weights else model).to_empty(device="cuda")
if adapted:
    model.requires_grad_(False)
    inject_adapter_in_model(LoraConfig(r=arguments.rank, lora_alpha=arguments.rank,
                                       target_modules=["to_k", "to_q", "to_v", "to_out.0"]), model)
trained = [p for p in model.parameters() if p.requires_grad]
if adapted:
    for adapter in trained:
        adapter.data = adapter.data.float()
if arguments.checkpointing:
    model.enable_gradient_checkpointing()
model.train()
optimizer = torch.optim.AdamW(trained)
scaler = torch.amp.GradScaler("cuda", enabled=HALF == torch.float16 and not arguments.half_weights)
for _ in range(arguments.steps):
    torch.cuda.reset_peak_memory_stats()
    with torch.autocast("cuda", HALF):
        prediction = model(**inputs(arguments.batch), return_dict=False)[0]
    scaler.scale(prediction.float().pow(2).mean()).backward()
    highest = torch.cuda.max_memory_allocated()
    scaler.step(optimizer)
    scaler.update()
    optimizer.zero_grad()
print(f"highest {highest}")
