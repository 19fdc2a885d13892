"""libridgeline by ctypes: opened at the first question, asked from any thread."""
import os
import sys
from _thread import allocate_lock

INSIDE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "inside")  # of a wheel


def prefixes():
    """Folders laid out as installed (bin, lib, share/ridgeline), nearest first."""
    named = os.environ.get("RIDGELINE_PREFIX")
    return [named] if named else [INSIDE, sys.prefix, "/usr/local", "/usr"]


def _there(part, what):
    places = [os.path.join(prefix, part) for prefix in prefixes()]
    for place in places:
        if os.path.exists(place):
            return place
    raise ImportError(f"{what} was not found; looked at " + ", ".join(places))


def data_folder():
    """The folder that holds catalog/ and profiles/."""
    return os.path.dirname(_there("share/ridgeline/catalog", "the catalog"))


def program():
    """The program that lies beside the library."""
    return _there("bin/ridgeline", "the program ridgeline")


def _shared_library():
    from glob import escape, glob

    for prefix in prefixes():
        for pattern in ("lib*/libridgeline.so*", "lib/*/libridgeline.so*"):
            for place in sorted(glob(os.path.join(escape(prefix), pattern))):
                return place
    return "libridgeline.so.0"


class Library:
    """One world of catalog and profiles, shared by all threads of the process."""

    def __init__(self):
        import ctypes

        self._text_at = ctypes.string_at
        calls = ctypes.CDLL(_shared_library())
        calls.ridgeline_open.restype = ctypes.c_void_p
        calls.ridgeline_open.argtypes = [ctypes.c_char_p, ctypes.c_char_p, ctypes.c_size_t]
        calls.ridgeline_ask.restype = ctypes.c_void_p
        calls.ridgeline_ask.argtypes = [ctypes.c_void_p, ctypes.c_char_p]
        calls.ridgeline_ask_each.restype = None
        calls.ridgeline_ask_each.argtypes = [ctypes.c_void_p, ctypes.POINTER(ctypes.c_char_p),
                                             ctypes.c_size_t, ctypes.POINTER(ctypes.c_void_p)]
        self._texts, self._addresses = ctypes.c_char_p, ctypes.c_void_p
        calls.ridgeline_free.restype = None
        calls.ridgeline_free.argtypes = [ctypes.c_void_p]
        calls.ridgeline_version.restype = ctypes.c_char_p
        self._calls = calls
        self._world = calls.ridgeline_open(os.fsencode(data_folder()), None, 0)
        if not self._world:
            raise MemoryError("ridgeline_open")

    def ask(self, text):
        """The answer to a request, both JSON texts; other threads run meanwhile."""
        answer = self._calls.ridgeline_ask(self._world, text.encode())
        if not answer:
            raise MemoryError("ridgeline_ask")
        try:
            return self._text_at(answer).decode()
        finally:
            self._calls.ridgeline_free(answer)

    def ask_each(self, texts):
        """The answers to several requests by one call, in which other threads run."""
        count = len(texts)
        answers = (self._addresses * count)()
        self._calls.ridgeline_ask_each(self._world,
                                       (self._texts * count)(*[text.encode() for text in texts]),
                                       count, answers)
        try:
            if not all(answers):
                raise MemoryError("ridgeline_ask_each")
            return [self._text_at(answer).decode() for answer in answers]
        finally:
            for answer in answers:
                self._calls.ridgeline_free(answer)

    def version(self):
        return self._calls.ridgeline_version().decode()


_lock = allocate_lock()
_library = None


def library():
    """The one of this process."""
    global _library
    if _library is None:
        with _lock:
            if _library is None:
                _library = Library()
    return _library
