#!/usr/bin/env python3
"""An answer has the same bytes wherever it is asked: in a locale that writes 1,5 for 1.5, in another folder and
time zone, by another path to the program, and by a process that has that locale set and sixteen threads.

same_bytes_test.py LIBRIDGELINE RIDGELINE SOURCE_FOLDER
"""
import json
import locale
import os
import pathlib
import subprocess
import sys
import tempfile
import threading

from library_test import Library

COMMANDS = [
    ["advise", "what GPU for a 70B fine-tune"],
    ["advise", "can my 3090 run qwen3-30b-a3b at 1.5 tokens per second", "--json"],
    ["advise", "serve llama3:70b to 20.5 users under 0.5 s first token", "--json"],
    ["estimate", "--model", "llama-3.1-8b", "--method", "lora", "--on", "l40s", "--json"],
    ["estimate", "--model", "llama-3.1-8b", "--task", "inference", "--on", "rtx-4090", "--quantization", "fp8"],
    ["estimate", "--model", "llama-3.1-8b", "--compute", "fp8", "--on", "l40s:8", "--plan", "auto", "--json"],
    ["estimate", "--from", "tests/formats/configs/axolotl_qlora.yaml", "--on", "l40s", "--json"],
    ["roofline", "--model", "llama-3.1-8b", "--on", "l40s,rtx-4090", "--json"],
    ["compare", "l40s", "rtx-4090", "mi300x", "--json"],
    ["catalog", "show", "l40s"],
    ["profiles", "list", "models"],
    ["own", "h100-sxm5-80gb:8", "--years", "1.5"],
    ["estimate", "--model", "llama-3.1-8b", "--on", "l40s", "--sequence", "1,5"],
]
# What a part can do follows from its compute capability, "7.5" or "8.9".
REQUESTS = [
    ("estimate", {"model": "llama-3.1-8b", "task": "inference", "on": "rtx-3090", "quantization": "fp8"}),
    ("estimate", {"model": "llama-3.1-8b", "method": "qlora", "on": "rtx-4090", "attention": "flash"}),
    ("advise", {"question": "qlora llama-3.1-8b on one 24GB card under 1.5 dollars"}),
    ("catalog", {"verb": "show", "subject": "l40s"}),
    ("compare", {"accelerators": ["l40s", "rtx-4090"]}),
    ("advise", {"question": "serve llama-3.1-8b to 4 users", "json": True}),
]


def comma_locale(folder):
    """Makes German in `folder` and says what names it; nothing where this machine has no sources of locales."""
    made = subprocess.run(["localedef", "--no-archive", "-i", "de_DE", "-f", "UTF-8", f"{folder}/de_DE.UTF-8"],
                          capture_output=True, check=False)
    if made.returncode not in (0, 1) or not os.path.isdir(f"{folder}/de_DE.UTF-8"):
        return {}
    return {"LOCPATH": folder, "LC_ALL": "de_DE.UTF-8", "LANG": "de_DE.UTF-8"}


def ran(words, folder, **more):
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("LC_", "LANG", "LOCPATH"))}
    environment.update(XDG_CONFIG_HOME="/nonexistent", COLUMNS="100", LC_ALL="C")
    environment.update(more)
    done = subprocess.run(words, capture_output=True, cwd=folder, env=environment, check=False)
    return done.returncode, done.stdout, done.stderr


def answers(library, root, threads):
    """The bytes that each of so many threads got; all in a list."""
    calls = Library(library)
    world = calls.calls.ridgeline_open(root.encode(), None, 0)
    text = json.dumps([{"command": command, "options": options} for command, options in REQUESTS])
    got = []
    asking = [threading.Thread(target=lambda: got.append(calls.ask(world, text))) for _ in range(threads)]
    for each in asking:
        each.start()
    for each in asking:
        each.join()
    return got


def main():
    library, program, root = (os.path.abspath(word) for word in sys.argv[1:4])
    if len(sys.argv) > 4:  # as a host whose locale is set: opening the world reads all numbers of the data
        locale.setlocale(locale.LC_ALL, sys.argv[4])
        assert locale.localeconv()["decimal_point"] == ("," if sys.argv[4] else ".")
        sys.stdout.buffer.write("\n".join(sorted(set(answers(library, root, 16 if sys.argv[4] else 1)))).encode())
        return 0
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        german = comma_locale(folder)
        other = pathlib.Path(folder, "a folder", "below")
        other.mkdir(parents=True)
        link = other / "linked"
        link.symlink_to(program)
        for command in COMMANDS:
            words = [os.path.join(root, word) if word.startswith("tests/") else word for word in command]
            plain = ran([program, *words], root)
            if plain[0] != (0 if "1,5" not in command else 2):
                wrong.append(f"{command}: exit {plain[0]}: {plain[2][:200]!r}")
            if ran([str(link), *words], other, TZ="Asia/Kathmandu", **german) != plain:
                wrong.append(f"{command}: other bytes elsewhere")
        host = [sys.executable, __file__, library, program, root]
        plain = ran([*host, ""], root)
        if plain[0] or not plain[1]:
            wrong.append(f"the library: {plain[2][-300:]!r}")
        if german and ran([*host, german["LC_ALL"]], other, **german)[:2] != plain[:2]:
            wrong.append("the library answers otherwise in a host with a comma for the point")
        said = "" if german else ", without a locale: apt-get install locales"
    print("\n".join(wrong) or f"{len(COMMANDS)} commands and {len(REQUESTS)} requests have the same bytes{said}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
