"""What a package builds with a compiler when a script first asks for it. Kernels would not run on the stand-in card either:
what takes their place needs no compiler and moves the same bytes by operators of torch, which are recorded. Optimizers of the
host move nothing: their weights are assumed, and what they keep there takes no memory."""

import ctypes
import os
import re

from . import card

KEPT = 128 << 20  # bytes; what an optimizer of the host keeps in larger pieces has no pages of its own (card/windows.c)

OF_THE_HOST = {"adam.cpu_adam": "CPUAdamBuilder", "adagrad.cpu_adagrad": "CPUAdagradBuilder", "lion.cpu_lion": "CPULionBuilder"}


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


class Resting:
    """An optimizer of the host: makes itself, steps and goes, all without a word."""

    def __getattr__(self, name):
        if not name.startswith(("create_", "destroy_")) and not re.search("_(update|rollback)", name):
            raise AttributeError(name)  # a package asks what it can do
        return lambda *_, **__: None


def attach_deepspeed_host(module):
    """`module` is one of deepspeed.ops whose optimizer steps on the host."""
    class Builder:
        def load(self, *_, **__):
            ctypes.CDLL(f"libridgeline-card-{os.environ[card.LOADED]}.so").ridgeline_card_windows(ctypes.c_size_t(KEPT))
            card.left_out.add("the time in which DeepSpeed's optimizer steps on the host")
            return Resting()

    setattr(module, OF_THE_HOST[module.__name__.removeprefix("deepspeed.ops.")], Builder)
