"""Asks what lies in batches that a loader has brought, each larger than a million elements, before it trains on them."""

import torch
from torch import nn

torch.manual_seed(0)
images, masks = torch.randint(0, 256, (8, 3, 320, 480)).float(), (torch.rand(8, 1, 320, 480) > 0.7).float()
model = nn.Conv2d(3, 1, 3, padding=1).cuda()
optimizer = torch.optim.SGD(model.parameters(), 0.1)
for _ in range(3):
    image, mask = images.cuda(), masks.cuda(non_blocking=True)
    assert image.shape[2] % 32 == 0 and mask.ndim == 4
    assert mask.max() <= 1.0 and mask.min() >= 0
    assert image.max().item() == 255 and (image / 255).amax() <= 1 and (image >= 0).all() and not (image > 255).any()
    assert abs(mask.mean().item() - masks.mean().item()) < 1e-3 and 0 < mask.long().sum() < mask.numel()
    loss = nn.functional.binary_cross_entropy_with_logits(model(image / 127.5 - 1), mask)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    image[:, 0] = -3
    assert (mask + image[:, :1]).min() < 0  # known no more
