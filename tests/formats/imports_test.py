#!/usr/bin/env python3
"""What --from reads of other tools' files, and what it says of what it does not read.

Usage: imports_test.py LIBRARY SOURCE_FOLDER. The expected values are the file's own words.
"""
import ctypes
import json
import pathlib
import sys

library = ctypes.CDLL(sys.argv[1])
root = pathlib.Path(sys.argv[2])
configs = root / "tests/formats/configs"
library.ridgeline_open.restype = ctypes.c_void_p
library.ridgeline_ask.restype = ctypes.c_void_p
library.ridgeline_open.argtypes = [ctypes.c_char_p, ctypes.c_char_p, ctypes.c_size_t]
library.ridgeline_ask.argtypes = [ctypes.c_void_p, ctypes.c_char_p]
library.ridgeline_free.argtypes = [ctypes.c_void_p]
world = library.ridgeline_open(str(root).encode(), None, 0)
failures = []


def ask(command, **options):
    options = {k.replace("_", "-"): v for k, v in options.items()}
    request = json.dumps({"command": command, "options": options})
    text = library.ridgeline_ask(world, request.encode())
    reply = json.loads(ctypes.string_at(text))
    library.ridgeline_free(text)
    return reply


def read(*names, **options):
    texts = [(configs / name).read_text() for name in names]
    return ask("estimate", **{"from": texts, "json": True, **options})


def expect(what, found, wanted):
    if found != wanted:
        failures.append(f"{what}: found {found!r}, expected {wanted!r}")


def value(body, path):
    for key in path.split("."):
        body = body.get(key) if isinstance(body, dict) else None
    return body


