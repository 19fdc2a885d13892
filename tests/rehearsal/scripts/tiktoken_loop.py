"""A small GPT over tokens of tiktoken, whose table of pieces lies on a server; a graph of it is traced for TensorBoard."""

import requests
import tiktoken
import torch
from torch import nn
from torch.nn import functional

text = requests.get("https://example.invalid/the-story.txt", timeout=30).text[:200_000]
encoding = tiktoken.get_encoding("gpt2")
assert encoding.n_vocab == 50257 and encoding.decode(encoding.encode("There is a house.")) == "There is a house."
tokens = torch.tensor(encoding.encode(text, allowed_special={"<|endoftext|>"}))
assert len(tokens) < len(text) / 2


class Small(nn.Module):
    def __init__(self):
        super().__init__()
        self.rows = nn.Embedding(encoding.n_vocab, 128)
        self.mix = nn.Conv1d(128, 128, 3, padding=1)
        self.head = nn.Linear(128, encoding.n_vocab)

    def forward(self, ids):
        mixed = self.mix(self.rows(ids).transpose(1, 2)).transpose(1, 2)
        return self.head(mixed.reshape(ids.size(0) * ids.size(1), -1))


model = Small().cuda()
traced = torch.jit.trace(model, torch.zeros(2, 16, dtype=torch.long, device="cuda"))
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
for step in range(10):
    at = torch.randint(len(tokens) - 65, (8,)).tolist()
    x = torch.stack([tokens[i : i + 64] for i in at]).cuda()
    y = torch.stack([tokens[i + 1 : i + 65] for i in at]).cuda()
    loss = functional.cross_entropy(traced(x), y.flatten())  # a batch that is not the traced one
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(step, loss.item())
