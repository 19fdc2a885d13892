"""Words in pictures with the CTC loss, labels as 32-bit integers of the host and lengths as numbers, which cuDNN takes."""

import torch
from torch import nn

LETTERS, BATCH, LONGEST = 37, 32, 12


class Crnn(nn.Module):
    def __init__(self):
        super().__init__()
        self.columns = nn.Sequential(nn.Conv2d(1, 64, 3, 1, 1), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(64, 128, 3, 1, 1), nn.BatchNorm2d(128), nn.ReLU(),
                                     nn.MaxPool2d((16, 2)))
        self.recurrent, self.letters = nn.LSTM(128, 256, bidirectional=True), nn.Linear(512, LETTERS)

    def forward(self, pictures):
        return self.letters(self.recurrent(self.columns(pictures).squeeze(2).permute(2, 0, 1))[0])


model, criterion = Crnn().cuda(), nn.CTCLoss(zero_infinity=True)
optimizer = torch.optim.Adadelta(model.parameters())
for step in range(5):
    pictures = torch.randn(BATCH, 1, 32, 100).cuda()
    lengths = torch.randint(3, LONGEST, (BATCH,), dtype=torch.int32)
    labels = torch.randint(1, LETTERS, (int(lengths.sum()),), dtype=torch.int32)
    scores = model(pictures)
    times = tuple([scores.size(0)] * BATCH)
    loss = criterion(scores.log_softmax(2), labels, times, tuple(lengths.tolist()))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(step, loss.item(), scores.max(2)[1].shape)
