"""Two ranks train a teacher over its epochs, then a larger student of it: torchrun --nproc-per-node 2 two_models_ddp.py"""

import os

import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler

dist.init_process_group("nccl")
torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
rows = TensorDataset(torch.randn(512, 256), torch.randint(0, 10, (512,)))
sampler = DistributedSampler(rows)
data, held_out = DataLoader(rows, 32, sampler=sampler), DataLoader(TensorDataset(*rows[:64]), 32)


def network(width):
    layers = torch.nn.Sequential(torch.nn.Linear(256, width), torch.nn.ReLU(), torch.nn.Linear(width, 10)).cuda()
    return DistributedDataParallel(layers, device_ids=[torch.cuda.current_device()])


def fit(model, epochs, teacher=None):
    optimizer = torch.optim.AdamW(model.parameters())
    for epoch in range(epochs):
        sampler.set_epoch(epoch)
        model.train()
        for x, y in data:
            x, y = x.cuda(), y.cuda()
            out = model(x)
            loss = F.cross_entropy(out, y)
            if teacher is not None:
                with torch.no_grad():
                    soft = F.softmax(teacher(x), 1)
                loss = loss + F.kl_div(F.log_softmax(out, 1), soft, reduction="batchmean")
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        model.eval()
        right = torch.zeros((), device="cuda")
        with torch.no_grad():
            for x, y in held_out:
                right += (model(x.cuda()).argmax(1) == y.cuda()).sum()
        dist.all_reduce(right)
        if dist.get_rank() == 0:
            print(epoch, right.item())


teacher = network(64)
fit(teacher, 10)
student = network(1 << 20)
fit(student, 30, teacher)
dist.destroy_process_group()
