"""Folders and files that a script makes where none were: they are put away after each pass, so that the next one
finds what the first found, and the user what there was before. Caches stay, and so does what is large (downloads)."""

import os
import re
import sys
import tempfile

from . import card

CACHES = ("HF_HOME", "HF_HUB_CACHE", "HF_DATASETS_CACHE", "TORCH_HOME", "TRITON_CACHE_DIR", "TORCHINDUCTOR_CACHE_DIR",
          "XDG_CACHE_HOME", "TORCH_EXTENSIONS_DIR", "MPLCONFIGDIR")
SPARED = re.compile(r"/\.|__pycache__|^/(proc|dev|sys|run)/|/torchinductor_|/site-packages/|/dist-packages/")
CREATES = os.O_CREAT


class Made:
    """Hears of every file that Python opens and every folder that it makes."""

    def __init__(self, settings):
        self.settings = settings
        self.known = set()
        self.folders = []  # all that were made, also those that are gone with their maker
        self.busy = False
        named = [os.environ[name] for name in CACHES if os.environ.get(name)]
        own = [settings.folder, settings.recorded, settings.scratch, settings.libraries, sys.prefix, sys.base_prefix]
        self.spared = tuple(os.path.abspath(os.fspath(place)) + os.sep for place in [*named, *own])
        # What tempfile names is gone with its maker, or meant for another process.
        self.temporary = re.compile(re.escape(tempfile.gettempdir()) + r"/(tmp|pymp-|torchelastic_|wandb|pytest)")

    def hear(self, event, arguments):
        if self.busy or event not in ("open", "os.mkdir"):
            return
        path, flags = arguments[0], CREATES
        if event == "os.mkdir" and isinstance(path, (str, os.PathLike)):
            self.folders.append(os.path.abspath(os.fspath(path)))
        if event == "open":
            mode, flags = arguments[1:3]
            if isinstance(mode, str):
                flags = CREATES if set(mode) & set("wax") else 0
        if isinstance(flags, int) and flags & CREATES and isinstance(path, (str, os.PathLike)):
            self.busy = True
            try:
                self.note(os.path.abspath(os.fspath(path)))
            finally:
                self.busy = False

    def note(self, path):
        """Tells of a path that is about to be made, unless a folder around it has been told of."""
        if path in self.known or os.path.lexists(path):
            return
        if SPARED.search(path) or path.startswith(self.spared) or self.temporary.match(path):
            return
        if path in (self.settings.snapshot, self.settings.trace):  # asked for, and not the script's
            return
        self.known.add(path)
        above = os.path.dirname(path)
        while above not in self.known and above != os.path.dirname(above):
            above = os.path.dirname(above)
        if above not in self.known:
            card.problem(self.settings.folder, "made", path)


def watch(settings):
    made = Made(settings)
    sys.addaudithook(made.hear)
    return made
