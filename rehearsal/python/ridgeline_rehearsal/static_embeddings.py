"""Tables of words without a network behind them (StaticEmbedding of sentence-transformers), which have no configuration of
Transformers: their repository is a list of modules and, beside a tokenizer, one table."""

import json

from . import card, words
from .saves import TYPE_NAMES, write_with_holes

KIND, PART, MODULES = "static-embedding", "0_StaticEmbedding", "modules.json"


def folder_of(shelf, name, write_once):
    """The folder that stands for such a repository; None for others."""
    known = shelf.profile(name)
    if not known or known.get("model_type") != KIND:
        return None
    folder = shelf.folder / name.replace("/", "--")
    part = folder / PART
    if (folder / MODULES).exists():
        return folder
    import torch

    part.mkdir(parents=True, exist_ok=True)
    write_once(part / words.CONFIGURATION, json.dumps({"model_type": "bert", "vocab_size": known["vocab_size"]}))
    words.write_tokenizer(part, write_once)
    with torch.device("meta"):
        table = torch.empty(known["vocab_size"], known["hidden_size"])
    write_with_holes({"embedding.weight": table}, part / "model.safetensors", {"format": "pt"}, TYPE_NAMES)
    write_once(folder / MODULES, json.dumps(
        [{"idx": 0, "name": "0", "path": PART, "type": "sentence_transformers.models.StaticEmbedding"}]))
    card.left_out.add(f"the table of words {name}, which could not be reached: its size is assumed, as it is remembered")
    return folder
