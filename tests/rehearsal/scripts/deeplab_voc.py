"""DeepLabV3 on Pascal VOC with torchvision's transforms of pictures and masks; the data set is not on the machine."""

import torch
import torchvision
from torch.utils.data import DataLoader
from torchvision import tv_tensors
from torchvision.datasets import VOCSegmentation, wrap_dataset_for_transforms_v2
from torchvision.transforms import v2


def transform(train):
    crop = v2.RandomResizedCrop((480, 480), antialias=True) if train else v2.Resize((520, 520))
    types = {tv_tensors.Image: torch.float32, tv_tensors.Mask: torch.int64, "others": None}
    return v2.Compose([v2.ToImage(), crop, v2.ToDtype(types, scale=True)])


def loader(split, train):
    found = VOCSegmentation("data", image_set=split, download=True, transforms=transform(train))
    return DataLoader(wrap_dataset_for_transforms_v2(found), batch_size=4, shuffle=train, num_workers=2, drop_last=True)


training, judging = loader("train", True), loader("val", False)
model = torchvision.models.segmentation.deeplabv3_resnet50(weights=None, weights_backbone="IMAGENET1K_V1", num_classes=21, aux_loss=True).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.02, momentum=0.9)
scaler = torch.amp.GradScaler("cuda")
for epoch in range(2):
    model.train()
    for pictures, masks in training:
        pictures, masks = pictures.cuda(non_blocking=True), masks.squeeze(1).cuda(non_blocking=True)
        with torch.amp.autocast("cuda"):
            out = model(pictures)
            loss = sum(torch.nn.functional.cross_entropy(out[key], masks, ignore_index=255) for key in ("out", "aux"))
        optimizer.zero_grad()
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
        print(loss.item())
    model.eval()
    counts = torch.zeros(21, 21, dtype=torch.int64, device="cuda")
    with torch.inference_mode():
        for pictures, masks in judging:
            told, found = masks.squeeze(1).cuda().flatten(), model(pictures.cuda())["out"].argmax(1).flatten()
            kept = told < 21
            counts += torch.bincount(21 * told[kept] + found[kept], minlength=21 ** 2).reshape(21, 21)
    print("accuracy", (counts.diag().sum() / counts.sum()).item())
