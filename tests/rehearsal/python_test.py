#!/usr/bin/env python3
"""The parts of the rehearsal's Python side that need no PyTorch: python_test.py SOURCE CARD."""

import contextlib
import ctypes
import importlib.util
import json
import os
import pathlib
import pickle
import platform
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import types
import unittest
import unittest.mock
import xml.etree.ElementTree as xml_reader

SOURCE, CARD = pathlib.Path(sys.argv[1]).resolve(), str(pathlib.Path(sys.argv[2]).resolve())
sys.path.insert(0, str(SOURCE / "rehearsal" / "python"))

from ridgeline_rehearsal import columns as naming  # noqa: E402
from ridgeline_rehearsal import (ahead, asked, built, card, cut, data_sets, elf, evaluations, failures, graphs, guesses, history, holes, hub, hub_service, hub_ids, intervals, iterations, keras_sets, kept_out, kernels, leaving, loops, made, nvidia_smi, own_words, pictures,  # noqa: E402
                                 pipelines, places, process, replays, rows, saves, session, sizes, steps, stretches, targets, tensors, texts, tuning, weights, words, products, recipes, sentence_pieces, yolo)

MACHINE = {"x86_64": 62, "aarch64": 183}[platform.machine()]


class SharedObjects(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = pathlib.Path(self.folder.name)

    def tearDown(self):
        self.folder.cleanup()

    def test_a_written_library_is_read_back(self):
        elf.write_library(self.path / "liba.so.1", "liba.so.1", MACHINE, needed=["libc.so.6"], functions=["one", "two"])
        read = elf.Library(self.path / "liba.so.1")
        self.assertEqual((read.machine, read.needed, read.undefined), (MACHINE, ["libc.so.6"], {"card_unknown"}))
        self.assertEqual(card.defined(self.path / "liba.so.1"), {"one", "two"})

    def test_the_loader_opens_a_library_without_functions(self):
        elf.write_library(self.path / "libb.so", "libb.so", MACHINE)
        ctypes.CDLL(str(self.path / "libb.so"))

    def test_packages_beside_torch_get_the_libraries_that_their_kernels_are_linked_to(self):
        torch, other = self.path / "torch/lib", self.path / "quantizer"
        torch.mkdir(parents=True)
        other.mkdir()
        elf.write_library(torch / "libtorch_cuda.so", "libtorch_cuda.so", MACHINE, needed=["libcudart.so.13"])
        needs = {"cuda13": ["libcudart.so.13", "libnvJitLink.so.13"], "cuda12": ["libcudart.so.12", "libnvPTXCompiler.so.12"]}
        for name, libraries in needs.items():
            elf.write_library(other / f"lib{name}.so", f"lib{name}.so", MACHINE, needed=libraries, functions=["f"],
                              handler=f"cusparse{name}")
        (other / "notes.so").write_text("no shared object")
        for package, requires in (("quantizer", "Requires-Dist: torch (>=2.2)\n"), ("stranger", "")):
            about = self.path / f"{package}-1.0.dist-info"
            about.mkdir()
            (about / "METADATA").write_text(f"Name: {package}\n{requires}")
            (about / "RECORD").write_text("".join(f"quantizer/{p.name},sha256=x,1\n" for p in sorted(other.iterdir())))
        card.build(self.path / "torch", pathlib.Path(CARD).parent, 13, self.path / "made")
        made = {path.name for path in (self.path / "made").iterdir()}
        # The compiler is there in any case: torch opens it by its name, where that of a wheel beside it would come.
        self.assertLess({"libcudart.so.13", "libnvJitLink.so.13", "libnvrtc.so.13"}, made)
        self.assertNotIn("libnvPTXCompiler.so.12", made)
        self.assertEqual(card.defined(self.path / "made/unknown.so"), {"cusparsecuda13"})

    @unittest.skipUnless(shutil.which("cc"), "no linker")
    def test_a_library_is_there_where_its_user_looks_for_it_alone(self):
        # Wheels of another CUDA may lie beside those of this torch: what nothing looks for is not there.
        own, other, torch = (self.path / name for name in ("wheel/own/lib", "wheel/cu13/lib", "torch"))
        for folder in (own, other, torch):
            folder.mkdir(parents=True)
        for name in ("libcufile.so.0", "libcudart.so.12"):
            elf.write_library(other / name, name, MACHINE, functions=["given"])
        (self.path / "a.c").write_text("int strange(int); int given(void); int own(void) { return strange(given()); }")
        for style in ("gnu", "sysv"):
            subprocess.run(["cc", "-shared", "-fPIC", "-nostdlib", f"-Wl,--hash-style={style},-rpath,$ORIGIN/../wheel/own/lib", "a.c",
                            f"-L{other}", "-l:libcufile.so.0", "-o", torch / f"lib{style}.so"], cwd=self.path, check=True)
            read = elf.Library(torch / f"lib{style}.so")
            self.assertEqual(({"strange", "given"}, ["libcufile.so.0"], set()), (read.undefined, read.needed, read.found()))
        (own / "libcufile.so.0").write_text("")
        self.assertEqual(elf.Library(torch / "libgnu.so").found(), {"libcufile.so.0"})

    def test_an_unknown_function_ends_with_its_name(self):
        names = [f"cudnnUnknown{i}" for i in range(40)]
        elf.write_library(self.path / "u.so", "u.so", MACHINE, functions=names)
        code = (f"import ctypes; ctypes.CDLL({CARD!r}, ctypes.RTLD_GLOBAL); "
                f"ctypes.CDLL({str(self.path / 'u.so')!r}).cudnnUnknown17(1, 2)")
        ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
        self.assertEqual(ended.returncode, 86)
        self.assertIn("the stand-in card does not know cudnnUnknown17", ended.stderr)

    def test_the_card_leaves_nothing_of_cuda_undefined(self):
        self.assertFalse([name for name in elf.Library(CARD).undefined if card.CARD_NAMES.match(name)])


class Torches(unittest.TestCase):
    def made(self, cuda, hip="None"):
        folder = pathlib.Path(self.folder.name) / "torch"
        folder.mkdir(exist_ok=True)
        (folder / "version.py").write_text(
            "from typing import Optional\n__version__ = '2.9.0'\n"
            f"cuda: Optional[str] = {cuda}\nhip: Optional[str] = {hip}\n")
        return folder

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()

    def tearDown(self):
        self.folder.cleanup()

    def test_versions(self):
        self.assertEqual(card.built_for(self.made("'12.8'")), ("2.9.0", "12.8"))
        self.assertEqual(card.built_for(self.made("None")), ("2.9.0", ""))

    def test_a_wheel_that_requires_no_cudnn_gets_the_one_that_it_was_compiled_against(self):
        torch = types.SimpleNamespace(_C=types.SimpleNamespace(_cudnn=types.SimpleNamespace(getCompileVersion=lambda: (9, 26, 0))))
        for stated, known in (("", "92600"), ("91002", "91002")):
            with unittest.mock.patch.dict("os.environ", {card.CUDNN: stated}):
                card.know_cudnn(torch)
                self.assertEqual(card.os.environ[card.CUDNN], known)

    def test_what_cannot_be_rehearsed_is_refused_in_words(self):
        for cuda, hip, words in (("None", "None", "built for the CPU alone"), ("None", "'6.4'", "built for ROCm"),
                                 ("'11.8'", "None", "CUDA 11.8")):
            with self.assertRaises(card.Refused) as refused:
                card.environment(self.made(cuda, hip), pathlib.Path("/"), pathlib.Path(self.folder.name))
            self.assertIn(words, str(refused.exception))

    def test_bytecode_is_kept_where_there_is_none(self):
        for set_by_user, compiled, kept in (("1", False, True), ("1", True, False), ("", False, False)):
            folder = self.made("'13.0'")
            (folder / "__pycache__").mkdir(exist_ok=True)
            for path in (folder / "__pycache__").iterdir():
                path.unlink()
            if compiled:
                (folder / "__pycache__" / "version.cpython-311.pyc").write_text("")
            with unittest.mock.patch.dict("os.environ", {"PYTHONDONTWRITEBYTECODE": set_by_user}):
                card.os.environ.pop("PYTHONPYCACHEPREFIX", None)
                card.keep_bytecode(folder, pathlib.Path("/b"))
                self.assertEqual(card.os.environ.get("PYTHONPYCACHEPREFIX"), "/b" if kept else None)
                self.assertEqual("PYTHONDONTWRITEBYTECODE" in card.os.environ, not kept)

    def test_code_of_a_wheel(self):
        held = "sm_75 sm_80 sm_86 sm_90 sm_100 sm_120 compute_120"
        for capability, code in ((89, 86), (90, 90), (103, 100), (80, 80), (70, 75)):
            self.assertEqual(card.code_for(held, capability), code)


def event(action, address, size, frames=()):
    return {"action": action, "addr": address, "size": size, "frames": list(frames)}


def frame(name, filename, line=1):
    return {"name": name, "filename": filename, "line": line}


USER = frame("<module>", "/home/me/train.py", 12)
FORWARD = [frame("forward", "/x/site-packages/torch/nn/modules/linear.py", 134),
           frame("_call_impl", "/x/site-packages/torch/nn/modules/module.py", 9), USER]


class Tuning(unittest.TestCase):
    def test_of_kernels_that_would_be_timed_the_first_that_runs_is_taken(self):
        class Autotuner:
            def prune_configs(self, known):
                return [1, 2, 3, 4]

            def _bench(self, *, config):
                run.append(config)
                return tuning.NEVER if config == 1 else [0.5] * 3

        tuning.attach_triton(types.SimpleNamespace(Autotuner=Autotuner))
        tuner = Autotuner()
        for _ in range(2):
            run = []
            times = {config: tuner._bench(config=config) for config in tuner.prune_configs({})}
            self.assertEqual((min(times, key=times.get), run), (2, [1, 2]))

    def test_inductor_compiles_no_more_than_it_times(self):
        class NoTritonConfigsError(Exception):
            pass

        class CachingAutotuner:
            def __init__(self, configs):
                self.configs = configs

            def _precompile_worker(self):
                self.compiled = [one for one in self.configs if one > 0]
                if not self.compiled:
                    raise NoTritonConfigsError

        tuning.attach_inductor(types.SimpleNamespace(CachingAutotuner=CachingAutotuner, NoTritonConfigsError=NoTritonConfigsError))
        for configs, compiled in (([5], [5]), ([1, 2, 3], [1, 2]), ([0, 0, 3, 4], [3, 4])):
            tuner = CachingAutotuner(configs)
            tuner._precompile_worker()
            self.assertEqual(tuner.compiled, compiled)
        self.assertEqual(tuner.coordinate_descent_tuning("first", 1, stream=0), "first")


class Histories(unittest.TestCase):
    def test_a_scripts_own_snapshot_is_empty_and_told(self):
        memory = types.SimpleNamespace(_record_memory_history=lambda **named: None, _dump_snapshot=None)
        torch = types.SimpleNamespace(cuda=types.SimpleNamespace(memory=memory), _C=types.SimpleNamespace())
        with tempfile.TemporaryDirectory() as folder, unittest.mock.patch.object(card, "left_out", set()):
            history.start(torch)
            memory._dump_snapshot(f"{folder}/own.pickle")
            self.assertEqual(pickle.loads(pathlib.Path(folder, "own.pickle").read_bytes()), {"segments": [], "device_traces": []})
            self.assertRegex("".join(card.left_out), "memory snapshots that the script writes")

    def test_a_script_that_records_its_memory_does_not_end_the_history(self):
        calls = []
        low = types.SimpleNamespace(_cuda_record_memory_history=lambda enabled, **named: calls.append(enabled))
        memory = types.SimpleNamespace(_record_memory_history=lambda enabled="all", **named: low._cuda_record_memory_history(enabled))
        history.start(types.SimpleNamespace(cuda=types.SimpleNamespace(memory=memory), _C=low))
        memory._record_memory_history(enabled=None)
        memory._record_memory_history(max_entries=100)
        self.assertEqual(calls, ["all"])

    def test_peaks_of_phases(self):
        events = [
            event("segment_alloc", 1, 100), event("alloc", 1, 40, [USER]),       # loading: a weight
            event("alloc", 41, 50, FORWARD), event("free_completed", 41, 50),    # step 1
            event("segment_alloc", 200, 300), event("alloc", 200, 200, [USER]),  # then: moments
            event("alloc", 400, 60, FORWARD), event("free_completed", 400, 60),
            event("alloc", 400, 10, FORWARD),                                    # evaluation
        ]
        starts = history.phase_of([("optimizer", 2, 0), ("stepped", 2, 1), ("evaluation", 4, 1)])
        found = history.timeline(events, starts)
        peaks = {(p["phase"], p["step"]): (p["allocated"], p["reserved"]) for p in found["phases"]}
        self.assertEqual(peaks, {("loading", 0): (40, 100), ("step", 1): (90, 400), ("after", 1): (240, 400),
                                 ("step", 2): (300, 400), ("evaluation", 1): (250, 400)})
        self.assertEqual((found["allocated"], found["reserved"], found["peak_phase"]), (300, 400, ("step", 2)))
        alive = history.alive_at(events, found["peak_at"])
        self.assertEqual(sorted(e["size"] for e in alive), [40, 60, 200])

    def phases(self, events, marks):
        found = history.timeline(events, history.phase_of(marks))
        return [(p["phase"], p["step"]) for p in found["phases"]], found["peak_phase"]

    def test_what_follows_the_last_step_is_a_step_from_its_forward_pass_on(self):
        marks = [("optimizer", 2, 0), ("stepped", 2, 1), ("optimizer", 3, 1), ("stepped", 3, 2)]
        events = [event("alloc", 1, 40, [USER]), event("alloc", 50, 5, FORWARD), event("alloc", 60, 5, FORWARD),
                  event("alloc", 100, 70, [USER])]  # a copy that is saved
        begun = [("loading", 0), ("step", 1), ("step", 2), ("after", 2)]
        self.assertEqual(self.phases(events, marks), (begun, ("after", 2)))
        events.append(event("alloc", 200, 9, FORWARD))
        self.assertEqual(self.phases(events, marks), ([*begun, ("step", 3)], ("step", 3)))

    def test_optimizers_that_step_in_turn_make_one_step(self):
        marks = [("optimizer", 2, 0), ("stepped", 2, 0), ("optimizer", 3, 0), ("stepped", 3, 1),
                 ("optimizer", 4, 1), ("stepped", 4, 1), ("optimizer", 5, 1), ("stepped", 5, 2)]
        events = [event("alloc", 1, 40, [USER]), *(event("alloc", 100 * i, 5, FORWARD) for i in range(1, 5))]
        self.assertEqual(self.phases(events, marks), ([("loading", 0), ("step", 1), ("step", 2)], ("step", 2)))

    def test_groups_are_by_kind_and_line(self):
        alive = [event("alloc", 100, 40, [USER]), event("alloc", 200, 60, FORWARD), event("alloc", 300, 5),
                 event("alloc", 400, 7, FORWARD)]
        # The address 200 belonged to another block when it was noted.
        noted = history.kinds([alive[0], event("alloc", 200, 60)], {100: "parameters", 200: "gradients"})
        rows = history.groups(alive, noted)
        self.assertEqual([(r["kind"], r["bytes"], r["blocks"]) for r in rows],
                         [("activations", 67, 2), ("parameters", 40, 1), ("gradients and backward pass", 5, 1)])
        self.assertTrue(rows[0]["line"].endswith("train.py:12"))
        self.assertEqual(rows[0]["module"], "torch/nn/modules/linear.py:134")


    def test_gradients_of_each_step_are_known_once_they_are_freed(self):
        first, second = event("alloc", 100, 40), event("alloc", 300, 60)
        events = [event("alloc", 1, 9, [USER]), first, event("free_completed", 100, 40), second]
        found = history.noted_kinds(events, 0, [([2], {1: "parameters", 100: "gradients"}), ([3], {1: "parameters", 300: "gradients"})])
        self.assertEqual([found[id(one)] for one in (events[0], first, second)], ["parameters", "gradients", "gradients"])
        self.assertEqual(history.noted_kinds(events, 1, [([2], {100: "gradients"})]), {})  # a device that came later


    def test_rows_of_a_table_that_several_cards_hold(self):
        class Tensor:
            is_cuda, layout = True, "strided"

            def untyped_storage(self):
                return types.SimpleNamespace(data_ptr=lambda: 700)

        class Table(Tensor):
            def local_shards(self):
                return [types.SimpleNamespace(tensor=Tensor())]

            @property
            def is_cuda(self):
                raise RuntimeError("no answer")

        found = {}
        history.note(types.SimpleNamespace(Tensor=Tensor, strided="strided"), found, Table(), "parameters")
        self.assertEqual(found, {700: "parameters"})


class Optimizer:
    pass


class Remembered(unittest.TestCase):
    def test_every_configuration_has_a_source_or_is_assumed(self):

        for name, known in json.loads(hub_ids.OWN.read_text()).items():
            self.assertNotEqual("source" in known, known.get("assumed", False), name)


class Kinds(unittest.TestCase):
    """Which model an id means of those whose name it holds."""
    MAPPING = {"qwen2": None, "qwen2_5_vl": None, "sam": None, "vit": None, "bert": None, "gemma3_text": None, "gemma3": None}
    MODELS = SOURCE / "profiles" / "models"

    def with_transformers(self):
        config = lambda: types.SimpleNamespace(to_dict=lambda: {"hidden_size": 8})  # noqa: E731
        mapping = {kind: config for kind in self.MAPPING}
        return unittest.mock.patch.multiple(hub_ids, documented=lambda name: None, small_one=lambda name: None), \
            unittest.mock.patch.dict(sys.modules, {"transformers": types.SimpleNamespace(CONFIG_MAPPING=mapping, __file__="")})

    def asked(self, name):
        first, second = self.with_transformers()
        with first, second:
            return hub_ids.like(self.MODELS, name)

    def test_the_longest_kind_that_an_id_begins_with(self):
        _, transformers = self.with_transformers()
        with transformers:
            for name, kind in (("Qwen/Qwen2.5-VL-32B-Instruct", "qwen2_5_vl"), ("Qwen/Qwen2.5-3B", "qwen2"),
                               ("facebook/sam-vit-base", "sam"), ("google/gemma-3-4b-it", "gemma3"), ("me/samples", None)):
                self.assertEqual(hub_ids.kind_of(name), kind, name)

    def test_a_name_that_is_held_within_that_of_another_kind(self):
        self.assertEqual(self.asked("dslim/bert-base-NER")[0]["model_type"], "bert")
        known, told = self.asked("facebook/sam-vit-base")  # no vit-base
        self.assertEqual(known["model_type"], "sam")
        self.assertIn("the defaults of its class", told)
        self.assertEqual(self.asked("Qwen/Qwen2.5-VL-32B-Instruct"), (None, ""))  # no qwen2.5-32b, and no other size

    def test_the_class_that_an_id_begins_with_is_rather_its_own(self):
        with tempfile.TemporaryDirectory() as folder:
            for kind in ("idefics2", "siglip"):
                (pathlib.Path(folder) / "models" / kind).mkdir(parents=True)
                (pathlib.Path(folder) / "models" / kind / f"configuration_{kind}.py").write_text(
                    f'"""[google/siglip-base-patch16-224]"""\nclass Config:\n    model_type = "{kind}"\n')
            config = lambda: types.SimpleNamespace(to_dict=dict)  # noqa: E731
            found = types.SimpleNamespace(CONFIG_MAPPING={"idefics2": config, "siglip": config}, __file__=f"{folder}/__init__.py")
            with unittest.mock.patch.dict(sys.modules, {"transformers": found}):
                self.assertEqual(hub_ids.documented("google/siglip-base-patch16-224")["model_type"], "siglip")

    def test_sides_of_pictures_are_in_the_name(self):
        known = {"vision_config": {"patch_size": 14, "image_size": 224}}
        for name, sides in (("google/siglip2-base-patch16-512", (16, 512)), ("me/vit-base-patch32", (32, 224)), ("me/patchwork16", (14, 224))):
            made = hub_ids.sized_by_name(name, json.loads(json.dumps(known)))["vision_config"]
            self.assertEqual((made["patch_size"], made["image_size"]), sides)

    def test_a_model_like_another(self):
        known = hub_ids.profile(self.MODELS, "naver/splade-v3")
        self.assertEqual((known["model_type"], known["num_hidden_layers"], known.get("assumed")), ("bert", 12, True))
        self.assertEqual(hub_ids.profile(self.MODELS, "hfl/chinese-roberta-wwm-ext")["vocab_size"], 21128)

    def test_every_model_that_another_is_like_is_known(self):
        for name, known in json.loads(hub_ids.OWN.read_text()).items():
            self.assertIn("model_type", hub_ids.profile(self.MODELS, name) or known, name)


class Ends(unittest.TestCase):
    def counter(self, wanted=2):
        self.ended = []
        return steps.Counter(wanted, lambda name: None, lambda: self.ended.append(True))

    def run_steps(self, counter, *optimizers):
        for optimizer in optimizers:
            counter.before_step(optimizer)
            counter.after_step(optimizer)

    def test_after_the_steps(self):
        counter, one = self.counter(), Optimizer()
        counter.made(one)
        self.run_steps(counter, one, one)
        self.assertFalse(self.ended)
        counter.before_step(one)
        self.assertTrue(self.ended)
        self.assertEqual(counter.left_out, {"steps after the first 2"})

    def test_a_step_in_parts_is_one(self):
        counter, one, parts = self.counter(), Optimizer(), [Tensor(), Tensor(), Tensor()]
        one.param_groups = [{"params": []}]
        counter.made(one)
        for _ in range(2):
            counter.after_backward()
            for part in parts:
                one.param_groups[0]["params"] = [part]
                self.run_steps(counter, one)
                one.param_groups[0]["params"] = []
        self.assertEqual((counter.whole(), self.ended), (2, []))
        counter.after_backward()
        one.param_groups[0]["params"] = parts[:1]
        counter.before_step(one)
        self.assertTrue(self.ended)

    def test_a_step_without_a_backward_pass_is_one(self):
        counter, one, same = self.counter(), Optimizer(), [Tensor()]
        one.param_groups = [{"params": same}]
        self.run_steps(counter, one, one)
        self.assertEqual(counter.whole(), 2)

    def test_two_optimizers_are_both_waited_for(self):
        counter, critic, generator = self.counter(), Optimizer(), Optimizer()
        counter.made(critic), counter.made(generator)
        self.run_steps(counter, critic, critic, critic, generator, critic, critic, critic, generator)
        self.assertFalse(self.ended)
        counter.before_step(critic)
        self.assertTrue(self.ended)

    def test_a_loader_ends_after_the_steps_and_evaluation_after_two_batches(self):
        counter, one = self.counter(), Optimizer()
        counter.made(one)
        training, evaluation = types.SimpleNamespace(), types.SimpleNamespace()
        for _ in range(2):
            self.assertTrue(counter.may_take(training, True))
            self.run_steps(counter, one)
        self.assertFalse(counter.may_take(training, True))
        self.assertEqual([counter.may_take(evaluation, False) for _ in range(3)], [True, True, False])
        self.assertFalse(self.ended)
        counter.before_step(one)  # of the next epoch
        self.assertTrue(self.ended)

    def test_what_an_evaluation_keeps_of_each_batch_is_told(self):
        class Iterator:
            def __len__(self):
                return 63

        alive = {"keeps": (0, 100, 120, 140), "keeps, a batch ahead": (0, 0, 20, 60), "a batch ahead": (0, 0, 100, 100), "keeps losses": (0, 100, 100, 100)}
        for name, counts in alive.items():
            counter, iterator = self.counter(), Iterator()
            at = iter(counts)
            counter.alive = lambda at=at: next(at) << 20
            taken = 0
            while counter.may_take(iterator, False):
                taken += 1
            told = [one for one in counter.left_out if "keeps" in one]
            self.assertEqual(taken, 2 if name == "keeps losses" else 3, name)
            self.assertEqual(told, ["what the loop of evaluation keeps on the card of 60 more batches, 20 MiB of each and 1.17 GiB in all"]
                             if name.startswith("keeps,") or name == "keeps" else [], name)

    def test_an_optimizer_that_iterates_makes_all_iterations_of_what_is_assumed(self):
        def made(elements, most):
            one = types.SimpleNamespace(numel=lambda: elements, element_size=lambda: 4)
            group = {"params": [one], "tolerance_grad": 1e-7, "tolerance_change": 1e-9, "max_iter": most, "history_size": 100}
            return types.SimpleNamespace(param_groups=[group], state={})

        known, assumed, many = made(1000, 20), made(1 << 20, 20), made(1000, 50000)
        self.assertEqual((iterations.begin(known), known.param_groups[0]["tolerance_grad"]), (set(), 1e-7))
        self.assertEqual((iterations.begin(assumed), assumed.param_groups[0]["tolerance_grad"]), (set(), -1))
        self.assertEqual(iterations.begin(many), {"iterations of L-BFGS after the first 101 of each step, of 50000"})
        self.assertEqual(many.param_groups[0]["max_iter"], 101)
        assumed.state["one"] = {"old_dirs": [0] * 36}
        self.assertEqual(iterations.kept_later(assumed), {"what L-BFGS keeps of later iterations: up to 0.50 GiB"})
        assumed.state["one"] = {"old_dirs": [0] * 100}
        self.assertEqual(iterations.kept_later(assumed), set())
        self.assertEqual(iterations.begin(types.SimpleNamespace()), set())

    def test_products_of_unknown_vectors_are_no_nought(self):
        dot = types.SimpleNamespace(name="dot")
        told = [guesses.of_unknown_vectors(dot, states) for states in ([guesses.Guess(0), 0], [0, "written"])]
        self.assertEqual(told, [True, False])

    def test_a_batch_that_must_come_comes_until_the_next_step(self):
        counter, one = self.counter(), Optimizer()
        counter.made(one)
        training, evaluation = types.SimpleNamespace(), types.SimpleNamespace()
        self.assertEqual([counter.may_take(evaluation, False, lambda: True) for _ in range(4)], [True] * 4)
        for _ in range(2):
            self.assertTrue(counter.may_take(training, True, lambda: True))
            self.run_steps(counter, one)
        self.assertTrue(counter.may_take(training, True, lambda: True))
        self.assertEqual((counter.cut, counter.left_out), (False, set()))
        counter.before_step(one)
        self.assertTrue(self.ended)

    def test_which_batches_must_come(self):
        must = []

        class Loader:
            def __iter__(self):
                return self

            def __next__(self):
                must.append(loops.would_end_the_script(sys._getframe(1)))
                if len(must) % 3 == 0:
                    raise StopIteration
                return len(must)

        def through():
            for one in Loader():
                yield one

        def awaits_the_end(batches):
            try:
                return next(batches)
            except StopIteration:
                return None

        def falls_back(batches):
            return next(batches, None)

        def asks(batches):
            return next(batches)

        for take, expected in ((asks, True), (falls_back, False), (awaits_the_end, False), (list, False)):
            for batches in (Loader(), through()):
                must.clear()
                take(batches)
                self.assertEqual(must[0], expected, take)
        must.clear()
        self.assertEqual([one for one in Loader()], [1, 2])
        self.assertEqual(must, [False] * 3)
        of_a_package = {}
        exec(compile("def again(batches):\n    for _ in range(2):\n        yield next(batches)\n\n"
                     "def one(batches):\n    return next(batches)\n", "<a package>", "exec"), of_a_package)
        must.clear()
        self.assertEqual(list(of_a_package["again"](Loader())), [1, 2])  # else: generator raised StopIteration
        self.assertEqual(must, [True, True])
        must.clear()
        self.assertEqual((of_a_package["one"](through()), must), (1, [False]))

    def test_a_script_without_an_optimizer_of_torch_ends_after_as_many_backward_passes(self):
        self.assertTrue(steps.OPTIMIZERS.search("from torch import optim\n"))
        self.assertFalse(steps.OPTIMIZERS.search("model.compile(optimizer='adam')\n"))
        counter = self.counter()
        counter.names_optimizer = True  # which may come later
        for _ in range(3):
            counter.before_backward()
            counter.after_backward()
        self.assertEqual(self.ended, [])
        counter = self.counter()
        counter.names_optimizer = False
        for _ in range(2):
            counter.before_backward()
            counter.after_backward()
        self.assertEqual((self.ended, counter.whole()), ([], 2))
        counter.before_backward()
        self.assertTrue(self.ended)
        self.assertEqual(counter.left_out, {"steps after the first 2", steps.BY_HAND})

    def test_an_evaluation_between_steps_is_labelled_unless_each_step_has_one(self):
        for earlier, expected in ((False, [stretches.BEGINS, stretches.ENDS]), (True, [stretches.BEGINS])):
            counter, labels, blocks = self.counter(), [], [0, 0]
            one = stretches.Stretches(counter, labels.append, lambda blocks=blocks: tuple(blocks))

            def evaluate(handed_out, given_back, one=one, blocks=blocks):
                one.hear("evaluation")
                blocks[0], blocks[1] = blocks[0] + handed_out, blocks[1] + given_back
                one.hear("training")

            optimizer = Optimizer()
            counter.made(optimizer)
            evaluate(10, 0)  # a model that is loaded in evaluation
            if earlier:
                evaluate(10, 9)
            self.run_steps(counter, optimizer)
            labels.clear()
            evaluate(10, 9)
            self.assertEqual(labels, expected)
            one.hear("evaluation")
            counter.after_backward()  # frozen layers
            one.hear("training")
            self.assertEqual(labels, [*expected, stretches.BEGINS])

    def test_the_compiler_follows_no_counter(self):
        followed = ["callback"]
        frames = types.ModuleType("torch._C._dynamo.eval_frame")
        frames.set_eval_frame = lambda new: followed.append(new) or followed[-2]
        known = {name: types.ModuleType(name) for name in ("torch", "torch._C", "torch._C._dynamo")}
        known["torch._C._dynamo"].eval_frame = frames
        with unittest.mock.patch.dict(sys.modules, {**known, "torch._C._dynamo.eval_frame": frames}):
            unseen = steps.unseen_by_the_compiler(lambda: list(followed))
            self.assertEqual(unseen(), ["callback", None])
        self.assertEqual(followed[-1], "callback")

    def test_what_is_computed_for_a_picture_after_a_step_is_labelled(self):
        loader = types.SimpleNamespace()
        for between, expected in (((), [stretches.BEGINS, stretches.ENDS]), (("batch",), [stretches.BEGINS]),
                                  (("backward",), [stretches.BEGINS]), (("evaluation",), [stretches.BEGINS] * 2)):
            counter, labels = self.counter(), []
            one = stretches.Stretches(counter, labels.append, lambda: (0, 0))
            one.hear("picture")  # before any step
            counter.made(optimizer := Optimizer())
            self.run_steps(counter, optimizer)
            one.hear("stepped")
            for what in between:
                if what == "batch":
                    counter.may_take(loader, True)
                elif what == "backward":
                    counter.after_backward()
                else:
                    one.hear(what)
            one.hear("picture")
            self.assertEqual(labels, expected, between)

    def test_workers_that_stay_begin_each_epoch_anew(self):
        counter, one = self.counter(), Optimizer()
        counter.made(one)
        training, evaluation = types.SimpleNamespace(), types.SimpleNamespace()
        for loader, with_gradients, batches in ((training, True, 2), (evaluation, False, 2)):
            counter.begins(loader)
            for _ in range(batches):
                self.assertTrue(counter.may_take(loader, with_gradients))
                if with_gradients:
                    self.run_steps(counter, one)
            self.assertFalse(counter.may_take(loader, with_gradients))
        counter.begins(training), counter.begins(evaluation)  # the same iterators, an epoch later
        self.assertTrue(counter.may_take(training, True))  # whose step is the one that ends it
        self.assertTrue(counter.may_take(evaluation, False))

    def test_workers_begin_with_no_more_batches_than_this_machine_makes_at_once(self):
        class Workers:
            def __init__(self, loader):
                self.workers = loader.num_workers
                self._reset(loader)

            def _reset(self, loader):
                self.sent = self._tasks_outstanding = 0
                for _ in range(2 * loader.num_workers):
                    self._try_put_index()

            def _try_put_index(self):
                self.sent += 1
                self._tasks_outstanding += 1

        kinds = types.SimpleNamespace(Map=0, Iterable=1)
        steps.keep_few_ahead(types.SimpleNamespace(_MultiProcessingDataLoaderIter=Workers, _DatasetKind=kinds))
        most = max(2, len(steps.os.sched_getaffinity(0)))
        for kind, taken in ((kinds.Map, most), (kinds.Iterable, most + 4)):
            loader = types.SimpleNamespace(num_workers=most + 4, _dataset_kind=kind)
            workers = Workers(loader)
            self.assertEqual((workers.workers, workers.sent, loader.num_workers), (taken, most, most + 4))
            workers._try_put_index()  # for a batch that came back
            self.assertEqual(workers.sent, most + 1)
        passing = types.SimpleNamespace(passes_by=lambda: True)
        with unittest.mock.patch.object(steps, "counting", passing):  # an epoch that gives no batches
            workers = Workers(types.SimpleNamespace(num_workers=4, _dataset_kind=kinds.Map))
        self.assertEqual((workers.workers, workers.sent), (1, 1))

    def test_a_batch_taken_ahead_is_a_step_more_so_that_evaluation_is_reached(self):
        counter, one = self.counter(), Optimizer()
        counter.made(one)
        training, evaluation, next_training = (types.SimpleNamespace() for _ in range(3))

        def trained():
            counter.after_backward()
            self.run_steps(counter, one)

        self.assertTrue(counter.may_take(training, True))
        for _ in range(2):
            self.assertTrue(counter.may_take(training, True))
            trained()
        self.assertFalse(counter.may_take(training, True))
        trained()  # with the batch that it holds
        self.assertEqual([counter.may_take(evaluation, False) for _ in range(3)], [True, True, False])
        self.assertFalse(self.ended)
        self.assertIn("steps after the first 3", counter.left_out)
        self.assertNotIn("steps after the first 2", counter.left_out)
        self.assertTrue(counter.may_take(next_training, True))
        counter.before_step(one)
        self.assertTrue(self.ended)

    def test_lightning_evaluates_once_after_the_last_step(self):
        class Loop:
            validates = True

            def _should_check_val_epoch(self):
                return self.validates

            def _should_check_val_fx(self, fetcher):
                return fetcher == "last"

            def advance(self, fetcher):
                return fetcher

        module = types.SimpleNamespace(_TrainingEpochLoop=Loop)
        intervals.attach_lightning(module)
        counter, one, loop = self.counter(), Optimizer(), Loop()
        counter.made(one)
        steps.counting = counter
        self.addCleanup(setattr, steps, "counting", None)
        self.run_steps(counter, one)
        self.assertEqual([loop._should_check_val_fx(it) for it in ("one", "last")], [False, True])
        self.run_steps(counter, one)
        Loop.validates = False
        self.assertFalse(loop._should_check_val_fx("one"))
        Loop.validates = True
        self.assertEqual([loop._should_check_val_fx("one") for _ in range(2)], [True, False])
        heard = []
        counter.on_mark = heard.append
        self.assertEqual((loop.advance("one"), heard), ("one", ["training"]))

    def test_a_trainer_that_evaluates_after_many_steps_does_so_once_after_the_last(self):
        class Flow:
            def on_step_end(self, args, state, control, **named):
                return control

        intervals.attach_trainer(types.SimpleNamespace(DefaultFlowCallback=Flow))
        counter, one = self.counter(), Optimizer()
        counter.made(one)
        steps.counting = counter
        self.addCleanup(setattr, steps, "counting", None)

        def due(**named):
            control = types.SimpleNamespace(should_evaluate=False, should_save=False)
            Flow().on_step_end(types.SimpleNamespace(**named), None, control)
            return control.should_evaluate, control.should_save

        self.run_steps(counter, one)
        self.assertEqual(due(eval_strategy="steps", save_strategy="steps"), (False, False))
        self.run_steps(counter, one)
        self.assertEqual(due(eval_strategy="epoch", save_strategy="no"), (False, False))
        self.assertEqual(due(eval_strategy="steps", save_strategy="epoch"), (True, False))
        self.assertEqual(due(eval_strategy="steps", save_strategy="steps"), (False, False))
        counter.evaluated_early = False
        self.assertEqual(due(evaluation_strategy="no", save_strategy="steps"), (False, True))

    def test_a_loop_that_evaluates_with_gradients_on_ends_too(self):
        counter, optimizer = self.counter(1), Optimizer()
        counter.made(optimizer)
        training, evaluation, next_training = (types.SimpleNamespace() for _ in range(3))
        self.assertEqual([counter.may_take(training, True) for _ in range(4)], [True] * 4)
        counter.after_backward()
        counter.after_step(optimizer)
        self.assertFalse(counter.may_take(training, True))
        self.assertEqual([counter.may_take(evaluation, True) for _ in range(3)], [True, True, False])
        for _ in range(3):  # one that trains goes on to its next step, which ends the rehearsal
            self.assertTrue(counter.may_take(next_training, True))
            counter.after_backward()


    def test_a_model_that_is_trained_after_another_has_its_own_steps(self):
        counter, teacher, student = self.counter(), Optimizer(), Optimizer()
        one, two = Parameter(), Parameter()
        teacher.param_groups, student.param_groups = [{"params": [one]}], [{"params": [two, one]}]
        counter.made(teacher)
        counter.look_ahead = lambda: True
        first, second = types.SimpleNamespace(), types.SimpleNamespace()
        self.assertTrue(counter.may_take(first, True))
        counter.after_backward()
        self.run_steps(counter, teacher, teacher)
        self.assertFalse(counter.may_take(first, True))
        tested = types.SimpleNamespace(_dataset=[])  # which no step was made of: a test around whose loop gradients are on
        self.assertEqual([counter.may_take(tested, True) for _ in range(2)], [True, False])
        self.assertEqual([counter.may_take(second, True) for _ in range(2)], [False, False])  # the epochs that are left
        evaluation = types.SimpleNamespace()
        self.assertEqual([counter.may_take(evaluation, False) for _ in range(2)], [True, False])
        counter.made(teacher)  # again with the same parameters: no other model
        self.assertTrue(counter.cut)
        counter.made(student)
        self.assertEqual((counter.cut, counter.models), (False, 2))
        third = types.SimpleNamespace()
        for _ in range(2):
            self.assertTrue(counter.may_take(third, True))
            self.run_steps(counter, student)
        self.assertFalse(counter.may_take(third, True))
        self.assertEqual((self.ended, counter.done, counter.whole()), ([], 4, 4))
        counter.look_ahead = lambda: False
        self.assertTrue(counter.may_take(types.SimpleNamespace(), True))
        counter.before_step(student)
        self.assertEqual(len(self.ended), 1)
        self.assertRegex("".join(counter.left_out), "few of each of the 2 models")

    def test_loops_without_a_loader_are_left_for_the_next_model(self):
        counter, teacher, student = self.counter(), Optimizer(), Optimizer()
        teacher.param_groups, student.param_groups = [{"params": [Parameter()]}], [{"params": [Parameter()]}]
        left = []
        for one, follows in ((teacher, True), (student, False)):
            counter.made(one)
            counter.look_ahead, counter.leave_loops = lambda answer=follows: answer, lambda: left.append(1) or True
            for _ in range(3):
                counter.before_step(one)
                counter.after_step(one)
        self.assertEqual((len(left), len(self.ended), counter.models), (1, 1, 2))
        self.assertNotIn(steps.FOLLOWS, counter.left_out)
        counter.follows, counter.leave_loops = True, lambda: False  # those that cannot be left
        counter.before_step(student)
        self.assertEqual((len(left), len(self.ended)), (1, 2))
        self.assertIn(steps.FOLLOWS, counter.left_out)

    @unittest.skipIf(sys.version_info < (3, 10), "loops are left from Python 3.10 on")
    def test_how_a_script_goes_on_behind_its_loops(self):
        body = "    x = list(range(3))\n    for epoch in range(9):\n        for part in x:\n            with guard:\n                step()\n" \
               "            seen.append(part)\n        seen.append('epoch')\n"
        once = ["behind"]
        texts = {
            f"def fit():\n{body}    return 'behind'\nseen.append(fit())\n": once,
            "for run in range(2):\n    for epoch in range(5):\n        step()\n    seen.append('behind')\n    make()\n": ["behind"] * 2,
            "run = 0\nwhile run < 2:\n    run += 1\n    seen.append(run)\n    make()\n    for epoch in range(5):\n        step()\n        seen.append('epoch')\n":
                [1, 2],
            "def epoch():\n    for part in range(3):\n        step()\n        seen.append(part)\n    return 1\n"
            "for _ in range(9):\n    epoch()\n    seen.append('epoch')\nseen.append('behind')\n": ["behind"],
            # Nothing stands behind it, or what must be ended is around it.
            "def epoch():\n    for part in range(3):\n        step()\nfor _ in range(2):\n    epoch()\nseen.append('behind')\n": ["behind"],
            "with guard:\n    for part in range(3):\n        step()\nseen.append('behind')\n": ["behind"],
        }
        can = [True, True, True, True, False, False]
        with tempfile.TemporaryDirectory() as folder:
            for at, (text, expected) in enumerate(texts.items()):
                path = pathlib.Path(folder) / f"train{at}.py"
                path.write_text(text)
                seen, answers, ended = [], [], []

                def step(answers=answers):
                    if sys.gettrace() is None:
                        answers.append(leaving.leave(sys._getframe(1), lambda names, _: "make" in names))

                guard = type("Guard", (), {"__enter__": lambda self: None, "__exit__": lambda self, *_: ended.append(1) and None})()
                known = {"seen": seen, "step": step, "make": lambda: None, "guard": guard}
                script = threading.Thread(target=exec, args=(compile(text, str(path), "exec"), known))  # without lines of this file around it
                script.start()
                script.join()
                self.assertEqual((answers[0], seen), (can[at], expected), text)
                self.assertEqual(len(ended), text.count("with guard"), text)

    @unittest.skipIf(sys.version_info < (3, 10), "loops are left from Python 3.10 on")
    def test_a_long_evaluation_before_the_first_step_is_left_at_the_same_read_in_both_passes(self):
        text = ("def estimate():\n    model.eval()\n    for split in ('train', 'test'):\n        for k in range(9):\n"
                "            with guard:\n                read()\n            read()\n            seen.append(k)\n        seen.append(split)\nestimate()\n"
                "def forward():\n    for layer in range(3):\n        read()\n        seen.append(layer)\nmodel.eval()\nforward()\n")
        torch = types.SimpleNamespace(distributed=types.SimpleNamespace(is_available=lambda: False), is_grad_enabled=lambda: False)
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "train.py"
            path.write_text(text)
            seen_by = {}
            for kind in ("values", "measure"):
                counter = self.counter()
                long = evaluations.Evaluations(torch, types.SimpleNamespace(recorded=pathlib.Path(folder), kind=kind), counter)
                seen = seen_by[kind] = []

                def read(seen=seen, long=long):
                    long.due |= len(seen) == 3  # the limit of time, within a turn
                    long.hear(7, sys._getframe(1))

                model = types.SimpleNamespace(eval=lambda long=long: long.begin(sys._getframe(1)))
                script = threading.Thread(target=exec, args=(compile(text, str(path), "exec"), {
                    "seen": seen, "read": read, "model": model, "guard": contextlib.nullcontext()}))
                script.start()
                script.join()
                self.assertIn("turns of an evaluation before the first step, which take long, at ", str(counter.left_out))
                self.assertIn("train.py:4'", str(counter.left_out))
            self.assertEqual(seen_by["values"], [0, 1, 2, 3, "train", *range(9), "test", 0, 1, 2])  # layers of a model are none of it
            self.assertEqual(seen_by["measure"], seen_by["values"])

    def test_whether_lines_ahead_make_an_optimizer(self):
        kind = type("Optimizer", (), {})
        optim = types.ModuleType("torch.optim")
        optim.SGD, optim.Optimizer = type("SGD", (kind,), {}), kind
        torch = types.SimpleNamespace(optim=optim)
        texts = {
            "def fit():\n    o = torch.optim.SGD()\n    for epoch in (1, 2):\n        ask()\n": ("fit()\n", False),
            "def fit(): \n    o = torch.optim.SGD()\n    for epoch in (1, 2):\n        ask()\n": ("fit()\nfit()\n", True),
            "def fit():      \n    ask()\n": ("fit()\nunclear is None\n", False),
            "def fit():  \n    ask()\n    optim.SGD()\n": ("fit()\n", True),
            "def fit():   \n    o = optim.SGD()\n    ask()\n": ("for fold in (1,):\n    fit()\n", True),
            "class Run:\n    def __init__(self):\n        self.o = optim.SGD()\n    def go(self):\n        ask()\n":
                ("Run().go()\nlast = Run()\n", True),
            "def fit():    \n    o = optim.SGD()\n    ask()\ndef test():\n    return torch\n": ("fit()\ntest()\n", False),
        }
        with unittest.mock.patch.dict(sys.modules, {"torch.optim": optim}):
            for text, (calls, expected) in texts.items():
                found = []
                known = {"torch": torch, "optim": optim, "unclear": Unclear(), "ask": lambda: found.append(ahead.another_model(torch, sys._getframe(1)))}
                exec(compile(text + calls, "/home/me/train.py", "exec"), known)
                self.assertEqual(found[0], expected, text + calls)


class Parameter:
    pass


class Unclear:
    def __bool__(self):
        raise RuntimeError("neither true nor false, as tensors")


class Imports(unittest.TestCase):
    def test_looking_for_a_module_is_not_importing_it(self):
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "sought.py").write_text("value = 3")
            seen = []
            hook = session.Hook({"sought": lambda module: seen.append(module.value)})
            sys.meta_path.insert(0, hook)
            sys.path.insert(0, folder)
            try:
                self.assertTrue(importlib.util.find_spec("sought"))
                self.assertEqual(seen, [])
                importlib.import_module("sought")
                self.assertEqual(seen, [3])
            finally:
                sys.meta_path.remove(hook)
                sys.path.remove(folder)


