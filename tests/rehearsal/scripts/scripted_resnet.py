"""torch.jit: a scripted ResNet, a traced block, a saved module."""

import torch, torch.nn as nn, torchvision

m = torch.jit.script(torchvision.models.resnet18()).cuda()
opt = torch.optim.SGD(m.parameters(), 0.1)
t = torch.jit.trace(nn.Sequential(nn.Conv2d(3, 8, 3), nn.ReLU()).cuda(), torch.randn(1, 3, 32, 32, device="cuda"))
for i in range(5):
    loss = (
        nn.functional.cross_entropy(
            m(torch.randn(8, 3, 128, 128, device="cuda")), torch.randint(0, 1000, (8,), device="cuda")
        )
        + t(torch.randn(2, 3, 32, 32, device="cuda")).mean()
    )
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(loss.item())
m.save("m.pt")
torch.jit.load("m.pt", map_location="cuda")
torch.onnx
