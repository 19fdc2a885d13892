"""Which columns a data set of the hub has where it cannot be reached: those that are known of it, or those that the
script names or its trainer takes."""

import ast
import json
import os
import pathlib
import re
import sys

from . import nested
from .places import is_library

ROWS_OF_OTHER_SPLITS = 2000

NOT_COLUMNS = {"input_ids", "attention_mask", "token_type_ids", "pixel_values", "input_values", "input_features",
               "decoder_input_ids", "train", "test", "validation", "valid", "val", "train_sft", "test_sft"}
MASK = "grey:512:512"
KINDS = (("mask", MASK), ("annotation", MASK), ("label", "label:2"), ("image_path", "picture_file:512:512"),
         ("image_file", "picture_file:512:512"), ("image", "image:512:512"), ("img", "image:512:512"), ("audio", "audio:5:16000"),
         ("messages", "messages:2:100"), ("conversations", "conversations:2:100"), ("score", "score"))
# Columns that the trainers of TRL take: a script that hands them a data set as it is names none.
PAIRS = {"prompt": "text:110", "chosen": "text:170", "rejected": "text:170"}
JUDGED = {"prompt": "text:110", "completion": "text:170", "label": "truth"}
STEPS = {"prompt": "text:60", "completions": "texts:6:30", "labels": "truths:6"}  # of a solution, each right or wrong
TALKS, PROMPTS = {"messages": "messages:2:100"}, {"prompt": "text:100"}
TRAINERS = {"SFTTrainer": TALKS, "GKDTrainer": TALKS, "DPOTrainer": PAIRS, "ORPOTrainer": PAIRS, "CPOTrainer": PAIRS,
            "RewardTrainer": PAIRS, "KTOTrainer": JUDGED, "BCOTrainer": JUDGED, "PRMTrainer": STEPS, "GRPOTrainer": PROMPTS,
            "RLOOTrainer": PROMPTS, "TPOTrainer": {**PAIRS, "reference": "text:170"}, "GOLDTrainer": TALKS, "OnlineDPOTrainer": PROMPTS, "XPOTrainer": PROMPTS, "NashMDTrainer": PROMPTS}
# Parts of data sets for retrieval in BEIR's layout, whose rows know one another by their names.
# Which text answers which question: no more rows than texts or questions have, so that all they name is there.
ANSWERS = {"query-id": "name", "corpus-id": "name", "score": "grade", "rows": ROWS_OF_OTHER_SPLITS}
RETRIEVAL = {"corpus": {"_id": "name", "title": "text:8", "text": "text:100", "splits": ["corpus", "train"]},
             "queries": {"_id": "name", "text": "text:10", "splits": ["queries", "train"]},
             "qrels": ANSWERS, "relevant": ANSWERS,
             # Found by words, the best first: of NanoBEIR, whose sets have 50 questions each.
             "bm25": {"query-id": "name", "corpus-ids": "names:100", "rows": 50}}


def known_sets():
    return json.loads(pathlib.Path(__file__).with_name("data_sets.json").read_text())


def columns_of(name, part):
    """What is known of a data set: its columns and splits, or None."""
    known, word = known_sets(), name.lower().rstrip("/")
    last = word.rsplit("/", 1)[-1]
    tries = [f"{word}/{part}", f"{last}/{part}", word, last]
    if last == "imagenet-1k-wds" or last == "imagenet":
        tries.append("imagenet-1k")
    tries.append(re.sub(r"[_-]v?\d+([._]\d+)*$", "", last))  # another release of the same
    # What the whole data set is comes before its part: "scifact-qrels" has one, of whatever name.
    return next((known[one] for one in tries if one in known),
                RETRIEVAL["qrels"] if last.endswith(("-qrels", "_qrels")) else RETRIEVAL.get(part))


def columns_in_name(path):
    """Columns of text of the known data set whose name a file's path holds, the longest first (alpaca_data_cleaned.json);
    None where it holds none."""
    words = re.split(r"[-_./]+", path.lower())
    held = [name for name in known_sets() if "/" not in name and len(name) > 3 and
            (parts := re.split(r"[-_.]", name)) and any(words[at : at + len(parts)] == parts for at in range(len(words)))]
    if not held:
        return None
    columns = {key: kind for key, kind in known_sets()[max(held, key=len)].items() if key not in ("splits", "rows", "classes")}
    return columns if all(str(kind).split(":")[0] in ("text", "label", "number", "name", "score", "messages", "conversations", "truth", "texts")
                          for kind in columns.values()) else None


