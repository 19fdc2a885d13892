"""Where a rehearsal ends: after so many optimizer steps. Batches that a loader would still give are left
out, so that evaluation and saving after an epoch are reached; the next step then ends the process."""

import functools
import importlib
import os
import re
import sys
import weakref

from . import ahead, columns, iterations, leaving, loops

EVALUATION_BATCHES = 2
KEPT = 1 << 20  # bytes: a loop that keeps less of each batch may keep its losses alone
STEPS_AFTER = "steps after the first "
BY_HAND = "steps of an optimizer: torch has none here, so that each backward pass counts as a step"
MODELS = 4  # so many of those that a script trains one after another
FOLLOWS = "the model that the script trains after this one"
MANY = 8  # one optimizer so many times ahead of the others does not wait for them


OPTIMIZERS = re.compile(r"torch\.optim\b|import optim\b|\boptim\.")


def text_of(file):
    try:
        with open(file, errors="replace") as opened:
            return opened.read()
    except OSError:
        return ""


def nobody():
    """Between two questions: what asked would keep the frames of the script, and their tensors."""
    return False


class Counter:
    """Counts steps of each optimizer; `on_mark(name)` hears of each instant, `on_end()` ends the process."""

    def __init__(self, wanted, on_mark, on_end):
        self.wanted, self.on_mark, self.on_end = wanted, on_mark, on_end
        self.optimizers = weakref.WeakKeyDictionary()
        self.names_optimizer = None
        self.moved = weakref.WeakKeyDictionary()  # what each optimizer has stepped with since the last backward pass
        self.parts = weakref.WeakSet()  # optimizers that are within a further part of a step
        self.done = 0
        self.cut = False
        self.data_cut = False  # a loader gave less than it has
        self.backwards = 0
        self.batches = 0
        self.evaluated_early = False  # by a loop that would not have, since it ends early
        self.taken_ahead = 0  # so many steps are finished with a batch that was taken before the loader ended
        self.left_out = set()
        self.before = 0  # steps of the models that were trained before this one
        self.models = 1
        self.trained = {}  # parameters that an optimizer has, by their number
        self.look_ahead = nobody  # whether the script will train another model
        self.follows = None  # what that said of this one
        self.leave_loops = nobody  # has the script go on behind the loops that train this one, if it can
        self.alive = lambda: 0  # bytes that the script has on the card
        self.latest = None  # the data set of the batch that was taken last
        self.trained_on = set()  # data sets, by their number

    def made(self, optimizer):
        own = [parameter for group in getattr(optimizer, "param_groups", ()) for parameter in group["params"]]
        new = [one for one in own if self.trained.get(id(one), lambda: None)() is not one]
        if new and self.cut and self.models < MODELS:
            self.begin_another()
        self.trained.update({id(one): weakref.ref(one) for one in new})
        self.optimizers.setdefault(optimizer, 0)
        self.left_out |= iterations.begin(optimizer)

    def begin_another(self):
        """What has parameters that were not trained yet has its own steps."""
        self.before, self.models = self.whole(), self.models + 1
        self.optimizers.clear()
        self.cut, self.taken_ahead, self.follows, self.evaluated_early = False, 0, None, False
        self.trained_on.clear()
        leaving.forget(sys._getframe(1))
        self.on_mark("another")

    def another_follows(self):
        if self.follows is None:
            self.follows = self.look_ahead()
        return self.follows

    def may_go_on(self):
        """Whether another model is let come: ranks run the same lines, so that all of them say the same."""
        return self.models < MODELS and self.another_follows()

    def passes_by(self):
        """Whether this is an epoch without steps, before another model."""
        return self.cut and bool(self.follows) and self.may_go_on()

    def rounds(self):
        """How often each optimizer has stepped. Where one steps alone (a warm-up, or another that is never used), its last
        steps are one each, and what it did before is in the first."""
        counts = list(self.optimizers.values())
        return self.before + max(min(counts, default=0), max(counts, default=0) - self.wanted * (MANY - 1), 0)

    def whole(self):
        """Steps made: rounds, or backward passes of a script without an optimizer."""
        return self.rounds() if self.optimizers else self.done

    def enough(self):
        counts = list(self.optimizers.values()) or [0 if self.optimizer_may_come() else self.done, self.done]
        return min(counts) >= self.wanted or max(counts) >= self.wanted * MANY

    def optimizer_may_come(self):
        """Whether a script that has made no optimizer of torch names one: a few backward passes may come before."""
        if self.names_optimizer is None and self.done >= self.wanted:
            script = getattr(sys.modules.get("__main__"), "__file__", None)
            self.names_optimizer = any(OPTIMIZERS.search(text_of(file)) for file in columns.own_files(script))
        return bool(self.names_optimizer)

    def leave_out_steps(self):
        told = STEPS_AFTER + str(self.done)
        if self.models > 1:
            told = (f"{STEPS_AFTER}few of each of the {self.models} models that were trained one after another; the time of a "
                    "step is that of the first")
        self.left_out = {one for one in self.left_out if not one.startswith(STEPS_AFTER)} | {told}

    def goes_on(self):
        """Whether the script, which no loader ends, is let go on to the next model that it trains."""
        if self.cut or not self.may_go_on() or not self.leave_loops():
            return False
        self.cut = self.data_cut = True
        self.taken_ahead = self.done + 1
        return True

    def evaluates_early(self):
        """Whether a loop that evaluates or saves after so many steps or batches does so here, once, after the last step."""
        early = self.enough() and not self.cut and not self.evaluated_early
        self.evaluated_early = self.evaluated_early or early
        return early

    def is_part(self, optimizer):
        """Whether an optimizer goes on with a step: some are handed a part of the parameters after another (ZeRO-3, groups of
        a billion), with no backward pass between them."""
        own = {id(one) for group in getattr(optimizer, "param_groups", ()) for one in group["params"]}
        backwards, moved = self.moved.get(optimizer, (None, own))
        part = bool(own and moved) and backwards == self.backwards and own.isdisjoint(moved)
        self.moved[optimizer] = (self.backwards, moved | own if part else own)
        (self.parts.add if part else self.parts.discard)(optimizer)
        return part

    def before_step(self, optimizer):
        if self.is_part(optimizer):
            return
        if (self.cut or self.enough()) and self.before + self.optimizers.get(optimizer, 0) >= self.taken_ahead and not self.goes_on():
            self.leave_out_steps()
            if self.another_follows():
                self.left_out.add(FOLLOWS)
            self.on_end()
        self.on_mark("optimizer")

    def after_step(self, optimizer):
        if optimizer in self.parts:
            return
        self.optimizers[optimizer] = self.optimizers.get(optimizer, 0) + 1
        self.done = max(self.done, *(self.before + count for count in self.optimizers.values()))
        if self.cut:
            self.leave_out_steps()
        later = iterations.kept_later(optimizer)
        self.left_out = {one for one in self.left_out if not one.startswith(iterations.LATER)} | later
        self.on_mark("stepped")

    def before_backward(self):
        """The end of a script without an optimizer of torch: what it changed after its last step is behind it."""
        if not self.optimizers and (self.cut or self.enough()) and self.done >= self.taken_ahead:
            self.leave_out_steps()
            self.on_end()

    def after_backward(self):
        """A script without an optimizer of torch (by hand, Keras) moves its weights after each backward pass: that is its step."""
        self.backwards += 1
        self.trained_on.add(self.latest)
        if self.optimizers:
            return
        if self.done:
            self.left_out.add(BY_HAND)
        self.done += 1
        if self.cut:
            self.leave_out_steps()
        self.on_mark("stepped")

    @staticmethod
    def begins(iterator):
        """An iterator begins an epoch: one whose workers stay is the same in each."""
        iterator._rehearsal_taken, iterator._rehearsal_begun = 0, None

    def looks_again(self, iterator, taken):
        """Whether a loop that evaluates has one batch more, since it may keep on the card what it computes from each (the
        first two alone do not show it: some loops are a batch ahead). What all others would keep is told after that one."""
        alive = iterator._rehearsal_alive
        # What the first two have in common with the last outputs counts once: the lesser growth is that of each batch.
        more = min(now - before for before, now in zip(alive, alive[1:])) if taken > EVALUATION_BATCHES else alive[-1] - alive[-2]
        try:
            others = len(iterator) - EVALUATION_BATCHES - 1
        except TypeError:
            return False  # nobody knows how many come
        if more < KEPT or others <= 0 or taken < EVALUATION_BATCHES:
            return False
        if taken > EVALUATION_BATCHES:
            self.left_out.add(f"what the loop of evaluation keeps on the card of {others} more batches, {more / 2**20:.0f} MiB of each "
                              f"and {more * others / 2**30:.2f} GiB in all")
        return taken == EVALUATION_BATCHES

    def may_take(self, iterator, training, needed=lambda: False):
        """Whether a loader's iterator gives another batch. One that is `needed` it gives: the next step ends the script."""
        self.batches += 1
        dataset = id(getattr(iterator, "_dataset", None))
        taken, begun = getattr(iterator, "_rehearsal_taken", 0), getattr(iterator, "_rehearsal_begun", None)
        if begun is None:
            begun = iterator._rehearsal_begun = self.done
            iterator._rehearsal_backwards = self.backwards
            self.taken_ahead = 0
        iterator._rehearsal_taken = taken + 1
        iterator._rehearsal_alive = [*getattr(iterator, "_rehearsal_alive", [])[-2:], self.alive()]
        if training and self.cut and begun == self.done and not needed() and self.may_go_on():
            if dataset in self.trained_on:
                return False  # the rest of this one's epochs
            training = False  # loops that evaluate may switch gradients off around the model alone
        # Loops that evaluate may switch gradients off around the model alone, within the loop.
        training = training and not (self.enough() and taken >= EVALUATION_BATCHES
                                     and iterator._rehearsal_backwards == self.backwards)
        if training and self.enough() and begun < self.done and not needed():
            if not self.cut and taken > self.backwards - iterator._rehearsal_backwards:
                # Loops of accelerate and of the Trainer look one batch ahead, and make a step of it before they
                # evaluate: without that step they would end here.
                self.taken_ahead = self.done + 1
            self.cut = self.data_cut = True
            self.leave_out_steps()
            return False
        if not training and taken >= (1 if self.passes_by() else EVALUATION_BATCHES) and not needed():
            if self.looks_again(iterator, taken):
                return True
            self.data_cut = True
            self.left_out.add("batches of evaluation after the first %d" % taken)
            return False
        self.latest = dataset
        return True


