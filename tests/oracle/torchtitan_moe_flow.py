"""Runs three steps of torchtitan's DeepSeek-V3 with expert parallelism and FSDP2, as rank 0 on the
stand-in card (stand_in.py), and prints a case of tests/evidence/allocator.

    TORCHTITAN=<checkout> torchtitan_moe_flow.py framework=torchtitan@2025-08-22 [key=value ...]

The functions are torchtitan's own: model, parallelize_deepseekv3, compiled loss, optimizer with its
load balancing, clipping. Kernels do not run on the stand-in, so that the token counts that a router
would make are put in: every rank sends and gets as many rows (`skew`: share that this rank gets more).
`fix=1` makes FSDP2 as of pytorch/pytorch#164009. Needs torch 2.8 and Triton; SDPA attention.
"""

import gc
import json
import os
import sys
from types import SimpleNamespace

import torch
import torch.distributed as dist
import torchtitan_steps

OPTIONS = dict(framework="torchtitan@2025-08-22", flavor="16B", layers=27, batch=8, length=4096,
               recompute="selective", loss="compiled", world=8, expert=8, skew=0.0, fix=0)


class Settings(SimpleNamespace):
    """A job configuration: what is not said is empty and false."""

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return Settings()

    def __bool__(self):
        return bool(self.__dict__)

    def __iter__(self):
        return iter(())


def settings(o):
    return Settings(
        parallelism=Settings(
            data_parallel_replicate_degree=1, data_parallel_shard_degree=-1,
            fsdp_reshard_after_forward="default", tensor_parallel_degree=1,
            pipeline_parallel_degree=1, context_parallel_degree=1,
            expert_parallel_degree=o["expert"], expert_tensor_parallel_degree=1),
        training=Settings(seq_len=o["length"], local_batch_size=o["batch"], max_norm=1.0,
                          mixed_precision_param="bfloat16", mixed_precision_reduce="float32",
                          enable_cpu_offload=False),
        activation_checkpoint=Settings(
            mode=o["recompute"], selective_ac_option="op", early_stop=False,
            per_op_sac_force_recompute_mm_shapes_by_fqns=["moe.router.gate"]),
        compile=Settings(enable=o["loss"] == "compiled", components=["loss"], backend="inductor"),
        model=Settings(converters=[]),
        optimizer=Settings(name="AdamW", lr=2e-4, beta1=0.9, beta2=0.95, eps=1e-8, weight_decay=0.1,
                           implementation="fused", early_step_in_backward=False))


def start(world):
    """A process group of torch's own NCCL backend, of which this process is rank 0."""
    kept = {name: getattr(dist, name) for name in (
        "all_gather_into_tensor", "reduce_scatter_tensor", "all_reduce", "broadcast", "barrier")}
    torchtitan_steps.prepare()
    for name, function in kept.items():
        setattr(dist, name, function)
    dist.distributed_c10d._store_based_barrier = lambda *_, **__: None
    # Nightlies of the time let experts be cut along a mesh of several dimensions.
    from torch.distributed.tensor.parallel import api

    api._validate_tp_mesh_dim = lambda mesh: None
    torch.cuda.set_device(0)
    dist.init_process_group("nccl", store=dist.HashStore(), rank=0, world_size=world)


