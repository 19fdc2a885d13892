"""Training steps of torchtitan's mixture-of-experts modules, in 16 bits, without FSDP.

The DeepSeek-V3 modules of one commit run (TORCHTITAN_SOURCE is the folder of its sources): router,
reordering, exchange, padded permutation, grouped products, per-operator recomputation. With expert
parallelism the local experts get as many rows as they send; FSDP's copies are not part of the trace.
"""

import sys
import types
import unittest.mock

import torch
from trace_memory import step_trace

BASE = dict(expert=1, batch=1, length=4096, recompute="none", method="full", attention="sdpa")


class _Exchange(torch.autograd.Function):
    """All-to-all of equal shares: what arrives is as large as what is sent."""

    @staticmethod
    def forward(ctx, x):
        return torch.empty_like(x)

    @staticmethod
    def backward(ctx, gradient):
        return torch.empty_like(gradient)


def prepare():
    # What the package imports for logs and data is no part of a step.
    for name in ("tensorboard", "torch.utils.tensorboard", "datasets", "datasets.distributed",
                 "tokenizers", "torchdata", "torchdata.stateful_dataloader"):
        sys.modules.setdefault(name, unittest.mock.MagicMock())
    sys.modules["torchdata.stateful_dataloader"].StatefulDataLoader = type("Loader", (), {})
    sys.modules["torchtitan.components.dataloader"] = unittest.mock.MagicMock()
    # Names of older releases of torch that no traced path calls.
    from torch.distributed.tensor.experimental import _attention

    _attention.create_cp_block_mask = getattr(_attention, "create_cp_block_mask", None)
    from torchtitan.experiments.kernels.moe import indices

    def permuted_indices(tokens_per_expert_group, experts_per_rank, num_ranks, max_len, alignment,
                         **kwargs):
        device = tokens_per_expert_group.device
        return (torch.zeros(max_len, dtype=torch.int32, device=device),
                torch.zeros(experts_per_rank, dtype=torch.int32, device=device),
                torch.zeros(experts_per_rank, dtype=torch.int32, device=device))

    indices.generate_permute_indices = permuted_indices
    torch.nn.init.trunc_normal_ = lambda tensor, **kwargs: tensor


def _arguments(entry, layers, case):
    from torchtitan.models.deepseek_v3.model.args import DeepSeekV3ModelArgs
    from torchtitan.models.moe import MoEArgs

    return DeepSeekV3ModelArgs(
        vocab_size=entry["vocab_size"],
        dim=entry["hidden_size"],
        inter_dim=entry["intermediate_size"],
        moe_inter_dim=entry["moe_intermediate_size"],
        n_layers=layers,
        n_dense_layers=entry["first_k_dense_replace"],
        n_heads=entry["num_attention_heads"],
        max_seq_len=case["length"],
        q_lora_rank=entry["q_lora_rank"] or 0,
        kv_lora_rank=entry["kv_lora_rank"],
        qk_nope_head_dim=entry["qk_nope_head_dim"],
        qk_rope_head_dim=entry["qk_rope_head_dim"],
        v_head_dim=entry["v_head_dim"],
        moe_args=MoEArgs(
            num_experts=entry["n_routed_experts"],
            num_shared_experts=entry["n_shared_experts"],
            top_k=entry["num_experts_per_tok"],
            score_func="softmax",
            route_norm=True,
            score_before_experts=False,
        ),
    )


def _spread(moe, ranks):
    """Leaves this rank's experts, between two exchanges."""
    from torchtitan.models.moe import GroupedExperts

    whole = moe.experts
    local = GroupedExperts(whole.w1.shape[2], whole.w1.shape[1], whole.num_experts // ranks, True)
    run = local.forward

    def forward(rows, counts):
        return _Exchange.apply(run(_Exchange.apply(rows), counts))

    local.forward = forward
    moe.experts = local


def trace(entry, layers, case, dump=None):
    from torchtitan.models.deepseek_v3.model.model import DeepSeekV3Model
    from torchtitan.models.llama3.infra.parallelize import apply_ac

    def build():
        default = torch.get_default_dtype()
        torch.set_default_dtype(torch.bfloat16)
        try:
            with torch.device("cuda"):
                model = DeepSeekV3Model(_arguments(entry, layers, case))
                for layer in model.layers.values():
                    if case["expert"] > 1:
                        _spread(layer.moe, case["expert"])
        finally:
            torch.set_default_dtype(default)
        if case["recompute"] != "none":
            apply_ac(model, types.SimpleNamespace(
                mode=case["recompute"], selective_ac_option="op",
                per_op_sac_force_recompute_mm_shapes_by_fqns=["moe.router.gate"]))
        return model.train()

    return step_trace(build, eager_loss_of(case), "fused", dump=dump)


def eager_loss_of(case):
    """The forward pass of one micro-batch with the cross entropy of fp32 logits."""
    def forward(model):
        shape = (case["batch"], case["length"])
        tokens = torch.zeros(shape, dtype=torch.long, device="cuda")
        labels = torch.zeros(shape, dtype=torch.long, device="cuda")
        logits = model(tokens)
        loss = torch.nn.functional.cross_entropy(logits.flatten(0, 1).float(), labels.flatten(0, 1))
        return loss, None
    return forward


def workload(entry, case):
    """The same step as a workload document. Exchanges need ranks, so those of a case with expert
    parallelism are data-parallel ones that share nothing else."""
    return dict(
        schema="ridgeline/workload/1",
        model=entry,
        task="train",
        method="full",
        software=dict(framework="torchtitan@2025-08-22", attention=case["attention"], compile=False,
                      loss="eager"),
        precision=dict(weights="bf16", compute="bf16", gradients="bf16"),
        optimizer=dict(name="adamw", state="bf16", implementation="fused"),
        batch={"micro": case["batch"], "global": case["batch"] * case["expert"],
               "sequence_length": case["length"]},
        parallel=dict(data=case["expert"], expert=case["expert"],
                      sharding="none" if case["expert"] == 1 else "ddp"),
        recompute=case["recompute"],
    )


def trace_named(name, layers, case):
    import models

    return trace(models.config(name, layers), layers, case)
