#!/usr/bin/env python3
"""Makes profiles/calibration/residuals-*.json: the factors low and high of each kind of prediction.

    make_ranges.py PROGRAM [--report]     from the root of the repository; --report: coverage alone

Each published row is predicted (`validate --json`), and x = ln(measured / predicted). Kinds of rows form
a tree (LEVELS below: method, then framework, ... then part); a prediction is judged by the deepest kind
that evidence has seen, so that an unseen part, stack or method falls back to a wider one.

Middle and spread of a kind: a normal hierarchical model. A kind of n groups takes its mean and variance
from its own groups and from those of its parent, which count as much as PRIOR groups. Groups of
near-duplicate rows count once. Where one stack has most of the evidence (EQUAL_KINDS), the kinds below a
kind count once each: what an unseen stack may do is learned from how stacks differ. Of steps of training
the scores of wider kinds count so too: a stack of 80 groups says no more of the next one than one of four.
A row is predicted twice: as the program stands, which judges kinds that know its part, and without the
calibration of its part, which judges kinds that do not: predictions for an unseen part are carried over.

Width: conformal (Lei et al. 2018, "Distribution-free predictive inference for regression", scores scaled
by the spread; Dunn, Wasserman and Ramdas 2023, "Distribution-free prediction sets for two-layer
hierarchical models", one group left out at a time). The score of a row is its distance from the middle
that the others give, over their spread. For the deepest kind the row's own group is left out; for each
wider kind all rows are left out that share the row's value of what that kind does not know (its part, its
framework, ...), so that its width is that of something never seen. The range reaches from the lower to
the upper quantile of those scores and of NORMAL_GROUPS normal groups.

Rows that carry `fitted_on` speak only as far as the fit was free of them: a fit with p parameters on n
rows leaves residuals e behind, and would have missed a row by e / (1 - p / n) had it been left out (the
mean leverage of a regression; Allen 1974, the PRESS residual). FITS names p and what counts as n; rows of
a fit that is not named there, or whose p reaches half of n, are left out. They are never scored.
"""
import collections
import functools
import json
import math
import pathlib
import statistics
import sys

from accuracy_tables import put
from carried_over import carried_over, validated
from coverage_table import coverage_table, shares

PRIOR = NORMAL_GROUPS = 3  # groups, or kinds, that a parent's mean and variance are worth
# At which levels: what is said of stacks that nobody measured. Steps of training are pooled below a stack.
EQUAL_KINDS = {"memory": range(9), "inference": range(9), "network_memory": range(9), "train_time": [1]}
# Aimed at on left-out groups, so that nine in ten of them and a little more lie inside, with their group left
# out as with their part: development rows were looked at, others will lie further off.
INSIDE = 0.91
# Of memory the high end decides whether a run fits barely. Training is what was looked at most. Networks are
# asked for with fewer settings than rows here state (crops, caches and layouts that a source leaves to its scripts).
INSIDE_OF = {"memory": 0.92, "train_time": 0.92, "network_memory": 0.93, "networks": 0.93}
LEAST_SPREAD = 0.01
LEAST_GROUPS = 2   # of a kind that gets a row of its own; one of those that a calibration speaks for. Few groups
# of one part are of one author as a rule, whom a left-out group does not leave out: a range of three of
# torchtitan held 4 of 19 figures that came later, that of its framework 12.
LEAST_OF = {"gemm": 1, "collective": 1, "train_time": 4}

# beginning of `fitted_on` -> (parameters, what they were fitted on: all groups, or the rows of one kind)
FITS = {
    "products of ": (5, "kind"),       # rates of units and memory, fixed time, exponent, share of waves
    "collectives of ": (3, "group"),   # latency, rate, square-root term, for each number of ranks
    "all-reduce of ": (3, "group"),
    "host times and kernel gap of ": (4, "groups"),  # gap, step, request, own all-reduce
    "kernel gap and host time of gpt-fast": (2, "groups"),
    "kernels, memory and prompt rates of llama.cpp": (9, "groups"),
    "memory rates": (0, "groups"),     # one a part
}
# Fits of one part, which say nothing where its calibration is taken away.
OF_A_PART = ("products of ", "collectives of ", "all-reduce of ", "memory rates")
TRANSFERRED = {"train_time", "inference", "gemm", "bandwidth", "collective"}
NETWORKS = ["vision", "vision2", "diffusion", "recurrent", "speech", "recommender", "unseen_networks",
            "unseen_networks3", "unseen_networks4"]