def put_in_counts(rows, ranks, skew):
    from torchtitan.distributed import expert_parallel

    sent = [rows // ranks] * ranks
    got = [int(rows * (1 + skew)) // ranks] * ranks
    exchange = expert_parallel.all_to_all_single_autograd
    combine = expert_parallel.ExpertParallel._token_combine
    back = []

    def balanced(x, out_splits, in_splits, group):
        return exchange(x, sent, got, group) if back else exchange(x, got, sent, group)

    def combined(self, module, output, mesh):
        back.append(True)
        try:
            return combine(self, module, output, mesh)
        finally:
            back.clear()

    expert_parallel.all_to_all_single_autograd = balanced
    expert_parallel.ExpertParallel._token_combine = combined


def accept_early_stop():
    """torch 2.8 has it as a global setting; older torchtitan does not ask for it."""
    try:
        from torchtitan.distributed import activation_checkpoint
    except ImportError:
        return
    wrap = activation_checkpoint.ptd_checkpoint_wrapper

    def wrapped(module, early_stop=True, **arguments):
        torch.utils.checkpoint._enable_checkpoint_early_stop = bool(early_stop)
        return wrap(module, **arguments)

    activation_checkpoint.ptd_checkpoint_wrapper = wrapped


def keep_gathered_while_recomputing():
    from torch.distributed.fsdp._fully_shard import _fsdp_param_group as group

    post_forward = group.FSDPParamGroup.post_forward

    def unless_backward(self, module, inputs, output):
        if torch._C._current_graph_task_id() == -1:
            return post_forward(self, module, inputs, output)
        self._training_state = group.TrainingState.IDLE
        return output

    group.FSDPParamGroup.post_forward = unless_backward


class OneMeshAGroup(torch.optim.AdamW):
    """A fused kernel of torch 2.8 takes parameters of one mesh."""

    def __init__(self, parameters, **arguments):
        meshes = {}
        for parameter in parameters:
            meshes.setdefault(parameter.device_mesh, []).append(parameter)
        super().__init__([dict(params=each) for each in meshes.values()], **arguments)


def run(o, steps=3):
    start(o["world"])
    from torchtitan.components import loss as losses
    from torchtitan.components.optimizer import build_optimizers_with_moe_load_balancing
    from torchtitan.distributed import ParallelDims, utils
    from torchtitan.models.deepseek_v3 import deepseekv3_configs, parallelize_deepseekv3
    from torchtitan.models.deepseek_v3.model.model import DeepSeekV3Model

    job = settings(o)
    dims = ParallelDims(dp_replicate=1, dp_shard=-1, cp=1, tp=1, pp=1, ep=o["expert"], etp=1,
                        world_size=o["world"])
    dims.world_mesh
    arguments = deepseekv3_configs[o["flavor"]]
    arguments.n_layers, arguments.max_seq_len = o["layers"], o["length"]
    arguments.use_flex_attn, arguments.attn_mask_type = False, "causal"
    put_in_counts(o["batch"] * o["length"] * arguments.moe_args.top_k, o["expert"], o["skew"])
    accept_early_stop()
    if o["fix"]:
        keep_gathered_while_recomputing()
    with torch.device("meta"):
        model = DeepSeekV3Model(arguments)
    model = parallelize_deepseekv3(model, dims, job)
    model.to_empty(device="cuda")
    with torch.no_grad():
        model.init_weights(buffer_device=None)
    model.train()
    torch.optim.AdamW = OneMeshAGroup
    optimizers = build_optimizers_with_moe_load_balancing([model], job.optimizer, dims, None)
    loss_of = losses.rescale_accumulated_loss(losses.build_cross_entropy_loss(job), 1)
    context = utils.get_train_context(False, False)
    gc.collect()
    gc.disable()  # as GarbageCollection does between every fifty steps
    for _ in range(steps):
        optimizers.zero_grad()
        tokens, labels = (torch.zeros((o["batch"], o["length"]), dtype=torch.long).to("cuda")
                          for _ in range(2))
        with context(None):
            logits = model(tokens)
            loss = loss_of(logits, labels)
            del logits
            loss.backward()
        utils.clip_grad_norm_(list(model.parameters()), 1.0, foreach=True, pp_mesh=None,
                              ep_enabled=dims.ep_enabled)
        optimizers.step()
    return arguments


def workload(o, a):
    moe = a.moe_args
    return dict(
        schema="ridgeline/workload/1", name="DeepSeek-V3 " + o["flavor"],
        model=dict(
            model_type="deepseek_v3", name="DeepSeek-V3 " + o["flavor"], hidden_size=a.dim,
            num_hidden_layers=o["layers"], num_attention_heads=a.n_heads,
            num_key_value_heads=a.n_heads, intermediate_size=a.inter_dim, vocab_size=a.vocab_size,
            tie_word_embeddings=False, hidden_act="silu", rms_norm_eps=1e-5,
            moe_intermediate_size=a.moe_inter_dim, n_routed_experts=moe.num_experts,
            num_experts_per_tok=moe.top_k, n_shared_experts=moe.num_shared_experts,
            first_k_dense_replace=a.n_dense_layers, q_lora_rank=a.q_lora_rank or None,
            kv_lora_rank=a.kv_lora_rank, qk_nope_head_dim=a.qk_nope_head_dim,
            qk_rope_head_dim=a.qk_rope_head_dim, v_head_dim=a.v_head_dim),
        task="train", method="full",
        software=dict(framework=o["framework"], attention="sdpa", compile=False, loss=o["loss"]),
        precision=dict(weights="fp32", compute="bf16", gradients="fp32"),
        optimizer=dict(name="adamw", state="fp32", implementation="fused"),
        batch={"micro": o["batch"], "global": o["batch"] * o["world"],
               "sequence_length": o["length"]},
        parallel=dict(data=o["world"], tensor=1, pipeline=1, expert=o["expert"], sharding="fsdp",
                      reshard_after_forward=True),
        recompute=o["recompute"])


def main():
    o = dict(OPTIONS)
    for word in sys.argv[1:]:
        key, value = word.split("=", 1)
        o[key] = type(o[key])(value)
    arguments = run(o)
    named = " ".join(word for word in sys.argv[1:] if not word.startswith(("framework", "fix")))
    print(json.dumps(dict(
        id=f"{o['framework']} {named}".strip(), compute_capability="9.0",
        expandable_segments="expandable" in os.environ.get("PYTORCH_CUDA_ALLOC_CONF", ""),
        workload=workload(o, arguments),
        allocated=torch.cuda.max_memory_allocated(), reserved=torch.cuda.max_memory_reserved())))


if __name__ == "__main__":
    main()
