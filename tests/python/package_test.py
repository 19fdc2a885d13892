#!/usr/bin/env python3
"""The Python package answers with the program's bytes, in frozen records, and raises what is wrong.

Usage: package_test.py RIDGELINE SOURCE_FOLDER, with the package on PYTHONPATH
"""
import ast
import json
import os
import pathlib
import pickle
import subprocess
import sys
import tempfile
import types
import unittest
import xml.etree.ElementTree

PROGRAM, SOURCE = sys.argv[1], pathlib.Path(sys.argv[2])
QLORA = {"model": "llama-3.1-8b", "method": "qlora", "on": "rtx-4090", "sequence": 2048}
QUICK = {"model": "gpt2", "method": "full", "on": "l40s:2", "framework": "torchtitan"}
CONFIGURATION = {"model_type": "llama", "hidden_size": 1024, "num_hidden_layers": 4,
                 "num_attention_heads": 16, "num_key_value_heads": 8, "intermediate_size": 4096,
                 "vocab_size": 32000, "tie_word_embeddings": False}

import ridgeline  # noqa: E402


def printed(*words):
    done = subprocess.run([PROGRAM, *words], capture_output=True, text=True, check=False)
    return done.stdout or done.stderr


class Answers(unittest.TestCase):
    def test_bytes_are_those_of_the_program(self):
        for answer, words in (
                (ridgeline.estimate(**QLORA),
                 "estimate --model llama-3.1-8b --method qlora --on rtx-4090 --sequence 2048"),
                (ridgeline.estimate(model="llama-3.1-70b", method="full", on="rtx-4090"),
                 "estimate --model llama-3.1-70b --method full --on rtx-4090"),
                (ridgeline.compare("h100-sxm5-80gb", "l40s"), "compare h100-sxm5-80gb l40s"),
                (ridgeline.catalog("show", "l40s"), "catalog show l40s"),
                (ridgeline.profiles("show", "gpt2"), "profiles show gpt2"),
                (ridgeline.own("h100-sxm5-80gb:8", years=3), "own h100-sxm5-80gb:8 --years 3")):
            self.assertEqual(answer.text, printed(*words.split(), "--json"))
            self.assertEqual(answer.printed(), printed(*words.split()))

    def test_attributes_are_keys(self):
        e = ridgeline.estimate(**QLORA)
        document = json.loads(e.text)
        self.assertEqual(e.memory.peak_gib, document["memory"]["peak_gib"])
        self.assertEqual(e.time.step_s, document["time"]["step_s"])
        self.assertEqual(e.components[0].name, document["memory"]["components"][0]["name"])
        self.assertIs(e.memory.fits, True)
        self.assertEqual(e.to_dict(), document)
        self.assertIn("fits on rtx-4090", repr(e))
        self.assertIn("peak_gib", dir(e.memory))
        with self.assertRaises(AttributeError):
            e.memory.peak_gb

    def test_frozen_compared_by_value_and_pickled(self):
        e, again = ridgeline.estimate(**QUICK), ridgeline.estimate(**QUICK)
        self.assertEqual(e, again)
        self.assertEqual(hash(e), hash(again))
        self.assertEqual(pickle.loads(pickle.dumps(e)), e)
        self.assertEqual(pickle.loads(pickle.dumps(e.components)), e.components)
        self.assertNotEqual(e, ridgeline.estimate(**{**QUICK, "sequence": 512}))
        for record in (e, e.memory):
            with self.assertRaises(AttributeError):
                record.fits = False
            with self.assertRaises((AttributeError, TypeError)):
                del record.fits

    def test_what_does_not_fit_is_an_answer(self):
        e = ridgeline.estimate(model="llama-3.1-70b", method="full", on="rtx-4090")
        self.assertIs(e.memory.fits, False)
        self.assertEqual(e.exit_code, 3)
        with self.assertRaises(ridgeline.DoesNotFit) as caught:
            e.raise_if_unfit()
        self.assertEqual(caught.exception.answer, e)
        self.assertEqual(pickle.loads(pickle.dumps(caught.exception)).answer, e)
        fits = ridgeline.estimate(**QUICK)
        self.assertIs(fits.raise_if_unfit(), fits)

    def test_notebook(self):
        html = ridgeline.estimate(**QLORA)._repr_html_()
        svg = xml.etree.ElementTree.fromstring(html[html.index("<svg"):html.index("</svg>") + 6])
        bars = [each for each in svg.iter() if each.tag == "rect"]
        self.assertGreater(len(bars), 5)
        width = sum(float(each.get("width")) for each in bars)
        # The card is 640 wide; the parts of the peak stand for no more than it holds.
        self.assertGreater(width, 100)
        self.assertLess(width, 640)
        self.assertIn("<strong>", ridgeline.advise("qlora llama-3.1-8b on 24GB")._repr_html_())

    def test_hostile_names_stay_text(self):
        from ridgeline.picture import page

        document = {"hardware": {"accelerator": "<script>"}, "memory": {
            "verdict": "yes", "peak_gib": 1.0, "capacity_gib": 2.0,
            "components": [{"name": "</svg><script>", "gib": 1.0, "formula": "a<b"}]}}
        self.assertNotIn("<script>", page(document))


