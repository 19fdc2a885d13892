"""Training steps of one rank of Megatron-Core on a stand-in of Transformer Engine.

Megatron-Core's own modules, its DDP buffers and its recomputation run; collectives go to torch's fake
process group, so that one process is rank 0 of as many as the case says.
"""

import contextlib
import functools

import torch
import torch.distributed as dist
import transformer_engine_stand_in
from trace_memory import step_trace

BASE = dict(tensor=1, expert=1, expert_tensor=1, world=8, pipeline=1, recompute="none", modules=[],
            batch=1, length=4096, capacity=True, rope_fusion=True, loss_fusion=True,
            dispatcher="alltoall", aux_loss="seq_aux_loss", overlap_shared=False, layers_recomputed=0,
            router_dtype=None, permute_fusion=True, method="full")

def _fused(function=None, **options):
    """torch.compile makes one kernel of such a function: what it makes inside is never allocated."""

    if function is None:
        return _fused

    @functools.wraps(function)
    def run(*args, **kwargs):
        import trace_memory

        trace = trace_memory.CURRENT
        if trace is None:
            return function(*args, **kwargs)
        trace.quiet += 1
        try:
            result = function(*args, **kwargs)
        finally:
            trace.quiet -= 1
        trace.touch(0, function.__name__)
        return result

    return run


def prepare():
    transformer_engine_stand_in.install()
    import importlib.metadata

    real = importlib.metadata.version
    importlib.metadata.version = (
        lambda name: transformer_engine_stand_in.VERSION if name == "transformer-engine" else real(name))
    compiles, torch.compile = torch.compile, _fused
    try:
        from megatron.core.config import set_experimental_flag
        from megatron.core.models.gpt import GPTModel  # noqa: F401
    finally:
        torch.compile = compiles

    set_experimental_flag(True)
    from megatron.core.tensor_parallel import random

    random.CudaRNGStatesTracker.fork = lambda self, name="": contextlib.nullcontext()
    _skip_triton()
    _balanced()


class _NoKernel:
    def __getitem__(self, grid):
        return lambda *args, **kwargs: None


def _skip_triton():
    from megatron.core.fusions import fused_mla_yarn_rope_apply as rope

    for name in ("rotary_fwd_q_kernel", "rotary_bwd_q_kernel", "rotary_fwd_kv_kernel",
                 "rotary_bwd_kv_kernel"):
        setattr(rope, name, _NoKernel())


