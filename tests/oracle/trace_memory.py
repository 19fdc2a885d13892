"""Traces what a PyTorch training step keeps in device memory, without a device.

Runs real modules on fake CUDA tensors (torch FakeTensorMode; no data, no kernels) and follows every
storage from the operator that makes it until it is freed, with sizes rounded to 512 bytes as the
CUDA caching allocator rounds them. The stand-in card (stand_in.py) lets eager
torch choose the same operators that it chooses on a card without cuDNN attention: flash attention, CUDA autocast lists.

What a kernel allocates inside itself is not visible to a dispatcher; `kernel_workspace` adds the
parts known from the kernels' sources.
"""

import contextlib
import gc
import os
import weakref

import quantized_modules
import torch
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_iter


def rounded(size):
    """Bytes that the caching allocator hands out for a request of `size` bytes."""
    return (size + 511) // 512 * 512


def kernel_workspace(name, args):
    """Bytes that a kernel allocates and frees inside itself (flash-attention mha_bwd)."""
    if name == "gemm_4bit" and args[0].numel() // args[0].shape[-1] > 1536:
        # Long inputs expand the weight first; with double quantisation its absmax in fp32 too.
        rows, columns = args[2]
        nested = args[3].numel() < rows * columns // 64
        return rows * columns * args[0].element_size() + (rows * columns // 64 * 4 if nested else 0)
    if name == "_softmax_backward_data":
        # softmax_backward_cuda multiplies gradient and output into a tensor of its own.
        return args[0].numel() * args[0].element_size()
    if "efficient_attention_backward" in name and args[1].element_size() == 2:
        return 4 * args[1].numel()  # the kernel sums dq in fp32
    if "flash_attention_backward" not in name:
        return 0
    q, k = args[1], args[2]
    batch, heads, length, width = q.shape
    kv_heads, kv_length = k.shape[1], k.shape[2]
    rounded_length = (length + 127) // 128 * 128
    rounded_width = (width + 31) // 32 * 32
    # dq accumulates in fp32, one fp32 row statistic; with grouped heads dk and dv are made for
    # every query head and summed afterwards.
    total = 4 * batch * heads * rounded_length * (rounded_width + 1)
    if kv_heads != heads:
        total += 2 * batch * heads * kv_length * width * q.element_size()
    return total


# The trace that runs, for code that stands for a fused kernel.
CURRENT = None


class MemoryTrace(TorchDispatchMode):
    """Follows storages; `marks` holds (live, peak since the mark before) by name."""

    def __init__(self):
        super().__init__()
        self.live = {}
        self.now = 0
        self.peak = 0
        self.peak_live = None
        self.snapshot_peak = False
        self.modules = []
        self.peak_op = ""
        self.nonzero_rows = None
        self.in_backward = False
        self.shared = set()  # shapes of parameters that two modules share
        self.quiet = 0  # above zero: what operators make inside a fused kernel is no allocation

    def _free(self, key):
        entry = self.live.pop(key, None)
        if entry is not None:
            self.now -= entry[0]

    def add(self, tensor, op):
        storage = tensor.untyped_storage()
        key = storage._cdata
        if tensor.device.type != "cuda" or key in self.live:
            return
        size = rounded(storage.nbytes())
        where = self.modules[-1] if self.modules else ""
        self.live[key] = (size, op, tuple(tensor.shape), str(tensor.dtype).split(".")[-1], where)
        self.now += size
        weakref.finalize(storage, self._free, key)

    def touch(self, extra, op):
        if self.quiet == 0 and self.now + extra > self.peak:
            self.peak = self.now + extra
            self.peak_op = op
            if self.snapshot_peak:
                self.peak_live = list(self.live.values())

    def sums_apart(self, gradient):
        """The gradient of a table that embedding and head share: into what the head's product made real
        torch (2.8, 2.15) does not add in place."""
        made = self.live.get(gradient.untyped_storage()._cdata, (0, ""))[1]
        return made in ("mm", "_to_copy") and tuple(gradient.shape) in self.shared

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        if func is torch.ops.aten._local_scalar_dense.default:
            # A question that the host asks of the data ("is every position zero?"): yes, or one.
            return True if args[0].dtype is torch.bool else 1
        if func is torch.ops.aten.nonzero.default and self.nonzero_rows:
            rows = self.nonzero_rows(args[0])
            out = args[0].new_zeros((rows, args[0].dim()), dtype=torch.long)
        else:
            out = func(*args, **(kwargs or {}))
        name = func._schema.name.split("::")[-1]
        for tensor in tree_iter(out):
            if isinstance(tensor, torch.Tensor):
                self.add(tensor, name)
        sums = self.in_backward and not self.modules and func is torch.ops.aten.add.Tensor
        if not sums or self.sums_apart(args[0]):
            # The engine sums gradients in place; with fake tensors it cannot, so that the sum would
            # be counted beside its terms, which are freed before the next operator. Inside a module
            # a checkpoint runs again.
            self.touch(kernel_workspace(name, args), name)
        return out

    def adopt(self, module):
        for tensor in (*module.parameters(), *module.buffers(), *quantized_modules.states(module)):
            self.add(tensor, "parameter")
        named = [p for part in module.modules() for p in part._parameters.values() if p is not None]
        self.shared = {tuple(p.shape) for p in named if sum(p is other for other in named) > 1}

    def reset_peak(self):
        self.peak = self.now
        self.peak_op = ""
        self.peak_live = None

    @contextlib.contextmanager
    def watch_modules(self, model):
        handles = []
        names = {id(m): n for n, m in model.named_modules()}

        def enter(module, _):
            self.modules.append(names.get(id(module), ""))

        def leave(module, _, __):
            if self.modules:
                self.modules.pop()

        for module in model.modules():
            handles.append(module.register_forward_pre_hook(enter))
            handles.append(module.register_forward_hook(leave, always_call=True))
        try:
            yield
        finally:
            for handle in handles:
                handle.remove()


def step_trace(build, forward, optimizer="foreach", steps=2, dump=None, micro_batches=1,
               kept_of_first=False):
    """Runs `steps` training steps and returns the figures of the last one.

    kept_of_first  what the forward pass keeps is that of the first step (of modules that hold
                   tensors of the step before until the next forward pass)

    build    makes (model, trained parameters) on the fake device
    forward  (model) -> loss; whatever it holds on to after the return stays alive
    dump     list that receives the storages alive at the end of the forward pass
    """
    gc.collect()
    gc.disable()
    result = {}
    try:
        with FakeTensorMode(allow_non_fake_inputs=True):
            model = build()
            trace = MemoryTrace()
            global CURRENT
            CURRENT = trace
            with trace:
                trace.adopt(model)
                trained = [p for p in model.parameters() if p.requires_grad]
                adam = None
                if optimizer == "foreach":
                    adam = torch.optim.AdamW(trained, lr=1e-4, foreach=True)
                elif optimizer == "fused":
                    adam = torch.optim.AdamW(trained, lr=1e-4, fused=True)
                result["parameters"] = trace.now
                with trace.watch_modules(model):
                    for step in range(steps):
                        trace.snapshot_peak = dump is not None and step == steps - 1
                        trace.reset_peak()
                        start = trace.now
                        for _ in range(micro_batches - 1):
                            # The step's figures are those of its last micro-batch, which finds
                            # the gradients of those before it.
                            loss, held = forward(model)
                            trace.in_backward = True
                            loss.backward()
                            trace.in_backward = False
                            del loss, held
                            start = trace.now
                        loss, held = forward(model)
                        result["resident"] = start
                        if step == 0 or not kept_of_first:
                            result["kept"] = trace.now - start
                        result["peak_forward"] = trace.peak
                        result["forward_op"] = trace.peak_op
                        if dump is not None and step == steps - 1:
                            dump["kept"] = list(trace.live.values())
                            dump["peak_forward"] = trace.peak_live
                        trace.reset_peak()
                        trace.in_backward = True
                        loss.backward()
                        trace.in_backward = False
                        del loss, held
                        result["peak_backward"] = trace.peak
                        result["backward_op"] = trace.peak_op
                        if dump is not None and step == steps - 1:
                            dump["peak_backward"] = trace.peak_live
                        trace.reset_peak()
                        result["after_backward"] = trace.now
                        if adam is not None:
                            adam.step()
                        result["peak_optimizer"] = trace.peak
                        if adam is not None:
                            adam.zero_grad(set_to_none=True)
                        model.zero_grad(set_to_none=True)
    finally:
        gc.enable()
    result["peak_total"] = max(
        result["peak_forward"], result["peak_backward"], result["peak_optimizer"]
    )
    return result


def prepare_torch():
    """Makes eager torch on fake tensors take the paths of a card, without cuDNN attention."""
    torch.backends.cuda.enable_cudnn_sdp(False)
    # AdamW reads its step counter on the host; its value does not matter here.
    from torch.optim import adam

    adam._get_value = lambda x: 1.0

    def apply(module, function, recurse=True):
        # Module.to swaps a parameter in place, which a fake tensor does not allow: replace it.
        for child in module.children() if recurse else ():
            apply(child, function)
        for key, value in module._parameters.items():
            if value is not None:
                new = function(value.detach())
                if new is not value:
                    module._parameters[key] = torch.nn.Parameter(new, value.requires_grad)
                    module._parameters[key].__dict__.update(value.__dict__)
        for key, value in module._buffers.items():
            if value is not None:
                module._buffers[key] = function(value)
        return module

    torch.nn.Module._apply = apply
