"""FSDP under accelerate with accumulation, gather and a saved state."""

import torch, torch.nn as nn
from accelerate import Accelerator, FullyShardedDataParallelPlugin
from transformers import LlamaConfig, LlamaForCausalLM, get_cosine_schedule_with_warmup

acc = Accelerator(
    mixed_precision="bf16",
    gradient_accumulation_steps=2,
    fsdp_plugin=FullyShardedDataParallelPlugin(
        auto_wrap_policy="transformer_based_wrap", transformer_cls_names_to_wrap=["LlamaDecoderLayer"]
    ),
)
m = LlamaForCausalLM(
    LlamaConfig(hidden_size=512, intermediate_size=1024, num_hidden_layers=4, num_attention_heads=8, vocab_size=4000)
)
opt = torch.optim.AdamW(m.parameters())
ds = [{"input_ids": torch.randint(0, 4000, (256,)), "labels": torch.randint(0, 4000, (256,))} for _ in range(64)]
m, opt, dl, sch = acc.prepare(m, opt, torch.utils.data.DataLoader(ds, 4), get_cosine_schedule_with_warmup(opt, 1, 100))
for b in dl:
    with acc.accumulate(m):
        loss = m(**b).loss
        acc.backward(loss)
        if acc.sync_gradients:
            acc.clip_grad_norm_(m.parameters(), 1.0)
        opt.step()
        sch.step()
        opt.zero_grad()
    acc.print(acc.gather(loss).mean().item())
acc.save_state("st")
