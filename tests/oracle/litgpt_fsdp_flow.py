"""Runs two steps of full fine-tuning as litgpt's script does under Fabric's FSDP, as rank 0 on the
stand-in card (auto_wrap_policy and activation checkpoints of Block, no_backward_sync).

    litgpt_fsdp_flow.py MODEL RANKS MICRO_BATCHES LENGTH

Prints a case of tests/evidence/allocator.
"""

import json
import os
import sys

os.environ.update(RANK="0", LOCAL_RANK="0", MASTER_ADDR="localhost", MASTER_PORT="29511")
model_name, ranks, micro, length = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
os.environ.update(WORLD_SIZE=str(ranks), LOCAL_WORLD_SIZE=str(ranks), GROUP_RANK="0",
                  TORCHELASTIC_RUN_ID="x", RIDGELINE_CARD_COUNT=str(ranks))
import lightning as L
import torch
import torch.distributed as dist

start = dist.init_process_group
dist.init_process_group = lambda backend=None, *a, **k: start(
    "nccl", rank=0, world_size=ranks, store=dist.HashStore())
torch.distributed.barrier = lambda *a, **k: None
from lightning.fabric.strategies import FSDPStrategy
from litgpt.model import GPT, Block, Config
from litgpt.utils import chunked_cross_entropy

found = {}


def note(name):
    found[name] = [torch.cuda.memory_allocated(), torch.cuda.memory_reserved(),
                   torch.cuda.max_memory_allocated(), torch.cuda.max_memory_reserved()]
    print(name, *(f"{x / 2**30:.3f}" for x in found[name]), file=sys.stderr)


strategy = FSDPStrategy(auto_wrap_policy={Block}, activation_checkpointing_policy={Block},
                        state_dict_type="full", limit_all_gathers=True, cpu_offload=False)
fabric = L.Fabric(devices=ranks, accelerator="cuda", strategy=strategy, precision="bf16-true")
fabric.launch()
config = Config.from_name(model_name)
with fabric.init_module(empty_init=True):
    model = GPT(config)
model = fabric.setup(model)
note("setup")
optimizer = fabric.setup_optimizers(torch.optim.AdamW(model.parameters(), lr=1e-4))
model.max_seq_length = length
for step in range(2):
    for i in range(micro):
        ids = torch.zeros(1, length, dtype=torch.long, device="cuda")
        with fabric.no_backward_sync(model, enabled=i + 1 < micro):
            logits = model(ids)
            loss = chunked_cross_entropy(logits[..., :-1, :], ids[..., 1:])
            fabric.backward(loss / micro)
        note(f"step {step} micro {i}")
    optimizer.step()
    optimizer.zero_grad()
    note(f"step {step}")
gemma = config.name.lower().startswith("gemma")
print(json.dumps({
    "id": f"{config.name} full b1 x {micro} s{length} on {ranks}",
    "workload": {
        "schema": "ridgeline/workload/1", "name": config.name,
        "model": {"model_type": "gemma" if gemma else "llama", "name": config.name,
                  "hidden_size": config.n_embd, "num_hidden_layers": config.n_layer,
                  "num_attention_heads": config.n_head, "num_key_value_heads": config.n_query_groups,
                  "head_dim": config.head_size, "intermediate_size": config.intermediate_size,
                  "vocab_size": config.padded_vocab_size, "tie_word_embeddings": False,
                  "hidden_act": "gelu_pytorch_tanh" if gemma else "silu", "rms_norm_eps": 1e-6},
        "task": "train", "method": "full",
        "software": {"framework": "litgpt", "attention": "sdpa", "compile": False, "loss": "chunked"},
        "precision": {"weights": "bf16", "compute": "bf16", "gradients": "bf16"},
        "optimizer": {"name": "adamw", "state": "bf16", "implementation": "foreach"},
        "batch": {"micro": 1, "global": ranks * micro, "sequence_length": length},
        "parallel": {"data": ranks, "tensor": 1, "pipeline": 1, "sharding": "fsdp",
                     "reshard_after_forward": True},
        "recompute": "full",
    },
    "allocated": found["step 1"][2], "reserved_by_torch": found["step 1"][3],
    "torch": torch.__version__,
}))
