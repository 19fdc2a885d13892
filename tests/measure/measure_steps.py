#!/usr/bin/env python3
"""Training steps of Llama-like models on this machine, as evidence rows.

    python measure_steps.py --device cpu|cuda --accelerator ID --out rows.json
    python measure_steps.py --device cpu|cuda --accelerator ID --products --out products.json

Needs torch, transformers and peft. `--products` measures the matrix products of torch's own library
instead, for `ridgeline calibrate fit`: on a CPU it is another than the one that the probe opens. Each configuration runs in a process of its own, so that the
counters of memory start at nothing. A row holds the median of the step times after two steps that
warm up; on CUDA also the peak of what the allocator handed out, of what it reserved, and of what the
device had in use. Data: random tokens, seed 0.
"""

import argparse
import datetime
import json
import statistics
import subprocess
import sys
import time

TARGETS = ["q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"]

# name: (layers, hidden, heads, key/value heads, intermediate, vocabulary, micro-batch, tokens)
CPU_MODELS = {
    "llama-52m": (8, 512, 8, 4, 1408, 32000, 2, 256),
    "llama-99m": (8, 768, 12, 4, 2048, 32000, 2, 512),
    "llama-240m": (12, 1024, 16, 8, 4096, 32000, 1, 512),
}
CUDA_MODELS = {
    "llama-1b": (16, 2048, 32, 8, 8192, 128256, 4, 2048),
    "llama-3b": (28, 3072, 24, 8, 8192, 128256, 2, 4096),
    "llama-8b-half": (16, 4096, 32, 8, 14336, 128256, 1, 4096),
}
# Tokens and weights (n, k) of the products.
PRODUCT_TOKENS = [1, 8, 32, 128, 256, 512, 1024, 2048]
CPU_WEIGHTS = [(1024, 1024), (2048, 768), (768, 2048), (4096, 1024), (32000, 768)]
CUDA_WEIGHTS = [(4096, 4096), (14336, 4096), (4096, 14336), (1024, 4096), (128256, 4096)]
METHODS = [("full", "none"), ("full", "full"), ("lora", "none"), ("lora", "full")]


def workload(device, name, method, recompute):
    layers, hidden, heads, kv_heads, wide, vocabulary, micro, tokens = models_of(device)[name]
    precision = "fp32" if device == "cpu" else "bf16"
    return {
        "schema": "ridgeline/workload/1",
        "name": f"{name} {method}, recompute {recompute}",
        "model": {
            "model_type": "llama", "name": name, "hidden_size": hidden, "num_hidden_layers": layers,
            "num_attention_heads": heads, "num_key_value_heads": kv_heads,
            "head_dim": hidden // heads, "intermediate_size": wide, "vocab_size": vocabulary,
            "tie_word_embeddings": False, "hidden_act": "silu", "rms_norm_eps": 1e-5,
            "position_embedding_type": "rope", "attention_bias": False, "mlp_bias": False},
        "task": "train", "method": method,
        "software": {"framework": "hf-trainer", "attention": "sdpa", "compile": False},
        "precision": {"weights": precision, "compute": precision, "gradients": precision,
                      "master_weights": "none"},
        "optimizer": {"name": "adamw", "state": precision, "implementation": "fused"},
        "lora": None if method == "full" else
                {"rank": 16, "targets": TARGETS, "weights": precision, "dropout": 0},
        "batch": {"micro": micro, "global": micro, "sequence_length": tokens},
        "recompute": recompute,
    }


def models_of(device):
    return CPU_MODELS if device == "cpu" else CUDA_MODELS


def run_one(device, name, method, recompute, steps):
    """Measured figures of one configuration, in this process."""
    import torch
    import transformers

    layers, hidden, heads, kv_heads, wide, vocabulary, micro, tokens = models_of(device)[name]
    torch.manual_seed(0)
    dtype = torch.float32 if device == "cpu" else torch.bfloat16
    config = transformers.LlamaConfig(
        hidden_size=hidden, num_hidden_layers=layers, num_attention_heads=heads,
        num_key_value_heads=kv_heads, intermediate_size=wide, vocab_size=vocabulary,
        rms_norm_eps=1e-5, tie_word_embeddings=False, attn_implementation="sdpa",
        use_cache=False)
    with torch.device(device):
        model = transformers.LlamaForCausalLM(config).to(dtype)
    if method == "lora":
        import peft
        model = peft.get_peft_model(model, peft.LoraConfig(
            r=16, lora_alpha=32, lora_dropout=0.0, target_modules=TARGETS))
        model.to(dtype)
    if recompute == "full":
        if method == "lora":
            model.enable_input_require_grads()
        model.gradient_checkpointing_enable(
            gradient_checkpointing_kwargs={"use_reentrant": False})
    model.train()
    optimizer = torch.optim.AdamW([p for p in model.parameters() if p.requires_grad], fused=True)
    ids = torch.randint(0, vocabulary, (micro, tokens), device=device)
    free_before = torch.cuda.mem_get_info()[0] if device == "cuda" else 0
    times = []
    for _ in range(steps + 2):
        begin = time.perf_counter()
        model(input_ids=ids, labels=ids).loss.backward()
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        if device == "cuda":
            torch.cuda.synchronize()
        times.append(time.perf_counter() - begin)
    times = sorted(times[2:])
    found = {"step_time_s": statistics.median(times), "least_s": times[0], "steps": steps,
             "torch": torch.__version__, "transformers": transformers.__version__}
    if device == "cuda":
        gib = 2.0**30
        found["allocated"] = torch.cuda.max_memory_allocated() / gib
        found["reserved"] = torch.cuda.max_memory_reserved() / gib
        free, total = torch.cuda.mem_get_info()
        found["device"] = (total - free) / gib
        found["device_before"] = (total - free_before) / gib
        found["name"] = torch.cuda.get_device_name()
    return found


