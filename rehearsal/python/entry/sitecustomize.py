"""Python reads this file at its start when a script is rehearsed. It puts the stand-in card under PyTorch
and then runs the sitecustomize that the user's own Python has."""

import os
import sys


def _chain():
    """Runs the next sitecustomize on the path, as Python would have."""
    import importlib.machinery

    here = os.path.dirname(os.path.abspath(__file__))
    rest = [place for place in sys.path if os.path.abspath(place or ".") != here]
    found = importlib.machinery.PathFinder.find_spec("sitecustomize", rest)
    if found and found.loader and found.origin:
        import importlib.util

        module = importlib.util.module_from_spec(found)
        found.loader.exec_module(module)


def _enter():
    sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
    try:
        import ridgeline_rehearsal.session as session
    finally:
        del sys.path[0]
    session.enter()


if os.environ.get("RIDGELINE_REHEARSAL"):
    _enter()
_chain()
