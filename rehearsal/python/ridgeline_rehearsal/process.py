"""Hangs a pass onto torch in one process: begins when the script first uses the card, ends after the steps."""

import atexit
import contextlib
import ctypes
import json
import multiprocessing.util
import os
import signal
import sys
import threading
import time

from . import again, card, cut, evaluations, failures, fetching, history, kernels, limit, moving, places, printing, replays, saves, steps, stretches, tensors, weights


AFTER_S = {"values": 60, "measure": 20}  # of the processor, for what a script does once its steps are made
AFTER_ALLOCATIONS = 100_000  # the same; each takes up to two kilobytes of the host where it is measured
# Torch's observer of operators asks sparse tensors by rows or columns for strides, which they have not, and breaks down.
NOT_FOLLOWED = "not followed"
IN_TF32 = "ridgeline: products in TF32"  # among the recorded operators, for src/data/trace_execution.cpp


def _key():
    """A name for this process that is the same in both passes: its rank, or its turn."""
    rank = os.environ.get("RANK")
    return f"rank{rank}" if rank is not None else "main"


def takes_tf32(torch):
    """Whether the script lets products of 32-bit floats run in TF32, by torch's newer words or its older ones."""
    for words in (lambda: torch.backends.cuda.matmul.fp32_precision == "tf32", lambda: torch.backends.cuda.matmul.allow_tf32):
        with contextlib.suppress(AttributeError, RuntimeError):  # torch refuses one of them where both were used
            if words():
                return True
    return False


