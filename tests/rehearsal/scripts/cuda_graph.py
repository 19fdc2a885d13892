"""A whole step captured into a CUDA graph and replayed."""
import torch
import torch.nn as nn

model = nn.Sequential(nn.Linear(4096, 4096), nn.ReLU(), nn.Linear(4096, 4096)).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
static_x, static_y = torch.randn(512, 4096, device="cuda"), torch.randn(512, 4096, device="cuda")
side = torch.cuda.Stream()
side.wait_stream(torch.cuda.current_stream())
with torch.cuda.stream(side):
    for _ in range(3):
        optimizer.zero_grad(set_to_none=True)
        nn.functional.mse_loss(model(static_x), static_y).backward()
        optimizer.step()
torch.cuda.current_stream().wait_stream(side)
graph = torch.cuda.CUDAGraph()
optimizer.zero_grad(set_to_none=True)
with torch.cuda.graph(graph):
    loss = nn.functional.mse_loss(model(static_x), static_y)
    loss.backward()
    optimizer.step()
for _ in range(10):
    static_x.copy_(torch.randn(512, 4096))
    graph.replay()
    print(loss.item())
