"""Fine-tuning steps of litgpt (finetune/lora.py, finetune/full.py) in bf16-true precision."""

import torch
from trace_memory import step_trace

CONFIGS = {
    "llama-2-7b": "Llama-2-7b-hf",
    "llama-2-13b": "Llama-2-13b-hf",
    "phi-1.5": "phi-1_5",
    "falcon-7b": "falcon-7b",
    "gemma-2b": "Gemma-2b",
    "gemma-2-2b": "Gemma-2-2b",
    "llama-3.2-1b": "Llama-3.2-1B",
    "stablelm-3b": "stablelm-3b-4e1t",
}


def trace(name, layers, case, dump=None):
    from lightning.fabric.plugins.precision import HalfPrecision
    from litgpt.utils import chunked_cross_entropy

    lora = case["method"] == "lora"
    if lora:
        from litgpt import lora as package
        from litgpt.lora import mark_only_lora_as_trainable
    else:
        from litgpt import model as package
    precision = HalfPrecision("bf16-true")

    def build():
        extra = {}
        if lora:
            targets = case["targets"]
            extra = dict(
                lora_r=case["rank"],
                lora_alpha=16,
                lora_dropout=case["dropout"],
                lora_query="q_proj" in targets,
                lora_key="k_proj" in targets,
                lora_value="v_proj" in targets,
                lora_projection="o_proj" in targets,
                lora_mlp="up_proj" in targets,
                lora_head="lm_head" in targets,
            )
        config = package.Config.from_name(CONFIGS[name], n_layer=layers, **extra)
        with torch.device("cuda"), precision.module_init_context():
            model = package.GPT(config)
        model = precision.convert_module(model)
        model.max_seq_length = case["length"]
        if lora:
            mark_only_lora_as_trainable(model)
        model.train()
        return model

    def forward(model):
        ids = torch.zeros(case["batch"], case["length"], dtype=torch.long, device="cuda")
        with precision.forward_context():
            logits = model(ids, lm_head_chunk_size=case.get("head_chunk", 128))
        logits = precision.convert_output(logits)
        logits[-1] = logits[-1][..., :-1, :]
        loss = chunked_cross_entropy(logits, ids[..., 1:])
        return loss, logits

    return step_trace(build, forward, case["optimizer"], dump=dump)
