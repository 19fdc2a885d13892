"""Fine-tuning steps of torchtune's single-device recipes, in bf16 throughout."""

import sys
import types

import torch
from trace_memory import step_trace


def _stand_in_for_nf4():
    """torchao moved the 4-bit tensor that torchtune imports; no case here uses it."""
    module = types.ModuleType("torchao.dtypes.nf4tensor")
    module.NF4Tensor = type("NF4Tensor", (torch.Tensor,), {})
    module.linear_nf4 = module.to_nf4 = None
    module.implements = lambda *_, **__: lambda function: function
    sys.modules.setdefault("torchao.dtypes.nf4tensor", module)


LORA_NAMES = {"q_proj": "q_proj", "k_proj": "k_proj", "v_proj": "v_proj", "o_proj": "output_proj"}


def _model(entry, layers, case):
    # The builders of Llama 2 make the modules of Llama 3 too; the scaled rotary table differs alone.

    _stand_in_for_nf4()
    common = dict(
        vocab_size=entry["vocab_size"],
        num_layers=layers,
        num_heads=entry["num_attention_heads"],
        num_kv_heads=entry["num_key_value_heads"],
        embed_dim=entry["hidden_size"],
        max_seq_len=max(case["length"], 4096),
        intermediate_dim=entry["intermediate_size"],
    )
    if case["method"] == "full":
        from torchtune.models.llama2._component_builders import llama2

        return llama2(**common)
    from torchtune.models.llama2._component_builders import lora_llama2
    from torchtune.modules.peft import get_adapter_params, set_trainable_params

    targets = case["targets"]
    model = lora_llama2(
        [LORA_NAMES[t] for t in targets if t in LORA_NAMES],
        apply_lora_to_mlp="up_proj" in targets,
        apply_lora_to_output=False,
        lora_rank=case["rank"],
        lora_alpha=16,
        lora_dropout=case["dropout"],
        **common,
    )
    set_trainable_params(model, get_adapter_params(model))
    return model


def trace(entry, layers, case, dump=None):
    def build():
        default = torch.get_default_dtype()
        torch.set_default_dtype(torch.bfloat16)
        try:
            with torch.device("cuda"):
                model = _model(entry, layers, case)
        finally:
            torch.set_default_dtype(default)
        if case["loss"] == "chunked":
            model.set_num_output_chunks(8)
        if case["checkpointing"]:
            # What torchtune.training.set_activation_checkpointing calls.
            from torch.distributed.algorithms._checkpoint import checkpoint_wrapper
            from torch.distributed.fsdp.wrap import ModuleWrapPolicy
            from torchtune.modules import TransformerSelfAttentionLayer

            checkpoint_wrapper.apply_activation_checkpointing(
                model, auto_wrap_policy=ModuleWrapPolicy({TransformerSelfAttentionLayer}))
        model.train()
        return model

    def forward(model):
        from torchtune.modules.loss import CEWithChunkedOutputLoss

        shape = (case["batch"], case["length"])
        tokens = torch.zeros(shape, dtype=torch.long, device="cuda")
        labels = torch.zeros(shape, dtype=torch.long, device="cuda")
        logits = model(tokens)
        if case["loss"] == "chunked":
            loss = CEWithChunkedOutputLoss()(logits, labels)
        else:
            logits = logits.reshape(-1, logits.size(-1))
            loss = torch.nn.functional.cross_entropy(logits, labels.reshape(-1), ignore_index=-100)
        return loss, None

    return step_trace(build, forward, case["optimizer"], dump=dump,
                      micro_batches=case["micro_batches"])
