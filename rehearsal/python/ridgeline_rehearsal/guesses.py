"""One number for all elements of a tensor that is too large to be touched, and what operators make of it."""

import math

SMALL = 1 << 16      # elements that are always written
WRITTEN, ASSUMED = "written", "assumed"
# Who makes a sparse tensor of values that nobody knows expects few entries (assumed: terms of a learned vocabulary).
ELEMENTS_OF_ONE_ENTRY = 100
EVERY_ELEMENT = ("all", "any", "mean", "max", "min", "amax", "amin", "median", "logsumexp", "prod", "sum", "nansum")
BOUNDS = {"max": 1, "amax": 1, "min": -1, "amin": -1}
NUMBERED = ("full", "zeros", "ones", "full_like", "zeros_like", "ones_like")


class Guess(float):
    """A number that stands for values of which none is known: they differ, so that scripts may divide by the distance
    between the largest and the smallest. Another number is that of every element."""


def are_bounds(operator, inputs, states):
    """Whether the operator looks for the largest or smallest of values of which none is known."""
    return operator.name in BOUNDS and inputs[0].is_floating_point() and isinstance(states[0], Guess)


class OneElement:
    """Puts one element in the place of each tensor, and knows whether any was a guess."""

    def __init__(self, values):
        self.values, self.guessed = values, False

    def of(self, value):
        torch = self.values.torch
        if isinstance(value, torch.Tensor):
            return self.of_tensor(value)
        return type(value)([self.of(v) for v in value]) if isinstance(value, (list, tuple)) else value

    def of_tensor(self, value):
        state = self.values.state_of(value) if value.is_cuda else WRITTEN
        made = self.values.torch.zeros((), dtype=value.dtype, device="cpu")
        if state in (WRITTEN, ASSUMED) and value.numel():
            memory = self.values.host(value) if value.is_cuda else value
            self.guessed |= memory.numel() > SMALL
            made.fill_(memory.detach().flatten()[0].item() if memory.numel() <= SMALL else 0)
        elif state not in (WRITTEN, ASSUMED):
            self.guessed |= isinstance(state, Guess)
            made.fill_(state)
        return made


def made_of_one(one, operator, func, args, kwargs, inputs):
    """The number that the operator makes of one element of each input."""
    if operator.name in NUMBERED:
        return args[1] if "full" in operator.name else int(operator.name.startswith("ones"))
    if operator.name in EVERY_ELEMENT:
        found = one.of(inputs[0]).item()
        if operator.name in BOUNDS and one.guessed and inputs[0].is_floating_point():
            return found + BOUNDS[operator.name]
        return found * (inputs[0].numel() if operator.name in ("sum", "nansum") else 1)
    named = {k: one.of(v) for k, v in kwargs.items() if k not in ("device", "pin_memory", "layout", "generator",
                                                                  "memory_format", "non_blocking")}
    words = [one.of(a) for a in args]
    if operator.name in ("copy_", "clone", "_to_copy"):
        return words[1 if operator.name == "copy_" else 0].item()
    found = func(*words, **named)
    found = (found[0] if isinstance(found, (list, tuple)) else found).item()
    return found if not isinstance(found, float) or math.isfinite(found) else 0


def of_one_element(values, operator, func, args, kwargs, inputs):
    """The same, 0 where it makes none; a guess where it rests on one."""
    one = OneElement(values)
    try:
        found = made_of_one(one, operator, func, args, kwargs, inputs)
    except Exception:
        return Guess(0)
    return Guess(found) if one.guessed and isinstance(found, float) else found
