#!/usr/bin/env python3
"""Mutated command lines: exit 0, 2, 3, 4 or, where a device is asked for that is not here, 5 alone, at most 1 s of processor and 256 MiB, and nothing on stdout
but a whole answer.

command_lines.py RIDGELINE [COUNT] [SEED] [--most-mib MIB]
"""
import argparse
import json
import os
import pathlib
import random
import resource
import sys
import tempfile

arguments = argparse.ArgumentParser()
arguments.add_argument("ridgeline")
arguments.add_argument("count", type=int, nargs="?", default=120)
arguments.add_argument("seed", type=int, nargs="?", default=1)
arguments.add_argument("--most-mib", type=int, default=256)
given = arguments.parse_args()
RIDGELINE, COUNT, SEED, MOST_MIB = given.ridgeline, given.count, given.seed, given.most_mib
# A search may look at many plans; this is for what never ends.
MOST_SECONDS = 10

SEEDS = [
    "advise what GPU for a 70B fine-tune",
    "advise serve llama3:70b to 200 users under 500 ms first token on aws",
    "advise train resnet-50 on imagenet, 90 epochs with 4 rtx 4090",
    "advise can my 3090 run qwen3-30b-a3b --json",
    "estimate --model llama-3.1-8b --method lora --on l40s --sequence 2048",
    "estimate --model mixtral-8x7b --on h100-sxm5-80gb:8x2 --tensor 4 --sharding zero3 --json",
    "estimate --model llama-3.1-70b --task inference --on h200:2 --concurrency 64 --input-tokens 1k --output-tokens 128",
    "estimate --model resnet-50 --on a100 --batch 256 --sweep batch=1..64",
    "estimate --model 7b --on rtx-4090 --max sequence",
    "compare h100-sxm5-80gb l40s mi300x --model 7b",
    "roofline --model llama-3.1-8b --on a100,h100 --json",
    "own h100-sxm5-80gb:8 --years 1.5",
    "emit --model llama-3.1-8b --on a100:8 --method lora --to axolotl --in slurm",
    "catalog show h100-sxm5-80gb",
    "catalog list offers --part h100 --provider aws",
    "profiles list models",
    "remedies --model llama-3.1-70b --on rtx-4090 --method qlora",
    "help", "-V", "",
]
QUESTIONS = []
PIECES = ["-1", "0", "-0", "1e308", "nan", "inf", "1_000", "0x1p4", "１２", "9" * 40, "12,5", "\udcff\udcfe", "", " ", "--", "-", "--json", "--on", "--model",
          "'", "\"", "$(id)", "; ls", "../../etc/passwd", "%n%s", "<script>", "\x01\x1b[31m", "日本語", "x" * 20000,
          "=", ":", "h100:99999999", "8k", "--sequence=0", "[" * 500, "{}", "@/etc/passwd", "local"]
LIMITS = {0: "answer", 2: "usage", 3: "nothing fits", 4: "input", 5: "no such device"}
# Questions with a known reading, as text and as JSON: what is read has to be answered too.
for listed in sorted(pathlib.Path(__file__).parent.parent.glob("advise/questions/*.jsonl")):
    questions = [json.loads(line)["q"] for line in listed.open()]
    QUESTIONS += [f"advise {form}{question}" for question in questions for form in ("", "--json ")]
dice = random.Random(SEED)
wrong = []


def mutated(words):
    words = list(words)
    for _ in range(dice.randint(0, 4)):
        at = dice.randrange(len(words) + 1)
        kind = dice.randrange(7)
        if kind == 0 and at < len(words):
            del words[at]
        elif kind == 1:
            words.insert(at, dice.choice(PIECES))
        elif kind == 2 and at < len(words):
            words[at] = dice.choice(PIECES)
        elif kind == 3 and at < len(words) and words[at]:
            place = dice.randrange(len(words[at]))
            words[at] = words[at][:place] + chr(dice.choice([45, 46, 58, 48, 57, 120, 233])) + words[at][place + 1:]
        elif kind == 4:
            words[at:at] = dice.choice(SEEDS).split()[:dice.randint(1, 4)]
        elif kind == 5 and len(words) > 1:
            other = dice.randrange(len(words))
            words[other], words[at % len(words)] = words[at % len(words)], words[other]
        elif at < len(words):
            words[at] = words[at] + dice.choice(PIECES)
    return [word.replace("\0", "") for word in words]


def ran(words, out, err):
    """Exit code (negative: a signal), seconds of processor, MiB at the most."""
    child = os.fork()
    if child == 0:
        os.dup2(os.open(out, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), 1)
        os.dup2(os.open(err, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), 2)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        resource.setrlimit(resource.RLIMIT_CPU, (MOST_SECONDS, MOST_SECONDS))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        try:
            os.execv(RIDGELINE, [RIDGELINE, *words])
        except (OSError, ValueError):
            os._exit(2)
    _, status, used = os.wait4(child, 0)
    code = -os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)
    return code, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


# Writing and measuring commands have no place here: a mutation of them would be carried out. In a question they are words.
NEVER = {"--output", "--svg", "--out"}
NEVER_COMMANDS = {"serve", "mcp", "probe", "detect", "prices", "rehearse", "page", "calibrate"}
slowest = (0.0, [])
largest = 0.0
codes = {}
with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    out, err = os.path.join(folder, "out"), os.path.join(folder, "err")
    os.environ.update(HOME=folder, COLUMNS="100")
    for _ in range(COUNT):
        words = mutated(dice.choice(dice.choice((SEEDS, QUESTIONS))).split(" "))
        never = NEVER | (set() if words and words[0] == "advise" else NEVER_COMMANDS)
        if any(word.split("=")[0] in never for word in words):
            continue
        code, seconds, mib = ran(words, out, err)
        codes[code] = codes.get(code, 0) + 1
        slowest = max(slowest, (seconds, words))
        largest = max(largest, mib)
        said = open(out, "rb").read()
        shown = " ".join(words)[:300]
        if code not in LIMITS:
            wrong.append(f"exit {code}: {shown!r}: {open(err, 'rb').read()[:200]!r}")
        elif said and (code == 2 or code == 4 and "advise" not in words):  # a refused question says how it was read
            wrong.append(f"exit {code} and text on stdout: {shown!r}")
        elif code in (2, 3, 4, 5) and not said and not open(err, "rb").read().strip():
            wrong.append(f"exit {code} and not a word: {shown!r}")
        elif code in (0, 3) and said and "--json" in words[: words.index("--") if "--" in words else None] \
                and not said.startswith((b"ridgeline 0.", b"Usage")) and b"Options:" not in said:
            try:
                json.loads(said, parse_constant=lambda word: wrong.append(f"{word} in JSON: {shown!r}"))
            except ValueError as problem:
                wrong.append(f"no JSON ({problem}): {shown!r}")
        if mib > MOST_MIB:
            wrong.append(f"{mib:.0f} MiB: {shown!r}")
    os.chdir("/")

for each in wrong:
    print(each.encode("utf-8", "replace").decode())
print(f"{sum(codes.values())} command lines, exit codes {dict(sorted(codes.items()))}; slowest {slowest[0]:.2f} s of "
      f"processor ({' '.join(slowest[1])[:80]!a}), largest {largest:.0f} MiB; {len(wrong)} wrong")
sys.exit(bool(wrong))