def product_rows(device, accelerator):
    """A row for each product: the least of repeated times, as a probe of a shared machine takes."""
    import torch

    dtype = torch.float32 if device == "cpu" else torch.bfloat16
    compute = "fp32" if device == "cpu" else "bf16"
    rows = []
    for n, k in CPU_WEIGHTS if device == "cpu" else CUDA_WEIGHTS:
        weights = [torch.randn(n, k, device=device, dtype=dtype)
                   for _ in range(max(1, 2**27 // (n * k)))]  # rotated: beyond any cache
        for m in PRODUCT_TOKENS:
            tokens = torch.randn(m, k, device=device, dtype=dtype)
            times = []
            begin = time.perf_counter()
            while len(times) < 5 or (time.perf_counter() - begin < 0.7 and len(times) < 100):
                weight = weights[len(times) % len(weights)]
                start = time.perf_counter()
                torch.nn.functional.linear(tokens, weight)
                if device == "cuda":
                    torch.cuda.synchronize()
                times.append(time.perf_counter() - start)
            rows.append({
                "id": f"own-{accelerator}-torch-{compute}-{m}-{n}-{k}", "quantity": "gemm",
                "source": own_source(), "quality": "A",
                "group": f"own|{accelerator}|{compute}|n{n}k{k}",
                "workload": {
                    "schema": "ridgeline/workload/1", "name": f"gemm {m}x{n}x{k} {compute}",
                    "task": "kernel", "software": {"framework": "generic"},
                    "precision": {"compute": compute},
                    "kernel": {"operation": "gemm", "m": m, "n": n, "k": k}},
                "hardware": one_device(accelerator),
                "measured": {"time_us": round(1e6 * min(times), 2)},
                "assumptions": [f"torch {torch.__version__}, least of {len(times)}"]})
    return rows


def own_source():
    return {"repo": "ridgeline", "path": "tests/measure/measure_steps.py",
            "commit": f"measured {datetime.date.today()}", "url": "tests/measure/README.md"}


def one_device(accelerator):
    return {"accelerator": accelerator, "count": 1, "per_node": 1, "fabric": None, "note": None}


def rows_of(device, accelerator, name, method, recompute, found):
    """The rows of one configuration: its time, and on CUDA its memory by two counters."""
    stem = f"own-{accelerator}-{name}-{method}-{'ckpt' if recompute == 'full' else 'keep'}"
    shared = {
        "source": own_source(),
        "quality": "A",
        "group": f"own/{accelerator}/{name}/{method}",
        # Transformers 5 trains otherwise: a row of an older one says the month of 4.57.
        **({"release": "2025-10"} if int(found["transformers"].split(".")[0]) < 5 else {}),
        "workload": workload(device, name, method, recompute),
        "hardware": one_device(accelerator),
        "assumptions": [
            f"torch {found['torch']}, transformers {found['transformers']}, median of "
            f"{found['steps']} steps, least {found['least_s']:.3f} s"],
    }
    rows = [{"id": stem + "-time", "quantity": "train_time", **shared,
             "measured": {"step_time_s": round(found["step_time_s"], 4)}}]
    for counter in ("allocated", "reserved"):
        if counter in found:
            rows.append({"id": f"{stem}-{counter}", "quantity": "memory", **shared,
                         "measured": {"peak_memory_gib": round(found[counter], 3),
                                      "memory_counter": counter}})
    return rows


def step_rows(arguments):
    """All configurations one after the other; one that fails is named and left out."""
    rows = []
    for name in models_of(arguments.device):
        for method, recompute in METHODS:
            command = [sys.executable, __file__, "--device", arguments.device, "--steps",
                       str(arguments.steps), "--one", name, method, recompute]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            if done.returncode != 0:
                print(f"{name} {method} {recompute}: {done.stderr.strip().splitlines()[-1:]}",
                      file=sys.stderr)
                continue
            found = json.loads(done.stdout.splitlines()[-1])
            print(f"{name} {method} {recompute}: {found['step_time_s']:.3f} s", file=sys.stderr)
            rows += rows_of(arguments.device, arguments.accelerator, name, method, recompute, found)
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--device", choices=["cpu", "cuda"], required=True)
    parser.add_argument("--accelerator", default="local-cpu", help="catalog id")
    parser.add_argument("--out", default="-")
    parser.add_argument("--steps", type=int, default=9)
    parser.add_argument("--products", action="store_true")
    parser.add_argument("--one", nargs=3, metavar=("MODEL", "METHOD", "RECOMPUTE"))
    arguments = parser.parse_args()
    if arguments.one:
        print(json.dumps(run_one(arguments.device, *arguments.one, arguments.steps)))
        return
    rows = (product_rows(arguments.device, arguments.accelerator) if arguments.products
            else step_rows(arguments))
    text = json.dumps({"schema": "ridgeline/evidence/1", "rows": rows}, indent=1) + "\n"
    if arguments.out == "-":
        sys.stdout.write(text)
    else:
        with open(arguments.out, "w", encoding="utf-8") as file:
            file.write(text)


if __name__ == "__main__":
    main()
