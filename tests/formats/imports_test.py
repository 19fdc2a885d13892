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
    (["axolotl_plugins.yaml"], {"on": "l40s:2"},
     {"workload.software.loss": "fused_linear", "workload.software.attention": "flash",
      "workload.parallel.reduce_each_micro_batch": True, "workload.lora.targets": ["q_proj", "down_proj"]}),
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

# A plugin that nobody knows is no small thing; one that is turned off changes no loss.
reply = read("axolotl_plugins.yaml", on="l40s:2")
expect("an unknown plugin is told", listed(reply, "uncounted")["plugins"]["value"], "our.own.StrangePlugin")
plugins = (configs / "axolotl_plugins.yaml").read_text()
reply = ask("estimate", **{"from": [plugins + "cut_cross_entropy: false\n"], "on": "l40s:2", "json": True})
expect("a plugin turned off", value(reply, "body.workload.software.loss"), "eager")

# A value with which no tool can run is an error that names key, value and what is expected; what stands for a value that
# the tool finds out itself is unknown; a full tuning has no rank.
AXOLOTL = "base_model: meta-llama/Llama-3.1-8B\nsequence_len: 2048\nmicro_batch_size: {}\n"
WRONG = [(AXOLOTL.format(0), "micro_batch_size", "0 "), (AXOLOTL.format(2.5), "micro_batch_size", "2.5 "),
         (AXOLOTL.format("two"), "micro_batch_size", "two "),
         (AXOLOTL.format(1) + "adapter: lora\nlora_r: 0\n", "lora_r", "0 "),
         (AXOLOTL.format(1) + "gradient_accumulation_steps: -4\n", "gradient_accumulation_steps", "-4 ")]
WRONG += [(f"vllm serve meta-llama/Llama-3.1-8B --{key} {found}", key, found) for key, found in
          [("tensor-parallel-size", "-2"), ("tensor-parallel-size", "0"), ("gpu-memory-utilization", "1.5"),
           ("max-num-seqs", "0"), ("max-model-len", "0")]]
WRONG += [("#!/bin/bash\n#SBATCH --nodes=0\nsrun vllm serve meta-llama/Llama-3.1-8B\n", "--nodes", "0 ")]
for text, key, found in WRONG:
    error = value(ask("estimate", **{"from": [text], "on": "h100-sxm5-80gb:8", "json": True}), "body.error") or {}
    expect(f"{key} {found}", (error.get("path", "").endswith(key), error.get("message", "").startswith(found),
                              ", expected a " in error.get("message", "")), (True, True, True))
OPEN = [("vllm serve meta-llama/Llama-3.1-8B --max-model-len -1", "--max-model-len"), (AXOLOTL.format("MICRO_BATCH"), "micro_batch_size"),
        (AXOLOTL.format(1) + "lora_r: 0\n", "lora_r"),
        ("python3 -m sglang.launch_server --model-path meta-llama/Llama-3.1-8B --chunked-prefill-size -1", "--chunked-prefill-size")]
for text, key in OPEN:
    reply = ask("estimate", **{"from": [text], "on": "h100-sxm5-80gb", "json": True})
    expect(f"{key} is open", (reply["exit_code"] in (0, 3), key in listed(reply, "unknown")), (True, True))
# llama.cpp's -c 0 is the model's own context.
whole = ask("estimate", **{"from": ["llama-server -m models/Qwen3-30B-A3B-Q4_K_M.gguf -c 0"], "on": "h100-sxm5-80gb", "json": True})
expect("-c 0", (value(whole, "body.workload.serving.input_tokens") or 0) + 512, 40960)
# A slip gets the nearest key, the key of another tool the one that says the same here.
for text, key, right in [(AXOLOTL.format(1) + "gradient_acumulation_steps: 4\n", "gradient_acumulation_steps", "gradient_accumulation_steps"),
                         (AXOLOTL.format(1) + "lora_rank: 8\n", "lora_rank", "lora_r"),
                         ("vllm serve meta-llama/Llama-3.1-8B --tensor-paralel-size 2", "--tensor-paralel-size", "--tensor-parallel-size")]:
    request = {"from": [text], "on": "h100-sxm5-80gb:8"}
    expect(key, listed(ask("estimate", **request, json=True), "unknown")[key]["meaning"], f'Did you mean "{right}"?')
    expect(key + " in words", f'{key} (Did you mean "{right}"?)' in ask("estimate", **request)["messages"], True)

