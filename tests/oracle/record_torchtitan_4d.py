"""Prints tests/evidence/allocator/torchtitan-2024-4d.json: what torch holds under real compiled steps.

usage: TORCHTITAN=<checkout> record_torchtitan_4d.py CARDS [id ...]

CARDS is the folder of libridgeline-card-*.so; with ids only those cases are run again.
"""

import json
import os
import pathlib
import subprocess
import sys

import stand_in

HERE = pathlib.Path(__file__).resolve().parent
TARGET = HERE.parent / "evidence" / "allocator" / "torchtitan-2024-4d.json"
FLOAT8 = dict(compile=1, float8=1)
TWO = dict(FLOAT8, tensor=8, async_tensor=1)
FOUR = dict(FLOAT8, model="llama-3-405b", layers=126, shard=1, tensor=8, pipeline=8, context=8,
            micro_batches=8, length=262144)
CASES = {
    "8b fsdp8 selective compiled": dict(compile=1, recompute="selective"),
    "8b fsdp8 selective float8": dict(FLOAT8, recompute="selective"),
    "8b fsdp8 full float8": FLOAT8,
    "8b fsdp2 cp4 131072 float8": dict(FLOAT8, shard=2, context=4, length=131072),
    "8b cp8 262144 float8": dict(FLOAT8, shard=1, context=8, length=262144),
    "70b fsdp32 tp8 batch 16 float8": dict(
        FLOAT8, model="llama-3-70b", layers=80, shard=32, tensor=8, batch=16),
    "405b fsdp16 tp8 batch 2 float8 async": dict(
        TWO, model="llama-3-405b", layers=126, shard=16, batch=2),
    "405b fsdp8 tp8 pp8 float8 async": dict(
        TWO, model="llama-3-405b", layers=126, shard=8, pipeline=8, micro_batches=16),
    "405b tp8 pp8 cp8 262144": dict(FOUR, compile=0, float8=0),
    "405b tp8 pp8 cp8 262144 float8": FOUR,
    "405b tp8 pp8 cp8 262144 float8 async": dict(FOUR, async_tensor=1),
}
SHAPES = {"llama-3-8b": (4096, 32, 14336), "llama-3-70b": (8192, 64, 28672),
          "llama-3-405b": (16384, 128, 53248)}
BASE = dict(model="llama-3-8b", layers=32, shard=8, tensor=1, context=1, pipeline=1, batch=1,
            micro_batches=1, length=8192, recompute="full", schedule="1F1B", float8=0, compile=0)


def workload(case):
    c = dict(BASE, **case)
    hidden, heads, wide = SHAPES[c["model"]]
    return dict(
        schema="ridgeline/workload/1", name=c["model"],
        model=dict(model_type="llama", name=c["model"], hidden_size=hidden, num_attention_heads=heads,
                   num_key_value_heads=8, vocab_size=128256, intermediate_size=wide,
                   num_hidden_layers=c["layers"], head_dim=128, tie_word_embeddings=False,
                   hidden_act="silu", rms_norm_eps=1e-5, position_embedding_type="rope"),
        task="train", method="full",
        software=dict(framework="torchtitan@2024-12-26", attention="flash", compile=bool(c["compile"]),
                      loss="vocab_parallel" if c["tensor"] > 1 else "eager"),
        precision=dict(weights="fp32", compute="fp8" if c["float8"] else "bf16", gradients="fp32"),
        optimizer=dict(name="adamw", state="fp32", implementation="foreach"),
        batch={"micro": c["batch"], "global": c["batch"] * c["micro_batches"] * c["shard"],
               "sequence_length": c["length"]},
        parallel=dict(
            data=c["shard"], tensor=c["tensor"], pipeline=c["pipeline"], context=c["context"],
            virtual_pipeline=2 if c["schedule"] == "Interleaved1F1B" else 1,
            sequence_parallel=c["tensor"] > 1, sharding="fsdp",
            reshard_after_forward=c["pipeline"] == 1),
        recompute=c["recompute"])


def main():
    cards = sys.argv[1]
    before = json.loads(TARGET.read_text())["cases"] if TARGET.exists() else []
    cases = {entry["id"]: entry for entry in before}
    env = dict(os.environ, **stand_in.environment(cards, capability=90, memory_mib=200000, lag=100, units=132),
               TORCHINDUCTOR_COMPILE_THREADS="1",
               PYTORCH_CUDA_ALLOC_CONF="expandable_segments:True")
    for name in sys.argv[2:] or CASES:
        words = [f"{key}={value}" for key, value in CASES[name].items()]
        run = subprocess.run([sys.executable, str(HERE / "torchtitan_4d_flow.py"), *words], env=env,
                             capture_output=True, text=True)
        if run.returncode != 0:
            print(name, run.stderr[-500:], file=sys.stderr)
            continue
        found = json.loads(run.stdout.splitlines()[-1])
        kept = {k: v for k, v in cases.get(name, {}).items()
                if k in ("explained", "allocated_within", "reserved_within")}
        cases[name] = dict(id=name, compute_capability="9.0", expandable_segments=True,
                           workload=workload(CASES[name]),
                           allocated=found["allocated"], reserved=found["reserved"], **kept)
        print(name, found["allocated"] / 2**30, found["reserved"] / 2**30, file=sys.stderr)
        lines = ",\n".join(json.dumps(cases[key]) for key in CASES if key in cases)
        TARGET.write_text(
            '{"source": "pytorch/torchtitan 9dec370ad (2024-12-26) train.py",\n'
            ' "versions": {"torch": "2.6.0", "triton": "3.2.0", "torchao": "0.7.0"},\n'
            f' "cases": [\n{lines}\n]}}\n')


main()
