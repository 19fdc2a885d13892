"""Estimates over lists of options."""
import itertools
import json

from .answer import Record, Rows
from .errors import RidgelineError


class Sweep(Rows):
    """One row for each combination: `options`, and `estimate` or `error`."""

    __slots__ = ()

    def to_pandas(self):
        """A table with the swept options, and memory, time and cost of each."""
        from pandas import DataFrame

        return DataFrame([row.figures() for row in self])


class Point:
    """One combination of a sweep."""

    __slots__ = ("options", "estimate", "error")

    def __init__(self, options, answer):
        failed = isinstance(answer, RidgelineError)
        object.__setattr__(self, "options", options)
        object.__setattr__(self, "estimate", None if failed else answer)
        object.__setattr__(self, "error", answer if failed else None)

    def __setattr__(self, name, value):
        raise AttributeError("an answer does not change")

    def __reduce__(self):
        return Point, (self.options, self.error or self.estimate)

    def __eq__(self, other):
        return (isinstance(other, Point) and self.options == other.options
                and self.estimate == other.estimate and str(self.error) == str(other.error))

    def __hash__(self):
        return hash(json.dumps(self.options, sort_keys=True, default=str))

    def __repr__(self):
        return f"Point({self.options}, {self.estimate or self.error!r})"

    def figures(self):
        """The swept options and the main figures, as one flat dict; None where unknown."""
        row = dict(self.options)
        found = self.estimate.to_dict() if self.estimate else {}
        for room, keys in (("memory", ("peak_gib", "low_gib", "high_gib", "fits")),
                           ("time", ("step_s", "tokens_per_s", "mfu", "ttft_s", "tpot_s")),
                           ("cost", ("usd_per_hour", "usd_per_million_tokens"))):
            part = found.get(room) or {}
            row.update({key: part[key] for key in keys if key in part})
        row["error"] = str(self.error) if self.error else None
        return row


def sweep(base, options):
    from . import estimate_many

    common = {}
    if isinstance(base, Record):
        common["workload"] = base.workload.to_dict()
        common["on"] = place_of(base.hardware)
    elif base is not None:
        common.update(base)
    common.update({name: value for name, value in options.items()
                   if not isinstance(value, (list, tuple, range))})
    swept = {name: value for name, value in options.items()
             if isinstance(value, (list, tuple, range))}
    combinations = [dict(zip(swept, each)) for each in itertools.product(*swept.values())]
    answers = estimate_many([{**common, **each} for each in combinations])
    return Sweep(Point(each, answer) for each, answer in zip(combinations, answers))


def place_of(hardware):
    """"h100-sxm5-80gb:8x4" of the hardware of an answer."""
    place = hardware.accelerator
    if hardware.get("slice"):
        place += "/" + hardware.slice
    nodes = hardware.nodes or 1
    if nodes > 1:
        return f"{place}:{hardware.per_node}x{nodes}"
    return f"{place}:{hardware.count}" if hardware.count > 1 else place