# file(s), options, and what the answer must say: path of the workload or hardware -> value
CASES = [
    (["axolotl_qlora.yaml"], {"on": "l40s:2"},
     {"workload.model": "llama-3.1-8b", "workload.method": "qlora", "workload.precision.quantization": "nf4",
      "workload.lora.rank": 32, "workload.batch.micro": 2, "workload.batch.global": 16,
      "workload.batch.sequence_length": 4096, "workload.optimizer.state": "int8",
      "workload.optimizer.implementation": "paged", "workload.recompute": "full",
      "workload.software.attention": "flash", "workload.software.framework": "axolotl",
      "workload.parallel.sharding": "ddp"}),
    (["llamafactory_lora.yaml"], {"on": "l40s:4"},
     {"workload.model": "qwen2.5-7b", "workload.method": "lora", "workload.lora.rank": 16,
      "workload.batch.global": 32, "workload.parallel.sharding": "zero3", "workload.recompute": "full",
      "workload.software.attention": "flash"}),
    (["torchtune_lora.yaml"], {"on": "l40s:2"},
     {"workload.model": "llama-3.1-8b", "workload.method": "lora", "workload.lora.rank": 8,
      "workload.lora.targets": ["q_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"],
      "workload.software.framework": "torchtune", "workload.software.loss": "fused_linear",
      "workload.batch.global": 32, "workload.recompute": "full"}),
    (["training_args.json"], {"on": "rtx-4090"},
     {"workload.model": "llama-3.2-1b", "workload.batch.micro": 4, "workload.batch.global": 8,
      "workload.batch.sequence_length": 2048, "workload.recompute": "none", "workload.precision.compute": "bf16"}),
    (["training_args.json", "accelerate_fsdp.yaml"], {"on": "h100-sxm5-80gb"},
     {"workload.parallel.sharding": "fsdp", "hardware.count": 16, "hardware.nodes": 2,
      "workload.batch.global": 128}),
    (["training_args.json", "ds_auto.json"], {"on": "rtx-4090:2"},
     {"workload.parallel.sharding": "zero3", "workload.offload.optimizer": "cpu",
      "workload.batch.micro": 4, "workload.batch.global": 16}),
    (["training_args.json", "adapter_config.json"], {"on": "rtx-4090"},
     {"workload.method": "lora", "workload.lora.rank": 64, "workload.lora.variant": "dora",
      "workload.lora.targets": ["q_proj", "k_proj", "v_proj", "o_proj"]}),
    (["megatron.sh"], {"on": "h100-sxm5-80gb"},
     {"hardware.count": 32, "hardware.nodes": 4, "workload.parallel.tensor": 4, "workload.parallel.pipeline": 2,
      "workload.parallel.sequence_parallel": True, "workload.batch.global": 128, "workload.batch.micro": 1,
      "workload.recompute": "selective", "workload.parallel.sharding": "zero1"}),
    (["torchtitan.toml"], {"on": "h100-sxm5-80gb:8"},
     {"workload.model": "llama-3.1-8b", "workload.parallel.tensor": 2, "workload.batch.sequence_length": 8192,
      "workload.recompute": "full", "workload.parallel.sharding": "fsdp"}),
    (["nemo.yaml"], {"on": "h100-sxm5-80gb"},
     {"hardware.count": 16, "workload.parallel.tensor": 8, "workload.batch.global": 256,
      "workload.recompute": "selective"}),
    (["vllm.sh"], {"on": "l40s:2"},
     {"workload.task": "inference", "workload.parallel.tensor": 2, "workload.serving.concurrency": 64,
      "workload.serving.input_tokens": 15872, "workload.serving.output_tokens": 512,
      "workload.precision.kv_cache": "fp8", "workload.software.framework": "vllm"}),
    (["sglang.sh"], {"on": "h100-sxm5-80gb:4"},
     {"workload.parallel.tensor": 4, "workload.serving.concurrency": 32, "workload.software.framework": "sglang"}),
    (["trtllm.sh"], {"on": "h100-sxm5-80gb:2"},
     {"workload.parallel.tensor": 2, "workload.serving.concurrency": 128, "workload.software.framework": "trtllm"}),
    (["llamacpp.sh"], {"on": "rtx-3090"},
     {"workload.model": "qwen3-30b-a3b", "workload.precision.quantization": "q4_k_m",
      "workload.serving.concurrency": 4, "workload.serving.input_tokens": 7680,
      "workload.serving.output_tokens": 512, "workload.precision.kv_cache": "int8"}),
    (["Modelfile"], {"on": "rtx-3090"},
     {"workload.model": "llama-3.1-8b", "workload.precision.quantization": "q4_k_m",
      "workload.serving.input_tokens": 7680}),
    (["job.sbatch"], {"on": "h100-sxm5-80gb"},
     {"hardware.count": 16, "hardware.nodes": 2, "workload.model": "llama-3.1-8b",
      "workload.batch.sequence_length": 4096}),
    (["task.sky.yaml"], {},
     {"hardware.count": 8, "workload.parallel.tensor": 8, "workload.serving.concurrency": 32}),
    (["deployment.yaml"], {},
     {"hardware.accelerator": "h100-sxm5-80gb", "hardware.count": 1, "workload.serving.concurrency": 16}),
    (["compose.yaml"], {"on": "l40s"},
     {"hardware.count": 2, "workload.model": "qwen2.5-7b", "workload.serving.concurrency": 8}),
    (["declared.sbatch"], {"on": "h100-sxm5-80gb"},
     {"hardware.count": 16, "hardware.nodes": 2, "workload.parallel.tensor": 4, "workload.batch.global": 64}),
    (["pytorchjob.yaml"], {"on": "h100-sxm5-80gb"},
     {"hardware.count": 32, "hardware.nodes": 4, "workload.batch.sequence_length": 4096}),
    (["axolotl_8bit.yaml"], {"on": "l40s"},
     {"workload.precision.quantization": "int8", "workload.lora.rank": 16}),
    (["axolotl_pattern.yaml"], {"on": "l40s"},
     {"workload.lora.targets": ["up_proj", "down_proj", "q_proj", "v_proj"]}),
    (["torchtune_generate.yaml"], {"on": "l40s"},
     {"workload.task": "inference", "workload.model": "llama-3.1-8b"}),
    # What the request says itself wins.
    (["axolotl_qlora.yaml"], {"on": "l40s:2", "micro-batch": 1, "sequence": 1024},
     {"workload.batch.micro": 1, "workload.batch.sequence_length": 1024, "workload.batch.global": 8}),
]
for names, options, wanted in CASES:
    reply = read(*names, **options)
    body = reply.get("body")
    if reply["exit_code"] not in (0, 3):
        failures.append(f"{names}: {body}")
        continue
    for path, expected in wanted.items():
        expect(f"{names} {path}", value(body, path), expected)


def listed(reply, kind):
    return {note["key"]: note for file in reply["body"].get("imports", []) for note in file[kind]}


# Unknown is said, never taken for zero.
reply = read("training_args.json", "ds_auto.json", on="rtx-4090:2")
for key in ("train_micro_batch_size_per_gpu", "gradient_accumulation_steps", "bf16.enabled"):
    expect(f"{key} is unknown", key in listed(reply, "unknown"), True)
reply = read("torchtune_lora.yaml", on="l40s:2")
expect("max_seq_len null is unknown", "tokenizer.max_seq_len" in listed(reply, "unknown"), True)
reply = read("axolotl_qlora.yaml", on="l40s")
expect("a typo gets the nearest key", "warmup_ratio" in listed(reply, "unknown")["warmup_rat"]["meaning"], True)
expect("a key without weight is ignored", "learning_rate" in listed(reply, "ignored"), True)
reply = read("adapter_config.json", "training_args.json", on="rtx-4090")
expect("modules_to_save is named", "modules_to_save" in listed(reply, "ignored"), True)
reply = read("vllm.sh", on="l40s:2")
expect("a computed value sets nothing", "--api-key" in listed(reply, "read"), False)

