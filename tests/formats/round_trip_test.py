#!/usr/bin/env python3
"""`emit`, then --from: the same workload and the same figures, for random workloads.

Usage: round_trip_test.py LIBRARY SOURCE_FOLDER. RIDGELINE_ROUND_TRIPS says how many workloads a format
gets (10). What a format cannot say must be an error that names it. Shell output goes through
`bash -n` and, where it is installed, shellcheck; the keys that were written must be among those that
the tool's sources take (profiles/formats).
"""
import ctypes
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys

library = ctypes.CDLL(sys.argv[1])
root = pathlib.Path(sys.argv[2])
library.ridgeline_open.restype = ctypes.c_void_p
library.ridgeline_ask.restype = ctypes.c_void_p
library.ridgeline_open.argtypes = [ctypes.c_char_p, ctypes.c_char_p, ctypes.c_size_t]
library.ridgeline_ask.argtypes = [ctypes.c_void_p, ctypes.c_char_p]
library.ridgeline_free.argtypes = [ctypes.c_void_p]
world = library.ridgeline_open(str(root).encode(), None, 0)
rounds = int(os.environ.get("RIDGELINE_ROUND_TRIPS", "10"))
failures = []
draw = random.Random(17)


def ask(command, options):
    text = library.ridgeline_ask(world, json.dumps({"command": command, "options": options}).encode())
    reply = json.loads(ctypes.string_at(text))
    library.ridgeline_free(text)
    return reply


MODELS = ["llama-3.1-8b", "llama-3.2-1b", "qwen2.5-7b", "qwen3-8b", "mistral-7b-v0.1", "llama-3.1-70b", "gemma-2-9b"]
TITAN = ["llama-3.1-8b", "llama-3.1-70b", "qwen3-8b", "qwen3-32b"]
TUNE = ["llama-3.1-8b", "llama-3.2-1b", "qwen2.5-7b", "mistral-7b-v0.1", "gemma-2-9b"]
HARDWARE = ["h100-sxm5-80gb:8", "a100-sxm4-80gb:4", "l40s:2", "h200-sxm-141gb:8x2", "rtx-4090"]


def training(models, shardings, methods=("full", "lora", "qlora"), attention=("flash", "sdpa"),
             recompute=("full", "none"), optimizers=("adamw",), parallel=False, weights=("bf16",)):
    on = draw.choice(HARDWARE)
    one = on.count(":") == 0
    options = {"model": draw.choice(models), "on": on, "sequence": draw.choice([512, 2048, 4096, 8192]),
               "micro-batch": draw.choice([1, 2, 4]), "recompute": draw.choice(recompute),
               "method": draw.choice(methods), "weights": draw.choice(weights), "compute": "bf16",
               "tensor": 1, "pipeline": 1, "context": 1}
    if not one:
        options["sharding"] = draw.choice(shardings)
    if attention:
        options["attention"] = draw.choice(attention)
    if options["method"] != "full":
        options["rank"] = draw.choice([8, 16, 64])
        options["targets"] = draw.choice(["q_proj,v_proj", "all-linear"])
    if optimizers:
        options["optimizer"] = draw.choice(optimizers)
    if parallel and not one:
        options["tensor"] = draw.choice([1, 2])
    return options


def serving(kv=("bf16", "fp8")):
    on = draw.choice(["h100-sxm5-80gb:2", "l40s:4", "h200-sxm-141gb:8", "rtx-4090"])
    count = int(on.split(":")[1]) if ":" in on else 1
    models = [model for model in MODELS if model not in ("qwen2.5-7b", "gemma-2-9b")]  # 28 heads
    options = {"model": draw.choice(models), "task": "inference", "on": on, "tensor": count,
               "pipeline": 1, "data": 1, "expert": 1,
               "input-tokens": draw.choice([512, 2048, 7000]), "output-tokens": draw.choice([128, 1000]),
               "concurrency": draw.choice([1, 8, 64]), "micro-batch": 1}
    options["micro-batch"] = options["concurrency"]
    if kv:
        options["kv-cache"] = draw.choice(kv)
    return options


