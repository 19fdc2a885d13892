"""Kernels that a package builds with the CUDA compiler when a script first asks for them. On the stand-in card they would not
run either: what takes their place needs no compiler and moves the same bytes by operators of torch, which are recorded."""


def adam(torch):
    """DeepSpeed's fused Adam: reads gradients, reads and writes parameters and both moments, and makes no tensor."""
    def multi_tensor_adam(_chunk, _overflow, lists, *_):
        gradients, parameters, first, second = lists
        torch._foreach_mul_(first, 1.0)
        torch._foreach_mul_(parameters, 1.0)
        torch._foreach_add_(second, gradients, alpha=0)

    return multi_tensor_adam


def attach_deepspeed(module):
    """`module` is deepspeed.ops.op_builder.fused_adam."""
    import types

    import torch

    stand_in = types.SimpleNamespace(multi_tensor_adam=adam(torch))
    module.FusedAdamBuilder.load = lambda self, *_, **__: stand_in
