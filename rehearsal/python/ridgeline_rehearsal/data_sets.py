"""Data sets of the hub where it cannot be reached: rows made up with the columns that the data set has, or
that the script names. What they hold moves no kernel; how long they are does, and is told as assumed."""

import io
import json
import os
import pathlib
import random
import re
import sys

from . import card
from .columns import (  # noqa: F401, some for those that ask here
    ROWS_OF_OTHER_SPLITS, columns_in_name, columns_named, columns_of, columns_tested, columns_together, columns_trained_on, known_sets,
    own_files)
from .rows import MADE_UP, any_made_up, as_many_as_shares_take, repeated

# A rehearsal reads few rows, but scripts tokenise all of them first: as many as that does in seconds.
ROWS, DIFFERENT_ROWS = 10000, 64
SLOW = ("audio", "pictures", "seen")  # to make inputs of: what is made of one row is the same for others
ALL_WORDS, FEWEST_ROWS = 400_000, 2048
WORDS = ("the of and to in a is that for it was on with as by at from his an were are which this be or had not "
         "but one have first their has its new after who they two her she time other when there year people made "
         "over city into many may state world between where used known through until under during system number "
         "water place history music called school house later large family small group public example country").split()
PACKAGED = ("json", "csv", "text", "parquet", "arrow", "imagefolder", "audiofolder", "webdataset", "pandas", "xml")


class Maker:
    """Values of one column; the same in every process and pass."""

    def __init__(self, kind):
        named = dict(enumerate(kind)) if isinstance(kind, list) else kind if isinstance(kind, dict) else {}
        self.parts = {name: Maker(part) for name, part in named.items()}
        self.kind, *rest = kind.split(":") if not self.parts else ("list" if isinstance(kind, list) else "parts",)
        self.sizes = [int(word) for word in rest]
        self.random = random.Random(f"{kind}")
        self.kept = None

    def text(self, words):
        count = max(1, int(words * self.random.uniform(0.5, 1.5)))
        return " ".join(self.random.choices(WORDS, k=count))

    def words(self):
        """How many words a row has about; none where it is no text."""
        if self.kind in ("text", "words"):
            return self.sizes[0]
        if self.parts:
            return sum(maker.words() for maker in self.parts.values())
        return {"translation": 4 * self.sizes[0], "texts": self.sizes[0] * self.sizes[-1], "messages": self.sizes[0] * self.sizes[-1],
                "conversations": self.sizes[0] * self.sizes[-1]}.get(self.kind, 0) if self.sizes else 0

    def turns(self, role, content, roles):
        return [{role: roles[i % 2], content: self.text(self.sizes[1])} for i in range(self.sizes[0])]

    def picture(self, mode):
        if self.kept is None:
            from PIL import Image

            self.kept = io.BytesIO()
            Image.new(mode, tuple(self.sizes), 127 if mode == "L" else (120, 130, 140)).save(self.kept, "PNG")
        return {"bytes": self.kept.getvalue(), "path": None}

    def picture_file(self):
        """Where a picture lies; its file goes with the rehearsal."""
        content = self.picture("RGB")["bytes"]
        path = pathlib.Path(os.environ["RIDGELINE_REHEARSAL"]).parent.parent / "picture.png"
        if not path.exists():
            part = path.with_name(f"{path.name}.{os.getpid()}")
            part.write_bytes(content)
            part.rename(path)
        return str(path)

    def seen(self):
        """Turns of a talk about one picture, which the first of them shows."""
        turns = self.turns("role", "content", ("user", "assistant"))
        return [{"role": turn["role"], "content": [{"type": "image", "text": None}][: not i] + [{"type": "text", "text": turn["content"]}]}
                for i, turn in enumerate(turns)]

    def boxes(self):
        """Objects of a picture in COCO's way: so many of so many classes."""
        count, classes = self.sizes
        return {"id": list(range(count)), "area": [1200.0] * count, "bbox": [[20.0 + i, 20.0, 40.0, 30.0] for i in range(count)],
                "category": [i % classes for i in range(count)]}

    def sound(self):
        if self.kept is None:
            import wave

            self.kept = io.BytesIO()
            with wave.open(self.kept, "wb") as file:
                file.setnchannels(1), file.setsampwidth(2), file.setframerate(self.sizes[1])
                file.writeframes(bytes(2 * self.sizes[0] * self.sizes[1]))
        return {"bytes": self.kept.getvalue(), "path": None}

    def value(self, row):
        made = {
            "text": lambda: self.text(self.sizes[0]),
            "label": lambda: row % self.sizes[0],
            "number": lambda: row,
            "score": lambda: self.random.random(),
            "grade": lambda: 1,
            "truth": lambda: row % 2 == 0,
            "truths": lambda: [i % 3 > 0 for i in range(self.sizes[0])],
            "texts": lambda: [self.text(self.sizes[1]) for _ in range(self.sizes[0])],
            "name": lambda: f"{row}",
            "names": lambda: [f"{other}" for other in range(self.sizes[0])],
            "words": lambda: self.random.choices(WORDS, k=self.sizes[0]),
            "tags": lambda: [i % self.sizes[1] for i in range(self.sizes[0])],
            "answers": lambda: {"text": [WORDS[0]], "answer_start": [0]},
            "translation": lambda: {language: self.text(self.sizes[0]) for language in ("en", "de", "fr", "ro")},
            "messages": lambda: self.turns("role", "content", ("user", "assistant")),
            "conversations": lambda: self.turns("from", "value", ("human", "gpt")),
            "image": lambda: self.picture("RGB"),
            "grey": lambda: self.picture("L"),
            "picture_file": self.picture_file,
            "picture_bytes": lambda: self.picture("RGB")["bytes"],
            "audio": self.sound,
            "pictures": lambda: [self.picture("RGB")],
            "seen": self.seen,
            "boxes": self.boxes,
            "list": lambda: [maker.value(row) for maker in self.parts.values()],
            "parts": lambda: {name: maker.value(row) for name, maker in self.parts.items()},
        }
        return made[self.kind]()

    def feature(self, datasets):
        """The type of the column, where its values alone do not say it."""
        names = [str(i) for i in range(self.sizes[-1])] if self.kind in ("label", "tags", "boxes") else None
        kinds = {"label": lambda: datasets.ClassLabel(names=names), "image": datasets.Image, "grey": datasets.Image,
                 "audio": lambda: datasets.Audio(sampling_rate=self.sizes[1]),
                 "pictures": lambda: datasets.Sequence(datasets.Image()),
                 "tags": lambda: datasets.Sequence(datasets.ClassLabel(names=names)),
                 "boxes": lambda: datasets.Sequence({
                     "id": datasets.Value("int64"), "area": datasets.Value("float32"),
                     "bbox": datasets.Sequence(datasets.Value("float32"), length=4),
                     "category": datasets.ClassLabel(names=names)})}
        return kinds[self.kind]() if self.kind in kinds else None


