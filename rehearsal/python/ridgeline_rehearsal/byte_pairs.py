"""Encodings of tiktoken whose tables cannot be fetched: as many pieces as the encoding has, the words of made-up texts
one token each."""

import functools
import itertools
import os

from . import card
from .data_sets import WORDS

# Pieces by the file that holds them; rows of words with a meaning of their own are tiktoken's own matter.
PIECES = {"vocab.bpe": 50256, "tokenizer.model": 128000,  # the latter of Llama 3, where it is one of tiktoken
           "r50k_base": 50256, "p50k_base": 50280, "cl100k_base": 100256, "o200k_base": 199998}
END_OF_TEXT = 50256  # a row between the pieces of p50k_base


def pieces_of(count):
    """{bytes: row}: each byte, the beginnings of words (pairs are joined in the order of their rows), then what nobody
    writes."""
    made = [bytes([value]) for value in range(256)]
    words = [before + word for word in WORDS for before in ("", " ", "\n")]
    made += [word[:at].encode() for word in words for at in range(2, len(word) + 1)]
    made += [text.capitalize() for text in made[256:]]
    fill = (bytes(three) for three in itertools.product(range(128, 256), repeat=3))
    made = list(dict.fromkeys(made))
    made += itertools.islice(fill, count - len(made))
    rows = (row for row in itertools.count() if row != END_OF_TEXT or count != PIECES["p50k_base"])
    return dict(zip(made, rows))


def attach_tiktoken(module):
    """`module` is tiktoken.load."""
    def wrap(name):
        load = getattr(module, name)

        @functools.wraps(load)
        def load_or_make(*arguments, **named):
            try:
                return load(*arguments, **named)
            except OSError:
                address = str(next(iter([*arguments, *named.values()])))
                count = PIECES.get(address.rsplit("/", 1)[-1].removesuffix(".tiktoken"))
                if count is None or os.path.exists(address) or "://" not in address and address[-6:] != ".model":
                    raise
                card.left_out.add(f"the pieces of {address}, which could not be reached: made-up words are one token each")
                return pieces_of(count)

        setattr(module, name, load_or_make)

    wrap("load_tiktoken_bpe")
    wrap("data_gym_to_mergeable_bpe_ranks")
