#!/usr/bin/env python3
"""Lets each call that can fail, fail: a file is whole, old or new, and nothing is lost in silence.

faults_test.py RIDGELINE LIBRARY [--thorough]   (LIBRARY: failing_call.c, built)
"""
import errno
import json
import os
import subprocess
import sys
import tempfile

RIDGELINE, LIBRARY = sys.argv[1:3]
THOROUGH = "--thorough" in sys.argv
# Of calls that a run makes by the hundred, every so manieth is tried.
MOST = 2000 if THOROUGH else 12
FAULTS = {
    "write": [errno.ENOSPC, errno.EIO, errno.EINTR, errno.EPIPE, 0],
    "fsync": [errno.EIO, errno.ENOSPC],
    "fchmod": [errno.EPERM],
    "rename": [errno.EACCES, errno.EXDEV],
    "mkostemp": [errno.EMFILE, errno.ENOSPC, errno.EACCES],
    "open": [errno.EMFILE, errno.ENOENT],
    "fopen": [errno.EMFILE, errno.ENOENT, errno.EACCES],
    "fread": [errno.EIO],
    "read": [errno.EIO],
}
failures = []


def expect(holds, what):
    if not holds:
        failures.append(what)
        print("FAILED:", what)


def run(words, folder, fault=None):
    environment = dict(os.environ, XDG_DATA_HOME=folder, TMPDIR=folder, HOME=folder)
    count = os.path.join(folder, "count")
    if fault:
        environment.update(LD_PRELOAD=LIBRARY, FAILING_CALL=fault, FAILING_COUNT=count)
    ran = subprocess.run([RIDGELINE, *words], env=environment, cwd=folder, stdin=subprocess.DEVNULL,
                         capture_output=True, timeout=120)
    calls = 0
    if fault and os.path.exists(count):
        calls = os.path.getsize(count)
        os.remove(count)
    return ran, calls


def in_folder(folder):
    return sorted(name for name in os.listdir(folder))


def answer_of(ran):
    """What was printed, without the note why the old file, which is written over, was not read: that is for either reason."""
    return [line for line in ran.stdout.splitlines() if not line.startswith(b"note: left out prices of yours: ")]


def try_faults(name, words, target, inputs=()):
    """`words` write `target` (None: the answer goes to stdout alone)."""
    with tempfile.TemporaryDirectory() as folder:
        for path, text in inputs:
            with open(os.path.join(folder, path), "w", encoding="utf-8") as file:
                file.write(text)
        good, _ = run(words, folder)
        expect(good.returncode == 0, f"{name}: works without faults: {good.stderr.decode()[:200]}")
        path = target and os.path.join(folder, target)
        if path:
            whole = open(path, "rb").read()
            with open(path, "wb") as file:
                file.write(b"old\n")
            good, _ = run(words, folder)
        before = in_folder(folder)
        for call, reasons in FAULTS.items():
            _, calls = run(words, folder, f"{call}:0:1")
            step = max(1, calls // MOST)
            for nth in range(1, calls + 1, step):
                for reason in reasons:
                    what = f"{name}: call {nth} of {call} fails with {reason}"
                    if path:
                        with open(path, "wb") as file:
                            file.write(b"old\n")
                    ran, _ = run(words, folder, f"{call}:{nth}:{reason}")
                    expect(ran.returncode in (0, 1, 2, 4), f"{what}: exit {ran.returncode} {ran.stderr[-300:]}")
                    if ran.returncode == 0 and reason == errno.EPIPE:
                        pass  # whoever read stdout has seen enough
                    elif ran.returncode == 0:
                        expect(answer_of(ran) == answer_of(good), f"{what}: exit 0 and another answer")
                    elif call != "write":
                        expect(ran.stdout == b"" and ran.stderr != b"", f"{what}: an error is said, no half answer")
                    if path:
                        now = open(path, "rb").read() if os.path.exists(path) else None
                        expect(now in (b"old\n", whole), f"{what}: {target} is half written")
                        if ran.returncode == 0:
                            expect(now == whole, f"{what}: exit 0 and nothing written")
                    expect(in_folder(folder) == before, f"{what}: left {in_folder(folder)}")


def concurrent_writers():
    """Many at a time leave the whole text of one."""
    with tempfile.TemporaryDirectory() as folder:
        target = os.path.join(folder, "out.html")
        texts = set()
        runs = []
        for model in ("llama-3.1-8b", "llama-3.1-70b", "mistral-7b", "qwen2.5-7b"):
            words = [RIDGELINE, "emit", "--model", model, "--on", "h100-sxm5-80gb:8", "--method", "lora",
                     "--to", "axolotl", "--output", target]
            subprocess.run(words, check=True, capture_output=True)
            texts.add(open(target, "rb").read())
            runs += [words] * 4
        for each in [subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) for words in runs]:
            expect(each.wait() == 0, "concurrent writers succeed")
        expect(open(target, "rb").read() in texts, "the file of concurrent writers is whole")
        expect(in_folder(folder) == ["out.html"], "concurrent writers leave nothing beside")


PRICES = ("InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,Price,SpotPrice,Region\n"
          "p5.48xlarge,H100,8,192,2048,98.32,,us-east-1\n")
EMIT = ["emit", "--model", "llama-3.1-8b", "--on", "h100-sxm5-80gb:8", "--method", "lora", "--to", "axolotl"]
try_faults("estimate", ["estimate", "--model", "llama-3.1-8b", "--on", "l40s", "--json"], None)
try_faults("emit", [*EMIT, "--output", "out.yaml"], "out.yaml")
try_faults("prices import", ["prices", "import", "aws.csv", "--provider", "aws"],
           "ridgeline/prices/aws.json", [("aws.csv", PRICES)])
concurrent_writers()
print(f"{len(failures)} failed")
sys.exit(bool(failures))