class Replays(unittest.TestCase):
    def test_graphs_that_are_replayed_in_a_step_that_is_timed_are_told(self):
        kind = type("CUDAGraph", (), {"replay": lambda self: "replayed"})
        followed = []
        replays.attach_torch(types.SimpleNamespace(cuda=types.SimpleNamespace(CUDAGraph=kind)), lambda: bool(followed))
        before = set(card.left_out)
        try:
            self.assertEqual((kind().replay(), card.left_out - before), ("replayed", set()))
            followed.append(True)
            self.assertEqual((kind().replay(), card.left_out - before), ("replayed", {replays.UNTIMED}))
        finally:
            card.left_out.discard(replays.UNTIMED)


class Questions(unittest.TestCase):
    """What `nvidia-smi` says of the stand-in card."""

    CARD = {"RIDGELINE_CARD_NAME": "NVIDIA L4", "RIDGELINE_CARD_MEMORY": str(23034 << 20), "RIDGELINE_CARD_COUNT": "2"}

    def ask(self, *words):
        return nvidia_smi.answer(words, self.CARD)

    def test_queries(self):
        self.assertEqual(self.ask("--query-gpu=name,memory.total,power.draw", "--format=csv"),
                         ["name, memory.total [MiB], power.draw [W]", "NVIDIA L4, 23034 MiB, 0.00 W", "NVIDIA L4, 23034 MiB, 0.00 W"])
        self.assertEqual(self.ask("--query-gpu=temperature.gpu,power.draw,clocks.sm,fan.speed", "--format=csv,noheader,nounits", "-i", "0"),
                         ["0, 0.00, 0, [N/A]"])
        self.assertEqual(self.ask("--query-gpu", "memory.free", "--format", "csv,noheader,nounits", "-i", "1"), ["23034"])
        self.assertEqual(len(self.ask("-L")), 2)
        self.assertIn("NVIDIA L4", "\n".join(self.ask()))

    def test_sections_as_text_and_xml(self):
        text = self.ask("-q", "-d", "Memory")
        self.assertEqual([line.split()[2] for line in text if "Free" in line], ["23034"] * 4)  # of the card and of its window
        self.assertNotIn("Temperature", "\n".join(text))
        self.assertIn("Temperature", "\n".join(self.ask("-q")))
        xml = xml_reader.fromstring("\n".join(self.ask("-q", "-x")[2:]))
        self.assertEqual([gpu.find("fb_memory_usage/total").text for gpu in xml.iter("gpu")], ["23034 MiB"] * 2)
        self.assertEqual(xml.find("gpu/utilization/gpu_util").text, "0 %")

    def test_the_program_is_written(self):
        with tempfile.TemporaryDirectory() as folder:
            card.write_programs(pathlib.Path(folder))
            ran = subprocess.run([f"{folder}/nvidia-smi", "-L"], env={**self.CARD, "PATH": "/usr/bin:/bin"}, capture_output=True, text=True)
            self.assertIn("GPU 1: NVIDIA L4", ran.stdout)


