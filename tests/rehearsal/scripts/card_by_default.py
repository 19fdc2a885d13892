"""Scripts that make every tensor on the card: by torch's older way first, then by the device that holds from now on."""
import torch
from torch import nn


def train():
    model = nn.Sequential(nn.Linear(63, 256), nn.ReLU(), nn.Linear(256, 4))
    optimizer = torch.optim.Adam(model.parameters())
    for step in range(2):
        rays = torch.rand(1024, 63)
        weights = torch.sigmoid(model(rays))
        cdf = torch.cumsum(weights / weights.sum(-1, keepdim=True), -1)
        places = torch.searchsorted(cdf.detach(), torch.rand(1024, 8), right=True).clamp(max=3)
        order, _ = torch.sort(torch.gather(cdf, 1, places), -1)
        loss = order.mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(step, loss.item(), (torch.log(loss) / torch.log(torch.tensor([10.0]))).item())


torch.set_default_tensor_type("torch.cuda.FloatTensor")
train()
torch.set_default_tensor_type("torch.FloatTensor")
torch.set_default_device("cuda")
train()
