"""Checkpoints of a rehearsal hold no trained weights: they go to a scratch folder, as files with holes,
so that the user's own are not overwritten; a script that loads what it saved finds it there."""

import builtins
import io
import json
import os
import pathlib
import shutil

from . import card, kept_out


class Redirected:
    """Which files were written to the scratch folder instead of their own place."""

    def __init__(self, settings):
        self.settings = settings
        self.places = {}

    def target(self, file, told=True):
        """The place in the scratch folder for a path; anything else stays what it is."""
        if not isinstance(file, (str, os.PathLike)):
            return file
        path = os.path.abspath(os.fspath(file))
        if path not in self.places:
            to = self.settings.scratch / path.lstrip("/")
            to.parent.mkdir(parents=True, exist_ok=True)
            self.places[path] = str(to)
            if told:
                card.problem(self.settings.folder, "saved", path)
        return self.places[path]

    def source(self, file):
        """Where a path was written to in this rehearsal, or the path itself."""
        if not isinstance(file, (str, os.PathLike)):
            return file
        path = os.path.abspath(os.fspath(file))
        if path in self.places:
            return self.places[path]
        scratch = self.settings.scratch / path.lstrip("/")
        return str(scratch) if scratch.is_file() else file


def redirected_by(settings):
    """The one of this process."""
    if not hasattr(settings, "redirected"):
        settings.redirected = Redirected(settings)
    return settings.redirected


def on_disk(file):
    """The file behind what a distributed checkpoint wraps around it, into which holes can be made; else what was given."""
    behind = getattr(file, "raw", None)
    return behind if isinstance(behind, io.BufferedWriter) else file


def attach_checkpoint(module, settings):
    """Distributed checkpoints name their files through a class of their own."""
    redirected, files = redirected_by(settings), module.FileSystem
    stream, rename, exists, remove = files.create_stream, files.rename, files.exists, files.rm_file

    def create_stream(self, path, mode):
        return stream(self, pathlib.Path(redirected.source(path) if mode.startswith("r") else redirected.target(path)), mode)

    def rename_there(self, path, new_path):
        written = redirected.source(path)
        return rename(self, written, redirected.target(new_path) if written != path else new_path)

    def is_there(self, path):
        return exists(self, redirected.source(path))

    def remove_there(self, path):
        if redirected.source(path) != path:  # the user's own stays
            remove(self, redirected.source(path))

    files.create_stream, files.rename, files.exists, files.rm_file = create_stream, rename_there, is_there, remove_there


def attach_torch(torch, settings):
    """torch.save writes shapes without contents where torch can (from 2.6 on)."""
    redirected = redirected_by(settings)
    kept_out.attach(redirected, os, shutil, builtins, io)
    save, load = torch.save, torch.load
    without_data = getattr(torch.serialization, "skip_data", None)

    def save_elsewhere(obj, f, *arguments, **named):
        to = redirected.target(on_disk(f))
        hollow = isinstance(to, (str, io.BufferedWriter)) and named.get("_use_new_zipfile_serialization") is not False
        if without_data is None or not hollow:
            return save(obj, to, *arguments, **named)
        with without_data():
            return save(obj, to, *arguments, **named)

    def load_from_there(f, *arguments, **named):
        return load(redirected.source(f), *arguments, **named)

    torch.save = torch.serialization.save = save_elsewhere
    torch.load = torch.serialization.load = load_from_there


def write_with_holes(tensors, path, metadata, names):
    """A safetensors file with the right header and no contents."""
    header, at = {}, 0
    if metadata:
        header["__metadata__"] = metadata
    for name, tensor in tensors.items():
        size = tensor.numel() * tensor.element_size()
        header[name] = {"dtype": names[str(tensor.dtype)], "shape": list(tensor.shape), "data_offsets": [at, at + size]}
        at += size
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as file:
        file.write(len(text).to_bytes(8, "little") + text)
        file.truncate(8 + len(text) + at)


TYPE_NAMES = {"torch.float64": "F64", "torch.float32": "F32", "torch.float16": "F16", "torch.bfloat16": "BF16",
              "torch.int64": "I64", "torch.int32": "I32", "torch.int16": "I16", "torch.int8": "I8",
              "torch.uint8": "U8", "torch.bool": "BOOL", "torch.float8_e4m3fn": "F8_E4M3",
              "torch.float8_e5m2": "F8_E5M2"}


def attach_safetensors(module, settings):
    redirected = redirected_by(settings)
    load = module.load_file

    def save_file(tensors, filename, metadata=None):
        write_with_holes(tensors, pathlib.Path(redirected.target(filename)), metadata, TYPE_NAMES)

    def load_file(filename, *arguments, **named):
        return load(redirected.source(filename), *arguments, **named)

    module.save_file = save_file
    module.load_file = load_file
