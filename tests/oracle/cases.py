"""The cases that trace_all.py writes to tests/evidence/oracle."""

QV = ["q_proj", "v_proj"]
ALL = ["q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"]

# Parameters of fused experts, which PEFT adapts by target_parameters.
EXPERTS = ["experts.gate_up_proj", "experts.down_proj"]

FULL = dict(method="full")
MIXED = dict(method="full", weights="float32", autocast=True)


def lora(targets, **more):
    return dict(method="lora", targets=targets, **more)


def huggingface_cases():
    """(model, name, what differs from huggingface_steps.BASE)."""
    cases = []

    def add(model, name, **what):
        cases.append((model, name, what))

    for model in ("llama-3.2-1b", "llama-2-7b"):
        add(model, "full", **FULL, batch=2)
        add(model, "full-fused", **FULL, optimizer="fused", length=256)
        add(model, "lora-qv-dropout", **lora(QV), autocast=True, dropout=0.05, batch=2)
    model = "llama-3.1-8b"
    add(model, "full", **FULL)
    add(model, "full-b2", **FULL, batch=2)
    add(model, "full-4096", **FULL, length=4096)
    add(model, "full-checkpointing", **FULL, checkpointing=True, length=4096)
    add(model, "full-fused", **FULL, optimizer="fused", length=2048)
    add(model, "mixed", **MIXED)
    add(model, "mixed-checkpointing", **MIXED, checkpointing=True)
    add(model, "eager", **FULL, attention="eager")
    add(model, "lora-qv", **lora(QV), autocast=True)
    add(model, "lora-qv-dropout", **lora(QV), autocast=True, dropout=0.05, batch=2)
    add(model, "lora-qv-plain", **lora(QV))
    add(model, "lora-all", **lora(ALL), autocast=True)
    add(model, "lora-all-dropout", **lora(ALL), autocast=True, dropout=0.05)
    add(model, "lora-all-plain", **lora(ALL), dropout=0.05)
    add(model, "lora-all-bf16", **lora(ALL), adapter="bfloat16")
    add(model, "lora-checkpointing", **lora(ALL), autocast=True, checkpointing=True,
        length=2048)
    for model in ("qwen2-1.5b", "qwen3-4b", "gemma-2b", "gemma-2-2b", "gemma-3-1b", "mistral-7b",
                  "phi-3-mini", "phi-1.5", "gpt2", "gpt-neox-20b", "falcon-7b", "mixtral-8x7b",
                  "deepseek-v2-lite", "gpt-oss-20b", "bert-base", "t5-base"):
        # gpt-oss has no kernel but eager among those that torch brings; Gemma 2's soft cap neither.
        kernel = dict(attention="eager") if model in ("gpt-oss-20b", "gemma-2-2b") else {}
        add(model, "full", **FULL, length=512, batch=2, **kernel)
        add(model, "mixed", **MIXED, length=512, batch=2, **kernel)
        if model in ("gpt2", "bert-base", "qwen3-4b", "t5-base"):
            add(model, "full-eager", **FULL, length=512, batch=2, attention="eager")
    for model, batch in (("vit-base", 8), ("vit-base-384", 2)):
        add(model, "full", **FULL, batch=batch)
        add(model, "mixed", **MIXED, batch=batch)
        add(model, "full-eager", **FULL, batch=batch, attention="eager")
        add(model, "full-checkpointing", **FULL, batch=4 * batch, checkpointing=True)
        add(model, "lora", **lora(["q_proj", "v_proj"]), batch=4 * batch)
        add(model, "lora-checkpointing", **lora(["q_proj", "v_proj"]), batch=16 * batch,
            autocast=True, checkpointing=True)
    for model, targets in (("t5-base", ["q", "v"]), ("t5-v1.1-base", ["q", "v"]),
                           ("bert-base", ["query", "value"])):
        for length, batch in ((512, 4), (256, 16)):
            name = f"-{length}"
            add(model, "full-adamw" + name, **FULL, length=length, batch=batch)
            add(model, "full-checkpointing" + name, **FULL, length=length, batch=batch,
                checkpointing=True)
            add(model, "lora" + name, **lora(targets), length=length, batch=batch)
            add(model, "lora-autocast" + name, **lora(targets), length=length, batch=batch,
                autocast=True)
            add(model, "lora-checkpointing" + name, **lora(targets), length=length, batch=batch,
                autocast=True, checkpointing=True)
    for length, batch in ((512, 1), (1024, 2)):
        kernel = dict(length=length, batch=batch, attention="eager")
        add("gpt-oss-20b", f"full-checkpointing-{length}", **FULL, checkpointing=True, **kernel)
        add("gpt-oss-20b", f"lora-{length}", **lora(ALL[:4]), **kernel)
        add("gpt-oss-20b", f"lora-autocast-{length}", **lora(ALL[:4]), autocast=True, **kernel)
        add("gpt-oss-20b", f"lora-checkpointing-{length}", **lora(ALL[:4]), autocast=True,
            checkpointing=True, **kernel)
    for model in ("mixtral-8x7b", "gpt-oss-20b"):
        kernel = dict(attention="eager") if model == "gpt-oss-20b" else {}
        experts = lora(QV + EXPERTS)
        add(model, "lora-experts", **experts, **kernel)
        add(model, "lora-experts-autocast", **experts, autocast=True, **kernel)
        add(model, "lora-experts-checkpointing", **experts, autocast=True, checkpointing=True,
            length=2048, **kernel)
    model = "llama-3.1-8b"
    for model in ("qwen2-1.5b", "llama-3.1-8b"):
        add(model, "lora-dora", **lora(ALL), dora=True)
        add(model, "lora-dora-dropout", **lora(ALL), dora=True, dropout=0.05)
        add(model, "lora-dora-autocast", **lora(ALL), dora=True, autocast=True, batch=2)
        add(model, "lora-dora-bf16", **lora(QV, adapter="bfloat16"), dora=True, length=4096)
        add(model, "lora-dora-checkpointing", **lora(ALL), dora=True, checkpointing=True)
        add(model, "lora-dora-dropout-checkpointing", **lora(ALL), dora=True, autocast=True,
            dropout=0.05, checkpointing=True, length=2048)
    add(model, "lora-rslora", **lora(ALL), rslora=True)
    add(model, "lora-head", **lora(ALL + ["lm_head"]))
    add(model, "lora-embedding", **lora(QV + ["embed_tokens"]))
    add(model, "lora-accumulation", **lora(ALL), micro_batches=2, autocast=True)
    add(model, "full-accumulation", **FULL, micro_batches=2)
    add("qwen2-1.5b", "full-accumulation", **FULL, micro_batches=2, length=2048)
    add(model, "full-packed", **FULL, packed=True)
    for model in ("qwen2-1.5b", "gemma-2b", "mixtral-8x7b"):
        add(model, "lora-qv", **lora(QV), autocast=True)
        add(model, "lora-qv-checkpointing", **lora(QV), autocast=True, checkpointing=True)
    return cases


