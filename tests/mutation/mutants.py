#!/usr/bin/env python3
"""Which errors in src/estimate the tests notice: changes one place of one source at random (an operator, a
comparison, a constant, a statement that is left out), compiles that source alone and runs the tests with it.

mutants.py BUILD [COUNT] [SEED] [--only PART_OF_A_PATH] [--tests NAME...]

BUILD is configured with -DCMAKE_UNITY_BUILD=OFF and has built the programs test_NAME (estimate, then advise:
the next one is asked only about what the ones before let live). Nothing of the source tree is touched. Prints each
survivor as it was and as it became; some cannot be told apart by any test. Exit 1 below --least killed.
"""
import argparse
import json
import os
import pathlib
import random
import re
import shlex
import subprocess
import sys
import tempfile
import time

LAYER = "src/estimate/"
# What is found in code, and what may stand there instead. Formatted code has blanks around binary operators alone.
SWAPS = [
    (r" < ", [" <= ", " > "]), (r" <= ", [" < "]), (r" > ", [" >= ", " < "]), (r" >= ", [" > "]),
    (r" == ", [" != "]), (r" != ", [" == "]), (r" && ", [" || "]), (r" \|\| ", [" && "]),
    (r" \+ ", [" - "]), (r" - ", [" + "]), (r" \* ", [" / "]), (r" / ", [" * "]),
    (r" \+= ", [" -= ", " = "]), (r" -= ", [" += "]), (r" \*= ", [" /= "]),
    (r"\bstd::max\(", ["std::min("]), (r"\bstd::min\(", ["std::max("]),
    (r"\bstd::ceil\(", ["std::floor("]), (r"\bstd::floor\(", ["std::ceil("]),
    (r"\btrue\b", ["false"]), (r"\bfalse\b", ["true"]), (r"(?<=[(\s])!(?=[a-z(])", [""]),
    (r"(?<![\w.'])\d+(?:\.\d+)?(?:e-?\d+)?(?![\w.'])", [None]),
    (r"(?m)^ {4,}(?:[a-z][\w.\[\]>-]*(?: [-+*/]?= [^;{}\n]+|\([^;{}\n]*\))|continue|break);$", [";"]),
]


def code_of(text):
    """The same text with comments, literals and directives blanked, so that places match."""
    blank = lambda found: re.sub(r"[^\n]", "\0", found.group())
    return re.sub(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\'|(?m:^#[^\n]*)', blank, text, flags=re.S)


def places(text):
    code = code_of(text)
    for pattern, others in SWAPS:
        for found in re.finditer(pattern, code):
            yield found.start(), found.end(), others


def changed(text, place, dice):
    begin, end, others = place
    was, other = text[begin:end], dice.choice(others)
    if other is None:
        other = str(int(was) + dice.choice([1, -1] if int(was) > 0 else [1])) if was.isdigit() else f"({was} * 1.25)"
    return text[:begin] + other + text[end:]


class Tests:
    """Programs linked anew with one object in front of the layer's library, whose own is then not taken."""

    def __init__(self, build, names):
        self.build = build
        self.links = {}
        for name in names:
            lines = subprocess.run(["ninja", "-C", build, "-t", "commands", f"test_{name}"],
                                   capture_output=True, text=True, check=True).stdout.splitlines()
            self.links[name] = next(line for line in reversed(lines) if f" -o tests/{name}/test_{name} " in line)
        self.seconds = {name: self.run(name, f"{build}/tests/{name}/test_{name}", 3000)[1] for name in names}

    def run(self, name, program, limit):
        start = time.monotonic()
        try:
            done = subprocess.run([program], capture_output=True, timeout=limit, check=False, cwd=self.build,
                                  env=dict(os.environ, RC_PARAMS="max_success=30 seed=1"))
            code = done.returncode
        except subprocess.TimeoutExpired:
            code = -1
        return code, time.monotonic() - start

    def killer(self, thing, folder):
        """The first test program that fails with that object; None where all pass."""
        for name, link in self.links.items():
            program = f"{folder}/test_{name}"
            words = link.replace(f" -o tests/{name}/test_{name} ", f" {shlex.quote(thing)} -o {program} ", 1)
            subprocess.run(words, shell=True, check=True, cwd=self.build, capture_output=True)
            if self.run(name, program, 30 + 5 * self.seconds[name])[0] != 0:
                return name
        return None


def compiled(entry, source, thing):
    words = shlex.split(entry["command"])
    at = words.index("-o")
    words[at + 1] = thing
    words[words.index("-c") + 1] = source
    words += ["-w"]
    return subprocess.run(words, cwd=entry["directory"], capture_output=True, check=False).returncode == 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("count", type=int, nargs="?", default=100)
    parser.add_argument("seed", type=int, nargs="?", default=1)
    parser.add_argument("--only", default="")
    parser.add_argument("--least", type=float, default=0.0, help="share that must be killed")
    parser.add_argument("--tests", nargs="+", default=["estimate", "advise"])
    given = parser.parse_args()
    dice = random.Random(given.seed)
    entries = [entry for entry in json.loads(pathlib.Path(given.build, "compile_commands.json").read_text())
               if LAYER in entry["file"] and given.only in entry["file"] and "/Unity/" not in entry["file"]
               and entry["file"].endswith(".cpp")]
    spots = []
    for entry in entries:
        text = pathlib.Path(entry["file"]).read_text()
        spots += [(entry, text, place) for place in places(text)]
    print(f"{len(spots)} places in {len(entries)} sources", flush=True)
    tests = Tests(os.path.abspath(given.build), given.tests)
    killed, survivors = {}, 0
    with tempfile.TemporaryDirectory() as folder:
        source, thing = f"{folder}/mutant.cpp", f"{folder}/mutant.o"
        while spots and sum(killed.values()) + survivors < given.count:
            entry, text, place = spots.pop(dice.randrange(len(spots)))
            mutant = changed(text, place, dice)
            pathlib.Path(source).write_text(mutant)
            if not compiled(entry, source, thing):
                continue
            by = tests.killer(thing, folder)
            if by:
                killed[by] = killed.get(by, 0) + 1
                continue
            survivors += 1
            line = text.count("\n", 0, place[0] + 1)
            where = entry["file"][entry["file"].index(LAYER):]
            print(f"{where}:{line + 1}\n  was {text.splitlines()[line].strip()}"
                  f"\n  now {mutant.splitlines()[line].strip()}", flush=True)
    dead = sum(killed.values())
    print(f"{dead} of {dead + survivors} killed ({dead / max(1, dead + survivors):.0%}): {killed}")
    return 1 if dead < given.least * (dead + survivors) else 0


if __name__ == "__main__":
    sys.exit(main())
