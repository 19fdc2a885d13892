"""A script that ends by an error of its own: what happened, where in its own code and what to do, in a line or two."""

import os
import re
import signal
import sys
import traceback
import types

from . import card
from .places import _OWN, is_library, short

LONGEST = 200  # letters of an error's own words
assumed_at = None  # line of the script whose last read from the card rests on an assumption


def without_own(trace):
    """The frames of an error without those of the rehearsal, which a script's author cannot know."""
    kept = None
    for frame, line in reversed(list(traceback.walk_tb(trace))):
        if not frame.f_code.co_filename.startswith(_OWN):
            kept = types.TracebackType(kept, frame, frame.f_lasti, line)
    return kept or trace


def place_of(error, trace):
    """("file:line" of the innermost line of the script's own code, whether the error rose there itself)."""
    if isinstance(error, SyntaxError) and error.filename and not is_library(error.filename):
        return f"{short(error.filename)}:{error.lineno}", True
    found, innermost = None, False
    for frame, line in traceback.walk_tb(trace):
        if innermost := not is_library(frame.f_code.co_filename):
            found = f"{short(frame.f_code.co_filename)}:{line}"
    return found, innermost


def is_place(asked):
    return asked.startswith((".", "~", os.sep))


def missing_beneath(error):
    """The module whose absence an error of an import is about: packages that import their parts late tell another name, and
    hand on the error that came first."""
    found = None
    while isinstance(error, ImportError):
        found = error if isinstance(error, ModuleNotFoundError) and error.name else found
        error = error.__cause__ or error.__context__
    return found


def remedy(error, innermost, asked):
    """What to do about an error; "" where its own words are all that can be said."""
    error = missing_beneath(error) or error
    if isinstance(error, ModuleNotFoundError) and error.name:
        package = error.name.partition(".")[0]
        if package != error.name and package in sys.modules and is_library(getattr(sys.modules[package], "__file__", None) or ""):
            return f"The {package} of the Python of the command has no such part: install the release that the script is for"
        return f"Install the package that has {error.name} for the Python of the command, {sys.executable}"
    if isinstance(error, FileNotFoundError) and error.filename:
        begins = "" if os.path.isabs(str(error.filename)) else f" (it begins at {os.getcwd()})"
        return f"Put it there{begins}, or name the place that it has on this machine"
    if is_place(asked):
        return f"There is no {asked} on this machine: put it there, or name the place that it has"
    if innermost and assumed_at:
        return (f"The value that it last read from the card, at {assumed_at}, was assumed: if it ends over that, let the check "
                "pass where the variable RIDGELINE_REHEARSAL is set")
    return ""


def note(settings, told, todo):
    """Hands a failure to the command: the first of several processes has what the others ended over."""
    try:
        known = '"kind": "error"' in (settings.folder / "problems.jsonl").read_text()
    except OSError:
        known = False
    if not known:
        card.problem(settings.folder, "error", f"{told}.\n{todo}" if todo else told)


def of_a_rank(error):
    """(what is told, what to do) of a launcher's error over a process that it started; None of any other. A rank that ended
    by an error of its own has told that before."""
    if type(error).__name__ != "ChildFailedError" or not hasattr(error, "get_first_failure"):
        return None
    rank, failure = error.get_first_failure()
    if failure.exitcode >= 0:
        return f"rank {rank} ended with code {failure.exitcode}", ""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    todo = (f"Linux ends processes so where the memory of this machine ({memory:.0f} GiB) runs out: what the ranks keep on the "
            "host must fit into it" if -failure.exitcode == signal.SIGKILL else "")
    return f"rank {rank} was ended by signal {-failure.exitcode}", todo


def said(error):
    """The first line of an error's own words, without the dot, and no longer than a line or two."""
    first = next((line.strip() for line in str(error).splitlines() if line.strip()), "").rstrip(".")
    return first if len(first) <= LONGEST else f"{first[:LONGEST].rsplit(' ', 1)[0]} ..."


def tell(settings, kind, error, trace, asked):
    """An error of Python; `asked` is what it asked the network for in vain."""
    if told := of_a_rank(error):
        note(settings, *told)
        return
    place, innermost = place_of(error, trace)
    told, words = f"{kind.__name__} at {place}" if place else kind.__name__, said(error)
    note(settings, f"{told}: {words}" if words else told, remedy(error, innermost, asked))


OF_A_CARD = re.compile(r"(?i)cuda|gpu|accel|device")
flags_of_a_card = []  # of the script's own options, those that may put it onto a card


def tell_of_the_host(settings, steps):
    """The script trained and put nothing onto a card: an option of its own may be missing."""
    flags = f" Its own options that may put it onto a card: {', '.join(flags_of_a_card)}" if flags_of_a_card else ""
    card.problem(settings.folder, "input", f"the script made {steps} steps on the CPU and put nothing onto a card.{flags}")


def attach_argparse(module, settings):
    """A command line that a script refuses ends it without an error of Python."""
    refuse, parse = module.ArgumentParser.error, module.ArgumentParser.parse_known_args

    def parse_and_note(self, *arguments, **named):
        flags_of_a_card[:] = [flag for flag in self._option_string_actions if flag.startswith("--") and OF_A_CARD.search(flag)]
        return parse(self, *arguments, **named)

    module.ArgumentParser.parse_known_args = parse_and_note

    def error(self, message):
        note(settings, f"it takes no such arguments: {message}", "What stands behind -- is the script's own command; its flags are above")
        refuse(self, message)

    module.ArgumentParser.error = error
