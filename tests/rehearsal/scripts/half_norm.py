"""A frozen encoder in 16 bits, whose norm keeps 32-bit sums on the card, conditions a head: of small tensors that are assumed."""

import torch

encoder = torch.nn.Sequential(torch.nn.Linear(16384, 64), torch.nn.LayerNorm(64)).cuda().half().requires_grad_(False)
head = torch.nn.Linear(64, 4).cuda()
optimizer = torch.optim.SGD(head.parameters(), lr=0.1)
for step in range(5):
    seen = encoder(torch.randn(8, 16384, device="cuda", dtype=torch.float16))
    loss = head(seen.float()).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(step, loss.item())
