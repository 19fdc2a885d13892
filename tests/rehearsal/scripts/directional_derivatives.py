"""A network that is trained with its derivative along the time too, in forward mode, and with a penalty on the lengths of
gradients: torch then hands on zeros that have no memory."""

import torch
from torch import nn
from torch.func import functional_call, jvp

device = torch.device("cuda")
torch.manual_seed(0)
model = nn.Sequential(nn.Linear(257, 1024), nn.SiLU(), nn.Linear(1024, 1024), nn.SiLU(), nn.Linear(1024, 256)).to(device)
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)


def velocity(weights, x, t):
    return functional_call(model, weights, (torch.cat([x, t], dim=1),))


for step in range(20):
    x = torch.randn(64, 256, device=device)
    t = torch.rand(64, 1, device=device)
    weights = dict(model.named_parameters())
    found, along = jvp(lambda x, t: (velocity(weights, x, t), t * 2)[0], (x, t), (torch.zeros_like(x), torch.ones_like(t)))
    constant, none = jvp(lambda t: (t, torch.ones_like(t).sum()), (t,), (torch.ones_like(t),))[1]
    points = x.clone().requires_grad_()
    slope, = torch.autograd.grad(velocity(weights, points, t).square().sum(), points, create_graph=True)
    lengths = slope.square().mean(1).sqrt()
    penalty = (lengths - lengths.mean().detach()).square().mean()
    loss = (found - x).square().mean() + 0.1 * along.square().mean() + penalty + 0 * (constant.mean() + none)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(f"step {step} loss {loss.item():.3f} penalty {penalty.item():.3f}")