def qlora(targets, kind="nf4-dq", **more):
    return dict(dict(method="qlora", targets=targets, quantization=kind), **more)


def quantized_cases():
    """bitsandbytes layers after the k-bit preparation: plain loop that holds its outputs, Trainer."""
    cases = []

    def add(model, name, **what):
        cases.append((model, name, what))

    plain = dict(holds_outputs=True, weights="float16", compute="fp16")
    attention = ALL[:4]
    for model in ("qwen2-1.5b", "llama-3.1-8b", "llama-2-7b"):
        add(model, "nf4-checkpointing", **qlora(attention, "nf4", checkpointing=True, **plain))
        add(model, "nf4-dq-checkpointing-2048",
            **qlora(attention, checkpointing=True, length=2048, **plain))
        add(model, "nf4-dq-eager-checkpointing",
            **qlora(attention, attention="eager", checkpointing=True, **plain))
        add(model, "nf4-dq-trainer",
            **qlora(attention, autocast=True, checkpointing=True, dropout=0.05))
    model = "llama-3.1-8b"
    add(model, "nf4-dq-all", **qlora(ALL, **plain))
    add(model, "nf4-dq-all-bf16", **qlora(ALL, holds_outputs=True))
    add(model, "nf4-dq-qv-b2", **qlora(QV, batch=2, length=512, **plain))
    add(model, "nf4-dq-all-trainer", **qlora(ALL, autocast=True, dropout=0.05))
    add(model, "nf4-dq-eager", **qlora(attention, attention="eager", **plain))
    add(model, "nf4-dq-all-dropout-checkpointing",
        **qlora(ALL, dropout=0.1, checkpointing=True, **plain))
    add(model, "nf4-dq-accumulation",
        **qlora(ALL, checkpointing=True, micro_batches=2, **plain))
    add(model, "nf4-dq-dora", **qlora(ALL, dora=True, **plain))
    add(model, "nf4-dq-dora-trainer",
        **qlora(ALL, dora=True, autocast=True, checkpointing=True, dropout=0.05))
    add(model, "int8-checkpointing", **qlora(attention, "int8", checkpointing=True, **plain))
    add(model, "int8-all", **qlora(ALL, "int8", **plain))
    add(model, "int8-trainer", **qlora(attention, "int8", autocast=True, checkpointing=True))
    for model in ("gemma-2b", "mistral-7b", "phi-3-mini", "gemma-2-2b", "qwen3-4b"):
        targets = attention if model != "phi-3-mini" else ["qkv_proj", "o_proj"]
        kernel = dict(plain, attention="eager" if model == "gemma-2-2b" else "sdpa")
        add(model, "nf4-dq-checkpointing", **qlora(targets, checkpointing=True, **kernel))
        add(model, "nf4-dq", **qlora(targets, **kernel))
    for model in ("qwen2-1.5b", "llama-3.1-8b"):  # an fp16 base beside fp32 adapters
        add(model, "fp16-lora-checkpointing",
            **lora(attention), checkpointing=True, **plain)
        add(model, "fp16-lora-eager-checkpointing",
            **lora(attention), attention="eager", checkpointing=True, **plain)
        add(model, "fp16-lora", **lora(attention), **plain)
    return cases


