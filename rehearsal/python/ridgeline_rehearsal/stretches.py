"""Evaluation between two steps, from `eval()` to `train()` without a backward pass: a step does not take that long. Labels
among the recorded operators say where it begins and ends; those that read them leave out what lies between
(src/data/trace_execution.cpp). A stretch like it before the first step says that each step needs one (what a policy does
for the data that it learns from), and none is left out. What a script computes between a step and a picture that it then
writes (samples of a generator) is left out too, where it has taken no batch and made no backward pass since."""

BEGINS, ENDS = "ridgeline: evaluation begins", "ridgeline: evaluation ended"


def blocks(torch):
    """How many blocks all devices have handed out and got back."""
    handed_out = given_back = 0
    for device in range(torch.cuda.device_count()):
        try:
            counts = torch._C._cuda_memoryStats(device)["allocation"]["all"]
        except RuntimeError:
            continue
        handed_out, given_back = handed_out + counts["allocated"], given_back + counts["freed"]
    return handed_out, given_back


def computed(before, after):
    """Whether something was computed between two counts of blocks: that is given back, and what is loaded stays."""
    handed_out, given_back = (b - a for a, b in zip(before, after))
    return handed_out > 0 and 2 * given_back >= handed_out


class Stretches:
    """Those of one process; `label(name)` writes one among the operators, `count()` says how many blocks there were."""

    def __init__(self, counter, label, count):
        self.counter, self.label, self.count = counter, label, count
        self.begun = None  # backward passes and blocks at the beginning of the one that is under way
        self.of_each_step = False
        self.stepped = None  # backward passes and batches at the last step

    def now(self):
        return self.counter.backwards, self.counter.batches

    def hear(self, mark):
        if mark == "stepped" and self.begun is None:
            self.stepped = self.now()
            self.label(BEGINS)
        elif mark == "picture" and self.begun is None and self.stepped == self.now():
            self.label(ENDS)
        elif mark == "evaluation" and self.begun is None:
            self.begun = self.counter.backwards, self.count()
            self.label(BEGINS)
        elif mark == "training" and self.begun is not None:
            (backwards, blocks_before), self.begun = self.begun, None
            if self.counter.backwards != backwards:
                return
            if not self.counter.whole():
                self.of_each_step = self.of_each_step or computed(blocks_before, self.count())
            elif not self.of_each_step:
                self.label(ENDS)
