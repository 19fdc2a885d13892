"""flex_attention with a causal block mask, compiled."""

import torch, torch.nn as nn
from torch.nn.attention.flex_attention import flex_attention, create_block_mask

flex = torch.compile(flex_attention)


def causal(b, h, q, k):
    return q >= k


mask = create_block_mask(causal, None, None, 1024, 1024, device="cuda")
lin = nn.Linear(512, 1536).cuda().to(torch.bfloat16)
opt = torch.optim.AdamW(lin.parameters())
for i in range(3):
    q, k, v = (
        t.view(2, 1024, 8, 64).transpose(1, 2)
        for t in lin(torch.randn(2, 1024, 512, device="cuda", dtype=torch.bfloat16)).chunk(3, -1)
    )
    loss = flex(q, k, v, block_mask=mask).float().square().mean()
    loss.backward()
    opt.step()
    opt.zero_grad()
    print(loss.item())
