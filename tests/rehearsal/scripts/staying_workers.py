"""Workers of loaders that stay from epoch to epoch, in a loop that goes on until the loss is low."""
import torch
from torch.utils.data import DataLoader, TensorDataset

rows = TensorDataset(torch.randn(256, 32), torch.randint(0, 10, (256,)))
options = {"batch_size": 64, "num_workers": 2, "persistent_workers": True}
train, test = DataLoader(rows, shuffle=True, **options), DataLoader(rows, **options)
model = torch.nn.Sequential(torch.nn.Linear(32, 64), torch.nn.ReLU(), torch.nn.Linear(64, 10)).cuda()
optimizer = torch.optim.SGD(model.parameters(), 0.1)
loss = torch.tensor(1.0)
while loss.item() > 0.1:
    model.train()
    for x, y in train:
        loss = torch.nn.functional.cross_entropy(model(x.cuda()), y.cuda())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    model.eval()
    with torch.no_grad():
        right = sum((model(x.cuda()).argmax(1).cpu() == y).sum().item() for x, y in test)
    print(loss.item(), right / len(rows))
