"""Trains a teacher over its epochs, then a larger student of it: each has its own steps, and the student is the peak."""

import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

data = DataLoader(TensorDataset(torch.randn(512, 256), torch.randint(0, 10, (512,))), 64)


def network(width):
    return torch.nn.Sequential(torch.nn.Linear(256, width), torch.nn.ReLU(), torch.nn.Linear(width, 10)).cuda()


def fit(model, epochs, teacher=None):
    optimizer = torch.optim.AdamW(model.parameters())
    for epoch in range(epochs):
        for x, y in data:
            x, y = x.cuda(), y.cuda()
            loss = F.cross_entropy(model(x), y)
            if teacher is not None:
                with torch.no_grad():
                    soft = F.softmax(teacher(x), 1)
                loss = loss + F.kl_div(F.log_softmax(model(x), 1), soft, reduction="batchmean")
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        print(epoch, loss.item())


teacher = network(64)
fit(teacher, 20)
student = network(1 << 20)
fit(student, 30, teacher)
