"""A timm model with its optimizer, scheduler and mixup."""
import timm
import timm.optim
import torch
from timm.data import Mixup
from timm.loss import SoftTargetCrossEntropy

model = timm.create_model("convnext_tiny", pretrained=False, num_classes=1000, drop_path_rate=0.1).cuda()
optimizer = timm.optim.create_optimizer_v2(model, opt="adamw", lr=1e-3)
mixup, criterion = Mixup(mixup_alpha=0.8, cutmix_alpha=1.0, num_classes=1000), SoftTargetCrossEntropy()
for step in range(10):
    x, y = mixup(torch.randn(64, 3, 224, 224).cuda(), torch.randint(0, 1000, (64,)).cuda())
    with torch.autocast("cuda", dtype=torch.bfloat16):
        loss = criterion(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(step, loss.item())
