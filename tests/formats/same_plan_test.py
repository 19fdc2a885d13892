#!/usr/bin/env python3
"""`emit` writes the plan that `estimate` shows under the same stack, or says which it cannot write.

Usage: same_plan_test.py LIBRARY SOURCE_FOLDER. Exit codes: 0 all right, 1 wrong.
"""
import ctypes
import json
import sys

library = ctypes.CDLL(sys.argv[1])
library.ridgeline_open.restype = ctypes.c_void_p
library.ridgeline_ask.restype = ctypes.c_void_p
library.ridgeline_open.argtypes = [ctypes.c_char_p, ctypes.c_char_p, ctypes.c_size_t]
library.ridgeline_ask.argtypes = [ctypes.c_void_p, ctypes.c_char_p]
library.ridgeline_free.argtypes = [ctypes.c_void_p]
world = library.ridgeline_open(sys.argv[2].encode(), None, 0)
failures = []


def ask(command, **options):
    text = library.ridgeline_ask(world, json.dumps({"command": command, "options": {**options, "json": True}}).encode())
    reply = json.loads(ctypes.string_at(text))
    library.ridgeline_free(text)
    return reply


SERVERS = ["vllm", "sglang", "trtllm"]
MODELS = {"llama-3.1-8b": "l40s:2", "qwen2.5-7b": "h100-sxm5-80gb:8", "llama-3.1-70b": "h100-sxm5-80gb:8"}
CASES = [(to, model, on, {"task": "inference"}) for to in SERVERS for model, on in MODELS.items()]
CASES += [("llamacpp", "llama-3.1-70b", "rtx-3090:2", {"task": "inference", "quantization": "q4_k_m"}),
          ("llamacpp", "llama-3.1-8b", "rtx-3090", {"task": "inference", "quantization": "q4_k_m"})]
CASES += [(to, "llama-3.1-8b", on, {"task": "train", "method": method})
          for to, method in (("axolotl", "lora"), ("axolotl", "full"), ("torchtune", "lora"), ("torchtune", "qlora"),
                             ("torchtitan", "full"), ("megatron", "full"), ("deepspeed", "full"), ("torchrun", "lora"))
          for on in ("h100-sxm5-80gb:8", "a100-sxm4-80gb:8")]
told = 0
for to, model, on, options in CASES:
    name = f"{to} {model} on {on} {options}"
    emitted = ask("emit", to=to, model=model, on=on, **options)
    if emitted["exit_code"] not in (0, 3):
        failures.append(f"{name}: {emitted['body']}")
        continue
    back = ask("estimate", **{"from": [emitted["body"]["text"]], "on": on})["body"]
    framework = back["workload"]["software"]["framework"]
    wanted = ask("estimate", model=model, on=on, framework=framework, **options)["body"]
    if "cannot say" in emitted.get("messages", ""):
        told += 1
        continue
    for part in ("parallel", "batch", "recompute", "precision"):
        if back["workload"][part] != wanted["workload"][part]:
            failures.append(f"{name}: {part} {back['workload'][part]}, estimate {wanted['workload'][part]}")
    workload = wanted["workload"]
    if "serving" in workload and workload["batch"]["global"] != workload["batch"]["micro"] * workload["parallel"]["data"]:
        failures.append(f"{name}: a batch of {workload['batch']} on {workload['parallel']['data']} copies")
if told > len(CASES) / 3:
    failures.append(f"{told} of {len(CASES)} plans cannot be written")
for failure in failures:
    print(failure)
print(f"{len(CASES)} plans, {told} told as ones that the format cannot say, {len(failures)} failures")
sys.exit(bool(failures))