class Hub(unittest.TestCase):
    """Names of the hub that the profiles know."""

    def setUp(self):
        settings = types.SimpleNamespace(models=SOURCE / "profiles" / "models", libraries=pathlib.Path("/nowhere/libraries"))
        self.shelf = hub.Shelf(settings)

    def test_names(self):
        for name, found in (("meta-llama/Llama-3.2-1B", "llama-3.2-1b"), ("Qwen/Qwen2.5-0.5B-Instruct", "qwen2.5-0.5b"),
                            ("gpt2", "gpt2"), ("google-bert/bert-base-cased", "bert-base"),
                            ("google/vit-base-patch16-224-in21k", "vit-b-16")):
            self.assertEqual(self.shelf.profile(name)["id"], found)
        self.assertIsNone(self.shelf.profile("somebody/their-own-model"))

    def test_a_folder_of_another_machine_is_known_by_its_name(self):
        with unittest.mock.patch.object(hub.Shelf, "standing_for", lambda self, name: pathlib.Path("/stands/for") / name), \
                unittest.mock.patch.object(card, "left_out", set()) as told:
            self.assertEqual(self.shelf.standing_for_folder("/data/models/Llama-3.2-1B/"), pathlib.Path("/stands/for/Llama-3.2-1B"))
            self.assertIsNone(self.shelf.standing_for_folder("/data/models/checkpoint-500"))
            self.assertEqual(len(told), 1)

    def test_a_kind_that_is_none_of_transformers_has_no_configuration(self):
        module = types.SimpleNamespace(CONFIG_MAPPING={"llama": None}, __version__="5")
        with unittest.mock.patch.dict(sys.modules, {"transformers": module}), unittest.mock.patch.object(hub, "tell") as told:
            self.assertTrue(hub.has_configuration("a/b", "llama"))
            self.assertFalse(hub.has_configuration("a/b", "flux"))
            self.assertFalse(told.called)
            self.assertIsNone(self.shelf.standing_for("Qwen/Qwen-Image"))
        self.assertIn("no stand-in for Qwen/Qwen-Image", told.call_args[0][0])

    def test_what_an_error_of_the_hub_was_about(self):
        class LocalEntryNotFoundError(OSError):
            pass

        torn = LocalEntryNotFoundError("Cannot find an appropriate cached snapshot folder for the specified revision")
        self.assertEqual(session.asked_of(torn), session.SOMETHING)
        try:
            with hub.named_in_errors("amused/amused-256"):
                raise torn
        except OSError as error:
            self.assertEqual(session.asked_of(error), "amused/amused-256")
        self.assertIsNone(session.asked_of(ValueError("x")))

    def test_a_variant_of_the_weights(self):
        torch = types.SimpleNamespace(float16="half", bfloat16="brain")
        for files, name in ((["model.safetensors"], "model.safetensors"), (["text_encoder/model.fp16.safetensors"], "model.fp16.safetensors"),
                            (["model.safetensors.index.json"], None), (["adapter_model.safetensors", "config.json"], None)):
            self.assertEqual(hub.weights_asked(files), name)
        self.assertEqual(hub.type_of_variant(torch, "model.fp16.safetensors"), "half")
        self.assertIsNone(hub.type_of_variant(torch, "model.safetensors"))

    def test_weights_are_told_from_other_files(self):
        for name, weights in (("model.safetensors", True), ("model.safetensors.index.json", True), ("pytorch_model.bin", True),
                              ("config.json", False), ("tokenizer.json", False)):
            self.assertEqual(bool(hub.WEIGHTS.search(name)), weights)


