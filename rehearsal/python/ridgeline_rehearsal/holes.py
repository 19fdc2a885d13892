"""Weights that are holes under Transformers before 5, which makes each another type on the host: gigabytes of zeros
would be read and written anew."""

import math
import os

from .hub import Shelf

SMALL = 1 << 16  # numbers that are read as they are


def hole_type(torch):
    class Hole(torch.Tensor):
        """Zeros that nobody has written: of another type they are zeros of the host's memory all the same."""

        __torch_function__ = torch._C._disabled_torch_function_impl

        def to(self, *arguments, **named):
            words = (*arguments, *named.values())
            dtype = next((word for word in words if isinstance(word, torch.dtype)), None)
            if dtype is None or len(words) > 1:
                return super().to(*arguments, **named)
            return torch.empty(self.shape, dtype=dtype)

    return Hole


def attach_ties(module):
    """From 5 on it ties what a class ties unless a file has both and they are unlike: a file of holes has both where a
    checkpoint keeps them apart, and says nothing of their values."""
    equal = getattr(module, "_tied_params_are_equal", None)
    if equal:
        module._tied_params_are_equal = lambda *two: not Shelf.weights_are_holes and equal(*two)


class Slice:
    """One tensor of a file of holes."""

    def __init__(self, own, hole, torch):
        self.own, self.hole, self.torch = own, hole, torch

    def __getattr__(self, name):
        return getattr(self.own, name)

    def __getitem__(self, place):
        shape = self.own.get_shape()
        if place is not Ellipsis or math.prod(shape) <= SMALL:
            return self.own[place]
        dtype = self.own[(slice(0, 1),) * len(shape)].dtype
        return self.torch.empty(shape, dtype=dtype).as_subclass(self.hole)


class File:
    """A file of holes as `safe_open` gives it."""

    def __init__(self, own, hole, torch):
        self.own, self.hole, self.torch = own, hole, torch

    def __getattr__(self, name):
        return getattr(self.own, name)

    def __enter__(self):
        self.own.__enter__()
        return self

    def __exit__(self, *told):
        return self.own.__exit__(*told)

    def get_slice(self, name):
        return Slice(self.own.get_slice(name), self.hole, self.torch)


def attach(module, settings):
    """`module` is transformers.modeling_utils."""
    attach_ties(module)
    if not hasattr(module, "_load_state_dict_into_meta_model") or not hasattr(module, "safe_open"):
        return
    import torch

    find, hole, own = module.safe_open, hole_type(torch), str(Shelf(settings).folder) + os.sep

    def safe_open(filename, *arguments, device="cpu", **named):
        found = find(filename, *arguments, device=device, **named)
        ours = os.fspath(filename).startswith(own) and str(device) == "cpu"
        return File(found, hole, torch) if ours else found

    module.safe_open = safe_open
