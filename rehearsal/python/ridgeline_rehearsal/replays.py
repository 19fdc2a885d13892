"""CUDA graphs: torch's observer hears of their kernels where they are captured, and of none where they are replayed."""

import functools

from . import card

UNTIMED = "how long the kernels of CUDA graphs take, which the time of a step is without"


def attach_torch(torch, followed):
    """`followed()`: whether the operators of a step are being recorded."""
    kind = getattr(torch.cuda, "CUDAGraph", None)
    if kind is None:
        return
    replay = kind.replay

    @functools.wraps(replay)
    def told(self, *words, **named):
        if followed():
            card.left_out.add(UNTIMED)
        return replay(self, *words, **named)

    kind.replay = told
