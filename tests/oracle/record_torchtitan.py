"""Records what torchtitan allocates and reserves on the stand-in card.

    TORCHTITAN=<checkout> record_torchtitan.py PROFILE CARDS > ../evidence/allocator/torchtitan.json

PROFILE names the software profile of the release. Each case runs in a process of its own
(torchtitan_flow.py), with and without expandable segments.
"""

import json
import os
import subprocess
import sys

import stand_in

COMPILED = dict(compile=1, compiled_loss=1)
CASES = [
    {},
    dict(batch=2),
    dict(layers=8),
    dict(recompute="full"),
    dict(recompute="none"),
    dict(recompute="full", length=1024),
    dict(shard=2, context=4, length=32768),
    dict(shard=2, context=4, length=131072, recompute="full"),
    dict(shard=64, batch=2),
    COMPILED,
    dict(COMPILED, batch=2),
    dict(COMPILED, recompute="full"),
    dict(COMPILED, recompute="none"),
    dict(compile=1),
    dict(compiled_loss=1),
]


def workload(profile, case):
    full = dict(dict(batch=1, length=8192, recompute="selective", shard=8, context=1, layers=32), **case)
    return {
        "schema": "ridgeline/workload/1", "name": "llama-3-8b",
        "model": {"model_type": "llama", "name": "llama-3-8b", "hidden_size": 4096,
                  "num_hidden_layers": full["layers"], "num_attention_heads": 32,
                  "num_key_value_heads": 8, "head_dim": 128, "intermediate_size": 14336,
                  "vocab_size": 128256, "tie_word_embeddings": False, "hidden_act": "silu",
                  "rms_norm_eps": 1e-5, "position_embedding_type": "rope"},
        "task": "train", "method": "full",
        "software": {"framework": profile, "attention": "flash", "compile": bool(case.get("compile")),
                     "loss": "compiled" if case.get("compiled_loss") else "eager"},
        "precision": {"weights": "fp32", "compute": "bf16", "gradients": "fp32"},
        "optimizer": {"name": "adamw", "state": "fp32", "implementation": "fused"},
        "batch": {"micro": full["batch"], "global": full["batch"] * full["shard"],
                  "sequence_length": full["length"]},
        "parallel": {"data": full["shard"], "tensor": 1, "pipeline": 1, "context": full["context"],
                     "sharding": "fsdp", "reshard_after_forward": True},
        "recompute": full["recompute"],
    }


def main():
    profile, cards = sys.argv[1:]
    here = os.path.dirname(os.path.abspath(__file__))
    base = dict(os.environ, **stand_in.environment(cards, capability=90, memory_mib=140000, lag=100, units=132),
                TORCHINDUCTOR_USE_STATIC_CUDA_LAUNCHER="0", TORCHINDUCTOR_COMPILE_THREADS="1")
    cases = []
    for case in CASES:
        words = [f"{key}={value}" for key, value in case.items()]
        for expandable in (True, False):
            env = dict(base, PYTORCH_CUDA_ALLOC_CONF="expandable_segments:True" if expandable else "")
            run = subprocess.run([sys.executable, f"{here}/torchtitan_flow.py", *words], env=env,
                                 capture_output=True, text=True)
            lines = [x for x in run.stdout.splitlines() if x.startswith("{")]
            if not lines:
                print(words, run.stderr[-300:], file=sys.stderr)
                continue
            found = json.loads(lines[-1])
            name = " ".join([profile, *words, *([] if expandable else ["plain"])])
            cases.append({"id": name, "workload": workload(profile, case),
                          "expandable_segments": expandable, **found})
            print(name, found["allocated"] / 2**30, found["reserved"] / 2**30, file=sys.stderr)
    lines = ",\n".join(json.dumps(case) for case in cases)
    print(f'{{"source": "pytorch/torchtitan, the checkout of {profile}", "cases": [\n{lines}\n]}}')


if __name__ == "__main__":
    main()
