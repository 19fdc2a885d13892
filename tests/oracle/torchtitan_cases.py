"""Writes tests/evidence/oracle/torchtitan.json: what steps of torchtitan hold, case by case.

usage: torchtitan_cases.py OUTPUT_FOLDER PROFILE [model/case]
PROFILE names the software profile of the release in TORCHTITAN. Run it with the stand-in runtime
preloaded (README.md).
"""

import json
import logging
import pathlib
import subprocess
import sys
import warnings

import allocator_replay
import torch
import torchtitan_steps
from torch.optim import adam

MODELS = {
    "llama-3-8b": dict(hidden_size=4096, num_attention_heads=32, num_key_value_heads=8,
                       vocab_size=128256, intermediate_size=14336),
    "llama-3-70b": dict(hidden_size=8192, num_attention_heads=64, num_key_value_heads=8,
                        vocab_size=128256, intermediate_size=28672),
    "llama-3-405b": dict(hidden_size=16384, num_attention_heads=128, num_key_value_heads=8,
                         vocab_size=128256, intermediate_size=53248),
}
FULL, NONE = dict(recompute="full"), dict(recompute="none")
PIPELINE = dict(FULL, shard=2, tensor=2, pipeline=4, micro_batches=8)
WIDE = dict(FULL, shard=1, tensor=8, pipeline=8, context=8, micro_batches=8, length=65536)
CASES = [
    ("llama-3-8b", "fsdp8-selective", 4, {}),
    ("llama-3-8b", "fsdp8-full", 4, FULL),
    ("llama-3-8b", "fsdp8-full-short", 16, dict(FULL, length=1024)),
    ("llama-3-8b", "fsdp8-none", 4, NONE),
    ("llama-3-8b", "fsdp8-batch2", 4, dict(batch=2)),
    ("llama-3-8b", "hsdp2x4-full", 4, dict(FULL, replicate=2, shard=4)),
    ("llama-3-8b", "fsdp4-tp2-selective", 4, dict(shard=4, tensor=2)),
    ("llama-3-8b", "fsdp4-tp2-full", 4, dict(FULL, shard=4, tensor=2)),
    ("llama-3-8b", "fsdp4-tp2-none", 4, dict(NONE, shard=4, tensor=2)),
    ("llama-3-8b", "fsdp2-cp4-full", 4, dict(FULL, shard=2, context=4, length=131072)),
    ("llama-3-8b", "fsdp2-cp4-selective", 4, dict(shard=2, context=4, length=32768)),
    ("llama-3-70b", "fsdp4-tp8-full", 4, dict(FULL, shard=4, tensor=8, batch=4)),
    ("llama-3-8b", "pp4-first", 14, dict(PIPELINE, rank=0)),
    ("llama-3-8b", "pp4-second", 14, dict(PIPELINE, rank=1)),
    ("llama-3-8b", "pp4-last", 14, dict(PIPELINE, rank=3)),
    ("llama-3-8b", "pp4-few-first", 14, dict(PIPELINE, rank=0, micro_batches=4)),
    ("llama-3-8b", "pp4-wide-second", 14, dict(PIPELINE, tensor=1, rank=1)),
    ("llama-3-8b", "pp2-interleaved-first", 14,
     dict(FULL, rank=0, shard=4, pipeline=2, schedule="Interleaved1F1B", micro_batches=8)),
    ("llama-3-405b", "4d-first", 30, dict(WIDE, rank=0)),
    ("llama-3-405b", "4d-second", 30, dict(WIDE, rank=1)),
    ("llama-3-405b", "4d-last", 30, dict(WIDE, rank=7)),
]


