#!/usr/bin/env python3
"""Files of other tools as a user gives them: what is judged, what is kept in a translation, what is said.

Usage: files_test.py RIDGELINE SOURCE_FOLDER. Exit codes: 0 all right, 1 wrong.
"""
import os
import re
import shlex
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
    hold("what is lost is told", re.search("not carried over: .*datasets", err) and "val_set_size" not in err.split("not carried")[1], err)
    hold("the share that is evaluated is kept", "val_size: 0.05" in text, text)
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
    servers = file("two.sh", "vllm serve meta-llama/Llama-3.1-8B-Instruct --max-model-len 8192 --gpu-memory-utilization 0.85 &\n"
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


LLAMAFACTORY = """model_name_or_path: Qwen/Qwen2.5-7B-Instruct
stage: sft
finetuning_type: lora
lora_rank: 8
lora_target: all
template: qwen
cutoff_len: 2048
per_device_train_batch_size: 1
gradient_accumulation_steps: 8
bf16: true
val_size: 0.1
per_device_eval_batch_size: 1
eval_strategy: steps
eval_steps: 500
"""


def a_translation_keeps_how_a_run_evaluates_and_what_its_tool_does_unsaid():
    source = file("lf.yaml", LLAMAFACTORY)
    code, text, err = command("emit", "--from", source, "--to", "axolotl", "--on", "rtx-4090")
    for line in ["val_set_size: 0.1", "eval_batch_size: 1", "eval_strategy: steps", "eval_steps: 500"]:
        hold(f"LLaMA-Factory to axolotl keeps {line}", code == 0 and line in text, text + err)
    # Unsaid, LLaMA-Factory scales adapters by twice their rank, and learns at 5e-5 over 3 epochs.
    for line in ["lora_alpha: 16", "num_epochs: 3.0", "learning_rate: 5.0e-05"]:
        hold(f"what LLaMA-Factory does unsaid: {line}", line in text, text)
    code, text, err = command("emit", "--from", source, "--to", "llamafactory", "--on", "rtx-4090")
    hold("the same tool", code == 0 and "learning_rate: 5.0e-05" in text and "eval_steps: 500" in text, text + err)


def two_servers_of_one_model_are_two():
    service = ("    image: vllm/vllm-openai:v0.10.0\n    command: [--model, Qwen/Qwen2.5-7B-Instruct, --max-model-len, '8192', --gpu-memory-utilization, '{}']\n"
               "    deploy: {{resources: {{reservations: {{devices: [{{driver: nvidia, device_ids: [{}], capabilities: [gpu]}}]}}}}}}\n")
    for shares, cards, wanted in [(("0.6", "0.6"), ("'0'", "'0'"), 3), (("0.45", "0.45"), ("'0'", "'0'"), 0), (("0.6", "0.6"), ("'0'", "'1'"), 0),
                                  (("0.6", "0.6"), ("'1', '0'", "'0', '1'"), 0), (("0.6", "0.6"), ("'0', '1'", "'0'"), 3)]:
        two = file("pair.yaml", "services:\n  a:\n" + service.format(shares[0], cards[0]) + "  b:\n" + service.format(shares[1], cards[1]))
        code, out, err = command("check", two, "--on", "l40s", "--free-gib", "44")
        hold(f"{shares} of {cards}", code == wanted and out.count("service a)") == 1 and out.count("service b)") == 1, out + err)
        hold(f"{shares} of {cards} in words", ("take 1.2 of card 0" in out) == (wanted == 3), out)


def a_longest_request_that_no_file_states_is_that_of_the_tool():
    # 32,768 tokens of Qwen2.5-32B are 64 layers x 2 x 8 heads x 128 x 2 bytes: 8 GiB beside 18.5 of weights.
    whole = file("whole.sh", "llama-server -m qwen2.5-32b-instruct-q4_k_m.gguf -ngl 99 -c 0\n")
    code, out, err = command("check", whole, "--on", "rtx-4090")
    hold("-c 0 is the model's own context", code == 3 and re.search("of (131072|32768) tokens", out), out + err)
    for name, line, tokens, words in [
            ("open.sh", "llama-server -m qwen2.5-32b-instruct-q4_k_m.gguf -ngl 99", 4096, "room for"),
            ("sg.sh", "python -m sglang.launch_server --model-path Qwen/Qwen2.5-32B-Instruct --tp 1", 1536, "room for"),
            ("tgi.sh", "text-generation-launcher --model-id bigcode/starcoder2-15b", 1536, "room for"),
            ("trt.sh", "trtllm-serve Qwen/Qwen2.5-7B-Instruct --tp_size 1", 1536, "room for"),
            ("ollama.sh", "ollama run qwen2.5:7b", 32768, "beside this memory")]:
        path = file(name, line + "\n")
        on = "h100-sxm5-80gb" if name != "open.sh" and name != "ollama.sh" else "rtx-4090"
        code, out, err = command("check", path, "--on", on)
        hold(f"{line}: tokens", code == 0 and f"of {tokens} tokens" in out, out + err)
        hold(f"{line}: told", "the longest request: none is stated" in out and words in out, out)
        _, _, err = command("estimate", "--from", path, "--on", on)
        hold(f"{line}: told by estimate", re.search(r"defaulted: .*--input-tokens", err), err)
    small = file("small.sh", "ollama run llama3.1:8b\n")
    _, out, _ = command("check", small, "--on", "rtx-3060")
    hold("Ollama beside less memory", "of 4096 tokens" in out, out)
    model = file("Modelfile", "FROM llama3.1:8b\nPARAMETER num_ctx 200000\n")
    _, out, err = command("check", model, "--on", "h100-sxm5-80gb")
    hold("Ollama cuts a length at the model's", "of 131072 tokens" in out and "num_ctx 200000 is cut" in err, out + err)


def a_length_beyond_the_model_is_told():
    for line in ["vllm serve meta-llama/Llama-3.1-8B-Instruct --max-model-len 262144",
                 "python3 -m sglang.launch_server --model-path meta-llama/Llama-3.1-8B-Instruct --tp 1 --context-length 262144"]:
        code, out, err = command("check", file("long.sh", line + "\n"), "--on", "h100-sxm5-80gb")
        hold(line, code == 0 and "**not judged**" in out and "131072 positions" in out, out + err)
        _, out, _ = command("estimate", "--from", file("long.sh", line + "\n"), "--on", "h100-sxm5-80gb")
        hold(f"{line}: estimate", out.startswith("Not judged") and "131072 positions" in out, out)
    scaled = file("scaled.sh", "vllm serve meta-llama/Llama-3.1-8B-Instruct --max-model-len 262144 --hf-overrides '{\"max_position_embeddings\": 262144}'\n")
    _, out, _ = command("check", scaled, "--on", "h100-sxm5-80gb")
    hold("a length that other positions allow", "**fits**" in out, out)


def keys_that_contradict_are_told():
    lora = "base_model: meta-llama/Llama-3.1-8B\nadapter: lora\nlora_r: 16\nsequence_len: 4096\nmicro_batch_size: 2\n"
    for keys, named in [("load_in_8bit: true\nload_in_4bit: true\n", "load_in_8bit"),
                        ("deepspeed: deepspeed_configs/zero3.json\nfsdp: [full_shard]\n", "fsdp")]:
        code, out, err = command("check", file("both.yml", lora + keys), "--on", "h100-sxm5-80gb:4")
        hold(keys, code == 4 and named in err and "refuses them together" in err, out + err)
    off = file("off.yml", lora + "load_in_8bit: true\nload_in_4bit: false\ndeepspeed:\nfsdp: [full_shard]\n")
    code, out, err = command("check", off, "--on", "h100-sxm5-80gb:4")
    hold("what is turned off contradicts nothing", code == 0, out + err)
    keys = file("keys.sh", "llama-server -m Qwen3-8B-Q4_K_M.gguf -c 8192 -ctk q8_0 -ctv f16\n")
    _, _, err = command("check", keys, "--on", "rtx-4090")
    hold("two keys of one option", "-ctk (overruled by -ctv)" in err, err)
    twice = file("again.sh", "vllm serve meta-llama/Llama-3.1-8B-Instruct --max-model-len 4096 --max-model-len 8192\n")
    _, out, err = command("check", twice, "--on", "l40s")
    hold("a flag that stands twice", "of 8192 tokens" in out and "it stands again with 8192" in err, out + err)


def check_and_estimate_answer_alike():
    alike = [(["--model", "llama-3.1-8b"], "l40s"),
             (["--model", "llama-3.1-8b", "--task", "inference", "--framework", "vllm", "--concurrency", "200"], "l40s"),
             (["--model", "llama-3.1-70b", "--method", "qlora"], "rtx-4090:2"),
             ([file("q.yml", AXOLOTL)], "rtx-4090"),
             ([file("awq.sh", "vllm serve Qwen/Qwen2.5-72B-Instruct-AWQ --tensor-parallel-size 2 --max-model-len 16384 "
                              "--max-num-seqs 64 --kv-cache-dtype fp8\n")], "rtx-4090:2")]
    for words, on in alike:
        body, code = asked.document("check", *words, "--on", on)
        other, again = asked.document("estimate", *(["--from"] if len(words) == 1 else []), *words, "--on", on)
        first, memory = body["steps"][0], other["memory"]
        verdict = {"yes": "fits", "barely": "may not fit"}.get(memory["verdict"], "does not fit")
        hold(f"{words}: the verdict", first["verdict"] == verdict or (verdict, first["verdict"]) == ("does not fit", "may not fit"), first)
        peaks = [step["peak_gib"] for step in body["steps"]]
        hold(f"{words}: the peak", any(abs(peak / memory["peak_gib"] - 1) < 1e-6 for peak in peaks), (peaks, memory["peak_gib"]))
        hold(f"{words}: the code", code == (3 if body["verdict"] == "does not fit" else 0), (code, again))
    recipe = file("recipe.yaml", "model: {_component_: torchtune.models.llama3_1.lora_llama3_1_8b, lora_rank: 8, lora_attn_modules: [q_proj]}\n"
                  "tokenizer: {_component_: torchtune.models.llama3.llama3_tokenizer, max_seq_len: null}\nbatch_size: 1\ndtype: bf16\n"
                  "enable_activation_checkpointing: true\nloss: {_component_: torchtune.modules.loss.LinearCrossEntropyLoss}\n"
                  "optimizer: {_component_: torch.optim.AdamW, fused: true}\n")
    code, out, err = command("check", recipe, "--on", "rtx-4090")
    hold("a length that nobody said fails nothing", code == 0 and "**fits**" in out and "does not fit, not asked" in out, out + err)


def a_file_is_read_from_a_pipe():
    source = file("piped.yml", AXOLOTL)
    for name in ["/dev/stdin", "-"]:
        with open(source, encoding="utf-8") as text:
            run = asked.subprocess.run([asked.RIDGELINE, "check", name, "--on", "l40s"], stdin=text, capture_output=True, text=True, check=False)
        hold(f"check {name}", run.returncode == 0 and "**fits**" in run.stdout, run.stdout + run.stderr)


def what_is_read_asks_the_same_again():
    files = {"vllm.sh": "vllm serve meta-llama/Llama-3.1-8B-Instruct --max-model-len 8192 --max-num-seqs 16\n",
             "eager.sh": "vllm serve Qwen/Qwen2.5-7B-Instruct --max-model-len 4096 --enforce-eager --gpu-memory-utilization 0.5\n",
             "axolotl.yml": AXOLOTL, "lf.yaml": LLAMAFACTORY,
             "sglang.sh": "python3 -m sglang.launch_server --model-path Qwen/Qwen2.5-7B-Instruct --tp 1 --chunked-prefill-size 2048\n",
             "gguf.sh": "llama-server -m Qwen3-8B-Q6_K.gguf -c 16384 -ctk q8_0 -ctv q8_0 -ngl 20\n"}
    for name, text in files.items():
        _, out, err = command("advise", "--from", file(name, text), "--on", "l40s")
        said = re.search(r"Read as  (.*?)\n(?! {9})", out, re.S)
        hold(f"{name} has a reading", said, out + err)
        if said:
            _, again, err = command("advise", *shlex.split(said[1]))
            hold(f"{name} asked again", again.split("Read as")[0] == out.split("Read as")[0], out + again + err)


def compare_says_what_estimate_says():
    source = file("near.yml", AXOLOTL)
    words = {"yes": "fits", "barely": "barely", "no": "does not fit"}
    body, _ = asked.document("compare", "rtx-4090", "l40s", "l4", "--from", source)
    for part, told in zip(["rtx-4090", "l40s", "l4"], body["accelerators"]):
        row = next(text for name, text in told["features"].items() if name.endswith(" on 1"))
        other, _ = asked.document("estimate", "--from", source, "--on", part)
        hold(f"compare of {part}", row == words[other["memory"]["verdict"]], (row, other["memory"]["verdict"]))


asked.run(globals())
