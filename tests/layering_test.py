#!/usr/bin/env python3
"""Fails on an #include that points the wrong way between the layers of src/.

The allowed directions are the table in CONTRIBUTING.md; header-only packages make the link graph
blind to them, so the includes themselves are read.
"""
import os
import pathlib
import re
import sys

ALLOWED = {
    "base": {"base"},
    "spec": {"spec", "base"},
    "estimate": {"estimate", "spec", "base"},
    "calibrate": {"calibrate", "spec", "base"},
    "advise": {"advise", "estimate", "spec", "base"},
    "data": {"data", "spec", "base"},
    "report": {"report", "advise", "estimate", "calibrate", "spec", "base"},
    "cli": {"cli", "report", "data", "advise", "estimate", "calibrate", "spec", "base", "probes"},
}
# Libraries that only some layers may name.
LIBRARIES = {
    r"nlohmann/json\.hpp": lambda path: path.parts[1] == "data"
    or (path.parts[1] == "report" and path.name.startswith("json")),
    r"nlohmann/": lambda path: path.parts[1] in ("data", "report"),
    r"CLI/": lambda path: path.parts[1] == "cli",
    r"(filesystem|fstream|iostream)": lambda path: path.parts[1] in ("data", "cli"),
}


def problems_of(path):
    layer = path.parts[1]
    for number, line in enumerate(path.read_text().splitlines(), 1):
        own = re.match(r'\s*#\s*include\s+"([^/"]+)/', line)
        if own and own.group(1) not in ALLOWED[layer]:
            yield f"{path}:{number}: {layer} may not include {own.group(1)}/"
        system = re.match(r"\s*#\s*include\s+<([^>]+)>", line)
        if system:
            for pattern, allowed in LIBRARIES.items():
                if re.match(pattern + ("$" if pattern.startswith("(") else ""), system.group(1)):
                    if not allowed(path):
                        yield f"{path}:{number}: {layer} may not include <{system.group(1)}>"
                    break


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    files = sorted(p for p in (root / "src").rglob("*") if p.suffix in (".h", ".cpp"))
    if len(files) < 50:
        print(f"only {len(files)} files found under {root}/src")
        return 1
    os.chdir(root)
    problems = [p for f in files for p in problems_of(f.relative_to(root))]
    print("\n".join(problems))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
