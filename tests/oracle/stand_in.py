"""The stand-in card (rehearsal/) under a script of this folder, without the passes of `ridgeline rehearse`.

    stand_in.py CARDS [capability=86] [memory_mib=23400] [lag=200] [units=132] [count=2] -- COMMAND ...

CARDS is the folder of libridgeline-card-*.so (build/release/rehearsal). One rank stands for all: what it
would gather from others is what it has itself.
"""

import os
import pathlib
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent.parent / "rehearsal" / "python"))

from ridgeline_rehearsal import card  # noqa: E402


def environment(cards, capability=90, memory_mib=0, lag=0, units=82, count=1):
    """The variables under which torch of this Python finds such a card."""
    out = pathlib.Path(tempfile.gettempdir()) / "ridgeline-stand-in"
    out.mkdir(exist_ok=True)
    return dict(
        card.environment(card.torch_folder(), pathlib.Path(cards).resolve(), out),
        RIDGELINE_CARD_CAPABILITY=str(capability), RIDGELINE_CARD_MEMORY=str(memory_mib << 20),
        RIDGELINE_CARD_LAG=str(lag), RIDGELINE_CARD_SMS=str(units), RIDGELINE_CARD_COUNT=str(count),
        RIDGELINE_CARD_MIRROR="1")


def main():
    where = sys.argv.index("--")
    options = {key: int(value) for key, value in (word.split("=") for word in sys.argv[2:where])}
    command = sys.argv[where + 1:]
    os.execvpe(command[0], command, dict(os.environ, **environment(sys.argv[1], **options)))


if __name__ == "__main__":
    main()
