"""What accelerator a workload needs, and why: Ridgeline's answers in Python.

    e = ridgeline.estimate(model="llama-3.1-8b", method="qlora", on="rtx-4090")
    e.memory.peak_gib, e.time.step_s, e.memory.fits

Option names are those of the program, `--micro-batch 4` is `micro_batch=4`. What is wrong with a
request is raised as RidgelineError.
"""
import json as _json
import os as _os

from .answer import KINDS as _KINDS, Advice, Answer, Comparison, Estimate, Record, Rows, body_of
from .errors import DoesNotFit, RidgelineError
from .library import library as _library
from .request import options_of as _options_of, request_text as _text_of

__all__ = ["Advice", "Answer", "Comparison", "DoesNotFit", "Estimate", "MemoryCallback", "Record",
           "RidgelineError", "Rows", "Sweep", "advise", "ask", "catalog", "check", "compare",
           "estimate", "estimate_many", "own", "printed", "profiles", "remedies", "report",
           "roofline", "run", "sweep", "version"]

_LAZY = {"MemoryCallback": "callback", "Sweep": "sweeping"}


def __getattr__(name):
    if name in _LAZY:
        from importlib import import_module

        return getattr(import_module(f"{__name__}.{_LAZY[name]}"), name)
    if name == "__version__":
        return version()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def version():
    """Version of the library that answers."""
    return _library().version()


def _answer(command, request, reply):
    if not reply.startswith('{"exit_code":0'):
        said = _json.loads(reply)
        if "error" in said["body"]:
            error = said["body"]["error"]
            raise RidgelineError(error["code"], error["path"], error["message"], error["hint"])
    exit_code = int(reply[13:reply.index(",")])
    return _KINDS.get(command, Answer)(body_of(reply), request, exit_code)


def ask(command, workload=None, /, **options):
    """Any command of the program that answers from its data; `options` by their names there."""
    request = _text_of(command, _options_of(workload, options))
    return _answer(command, request, _library().ask(request))


def estimate(workload=None, /, **options):
    """Memory, time and cost of one workload on `on`.

    workload  a workload document: dict, path of a JSON file, or an answer that has one
    model     an id, a path of a config.json or its folder, a dict, a transformers configuration
    """
    return ask("estimate", workload, **options)


def advise(question=None, /, **options):
    """Hardware ranked for a question in words, or for a workload given by options."""
    if question is None or isinstance(question, str):
        return ask("advise", question=question, **options)
    return ask("advise", question, **options)


def remedies(workload=None, /, **options):
    """Changes that make a workload fit or run faster on `on`."""
    return ask("remedies", workload, **options)


def compare(*accelerators, **options):
    """Accelerators side by side, of their data or for a workload."""
    return ask("compare", accelerators=list(accelerators), **options)


def roofline(workload=None, /, **options):
    """The operators of a workload below the roofs of the accelerators `on`."""
    return ask("roofline", workload, **options)


def own(on, /, **options):
    """What hardware costs to own and when that beats renting."""
    return ask("own", on=on, **options)


def report(question=None, /, **options):
    """A procurement report as data."""
    if question is None or isinstance(question, str):
        return ask("report", question=question, **options)
    return ask("report", question, **options)


def catalog(verb="list", subject=None, /, **options):
    """`catalog("list", "accelerators")`, `catalog("show", "l40s")`."""
    return ask("catalog", verb=verb, subject=subject, **options)


def profiles(verb="list", subject=None, /, **options):
    """`profiles("list", "models")`, `profiles("show", "gpt2")`."""
    return ask("profiles", verb=verb, subject=subject, **options)


def printed(answer):
    """The text that the program prints for the request of an answer."""
    request = _json.loads(answer.request)
    del request["options"]["json"]
    return _json.loads(_library().ask(_json.dumps(request)))["body"]


def estimate_many(requests, threads=None):
    """One estimate for each dict of options, in their order, on all cores.

    What cannot be answered stands in the list as the RidgelineError that it would have raised.
    """
    requests = list(requests)
    batches = [requests[first:first + _BATCH] for first in range(0, len(requests), _BATCH)]
    count = min(threads or _os.cpu_count() or 1, len(batches))
    if count < 2:
        return [answer for batch in batches for answer in _estimates_or_errors(batch)]
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(count) as pool:
        return [answer for answers in pool.map(_estimates_or_errors, batches) for answer in answers]


_BATCH = 16  # requests by one call: between two calls a thread waits for the interpreter


def _estimates_or_errors(batch):
    texts = [_text_of("estimate", _options_of(None, options)) for options in batch]
    return [_estimate_or_error(*asked) for asked in zip(texts, _library().ask_each(texts))]


def _estimate_or_error(request, reply):
    try:
        return _answer("estimate", request, reply)
    except RidgelineError as error:
        return error


def sweep(base=None, /, **options):
    """An estimate for each combination of the options that hold a list.

    base  options common to all, as a dict, or an earlier estimate
    """
    from .sweeping import sweep as _sweep

    return _sweep(base, options)


def run(*words, input=None):
    """The program itself with these words, as on a command line: (exit code, stdout, stderr)."""
    import subprocess

    from .library import program

    done = subprocess.run([program(), *map(str, words)], capture_output=True, text=True,
                          check=False, input=input)
    return done.returncode, done.stdout, done.stderr


def check(*files, on, strict=False, **options):
    """What `ridgeline check` says of trainer, server or workload files."""
    words = ["check", *files, "--on", on, "--json"] + (["--strict"] if strict else [])
    for name, value in options.items():
        words += ["--" + name.replace("_", "-"), value]
    exit_code, body, messages = run(*words)
    if exit_code not in (0, 3):
        error = _json.loads(messages or body)["error"]
        raise RidgelineError(error["code"], error["path"], error["message"], error["hint"])
    return Answer(body.rstrip("\n"), _json.dumps(words, default=str), exit_code)
