"""Evaluation in inference mode whose tensors have sizes that the card must count (as detectors match boxes)."""
import torch
import torch.nn as nn
from torch.nn import functional

model = nn.Sequential(nn.Conv2d(3, 16, 3, padding=1), nn.BatchNorm2d(16), nn.ReLU(), nn.AdaptiveAvgPool2d(8), nn.Flatten(),
                      nn.Linear(1024, 10)).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)


def targets(batch):
    image = torch.arange(batch, device="cuda").repeat_interleave(3)
    boxes = torch.rand(3 * batch, 4, device="cuda")
    _, counts = image.unique(return_counts=True)
    out = torch.zeros(batch, counts.to(torch.int32).max(), 4, device="cuda")
    for i in range(batch):
        found = boxes[image == i]
        out[i, : len(found)] = found
    return out


def among_many(first, count):
    """Elements that are among others, of so many that the card sorts the different ones of both."""
    return torch.isin(torch.arange(first, first + count, device="cuda"), torch.arange(0, 2 * count, 2, device="cuda"))


heights = torch.rand(300, 4, device="cuda")
pieces = torch.segment_reduce(heights, "sum", lengths=torch.tensor([100, 200], device="cuda"))
assert pieces.shape == (2, 4)
filled = torch.tensor(2.0, device="cuda", requires_grad=True)  # its derivative counts different places
torch.zeros((), device="cuda").index_fill(0, torch.zeros(1, dtype=torch.long, device="cuda"), filled).backward()
assert filled.grad.item() == 1

for epoch in range(3):
    assert among_many(epoch, 100).sum().item() == 50
    for _ in range(2):
        assert targets(4).shape == (4, 3, 4)
        loss = nn.functional.cross_entropy(model(torch.rand(4, 3, 64, 64).cuda()), torch.randint(0, 10, (4,)).cuda())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    with torch.inference_mode():
        assert targets(8).shape == (8, 3, 4)
        terms = functional.relu(torch.rand(64, 2048, device="cuda") - 0.5)
    entries = terms.to_sparse()._nnz()  # out of that mode, of a tensor that was made in it
    assert 0 < entries <= terms.numel(), entries
    with torch.inference_mode():
        print(epoch, model(torch.rand(8, 3, 64, 64).cuda()).argmax(1).float().mean().item())
