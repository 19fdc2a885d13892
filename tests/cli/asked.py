"""What the tests of questions share: asking, holding an answer against the truth, running every check of a test."""
import json
import math
import os
import subprocess
import sys

RIDGELINE = sys.argv[1]
os.environ["XDG_CONFIG_HOME"] = "/nonexistent"  # calibrations of the user change answers
failures = []


def document_of(question):
    """(document, exit code) of a question."""
    done = subprocess.run([RIDGELINE, "advise", question, "--json"], capture_output=True, text=True, timeout=120)
    try:
        document = json.loads(done.stdout)
    except ValueError:
        document = {"reading": {}, "answer": {"headline": done.stdout + done.stderr}}
    return document, done.returncode


def ask(question):
    """(reading, answer, exit code) of a question."""
    document, code = document_of(question)
    return document.get("reading", {}), document.get("answer", {}), code


def text(question):
    """The answer as it is printed, its lines joined."""
    return " ".join(subprocess.run([RIDGELINE, "advise", question], capture_output=True, text=True, timeout=60).stdout.split())


def hold(question, truth, seen):
    if not truth:
        failures.append(f"{question}: {str(seen)[:300]}")


def value(answer, quantity):
    """The middle of a quantity of the answer; nan: it is not there."""
    values = answer.get("value", [])
    return next((v["mid"] for v in ([values] if isinstance(values, dict) else values) if v["quantity"] == quantity), math.nan)


def run(names):
    """Each function that a test defines is a check of it. names: its globals.

    RIDGELINE_CHECK_EVERY=N runs every Nth: what a program of sanitizers, fifteen times as slow, has to show is that it reads and
    prints without a fault, and any of the questions shows that.
    """
    every = int(os.environ.get("RIDGELINE_CHECK_EVERY", "1"))
    for check in [each for each in list(names.values()) if callable(each) and each.__module__ == "__main__"][::every]:
        check()
    print("\n".join(failures) or "all right")
    sys.exit(1 if failures else 0)
