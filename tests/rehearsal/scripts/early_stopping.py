"""A loop that reads its loss, stops at a value that is not finite and when nothing improves."""
import math
import sys

import torch
import torch.nn as nn

model = nn.Sequential(nn.Linear(784, 512), nn.ReLU(), nn.Dropout(0.2), nn.Linear(512, 10)).cuda()
optimizer = torch.optim.RMSprop(model.parameters())
best, waited = math.inf, 0
for epoch in range(100):
    x, y = torch.randn(256, 784, device="cuda"), torch.randint(0, 10, (256,), device="cuda")
    with torch.autograd.set_detect_anomaly(False):
        loss = nn.functional.cross_entropy(model(x), y)
    if torch.isnan(loss).any() or math.isinf(loss.item()):
        sys.exit("inf loss")
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    best, waited = (loss.item(), 0) if loss.item() < best - 1e-3 else (best, waited + 1)
    print(epoch, loss.item(), waited)
    if waited > 50:
        break