FORMATS = {
    "vllm": serving,
    "sglang": serving,
    "trtllm": lambda: serving(kv=()),
    "llamacpp": lambda: {**serving(kv=()), "on": "rtx-4090", "tensor": 1,
                         "host-expert-layers": draw.choice([0, 24]), "quantization": draw.choice(["q4_k_m", "q8_0", "q6_k"])},
    "axolotl": lambda: training(MODELS, ["fsdp", "ddp", "zero3", "zero2"], attention=("flash", "sdpa", "eager")),
    "llamafactory": lambda: training(MODELS, ["ddp", "zero3", "zero2"]),
    "torchtune": lambda: training(TUNE, ["fsdp"], attention=()),
    "accelerate": lambda: training(MODELS, ["fsdp", "ddp"]),
    "deepspeed": lambda: training(MODELS, ["zero1", "zero2", "zero3"]),
    "torchrun": lambda: training(MODELS, ["ddp"]),
    "megatron": lambda: training(["llama-3.1-8b", "llama-3.1-70b"], ["zero1"], methods=("full",), attention=(),
                                 parallel=True),
    "torchtitan": lambda: training(TITAN, ["fsdp"], methods=("full",), attention=(), weights=("fp32",),
                                   recompute=("full", "none", "selective"), parallel=True),
}
# Tuning by preferences, and servers of llama.cpp on cards that share one model.
PREFERENCES = {"axolotl": ["dpo", "kto", "orpo", "simpo"], "llamafactory": ["dpo", "kto", "orpo", "simpo"],
               "accelerate": ["dpo", "kto"], "torchrun": ["dpo", "kto"], "deepspeed": ["dpo", "kto"]}
PAIRS_OF_AXOLOTL = {"dpo": "chat_template.default", "simpo": "chat_template.default", "orpo": "chat_template.argilla",
                    "kto": "chatml.argilla"}
JOBS = [("vllm", "kubernetes"), ("vllm", "compose"), ("sglang", "slurm"), ("axolotl", "slurm"),
        ("accelerate", "skypilot"), ("deepspeed", "kubernetes"), ("slurm", None), ("skypilot", None),
        ("kubernetes", None)]


def written_keys(text, table):
    """Keys of a configuration as the tool would see them."""
    if table["writes"] == "flags":
        return set(re.findall(r"^\s+--?([A-Za-z][\w.-]*)", text, re.M))
    if table["writes"] == "python":
        return set(re.findall(r"config\.([\w.]+) = ", text))
    return set(re.findall(r"^([A-Za-z_]\w*):", text, re.M))


def check_keys(name, text, table):
    plain = lambda key: key.replace("-", "_").lstrip("_")
    allowed = {plain(key) for key in table["keys"]} | {plain(key.split(".")[0]) for key in table["keys"]}
    launcher = {"nnodes", "nproc_per_node", "rdzv_backend", "rdzv_endpoint", "config_file", "deepspeed"}
    for key in written_keys(text, table):
        if plain(key) not in allowed and plain(key).split(".")[0] not in allowed and plain(key) not in launcher:
            failures.append(f"{name}: writes {key}, which is no key of its tool")


def check_shell(name, text):
    if not text.startswith("#!"):
        return
    for command in (["bash", "-n"], ["shellcheck", "-s", "bash", "-"]):
        if shutil.which(command[0]):
            result = subprocess.run(command, input=text, capture_output=True, text=True)
            if result.returncode != 0:
                failures.append(f"{name}: {command[0]}: {result.stdout[:600]}{result.stderr[:600]}")


shown = set()