class Downloads(unittest.TestCase):
    def test_the_hubs_own_class_of_models_asks_for_the_script(self):
        for path, packages in (("/v/site-packages/huggingface_hub/hub_mixin.py", False), ("/v/site-packages/setfit/modeling.py", True),
                               ("/home/me/train.py", False)):
            self.assertEqual(hub.asked_by_a_package(path), packages, path)

    def test_a_whole_repository_into_a_folder_of_the_script(self):
        def out_of_reach(repo_id, **named):
            raise OSError("out of reach")

        with tempfile.TemporaryDirectory() as folder:
            made, place = pathlib.Path(folder) / "hub" / "me--mine", pathlib.Path(folder) / "checkpoints" / "mine"
            made.mkdir(parents=True)
            for name in ("config.json", "model.safetensors", "tokenizer.json"):
                (made / name).write_text("{}")
            module = types.SimpleNamespace(snapshot_download=out_of_reach)
            settings = types.SimpleNamespace(folder=pathlib.Path(folder), libraries=pathlib.Path(folder) / "libraries", models=None)
            with unittest.mock.patch.object(hub.Shelf, "standing_for", lambda self, name: made), \
                    unittest.mock.patch.object(hub.words, "write_generation"), \
                    unittest.mock.patch.object(hub, "write_weights"):
                hub.attach_snapshot(module, settings)
                self.assertEqual(module.snapshot_download("me/mine"), str(made))
                self.assertEqual(module.snapshot_download("me/mine", local_dir=place), str(place))
            self.assertEqual(sorted(path.name for path in place.iterdir()), sorted(path.name for path in made.iterdir()))
            told = [json.loads(line) for line in (pathlib.Path(folder) / "problems.jsonl").read_text().splitlines()]
            self.assertIn({"kind": "made", "text": str(place / "model.safetensors")}, told)  # put away after the pass


class Graphs(unittest.TestCase):
    STATS = """A class.
    **STATS:**

    .. list-table::
        :header-rows: 1

        * - Name
          - #nodes
          - #edges
          - #features
          - #classes
        * - Computers
          - 13,752
          - 491,722
          - 767
          - 10
        * - Photo
          - ~7,650.4
          - 238,162
          -
          - 8
    """

    def test_what_the_documentation_of_a_class_states(self):
        kind = type("Amazon", (), {"__doc__": self.STATS})
        photo, other = kind(), kind()
        photo.name, other.name = "photo", "video"
        self.assertEqual(graphs.sizes_of(photo), [{"Name": None, "#nodes": 7650, "#edges": 238162, "#features": None, "#classes": 8}])
        self.assertEqual(graphs.sizes_of(other), [])
        self.assertEqual(graphs.sizes_of(types.SimpleNamespace(name="NCI1"))[0]["#graphs"], 4110)

    def test_a_part_that_a_script_chooses_has_a_row_of_its_own(self):
        rows = [{"Name": "Molecules Full"}, {"Name": "Molecules Subset"}, {"Name": "Others"}]
        for subset, row in ((True, rows[1]), (False, rows[0])):
            self.assertEqual(graphs.rows_about(types.SimpleNamespace(name="molecules", subset=subset), rows), [row])

    def test_words_of_the_script_s_own_options_are_asked_for_like_those_of_the_command(self):
        with tempfile.TemporaryDirectory() as folder:
            script = pathlib.Path(folder) / "train.py"
            script.write_text('parser.add_argument("--initializer_token", type=str, default="ktn+pll")\nother(default="no")\n')
            self.assertEqual(naming.defaults_of_flags(script), ["ktn+pll"])
            main = types.SimpleNamespace(__file__=str(script))
            with unittest.mock.patch.dict(sys.modules, {"__main__": main}), unittest.mock.patch.object(sys, "argv", ["train.py", "--to=<cat>"]):
                self.assertEqual(list(pipelines.words_asked()), ["to", "cat", "ktn", "pll"])

    def test_a_network_of_timm_by_its_name_of_the_hub(self):
        def unreachable(model_id):
            raise OSError(model_id)

        known = {"vit_tiny": types.SimpleNamespace(to_dict=lambda: {"input_size": 224})}
        timm = types.SimpleNamespace(is_model=known.__contains__, get_pretrained_cfg=lambda name: known[name.split(".")[0]])
        module = types.SimpleNamespace(load_model_config_from_hf=unreachable)
        weights.attach_timm_hub(module)
        with unittest.mock.patch.dict(sys.modules, {"timm": timm}):
            self.assertEqual(module.load_model_config_from_hf("timm/vit_tiny.in21k@main"), ({"input_size": 224}, "vit_tiny", {}))
            self.assertRaises(OSError, module.load_model_config_from_hf, "me/other")

    def test_sizes_of_a_checkpoint_of_whisper(self):
        known = json.loads((SOURCE / "profiles/models/whisper-small.json").read_text())
        made = weights.sizes_of_whisper(known, "small.en")
        self.assertEqual((made["n_vocab"], made["n_mels"], made["n_text_ctx"]), (51864, 80, 448))
        self.assertEqual(weights.sizes_of(made, "audio"), [1500, 768, 12, 12])

    def test_what_a_class_gives_its_graph_is_read_from_it(self):
        source = "class Set:\n    def process(self):\n        data = Data(edge_index=pairs, edge_type=kinds, train_idx=first)\n        other(y=1)\n"
        self.assertEqual(graphs.fields_written(source), {"edge_index", "edge_type", "train_idx"})
        self.assertTrue(graphs.labels_nodes("made.append(Data(x=x[mask], y=y[mask], edge_index=pairs))"))
        self.assertFalse(graphs.labels_nodes("Data(x=x[mask], y=y[at])\nData(x=x, y=y)"))

    def test_edges_of_a_graph_in_time_go_from_one_half_of_the_nodes_to_the_other(self):
        def drawn(*bounds, generator):
            first, last = bounds[0] if len(bounds) == 3 else 0, bounds[-2]
            return [first + at % (last - first) for at in range(*bounds[-1])]

        torch = types.SimpleNamespace(randint=drawn, rand=lambda *sides, generator: sides, arange=Numbers)
        data = types.SimpleNamespace(TemporalData=types.SimpleNamespace)
        with unittest.mock.patch.dict(sys.modules, {"torch_geometric": types.SimpleNamespace(data=data), "torch_geometric.data": data}):
            made = graphs.in_time(torch, {"#nodes": 10, "#edges": 8, "#features": 4, "#classes": 2}, None)
        self.assertEqual((set(made.src), set(made.dst), made.msg), (set(range(5)), set(range(5, 10)), (8, 4)))
        self.assertEqual((list(made.t), list(made.y)), (list(range(8)), [0, 1] * 4))

    def test_a_graph_that_fills_a_laptop_is_left_to_the_script(self):
        kind = type("Large", (), {"__doc__": self.STATS.replace("491,722", "91,491,722").replace("Photo", "Computers")})
        self.assertEqual(graphs.sizes_of(kind()), [])


class Numbers(list):
    """As much of torch.arange as graphs ask for."""
    def __init__(self, count):
        super().__init__(range(count))

    def __mod__(self, by):
        return [one % by for one in self]


class HubService(unittest.TestCase):
    def service(self, folder):
        """A made-up huggingface_hub.hf_api whose hub is out of reach."""
        class HfApi:
            def create_repo(self, repo_id, **named):
                raise AssertionError("the hub was asked to make something")

            upload_folder = create_repo

            def model_info(self, repo_id, **named):
                raise ConnectionError("out of reach")

            whoami = file_exists = resolve_revision = model_info

        module = types.SimpleNamespace(HfApi=HfApi, constants=types.SimpleNamespace(ENDPOINT="https://hub"), api=HfApi(),
                                       RepoUrl=str, CommitInfo=dict, ResolvedRevision=dict, create_repo=None, model_info=None,
                                       ModelInfo=lambda **named: types.SimpleNamespace(**named))
        shelf = types.SimpleNamespace(profile=lambda name: None, standing_for=lambda name: folder if name == "me/mine" else None)
        hub_service.attach(module, shelf)
        return module

    def test_nothing_is_sent(self):
        module = self.service(None)
        self.assertEqual(module.create_repo("out"), "https://hub/user/out")
        self.assertEqual(module.api.create_repo("me/out", repo_type="dataset"), "https://hub/datasets/me/out")
        self.assertIn("me/out", module.api.upload_folder(repo_id="me/out", folder_path=".")["commit_url"])

    def test_questions_that_the_hub_does_not_answer(self):
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "vae").mkdir()
            (pathlib.Path(folder) / "vae/config.json").write_text("{}")
            module = self.service(pathlib.Path(folder))
            files = [file["rfilename"] for file in module.model_info("me/mine").siblings]
            self.assertEqual(files, ["vae/config.json", "vae/diffusion_pytorch_model.safetensors"])
            self.assertFalse(module.api.file_exists("me/mine", "unet/config.json"))
            self.assertEqual(module.api.resolve_revision("me/mine", revision="main")["initial"], "main")
            with self.assertRaises(ConnectionError):
                module.api.resolve_revision("somebody/else")
            self.assertEqual(module.api.whoami()["name"], "user")
            with self.assertRaises(ConnectionError):
                module.model_info("me/other")


