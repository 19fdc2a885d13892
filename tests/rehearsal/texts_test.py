#!/usr/bin/env python3
"""Texts by an address that cannot be reached, objects that ranks send each other: texts_test.py SOURCE."""

import contextlib
import io
import json
import os
import pathlib
import pickle
import subprocess
import sys
import tarfile
import tempfile
import types
import unittest
import unittest.mock
import urllib.error
import urllib.request
import wave
import zipfile

sys.path.insert(0, str(pathlib.Path(sys.argv[1]).resolve() / "rehearsal" / "python"))

from ridgeline_rehearsal import archives, card, coco, fetching, objects, session, small_files, tables, terminal, texts, weights  # noqa: E402

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
        tested = urllib.request.urlopen("https://text.invalid/data/hellaswag_val.jsonl").read().decode().splitlines()
        self.assertEqual((len(tested), len(json.loads(tested[0])["endings"])), (texts.ROWS_TESTED, 4))
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

    def test_a_known_text_has_as_many_words_as_its_models_have_rows(self):
        address = "https://text.invalid/main/data/wikitext-2/train.txt"
        with unittest.mock.patch.object(texts, "asked_by_a_data_set", lambda: True):
            self.assertEqual(len(set(texts.made_up(address).decode().split())), 33278)
            self.assertIsNone(texts.made_up("https://text.invalid/data/graph.txt"))

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
        answer = session.Session().send(types.SimpleNamespace(url="https://text.invalid/a.wav"))
        answer.raw.decode_content = True
        self.assertEqual(answer.headers["content-length"], str(len(answer.raw.read())))
        with self.assertRaises(urllib.error.URLError):
            session.Session().send(types.SimpleNamespace(url="https://text.invalid/train.zip"))


class SmallFiles(unittest.TestCase):
    def tearDown(self):
        card.left_out.clear()

    def test_a_sound_and_what_cannot_be_made(self):
        with wave.open(io.BytesIO(small_files.made_up("https://files.invalid/a.wav?download=1"))) as sound:
            self.assertEqual((sound.getframerate(), sound.getnframes()), (16000, 160000))
        self.assertIn("10 s", next(iter(card.left_out)))
        for name in ("train.zip", "weights.pt", "rows.csv", ""):
            self.assertIsNone(texts.made_up(f"https://files.invalid/{name}"))

    def test_pictures_of_each_kind(self):
        try:
            from PIL import Image
        except ImportError:
            self.skipTest("no Pillow")
        for name, kind in (("cats.jpg", "JPEG"), ("mask.PNG", "PNG")):
            made = Image.open(io.BytesIO(texts.made_up(f"https://files.invalid/{name}")))
            self.assertEqual((made.format, made.size), (kind, small_files.PICTURE))

    def test_archives_of_tutorials_have_their_folders(self):
        try:
            from PIL import Image
        except ImportError:
            self.skipTest("no Pillow")
        for name in archives.ARCHIVES:
            body = io.BytesIO(texts.made_up(f"https://files.invalid/{name}"))
            if name.endswith(".zip"):
                with zipfile.ZipFile(body) as archive:
                    names = archive.namelist()
                    first = archive.read(names[0])
            else:
                with tarfile.open(fileobj=body) as archive:
                    names = archive.getnames()
                    first = archive.extractfile(names[0]).read()
            self.assertEqual(len(names), sum(count for count, _ in archives.ARCHIVES[name][1].values()))
            with Image.open(io.BytesIO(first)) as picture:
                self.assertEqual(picture.size, archives.ARCHIVES[name][0])
        self.assertIn("PennFudanPed/PedMasks/FudanPed00170_mask.png", dict(archives.files("PennFudanPed.zip")))
        labels = dict(archives.files("coco8-pose.zip"))["coco8-pose/labels/val/val000004.txt"].decode().splitlines()
        self.assertEqual([len(line.split()) for line in labels], [5 + 3 * 17] * 4)
        self.assertIsNone(texts.made_up("https://files.invalid/own_data.zip"))

    def test_publications_of_cora(self):
        with tarfile.open(fileobj=io.BytesIO(texts.made_up("https://files.invalid/lbc/cora.tgz"))) as archive:
            rows, cites = (archive.extractfile(f"cora/cora.{kind}").read().decode().splitlines() for kind in ("content", "cites"))
        self.assertEqual((len(rows), {len(row.split("\t")) for row in rows}, len({row.split("\t")[-1] for row in rows})), (2708, {1435}, 7))
        pairs = {tuple(map(int, line.split("\t"))) for line in cites}
        self.assertEqual((len(pairs), min(map(min, pairs)), max(map(max, pairs))), (5429, 1, 2708))

    def test_an_answer_is_read_in_parts(self):
        self.assertEqual(list(texts.Body(b"abcde").stream(2, decode_content=False)), [b"ab", b"cd", b"e"])

    def test_a_font_is_one_of_this_machine(self):
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "Some.ttf").write_bytes(b"letters")
            with unittest.mock.patch.object(small_files, "FOLDERS_OF_FONTS", (folder,)), unittest.mock.patch.object(
                    small_files.sysconfig, "get_path", lambda _: "/nowhere"):
                self.assertEqual(texts.made_up("https://files.invalid/Arial.ttf"), b"letters")
            with unittest.mock.patch.object(small_files, "FOLDERS_OF_FONTS", ()), unittest.mock.patch.object(
                    small_files.sysconfig, "get_path", lambda _: "/nowhere"):
                self.assertIsNone(texts.made_up("https://files.invalid/Arial.ttf"))

    def test_by_httpx(self):
        class Unreached(Exception):
            pass

        def get(url, **_):
            raise Unreached

        module = types.SimpleNamespace(get=get, TransportError=Unreached, Request=lambda *_: None,
                                       Response=lambda code, content, **_: (code, content))
        texts.attach_httpx(module)
        code, content = module.get("https://files.invalid/a.wav", follow_redirects=True)
        self.assertEqual((code, content[:4]), (200, b"RIFF"))
        with self.assertRaises(Unreached):
            module.get("https://files.invalid/video.mp4")


