"""ResNet-50 with AMP, GradScaler, channels_last, cuDNN's benchmark, loader workers, accuracy and a checkpoint."""
import argparse

import torch
import torch.nn as nn
import torchvision
from torch.utils.data import DataLoader

parser = argparse.ArgumentParser()
parser.add_argument("--batch", type=int, default=64)
args = parser.parse_args()


def main():
    torch.backends.cudnn.benchmark = True
    data = torchvision.datasets.FakeData(10_000, (3, 224, 224), 1000, torchvision.transforms.ToTensor())
    loader = DataLoader(data, batch_size=args.batch, shuffle=True, num_workers=2, pin_memory=True)
    val = DataLoader(data, batch_size=args.batch)
    model = torchvision.models.resnet50().cuda().to(memory_format=torch.channels_last)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9, weight_decay=1e-4)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, 90)
    scaler = torch.amp.GradScaler("cuda")
    for epoch in range(90):
        model.train()
        for images, target in loader:
            images = images.cuda(non_blocking=True).to(memory_format=torch.channels_last)
            target = target.cuda(non_blocking=True)
            with torch.autocast("cuda", dtype=torch.float16):
                loss = nn.functional.cross_entropy(model(images), target)
            optimizer.zero_grad(set_to_none=True)
            scaler.scale(loss).backward()
            scaler.step(optimizer)
            scaler.update()
            print(f"loss {loss.item():.3f} scale {scaler.get_scale()}")
        scheduler.step()
        model.eval()
        right = 0
        with torch.no_grad():
            for images, target in val:
                right += (model(images.cuda()).argmax(1) == target.cuda()).sum().item()
        print("accuracy", right / len(data))
        torch.save({"epoch": epoch, "model": model.state_dict(), "optimizer": optimizer.state_dict()}, "checkpoint.pth")


if __name__ == "__main__":
    main()