# What nobody stated is listed, the accumulation too; ms-swift takes its ranks from the environment.
reply = ask("estimate", **{"from": [AXOLOTL.format(1)], "on": "h100-sxm5-80gb", "json": True})
defaulted = [note["meaning"] for file in reply["body"]["imports"] for note in file["defaulted"]]
expect("the accumulation is listed", "micro-batches a step 1" in defaulted, True)
swift = "NPROC_PER_NODE=4 swift sft --model Qwen/Qwen2.5-7B-Instruct --tuner_type lora --per_device_train_batch_size 1 --gradient_accumulation_steps 2"
body = ask("estimate", **{"from": [swift], "on": "h100-sxm5-80gb", "json": True})["body"]
expect("ms-swift's ranks", (value(body, "hardware.count"), value(body, "workload.batch.global")), (4, 8))

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
# What helps is asked of the step that does not fit: no compiler makes 131,072 tokens of activations fit 44 GiB.
helped = [each["flags"] for each in value(longest, "body.remedies") or [] if "--compile true" == each["flags"]]
expect("remedies are of the step that does not fit", helped, [])


def checked(text, on, **options):
    reply = ask("check", **{"from": [text], "on": on, "json": True, **options})
    return reply["exit_code"], value(reply, "body.verdict"), reply.get("body") or {}


# A share of the card bounds a server: half of 24 GiB holds no 16 GB of weights, whatever the cache.
serve = "vllm serve meta-llama/Llama-3.1-8B-Instruct --max-model-len 4096"
expect("a share that holds the weights", checked(serve, "rtx-3090")[1], "fits")
expect("half a card", checked(serve + " --gpu-memory-utilization 0.5", "rtx-3090")[:2], (3, "does not fit"))
sglang = "python3 -m sglang.launch_server --model-path meta-llama/Llama-3.1-8B-Instruct"
expect("a static share", checked(sglang + " --mem-fraction-static 0.5", "rtx-3090")[:2], (3, "does not fit"))
half = ask("estimate", **{"from": [serve + " --gpu-memory-utilization 0.5"], "on": "h100-sxm5-80gb", "json": True})
expect("a share is listed as read", "--memory-fraction 0.5" in json.dumps(value(half, "body.imports")), True)

# vLLM's longest request is the model's where nothing says less: 131,072 tokens of Llama 3.1 8B are 16 GiB of
# cache (2 x 32 layers x 8 heads x 128 x 2 bytes a token), which stand beside 15 GiB of weights on no L4.
own = checked("vllm serve meta-llama/Llama-3.1-8B-Instruct", "l4")
expect("the model's own length", own[:2], (3, "does not fit"))
remedy = (own[2].get("remedies") or [{"flags": ""}])[0]["flags"].split()
expect("the remedy is the tool's own key", remedy[:1], ["--max-model-len"])
if len(remedy) == 2:
    at_most = f"vllm serve meta-llama/Llama-3.1-8B-Instruct --max-model-len {remedy[1]}"
    expect("the length of the remedy fits", checked(at_most, "l4")[1], "fits")
    more = f"vllm serve meta-llama/Llama-3.1-8B-Instruct --max-model-len {int(remedy[1]) + 64}"
    expect("a longer one may not", checked(more, "l4")[1] != "fits", True)
expect("the model's own length where it has room", checked("vllm serve meta-llama/Llama-3.1-8B-Instruct",
                                                           "h100-sxm5-80gb")[1], "fits")