class Programs(unittest.TestCase):
    """Files that a script has `wget` and `curl` fetch."""

    def setUp(self):
        self.kept, self.place = os.getcwd(), tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.place.name)
        os.chdir(self.folder)
        (self.folder / "programs").mkdir()
        settings = {"pass": "values", "folder": str(self.folder), "cards": "", "libraries": "", "scratch": ""}
        (self.folder / "settings.json").write_text(json.dumps(settings))
        card.write_programs(self.folder / "programs")
        for name in ("wget", "curl"):  # those of this machine reach nothing
            (self.folder / name).write_text("#!/bin/sh\nexit 4\n")
            (self.folder / name).chmod(0o755)

    def tearDown(self):
        os.chdir(self.kept)
        self.place.cleanup()

    def run_program(self, *words):
        programs = str(self.folder / "programs")
        variables = {"RIDGELINE_REHEARSAL": str(self.folder / "settings.json"), "RIDGELINE_PROGRAMS": programs,
                     "PATH": f"{programs}:{self.folder}:/usr/bin:/bin"}
        return subprocess.run(words, env=variables, capture_output=True, text=True, check=False)

    def test_what_they_do_not_reach_stands_in_the_place_that_the_script_names(self):
        ran = self.run_program("sh", "-c", f"wget -q {ADDRESS} && curl -sLo texts/two.txt {ADDRESS} && curl {ADDRESS}")
        self.assertEqual(ran.returncode, 0, ran.stderr)
        self.assertEqual(ran.stdout, pathlib.Path("input.txt").read_text())
        self.assertEqual(ran.stdout, pathlib.Path("texts/two.txt").read_text())
        self.assertEqual(len(fetching.told(self.folder)), 1)
        made = [json.loads(line)["text"] for line in (self.folder / "problems.jsonl").read_text().splitlines()]
        self.assertEqual(made, [str(self.folder / "input.txt"), str(self.folder / "texts")])

    def test_what_nothing_stands_for_fails_as_it_did(self):
        self.assertEqual(self.run_program("wget", "https://text.invalid/weights.unknown").returncode, 4)
        self.assertIn("weights.unknown", (self.folder / "problems.jsonl").read_text())

    def test_places_of_a_command_line(self):
        for words, found in (("wget -O a.txt ADDRESS", "a.txt"), ("wget -P data -nc ADDRESS", "data/input.txt"), ("wget -qO- ADDRESS", None),
                             ("curl -LO ADDRESS", "input.txt"), ("curl -H X:Y ADDRESS --output=b", "b"), ("curl -s ADDRESS", None)):
            program, *rest = words.replace("ADDRESS", ADDRESS).split()
            self.assertEqual(fetching.places(program, rest), [(ADDRESS, found)], words)


