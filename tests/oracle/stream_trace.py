"""Follows storages by CUDA stream: what a sharded training step asks of the caching allocator.

`StreamTrace` is `MemoryTrace` for distributed tensors: it looks below DTensor, follows storages that
FSDP2 resizes, and writes every allocation and free with the stream that was current, in the order of
the host, which is the order in which the allocator sees them. `allocator_replay.replay` turns that
list into reserved memory.
"""

import weakref

import torch
from torch.distributed.tensor._sharding_prop import ShardingPropagator
from torch.utils._pytree import tree_iter
from trace_memory import MemoryTrace, kernel_workspace, rounded

WRAPPERS = ("DTensor", "AsyncCollectiveTensor")


class StreamTrace(MemoryTrace):
    def __init__(self):
        super().__init__()
        self.events = []
        self.names = {}
        self.marks = []
        self.paused = False

    @classmethod
    def is_infra_mode(cls):
        return True  # torch.compile leaves a frame alone below any other mode

    def stream(self):
        found = torch.cuda.current_stream().cuda_stream
        return self.names.setdefault(found, len(self.names))

    def mark(self, name):
        self.marks.append((len(self.events), name, self.now, self.peak, self.peak_op))
        self.reset_peak()

    def _free(self, key):
        if key in self.live and self.live[key][0]:
            self.events.append(("free", key, self.live[key][0], 0, ""))
        super()._free(key)

    def add(self, tensor, op):
        storage = tensor.untyped_storage()
        key = storage._cdata
        if tensor.device.type != "cuda":
            return
        size = rounded(storage.nbytes())
        if key in self.live:
            if self.live[key][0] != size:  # resized below a dispatched operator
                self._resized(storage, size, op)
            return
        super().add(tensor, op)
        if size:
            self.events.append(("alloc", key, size, self.stream(), op))

    def _resized(self, storage, size, op):
        key = storage._cdata
        before = self.live[key]
        if before[0]:
            self.events.append(("free", key, before[0], 0, op))
        if size:
            self.events.append(("alloc", key, size, self.stream(), op))
        self.now += size - before[0]
        self.live[key] = (size, *before[1:])
        self.touch(0, op)

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        if any(t.__name__ in WRAPPERS for t in types):
            return NotImplemented
        if func is torch.ops.aten._local_scalar_dense.default:
            return True if args[0].dtype is torch.bool else 1
        if func._schema.name == "_c10d_functional::wait_tensor":
            return args[0]  # as the real one; the fake one would make another tensor
        out = func(*args, **(kwargs or {}))
        if self.paused:
            return out
        name = func._schema.name.split("::")[-1]
        for tensor in tree_iter(out):
            if isinstance(tensor, torch.Tensor) and type(tensor).__name__ not in WRAPPERS:
                self.add(tensor, name)
        extra = kernel_workspace(name, args)
        if extra:
            self.events.append(("brief", 0, rounded(extra), self.stream(), name))
        if not (self.in_backward and not self.modules and func is torch.ops.aten.add.Tensor):
            self.touch(extra, name)
        return out

    def __enter__(self):
        trace = self
        self._resize = torch.UntypedStorage.resize_

        def resize(storage, size):
            result = trace._resize(storage, size)
            if storage._cdata in trace.live:
                trace._resized(storage, rounded(size), "resize")
            return result

        torch.UntypedStorage.resize_ = resize
        # DTensor finds the shape of a result by running the operator on whole fake tensors.
        self._shapes = ShardingPropagator._propagate_tensor_meta_non_cached

        def shapes(*args, **kwargs):
            before, trace.paused = trace.paused, True
            try:
                return trace._shapes(*args, **kwargs)
            finally:
                trace.paused = before

        ShardingPropagator._propagate_tensor_meta_non_cached = shapes
        return super().__enter__()

    def __exit__(self, *what):
        torch.UntypedStorage.resize_ = self._resize
        ShardingPropagator._propagate_tensor_meta_non_cached = self._shapes
        return super().__exit__(*what)
