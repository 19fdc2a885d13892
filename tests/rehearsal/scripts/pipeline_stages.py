"""Two stages of a pipeline on two cards, four micro-batches a step (1F1B)."""

import os

import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.pipelining import PipelineStage, Schedule1F1B

rank, world = int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])
device = torch.device(f"cuda:{os.environ['LOCAL_RANK']}")
torch.cuda.set_device(device)
dist.init_process_group("nccl", device_id=device)
layers = [nn.TransformerEncoderLayer(512, 8, 2048, batch_first=True) for _ in range(2)]
model = nn.Sequential(*([nn.Embedding(1000, 512)] if rank == 0 else []), *layers, *([nn.Linear(512, 1000)] if rank == world - 1 else []))
model.to(device)


def loss_of(output, target):
    return nn.functional.cross_entropy(output.reshape(-1, 1000), target.reshape(-1))


schedule = Schedule1F1B(PipelineStage(model, rank, world, device), n_microbatches=4, loss_fn=loss_of)
optimizer = torch.optim.AdamW(model.parameters(), 1e-4)
for step in range(5):
    optimizer.zero_grad()
    tokens, target = torch.randint(0, 1000, (2, 16, 128), device=device)
    if rank == 0:
        schedule.step(tokens)
    else:
        losses = []
        schedule.step(target=target, losses=losses)
        print(step, torch.stack(losses).mean().item())
    optimizer.step()
dist.destroy_process_group()