def round_trip(name, options, table_name):
    emitted = ask("emit", options)
    if emitted["exit_code"] not in (0, 3):
        return emitted["body"]["error"]["message"]
    text = emitted["body"]
    back = ask("estimate", {"from": [text], "on": options["on"], "json": True})
    if back["exit_code"] not in (0, 3):
        failures.append(f"{name}: does not read its own text: {back['body']}")
        return None
    again = ask("emit", {"from": [text], "on": options["on"], "to": options["to"],
                         **({"in": options["in"]} if "in" in options else {})})
    workload = back["body"]["workload"]
    # The share of the card that the text states was chosen by emit: it belongs to the question then.
    share = re.search(r"--memory-fraction ([0-9.]+)", json.dumps(back["body"]["imports"]))
    wanted = ask("estimate", {**{k: v for k, v in options.items() if k not in ("to", "in")},
                              **({"memory-fraction": share[1]} if share else {}),
                              "framework": workload["software"]["framework"], "json": True})
    for part in ("workload", "memory", "time"):
        if wanted["body"].get(part) != back["body"].get(part):
            failures.append(f"{name}: {part} changed for {options}")
            break
    if again["exit_code"] not in (0, 3):
        failures.append(f"{name}: the text that was read is not emitted again: {again['body']}")
    else:
        settings = lambda t: [line for line in t.splitlines() if not line.lstrip().startswith("#")]
        if settings(again["body"]) != settings(text):
            failures.append(f"{name}: the second text differs from the first for {options}")
    table = json.loads((root / f"profiles/formats/{table_name}.json").read_text())
    if "in" not in options and options["to"] not in ("slurm", "skypilot", "kubernetes", "compose"):
        check_keys(name, text, table)
    if name not in shown:
        shown.add(name)
        check_shell(name, text)
    return None


total = 0
refused = {}
for to, make in FORMATS.items():
    table = {"accelerate": "trl", "deepspeed": "trl", "torchrun": "trl"}.get(to, to)
    for _ in range(rounds):
        total += 1
        said = round_trip(to, {**make(), "to": to}, table)
        if said:
            refused.setdefault(to, []).append(said)
for to, algorithms in PREFERENCES.items():
    for algorithm in algorithms:
        total += 1
        options = {**FORMATS[to](), "to": to, "algorithm": algorithm}
        said = round_trip(f"{to} {algorithm}", options, {"accelerate": "trl", "deepspeed": "trl", "torchrun": "trl"}.get(to, to))
        if said:
            failures.append(f"{to} has no word for {algorithm}: {said[:300]}")
        elif to == "axolotl" and f"type: {PAIRS_OF_AXOLOTL[algorithm]}" not in ask("emit", options)["body"]:
            failures.append(f"axolotl reads {algorithm} as {PAIRS_OF_AXOLOTL[algorithm]}")
for to, requests, cards in [("llamacpp", 1, 2), ("llamacpp", 4, 2), ("llamacpp", 16, 4)]:
    total += 1
    emitted = ask("emit", {"model": "llama-3.1-8b", "to": to, "on": f"rtx-4090:{cards}", "concurrency": requests, "quantization": "q4_k_m"})
    read = ask("estimate", {"from": [emitted["body"]], "on": f"rtx-4090:{cards}", "json": True})["body"]
    if emitted["exit_code"] or read["workload"]["parallel"]["pipeline"] != cards or read["workload"]["serving"]["concurrency"] != requests:
        failures.append(f"{to} of {requests} on {cards} cards: {emitted['body']}")
for to, job in JOBS:
    options = (serving if to in ("vllm", "sglang") else FORMATS.get(to, FORMATS["accelerate"]))()
    if job == "compose":
        options["on"], options["tensor"] = "l40s:4", 4
    total += 1
    said = round_trip(f"{to} in {job}", {**options, "to": to, **({"in": job} if job else {})}, "vllm")
    if said:
        refused.setdefault(f"{to} in {job}", []).append(said)
for name, said in refused.items():
    share = len(said) / (rounds if name in FORMATS else 1)
    print(f"{name}: {len(said)} refused, such as: {said[0][:300]}")
    if share > 0.3:
        failures.append(f"{name}: refuses {share:.0%} of what it should be able to say: {said[0][:300]}")

# What a format has no word for is an error that names it.
for options, word in (({"model": "llama-3.1-8b", "on": "h100-sxm5-80gb:8", "to": "torchtune", "pipeline": 2}, "pipeline"),
                      ({"model": "llama-3.1-8b", "on": "l40s", "to": "vllm", "method": "lora", "task": "train"}, "serve")):
    reply = ask("emit", options)
    message = json.dumps(reply["body"])
    if reply["exit_code"] not in (2, 4) or word not in message:
        failures.append(f"{options}: expected an error that names {word}, found {message[:300]}")

print("\n".join(sorted(set(failures))[:40]) or f"{total} round trips")
sys.exit(1 if failures else 0)