# check and estimate ask the same request of a server that runs one at a time: the longest that it admits, or what was said.
for line, lengths, tokens in [(serve, {}, 4096), ("vllm serve meta-llama/Llama-3.1-8B-Instruct", {}, 131072),
                              ("vllm serve meta-llama/Llama-3.1-8B-Instruct", {"input-tokens": 3000, "output-tokens": 1000}, 4000),
                              ("text-generation-launcher --model-id meta-llama/Llama-3.1-8B-Instruct --max-total-tokens 8000", {}, 8000)]:
    both = {"from": [line], "on": "h100-sxm5-80gb", "json": True, **lengths}
    checks, estimates = ask("check", **both)["body"], ask("estimate", **both)["body"]
    serving = value(estimates, "workload.serving") or {}
    expect(line + " in all", serving.get("input_tokens", 0) + serving.get("output_tokens", 0), tokens)
    expect(line + " in check", f"of {tokens} tokens" in checks["steps"][0]["what"], True)
    expect(line + " the same peak", abs(checks["steps"][0]["peak_gib"] / estimates["memory"]["peak_gib"] - 1) < 1e-6, True)
# --max-num-seqs caps what runs: 128 requests of 8192 tokens would be 128 GiB, one is 1 GiB.
cap = checked("vllm serve meta-llama/Llama-3.1-8B-Instruct --max-model-len 8192 --max-num-seqs 128", "l4")
expect("a cap is no load", cap[1], "fits")
expect("what runs at once is said", "128 at most" in cap[2]["steps"][0]["what"], True)

stored = checked("vllm serve Qwen/Qwen2.5-32B-Instruct-AWQ --max-model-len 4096", "rtx-4090")
expect("check says how weights are stored", "weights in awq-int4" in stored[2]["steps"][0]["what"], True)
# A hub's name says how the weights are stored.
for name, stored in [("Qwen/Qwen2.5-32B-Instruct-AWQ", "awq-int4"), ("Qwen/Qwen3-235B-A22B-FP8", "fp8"),
                     ("Qwen/Qwen2.5-7B-Instruct-GPTQ-Int4", "gptq-int4"),
                     ("nvidia/Llama-3.1-8B-Instruct-NVFP4", "nvfp4"),
                     ("RedHatAI/Meta-Llama-3.1-8B-Instruct-quantized.w8a8", "int8"),
                     ("unsloth/Qwen2.5-7B-Instruct-GGUF:Q6_K", "q6_k")]:
    reply = ask("estimate", model=name, framework="vllm", on="h200-sxm-141gb:8", json=True)
    expect(name, value(reply, "body.workload.precision.quantization"), stored)
plain = ask("estimate", model="Qwen/Qwen2.5-7B-Instruct", framework="vllm", on="h100-sxm5-80gb", json=True)
expect("a plain name", value(plain, "body.workload.precision.quantization") in (None, "none"), True)

# Preference tuning of other tools' files: pairs pass as two sequences, so that the step holds more.
sft = """base_model: meta-llama/Llama-3.1-8B-Instruct
adapter: lora
lora_r: 16
sequence_len: 4096
micro_batch_size: 2
gradient_accumulation_steps: 4
bf16: auto
gradient_checkpointing: true
"""
plain_peak = checked(sft, "h100-sxm5-80gb:2")[2]["steps"][0]["peak_gib"]
pairs = checked(sft + "rl: dpo\n", "h100-sxm5-80gb:2")
expect("dpo is read", pairs[1], "fits")
expect("pairs hold more", pairs[2]["steps"][0]["peak_gib"] > 1.2 * plain_peak, True)
saved = checked(sft + "rl: dpo\nlora_modules_to_save: [embed_tokens, lm_head]\n", "h100-sxm5-80gb:2")
expect("what is not counted", saved[:2], (0, "not judged"))
expect("and is named", "lora_modules_to_save" in saved[2]["uncounted"][0], True)
strict = checked(sft + "lora_modules_to_save: [lm_head]\n", "h100-sxm5-80gb:2", strict=True)
expect("not judged, strictly", strict[:2], (3, "not judged"))
expect("none of them", checked(sft + "lora_modules_to_save: []\n", "h100-sxm5-80gb:2")[1], "fits")
expect("more of what does not fit", checked(sft + "lora_modules_to_save: [lm_head]\n", "rtx-3080-10gb")[:2],
       (3, "does not fit"))
