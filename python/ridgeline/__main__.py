"""`python -m ridgeline ...`: the program, with this Python for the scripts that it rehearses."""
import os
import sys

from .library import program


def words_of(given):
    """`rehearse train.py` becomes `rehearse -- python train.py`."""
    if given[:1] != ["rehearse"] or "--" in given:
        return given
    for place, word in enumerate(given):
        if word.endswith(".py"):
            return [*given[:place], "--", sys.executable, *given[place:]]
        if word == "-m" and place > 0:
            return [*given[:place], "--", sys.executable, *given[place:]]
    return given


def main():
    path = program()
    os.execv(path, [str(path), *words_of(sys.argv[1:])])


if __name__ == "__main__":
    main()
