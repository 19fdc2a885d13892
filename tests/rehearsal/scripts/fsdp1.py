"""FullyShardedDataParallel with an auto-wrap policy."""
import functools
import os

import torch
import torch.distributed as dist
import torch.nn as nn
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP, MixedPrecision
from torch.distributed.fsdp.wrap import transformer_auto_wrap_policy

dist.init_process_group("nccl")
torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
model = nn.Sequential(*[nn.TransformerEncoderLayer(1024, 16, 4096, batch_first=True) for _ in range(6)])
policy = functools.partial(transformer_auto_wrap_policy, transformer_layer_cls={nn.TransformerEncoderLayer})
bf16 = MixedPrecision(param_dtype=torch.bfloat16, reduce_dtype=torch.bfloat16, buffer_dtype=torch.bfloat16)
model = FSDP(model, auto_wrap_policy=policy, mixed_precision=bf16, device_id=torch.cuda.current_device())
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
for step in range(5):
    loss = model(torch.randn(4, 512, 1024, device="cuda")).float().mean()
    loss.backward()
    model.clip_grad_norm_(1.0)
    optimizer.step()
    optimizer.zero_grad()
    print(dist.get_rank(), step, loss.item())
dist.destroy_process_group()