NETWORK_MEMORY = [*NETWORKS, "network_memory"]
FAMILIES = {"vision", "detection", "diffusion", "adversarial", "recurrent", "speech", "encoder", "recommender"}

# quantity -> (files, names of the pieces of a kind, positions of each level of the tree from the root on)
QUANTITIES = {
    "memory": (["memory"], ["method", "framework", "counter"], [(), (0,), (0, 1), (0, 1, 2)]),
    "train_time": (["train_time", "first_look"], ["method", "framework", "experts", "architecture", "part"],
                   [(), (0,), (0, 1), (0, 1, 2, 3), (0, 1, 2, 3, 4)]),
    "inference": (["inference", "transformers", "serving", "unseen_models"], ["phase", "framework", "figure", "part"],
                  [(), (0,), (0, 2), (0, 1, 2), (0, 1, 2, 3)]),
    "gemm": (["gemm", "unseen_kernels", "unseen_kernels3", "unseen_kernels4"], ["type", "part"], [(), (0,), (0, 1)]),
    "bandwidth": (["gemm", "unseen_kernels", "unseen_kernels3"], ["operation", "part"], [(), (1,)]),
    "collective": (["collective", "unseen_kernels3"], ["operation", "part"], [(), (0,), (0, 1)]),
    "hpc": (["hpc", "unseen_kernels3", "unseen_kernels4"], ["operation", "part"], [(), (0,), (0, 1)]),
    "network_memory": (NETWORK_MEMORY, ["family", "framework"], [(), (0,), (0, 1)]),
    "networks": (NETWORKS, ["task", "family", "framework", "width", "architecture", "part"],
                 [(), (1,), (0, 1), (0, 1, 2), (0, 1, 2, 3), (0, 1, 2, 3, 4), (0, 1, 2, 3, 4, 5)]),
}
FILES = {"memory": "memory", "train_time": "training", "inference": "inference",
         "gemm": "kernels", "bandwidth": "kernels", "collective": "kernels",
         "hpc": "science", "network_memory": "networks", "networks": "networks"}
RATES = ("_per_s", "mlups", "ns_per_day")


def belongs(row, quantity):
    """Whether a prediction is one of that quantity: those of networks are told apart by the kind of it."""
    if quantity not in ("networks", "network_memory"):
        return row["quantity"] == quantity
    pieces = row["kind"].split("/")
    if quantity == "network_memory":
        return row["metric"] == "peak_memory_gib" and pieces[0] in FAMILIES
    return row["metric"] != "peak_memory_gib" and len(pieces) > 1 and pieces[1] in FAMILIES


def tells_memory(row):
    """Whether a row says what a stated work held: not where the peak stood before training began, which then took no
    more than that. Rows whose batch is that of their source's example judge the range of their own framework: who
    asks knows no more."""
    before = row["measured"].get("memory_before_training_gib", 0)
    return before < 0.9 * row["measured"].get("peak_memory_gib", 0)


class Fits:
    """What leaving a fitted row out of its fit would have done to its error."""

    def __init__(self, rows):
        self.groups = collections.defaultdict(set)
        self.kinds = collections.Counter()
        self.sizes = collections.Counter()
        for row, pieces in rows:
            fit = row.get("fitted_on")
            if fit:
                self.groups[fit].add(row["group"])
                self.kinds[fit, pieces] += 1
                self.sizes[fit, row["group"]] += 1

    def left_out(self, row, pieces, x):
        """x of the row as the fit without it would have left it; None where nothing can be said."""
        fit = row.get("fitted_on")
        if not fit:
            return x
        known = [v for k, v in FITS.items() if fit.startswith(k)]
        if not known:
            return None
        parameters, on = known[0]
        counts = {"groups": len(self.groups[fit]), "kind": self.kinds[fit, pieces], "group": self.sizes[fit, row["group"]]}
        leverage = parameters / counts[on]
        return x / (1 - leverage) if leverage < 0.5 else None


