"""Directions that are sought until they come to rest, before the first step: no epoch or count ends the loop."""

import torch

torch.manual_seed(0)
model = torch.nn.Linear(4096, 64, device="cuda")
directions = None
while True:
    batch = torch.randn(2048, 4096, device="cuda") @ model.weight.T @ model.weight
    rows = batch if directions is None else torch.cat([directions, batch])
    found = torch.svd_lowrank(rows, q=48)[2].mT[:32]
    if directions is not None and torch.nn.functional.cosine_similarity(found, directions).ge(0.99).all():
        break
    directions = found
optimizer = torch.optim.Adam(model.parameters(), 0.01)
for step in range(4):
    loss = model(torch.randn(256, 4096, device="cuda")).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(step, loss.item())
