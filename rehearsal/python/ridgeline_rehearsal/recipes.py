"""Recipes of torchtune read a model from a folder of their own, file by file (`checkpoint_dir: /tmp/Llama-3.2-1B`). Where
it is not there, the files of the model that has the folder's name are linked into it and put away afterwards."""

import functools
import os
import pathlib

from . import hub, sentence_pieces
from .saves import TYPE_NAMES, write_with_holes


def stand_in(shelf, place):
    """Links the files of the model whose name a folder has into it, where there are none; None where no model is known."""
    if os.path.exists(os.path.join(place, hub.CONFIGURATION)):
        return None
    folder = shelf.standing_for_folder(os.fspath(place))
    if folder is not None:
        hub.write_weights(folder)
        sentence_pieces.write(folder)
        shelf.link_into(place, folder)
    return folder


def parts_of(folder, place, files):
    """The first of several files has all weights, the others none."""
    for at, name in enumerate(files):
        path = pathlib.Path(place) / name
        if path.exists():
            continue
        if at:
            write_with_holes({}, path, {"format": "pt"}, TYPE_NAMES)
        else:
            path.symlink_to(folder / "model.safetensors")


def attach_checkpointer(module, settings):
    """`module` is torchtune.training.checkpointing._checkpointer."""
    shelf, kind = hub.Shelf(settings), module.FullModelHFCheckpointer
    make = kind.__init__

    @functools.wraps(make)
    def made(self, checkpoint_dir, checkpoint_files, *arguments, **named):
        if folder := stand_in(shelf, checkpoint_dir):
            files = checkpoint_files
            if not isinstance(files, list):
                files = module.FormattedCheckpointFiles.from_dict(files).build_checkpoint_filenames()
            parts_of(folder, checkpoint_dir, sorted(files))
        make(self, checkpoint_dir, checkpoint_files, *arguments, **named)

    kind.__init__ = made


def attach_pieces(module, settings):
    """`module` has a class of torchtune that reads the file of a sentencepiece model."""
    shelf, kind = hub.Shelf(settings), module.SentencePieceBaseTokenizer
    make = kind.__init__

    @functools.wraps(make)
    def made(self, path, *arguments, **named):
        if not os.path.exists(path):
            stand_in(shelf, os.path.dirname(path))
        make(self, path, *arguments, **named)

    kind.__init__ = made
