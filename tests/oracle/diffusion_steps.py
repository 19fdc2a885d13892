#!/usr/bin/env python3
"""Two LoRA steps of a diffusion transformer of diffusers, in a plain loop under autocast, on latents and text
embeddings that were computed before.

    ridgeline rehearse --on b200-sxm-180gb --json -- python diffusion_steps.py cogvideox-5b --batch 4 --checkpointing

What torch.cuda.max_memory_allocated says after the second step is in tests/evidence/network_memory.json.
"""
import argparse

import diffusers
import torch
from peft import LoraConfig

HALF = torch.bfloat16


def random(*shape):
    return torch.randn(*shape, device="cuda", dtype=HALF)


def moments(batch):
    return torch.ones(batch, device="cuda", dtype=HALF)


def sd3(batch):
    return {"hidden_states": random(batch, 16, 128, 128), "timestep": moments(batch),
            "encoder_hidden_states": random(batch, 154, 4096), "pooled_projections": random(batch, 2048)}


def flux(batch):
    return {"hidden_states": random(batch, 4096, 64), "timestep": moments(batch), "guidance": moments(batch),
            "encoder_hidden_states": random(batch, 512, 4096), "pooled_projections": random(batch, 768),
            "img_ids": torch.zeros(4096, 3, device="cuda"), "txt_ids": torch.zeros(512, 3, device="cuda")}


def cogvideox(batch):
    turns = torch.randn(17550, 64, device="cuda"), torch.randn(17550, 64, device="cuda")
    return {"hidden_states": random(batch, 13, 16, 60, 90), "timestep": moments(batch),
            "encoder_hidden_states": random(batch, 226, 4096), "image_rotary_emb": turns}


def wan(batch):
    return {"hidden_states": random(batch, 16, 21, 60, 104), "timestep": moments(batch),
            "encoder_hidden_states": random(batch, 512, 4096)}


MODELS = {
    "stable-diffusion-3-medium": (sd3, lambda: diffusers.SD3Transformer2DModel(
        sample_size=128, patch_size=2, in_channels=16, out_channels=16, num_layers=24, attention_head_dim=64,
        num_attention_heads=24, joint_attention_dim=4096, caption_projection_dim=1536,
        pooled_projection_dim=2048, pos_embed_max_size=192)),
    "sd3.5-medium": (sd3, lambda: diffusers.SD3Transformer2DModel(
        sample_size=128, patch_size=2, in_channels=16, out_channels=16, num_layers=24, attention_head_dim=64,
        num_attention_heads=24, joint_attention_dim=4096, caption_projection_dim=1536,
        pooled_projection_dim=2048, pos_embed_max_size=384, dual_attention_layers=tuple(range(13)),
        qk_norm="rms_norm")),
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
parser.add_argument("--batch", type=int, default=1)
parser.add_argument("--rank", type=int, default=16)
parser.add_argument("--checkpointing", action="store_true")
arguments = parser.parse_args()
inputs, make = MODELS[arguments.model]
with torch.device("meta"):
    model = make().to(HALF)
model = model.to_empty(device="cuda")
model.requires_grad_(False)
model.add_adapter(LoraConfig(r=arguments.rank, lora_alpha=arguments.rank,
                             target_modules=["to_k", "to_q", "to_v", "to_out.0"]))
adapters = [p for p in model.parameters() if p.requires_grad]
for adapter in adapters:
    adapter.data = adapter.data.float()
if arguments.checkpointing:
    model.enable_gradient_checkpointing()
model.train()
optimizer = torch.optim.AdamW(adapters)
for _ in range(2):
    torch.cuda.reset_peak_memory_stats()
    with torch.autocast("cuda", HALF):
        prediction = model(**inputs(arguments.batch), return_dict=False)[0]
    prediction.float().pow(2).mean().backward()
    highest = torch.cuda.max_memory_allocated()
    optimizer.step()
    optimizer.zero_grad()
print(f"highest {highest}")
