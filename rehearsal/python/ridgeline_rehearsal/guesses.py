"""One number for all elements of a tensor that is too large to be touched, and what operators make of it."""

import math

SMALL = 1 << 16      # elements that are always written
WRITTEN, ASSUMED = "written", "assumed"
# Who makes a sparse tensor of values that nobody knows expects few entries (assumed: terms of a learned vocabulary).
ELEMENTS_OF_ONE_ENTRY = 100
EVERY_ELEMENT = ("all", "any", "mean", "max", "min", "amax", "amin", "median", "logsumexp", "prod", "sum", "nansum")
BOUNDS = {"max": 1, "amax": 1, "min": -1, "amin": -1}
COPIES = ("copy_", "_to_copy", "clone")
# Operators that keep the order of numbers, or turn it round, when all else that goes into them is one number.
ORDERED = ("add", "sub", "rsub", "mul", "div", "neg", "clamp", "clamp_min", "clamp_max", "relu", "sigmoid", "ceil", "floor",
           "round", "trunc")
COMPARED = ("ge", "gt", "le", "lt")
COUNTED_THROUGH = 1 << 28  # elements that are true or not, of which those are counted
LOOKED_THROUGH = 1 << 24  # elements from the host of which the bounds are looked for
OVERLAID = ("unfold_backward",)  # pieces that are added where they lie over one another
NUMBERED = ("full", "zeros", "ones", "full_like", "zeros_like", "ones_like")

OF_VECTORS = ("dot", "vdot")

# Factorisations whose columns or rows have the length 1: those of an unknown matrix are no nought, and come to rest.
UNIT_LENGTH = ("_linalg_svd", "linalg_qr", "_linalg_eigh")


class Guess(float):
    """A number that stands for values of which none is known: they differ, so that scripts may divide by the distance
    between the largest and the smallest. Another number is that of every element."""


class Unit(Guess):
    """An element of vectors of length 1 that nobody knows; 1 of what belongs to each of them (singular values)."""

    @classmethod
    def of(cls, tensor):
        return cls(1 / math.sqrt(max(1, tensor.shape[-2])) if tensor.dim() > 1 else 1)


class Loaded(Guess):
    """What came from the host, too large to be written: of its values the lowest, the highest and the mean are known."""

    def __new__(cls, low, high, mean, whole=True):
        """Not `whole`: a part of what was loaded, of which the bounds are those of all of it."""
        made = super().__new__(cls, min(max(low, 0), high))
        made.low, made.high, made.mean, made.whole = low, high, mean, whole
        return made

    def cast(self, dtype, torch, whole):
        """The same as another type; None where that may change more than its ends."""
        ends = (self.low, self.high)
        if dtype is torch.bool and not set(ends) <= {0, 1}:
            return None
        if dtype is not None and not dtype.is_floating_point:
            ends = tuple(map(int, ends))
        return Loaded(*ends, min(max(self.mean, ends[0]), ends[1]), whole and self.whole)

    def reduced(self, name, elements):
        """What an operator over every element makes; None where these three do not tell."""
        if name in BOUNDS:
            return self.high if BOUNDS[name] > 0 else self.low
        if name == "any":
            return self.low != 0 or self.high != 0
        if name == "all" and (self.low * self.high > 0 or self.low == 0 or self.high == 0):
            return self.low * self.high > 0
        return {"mean": self.mean, "sum": self.mean * elements, "nansum": self.mean * elements}.get(name)


