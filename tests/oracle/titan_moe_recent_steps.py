"""The same as titan_moe_steps for the installed torchtitan, whose models are built from configurations.

Its attention backends need compiled kernels: the trace gives its modules torch's own attention.
"""

import sys
import unittest.mock

import torch
import titan_moe_steps
from trace_memory import step_trace

BASE = titan_moe_steps.BASE


def prepare():
    # What the package imports for logs is no part of a step.
    for name in ("tensorboard", "torch.utils.tensorboard"):
        sys.modules.setdefault(name, unittest.mock.MagicMock())
    torch.nn.init.trunc_normal_ = lambda tensor, **kwargs: tensor


def _attention(q, k, v, **kwargs):
    q, k, v = (t.transpose(1, 2) for t in (q, k, v))
    out = torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)
    return out.transpose(1, 2)


def trace_named(name, layers, case):
    """`name`: DeepSeek-V2-Lite, the flavor "16B", of which the layers with experts are taken."""
    import models
    from torchtitan.distributed import activation_checkpoint
    from torchtitan.models.deepseek_v3 import deepseekv3_configs

    vocabulary = models.config(name, layers)["vocab_size"]

    def build():
        default = torch.get_default_dtype()
        torch.set_default_dtype(torch.bfloat16)
        try:
            with torch.device("cuda"):
                config = deepseekv3_configs["16B"](attn_backend="flex", moe_comm_backend="standard")
                config.layers = config.layers[1 : 1 + layers]
                config.vocab_size = vocabulary
                config.tok_embeddings.num_embeddings = vocabulary
                config.lm_head.out_features = vocabulary
                model = config.build()
        finally:
            torch.set_default_dtype(default)
        for module in model.modules():
            if hasattr(module, "inner_attention"):
                module.inner_attention.forward = _attention
        kinds = {"selective": "SelectiveAC", "full": "FullAC"}
        if case["recompute"] != "none":
            kind = getattr(activation_checkpoint, kinds[case["recompute"]])
            kind(kind.Config()).apply(model)
        return model.train()

    return step_trace(build, titan_moe_steps.eager_loss_of(case), "fused")


def workload(entry, case):
    document = titan_moe_steps.workload(entry, case)
    document["software"]["framework"] = "torchtitan@2026-08-21"
    return document