class DataSets(unittest.TestCase):
    def test_parts_of_fewer_rows_than_a_script_asks_for(self):
        for count, sizes, found in ((2048, (5000, None), [1024, None]), (2048, (1000, None), (1000, None)),
                                    (2048, (1000, 9000), [204, 1843]), (2048, (0.1, None), (0.1, None)),
                                    (2048, (None, 2048), [None, 1024])):
            self.assertEqual(rows.sizes_that_there_are(count, *sizes), found, sizes)

    def test_a_known_name_with_or_without_its_owner(self):
        for name in ("imdb", "stanfordnlp/imdb"):
            self.assertEqual(naming.columns_of(name, None)["label"], "label:2")
        self.assertIn("sentence2", naming.columns_of("nyu-mll/glue", "mrpc"))
        self.assertNotIn("prompt", naming.columns_of("trl-lib/ultrafeedback_binarized", None))
        self.assertIsNone(naming.columns_of("me/mine", None))

    def test_which_text_answers_which_question(self):
        for name, part in (("me/beir", "qrels"), ("me/beir", "relevant"), ("BeIR/scifact-qrels", None),
                           ("BeIR/nq-qrels", "default")):
            columns = dict(naming.columns_of(name, part))
            rows = columns.pop("rows")
            self.assertEqual(columns, {"query-id": "name", "corpus-id": "name", "score": "grade"}, name)
            for other in ("corpus", "queries"):  # fewer rows than any of those whose names they hold
                self.assertLessEqual(rows, min(naming.ROWS_OF_OTHER_SPLITS, data_sets.FEWEST_ROWS), other)
        self.assertEqual(naming.columns_of("BeIR/scifact", "corpus")["splits"][0], "corpus")
        self.assertIn("title", naming.columns_of("BeIR/scifact", "corpus"))
        self.assertIsNone(naming.columns_of("me/qrels-of-mine", None))
        self.assertEqual(data_sets.Maker("grade").value(7), 1)
        found = data_sets.Maker(naming.columns_of("me/nano", "bm25")["corpus-ids"]).value(7)
        self.assertEqual((len(found), found[0]), (100, data_sets.Maker("name").value(0)))

    def test_sets_of_tutorials_are_known_by_any_owner(self):
        for name, part, column, kind in (("stanfordnlp/snli", None, "label", "label:3"), ("coastalcph/lex_glue", "ledgar", "label", "label:100"),
                                         ("google-research-datasets/go_emotions", "simplified", "labels", "tags:1:28"),
                                         ("cais/mmlu", "all", "choices", "texts:4:8"), ("AI-MO/NuminaMath-CoT", None, "messages", "messages:2:90"),
                                         ("tanganke/stanford_cars", None, "label", "label:196")):
            self.assertEqual(naming.columns_of(name, part)[column], kind)

    def test_every_column_can_be_made(self):
        for name, columns in naming.known_sets().items():
            self.assertTrue(columns["splits"], name)
            for column, kind in columns.items():
                if column not in ("splits", "rows", "classes") and not str(kind).startswith(("image", "grey", "picture")):  # PIL
                    self.assertIsNotNone(data_sets.Maker(kind).value(3), f"{name} {column}")

    def test_columns_are_those_that_the_script_names(self):
        with tempfile.NamedTemporaryFile("w", suffix=".py") as script:
            script.write("def f(e):\n    e['new'] = tok(e['review'], e['label'])\n    return d['train']\n"
                         "SFTConfig(dataset_text_field='body')\n")
            script.flush()
            found = naming.columns_named([script.name], ["train.py", "--caption_column", "words"])
        self.assertEqual(found, {"review": "text:100", "label": "label:2", "body": "text:100", "words": "text:100"})

    def test_columns_that_a_map_makes_are_the_script_s_own(self):
        with tempfile.NamedTemporaryFile("w", suffix=".py") as script:
            script.write("names = d['train'].features['label'].names\nd = d.map(lambda x: {'text_label': [names[i] for i in x['label']]}, batched=True)\n"
                         "def fill(row):\n    row['prompt'] = row['question'] + row['answer']\n    row['answer'] = row['answer'].strip()\n    return row\n"
                         "d = d.map(fill)\nlengths = len(d[0]['prompt'])\nrows = tok(d['text_label'])\n")
            script.flush()
            found = naming.columns_named([script.name], [])
        self.assertEqual(found, {"label": "label:2", "question": "text:100", "answer": "text:100"})

    def test_what_is_made_an_array_of_beside_a_picture_is_its_mask(self):
        for lines, label in (("picture = item['image']\nmask = np.array(item['label'])\n", "grey:512:512"),
                             ("picture = item['image']\nlabel = item['label']\n", "label:2"),
                             ("text = item['text']\nlabels = np.array(item['label'])\n", "label:2")):
            with tempfile.NamedTemporaryFile("w", suffix=".py") as script:
                script.write(lines)
                script.flush()
                self.assertEqual(naming.columns_named([script.name], [])["label"], label, lines)

    def test_columns_that_are_taken_apart_have_parts(self):
        parts = {"is_selected": "tags:10:2", "passage_text": "texts:10:50"}
        for lines, expected in (
                ("for q, found in zip(rows['query'], rows['passages']):\n    for i, one in enumerate(found['is_selected']):\n"
                 "        use(q, found['passage_text'][i], one)\n", {"query": "text:100", "passages": parts}),
                ("def f(row):\n    return row['info']['title'], row['info']['body']\n",
                 {"info": {"title": "text:100", "body": "text:100"}}),
                ("for i, turn in enumerate(item['texts']):\n    use(turn['user'], turn['answer'])\n",
                 {"texts": [{"user": "text:100", "answer": "text:100"}] * 2}),
                ("if row.get('rating') is not None and row['rating'] < 3:\n    skip(row['text'])\n", {"text": "text:100"}),
                ("[len(one['text']) for one in data['train']]\n", {"text": "text:100"})):  # a split is no column
            with tempfile.NamedTemporaryFile("w", suffix=".py") as script:
                script.write(lines)
                script.flush()
                self.assertEqual(naming.columns_named([script.name], []), expected, lines)
        self.assertEqual([len(turn["is_selected"]) for turn in data_sets.Maker([parts, parts]).value(0)], [10, 10])
        row = data_sets.Maker(parts).value(0)
        self.assertEqual([len(row[name]) for name in parts], [10, 10])
        self.assertIn("passages.passage_text of 10 texts of about 50 words", data_sets.length_of("passages", parts))

    def test_columns_that_hold_files(self):
        for lines, expected in (
                ("for name in ['jpg_0', 'jpg_1']:\n    [Image.open(io.BytesIO(b)) for b in row[name]]\nprint(row['caption'])\n",
                 {"jpg_0": "picture_bytes:512:512", "jpg_1": "picture_bytes:512:512", "caption": "text:100"}),
                ("Image.open(BytesIO(row['jpg']))\n", {"jpg": "picture_bytes:512:512"}),
                ("for name in ['loss', 'f1']:\n    print(scores[name])\nBytesIO(open('f').read())\n", {})):
            with tempfile.NamedTemporaryFile("w", suffix=".py") as script:
                script.write(lines)
                script.flush()
                self.assertEqual(naming.columns_named([script.name], []), expected, lines)

    def test_a_known_name_in_that_of_a_file(self):
        self.assertEqual(naming.columns_in_name("/tatsu/alpaca_data_cleaned_archive.json")["output"], "text:44")
        self.assertEqual(list(naming.columns_in_name("/data/gsm8k/train.jsonl")), ["question", "answer"])
        self.assertEqual(naming.columns_in_name("/data/hellaswag_val.jsonl")["endings"], "texts:4:20")
        for path in ("/data/my_own_rows.json", "/raw/cifar10.json"):  # pictures are no rows of a text
            self.assertIsNone(naming.columns_in_name(path), path)

    def test_modules_beside_the_script_are_its_own(self):
        with tempfile.TemporaryDirectory() as folder:
            script, helper = pathlib.Path(folder) / "train.py", pathlib.Path(folder) / "my_helper_of_rows.py"
            helper.write_text("def f(e):\n    return e['talk']\n")
            sys.modules["my_helper_of_rows"] = types.SimpleNamespace(__file__=str(helper))
            try:
                files = naming.own_files(str(script))
            finally:
                del sys.modules["my_helper_of_rows"]
            self.assertEqual(files, [str(script), str(helper)])
            self.assertEqual(list(naming.columns_named(files, [])), ["talk"])

    def test_columns_that_a_trainer_takes(self):
        with tempfile.NamedTemporaryFile("w", suffix=".py") as script:
            script.write("from trl import DPOConfig, DPOTrainer\ntrainer = DPOTrainer(model, train_dataset=data[split])\n")
            script.flush()
            self.assertEqual(list(naming.columns_trained_on(script.name)), ["prompt", "chosen", "rejected"])
        self.assertEqual(naming.columns_trained_on(None), {})

    def test_columns_of_the_trainer_go_with_those_that_the_script_names_of_them(self):
        trained = {"prompt": "text:110", "chosen": "text:170"}
        for named, taken, columns in (
                ({}, {}, {"text": "text:100"}),                                # nobody says anything
                ({}, trained, trained),                                        # handed over as it is
                ({"chosen": "text:100", "source": "text:100"}, trained,        # kinds are the trainer's
                 {"chosen": "text:170", "source": "text:100", "prompt": "text:110"}),
                ({"review": "text:100"}, trained, {"review": "text:100"})):    # the script makes the trainer's
            self.assertEqual(naming.columns_together(named, taken), columns)

    def test_columns_of_another_data_set_that_the_script_looks_for_are_not_there(self):
        with tempfile.NamedTemporaryFile("w", suffix=".py") as script:
            script.write("if 'completions' in first and 'instruction' in first:\n    data = data.map(build)\n"
                         "def build(row):\n    return row['completions'], row['instruction']\n"
                         "def talk(row):\n    return row['chosen'], row['source']\ntrainer = TPOTrainer(model)\n")
            script.flush()
            named, trained = naming.columns_named([script.name], []), naming.columns_trained_on(script.name)
            tested = naming.columns_tested([script.name])
        self.assertEqual(list(naming.columns_together(named, trained, tested)), ["chosen", "source", "prompt", "rejected", "reference"])
        self.assertEqual(naming.columns_together({"text": "text:100"}, {}, {"text"}), {"text": "text:100"})

    def test_columns_that_a_trainer_documents(self):
        told = """A trainer.

        Args:
            model (`str`): the model, `"path"`
            train_dataset ([`~datasets.Dataset`]):
                Dataset to use for training. It must include a column `"prompt"` and a `"reference"`.

                - [Standard]: plain text.
            eval_dataset ([`~datasets.Dataset`]):
                The same, or `"none"`.
        """
        module = types.SimpleNamespace(ThatTrainer=type("ThatTrainer", (), {"__doc__": told}))
        with unittest.mock.patch.dict(sys.modules, {"trl.experimental.that": module}):
            self.assertEqual(naming.columns_documented("ThatTrainer"), {"prompt": "text:110", "reference": "text:100"})
        self.assertEqual(naming.columns_documented("ThatTrainer"), {})

    def test_a_made_up_stream_is_not_emptied(self):
        left_out = []
        stream = type("IterableDataset", (), {"skip": lambda self, n: left_out.append(n)})
        rows.attach_streams(types.SimpleNamespace(IterableDataset=stream))
        for description in (rows.MADE_UP, ""):
            one = stream()
            one.info = types.SimpleNamespace(description=description)
            one.skip(50000)
        self.assertEqual(left_out, [0, 50000])

    def test_columns_that_options_have_by_default(self):
        with tempfile.NamedTemporaryFile("w", suffix=".py") as script:
            script.write("class A:\n    text_column_name: str = field(default='sentence')\n    other: str = 'x'\n"
                         "parser.add_argument('--image_column', default='photo')\n"
                         "parser.add_argument('--caption_column', default='said')\n")
            script.flush()
            found = naming.columns_named([script.name], ["train.py", "--caption_column=words"])
        self.assertEqual(found, {"words": "text:100", "photo": "text:100", "sentence": "text:100"})

    def test_another_release_of_a_known_set(self):
        self.assertEqual(naming.columns_of("mozilla-foundation/common_voice_17_0", "tr")["audio"], "audio:5:48000")
        self.assertEqual(naming.columns_of("wmt14", "de-en")["translation"], "translation:23")

    def test_scores_of_a_metric_that_cannot_be_reached_have_its_names(self):
        def unreachable(*_, **__):
            raise ConnectionError

        module = types.SimpleNamespace(load=unreachable)
        data_sets.attach_evaluate(module)
        self.addCleanup(card.left_out.clear)
        self.assertEqual({key: round(value * 100) for key, value in module.load("rouge").compute().items()},
                         {"rouge1": 0, "rouge2": 0, "rougeL": 0, "rougeLsum": 0})
        self.assertEqual([list(module.load(*one).compute()) for one in (("glue", "mrpc"), ("glue", "sst2"), ("accuracy",))],
                         [["accuracy", "f1"], ["accuracy"], ["accuracy"]])
        self.assertEqual(100 * module.load("wer").compute(), 0)
        self.assertEqual(module.load("sacrebleu").compute()["score"], 0)

    def test_names_of_classes_in_a_file_beside_the_rows(self):
        self.assertEqual(len(json.loads(data_sets.labels_beside("segments/sidewalk-semantic", "id2label.json"))), 35)
        self.assertEqual(len(json.loads(data_sets.labels_beside("huggingface/label-files", "ade20k-id2label.json"))), 150)
        for name, file in (("imdb", "id2label.json"), ("me/mine", "id2label.json"), ("scene_parse_150", "readme.json")):
            self.assertIsNone(data_sets.labels_beside(name, file))

    def test_boxes_have_classes_with_names(self):
        kinds = types.SimpleNamespace(Sequence=lambda of, length=-1: of, Value=str, ClassLabel=lambda names: names, Image=None)
        self.assertEqual(data_sets.Maker("boxes:3:2").feature(kinds)["category"], ["0", "1"])

    def test_a_column_of_paths_holds_paths(self):
        with tempfile.NamedTemporaryFile("w", suffix=".py") as script:
            script.write("read_image(row['image_path'])\n")
            script.flush()
            self.assertEqual(naming.columns_named([script.name], []), {"image_path": "picture_file:512:512"})

    def test_boxes_and_talks_about_a_picture(self):
        objects = data_sets.Maker("boxes:3:2").value(0)
        self.assertEqual([len(part) for part in objects.values()], [3, 3, 3, 3])
        self.assertEqual(objects["category"], [0, 1, 0])
        turns = data_sets.Maker("seen:3:30").value(0)
        self.assertEqual([[part["type"] for part in turn["content"]] for turn in turns], [["image", "text"], ["text"], ["text"]])

    def test_lengths_are_about_the_stated_ones_and_the_same_each_time(self):
        first, again = data_sets.Maker("text:100"), data_sets.Maker("text:100")
        lengths = [len(first.value(row).split()) for row in range(200)]
        self.assertEqual(lengths, [len(again.value(row).split()) for row in range(200)])
        self.assertTrue(50 <= min(lengths) and max(lengths) <= 150)
        self.assertAlmostEqual(sum(lengths) / 200, 100, delta=5)

    def test_long_texts_have_fewer_rows(self):
        rows = []
        kinds = types.SimpleNamespace(Image=None, Audio=None, Dataset=types.SimpleNamespace(from_dict=lambda d: rows.append(len(next(iter(d.values()))))))
        data_sets.rows_of(kinds, {"text": "text:1000"}, 10000)
        data_sets.rows_of(kinds, {"text": "text:100"}, 10000)
        data_sets.rows_of(kinds, {"idx": "number"}, 10000)
        self.assertEqual(rows, [2048, 4000, 10000])  # 400,000 words, at least 2,048 rows

    def test_two_answers_share_their_prompt(self):
        chosen, rejected = (data_sets.Maker(f"messages:2:{n}").value(0) for n in (20, 30))
        found = data_sets.after_one_prompt(chosen, rejected)
        self.assertEqual((found[0], found[1]), (chosen[0], rejected[1]))
        self.assertTrue(data_sets.after_one_prompt("abcdef", "uvwxyz").startswith("abc"))

    def test_lengths_are_told(self):
        self.assertEqual(data_sets.length_of("text", "text:230"), "text of about 230 words")
        self.assertEqual(data_sets.length_of("chosen", "messages:2:190"), "chosen of 2 turns of about 190 words")
        self.assertEqual(data_sets.length_of("label", "label:2"), "")

    def test_splits_of_a_slice(self):
        self.assertEqual(data_sets.splits_in("train[:10%]+test[5:]"), ["train", "test"])
        self.assertEqual(data_sets.splits_in(None), [])

    def test_a_share_of_made_up_rows_is_enough_for_some_steps(self):
        have = {"train": 2048, "test": 100}
        for words, found in (("train[:1%]", {"train": 51200}), ("train[:50%]+test", {"train": 2048}), ("train[10%:11%]+test[-10%:]", {"train": 51200, "test": 1000}),
                             ("train[:1000]", {}), ("train", {}), ("train[:900]+test[:10%]", {"test": 1000}), ("other[:1%]", {}), ("train[50%:50%]", {}), ("train[:-99%]", {"train": 51200})):
            self.assertEqual(rows.as_many_as_shares_take(words, have), found, words)

    def test_a_file_of_the_user_is_no_data_set_of_the_hub(self):
        error = ConnectionError("Couldn't reach 'x' on the Hub (OfflineModeIsEnabled)")
        self.assertTrue(data_sets.out_of_reach(error, "imdb"))
        for name in ("json", "./mine", "/data/mine", str(SOURCE)):
            self.assertFalse(data_sets.out_of_reach(error, name))

    def test_pictures_to_train_with_or_not(self):
        self.assertTrue(pictures.is_training("d", {"train": True}))
        self.assertFalse(pictures.is_training("d", {"train": False}))
        self.assertFalse(pictures.is_training("d", {"split": "test"}))
        self.assertTrue(pictures.is_training("d", {"image_set": "trainval"}))
        self.assertTrue(pictures.is_training("/data/train", {}))
        self.assertFalse(pictures.is_training("/data/val/", {}))

    def test_rows_that_stand_there_again_are_made_once(self):
        self.assertEqual(rows.first_places([5, 6, 5]), (None, None))  # most of them differ
        self.assertEqual(rows.first_places([5, 6, 5, 6, 6, 5]), ([0, 1], [0, 1, 0, 1, 1, 0]))

    def test_files_of_a_repository_found_one_by_one(self):
        ask = hub.one_by_one(lambda name, file, **named: f"{name}/{file}" if file == "config.json" else None)
        self.assertEqual(ask("gpt2", ["config.json", "model.safetensors"]), ["gpt2/config.json"])
        self.assertIsNone(ask("gpt2", ["model.safetensors"]))

    def test_a_guess_is_no_number_of_every_element(self):
        class Operator:
            name = "max"

        class Values:  # bounds of a guess differ, those of a known number do not
            def state_of(self, tensor):
                return tensor.state

        class Tensor:
            def __init__(self, state):
                self.state = state

            def is_floating_point(self):
                return True

        found = {}
        for name, state in (("guess", guesses.Guess(0)), ("known", 0.0)):
            one = guesses.OneElement(Values())
            one.guessed = isinstance(state, guesses.Guess)
            one.of = lambda tensor: type("Number", (), {"item": lambda self: float(tensor.state)})()
            found[name] = guesses.made_of_one(one, Operator, None, (), {}, [Tensor(state)])
        self.assertEqual(found, {"guess": 1.0, "known": 0.0})

    def test_windows_over_one_another_are_their_mean_as_often_as_they_lie_there(self):
        class Windows:
            """One window of four numbers, in as many rows as one likes."""
            def stride(self):
                return (0, 1)

            def __getitem__(self, at):
                assert at == (slice(0, 1), slice(None)), at
                return types.SimpleNamespace(mean=lambda: types.SimpleNamespace(item=lambda: 0.375), numel=lambda: 4)

        values, back = types.SimpleNamespace(stand_for=lambda tensor: tensor), types.SimpleNamespace(name="unfold_backward")
        self.assertEqual(guesses.overlaid(values, back, (Windows(), [1, 100], 1, 4, 2)), 0.75)
        self.assertIsNone(guesses.overlaid(values, types.SimpleNamespace(name="add"), ()))

    def test_what_is_known_of_values_from_the_host(self):
        row = types.SimpleNamespace(shape=(16, 400), dim=lambda: 2)
        self.assertEqual(guesses.Unit.of(row), 0.25)  # of a factorisation's vectors, which come to rest
        mask = guesses.Loaded(0.0, 1.0, 0.25)
        self.assertEqual([mask.reduced(name, 8) for name in ("max", "amin", "mean", "sum", "any", "all", "prod")],
                         [1.0, 0.0, 0.25, 2.0, True, False, None])
        self.assertIsNone(guesses.Loaded(-1.0, 1.0, 0.0).reduced("all", 8))  # a nought may be among them
        self.assertTrue(guesses.Loaded(2, 3, 2.5).reduced("all", 8))
        self.assertFalse(guesses.Loaded(0, 0, 0).reduced("any", 8))
        kinds = types.SimpleNamespace(bool=types.SimpleNamespace(is_floating_point=False))
        whole = types.SimpleNamespace(is_floating_point=False)
        self.assertEqual(guesses.Loaded(0.2, 2.9, 1.5).cast(whole, kinds, True).high, 2)
        self.assertIsNone(guesses.Loaded(0.2, 2.9, 1.5).cast(kinds.bool, kinds, True))
        self.assertFalse(mask.cast(None, kinds, False).whole)
        self.assertEqual([float(guesses.Loaded(low, high, 0)) for low, high in ((-2, 2), (1, 2), (-2, -1))], [0, 1, -1])

    def test_a_card_from_which_no_block_came_is_not_told(self):
        stats = {"num_alloc_retries": 0, "num_ooms": 0, "allocated_bytes": {"all": {"peak": 8}},
                 "reserved_bytes": {"all": {"peak": 8}}}
        traces = [[{"action": "alloc", "addr": 1, "size": 8}], [{"action": "snapshot", "addr": 0, "size": 0}]]
        torch = types.SimpleNamespace(
            cuda=types.SimpleNamespace(memory=types.SimpleNamespace(_snapshot=lambda: {"device_traces": traces})),
            _C=types.SimpleNamespace(_cuda_memoryStats=lambda device: stats))
        self.assertEqual([found["device"] for found in history.figures(torch, [], [], "")["devices"]], [0])

    def test_what_a_set_of_pictures_was_asked_for(self):
        def make(self, root, year="2012", image_set="train", download=False, transforms=None):
            pass

        asked = targets.handed(make, ("d", "2007"), {"image_set": "val"})
        self.assertEqual((asked["year"], asked["image_set"], asked["transforms"]), ("2007", "val", None))
        self.assertEqual(targets.handed(make, (), {"unknown": 1}), {"unknown": 1})

        def handing_on(self, root, split="train", **others):
            """As ImageNet is made, and EMNIST."""

        self.assertEqual(targets.handed(handing_on, ("d",), {"transform": abs}), {"self": None, "root": "d", "split": "train", "transform": abs})

    def test_targets_that_are_more_than_a_class(self):
        self.assertEqual(targets.wanted("OxfordIIITPet", {"target_types": "category"}), [])
        self.assertEqual(targets.wanted("OxfordIIITPet", {"target_types": ["category", "segmentation"]}), ["", targets.MASK])
        self.assertEqual(targets.wanted("VOCSegmentation", {}), [targets.MASK])
        self.assertEqual(targets.wanted("CelebA", {"target_type": "attr"}), ["attr"])
        self.assertEqual(targets.boxes((500, 375))["annotation"]["object"][0]["bndbox"]["xmax"], "120")


