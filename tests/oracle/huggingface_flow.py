"""Runs two steps of Transformers with PEFT on one stand-in card, as the Trainer does under bf16 weights.

    huggingface_flow.py METHOD MICRO_BATCH LENGTH CHECKPOINTING(yes|no)     Llama-2-7B, LoRA of rank 16 on q and v, or full

Prints a case of tests/evidence/allocator.
"""
import json
import sys

import torch
import transformers

method, batch, length, again = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4] == "yes"
layers = 32 if method == "lora" else 16
shape = dict(hidden_size=4096, intermediate_size=11008, num_hidden_layers=layers, num_attention_heads=32,
             num_key_value_heads=32, vocab_size=32000)
for name in ("normal_", "uniform_", "kaiming_uniform_", "zeros_", "ones_"):
    setattr(torch.nn.init, name, lambda tensor, *_, **__: tensor)
transformers.modeling_utils.PreTrainedModel._init_weights = lambda *_: None
torch.backends.cuda.enable_cudnn_sdp(False)
config = transformers.LlamaConfig(**shape, use_cache=False)
config._attn_implementation = "sdpa"
torch.set_default_dtype(torch.bfloat16)
with torch.device("cuda"):
    model = transformers.LlamaForCausalLM(config)
torch.set_default_dtype(torch.float32)
if method == "lora":
    from peft import LoraConfig, get_peft_model
    model = get_peft_model(model, LoraConfig(r=16, target_modules=["q_proj", "v_proj"], task_type="CAUSAL_LM"))
if again:
    model.gradient_checkpointing_enable(gradient_checkpointing_kwargs={"use_reentrant": False})
    model.enable_input_require_grads()
model.train()
trained = [p for p in model.parameters() if p.requires_grad]
optimizer = torch.optim.AdamW(trained, lr=1e-4)
ids = torch.zeros(batch, length, dtype=torch.long, device="cuda")
for step in range(2):
    with torch.autocast("cuda", dtype=torch.bfloat16):
        loss = model(input_ids=ids, labels=ids).loss
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
print(json.dumps({
    "id": f"Llama-2-7B {method} b{batch} s{length}" + ("" if again else " nothing recomputed"),
    "workload": {
        "schema": "ridgeline/workload/1", "name": "Llama-2-7B",
        "model": dict(shape, model_type="llama", name="Llama-2-7B", head_dim=128, tie_word_embeddings=False,
                      hidden_act="silu", rms_norm_eps=1e-6),
        "task": "train", "method": method,
        "software": {"framework": "hf-trainer", "attention": "sdpa", "compile": False, "loss": "eager"},
        "precision": {"weights": "bf16", "compute": "bf16", "gradients": "bf16"},
        "optimizer": {"name": "adamw", "state": "fp32" if method == "lora" else "bf16"},
        **({"lora": {"rank": 16, "targets": ["q_proj", "v_proj"], "weights": "fp32"}} if method == "lora" else {}),
        "batch": {"micro": batch, "global": batch, "sequence_length": length},
        "parallel": {"data": 1, "tensor": 1, "pipeline": 1, "sharding": "none"},
        "recompute": "full" if again else "none",
    },
    "allocated": torch.cuda.max_memory_allocated(), "reserved": torch.cuda.max_memory_reserved(),
}))
