"""The values pass: every operator runs on the stand-in card, so that memory is true, and small tensors are
then computed by the CPU in the card's own memory, so that what a script reads back is no rubbish.

A storage is one of three things: `written` (its memory holds what the operators computed), `assumed` (its
memory holds values that rest on an assumption), or one number that stands for all its elements, where it
is too large to be touched. Heavy operators are not computed: what comes out of them is assumed.
"""

import ctypes
import math
import sys

from . import guesses, products, routing, sparse
from .operators import Operator
from .places import user_place
from .tensors import alone, by_the_cpu, dense, fill_on_host, give_pages_back, once, tensors_of

KNOWN = 1 << 22      # elements written where every input is known
FLOATS = 1 << 20     # the same, of floating-point types

WRITTEN, ASSUMED, SMALL, EVERY_ELEMENT = guesses.WRITTEN, guesses.ASSUMED, guesses.SMALL, guesses.EVERY_ELEMENT


class Values:
    """State of all storages and the computing of operators; mode.py has the dispatch mode around it."""

    def __init__(self, torch, answer, on_read, skew=0.0):
        self.torch, self.answer, self.on_read, self.skew = torch, answer, on_read, skew
        self.state = {}
        self.hosts = {}  # {address: (bytes, storage of the CPU on that memory)}
        self.operators = {}  # by the number of the overload: its own hash is a function of Python
        self.plain = (torch.Tensor, torch.nn.Parameter)
        self.generator = torch.Generator().manual_seed(0)
        self.assumed_operators = {}

    # -- storages ---------------------------------------------------------------------------------
    def state_of(self, tensor):
        if tensor._is_zerotensor():  # what autograd hands on where a derivative is nought: no memory
            return 0
        return self.state.get(tensor.untyped_storage().data_ptr(), 0)

    def set_state(self, tensor, state):
        self.state[tensor.untyped_storage().data_ptr()] = state

    def host(self, tensor):
        """A tensor of the CPU on the same memory."""
        torch, storage = self.torch, tensor.untyped_storage()
        size, at = storage.nbytes(), storage.data_ptr()
        if size == 0 or at == 0:
            return torch.empty(tensor.shape, dtype=tensor.dtype, device="cpu")
        known, whole = self.hosts.get(at, (0, None))
        if known != size:
            whole = torch.frombuffer((ctypes.c_char * size).from_address(at), dtype=torch.uint8).untyped_storage()
            self.hosts[at] = size, whole
        made = torch.empty(0, dtype=tensor.dtype, device="cpu")
        return made.set_(whole, tensor.storage_offset(), tensor.shape, tensor.stride())

    def stand_for(self, tensor):
        """What an operator on the CPU gets for a tensor of the card."""
        state = self.state_of(tensor)
        if state in (WRITTEN, ASSUMED):
            return self.host(tensor)
        value = self.torch.empty((), dtype=tensor.dtype, device="cpu")
        value.fill_(state)
        return value.expand(tensor.shape)

    # -- one operator -----------------------------------------------------------------------------
    def run(self, func, args, kwargs):
        torch = self.torch
        operator = self.operators.get(id(func)) or self.operators.setdefault(id(func), Operator(func, torch))
        if operator.view:
            counted = sparse.counts_of_parts(self, operator, args) if operator.parts else []
            if counted:
                self.answer(counted)
            out = func(*args, **kwargs)
            if counted:
                self.answer([])
            if operator.name == "lift_fresh" and args[0].is_cuda:  # torch.tensor(..., device="cuda")
                carried = args[0].untyped_storage().nbytes() <= SMALL
                self.set_state(args[0], WRITTEN if carried else 0)
            sparse.fill_moved(self, operator, func, args, kwargs, out)
            return out
        inputs = [t for t in tensors_of((args, kwargs), torch) if t.is_cuda]
        if operator.exchange:
            return self.exchange(func, args, kwargs)
        scattered = any(type(a) in self.plain and a.layout is not torch.strided for a in args)
        if scattered and (pair := products.two_sparse(self, operator, args)):
            self.answer(products.counts_of_sparse(self, operator, *pair))
        elif operator.counted and inputs:
            self.tell_counts(operator, func, args, kwargs, inputs)
        elif inputs and operator.checks:
            self.answer(operator.checks)
        elif scattered and (together := sparse.scattered_among(self, args)):
            self.answer([together])  # products put entries of one place together first
        if operator.reads and inputs and leaves_the_card(operator, args, kwargs):
            args = self.as_read(operator, args, kwargs)
            inputs = [t for t in tensors_of((args, kwargs), torch) if t.is_cuda]
            self.lay_down(inputs)
        places = sparse.places_before(self, operator, func, args, kwargs) if scattered else None
        out = func(*args, **kwargs)
        self.answer([])
        made = sparse.made_by(out, inputs, operator.in_place, torch)
        if operator.in_place and not made:
            made = [t for t in tensors_of([a for a, w in zip(args, operator.writes) if w], torch) if t.is_cuda]
        if made:
            with alone(torch):
                if made := sparse.less_places(self, operator, func, args, kwargs, out, made, places):
                    self.fill(operator, func, args, kwargs, inputs, out, made)
        elif inputs:
            self.read(operator, inputs, out)
        return out

    def exchange(self, func, args, kwargs):
        """A collective: the card itself moves small messages between ranks, large ones keep their number."""
        out = func(*args, **kwargs)
        for tensor in tensors_of((args, kwargs, out), self.torch):
            if not tensor.is_cuda:
                continue
            if tensor.numel() * tensor.element_size() <= SMALL:
                if self.state_of(tensor) != WRITTEN:
                    self.set_state(tensor, ASSUMED)
            elif self.state_of(tensor) in (WRITTEN, ASSUMED) or isinstance(self.state_of(tensor), guesses.Loaded):
                self.set_state(tensor, 0)
        return out

    def fill(self, operator, func, args, kwargs, inputs, out, made):
        """Computes what is small, assumes the rest."""
        biggest = max(t.numel() for t in made)
        states = [self.state_of(t) for t in inputs]
        known = all(s in (WRITTEN, ASSUMED) for s in states)
        limit = self.limit(operator, args, made, known)
        if operator.fresh:
            self.assume(made, 0, fresh=True)
        elif operator.skipped:
            self.assume_skipped(operator, made, known, biggest, func, args, kwargs, out)
        elif biggest <= limit and not known and products.times_nothing(self, operator, args):
            products.leave_what_is_added(self, operator, args, kwargs, made[0])
            self.set_state(made[0], ASSUMED)
        elif biggest <= limit and self.light(operator, inputs, made, known) and (
                known or not (operator.loss or operator.name in guesses.UNIT_LENGTH or guesses.is_whole_sight(operator, inputs, states)
                              or guesses.of_unknown_vectors(operator, states))):
            if not self.compute(operator, func, args, kwargs, out, made, states):
                self.assume_result(operator, inputs, made, states, func, args, kwargs)
        else:
            self.assume_result(operator, inputs, made, states, func, args, kwargs)

    def limit(self, operator, args, made, known):
        if not known:
            return SMALL
        if any(t.is_floating_point() for t in made):
            from_host = operator.name in ("copy_", "_to_copy") and any(
                t.numel() > SMALL and not t.is_cuda for t in tensors_of(args, self.torch))
            return SMALL if operator.random or from_host else FLOATS
        return KNOWN

    def light(self, operator, inputs, made, known):
        """Whether the CPU does it in an instant."""
        largest = max((t.numel() for t in inputs if self.state_of(t) in (WRITTEN, ASSUMED)), default=0)
        if not known and max((t.numel() for t in inputs), default=0) > KNOWN:
            return False
        if operator.trusting and not all(self.state_of(t) == WRITTEN and t.is_contiguous() for t in inputs):
            return False  # a kernel of another package may look nowhere but at true values in dense memory
        if operator.product:
            return products.work(inputs, made) <= products.WORK and largest <= FLOATS
        return largest <= KNOWN

    def compute(self, operator, func, args, kwargs, out, made, states):
        """Runs the operator on the CPU in the memory of the card; False where it has no such kernel."""
        torch = self.torch
        kept = torch.get_rng_state() if operator.random else None
        if kept is not None:
            torch.set_rng_state(self.generator.get_state())
        try:
            result = by_the_cpu(func, self.on_host(args), self.on_host(kwargs), operator.in_place, torch)
        except Exception:
            return False
        finally:
            if kept is not None:
                self.generator.set_state(torch.get_rng_state())
                torch.set_rng_state(kept)
        return self.keep(operator, out, result, made, all(s == WRITTEN for s in states))

    def keep(self, operator, out, result, made, sure):
        """Puts what the CPU has computed into the memory of the card; False where it has another shape."""
        torch = self.torch
        if not operator.in_place:
            for to, value in zip(tensors_of(out, torch), tensors_of(result, torch)):
                if not to.is_cuda:
                    continue
                if to.shape != value.shape:
                    if to.numel() and value.numel():
                        return False
                    self.host(to).zero_()  # what one of the two keeps for its own backward pass alone
                    continue
                memory, value = once(self.host(to), to), once(value, to)
                if sure or not (to.is_floating_point() and value.is_floating_point()):
                    memory.copy_(value)
                else:
                    # The CPU keeps the mean of 16-bit floats in 16 bits, the card in 32.
                    torch.nan_to_num(value.to(memory.dtype), nan=0.0, posinf=1e4, neginf=-1e4, out=memory)
        for tensor in made:
            if operator.in_place and self.state_of(tensor) not in (WRITTEN, ASSUMED):
                if not self.owns(tensor):
                    self.forget_bounds(tensor)
                    continue  # a part of a storage that is one number stays one number
            self.set_state(tensor, WRITTEN if sure else ASSUMED)
            if operator.in_place and not sure and tensor.is_floating_point():
                memory = once(self.host(tensor), tensor)
                torch.nan_to_num(memory, nan=0.0, posinf=1e4, neginf=-1e4, out=memory)
        return True

    def on_host(self, value):
        torch = self.torch
        if isinstance(value, torch.Tensor):
            if value.layout is not torch.strided and value.is_cuda:
                return sparse.on_host(self, value)
            return self.stand_for(value) if value.is_cuda else value
        if isinstance(value, torch.device):
            return torch.device("cpu") if value.type == "cuda" else value
        if isinstance(value, torch.Generator):
            return self.generator
        if isinstance(value, dict):
            return {k: self.on_host(v) for k, v in value.items() if k != "pin_memory"}
        return type(value)([self.on_host(v) for v in value]) if isinstance(value, (list, tuple)) else value

    # -- what is not computed ---------------------------------------------------------------------
    def assume(self, made, value, fresh=False):
        for tensor in made:
            if tensor.numel() <= SMALL:
                if tensor.numel():
                    self.host(tensor).fill_(value)
                self.set_state(tensor, ASSUMED)
            elif fresh or self.owns(tensor):
                self.set_state(tensor, value)
                give_pages_back(tensor.untyped_storage())
            elif self.state_of(tensor) in (WRITTEN, ASSUMED):
                self.set_state(tensor, value)
            else:
                self.forget_bounds(tensor)

    def forget_bounds(self, tensor):
        """A part of what was loaded has been written over: its bounds are known no more."""
        if isinstance(state := self.state_of(tensor), guesses.Loaded):
            self.set_state(tensor, guesses.Guess(state))

    @staticmethod
    def owns(tensor):
        return tensor.numel() * tensor.element_size() >= tensor.untyped_storage().nbytes()

    def assume_skipped(self, operator, made, known, biggest, func, args, kwargs, out):
        """Operators on lists: computed where all are small, else norms are 1 and contents stay."""
        total = sum(t.numel() for t in made)
        inputs = [t for t in tensors_of((args, kwargs), self.torch) if t.is_cuda]
        small = all(t.numel() <= SMALL for t in inputs) and total <= FLOATS
        if small and operator.name.startswith("_foreach_"):
            states = [self.state_of(t) for t in inputs]
            if self.compute(operator, func, args, kwargs, out, made, states):
                return
        if not operator.in_place:
            self.assume(made, 1 if operator.norm else 0, fresh=True)
        for tensor in made:
            self.forget_bounds(tensor)

    def assume_result(self, operator, inputs, made, states, func, args, kwargs):
        self.assumed_operators[operator.name] = self.assumed_operators.get(operator.name, 0) + 1
        if operator.loss and inputs:
            self.assume(made, guesses.of_a_loss(args, inputs))
        elif operator.name in guesses.UNIT_LENGTH or products.turns(self, operator, args):
            for tensor in made:
                self.assume([tensor], guesses.Unit.of(tensor))
        elif operator.name in ("topk", "sort", "argsort"):
            routing.even(self, made, inputs, self.skew)
        elif operator.norm or guesses.of_unknown_vectors(operator, states):
            self.assume(made, 1)
        elif operator.by_element or operator.name in (*EVERY_ELEMENT, *guesses.COPIES, *guesses.NUMBERED, *guesses.OVERLAID, "fill_",
                                                       "zero_"):
            self.assume(made, guesses.of_one_element(self, operator, func, args, kwargs, inputs))
            if guesses.is_sure(self, operator, inputs, made):
                self.set_state(made[0], WRITTEN)
        else:
            self.assume(made, guesses.Guess(0))

    # -- what the script reads --------------------------------------------------------------------
    def tell_counts(self, operator, func, args, kwargs, inputs):
        """Says what the operator's own read of the card must find: a size that its kernel would count."""
        torch = self.torch
        counts = []
        try:
            if operator.name.startswith(("index", "_index")):
                masks = [m for m in (args[1] or []) if m is not None and m.dtype in (torch.bool, torch.uint8)]
                counts = [self.true_in(m) for m in masks]
            elif operator.name in ("masked_select", "nonzero") and isinstance(self.state_of(args[-1]), guesses.Mask):
                counts = [self.true_in(args[-1], torch.broadcast_shapes(*[t.shape for t in args]))]
            elif operator.name == "masked_scatter_backward":
                counts = [int(self.stand_for(args[1]).expand(args[0].shape).count_nonzero())]
            elif operator.name.startswith("_to_sparse") and isinstance(self.state_of(inputs[0]), guesses.Guess):
                counts = [max(1, inputs[0].numel() // guesses.ELEMENTS_OF_ONE_ENTRY)]
            elif operator.name == "isin":  # of many elements only the different ones are put together
                counts = [self.stand_for(t).unique().numel() for t in args[:2] if isinstance(t, torch.Tensor)]
            elif operator.name == "linalg_matrix_exp":
                counts = products.counts_of_exponentials(self, args[0])
            elif operator.asked:
                counts = [int(func(*self.on_host(args), **self.on_host(kwargs)))]
            else:
                found = func(*self.on_host(args), **self.on_host(kwargs))
                found = found[0] if isinstance(found, (tuple, list)) else found
                rows = found.shape[0] if found.layout is torch.strided else found._nnz()
                counts = [rows - 1 if operator.name == "bincount" else rows]
        except Exception:
            counts = [0]
        if counts:
            self.answer(counts)
            self.note(operator.name, inputs)

    def true_in(self, mask, shape=None):
        """How many elements of a mask are true, where it is repeated to that shape."""
        if not mask.is_cuda:
            return int(mask.count_nonzero())
        state = self.state_of(mask)
        if isinstance(state, guesses.Mask):
            return round(state.share(self.torch) * math.prod(mask.shape if shape is None else shape))
        return int(self.stand_for(mask).count_nonzero())

    def as_read(self, operator, args, kwargs):
        """What has gaps or will be another type there, torch gathers on the card, out of sight, before it copies to
        the host, where it makes it that type, unless the copy does not wait: here that is done in sight, so that the
        copy finds values."""
        if operator.name not in ("copy_", "_to_copy"):
            return args
        at = int(operator.name == "copy_")
        source = args[at]
        if not tensors_of(source, self.torch) or source.layout is not self.torch.strided:
            return args
        wanted = args[0].dtype if at else kwargs.get("dtype") or source.dtype
        if source.dtype != wanted and (kwargs.get("non_blocking") or at and args[2:] == (True,)):
            source = self.run(self.torch.ops.aten._to_copy.default, (source,), {"dtype": wanted})
            args = (*args[:at], source, *args[at + 1 :])
        if source.is_contiguous():
            return args
        if source.dtype == wanted and dense(source) and (not at or args[0].stride() == source.stride()):
            return args
        source = self.run(self.torch.ops.aten.clone.default, (source,), {"memory_format": self.torch.contiguous_format})
        return (*args[:at], source, *args[at + 1 :])

    def lay_down(self, inputs):
        """Writes the one number that stands for a small tensor into the card's memory, where it is about to be read."""
        for tensor in inputs:
            state = self.state_of(tensor)
            if state not in (WRITTEN, ASSUMED) and 0 < tensor.numel() * tensor.element_size() <= SMALL:
                once(self.host(tensor), tensor).fill_(state)

    def read(self, operator, inputs, out):
        """The script, or torch for it, has copied from the card."""
        if operator.reads:
            self.note(operator.name, inputs)
            state = self.state_of(inputs[0])
            if state not in (WRITTEN, ASSUMED):
                for tensor in tensors_of(out, self.torch):
                    if tensor.numel() * tensor.element_size() > SMALL:
                        fill_on_host(tensor, state, self.torch)

    def note(self, name, inputs):
        assumed = any(self.state_of(t) != WRITTEN for t in inputs)
        self.on_read(user_place(sys._getframe(1)), name, assumed)


def leaves_the_card(operator, args, kwargs):
    """Whether what such an operator makes lies in memory of the host."""
    if operator.name == "copy_":
        return not args[0].is_cuda
    return operator.name not in ("_to_copy", "to") or "cuda" not in str(kwargs.get("device") or "cuda")
