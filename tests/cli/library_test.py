#!/usr/bin/env python3
"""The shared library answers with the bytes that the program prints.

Usage: library_test.py LIBRIDGELINE RIDGELINE SOURCE_FOLDER
"""
import ctypes
import json
import os
import pathlib
import subprocess
import sys
import threading

REQUESTS = [
    ("estimate", {"model": "llama-3.1-8b", "method": "qlora", "on": "rtx-4090"}),
    ("estimate", {"model": "llama-3.1-70b", "method": "full", "on": "rtx-4090"}),
    ("estimate", {"model": "llama-3.1-8b", "task": "inference", "on": "l40s:2", "concurrency": 8}),
    ("advise", {"question": "qlora llama-3.1-8b on one 24GB card"}),
    ("catalog", {"verb": "show", "subject": "l40s"}),
    ("profiles", {"verb": "show", "subject": "gpt2"}),
    ("compare", {"accelerators": ["h100-sxm5-80gb", "l40s"]}),
    ("estimate", {"model": "lama-3.1-8b", "on": "l40s"}),
    ("estimate", {"model": "llama-3.1-8b", "on": "l40s", "method": "loraa"}),
]
POSITIONAL = ("question", "verb", "subject", "accelerators")


class Library:
    def __init__(self, path):
        self.calls = ctypes.CDLL(path)
        self.calls.ridgeline_open.restype = ctypes.c_void_p
        self.calls.ridgeline_open.argtypes = [ctypes.c_char_p, ctypes.c_char_p, ctypes.c_size_t]
        self.calls.ridgeline_ask.restype = ctypes.c_void_p
        self.calls.ridgeline_ask.argtypes = [ctypes.c_void_p, ctypes.c_char_p]
        self.calls.ridgeline_free.argtypes = [ctypes.c_void_p]
        self.calls.ridgeline_close.argtypes = [ctypes.c_void_p]
        self.calls.ridgeline_version.restype = ctypes.c_char_p

    def ask(self, world, text):
        answer = self.calls.ridgeline_ask(world, text.encode())
        copy = ctypes.string_at(answer).decode()
        self.calls.ridgeline_free(answer)
        return copy


def bundle_of(root):
    parts = [b"ridgeline bundle 1\n"]
    for folder in ("catalog", "profiles"):
        for path in sorted((root / folder).rglob("*")):
            if path.is_file():
                text = path.read_bytes()
                parts.append(f"{path.relative_to(root)} {len(text)}\n".encode() + text)
    return b"".join(parts)


def printed(program, command, options):
    words = [program, command]
    for name, value in options.items():
        if name in POSITIONAL:
            words += value if isinstance(value, list) else [value]
        elif value is True:
            words.append("--" + name)
        else:
            words += ["--" + name, str(value)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout or done.stderr


def main():
    library, program, root = Library(sys.argv[1]), sys.argv[2], pathlib.Path(sys.argv[3])
    os.environ["XDG_CONFIG_HOME"] = "/nonexistent"
    failures = []
    bundle = bundle_of(root)
    folder_world = library.calls.ridgeline_open(str(root).encode(), None, 0)
    bundle_world = library.calls.ridgeline_open(None, bundle, len(bundle))
    for command, options in REQUESTS:
        asked = dict(options, json=True)
        code, text = printed(program, command, asked)
        for name, world in (("folder", folder_world), ("bundle", bundle_world)):
            answer = library.ask(world, json.dumps({"command": command, "options": asked}))
            said = json.loads(answer)
            if said["exit_code"] != code or text.rstrip("\n") not in answer:
                failures.append(f"{name}: {command} {options}: {answer[:300]}")
        code, text = printed(program, command, options)
        said = json.loads(library.ask(folder_world, json.dumps({"command": command, "options": options})))
        if code in (0, 3) and said["body"] != text:
            failures.append(f"text of {command} {options}")

    # A list is answered by a list; threads share a world.
    batch = json.dumps([{"command": c, "options": dict(o, json=True)} for c, o in REQUESTS])
    alone = library.ask(folder_world, batch)
    if len(json.loads(alone)) != len(REQUESTS):
        failures.append("a list of requests")
    answers = []
    threads = [threading.Thread(target=lambda: answers.append(library.ask(folder_world, batch)))
               for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if any(answer != alone for answer in answers):
        failures.append("threads differ")

    hostile = ["", "[", "null", "3", '"x"', "[[]]", '{"command": 3}', '{"command": "estimate", "option": {}}',
               '{"command": "estimate", "options": {"model": {"a": 1}, "on": "l40s"}}',
               '{"command": "estimate", "options": {"workload": "/etc/passwd", "on": "l40s"}}',
               '{"command": "probe"}', '{"command": "catalog", "options": {"verb": "check", "subject": "/etc/passwd"}}',
               '{"command": "validate", "options": {"evidence": "/etc/passwd"}}', "[" * 100000]
    for text in hostile:
        said = json.loads(library.ask(folder_world, text))
        if said["exit_code"] not in (2, 4) or "error" not in said["body"]:
            failures.append(f"hostile {text[:60]}: {said}")
    for broken in (b"", b"ridgeline bundle 1\nx 5\nab", bundle[:1000]):
        world = library.calls.ridgeline_open(None, broken, len(broken))
        said = json.loads(library.ask(world, '{"command": "catalog", "options": {"verb": "list"}}'))
        if said["exit_code"] == 0:
            failures.append(f"a broken bundle {broken[:30]!r}")
        library.calls.ridgeline_close(world)
    version = library.calls.ridgeline_version().decode()
    if version not in subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout:
        failures.append(f"version {version}")
    library.calls.ridgeline_close(folder_world)
    library.calls.ridgeline_close(bundle_world)
    print("\n".join(failures) or "the library answers as the program does")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