def _balanced():
    """Sizes that the dispatcher would read from the device: every expert gets as many tokens."""
    from megatron.core.transformer.moe import token_dispatcher

    read = token_dispatcher.MoEAlltoAllTokenDispatcher.preprocess

    def preprocess(self, routing_map):
        if self.drop_and_pad:
            return read(self, routing_map)
        rows = routing_map.size(0) * self.config.moe_router_topk
        self.num_out_tokens = rows
        ranks = self.ep_size
        if self.ep_size > 1 or self.tp_size > 1:
            self.input_splits = [rows // ranks] * ranks
            self.output_splits = [rows // ranks] * ranks
            self.output_splits_tp = _List([rows] * self.tp_size)
        each = rows * self.tp_size // self.num_local_experts
        self.num_global_tokens_per_local_expert = torch.zeros(
            (self.tp_size * ranks, self.num_local_experts), dtype=torch.long, device="cuda")
        return _List([each] * self.num_local_experts)

    token_dispatcher.MoEAlltoAllTokenDispatcher.preprocess = preprocess
    token_dispatcher.MoEAlltoAllTokenDispatcher._maybe_dtoh_and_synchronize = (
        lambda self, point, tokens_per_expert=None: tokens_per_expert)


class _List(list):
    def tolist(self):
        return list(self)


def _world(case):
    from megatron.core import parallel_state
    from torch.testing._internal.distributed.fake_pg import FakeStore

    if dist.is_initialized():
        parallel_state.destroy_model_parallel()
        dist.destroy_process_group()
    dist.init_process_group("fake", store=FakeStore(), rank=0, world_size=case["world"])
    parallel_state.initialize_model_parallel(
        tensor_model_parallel_size=case["tensor"],
        expert_model_parallel_size=case["expert"],
        expert_tensor_parallel_size=case["expert_tensor"],
        create_gloo_process_groups=False,
    )


def _config(entry, layers, case):
    from megatron.core.transformer.transformer_config import MLATransformerConfig, TransformerConfig

    dense = entry.get("first_k_dense_replace", 0)
    experts = entry.get("n_routed_experts", entry.get("num_experts", entry.get("num_local_experts")))
    head_dim = entry.get("head_dim") or entry["hidden_size"] // entry["num_attention_heads"]
    values = dict(
        num_layers=layers,
        hidden_size=entry["hidden_size"],
        ffn_hidden_size=entry["intermediate_size"],
        num_attention_heads=entry["num_attention_heads"],
        num_query_groups=entry["num_key_value_heads"],
        kv_channels=head_dim,
        normalization="RMSNorm",
        gated_linear_unit=True,
        activation_func=torch.nn.functional.silu,
        add_bias_linear=False,
        qk_layernorm=entry["model_type"] in ("qwen3", "qwen3_moe") or "kv_lora_rank" in entry,
        hidden_dropout=0.0,
        attention_dropout=0.0,
        bias_activation_fusion=True,
        bias_dropout_fusion=False,
        apply_rope_fusion=case["rope_fusion"],
        gradient_accumulation_fusion=True,
        tensor_model_parallel_size=case["tensor"],
        expert_model_parallel_size=case["expert"],
        expert_tensor_parallel_size=case["expert_tensor"],
        sequence_parallel=case["tensor"] > 1,
        bf16=True,
        params_dtype=torch.bfloat16,
        pipeline_dtype=torch.bfloat16,
        perform_initialization=False,
        masked_softmax_fusion=False,
        attention_softmax_in_fp32=True,
        cross_entropy_loss_fusion=case["loss_fusion"],
        cross_entropy_fusion_impl="te",
    )
    if case["recompute"] == "full":
        values.update(recompute_granularity="full", recompute_method="uniform",
                      recompute_num_layers=1)
    elif case["recompute"] == "selective":
        values.update(recompute_granularity="selective", recompute_modules=case["modules"])
    if experts:
        values.update(
            num_moe_experts=experts,
            moe_router_topk=entry["num_experts_per_tok"],
            moe_ffn_hidden_size=entry.get("moe_intermediate_size", entry["intermediate_size"]),
            moe_layer_freq=[0] * dense + [1] * (layers - dense),
            moe_grouped_gemm=True,
            moe_permute_fusion=case["permute_fusion"],
            moe_token_dispatcher_type=case["dispatcher"],
            moe_router_load_balancing_type=case["aux_loss"],
            moe_aux_loss_coeff=0.003 if case["aux_loss"] != "none" else 0.0,
            moe_router_pre_softmax=True,
            moe_router_dtype=case["router_dtype"],
            moe_shared_expert_overlap=case["overlap_shared"],
        )
        if entry.get("n_shared_experts"):
            values["moe_shared_expert_intermediate_size"] = (
                entry["n_shared_experts"] * entry["moe_intermediate_size"])
        if case["capacity"]:
            values.update(moe_expert_capacity_factor=1.0, moe_pad_expert_input_to_capacity=True)
        if entry.get("scoring_func") == "sigmoid":
            values.update(moe_router_score_function="sigmoid", moe_router_enable_expert_bias=True,
                          moe_router_dtype="fp32")
    if "kv_lora_rank" not in entry:
        return TransformerConfig(**values)
    return MLATransformerConfig(
        multi_latent_attention=True,
        q_lora_rank=entry.get("q_lora_rank"),
        kv_lora_rank=entry["kv_lora_rank"],
        qk_head_dim=entry["qk_nope_head_dim"],
        qk_pos_emb_head_dim=entry["qk_rope_head_dim"],
        v_head_dim=entry["v_head_dim"],
        rope_type="yarn",
        rotary_scaling_factor=1.0,
        **values,
    )


def _states(ddp, ranks, expert_ranks):
    """Master weights and both moments of the distributed optimizer, sharded as its buffers are."""
    sizes = []
    for buffers, group in ((ddp.buffers, ranks), (ddp.expert_parallel_buffers, expert_ranks)):
        for buffer in buffers:
            sizes += [buffer.grad_data.numel() // group] * 3
    return [torch.empty(size, dtype=torch.float32, device="cuda") for size in sizes]


class _Held(torch.nn.Module):
    """The model beside what lives through the whole run."""

    def __init__(self, model, tensors):
        super().__init__()
        self.model = model
        for i, tensor in enumerate(tensors):
            self.register_buffer(f"held{i}", tensor)


def trace(entry, layers, case, dump=None):
    from megatron.core import parallel_state
    from megatron.core.distributed import DistributedDataParallel, DistributedDataParallelConfig
    from megatron.core.models.gpt import GPTModel
    from megatron.core.models.gpt.gpt_layer_specs import get_gpt_decoder_block_spec
    from megatron.core.transformer.moe import moe_utils

    _world(case)
    transformer_engine_stand_in.forget_dummies()
    moe_utils.get_moe_layer_wise_logging_tracker().clear()

    def build():
        config = _config(entry, layers, case)
        spec = get_gpt_decoder_block_spec(config, use_transformer_engine=True)
        multiple = 128 * case["tensor"]
        with torch.device("cuda"):
            model = GPTModel(
                config=config,
                transformer_layer_spec=spec,
                vocab_size=(entry["vocab_size"] + multiple - 1) // multiple * multiple,
                max_sequence_length=case["length"],
                parallel_output=True,
                share_embeddings_and_output_weights=entry.get("tie_word_embeddings", False),
                position_embedding_type="rope",
            )
        model = model.bfloat16()
        ddp = DistributedDataParallel(
            config,
            DistributedDataParallelConfig(
                grad_reduce_in_fp32=True, overlap_grad_reduce=False, use_distributed_optimizer=True),
            model,
        )
        model.train()
        grads = [b.grad_data for b in ddp.buffers + ddp.expert_parallel_buffers]
        ranks = parallel_state.get_data_parallel_world_size(with_context_parallel=True)
        experts = parallel_state.get_expert_data_parallel_world_size()
        return _Held(ddp, grads + _states(ddp, ranks, experts))

    def forward(held):
        shape = (case["batch"], case["length"])
        tokens = torch.zeros(shape, dtype=torch.long, device="cuda")
        labels = torch.zeros(shape, dtype=torch.long, device="cuda")
        positions = torch.zeros(shape, dtype=torch.long, device="cuda")
        losses = held.model(tokens, positions, None, labels=labels)
        return losses.float().sum(), None

    return step_trace(build, forward, "none", dump=dump, kept_of_first=True)


def workload(entry, case):
    """The same step as a workload document."""
    recompute = case["recompute"]
    return dict(
        schema="ridgeline/workload/1",
        model=entry,
        task="train",
        method="full",
        software=dict(framework="megatron", attention="flash", compile=False,
                      loss="compiled" if case["loss_fusion"] else "eager"),
        precision=dict(weights="bf16", compute="bf16", gradients="fp32", master_weights="fp32"),
        optimizer=dict(name="adam", state="fp32"),
        batch={"micro": case["batch"], "global": case["batch"] * case["world"] // case["tensor"],
               "sequence_length": case["length"]},
        parallel=dict(data=case["world"] // case["tensor"], tensor=case["tensor"], pipeline=1,
                      context=1, expert=case["expert"], sequence_parallel=case["tensor"] > 1,
                      sharding="zero1"),
        recompute=recompute,
    )


def trace_named(name, layers, case):
    import models

    return trace(models.config(name, layers), layers, case)
