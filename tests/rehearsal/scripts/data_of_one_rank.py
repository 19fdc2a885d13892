"""Ranks of which the first reads all data and hands each batch on, as those of one tensor-parallel group do."""
import os

import torch
import torch.distributed as dist
from torch.utils.data import DataLoader, TensorDataset

dist.init_process_group("nccl")
rank = dist.get_rank()
torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
model = torch.nn.Linear(512, 512).cuda()
optimizer = torch.optim.AdamW(model.parameters())
batches = iter(DataLoader(TensorDataset(torch.randn(4096, 512)), batch_size=16, shuffle=True)) if rank == 0 else None
for step in range(100):
    x = next(batches)[0].cuda() if rank == 0 else torch.empty(16, 512, device="cuda")
    dist.broadcast(x, 0)
    model(x).square().mean().backward()
    optimizer.step()
    optimizer.zero_grad()
dist.destroy_process_group()
