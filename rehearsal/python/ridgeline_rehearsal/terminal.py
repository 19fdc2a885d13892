"""A terminal for scripts that ask how wide it is, as bars of progress do, where the rehearsal has none."""

import io
import os
import shutil

ASKED = "stty size"


def attach():
    run = os.popen

    def popen(cmd, mode="r", buffering=-1):
        if mode == "r" and isinstance(cmd, str) and cmd.strip() == ASKED and not os.isatty(0):
            size = shutil.get_terminal_size()
            return io.StringIO(f"{size.lines} {size.columns}\n")
        return run(cmd, mode, buffering)

    os.popen = popen