def after_one_prompt(chosen, rejected):
    """The rejected answer behind the beginning that it shares with the chosen one."""
    shared = len(chosen) // 2 if isinstance(chosen, str) else len(chosen) - 1
    return chosen[:shared] + rejected[shared:]


def rows_of(datasets, columns, count):
    """A data set of `count` rows."""
    makers = {name: Maker(kind) for name, kind in columns.items()}
    asked, slow = count, any(maker.kind in SLOW for maker in makers.values())
    count = min(count, DIFFERENT_ROWS) if slow else count
    count = min(count, max(FEWEST_ROWS, ALL_WORDS // max(1, sum(maker.words() for maker in makers.values()))))
    values = {name: [maker.value(row) for row in range(count)] for name, maker in makers.items()}
    if "chosen" in values and "rejected" in values:  # two answers to one prompt
        values["rejected"] = [after_one_prompt(*pair) for pair in zip(values["chosen"], values["rejected"])]
    made = datasets.Dataset.from_dict(values)
    for name, maker in makers.items():
        feature = maker.feature(datasets)
        if feature is not None:
            made = made.cast_column(name, feature)
    return repeated(made, asked) if slow else made


LABEL_FILE = re.compile(r"(?:(.*)[-_])?(id2label|label2id)\.json$")


def labels_beside(name, file):
    """The text of a file beside a data set that numbers its classes (id2label.json); None where they are not known."""
    asked = LABEL_FILE.search(file.rsplit("/", 1)[-1])
    known = columns_of((asked and asked.group(1)) or name, None) if asked else None
    if not known or "classes" not in known:
        return None
    names = {str(i): f"{i}" for i in range(known["classes"])}
    card.left_out.add(f"the names of the {len(names)} classes of {file if asked.group(1) else name}, which could not be reached")
    return json.dumps(names)


def splits_in(words):
    """Names of splits in "train[:10%]+test"."""
    return re.findall(r"(?:^|\+)\s*([A-Za-z_][\w.]*)", words) if isinstance(words, str) else []


def length_of(column, kind):
    """How long what a column holds is made, in words; empty where that is no matter."""
    if isinstance(kind, list):
        return length_of(column, kind[0])
    if isinstance(kind, dict):
        return ", ".join(filter(None, (length_of(f"{column}.{part}", one) for part, one in kind.items())))
    kind, *sizes = kind.split(":")
    if kind == "texts":
        return f"{column} of {sizes[0]} texts of about {sizes[1]} words"
    if kind in ("text", "translation"):
        return f"{column} of about {sizes[0]} words"
    return f"{column} of {sizes[0]} turns of about {sizes[1]} words" if kind in ("messages", "conversations") else ""


def stand_in(datasets, name, part, split, streaming):
    if isinstance(split, (list, tuple)):
        return [stand_in(datasets, name, part, one, streaming) for one in split]
    if split is not None:
        split = split.to_spec() if hasattr(split, "to_spec") else str(split)
    known = dict(columns_of(name, part) or {})
    how = ""
    if not known:
        script = getattr(sys.modules.get("__main__"), "__file__", None)
        own = own_files(script)
        known = columns_together(columns_named(own, sys.argv), columns_trained_on(script), columns_tested(own))
        how = " with the columns that the script names or its trainer takes"
    splits = known.pop("splits", ["train", "validation", "test"])
    most = known.pop("rows", ROWS)
    known.pop("classes", None)
    wanted = splits_in(split)
    splits = list(dict.fromkeys([*wanted, *([] if wanted else splits)]))
    made = datasets.DatasetDict({
        one: rows_of(datasets, known, min(most, ROWS if one.startswith("train") else ROWS_OF_OTHER_SPLITS)) for one in splits})
    any_made_up.append(name)
    for one in made.values():
        one.info.description = MADE_UP  # what is made of these rows keeps it
    told = ", ".join(filter(None, (length_of(column, kind) for column, kind in known.items())))
    card.left_out.add(f"the data set {name}, which could not be reached: made-up rows{how}" + (f", {told}" if told else ""))
    if isinstance(split, str):
        for one, rows in as_many_as_shares_take(split, {one: len(made[one]) for one in made}).items():
            made[one] = repeated(made[one], rows)
        sizes = {one: len(made[one]) for one in made}
        parts = datasets.ReadInstruction.from_spec(split).to_absolute(sizes)
        pieces = [made[part.splitname].select(range(part.from_ or 0, sizes[part.splitname] if part.to is None else part.to))
                  for part in parts]
        made = datasets.concatenate_datasets(pieces) if len(pieces) > 1 else pieces[0]
    if not streaming:
        return made
    if isinstance(made, datasets.DatasetDict):
        return datasets.IterableDatasetDict({one: made[one].to_iterable_dataset() for one in made})
    return made.to_iterable_dataset()


def out_of_reach(error, name):
    """Whether a data set is missing because the hub cannot be reached, rather than by a wrong name or a file."""
    if os.path.exists(name) or name in PACKAGED or name.startswith((".", "/", "~")):
        return False
    words = f"{error}"
    return "Couldn't reach" in words or "Offline" in words or os.environ.get("HF_HUB_OFFLINE") == "1"


def attach_datasets(module):
    """`module` is datasets.load."""
    load = module.load_dataset

    def load_dataset(path, name=None, *arguments, split=None, streaming=False, **named):
        try:
            return load(path, name, *arguments, split=split, streaming=streaming, **named)
        except (OSError, ValueError) as error:
            if not isinstance(path, str) or not out_of_reach(error, path) or named.get("data_files"):
                raise
            import datasets

            return stand_in(datasets, path, name, split, streaming)

    module.load_dataset = load_dataset


class Nothing(dict):
    """Scores that nobody computed: each is 0."""

    def __missing__(self, key):
        return 0.0


# What metrics of `evaluate` name their scores, by their documentation; the others by their own name.
SCORES = {"rouge": ("rouge1", "rouge2", "rougeL", "rougeLsum"), "squad": ("exact_match", "f1"), "squad_v2": ("exact", "f1"),
          "glue/mrpc": ("accuracy", "f1"), "glue/qqp": ("accuracy", "f1"), "glue/stsb": ("pearson", "spearmanr"),
          "glue/cola": ("matthews_correlation",), "glue": ("accuracy",), "xnli": ("accuracy",), "sacrebleu": ("score", "bp"),
          "seqeval": ("overall_precision", "overall_recall", "overall_f1", "overall_accuracy"),
          "mean_iou": ("mean_iou", "mean_accuracy", "overall_accuracy"), "chrf": ("score",)}
NUMBERS = ("wer", "cer")  # whose score is a number by itself


class Metric:
    """Stands for a metric of `evaluate` whose script lies on the hub."""

    def __init__(self, name, part=None):
        self.name = name.rsplit("/", 1)[-1]
        self.scores = SCORES.get(f"{self.name}/{part}") or SCORES.get(self.name, (self.name,))

    def add(self, *_, **__):
        """Takes one prediction."""

    add_batch = add

    def compute(self, *_, **__):
        return 0.0 if self.name in NUMBERS else Nothing(dict.fromkeys(self.scores, 0.0))


def attach_evaluate(module):
    """`module` is evaluate.loading."""
    load = module.load

    def load_metric(path, *arguments, **named):
        try:
            return load(path, *arguments, **named)
        except OSError:
            if os.path.exists(path):
                raise
            card.left_out.add(f"the metric {path}, which could not be reached")
            return Metric(path, arguments[0] if arguments else named.get("config_name"))

    module.load = load_metric
