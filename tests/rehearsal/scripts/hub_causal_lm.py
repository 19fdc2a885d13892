"""A model by its name of the hub; neither network nor weights are there."""

import torch
from transformers import AutoModelForCausalLM

model = AutoModelForCausalLM.from_pretrained("Qwen/Qwen2.5-0.5B", torch_dtype=torch.bfloat16).to("cuda")
model.gradient_checkpointing_enable()
model.config.use_cache = False
opt = torch.optim.AdamW(model.parameters(), lr=1e-05)
for i in range(5):
    ids = torch.randint(0, 150000, (4, 1024), device="cuda")
    loss = model(input_ids=ids, labels=ids).loss
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    opt.step()
    opt.zero_grad()
    print(loss.item())
model.save_pretrained("out-model")
