"""Sums over neighbours as products with a sparse matrix by rows, of which torch's own observer of operators breaks down."""

import torch

places = torch.randint(4000, (2, 40000), generator=torch.Generator().manual_seed(0))
neighbours = torch.sparse_coo_tensor(places, torch.ones(40000), (4000, 4000)).coalesce().to_sparse_csr().cuda()
model = torch.nn.ModuleList([torch.nn.Linear(64, 256), torch.nn.Linear(256, 16)]).cuda()
optimizer = torch.optim.Adam(model.parameters())
features = torch.randn(4000, 64, device="cuda")
for epoch in range(5):
    hidden = torch.relu(neighbours @ model[0](features))
    loss = (neighbours @ model[1](hidden)).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(epoch, loss.item())
