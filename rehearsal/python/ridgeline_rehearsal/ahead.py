"""Whether a script goes on to train another model once the one that it trains has made its steps: whether what stands
behind the lines that run, or in the loops around them, would make an optimizer. Its epochs then go by without batches."""

import dis
import inspect
import sys
import types

from .places import is_library


def names_in(code, begins=0):
    """Names that a code object uses from a place on, with those of functions that it makes there."""
    found = set()
    for one in dis.get_instructions(code):
        if one.offset < begins:
            continue
        if isinstance(one.argval, str) and one.opname.startswith("LOAD_"):
            found.add(one.argval)
        elif isinstance(one.argval, types.CodeType):
            found |= names_in(one.argval)
    return found


def place_ahead(frame):
    """Where the code begins that a frame may still run: behind its place, or at the head of the outermost loop around it."""
    at = frame.f_lasti
    loops = [one.argval for one in dis.get_instructions(frame.f_code)
             if "JUMP" in one.opname and isinstance(one.argval, int) and one.argval <= at < one.offset]
    return min(loops, default=at + 1)


def own_code(found):
    """Code of a function of the script, or of the methods of a class of it."""
    for part in list(vars(found).values()) if isinstance(found, type) else [found]:
        while isinstance(part, types.FunctionType) and hasattr(part, "__wrapped__"):
            part = part.__wrapped__
        if isinstance(part, types.FunctionType) and not is_library(part.__code__.co_filename):
            yield part


def would_make(names, known, kind, seen):
    """Whether code that uses these names, in a scope that knows these, would make an optimizer; `kind` is torch's class."""
    optim = sys.modules["torch.optim"]
    through_module = "optim" in names or any(known.get(name) is optim for name in names)
    for name in names:
        found = known.get(name)
        if found is None and through_module:
            found = getattr(optim, name, None)
        if isinstance(found, type) and issubclass(found, kind) and found is not kind:
            return True
        for part in own_code(found):
            if part not in seen:
                seen.add(part)
                if would_make(names_in(part.__code__), part.__globals__, kind, seen):
                    return True
    return False


def let_go(frame):
    """Before 3.13 a function's frame keeps what it was last asked for, tensors of the card that the script is done with too."""
    if sys.version_info < (3, 13) and frame.f_code.co_flags & inspect.CO_OPTIMIZED and sys.gettrace() is None:
        frame.f_locals.clear()


def known_in(frame):
    """What the names of a frame stand for."""
    known = {**frame.f_globals, **frame.f_locals}
    let_go(frame)
    return known


def makes_one(torch):
    """Whether code of these names makes an optimizer, as a function of the names and what is known by them."""
    return lambda names, known: would_make(names, known, torch.optim.Optimizer, set())


def another_model(torch, frame):
    """Whether the script whose frame asks for a batch, or steps, will make another optimizer."""
    while frame is not None:
        if not is_library(frame.f_code.co_filename):
            names = names_in(frame.f_code, place_ahead(frame))
            if makes_one(torch)(names, known_in(frame)):
                return True
        frame = frame.f_back
    return False