def error_of(metric, measured, predicted):
    """ln(measured / predicted) of the time: ranges are factors on times."""
    x = math.log(measured / predicted)
    return -x if metric.endswith(RATES) else x


def rows_of(program, quantity):
    """[(pieces, group, wide, own)] of all rows of a quantity that are predicted, as if nothing was fitted on
    them. own: the error where the kind knows the part; wide: without the calibration of that part."""
    files, names, _ = QUANTITIES[quantity]
    carried = carried_over(program, files) if quantity in TRANSFERRED else {}
    out, found = [], []
    for file in files:
        path = f"tests/evidence/{file}.json"
        evidence = {r["id"]: r for r in json.loads(pathlib.Path(path).read_text())["rows"]}
        for (id_, metric), predicted in validated(program, path).items():
            if not belongs(predicted, quantity) or predicted["predicted"] <= 0 or predicted["measured"] <= 0:
                continue
            if quantity == "network_memory" and not tells_memory(evidence[id_]):
                continue
            x = error_of(metric, predicted["measured"], predicted["predicted"])
            pieces = tuple(predicted["kind"].split("/"))
            if len(pieces) != len(names):
                raise SystemExit(f"{id_}: kind {predicted['kind']!r}, expected {'/'.join(names)}")
            other = carried.get((id_, metric), 0)
            wide = error_of(metric, predicted["measured"], other) if other > 0 else None
            found.append((evidence[id_], pieces, x, wide))
    fits = Fits([(row, pieces) for row, pieces, _, _ in found])
    for row, pieces, x, wide in found:
        own = fits.left_out(row, pieces, x)
        if own is not None:
            if wide is not None and not (row.get("fitted_on") or "").startswith(OF_A_PART):
                wide = fits.left_out(row, pieces, wide)
            out.append((pieces, row["group"], own if wide is None else wide, own))
    return out


class Sums:
    """Mean and variance of groups, each group with the mean of its rows and weight one."""

    def __init__(self):
        self.groups = collections.defaultdict(lambda: [0, 0.0, 0.0])

    def add(self, group, x):
        entry = self.groups[group]
        entry[0] += 1
        entry[1] += x
        entry[2] += x * x

    def moments(self, leave=None):
        """(groups, mean, second moment about it), the groups in `leave` left out."""
        kept = [e for g, e in self.groups.items() if not leave or g not in leave]
        n = len(kept)
        if n == 0:
            return 0, 0.0, 0.0
        mean = sum(e[1] / e[0] for e in kept) / n
        second = sum((e[2] - 2 * mean * e[1] + e[0] * mean * mean) / e[0] for e in kept) / n
        return n, mean, second


def moments_of_kinds(kinds):
    """The same of kinds that count once each: [(groups, mean, second moment)]."""
    kinds = [k for k in kinds if k[0]]
    n = len(kinds)
    if n == 0:
        return 0, 0.0, 0.0
    mean = sum(k[1] for k in kinds) / n
    return n, mean, sum(k[2] + (k[1] - mean) ** 2 for k in kinds) / n


def shrunk(path, leave=None):
    """Mean and spread at the end of a path of moments from the root on, each level shrunk to the one before."""
    n, mean, variance = path[0](leave)
    variance = max(variance, LEAST_SPREAD**2)
    for moments in path[1:]:
        n, own_mean, own_second = moments(leave)
        if n == 0:
            break
        new_mean = (n * own_mean + PRIOR * mean) / (n + PRIOR)
        about = own_second + (own_mean - new_mean) ** 2
        variance = (n * about + PRIOR * variance) / (n + PRIOR)
        mean = new_mean
        variance = max(variance, LEAST_SPREAD**2)
    return mean, math.sqrt(variance)


def quantile(scores, share):
    """The least score that at least `share` of the weight does not exceed."""
    scores = sorted(scores)
    wanted = share * sum(w for _, w in scores)
    run = 0.0
    for s, w in scores:
        run += w
        if run >= wanted - 1e-12:
            return s
    return scores[-1][0]


