#!/usr/bin/env python3
"""Files of other tools as a user gives them: what is judged, what is kept in a translation, what is said.

Usage: files_test.py RIDGELINE SOURCE_FOLDER. Exit codes: 0 all right, 1 wrong.
"""
import os
import re
import tempfile

import asked
from asked import command, hold

folder = tempfile.mkdtemp()


def file(name, text):
    path = os.path.join(folder, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as out:
        out.write(text)
    return path


AXOLOTL = """base_model: meta-llama/Llama-3.1-8B-Instruct
adapter: qlora
load_in_4bit: true
lora_r: 32
lora_alpha: 16
lora_target_linear: true
sequence_len: 4096
sample_packing: true
micro_batch_size: 2
gradient_accumulation_steps: 4
optimizer: adamw_bnb_8bit
learning_rate: 0.000005
num_epochs: 4
val_set_size: 0.05
liger_rms_norm: true
bf16: true
flash_attention: true
gradient_checkpointing: true
datasets:
  - path: own/data
    type: chat_template
output_dir: ./out
"""


def a_translation_keeps_the_run():
    source = file("axolotl.yml", AXOLOTL)
    code, text, err = command("emit", "--from", source, "--to", "axolotl", "--on", "l40s")
    for line in ["base_model: meta-llama/Llama-3.1-8B-Instruct", "lora_alpha: 16", "num_epochs: 4", "sample_packing: true",
                 "learning_rate: 5.0e-06", "val_set_size: 0.05", "liger_rms_norm: true", "  - path: own/data"]:
        hold(f"axolotl to axolotl keeps {line}", code == 0 and line in text, text + err)
    code, text, err = command("emit", "--from", source, "--to", "llamafactory", "--on", "l40s")
    for line in ["model_name_or_path: meta-llama/Llama-3.1-8B-Instruct", "lora_alpha: 16", "num_train_epochs: 4",
                 "packing: true", "learning_rate: 5.0e-06"]:
        hold(f"axolotl to LLaMA-Factory keeps {line}", code == 0 and line in text, text + err)
    hold("what is lost is told", re.search("not carried over: .*datasets.*val_set_size", err), err)
    bare = file("bare.yml", AXOLOTL.replace("lora_alpha: 16\n", "").replace("learning_rate: 0.000005\n", ""))
    _, _, err = command("emit", "--from", bare, "--to", "llamafactory", "--on", "l40s")
    hold("values that the file does not state are told", "does not state: learning_rate" in err, err)


def the_weights_are_those_of_the_file():
    serve = file("serve.sh", "vllm serve meta-llama/Llama-3.1-70B-Instruct --tensor-parallel-size 4 --max-model-len 8192\n")
    for to in ["sglang", "vllm", "trtllm"]:
        _, text, err = command("emit", "--from", serve, "--to", to, "--on", "h100-sxm5-80gb:4")
        hold(f"vLLM to {to}", "meta-llama/Llama-3.1-70B-Instruct" in text.split("set -eu")[-1], text + err)
    stored = file("stored.sh", "trtllm-serve nvidia/Llama-3.1-70B-Instruct-FP8 --tp_size 2 --max_seq_len 8192\n")
    _, text, err = command("emit", "--from", stored, "--to", "vllm", "--on", "h100-sxm5-80gb:2")
    body = text.split("set -eu")[-1]
    hold("a checkpoint says itself how it is stored", "nvidia/Llama-3.1-70B-Instruct-FP8" in body and "--quantization" not in body, text)
    gguf = file("gguf.sh", "llama-server -hf unsloth/Qwen3-30B-A3B-GGUF:Q4_K_M -c 8192\n")
    _, text, err = command("emit", "--from", gguf, "--to", "llamacpp", "--on", "rtx-4090")
    hold("a repository of GGUF stays one", "-hf unsloth/Qwen3-30B-A3B-GGUF:Q4_K_M" in text, text + err)
    _, _, err = command("emit", "--to", "vllm", "--model", "llama-3.1-8b-instruct", "--task", "inference", "--on", "l40s")
    hold("a name of the base model is told", "put your weights there" in err, err)
    code, _, err = command("emit", "--to", "vllm", "--model", "llama-3.1-70b", "--task", "inference", "--on", "l40s")
    hold("what does not fit is told", code == 3 and "does not fit" in err, err)


def a_script_that_is_not_read_has_no_verdict():
    script = file("own.sh", "torchrun --nproc_per_node 8 own_training.py --model x --bs 32 --seq 8192\n")
    code, out, err = command("check", script, "--on", "h100-sxm5-80gb:8", "--model", "llama-3.1-8b")
    hold("check of an unknown script", code == 0 and "not judged" in out and "own_training.py" in out, out)
    hold("each of its flags is named", "--bs" in err and "--seq" in err, err)
    code, out, _ = command("estimate", "--from", script, "--on", "h100-sxm5-80gb:8", "--model", "llama-3.1-8b")
    hold("estimate of an unknown script", "Not judged: own_training.py" in out, out)
    code, out, _ = command("check", script, "--on", "h100-sxm5-80gb:8", "--model", "llama-3.1-8b", "--strict")
    hold("strict of an unknown script", code == 3, out)


def each_machine_of_a_task_has_its_own_variables():
    for name, places in [("map", "{L40S: 4, A100-80GB: 2, H100: 1}"), ("set", "{L40S:4, A100-80GB:2, H100:1}"),
                         ("list", "[L40S:4, A100-80GB:2, H100:1]")]:
        task = file(f"{name}.yaml", f"resources:\n  accelerators: {places}\nrun: |\n  vllm serve Qwen/Qwen2.5-32B-Instruct "
                    "--tensor-parallel-size $SKYPILOT_NUM_GPUS_PER_NODE --max-model-len 16384\n")
        code, out, err = command("check", task)
        hold(f"{name}: all are judged", code == 0 and out.count("fit") >= 3 and "does not fit" not in out, out + err)
        hold(f"{name}: ranks of each", sorted(re.findall(r"--tensor (\d)", err)) == ["1", "2", "4"], err)
        hold(f"{name}: no copies", "copies" not in err, err)


def a_server_takes_the_cards_that_its_tool_takes():
    launcher = file("tgi.sh", "text-generation-launcher --model-id meta-llama/Llama-3.1-70B-Instruct --max-total-tokens 8192\n")
    code, out, err = command("check", launcher, "--on", "a100-sxm4-80gb:4")
    hold("TGI shards over all cards", code == 0 and "**fits**" in out, out + err)
    one = file("tgi1.sh", "text-generation-launcher --model-id meta-llama/Llama-3.1-70B-Instruct --max-total-tokens 8192 --sharded false\n")
    code, out, _ = command("check", one, "--on", "a100-sxm4-80gb:4")
    hold("TGI that does not shard", code == 3, out)


def each_run_of_a_file_is_judged():
    servers = file("two.sh", "vllm serve meta-llama/Llama-3.1-8B-Instruct --max-model-len 8192 --gpu-memory-utilization 0.8 &\n"
                   "vllm serve Qwen/Qwen2.5-14B-Instruct --max-model-len 8192 --gpu-memory-utilization 0.5 --port 8001 &\n")
    code, out, _ = command("check", servers, "--on", "rtx-4090")
    hold("the second of two servers", code == 3 and "Llama-3.1-8B-Instruct) on 1 x" in out and "**fits**" in out
         and "Qwen2.5-14B-Instruct) on 1 x" in out, out)
    _, _, err = command("estimate", "--from", servers, "--on", "rtx-4090")
    hold("estimate names the other", "another is vLLM command line of Qwen/Qwen2.5-14B-Instruct" in err, err)
    compose = file("compose.yaml", "services:\n  chat:\n    image: vllm/vllm-openai:latest\n    command: --model Qwen/Qwen2.5-7B-Instruct "
                   "--max-model-len 8192\n    deploy: {resources: {reservations: {devices: [{driver: nvidia, device_ids: ['0', '1'],"
                   " capabilities: [gpu]}]}}}\n  large:\n    image: vllm/vllm-openai:latest\n    command: --model Qwen/Qwen2.5-72B-Instruct "
                   "--max-model-len 8192 --tensor-parallel-size 4\n    deploy: {resources: {reservations: {devices: [{driver: nvidia, count: 4,"
                   " capabilities: [gpu]}]}}}\n")
    code, out, err = command("check", compose, "--on", "a100-sxm4-80gb")
    hold("services have cards of their own", code == 0 and "on 2 x" in out and "on 4 x" in out, out + err)
    twice = file("twice.sh", "if a; then\n vllm serve Qwen/Qwen2.5-7B-Instruct\nelse\n vllm serve Qwen/Qwen2.5-7B-Instruct\nfi\n")
    code, out, _ = command("check", twice, "--on", "l40s")
    hold("the same server twice is one run", out.count("Qwen2.5-7B") == 0 and "**fits**" in out, out)
    beside = file("beside.sh", "vllm serve Qwen/Qwen2.5-7B-Instruct &\ntrl sft --model_name_or_path Qwen/Qwen2.5-1.5B "
                  "--per_device_train_batch_size 1 --max_length 1024\n")
    _, out, _ = command("estimate", "--from", beside, "--on", "l40s")
    hold("training is meant where a server runs beside it", "qwen2.5-1.5b" in out, out)


def copies_of_a_server_are_told():
    pods = file("pods.yaml", "apiVersion: apps/v1\nkind: Deployment\nspec:\n  replicas: 3\n  template:\n    spec:\n      containers:\n"
                "        - name: a\n          image: vllm/vllm-openai:latest\n          args: ['--model', 'Qwen/Qwen2.5-7B-Instruct']\n"
                "          resources: {limits: {nvidia.com/gpu: 1}}\n---\napiVersion: v1\nkind: Service\nspec:\n  ports: [{port: 80}]\n")
    _, _, err = command("estimate", "--from", pods, "--on", "l40s")
    hold("replicas", "3 copies of the server" in err and "unknown: spec" not in err, err)


asked.run(globals())