grpo = """model_name_or_path: Qwen/Qwen2.5-7B-Instruct
per_device_train_batch_size: 4
num_generations: 8
max_completion_length: 1024
use_vllm: true
vllm_mode: colocate
vllm_gpu_memory_utilization: {}
use_peft: true
lora_r: 16
bf16: true
"""
small, large = [checked(grpo.format(share), "h100-sxm5-80gb:2")[2]["steps"][0]["peak_gib"] for share in (0.3, 0.7)]
# The engine beside the trainer keeps its share of 79.6 GiB: 0.4 more of it is 31.8 GiB.
expect("the engine's share", 25 < large - small < 40, True)
# A round of TRL is micro-batch x devices x steps_per_generation answers (by default the accumulation), in groups of
# num_generations: 8 of grpo_config.py, 2 of rloo_config.py where nothing is said. An engine on a server has its own cards.
ROUND = "model_name_or_path: Qwen/Qwen2.5-7B-Instruct\nper_device_train_batch_size: 4\ngradient_accumulation_steps: 2\nnum_generations: {}\n"
SWIFT = "model: Qwen/Qwen2.5-7B-Instruct\ntuner_type: lora\nrlhf_type: grpo\nnum_generations: 4\nper_device_train_batch_size: 2\n"
rloo_command = "trl rloo --model_name_or_path Qwen/Qwen2.5-7B-Instruct --per_device_train_batch_size 4"
for text, cards, prompts, answers, algorithm, tokens in [
        (ROUND.format(8), 8, 8, 64, "grpo", 1024), (ROUND.format(8), 2, 2, 16, "grpo", 1024), (ROUND.format(4), 8, 16, 64, "grpo", 1024),
        (ROUND.format(8) + "steps_per_generation: 6\nmax_prompt_length: 100\nmax_completion_length: 900\n", 8, 24, 192, "grpo", 1000),
        (ROUND.format(8) + "generation_batch_size: 256\n", 8, 32, 256, "grpo", 1024),
        (ROUND.format(8) + "use_vllm: true\nvllm_mode: server\n", 8, 4, 32, "grpo", 1024),
        (ROUND.format(8) + "vllm_mode: server\n", 8, 8, 64, "grpo", 1024),
        (rloo_command, 4, 8, 16, "rloo", 1024), (rloo_command + " --num_generations 4 --gradient_accumulation_steps 3", 4, 12, 48, "rloo", 1024),
        (SWIFT + "gradient_accumulation_steps: 4\n", 2, 4, 16, "grpo", 1024)]:
    body = ask("estimate", **{"from": [text], "on": f"h100-sxm5-80gb:{cards}", "json": True})["body"]
    rl = value(body, "workload.rl") or body
    expect(text + f" on {cards}", [rl.get(key) for key in ("prompts_per_step", "rollouts_per_step", "algorithm", "max_sequence_length")],
           [prompts, answers, algorithm, tokens])
error = value(ask("estimate", **{"from": [ROUND.format(3)], "on": "h100-sxm5-80gb:8", "json": True}), "body.error") or {}
expect("groups that are no whole round", (error.get("path"), error.get("message")),
       ("from: num_generations", "found 3, expected a divisor of the 64 answers of a round"))
launched = ("accelerate launch --num_processes 6 grpo.py --model_name_or_path Qwen/Qwen2.5-7B-Instruct --per_device_train_batch_size 4 "
            "--use_vllm true --vllm_mode server")
body = ask("estimate", **{"from": [launched], "on": "h100-sxm5-80gb:8", "json": True})["body"]
expect("processes beside an engine", (value(body, "workload.rl.rollouts_per_step"), value(body, "workload.batch.global")), (24, 24))
dpo_command = "trl dpo --model_name_or_path Qwen/Qwen2.5-7B-Instruct --per_device_train_batch_size 2 --use_peft"
pairs = ask("estimate", **{"from": [dpo_command], "on": "h100-sxm5-80gb", "json": True})
expect("trl's command", "--algorithm dpo" in json.dumps(value(pairs, "body.imports")), True)

