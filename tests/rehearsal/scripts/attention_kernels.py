"""Scaled dot-product attention by each of its kernels."""

import torch, torch.nn as nn, torch.nn.functional as F
from torch.nn.attention import sdpa_kernel, SDPBackend

lin = nn.Linear(1024, 3072).cuda().half()
opt = torch.optim.AdamW(lin.parameters())
for backend in (
    SDPBackend.FLASH_ATTENTION,
    SDPBackend.EFFICIENT_ATTENTION,
    SDPBackend.MATH,
    SDPBackend.CUDNN_ATTENTION,
):
    for _ in range(1):
        x = torch.randn(4, 512, 1024, device="cuda", dtype=torch.float16)
        q, k, v = (t.view(4, 512, 16, 64).transpose(1, 2) for t in lin(x).chunk(3, -1))
        with sdpa_kernel(backend):
            out = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        out.float().mean().backward()
        print(backend, out.shape)
opt.step()
mask = torch.ones(4, 1, 512, 512, dtype=torch.bool, device="cuda").tril()
out = F.scaled_dot_product_attention(q.detach(), k.detach(), v.detach(), attn_mask=mask)
print(torch.isfinite(out).all().item())
