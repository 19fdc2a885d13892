"""Python objects that ranks send each other as bytes on the card (plans of a distributed checkpoint). The card moves
small messages alone: of a large object goes a word that says in which file it lies."""

import os
import pickle
import uuid

SMALL = 1 << 15  # what the card moves, less room for the pickle around it


def kept(path):
    """The object of a file; what unpickles its word calls this."""
    with open(path, "rb") as file:
        return pickle.load(file)


class InFile:
    """Stands for an object that lies in a file."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return kept, (self.path,)


def word_for(obj, folder):
    """The object itself where it is small, else what stands for it."""
    try:
        bytes_of_it = pickle.dumps(obj)
    except Exception:  # torch's own pickler may know more
        return obj
    if len(bytes_of_it) <= SMALL:
        return obj
    path = os.path.join(os.fspath(folder), f"object-{uuid.uuid4().hex}")
    with open(path, "wb") as file:
        file.write(bytes_of_it)
    return InFile(path)


def attach_distributed(module, settings):
    """`module` is torch.distributed.distributed_c10d."""
    pack = getattr(module, "_object_to_tensor", None)
    if pack is None:
        return

    def _object_to_tensor(obj, *arguments, **named):
        return pack(word_for(obj, settings.folder), *arguments, **named)

    module._object_to_tensor = _object_to_tensor
