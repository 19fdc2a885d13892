"""Sparse tensors in the values pass: their places are computed where their values are not known, since a script that looks rows
up makes gradients whose places came from its data."""

import contextlib

from . import products
from .guesses import ASSUMED, LOOKED_THROUGH, WRITTEN
from .tensors import once, parts_of, places_of, tensors_of


def on_host(values, tensor):
    """The same for an operator on the CPU."""
    torch = values.torch
    parts = [values.stand_for(part) for part in parts_of(tensor, torch)]
    if tensor.layout is torch.sparse_coo:
        return torch.sparse_coo_tensor(*parts, tensor.shape, is_coalesced=tensor.is_coalesced(), check_invariants=False)
    return torch.sparse_compressed_tensor(*parts, tensor.shape, layout=tensor.layout, check_invariants=False)


def scattered_among(values, arguments):
    """How many places a sparse tensor among the arguments has whose entries are not yet together; 0 without one."""
    torch = values.torch
    for value in arguments:
        if isinstance(value, torch.Tensor) and value.layout is torch.sparse_coo and not value.is_coalesced():
            return on_host(values, value).coalesce()._nnz() if value.is_cuda else 0
    return 0


def counts_of_parts(values, operator, args):
    """What torch counts where it takes a sparse tensor on the card apart, in its order: for each part its entries,
    which are equal shares where nobody knows their places, and the other dimensions of the places."""
    torch, tensor = values.torch, args[0] if args else None
    if not isinstance(tensor, torch.Tensor):
        return []
    dim = (args[1] if len(args) > 1 else 0) % max(1, tensor.dim())
    if not tensor.is_cuda or tensor.layout is not torch.sparse_coo or dim >= tensor.sparse_dim():
        return []
    size, entries, places = tensor.shape[dim], tensor._nnz(), tensor._indices()
    if values.state_of(places) == WRITTEN:
        counts = values.host(places)[dim].bincount(minlength=size).tolist()
    else:
        counts = [entries * (row + 1) // size - entries * row // size for row in range(size)]
    wanted = counts if operator.name == "unbind" else [counts[args[2]]]
    others = [tensor.sparse_dim() - 1] if tensor.sparse_dim() > 1 else []
    return [number for count in wanted for number in (count, *others)]


def at(tensor):
    return tensor.untyped_storage().data_ptr()


def made_by(out, inputs, in_place, torch):
    """What an operator has made on the card, less what a sparse result has of an input: its places, as the gradient of rows
    that were looked up has them, and unless they are written there its values."""
    made = [t for t in tensors_of(out, torch) if t.is_cuda]
    results = out if isinstance(out, (tuple, list)) else (out,)
    sparse = [r for r in results if isinstance(r, torch.Tensor) and r.layout is not torch.strided]
    if not sparse:
        return made
    handed_on = {at(t) for t in inputs if t.numel()}
    if in_place:
        handed_on &= {at(t) for r in sparse for t in places_of(r, torch)}
    return [t for t in made if at(t) not in handed_on]


def thin(values, value, like):
    """On the host the places of a sparse tensor with one number each, and of a dense one what belongs to them."""
    torch = values.torch
    if not isinstance(value, torch.Tensor):
        return values.on_host(value)
    if value.layout is torch.sparse_coo:
        more = (1,) * value.dense_dim()
        ones = torch.ones((value._nnz(), *more), dtype=value.dtype)
        return torch.sparse_coo_tensor(values.on_host(value._indices()), ones, (*value.shape[: value.sparse_dim()], *more),
                                       is_coalesced=value.is_coalesced(), check_invariants=False)
    found = values.on_host(value)
    if value.shape == like.shape:
        for dimension in range(like.sparse_dim(), like.dim()):
            found = found.narrow(dimension, 0, 1)
    return found


def places_made(values, operator, func, args, kwargs, like):
    """The places of a sparse result that is shaped like another tensor, and whether they are sure: computed from those of
    sparse arguments, known or not what lies there. None where they are not known."""
    torch = values.torch
    sources = [a._indices() for a in args if isinstance(a, torch.Tensor) and a.layout is torch.sparse_coo]
    states = [values.state_of(t) if t.is_cuda else WRITTEN for t in sources]
    if not sources or any(state not in (WRITTEN, ASSUMED) for state in states):
        return None
    if sum(t.numel() for t in sources) > LOOKED_THROUGH:
        return None
    sure = WRITTEN if all(state == WRITTEN for state in states) else ASSUMED
    if operator.name in products.SUMS and len(sources) > 1:  # the card puts them side by side, the CPU together
        return torch.cat([values.on_host(t) for t in sources], 1), sure
    with contextlib.suppress(Exception):
        return func(*[thin(values, a, like) for a in args], **values.on_host(kwargs))._indices(), sure
    return None


def places_before(values, operator, func, args, kwargs):
    """The same of an operator that writes a sparse tensor, which may lay its places elsewhere: before it has done so."""
    torch, written = values.torch, args[0] if args else None
    if not operator.in_place or not isinstance(written, torch.Tensor) or written.layout is not torch.sparse_coo:
        return None
    return places_made(values, operator, func, args, kwargs, written)


def less_places(values, operator, func, args, kwargs, out, made, before):
    """`made` less the places of a sparse result, which are written where they are known."""
    torch = values.torch
    if not isinstance(out, torch.Tensor) or out.layout is not torch.sparse_coo:
        return made
    places = out._indices()
    if at(places) not in map(at, made):
        return made
    known = before if operator.in_place else places_made(values, operator, func, args, kwargs, out)
    if known is None or known[0].shape != places.shape:
        return made
    once(values.host(places), places).copy_(known[0])
    values.set_state(places, known[1])
    return [t for t in made if at(t) != at(places)]


def fill_moved(values, operator, func, args, kwargs, out):
    """Exchanging dimensions of a sparse tensor is called a view, and makes copies of its parts."""
    torch = values.torch
    if isinstance(out, torch.Tensor) and out.layout is torch.sparse_coo and out.is_cuda:
        inputs = [t for t in tensors_of((args, kwargs), torch) if t.is_cuda]
        made = less_places(values, operator, func, args, kwargs, out, made_by(out, inputs, False, torch), None)
        if made:
            values.fill(operator, func, args, kwargs, inputs, out, made)
