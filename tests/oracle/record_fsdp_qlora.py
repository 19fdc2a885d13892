"""Records what fsdp_qlora's train.py allocates and reserves on the stand-in card.

    record_fsdp_qlora.py FOLDER_OF_TRAIN_PY CARDS [recent] > ../evidence/allocator/fsdp-qlora.json

`recent`: with the last libraries that train.py runs with (Transformers 4.47, PEFT 0.14, bitsandbytes
0.45), whose adapters are fp32.

Each case runs in a process of its own (fsdp_qlora_flow.py); its workload is written beside what was
counted, so that tests/estimate/oracle_allocator_test.cpp needs no Python.
"""

import importlib.metadata
import json
import os
import subprocess
import sys

import stand_in
from fsdp_qlora_flow import MODELS

TARGETS = ["q_proj", "k_proj", "v_proj", "gate_proj", "up_proj", "down_proj"]
CASES = [  # model, method, micro-batch, length, other options of train.py
    ("llama-2-7b", "qlora", 1, 512, {}),
    ("llama-2-7b", "qlora", 1, 2048, {}),
    ("llama-2-7b", "qlora", 4, 2048, {}),
    ("llama-2-7b", "qlora", 6, 1024, {}),
    ("llama-2-7b", "qlora", 8, 2048, {"sharding_strategy": "ddp"}),
    ("llama-2-7b", "lora", 1, 512, {}),
    ("llama-2-7b", "lora", 1, 2048, {}),
    ("llama-2-7b", "lora", 4, 2048, {}),
    ("llama-2-7b", "lora", 6, 2048, {}),
    ("llama-2-7b", "lora", 2, 1024, {"world_size": "4"}),
    ("llama-2-7b", "lora", 1, 512, {"use_gradient_checkpointing": "False"}),
    ("llama-2-7b", "qlora", 2, 512, {"use_gradient_checkpointing": "False"}),
    ("mistral-7b", "qlora", 2, 2048, {}),
    ("llama-2-13b", "qlora", 2, 1024, {}),
    ("llama-2-13b", "lora", 1, 1024, {"world_size": "4"}),
    ("yi-34b", "qlora", 2, 2048, {}),
    ("llama-2-70b", "qlora", 1, 512, {"world_size": "2"}),
    ("llama-2-7b", "full", 1, 1024, {"world_size": "4"}),
    ("llama-2-7b", "lora", 1, 512, {"use_cpu_offload": "True"}),
    ("llama-2-7b", "lora", 4, 2048, {"use_cpu_offload": "True"}),
    ("llama-2-7b", "qlora", 4, 2048, {"use_cpu_offload": "True"}),
    ("llama-2-13b", "qlora", 2, 2048, {"use_cpu_offload": "True"}),
    ("mistral-7b", "qlora", 4, 2048, {"use_cpu_offload": "True"}),
    ("yi-34b", "qlora", 2, 2048, {"use_cpu_offload": "True"}),
    ("llama-2-13b", "qlora", 4, 2048, {}),
    ("llama-2-13b", "lora", 2, 1024, {}),
    ("mistral-7b", "qlora", 1, 8192, {}),
    ("mistral-7b", "lora", 2, 2048, {"sharding_strategy": "ddp"}),
    ("llama-2-7b", "qlora", 1, 4096, {"use_gradient_checkpointing": "False"}),
    ("llama-2-70b", "qlora", 2, 2048, {"world_size": "8"}),
    ("llama-2-7b", "lora", 24, 512, {}),
]
RECENT = [
    ("llama-2-7b", "qlora", 4, 2048, {}),
    ("llama-2-7b", "lora", 1, 512, {}),
    ("llama-2-7b", "lora", 4, 2048, {}),
    ("llama-3.1-8b", "qlora", 1, 2048, {}),
    ("llama-3.1-8b", "lora", 2, 1024, {}),
    ("llama-3.1-8b", "qlora", 4, 1024, {"use_gradient_checkpointing": "False"}),
    ("llama-3.1-8b", "qlora", 2, 4096, {"use_cpu_offload": "True"}),
    ("llama-3.1-70b", "qlora", 1, 1024, {"world_size": "4"}),
]


def workload(model, method, batch, length, options, recent=False):
    ranks = int(options.get("world_size", 2))
    sharding = options.get("sharding_strategy", "fsdp")
    shape = MODELS[model]
    adapters = "fp32" if recent else "bf16"
    where = "cpu" if options.get("use_cpu_offload") == "True" else "none"
    return {
        "schema": "ridgeline/workload/1",
        "name": f"{model} {method}",
        "model": {"max_position_embeddings": 4096, **shape, "model_type": "mistral" if "mistral" in model else "llama",
                  "name": model, "head_dim": 128, "tie_word_embeddings": False, "hidden_act": "silu",
                  "rms_norm_eps": 1e-5, "position_embedding_type": "rope"},
        "task": "train", "method": method,
        "software": {"framework": "fsdp-qlora" if recent else "fsdp-qlora@2024-03", "attention": "sdpa", "compile": False, "loss": "eager"},
        "precision": {"weights": "bf16", "compute": "bf16", "gradients": "bf16",
                      "quantization": "nf4" if method == "qlora" else "none"},
        "optimizer": {"name": "adamw", "state": adapters},
        **({} if method == "full" else
           {"lora": {"rank": 64, "targets": TARGETS, "weights": adapters}}),
        "batch": {"micro": batch, "global": batch * ranks, "sequence_length": length},
        "parallel": {"data": ranks, "tensor": 1, "pipeline": 1, "sharding": sharding,
                     "reshard_after_forward": True},
        "recompute": "none" if options.get("use_gradient_checkpointing") == "False" else "full",
        "offload": {"optimizer": where, "parameters": where, "activations": "none"},
    }


def main():
    folder, cards, recent = *sys.argv[1:3], "recent" in sys.argv[3:]
    here = os.path.dirname(os.path.abspath(__file__))
    env = dict(os.environ, **stand_in.environment(cards, capability=86, lag=20 if recent else 200), OMP_NUM_THREADS="1")
    cases = []
    for model, method, batch, length, options in RECENT if recent else CASES:
        words = [f"model={model}", f"train_type={method}", f"batch_size={batch}",
                 f"context_length={length}", "use_cpu_offload=False", "steps=2",
                 *(["reentrant_checkpointing=True"] if method == "qlora" else []),
                 *(f"{k}={v}" for k, v in options.items())]
        run = subprocess.run([sys.executable, f"{here}/fsdp_qlora_flow.py", folder, *words],
                             env=env, capture_output=True, text=True)
        lines = [x for x in run.stdout.splitlines() if x.startswith("{")]
        if not lines:
            print(words, run.stderr[-500:], file=sys.stderr)
            continue
        found = json.loads(lines[-1])
        named = {row[0]: row for row in found["stats"]}
        cases.append({
            "id": " ".join([model, method, f"b{batch}", f"s{length}", *map("=".join, options.items())]),
            "workload": workload(model, method, batch, length, options, recent),
            "wrapped": {"allocated": named["wrapped"][1], "reserved": named["wrapped"][2]},
            "allocated": found["allocated"], "reserved": found["reserved"],
        })
        print(cases[-1]["id"], found["allocated"] / 2**30, found["reserved"] / 2**30, file=sys.stderr)
    print(json.dumps({"source": "AnswerDotAI/fsdp_qlora 50efa1e train.py",
                      "versions": {name: importlib.metadata.version(name) for name in
                                   ("torch", "transformers", "peft", "bitsandbytes")},
                      "cases": cases}, indent=1))


if __name__ == "__main__":
    main()
