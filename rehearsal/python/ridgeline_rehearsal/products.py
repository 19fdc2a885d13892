"""Products of matrices in the values pass: which the CPU computes, and what is known of one without computing."""

from .tensors import once

WORK = 1 << 25  # multiplications that a product may take on the CPU
NAMES = ("mm", "addmm", "bmm", "baddbmm", "convolution", "convolution_backward", "matmul", "linear",
         "cudnn_convolution", "einsum", "addbmm", "grid_sampler_2d")
FACTORS = {"mm": 0, "bmm": 0, "matmul": 0, "addmm": 1, "baddbmm": 1}  # where the first of the two stands


def work(inputs, made):
    """Multiplications of a product, at most."""
    depth = max((t.shape[-1] for t in inputs if t.dim()), default=1)
    return sum(t.numel() for t in made) * max(depth, 1)


def times_nothing(values, operator, args):
    """Whether a factor is the number nought: the CPU need not find out what comes of it."""
    first = FACTORS.get(operator.name)
    return first is not None and any(
        t.layout is values.torch.strided and values.state_of(t) == 0 for t in args[first : first + 2])


def leave_what_is_added(values, operator, args, kwargs, made):
    """What a product times nought leaves in memory: nothing, or what is added to it."""
    memory = once(values.host(made), made)
    if FACTORS[operator.name] == 0:
        memory.zero_()
    else:
        memory.copy_(once(values.stand_for(args[0]).expand(made.shape), made)).mul_(kwargs.get("beta", 1))
