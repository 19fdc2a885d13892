"""Tensors in the arguments and results of operators."""

import contextlib
import ctypes
import functools
import mmap
import re

LIBC, DONTNEED, PAGE = ctypes.CDLL(None), 4, mmap.PAGESIZE  # madvise of Linux


def teams_of_openmp():
    """The libraries of OpenMP in this process, by their paths."""
    with open("/proc/self/maps") as file:
        return sorted({line.split(None, 5)[5].strip() for line in file if re.search(r"/lib(g|i)?omp\S*\.so", line)})


@functools.lru_cache(None)
def set_threads_of(torch):
    """What sets how many threads torch takes for one operator: that of its library of OpenMP, since torch's own function
    ends a pool of threads and makes another one each time."""
    before = torch.get_num_threads()
    for path in teams_of_openmp():
        with contextlib.suppress(OSError, AttributeError):
            found = ctypes.CDLL(path).omp_set_num_threads
            found(before + 1)
            heard = torch.get_num_threads() == before + 1
            found(before)
            if heard:
                return found
    return torch.set_num_threads


class alone:  # noqa: N801
    """One thread for what takes microseconds: a second one that a busy machine lets wait costs milliseconds each time."""

    __slots__ = ("torch", "threads")

    def __init__(self, torch):
        self.torch, self.threads = torch, torch.get_num_threads()

    def __enter__(self):
        if self.threads > 1:
            set_threads_of(self.torch)(1)

    def __exit__(self, *_):
        if self.threads > 1:
            set_threads_of(self.torch)(self.threads)


def give_pages_back(storage):
    """Memory of the host that smaller tensors wrote where this one lies now, of which one number is all that is kept."""
    begin = -(-storage.data_ptr() // PAGE) * PAGE
    size = (storage.data_ptr() + storage.nbytes() - begin) // PAGE * PAGE
    if size > 0:
        LIBC.madvise(ctypes.c_void_p(begin), ctypes.c_size_t(size), DONTNEED)


def fill_on_host(tensor, number, torch):
    """One number in all of a large tensor of the host. Noughts need no memory there: a script that keeps on the host what a
    card holds (a checkpoint, activations) would take gigabytes that nobody reads."""
    storage = tensor.untyped_storage()
    if number == 0 and not storage.is_shared() and tensor.numel() * tensor.element_size() >= storage.nbytes() > 2 * PAGE:
        give_pages_back(storage)
        raw = torch.empty(0, dtype=torch.uint8, device="cpu").set_(storage)
        if not raw[PAGE:-PAGE:PAGE].any():  # else they come back from a file
            raw[:PAGE].zero_()
            raw[-PAGE:].zero_()
            return
    tensor.fill_(number)


def once(value, like):
    """`value` with one element where `like` repeats one: what is expanded has no memory of each."""
    for dimension, (size, stride) in enumerate(zip(like.shape, like.stride())):
        if stride == 0 and size > 1:
            value = value.narrow(dimension, 0, 1)
    return value


def dense(tensor):
    """Whether the elements lie side by side in memory, in whatever order."""
    expected = 1
    for stride, size in sorted((stride, size) for size, stride in zip(tensor.shape, tensor.stride()) if size != 1):
        if stride != expected:
            return False
        expected *= size
    return True


compressed = []  # something, once a sparse tensor by rows or columns was seen


def parts_of(value, torch):
    """The tensors that hold a sparse one."""
    if value.layout is torch.sparse_coo:
        return [value._indices(), value._values()]
    if not compressed:
        compressed.append(True)
    if value.layout in (torch.sparse_csr, torch.sparse_bsr):
        return [value.crow_indices(), value.col_indices(), value.values()]
    if value.layout in (torch.sparse_csc, torch.sparse_bsc):
        return [value.ccol_indices(), value.row_indices(), value.values()]
    return []


def places_of(value, torch):
    """Those of them that say where its entries lie."""
    return parts_of(value, torch)[:-1]


NOTHING = frozenset((int, float, bool, str, type(None)))  # most arguments
wrappers = {}  # {class of tensors: whether they hold others, without memory of their own}


def tensors_of(value, torch):
    """All tensors in arguments or results, in their order, less wrappers that have no memory of their own."""
    kind = type(value)
    if kind in NOTHING:
        return []
    if kind is tuple or kind is list:
        return [t for v in value if type(v) not in NOTHING for t in tensors_of(v, torch)]
    if isinstance(value, torch.Tensor):
        if kind not in wrappers:
            wrappers[kind] = kind.__torch_dispatch__ is not torch._C._disabled_torch_dispatch_impl
        if wrappers[kind] or value._is_zerotensor():
            return []
        return [value] if value.layout is torch.strided else parts_of(value, torch)
    if isinstance(value, (list, tuple)):
        return [t for v in value for t in tensors_of(v, torch)]
    if isinstance(value, dict):
        return [t for v in value.values() for t in tensors_of(v, torch)] if value else []
    return []


def by_the_cpu(func, args, kwargs, in_place, torch):
    """An operator on the host. What has no kernel there for 16 bits, or for a result wider than what comes in (a
    softmax under autocast), is computed in 32."""
    try:
        return func(*args, **kwargs)
    except (RuntimeError, NotImplementedError):
        if in_place:
            raise
        words = [False if a.name == "half_to_float" else widened(v, torch) for a, v in zip(func._schema.arguments, args)]
        return func(*words, **{key: widened(value, torch) for key, value in kwargs.items()})


def widened(value, torch):
    if isinstance(value, torch.Tensor) and value.dtype in (torch.float16, torch.bfloat16):
        return value.float()
    return type(value)([widened(v, torch) for v in value]) if isinstance(value, (list, tuple)) else value
