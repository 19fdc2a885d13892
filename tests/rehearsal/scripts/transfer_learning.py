"""Transfer learning as the tutorials have it: gradients are switched off around the model, within the loop."""

import math, os, torch, torch.nn as nn
from tempfile import TemporaryDirectory

made = [0]


class Pictures(torch.utils.data.Dataset):
    def __len__(self):
        return 4000

    def __getitem__(self, i):
        made[0] += 1
        return torch.randn(3, 64, 64), i % 10


loaders = {phase: torch.utils.data.DataLoader(Pictures(), batch_size=8) for phase in ("train", "val")}
net = nn.Sequential(nn.Conv2d(3, 32, 3, 2), nn.ReLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(32, 10)).cuda()
opt = torch.optim.SGD(net.parameters(), lr=0.001, momentum=0.9)
criterion = nn.CrossEntropyLoss()
with TemporaryDirectory() as folder:
    best = os.path.join(folder, "best.pt")
    for epoch in range(2):
        for phase in ("train", "val"):
            net.train(phase == "train")
            right = 0
            for x, y in loaders[phase]:
                x, y = x.cuda(), y.cuda()
                opt.zero_grad()
                with torch.set_grad_enabled(phase == "train"), torch.autocast("cuda", dtype=torch.float16):
                    out = net(x)
                    loss = criterion(out, y)
                    likely = torch.softmax(out, 1)
                if phase == "train":
                    loss.backward()
                    opt.step()
                # Of an untrained network: an even guess, and probabilities that add up.
                assert abs(loss.item() - math.log(10)) < 0.5, loss.item()
                assert abs(likely.sum(1).mean().item() - 1) < 0.01, likely.sum(1)
                # torch prints with every mode off; what follows must be seen again.
                assert str(loss).startswith(f"tensor({loss.item():.4f}"), str(loss)
                right += (out.argmax(1) == y).sum().item()
            print(epoch, phase, right)
        torch.save(net.state_dict(), best)
        net.load_state_dict(torch.load(best, weights_only=True))
        assert made[0] < 200, made[0]