def figures(layers, watch, parts, shorter=None):
    marks = {}
    for _, name, now, peak, _ in watch.marks:
        marks[name] = (now, peak)  # of the last step
    backward = marks.get("backward", marks.get("schedule"))[1]
    forward = max(marks["forward"][1], marks["loss"][1]) if "forward" in marks else backward
    last = max(marks["norm"][1], marks["optimizer"][1])
    found = dict(layers=layers, resident=marks["optimizer"][0], peak_forward=forward,
                 peak_backward=backward, peak_optimizer=last,
                 peak_total=max(forward, backward, last))
    if shorter is not None:
        less = {m[1]: m[2] for m in shorter.marks}
        kept = marks["forward"][0] - less["forward"] - (marks["start"][0] - less["start"])
        found["kept_bytes_per_layer"] = round(kept / 2)
    # Of one part the real allocator tells it (torchtitan_flow.py).
    for name, expandable in (("reserved", True), ("reserved_plain", False)) if parts > 1 else ():
        found[name] = allocator_replay.Allocator(expandable).run(watch.events).most_held
    return found


def workload(profile, model, layers, case):
    c = dict(torchtitan_steps.BASE, **case)
    data = c["replicate"] * c["shard"]
    entry = dict(MODELS[model], model_type="llama", name=model, num_hidden_layers=layers,
                 head_dim=128, tie_word_embeddings=False, hidden_act="silu", rms_norm_eps=1e-5,
                 position_embedding_type="rope")
    return dict(
        schema="ridgeline/workload/1", name=model, model=entry, task="train", method="full",
        software=dict(framework=profile, attention="flash", compile=c["compile"],
                      loss="vocab_parallel" if c["tensor"] > 1 else "eager"),
        precision=dict(weights="fp32", compute="bf16", gradients="fp32"),
        optimizer=dict(name="adamw", state="fp32", implementation="fused"),
        batch={"micro": c["batch"], "global": c["batch"] * c["micro_batches"] * data,
               "sequence_length": c["length"]},
        parallel=dict(
            data=data, tensor=c["tensor"], pipeline=c["pipeline"],
            virtual_pipeline=2 if c["schedule"] == "Interleaved1F1B" else 1,
            context=c["context"], sequence_parallel=c["tensor"] > 1,
            sharding="hsdp" if c["replicate"] > 1 else "fsdp",
            shard_group=c["shard"] * c["context"] if c["replicate"] > 1 else None,
            reshard_after_forward=c["pipeline"] == 1 and c["reshard"] != "never"),
        recompute=c["recompute"])


def main():
    folder, profile = pathlib.Path(sys.argv[1]), sys.argv[2]
    if len(sys.argv) == 3:
        for model, name, _, _ in CASES:  # each world in a process of its own
            subprocess.run([sys.executable, __file__, *sys.argv[1:], f"{model}/{name}"], check=False)
        return
    wanted = sys.argv[3]
    warnings.filterwarnings("ignore")
    logging.disable(logging.WARNING)
    torch.backends.cuda.enable_cudnn_sdp(False)
    adam._get_value = lambda x: 1.0  # the step counter, which AdamW reads on the host
    torchtitan_steps.prepare()
    target = folder / "torchtitan.json"
    rows = {r["id"]: r for r in json.loads(target.read_text())["cases"]} if target.exists() else {}
    for model, name, layers, case in CASES:
        if f"{model}/{name}" != wanted:
            continue
        shorter = None
        if case.get("pipeline", 1) == 1:
            shorter = torchtitan_steps.trace(MODELS[model], layers - 2, case)
        watch = torchtitan_steps.trace(MODELS[model], layers, case)
        row = dict(id=f"{profile}/{model}/{name}", versions={"torch": torch.__version__}, software={},
                   workload=workload(profile, model, layers, case),
                   **({"stage": case["rank"]} if "rank" in case else {}),
                   **figures(layers, watch, case.get("tensor", 1) * case.get("pipeline", 1),
                             shorter))
        row.update({k: v for k, v in rows.get(row["id"], {}).items()
                    if k in ("explained", "kept_within", "peak_within",
                             "reserved_within")})
        rows[row["id"]] = row
        print(row["id"], row["peak_total"] >> 20, flush=True)
        lines = ",\n".join(json.dumps(rows[i]) for i in sorted(rows))
        target.write_text(f'{{"schema": "ridgeline/oracle/1", "cases": [\n{lines}\n]}}\n')


main()
