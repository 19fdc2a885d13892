#!/usr/bin/env python3
"""Fails on an #include that points the wrong way between the layers of src/ or the rooms of a layer.

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
    "wasm": {"ask", "report", "data", "advise", "base"},
    "web": {"web", "ask", "advise", "data", "spec", "base"},
    "cli": {"cli", "web", "ask", "report", "data", "advise", "estimate", "calibrate", "spec", "base", "probes"},
}
# Floors that are parted into rooms, from the ground up. A room includes itself, the files of its floor
# that lie in no room and are named as the ground, and the rooms named here; what lies in no room and
# is no ground is a door, which includes any room and which no room includes.
FLOORS = {
    "estimate": {
        "ground": {"results", "input", "uncertainty"},
        "work": "",
        "families": "work",
        "stacks": "work families",
        "allocator": "work",
        "memory": "work families stacks allocator",
        "time": "work families stacks",
        "serving": "work families stacks memory time",
        "resolve": "work families stacks",
        "preference": "work families stacks memory time serving",
        "money": "work families stacks time",
    },
    "advise": {
        "ground": {"query", "finding", "listed_names", "searched", "advice", "figure_words", "sense"},
        "hardware": "",
        "stacks": "hardware",
        "plans": "hardware stacks",
        "rules": "hardware",
        "search": "hardware stacks plans",
        "ranking": "hardware stacks plans search",
        "placement": "hardware stacks plans rules search",
        "purchase": "hardware stacks search placement",
        "reading": "hardware stacks",
        "answers": "hardware stacks search ranking placement purchase reading",
        "fits": "hardware stacks placement reading answers",
        "largest": "hardware stacks search placement reading answers fits",
        "comparisons": "hardware stacks search placement reading answers fits",
        "validation": "hardware",
    },
    "advise/reading": {
        "ground": {"reading"},
        "words": "",
        "numbers": "words",
        "models": "words numbers",
        "money": "words numbers models",
        "amounts": "words numbers models money",
        "hardware": "words numbers models money amounts",
        "kernels": "words numbers",
        "settling": "words numbers models money amounts hardware",
    },
}
# Libraries that only some layers may name.
LIBRARIES = {
    r"nlohmann/json\.hpp": lambda path: path.parts[1] == "data"
    or path.as_posix() == "src/report/json_text.cpp",
    r"nlohmann/": lambda path: path.parts[1] == "data" or path.name == "json_text.cpp",
    r"toml\+\+/": lambda path: path.name == "toml_tree.cpp",
    r"CLI/": lambda path: path.parts[1] == "cli",
    r"boost/": lambda path: path.parts[1] == "web"
    and path.stem in ("connection", "server"),
    r"lzma\.h": lambda path: path.parts[1:] == ("web", "compressed.cpp"),
    r"(filesystem|fstream|iostream)": lambda path: path.parts[1] in ("data", "cli")
    or path.parts[1:] == ("web", "data_bundle.cpp"),
}


def room_in(floor, path):
    """The room of a floor in which a file below src/ lies; "ground" or "door" for one that lies in none."""
    inside = path.relative_to(floor)
    if len(inside.parts) > 1:
        return inside.parts[0]
    return "ground" if inside.stem in FLOORS[floor]["ground"] else "door"


def climbs(path, included):
    """Why the include of one file below src/ from another climbs within their floor; None if it does not."""
    for floor in FLOORS:
        if path.is_relative_to(floor) and included.is_relative_to(floor):
            here, there = room_in(floor, path), room_in(floor, included)
            allowed = FLOORS[floor][here].split() if here not in ("ground", "door") else []
            if here != "door" and there not in ("ground", here, *allowed):
                return f"{floor}/{here} may not include {floor}/{there}"
    return None


def problems_of(path):
    layer = path.parts[1]
    for number, line in enumerate(path.read_text().splitlines(), 1):
        own = re.match(r'\s*#\s*include\s+"(([^/"]+)/[^"]+)"', line)
        if own and own.group(2) not in ALLOWED[layer]:
            yield f"{path}:{number}: {layer} may not include {own.group(2)}/"
        elif own:
            why = climbs(path.relative_to("src"), pathlib.PurePath(own.group(1)))
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
    for floor, rooms in FLOORS.items():
        found = {p.name for p in (root / "src" / floor).iterdir() if p.is_dir()}
        problems += [f"src/{floor}/{room}: a room that tests/layering_test.py does not know"
                     for room in sorted(found - set(rooms))]
    print("\n".join(problems))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
