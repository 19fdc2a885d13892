"""DETR on the boxes of a data set whose categories have names."""

import torch
from datasets import load_dataset
from transformers import DetrConfig, DetrForObjectDetection
from torch.utils.data import DataLoader

rows = load_dataset("cppe-5", split="train")
objects = rows.features["objects"]
names = (objects["category"].feature if isinstance(objects, dict) else objects.feature["category"]).names
model = DetrForObjectDetection(DetrConfig(num_labels=len(names), use_timm_backbone=True, use_pretrained_backbone=False)).cuda()


def collate(batch):
    pixels = torch.stack([torch.rand(3, 480, 640) for _ in batch])
    labels = []
    for row in batch:
        x, y, w, h = torch.tensor(row["objects"]["bbox"]).T
        boxes = torch.stack([(x + w / 2) / 640, (y + h / 2) / 480, w / 640, h / 480], 1)
        labels.append({"boxes": boxes, "class_labels": torch.tensor(row["objects"]["category"])})
    return pixels, labels


optimizer = torch.optim.AdamW(model.parameters(), lr=1e-5)
for pixels, labels in DataLoader(rows.select(range(16)), 4, collate_fn=collate):
    loss = model(pixels.cuda(), labels=[{k: v.cuda() for k, v in one.items()} for one in labels]).loss
    optimizer.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 0.1)
    optimizer.step()
    print(loss.item())
