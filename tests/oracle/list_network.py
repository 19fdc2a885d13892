#!/usr/bin/env python3
"""Writes a torch network out operator by operator, in the language of docs/model-listings.md.

    python list_network.py torchvision googlenet --name GoogLeNet > profiles/models/googlenet.json
    python list_network.py timm hrnet_w32 --name "HRNet-W32" > profiles/models/hrnet-w32.json

The network runs on the meta device in training mode: no weights, no images. Each call that reaches torch's
dispatcher becomes a statement; runs of equal statements become one row with a count. Maps that autograd saves and
that no statement keeps by itself are named by `keep`. It runs a second time on images of twice the side, which says
what of the stated sides grows with the picture.
"""
import argparse
import difflib
import json
import math
import re
import sys

import torch
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode

SAMPLES = 2
VIEWS = {"view", "_unsafe_view", "reshape", "permute", "transpose", "t", "expand", "slice", "select", "unbind",
         "split", "split_with_sizes", "squeeze", "unsqueeze", "alias", "detach", "chunk", "as_strided",
         "_reshape_alias", "unfold", "movedim", "_to_copy", "lift_fresh", "diagonal", "flatten"}
SMOOTH = {"gelu", "silu", "silu_", "hardswish", "hardswish_", "hardtanh", "hardtanh_", "leaky_relu", "leaky_relu_", "elu",
          "elu_", "mish", "hardsigmoid", "hardsigmoid_", "softplus"}
WIDE = {"pow", "exp", "log", "rsqrt", "softplus"}  # that autocast computes in fp32
OUTPUT_KEPT = {"relu", "relu_", "sigmoid", "sigmoid_", "tanh", "tanh_", "_softmax", "_log_softmax"}


# Statements that keep what they read.
KEEPS_INPUTS = {"conv", "tconv", "linear", "bn", "gn", "ln", "rms", "relu", "act", "maxpool", "avgpool", "mul", "scale",
                "attention", "matmul"}


def address(tensor):
    return tensor.untyped_storage()._cdata


class Value:
    """A tensor made of the images: a storage and how the statement that made it sees its sides."""

    def __init__(self, storage, channels, sides, elements):
        self.storage, self.channels, self.sides, self.elements = storage, channels, tuple(sides), elements


