#!/usr/bin/env python3
"""Every header of src/ compiles alone: it includes what it uses.

    headers_test.py COMPILER ROOT [FLAG ...]
"""
import concurrent.futures
import pathlib
import subprocess
import sys


def failure_of(compiler, flags, root, header):
    """What the compiler says of a file that includes the header alone; "" when it is content."""
    done = subprocess.run(
        [compiler, "-std=c++20", "-fsyntax-only", f"-I{root / 'src'}", f"-I{root}", *flags, "-x", "c++", "-"],
        input=f'#include "{header.relative_to(root / "src")}"\n', capture_output=True, text=True)
    return "" if done.returncode == 0 else f"{header.relative_to(root)} does not compile alone:\n{done.stderr}"


def main():
    compiler, root, flags = sys.argv[1], pathlib.Path(sys.argv[2]).resolve(), sys.argv[3:]
    headers = sorted((root / "src").rglob("*.h"))
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        failures = [f for f in pool.map(lambda h: failure_of(compiler, flags, root, h), headers) if f]
    print("\n".join(failures) or f"{len(headers)} headers compile alone")
    return 1 if failures or len(headers) < 50 else 0


if __name__ == "__main__":
    sys.exit(main())
