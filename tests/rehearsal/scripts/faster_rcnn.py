"""Detection: shapes that depend on data (proposals, suppression, masks)."""
import torch
import torchvision

model = torchvision.models.detection.fasterrcnn_resnet50_fpn(weights=None, weights_backbone=None).cuda()
optimizer = torch.optim.SGD([p for p in model.parameters() if p.requires_grad], lr=0.005, momentum=0.9)


def batch():
    images, targets = [], []
    for _ in range(2):
        images.append(torch.rand(3, 600, 800).cuda())
        corner = torch.rand(7, 2) * 400
        boxes = torch.cat([corner, corner + 20 + torch.rand(7, 2) * 150], 1)
        targets.append({"boxes": boxes.cuda(), "labels": torch.randint(1, 91, (7,)).cuda()})
    return images, targets


for step in range(20):
    losses = model(*batch())
    loss = sum(losses.values())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if not torch.isfinite(loss):
        raise SystemExit("loss is not finite")
    print(step, {k: round(v.item(), 3) for k, v in losses.items()})