# A task that would take one of several machines is judged on each: 70B in 16 bits is 141 GB, more than an L40S has.
task = """resources:
  {}
run: |
  vllm serve meta-llama/Llama-3.1-70B --tensor-parallel-size 8 --max-model-len 8192
"""
either = "any_of:\n    - accelerators: H100-SXM:8\n    - accelerators: L4:8"
for form in (either, "ordered:\n    - accelerators: H100-SXM:8\n    - accelerators: L4:8",
             "accelerators: {H100-SXM: 8, L4: 8}", "accelerators: [H100-SXM:8, L4:8]"):
    reply = ask("check", **{"from": [task.format(form)], "json": True})
    runs = value(reply, "body.runs") or []
    expect(form + " on each", [run.get("verdict") for run in runs], ["fits", "fits"])
    expect(form + " of their own", len({run.get("hardware") for run in runs}), 2)
    first = ask("estimate", **{"from": [task.format(form)], "json": True})
    expect(form + " first", value(first, "body.hardware.accelerator"), "h100-sxm5-80gb")
    expect(form + " others told", "l4:8" in first.get("messages", ""), True)
few = ask("check", **{"from": [task.format(either).replace("L4:8", "L4:4")
                               .replace("tensor-parallel-size 8", "tensor-parallel-size 4")], "json": True})
expect("the worst decides", few["exit_code"], 3)

# Rounds of verl and NeMo-RL as Hydra takes them: the engine's ranks, where the reference waits, padding.
verl = ("python3 -m verl.trainer.main_ppo algorithm.adv_estimator=grpo actor_rollout_ref.actor.use_kl_loss=True data.train_batch_size=256 "
        "actor_rollout_ref.model.path=Qwen/Qwen2.5-7B-Instruct actor_rollout_ref.rollout.n=8 trainer.n_gpus_per_node=8 "
        "+actor_rollout_ref.rollout.tensor_model_parallel_size={} ++actor_rollout_ref.ref.fsdp_config.param_offload={} "
        "actor_rollout_ref.model.use_remove_padding={}")
rounds = {}
for ranks, waits, packs in [(2, True, True), (4, True, True), (2, False, True), (2, True, False)]:
    body = ask("estimate", **{"from": [verl.format(ranks, waits, packs)], "on": "h100-sxm5-80gb", "json": True})["body"]
    rounds[ranks, waits, packs] = body
    expect("ranks of the engine", value(body, "workload.rl.generation.tensor"), ranks)
    expect("where the reference waits", value(body, "workload.rl.reference_on_host"), waits)
    expect("padding", value(body, "workload.rl.packed"), packs)
usual = rounds[2, True, True]


def part(body, name):
    return next((each["gib"] for each in body["memory"]["components"] if each["name"] == name), 0)


# 7.62e9 parameters of 16 bits over 8 ranks are 1.77 GiB.
expect("a reference that stays", abs(part(rounds[2, False, True], "reference") - 1.77) < 0.05, True)
expect("a reference on the host", part(usual, "reference"), 0)
expect("padding takes time", rounds[2, True, False]["time"]["step_s"] > 1.1 * usual["time"]["step_s"], True)
nemo_rl = ("uv run examples/run_grpo_math.py policy.model_name=Qwen/Qwen2.5-7B ++policy.train_global_batch_size=512 "
           "policy.megatron_cfg.enabled=true policy.dtensor_cfg.enabled=false policy.megatron_cfg.tensor_model_parallel_size=2 "
           "policy.dtensor_cfg.tensor_parallel_size=8 policy.generation.vllm_cfg.tensor_parallel_size=4 cluster.gpus_per_node=8")
body = ask("estimate", **{"from": [nemo_rl], "on": "h100-sxm5-80gb", "json": True})["body"]
for path, wanted in [("workload.model", "qwen2.5-7b"), ("workload.software.framework", "nemo-rl"), ("hardware.count", 8),
                     ("workload.parallel.tensor", 2), ("workload.rl.generation.tensor", 4),
                     ("workload.rl.algorithm", "grpo"), ("workload.batch.global", 512)]:
    expect("NeMo-RL " + path, value(body, path), wanted)

