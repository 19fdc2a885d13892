"""Each binary as it is built: no stack that runs, read-only tables bound at start, canaries, random addresses,
checked copies in the program.

    python3 hardening_test.py PROGRAM [LIBRARY...]
"""
import shutil
import subprocess
import sys

failures = []


def hold(binary, what, truth):
    if not truth:
        failures.append(f"{binary}: {what}")


def read(binary, flag):
    return subprocess.run(["readelf", "-W", flag, binary], capture_output=True, text=True, check=True).stdout


def segments(binary):
    """Flags of each segment by its type; a type that stands twice keeps the last."""
    found = {}
    for line in read(binary, "-l").splitlines():
        words = line.split()
        if len(words) >= 7 and words[1].startswith("0x"):
            found[words[0]] = "".join(words[6:-1])
    return found


def check(binary, program):
    parts = segments(binary)
    dynamic = read(binary, "-d")
    symbols = read(binary, "--dyn-syms")
    hold(binary, "its stack may run code", "E" not in parts.get("GNU_STACK", "E"))
    hold(binary, "no segment is made read-only after relocation", "GNU_RELRO" in parts)
    hold(binary, "functions are bound when first called", "BIND_NOW" in dynamic or "Flags: NOW" in dynamic)
    hold(binary, "no canary on its stack", "__stack_chk_fail" in symbols)
    hold(binary, "it stands at a fixed address", "DYN" in read(binary, "-h"))
    if program:
        hold(binary, "no checked copy", "_chk@" in symbols)
        hold(binary, "no interpreter: not a program", "INTERP" in parts)


if __name__ == "__main__":
    if shutil.which("readelf") is None:
        sys.exit(77)
    for at, path in enumerate(sys.argv[1:]):
        check(path, at == 0)
    for failure in failures:
        print(failure)
    sys.exit(1 if failures else 0)
