"""From one start of a script two passes: where it first asks for a card, a copy of the process is made that waits
until the values are known and then goes on from there as the measuring pass. What came before (imports, reading
data, building the model on the host) is done once.

Only where a copy is whole: one process, no threads of its own, no workers. Otherwise the script starts twice."""

import contextlib
import ctypes
import fcntl
import json
import os
import random
import stat
import sys
import threading
import time

from . import card
from .places import is_library
from .tensors import teams_of_openmp

IMPORTING = "<frozen importlib"
WAITING, TURN = "waiting", "turn"
EVERY_S = 0.02
FREE_ALL = 2  # omp_pause_hard
CUDA = 1      # of c10::DeviceType


def is_whole():
    """Whether a copy of this process would have all that it is: its threads would be missing."""
    if not hasattr(os, "fork") or os.getpgrp() != os.getpid() or "RANK" in os.environ:
        return False  # a part of what the command started
    others = [t for t in threading.enumerate() if t is not threading.main_thread() and type(t).__name__ != "TMonitor"]
    if others or threading.current_thread() is not threading.main_thread():
        return False
    import multiprocessing

    return not multiprocessing.active_children() and not engine_runs()


def engine_runs():
    """Whether torch has made the threads of its backward passes: it refuses those in a copy."""
    for task in os.listdir("/proc/self/task"):
        try:
            with open(f"/proc/self/task/{task}/comm") as file:
                if file.read().startswith("pt_autograd"):
                    return True
        except OSError:
            continue
    return False


def end_teams():
    """Threads of OpenMP end, so that the copy does not wait for what it has not; both make theirs anew."""
    for path in teams_of_openmp():
        try:
            ctypes.CDLL(path).omp_pause_resource_all(FREE_ALL)
        except (OSError, AttributeError):
            continue


def open_files():
    """[(number, how it was opened, place in it)] of the files that are open."""
    found = []
    for name in os.listdir("/proc/self/fd"):
        try:
            number = int(name)
            if stat.S_ISREG(os.fstat(number).st_mode):
                found.append((number, fcntl.fcntl(number, fcntl.F_GETFL), os.lseek(number, 0, os.SEEK_CUR)))
        except OSError:
            continue
    return found


def own_places(files):
    """Opens files once more: a copy of a process shares the place to which each has been read."""
    for number, how, place in files:
        try:
            own = os.open(f"/proc/self/fd/{number}", how & ~(os.O_CREAT | os.O_EXCL | os.O_TRUNC))
        except OSError:
            continue
        os.lseek(own, place, os.SEEK_SET)
        os.dup2(own, number, inheritable=os.get_inheritable(number))
        os.close(own)


def wait_for_turn(folder, first, command):
    """Until the command that rehearses says where to go on; ends with that command."""
    while not (folder / TURN).exists():
        if os.getppid() not in (first, command):
            os._exit(0)
        time.sleep(EVERY_S)
    return json.loads((folder / TURN).read_text())


def take_turn(settings, turn, made, folders):
    """Becomes the pass that the command asks for."""
    with open(turn["settings"]) as file:
        settings.__init__(json.load(file))
    os.environ.update(turn["variables"])
    made.spared += (f"{settings.folder}{os.sep}",)
    for place in folders:  # the first pass may have removed what was there for a while
        with contextlib.suppress(OSError):
            os.makedirs(place, exist_ok=True)
    output = os.open(settings.folder / "output", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    os.dup2(output, 1)
    os.dup2(output, 2)
    os.close(output)


def may_ask(torch):
    """Whether torch lets this copy ask for the card: it refuses where the first process has asked for anything, since a
    real card's driver is lost in a copy. The one below is not."""
    if torch._C._cuda_isInBadFork():
        try:
            allow = ctypes.CDLL("libtorch_python.so")._ZN5torch5utils22set_device_in_bad_forkEN3c1010DeviceTypeEb
        except (OSError, AttributeError):  # torch before 2.7 has no such function
            return False
        allow.argtypes, allow.restype = (ctypes.c_int8, ctypes.c_bool), None
        allow(CUDA, False)
    return not torch._C._cuda_isInBadFork()


def try_copy(torch):
    """Whether a copy could go on, found out by one that ends at once."""
    tried = os.fork()
    if not tried:
        answer = 1
        try:
            answer = 0 if may_ask(torch) else 1
        finally:
            os._exit(answer)
    return os.waitpid(tried, 0)[1] == 0


def copy_process(torch, settings, made):
    """Makes the copy and goes on with the values; comes back a second time, in the copy, when that has its turn."""
    if settings.kind != "values" or not is_whole() or not try_copy(torch):
        return False
    command, first = int(os.environ.get("RIDGELINE_CARD_RUN") or 0), os.getpid()
    folder, files, folders = settings.folder, open_files(), list(made.folders)
    sys.stdout.flush()
    sys.stderr.flush()
    end_teams()
    numbers = random.getstate()  # Python draws anew in a copy
    copy = os.fork()
    if copy:
        card.problem(folder, "copied", "")
        made.known.clear()  # what is made in a folder from now on is told of by itself
        (folder / f"{WAITING}.part").write_text(str(copy))
        (folder / f"{WAITING}.part").rename(folder / WAITING)
        return False
    os.setpgid(0, 0)
    random.setstate(numbers)
    may_ask(torch)
    own_places(files)
    take_turn(settings, wait_for_turn(folder, first, command), made, folders)
    return True


def after_import(frame):
    """The frame that goes on once an import ends in which a library asks for the card; None where the script does."""
    found = None
    while frame is not None:
        path = frame.f_code.co_filename
        if path.startswith(IMPORTING):
            found = frame
        elif not is_library(path):
            break
        frame = frame.f_back
    while found is not None and found.f_code.co_filename.startswith(IMPORTING):
        found = found.f_back
    return found


def at_next_line(frame, action):
    """Calls `action` before that frame's next line, or when it ends."""
    def stop(*_):
        frame.f_trace = None
        sys.settrace(None)
        action()

    frame.f_trace = stop
    sys.settrace(lambda *_: None)


def attach(torch, process, made):
    """Before torch first asks for the card. Libraries that ask while they are imported only look what card it is: the
    passes then begin, and part, after that import."""
    ask, settings = torch._C._cuda_init, process.settings

    def part():
        if copy_process(torch, settings, made):
            process.restart()

    def begin():
        process.waits = False
        part()
        process.begin()

    def ask_once():
        torch._C._cuda_init = ask
        after = after_import(sys._getframe(1)) if settings.kind == "values" and is_whole() else None
        if after is None or sys.gettrace() is not None:
            part()
        else:
            process.waits = True
            at_next_line(after, begin)
        card.know_code(torch)
        return ask()

    torch._C._cuda_init = ask_once