def column_of_flag(node, words):
    """The column that a script takes where its command names none: what a variable, an option or a field of options
    such as text_column has by default; None for another node."""
    flag, call = None, node
    if isinstance(node, (ast.AnnAssign, ast.Assign)):
        flag, call = getattr(node.target if isinstance(node, ast.AnnAssign) else node.targets[0], "id", ""), node.value
    elif isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "add_argument":
        flag = next((str(getattr(one, "value", "")).lstrip("-") for one in node.args), "")
    if not re.search(r"_column(_name)?$|text_field$", flag or "") or any(word.split("=")[0].lstrip("-") == flag for word in words):
        return None
    if not isinstance(call, ast.Call):
        return getattr(call, "value", None)
    return next((getattr(one.value, "value", None) for one in call.keywords if one.arg == "default"), None)


def defaults_of_flags(script):
    """Strings that the options of a script have where its command names none."""
    found = []
    for node in ast.walk(parsed(script)):
        if isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "add_argument":
            found += [one.value.value for one in node.keywords if one.arg == "default" and isinstance(getattr(one.value, "value", None), str)]
    return found


def own_files(script):
    """The script and the modules of its project that it has imported: those of no installed package."""
    if not script:
        return []
    main = os.path.abspath(getattr(sys.modules["__main__"], "__file__", None) or script)
    loaded = dict.fromkeys(getattr(module, "__file__", None) for module in list(sys.modules.values()))
    return [script, *(file for file in loaded if file and file.endswith(".py") and os.path.abspath(file) not in (script, main)
                      and not is_library(file))]


def parsed(script):
    try:
        return ast.parse(pathlib.Path(script).read_text())
    except (OSError, SyntaxError, ValueError, TypeError):
        return ast.Module([], [])


def array_of(node):
    """The column that a script makes an array of, np.array(row["label"]): a mask beside a picture; None for another node."""
    if not (isinstance(node, ast.Call) and getattr(node.func, "attr", "") in ("array", "asarray") and node.args):
        return None
    column = node.args[0]
    return getattr(column.slice, "value", None) if isinstance(column, ast.Subscript) else None


def named_in_turn(node):
    """Columns that a loop reads one after the other, `for name in ["jpg_0", "jpg_1"]: row[name]`; none for another node."""
    if not (isinstance(node, ast.For) and isinstance(node.target, ast.Name) and isinstance(node.iter, (ast.List, ast.Tuple))):
        return []
    read = any(isinstance(one, ast.Subscript) and isinstance(one.ctx, ast.Load) and getattr(one.slice, "id", None) == node.target.id
               for part in node.body for one in ast.walk(part))
    return [getattr(one, "value", None) for one in node.iter.elts] if read else []


def opened_in(node):
    """Columns that hold the bytes of a file, `BytesIO(row["jpg"])`: a picture's, in what scripts read rows of."""
    opens = [one for one in ast.walk(node) if isinstance(one, ast.Call) and
             "BytesIO" in (getattr(one.func, "attr", ""), getattr(one.func, "id", "")) and one.args]
    if isinstance(node, ast.For):
        return named_in_turn(node) if opens else []
    column = opens[0].args[0] if opens and opens[0] is node else None
    return [getattr(column.slice, "value", None)] if isinstance(column, ast.Subscript) else []


def missed_without_harm(node):
    """The column that a script does without where it is not there, `row.get("rating") is not None`; None for another node."""
    asked = node.left if isinstance(node, ast.Compare) and isinstance(node.ops[0], (ast.Is, ast.IsNot)) else None
    if not isinstance(asked, ast.Call) or getattr(asked.func, "attr", "") != "get" or len(asked.args) != 1:
        return None
    return getattr(asked.args[0], "value", None)


def made_by_maps(trees):
    """Columns that functions of a script make for its data set (`map`) without reading them: in what they return, or put
    into the row that they are given."""
    functions = {node.name: node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
    made, read = set(), set()
    for call in (node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Call)):
        if getattr(call.func, "attr", "") != "map" or not call.args:
            continue
        function = functions.get(getattr(call.args[0], "id", None), call.args[0])
        if not isinstance(function, (ast.FunctionDef, ast.Lambda)):
            continue
        returned = [function.body] if isinstance(function, ast.Lambda) else [one.value for one in ast.walk(function) if isinstance(one, ast.Return)]
        inside = list(ast.walk(function))
        named = [one for one in inside if isinstance(one, ast.Subscript) and isinstance(one.slice, ast.Constant)]
        own = {getattr(key, "value", None) for one in returned if isinstance(one, ast.Dict) for key in one.keys}
        own |= {one.slice.value for one in named if isinstance(one.ctx, ast.Store)}
        used = {one.slice.value for one in named if isinstance(one.ctx, ast.Load)}
        made |= own - used
        read |= used - made  # by a map that runs before
    return {name for name in made - read if isinstance(name, str)}


