"""Data parallelism under torchrun."""
import os

import torch
import torch.distributed as dist
import torch.nn as nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset

dist.init_process_group("nccl")
rank, local = dist.get_rank(), int(os.environ["LOCAL_RANK"])
torch.cuda.set_device(local)
data = TensorDataset(torch.randn(2048, 1024), torch.randint(0, 10, (2048,)))
sampler = DistributedSampler(data)
loader = DataLoader(data, batch_size=64, sampler=sampler)
model = nn.Sequential(nn.Linear(1024, 8192), nn.ReLU(), nn.Linear(8192, 8192), nn.ReLU(), nn.Linear(8192, 10)).cuda()
model = DistributedDataParallel(model, device_ids=[local])
optimizer = torch.optim.AdamW(model.parameters())
for epoch in range(2):
    sampler.set_epoch(epoch)
    for x, y in loader:
        loss = nn.functional.cross_entropy(model(x.cuda()), y.cuda())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total = loss.detach().clone()
        dist.all_reduce(total, op=dist.ReduceOp.AVG)
        if rank == 0:
            print(epoch, total.item())
    names = [None] * dist.get_world_size()
    dist.all_gather_object(names, f"rank {rank}")
    assert names == [f"rank {i}" for i in range(dist.get_world_size())], names
dist.destroy_process_group()