class Unreached(unittest.TestCase):
    """What a package fetches by a name where its server does not answer."""

    def tearDown(self):
        card.left_out.clear()

    def test_annotations_of_coco(self):
        made = coco.annotations("instances_val2017.json", 3)
        self.assertEqual(len(made["annotations"]), 3 * coco.OBJECTS)
        self.assertEqual(len({one["id"] for one in made["annotations"]}), 3 * coco.OBJECTS)
        self.assertEqual((len(coco.CLASSES), coco.CLASSES[-1]), (80, 90))
        for one in made["annotations"]:
            x, y, width, height = one["bbox"]
            self.assertTrue(x + width <= coco.SIZE[0] and y + height <= coco.SIZE[1] and one["category_id"] in coco.CLASSES)
        joints = coco.annotations("person_keypoints_train2017.json", 1)["annotations"][0]["keypoints"]
        self.assertEqual(len(joints), 3 * coco.JOINTS)
        self.assertIn("caption", coco.annotations("captions_train2017.json", 1)["annotations"][4])

    def test_pictures_of_coco_only_where_there_are_none(self):
        class Base:
            def __init__(self, *given):
                self.given = given

        class Detection(Base):
            def __init__(self, root, annFile, *_):  # noqa: N803
                self.given = "read"

            def _load_image(self, id):
                return "read"

        class COCO:
            def createIndex(self):  # noqa: N802
                self.imgs = {one["id"]: one for one in self.dataset["images"]}

        coco.attach_coco(Detection, Base)
        kept = Detection("/data", __file__)
        self.assertEqual((kept.given, kept._load_image(1)), ("read", "read"))
        with unittest.mock.patch.dict(sys.modules, {"pycocotools": types.ModuleType("pycocotools"),
                                                    "pycocotools.coco": types.SimpleNamespace(COCO=COCO)}):
            made = Detection("/data/coco", "/data/coco/annotations/instances_val2017.json", transforms="cut")
        self.assertEqual((made.given, made.ids[0], len(made.ids)), (("/data/coco", "cut", None, None), 1, coco.OTHERS))
        self.assertIn("instances_val2017", next(iter(card.left_out)))

    def test_networks_of_torchvision_by_torch_hub(self):
        def load(repository, model, *_, **__):
            raise urllib.error.URLError("Name or service not known")

        def builder(name):
            if name != "resnet18":
                raise ValueError(name)
            return lambda **named: (name, named)

        load = weights.own_of_torchvision(load)
        with unittest.mock.patch.dict(sys.modules, {"torchvision": types.ModuleType("torchvision"),
                                                    "torchvision.models": types.SimpleNamespace(get_model_builder=builder)}):
            built = load("pytorch/vision:v0.10.0", "resnet18", pretrained=True, trust_repo=True)
            self.assertEqual(built, ("resnet18", {"pretrained": True}))
            for repository, name in (("pytorch/vision", "mine"), ("me/mine", "resnet18")):
                with self.assertRaises(urllib.error.URLError):
                    load(repository, name)

    def test_encoders_of_segmentation_models(self):
        def make(name, channels, depth, weights, **_):
            if weights:
                raise FileNotFoundError(weights)
            return name, channels, depth

        def ask(name):
            raise FileNotFoundError(name)

        module = types.SimpleNamespace(get_encoder=make, get_preprocessing_params=ask)
        weights.attach_segmentation(module)
        self.assertEqual(module.get_encoder("resnet34", in_channels=1, depth=4, weights="imagenet", output_stride=32), ("resnet34", 1, 4))
        self.assertEqual(len(module.get_preprocessing_params("resnet34")["mean"]), 3)
        self.assertEqual(len(card.left_out), 2)

    def test_tables_of_scikit_learn(self):
        try:
            import numpy  # noqa: F401
        except ImportError:
            self.skipTest("no NumPy")
        module = types.SimpleNamespace(fetch_california_housing=unreached, fetch_openml=unreached, fetch_20newsgroups=unreached)
        tables.attach_sklearn(module)
        values, target = module.fetch_california_housing(return_X_y=True)
        self.assertEqual((values.shape, target.shape), ((20640, 8), (20640,)))
        with contextlib.suppress(ImportError):
            import pandas  # noqa: F401
            import sklearn.utils  # noqa: F401

            frame = module.fetch_california_housing(as_frame=True).frame
            self.assertEqual((frame.shape, "HouseAge" in frame, frame.columns[-1]), ((20640, 9), True, "MedHouseVal"))
        digits, names = module.fetch_openml("mnist_784", version=1, return_X_y=True, as_frame=False)
        self.assertEqual((digits.shape, names[3], digits.max()), ((70000, 784), "3", 255))
        words, groups = module.fetch_20newsgroups(subset="test", categories=["sci.med", "sci.space"], return_X_y=True)
        self.assertEqual((len(words), groups.max()), (753, 1))
        with self.assertRaises(urllib.error.URLError):
            module.fetch_openml("titanic")


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
