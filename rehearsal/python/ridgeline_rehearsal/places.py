"""Which line of the user's own script stands behind something, rather than one of a library."""

import os
import sysconfig

_LIBRARIES = tuple(
    {os.path.realpath(place) + os.sep for place in (sysconfig.get_path(n) for n in ("stdlib", "platstdlib"))}
)
_OWN = os.path.dirname(os.path.abspath(__file__)) + os.sep


def is_library(path):
    """Whether a file belongs to Python, to an installed package or to this one."""
    return ("site-packages" in path or "dist-packages" in path or path.startswith(_OWN) or path.startswith("<")
            or path.startswith(_LIBRARIES) or os.path.realpath(path).startswith(_LIBRARIES))


def user_place(frame):
    """"file:line" of the innermost frame of the user's own code, or of the innermost of all."""
    first = None
    while frame is not None:
        path = frame.f_code.co_filename
        if not path.startswith(_OWN):
            first = first or f"{short(path)}:{frame.f_lineno}"
            if not is_library(path):
                return f"{short(path)}:{frame.f_lineno}"
        frame = frame.f_back
    return first or "?"


def short(path):
    """A path as a reader wants it: relative to where they are, or from its package on."""
    for mark in ("site-packages/", "dist-packages/"):
        if mark in path:
            return path.split(mark)[-1]
    try:
        relative = os.path.relpath(path)
    except ValueError:
        return path
    return path if relative.startswith("..") else relative
