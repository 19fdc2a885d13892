"""Two networks, one after the other, on batches that no loader makes; the second, a generator against the first, is the peak."""

import numpy as np
import torch
from torch import nn


def batches(count, rng=np.random.default_rng(0)):
    for _ in range(count):
        yield torch.from_numpy(rng.standard_normal((64, 256), dtype=np.float32)).cuda(), torch.from_numpy(rng.integers(0, 10, 64)).cuda()


def fit_classifier(epochs):
    model = nn.Sequential(nn.Linear(256, 256), nn.ReLU(), nn.Linear(256, 10)).cuda()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    scaler = torch.amp.GradScaler("cuda")
    for epoch in range(epochs):
        total = 0.0
        for turn, (x, y) in enumerate(batches(1000)):
            with torch.autocast("cuda", dtype=torch.float16):
                loss = nn.functional.cross_entropy(model(x), y) / 4
            scaler.scale(loss).backward()
            if (turn + 1) % 4 == 0:
                scaler.unscale_(optimizer)
                nn.utils.clip_grad_norm_(model.parameters(), 1.0)
                scaler.step(optimizer)
                scaler.update()
                optimizer.zero_grad(set_to_none=True)
            total += loss.item()
        print(epoch, total)
    return model


def fit_generator(classifier, steps):
    generator = nn.Sequential(nn.Linear(64, 1 << 20), nn.ReLU(), nn.Linear(1 << 20, 256)).cuda()
    optimizer = torch.optim.AdamW(generator.parameters())
    for step in range(steps):
        fooled = classifier(generator(torch.randn(256, 64, device="cuda")))
        loss = nn.functional.cross_entropy(fooled, torch.randint(0, 10, (256,), device="cuda"))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 10 == 0:
            print(step, loss.item())
    return generator


classifier = fit_classifier(20)
fit_generator(classifier, 5000)
