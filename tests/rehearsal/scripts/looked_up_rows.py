"""Rows looked up, whose gradients are sparse and pass by values that nobody knows: their places are those of the batch. And a
graph too large for its products to be computed, whose sparse matrix is turned round for the backward pass."""
import torch

table = torch.nn.EmbeddingBag(200_000, 64, mode="sum", sparse=True, device="cuda")
deep = torch.nn.Sequential(torch.nn.Linear(64, 2048), torch.nn.ReLU(), torch.nn.Linear(2048, 1)).cuda()
sparse = torch.optim.SparseAdam(table.parameters())
dense = torch.optim.AdamW(deep.parameters())
bags = torch.arange(16384, device="cuda")
index = torch.stack([torch.arange(400_000) % 100_000, torch.arange(400_000) // 4])
graph = torch.sparse_coo_tensor(index, torch.ones(400_000), (100_000, 100_000)).coalesce().cuda()
assert graph.t().coalesce()._nnz() == 400_000
for step in range(4):
    sparse.zero_grad(), dense.zero_grad()
    for begin in (0, 4096):
        rows = torch.arange(16384) // 2 + begin
        words = rows.cuda()
        deep(table(words, bags)).mean().backward()
        assert words[::4096].tolist() == rows[::4096].tolist()
    gradient = table.weight.grad
    gradient.mul_(0.5)
    found = [one.coalesce() for one in (gradient, gradient * 2, gradient + gradient, gradient.half())]
    assert [one._nnz() for one in found] == 4 * [8192 + 4096], found
    assert torch.zeros_like(table.weight).sparse_mask(found[0])._indices()[0, -1].item() == rows[-1].item()
    sparse.step(), dense.step()
    hidden = torch.sparse.mm(graph, deep[0](torch.ones(100_000, 64, device="cuda")))
    hidden.relu().mean().backward()
    print(step, gradient._nnz(), deep[0].weight.grad.shape)
