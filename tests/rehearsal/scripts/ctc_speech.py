"""Speech to letters with the CTC loss, lengths counted on the card."""
import torch
import torch.nn as nn
import torch.nn.functional as F

device = torch.device("cuda")


class Recogniser(nn.Module):
    def __init__(self, letters=32, width=256):
        super().__init__()
        self.ears = nn.Sequential(nn.Conv1d(80, width, 3, stride=2, padding=1), nn.GELU())
        layer = nn.TransformerEncoderLayer(width, 4, 4 * width, batch_first=True)
        self.body = nn.TransformerEncoder(layer, 4)
        self.head = nn.Linear(width, letters)

    def forward(self, mels):
        return self.head(self.body(self.ears(mels).transpose(1, 2)))


window = torch.hann_window(2048, device=device)  # a minute there and back: torch asks whether the windows cover it
spectrum = torch.stft(torch.randn(2, 60 * 44100, device=device), 2048, 512, window=window, return_complex=True)
assert torch.istft(spectrum, 2048, 512, window=window, length=60 * 44100).shape == (2, 60 * 44100)

model = Recogniser().to(device)
optimizer = torch.optim.AdamW(model.parameters(), lr=3e-4)
for step in range(10):
    mels = torch.randn(8, 80, 800, device=device)
    labels = torch.randint(1, 32, (8, 60), device=device)
    labels[:, 50:] = -100
    mask = labels >= 0
    log_probs = F.log_softmax(model(mels), dim=-1, dtype=torch.float32).transpose(0, 1)
    heard = torch.full((8,), log_probs.shape[0], device=device)
    with torch.backends.cudnn.flags(enabled=False):
        loss = F.ctc_loss(log_probs, labels.masked_select(mask), heard, mask.sum(-1), blank=0, zero_infinity=True)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(step, loss.item())
