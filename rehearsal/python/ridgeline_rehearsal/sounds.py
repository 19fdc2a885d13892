"""Sound in data sets where what decodes it is not on this machine (torchcodec, FFmpeg): wave files, such as those of
made-up rows, are read all the same."""

import io
import types
import wave

from . import card


class Sound(dict):
    """What scripts ask of a decoded sound, by key or as of torchcodec's AudioDecoder."""

    def __init__(self, encoded, array, rate):
        super().__init__(path=encoded.get("path"), array=array, sampling_rate=rate)
        self.encoded = encoded
        seconds = len(array) / rate
        self.metadata = types.SimpleNamespace(sample_rate=rate, num_channels=1, duration_seconds=seconds,
                                              duration_seconds_from_header=seconds, path=encoded.get("path"))

    def get_all_samples(self):
        import torch

        return types.SimpleNamespace(data=torch.from_numpy(self["array"])[None], sample_rate=self["sampling_rate"],
                                     duration_seconds=self.metadata.duration_seconds, pts_seconds=0.0)


def of_wave(value, rate):
    """The samples of a file of 16-bit waves, one channel, at `rate` per second or its own; None for another file."""
    import numpy

    content = value.get("bytes") if isinstance(value, dict) else None
    try:
        with wave.open(io.BytesIO(content or b"")) as file:
            own, channels, width = file.getframerate(), file.getnchannels(), file.getsampwidth()
            samples = file.readframes(file.getnframes())
    except (wave.Error, EOFError):
        return None
    if width != 2:
        return None
    array = numpy.frombuffer(samples, numpy.int16).reshape(-1, channels).mean(1, dtype=numpy.float32) / 32768
    if rate and rate != own:
        array = numpy.interp(numpy.arange(len(array) * rate // own) * (own / rate), numpy.arange(len(array)), array)
    return Sound(value, array.astype(numpy.float32), rate or own)


def attach_datasets(module):
    """`module` is datasets.features.audio."""
    decode, encode = module.Audio.decode_example, module.Audio.encode_example

    def decode_example(self, value, *arguments, **named):
        if isinstance(value, Sound):
            return value
        try:
            return decode(self, value, *arguments, **named)
        except (ImportError, RuntimeError, OSError):
            found = of_wave(value, self.sampling_rate)
            if found is None:
                raise
            card.left_out.add("torchcodec, which does not work on this machine: sound was read without it")
            return found

    def encode_example(self, value):
        return value.encoded if isinstance(value, Sound) else encode(self, value)

    module.Audio.decode_example, module.Audio.encode_example = decode_example, encode_example
