#!/usr/bin/env python3
"""Writes the types of the package: signatures from the program's table of options.

Usage: write_stub.py RIDGELINE OUTPUT
"""
import json
import subprocess
import sys

HEAD = '''# Made from the option table of the program.
from collections.abc import Iterable, Mapping, Sequence
from os import PathLike
from typing import Any, Literal, TextIO

_Path = str | PathLike[str]
_Number = int | float | str
_Texts = str | Sequence[str]
_Workload = Mapping[str, Any] | _Path | "Answer" | None

__version__: str

class RidgelineError(Exception):
    code: str
    where: str
    message: str
    hint: str
    @property
    def field(self) -> str: ...
    @property
    def found(self) -> str | None: ...
    @property
    def expected(self) -> str | None: ...

class DoesNotFit(RidgelineError):
    answer: Answer | None

class Record(Mapping[str, Any]):
    def to_dict(self) -> dict[str, Any]: ...
    def __getattr__(self, name: str) -> Any: ...
    def __getitem__(self, name: str) -> Any: ...
    def __iter__(self) -> Any: ...
    def __len__(self) -> int: ...

class Rows(tuple[Any, ...]):
    def to_pandas(self) -> Any: ...

class Answer(Record):
    @property
    def text(self) -> str: ...
    @property
    def request(self) -> str: ...
    @property
    def exit_code(self) -> int: ...
    def printed(self) -> str: ...
    def raise_if_unfit(self) -> Answer: ...
    def _repr_html_(self) -> str: ...

class Memory(Record):
    fits: bool
    verdict: Literal["yes", "barely", "no"]
    capacity_gib: float
    peak_gib: float
    low_gib: float
    high_gib: float
    headroom_gib: float
    components: Rows
    counters: Record

class Time(Record):
    step_s: float
    low_s: float
    high_s: float
    tokens_per_s: float | None
    mfu: float | None

class Estimate(Answer):
    memory: Memory
    time: Time
    cost: Record
    workload: Record
    hardware: Record
    findings: Rows
    provenance: Rows
    @property
    def components(self) -> Rows: ...

class Advice(Answer):
    options: Rows

class Comparison(Answer):
    accelerators: Rows

class Point:
    options: dict[str, Any]
    estimate: Estimate | None
    error: RidgelineError | None
    def figures(self) -> dict[str, Any]: ...

class Sweep(Rows): ...

class MemoryCallback:
    estimate: Estimate | None
    measured: dict[str, float] | None
    def __init__(self, on: str | None = ..., sequence: int | None = ..., reset_peak: bool = ...,
                 evidence: _Path | None = ..., out: TextIO | None = ..., **options: Any) -> None: ...

def version() -> str: ...
def ask(command: str, workload: _Workload = ..., /, **options: Any) -> Answer: ...
def printed(answer: Answer) -> str: ...
def run(*words: object, input: str | None = ...) -> tuple[int, str, str]: ...
def check(*files: _Path, on: str, strict: bool = ..., **options: Any) -> Answer: ...
def estimate_many(requests: Iterable[Mapping[str, Any]],
                  threads: int | None = ...) -> list[Estimate | RidgelineError]: ...
def sweep(base: Mapping[str, Any] | Estimate | None = ..., /, **options: Any) -> Sweep: ...
'''

# Command: what stands before the options, the options that this names, the answer.
FUNCTIONS = {
    "estimate": ("workload: _Workload = ..., /", (), "Estimate"),
    "advise": ("question: str | _Workload = ..., /", ("question",), "Advice"),
    "remedies": ("workload: _Workload = ..., /", (), "Answer"),
    "compare": ("*accelerators: str", ("accelerators",), "Comparison"),
    "roofline": ("workload: _Workload = ..., /", (), "Answer"),
    "own": ("on: str, /", ("on",), "Answer"),
    "report": ("question: str | _Workload = ..., /", ("question",), "Answer"),
    "catalog": ("verb: str = ..., subject: str | None = ..., /", ("verb", "subject"), "Answer"),
    "profiles": ("verb: str = ..., subject: str | None = ..., /", ("verb", "subject"), "Answer"),
}


def type_of(name, schema):
    if name == "model":
        return "str | _Path | Mapping[str, Any] | object"
    if "enum" in schema:
        return "Literal[" + ", ".join(f'"{word}"' for word in schema["enum"]) + "]"
    kind = schema["type"]
    if kind == "boolean":
        return "bool"
    if isinstance(kind, list):
        return "_Texts" if "array" in kind else "_Number"
    return "str"


def signature(command, program):
    before, taken, answer = FUNCTIONS[command]
    printed = subprocess.run([program, "__schema", command], capture_output=True, text=True,
                             check=True)
    options = json.loads(printed.stdout)["properties"]
    lines = [f"def {command}({before}" + ("," if before.startswith("*") else ", *,")]
    for name, schema in options.items():
        if name not in taken and name != "workload":
            lines.append(f"    {name.replace('-', '_')}: {type_of(name, schema)} | None = ...,"
                         f"  # {schema['description']}")
    return "\n".join(lines) + f"\n) -> {answer}: ...\n"


def main():
    program, output = sys.argv[1:]
    text = HEAD + "".join(signature(command, program) for command in FUNCTIONS)
    with open(output, "w", encoding="utf-8") as file:
        file.write(text)


if __name__ == "__main__":
    main()
