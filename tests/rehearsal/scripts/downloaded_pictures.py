"""Pictures that torchvision would download, and a loop that moves its weights by hand."""
import torch
import torch.nn.functional as F
from torchvision import datasets, transforms

data = datasets.MNIST("./data", train=True, download=True, transform=transforms.ToTensor())
fields = datasets.EuroSAT("./data", download=True, transform=transforms.ToTensor())  # makes its folder before it fails
assert (len(fields), fields[0][0].shape) == (27000, (3, 64, 64))
loader = torch.utils.data.DataLoader(data, batch_size=64, shuffle=True)
model = torch.nn.Sequential(torch.nn.Flatten(), torch.nn.Linear(784, 256), torch.nn.ReLU(), torch.nn.Linear(256, 10)).cuda()
for epoch in range(2):
    for x, y in loader:
        loss = F.cross_entropy(model(x.cuda()), y.cuda())
        model.zero_grad()
        loss.backward()
        with torch.no_grad():
            for p in model.parameters():
                p.add_(p.grad, alpha=-0.1)
    print(epoch, loss.item())
