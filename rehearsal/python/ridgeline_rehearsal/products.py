"""Products of matrices in the values pass: which the CPU computes, and what is known of one without computing."""

import collections
import math
import struct

from . import sparse
from .guesses import ASSUMED, WRITTEN, Unit
from .tensors import once, places_of

WORK = 1 << 25  # multiplications that a product may take on the CPU
NAMES = ("mm", "addmm", "bmm", "baddbmm", "convolution", "convolution_backward", "matmul", "linear",
         "cudnn_convolution", "einsum", "addbmm", "grid_sampler_2d")
OF_TWO_SPARSE = ("_sparse_sparse_matmul", "mm", "addmm", "addmm_")
SUMS = ("add", "add_", "sub", "sub_")
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


def turns(values, operator, args):
    """Whether a factor is made of vectors of length 1: what it turns is no nought."""
    first = FACTORS.get(operator.name)
    return first is not None and any(isinstance(values.state_of(t), Unit) for t in args[first : first + 2]
                                     if t.layout is values.torch.strided and t.is_cuda)


def leave_what_is_added(values, operator, args, kwargs, made):
    """What a product times nought leaves in memory: nothing, or what is added to it."""
    memory = once(values.host(made), made)
    if FACTORS[operator.name] == 0:
        memory.zero_()
    else:
        memory.copy_(once(values.stand_for(args[0]).expand(made.shape), made))
        if (factor := kwargs.get("beta", 1)) != 1:
            memory.mul_(factor)


def two_sparse(values, operator, args):
    """The two sparse matrices of which an operator makes the product, or by rows the sum; None of another."""
    torch = values.torch
    if operator.name not in OF_TWO_SPARSE + SUMS:
        return None
    apart = (torch.strided, torch.sparse_coo) if operator.name in SUMS else (torch.strided,)
    found = [a for a in args if isinstance(a, torch.Tensor) and a.layout not in apart]
    return found[-2:] if len(found) > 1 and all(one.is_cuda and one.dim() == 2 for one in found) else None


def entries_of(values, tensor):
    """What torch counts first where entries of one place are not yet together, and the tensor with them together on the
    host; None for the latter where nobody knows the places."""
    torch = values.torch
    known = all(values.state_of(part) in (WRITTEN, ASSUMED) for part in places_of(tensor, torch))
    if tensor.layout is not torch.sparse_coo or tensor.is_coalesced():
        return [], sparse.on_host(values, tensor).to_sparse_coo() if known else None
    together = sparse.on_host(values, tensor).coalesce() if known else None
    return [together._nnz() if known else tensor._nnz()], together


def spread_evenly(entries, places):
    """How many places have one of so many entries that fall anywhere."""
    return int(places * -math.expm1(-entries / max(1, places)))


def counts_of_sparse(values, operator, first, second):
    """What the kernels of a product of two sparse matrices count, in their order: entries put together, products of two
    entries, entries of the result; of a sum the last alone. Where places are not known they are taken as spread evenly."""
    torch = values.torch
    counted, (one, other) = zip(*(entries_of(values, tensor) for tensor in (first, second)))
    before = [number for numbers in counted for number in numbers]
    places = first.shape[0] * second.shape[1]
    if operator.name in SUMS:
        known = one is not None and other is not None
        return [(one + other).coalesce()._nnz() if known else spread_evenly(first._nnz() + second._nnz(), places)]
    if one is None or other is None:
        products = first._nnz() * second._nnz() // max(1, second.shape[0])
    else:
        rows = other._indices()[0].bincount(minlength=second.shape[0])
        products = int(rows[one._indices()[1]].sum())
        if products <= WORK:
            ones = [torch.sparse_coo_tensor(t._indices(), torch.ones(t._nnz()), t.shape).coalesce() for t in (one, other)]
            return [*before, products, torch.sparse.mm(*ones)._nnz()]
    return [*before, products, spread_evenly(products, places)]


# Norms up to which torch takes the polynomials of degree 12 and 18 for the exponential of a matrix (Bader, Blanes and Casas,
# Mathematics 7, 1174, 2019), and how it reads one norm: by the bytes of a number.
DEGREES = {4: (1.461661507209034, 3.010066362817634, "f", "i"), 8: (0.299615891381158, 1.090863719290036, "d", "q")}


def squared_in_groups(times):
    """What torch counts where it squares matrices so many times, all together until some are done: the groups; then at once
    how many matrices each has and how many times more than the one before."""
    groups = sorted(collections.Counter(times).items())
    before = [0, *(often for often, _ in groups)]
    return [len(groups), *(count for _, count in groups), *(often - less for (often, _), less in zip(groups, before))]


def counts_of_exponentials(values, matrices):
    """What torch reads for the exponentials of these matrices: of one its norm, which chooses the polynomial; of several, and
    of a large one, how often each is squared."""
    torch, state = values.torch, values.state_of(matrices)
    if state in (WRITTEN, ASSUMED):
        norms = values.host(matrices).detach().abs().double().sum(-2).amax(-1).flatten()
    else:
        norms = torch.full((math.prod(matrices.shape[:-2]),), abs(float(state)) * matrices.shape[-1], dtype=torch.float64, device="cpu")
    below, most, written, read = DEGREES[4 if matrices.dtype in (torch.float32, torch.complex64) else 8]
    groups = squared_in_groups((norms / most).log2().ceil().clamp(min=0).nan_to_num(posinf=0).long().tolist())
    if len(norms) > 1:
        return groups
    norm = norms.item() if norms.isfinite().all() else 0.0
    return [struct.unpack(f"={read}", struct.pack(f"={written}", norm))[0], *(groups if norm >= below else [])]
