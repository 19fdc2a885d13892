"""accelerate's loop with accumulation and a saved state."""
import torch
import torch.nn as nn
from accelerate import Accelerator
from torch.utils.data import DataLoader, TensorDataset

accelerator = Accelerator(mixed_precision="bf16", gradient_accumulation_steps=2)
model = nn.Sequential(nn.Embedding(30000, 512), nn.TransformerEncoderLayer(512, 8, batch_first=True), nn.Linear(512, 30000))
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
data = DataLoader(TensorDataset(torch.randint(0, 30000, (256, 128))), batch_size=16, shuffle=True)
model, optimizer, data = accelerator.prepare(model, optimizer, data)
for epoch in range(2):
    for (ids,) in data:
        with accelerator.accumulate(model):
            loss = nn.functional.cross_entropy(model(ids).flatten(0, 1), ids.flatten())
            accelerator.backward(loss)
            if accelerator.sync_gradients:
                accelerator.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            optimizer.zero_grad()
        accelerator.print(accelerator.gather(loss.detach()).mean().item())
    accelerator.save_state("out-accelerate")