class Requests(unittest.TestCase):
    def test_a_model_is_an_id_a_dict_a_path_or_a_configuration(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "config.json"
            path.write_text(json.dumps(CONFIGURATION))
            asked = {"method": "full", "on": "l40s", "framework": "torchtitan", "sequence": 512}
            given = types.SimpleNamespace(to_dict=lambda: CONFIGURATION)
            answers = [ridgeline.estimate(model=model, **asked)
                       for model in (CONFIGURATION, path, str(path), folder, given)]
        self.assertEqual(len({each.memory.peak_gib for each in answers}), 1)

    def test_a_workload_is_a_dict_a_file_or_an_answer(self):
        document = {"schema": "ridgeline/workload/1", "model": "gpt2", "task": "train",
                    "method": "full", "software": {"framework": "torchtitan"}}
        first = ridgeline.estimate(document, on="l40s")
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "w.json"
            path.write_text(json.dumps(document))
            self.assertEqual(ridgeline.estimate(path, on="l40s"), first)
        again = ridgeline.estimate(first, on="l40s")
        self.assertEqual(again.memory.peak_gib, first.memory.peak_gib)

    def test_errors_name_field_found_and_expected(self):
        with self.assertRaises(ridgeline.RidgelineError) as caught:
            ridgeline.estimate(model="llama-3.1-8b", on="l40s", method="loraa")
        error = caught.exception
        self.assertEqual((error.code, error.field, error.found), ("usage", "method", "loraa"))
        self.assertIn("qlora", error.expected)
        self.assertIn("lora", error.hint)
        self.assertEqual(str(pickle.loads(pickle.dumps(error))), str(error))
        with self.assertRaises(ridgeline.RidgelineError) as caught:
            ridgeline.estimate(model="llama-3.1-8b", on="l40s", sequnce=3)
        self.assertEqual(caught.exception.field, "sequnce")
        self.assertIn("sequence", caught.exception.hint)
        for wrong in ({"model": 3}, {"model": "/nonexistent/config.json"}, {}, {"on": "local"}):
            with self.assertRaises(ridgeline.RidgelineError):
                ridgeline.estimate(**wrong)

    def test_many_keep_their_order_and_their_errors(self):
        asked = [{**QUICK, "sequence": 128 * (1 + i)} for i in range(20)]
        asked[7] = {**QUICK, "method": "loraa"}
        answers = ridgeline.estimate_many(asked)
        self.assertEqual(len(answers), 20)
        self.assertIsInstance(answers[7], ridgeline.RidgelineError)
        for i in (0, 6, 8, 19):
            self.assertEqual(answers[i].text, ridgeline.estimate(**asked[i]).text)
        self.assertEqual([str(each) for each in ridgeline.estimate_many(asked, threads=1)],
                         [str(each) for each in answers])

    def test_sweep(self):
        table = ridgeline.sweep(QUICK, sequence=[256, 512], micro_batch=(1, 2))
        self.assertEqual([point.options for point in table],
                         [{"sequence": s, "micro_batch": b} for s in (256, 512) for b in (1, 2)])
        alone = ridgeline.estimate(**QUICK, sequence=512, micro_batch=2)
        self.assertEqual(table[3].estimate, alone)
        self.assertEqual(table[3].figures()["peak_gib"], alone.memory.peak_gib)
        self.assertEqual(pickle.loads(pickle.dumps(table)), table)
        from_answer = ridgeline.sweep(alone, micro_batch=[1, 2])
        self.assertGreater(from_answer[1].estimate.memory.peak_gib,
                           from_answer[0].estimate.memory.peak_gib)
        wrong = ridgeline.sweep(QUICK, method=["full", "loraa"])
        self.assertIsNone(wrong[1].estimate)
        self.assertIn("loraa", wrong[1].figures()["error"])

    def test_pandas(self):
        try:
            import pandas  # noqa: F401
        except ImportError:
            self.skipTest("pandas is not installed")
        table = ridgeline.sweep(QUICK, sequence=[256, 512]).to_pandas()
        self.assertEqual(list(table["sequence"]), [256, 512])
        components = ridgeline.estimate(**QUICK).components.to_pandas()
        self.assertIn("gib", components.columns)


class Types(unittest.TestCase):
    def test_stub_has_every_option(self):
        stub = pathlib.Path(ridgeline.__file__).parent / "__init__.pyi"
        tree = ast.parse(stub.read_text())
        functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
        classes = {node.name for node in tree.body if isinstance(node, ast.ClassDef)}
        self.assertEqual(set(ridgeline.__all__) - classes, set(functions) & set(ridgeline.__all__))
        asked = {each.arg for each in functions["estimate"].args.kwonlyargs}
        self.assertLessEqual({"model", "on", "micro_batch", "sequence", "plan"}, asked)
        self.assertNotIn("catalog", asked)


class Program(unittest.TestCase):
    def test_module_is_the_program(self):
        done = subprocess.run([sys.executable, "-m", "ridgeline", "--version"],
                              capture_output=True, text=True, check=True)
        self.assertEqual(done.stdout, printed("--version"))
        self.assertIn(ridgeline.version(), done.stdout)

    def test_scripts_are_rehearsed_with_this_python(self):
        from ridgeline.__main__ import words_of

        self.assertEqual(words_of(["rehearse", "--on", "l40s", "train.py", "--batch", "8"]),
                         ["rehearse", "--on", "l40s", "--", sys.executable, "train.py", "--batch", "8"])
        given = ["rehearse", "--on", "l40s", "--", "python", "train.py"]
        self.assertEqual(words_of(given), given)
        self.assertEqual(words_of(["estimate", "x.py"]), ["estimate", "x.py"])

    def test_import_is_quick_and_loads_nothing_large(self):
        asked = ("import sys, resource; b = resource.getrusage(resource.RUSAGE_SELF); import ridgeline;"
                 "a = resource.getrusage(resource.RUSAGE_SELF);"
                 "print(a.ru_utime + a.ru_stime - b.ru_utime - b.ru_stime);"
                 "print([each for each in ('pandas', 'torch', 'transformers', 'numpy', 'subprocess')"
                 " if each in sys.modules])")
        seconds = []
        for _ in range(5):
            lines = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True,
                                   check=True).stdout.splitlines()
            self.assertEqual(lines[1], "[]")
            seconds.append(float(lines[0]))
        print(f"import: {1000 * min(seconds):.0f} ms of processor time")
        self.assertLess(min(seconds), 0.06)


if __name__ == "__main__":
    os.environ["XDG_CONFIG_HOME"] = "/nonexistent"
    unittest.main(argv=sys.argv[:1])
