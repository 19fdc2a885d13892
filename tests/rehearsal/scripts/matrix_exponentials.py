"""Exponentials of matrices: many at once, which are squared in groups, and a large one of a weight that must be a rotation."""

import torch
from torch import nn
from torch.nn.utils import parametrize


class Skew(nn.Module):
    def forward(self, weight):
        upper = weight.triu(1)
        return upper - upper.transpose(-1, -2)


class Exponential(nn.Module):
    def forward(self, weight):
        return torch.matrix_exp(weight)


turn = nn.Linear(256, 256)
for part in (Skew(), Exponential()):
    parametrize.register_parametrization(turn, "weight", part)
turn = turn.cuda()
flow = nn.Parameter(torch.randn(64, 16, 16, device="cuda"))
unknown = nn.Parameter(torch.randn(512, 64, 64, device="cuda"))
optimizer = torch.optim.Adam([*turn.parameters(), flow, unknown], 1e-3)
for step in range(4):
    moved = torch.einsum("nij,bnj->bni", torch.matrix_exp(flow), torch.randn(32, 64, 16, device="cuda"))
    loss = turn(torch.randn(32, 256, device="cuda")).square().mean() + moved.square().mean() + torch.matrix_exp(unknown).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(step, loss.item())
