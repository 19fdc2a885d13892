"""torch.profiler with shapes and stacks, and a memory snapshot."""

import torch, torch.nn as nn, torchvision
from torch.profiler import profile, ProfilerActivity, schedule, tensorboard_trace_handler, record_function

model = torchvision.models.resnet18().cuda()
opt = torch.optim.SGD(model.parameters(), 0.1)
with profile(
    activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA],
    schedule=schedule(wait=0, warmup=1, active=2, repeat=1),
    on_trace_ready=tensorboard_trace_handler("./log"),
    record_shapes=True,
    profile_memory=True,
    with_stack=True,
) as prof:
    for i in range(4):
        with record_function("step"):
            loss = nn.functional.cross_entropy(
                model(torch.randn(16, 3, 224, 224, device="cuda")), torch.randint(0, 1000, (16,), device="cuda")
            )
            opt.zero_grad()
            loss.backward()
            opt.step()
        prof.step()
print(prof.key_averages().table(sort_by="cuda_time_total", row_limit=10))
torch.cuda.memory._record_memory_history(max_entries=100000)
model(torch.randn(16, 3, 224, 224, device="cuda")).sum().backward()
torch.cuda.memory._dump_snapshot("snapshot.pickle")
torch.cuda.memory._record_memory_history(enabled=None)
