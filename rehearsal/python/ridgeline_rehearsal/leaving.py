"""Leaves the loops that train one model where the script goes on to train another and no loader would end them: at the next
line of the script that stands in no `with` or `try` within such a loop, it goes on behind the loop."""

import ast
import functools
import sys

from .ahead import known_in, let_go
from .places import is_library

LOOPS = (ast.For, ast.While)
GUARDED = (ast.With, ast.AsyncWith, ast.Try, *((ast.TryStar,) if hasattr(ast, "TryStar") else ()))
BETWEEN = ("torch/utils/_contextlib.py",)  # what torch's decorators put between two functions of a script


def scope_of(tree, code):
    """The function of a file whose code runs, or the file; None where neither is found."""
    if code.co_name == "<module>":
        return tree
    return next((node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.name == code.co_name
                 and min(one.lineno for one in (node, *node.decorator_list)) == code.co_firstlineno), None)


def way_to(scope, line):
    """[(block, place in it)] from a scope's body to the innermost statement that stands at a line."""
    way, block = [], scope.body
    while block:
        at = next((at for at, one in enumerate(block) if one.lineno <= line <= one.end_lineno), None)
        if at is None:
            break
        way.append((block, at))
        inner = block[at]
        if isinstance(inner, (ast.FunctionDef, ast.ClassDef)):
            break
        blocks = [getattr(inner, name, []) for name in ("body", "orelse", "finalbody")]
        blocks += [one.body for one in getattr(inner, "handlers", [])]
        block = next((one for one in blocks if one and one[0].lineno <= line <= one[-1].end_lineno), None)
    return way


def line_behind(way, depth):
    """The line that follows the loop at this depth of a way; None where its function ends there, or where that leaves
    a `with` or a `try`."""
    for block, at in reversed(way[: depth + 1]):
        if at + 1 < len(block):
            return block[at + 1].lineno
        outer = next((one[where] for one, where in way if block in (getattr(one[where], "body", None), getattr(one[where], "orelse", None))),
                     None)
        if isinstance(outer, LOOPS) and block is outer.body:
            return outer.lineno  # its next turn
        if not isinstance(outer, (ast.If, *LOOPS)):
            return None
    return None


def names_in(node):
    return ({one.id for one in ast.walk(node) if isinstance(one, ast.Name)}
            | {one.attr for one in ast.walk(node) if isinstance(one, ast.Attribute)})


class Loop:
    """A loop of a frame that is to be left: `behind` is the line where the script goes on, None if there is none."""

    def __init__(self, way, depth):
        self.node, self.behind = way[depth][0][way[depth][1]], line_behind(way, depth)

    def may_be_left_at(self, line):
        """Whether a line stands in the loop, and in nothing that must be ended."""
        if line == self.node.lineno:
            return True
        inside = [block[at] for block, at in way_to(self.node, line)]
        return bool(inside) and not any(isinstance(one, (*GUARDED, ast.FunctionDef, ast.ClassDef)) for one in inside)

    def is_over_at(self, line):
        return not self.node.lineno <= line <= self.node.end_lineno


@functools.lru_cache(16)
def tree_of(file):
    """The text of a file, as it is first asked for; None where it is not Python."""
    try:
        with open(file, errors="replace") as opened:
            return ast.parse(opened.read())
    except (OSError, SyntaxError, ValueError):
        return None


def scope_at(frame):
    """What `scope_of` finds for a frame in the text of its file."""
    tree = tree_of(frame.f_code.co_filename)
    return scope_of(tree, frame.f_code) if tree else None


def loop_around(frame, makes):
    """The outermost loop around the place of a frame that makes no other model; None without one."""
    scope = scope_at(frame)
    way = way_to(scope, frame.f_lineno) if scope else []
    known = known_in(frame) if way else {}
    depth = next((depth for depth, (block, at) in enumerate(way)
                  if isinstance(block[at], LOOPS) and not makes(names_in(block[at]), known)), None)
    return None if depth is None else Loop(way, depth)


def loop_since(frame, line):
    """The innermost `for` around the place of a frame that does not hold a line of it, which ran before; None without one."""
    scope = scope_at(frame)
    way = way_to(scope, frame.f_lineno) if scope else []
    for depth in reversed(range(len(way))):
        block, at = way[depth]
        if isinstance(block[at], ast.For) and not block[at].lineno <= line <= block[at].end_lineno:
            return Loop(way, depth)
    return None


def own_frames(frame):
    """The script's frames that run within one another, the innermost first."""
    while frame is not None and is_library(frame.f_code.co_filename):
        frame = frame.f_back
    found = []
    while frame is not None:
        if not is_library(frame.f_code.co_filename):
            found.append(frame)
        elif not frame.f_code.co_filename.endswith(BETWEEN):
            break
        frame = frame.f_back
    return found


def leave(frame, makes):
    """Has the script leave the loops around a frame; whether it can. Python before 3.10 breaks down over leaving two at once."""
    if sys.version_info < (3, 10):
        return False
    return leave_loops({one: loop for one in own_frames(frame) if (loop := loop_around(one, makes))})


def leave_loops(loops):
    """Has the script go on behind a loop of each of these frames; whether it can."""
    if not loops or any(loop.behind is None for loop in loops.values()) or sys.gettrace() is not None:
        return False
    left = dict(loops)

    def trace(one, event, _):
        loop = left.get(one)
        if loop and event == "line" and loop.may_be_left_at(one.f_lineno):
            one.f_lineno = loop.behind
        elif loop and event != "return" and not loop.is_over_at(one.f_lineno):
            return trace
        left.pop(one, None)
        one.f_trace = None
        if not left:
            sys.settrace(None)
        return None

    for one in left:
        one.f_trace = trace
    sys.settrace(lambda *_: None)
    return True


def forget(frame):
    """What the lines that were left have let go of is kept by no frame that still runs."""
    for one in own_frames(frame):
        let_go(one)
