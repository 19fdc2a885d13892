"""Texts as weights of the words of a vocabulary, of which few are not nought: sparse once they are compared."""
import torch
from torch.nn import functional

words, width = 30522, 256
encoder = torch.nn.Sequential(torch.nn.Embedding(words, width), torch.nn.Linear(width, width), torch.nn.GELU(), torch.nn.Linear(width, words)).cuda()
optimizer = torch.optim.AdamW(encoder.parameters(), 1e-4)


def terms(ids):
    return torch.log1p(functional.relu(encoder(ids))).amax(1)


with torch.no_grad():
    kept = [terms(torch.randint(0, words, (32, 24), device="cuda")).to_sparse() for _ in range(20)]
entries = sum(one.coalesce().values().numel() for one in kept)
rows = torch.stack([row for one in kept for row in one])  # taken apart and put together, as encoders of many texts do
assert rows._nnz() <= entries, (rows._nnz(), entries)
assert entries < 20 * 32 * words / 10, entries
for step in range(4):
    queries, answers = (terms(torch.randint(0, words, (16, 24), device="cuda")) for _ in range(2))
    loss = functional.cross_entropy(queries @ answers.T, torch.arange(16, device="cuda")) + 1e-3 * answers.abs().mean(0).square().sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(step, loss.item())
