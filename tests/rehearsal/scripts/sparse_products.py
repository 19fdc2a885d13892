"""Products of two sparse matrices: two hops of a graph in each layout, and pairs of learned sparse vectors."""

import torch

nodes = 600
edges = torch.randint(0, nodes, (2, 3000), device="cuda")
adjacency = torch.sparse_coo_tensor(edges, torch.ones(3000, device="cuda"), (nodes, nodes))
two_hops = torch.sparse.mm(adjacency, adjacency)
by_rows = adjacency.coalesce().to_sparse_csr()
again = by_rows @ by_rows
print(two_hops._nnz(), again._nnz(), two_hops.shape, (by_rows + again)._nnz())
weight = torch.nn.Parameter(torch.rand(64, 30522, device="cuda"))
optimizer = torch.optim.Adam([weight], 0.01)
features = torch.randn(nodes, 16, device="cuda")
for step in range(4):
    query, document = weight[:32].to_sparse(), weight[32:].to_sparse()
    scores = torch.sparse.mm(query, document.t()).to_dense()
    loss = torch.nn.functional.cross_entropy(scores, torch.arange(32, device="cuda")) + (two_hops @ features).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(step, loss.item())
