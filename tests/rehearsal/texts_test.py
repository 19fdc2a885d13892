#!/usr/bin/env python3
"""Texts by an address that cannot be reached, objects that ranks send each other: texts_test.py SOURCE."""

import json
import os
import pathlib
import pickle
import sys
import tempfile
import types
import unittest
import unittest.mock
import urllib.error
import urllib.request

sys.path.insert(0, str(pathlib.Path(sys.argv[1]).resolve() / "rehearsal" / "python"))

from ridgeline_rehearsal import card, objects, session, terminal, texts  # noqa: E402

ADDRESS = "https://text.invalid/input.txt"


def unreached(*_, **__):
    raise urllib.error.URLError("Name or service not known")


class Terminals(unittest.TestCase):
    def test_how_wide_it_is_where_there_is_none(self):
        kept = os.popen
        terminal.attach()
        try:
            with unittest.mock.patch("os.isatty", lambda _: False):
                lines, columns = os.popen("stty size", "r").read().split()
            self.assertGreater(int(lines) * int(columns), 0)
            self.assertEqual(os.popen("echo here").read(), "here\n")
        finally:
            os.popen = kept


class Texts(unittest.TestCase):
    def setUp(self):
        self.kept = urllib.request.urlopen
        urllib.request.urlopen = unreached
        texts.attach_urllib(urllib.request)

    def tearDown(self):
        urllib.request.urlopen = self.kept
        card.left_out.clear()

    def test_a_text_is_made_up_and_told(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "input.txt")
            urllib.request.urlretrieve(ADDRESS, path)
            text = pathlib.Path(path).read_text()
        self.assertGreater(len(text), texts.CHARACTERS)
        self.assertTrue(40 < len(set(text)) < 80, len(set(text)))
        self.assertEqual(text.encode(), texts.made_up(ADDRESS))
        self.assertIn(ADDRESS, next(iter(card.left_out)))

    def test_rows_of_a_known_set(self):
        for end in ("json", "jsonl"):
            address = f"https://text.invalid/data/alpaca_data.{end}"
            text = urllib.request.urlopen(address).read().decode()
            rows = json.loads(text) if end == "json" else [json.loads(line) for line in text.splitlines()]
            self.assertEqual(len(rows), texts.ROWS)
            self.assertTrue({"instruction", "input", "output"} <= rows[0].keys())
        with self.assertRaises(urllib.error.URLError):
            urllib.request.urlopen("https://text.invalid/data/rows_of_mine.json")

    def test_a_file_system_of_addresses(self):
        class OpenFile:
            encoding = errors = newline = None

            def __init__(self, path, mode="r"):
                self.path, self.mode = path, mode

            def __enter__(self):
                raise FileNotFoundError(self.path)

        texts.attach_fsspec(types.SimpleNamespace(OpenFile=OpenFile))
        self.assertEqual(OpenFile(ADDRESS).__enter__().read().encode(), texts.made_up(ADDRESS))
        self.assertEqual(OpenFile(ADDRESS, "rb").__enter__().read(), texts.made_up(ADDRESS))
        for path in ("https://text.invalid/train.zip", "/here/train.txt"):
            with self.assertRaises(FileNotFoundError):
                OpenFile(path).__enter__()

    def test_what_is_no_text_stays_out_of_reach(self):
        with self.assertRaises(urllib.error.URLError):
            urllib.request.urlopen("https://text.invalid/train.zip")
        try:
            urllib.request.urlopen("https://text.invalid/train.zip")
        except OSError as error:  # whose words do not name it
            self.assertEqual(session.asked_of(error), "https://text.invalid/train.zip")

    def test_a_wrong_address_is_told_by_the_server(self):
        def missing(url, *_, **__):
            raise urllib.error.HTTPError(url, 404, "Not Found", None, None)

        urllib.request.urlopen = missing
        texts.attach_urllib(urllib.request)
        with self.assertRaises(urllib.error.HTTPError):
            urllib.request.urlopen(ADDRESS)

    def test_what_a_data_set_of_a_package_asks_for_is_no_prose(self):
        def frame(file, module, me=None):
            code = types.SimpleNamespace(co_filename=file, co_varnames=("self",) if me else ())
            return types.SimpleNamespace(f_code=code, f_globals={"__name__": module}, f_locals={"self": me})

        package = "/usr/lib/python3/site-packages/"
        data = types.SimpleNamespace(Dataset=type("Dataset", (), {}))
        with unittest.mock.patch.dict(sys.modules, {"torch.utils.data": data}):
            self.assertTrue(texts.is_data_set(frame(package + "torch_geometric/datasets/book.py", "torch_geometric.datasets.book")))
            self.assertTrue(texts.is_data_set(frame(package + "ogb/pyg.py", "ogb.pyg", data.Dataset())))
            self.assertFalse(texts.is_data_set(frame(package + "datasets/load.py", "datasets.load")))
            self.assertFalse(texts.is_data_set(frame("/home/me/datasets/words.py", "mine.datasets.words", data.Dataset())))
        scope = {"__name__": "graphs.datasets.book", "urllib": urllib}
        exec(compile(f"def download(): return urllib.request.urlopen({ADDRESS!r})", package + "graphs/datasets/book.py", "exec"), scope)
        with self.assertRaises(urllib.error.URLError):
            scope["download"]()

    def test_sentences_without_nltks_rules(self):
        def missing(*_, **__):
            raise LookupError("punkt")

        data, tokenize = types.SimpleNamespace(find=missing), types.SimpleNamespace(sent_tokenize=missing)
        texts.attach_nltk_data(data)
        texts.attach_nltk_tokenize(tokenize)
        self.assertTrue(data.find("tokenizers/punkt_tab"))
        self.assertIn("NLTK", next(iter(card.left_out)))
        self.assertEqual(tokenize.sent_tokenize("One is 1.5. Two!\nThree"), ["One is 1.5.", "Two!", "Three"])
        self.assertEqual(tokenize.sent_tokenize(""), [])
        with self.assertRaises(LookupError):
            data.find("corpora/wordnet")
        with self.assertRaises(LookupError):  # as NLTK reads them from 3.9 on
            data.find("tokenizers/punkt_tab/english/").join("collocations.tab").open()

    def test_by_requests(self):
        try:
            import requests.models  # noqa: F401
        except ImportError:
            self.skipTest("no requests")
        session = types.SimpleNamespace(Session=type("Session", (), {"send": unreached}))
        texts.attach_requests(session)
        answer = session.Session().send(types.SimpleNamespace(url=ADDRESS))
        self.assertEqual((answer.status_code, answer.text.encode()), (200, texts.made_up(ADDRESS)))


class Objects(unittest.TestCase):
    def test_a_large_one_goes_by_a_file_and_a_small_one_itself(self):
        with tempfile.TemporaryDirectory() as folder:
            large = {"plan": list(range(100000))}
            word = pickle.dumps(objects.word_for(large, folder))
            self.assertLess(len(word), 1000)
            self.assertEqual(pickle.loads(word), large)
            self.assertEqual(objects.word_for({"rank": 0}, folder), {"rank": 0})
            refused = lambda: None  # noqa: E731, what pickle does not take
            self.assertIs(objects.word_for(refused, folder), refused)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
