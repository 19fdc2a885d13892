"""Data sets of torchaudio that are neither on this machine nor to be downloaded: silent files in the folders that the
data set has, written where its own class reads them."""

import os
import pathlib
import wave

from . import card
from .data_sets import WORDS

COMMANDS = ("backward bed bird cat dog down eight five follow forward four go happy house learn left marvin nine no off "
            "on one right seven sheila six stop three tree two up visual wow yes zero").split()
SPOKEN = 40  # recordings of each command


def write_silence(path, seconds, rate):
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.suffix == ".flac":
        import numpy
        import soundfile

        soundfile.write(path, numpy.zeros(int(seconds * rate), numpy.int16), rate)
        return
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1), file.setsampwidth(2), file.setframerate(rate)
        file.writeframes(bytes(2 * int(seconds * rate)))


def sentence(at, words):
    return " ".join(WORDS[(at + i * 7) % len(WORDS)] for i in range(words)).upper()


def commands(self):
    """Speech Commands: a second of each word by so many speakers, and the two lists of files that are not trained on."""
    folder, lists = pathlib.Path(self._path), {"validation_list.txt": [], "testing_list.txt": []}
    for command in COMMANDS:
        for at in range(SPOKEN):
            name = f"{command}/{at:08x}_nohash_0.wav"
            write_silence(folder / name, 1, 16000)
            if at % 10 < 2:
                lists["testing_list.txt" if at % 10 else "validation_list.txt"].append(name)
    for name, lines in lists.items():
        (folder / name).write_text("\n".join(lines) + "\n")


def books(self):
    """LibriSpeech: utterances of 12 seconds and about 35 words by speaker and chapter."""
    for speaker in range(1, 9):
        folder, lines = pathlib.Path(self._path) / f"{speaker}" / "1", []
        for at in range(16):
            write_silence(folder / f"{speaker}-1-{at:04d}.flac", 12, 16000)
            lines.append(f"{speaker}-1-{at:04d} {sentence(speaker + at, 35)}")
        (folder / f"{speaker}-1.trans.txt").write_text("\n".join(lines) + "\n")


def reader(self):
    """LJ Speech: 6.6 seconds and about 17 words by one speaker."""
    lines = []
    for at in range(512):
        write_silence(pathlib.Path(self._path) / f"LJ001-{at:04d}.wav", 6.6, 22050)
        lines.append("|".join([f"LJ001-{at:04d}", *[sentence(at, 17).capitalize()] * 2]))
    pathlib.Path(self._metadata_path).write_text("\n".join(lines) + "\n")


def answers(self):
    """YESNO: sixty recordings of eight answers, which are their names."""
    for at in range(60):
        write_silence(pathlib.Path(self._path) / ("_".join(f"{(at >> i) & 1}" for i in range(8)) + ".wav"), 6, 8000)


SETS = {"SPEECHCOMMANDS": (commands, "a second"), "LIBRISPEECH": (books, "12 seconds"), "LJSPEECH": (reader, "6.6 seconds"),
        "YESNO": (answers, "6 seconds")}


def attach_torchaudio(module):
    """`module` is torchaudio.datasets."""
    def wrap(name, kind):
        write, length = SETS[name]
        make = kind.__init__

        def made(self, *arguments, **named):
            try:
                make(self, *arguments, **named)
                return
            except (OSError, RuntimeError):
                if not hasattr(self, "_path") or os.path.isdir(self._path):
                    raise  # what is there is read as it is
            write(self)
            card.left_out.add(f"the recordings {name}, which could not be reached: silence of {length} each")
            make(self, *arguments, **named)

        kind.__init__ = made

    for name in SETS:
        if hasattr(module, name):
            wrap(name, getattr(module, name))
