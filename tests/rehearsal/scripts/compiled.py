"""torch.compile of an MLP-mixer-like model."""
import torch
import torch.nn as nn


class Mixer(nn.Module):
    def __init__(self, width=256, tokens=196):
        super().__init__()
        self.n1, self.n2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.tokens = nn.Sequential(nn.Linear(tokens, 512), nn.GELU(), nn.Linear(512, tokens))
        self.channels = nn.Sequential(nn.Linear(width, 1024), nn.GELU(), nn.Linear(1024, width))

    def forward(self, x):
        x = x + self.tokens(self.n1(x).transpose(1, 2)).transpose(1, 2)
        return x + self.channels(self.n2(x))


model = nn.Sequential(*[Mixer() for _ in range(2)]).cuda()
model = torch.compile(model)
optimizer = torch.optim.AdamW(model.parameters())
for step in range(10):
    x = torch.randn(32, 196, 256, device="cuda")
    with torch.autocast("cuda", dtype=torch.bfloat16):
        loss = model(x).float().square().mean()
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
    print(step, loss.item())