class Tree:
    """The kinds of one quantity."""

    def __init__(self, quantity, rows):
        self.quantity = quantity
        self.names, self.levels = QUANTITIES[quantity][1:]
        self.rows = rows
        self.sums = [[collections.defaultdict(Sums) for _ in self.levels] for _ in range(2)]
        self.below = [collections.defaultdict(set) for _ in self.levels]  # kinds of the next level
        self.moments_known = {}
        self.sizes = collections.Counter(g for _, g, _, _ in rows)
        for pieces, group, wide, own in rows:
            for level in range(len(self.levels)):
                key = self.key(pieces, level)
                self.sums[False][level][key].add(group, wide)
                self.sums[True][level][key].add(group, own)
                if not self.deepest_level(level):
                    self.below[level][key].add(self.key(pieces, level + 1))
        self.factors = [self.scores_at(level) for level in range(len(self.levels))]
        for level in range(len(self.levels) - 2, -1, -1):  # what is less known is not judged more sharply
            own, deeper = self.factors[level], self.factors[level + 1]
            self.factors[level] = min(own[0], deeper[0]), max(own[1], deeper[1])

    def deepest_level(self, level):
        return level == len(self.levels) - 1

    def equal(self, level):
        return level in EQUAL_KINDS.get(self.quantity, []) and not self.deepest_level(level)

    def one_width(self, level, key):
        """Whether a kind that does not know the width of operands has seen one alone, which says nothing of another."""
        unknown = [] if self.deepest_level(level) else [self.names[i] for i in self.levels[level + 1] if i not in self.levels[level]]
        return unknown == ["width"] and len(self.below[level][key]) < 2

    def least(self, level):
        return LEAST_OF.get(self.quantity, LEAST_GROUPS) if self.deepest_level(level) else LEAST_GROUPS

    def key(self, pieces, level):
        return tuple(pieces[i] for i in self.levels[level])

    def moments(self, known, level, key, leave=None):
        """(groups or kinds below, mean, second moment about it) of a kind."""
        entry = known, level, key, frozenset(leave or ())
        if entry not in self.moments_known:
            if self.equal(level):
                self.moments_known[entry] = moments_of_kinds([self.moments(known, level + 1, k, leave) for k in self.below[level][key]])
            else:
                self.moments_known[entry] = self.sums[known][level][key].moments(leave)
        return self.moments_known[entry]

    def path(self, pieces, level):
        known = self.deepest_level(level)
        return [functools.partial(self.moments, known, i, self.key(pieces, i)) for i in range(level + 1)]

    def left_out(self, pieces, group, level):
        """Groups that must not speak for a row when it is judged by the kind at `level`."""
        if self.deepest_level(level):
            return {group}
        unknown = [i for i in self.levels[level + 1] if i not in self.levels[level]]
        return self.sharing(tuple((i, pieces[i]) for i in unknown)) | {group}

    def sharing(self, values):
        cache = self.__dict__.setdefault("_sharing", {})
        if values not in cache:
            cache[values] = {g for p, g, _, _ in self.rows if all(p[i] == v for i, v in values)}
        return cache[values]

    def scores_at(self, level):
        """(lower, upper) quantiles of the scores of rows judged by the kinds at `level`."""
        scores = []
        for pieces, group, wide, own in self.rows:
            x = own if self.deepest_level(level) else wide
            leave = self.left_out(pieces, group, level)
            path = self.path(pieces, level)
            if path[0](leave)[0] < 2 or (level and path[level](leave)[0] == 0):
                continue
            mean, spread = shrunk(path, leave)
            # What was left out with the row counts once, as what is asked for then is one more of those.
            beside = len(leave) if self.quantity == "train_time" and self.equal(level) else 1
            scores.append(((x - mean) / spread, 1 / self.sizes[group] / beside))
        steps = 40
        scores += [(statistics.NormalDist().inv_cdf((i + 0.5) / steps), NORMAL_GROUPS / steps) for i in range(steps)]
        side = (1 + INSIDE_OF.get(self.quantity, INSIDE)) / 2
        low = -quantile([(-s, w) for s, w in scores], side)
        return min(low, -0.5), max(quantile(scores, side), 0.5)

    def band(self, pieces, level, leave=None):
        mean, spread = shrunk(self.path(pieces, level), leave)
        low, high = self.factors[level]
        return math.exp(mean + low * spread), math.exp(mean + high * spread)

    def deepest(self, pieces, leave=None):
        for level in range(len(self.levels) - 1, 0, -1):
            key = self.key(pieces, level)
            if self.sums[True][level][key].moments(leave)[0] >= self.least(level) and not self.one_width(level, key):
                return level
        return 0

    def coverage(self):
        """{level, or "part unseen": [(pieces, weight, inside, ln(high / low))]}, when a row's own group is left
        out and by the level that judges it then; and when all rows of its part are left out."""
        table = collections.defaultdict(list)

        def judge(name, row, level, leave):
            pieces, group, wide, own = row
            low, high = self.band(pieces, level, leave)
            error = math.exp(own if self.deepest_level(level) else wide)
            table[name].append((pieces, 1 / self.sizes[group], low <= error <= high, math.log(high / low)))

        above = len(self.levels) - 2
        for row in self.rows:
            pieces, group = row[:2]
            level = self.deepest(pieces, {group})
            judge(level, row, level, {group})
            leave = self.left_out(pieces, group, above)
            if self.quantity in TRANSFERRED and self.moments(False, 0, (), leave)[0]:
                judge("part unseen", row, above, leave)
            leave = self.left_out(pieces, group, 1)
            if self.quantity == "train_time" and self.moments(False, 1, self.key(pieces, 1), leave)[0]:
                judge("stack unseen", row, 1, leave)
        return table

    def document(self, quantity):
        """The rows of the calibration file, widest kinds first."""
        out, seen = [], set()
        for level, positions in enumerate(self.levels):
            for pieces, _, _, _ in sorted(self.rows):
                key = (level, self.key(pieces, level))
                n = self.sums[True][level][key[1]].moments()[0]
                if key in seen or (level and (n < self.least(level) or self.one_width(*key))):
                    continue
                seen.add(key)
                low, high = self.band(pieces, level)
                kind = "/".join(pieces[i] if i in positions else "*" for i in range(max(positions) + 1)) if positions else ""
                rows = sum(e[0] for e in self.sums[True][level][key[1]].groups.values())
                files = ", ".join(QUANTITIES[quantity][0])
                out.append({"quantity": quantity, "kind": kind, "low": round(low, 3), "high": round(high, 3), "rows": rows,
                            **self.makers(positions),
                            "source": f"{files} of tests/evidence: {n} groups, one left out at a time (make_ranges.py)"})
        return out

    def makers(self, positions):
        """Of the widest kind of steps: on whose parts they were measured, of two architectures at least. On
        another's a stack tells less."""
        if positions or self.quantity not in ("train_time", "networks"):
            return {}
        architectures = collections.defaultdict(set)
        for pieces, _, _, _ in self.rows:
            part = json.loads(pathlib.Path(f"catalog/accelerators/{pieces[self.names.index('part')]}.json").read_text())
            architectures[part["vendor"]].add(part["architecture"])
        return {"makers": sorted(maker for maker, of in architectures.items() if len(of) > 1)}


