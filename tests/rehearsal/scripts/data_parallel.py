"""DataParallel over two cards in one process."""
import torch
import torch.nn as nn

print(torch.cuda.device_count(), torch.cuda.get_device_name(1))
model = nn.DataParallel(nn.Sequential(nn.Linear(2048, 4096), nn.ReLU(), nn.Linear(4096, 1000))).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
for step in range(5):
    x, y = torch.randn(256, 2048).cuda(), torch.randint(0, 1000, (256,)).cuda()
    loss = nn.functional.cross_entropy(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(step, loss.item())
