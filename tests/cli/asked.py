"""What the tests of questions share: commands, asking, holding an answer against the truth, running every check of a test."""
import inspect
import json
import math
import os
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


def document_of(question, *flags):
    """(document, exit code) of a question."""
    return document("advise", question, *flags)


def ask(question):
    """(reading, answer, exit code) of a question."""
    answered, code = document_of(question)
    return answered.get("reading", {}), answered.get("answer", {}), code


def text(question, *flags):
    """The answer as it is printed, its lines joined."""
    return " ".join(command("advise", question, *flags)[1].split())


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