class Models(unittest.TestCase):
    def test_names_that_no_profile_has(self):
        settings = types.SimpleNamespace(models=SOURCE / "profiles" / "models", libraries=pathlib.Path("/nowhere/l"))
        shelf = hub.Shelf(settings)
        self.assertEqual(shelf.profile("distilbert/distilgpt2")["n_layer"], 6)
        self.assertEqual(shelf.profile("microsoft/deberta-v3-base")["model_type"], "deberta-v2")
        self.assertIsNone(shelf.profile("me/mine"))


    def test_networks_written_out_hide_no_configuration(self):
        models = SOURCE / "profiles" / "models"
        self.assertIn("listing", json.loads((models / "wav2vec2-base.json").read_text()))
        self.assertEqual(hub_ids.profile(models, "facebook/wav2vec2-base")["model_type"], "wav2vec2")
        self.assertIsNone(hub_ids.profile(models, "swin-v2-s"))

    def test_how_whisper_writes(self):
        names = "transformers.models.whisper.tokenization_whisper"
        module = types.SimpleNamespace(LANGUAGES={f"l{i}": "" for i in range(100)})
        with tempfile.TemporaryDirectory() as folder, unittest.mock.patch.dict(sys.modules, {names: module}):
            for size, languages, first_task in ((51864, None, 50357), (51865, 99, 50358), (51866, 100, 50359)):
                (pathlib.Path(folder) / "config.json").write_text(json.dumps({"model_type": "whisper", "vocab_size": size}))
                made = {}
                words.write_generation(pathlib.Path(folder), lambda path, text: made.update(json.loads(text)))
                self.assertEqual(made["is_multilingual"], languages is not None)
                self.assertEqual(len(made.get("lang_to_id", ())), languages or 0)
                self.assertEqual(made["no_timestamps_token_id"], first_task + 5)
                if languages:
                    self.assertEqual(made["lang_to_id"]["<|l0|>"], 50259)
                    self.assertEqual(made["task_to_id"]["translate"], first_task)

    def test_a_model_tuned_further_is_like_the_one_whose_name_it_holds(self):
        models = SOURCE / "profiles" / "models"
        for name, found in (("dslim/bert-base-NER", "bert-base"), ("cardiffnlp/twitter-roberta-base", "roberta-base"),
                            ("mistralai/Mistral-7B-Instruct-v0.3", "mistral-7b-v0.3"),
                            ("Qwen/Qwen3-4B-Instruct-2507", "qwen3-4b")):
            known, told = hub_ids.holding(models, name)
            self.assertEqual(known["id"], found)
            self.assertIn("whose name it holds", told)
        self.assertEqual(hub_ids.holding(models, "me/mine"), (None, ""))
        self.assertEqual(hub_ids.profile(models, "distilbert-base-uncased")["id"], "distilbert-base")

    def test_fields_that_a_class_works_out_take_no_value(self):
        class Kind:
            head_dim = property(lambda self: 64)

        self.assertTrue(hub.computed(Kind, "head_dim"))
        self.assertFalse(hub.computed(Kind, "hidden_size"))


    def test_sizes_are_said_in_the_words_of_a_class(self):
        def kind(name, **fields):
            return type(name, (), {"model_type": name, "sub_configs": {}, **fields})

        opt = kind("opt", hidden_size=0, ffn_dim=3072)
        self.assertEqual(own_words.of_class(opt, {"hidden_size": 4096, "intermediate_size": 16384})["ffn_dim"], 16384)
        llama = kind("llama", intermediate_size=0, hidden_dim=0)
        self.assertNotIn("hidden_dim", own_words.of_class(llama, {"intermediate_size": 11008}))
        text = kind("text", hidden_size=0, head_dim=0, tie_word_embeddings=True)
        several = kind("several", sub_configs={"text_config": text}, tie_word_embeddings=True)
        known = {"model_type": "several", "hidden_size": 2560, "vision_config": {"hidden_size": 9}, "tie_word_embeddings": True}
        self.assertEqual(own_words.of_class(several, known),
                         {"model_type": "several", "vision_config": {"hidden_size": 9}, "tie_word_embeddings": True,
                          "text_config": {"hidden_size": 2560, "tie_word_embeddings": True}})
        self.assertEqual(own_words.of_class(several, {"text_config": {"hidden_size": 1}}), {"text_config": {"hidden_size": 1}})
        made = own_words.of_class(kind("resnet"), {"layers": [2, 2, 2, 2], "widths": [64, 128, 256, 512], "expansion": 1})
        self.assertEqual((made["depths"], made["hidden_sizes"], made["layer_type"]), ([2] * 4, [64, 128, 256, 512], "basic"))
        made = own_words.of_class(kind("efficientnet"), {"width_mult": 1.1, "depth_mult": 1.2})
        self.assertEqual((made["width_coefficient"], made["depth_coefficient"], made["hidden_dim"]), (1.1, 1.2, 1408))

    def test_sizes_are_those_of_a_word_of_the_name(self):
        base = {"hidden_size": 768, "num_hidden_layers": 12, "num_attention_heads": 12, "patch_size": 16}

        def made(name, **known):
            config = {**base, **known}
            sizes.by_name(name, config, None)
            return config["hidden_size"], config["num_hidden_layers"], config["num_attention_heads"]

        self.assertEqual(made("Intel/dpt-large"), (1024, 24, 16))
        self.assertEqual(made("me/vit-msn-small"), (384, 12, 6))
        self.assertEqual(made("me/vit-base"), (768, 12, 12))
        self.assertEqual(made("me/decoder-large", num_key_value_heads=2), (768, 12, 12))
        self.assertEqual(made("me/known-large", hidden_size=512), (512, 12, 12))
        sam = {"vision_config": {**base, "mlp_dim": 3072, "global_attn_indexes": [2, 5, 8, 11]}}
        self.assertTrue(sizes.by_name("facebook/sam-vit-huge", sam, None))
        self.assertEqual((sam["vision_config"]["mlp_dim"], sam["vision_config"]["global_attn_indexes"]), (5120, [7, 15, 23, 31]))
        text = {key: base[key] for key in base if key != "patch_size"}
        self.assertFalse(sizes.by_name("google/electra-small", dict(text), None))
        self.assertTrue(sizes.by_name("microsoft/wavlm-large", dict(text), None))
        detr = {"backbone_config": {"model_type": "resnet", "depths": [3, 4, 6, 3]}}
        self.assertTrue(sizes.by_name("facebook/detr-resnet-101", detr, None))
        self.assertEqual(detr["backbone_config"]["depths"], [3, 4, 23, 3])
        taken = {"text_config": {"hidden_size": 9}, "vision_config": {}}
        with unittest.mock.patch.object(hub, "whole_configuration", lambda known: {"whole": known}):
            sizes.by_name("Salesforce/blip2-opt-2.7b", taken, {"model_type": "opt"})
        self.assertEqual(taken["text_config"], {"whole": {"model_type": "opt"}})

    def test_what_ends_with_bert_is_one(self):
        with unittest.mock.patch.multiple(hub_ids, documented=lambda name: None, small_one=lambda name: None, kind_of=lambda name: None,
                                          defaults=lambda kind: {"model_type": kind}):
            for name, expected in (("m3rg-iitd/matscibert", "bert"), ("me/PubMedBERT-uncased-abstract", "bert"), ("me/sibert-large", None)):
                known, _ = hub_ids.like(SOURCE / "profiles" / "models", name)
                self.assertEqual(known and known["model_type"], expected, name)

    def test_a_name_that_is_listed_is_not_that_of_another_kind(self):
        self.assertEqual(hub_ids.profile(SOURCE / "profiles" / "models", "microsoft/mpnet-base")["model_type"], "mpnet")
        self.assertEqual(hub_ids.profile(SOURCE / "profiles" / "models", "bert-base-uncased")["hidden_size"], 768)

    def test_a_head_of_its_own_is_unlike_the_table_of_words(self):
        table, head = types.SimpleNamespace(), types.SimpleNamespace()
        model = types.SimpleNamespace(get_output_embeddings=lambda: types.SimpleNamespace(weight=table),
                                      named_parameters=lambda remove_duplicate: [("shared.weight", table), ("lm_head.weight", table)])
        self.assertEqual(own_words.own_head(model, {"tie_word_embeddings": False}), "lm_head.weight")
        self.assertEqual(own_words.own_head(model, {}), "")
        model.named_parameters = lambda remove_duplicate: [("shared.weight", head), ("lm_head.weight", table)]
        self.assertEqual(own_words.own_head(model, {"tie_word_embeddings": False}), "")  # not tied: it is in the file by itself
        module = types.SimpleNamespace(_tied_params_are_equal=lambda *two: True)
        holes.attach_ties(module)
        for are_holes in (True, False):
            with unittest.mock.patch.object(hub.Shelf, "weights_are_holes", are_holes):
                self.assertEqual(module._tied_params_are_equal(1, 1), not are_holes)


class Tokenizers(unittest.TestCase):
    def test_models_that_fill_in_words_have_no_template_to_chat(self):
        known = types.SimpleNamespace(MODEL_FOR_MASKED_LM_MAPPING_NAMES={"modernbert": "ModernBertForMaskedLM"})
        with unittest.mock.patch.dict(sys.modules, {"transformers": types.SimpleNamespace(__path__=[]),
                                                    "transformers.models": types.SimpleNamespace(__path__=[]),
                                                    "transformers.models.auto": types.SimpleNamespace(__path__=[]),
                                                    "transformers.models.auto.modeling_auto": known}):
            self.assertEqual([words.chats({"model_type": kind}) for kind in ("modernbert", "qwen2")], [False, True])

    def test_named_words_keep_their_rows_and_texts_have_pieces_of_their_own(self):
        size, places = words.numbers_of({"vocab_size": 2000, "bos_token_id": 7, "eos_token_id": [9, 11], "pad_token_id": -1})
        self.assertEqual((size, places[7], places[9], places[3]), (2000, "<s>", "</s>", "<pad>"))
        table = words.table_of(size, places)
        self.assertEqual(sorted(table.values()), list(range(2000)))
        for piece in ("the", " the", " peopl", "e", "[PAD]", "<|im_end|>"):
            self.assertIn(piece, table)

    def test_a_class_with_a_vocabulary_of_its_own_takes_the_pieces_and_keeps_what_frames_them(self):
        module = types.ModuleType("tokenizers")
        module.Tokenizer = types.SimpleNamespace(from_file=lambda path: types.SimpleNamespace(path=path, post_processor=None))
        sys.modules["tokenizers"] = module
        try:
            made = types.SimpleNamespace(_tokenizer=types.SimpleNamespace(post_processor="[CLS] $A [SEP]"))
            words.take_pieces(made, "tokenizer.json")
        finally:
            del sys.modules["tokenizers"]
        self.assertEqual((made._tokenizer.path, made._tokenizer.post_processor), ("tokenizer.json", "[CLS] $A [SEP]"))

    def test_pictures_in_texts(self):
        for config, shown in (({"image_token_index": 32000, "vocab_size": 32000}, "<image>"), ({"vocab_size": 32000}, ""),
                              ({"vision_start_token_id": 5, "image_token_id": 7, "vision_end_token_id": 6, "vocab_size": 32000},
                               "<|vision_start|><|image_pad|><|vision_end|>")):
            self.assertIn(f"else '{shown}' }}", words.template_of(config))
            size, places = words.numbers_of(config)
            for row, word in words.pictures_in(config).items():
                self.assertEqual([at for at, one in places.items() if one == word], [row])
            self.assertEqual(len(words.table_of(size, places)), size)

    def test_pictures_are_made_as_large_as_the_model_looks_at_them(self):
        for size, side, made in (({"shortest_edge": 224}, 336, {"shortest_edge": 336}), ({"height": 4, "width": 4}, 8, {"height": 8, "width": 8}),
                                 ({"shortest_edge": 4, "longest_edge": 8}, 336, None), ({"shortest_edge": 224}, None, None)):
            self.assertEqual(words.sizes_like(types.SimpleNamespace(size=size), side).get("size"), made)

    def test_squares_that_a_picture_is_cut_into_have_that_size_and_their_tokens(self):
        kind = types.SimpleNamespace(size={"longest_edge": 1456}, max_image_size={"longest_edge": 364})
        self.assertEqual(words.sizes_like(kind, 384), {"size": {"longest_edge": 1536}, "max_image_size": {"longest_edge": 384}})
        # 384 points in patches of 14 are 27 x 27, of which 3 x 3 make a token.
        seen = {"vision_config": {"image_size": 384, "patch_size": 14}}
        self.assertEqual(words.tokens_of_a_square({**seen, "scale_factor": 3}), 81)
        self.assertIsNone(words.tokens_of_a_square(seen))

    def test_who_pads(self):
        kinds = {"whisper": lambda: types.SimpleNamespace(pad_token_id=50256), "gpt2": lambda: types.SimpleNamespace(pad_token_id=None),
                 "clip": lambda: types.SimpleNamespace(text_config=types.SimpleNamespace(pad_token_id=1))}
        with unittest.mock.patch.dict(sys.modules, {"transformers": types.SimpleNamespace(CONFIG_MAPPING=kinds)}):
            for config, found in (({"model_type": "whisper"}, True), ({"model_type": "gpt2"}, False), ({}, False),
                                  ({"model_type": "gpt2", "pad_token_id": 0}, True), ({"model_type": "qwen2"}, True),
                                  ({"model_type": "clip"}, True)):
                self.assertEqual(words.pads(config), found, config)


class Pipelines(unittest.TestCase):
    def test_parts_of_stable_diffusion(self):
        settings = types.SimpleNamespace(models=SOURCE / "profiles" / "models", libraries=pathlib.Path("/nowhere/l"))
        known = hub.Shelf(settings).profile("stable-diffusion-1.5")
        made = pipelines.unet(known)
        self.assertEqual(made["down_block_types"], ["CrossAttnDownBlock2D"] * 3 + ["DownBlock2D"])
        self.assertEqual(made["up_block_types"][0], "UpBlock2D")
        self.assertFalse(made["use_linear_projection"])
        self.assertEqual(pipelines.vae(known)["scaling_factor"], 0.18215)
        self.assertEqual(pipelines.text_encoder(known["text_encoders"][0], False)["hidden_size"], 768)

    def test_words_of_the_command_are_tokens(self):
        pieces, merges = pipelines.pieces_of(["toy", "to"])
        self.assertEqual((pieces, merges), (["to", "toy</w>", "to</w>"], ["t o", "to y</w>", "t o</w>"]))

    def test_folders_of_newer_pipelines(self):
        with tempfile.TemporaryDirectory() as place:
            shelf = hub.Shelf(types.SimpleNamespace(models=SOURCE / "profiles" / "models", libraries=pathlib.Path(place) / "l"))
            for name, body, encoders in (("black-forest-labs/FLUX.1-dev", "FluxTransformer2DModel", 2),
                                         ("stabilityai/stable-diffusion-3-medium-diffusers", "SD3Transformer2DModel", 3)):
                folder = pipelines.folder_of(shelf, name)
                index = json.loads((folder / "model_index.json").read_text())
                self.assertEqual(index["transformer"][1], body)
                self.assertEqual(len(list(folder.glob("text_encoder*"))), encoders)
                last = json.loads((folder / f"text_encoder_{encoders}" / "config.json").read_text())
                self.assertEqual(last["architectures"], ["T5EncoderModel"])
                self.assertFalse(json.loads((folder / "vae" / "config.json").read_text())["use_quant_conv"])
                said = json.loads((folder / "transformer" / "config.json").read_text())
                self.assertEqual(said.get("caption_projection_dim"), 1536 if encoders == 3 else None)

    def test_a_file_of_a_pipeline_that_the_script_asks_for(self):
        def unreached(*_, **__):
            raise OSError("offline")

        with tempfile.TemporaryDirectory() as place:
            module = types.SimpleNamespace(hf_hub_download=unreached)
            hub.attach_download(module, types.SimpleNamespace(models=SOURCE / "profiles" / "models", libraries=pathlib.Path(place) / "l"))
            path = module.hf_hub_download("stabilityai/stable-diffusion-xl-base-1.0", filename="model_index.json")
            self.assertEqual(json.loads(pathlib.Path(path).read_text())["_class_name"], "StableDiffusionXLPipeline")
            with self.assertRaises(OSError):
                module.hf_hub_download("stabilityai/stable-diffusion-xl-base-1.0", "unet/diffusion_pytorch_model.safetensors")
            with unittest.mock.patch.multiple(hub, has_configuration=lambda *_: True, whole_configuration=lambda known: {},
                                              write_weights=lambda folder: (folder / "model.safetensors").write_text("holes")):
                path = module.hf_hub_download("openai-community/gpt2", "model.safetensors")  # by the script itself
                with self.assertRaises(OSError):
                    module.hf_hub_download("openai-community/gpt2", "model.safetensors.index.json")
            self.assertEqual(pathlib.Path(path).read_text(), "holes")

    def test_an_autoencoder_by_itself(self):
        with tempfile.TemporaryDirectory() as place:
            shelf = hub.Shelf(types.SimpleNamespace(models=SOURCE / "profiles" / "models", libraries=pathlib.Path(place) / "l"))
            for name, scale in (("stabilityai/sd-vae-ft-ema", 0.18215), ("madebyollin/sdxl-vae-fp16-fix", 0.13025)):
                folder = pipelines.folder_of_autoencoder(shelf, name)
                self.assertEqual(json.loads((folder / "config.json").read_text())["scaling_factor"], scale)
            self.assertIsNone(pipelines.folder_of_autoencoder(shelf, "me/vae-of-mine"))


