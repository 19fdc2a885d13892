"""The file of a sentencepiece model (tokenizer.model), for those that read it without Transformers."""

import json

from . import words

NORMAL, UNKNOWN, CONTROL, BYTE = 1, 2, 3, 6  # kinds of pieces in sentencepiece's own format


def pieces_of(config):
    """[(piece, kind)] by their rows: named ones where the configuration has them, bytes, what made-up texts are made of,
    then words that nobody writes."""
    size, places = words.numbers_of(config)
    made = [word.replace(" ", "\u2581") for word in words.table_of(size, {}) if word]
    letters = [chr(letter) for letter in range(ord("a"), ord("z") + 1)]
    free = iter([*((f"<0x{value:02X}>", BYTE) for value in range(256)),
                 *((word, NORMAL) for word in dict.fromkeys(["\u2581", *letters, *made]))])
    return [(places[row], UNKNOWN if places[row] == "<unk>" else CONTROL) if row in places else next(free) for row in range(size)]


def write(folder):
    """tokenizer.model for the configuration in this folder; nothing where sentencepiece is not installed."""
    path = folder / "tokenizer.model"
    try:
        from sentencepiece import sentencepiece_model_pb2 as format_of
    except ImportError:
        return
    if path.exists():
        return
    model = format_of.ModelProto()
    pieces = pieces_of(json.loads((folder / words.CONFIGURATION).read_text()))
    for piece, kind in pieces:
        model.pieces.add(piece=piece, score=-1.0 if kind == NORMAL else 0.0, type=kind)  # the fewest pieces are the best
    rows = {piece: row for row, (piece, _) in enumerate(pieces)}
    known = {"unk_id": rows["<unk>"], "bos_id": rows.get("<s>", -1), "eos_id": rows.get("</s>", -1), "pad_id": rows.get("<pad>", -1)}
    for field, value in {"model_type": 1, "vocab_size": len(pieces), "byte_fallback": True, **known}.items():
        setattr(model.trainer_spec, field, value)
    model.normalizer_spec.name = "identity"
    model.normalizer_spec.add_dummy_prefix = model.normalizer_spec.escape_whitespaces = True
    path.write_bytes(model.SerializeToString())
