"""A GPT of 124M written by hand: accumulation, clipping, evaluation at the start, a checkpoint."""
import math
import os

import torch
import torch.nn as nn
import torch.nn.functional as F

device, block, vocab, width, heads, depth = "cuda", 1024, 50304, 768, 12, 12


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)

    def forward(self, x):
        b, t, c = x.shape
        q, k, v = (y.view(b, t, heads, c // heads).transpose(1, 2) for y in self.qkv(x).split(width, 2))
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        return self.out(y.transpose(1, 2).reshape(b, t, c))


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.n1, self.n2, self.attention = nn.LayerNorm(width), nn.LayerNorm(width), Attention()
        self.mlp = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width))

    def forward(self, x):
        x = x + self.attention(self.n1(x))
        return x + self.mlp(self.n2(x))


class GPT(nn.Module):
    def __init__(self):
        super().__init__()
        self.wte, self.wpe = nn.Embedding(vocab, width), nn.Embedding(block, width)
        self.blocks, self.norm = nn.ModuleList(Block() for _ in range(depth)), nn.LayerNorm(width)
        self.head = nn.Linear(width, vocab, bias=False)
        self.wte.weight = self.head.weight

    def forward(self, idx, targets):
        x = self.wte(idx) + self.wpe(torch.arange(idx.shape[1], device=idx.device))
        for layer in self.blocks:
            x = layer(x)
        logits = self.head(self.norm(x))
        return F.cross_entropy(logits.view(-1, vocab), targets.view(-1), ignore_index=-1)


data = torch.randint(0, vocab, (1_000_000,))


def get_batch(batch=12):
    at = torch.randint(len(data) - block, (batch,))
    x, y = (torch.stack([data[i + s : i + s + block] for i in at]) for s in (0, 1))
    return x.pin_memory().to(device, non_blocking=True), y.pin_memory().to(device, non_blocking=True)


model = GPT().to(device)
optimizer = torch.optim.AdamW(model.parameters(), lr=6e-4, betas=(0.9, 0.95), fused=True)
context = torch.autocast("cuda", dtype=torch.bfloat16)


@torch.no_grad()
def estimate_loss(rounds=3):
    model.eval()
    losses = torch.zeros(rounds)
    for k in range(rounds):
        with context:
            losses[k] = model(*get_batch()).item()
    model.train()
    return losses.mean()


best = 1e9
for it in range(1000):
    if it % 250 == 0:
        val = estimate_loss()
        print(f"step {it}: val loss {val:.4f}")
        if val < best and it:
            torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict()}, os.path.join("out", "ckpt.pt"))
    for micro in range(2):
        with context:
            loss = model(*get_batch()) / 2
        loss.backward()
    norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    optimizer.zero_grad(set_to_none=True)
    assert math.isfinite(loss.item())
    print(f"iter {it}: loss {loss.item() * 2:.4f}, norm {norm:.2f}")
