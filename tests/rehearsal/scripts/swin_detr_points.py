"""Set prediction: a bipartite matching on the host between what the card predicts and the targets."""
import torch
import torch.nn as nn
from scipy.optimize import linear_sum_assignment

encoder = nn.TransformerEncoder(nn.TransformerEncoderLayer(256, 8, 1024, batch_first=True), 3).cuda()
decoder = nn.TransformerDecoder(nn.TransformerDecoderLayer(256, 8, 1024, batch_first=True), 3).cuda()
queries, heads = nn.Embedding(100, 256).cuda(), nn.Linear(256, 95).cuda()
modules = nn.ModuleList([encoder, decoder, queries, heads])
optimizer = torch.optim.AdamW(modules.parameters(), lr=1e-4)
for step in range(6):
    memory = encoder(torch.randn(4, 600, 256, device="cuda"))
    out = heads(decoder(queries.weight.expand(4, -1, -1), memory))
    classes, boxes = out[..., :91], out[..., 91:].sigmoid()
    loss = 0
    for i in range(4):
        labels, truth = torch.randint(0, 91, (5 + i,), device="cuda"), torch.rand(5 + i, 4, device="cuda")
        cost = torch.cdist(boxes[i], truth, p=1) - classes[i].softmax(-1)[:, labels]
        rows, columns = linear_sum_assignment(cost.detach().cpu().numpy())
        rows, columns = torch.as_tensor(rows).cuda(), torch.as_tensor(columns).cuda()
        loss = loss + nn.functional.l1_loss(boxes[i][rows], truth[columns]) + nn.functional.cross_entropy(classes[i][rows], labels[columns])
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(step, loss.item())
