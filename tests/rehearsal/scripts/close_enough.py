"""Asks whether a network in 16 bits is close to itself in 32, as one does before choosing, and goes on by the answer."""

import torch
from torch import nn

used = [torch.zeros(size, dtype=torch.bool, device="cuda") for size in range(1, 5000)]
del used  # what is allocated from here on finds their bytes

model = nn.Sequential(nn.Conv2d(3, 8, 3), nn.ReLU(), nn.Conv2d(8, 8, 3)).cuda()
images = torch.rand(2, 3, 64, 64, device="cuda")
with torch.inference_mode():
    full = model(images)
    with torch.autocast("cuda"):
        half = model(images)
assert torch.allclose(full, half.float(), atol=0.1) and torch.allclose(full[:0], half[:0].float())
numbers = torch.arange(6.0, device="cuda")
assert torch.allclose(numbers, numbers * (1 + 1e-7)) and not torch.allclose(numbers, numbers + 1)
model(images).mean().backward()
