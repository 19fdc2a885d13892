"""Inference alone: a model that generates with a cache and stops at its end token."""
import torch
from transformers import LlamaConfig, LlamaForCausalLM

model = LlamaForCausalLM(LlamaConfig(hidden_size=1024, intermediate_size=2816, num_hidden_layers=8, num_attention_heads=16,
                                     vocab_size=32000)).half().cuda().eval()
ids = torch.randint(5, 32000, (8, 256), device="cuda")
with torch.inference_mode():
    out = model.generate(ids, attention_mask=torch.ones_like(ids), max_new_tokens=40, do_sample=True, top_k=50, pad_token_id=0)
print(out.shape, torch.cuda.max_memory_allocated())
