"""How large is the network as a file; then steps, a checkpoint under a name for the time being, its copy, and the best one again."""

import os
import pathlib
import shutil

import torch
from torch import nn

device = "cuda"
model = nn.Sequential(nn.Linear(1024, 4096), nn.GELU(), nn.Linear(4096, 1024)).to(device)
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)


def print_size_of(network):
    torch.save(network.state_dict(), "temp.p")
    size = os.path.getsize("temp.p") / 1e6
    os.remove("temp.p")
    assert size > 30 and not os.path.exists("temp.p")
    print(f"size {size:.1f} MB")


print_size_of(model)
folder = pathlib.Path("checkpoints")
folder.mkdir(exist_ok=True)
for step in range(4):
    loss = model(torch.randn(64, 1024, device=device)).square().mean()
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
    torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict()}, folder / "tmp.pt")
    os.replace(folder / "tmp.pt", folder / "last.pt")
    shutil.copy2(folder / "last.pt", folder / "best.pt")
    with open(folder / "best.pt", "rb") as file:
        model.load_state_dict(torch.load(file, map_location=device, weights_only=True)["model"])
    print(step, loss.item(), (folder / "last.pt").stat().st_size)
