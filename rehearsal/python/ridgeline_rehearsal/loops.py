"""How a loop takes its batches: a `for` ends where a loader gives no more; `next` ends the script there."""

import dis
import functools
import inspect

from .places import is_library


@functools.lru_cache(maxsize=1024)
def takes_by_next(code, place):
    """Whether the instruction at a place of a code object calls `next` with nothing to fall back on, in code that awaits no
    end (`except StopIteration`)."""
    if "StopIteration" in code.co_names or not {"next", "__next__"}.intersection(code.co_names):
        return False
    at = next((one for one in dis.get_instructions(code) if one.offset == place), None)
    return at is not None and "CALL" in at.opname and (at.arg or 0) < 2


def would_end_the_script(frame):
    """Whether the end of a loader would end the script, whose batch the frame asks for: by `next` in its own code, also
    through a generator, which ends with the loader. Packages know what to do, but for a generator that takes by `next`: it
    cannot end so."""
    while frame is not None:
        generates = frame.f_code.co_flags & inspect.CO_GENERATOR
        if (generates or not is_library(frame.f_code.co_filename)) and takes_by_next(frame.f_code, frame.f_lasti):
            return True
        if not generates and frame.f_code.co_name != "__next__":
            return False
        frame = frame.f_back
    return False
