"""Asks nvidia-smi, device properties, memory and events, limits its own share of the card and records its memory."""

import subprocess, time, torch, torch.nn as nn

free, total = torch.cuda.mem_get_info()
p = torch.cuda.get_device_properties(0)
print(p, p.name, p.total_memory / 2**30, p.multi_processor_count, free / 2**30)
print(torch.cuda.get_device_capability(), torch.cuda.is_bf16_supported(), torch.cuda.get_arch_list())
print(
    subprocess.run(
        ["nvidia-smi", "--query-gpu=name,memory.total,memory.used", "--format=csv,noheader,nounits"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
)
print(subprocess.check_output("nvidia-smi", shell=True, text=True))
batch = 256 if total > 20 * 2**30 else 64
torch.cuda.set_per_process_memory_fraction(0.9)
model = nn.Sequential(*[nn.Linear(2048, 2048) for _ in range(8)]).cuda()
opt = torch.optim.Adam(model.parameters())
torch.cuda.memory._record_memory_history(max_entries=100_000)
start, end = (torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True))
for i in range(20):
    start.record()
    loss = model(torch.randn(batch, 2048, device="cuda")).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    end.record()
    torch.cuda.synchronize()
    ms = start.elapsed_time(end)
    print(
        f"step {i} {loss.item():.4f} {ms:.2f} ms {batch / ms * 1000.0:.0f} samples/s",
        torch.cuda.memory_allocated() >> 20,
        torch.cuda.max_memory_allocated() >> 20,
        torch.cuda.memory_reserved() >> 20,
    )
    if i == 0:
        torch.cuda.memory._dump_snapshot("memory.pickle")
        torch.cuda.memory._record_memory_history(enabled=None)
print(torch.cuda.memory_summary())
