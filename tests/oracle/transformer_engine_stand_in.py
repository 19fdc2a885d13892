"""A stand-in for Transformer Engine that computes with torch and keeps what Transformer Engine keeps.

Transformer Engine's kernels cannot run on fake tensors. Megatron-Core imports its modules by name, so
this file puts modules of the same names into sys.modules. What each function saves for the backward
pass, allocates and frees was read in Transformer Engine at c188b533 (2.11, December 2025): pytorch/module/
{linear,layernorm_linear,grouped_linear}.py, ops/basic/rmsnorm.py, permutation.py, cross_entropy.py,
attention/{rope.py,dot_product_attention}. In 16 bits alone; fp8 copies are not covered.
"""

import contextlib
import importlib.machinery
import sys
import types

import torch
import torch.distributed as dist

VERSION = "2.11.0"
# Bytes that cuDNN's attention backward asks for beside its results: dq summed in fp32 and one row sum.
ATTENTION_BACKWARD = 4


def _gather(x, group):
    out = x.new_empty((x.shape[0] * group.size(), *x.shape[1:]))
    dist.all_gather_into_tensor(out, x.contiguous(), group=group)
    return out


def _scatter(x, group):
    out = x.new_empty((x.shape[0] // group.size(), *x.shape[1:]))
    dist.reduce_scatter_tensor(out, x.contiguous(), group=group)
    return out


_dummies = {}


def _dummy(weight):
    """One buffer a weight shape, handed back where the gradient went into main_grad."""
    key = (tuple(weight.shape), weight.dtype)
    if key not in _dummies:
        _dummies[key] = torch.empty(weight.shape, dtype=weight.dtype, device=weight.device)
    return _dummies[key]


def forget_dummies():
    _dummies.clear()


def _weight_gradient(weight, fuses):
    if not weight.requires_grad:
        return None
    if fuses:
        weight.grad_added_to_main_grad = True
        return _dummy(weight).detach()
    return torch.empty_like(weight)


def _product(x, weight):
    return torch.mm(x.reshape(-1, x.shape[-1]), weight.t()).view(*x.shape[:-1], weight.shape[0])


class _Product(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, mode, group, sequence, fuses):
        ctx.mode, ctx.group, ctx.sequence, ctx.fuses = mode, group, sequence, fuses
        ranks = group.size() if group is not None else 1
        ctx.parts = ranks > 1
        total = _gather(x, group) if mode == "column" and sequence and ctx.parts else x
        out = _product(total, weight)
        del total
        if mode == "row" and ctx.parts:
            out = _scatter(out, group) if sequence else out
        ctx.save_for_backward(x if weight.requires_grad else None, weight)
        return out

    @staticmethod
    def backward(ctx, gradient):
        x, weight = ctx.saved_tensors
        total = x
        if ctx.mode == "row" and ctx.sequence and ctx.parts:
            gradient = _gather(gradient, ctx.group)
        if ctx.mode == "column" and ctx.sequence and ctx.parts and x is not None:
            total = _gather(x, ctx.group)
        data = torch.mm(gradient.reshape(-1, gradient.shape[-1]), weight)
        data = data.view(*gradient.shape[:-1], weight.shape[1])
        if ctx.mode == "column" and ctx.sequence and ctx.parts:
            data = _scatter(data, ctx.group)
        del total
        return data, _weight_gradient(weight, ctx.fuses), None, None, None, None


class _NormProduct(torch.autograd.Function):
    """Norm and column-parallel product: keeps the norm's input, statistic and output."""

    @staticmethod
    def forward(ctx, x, scale, weight, group, sequence, fuses):
        ctx.group, ctx.sequence, ctx.fuses = group, sequence, fuses
        ctx.parts = group is not None and group.size() > 1
        statistic = torch.empty(x.numel() // x.shape[-1], dtype=torch.float32, device=x.device)
        normed = torch.empty_like(x)
        total = _gather(normed, group) if sequence and ctx.parts else normed
        out = _product(total, weight)
        del total
        ctx.save_for_backward(x, scale, weight, statistic, normed if weight.requires_grad else None)
        return out

    @staticmethod
    def backward(ctx, gradient):
        x, scale, weight, _, normed = ctx.saved_tensors
        gathers = ctx.sequence and ctx.parts
        total = _gather(normed, ctx.group) if gathers and normed is not None else normed
        data = torch.mm(gradient.reshape(-1, gradient.shape[-1]), weight)
        data = data.view(*gradient.shape[:-1], weight.shape[1])
        if gathers:
            data = _scatter(data, ctx.group)
        del total
        into = torch.empty_like(x)
        scale_gradient = torch.empty_like(scale) if scale.requires_grad else None
        return into, scale_gradient, _weight_gradient(weight, ctx.fuses), None, None, None


class _Norm(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, scale):
        x = x.contiguous()  # the norm kernel takes rows side by side
        statistic = torch.empty(x.numel() // x.shape[-1], dtype=torch.float32, device=x.device)
        ctx.save_for_backward(x, scale, statistic)
        return torch.empty_like(x)

    @staticmethod
    def backward(ctx, gradient):
        x, scale, _ = ctx.saved_tensors
        return torch.empty_like(x), torch.empty_like(scale)


class _Attention(torch.autograd.Function):
    """cuDNN's kernel: keeps q, k, v, the output and one fp32 statistic a row."""

    @staticmethod
    def forward(ctx, q, k, v):
        s, b, h, _ = q.shape
        out = q.new_empty((s, b, h * v.shape[-1]))
        statistic = torch.empty((b, h, s, 1), dtype=torch.float32, device=q.device)
        ctx.save_for_backward(q, k, v, out, statistic)
        return out

    @staticmethod
    def backward(ctx, gradient):
        q, k, v, out, statistic = ctx.saved_tensors
        dq, dk, dv = torch.empty_like(q), torch.empty_like(k), torch.empty_like(v)
        work = torch.empty(q.numel() * ATTENTION_BACKWARD // 4, dtype=torch.float32, device=q.device)
        rows = torch.empty_like(statistic)
        del work, rows
        return dq, dk, dv


class _Rotary(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, frequencies):
        ctx.save_for_backward(frequencies)
        return torch.empty(x.shape, dtype=x.dtype, device=x.device)

    @staticmethod
    def backward(ctx, gradient):
        return torch.empty_like(gradient), None


class _Grouped(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, fuses, *weights):
        ctx.fuses = fuses
        rows = x.reshape(-1, x.shape[-1])
        ctx.save_for_backward(x, *weights)
        return torch.mm(rows, weights[0].t()).view(*x.shape[:-1], weights[0].shape[0])

    @staticmethod
    def backward(ctx, gradient):
        x, *weights = ctx.saved_tensors
        data = torch.mm(gradient.reshape(-1, gradient.shape[-1]), weights[0]).view(x.shape)
        return data, None, *[_weight_gradient(w, ctx.fuses) for w in weights]


class _Permute(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, probabilities, routing_map, rows):
        tokens, experts = routing_map.shape
        row_map = torch.empty((tokens, 2 * experts + 1), dtype=torch.int32, device=x.device)
        out = x.new_empty((rows, x.shape[-1]))
        chosen = None
        if probabilities is not None:
            chosen = probabilities.new_empty((rows,))
        ctx.save_for_backward(row_map)
        ctx.mark_non_differentiable(row_map)
        ctx.shape, ctx.experts = x.shape, experts
        ctx.kind = probabilities.dtype if probabilities is not None else None
        return out, row_map, chosen

    @staticmethod
    def backward(ctx, gradient, _, of_chosen):
        (row_map,) = ctx.saved_tensors
        probabilities = None
        if ctx.kind is not None and of_chosen is not None:
            probabilities = of_chosen.new_empty((ctx.shape[0], ctx.experts))
        return gradient.new_empty(ctx.shape), probabilities, None, None


class _Unpermute(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, row_map, probabilities, shape):
        keeps = [x, row_map, probabilities] if probabilities is not None else [row_map]
        ctx.save_for_backward(*keeps)
        ctx.shape = x.shape
        return x.new_empty(shape)

    @staticmethod
    def backward(ctx, gradient):
        out = gradient.new_empty(ctx.shape)
        weights = torch.empty_like(ctx.saved_tensors[2]) if len(ctx.saved_tensors) > 1 else None
        return out, None, weights, None


class _Sort(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, probabilities, rows):
        row_map = torch.empty((x.shape[0],), dtype=torch.int32, device=x.device)
        ctx.save_for_backward(row_map)
        chosen = torch.empty_like(probabilities) if probabilities is not None else None
        return torch.empty_like(x), chosen

    @staticmethod
    def backward(ctx, gradient, of_chosen):
        return (torch.empty_like(gradient),
                torch.empty_like(of_chosen) if of_chosen is not None else None, None)


class _CrossEntropy(torch.autograd.Function):
    """The gradient is made on the way forward, in the place of the logits."""

    @staticmethod
    def forward(ctx, logits, target):
        loss = torch.empty(target.shape, dtype=torch.float32, device=logits.device)
        ctx.save_for_backward(logits.detach())
        return loss

    @staticmethod
    def backward(ctx, gradient):
        (logits,) = ctx.saved_tensors
        return logits, None


class _Module(torch.nn.Module):
    def _weight(self, rows, columns, name="weight", **kwargs):
        parameter = torch.nn.Parameter(
            torch.empty(rows, columns, dtype=kwargs.get("params_dtype"), device="cuda"))
        self.register_parameter(name, parameter)
        return parameter


def _local(parallel, ranks, in_features, out_features):
    if parallel == "column":
        out_features //= ranks
    elif parallel == "row":
        in_features //= ranks
    return in_features, out_features


class Linear(_Module):
    def __init__(self, in_features, out_features, sequence_parallel=False, tp_group=None, tp_size=1,
                 parallel_mode=None, fuse_wgrad_accumulation=False, bias=False, **kwargs):
        super().__init__()
        assert not bias
        self.parallel_mode, self.tp_group = parallel_mode, tp_group
        self.sequence_parallel, self.fuses = sequence_parallel and tp_size > 1, fuse_wgrad_accumulation
        columns, rows = _local(parallel_mode, tp_size, in_features, out_features)
        self._weight(rows, columns, **kwargs)
        self.save_original_input = False

    def forward(self, x, is_first_microbatch=None):
        return _Product.apply(x, self.weight, self.parallel_mode, self.tp_group,
                              self.sequence_parallel, self.fuses)


class LayerNormLinear(_Module):
    def __init__(self, in_features, out_features, sequence_parallel=False, tp_group=None, tp_size=1,
                 parallel_mode=None, fuse_wgrad_accumulation=False, bias=False, **kwargs):
        super().__init__()
        assert not bias and not kwargs.get("return_layernorm_output")
        self.parallel_mode, self.tp_group = parallel_mode, tp_group
        self.sequence_parallel, self.fuses = sequence_parallel and tp_size > 1, fuse_wgrad_accumulation
        columns, rows = _local(parallel_mode, tp_size, in_features, out_features)
        self.layer_norm_weight = torch.nn.Parameter(
            torch.empty(columns, dtype=kwargs.get("params_dtype"), device="cuda"))
        self._weight(rows, columns, **kwargs)

    def forward(self, x, is_first_microbatch=None, fp8_output=False):
        return _NormProduct.apply(x, self.layer_norm_weight, self.weight, self.tp_group,
                                  self.sequence_parallel, self.fuses)


class GroupedLinear(_Module):
    def __init__(self, num_gemms, in_features, out_features, fuse_wgrad_accumulation=False,
                 bias=False, **kwargs):
        super().__init__()
        assert not bias
        self.num_gemms, self.fuses = num_gemms, fuse_wgrad_accumulation
        for i in range(num_gemms):
            self._weight(out_features, in_features, f"weight{i}", **kwargs)
        self.save_original_input = False

    def forward(self, x, m_splits, is_first_microbatch=None):
        weights = [getattr(self, f"weight{i}") for i in range(self.num_gemms)]
        return _Grouped.apply(x, self.fuses, *weights)


class RMSNorm(_Module):
    def __init__(self, hidden_size=None, eps=1e-5, sequence_parallel=False, params_dtype=None, **kwargs):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.empty(hidden_size, dtype=params_dtype, device="cuda"))
        self.weight.sequence_parallel = sequence_parallel

    def forward(self, x):
        return _Norm.apply(x, self.weight)


class DotProductAttention(_Module):
    def __init__(self, *args, **kwargs):
        super().__init__()

    def forward(self, q, k, v, *args, **kwargs):
        # The kernel takes each operand in a layout of its own: views of a joint product are copied.
        q, k, v = (t.contiguous() for t in (q, k, v))
        return _Attention.apply(q, k, v)


def _rotary(t, freqs, tensor_format="sbhd", interleaved=False, fused=True, **kwargs):
    return _Rotary.apply(t, freqs)


def _permute(inp, probs, routing_map, num_out_tokens=-1, **kwargs):
    out, row_map, chosen = _Permute.apply(inp, probs, routing_map, num_out_tokens)
    return out, chosen, row_map


def _permute_alone(inp, routing_map, num_out_tokens=-1, **kwargs):
    out, row_map, _ = _Permute.apply(inp, None, routing_map, num_out_tokens)
    return out, row_map


def _unpermute(inp, row_id_map, merging_probs=None, restore_shape=None, **kwargs):
    return _Unpermute.apply(inp, row_id_map, merging_probs, restore_shape or inp.shape)


def _sort(inp, split_sizes, sorted_index):
    return _Sort.apply(inp, None, split_sizes)[0]


def _sort_with(inp, probs, split_sizes, sorted_index):
    return _Sort.apply(inp, probs, split_sizes)


def _cross_entropy(logits, target, *args, **kwargs):
    return _CrossEntropy.apply(logits, target)


def _module(name, **names):
    module = types.ModuleType(name)
    module.__spec__ = importlib.machinery.ModuleSpec(name, None)
    module.__path__ = []
    module.__version__ = VERSION
    for key, value in names.items():
        setattr(module, key, value)
    sys.modules[name] = module
    parent, _, last = name.rpartition(".")
    if parent:
        setattr(sys.modules[parent], last, module)
    return module


def _absent(*args, **kwargs):
    raise NotImplementedError("not part of the stand-in")


class _Anything:
    pass


def install():
    """Puts the stand-in into sys.modules under Transformer Engine's names."""
    root = "transformer_engine"
    _module(root)
    _module(root + ".common")
    _module(root + ".common.recipe", DelayedScaling=_Anything, Format=_Anything)
    _module(root + ".pytorch", Linear=Linear, LayerNormLinear=LayerNormLinear, RMSNorm=RMSNorm,
            LayerNorm=RMSNorm, GroupedLinear=GroupedLinear, DotProductAttention=DotProductAttention,
            Fp8Padding=_Anything, Fp8Unpadding=_Anything)
    _module(root + ".pytorch.ops", **{name: type(name, (torch.nn.Module,), {}) for name in (
        "Sequential", "FusibleOperation", "GELU", "GEGLU", "SwiGLU", "ReLU", "ReGLU", "Linear",
        "LayerNorm", "RMSNorm", "MakeExtraOutput", "AddExtraInput", "AddInPlace")})
    _module(root + ".pytorch.distributed", CudaRNGStatesTracker=_Anything, checkpoint=_absent,
            activation_recompute_forward=contextlib.nullcontext)
    _module(root + ".pytorch.float8_tensor", Float8Tensor=type("Float8Tensor", (), {}))
    _module(root + ".pytorch.fp8", FP8GlobalStateManager=_Anything, fp8_autocast=contextlib.nullcontext,
            fp8_model_init=contextlib.nullcontext)
    quantized = type("QuantizedTensor", (), {})
    _module(root + ".pytorch.tensor", QuantizedTensor=quantized)
    _module(root + ".pytorch.tensor.float8_tensor", Float8Tensor=quantized)
    _module(root + ".pytorch.tensor.utils", replace_raw_data=_absent,
            cast_master_weights_to_fp8=_absent)
    _module(root + ".pytorch.attention", _SplitAlongDim=_Anything, apply_rotary_pos_emb=_rotary)
    _module(root + ".pytorch.attention.rope", apply_rotary_pos_emb=_rotary)
    del sys.modules[root + ".pytorch.attention"]._SplitAlongDim
    _module(root + ".pytorch.permutation", moe_permute=_permute_alone,
            moe_permute_with_probs=_permute, moe_unpermute=_unpermute,
            moe_sort_chunks_by_index=_sort, moe_sort_chunks_by_index_with_probs=_sort_with)
    _module(root + ".pytorch.cross_entropy", parallel_cross_entropy=_cross_entropy)
    _module(root + ".pytorch.router", fused_topk_with_score_function=_absent,
            fused_compute_score_for_moe_aux_loss=_absent, fused_moe_aux_loss=_absent)

    def accumulate(x, gradient, main):
        """Apex's kernel adds the weight gradient to main_grad itself."""

    _module("fused_weight_gradient_mlp_cuda", wgrad_gemm_accum_fp32=accumulate,
            wgrad_gemm_accum_fp16=accumulate)
