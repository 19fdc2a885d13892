#!/usr/bin/env python3
"""What a host does to a recording before Whisper hears it: milliseconds of one core for 30 s of an mp3, its features, its pauses.

Usage: sound_host.py [SECONDS]. Needs av, and faster-whisper for all but the decoding; no GPU, no network.
"""
import io
import sys
import time

import av
import numpy as np

SECONDS = int(sys.argv[1]) if len(sys.argv) > 1 else 300
RATE = 44100


def recording():
    """A tone that swells three times a second over noise, as an mp3 of 128 kbit/s in stereo."""
    at = np.arange(RATE * SECONDS) / RATE
    wave = 0.2 * np.sin(1380 * at) * np.sin(19 * at) + 0.05 * np.random.default_rng(0).standard_normal(len(at))
    samples = (np.stack([wave, wave]) * 32767).astype(np.int16)
    file = io.BytesIO()
    with av.open(file, "w", format="mp3") as container:
        stream = container.add_stream("mp3", rate=RATE)
        stream.layout = "stereo"
        for begin in range(0, samples.shape[1], RATE):
            frame = av.AudioFrame.from_ndarray(np.ascontiguousarray(samples[:, begin:begin + RATE]), format="s16p", layout="stereo")
            frame.sample_rate = RATE
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    return file.getvalue()


def decoded(file):
    """As audio.py of faster-whisper decodes it: 16 kHz, one channel."""
    resampler = av.audio.resampler.AudioResampler(format="s16", layout="mono", rate=16000)
    parts = []
    with av.open(io.BytesIO(file)) as container:
        for frame in container.decode(audio=0):
            parts += [part.to_ndarray().ravel() for part in resampler.resample(frame)]
    return np.concatenate(parts).astype(np.float32) / 32768


def told(name, work):
    work()
    begun = time.process_time()
    result = work()
    print(f"{name}: {(time.process_time() - begun) / SECONDS * 30 * 1e3:.0f} ms")
    return result


file = recording()
sound = told("decoding", lambda: decoded(file))
from faster_whisper.feature_extractor import FeatureExtractor  # noqa: E402
from faster_whisper.vad import VadOptions, get_speech_timestamps  # noqa: E402
told("features", lambda: FeatureExtractor(feature_size=128)(sound))
told("pauses", lambda: get_speech_timestamps(sound, VadOptions()))