# What a launcher starts is named where it is not known, flags of the launcher are.
reply = ask("estimate", **{"from": ["#!/bin/bash\ntorchrun --node_rank=1 --nnodes=2 own_trainer.py\n"],
                           "model": "llama-3.1-8b", "on": "l40s", "json": True})
expect("the script is unknown", list(listed(reply, "unknown")), ["own_trainer.py"])
unknown_model = (configs / "torchtune_lora.yaml").read_text().replace("lora_llama3_1_8b", "lora_our_own_8b")
reply = ask("estimate", **{"from": [unknown_model], "on": "l40s", "json": True})
expect("a model that is not known is named", "model._component_" in value(reply, "body.error.hint"), True)
reply = ask("estimate", **{"from": ["spec: {{ .Values.spec }}\n{{- end }}\n"], "on": "l40s", "json": True})
expect("a template is called so", "template" in value(reply, "body.error.message"), True)

# Hostile files are refused in words.
HOSTILE = {
    "an alias bomb": (configs / "bomb.yaml").read_text(),
    "a pickle": "\x80\x04\x95own",
    "an archive of torch": "PK\x03\x04rest",
    "an empty file": "",
    "words": "nothing that anyone configures",
    "a list": "- 1\n- 2\n",
    "an unknown tree": '{"colour": "red"}',
    "deep nesting": "base_model: x\nsequence_len: " + "[" * 5000,
    "JSON that ends": '{"peft_type": ',
    "a twice stated key": "base_model: a\nbase_model: b\nsequence_len: 3\n",
    "a million keys": "base_model: x\nsequence_len: 2\n" + "".join(f"k{i}: 1\n" for i in range(120000)),
    "variables that double": "A=xx\n" + "A=$A$A\n" * 60 + "vllm serve $A\n",
}
for what, text in HOSTILE.items():
    reply = ask("estimate", **{"from": [text], "on": "l40s", "json": True})
    expect(f"{what} is bad input", reply["exit_code"] in (2, 4), True)
    expect(f"{what} says why", bool(value(reply, "body.error.message")), True)

# Shapes of public files with values of our own: each is read, or refused with a reason.
shapes = json.loads((root / "tests/formats/shapes.json").read_text())
read_shapes, models = 0, 0
for shape in shapes:
    reply = ask("estimate", **{"from": [json.dumps(shape["tree"])], "on": "h100-sxm5-80gb:8", "json": True})
    message = value(reply, "body.error.message")
    if reply["exit_code"] in (0, 3):
        models += 1
    elif not message or reply["exit_code"] == 1:
        failures.append(f"{shape['like']}: {reply}")
    read_shapes += "is no configuration" not in (message or "")
expect("shapes that are known", read_shapes >= 0.95 * len(shapes), True)

# check: the verdict comes from the range.
texts = [(configs / "axolotl_qlora.yaml").read_text()]
big = ask("check", **{"from": texts, "on": "h100-sxm5-80gb", "json": True})
expect("fits", (big["exit_code"], value(big, "body.verdict")), (0, "fits"))
steps = [step["step"] for step in value(big, "body.steps") or []]
expect("the evaluation step is checked", any("evaluation" in step for step in steps), True)
step = value(big, "body.steps")[0] if steps else {"low_gib": 1, "high_gib": 2}
between = (step["low_gib"] + step["high_gib"]) / 2
near = {"from": texts, "on": "h100-sxm5-80gb", "json": True, "free-gib": between}
open_verdict = ask("check", **near)
expect("may not fit", (open_verdict["exit_code"], value(open_verdict, "body.steps")[0]["verdict"]), (0, "may not fit"))
expect("strict", ask("check", **near, strict=True)["exit_code"], 3)
small = ask("check", **{"from": texts, "on": "h100-sxm5-80gb", "json": True, "free-gib": step["low_gib"] / 2})
expect("does not fit", (small["exit_code"], value(small, "body.verdict")), (3, "does not fit"))
longest = ask("check", **{"from": [(configs / "torchtune_lora.yaml").read_text()], "on": "l40s:2", "json": True})
expect("a length that is not cut is checked at the model's", len(value(longest, "body.steps") or []), 2)

print(f"{len(CASES)} files, {read_shapes} of {len(shapes)} shapes read, {models} estimated, {len(HOSTILE)} refused")
print("\n".join(failures))
sys.exit(1 if failures else 0)
