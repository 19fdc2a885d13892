#!/usr/bin/env python3
"""Replays the tensors of a Llama-like training step through a caching allocator.

Prints, for each way of training, how much more than its tensors the pool of the computing stream
holds: the `fragmentation` of the software profiles, as a share of what comes and goes in a step.
The allocator follows the rules that PyTorch documents (CUDA semantics, "Memory management"): blocks
of 512 B; requests of up to 1 MiB from segments of 2 MiB, of less than 10 MiB from segments of
20 MiB, larger ones from segments of their own size in steps of 2 MiB; best fit; a block is split
when more than 1 MiB is left; neighbours merge when freed. With expandable segments a pool is one
segment that grows at its end. Needs nothing beyond Python 3.
"""
import bisect
import itertools
import random

MIB = 1 << 20
GIB = 1 << 30


class Pool:
    """One stream's pool of large blocks, or of small ones (requests of up to 1 MiB)."""

    def __init__(self, expandable, small=False):
        self.expandable = expandable
        self.segment = (2 if small else 20) * MIB
        self.spare = 0 if small else MIB  # a block is split when more than this is left
        self.free = []  # (size, id, block), sorted
        self.ids = itertools.count()
        self.tail = None
        self.held = self.used = self.most_used = 0

    def take(self, size):
        size = max(512, -(-int(size) // 512) * 512)
        block = self._fitting(size) or self._grown(size)
        rest = block["size"] - size
        if rest > self.spare or (block is self.tail and rest > 0):
            self._split(block, size, rest)
        block["free"] = False
        self.used += block["size"]
        self.most_used = max(self.most_used, self.used)
        return block

    def give(self, block):
        self.used -= block["size"]
        for side, other in (("before", "after"), ("after", "before")):
            near = block[side]
            if near is not None and near["free"]:
                self.free.remove((near["size"], near["id"], near))
                block["size"] += near["size"]
                block[side] = near[side]
                if near[side] is not None:
                    near[side][other] = block
                if near is self.tail:
                    self.tail = block
        self._put(block)

    def _put(self, block):
        block["free"] = True
        block["id"] = next(self.ids)
        bisect.insort(self.free, (block["size"], block["id"], block))

    def _fitting(self, size):
        first = bisect.bisect_left(self.free, (size, -1))
        # The end of an expandable segment is the last resort: it can still grow.
        fitting = [i for i in range(first, len(self.free)) if self.free[i][2] is not self.tail]
        if fitting or first < len(self.free):
            return self.free.pop(fitting[0] if fitting else first)[2]
        return None

    def _grown(self, size):
        if self.expandable and self.tail is not None and self.tail["free"]:
            block = self.tail
            self.free.remove((block["size"], block["id"], block))
            more = -(-(size - block["size"]) // self.segment) * self.segment
            block["size"] += more
        else:
            step = self.segment if self.expandable or size < 10 * MIB else 2 * MIB
            more = -(-size // step) * step
            before = self.tail if self.expandable else None
            block = {"size": more, "before": before, "after": None}
            if before is not None:
                before["after"] = block
            if self.expandable:
                self.tail = block
        self.held += more
        return block

    def _split(self, block, size, rest):
        part = {"size": rest, "before": block, "after": block["after"]}
        if block["after"] is not None:
            block["after"]["before"] = part
        if block is self.tail:
            self.tail = part
        block["after"] = part
        block["size"] = size
        self._put(part)


class Allocator:
    """Pools by stream and size class; replays what stream_trace wrote."""

    def __init__(self, expandable):
        self.expandable = expandable
        self.pools = {}
        self.blocks = {}
        self.most_held = 0

    def run(self, events):
        for what, key, size, stream, _ in events:
            if what == "free":
                pool, block = self.blocks.pop(key)
                pool.give(block)
                continue
            small = size <= MIB
            where = (stream, small)
            if where not in self.pools:
                self.pools[where] = Pool(self.expandable, small)
            pool = self.pools[where]
            block = pool.take(size)
            self.most_held = max(self.most_held, sum(p.held for p in self.pools.values()))
            if what == "brief":  # taken and given back inside one kernel
                pool.give(block)
            else:
                self.blocks[key] = (pool, block)
        return self


class Step:
    """Forward and backward pass of a decoder, kernel by kernel, in an eager stack."""

    def __init__(self, pool, hidden, kv, inner, vocabulary, layers, keeps, trains, gathers, holds):
        self.pool, self.keeps, self.trains, self.gathers = pool, keeps, trains, gathers
        self.holds = holds  # the training loop keeps the logits until the step is over
        self.hidden, self.kv, self.inner = hidden, kv, inner
        self.vocabulary, self.layers = vocabulary, layers
        self.weights = [2 * n for n in (hidden * hidden, hidden * kv, hidden * kv, hidden * hidden,
                                        hidden * inner, hidden * inner, hidden * inner)]

    def run(self, tokens):
        take, give = self.pool.take, self.pool.give
        stream = tokens * self.hidden * 2
        x, saved = take(stream), []
        for _ in range(self.layers):
            unit = self._gather()
            out, kept = self._layer(x, tokens, self.keeps)
            saved.append((x, kept))
            x = out
            self._drop(unit)
        logits = tokens * self.vocabulary
        normed, low = take(stream), take(2 * logits)
        high, log_softmax = take(4 * logits), take(4 * logits)
        self._drop([high] if self.holds else [low, high])
        logits_held = [low] if self.holds else []
        first, second = take(4 * logits), take(4 * logits)
        self._drop([first, log_softmax])
        low = take(2 * logits)
        give(second)
        gradient = take(stream)
        self._drop([low, normed, x])
        for x, kept in reversed(saved):
            unit = self._gather()
            out, again = self._layer(x, tokens, "rest of " + self.keeps)
            give(out)
            gradient = self._backward(gradient, tokens, kept + again)
            self._drop(unit + [x])
        self._drop([gradient] + logits_held)

    def _gather(self):
        return [self.pool.take(size) for size in self.weights] if self.gathers else []

    def _drop(self, blocks):
        for block in blocks:
            self.pool.give(block)

    def _norm(self, stream):
        take, give = self.pool.take, self.pool.give
        wide, square = take(2 * stream), take(2 * stream)
        give(square)
        scaled = take(2 * stream)
        low = take(stream)
        give(scaled)
        out = take(stream)
        return out, [wide, low]

    def _layer(self, _, tokens, keeps):
        """One layer forward. keeps: "all"; "full" (nothing but its input); "selective" (every
        second product and the attention); "rest of ..." runs it again for the backward pass."""
        take = self.pool.take
        stream, cache, wide = (tokens * n * 2 for n in (self.hidden, self.kv, self.inner))
        again = keeps.startswith("rest of ")
        mode = keeps.removeprefix("rest of ")
        kept = []

        def made(size, selected=False):
            """A tensor that autograd keeps where the mode says so; else it dies at once."""
            held = mode == "all" or (mode == "selective" and selected)
            if again:
                return (None if held else take(size)), not held
            return take(size), held

        def close(tensors):
            for block, held in tensors:
                if block is None:
                    continue
                if held:
                    kept.append(block)
                else:
                    self.pool.give(block)

        def norm():
            out, inside = self._norm(stream)
            close([(b, again or mode == "all") for b in inside])
            return out, again or mode == "all"

        first = norm()
        q, k, v = made(stream, True), made(cache), made(cache, True)
        rotated, rotated_k = made(stream), made(cache)
        close([first, k])
        attended = made(stream, True)
        close([q, v, rotated, rotated_k, attended])
        copied = made(stream)
        projected = take(stream)
        close([copied])
        middle = take(stream)
        self.pool.give(projected)
        second = norm()
        gate, up = made(wide, True), made(wide)
        close([second])
        activated = made(wide)
        product = made(wide)
        close([gate, up, activated])
        down = made(stream, True) if mode == "selective" else (take(stream), False)
        close([product])
        out = take(stream)
        close([down, (middle, again or mode == "all")])
        return out, kept

    def _backward(self, gradient, tokens, kept):
        take, give = self.pool.take, self.pool.give
        stream, cache, wide = (tokens * n * 2 for n in (self.hidden, self.kv, self.inner))
        made = []

        def weight(i):
            if self.trains:
                made.append(take(self.weights[i]))

        product = take(wide)
        weight(6)
        activated, up = take(wide), take(wide)
        give(product)
        left = take(stream)
        weight(5)
        give(up)
        gate = take(wide)
        give(activated)
        right = take(stream)
        weight(4)
        self._drop([gate])
        both = take(stream)
        self._drop([left, right])
        fp32 = take(2 * stream)
        middle = take(stream)
        self._drop([fp32, both, gradient])
        attended = take(stream)
        weight(3)
        q, k, v = take(stream), take(cache), take(cache)
        give(attended)
        parts = []
        for i, part in enumerate((q, k, v)):
            parts.append(take(stream))
            weight(i)
            give(part)
        both = take(stream)
        self._drop(parts)
        fp32 = take(2 * stream)
        out = take(stream)
        self._drop([fp32, both, middle] + kept)
        if self.trains:
            sent = take(2 * sum(self.weights))  # fp32 input of the reduce-scatter
            self._drop(made)
            give(sent)
        return out


LLAMA_3_8B = {"hidden": 4096, "kv": 1024, "inner": 14336, "vocabulary": 128256, "layers": 32}
LLAMA_2_7B = {"hidden": 4096, "kv": 4096, "inner": 11008, "vocabulary": 32000, "layers": 32}
QWEN_1_8B = {"hidden": 2048, "kv": 2048, "inner": 5504, "vocabulary": 151936, "layers": 24}


def share(model, lengths, keeps, trains=False, gathers=False, expandable=False, holds=False):
    """(held - hole - used) / used of the computing stream's pool, without what is resident.

    hole  16-bit logits that were freed before the loss runs back: its fp32 tensors of twice the size
          do not fit there, so that the pool grows by them (`hole` of the memory fold)
    """
    pool = Pool(expandable)
    step = Step(pool, keeps=keeps, trains=trains, gathers=gathers, holds=holds, **model)
    for tokens in lengths:
        step.run(tokens)
    hole = 0 if holds else 2 * max(lengths) * model["vocabulary"]
    return (pool.held - hole - pool.most_used) / pool.most_used


def main():
    fixed = [("Llama-3-8B, FSDP2, selective, expandable segments", LLAMA_3_8B, "selective", True),
             ("Llama-3-8B, FSDP2, full recomputation, expandable segments", LLAMA_3_8B, "full", True),
             ("Llama-2-7B, LoRA, full recomputation", LLAMA_2_7B, "full", False),
             ("Llama-2-7B, LoRA, nothing recomputed", LLAMA_2_7B, "all", False),
             ("Qwen-1.8B, LoRA, full recomputation", QWEN_1_8B, "full", False)]
    print("one length; logits freed, held")
    for name, model, keeps, sharded in fixed:
        for holds in (False, True):
            found = [share(model, [tokens] * 3, keeps, sharded, sharded, sharded, holds)
                     for tokens in (1024, 2048, 4096, 8192, 16384)]
            print(f"  {name}, {'held' if holds else 'freed'}: "
                  + " ".join(f"{x:.2f}" for x in found))
    print("a new length each step, 24 steps, evenly between a tenth and the longest")
    for name, model, keeps, sharded in fixed[2:]:
        found = []
        for longest in (1024, 2048, 4096, 8192):
            draw = random.Random(longest)
            lengths = [int(longest * draw.uniform(0.1, 1)) for _ in range(24)] + [longest]
            found.append(share(model, lengths, keeps))
        print(f"  {name}: " + " ".join(f"{x:.2f}" for x in found))


if __name__ == "__main__":
    main()