def columns_named(scripts, words):
    """Columns that a script reads, by what it puts between brackets, and by flags such as --text_column NAME."""
    found, arrays, files, missed = {}, set(), set(), set()
    for node in (node for script in scripts for node in ast.walk(parsed(script))):
        arrays.add(array_of(node))
        missed.add(missed_without_harm(node))
        if isinstance(node, (ast.For, ast.Call)):
            files.update(opened_in(node))  # other loops go through more than columns
        if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant) and isinstance(node.ctx, ast.Load):
            found[node.slice.value] = None
        elif isinstance(node, ast.keyword) and re.search(r"text_field|_column", node.arg or ""):
            found[getattr(node.value, "value", None)] = None
        else:
            found[column_of_flag(node, words)] = None
    for flag, value in zip(words, [*words[1:], ""]):
        if re.match(r"--\w*(column|field)", flag):
            found[flag.split("=", 1)[1] if "=" in flag else value.lstrip()] = None
    found.update(dict.fromkeys(files))
    missed |= made_by_maps([parsed(script) for script in scripts])
    named = [name for name in found if isinstance(name, str) and name.isidentifier() and name not in NOT_COLUMNS | missed]
    kinds = {name: kind_by_name(name) for name in named}
    kinds.update((name, "picture_bytes:512:512") for name in kinds if name in files)
    if any(kind.startswith("image") for kind in kinds.values()):
        kinds.update((name, MASK) for name, kind in kinds.items() if name in arrays and not kind.startswith("image"))
    return with_parts(kinds, scripts)


def kind_by_name(name):
    return "label:2" if name.startswith("is_") else next((kind for part, kind in KINDS if part in name.lower()), "text:100")


def with_parts(kinds, scripts):
    """The same, where columns that the script takes apart have their parts in them."""
    taken_apart, many = nested.parts_of_columns([parsed(script) for script in scripts])
    parts = {column: named for column, named in taken_apart.items() if column in kinds and kinds[column].startswith("text")}
    inside = {part for named in parts.values() for part in named}
    whole = {name: kind for name, kind in kinds.items() if name in parts or name not in inside}
    made = {column: {part: nested.kind_of_part(kind_by_name(part), is_list) for part, is_list in named.items()}
            for column, named in parts.items()}
    return {**whole, **{column: [one] * nested.TURNS if column in many else one for column, one in made.items()}}


def columns_documented(name):
    """Columns that a trainer of TRL says it takes: those named where its class describes `train_dataset`, else those that it
    keeps of a row; none where it says neither."""
    kind = next((vars(module)[name] for key, module in list(sys.modules.items())
                 if key.partition(".")[0] == "trl" and isinstance(vars(module).get(name), type)), None)
    told = re.search(r"train_dataset \(.*?\n(.*?)(?=\n\s*\w+ \(\[?`|\Z)", (kind and kind.__doc__) or "", re.S)
    found = re.findall(r'"([a-z_]+)"', told.group(1)) if told else []
    if kind and not found:
        kept = re.search(r"_signature_columns = (\[[^\]]*\])", pathlib.Path(sys.modules[kind.__module__].__file__).read_text())
        found = [one for one in ast.literal_eval(kept.group(1)) if one not in ("image", "images")] if kept else []
    return {one: PAIRS.get(one, "text:100") for one in found if one not in NOT_COLUMNS and not one.endswith("_ids")}


def columns_trained_on(script):
    """Columns of the first trainer of TRL that a script makes; none without one."""
    try:
        names = re.findall(r"\b(\w+Trainer)\(", pathlib.Path(script).read_text())
    except (OSError, ValueError, TypeError):
        return {}
    return next(filter(None, (TRAINERS.get(name) or columns_documented(name) for name in names)), {})


def columns_tested(scripts):
    """Columns that a script looks for before it reads them, `"completions" in row`: those of one of several data sets."""
    return {node.left.value for script in scripts for node in ast.walk(parsed(script))
            if isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.In) and isinstance(node.left, ast.Constant)}


def columns_together(named, trained, tested=()):
    """Columns of a data set of which only the script tells: what its trainer takes goes with what it names of
    that, but for what it looks for of another data set; where it names other columns alone, it makes the trainer's from them."""
    if named and not set(named) & set(trained):
        return dict(named)
    kept = {name: kind for name, kind in named.items() if not trained or name in trained or name not in tested}
    return {**kept, **trained} or {"text": "text:100"}
