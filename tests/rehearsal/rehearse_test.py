#!/usr/bin/env python3
"""The command `rehearse` without PyTorch: rehearse_test.py RIDGELINE SOURCE.

Scripts that write the records which the Python side would write stand for rehearsed ones, so that every
answer of the command is tried; a folder that looks like torch stands for wheels that are refused.
"""

import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest

RIDGELINE, SOURCE = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2]).resolve()
GIB = 1 << 30

# A script whose peak is `need` GiB: refused where the card has less, as torch would be.
RECORD = """
import json, os, pathlib, sys
need, lost = float(sys.argv[1]), float(sys.argv[2])
settings = json.load(open(os.environ["RIDGELINE_REHEARSAL"]))
folder = pathlib.Path(settings["folder"])
card = int(os.environ["RIDGELINE_CARD_MEMORY"]) - int(os.environ["RIDGELINE_CARD_CONTEXT"])
expandable = "expandable" in os.environ.get("PYTORCH_CUDA_ALLOC_CONF", "")
reserved = need if expandable else need + lost
limited = os.environ["RIDGELINE_CARD_UNLIMITED"] == "0"
refused = limited and reserved * 2**30 > card
record = {"key": "main", "torch": "2.9.0", "steps": settings["steps"], "left_out": ["steps after the first 2"]}
if settings["pass"] == "values":
    record["read_at"] = [{"at": "train.py:9", "by": "_local_scalar_dense", "reads": 3, "assumed": 3}]
else:
    record["devices"] = [{"device": 0, "allocated": need * 2**30, "reserved": reserved * 2**30, "phase": "step", "step": 2,
        "retries": 0, "ooms": int(refused), "phases": [{"phase": "loading", "step": 0, "allocated": 2**30, "reserved": 2**30}],
        "groups": [{"kind": "activations", "line": "train.py:7", "module": "", "bytes": need * 2**29, "blocks": 3}]}]
(folder / "main.json").write_text(json.dumps(record))
if settings["trace"]:
    side = {"values": [[1, 1, 0, 4194304, 2, "cuda:0"]] * 2, "shapes": [[2048, 2048]] * 2, "types": ["Tensor(c10::BFloat16)"] * 2}
    node = {"id": 2, "name": "aten::mm", "ctrl_deps": 1, "inputs": side, "outputs": {k: v[:1] for k, v in side.items()}, "attrs": []}
    pathlib.Path(settings["trace"]).write_text(json.dumps({"schema": "1.1.1-chakra.0.0.4", "nodes": [node]}))
sys.exit(1 if refused else 0)
"""
AFTER = RECORD.replace('"phase": "step"', '"phase": "after"')
BATCH = RECORD.replace("float(sys.argv[1]), float(sys.argv[2])", "float(sys.argv[sys.argv.index('--batch') + 1]), 0")

# The same script where torch would ask for a card: from then on the second pass is a copy of the first.
COPIED = """
import os, sys, types
sys.path.insert(0, os.path.dirname(os.environ["RIDGELINE_REHEARSAL_ENTRY"]))
from ridgeline_rehearsal import again, made, session
with open("starts", "a") as file:
    file.write("x")
settings = session.Settings(__import__("json").load(open(os.environ["RIDGELINE_REHEARSAL"])))
torch = types.SimpleNamespace(_C=types.SimpleNamespace(_cuda_isInBadFork=lambda: False))
heard = made.watch(settings)
os.mkdir("before")
again.copy_process(torch, settings, heard)
with open("drawn", "a") as file:
    file.write(f"{__import__('random').random()} ")
open("before/one", "x").close()  # as the first pass finds it
""" + RECORD


