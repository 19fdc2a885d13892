"""ViT with mixup, an average of weights and a norm that must be finite."""
import copy

import torch
import torchvision

model = torchvision.models.vit_b_16().cuda()
average = copy.deepcopy(model).eval()
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3, weight_decay=0.3)
for step in range(50):
    images, target = torch.randn(32, 3, 224, 224).cuda(), torch.randint(0, 1000, (32,)).cuda()
    share = torch.distributions.Beta(0.8, 0.8).sample().item()
    order = torch.randperm(32, device="cuda")
    images = share * images + (1 - share) * images[order]
    with torch.autocast("cuda", dtype=torch.bfloat16):
        out = model(images)
        loss = share * torch.nn.functional.cross_entropy(out, target) + (1 - share) * torch.nn.functional.cross_entropy(out, target[order])
    optimizer.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0, error_if_nonfinite=True)
    optimizer.step()
    with torch.no_grad():
        for mine, other in zip(average.parameters(), model.parameters()):
            mine.lerp_(other, 0.001)
    print(step, loss.item())
