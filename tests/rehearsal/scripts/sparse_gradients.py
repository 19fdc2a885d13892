"""Sparse products and gradients: sizes that depend on values in both passes, also in backward."""
import torch
import torch.nn.functional as F

nodes, edges = 20000, 100000
index = torch.randint(0, nodes, (2, edges))
adjacency = torch.sparse_coo_tensor(index, torch.ones(edges), (nodes, nodes)).coalesce().cuda()
first, second = torch.nn.Linear(128, 64).cuda(), torch.nn.Linear(64, 7).cuda()
words = torch.nn.Embedding(1000, 16, sparse=True).cuda()
dense = torch.optim.Adam([*first.parameters(), *second.parameters()])
sparse = torch.optim.SparseAdam(words.parameters())
x, y = torch.randn(nodes, 128).cuda(), torch.randint(0, 7, (nodes,)).cuda()
for epoch in range(5):
    hidden = F.relu(torch.sparse.mm(adjacency, first(x)))
    loss = F.cross_entropy(torch.sparse.mm(adjacency, second(hidden)), y)
    dense.zero_grad()
    loss.backward()
    dense.step()
    sparse.zero_grad()
    words(torch.randint(0, 1000, (64,), device="cuda")).sum().backward()
    sparse.step()
    print(epoch, loss.item())