class Rehearse(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix="rehearse-")
        self.path = pathlib.Path(self.folder.name)
        (self.path / "train.py").write_text(RECORD)
        (self.path / "batch.py").write_text(BATCH)

    def tearDown(self):
        self.folder.cleanup()

    def run_command(self, *words, **variables):
        return subprocess.run([RIDGELINE, "rehearse", *words], capture_output=True, text=True, cwd=self.path,
                              env={**os.environ, **variables}, check=False)

    def script(self, *words, on="rtx-4090", flags=()):
        return self.run_command("--on", on, *flags, "--", sys.executable, *[str(w) for w in words])

    def answer(self, *words, **named):
        run = self.script(*words, **{**named, "flags": ["--json", *named.get("flags", ())]})
        document = json.loads(run.stdout)
        try:
            import jsonschema

            schema = json.loads((SOURCE / "profiles/schema/answers/rehearsal.schema.json").read_text())
            jsonschema.validate(document, schema)
        except ImportError:
            pass
        return run.returncode, document

    def test_the_second_pass_goes_on_from_a_copy_of_the_first(self):
        (self.path / "copied.py").write_text(COPIED)
        (self.path / "starts").write_text("")
        (self.path / "drawn").write_text("")
        code, document = self.answer("copied.py", 10, 0.5)
        card = document["cards"][0]
        self.assertEqual((code, card["fit"], card["devices"][0]["reserved_gib"]), (0, "fits", 10.5))
        self.assertEqual((self.path / "starts").read_text(), "x")
        self.assertEqual(len(set((self.path / "drawn").read_text().split())), 1)
        self.assertEqual(card["assumed_reads"][0]["assumed"], 3)
        self.assertFalse((self.path / "before").exists())  # put away, after the second pass
        code, document = self.answer("copied.py", 40, 0.5)  # refused, and then without a limit: a start of its own
        self.assertEqual((code, document["cards"][0]["fit"]), (3, "does not fit"))
        self.assertEqual((self.path / "starts").read_text(), "xxx")

    def test_fits(self):
        code, document = self.answer("train.py", 10, 0.5)
        card = document["cards"][0]
        self.assertEqual((code, document["schema"], card["fit"]), (0, "ridgeline/rehearsal/1", "fits"))
        device = card["devices"][0]
        self.assertEqual((device["allocated_gib"], device["reserved_gib"]), (10, 10.5))
        self.assertAlmostEqual(device["process_gib"], 10.5 + card["context_gib"])
        self.assertEqual(card["assumed_reads"][0]["line"], "train.py:9")
        self.assertIn("steps after the first 2", card["not_rehearsed"])

    def test_what_the_script_makes_is_put_away_after_each_pass(self):
        (self.path / "makes.py").write_text(RECORD.replace("import json, os", """
import json, os
if os.path.exists("out") or os.path.exists("log.txt"):
    sys.exit("made before")
os.mkdir("out"); open("out/a.txt", "w").write("a"); open("log.txt", "w").write("b")
os.makedirs("data", exist_ok=True); open("data/large", "wb").write(bytes(17 << 20))
told = pathlib.Path(json.load(open(os.environ["RIDGELINE_REHEARSAL"]))["folder"]) / "problems.jsonl"
told.write_text("".join(json.dumps({"kind": "made", "text": os.path.abspath(name)}) + "\\n" for name in ("out", "log.txt", "data")))
import""").replace("import, pathlib, sys", "", 1).replace("\nimport json", "\nimport sys, pathlib, json", 1))
        code, _ = self.answer("makes.py", 10, 0.5)
        self.assertEqual(code, 0)
        self.assertEqual([(self.path / name).exists() for name in ("out", "log.txt", "data/large")], [False, False, True])

    def test_a_command_that_sets_the_path_of_python_still_meets_the_rehearsal_first(self):
        (self.path / "fails.py").write_text("import os, sys; sys.exit(os.environ['PYTHONPATH'])\n")
        for place in ("src", ""):
            ended = self.run_command("--on", "l4", "--", "env", f"PYTHONPATH={place}", sys.executable, "fails.py")
            path = next(line for line in ended.stderr.splitlines() if "entry" in line).split(":")
            self.assertTrue(path[0].endswith("rehearsal/python/entry"))
            self.assertEqual(path[1:], [place] if place else [])

    def test_the_last_words_of_a_pass_that_is_not_shown(self):
        (self.path / "fails.py").write_text(
            "import json, os, sys\n"
            "if json.load(open(os.environ['RIDGELINE_REHEARSAL']))['pass'] == 'measure': sys.exit('why it failed')\n" + RECORD)
        ended = self.run_command("--on", "l4", "--", sys.executable, "fails.py", "10", "1")
        self.assertEqual(ended.returncode, 1)
        self.assertIn("why it failed\nThe script ended with code 1 by itself", ended.stderr)

    def test_a_step_is_timed_there_and_on_other_cards(self):
        code, document = self.answer("train.py", 30, 1, on="h100-sxm5-80gb")
        card = document["cards"][0]
        self.assertEqual((code, document["operators"][0]["flops"]), (0, 2 * 2048**3))
        # No faster than the peak of 989.5 TFLOP/s in bf16.
        self.assertGreater(card["time"]["step_s"], 2 * 2048**3 / 989.5e12)
        self.assertLess(card["time"]["step_low_s"], card["time"]["step_high_s"])
        (self.path / "run.json").write_text(json.dumps(document))
        told = self.program("estimate", "--trace", "run.json", "--on", "h100-sxm5-80gb", "--json")
        self.assertAlmostEqual(told["places"][0]["time"]["step_s"], card["time"]["step_s"])
        told = self.program("advise", "--rehearsed", "run.json", "--json")
        self.assertEqual(told["rehearsed_on"], "h100-sxm5-80gb")
        held = {place["accelerator"]: place for place in told["places"]}
        self.assertIn("h100-sxm5-80gb", held)
        self.assertNotIn("rtx-4090", held)  # 30 GiB of tensors
        self.assertEqual(held["h100-sxm5-80gb"]["fit"], "fits")

    def program(self, *words):
        run = subprocess.run([RIDGELINE, *words], capture_output=True, text=True, cwd=self.path, check=False)
        self.assertEqual(run.returncode, 0, run.stderr)
        return json.loads(run.stdout)

    def test_what_is_no_trace_is_refused(self):
        for text, words in (("[]", "no JSON object"), ('{"a": 1}', "neither nodes nor traceEvents"),
                            ('{"nodes": []}', "no operator of a card"), ('{"traceEvents": []}', "no shapes")):
            (self.path / "bad.json").write_text(text)
            run = subprocess.run([RIDGELINE, "estimate", "--trace", "bad.json", "--on", "l4"], capture_output=True, text=True,
                                 cwd=self.path, check=False)
            self.assertEqual(run.returncode, 4, run.stderr)
            self.assertIn(words, run.stderr)
        run = subprocess.run([RIDGELINE, "advise", "--rehearsed", "bad.json"], capture_output=True, text=True, cwd=self.path, check=False)
        self.assertEqual(run.returncode, 4, run.stderr)

    def test_a_script_that_kills_itself(self):
        run = self.script("-c", "import os, signal; os.kill(os.getpid(), signal.SIGKILL)")
        self.assertEqual(run.returncode, 137)
        self.assertIn("ended by signal 9 (Killed)", run.stderr)

    def test_a_launcher_that_hands_on_a_negative_code_tells_of_a_signal(self):
        run = self.script("-c", "import sys; sys.exit(-9)")
        self.assertIn("ended by signal 9 (Killed)", run.stderr)
        run = self.script("-c", "import sys; sys.exit(-1)")
        self.assertIn("ended with code 255", run.stderr)

    def test_does_not_fit_and_says_what_it_would_take(self):
        code, document = self.answer("train.py", 30, 1)
        card = document["cards"][0]
        self.assertEqual((code, card["fit"], card["devices"][0]["reserved_gib"]), (3, "does not fit", 31))
        self.assertIn("Tensors alone take", card["remedy"])

    def test_barely_where_only_blocks_are_lost(self):
        code, document = self.answer("train.py", 20, 10)
        self.assertEqual((code, document["cards"][0]["fit"]), (0, "barely fits"))
        self.assertIn("expandable_segments:True", document["cards"][0]["remedy"])

    def test_the_largest_value_of_a_flag_on_each_card(self):
        code, document = self.answer("batch.py", "--batch", 1, on="rtx-4090,a100-sxm4-40gb", flags=["--max", "batch=--batch"])
        found = [(card["max"]["largest"], card["max"]["does_not_fit"]) for card in document["cards"]]
        self.assertEqual(code, 0)
        for card, (largest, refused) in zip(document["cards"], found):
            room = card["capacity_gib"] - card["context_gib"]
            self.assertEqual((largest, refused), (int(room), int(room) + 1))

    def test_a_batch_that_does_not_fit_is_halved(self):
        code, document = self.answer("batch.py", "--batch", 80)
        tried = document["cards"][0]["tried"]
        self.assertEqual(code, 3)
        self.assertEqual([(change["change"], change["fit"]) for change in tried],
                         [("--batch 40", "does not fit"), ("--batch 20", "fits")])
        self.assertEqual(tried[1]["reserved_gib"], 20)

    def test_changes_that_the_user_names(self):
        run = self.script("batch.py", "--batch", 80, flags=["--try=--batch 10", "--try=--batch none"])
        self.assertEqual(run.returncode, 3)
        self.assertIn("tried: --batch 10: fits, allocated 10.00, reserved 10.00 GiB", run.stdout)
        self.assertIn("tried: --batch none: the script ended with code 1", run.stdout)
        run = self.script("batch.py", "--batch", 80, flags=["--try=batch"])
        self.assertEqual(run.returncode, 2)

    def test_the_formulas_beside_it(self):
        workload = {"schema": "ridgeline/workload/1", "model": "gpt2", "task": "train", "method": "full",
                    "batch": {"micro": 8, "sequence_length": 1024}}
        (self.path / "w.json").write_text(json.dumps(workload))
        code, document = self.answer("train.py", 10, 0.5, flags=["--workload", "w.json"])
        beside = document["cards"][0]["by_formulas"]
        kinds = {row["kind"]: row["rehearsed_gib"] for row in beside["kinds"]}
        self.assertEqual(code, 0)
        self.assertGreater(beside["reserved_gib"], 1)
        self.assertEqual(kinds["activations and the rest"], 5)  # the record's group
        run = self.script("train.py", 10, 0.5, flags=["--workload", "none.json"])
        self.assertIn(run.returncode, (1, 4))
        self.assertIn("none.json", run.stderr)
        self.assertIn("by the formulas: allocated", self.script("train.py", 10, 0.5, flags=["--workload", "w.json"]).stdout)

    def test_text_names_lines_and_what_was_left_out(self):
        run = self.script("train.py", 10, 0.5)
        for words in ("rtx-4090: fits", "peak in step 2: allocated 10.00, reserved 10.50", "train.py:7", "train.py:9 (3)",
                      "not rehearsed: steps after the first 2"):
            self.assertIn(words, run.stdout)
        self.assertTrue(all(len(line) <= 80 for line in run.stdout.splitlines()), run.stdout)

    def test_a_peak_after_the_last_step(self):
        (self.path / "after.py").write_text(AFTER)
        self.assertIn("peak after step 2: allocated", self.script("after.py", 10, 0.5).stdout)

    def test_a_script_that_fails_keeps_its_exit_code_and_its_words(self):
        run = self.script("-c", "import sys; print('lost the data', file=sys.stderr); sys.exit(7)")
        self.assertEqual((run.returncode, run.stdout), (7, ""))
        self.assertIn("lost the data", run.stderr)
        self.assertIn("ended with code 7 by itself", run.stderr)

    def test_what_cannot_be_rehearsed(self):
        torch = self.path / "site" / "torch"
        torch.mkdir(parents=True)
        (torch / "__init__.py").write_text("")
        (torch / "version.py").write_text("__version__ = '2.9.0+cpu'\ncuda = None\nhip = None\n")
        run = self.run_command("--on", "l4", "--", sys.executable, "-c", "import torch", PYTHONPATH=str(self.path / "site"))
        self.assertEqual(run.returncode, 4)
        self.assertIn("built for the CPU alone", run.stderr)
        (self.path / "jax.py").write_text("")
        run = self.script("-c", "import jax")
        self.assertEqual(run.returncode, 4)
        self.assertIn("uses jax", run.stderr)
        run = self.script("-c", "pass")
        self.assertEqual(run.returncode, 4)
        self.assertIn("ended without using a card through PyTorch", run.stderr)
        run = self.run_command("--on", "l4", "--", "no-such-program")
        self.assertEqual(run.returncode, 4)
        self.assertIn("could not be started", run.stderr)
        run = self.script("-c", "import time; time.sleep(60)", flags=["--limit", "1"])
        self.assertEqual(run.returncode, 4)
        self.assertRegex(run.stderr, r"within the limit of time \(--limit SECONDS\): \d+ s, of which it had \d+ s of the processor")

    def test_a_script_that_waits_for_others_is_not_out_of_time(self):
        (self.path / "computes.py").write_text(
            "import sys, time\nwhile time.process_time() < 3:\n    pass\nsys.exit(7)\n")
        processors = os.sched_getaffinity(0)
        os.sched_setaffinity(0, {min(processors)})
        busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(2)]
        try:
            run = self.script("computes.py", flags=["--limit", "6"])
        finally:
            os.sched_setaffinity(0, processors)
            for one in busy:
                one.kill()
                one.wait()
        self.assertEqual(run.returncode, 7)

    def test_an_error_before_the_limit_is_told_rather_than_that(self):
        (self.path / "waits.py").write_text(
            "import atexit, time\natexit.register(time.sleep, 60)\nraise TypeError('no such argument')\n")
        run = self.script("waits.py", flags=["--limit", "10"])
        self.assertEqual(run.returncode, 4)
        self.assertIn("the script met an error before its first step", run.stderr)
        self.assertIn("TypeError at waits.py:3: no such argument", run.stderr)

    def failing(self, text):
        (self.path / "fails.py").write_text(text)
        run = self.script("fails.py")
        self.assertNotIn("ridgeline_rehearsal/", run.stderr)
        return run.stderr

    def test_an_error_is_told_with_its_line_and_what_to_do(self):
        told = self.failing("import json\n\ndef load(name):\n    return open(name)\n\nload('data/train.csv')\n")
        self.assertIn("memory: FileNotFoundError at fails.py:4: [Errno 2] No such file or directory: 'data/train.csv'.\n"
                      f"Put it there (it begins at {self.path}), or name the place that it has on this machine.", told)
        told = self.failing("import nothing_of_that_name\n")
        self.assertIn("ModuleNotFoundError at fails.py:1: No module named 'nothing_of_that_name'.\n"
                      f"Install the package that has nothing_of_that_name for the Python of the command, {sys.executable}.", told)
        told = self.failing("import argparse\np = argparse.ArgumentParser()\np.add_argument('--data', required=True)\np.parse_args([])\n")
        self.assertIn("it takes no such arguments: the following arguments are required: --data", told)
        told = self.failing("import json\njson.loads('{')\n")
        self.assertIn("memory: JSONDecodeError at fails.py:2: Expecting property name", told)

    def test_an_error_over_an_assumed_value_says_so(self):
        told = self.failing("import os, sys\nsys.path.insert(0, os.path.dirname(os.environ['RIDGELINE_REHEARSAL_ENTRY']))\n"
                            "from ridgeline_rehearsal import failures\nfailures.assumed_at = 'fails.py:8'\nassert 0 > 1, 'diverged'\n")
        self.assertIn("AssertionError at fails.py:5: diverged.\nThe value that it last read from the card, at fails.py:8, was assumed", told)

    def test_a_command_that_refuses_its_arguments_after_an_error(self):
        told = self.failing("import argparse, sys\ntry:\n    open('none')\nexcept OSError:\n    pass\nsys.exit(argparse.ArgumentParser().error('no'))\n")
        self.assertIn("The script ended with code 2 by itself, so that nothing can be said of its memory: it takes no such arguments: no.\n", told)

    def test_what_was_made_up_is_told_where_the_script_fails(self):
        (self.path / "parses.py").write_text(
            "import os, sys\nsys.path.insert(0, os.path.dirname(os.environ['RIDGELINE_REHEARSAL_ENTRY']))\n"
            "from ridgeline_rehearsal import card\ncard.left_out.add('the text x.txt, made up')\nraise ValueError('fields')\n")
        run = self.script("parses.py")
        self.assertEqual(run.returncode, 1)
        self.assertIn("The script ended with code 1, so that", run.stderr)
        self.assertIn("Not as on the card, which may be why: the text x.txt, made up.", run.stderr)

    def test_a_download_that_fails_is_named(self):
        run = self.script("-c", "import urllib.request; urllib.request.urlopen('http://data.invalid/set.zip')")
        self.assertEqual(run.returncode, 1)
        self.assertIn("URLError", run.stderr)  # its own words first
        self.assertIn("It asked the network for", run.stderr)
        run = self.script("-c", "raise ValueError('no network here')")
        self.assertNotIn("asked the network", run.stderr)

    def test_children_of_the_script_end_with_it(self):
        (self.path / "forks.py").write_text(
            "import os, sys, time\nif os.fork() == 0:\n    open('child', 'w').write(str(os.getpid()))\n    time.sleep(60)\n"
            "while not os.path.exists('child') or not open('child').read(): time.sleep(0.01)\n" + RECORD)
        code, _ = self.answer("forks.py", 10, 0.5)
        self.assertEqual(code, 0)
        for _ in range(100):  # until its parent, now init, has collected it
            state = pathlib.Path("/proc", (self.path / "child").read_text(), "stat")
            if not state.exists() or state.read_text().split()[2] == "Z":
                return
            time.sleep(0.02)
        self.fail("the child still runs")

    # A script whose child is a session of its own, as a launcher's ranks are, and that goes on for long.
    LAUNCHER = ("import os, time\nif os.fork() == 0:\n    os.setsid()\n    os.execvp('sleep', ['sleep', '300'])\n"
                "open('begun', 'w').write(os.environ['RIDGELINE_REHEARSAL'])\ntime.sleep(300)\n")

    def on_the_card_of(self, run):
        mark, found = f"RIDGELINE_CARD_RUN={run}".encode(), []
        for path in pathlib.Path("/proc").glob("[0-9]*/environ"):
            try:
                found += [path.parent.name] if mark in path.read_bytes().split(b"\0") else []
            except OSError:
                continue
        return found

    def test_a_rehearsal_that_is_killed_takes_all_of_the_script_along(self):
        (self.path / "launcher.py").write_text(self.LAUNCHER)
        for end in (signal.SIGTERM, signal.SIGKILL):
            (self.path / "begun").unlink(missing_ok=True)
            run = subprocess.Popen([RIDGELINE, "rehearse", "--on", "l4", "--", sys.executable, "launcher.py"], cwd=self.path)
            while not (self.path / "begun").exists() or not (self.path / "begun").read_text():
                time.sleep(0.02)
            self.assertGreaterEqual(len(self.on_the_card_of(run.pid)), 1)
            folder = pathlib.Path((self.path / "begun").read_text()).parents[2]
            run.send_signal(end)
            run.wait()
            for _ in range(200):
                if not self.on_the_card_of(run.pid) and not folder.exists():
                    break
                time.sleep(0.05)
            self.assertEqual((self.on_the_card_of(run.pid), folder.exists()), ([], False))

    MAKER = """import json, os, pathlib, sys, time
sys.path.insert(0, os.path.dirname(os.environ["RIDGELINE_REHEARSAL_ENTRY"]))
from ridgeline_rehearsal import made, session
made.watch(session.Settings(json.load(open(os.environ["RIDGELINE_REHEARSAL"]))))
os.mkdir("data")
pathlib.Path("data/rows.txt").write_text("made up")
pathlib.Path("kept.txt").write_text("of the user, before and after")
pathlib.Path("begun").write_text("x")
time.sleep(60)
"""

    def test_a_rehearsal_that_is_killed_leaves_nothing_that_the_script_made(self):
        (self.path / "maker.py").write_text(self.MAKER)
        (self.path / "kept.txt").write_text("of the user")
        for end in (signal.SIGINT, signal.SIGKILL):
            run = subprocess.Popen([RIDGELINE, "rehearse", "--on", "l4", "--", sys.executable, "maker.py"], cwd=self.path)
            while not (self.path / "begun").exists():
                time.sleep(0.02)
            run.send_signal(end)
            run.wait()
            for _ in range(200):
                if not (self.path / "begun").exists():
                    break
                time.sleep(0.05)
            left = {path.name for path in self.path.iterdir()}
            self.assertEqual(left, {"kept.txt", "maker.py", "train.py", "batch.py"}, end)

    def test_the_limit_of_time_ends_all_of_the_script(self):
        (self.path / "launcher.py").write_text(self.LAUNCHER)
        run = subprocess.Popen([RIDGELINE, "rehearse", "--on", "l4", "--limit", "1", "--", sys.executable, "launcher.py"],
                               cwd=self.path, stderr=subprocess.PIPE, text=True)
        self.assertIn("no step within the limit of time", run.communicate(timeout=60)[1])
        self.assertEqual((run.returncode, self.on_the_card_of(run.pid)), (4, []))

    def test_what_it_saves_is_told(self):
        (self.path / "saves.py").write_text(RECORD.replace("sys.exit", (
            "(folder / 'problems.jsonl').write_text(json.dumps({'kind': 'saved', 'text': '/home/me/model.pt'}) + '\\n')\nsys.exit")))
        run = self.script("saves.py", 10, 0.5)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("contents of 1 saved file", run.stdout)
        self.assertIn("--scratch", run.stdout)

    def test_wrong_words(self):
        for words, code, found in ((["--on", "mi300x", "--", "x"], 4, "no CUDA compute capability"),
                                   (["--on", "rtx-4091", "--", "x"], 2, "rtx-4090"),
                                   (["--on", "h100-sxm5-80gb:8x4", "--", "x"], 2, "4 nodes"),
                                   (["--on", "l4", "--max", "batch", "--", "x"], 2, "NAME=FLAG"),
                                   (["--on", "l4", "--routing", "odd", "--", "x"], 2, "skewed:FACTOR"),
                                   (["--on", "l4", "--steps", "0", "--", "x"], 2, "--steps"),
                                   (["--on", "l4"], 2, "COMMAND")):
            run = self.run_command(*words)
            self.assertEqual(run.returncode, code, run.stderr)
            self.assertIn(found, run.stderr)

    def test_the_users_sitecustomize_runs(self):
        (self.path / "sitecustomize.py").write_text("import builtins; builtins.mine = 5")
        run = self.run_command("--on", "l4", "--", sys.executable, "-c", "import sys; sys.exit(mine)", PYTHONPATH=str(self.path))
        self.assertEqual(run.returncode, 5)


def load_tests(loader, tests, pattern):
    """RIDGELINE_CHECK_EVERY=N runs every Nth test, as tests/cli/asked.py does."""
    every = int(os.environ.get("RIDGELINE_CHECK_EVERY", "1"))
    return unittest.TestSuite([test for group in tests for test in group][::every])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