def attach_pictures(kind, name):
    """`name` of `kind` is what writes a picture."""
    write = getattr(kind, name)

    @functools.wraps(write)
    def told(self, *arguments, **named):
        if counting is not None:
            counting.on_mark("picture")
        return write(self, *arguments, **named)

    setattr(kind, name, told)


def keep_few_ahead(loaders):
    """Workers make twice as many batches as there are of them before the first is taken, each in a process of its own,
    and a rehearsal takes few: no more are under way than this machine makes at once. Which batch comes next is the same,
    but where a data set deals itself out to its workers: those keep theirs."""
    workers = loaders._MultiProcessingDataLoaderIter
    make, put, begin = workers.__init__, workers._try_put_index, workers._reset
    cores = max(2, len(os.sched_getaffinity(0)))

    def most():
        return 1 if counting is not None and counting.passes_by() else cores

    def made(self, loader):
        wanted = loader.num_workers
        if loader._dataset_kind == loaders._DatasetKind.Map:
            loader.num_workers = min(wanted, most())
        try:
            make(self, loader)
        finally:
            loader.num_workers = wanted

    def put_few(self):
        if not getattr(self, "_rehearsal_begins", False) or self._tasks_outstanding < most():
            put(self)

    def begin_with_few(self, *arguments, **named):
        self._rehearsal_begins = True  # each batch that comes back asks for one more
        try:
            begin(self, *arguments, **named)
        finally:
            self._rehearsal_begins = False

    workers.__init__, workers._try_put_index, workers._reset = made, put_few, begin_with_few


