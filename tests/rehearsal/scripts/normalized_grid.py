"""Modules that put themselves to training by torch's name of the flag, and a scale from the bounds of a large tensor."""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer, self.cache = torch.nn.Conv2d(3, 16, 3, padding=1), None

    def train(self, mode=True):
        self.cache = None
        return super().train(mode=mode)

    def forward(self, pictures, turns):
        places = torch.nn.functional.affine_grid(turns, pictures.shape, align_corners=False)
        high, low = places.max(), places.min()
        size = min(pictures.shape[-1], int(pictures.shape[-1] * 2 / (high - low).item()) or 1)
        pictures = torch.nn.functional.grid_sample(pictures, places, align_corners=False)[..., :size, :size]
        return self.layer(pictures).mean((2, 3))


model = Model().cuda().train(mode=True)
optimizer = torch.optim.SGD(model.parameters(), 0.1)
for step in range(4):
    pictures, turns = torch.randn(16, 3, 224, 224, device="cuda"), torch.eye(2, 3, device="cuda").repeat(16, 1, 1)
    loss = torch.nn.functional.cross_entropy(model(pictures, turns), torch.randint(0, 16, (16,), device="cuda"))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(step, loss.item())
model.eval()