# 24 of 48 layers' experts (302e6 weights each, at least 4.5 bits) are 3.8 GiB or more; the rest is too much for 8 GB.
moe = "llama-server -m models/Qwen3-30B-A3B-Q4_K_M.gguf -c 8192 -ngl 99 "
for flag, layers, code in [("--n-cpu-moe 24", 24, 3), ("-cmoe", 999, 0), ("-ot '.ffn_.*_exps.=CPU'", 999, 0)]:
    expect("experts on the host: " + flag, checked(moe + flag, "rtx-4060")[0], code)
    read = ask("estimate", **{"from": [moe + flag], "on": "rtx-4060", "json": True})
    expect(flag, value(read, "body.workload.serving.host_expert_layers"), layers)
# Other tensors than experts are not counted: nothing is judged.
expect("tensors on the host", checked(moe + "-ot 'attn=CPU'", "rtx-4060")[:2], (0, "not judged"))

# torchtitan: 64 cards, tensor 8, local batch 1 are 8 samples a step.
titan = """[model]
name = "llama3"
flavor = "70B"
[training]
local_batch_size = 1
seq_len = 8192
[parallelism]
data_parallel_replicate_degree = 1
data_parallel_shard_degree = 8
tensor_parallel_degree = 8
"""
shards = ask("estimate", **{"from": [titan], "on": "h100-sxm5-80gb:8x8", "json": True})
expect("torchtitan's batch", value(shards, "body.workload.batch.global"), 8)
expect("torchtitan's shards", value(shards, "body.imports")[0]["unknown"], [])

# Two runs are judged each by itself: what fits hides nothing that does not.
run = "base_model: {}\nsequence_len: 512\nmicro_batch_size: 1\nadapter: {}\nlora_r: 8\nbf16: auto\n"
large, small = run.format("meta-llama/Llama-3.1-70B", "lora"), run.format("meta-llama/Llama-3.2-1B", "lora")
both = ask("check", **{"from": [large, small], "on": "rtx-3090:2"})
expect("two runs", (both["exit_code"], json.dumps(both).count("does not fit**"), json.dumps(both).count("**fits**")), (3, 1, 1))
# A DeepSpeed file that is named and not given holds what decides.
named = small + "deepspeed: own.json\n"
expect("a file that is missing", checked(named, "rtx-3090:2")[1], "not judged")
given = ask("check", **{"from": [named, '{"zero_optimization": {"stage": 3}, "bf16": {"enabled": true}}'], "on": "rtx-3090:2",
                        "json": True})
expect("and one that is given", value(given, "body.verdict"), "fits")
# 128 GB of moments, copies and gradients are read at 2.9 and written at 2.04 GB/s: 107 s.
steps = [value(ask("estimate", model="llama-3.1-8b", method="full", framework="deepspeed", sharding="zero3", sequence="512",
                   on="h100-sxm5-80gb", json=True, **{"micro-batch": "1", "batch": "1", "offload-optimizer": where}),
               "body.time.step_s") for where in ("cpu", "nvme")]
expect("a drive is slower than memory", 100 < (steps[1] or 0) - (steps[0] or 0) < 115, True)
# More arrive than an L4 serves.
crowd = ask("estimate", model="llama-3.1-8b", task="inference", on="l4", json=True, **{"request-rate": "20"})
expect("a queue that grows", "queue grows" in json.dumps(value(crowd, "body.findings")), True)

# A file that another names and nobody gave decides: the first line of an estimate says so, with its name.
unread = ask("estimate", **{"from": [named], "on": "rtx-3090:2"})
expect("an estimate without a file", json.dumps(unread).count("Not judged: deepspeed own.json"), 1)
expect("its exit code", unread["exit_code"], 0)
# No LoRA stands for another way of training.
freeze = "model_name_or_path: meta-llama/Llama-3.1-8B\nstage: sft\nfinetuning_type: freeze\ncutoff_len: 1024\n"
refused = ask("estimate", **{"from": [freeze], "on": "h100-sxm5-80gb"})
expect("a way of training that is not known", (refused["exit_code"], "finetuning_type" in json.dumps(refused)), (4, True))
own = ask("estimate", **{"from": [freeze], "on": "h100-sxm5-80gb", "method": "full", "json": True})
expect("another in its place", value(own, "body.workload.method"), "full")
# vLLM: 1k is 1000, 1K is 1024.
for words, tokens in [("32k", 32000), ("32K", 32768), ("32000", 32000)]:
    body = ask("estimate", **{"from": [serve.replace("4096", words)], "on": "h100-sxm5-80gb", "json": True})
    sizes = value(body, "body.workload.serving") or {}
    expect("a length of " + words, sizes.get("input_tokens", 0) + sizes.get("output_tokens", 0), tokens)