class Recorder(TorchDispatchMode):
    def __init__(self, parameters):
        super().__init__()
        self.values, self.roots, self.alive = {}, {}, []
        self.statements, self.storages = [], 0
        self.parameters = {id(p): p for p in parameters}
        self.seen = set()
        self.quiet = False
        self.by_storage, self.saves, self.bases, self.clones, self.noise = {}, [], {}, {}, set()

    # --- what autograd saves
    def packed(self, tensor):
        number = self.by_storage.get(address(tensor))
        if number is not None:
            self.saves.append((len(self.statements), number))
        return tensor

    def base(self, number):
        while number in self.bases:
            number = self.bases[number]
        return number

    def with_keeps(self):
        """The statements, and `keep` after those that save a map that no statement keeps by itself."""
        kept = set()
        for name, out, inputs, _number, options, base in self.statements:
            if base is not None:
                self.bases.setdefault(out, base)
            if name in KEEPS_INPUTS or "wide" in options:
                kept.update(self.base(i) for i in inputs)
            if name in ("softmax", "attention") or (name == "point" and options[1:2] == ["1"]):
                kept.add(self.base(out))
        insert = {}
        for at, number in self.saves:
            root = self.base(number)
            if root in kept:
                continue
            kept.add(root)
            made_last = at > 0 and self.statements[at - 1][1] == number
            while not made_last and at < len(self.statements) and self.statements[at][0] in ("view", "params"):
                at += 1
            insert.setdefault(at if made_last else at + 1, []).append(("keep", None, [number], "", [], None))
        statements = []
        for at in range(len(self.statements) + 1):
            statements += insert.get(at, [])
            statements += self.statements[at:at + 1]
        return statements + [k for at, more in insert.items() if at > len(self.statements) for k in more]

    # --- what a tensor is
    def roots_of(self, tensor):
        if id(tensor) in self.parameters:
            return {id(tensor)}
        return self.roots.get(id(tensor), set())

    def value_of(self, tensor):
        return self.values.get(id(tensor)) if isinstance(tensor, torch.Tensor) else None

    def fresh(self):
        self.storages += 1
        return self.storages

    def put(self, tensor, channels, sides, storage=None):
        self.alive.append(tensor)
        value = Value(self.fresh() if storage is None else storage, channels, sides, tensor.numel() / SAMPLES)
        self.values[id(tensor)] = value
        self.by_storage[address(tensor)] = value.storage
        return value

    # --- layouts that statements need
    @staticmethod
    def image(tensor):
        folded = tensor.shape[0] / SAMPLES  # frames or windows beside the samples
        sides = [int(side) for side in tensor.shape[2:]] or [1]
        if tensor.dim() == 5 and folded > 1:
            sides[0] *= int(folded)
        return int(tensor.shape[1]), ([int(folded)] if tensor.dim() == 4 and folded > 1 else []) + sides

    @staticmethod
    def rows(tensor):
        channels = int(tensor.shape[-1]) if tensor.dim() else 1
        return channels, [tensor.numel() / SAMPLES / channels]

    def natural(self, tensor):
        return self.image(tensor) if tensor.dim() in (4, 5) else self.rows(tensor)

    def read(self, tensor, layout):
        """The storage of a tensor in the wanted layout; a view where its own differs."""
        value, (channels, sides) = self.value_of(tensor), layout
        sides = [side for side in sides]
        def plain(row):
            row = [side for side in row]
            while len(row) > 1 and row[0] == 1:
                row = row[1:]
            return tuple(row)
        square = len(sides) == 2 and sides[0] == sides[1]
        if value.channels == channels and plain(value.sides) == plain(sides):
            return value.storage
        share = channels * math.prod(sides) / (value.channels * math.prod(value.sides))
        options = ["" if abs(share - 1) < 1e-12 else f"f{share:.12g}"]
        if square and sides[0] > 1:
            options.insert(0, "grid")
        elif len(plain(sides)) > 1:
            options.insert(0, "h" + "x".join(f"{side:g}" for side in plain(sides)))
        view = self.fresh()
        options.append(unsaid(sides))
        self.statements.append(("view", view, [value.storage], f"{channels}", [o for o in options if o], value.storage))
        return view

    def say(self, name, out, layout, inputs, *options):
        value = self.put(out, *layout)
        self.statements.append((name, value.storage, inputs, "", [str(o) for o in options if o != ""], None))
        return value

    def own(self, tensors, counted):
        """Marks an operator whose own sum of parameters is not what is new here, and adds the rest."""
        new = set().union(*(self.roots_of(t) for t in tensors if isinstance(t, torch.Tensor))) - self.seen
        self.seen |= new
        elements = sum(self.parameters[root].numel() for root in new)
        if elements == counted:
            return ""
        if elements:
            self.statements.append(("params", None, [], f"{elements}", [], None))
        return "shared" if counted else ""

    # --- calls
    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        out = func(*args, **(kwargs or {}))
        if not self.quiet:
            name = func._schema.name.split("::")[1]
            self.note(name, args, kwargs or {}, out)
        return out

    def note(self, name, args, kwargs, out):
        tensors = [a for a in flat(args) if isinstance(a, torch.Tensor)] + [
            a for a in kwargs.values() if isinstance(a, torch.Tensor)]
        maps = [t for t in tensors if self.value_of(t)]
        outs = [o for o in flat([out]) if isinstance(o, torch.Tensor)]
        if not maps:
            if name == "bernoulli_":
                self.noise.add(address(args[0]))
            found = set().union(set(), *(self.roots_of(t) for t in tensors))
            for result in outs:
                self.alive.append(result)
                if id(result) not in self.parameters:
                    self.roots[id(result)] = found
            return
        if name in VIEWS or name.startswith("view"):
            return self.note_views(maps[0], outs)
        handler = getattr(self, "on_" + name, None)
        if handler:
            return handler(args, kwargs, out)
        if not outs or outs[0].dtype in (torch.bool,):
            for result in outs:
                self.alive.append(result)
            return
        self.note_pointwise(name, maps, tensors, outs)

    def note_views(self, source, outs):
        value = self.value_of(source)
        for out in outs:
            self.alive.append(out)
            if out.numel() == source.numel():
                self.values[id(out)] = value
            else:
                channels, sides = self.natural(out)
                if out.dim() == 3 and out.shape[1] == value.channels != out.shape[2]:  # of a convolution along a line
                    channels, sides = int(out.shape[1]), [int(out.shape[2])]
                storage = self.fresh()
                share = out.numel() / source.numel()
                option = ["h" + "x".join(f"{s:g}" for s in sides)] if len(sides) > 1 and math.prod(sides) > 1 else []
                if len(sides) == 2 and sides[0] == sides[1] and sides[0] > 1:
                    option = ["grid"]
                option = option + [f"f{share:.12g}", unsaid(sides)]
                self.statements.append(("view", storage, [value.storage], f"{channels}", option, value.storage))
                self.values[id(out)] = Value(storage, channels, sides, out.numel() / SAMPLES)

    def note_pointwise(self, name, maps, tensors, outs):
        out = outs[0]
        first = self.value_of(maps[0])
        layout = (first.channels, first.sides)
        extra = self.own([t for t in tensors if not self.value_of(t)], 0)
        del extra
        same = out.numel() == maps[0].numel()
        if not same:
            layout = self.natural(out)
        if name in OUTPUT_KEPT:
            name = "softmax" if name.endswith("softmax") else "relu" if name.endswith("_") else "point"
            made = self.say(name, out, layout, [first.storage], *(["1", "1"] if name == "point" else []))
            if name == "relu":
                self.bases[made.storage] = first.storage
        elif name in SMOOTH and name.endswith("_") and not self.copied(first.storage):
            self.bases[self.say("relu", out, layout, [first.storage]).storage] = first.storage
        elif name in SMOOTH:
            self.say("act", out, layout, [first.storage], "copied" if name.endswith("_") else "")
        elif name == "clone" and same:
            number = self.say("point", out, layout, [first.storage], "1", "0").storage
            self.clones[number] = (first.storage, address(out))
        elif same:
            self.say("point", out, layout, [first.storage], f"{len(maps)}", "0", "wide" if name.split("_")[0] in WIDE else "")
        else:
            channels, sides = layout
            option = "h" + "x".join(f"{s:g}" for s in sides) if len(sides) > 1 else f"f{out.numel() / maps[0].numel():.12g}"
            if len(sides) == 2 and sides[0] == sides[1] and sides[0] > 1:
                option = f"grid f{out.numel() / maps[0].numel():.12g}"
            self.say("copy", out, layout, [first.storage], channels, option, unsaid(sides))
        for other in outs[1:]:
            self.put(other, *self.natural(other), storage=self.value_of(out).storage)

    def copied(self, number):
        """Whether autograd has just copied that map, since what follows writes into it; the copy stands for it."""
        last = self.statements[-1] if self.statements else None
        source, where = self.clones.get(last[1], (None, None)) if last else (None, None)
        if source is None or source != number:
            return False
        self.statements.pop()
        self.by_storage[where] = self.bases[last[1]] = number
        self.saves = [(min(at, len(self.statements)), saved) for at, saved in self.saves]
        return True

    def on_convolution(self, args, kwargs, out):
        x, weight, bias, stride, padding, dilation, transposed, output_padding, groups = args[:9]
        layout = self.image(x)
        source = self.read(x, layout)
        filters = int(out.shape[1])
        taps = list(weight.shape[2:])
        counted = weight.numel() + (bias.numel() if bias is not None else 0)
        options = [filters]
        def sides(letter, row, usual):
            if all(value == usual for value in row):
                return ""
            if len(row) == 1:
                row = [usual if letter != "p" else 0, row[0]]
            return letter + (f"{row[0]}" if len(set(row)) == 1 and len(row) < 3 else "x".join(map(str, row)))
        line = len(taps) == 1
        options.append(f"k1x{taps[0]}" if line else sides("k", taps, 1))
        options.append(f"s1x{stride[0]}" if line and stride[0] != 1 else "" if line else sides("s", stride, 1))
        same = [d * (k - 1) // 2 for d, k in zip(dilation, taps)]
        if line:
            if padding != same:
                options.append(f"p0x{padding[0]}")
        elif list(padding) != same or transposed:
            row = list(padding)
            options.append("p" + (f"{row[0]}" if len(set(row)) == 1 and len(row) < 3 else "x".join(map(str, row))))
        options.append(f"d1x{dilation[0]}" if line and dilation[0] != 1 else "" if line else sides("d", dilation, 1))
        if transposed and any(output_padding):
            options.append(f"o{output_padding[0]}")
        if groups > 1:
            options.append("depthwise" if groups == x.shape[1] and not transposed else f"g{groups}")
        options.append("bias" if bias is not None else "")
        options.append(self.own([weight, bias], counted))
        out_layout = self.image(out)
        if line:
            out_layout = (out_layout[0], [1, *out_layout[1]])
            if len(layout[1]) == 1 and self.value_of(x).sides[-1] != layout[1][0]:
                pass
        self.say("tconv" if transposed else "conv", out, out_layout, [source], *options)

    def norm(self, name, args, weight, bias, out, layout):
        x = args[0]
        own = self.own([weight, bias], 0)
        del own
        source = self.read(x, layout(x))
        self.say(name, flat([out])[0], layout(x), [source], "plain")

    def affine_norm(self, name, x, weight, bias, out, layout):
        channels, sides = layout(x)
        counted = 2 * channels
        source = self.read(x, (channels, sides))
        state = self.own([weight, bias], counted if weight is not None else 0)
        self.say(name, out, (channels, sides), [source], "plain" if weight is None else "", state)

    def on_native_batch_norm(self, args, kwargs, out):
        if self.roots_of(args[0]):
            return
        self.affine_norm("bn", args[0], args[1], args[2], out[0], self.image)

    on__native_batch_norm_legit = on_cudnn_batch_norm = on__batch_norm_with_update = on_native_batch_norm

    def on_native_group_norm(self, args, kwargs, out):
        self.affine_norm("gn", args[0], args[1], args[2], out[0], self.image)

    def on_native_layer_norm(self, args, kwargs, out):
        self.affine_norm("ln", args[0], args[2], args[3], out[0], self.rows)

    def on__fused_rms_norm(self, args, kwargs, out):
        channels, sides = self.rows(args[0])
        source = self.read(args[0], (channels, sides))
        weight = args[2]
        state = self.own([weight], channels if weight is not None else 0)
        self.say("rms", out[0], (channels, sides), [source], "plain" if weight is None else "", state)

    def product(self, x, weight, bias, out):
        channels, sides = self.rows(x)
        source = self.read(x, (channels, sides))
        width = int(out.shape[-1])
        counted = channels * width + (width if bias is not None else 0)
        state = self.own([weight, bias], counted)
        self.say("linear", out, (width, sides), [source], width, "bias" if bias is not None else "", state)

    def on_addmm(self, args, kwargs, out):
        self.product(args[1], args[2], args[0], out)

    def on_mm(self, args, kwargs, out):
        if self.value_of(args[0]) and not self.value_of(args[1]):
            return self.product(args[0], args[1], None, out)
        self.on_bmm(args, kwargs, out)

    def on_bmm(self, args, kwargs, out):
        maps = [a for a in args[:2] if self.value_of(a)]
        self.own([a for a in args[:2] if not self.value_of(a)], 0)
        channels, sides = self.rows(out)
        self.say("matmul", out, (channels, sides), [self.value_of(m).storage for m in (maps * 2)[:2]], channels,
                 f"h{sides[0]:g}", f"k{args[0].shape[-1]}")

    def on_baddbmm(self, args, kwargs, out):
        self.own(args[:1], 0)
        self.on_bmm(args[1:], kwargs, out)

    def binary(self, name, args, out):
        maps = [a for a in args[:2] if self.value_of(a)]
        others = [a for a in args[:2] if not self.value_of(a)]
        if len(maps) == 2:
            maps.sort(key=lambda m: -m.numel())
            value = self.value_of(maps[0])
            if out.numel() > maps[0].numel():
                return self.note_pointwise(name, maps, maps, [out])
            self.say(name, out, (value.channels, value.sides), [self.value_of(m).storage for m in maps])
            return
        value = self.value_of(maps[0])
        roots = set().union(set(), *(self.roots_of(o) for o in others if isinstance(o, torch.Tensor)))
        new = roots - self.seen
        if name == "mul" and len(new) == 1 and self.parameters[next(iter(new))].numel() == value.channels:
            self.seen |= new
            self.say("scale", out, (value.channels, value.sides), [value.storage])
            return
        self.own(others, 0)
        if name == "mul" and any(isinstance(o, torch.Tensor) and address(o) in self.noise and
                                 o.numel() == out.numel() for o in others):
            self.say("dropout", out, (value.channels, value.sides), [value.storage])
            return
        layout = (value.channels, value.sides) if out.numel() == maps[0].numel() else self.natural(out)
        if out.numel() != maps[0].numel():
            return self.note_pointwise(name, maps, maps, [out])
        self.say("point", out, layout, [value.storage], "1", "0")

    def on_add(self, args, kwargs, out):
        self.binary("add", args, out)

    on_add_ = on_sub = on_sub_ = on_add

    def on_mul(self, args, kwargs, out):
        self.binary("mul", args, out)

    on_mul_ = on_div = on_mul

    def on_cat(self, args, kwargs, out):
        parts = args[0]
        dim = (args[1] if len(args) > 1 else 0) % out.dim()
        maps = [p for p in parts if self.value_of(p)]
        constants = [p for p in parts if not self.value_of(p)]
        self.own(constants, 0)
        natural = self.natural(out)
        if dim == out.dim() - 1 and out.dim() in (4, 5) and not constants:  # channels last
            self.say("cat", out, self.rows(out), [self.read(p, self.rows(p)) for p in parts])
            return
        along_channels = (dim == 1 and out.dim() in (2, 4, 5)) or (out.dim() == 3 and dim == 2)
        if along_channels and not constants:
            layout = self.image if out.dim() in (2, 4, 5) else self.rows
            self.say("cat", out, layout(out), [self.read(p, layout(p)) for p in parts])
            return
        if not constants and dim != out.dim() - 1:
            self.say("join", out, self.rows(out), [self.read(p, self.rows(p)) for p in parts])
            return
        self.say("copy", out, natural, [self.value_of(maps[0]).storage], natural[0],
                 "h" + "x".join(f"{s:g}" for s in natural[1]))

    def on_max_pool2d_with_indices(self, args, kwargs, out):
        self.pool("maxpool", args, out[0])

    on_max_pool3d_with_indices = on_max_pool2d_with_indices

    def on_avg_pool2d(self, args, kwargs, out):
        self.pool("avgpool", args, out)

    on_avg_pool3d = on_avg_pool2d

    def pool(self, name, args, out):
        x, kernel = args[0], list(args[1])
        stride = list(args[2]) if len(args) > 2 and args[2] else kernel
        padding = list(args[3]) if len(args) > 3 else [0]
        ceil = (args[5] if name == "maxpool" and len(args) > 5 else args[4] if name == "avgpool" and len(args) > 4 else False)
        def row(letter, values):
            return letter + (f"{values[0]}" if len(set(values)) == 1 and len(values) < 3 else "x".join(map(str, values)))
        self.say(name, out, self.image(out), [self.read(x, self.image(x))], row("k", kernel), row("s", stride), row("p", padding),
                 "ceil" if ceil else "")

    def on_mean(self, args, kwargs, out):
        x = args[0]
        value = self.value_of(x)
        if x.dim() in (4, 5) and out.numel() == x.shape[0] * x.shape[1]:
            self.say("gap", out, (int(x.shape[1]), [1]), [self.read(x, self.image(x))])
        else:
            self.note_pointwise("mean", [x], [x], [out])

    def on__adaptive_avg_pool2d(self, args, kwargs, out):
        if out.shape[2:].numel() == 1:
            return self.on_mean(args, kwargs, out)
        source = self.read(args[0], self.image(args[0]))
        self.say("resize", out, self.image(out), [source], "h" + "x".join(str(int(s)) for s in out.shape[2:]))

    def resized(self, args, out):
        x = args[0]
        ratios = [o / i for o, i in zip(out.shape[2:], x.shape[2:])]
        source = self.read(x, self.image(x))
        if len(set(ratios)) == 1 and ratios[0] == int(ratios[0]):
            self.say("up", out, self.image(out), [source], f"{ratios[0]:g}")
        else:
            self.say("resize", out, self.image(out), [source], "h" + "x".join(str(int(s)) for s in out.shape[2:]))

    def on_upsample_bilinear2d(self, args, kwargs, out):
        self.resized(args, out)

    on_upsample_nearest2d = on_upsample_bicubic2d = on__upsample_bilinear2d_aa = on_upsample_bilinear2d

    def on_constant_pad_nd(self, args, kwargs, out):
        x = args[0]
        if x.dim() == 4:
            extra = [int(o - i) for o, i in zip(out.shape[2:], x.shape[2:])]
            if out.shape[1] == x.shape[1] and min(extra) >= 0:
                self.say("pad", out, self.image(out), [self.read(x, self.image(x))], *extra)
                return
        self.note_pointwise("pad", [x], [x], [out])

    def on_native_dropout(self, args, kwargs, out):
        value = self.value_of(args[0])
        self.say("dropout", out[0], (value.channels, value.sides), [value.storage])

    def on_bernoulli_(self, args, kwargs, out):
        return

    def on_empty_like(self, args, kwargs, out):
        self.alive.append(out)

    on_new_empty = on_zeros_like = on_ones_like = on_new_zeros = on_new_full = on_new_ones = on_full_like = on_empty_like

    def on_embedding(self, args, kwargs, out):
        table = args[0]
        state = self.own([table], table.numel())
        self.say("embed", out, self.rows(out), [], int(table.shape[0]), int(table.shape[1]), f"{out.numel() / SAMPLES / table.shape[1]:g}", state)

    def attention(self, query, key, value, out):
        """[..., heads, positions, head width]; batch and windows before."""
        if not self.value_of(query):  # a learned query
            self.own([query], 0)
            source = self.read(key, self.rows(key)) if self.value_of(key) else self.value_of(value).storage
            state = self.put(out, query.shape[-1] * (query.shape[-3] if query.dim() > 3 else 1), [query.shape[-2]])
            self.statements.append(("copy", state.storage, [source], f"{state.channels}", [f"h1x{state.sides[0]:g}"], None))
            return
        heads = int(query.shape[-3]) if query.dim() > 3 else 1
        positions = query.numel() / SAMPLES / heads / query.shape[-1]
        channels = heads * int(query.shape[-1])
        groups = query.numel() / SAMPLES / channels / query.shape[-2]
        source = self.read(query, (channels, [positions]))
        self.say("attention", out, (heads * int(value.shape[-1]), [positions]), [source], heads * int(value.shape[-1]),
                 f"n{heads}", f"k{key.shape[-2]}", f"g{groups:g}" if groups != 1 else "",
                 "unfused" if query.dim() > 4 else "")  # fused kernels take four dimensions
        for other in (key, value):
            if self.value_of(other):
                self.saves.append((len(self.statements), self.value_of(other).storage))
        for other in (key, value):
            if self.value_of(other):
                self.saves.append((len(self.statements), self.value_of(other).storage))


class Attention(TorchFunctionMode):
    """Fused attention is one call, whatever backend the meta device has."""

    def __init__(self, recorder):
        super().__init__()
        self.recorder = recorder

    def __torch_function__(self, func, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        if func is torch.nn.functional.scaled_dot_product_attention:
            query, key, value = (list(args) + [kwargs.get(k) for k in ("query", "key", "value")][len(args):])[:3]
            mask = kwargs.get("attn_mask", args[3] if len(args) > 3 else None)
            recorder = self.recorder
            recorder.quiet = True
            out = torch.empty(*query.shape[:-1], value.shape[-1], dtype=query.dtype, device=query.device,
                              requires_grad=query.requires_grad)
            recorder.quiet = False
            if mask is not None and recorder.value_of(mask):
                recorder.saves.append((len(recorder.statements) + 1, recorder.value_of(mask).storage))
            elif mask is not None:
                recorder.own([mask], 0)
            recorder.attention(query, key, value, out)
            return out
        return func(*args, **kwargs)


def flat(items):
    for item in items:
        if isinstance(item, (list, tuple)):
            yield from flat(item)
        elif isinstance(item, dict):
            yield from flat(item.values())
        else:
            yield item


_plain_flat = flat


def flat(items):  # noqa: F811 - a list, so that it can be indexed
    return list(_plain_flat(items))


def name_of(number):
    letters = ""
    number += 1
    while number:
        number, rest = divmod(number - 1, 26)
        letters = chr(97 + rest) + letters
    return letters


def unsaid(sides):
    """Sides of a view as they would be stated; not part of the line unless they grow."""
    sides = [side for side in sides]
    while len(sides) > 1 and sides[0] == 1:
        sides = sides[1:]
    return "|h" + "x".join(f"{side:g}" for side in sides)


def growing(small, large):
    """A number and what of it grows with a picture of twice the side; None where nothing explains the difference."""
    if small == large:
        return small
    one, two = float(small), float(large)
    if two == 2 * one:
        return small + "~"
    share = (two - one) / 3
    return f"{small}~{share:g}" if share == int(share) and 0 < share <= one else None


def grown_option(small, large):
    if small[0] not in "hkg" or not small[1:2].isdigit() or small[:1] != large[:1] or small.count("x") != large.count("x"):
        return None
    parts = [growing(*pair) for pair in zip(small[1:].split("x"), large[1:].split("x"))]
    return None if None in parts else small[0] + "x".join(parts)


def with_growth(small, large):
    """Statements of a network on pictures of one side, annotated by those on twice the side; what nothing explains
    (tables of relative positions) stays as it is."""
    partners = dict(enumerate(large))
    if [s[:3] for s in small] != [s[:3] for s in large]:
        # Windows that cover a small map are not shifted: what the large picture has more has no partner.
        names = [[(s[0], s[3] if s[0] in ("conv", "linear") else "") for s in row] for row in (small, large)]
        pairs = difflib.SequenceMatcher(None, *names, autojunk=False).get_matching_blocks()
        partners = {pair.a + i: large[pair.b + i] for pair in pairs for i in range(pair.size)}
    out, unexplained = [], 0
    for at, one in enumerate(small):
        two = partners.get(at, one)
        if one[3:5] == two[3:5] or one[0] == "params":
            out.append(one)
            continue
        first, second = list(one[4]), list(two[4])
        shares = [o for o in first if o[0] == "f" and o[1:2].isdigit()]
        if shares != [o for o in second if o[0] == "f" and o[1:2].isdigit()]:
            # A share that changes: say the sides instead.
            first, second = ([o for o in row if o != "grid" and not (o[0] == "f" and o[1:2].isdigit())]
                             for row in (first, second))
            if not any(o[0] == "h" for o in first):
                first, second = ([o[1:] if o.startswith("|h") else o for o in row] for row in (first, second))
        may_grow = one[0] in ("matmul", "view", "copy")
        number = one[3] if one[3] == two[3] or not may_grow else growing(one[3], two[3])
        options = []
        for a, b in zip(first, second):
            if not a.startswith("|"):
                options.append(a if a == b else growing(a, b) if a[0].isdigit() and may_grow else grown_option(a, b))
        if number is None or None in options or len(first) != len(second):
            unexplained += 1
            out.append(one)
        else:
            out.append((*one[:3], number, options, one[5]))
    if unexplained:
        print(f"note: {unexplained} statements grow in no simple way", file=sys.stderr)
    return out


def in_registers(statements, first):
    """Names of maps, used again once nothing reads them; views live as long as what they show."""
    last = {}
    for at, (_, out, inputs, *_rest) in enumerate(statements):
        for storage in inputs:
            last[storage] = at
        if out is not None:
            last.setdefault(out, at)
    register, free, lines, most = {first: 0}, [], [], 1
    for at, (name, out, inputs, number, options, _base) in enumerate(statements):
        words = [name_of(register[i]) for i in inputs]
        for storage in set(inputs):
            if last[storage] == at:
                free.append(register[storage])
        target = "-"
        if out is not None:
            free.sort()
            if free:
                register[out] = free.pop(0)
            else:
                register[out] = most
                most += 1
            target = name_of(register[out])
            if last[out] == at:
                free.append(register[out])
        options = [option for option in options if not option.startswith("|")]
        lines.append(" ".join([target, name, *words, *([number] if number else []), *options]))
    return lines


def in_rows(lines, longest=220, split=24):
    """Rows of text; a run of equal parts is one row with a count."""
    rows, at, pending = [], 0, []
    def flush():
        while pending:
            rows.append("layers: " + "; ".join(pending[:split]))
            del pending[:split]
    while at < len(lines):
        best = (0, 1, 1)
        for size in range(2, min(longest, (len(lines) - at) // 2) + 1):
            count = 1
            while lines[at + count * size:at + (count + 1) * size] == lines[at:at + size]:
                count += 1
            saved = (count - 1) * size
            if count > 1 and saved > best[0]:
                best = (saved, size, count)
        if best[0]:
            flush()
            _, size, count = best
            rows.append(f"unit x{count}: " + "; ".join(lines[at:at + size]))
            at += size * count
        else:
            pending.append(lines[at])
            at += 1
    flush()
    return rows


def statements_of(model, *inputs):
    model = model.train()
    parameters = list(model.parameters())
    recorder = Recorder(parameters)
    first = inputs[0]
    if first.is_floating_point():
        recorder.put(first, *recorder.image(first))
    else:
        recorder.storages = 1
        recorder.values[id(first)] = Value(1, 1, [first.shape[-1]], first.numel() / SAMPLES)
    for other in inputs[1:]:
        if isinstance(other, torch.Tensor):
            value = recorder.put(other, *recorder.natural(other))
            c, s = value.channels, value.sides
            recorder.statements.append(("input", value.storage, [], f"{c}", ["h" + "x".join(f"{x:g}" for x in s)] if math.prod(s) > 1 else [], None))
    with recorder, Attention(recorder), torch.autograd.graph.saved_tensors_hooks(recorder.packed, lambda tensor: tensor):
        kept = model(*inputs)
    del kept
    statements = recorder.with_keeps()
    rest = sum(p.numel() for p in parameters if id(p) not in recorder.seen)
    if rest:
        statements.append(("params", None, [], f"{rest}", [], None))
        print(f"note: {rest} parameters that no forward pass reads", file=sys.stderr)
    return statements, sum(p.numel() for p in parameters)


def listing(model, *inputs, larger=None):
    """Rows and parameters; `larger` gives model and input of twice the side."""
    statements, parameters = statements_of(model, *inputs)
    if larger:
        try:
            again, image = larger()
            grown = with_growth(statements, statements_of(again, image)[0])
        except Exception as error:  # a network of one size
            grown = None
            print(f"note: no twice the side: {error!r}"[:160], file=sys.stderr)
        statements = grown or statements
    return in_rows(in_registers(statements, 1)), parameters


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("library", choices=["torchvision", "timm"])
    parser.add_argument("model")
    parser.add_argument("--name")
    parser.add_argument("--size", type=int)
    arguments = parser.parse_args()
    document = describe(arguments.library, arguments.model, arguments.name, arguments.size)
    json.dump(document, sys.stdout, indent=2)
    print()


def describe(library, model_name, name=None, size=None, frames=0):
    if library == "torchvision":
        import torchvision as package
        plain = {"init_weights": False} if model_name in ("googlenet", "inception_v3") else {}

        def made(side):
            return package.models.get_model(model_name, weights=None, **plain)
    else:
        import timm as package

        def made(side):
            usual = package.create_model(model_name)
            if side in (None, usual.default_cfg["input_size"][-1]):
                return usual
            try:
                return package.create_model(model_name, img_size=side)
            except TypeError:
                return usual

    version = package.__version__.split("+")[0]
    with torch.device("meta"):
        model = made(size)
        size = size or (224 if library == "torchvision" else model.default_cfg["input_size"][-1])

        def pictures(side):
            return torch.empty(*((SAMPLES, 3, frames, side, side) if frames else (SAMPLES, 3, side, side)))

        rows, parameters = listing(model, pictures(size), larger=lambda: (made(2 * size), pictures(2 * size)))
    source = f"{library} {version} {model_name}"
    return {"id": re.sub(r"[^a-z0-9.]+", "-", model_name.lower()), "name": name or model_name, "hf_id": None,
            "model_type": "listed", **({"image_depth": frames} if frames else {}), "image_size": size, "parameters": parameters,
            "source": source + ", written out by tests/oracle/list_network.py", "parameters_source": source, "listing": rows}


if __name__ == "__main__":
    main()
