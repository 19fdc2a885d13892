"""A word-level LSTM with cuDNN's recurrent layer, truncated backpropagation and clipping."""
import torch
import torch.nn as nn


class Model(nn.Module):
    def __init__(self, words=33278, width=650, layers=2):
        super().__init__()
        self.embedding, self.drop = nn.Embedding(words, width), nn.Dropout(0.5)
        self.rnn = nn.LSTM(width, width, layers, dropout=0.5)
        self.decoder = nn.Linear(width, words)
        self.decoder.weight = self.embedding.weight

    def forward(self, x, hidden):
        out, hidden = self.rnn(self.drop(self.embedding(x)), hidden)
        return self.decoder(self.drop(out)).flatten(0, 1), hidden


model = Model().to("cuda")
optimizer = torch.optim.SGD(model.parameters(), lr=20)
hidden = tuple(torch.zeros(2, 20, 650, device="cuda") for _ in range(2))
total = 0.0
for i in range(500):
    data, target = (torch.randint(0, 33278, (35, 20), device="cuda") for _ in range(2))
    hidden = tuple(h.detach() for h in hidden)
    optimizer.zero_grad()
    output, hidden = model(data, hidden)
    loss = nn.functional.cross_entropy(output, target.flatten())
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 0.25)
    optimizer.step()
    total += loss.item()
    print(i, total / (i + 1))
