"""The cases that trace_all.py writes to tests/evidence/oracle."""

QV = ["q_proj", "v_proj"]
ALL = ["q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"]

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
                  "deepseek-v2-lite", "gpt-oss-20b", "bert-base", "t5-base", "vit-base"):
        add(model, "full", **FULL, length=512, batch=2)
        add(model, "mixed", **MIXED, length=512, batch=2)
        if model in ("gpt2", "gemma-2-2b", "bert-base", "qwen3-4b", "t5-base"):
            add(model, "full-eager", **FULL, length=512, batch=2, attention="eager")
    for model in ("qwen2-1.5b", "gemma-2b", "mixtral-8x7b"):
        add(model, "lora-qv", **lora(QV), autocast=True)
        add(model, "lora-qv-checkpointing", **lora(QV), autocast=True, checkpointing=True)
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


# Differences that stay, with their causes: kept bytes and peak may differ by so much.
EXPLAINED = {
    "hf-trainer/bert-base": (0.09, 0.18, "encoders have no loss in the operator list, so that the "
                             "head's transform and logits are missing; eager attention of this family "
                             "computes its softmax in bf16"),
    "hf-trainer/deepseek-v2-lite": (0.30, 0.02, "the gate of this family reads an fp32 copy of its input; "
                                    "under autocast the grouped experts of transformers 5 run in fp32"),
    "hf-trainer/mixtral-8x7b/mixed": (0.36, 0.02, "the grouped experts of transformers 5 are no autocast "
                                      "operands and run in fp32; the list has them in bf16"),
    "hf-trainer/falcon-7b/mixed": (0.04, 0.02, "one fused product reads one cast of its input; key and "
                                   "value are copied out of its output by index"),
    "hf-trainer/gpt2/full-eager": (0.45, 0.09, "GPT-2's eager attention computes its softmax in bf16 and "
                                   "keeps one score matrix; the list follows the fp32 softmax of later "
                                   "families"),
}


def explained(identifier):
    for prefix, (kept, peak, cause) in EXPLAINED.items():
        if identifier.startswith(prefix):
            return dict(kept_within=kept, peak_within=peak, explained=cause)
    return {}
