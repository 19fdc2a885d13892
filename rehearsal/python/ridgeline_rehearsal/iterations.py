"""Optimizers that iterate within a step (L-BFGS): a step ends where the loss or the gradient comes to rest, which assumed values
do at once. Of parameters whose values are assumed it makes all of its iterations, as in the first steps on a card; one of many
thousands ends once it has kept as many pairs of vectors as it ever does, and what it would keep later is told."""

import math

from .guesses import SMALL

NEVER = {"tolerance_grad": -1.0, "tolerance_change": -math.inf}
KEPT = 1 << 20  # bytes that are worth a word
LATER = "what L-BFGS keeps of later iterations: up to "


def parameters_of(group, count):
    return sum(count(parameter) for parameter in group["params"])


def begin(optimizer):
    """Its settings as a rehearsal needs them; what is left out by that, in words."""
    left_out = set()
    for group in getattr(optimizer, "param_groups", ()):
        if not {*NEVER, "history_size", "max_iter"} <= group.keys():
            continue
        if parameters_of(group, lambda one: one.numel()) > SMALL:
            group.update(NEVER)
        most = group["history_size"] + 1
        if group["max_iter"] > most:
            left_out.add(f"iterations of L-BFGS after the first {most} of each step, of {group['max_iter']}")
            group["max_iter"] = most
    return left_out


def kept_later(optimizer):
    """What the optimizer will keep more than now, in words; nothing where it has all."""
    group = next(iter(getattr(optimizer, "param_groups", ())), {})
    state = next(iter(getattr(optimizer, "state", {}).values()), None)
    if "history_size" not in group or state is None:
        return set()
    pairs = group["history_size"] - len(state.get("old_dirs") or ())
    size = 2 * pairs * parameters_of(group, lambda one: one.numel() * one.element_size())
    return {f"{LATER}{size / 2**30:.2f} GiB"} if size >= KEPT else set()