class Places(unittest.TestCase):
    def test_other_lines_are_other_numbers(self):
        numbers = {places.lines_now() for _ in range(3)}
        other = places.lines_now()
        self.assertEqual(len(numbers), 1)
        self.assertNotIn(other, numbers)

    def test_a_thread_of_torch_has_no_line(self):
        self.assertIn("backward pass", places.user_place(None))

    def test_a_read_of_such_a_thread_is_one_of_no_line(self):
        heard = []
        one = types.SimpleNamespace(evaluations=types.SimpleNamespace(hear=lambda *words: heard.append(words)))
        libc, thread, found = ctypes.CDLL(None), ctypes.c_void_p(), ctypes.c_void_p(1)
        begin = ctypes.CFUNCTYPE(ctypes.c_void_p)(process.Process.lines_of_a_read.__get__(one))
        libc.pthread_create(ctypes.byref(thread), None, begin, None)
        libc.pthread_join(thread, ctypes.byref(found))
        self.assertEqual((found.value or 0, heard), (0, [(0, None)]))

    def test_files_that_one_pass_alone_runs_do_not_count(self):
        self.assertEqual(places.mark_of("/site-packages/torch/_compile.py"), 0)
        self.assertGreater(places.mark_of("/home/me/train.py"), 1)
        self.assertEqual(places.mark_of("/site-packages/torch/_inductor/graph.py"), 1)


class Yolo(unittest.TestCase):
    """Checkpoints of Ultralytics by their names."""

    def setUp(self):
        def away(weight):
            raise ConnectionError(f"Download failure for {weight}")

        def model(kind):
            def make(cfg, verbose):
                if cfg == "yolo99.yaml":
                    raise FileNotFoundError(cfg)
                return kind, cfg
            return make

        kinds = (*yolo.TASKS.values(), "RTDETRDetectionModel")
        self.module = types.SimpleNamespace(torch_safe_load=away, guess_model_task=lambda model: model[0], **{kind: model(kind) for kind in kinds})
        yolo.attach(self.module)

    def test_the_network_of_that_name_stands_for_them(self):
        for name, expected in (("weights/yolo11n.pt", ("DetectionModel", "yolo11n.yaml")), ("yolov5su.pt", ("DetectionModel", "yolov5s.yaml")),
                               ("yolo11x-seg.pt", ("SegmentationModel", "yolo11x-seg.yaml")),
                               ("rtdetr-l.pt", ("RTDETRDetectionModel", "rtdetr-l.yaml"))):
            checkpoint, file = self.module.torch_safe_load(name)
            self.assertEqual((checkpoint["model"], file), (expected, name))
            self.assertEqual(checkpoint["train_args"], {"task": expected[0]})

    def test_others_and_the_test_of_another_network_are_not_there(self):
        def check_amp():
            return self.module.torch_safe_load("yolo26n.pt")

        for asked_for in (check_amp, *(lambda name=name: self.module.torch_safe_load(name) for name in ("mine.pt", "yolo99.pt"))):
            with self.assertRaises(ConnectionError):
                asked_for()


class KerasSets(unittest.TestCase):
    """Data sets that Keras loads by their name."""

    def module(self, name, error):
        def load(**_):
            raise error

        made = types.SimpleNamespace(__name__=f"keras.src.datasets.{name}", load_data=load, get_word_index=load)
        keras_sets.attach(made)
        return made

    def test_what_cannot_be_reached_is_made_up_and_other_errors_are_the_scripts_own(self):
        away = Exception("URL fetch failure on https://storage.googleapis.com/mnist.npz: None -- no address")
        with unittest.mock.patch.object(keras_sets, "made_up", lambda name, **named: (name, named)):
            self.assertEqual(self.module("imdb", away).load_data(num_words=9), ("imdb", {"num_words": 9}))
        self.assertEqual(len(self.module("imdb", away).get_word_index()), 88584)
        with self.assertRaises(ValueError):
            self.module("cifar100", ValueError("`label_mode` must be one of")).load_data(label_mode="all")

    def test_networks_by_name_keep_the_weights_that_they_were_made_with(self):
        loaded, away = [], Exception("URL fetch failure on https://storage.googleapis.com/vgg16_notop.h5: None -- no address")

        def get_file(fname=None, origin=None, **_):
            raise away

        class Model:
            def load_weights(self, filepath):
                loaded.append(filepath)

        files, models = types.SimpleNamespace(get_file=get_file), types.SimpleNamespace(Model=Model)
        weights.attach_keras_files(files)
        weights.attach_keras_models(models)
        Model().load_weights(files.get_file("vgg16_notop.h5", "https://storage.googleapis.com/vgg16_notop.h5", cache_subdir="models"))
        Model().load_weights("own.h5")
        self.assertEqual(loaded, ["own.h5"])
        self.assertRaises(Exception, files.get_file, origin="https://example.org/flowers.zip")

    @unittest.skipUnless(importlib.util.find_spec("numpy"), "numpy is not installed")
    def test_rows_are_those_that_keras_documents(self):
        for name, named, shapes, kind in (
                ("mnist", {}, ((60000, 28, 28), (60000,), (10000, 28, 28), (10000,)), "uint8"),
                ("cifar10", {}, ((50000, 32, 32, 3), (50000, 1), (10000, 32, 32, 3), (10000, 1)), "uint8"),
                ("boston_housing", {}, ((404, 13), (404,), (102, 13), (102,)), "float32"),
                ("california_housing", {"version": "small"}, ((480, 8), (480,), (120, 8), (120,)), "float32"),
                ("reuters", {"test_split": 0.2}, ((8982,), (8982,), (2246,), (2246,)), "object")):
            (x, y), (x_test, y_test) = keras_sets.made_up(name, **named)
            self.assertEqual((tuple(part.shape for part in (x, y, x_test, y_test)), str(x.dtype)), (shapes, kind), name)
        (x, y), _ = keras_sets.made_up("imdb", num_words=1000, maxlen=200)
        self.assertTrue(all(row[0] == 1 and len(row) < 200 and max(row) < 1000 for row in x) and set(y) == {0, 1})


class Masks(unittest.TestCase):
    """Which of many elements are true, by rows."""

    class Rows(list):
        def expand(self, shape):
            return self

        def __getitem__(self, part):
            return type(self)(super().__getitem__(part))

        def count_nonzero(self):
            return sum(map(sum, self))

    def test_they_are_counted_when_somebody_asks_and_once(self):
        rows, asked_for = self.Rows([[1, 0, 1], [0, 0, 0], [1, 1, 1], [0, 1, 0]]), []
        torch = types.SimpleNamespace(Tensor=self.Rows)
        with unittest.mock.patch.object(guesses, "LOOKED_THROUGH", 6):  # two rows at a time
            mask = guesses.Mask(True, lambda part, _: asked_for.append(len(part)) or part, (rows, 1), (4, 3))
            self.assertEqual((float(mask), asked_for), (1.0, []))
            self.assertEqual([mask.reduced(torch, name, 24) for name in ("sum", "mean", "any", "all", "max")], [12, 0.5, True, False, None])
        self.assertEqual(asked_for, [2, 2])


class Precision(unittest.TestCase):
    def test_products_in_tf32_by_either_word(self):
        class Refused:
            @property
            def allow_tf32(self):
                raise RuntimeError("mixed use")

        def torch(matmul):
            return types.SimpleNamespace(backends=types.SimpleNamespace(cuda=types.SimpleNamespace(matmul=matmul)))

        for expected, words in ((True, {"allow_tf32": True}), (False, {"allow_tf32": False}), (True, {"fp32_precision": "tf32"}),
                                (False, {"fp32_precision": "ieee", "allow_tf32": False}),
                                (True, {"fp32_precision": "none", "allow_tf32": True})):
            self.assertEqual(process.takes_tf32(torch(types.SimpleNamespace(**words))), expected, words)
        self.assertFalse(process.takes_tf32(torch(Refused())))


class Built(unittest.TestCase):
    def test_deepspeeds_adam_moves_its_bytes_without_a_compiler(self):
        seen = []
        torch = types.SimpleNamespace(_foreach_mul_=lambda tensors, by: seen.append(tensors),
                                      _foreach_add_=lambda tensors, others, alpha: seen.append(tensors + others))
        module = types.SimpleNamespace(FusedAdamBuilder=type("FusedAdamBuilder", (), {}))
        with unittest.mock.patch.dict(sys.modules, {"torch": torch}):
            built.attach_deepspeed(module)
        module.FusedAdamBuilder().load(verbose=False).multi_tensor_adam(65536, None, [["g"], ["p"], ["m"], ["v"]], 0.1, 0.9)
        self.assertEqual(seen, [["m"], ["p"], ["v", "g"]])

    def test_deepspeeds_optimizers_of_the_host_need_no_compiler_and_move_nothing(self):
        module = types.SimpleNamespace(__name__="deepspeed.ops.adam.cpu_adam", CPUAdamBuilder=None)
        shown = []
        library = types.SimpleNamespace(ridgeline_card_windows=lambda beyond: shown.append(beyond.value))
        with (unittest.mock.patch.object(card, "left_out", set()) as told, unittest.mock.patch.dict(os.environ, {card.LOADED: "13"}),
              unittest.mock.patch.object(ctypes, "CDLL", lambda _: library)):
            built.attach_deepspeed_host(module)
            self.assertFalse(told)
            stepping = module.CPUAdamBuilder().load()
            self.assertEqual(shown, [built.KEPT])
            self.assertEqual([*told], ["the time in which DeepSpeed's optimizer steps on the host"])
        weights_of_the_host = [1.0, 2.0]
        stepping.create_adam(0, 1e-3, 0.9, 0.999, 1e-8, 0.0, True, False)
        stepping.adam_update(0, 1, 1e-3, 0.9, 0.999, 1e-8, 0.0, True, weights_of_the_host, [0.5, 0.5], [0, 0], [0, 0])
        self.assertEqual(weights_of_the_host, [1.0, 2.0])
        self.assertFalse(hasattr(stepping, "simd_width"))


class TwoSparse(unittest.TestCase):
    def test_a_product_counts_what_the_first_pass_tells(self):
        code = """if True:
            import ctypes, sys
            card = ctypes.CDLL(sys.argv[1])
            none, size, matrix = ctypes.c_void_p(), ctypes.c_size_t(), ctypes.c_void_p()
            word = ctypes.c_int64
            card.cusparseCreateCsr(ctypes.byref(matrix), word(6), word(8), word(0), *[none] * 3)
            card.ridgeline_card_answer((ctypes.c_long * 2)(1000, 40), 2)
            asked = [none] + [0, 0] + [none] * 5 + [0, 0, none]
            card.cusparseSpGEMM_workEstimation(*asked, ctypes.byref(size), none)
            first = size.value
            card.cusparseSpGEMM_compute(*asked, ctypes.byref(size), none)
            found = [word() for _ in range(3)]
            card.cusparseSpMatGetSize(matrix, *map(ctypes.byref, found))
            print(first, size.value - first, *[one.value for one in found])
            """
        found = subprocess.run([sys.executable, "-c", code, CARD], capture_output=True, text=True, check=True).stdout
        self.assertEqual(found.split(), ["65536", "16000", "6", "8", "40"])

    def test_places_that_nobody_knows_are_spread_evenly(self):
        self.assertEqual(products.spread_evenly(0, 100), 0)
        self.assertEqual(products.spread_evenly(100, 100), 63)  # 1 - 1/e
        self.assertEqual(products.spread_evenly(10 ** 6, 100), 100)

    def test_matrices_are_squared_in_groups(self):
        self.assertEqual(products.squared_in_groups([1, 4, 0, 1]), [3, 1, 2, 1, 0, 1, 3])  # as torch's own comment has it
        self.assertEqual(products.squared_in_groups([0, 0]), [1, 2, 0])

    def test_a_read_of_all_answers_that_are_left_finds_them_at_once(self):
        code = """if True:
            import ctypes, sys
            card = ctypes.CDLL(sys.argv[1])
            card.ridgeline_card_answer((ctypes.c_long * 3)(7, 4, 5), 3)
            one, two, on_card = ctypes.c_long(), (ctypes.c_long * 2)(), ctypes.c_void_p()
            card.cudaMalloc(ctypes.byref(on_card), ctypes.c_size_t(64))
            for to in (one, two):
                card.cudaMemcpy(ctypes.byref(to), on_card, ctypes.c_size_t(ctypes.sizeof(to)), 2)
            print(one.value, *two)
            """
        found = subprocess.run([sys.executable, "-c", code, CARD], capture_output=True, text=True, check=True).stdout
        self.assertEqual(found.split(), ["7", "4", "5"])


class Recipes(unittest.TestCase):
    def test_the_first_file_has_all_weights(self):
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            (folder / "model.safetensors").write_text("all")
            (folder / "there").mkdir()
            recipes.parts_of(folder, folder / "there", ["model-1.safetensors", "model-2.safetensors"])
            self.assertEqual((folder / "there" / "model-1.safetensors").read_text(), "all")
            self.assertLess((folder / "there" / "model-2.safetensors").stat().st_size, 200)

    def test_pieces_have_the_rows_of_the_configuration(self):
        pieces = sentence_pieces.pieces_of({"vocab_size": 2000, "bos_token_id": 2, "eos_token_id": 1, "pad_token_id": 0})
        self.assertEqual((len(pieces), len(dict(pieces))), (2000, 2000))
        self.assertEqual([word for word, _ in pieces[:3]], ["<pad>", "</s>", "<s>"])
        self.assertIn(("\u2581the", sentence_pieces.NORMAL), pieces)
        self.assertEqual(sum(kind == sentence_pieces.BYTE for _, kind in pieces), 256)


class Rounds(unittest.TestCase):
    def test_a_round_is_a_step_of_every_optimizer(self):
        counter, critic, generator = steps.Counter(2, lambda name: None, lambda: None), Optimizer(), Optimizer()
        counter.made(critic), counter.made(generator)
        for _ in range(5):
            counter.after_step(critic)
        self.assertEqual(counter.rounds(), 0)
        counter.after_step(generator)
        self.assertEqual(counter.rounds(), 1)

    def test_the_last_step_of_an_optimizer_that_steps_alone_is_one(self):
        counter, warming_up, other = steps.Counter(2, lambda name: None, lambda: None), Optimizer(), Optimizer()
        counter.made(warming_up), counter.made(other)
        rounds = []
        while not counter.enough():
            counter.after_step(warming_up)
            rounds.append(counter.rounds())
        self.assertEqual(rounds, [0] * 14 + [1, 2])


class Tensor:
    dtype, shape = "torch.bfloat16", (4, 8)

    def numel(self):
        return 32

    def element_size(self):
        return 2


