"""Where a script stands when the limit of time ends it, for those who ask why it made no step."""

import os
import signal

from . import card, places


def tell(settings, frame, evaluates=False):
    where = " in an evaluation" if evaluates else ""
    card.problem(settings.folder, "stood", f"at {places.user_place(frame)}{where}")


def watch(settings):
    """From the beginning: a script may not have asked for the card yet (process.py watches from then on)."""
    if signal.getsignal(signal.SIGTERM) != signal.SIG_DFL:
        return
    own = os.getpid()

    def told(number, frame):
        if os.getpid() == own:
            tell(settings, frame)
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)

    told.ridgeline = True
    signal.signal(signal.SIGTERM, told)