class Mask(Guess):
    """Yes or no of too many elements to be kept, made of what is known: they are counted once somebody asks how many."""

    def __new__(cls, first, func, words, shape):
        """`first`: whether the first is true; `words`: what the operator takes, on the host."""
        made = super().__new__(cls, first)
        made.func, made.words, made.shape, made.found = func, words, shape, None
        return made

    @classmethod
    def of(cls, values, func, args, inputs, first):
        """That of an operator by element; None where an input is not known, or nobody could count them in a moment."""
        torch, states = values.torch, [values.state_of(t) for t in inputs]
        if any(state not in (WRITTEN, ASSUMED) for state in states) or func._schema.name.endswith("_"):
            return None
        shape = torch.broadcast_shapes(*[t.shape for t in inputs])
        if not 0 < math.prod(shape) <= COUNTED_THROUGH:
            return None
        words = [values.host(a).clone() if isinstance(a, torch.Tensor) and a.is_cuda else a for a in args]
        return cls(first, func, words, shape)

    def rows(self, torch, begin, end):
        """The result of some of the rows, as torch has it on the host."""
        words = [w.expand(self.shape)[begin:end] if isinstance(w, torch.Tensor) else w for w in self.words]
        return self.func(*words)

    def share(self, torch):
        """How many of all are true."""
        if self.found is None:
            elements, size = math.prod(self.shape), self.shape[0]
            step = max(1, LOOKED_THROUGH * size // elements)
            self.found = sum(int(self.rows(torch, at, at + step).count_nonzero()) for at in range(0, size, step)) / elements
        return self.found

    def reduced(self, torch, name, elements):
        """What an operator over every element makes; None of others."""
        share = self.share(torch) if name in ("any", "all", "mean", "sum") else 0
        return {"any": share > 0, "all": share == 1, "mean": share, "sum": round(share * elements)}.get(name)


def of_a_loss(args, inputs):
    """That of an even guess among the classes."""
    classes = inputs[0].shape[-1] if inputs[0].dim() < 3 else inputs[0].shape[1]
    summed = len(args) > 3 and isinstance(args[3], int) and args[3] == 2 and len(inputs) > 1
    return math.log(max(2, classes)) * (inputs[1].numel() if summed else 1)


def is_whole_sight(operator, inputs, states):
    """Whether the operator makes of every element what one number for all of them would not tell."""
    if operator.name in EVERY_ELEMENT and isinstance(states[0], (Loaded, Mask)):
        return True
    return operator.name in BOUNDS and inputs[0].is_floating_point() and isinstance(states[0], Guess)


def of_unknown_vectors(operator, states):
    """Whether the operator multiplies vectors that nobody knows: their product is 1, as their norms are."""
    return operator.name in OF_VECTORS and any(isinstance(state, Guess) for state in states)


def is_sure(values, operator, inputs, made):
    """Whether the result is no assumption: of all that was loaded, one number."""
    if operator.name not in EVERY_ELEMENT or len(made) != 1 or made[0].numel() != 1 or not values.owns(inputs[0]):
        return False
    state = values.state_of(inputs[0])
    return isinstance(state, Loaded) and state.whole and state.reduced(operator.name, inputs[0].numel()) is not None


def loaded(tensor, torch):
    """The state of what is copied from that tensor of the host; None where it is not looked through: weights are not."""
    if not SMALL < tensor.numel() <= LOOKED_THROUGH or tensor.requires_grad or isinstance(tensor, torch.nn.Parameter):
        return None
    if tensor.layout is not torch.strided or tensor.dtype in (torch.float16, torch.bfloat16):
        return None
    low, high = (bound.item() for bound in tensor.detach().aminmax())
    if not all(map(math.isfinite, (low, high))):
        return None
    return Loaded(low, high, tensor.detach().mean(dtype=torch.float32).item())


def copied(values, operator, args, kwargs):
    """The state of a copy of what the host has loaded, from there or from the card; None of anything else."""
    if operator.name not in COPIES:
        return None
    source = args[1 if operator.name == "copy_" else 0]
    if not isinstance(source, values.torch.Tensor):
        return None
    if operator.name == "copy_" and (isinstance(args[0], values.torch.nn.Parameter) or args[0].requires_grad):
        return None
    state = values.state_of(source) if source.is_cuda else loaded(source, values.torch)
    if not isinstance(state, Loaded):
        return None
    dtype = args[0].dtype if operator.name == "copy_" else kwargs.get("dtype")
    return state.cast(dtype, values.torch, not source.is_cuda or values.owns(source))


def differ(values, tensor):
    """Whether a tensor may have more than one value."""
    state = values.state_of(tensor)
    return tensor.numel() > 1 if state in (WRITTEN, ASSUMED) else isinstance(state, Guess)


def ordered(values, operator, func, args, kwargs, inputs):
    """What an operator that keeps the order makes of what was loaded, from its ends; None where it is not such a case."""
    name = operator.name.removesuffix("_")
    found = [t for t in inputs if isinstance(values.state_of(t), Loaded)]
    if name not in ORDERED + COMPARED or len(found) != 1:
        return None
    if any(differ(values, other) for other in inputs if other is not found[0]):
        return None
    state, ends = values.state_of(found[0]), []
    for value in (state.low, state.high, state.mean):
        one = OneElement(values, instead=value)
        ends.append(func(*[one.of(a) for a in args], **{k: one.of(v) for k, v in kwargs.items()}).item())
    if name in COMPARED:
        return float(ends[0]) if ends[0] == ends[1] else None
    return Loaded(min(ends[:2]), max(ends[:2]), ends[2], state.whole and values.owns(found[0])) if all(map(math.isfinite, ends)) else None


def overlaid(values, operator, args):
    """Pieces that lie over one another (windows of the Fourier transform that makes a sound again): their mean, as often as
    they do. None of anything else, and of what is too large to be looked through."""
    if operator.name not in OVERLAID:
        return None
    _, _, _, size, step = args
    pieces = values.stand_for(args[0])
    different = pieces[tuple(slice(0, 1) if stride == 0 else slice(None) for stride in pieces.stride())]
    return different.mean().item() * size / step if different.numel() <= LOOKED_THROUGH else None


class OneElement:
    """Puts one element in the place of each tensor, and knows whether any was a guess."""

    def __init__(self, values, instead=None):
        """`instead` is taken for an element of what was loaded."""
        self.values, self.guessed, self.instead = values, False, instead

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
            made.fill_(self.instead if self.instead is not None and isinstance(state, Loaded) else state)
        return made


def made_of_one(one, operator, func, args, kwargs, inputs):
    """The number that the operator makes of one element of each input."""
    if operator.name in NUMBERED:
        return args[1] if "full" in operator.name else int(operator.name.startswith("ones"))
    if operator.name in EVERY_ELEMENT:
        state = one.values.state_of(inputs[0])
        if isinstance(state, Loaded) and (whole := state.reduced(operator.name, inputs[0].numel())) is not None:
            return whole
        if isinstance(state, Mask) and (whole := state.reduced(one.values.torch, operator.name, inputs[0].numel())) is not None:
            return whole
        found = one.of(inputs[0]).item()
        if operator.name in BOUNDS and one.guessed and inputs[0].is_floating_point():
            return found + BOUNDS[operator.name]
        return found * (inputs[0].numel() if operator.name in ("sum", "nansum") else 1)
    named = {k: one.of(v) for k, v in kwargs.items() if k not in ("device", "pin_memory", "layout", "generator",
                                                                  "memory_format", "non_blocking")}
    words = [one.of(a) for a in args]
    if operator.name in COPIES:
        return words[1 if operator.name == "copy_" else 0].item()
    found = func(*words, **named)
    found = (found[0] if isinstance(found, (list, tuple)) else found).item()
    return found if not isinstance(found, float) or math.isfinite(found) else 0


def of_one_element(values, operator, func, args, kwargs, inputs):
    """The same, 0 where it makes none; a guess where it rests on one."""
    one = OneElement(values)
    try:
        for known in (copied(values, operator, args, kwargs), overlaid(values, operator, args),
                      ordered(values, operator, func, args, kwargs, inputs)):
            if known is not None:
                return known
        found = made_of_one(one, operator, func, args, kwargs, inputs)
        if operator.by_element and isinstance(found, bool) and (mask := Mask.of(values, func, args, inputs, found)) is not None:
            return mask
    except Exception:
        return Guess(0)
    return Guess(found) if one.guessed and isinstance(found, float) else found
