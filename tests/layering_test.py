#!/usr/bin/env python3
"""Fails on an #include that points the wrong way between the layers of src/ or the rooms of src/estimate.

The allowed directions are the tables in CONTRIBUTING.md; header-only packages make the link graph
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
    "ask": {"ask", "report", "data", "advise", "estimate", "calibrate", "spec", "base"},
    "capi": {"capi", "ask", "data", "base"},
    "wasm": {"ask", "report", "data", "base"},
    "web": {"web", "ask", "advise", "data", "spec", "base"},
    "cli": {"cli", "web", "ask", "report", "data", "advise", "estimate", "calibrate", "spec", "base", "probes"},
}
# Rooms of src/estimate, from the ground up: a room includes itself, its floor's files outside of any
# room and what is named here. `doors` are the files that lie in no room.
ROOMS = {
    "work": set(),
    "families": {"work"},
    "stacks": {"work", "families"},
    "allocator": {"work"},
    "memory": {"work", "families", "stacks", "allocator"},
    "time": {"work", "families", "stacks"},
    "serving": {"work", "families", "stacks", "memory", "time"},
    "resolve": {"work", "families", "stacks"},
    "preference": {"work", "families", "stacks", "memory", "time", "serving"},
    "money": {"work", "families", "stacks", "time"},
}
GROUND = {"results.h", "results.cpp", "input.h", "uncertainty.h", "uncertainty.cpp"}
# Libraries that only some layers may name.
LIBRARIES = {
    r"nlohmann/json\.hpp": lambda path: path.parts[1] == "data"
    or path.as_posix() == "src/report/json_text.cpp",
    r"nlohmann/": lambda path: path.parts[1] == "data" or path.name == "json_text.cpp",
    r"yaml-cpp/": lambda path: path.name == "yaml_tree.cpp",
    r"toml\+\+/": lambda path: path.name == "toml_tree.cpp",
    r"CLI/": lambda path: path.parts[1] == "cli",
    r"boost/": lambda path: path.parts[1] == "web"
    and path.stem in ("connection", "server"),
    r"lzma\.h": lambda path: path.parts[1:] == ("web", "compressed.cpp"),
    r"(filesystem|fstream|iostream)": lambda path: path.parts[1] in ("data", "cli")
    or path.parts[1:] == ("web", "data_bundle.cpp"),
}


def room_of(parts):
    """The room of a file below src/estimate; "" for one on the ground, "door" for the facade."""
    if len(parts) > 1:
        return parts[0]
    return "" if parts[0] in GROUND else "door"


def climbs(path, included):
    """Why the include of `included` (below src/) from a file of src/estimate climbs; None if it does not."""
    here, there = room_of(path.parts[2:]), room_of(pathlib.PurePath(included).parts[1:])
    if here == "door" or there in ("", here):
        return None
    if here == "" or there == "door" or there not in ROOMS[here]:
        return f"estimate/{here or 'results'} may not include estimate/{there if there != 'door' else 'estimate.h'}"
    return None


def problems_of(path):
    layer = path.parts[1]
    for number, line in enumerate(path.read_text().splitlines(), 1):
        own = re.match(r'\s*#\s*include\s+"(([^/"]+)/[^"]+)"', line)
        if own and own.group(2) not in ALLOWED[layer]:
            yield f"{path}:{number}: {layer} may not include {own.group(2)}/"
        elif own and layer == own.group(2) == "estimate":
            why = climbs(path, own.group(1))
            if why:
                yield f"{path}:{number}: {why}"
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
    unknown = {p.name for p in (root / "src/estimate").iterdir() if p.is_dir()} - set(ROOMS)
    problems += [f"src/estimate/{room}: a room that tests/layering_test.py does not know" for room in sorted(unknown)]
    print("\n".join(problems))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