class Cut(unittest.TestCase):
    """A script that ends by an error after its steps."""

    def ended(self, data_cut, error, steps_made=2):
        counter = types.SimpleNamespace(data_cut=data_cut, left_out=set(), enough=lambda: steps_made >= 2)
        stopped = []
        process = types.SimpleNamespace(counter=counter, stop=lambda: stopped.append(True))
        before, sys.excepthook = sys.excepthook, lambda *_: None
        try:
            cut.watch(process, types.SimpleNamespace(OutOfMemoryError=MemoryError))
            try:
                raise error
            except BaseException as raised:
                sys.excepthook(type(raised), raised, raised.__traceback__)
        finally:
            sys.excepthook = before
        return stopped, counter.left_out

    def test_its_steps_count(self):
        stopped, left_out = self.ended(True, ValueError("800 rows, not 1000"))
        self.assertTrue(stopped)
        self.assertIn("python_test.py", next(iter(left_out)))
        self.assertIn("ValueError", next(iter(left_out)))

    def test_so_they_do_where_the_script_ends_over_something_of_its_own(self):
        stopped, left_out = self.ended(False, ValueError("no such folder\nto save to"))
        self.assertTrue(stopped)
        self.assertRegex(next(iter(left_out)), "^what follows .*python_test.py:[0-9]+, where the script ended by itself with ValueError: no such folder$")

    def test_other_ends_are_its_own(self):
        for case in ((False, MemoryError()), (False, ValueError(), 1), (True, MemoryError()), (True, KeyboardInterrupt()), (True, ValueError(), 1)):
            self.assertFalse(self.ended(*case)[0])


class Products(unittest.TestCase):
    def test_products_of_vectors_of_16_bits_are_known_and_how_a_product_is_made_is_answered(self):
        self.assertIn("cublasDotEx", card.defined(pathlib.Path(CARD)))
        told, written = (ctypes.c_char * 4)(*b"used"), ctypes.c_size_t()
        library = ctypes.CDLL(CARD)
        self.assertEqual(library.cublasLtMatmulAlgoConfigGetAttribute(None, 3, told, ctypes.c_size_t(4), ctypes.byref(written)), 0)
        self.assertEqual((bytes(told), written.value), (bytes(4), 4))


class Windows(unittest.TestCase):
    """Memory of the host that is too large to be kept."""

    def test_large_pieces_show_the_same_pages_and_small_ones_their_own(self):
        code = """if True:
            import ctypes, sys
            card, libc = ctypes.CDLL(sys.argv[1]), ctypes.CDLL(None)
            libc.free.argtypes = [ctypes.c_void_p]
            taken = lambda: next(int(line.split()[1]) for line in open("/proc/self/smaps_rollup") if line.startswith("Pss:"))
            def piece(size):
                at = ctypes.c_void_p()
                assert card.posix_memalign(ctypes.byref(at), ctypes.c_size_t(64), ctypes.c_size_t(size)) == 0 and at.value % 64 == 0
                return (ctypes.c_char * size).from_address(at.value)
            card.ridgeline_card_windows(ctypes.c_size_t(128 << 20))
            before = taken()
            small, large = piece(96 << 20), piece(2 << 30)
            small[1 << 20], large[1 << 20] = b"s", b"l"
            ctypes.memset(large, 5, 2 << 30)
            pinned = ctypes.c_void_p()
            card.cudaHostAlloc(ctypes.byref(pinned), ctypes.c_size_t(2 << 30), 0)
            ctypes.memset(pinned, 6, 2 << 30)
            print(small[1 << 20], small[65 << 20], (taken() - before) >> 17)  # of 128 MiB
            card.cudaFreeHost(pinned)
            libc.free(ctypes.addressof(large))
            libc.free(ctypes.addressof(small))
            """
        found = subprocess.run([sys.executable, "-c", code, CARD], capture_output=True, text=True, check=True).stdout
        self.assertEqual(found.split(), ["b's'", "b'\\x00'", "0"])


class Ranks(unittest.TestCase):
    """A rank that waits for another which has ended."""

    def test_how_a_rank_ended_is_told_rather_than_that_its_launcher_says_so(self):
        def failed(code):
            kind = type("ChildFailedError", (Exception,), {
                "get_first_failure": lambda _: (3, types.SimpleNamespace(exitcode=code))})
            return failures.of_a_rank(kind("====="))

        told, todo = failed(-signal.SIGKILL)
        self.assertEqual(told, "rank 3 was ended by signal 9")
        self.assertIn("memory of this machine", todo)
        self.assertEqual(failed(2), ("rank 3 ended with code 2", ""))
        self.assertIsNone(failures.of_a_rank(ValueError()))

    def test_a_part_that_an_installed_package_lacks_is_of_another_release(self):
        told = [failures.remedy(ModuleNotFoundError(name=name), True, "") for name in ("json.another", "nothing_of_that_name.part")]
        self.assertRegex(told[0], "^The json of the Python .* has no such part: install the release")
        self.assertRegex(told[1], "^Install the package that has nothing_of_that_name.part")

    def test_a_package_that_an_import_hides_behind_another_name_is_named(self):
        hidden = ModuleNotFoundError("Could not import module 'Trainer'.")
        hidden.__cause__ = ImportError("of a part")
        hidden.__cause__.__context__ = ModuleNotFoundError("No module named '_cffi_backend'", name="_cffi_backend")
        self.assertRegex(failures.remedy(hidden, True, ""), "^Install the package that has _cffi_backend ")
        hidden.__cause__.__context__ = ModuleNotFoundError("of another kind")
        self.assertEqual(failures.remedy(hidden, True, ""), "")

    def test_a_script_that_trains_on_the_host_is_told_its_own_option(self):
        class Parser:
            _option_string_actions = dict.fromkeys(("-h", "--lr", "--accel", "--use-cuda", "-g"))

            def parse_known_args(self, words):
                return words, []

            def error(self, message):
                raise SystemExit(message)

        with tempfile.TemporaryDirectory() as folder:
            settings = types.SimpleNamespace(folder=pathlib.Path(folder), kind="values")
            failures.attach_argparse(types.SimpleNamespace(ArgumentParser=Parser), settings)
            self.assertEqual(Parser().parse_known_args(["x"]), (["x"], []))
            stays = types.SimpleNamespace(begun=False, told_of_the_host=False, pid=os.getpid(), settings=settings,
                                          counter=types.SimpleNamespace(done=0))
            stays.stayed_on_the_host = lambda: process.Process.stayed_on_the_host(stays)
            process.Process.tell_of_the_host(stays)
            self.assertFalse((pathlib.Path(folder) / "problems.jsonl").exists())  # it made no step
            stays.counter.done = 2
            process.Process.tell_of_the_host(stays)
            process.Process.tell_of_the_host(stays)
            told = (pathlib.Path(folder) / "problems.jsonl").read_text().splitlines()
        self.assertEqual(json.loads(told[0]), {"kind": "input", "text": (
            "the script made 2 steps on the CPU and put nothing onto a card. Its own options that may put it onto a card: "
            "--accel, --use-cuda")})
        self.assertEqual(len(told), 1)

    def left(self, steps_made):
        counter = types.SimpleNamespace(left_out=set(), enough=lambda: steps_made >= 2)
        stopped = []
        process.Process.left_by_another(types.SimpleNamespace(counter=counter, stop=lambda: stopped.append(True)))
        return stopped, counter.left_out

    def test_it_ends_with_its_figures_once_its_steps_are_made(self):
        stopped, left_out = self.left(2)
        self.assertTrue(stopped and left_out)
        self.assertEqual(self.left(1), ([], set()))


class Kernels(unittest.TestCase):
    """Operators that are written in Python."""

    def setUp(self):
        class Library:
            ns, dispatch_key = "mine", ""

            def impl(self, op_name, fn, dispatch_key="", *, with_keyset=False):
                return op_name

        self.library = Library()
        kernels.written.clear()
        kernels.attach_torch(types.SimpleNamespace(library=types.SimpleNamespace(Library=Library)))

    def found(self, name):
        return kernels.function_of(types.SimpleNamespace(name=lambda: name))

    def test_that_for_the_card_is_the_one_that_runs(self):
        self.library.impl("pick", "for all", "CompositeExplicitAutograd")
        self.assertEqual(self.found("mine::pick"), "for all")
        self.assertEqual(self.library.impl("mine::pick", "for the card", "CUDA"), "mine::pick")
        self.assertEqual(self.found("mine::pick.default"), "for the card")

    def test_others_stay_with_torch(self):
        self.library.impl("pick", "for the host", "CPU")
        self.library.impl("pick", "backward", "CUDA", with_keyset=True)
        self.assertIsNone(self.found("mine::pick"))
        self.assertIsNone(self.found("aten::add.Tensor"))


class Limits(unittest.TestCase):
    def test_where_a_script_stands(self):
        lines = ("import signal, types\nfrom ridgeline_rehearsal import limit\nimport pathlib\n"
                 "limit.watch(types.SimpleNamespace(folder=pathlib.Path('.')))\nsignal.raise_signal(signal.SIGTERM)\n")
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "slow.py").write_text(lines)
            ended = subprocess.run([sys.executable, "slow.py"], cwd=folder, check=False,
                                   env={**os.environ, "PYTHONPATH": str(SOURCE / "rehearsal" / "python")})
            told = json.loads((pathlib.Path(folder) / "problems.jsonl").read_text())
        self.assertEqual((ended.returncode, told), (-signal.SIGTERM, {"kind": "stood", "text": "at slow.py:5"}))


class Asked(unittest.TestCase):
    def test_the_second_pass_gets_the_answers_of_the_first(self):
        said = iter(["yes", "3"])
        with tempfile.TemporaryDirectory() as folder, unittest.mock.patch("builtins.input", lambda _: next(said)):
            settings = types.SimpleNamespace(kind="values", recorded=pathlib.Path(folder))
            asked.attach(settings)
            self.assertEqual(input("go on? "), "yes")
            self.assertEqual(input("how many? "), "3")
            with unittest.mock.patch("builtins.input", lambda _: self.fail("nobody is there")):
                settings.kind = "measure"
                asked.attach(settings)
                self.assertEqual([input("go on? "), input("how many? ")], ["yes", "3"])


class MadeByTheScript(unittest.TestCase):
    def test_new_files_and_folders_are_told_of_once(self):
        with tempfile.TemporaryDirectory(prefix="rehearsed-") as folder:
            own = pathlib.Path(folder) / "own"
            settings = types.SimpleNamespace(folder=own, recorded=own, scratch=own, libraries=own, snapshot=f"{folder}/kept", trace="")
            (pathlib.Path(folder) / "there.txt").write_text("")
            own.mkdir()
            heard = made.Made(settings)
            for event, arguments in (("os.mkdir", (f"{folder}/out", 0o777, -1)), ("open", (f"{folder}/out/log.txt", "w", 0)),
                                     ("open", (f"{folder}/there.txt", "a", 0)), ("open", (f"{folder}/none.txt", "r", 0)),
                                     ("open", (f"{folder}/.cache/x", "w", 0)), ("open", (f"{own}/x", "w", 0)),
                                     ("open", (f"{folder}/kept", "wb", 0)),
                                     ("open", (f"{folder}/new.csv", "w", 0)), ("open", (3, "w", 0))):
                heard.hear(event, arguments)
            told = (own / "problems.jsonl").read_text()
        self.assertEqual([folder + name in told for name in ("/out", "/new.csv", "/out/log.txt", "/there.txt", "/.cache/x", "/kept")],
                         [True, True, False, False, False, False])


class Shapes(unittest.TestCase):
    def test_what_has_gaps_is_gathered_before_it_is_read(self):
        for shape, stride, found in (((2, 3), (3, 1), True), ((2, 3), (1, 2), True), ((2, 3), (8, 1), False),
                                     ((1, 3), (99, 1), True), ((3,), (2,), False), ((), (), True), ((4, 3), (0, 1), False)):
            self.assertEqual(tensors.dense(types.SimpleNamespace(shape=shape, stride=lambda s=stride: s)), found)


class Saved(unittest.TestCase):
    def test_a_checkpoint_has_shapes_and_holes(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "model.safetensors"
            saves.write_with_holes({"w": Tensor()}, path, {"format": "pt"}, saves.TYPE_NAMES)
            data = path.read_bytes()
            length = int.from_bytes(data[:8], "little")
            self.assertEqual(len(data), 8 + length + 64)
            self.assertIn(b'"w": {"dtype": "BF16", "shape": [4, 8], "data_offsets": [0, 64]}', data)

    def test_paths_go_to_the_scratch_folder_and_come_back(self):
        with tempfile.TemporaryDirectory() as folder:
            settings = types.SimpleNamespace(scratch=pathlib.Path(folder) / "s", folder=pathlib.Path(folder))
            redirected = saves.Redirected(settings)
            to = redirected.target("out/best.pt")
            self.assertTrue(to.startswith(folder))
            pathlib.Path(to).write_text("x")
            self.assertEqual(redirected.source("out/best.pt"), to)
            self.assertEqual(redirected.source("out/other.pt"), "out/other.pt")
            stream = object()
            self.assertIs(redirected.target(stream), stream)

    def test_a_script_goes_on_with_what_it_saved(self):
        with tempfile.TemporaryDirectory() as folder:
            place = pathlib.Path(folder)
            redirected = saves.Redirected(types.SimpleNamespace(folder=place, scratch=place / "scratch"))
            names = (*kept_out.LOOKS, "rename", "replace", "link", *kept_out.SETS)
            system = types.SimpleNamespace(**{name: getattr(os, name) for name in names if hasattr(os, name)})
            files = types.SimpleNamespace(**{name: getattr(shutil, name) for name in ("copyfile", "copymode", "copystat", "rmtree")})
            names, streams = types.SimpleNamespace(open=open), types.SimpleNamespace(open=open)
            for sets in kept_out.SETS:
                setattr(system, sets, set(getattr(system, sets)))
            kept_out.attach(redirected, system, files, names, streams)
            self.assertIn(system.stat, system.supports_dir_fd)

            def save(name, text):
                pathlib.Path(redirected.target(place / name)).write_text(text)

            def read(name):
                with names.open(place / name) as file:
                    return file.read()

            (place / "last.pt").write_text("the user's")
            save("tmp.pt", "new")
            self.assertEqual(system.stat(place / "tmp.pt").st_size, 3)
            system.replace(place / "tmp.pt", place / "last.pt")
            self.assertRaises(FileNotFoundError, system.stat, place / "tmp.pt")
            self.assertEqual((read("last.pt"), (place / "last.pt").read_text()), ("new", "the user's"))
            files.copyfile(place / "last.pt", place / "best.pt")
            files.copystat(place / "last.pt", place / "best.pt")
            self.assertEqual((read("best.pt"), (place / "best.pt").exists()), ("new", False))
            system.remove(place / "best.pt")
            self.assertRaises(FileNotFoundError, read, "best.pt")
            self.assertEqual(read("last.pt"), "new")
            system.remove(place / "last.pt")
            self.assertEqual(read("last.pt"), "the user's")
            (place / "step-2.part").mkdir()
            save("step-2.part/model.pt", "two")
            system.rename(place / "step-2.part", place / "step-2")
            self.assertEqual(read("step-2/model.pt"), "two")
            files.rmtree(place / "step-2")
            self.assertRaises(FileNotFoundError, read, "step-2/model.pt")
            # A name of an open folder is none of the current one, where a file of that name was saved.
            (place / "old").mkdir()
            (place / "old/model.pt").write_text("the user's")
            before, opened = os.getcwd(), os.open(place / "old", os.O_RDONLY)
            try:
                os.chdir(place)
                save("model.pt", "new")
                system.unlink("model.pt", dir_fd=opened)
                self.assertEqual((read("model.pt"), os.listdir(place / "old")), ("new", []))
            finally:
                os.chdir(before)
                os.close(opened)
            system.replace(place / "last.pt", place / "kept.pt")  # one that was not saved here
            self.assertEqual((place / "kept.pt").read_text(), "the user's")
            self.assertEqual([json.loads(line)["text"][len(folder) + 1:] for line in (place / "problems.jsonl").read_text().splitlines()],
                             ["tmp.pt", "best.pt", "step-2.part/model.pt", "model.pt"])

    def test_a_distributed_checkpoint_goes_elsewhere_and_leaves_the_users_own(self):
        class Files:
            def create_stream(self, path, mode):
                return open(path, mode)

            def rename(self, path, new_path):
                os.rename(path, new_path)

            def exists(self, path):
                return os.path.exists(path)

            def rm_file(self, path):
                os.unlink(path)

        with tempfile.TemporaryDirectory() as folder:
            place = pathlib.Path(folder)
            settings = types.SimpleNamespace(folder=place, scratch=place / "scratch")
            (place / ".metadata").write_text("the user's")
            saves.attach_checkpoint(types.SimpleNamespace(FileSystem=Files), settings)
            files = Files()
            self.assertTrue(files.exists(place / ".metadata"))
            files.rm_file(place / ".metadata")
            with files.create_stream(place / ".metadata.tmp", "wb") as stream:
                stream.write(b"new")
                self.assertIs(saves.on_disk(types.SimpleNamespace(raw=stream)), stream)
                self.assertIs(saves.on_disk(stream), stream)
            files.rename(place / ".metadata.tmp", place / ".metadata")
            self.assertEqual((place / ".metadata").read_text(), "the user's")
            with files.create_stream(place / ".metadata", "rb") as stream:
                self.assertEqual(stream.read(), b"new")



if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