# Fewer ranks than accelerators: that copies are meant is told.
open_copies = ask("estimate", **{"from": [serve + " -tp 4"], "on": "h100-sxm5-80gb:8"})
expect("copies of a server", "starts one on 4 of 8" in json.dumps(open_copies), True)
whole = ask("estimate", **{"from": [serve + " -tp 4"], "on": "h100-sxm5-80gb:4"})
expect("no copies of a server", "starts one on" in json.dumps(whole), False)
# Slurm's names of GPUs, of lists of resources and with sockets.
sbatch = "#!/bin/bash\n#SBATCH -N 2\n#SBATCH {}\n" + serve + " -tp 8\n"
for words, part_id, count in [("--gres=gpu:h100:8", "h100-sxm5-80gb", 16), ("--gpus-per-node=a100:8", "a100-sxm4-80gb", 16),
                              ("--gres=nvme:1,gpu:h100:8(S:0-1)", "h100-sxm5-80gb", 16), ("-G h100:8", "h100-sxm5-80gb", 8)]:
    body = ask("estimate", **{"from": [sbatch.format(words)], "json": True})
    expect("slurm " + words, (value(body, "body.hardware.accelerator"), value(body, "body.hardware.count")), (part_id, count))
other = ask("estimate", **{"from": [sbatch.format("--gres=nvme:1")], "on": "h100-sxm5-80gb:8", "json": True})
expect("a resource that is no GPU", value(other, "body.hardware.count"), 8)
# SkyPilot's spot, and what else its resources say.
sky = "resources:\n  accelerators: H100:8\n  use_spot: {}\n  disk_size: 1TB\nrun: |\n  " + serve + " -tp 8\n"
for spot, kind in [("true", "spot"), ("false", "on_demand")]:
    body = ask("estimate", **{"from": [sky.format(spot)], "json": True})
    expect("spot " + spot, value(body, "body.cost.offer.kind") or value(body, "body.cost.kind"), kind)
    expect("what decides nothing is told", "resources.disk_size" in listed(body, "ignored"), True)
int8 = ask("estimate", **{"from": [sglang + " --quantization w8a8_int8"], "on": "h100-sxm5-80gb", "json": True})
expect("SGLang's int8", value(int8, "body.workload.precision.quantization"), "int8")
host = checked(serve + " --cpu-offload-gb 8", "h100-sxm5-80gb")
expect("weights on the host", (host[1], "cpu-offload-gb" in host[2]["uncounted"][0]), ("not judged", True))

# What a stack does not do, or not there.
for options, word in [({"framework": "vllm", "task": "train"}, "serves models"),
                      ({"framework": "exllamav2", "method": "lora"}, "serves models"),
                      ({"framework": "torchtitan", "task": "inference"}, "trains models"),
                      ({"framework": "vllm", "on": "p40"}, "compute capability 7.0"),
                      ({"framework": "unsloth", "on": "p40"}, "compute capability 7.0"),
                      ({"framework": "trtllm", "on": "mi300x"}, "no build"),
                      ({"framework": "llama.cpp", "on": "tpu-v5e"}, "no build"),
                      ({"framework": "unsloth", "on": "tpu-v5e"}, "no build"),
                      ({"framework": "torchtitan", "on": "apple-m4-max"}, "no build"),
                      ({"framework": "trtllm", "quantization": "nvfp4"}, "compute capability 10.0"),
                      ({"compute": "fp8", "method": "full", "on": "a100-sxm4-80gb:8"}, "no fp8 units"),
                      ({"framework": "vllm", "tensor": "3", "on": "h100-sxm5-80gb:3"}, "does not divide"),
                      ({"method": "full", "tensor": "3", "on": "h100-sxm5-80gb:3"}, "does not divide"),
                      ({"method": "lora", "tensor": "3", "on": "h100-sxm5-80gb:3", "plan": "auto"}, "does not divide"),
                      ({"framework": "megatron", "method": "full", "pipeline": "33", "on": "h100-sxm5-80gb:33"},
                       "more than the 32 layers")]:
    reply = ask("estimate", **{"model": "llama-3.1-8b", "on": "h100-sxm5-80gb", "json": True, **options})
    expect(f"{options}", word in json.dumps(value(reply, "body.error") or reply.get("error") or reply), True)
    expect(f"{options}: refused", reply["exit_code"] in (2, 4), True)
