"""DeepSpeed ZeRO-3 with bf16, clipping and a checkpoint; a step moves the weights in two groups, one after the other."""

import argparse, deepspeed, torch, torch.nn as nn

p = argparse.ArgumentParser()
p.add_argument("--local_rank", type=int, default=-1)
p.add_argument("--stage", type=int, default=3)
a = p.parse_args()
m = nn.Sequential(nn.Linear(1024, 4096), nn.ReLU(), nn.Linear(4096, 1024))
cfg = {
    "train_micro_batch_size_per_gpu": 8,
    "optimizer": {"type": "AdamW", "params": {"lr": 0.0001, "torch_adam": True}},
    "bf16": {"enabled": True},
    "zero_optimization": {"stage": a.stage, **({"sub_group_size": 2_000_000} if a.stage == 3 else {})},
    "gradient_clipping": 1.0,
}
eng, opt, _, _ = deepspeed.initialize(model=m, model_parameters=m.parameters(), config=cfg)
for i in range(4):
    x = torch.randn(8, 1024, device=eng.device, dtype=torch.bfloat16)
    loss = eng(x).float().pow(2).mean()
    eng.backward(loss)
    eng.step()
    if eng.global_rank == 0:
        print(i, loss.item())
eng.save_checkpoint("ck")
