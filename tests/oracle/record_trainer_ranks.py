"""Records what data-parallel runs of Transformers hold on the stand-in card (huggingface_flow.py).

    record_trainer_ranks.py CARDS ddp > ../evidence/allocator/hf-ddp.json
    record_trainer_ranks.py CARDS fsdp1 > ../evidence/allocator/hf-fsdp1.json   (fsdp2 likewise: hf-fsdp2.json)
"""

import importlib.metadata
import json
import os
import pathlib
import subprocess
import sys

import stand_in

LOOP = "loop=loop precision=no"
DDP = [
    "model=llama-3.2-1b method=full batch=1 length=1024 ranks=4 " + LOOP,
    "model=llama-3.2-1b method=full batch=4 length=1024 ranks=2 optimizer=adamw_torch",
    "model=llama-3.2-1b method=full batch=2 length=2048 ranks=8 checkpointing=yes",
    "model=llama-3.2-1b method=full batch=2 length=1024 ranks=4 accumulation=4",
    "model=llama-3.2-1b method=full dtype=float32 batch=1 length=512 ranks=2 optimizer=adamw_torch precision=no loop=loop",
    "model=qwen2-1.5b method=full batch=2 length=1024 ranks=4 checkpointing=yes accumulation=2",
    "model=smollm2-1.7b method=full batch=1 length=2048 ranks=2 " + LOOP,
    "model=gemma-2b method=full batch=1 length=1024 ranks=4 checkpointing=yes",
    "model=llama-3.2-3b method=full batch=1 length=1024 ranks=2 checkpointing=yes",
    "model=llama-3.1-8b method=lora batch=1 length=1024 ranks=4",
    "model=llama-3.1-8b method=lora batch=2 length=2048 ranks=8 checkpointing=yes",
    "model=llama-3.1-8b method=qlora batch=4 length=512 ranks=4",
    "model=mistral-7b-v0.3 method=lora batch=1 length=2048 ranks=2 targets=qv " + LOOP,
    "model=qwen2.5-7b method=qlora batch=2 length=1024 ranks=4 checkpointing=reentrant targets=attention " + LOOP,
    "model=phi-3-mini method=lora batch=4 length=1024 ranks=2 rank=64 checkpointing=yes",
]
# The Trainer keeps the shards of what trains in fp32 (accelerate): so do the workloads say.
FSDP = [
    "model=llama-3.2-1b method=full batch=1 length=1024 ranks=4 checkpointing=yes",
    "model=llama-3.2-1b method=full batch=2 length=2048 ranks=2",
    "model=llama-3.2-1b method=full batch=1 length=1024 ranks=8 checkpointing=yes accumulation=2",
    "model=qwen2-1.5b method=full batch=4 length=1024 ranks=4 checkpointing=yes",
    "model=smollm2-1.7b method=full batch=1 length=2048 ranks=4 checkpointing=yes accumulation=4",
    "model=llama-3.2-3b method=full batch=2 length=1024 ranks=8 checkpointing=yes",
    "model=llama-3.1-8b layers=8 method=full batch=1 length=2048 ranks=4 checkpointing=yes optimizer=adamw_torch",
    "model=mistral-7b-v0.3 layers=8 method=full batch=1 length=4096 ranks=8 checkpointing=yes",
    "model=llama-3.1-8b layers=8 method=lora batch=2 length=2048 ranks=4 checkpointing=yes",
    "model=qwen2.5-7b layers=8 method=lora batch=1 length=1024 ranks=2",
    # The last three were recorded when the script had been written and not looked into before.
    "model=gemma-2b method=full batch=1 length=2048 ranks=4 checkpointing=yes",
    "model=qwen2.5-7b layers=6 method=full batch=2 length=2048 ranks=8 checkpointing=yes",
    "model=llama-3.2-3b layers=14 method=full batch=2 length=1024 ranks=2",
]

# Checkpoints as Transformers makes them unasked. The last seven were not looked into while the script was written.
FSDP2 = [
    "model=llama-3.2-1b method=full batch=1 length=1024 ranks=4 checkpointing=default",
    "model=llama-3.2-1b method=full batch=2 length=2048 ranks=2",
    "model=llama-3.2-1b method=full batch=1 length=1024 ranks=8 checkpointing=default accumulation=2",
    "model=qwen2-1.5b method=full batch=4 length=1024 ranks=4 checkpointing=default",
    "model=llama-3.1-8b layers=8 method=full batch=1 length=2048 ranks=4 checkpointing=default optimizer=adamw_torch",
    "model=llama-3.1-8b layers=8 method=lora batch=2 length=2048 ranks=4 checkpointing=default",
    "model=qwen2.5-7b layers=8 method=lora batch=1 length=1024 ranks=2",
    "model=smollm2-1.7b method=full batch=1 length=2048 ranks=4 checkpointing=default accumulation=4",
    "model=llama-3.2-3b method=full batch=2 length=1024 ranks=8 checkpointing=default",
    "model=gemma-2b method=full batch=1 length=2048 ranks=4 checkpointing=default",
    "model=qwen2.5-7b layers=6 method=full batch=2 length=2048 ranks=8 checkpointing=default",
    "model=llama-3.2-3b layers=14 method=full batch=2 length=1024 ranks=2",
    "model=mistral-7b-v0.3 layers=8 method=lora batch=1 length=4096 ranks=8 checkpointing=default targets=qv",
    "model=qwen3-4b layers=12 method=lora batch=2 length=1024 ranks=4 checkpointing=default accumulation=2",
]


def main():
    here = pathlib.Path(__file__).resolve().parent
    kind = sys.argv[2]
    cases = []
    for words in dict(ddp=DDP, fsdp1=FSDP, fsdp2=FSDP2)[kind]:
        ranks = next(int(word[6:]) for word in words.split() if word.startswith("ranks="))
        env = dict(os.environ, **stand_in.environment(sys.argv[1], capability=90, memory_mib=81000, lag=200, count=ranks))
        run = subprocess.run([sys.executable, here / "huggingface_flow.py", *words.split(), f"sharding={kind}"],
                             env=env, capture_output=True, text=True)
        lines = [line for line in run.stdout.splitlines() if line.startswith("{\"id\"")]
        if not lines:
            print(words, run.stderr[-500:], file=sys.stderr)
            continue
        found = json.loads(lines[-1])
        cases.append({"id": words.replace("=", " ").removeprefix("model "), "compute_capability": "9.0",
                      "workload": found["workload"], "allocated": found["allocated"], "reserved": found["reserved"]})
        print(words, found["allocated"] >> 20, found["reserved"] >> 20, file=sys.stderr)
    print(json.dumps({"source": f"Transformers' Trainer and plain loops under {kind}",
                      "versions": {name: importlib.metadata.version(name) for name in
                                   ("torch", "transformers", "peft", "accelerate", "bitsandbytes")},
                      "cases": cases}, indent=1))


if __name__ == "__main__":
    main()
