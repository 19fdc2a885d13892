"""Fine-tunes a pretrained ResNet as the tutorial of torchvision does."""

import torch, torchvision, time, copy
from torchvision import datasets, transforms

model = torchvision.models.resnet18(weights="IMAGENET1K_V1")
model.fc = torch.nn.Linear(model.fc.in_features, 2)
device = torch.device("cuda:0" if torch.cuda.is_available() else "cpu")
model = model.to(device)
crit = torch.nn.CrossEntropyLoss()
opt = torch.optim.SGD(model.parameters(), 0.001, momentum=0.9)
sch = torch.optim.lr_scheduler.StepLR(opt, 7, 0.1)
ds = {x: datasets.FakeData(128, (3, 224, 224), 2, transforms.ToTensor()) for x in ("train", "val")}
dl = {x: torch.utils.data.DataLoader(ds[x], 16, shuffle=True, num_workers=2) for x in ds}
best = 0.0
since = time.time()
for epoch in range(25):
    for phase in ("train", "val"):
        model.train() if phase == "train" else model.eval()
        rl = 0.0
        rc = 0
        for x, y in dl[phase]:
            x, y = (x.to(device), y.to(device))
            opt.zero_grad()
            with torch.set_grad_enabled(phase == "train"):
                o = model(x)
                _, p = torch.max(o, 1)
                loss = crit(o, y)
                if phase == "train":
                    loss.backward()
                    opt.step()
            rl += loss.item() * x.size(0)
            rc += torch.sum(p == y.data)
        if phase == "train":
            sch.step()
        acc = rc.double() / len(ds[phase])
        print(phase, rl / len(ds[phase]), acc.item())
        if phase == "val" and acc > best:
            best = acc
            torch.save(model.state_dict(), "best.pt")
model.load_state_dict(torch.load("best.pt", weights_only=True))
