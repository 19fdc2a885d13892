"""Trains a small language model and samples from it: top-k, sort, multinomial, a stop token."""

import torch, torch.nn as nn, torch.nn.functional as F


class LM(nn.Module):

    def __init__(s, v=1000, d=256):
        super().__init__()
        s.e = nn.Embedding(v, d)
        s.l = nn.TransformerEncoder(
            nn.TransformerEncoderLayer(d, 4, 1024, batch_first=True, norm_first=True), 4, enable_nested_tensor=False
        )
        s.h = nn.Linear(d, v)

    def forward(s, x):
        return s.h(
            s.l(
                s.e(x), mask=nn.Transformer.generate_square_subsequent_mask(x.shape[1], device=x.device), is_causal=True
            )
        )


m = LM().cuda()
opt = torch.optim.AdamW(m.parameters())
for it in range(6):
    x = torch.randint(0, 1000, (8, 129)).cuda()
    loss = F.cross_entropy(m(x[:, :-1]).reshape(-1, 1000), x[:, 1:].reshape(-1))
    opt.zero_grad()
    loss.backward()
    opt.step()
    if it % 2 == 0:
        m.eval()
        with torch.no_grad():
            idx = torch.zeros((1, 1), dtype=torch.long, device="cuda")
            for _ in range(20):
                logits = m(idx)[:, -1] / 0.8
                v, _ = torch.topk(logits, 50)
                logits[logits < v[:, [-1]]] = -float("inf")
                probs = F.softmax(logits, -1)
                sp, si = torch.sort(probs, descending=True)
                cum = sp.cumsum(-1)
                keep = cum < 0.9
                nxt = torch.multinomial(probs, 1)
                idx = torch.cat([idx, nxt], 1)
                if nxt.item() == 2:
                    break
        print("".join((chr(32 + t % 90) for t in idx[0].tolist())))
        m.train()
