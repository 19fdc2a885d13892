"""Graph convolutions with torch_geometric: scatter, gather and pooled batches."""

import torch, torch.nn.functional as F
from torch_geometric.nn import GCNConv, GATConv, global_mean_pool
from torch_geometric.data import Data
from torch_geometric.loader import DataLoader

data = [
    Data(x=torch.randn(30, 16), edge_index=torch.randint(0, 30, (2, 100)), y=torch.randint(0, 2, (1,)))
    for _ in range(256)
]


class Net(torch.nn.Module):

    def __init__(s):
        super().__init__()
        s.c1, s.c2, s.lin = (GCNConv(16, 64), GATConv(64, 64, heads=4, concat=False), torch.nn.Linear(64, 2))

    def forward(s, d):
        x = F.relu(s.c1(d.x, d.edge_index))
        x = F.relu(s.c2(x, d.edge_index))
        return s.lin(global_mean_pool(x, d.batch))


device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
model = Net().to(device)
opt = torch.optim.Adam(model.parameters(), 0.001)
for epoch in range(3):
    for b in DataLoader(data, batch_size=32, shuffle=True):
        b = b.to(device)
        loss = F.cross_entropy(model(b), b.y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        print(float(loss))
