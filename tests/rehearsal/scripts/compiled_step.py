"""A step that is compiled whole: forward, backward and optimizer."""

import torch
import torch.nn as nn
import torch.nn.functional as F

m = nn.Sequential(nn.Linear(64, 256), nn.GELU(), nn.Linear(256, 10)).cuda()
opt = torch.optim.AdamW(m.parameters(), 1e-3)


@torch.compile
def train_step(x, y):
    opt.zero_grad(set_to_none=True)
    loss = F.cross_entropy(m(x), y)
    loss.backward()
    opt.step()
    return loss


for i in range(5):
    print(i, train_step(torch.randn(32, 64, device="cuda"), torch.randint(0, 10, (32,), device="cuda")).item())
