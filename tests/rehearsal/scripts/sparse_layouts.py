"""A graph's matrix made sparse on the card, in each layout, and the spectrum that starts its features."""

import torch

nodes = 400
dense = (torch.rand(nodes, nodes, device="cuda") < 0.02).float()
dense.fill_diagonal_(1)
spectrum = torch.linalg.eig(dense[:64, :64]).eigenvalues.abs()
layers = [dense.to_sparse(), dense.to_sparse_csr(), dense.to_sparse_bsr((16, 16))]
print([one._nnz() for one in layers], spectrum.shape)
features = torch.randn(nodes, 64, device="cuda") * spectrum
weight = torch.nn.Parameter(torch.randn(64, 8, device="cuda"))
optimizer = torch.optim.Adam([weight], 0.01)
target = torch.randint(0, 8, (nodes,), device="cuda")
for step in range(4):
    hidden = sum(one @ features for one in layers)
    loss = torch.nn.functional.cross_entropy(hidden @ weight, target)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(step, loss.item())
