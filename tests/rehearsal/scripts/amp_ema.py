"""AMP, an averaged model, clipping, checks for NaN and persistent workers."""

import copy, torch, torch.nn as nn
from torch.cuda.amp import autocast, GradScaler
from torch.optim.swa_utils import AveragedModel, SWALR, update_bn

net = nn.Sequential(
    nn.Conv2d(3, 64, 3, padding=1),
    nn.BatchNorm2d(64),
    nn.ReLU(),
    nn.MaxPool2d(2),
    nn.Conv2d(64, 128, 3, padding=1),
    nn.BatchNorm2d(128),
    nn.ReLU(),
    nn.AdaptiveAvgPool2d(1),
    nn.Flatten(),
    nn.Linear(128, 10),
).cuda()
ema = AveragedModel(net, avg_fn=lambda a, b, n: 0.99 * a + 0.01 * b)
opt = torch.optim.SGD(net.parameters(), 0.1, momentum=0.9, nesterov=True)
sc = GradScaler()
losses = []
data = torch.utils.data.TensorDataset(torch.randn(512, 3, 32, 32), torch.randint(0, 10, (512,)))
loader = torch.utils.data.DataLoader(
    data, 64, shuffle=True, num_workers=2, pin_memory=True, persistent_workers=True, drop_last=True
)
for ep in range(3):
    for x, y in loader:
        x, y = (x.to("cuda", non_blocking=True), y.to("cuda", non_blocking=True))
        with autocast():
            loss = nn.functional.cross_entropy(net(x), y, label_smoothing=0.1)
        if not torch.isfinite(loss):
            raise RuntimeError("loss is not finite")
        opt.zero_grad()
        sc.scale(loss).backward()
        sc.unscale_(opt)
        n = nn.utils.clip_grad_norm_(net.parameters(), 1.0, error_if_nonfinite=False)
        if torch.isnan(n):
            print("nan")
            continue
        sc.step(opt)
        sc.update()
        ema.update_parameters(net)
        losses.append(loss.detach())
    print(ep, torch.stack(losses).mean().item(), sc.get_scale())
    net.eval()
    print(sum(((net(x.cuda()).argmax(1).cpu() == y).sum() for x, y in loader)))
    net.train()
update_bn(loader, ema, device="cuda")
