"""What the tests of questions share: commands, asking, holding an answer against the truth, running every check of a test."""
import ctypes
import functools
import inspect
import json
import math
import os
import pathlib
import re
import subprocess
import sys

RIDGELINE = sys.argv[1]
os.environ["XDG_CONFIG_HOME"] = "/nonexistent"  # calibrations of the user change answers
failures = []


def command(*words):
    """(exit code, answer, messages) of a command."""
    done = subprocess.run([RIDGELINE, *words], capture_output=True, text=True, timeout=120)
    return done.returncode, done.stdout, done.stderr


def document(*words):
    """(document, exit code) of a command; what it printed is the headline where that is no document."""
    code, out, err = command(*words, "--json")
    try:
        return json.loads(out), code
    except ValueError:
        return {"reading": {}, "answer": {"headline": out + err}}, code


@functools.cache
def library_and_world():
    """The shared library with the shipped data loaded once; None where the test is given none, as that of sanitizers, which no
    interpreter loads. That it answers with the program's bytes is what library_test.py checks."""
    path = os.environ.get("RIDGELINE_LIBRARY")
    if not path:
        return None
    library = ctypes.CDLL(path)
    library.ridgeline_open.restype = library.ridgeline_ask.restype = ctypes.c_void_p
    library.ridgeline_open.argtypes = [ctypes.c_char_p, ctypes.c_char_p, ctypes.c_size_t]
    library.ridgeline_ask.argtypes = [ctypes.c_void_p, ctypes.c_char_p]
    library.ridgeline_free.argtypes = [ctypes.c_void_p]
    return library, library.ridgeline_open(str(pathlib.Path(__file__).resolve().parents[2]).encode(), None, 0)


@functools.cache
def replied(question, json_wanted):
    """What the library answers to a question; None where the program is to be asked: without a library, and of mistakes."""
    if not library_and_world():
        return None
    library, world = library_and_world()
    request = {"command": "advise", "options": {"question": question, "json": True} if json_wanted else {"question": question}}
    answer = library.ridgeline_ask(world, json.dumps(request).encode())
    text = ctypes.string_at(answer).decode()
    library.ridgeline_free(answer)
    return text if text.startswith(('{"exit_code":0,', '{"exit_code":3,')) else None


def document_of(question, *flags):
    """(document, exit code) of a question."""
    reply = None if flags else replied(question, True)
    if not reply:
        return document("advise", question, *flags)
    said = json.loads(reply)
    return said["body"], said["exit_code"]


def ask(question):
    """(reading, answer, exit code) of a question."""
    answered, code = document_of(question)
    return answered.get("reading", {}), answered.get("answer", {}), code


def text(question, *flags):
    """The answer as it is printed, its lines joined."""
    reply = None if flags else replied(question, False)
    return " ".join((json.loads(reply)["body"] if reply else command("advise", question, *flags)[1]).split())


def hold(question, truth, seen=""):
    if not truth:
        failures.append(f"{question}: {str(seen)[:300]}")


def value(answer, quantity):
    """The middle of a quantity of the answer; nan: it is not there."""
    values = answer.get("value", [])
    return next((v["mid"] for v in ([values] if isinstance(values, dict) else values) if v["quantity"] == quantity), math.nan)


def sure_rents(document):
    """Rents an hour of the options, but the one that is named because only the middle of its prediction keeps what is asked."""
    named = re.search(r"in the middle .*? at \$([\d.,]+)/h", document["answer"]["headline"])
    middle = float(named[1].replace(",", "")) if named else None
    rents = [each["cost"]["usd_per_hour"] for each in document["options"] if each.get("cost", {}).get("usd_per_hour")]
    return [rent for rent in rents if middle is None or abs(rent - middle) > 0.006]


def run(names):
    """Each function without arguments that a test defines is a check of it. names: its globals.

    RIDGELINE_CHECK_EVERY=N runs every Nth: what a program of sanitizers, fifteen times as slow, has to show is that it reads and
    prints without a fault, and any of the questions shows that.
    """
    every = int(os.environ.get("RIDGELINE_CHECK_EVERY", "1"))
    checks = [each for each in list(names.values()) if inspect.isfunction(each) and each.__module__ == "__main__"
              and not inspect.signature(each).parameters]
    for check in checks[::every]:
        try:
            check()
        except Exception as problem:  # a document without the keys that a check needs
            failures.append(f"{check.__name__}: {type(problem).__name__}: {problem}")
    print("\n".join(failures) or "all right")
    sys.exit(1 if failures else 0)