def litgpt_cases():
    cases = []

    def add(model, name, **what):
        cases.append((model, name, dict(dict(method="lora", targets=QV, rank=8, dropout=0.05), **what)))

    for model in ("llama-2-7b", "phi-1.5", "falcon-7b", "llama-3.2-1b", "stablelm-3b"):
        add(model, "lora-qv", length=1024)
        add(model, "lora-qv-b2", length=512, batch=2)
        add(model, "lora-all", length=1024, targets=ALL + ["lm_head"])
        add(model, "full", method="full", targets=[], length=512)
    return cases


def torchtune_cases():
    cases = []

    def add(model, name, **what):
        cases.append((model, name, dict(dict(optimizer="fused", loss="chunked"), **what)))

    for model in ("llama-2-7b", "llama-3.1-8b"):
        add(model, "full", **FULL, length=2048)
        add(model, "full-eager-loss", **FULL, length=2048, loss="eager")
        add(model, "full-checkpointing-b2", **FULL, length=2048, batch=2, checkpointing=True)
        add(model, "lora-qv", **lora(QV, adapter="bfloat16"), length=2048)
        add(model, "lora-all-dropout", **lora(ALL, adapter="bfloat16"), length=2048, dropout=0.05)
        add(model, "lora-all-checkpointing", **lora(ALL, adapter="bfloat16"), length=4096,
            checkpointing=True)
    return cases


