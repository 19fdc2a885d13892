"""Crops every picture of a data set by a mask over all of it, and asks such masks what they hold."""

import torch


def squares(pictures, size):
    even = int(size % 2 == 0)
    count, _, height, width = pictures.shape
    row = torch.empty(count, dtype=torch.long, device="cuda").random_(size // 2 - even, height - size // 2 - even)
    column = torch.empty(count, dtype=torch.long, device="cuda").random_(size // 2 - even, width - size // 2 - even)
    down = torch.arange(height, device="cuda").view(1, 1, height, 1) - row.view(-1, 1, 1, 1)
    right = torch.arange(width, device="cuda").view(1, 1, 1, width) - column.view(-1, 1, 1, 1)
    within = [(way >= even - size // 2) * (way <= size // 2) for way in (down, right)]
    return within[0] * within[1]


pictures = torch.randn(5000, 3, 36, 36, device="cuda")
mask = squares(pictures, 32)
assert mask.sum().item() == 5000 * 32 * 32 and mask.any() and not mask.all()
cropped = torch.masked_select(pictures, mask).view(5000, 3, 32, 32)
assert pictures[:, 0][mask[:, 0]].shape == (5000 * 32 * 32,)

model = torch.nn.Conv2d(3, 8, 3).cuda()
optimizer = torch.optim.SGD(model.parameters(), 0.1)
for at in range(0, 5000, 50):
    model(cropped[at : at + 50]).mean().backward()
    optimizer.step()
    optimizer.zero_grad()
