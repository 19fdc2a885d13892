"""bitsandbytes' 8-bit AdamW, also paged."""

import bitsandbytes as bnb, torch, torch.nn as nn

model = nn.Sequential(
    nn.Embedding(32000, 1024),
    *[nn.TransformerEncoderLayer(1024, 16, 4096, batch_first=True) for _ in range(4)],
    nn.Linear(1024, 32000)
).cuda()
opt = bnb.optim.AdamW8bit(model.parameters(), lr=0.0001)
paged = bnb.optim.PagedAdamW8bit([nn.Parameter(torch.randn(2048, 2048, device="cuda"))])
for i in range(3):
    ids = torch.randint(0, 32000, (4, 256), device="cuda")
    with torch.autocast("cuda", torch.bfloat16):
        loss = nn.functional.cross_entropy(model(ids).flatten(0, 1), ids.flatten())
    loss.backward()
    opt.step()
    opt.zero_grad()
    print(loss.item())