class Process:
    """What one process does in its pass."""

    def __init__(self, torch, settings):
        self.torch, self.settings = torch, settings
        self.library = ctypes.CDLL(f"libridgeline-card-{os.environ[card.LOADED]}.so")
        self.begun = False
        self.waits = False  # for the end of an import
        self.ended = False
        self.marks = []
        self.reads = {}
        self.started = time.time()
        self.counter = steps.Counter(settings.steps, self.mark, self.stop)
        self.values = None
        self.mode = None
        self.roles = []  # after each step: (places in the history, what addresses hold)
        self.observer = None
        self.followed_from = 0
        self.stretches = stretches.Stretches(self.counter, self.label, lambda: stretches.blocks(torch))
        self.trace_file = settings.trace
        self.unlike_before = None
        self.pid = os.getpid()
        self.told_of_the_host = False
        self.evaluations = evaluations.Evaluations(torch, settings, self.counter)
        self.lines = ctypes.CFUNCTYPE(ctypes.c_uint32)(self.lines_of_a_read)
        self.left = ctypes.CFUNCTYPE(None)(self.left_by_another)

    def begin(self):
        """The card is used for the first time."""
        if self.begun or self.waits:
            return
        self.begun = True
        self.pid = os.getpid()
        self.key = self.claim(_key())
        self.library.ridgeline_card_lines(self.lines)
        self.library.ridgeline_card_left(self.left)
        reads = self.settings.recorded / f"reads-{self.key}.bin"
        if self.settings.kind == "values":
            os.environ["RIDGELINE_CARD_READS"] = f"record:{reads}"
            self.watch_values()
        else:
            os.environ["RIDGELINE_CARD_READS"] = f"answer:{reads}"
            history.start(self.torch)
        atexit.register(self.write)
        # Processes of multiprocessing end without atexit.
        multiprocessing.util.Finalize(None, self.write, exitpriority=100)
        if threading.current_thread() is threading.main_thread():
            self.watch_terminated()

    def watch_terminated(self):
        """One that is told to end may be killed a little later: what was seen so far is written at once."""
        before = signal.getsignal(signal.SIGTERM)
        if before == signal.SIG_DFL or hasattr(before, "ridgeline"):
            signal.signal(signal.SIGTERM, self.out_of_time)
        elif callable(before):
            def told(number, frame):
                self.write(final=False)
                before(number, frame)

            signal.signal(signal.SIGTERM, told)

    def restart(self):
        """This process is a copy that goes on as another pass."""
        self.started, self.trace_file = time.time(), self.settings.trace
        self.evaluations = evaluations.Evaluations(self.torch, self.settings, self.counter)

    def lines_of_a_read(self):
        """The card is read: by which lines of Python. A thread of torch has none."""
        number = places.lines_now()
        self.evaluations.hear(number, sys._getframe().f_back)
        return number

    def claim(self, name):
        """The first free name of its kind, so that two processes never write one file."""
        for turn in range(1000):
            key = name if turn == 0 else f"{name}.{turn}"
            try:
                os.close(os.open(self.settings.folder / f"{key}.claimed", os.O_CREAT | os.O_EXCL))
                return key
            except FileExistsError:
                continue
        return name

    def watch_values(self):
        from . import mode, values

        def answer(counts):
            numbers = (ctypes.c_long * len(counts))(*counts)
            self.library.ridgeline_card_answer(numbers, len(counts))

        def on_read(place, name, assumed):
            entry = self.reads.setdefault((place, name), [0, 0])
            entry[0] += 1
            entry[1] += assumed
            if assumed:
                failures.assumed_at = place

        self.values = values.Values(self.torch, answer, on_read, self.settings.skew)
        with contextlib.suppress(AttributeError, RuntimeError):
            # What is compiled runs piece by piece here: the same values without the compiler.
            self.torch.compiler.set_stance("force_eager")
        mode.take_lengths_as_numbers(self.torch)
        mode.take_subclasses(self.torch)
        self.mode = mode.mode(self.values)  # kept: torch drops its own while it prints
        self.mode.__enter__()

    def mark(self, name):
        if not self.begun or self.ended:
            return
        if name == "another":  # model: what followed the last step of the one before has ended
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
            return
        if name == "evaluation":
            self.evaluations.begin(sys._getframe(1))
        elif name in ("training", "stepped"):
            self.evaluations.end()
        counts = history.allocations(self.torch)
        if name != "picture":  # of which the memory has no phase
            self.marks.append((name, counts, self.counter.whole()))
        if name == "stepped" and self.settings.trace and self.settings.kind == "measure":
            self.follow_step()
        if self.settings.kind == "measure":
            self.stretches.hear(name)
        if name == "stepped" and self.settings.kind == "measure":
            self.roles.append((counts, history.roles(self.torch, self.counter.optimizers)))
        if name == "stepped" and self.counter.enough():
            self.limit_what_follows()

    def limit_what_follows(self):
        """Pictures that are drawn in a thousand passes and the like say no more of memory after a minute. One process
        alone: ranks would end in different places."""
        if not steps.alone(self.torch) or threading.current_thread() is not threading.main_thread():
            return
        if signal.getsignal(signal.SIGVTALRM) in (signal.SIG_DFL, self.end_what_follows):
            signal.signal(signal.SIGVTALRM, self.end_what_follows)
            signal.setitimer(signal.ITIMER_VIRTUAL, 1, 1)
            self.seconds_left = AFTER_S[self.settings.kind]
            self.allocations_at_the_last_step = history.allocations(self.torch)
            self.unlike_at_the_last_step = self.count_reads()["unlike"]

    def end_what_follows(self, *_):
        """Each second of the processor after the last step."""
        self.seconds_left -= 1
        made = sum(history.allocations(self.torch)) - sum(self.allocations_at_the_last_step)
        if self.seconds_left > 0 and (self.values or made < AFTER_ALLOCATIONS):
            return
        # The pass that measures comes further in that time, so that its last reads were recorded by nobody.
        self.unlike_before = self.unlike_at_the_last_step
        self.counter.left_out.add("the rest of what comes after the last step, which takes long")
        self.stop()

    def follow_step(self):
        """Records the operators of one step, the last that is rehearsed whole, as torch writes them."""
        rounds = self.counter.whole()
        if self.observer is None:
            if rounds >= max(1, self.settings.steps - 1) and self.key in ("main", "rank0"):
                if (self.settings.recorded / NOT_FOLLOWED).exists():
                    card.left_out.add("how long a step takes: torch records no operators of sparse tensors by rows or columns")
                    self.settings.trace = ""
                    return
                from torch.profiler import ExecutionTraceObserver

                self.observer = ExecutionTraceObserver().register_callback(self.settings.trace)
                self.observer.start()
                if takes_tf32(self.torch):
                    self.label(IN_TF32)
                self.followed_from = rounds
        elif rounds > self.followed_from:
            self.end_following()

    def label(self, name):
        """Among the operators that are recorded, if any are."""
        if self.observer:
            with self.torch.profiler.record_function(name):
                pass

    def end_following(self):
        if self.observer:
            self.observer.stop()
            self.observer.unregister_callback()
            self.observer = None
            self.settings.trace = ""

    def stop(self):
        """Enough steps: the figures are written and the process ends without more of the script."""
        self.write()
        sys.stdout.flush()
        sys.stderr.flush()
        try:
            import multiprocessing

            for child in multiprocessing.active_children():
                child.terminate()
        finally:
            os._exit(0)

    def out_of_time(self, _, frame):
        """The limit of time: what was seen so far is written."""
        if os.getpid() == self.pid:
            evaluates = bool(self.marks) and self.marks[-1][0] == "evaluation" and not self.torch.is_grad_enabled()
            limit.tell(self.settings, frame, evaluates)
        self.write()
        os._exit(128 + signal.SIGTERM)

    def left_by_another(self):
        """A rank for which this one waits has ended, over data that were cut short: the ranks that get theirs from it
        have made their steps as well."""
        if self.counter.enough():
            self.counter.left_out.add("what comes after the last step, where a rank had no more data")
            self.stop()

    def count_reads(self):
        """How often the card was read so far, in another way than recorded, at too great a length to record."""
        numbers = [ctypes.c_long() for _ in range(3)]
        self.library.ridgeline_card_reads(*[ctypes.byref(n) for n in numbers])
        return dict(zip(("all", "unlike", "large"), (n.value for n in numbers)))

    def stayed_on_the_host(self):
        """Whether the script made steps and nothing lies on a card, nor ever lay."""
        return bool(self.counter.done) and not (self.begun and any(history.allocations(self.torch)))

    def tell_of_the_host(self):
        if not self.told_of_the_host and os.getpid() == self.pid and self.stayed_on_the_host():
            self.told_of_the_host = True
            failures.tell_of_the_host(self.settings, self.counter.done)

    def write(self, final=True):
        self.tell_of_the_host()
        if self.ended or not self.begun or os.getpid() != self.pid:
            return
        self.ended = final
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)  # of what follows the last step: it would end this before it is written
        if self.observer:  # a step that did not end is none
            self.end_following()
            with contextlib.suppress(OSError):
                os.unlink(self.trace_file)
        reads = self.count_reads()
        if self.unlike_before is not None:
            reads["unlike"] = self.unlike_before
        record = {
            "key": self.key, "rank": int(os.environ.get("RANK", 0)), "torch": self.torch.__version__,
            "steps": self.counter.done, "left_out": sorted(self.counter.left_out | card.left_out | fetching.told(self.settings.folder)),
            "seconds": time.time() - self.started,
            "reads": reads,
        }
        if self.values:
            record["read_at"] = [{"at": at, "by": by, "reads": n, "assumed": a} for (at, by), (n, a) in self.reads.items()]
            record["assumed_operators"] = self.values.assumed_operators
            if tensors.compressed:
                (self.settings.folder / NOT_FOLLOWED).touch()
        else:
            record.update(history.figures(self.torch, self.marks, self.roles, self.settings.snapshot))
        path = self.settings.folder / f"{self.key}.json"
        path.with_suffix(".part").write_text(json.dumps(record))
        path.with_suffix(".part").rename(path)


def attach(torch, settings, made):
    if not torch.version.cuda:
        return
    card.know_cudnn(torch)
    process = Process(torch, settings)
    steps.attach(torch, process.counter)
    saves.attach_torch(torch, settings)
    weights.attach_torch(torch, settings)
    printing.attach_torch(torch)
    moving.attach_torch(torch)
    replays.attach_torch(torch, lambda: process.observer is not None)
    if settings.kind == "values":
        kernels.attach_torch(torch)
    cut.watch(process, torch)
    again.attach(torch, process, made)
    atexit.register(process.tell_of_the_host)  # of one that never asks for a card
    torch.cuda._lazy_call(process.begin)
