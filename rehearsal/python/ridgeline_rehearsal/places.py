"""Which line of the user's own script stands behind something, rather than one of a library."""

import functools
import os
import sys
import sysconfig
import zlib

_LIBRARIES = tuple(
    {os.path.realpath(place) + os.sep for place in (sysconfig.get_path(n) for n in ("stdlib", "platstdlib"))}
)
NO_LINE = "no line of Python (the backward pass)"
_OWN = os.path.dirname(os.path.abspath(__file__)) + os.sep


@functools.lru_cache(None)  # asked at each read of the card
def is_library(path):
    """Whether a file belongs to Python, to an installed package or to this one."""
    return ("site-packages" in path or "dist-packages" in path or path.startswith(_OWN) or path.startswith("<")
            or "torchinductor" in path
            or path.startswith(_LIBRARIES) or os.path.realpath(path).startswith(_LIBRARIES))


def user_place(frame):
    """"file:line" of the innermost frame of the user's own code, or of the innermost of all; a thread of torch has none."""
    first = None
    while frame is not None:
        path = frame.f_code.co_filename
        if not path.startswith(_OWN):
            first = first or (path, frame.f_lineno)
            if not is_library(path):
                return f"{short(path)}:{frame.f_lineno}"
        frame = frame.f_back
    return f"{short(first[0])}:{first[1]}" if first else NO_LINE


def short(path):
    """A path as a reader wants it: relative to where they are, or from its package on."""
    try:
        return _short(path, os.getcwd())
    except OSError:  # where they were is gone
        return path


@functools.lru_cache(None)
def _short(path, place):
    for mark in ("site-packages/", "dist-packages/"):
        if mark in path:
            return path.split(mark)[-1]
    try:
        relative = os.path.relpath(path, place)
    except ValueError:
        return path
    return path if relative.startswith("..") else relative


_SEEN_IN_ONE_PASS = ("torch/_ops.py", "torch/utils/_python_dispatch.py", "torch/_dynamo/", "torch/_functorch/",
                     "torch/_inductor/", "torch/_compile.py",
                     "torch/utils/_contextlib.py", "torch/_library/", "/ctypes/")
_COMPILING = ("torch/_dynamo/convert_frame.py", "torch/_inductor/fx_passes/", "torch/_inductor/constant_folding.py",
              "torch/_inductor/graph.py", "torch/_inductor/select_algorithm.py", "triton_heuristics.py")
_INNERMOST = 8
_OF_THE_COMPILER = 1
_marks = {}


def mark_of(path):
    """A number for a file of Python; 0 for one that is in the way of an operator in one of the passes alone."""
    if path not in _marks:
        own = path.startswith(_OWN) or path.startswith("<") or any(part in path for part in _SEEN_IN_ONE_PASS)
        compiles = any(part in path for part in _COMPILING)
        _marks[path] = _OF_THE_COMPILER if compiles else 0 if own else max(zlib.crc32(path.encode()), 2)
    return _marks[path]


def lines_now():
    """A number for the lines of Python that run, the same in both passes; 0 where none do, 1 where a compiler
    asks, which the pass that computes values runs without."""
    frame, number, taken = sys._getframe(), 0, 0
    while frame is not None:
        mark = mark_of(frame.f_code.co_filename)
        if mark == _OF_THE_COMPILER:
            return mark
        if mark and taken < _INNERMOST:
            number = (number * 1000003 + mark + frame.f_lineno) & 0xFFFFFFFF
            taken += 1
        frame = frame.f_back
    return number