def main():
    if len(sys.argv) < 2:
        raise SystemExit(__doc__)
    program, report = sys.argv[1], "--report" in sys.argv[2:]
    files, tables = collections.defaultdict(list), {}
    for quantity in QUANTITIES:
        rows = rows_of(program, quantity)
        tree = Tree(quantity, rows)
        tables[quantity] = tree.coverage()
        for level, judged in sorted(tables[quantity].items(), key=str):
            known = level if isinstance(level, str) else ", ".join(tree.names[i] for i in tree.levels[level]) or "nothing"
            weight, inside, width = shares(judged)
            print(f"{quantity:10}  {known:52} {weight:6.0f} groups  inside {inside:5.1%}  high / low {width:.2f}")
        files[FILES[quantity]] += tree.document(quantity)
    if report:
        return
    put("docs/accuracy.md", coverage_table(tables), "coverage")
    for name, rows in files.items():
        text = ",\n    ".join(json.dumps(r) for r in rows)
        pathlib.Path(f"profiles/calibration/residuals-{name}.json").write_text(
            '{\n  "schema": "ridgeline/calibration/1",\n  "note": "Made by tests/measure/make_ranges.py: measured over predicted '
            'of published rows, groups left out; the deepest kind that matches wins.",\n  "residuals": [\n    ' + text + "\n  ]\n}\n")


if __name__ == "__main__":
    main()