def alone(torch):
    """Whether this is the only process."""
    many = torch.distributed.is_available() and torch.distributed.is_initialized()
    return not many or torch.distributed.get_world_size() == 1


def unseen_by_the_compiler(function):
    """The same function, of which torch's compiler follows nothing where a script compiles what calls it (its own step)."""
    try:
        from torch._C._dynamo import eval_frame
    except ImportError:
        return function

    @functools.wraps(function)
    def unseen(*arguments, **named):
        before = eval_frame.set_eval_frame(None)
        try:
            return function(*arguments, **named)
        finally:
            eval_frame.set_eval_frame(before)

    unseen._torchdynamo_disable = True
    return unseen


counting = None  # the counter of this process


def attach(torch, counter):
    global counting
    counting = counter
    counter.alive = torch.cuda.memory_allocated
    optimizers = importlib.import_module("torch.optim.optimizer")

    def before_step(optimizer, *_):
        asking = sys._getframe(1)
        counter.look_ahead = lambda: ahead.another_model(torch, asking)
        counter.leave_loops = lambda: leaving.leave(asking, ahead.makes_one(torch))
        try:
            counter.before_step(optimizer)
        finally:
            counter.look_ahead = counter.leave_loops = nobody

    def after_step(optimizer, *_):
        counter.after_step(optimizer)

    optimizers.register_optimizer_step_pre_hook(unseen_by_the_compiler(before_step))
    optimizers.register_optimizer_step_post_hook(unseen_by_the_compiler(after_step))
    make = torch.optim.Optimizer.__init__

    def made(self, *arguments, **named):
        make(self, *arguments, **named)
        counter.made(self)

    torch.optim.Optimizer.__init__ = made
    backward = torch.autograd.backward

    def counted_backward(*arguments, **named):
        counter.before_backward()
        backward(*arguments, **named)
        counter.after_backward()

    torch.autograd.backward = unseen_by_the_compiler(counted_backward)
    import torch.utils.data.dataloader as loaders

    take = loaders._BaseDataLoaderIter.__next__

    def take_some(self):
        asking = sys._getframe(1)
        counter.look_ahead = lambda: ahead.another_model(torch, asking)
        try:
            if not counter.may_take(self, torch.is_grad_enabled(), lambda: loops.would_end_the_script(asking)):
                raise StopIteration
        finally:
            counter.look_ahead = nobody
        return take(self)

    loaders._BaseDataLoaderIter.__next__ = take_some
    begin = loaders._BaseDataLoaderIter._reset

    def begin_anew(self, *arguments, **named):
        begin(self, *arguments, **named)
        counter.begins(self)

    loaders._BaseDataLoaderIter._reset = begin_anew
    keep_few_ahead(loaders)
    set_mode = torch.nn.Module.train

    def train(self, mode=True):  # by torch's own name: modules that override it hand it on by that
        if getattr(self, "training", None) != mode and not counter_busy[0]:
            counter.on_mark("training" if mode else "evaluation")
        busy = counter_busy[0]
        counter_busy[0] = True
        try:
            return set_mode(self, mode)
        finally:
            counter_busy[0] = busy

    counter_busy = [False]
    torch.nn.Module.train = train