for options in ({"framework": "vllm", "quantization": "nvfp4", "on": "a100-sxm4-80gb"},
                {"framework": "vllm", "quantization": "fp8", "on": "a100-sxm4-80gb"},
                {"framework": "exllamav2", "quantization": "gptq-int4"}, {"framework": "llama.cpp"}):
    reply = ask("estimate", **{"model": "llama-3.1-8b", "on": "h100-sxm5-80gb", "json": True, **options})
    expect(f"{options}: serves", value(reply, "body.workload.task"), "inference")
refused = ask("advise", question="can i run vllm on 2x p40 with qwen2.5-32b awq", json=True)
expect("a card that the stack has left", (refused["exit_code"], value(refused, "body.answer.verdict")), (3, "no"))

# More requests than the cache holds wait: 1000 of 1536 tokens are 187 GiB.
crowd = ask("estimate", model="llama-3.1-8b", framework="vllm", on="h100-sxm5-80gb", concurrency="1000", json=True)
waits = [each for each in value(crowd, "body.findings") or [] if each.get("rule") == "requests_wait"]
expect("a crowd is served in turn", (crowd["exit_code"], len(waits)), (0, 1))
# With half of the card fewer run, and serve less: 24 GiB of cache instead of 56.
rates = [value(ask("estimate", **{"model": "llama-3.1-8b", "framework": "vllm", "on": "h100-sxm5-80gb", "json": True,
                                  "concurrency": "1000", "memory-fraction": share}), "body.time.tokens_per_s")
         for share in ("0.5", "0.9")]
expect("a smaller share serves less", 0.6 < rates[0] / rates[1] < 0.95, True)
slots = ask("estimate", model="llama-3.1-8b", framework="llama.cpp", on="h100-sxm5-80gb", concurrency="1000", json=True)
expect("a slot for each", slots["exit_code"], 3)
# The plan that serves most, though not all at once: eight ways by tensor before eight stages.
both = ask("estimate", model="deepseek-v3", framework="vllm", on="h200-sxm-141gb:8", concurrency="512", json=True)
wide = ask("estimate", model="deepseek-v3", framework="vllm", on="h200-sxm-141gb:8", concurrency="512", tensor="8",
           json=True)
expect("the plan that serves most", value(both, "body.workload.parallel.tensor"), 8)
expect("a rate is there", (value(both, "body.time.tokens_per_s") or 0) > 0, True)
expect("stated or found", value(both, "body.time.tokens_per_s"), value(wide, "body.time.tokens_per_s"))

# A draft alike has the cube root of its share of layers and of heads: 1B of 70.6B is (1/70.6)^(2/3) of the cache.
drafted = ask("estimate", **{"model": "llama-3.1-70b", "framework": "vllm", "on": "h100-sxm5-80gb:4", "draft-tokens": "4",
                             "draft-parameters": "1B", "concurrency": "16", "json": True})["body"]
expect("a draft's cache", abs(part(drafted, "draft cache") / part(drafted, "kv cache") - (1 / 70.6) ** (2 / 3)) < 0.002, True)

print(f"{len(CASES)} files, {read_shapes} of {len(shapes)} shapes read, {models} estimated, {len(HOSTILE)} refused")
print("\n".join(failures))
sys.exit(1 if failures else 0)
