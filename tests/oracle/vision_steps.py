#!/usr/bin/env python3
"""Three training steps of a network of torchvision or timm, of SegFormer or of Stable Diffusion's U-Net, in a plain loop.

    ridgeline rehearse --on h100-sxm5-80gb --json -- python vision_steps.py resnet50 --batch 32 --amp bf16

The counters of such runs are tests/evidence/network_memory.json.
"""
import argparse

import torch

parser = argparse.ArgumentParser()
parser.add_argument("model", help="a name of torchvision.models, sd15, or segformer (B2 of Transformers)")
parser.add_argument("--timm", action="store_true", help="a name of timm instead")
parser.add_argument("--batch", type=int, default=32)
parser.add_argument("--size", type=int, default=224)
parser.add_argument("--amp", choices=["none", "bf16", "fp16"], default="none")
parser.add_argument("--channels-last", action="store_true")
parser.add_argument("--optimizer", choices=["adamw", "sgd"], default="adamw")
parser.add_argument("--weight-decay", type=float, default=0.0, help="of SGD, which makes a list of all gradients for it")
arguments = parser.parse_args()
kind = {"bf16": torch.bfloat16, "fp16": torch.float16}.get(arguments.amp)

if arguments.model == "sd15":
    from diffusers import UNet2DConditionModel

    with torch.device("cuda"):
        model = UNet2DConditionModel(sample_size=64, cross_attention_dim=768).train()
    inputs = (torch.randn(arguments.batch, 4, 64, 64, device="cuda"),
              torch.zeros(arguments.batch, dtype=torch.long, device="cuda"),
              torch.randn(arguments.batch, 77, 768, device="cuda"))
elif arguments.model == "segformer":
    from transformers import SegformerConfig, SegformerForSemanticSegmentation

    model = SegformerForSemanticSegmentation(SegformerConfig(
        hidden_sizes=[64, 128, 320, 512], depths=[3, 4, 6, 3], decoder_hidden_size=768, num_labels=150)).cuda().train()
    inputs = (torch.randn(arguments.batch, 3, arguments.size, arguments.size, device="cuda"),
              torch.zeros(arguments.batch, arguments.size, arguments.size, dtype=torch.long, device="cuda"))
elif arguments.timm:
    import timm

    model = timm.create_model(arguments.model).cuda().train()
    inputs = (torch.randn(arguments.batch, 3, arguments.size, arguments.size, device="cuda"),)
else:
    import torchvision

    plain = {"init_weights": False} if arguments.model in ("googlenet", "inception_v3") else {}
    model = torchvision.models.get_model(arguments.model, weights=None, **plain).cuda().train()
    inputs = (torch.randn(arguments.batch, 3, arguments.size, arguments.size, device="cuda"),)
if arguments.channels_last:
    model = model.to(memory_format=torch.channels_last)
    inputs = (inputs[0].to(memory_format=torch.channels_last), *inputs[1:])
labels = torch.zeros(arguments.batch, dtype=torch.long, device="cuda")
optimizer = (torch.optim.AdamW(model.parameters()) if arguments.optimizer == "adamw" else
             torch.optim.SGD(model.parameters(), 0.1, momentum=0.9, weight_decay=arguments.weight_decay))
scaler = torch.amp.GradScaler("cuda", enabled=arguments.amp == "fp16")
for _ in range(3):
    optimizer.zero_grad()
    with torch.autocast("cuda", dtype=kind, enabled=kind is not None):
        out = model(*inputs)
        if arguments.model == "sd15":
            loss = torch.nn.functional.mse_loss(out.sample.float(), torch.zeros_like(out.sample).float())
        elif arguments.model == "segformer":
            loss = out.loss
        else:
            loss = torch.nn.functional.cross_entropy(out if isinstance(out, torch.Tensor) else out[0], labels)
    scaler.scale(loss).backward()
    scaler.step(optimizer)
    scaler.update()
