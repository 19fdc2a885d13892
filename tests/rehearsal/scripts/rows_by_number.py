"""More rows of a data set than are made up, picked by their numbers, and others behind them."""

import torch
from datasets import Dataset, load_dataset

rows = load_dataset("some-body/pairs-of-questions", split="train").shuffle(seed=1)
train, test = rows.select(range(100_000)), rows.select(range(100_000, 100_500))
assert 1000 < len(train) < 100_000 and len(test) == 500 and train[0]["question"]
parts = rows.train_test_split(test_size=50_000)
assert min(len(parts["train"]), len(parts["test"])) > 500
again = Dataset.from_dict({"question": sorted(set(rows["question"]))})  # rows made of those
assert len(again.select(range(50_000))) == len(again)
model = torch.nn.EmbeddingBag(1000, 64).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for row in train.select(range(20)):
    ids = torch.tensor([[hash(word) % 1000 for word in row["question"].split()[:8]]]).cuda()
    loss = model(ids).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
