#!/usr/bin/env python3
"""The program for arm64 under an emulator answers with the bytes of this machine's, although plain char has no
sign there and a product and a sum can be one instruction.

arm64.py RIDGELINE SOURCE_FOLDER EMULATOR... RIDGELINE_OF_ARM64
"""
import json
import pathlib
import sys

from same_bytes_test import COMMANDS, ran


def main():
    here, root, *there = sys.argv[1:]
    folder = pathlib.Path(root)
    asked = [[word if not word.startswith("tests/") else str(folder / word) for word in command] for command in COMMANDS]
    for file in sorted(folder.glob("tests/advise/questions/*.jsonl")):
        lines = file.read_text(encoding="utf-8").splitlines()
        asked += [["advise", json.loads(line)["q"], "--json"] for line in lines[:: max(1, len(lines) // 5)]]
    wrong = []
    for command in asked:
        one, other = ran([here, *command], root), ran([*there, *command], root)
        if one != other:
            wrong.append(f"{command}:\n  {one[0]} {one[1][:300]!r} {one[2][:300]!r}\n  {other[0]} {other[1][:300]!r} "
                         f"{other[2][:300]!r}")
    print("\n".join(wrong) or f"{len(asked)} answers have the same bytes on arm64")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
