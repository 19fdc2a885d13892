"""Sharded layers (fully_shard) under torchrun."""
import os

import torch
import torch.distributed as dist
import torch.nn as nn
from torch.distributed.fsdp import MixedPrecisionPolicy, fully_shard

dist.init_process_group("nccl")
torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
layers = [nn.TransformerEncoderLayer(1024, 16, 4096, batch_first=True, norm_first=True, dropout=0.0) for _ in range(8)]
model = nn.Sequential(*layers).cuda()
policy = MixedPrecisionPolicy(param_dtype=torch.bfloat16, reduce_dtype=torch.float32)
for layer in model:
    fully_shard(layer, mp_policy=policy)
fully_shard(model, mp_policy=policy)
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4, fused=True)
for step in range(10):
    x = torch.randn(4, 512, 1024, device="cuda")
    loss = model(x).float().pow(2).mean()
    loss.backward()
    norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    optimizer.zero_grad()
    if dist.get_rank() == 0:
        print(step, loss.item(), norm.full_tensor().item())
dist.destroy_process_group()
