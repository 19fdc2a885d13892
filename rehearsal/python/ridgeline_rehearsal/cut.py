"""A script that ends by an error once its steps are made: over data that were cut short (steps.py; a check that all of a data
set was seen, a table of as many rows as there should be) or over something of its own, as where it saves. Its steps were
rehearsed all the same."""

import sys
import traceback

from . import card, failures
from .places import user_place


def told_of(kind, error, trace, data_cut):
    """The words for "not rehearsed: ..." of an error, with the line of the script where it rose."""
    last = None
    for frame, _ in traceback.walk_tb(trace):
        last = frame
    place = user_place(last) if last else "?"
    if data_cut:
        return f"what follows {place}, where the script ended with {kind.__name__} after its data had been cut short"
    said = failures.said(error)
    return f"what follows {place}, where the script ended by itself with {kind.__name__}{': ' if said else ''}{said}"


def watch(process, torch):
    """Takes the figures of a script that ends by an error once its steps are made."""
    before = sys.excepthook

    def end(kind, error, trace):
        counter = process.counter
        if counter.data_cut:  # which may be why it ended
            card.left_out.update(counter.left_out)
        before(kind, error, trace)
        if counter.enough() and issubclass(kind, Exception) and not issubclass(kind, torch.OutOfMemoryError):
            counter.left_out.add(told_of(kind, error, trace, counter.data_cut))
            process.stop()

    sys.excepthook = end
