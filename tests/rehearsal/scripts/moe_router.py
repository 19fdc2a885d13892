"""A layer with experts whose tokens are gathered by index: every size depends on the router."""
import torch
import torch.nn as nn
import torch.nn.functional as F


class Experts(nn.Module):
    def __init__(self, width=2048, inner=4096, experts=8, chosen=2):
        super().__init__()
        self.gate = nn.Linear(width, experts, bias=False)
        self.experts = nn.ModuleList(nn.Sequential(nn.Linear(width, inner), nn.SiLU(), nn.Linear(inner, width)) for _ in range(experts))
        self.chosen = chosen

    def forward(self, x):
        flat = x.flatten(0, 1)
        weights, index = torch.topk(F.softmax(self.gate(flat), -1), self.chosen)
        out = torch.zeros_like(flat)
        for i, expert in enumerate(self.experts):
            rows, column = torch.where(index == i)
            out[rows] += expert(flat[rows]) * weights[rows, column, None]
        return out.view_as(x)


model = nn.Sequential(*[Experts() for _ in range(3)]).cuda().to(torch.bfloat16)
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
for step in range(6):
    x = torch.randn(4, 2048, 2048, device="cuda", dtype=torch.bfloat16)
    loss = model(x).float().pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(step, loss.item())
