"""An evaluation before the first step that goes on for long, by a loop over numbers that no loader ends: its turns repeat one
another, so that the rest of them is left out once one is whole (a picture that a pipeline draws is saved at its end). Which read of the card was the last is written down, so that the pass that
measures leaves the loop at the same one."""

import ast
import json
import signal
import sys
import threading

from . import leaving, places, steps

AFTER_S = 5  # of the processor
FILE = "evaluations-left"
OF_A_MODEL = ("forward", "__call__")  # whose loops are its layers


def in_main_thread():
    return threading.current_thread() is threading.main_thread()


def loop_of(frames, begun, line):
    """(frame, loop) in which an evaluation turns: that of the frame which began it at a line, else of a function that it
    calls; None without one. `frames` are the script's own, the innermost first."""
    if begun not in frames:
        return None
    for frame in reversed(frames[: frames.index(begun) + 1]):
        if frame.f_code.co_name in OF_A_MODEL:
            return None
        loop = leaving.loop_since(frame, line if frame is begun else 0)
        if loop:
            return frame, loop
    return None


def turn_of(frame, loop):
    """By which objects a loop counts its present turn; None where it counts by no names."""
    names = [one.id for one in ast.walk(loop.node.target) if isinstance(one, ast.Name)]
    found = [id(frame.f_locals[name]) for name in names if name in frame.f_locals]
    return found or None


class Evaluations:
    """Those of one process. `hear(number)` is told of each read of the card, by the number of the lines that read."""

    def __init__(self, torch, settings, counter):
        self.torch, self.counter = torch, counter
        self.file = settings.recorded / FILE
        self.measures = settings.kind == "measure"
        self.counts = {}   # reads by the number of their lines
        self.left = set()  # (number, count) of the reads after which a loop was left
        self.known = None
        self.begun = None  # (frame, line) that called `eval()`
        self.due = False
        self.turns = {}    # what a loop counted by where it was first seen to take long, by its frame and line

    def begin(self, frame):
        """`eval()` of a model was called at a frame."""
        self.end()
        frames = leaving.own_frames(frame)
        if not frames or self.counter.whole() or sys.version_info < (3, 10) or not steps.alone(self.torch):
            return
        self.begun = frames[0], frames[0].f_lineno
        if not self.measures and in_main_thread() and signal.getsignal(signal.SIGVTALRM) == signal.SIG_DFL:
            signal.signal(signal.SIGVTALRM, self.take_long)
            signal.setitimer(signal.ITIMER_VIRTUAL, AFTER_S)

    def waits(self):
        """Whether the time of the processor is taken for this here."""
        return in_main_thread() and signal.getsignal(signal.SIGVTALRM) == self.take_long

    def end(self):
        """The model is trained from here on."""
        self.begun, self.due = None, False
        self.turns.clear()
        if self.waits():
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
            signal.signal(signal.SIGVTALRM, signal.SIG_DFL)

    def take_long(self, *_):
        self.due = True

    def is_last(self, read):
        """Whether the loop is left after this read."""
        if not self.measures:
            return self.due
        if self.known is None:
            self.known = {tuple(one) for one in json.loads(self.file.read_text())} if self.file.exists() else set()
        return read in self.known

    def is_another_turn(self, frame, loop):
        """Whether a turn of the loop has ended since it was first seen here."""
        now = turn_of(frame, loop)
        before = self.turns.setdefault((id(frame), loop.node.lineno), now)
        return now is None or now != before

    def hear(self, number, frame):
        self.counts[number] = self.counts.get(number, 0) + 1
        read = (number, self.counts[number])
        if self.begun is None or not self.is_last(read) or self.torch.is_grad_enabled():
            return
        found = loop_of(leaving.own_frames(frame), *self.begun)
        if found is None or not self.measures and not self.is_another_turn(*found) or not leaving.leave_loops(dict([found])):
            return
        self.due, (place, loop) = False, found
        self.counter.left_out.add("turns of an evaluation before the first step, which take long, at "
                                  f"{places.short(place.f_code.co_filename)}:{loop.node.lineno}")
        if not self.measures:
            self.left.add(read)
            if self.waits():
                signal.setitimer(signal.ITIMER_VIRTUAL, AFTER_S / 4)  # what is evaluated next has less
            self.file.write_text(json.dumps(sorted(self.left)))