def megatron_cases():
    cases = []

    def add(model, name, **what):
        cases.append((model, name, what))

    for model in ("llama-3.1-8b", "qwen3-4b"):
        add(model, "tp1")
        add(model, "tp2", tensor=2)
        add(model, "tp4", tensor=4)
        add(model, "tp2-full", tensor=2, recompute="full")
        add(model, "tp2-selective", tensor=2, recompute="selective", modules=["core_attn"])
        add(model, "tp2-native-loss", tensor=2, loss_fusion=False)
    add("llama-3.1-8b", "tp1-native-loss", loss_fusion=False)
    add("mixtral-8x7b", "ep1", capacity=False)
    add("mixtral-8x7b", "ep8", expert=8, capacity=False)
    add("mixtral-8x7b", "ep8-full", expert=8, capacity=False, recompute="full")
    add("mixtral-8x7b", "tp2-ep4", tensor=2, expert=4, capacity=False)
    add("mixtral-8x7b", "tp2", tensor=2, expert_tensor=2, capacity=False)
    for model in ("deepseek-v2-lite", "deepseek-v2", "qwen3-30b-a3b", "deepseek-v3"):
        add(model, "ep8-dropless", expert=8, capacity=False)
        add(model, "ep8-capacity", expert=8)
        add(model, "ep4", expert=4, capacity=False)
        add(model, "ep8-full", expert=8, recompute="full")
        add(model, "tp2-ep4", tensor=2, expert=4, capacity=False)
        add(model, "tp4-ep2", tensor=4, expert=2, capacity=False)
        add(model, "ep8-selective", expert=8, recompute="selective", modules=["core_attn"])
        add(model, "ep8-native-loss", expert=8, loss_fusion=False)
    add("deepseek-v2-lite", "ep1", capacity=False)
    return cases


def titan_moe_cases():
    cases = []

    def add(model, name, **what):
        cases.append((model, name, what))

    for recompute in ("none", "selective", "full"):
        add("deepseek-v2-lite", f"ep1-{recompute}", recompute=recompute)
        add("deepseek-v2-lite", f"ep1-b2-{recompute}", recompute=recompute, batch=2)
        add("deepseek-v2-lite", f"ep8-{recompute}", recompute=recompute, expert=8)
        add("deepseek-v2", f"ep8-{recompute}", recompute=recompute, expert=8)
        add("deepseek-v2-lite-small-head", f"ep1-b8-{recompute}", recompute=recompute, batch=8)
    return cases


def titan_moe_recent_cases():
    cases = []
    for recompute in ("none", "selective", "full"):
        cases.append(("deepseek-v2-lite", f"ep1-{recompute}", dict(recompute=recompute)))
        cases.append(("deepseek-v2-lite-small-head", f"ep1-b8-{recompute}",
                      dict(recompute=recompute, batch=8)))
    return cases


ROUTER = "the router of that commit reads 16-bit tokens; those of later ones, and of Transformers, fp32"

# Differences that stay, with their causes: kept bytes and peak may differ by so much.
EXPLAINED = {
    "torchtitan-moe/deepseek-v2-lite/ep1-none": (0.04, 0.02, ROUTER),
    "torchtitan-moe/deepseek-v2-lite/ep1-b2-none": (0.045, 0.02, ROUTER),
    "torchtitan-moe/deepseek-v2-lite/ep8-none": (0.045, 0.02, ROUTER),
    "torchtitan-moe/deepseek-v2/ep8-none": (0.05, 0.02, ROUTER),
    "torchtitan-moe/deepseek-v2-lite-small-head/ep1-b8-none": (0.045, 0.05, ROUTER),
    "hf-trainer/qwen3-4b/mixed": (0.02, 0.04, "the gradient of the tied head exists in bf16 beside the "
                                 "fp32 tables when they are added"),
    "hf-trainer/falcon-7b/mixed": (0.04, 0.04, "one fused product reads one cast of its input; key and "
                                   "value are copied out of its output by index"),
}


def explained(identifier):
    for prefix, (kept, peak, cause) in EXPLAINED.items():
        if identifier.startswith(prefix):
            return dict(kept_within=kept, peak_within=peak, explained=cause)
    return {}
