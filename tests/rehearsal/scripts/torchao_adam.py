"""torchao's 8-bit AdamW and weight-only quantisation."""

import torch, torch.nn as nn
from torchao.optim import AdamW8bit, CPUOffloadOptimizer
from torchao.quantization import quantize_, Int8WeightOnlyConfig

m = nn.Sequential(nn.Linear(1024, 4096), nn.GELU(), nn.Linear(4096, 1024)).cuda().bfloat16()
opt = AdamW8bit(m.parameters())
for i in range(3):
    loss = m(torch.randn(64, 1024, device="cuda", dtype=torch.bfloat16)).square().mean()
    loss.backward()
    opt.step()
    opt.zero_grad()
    print(loss.item())
quantize_(m, Int8WeightOnlyConfig())
print(m(torch.randn(2, 1024, device="cuda", dtype=torch.bfloat16)).shape)
